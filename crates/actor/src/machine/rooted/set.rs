//! Sets of values, some of which are not there yet.

use smallvec::{SmallVec, smallvec};

use crate::machine::heap::Heap;
use crate::machine::value::{Kind, Value};

/// So many data values are told apart.
const MOST: usize = 8;

/// A value, or something that is still to be made.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Atom {
    /// A value as it is.
    Word(u64),
    /// An object that is still to be made, by number.
    Object(u32),
    /// The future of a task that is still to be called, by the number of its unit.
    Future(u32),
}

impl Atom {
    pub(super) fn of(value: Value) -> Atom {
        Atom::Word(value.0)
    }

    pub(super) fn value(self) -> Option<Value> {
        match self {
            Atom::Word(word) => Some(Value(word)),
            Atom::Object(_) | Atom::Future(_) => None,
        }
    }

    /// Whether it is data: no object, no future, not null.
    fn is_data(self) -> bool {
        self.value().is_some_and(|value| !matches!(value.kind(), Kind::Object(_) | Kind::Future(_) | Kind::Null))
    }
}

/// What a word can hold.
#[derive(PartialEq, Eq, Debug, Default)]
pub(super) struct Set {
    /// Sorted. Most words hold one thing.
    atoms: SmallVec<[Atom; 1]>,
    /// Any data. The objects and futures in it are among the atoms.
    pub(super) any: bool,
}

// The derived one clones one atom after the other.
impl Clone for Set {
    fn clone(&self) -> Self {
        Set { atoms: SmallVec::from_slice(&self.atoms), any: self.any }
    }
}

impl Set {
    pub(super) fn of(value: Value) -> Set {
        Set { atoms: smallvec![Atom::of(value)], any: false }
    }

    pub(super) fn anything() -> Set {
        Set { atoms: SmallVec::new(), any: true }
    }

    pub(super) fn atoms(&self) -> &[Atom] {
        &self.atoms
    }

    pub(super) fn is_empty(&self) -> bool {
        self.atoms.is_empty() && !self.any
    }

    pub(super) fn contains(&self, value: Value) -> bool {
        self.atoms.binary_search(&Atom::of(value)).is_ok()
    }

    pub(super) fn insert(&mut self, atom: Atom, heap: &Heap) -> bool {
        if self.any && atom.is_data() {
            return self.insert_contents(atom, heap);
        }
        let Err(at) = self.atoms.binary_search(&atom) else { return false };
        self.atoms.insert(at, atom);
        if atom.is_data() && self.atoms.iter().filter(|atom| atom.is_data()).count() > MOST {
            self.blur(heap);
        }
        true
    }

    /// Takes in what others hold. Tells whether that changed anything.
    pub(super) fn join(&mut self, other: &Set, heap: &Heap) -> bool {
        let mut changed = false;
        if other.any && !self.any {
            self.blur(heap);
            changed = true;
        }
        for &atom in &other.atoms {
            changed |= self.insert(atom, heap);
        }
        changed
    }

    /// Forgets which data it is.
    fn blur(&mut self, heap: &Heap) {
        self.any = true;
        let (data, rest): (Vec<Atom>, Vec<Atom>) = self.atoms.iter().partition(|atom| atom.is_data());
        self.atoms = rest.into();
        for atom in data {
            self.insert_contents(atom, heap);
        }
    }

    /// The objects and futures within data.
    fn insert_contents(&mut self, atom: Atom, heap: &Heap) -> bool {
        let mut changed = false;
        let mut left: Vec<Value> = atom.value().into_iter().collect();
        while let Some(value) = left.pop() {
            match value.kind() {
                Kind::Node(_) => left.extend_from_slice(heap.arguments(value)),
                Kind::Object(_) | Kind::Future(_) | Kind::Null => {
                    if let Err(at) = self.atoms.binary_search(&Atom::of(value)) {
                        self.atoms.insert(at, Atom::of(value));
                        changed = true;
                    }
                }
                _ => {}
            }
        }
        changed
    }

    /// Some data made of these.
    pub(super) fn made_of<'s>(parts: impl Iterator<Item = &'s Set>, heap: &Heap) -> Set {
        let mut made = Set::anything();
        for part in parts {
            made.join(part, heap);
        }
        made
    }

    /// An argument of data.
    pub(super) fn argument(&self, index: usize, heap: &Heap) -> Set {
        let mut found = Set::default();
        if self.any {
            found.join(self, heap);
        }
        for value in self.atoms.iter().filter_map(|atom| atom.value()) {
            if let Some(&argument) = heap.arguments(value).get(index) {
                found.insert(Atom::of(argument), heap);
            }
        }
        found
    }

    /// The integers, if it is nothing else.
    pub(super) fn integers(&self) -> Option<Vec<i64>> {
        if self.any {
            return None;
        }
        let number = |atom: &Atom| match atom.value()?.kind() {
            Kind::Int(number) => Some(number),
            _ => None,
        };
        self.atoms.iter().map(number).collect()
    }
}
