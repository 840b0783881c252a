//! The trees of the locations.
//!
//! The uses of a location form a tree: a use hangs off the last use before it that was not a read.
//! Two reads are independent, so only uses that are not reads have children. In a plain mutex this
//! is the paper's lock tree.
//!
//! Whether anything that hangs off the same use as another one can conflict with that is known
//! without looking at them one by one.

use mazurka_trace::{AccessKind, LocationId, ProcessId};

use crate::mutation::{self, Mutation};
use crate::unfolding::ROOM;
use crate::unfolding::structure::{DraftUse, NONE, Name};

/// The use of a location by an event: a node of the location's tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Use {
    pub(crate) location: LocationId,
    pub(crate) kind: AccessKind,
    pub(crate) event: Name,
    /// The last use before it that was not a read.
    pub(crate) parent: u32,
    after: After,
}

/// What hangs off a use, or is a root of a location's tree.
#[derive(Clone, Copy, Debug)]
struct After {
    readers: u32,
    writers: u32,
}

const NOTHING: After = After { readers: NONE, writers: NONE };

/// Several processes use it.
const SEVERAL: u32 = NONE - 1;

impl After {
    fn add(&mut self, process: ProcessId, kind: AccessKind) {
        let user = if kind.is_read() { &mut self.readers } else { &mut self.writers };
        let process = process.index() as u32;
        *user = if *user == NONE || *user == process { process } else { SEVERAL };
    }

    /// Whether somebody else uses the location in a way that conflicts with such a use by this
    /// process.
    #[inline]
    fn conflict(&self, process: ProcessId, kind: AccessKind) -> bool {
        let other = |user: u32| user != NONE && user != process.index() as u32;
        other(self.writers) || (!kind.is_read() && other(self.readers) && !mutation::on(Mutation::ReadsWithoutConflict))
    }
}

/// The trees of all locations.
#[derive(Debug)]
pub(crate) struct Uses {
    uses: Vec<Use>,
    /// For each location, the uses with no change before them.
    roots: Vec<After>,
}

impl Default for Uses {
    fn default() -> Self {
        Self { uses: Vec::with_capacity(ROOM), roots: Vec::new() }
    }
}

impl Uses {
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.uses.len()
    }

    pub(crate) fn clear(&mut self) {
        self.uses.clear();
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

    /// Adds a use by an event of this process.
    #[inline]
    pub(crate) fn add(&mut self, event: Name, process: ProcessId, draft: DraftUse) {
        let DraftUse { location, kind, parent } = draft;
        if parent == NONE && location.index() >= self.roots.len() {
            self.roots.resize(location.index() + 1, NOTHING);
        }
        let after = match parent {
            NONE => &mut self.roots[location.index()],
            _ => &mut self.uses[parent as usize].after,
        };
        after.add(process, kind);
        self.uses.push(Use { location, kind, event, parent, after: NOTHING });
    }
}
