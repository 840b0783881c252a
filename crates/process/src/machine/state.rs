//! The memory, and the log that takes changes back.

use mazurka_machine::undo::{self, Change};
use mazurka_trace::{Access, AccessKind, Event, FaultKind, LocationId, Value};

/// All that the interpreter works on.
#[derive(Clone, Debug)]
pub(super) struct State {
    /// Cells of the globals, mutexes, then a frame for each process: where it is, how often it has
    /// spawned, its locals.
    pub(super) memory: Vec<Value>,
    /// The changes that lead to the current state, in order.
    pub(super) log: Vec<Change<Value>>,
    /// Operands; empty between statements.
    pub(super) stack: Vec<Value>,
    /// For each location, where the current event's access to it stands, if it has one. Never
    /// cleared: an entry counts only if the access it leads to is one of this location.
    pub(super) seats: Vec<u32>,
    /// Instructions left for the current step.
    pub(super) fuel: u64,
    /// What is wrong, after [`Exit::Fault`](super::interpreter::Exit::Fault).
    pub(super) trouble: (FaultKind, [Value; 2]),
    /// The accumulator, after [`Exit::Pauses`](super::interpreter::Exit::Pauses).
    pub(super) paused: Value,
    /// The mutex waited for, after [`Exit::Blocked`](super::interpreter::Exit::Blocked).
    pub(super) wanted: Option<LocationId>,
}

impl State {
    /// The state with these global cells and mutexes, and no process.
    pub(super) fn new(initial: &[Value]) -> State {
        State {
            memory: initial.to_vec(),
            log: Vec::new(),
            stack: Vec::new(),
            // One at least: an event that ends the execution names location 0 even if there is
            // none.
            seats: vec![0; initial.len().max(1)],
            fuel: 0,
            trouble: (FaultKind::Assertion, [0; 2]),
            paused: 0,
            wanted: None,
        }
    }

    /// Writes, and remembers the old value.
    pub(super) fn write(&mut self, slot: usize, value: Value) {
        undo::write(&mut self.memory, &mut self.log, slot, value);
    }

    /// Takes back all changes but the first `length`.
    #[inline(always)]
    pub(super) fn undo(&mut self, length: usize) {
        undo::undo(&mut self.memory, &mut self.log, length);
    }
}

/// Uses up fuel; false where there is not enough left.
#[inline]
pub(super) fn burn(fuel: &mut u64, instructions: u64) -> bool {
    let enough = *fuel >= instructions;
    *fuel = fuel.saturating_sub(instructions);
    enough
}

/// Adds a use of a location to the event; uses of one location become one access. Constant time;
/// doing it twice is doing it once. False, and nothing done, where there is no room for it.
#[inline(always)]
pub(super) fn touch(
    seats: &mut [u32],
    event: &mut Event,
    slot: usize,
    kind: AccessKind,
    before: Value,
    after: Value,
) -> bool {
    let location = LocationId::new(slot);
    let accesses = &mut event.accesses;
    // The first access is found without its seat, and has none.
    if let Some(first) = accesses.first_mut() {
        if first.location == location {
            again(first, kind, after);
            return true;
        }
        let seat = &mut seats[slot];
        if let Some(access) = accesses.get_mut(*seat as usize)
            && access.location == location
        {
            again(access, kind, after);
            return true;
        }
        *seat = accesses.len() as u32;
    }
    if accesses.len() == accesses.capacity() {
        return false;
    }
    accesses.push(Access { location, kind, before, after });
    true
}

#[inline(always)]
fn again(access: &mut Access, kind: AccessKind, after: Value) {
    access.kind = access.kind.then(kind);
    access.after = after;
}
