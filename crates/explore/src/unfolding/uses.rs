//! The trees of the locations.
//!
//! The uses of a location form a tree: a use hangs off the last use before it that was not a read. Two reads are independent, so only uses that are not reads have
//! children. In a plain mutex this is the paper's lock tree.
//!
//! The uses that hang off the same one are kept by process: who looks for rivals of an event finds those of each process together, and need not look at
//! them one by one where the process has gone past all of them.

use mazurka_trace::{AccessKind, LocationId, ProcessId};

use crate::mutation::{self, Mutation};
use crate::unfolding::structure::{NONE, Name};

/// The use of a location by an event: a node of the location's tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Use {
    pub(crate) location: LocationId,
    pub(crate) kind: AccessKind,
    pub(crate) event: Name,
    /// The last use before it that was not a read.
    pub(crate) parent: u32,
    /// For one that is not a read: how many reads since then.
    pub(crate) reads: u32,
    /// The next older use of the same process that hangs off the same one.
    sibling: u32,
    after: After,
}

/// What hangs off a use, or is a root of a location's tree.
#[derive(Clone, Copy, Debug)]
struct After {
    /// The group of the process that was met last.
    newest: u32,
    readers: u32,
    writers: u32,
}

const NOTHING: After = After { newest: NONE, readers: NONE, writers: NONE };

/// Several processes use it.
const SEVERAL: u32 = NONE - 1;

impl After {
    fn add(&mut self, process: ProcessId, kind: AccessKind) {
        let user = if kind.is_read() { &mut self.readers } else { &mut self.writers };
        let process = process.index() as u32;
        *user = if *user == NONE || *user == process { process } else { SEVERAL };
    }

    /// Whether somebody else uses the location in a way that conflicts with such a use by this process.
    #[inline]
    fn conflict(&self, process: ProcessId, kind: AccessKind) -> bool {
        let other = |user: u32| user != NONE && user != process.index() as u32;
        other(self.writers) || (!kind.is_read() && other(self.readers) && !mutation::on(Mutation::ReadsWithoutConflict))
    }
}

/// The uses of one process that hang off the same use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    pub(crate) process: ProcessId,
    /// The newest of them.
    pub(crate) newest: u32,
    /// The largest number of their events among those of the process.
    pub(crate) deepest: u32,
    /// The group of another process that hangs off the same use.
    pub(crate) next: u32,
}

/// The trees of all locations.
#[derive(Debug, Default)]
pub(crate) struct Uses {
    uses: Vec<Use>,
    groups: Vec<Group>,
    /// For each location, the uses with no change before them.
    roots: Vec<After>,
}

impl Uses {
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.uses.len()
    }

    pub(crate) fn clear(&mut self) {
        self.uses.clear();
        self.groups.clear();
        self.roots.clear();
    }

    #[inline]
    pub(crate) fn get(&self, number: u32) -> &Use {
        &self.uses[number as usize]
    }

    #[inline]
    pub(crate) fn range(&self, range: std::ops::Range<usize>) -> &[Use] {
        &self.uses[range]
    }

    #[inline]
    fn after(&self, location: LocationId, parent: u32) -> &After {
        if parent == NONE {
            self.roots.get(location.index()).unwrap_or(&NOTHING)
        } else {
            &self.uses[parent as usize].after
        }
    }

    /// Whether some use that hangs off the same one as this can conflict with it.
    #[inline]
    pub(crate) fn has_rivals(&self, used: &Use, process: ProcessId) -> bool {
        self.after(used.location, used.parent).conflict(process, used.kind)
    }

    /// The first group of uses that hang off the same one as this.
    #[inline]
    pub(crate) fn first_group(&self, used: &Use) -> u32 {
        self.after(used.location, used.parent).newest
    }

    #[inline]
    pub(crate) fn group(&self, number: u32) -> &Group {
        &self.groups[number as usize]
    }

    /// The next older use of its group.
    #[inline]
    pub(crate) fn older(&self, number: u32) -> u32 {
        self.uses[number as usize].sibling
    }

    /// Adds a use by an event with this number among those of its process.
    pub(crate) fn add(&mut self, event: Name, (process, index): (ProcessId, u32), draft: &Draft) {
        let Draft { location, kind, parent, reads } = *draft;
        let number = self.uses.len() as u32;
        if parent == NONE && location.index() >= self.roots.len() {
            self.roots.resize(location.index() + 1, NOTHING);
        }
        let after = match parent {
            NONE => &mut self.roots[location.index()],
            _ => &mut self.uses[parent as usize].after,
        };
        after.add(process, kind);
        let mut at = after.newest;
        while at != NONE && self.groups[at as usize].process != process {
            at = self.groups[at as usize].next;
        }
        let sibling = if at == NONE {
            let group = Group { process, newest: number, deepest: index, next: after.newest };
            after.newest = self.groups.len() as u32;
            self.groups.push(group);
            NONE
        } else {
            let group = &mut self.groups[at as usize];
            group.deepest = group.deepest.max(index);
            std::mem::replace(&mut group.newest, number)
        };
        self.uses.push(Use { location, kind, event, parent, reads, sibling, after: NOTHING });
    }
}

/// A use that is to be added.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Draft {
    pub(crate) location: LocationId,
    pub(crate) kind: AccessKind,
    pub(crate) parent: u32,
    pub(crate) reads: u32,
}
