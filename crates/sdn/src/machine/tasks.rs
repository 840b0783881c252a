//! Tasks: a message on its way, or a handler that waits. Each is a process that takes one step.
//!
//! All that a task needs is known when it is made, so it is immutable and kept once: a number
//! stands for who made it, as which, and what it is. A handler that waits ends, and another task
//! goes on for it.

use mazurka_machine::Digest;
use mazurka_trace::ProcessId;
use rustc_hash::FxHashMap;

use super::interned::Interned;

/// What a task is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Kind {
    /// A host sends a packet: as which of all that are sent.
    Send(u32),
    /// A packet comes to a host.
    Deliver { host: u32, packet: u32 },
    /// A packet comes to a switch.
    Arrive { switch: u32, port: i64, packet: u32 },
    /// A switch asks the controller; the packet waits there.
    PacketIn { switch: u32, port: i64, packet: u32 },
    /// The controller is told that there is a switch.
    Start { switch: u32 },
    /// A handler goes on: whose, where, its locals, and what it has sent.
    Resume { handler: u32, pc: u32, frame: u32, sent: u32 },
    /// A switch is to put a rule into its table.
    FlowMod { key: u32, action: u32 },
    /// A switch is to remove a rule.
    Remove { key: u32 },
    /// A switch is to remove all rules that a match includes.
    RemoveAll { switch: u32, matches: u32 },
    /// A switch is to send the packet that a handler is about: by its table, or by an action.
    PacketOut { buffer: u32, action: Option<u32> },
    /// The network is looked at when nothing can happen any more.
    End,
}

/// A task.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Task {
    /// Who made it, counted from 1, and as which of what it made; 0 for those that are there at the
    /// beginning.
    pub(super) parent: u32,
    pub(super) nth: u32,
    pub(super) kind: Kind,
    /// The tasks that have to end before it can step: the number of a list.
    pub(super) waits: u32,
    /// Where it comes from in the source.
    pub(super) site: u32,
}

/// What a handler has sent to a switch since the last barrier, and before it.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Lists {
    pub(super) before: Vec<ProcessId>,
    pub(super) since: Vec<ProcessId>,
}

/// All tasks that were met.
#[derive(Clone, Debug, Default)]
pub(super) struct Tasks {
    tasks: Interned<Task>,
    digests: Vec<Digest>,
    /// The buffer of a task that a switch asks with: a location.
    pub(super) buffers: FxHashMap<u32, u32>,
    pub(super) waits: Interned<Vec<ProcessId>>,
    pub(super) frames: Interned<Vec<i64>>,
    /// What a handler has sent, by switches.
    pub(super) sent: Interned<Vec<(u32, Lists)>>,
    /// What everybody has sent to a switch.
    pub(super) epochs: Interned<Lists>,
}

impl Tasks {
    pub(super) fn get(&self, process: ProcessId) -> Task {
        *self.tasks.get(process.index() as u32)
    }

    pub(super) fn len(&self) -> usize {
        self.tasks.len()
    }

    /// The number of a task, and whether it is new.
    pub(super) fn enter(&mut self, task: Task) -> (ProcessId, bool) {
        let known = self.tasks.len();
        let number = self.tasks.enter(task);
        (ProcessId::new(number as usize), number as usize == known)
    }

    /// Names a new task: by who made it and as which, and by what it is.
    pub(super) fn name(&mut self, task: Task, content: Digest) {
        let parent = match task.parent.checked_sub(1) {
            Some(parent) => self.digests[parent as usize],
            None => Digest::default().name(104),
        };
        let mut digest = parent.name(u64::from(task.nth));
        digest.combine(content);
        self.digests.push(digest.name(9));
    }

    /// A task's name.
    #[inline]
    pub(super) fn digest(&self, process: ProcessId) -> Digest {
        self.digests[process.index()]
    }

    /// A list of tasks, as a digest.
    pub(super) fn list_digest(&self, list: &[ProcessId]) -> Digest {
        let mut digest = Digest::default();
        for &process in list {
            digest.combine(self.digest(process));
        }
        digest.name(10)
    }
}
