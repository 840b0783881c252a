//! Values that are kept once, and have numbers.

use std::hash::Hash;

use rustc_hash::FxHashMap;

/// Equal values have equal numbers, for as long as the machine lives.
#[derive(Clone, Debug)]
pub(super) struct Interned<T> {
    values: Vec<T>,
    numbers: FxHashMap<T, u32>,
}

impl<T> Default for Interned<T> {
    fn default() -> Self {
        Interned { values: Vec::new(), numbers: FxHashMap::default() }
    }
}

impl<T: Clone + Eq + Hash> Interned<T> {
    pub(super) fn enter(&mut self, value: T) -> u32 {
        if let Some(&known) = self.numbers.get(&value) {
            return known;
        }
        let number = self.values.len() as u32;
        self.values.push(value.clone());
        self.numbers.insert(value, number);
        number
    }

    pub(super) fn get(&self, number: u32) -> &T {
        &self.values[number as usize]
    }

    pub(super) fn all(&self) -> &[T] {
        &self.values
    }

    pub(super) fn len(&self) -> usize {
        self.values.len()
    }
}

/// A number as a part of a name.
pub(super) fn word(value: i64) -> u64 {
    value as u64
}
