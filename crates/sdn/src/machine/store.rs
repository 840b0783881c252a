//! What is shared: one cell for each location, with a log of changes.

use mazurka_machine::Digest;
use mazurka_machine::undo::{Change, undo, write};
use mazurka_trace::{Access, AccessKind, Event, LocationId};

/// What a location is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Owner {
    /// A cell of a variable of the controller: which variable, and as which of its cells.
    Variable(u32, u32),
    /// The barriers of a switch, where they concern everybody.
    Epoch(u32),
    /// All rules of a switch that were not foreseen.
    Unforeseen(u32),
    /// How many packets of a stage are still on their way.
    Stage(u32),
    /// The rule with this key.
    Key(u32),
    /// Whether the packet that a task of the controller is about waits at its switch.
    Buffer(u32),
    /// What has become of a packet.
    Outcome(u32),
}

/// The cells.
#[derive(Clone, Debug, Default)]
pub(super) struct Store {
    pub(super) memory: Vec<i64>,
    pub(super) log: Vec<Change<i64>>,
    pub(super) owners: Vec<Owner>,
    names: Vec<Digest>,
}

impl Store {
    /// A new location. Its name does not depend on its number.
    pub(super) fn add(&mut self, owner: Owner, name: Digest, initial: i64) -> u32 {
        self.memory.push(initial);
        self.owners.push(owner);
        self.names.push(name);
        (self.memory.len() - 1) as u32
    }

    #[inline]
    pub(super) fn get(&self, location: u32) -> i64 {
        self.memory[location as usize]
    }

    #[inline]
    pub(super) fn name(&self, location: usize) -> Digest {
        self.names[location]
    }

    /// Writes without telling.
    #[inline]
    pub(super) fn put(&mut self, location: u32, value: i64) {
        write(&mut self.memory, &mut self.log, location as usize, value);
    }

    /// Takes back all changes but the first of the log.
    #[inline]
    pub(super) fn undo(&mut self, length: usize) {
        undo(&mut self.memory, &mut self.log, length);
    }

    /// Reads, and tells.
    #[inline]
    pub(super) fn read(&self, location: u32, event: &mut Event) -> i64 {
        let value = self.get(location);
        touch(event, location, AccessKind::Read, value, value);
        value
    }

    /// Writes, and tells how.
    #[inline]
    pub(super) fn write(&mut self, location: u32, kind: AccessKind, value: i64, event: &mut Event) {
        let before = self.get(location);
        touch(event, location, kind, before, value);
        if before != value {
            self.put(location, value);
        }
    }
}

/// Enters an access into an event, which has one for each location.
pub(super) fn touch(event: &mut Event, location: u32, kind: AccessKind, before: i64, after: i64) {
    let location = LocationId::new(location as usize);
    match event.accesses.iter_mut().find(|access| access.location == location) {
        Some(access) => {
            access.kind = access.kind.then(kind);
            access.after = after;
        }
        None => event.accesses.push(Access { location, kind, before, after }),
    }
}
