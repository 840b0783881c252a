//! What a machine has met and noticed, as numbers: for another machine that goes on with its work,
//! see `Companion::remember`.

use mazurka_trace::{LocationId, ProcessId};

use super::CMachine;
use super::registry::Entry;
use super::state::Origin;

/// No number.
const NONE: i64 = -1;

/// Reads what was written.
pub(super) struct Numbers<'a>(std::slice::Iter<'a, i64>);

impl<'a> Numbers<'a> {
    /// The next number; 0 where there is none left.
    pub(super) fn next(&mut self) -> i64 {
        self.0.next().copied().unwrap_or_default()
    }

    /// A list, which begins with its length.
    pub(super) fn list(&mut self) -> std::slice::Iter<'a, i64> {
        let length = usize::try_from(self.next()).unwrap_or_default();
        let (list, rest) = self.0.as_slice().split_at(length.min(self.0.len()));
        self.0 = rest.iter();
        list.iter()
    }

    /// A list of records.
    pub(super) fn records<const N: usize>(&mut self) -> impl Iterator<Item = [i64; N]> + use<'a, N> {
        self.list().as_slice().as_chunks::<N>().0.iter().copied()
    }
}

/// Adds a list, with its length.
pub(super) fn add_list(numbers: &mut Vec<i64>, list: impl IntoIterator<Item = i64>) {
    let at = numbers.len();
    numbers.push(0);
    numbers.extend(list);
    numbers[at] = (numbers.len() - at - 1) as i64;
}

pub(super) fn location(number: i64) -> LocationId {
    LocationId::new(usize::try_from(number).unwrap_or_default())
}

fn process(number: i64) -> ProcessId {
    ProcessId::new(usize::try_from(number).unwrap_or_default())
}

fn number(process: ProcessId) -> i64 {
    process.index() as i64
}

impl Entry {
    fn to_record(self) -> [i64; 4] {
        match self {
            Entry::Thread(None) => [0, NONE, 0, 0],
            Entry::Thread(Some((creator, nth))) => [0, number(creator), i64::from(nth), 0],
            Entry::Slot(Origin::Fixed) => unreachable!("there from the beginning"),
            Entry::Slot(Origin::Handle(_)) => unreachable!("there from its thread's beginning"),
            Entry::Slot(Origin::Heap(thread, nth)) => [1, number(thread), i64::from(nth), 0],
            Entry::Slot(Origin::Stack(thread, position, generation)) => {
                [2, number(thread), i64::from(position), i64::from(generation)]
            }
            Entry::Slot(Origin::ThreadLocal(thread, index)) => [3, number(thread), i64::from(index), 0],
            Entry::Locations { slot, class, count } => [4, i64::from(slot), i64::from(class), i64::from(count)],
        }
    }

    fn of_record([kind, one, two, three]: [i64; 4]) -> Self {
        let small = |number: i64| u32::try_from(number).unwrap_or_default();
        match kind {
            0 => Entry::Thread((one != NONE).then(|| (process(one), small(two)))),
            1 => Entry::Slot(Origin::Heap(process(one), small(two))),
            2 => Entry::Slot(Origin::Stack(process(one), small(two), small(three))),
            3 => Entry::Slot(Origin::ThreadLocal(process(one), small(two))),
            _ => Entry::Locations { slot: small(one), class: small(two), count: small(three) },
        }
    }
}

impl CMachine {
    /// See `Companion::remember`.
    pub(super) fn to_numbers(&self) -> Vec<i64> {
        let mut numbers = Vec::new();
        add_list(&mut numbers, self.state.registered().into_iter().flat_map(Entry::to_record));
        self.domains.add_to(&mut numbers);
        self.guards.add_to(&mut numbers);
        self.state.barriers.add_to(&mut numbers);
        numbers
    }

    /// See `Companion::recall`.
    pub(super) fn take_over(&mut self, numbers: &[i64]) {
        let mut numbers = Numbers(numbers.iter());
        self.state.register_all(numbers.records().map(Entry::of_record));
        let [domains, guards] = [self.domains.take_over(&mut numbers), self.guards.take_over(&mut numbers)];
        self.state.barriers.take_over(&mut numbers);
        if domains || guards {
            self.drop_all_assumptions();
        }
    }
}
