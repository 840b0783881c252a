//! Constraints are about moderate integers.

use mazurka_machine::{MODERATE, Machine};
use mazurka_trace::{ProcessId, Value};

use crate::cursor::Cursor;

/// How large integers could become.
///
/// Constraints are right where integers are moderate, in the state in which two steps commute. Such
/// states are also those of executions that are left out. There, each variable changes as much in
/// all as in the one that is explored: that is part of what is known of steps that commute. So it
/// is never larger than what it was in the beginning and all its changes, of which there is at most
/// one for each event, and none of more than twice the largest integer. What processes have of
/// their own is the same.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Size {
    largest: u64,
    events: usize,
}

impl Size {
    /// Whether integers could be too large for constraints in some order of the events.
    pub(super) fn is_immoderate(self) -> bool {
        u128::from(self.largest) * (2 * self.events as u128 + 1) > u128::from(MODERATE)
    }

    /// Looks at the integers that the event in the buffer uses, and at those that its process has
    /// then. Where they could become immoderate in some order of the events, the exploration stops.
    #[cold]
    pub(super) fn measure<M: Machine>(&mut self, cursor: &mut Cursor<'_, M>, events: usize) {
        if cursor.machine.has_large_integers() {
            return;
        }
        let Size { largest, events: longest } = self;
        let event = &cursor.event;
        let used = event.accesses.iter().flat_map(|access| [access.before, access.after]).map(Value::unsigned_abs);
        let own = event.spawned.iter().chain([&event.process]).map(|&process| cursor.machine.magnitude(process));
        *largest = used.chain(own).fold(*largest, u64::max);
        if *longest == 0 {
            let live: Vec<ProcessId> = cursor.machine.live().iter().collect();
            let initial = live.into_iter().map(|process| cursor.machine.magnitude(process));
            *largest = initial.fold(*largest, u64::max);
        }
        *longest = (*longest).max(events + 1);
        cursor.pace.stopped |= self.is_immoderate();
    }
}
