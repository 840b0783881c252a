//! What a runnable program offers: what is pending, a step, going back, a digest. Nothing about
//! exploration.
//!
//! To give Mazurka a new kind of program, implement [`Run`] (and [`Machine`], if it can go back by
//! itself; wrap it in [`Rerun`] if it cannot), and [`Describe`] for reports. What not every machine
//! can do is a trait of its own, of which all methods have defaults: [`Constraints`],
//! [`DataRaces`], [`Imagination`]; [`Companion`], for several workers.

mod capabilities;
mod describe;
mod digest;
mod ends;
mod foresight;
mod forward;
mod heard;
mod independence;
mod mutation;
mod rerun;
mod topology;
pub mod undo;

pub use capabilities::{Companion, Constraints, DataRaces, Imagination};
pub use describe::{Arrival, Describe, Place, Rest};
pub use digest::Digest;
pub use ends::{Ends, FinalState, PacketEnds, Traces};
pub use foresight::{Foresight, Outlook};
pub use heard::Heard;
pub use independence::{Constrained, Independence, MODERATE};
pub use rerun::Rerun;
pub use topology::{Hop, Journey, Link, Node, Topology};

use mazurka_trace::{Event, FaultKind, ProcessId, ProcessSet, SiteId, Value};

/// A program in the course of one execution.
///
/// The machine offers what is pending and is stepped; it never calls the explorer. The same
/// schedule gives the same events, byte for byte. A process's number is given out the first time it
/// is spawned and means the same process (who spawned it, as which of its spawns) for the machine's
/// whole life, in every execution.
///
/// Local code runs as far as it can after each step, so every live process stands before an
/// operation that others can notice, or before a data choice of its own (then it is *at a local
/// step*).
pub trait Run: Constraints + DataRaces + Imagination {
    /// The processes that have been started in the current execution and have not ended.
    fn live(&self) -> &ProcessSet;

    /// Whether a live process can be stepped now.
    fn is_enabled(&mut self, process: ProcessId) -> bool;

    /// A live process whose next step is local code with a data choice. Such a step commutes with
    /// everything and is always enabled, so it can be taken first; other processes can be stepped
    /// in between all the same.
    fn at_local(&self) -> Option<ProcessId>;

    /// Where a live process stands.
    fn pending(&self, process: ProcessId) -> SiteId;

    /// Steps an enabled process. Data choices take their values from `choices`, in order, and the
    /// lowest value of their range where there is none left (or where the value given is not in the
    /// range). `event` is overwritten with what the step did.
    fn step(&mut self, process: ProcessId, choices: &[Value], event: &mut Event);

    /// For a live process that is not enabled: overwrites `event` with what its step, which is
    /// disabled, would read to find that out. Nothing changes.
    fn disabled_step(&mut self, process: ProcessId, event: &mut Event);

    /// Runs what the program does once every process has ended, as one step. False, and nothing
    /// done, where there is no such thing.
    fn conclude(&mut self, event: &mut Event) -> bool;

    /// The holder of a mutex that a process waits for.
    fn holder(&mut self, process: ProcessId) -> Option<ProcessId>;

    /// All whom a live process that is not enabled waits for, where each of them keeps it waiting:
    /// the holders of a lock, or the process whose end it waits for. Nobody where others can let it
    /// go on. By default, the holder of the mutex.
    fn keepers(&mut self, process: ProcessId) -> Vec<ProcessId> {
        self.holder(process).into_iter().collect()
    }

    /// Whether a process that cannot be stepped goes round in a loop, waiting for others to end it.
    fn spins(&self, _process: ProcessId) -> bool {
        false
    }

    /// For a state in which nobody can move and somebody has not ended: what kind of failure that
    /// is, if the machine tells several apart. It depends on the state alone.
    fn standstill(&mut self) -> Option<FaultKind> {
        None
    }

    /// Whether something that the machine has assumed about the program turned out to be wrong
    /// since it was asked last. Then it is back in its initial state, assumes that no longer, and
    /// whoever explores it begins again: executions may be missing.
    fn reconsiders(&mut self) -> bool {
        false
    }

    /// For a machine in its initial state: from now on it assumes nothing about the program, as
    /// after [`Run::reconsiders`].
    fn assume_nothing(&mut self) {}

    /// Whether a process that cannot be stepped waits for an assumption to hold. An execution that
    /// ends so is discarded.
    fn assumes(&self, _process: ProcessId) -> bool {
        false
    }

    /// Told, in the initial state, that it counts who reads what others wrote. From now on each
    /// event tells what a process reads that is alone (`Event::unseen`). A machine that leaves out
    /// no reads has nothing to do.
    fn observe(&mut self) {}

    /// Told that executions are left out because of equal digests. A machine may take states for
    /// equal up to something that turns out to matter, see [`Run::reconsiders`]: only then it does.
    fn compare(&mut self) {}

    /// Whether states that differ in the name of this process are told apart: see [`Run::compare`].
    fn is_told_by_name(&self, _process: ProcessId) -> bool {
        true
    }

    /// Told what happens in an exploration that drives this machine. Of interest only to those who
    /// keep account of it.
    fn hear(&mut self, _heard: Heard) {}

    /// A digest of the whole state: equal states have equal digests, different ones different
    /// digests but for an accident of 1 in 2^100. Independent of the order in which processes were
    /// numbered.
    fn digest(&mut self) -> Digest;

    /// The same of what belongs to processes alone: where they are and what they know, without what
    /// they share. By default, of all.
    fn local_digest(&mut self) -> Digest {
        self.digest()
    }

    /// The same without names that states may differ in and still be taken for equal. By default,
    /// there are none.
    fn shape(&mut self) -> Digest {
        self.digest()
    }

    /// The same with all names told apart, also those that states may differ in and still be taken
    /// for equal.
    fn named_digest(&mut self) -> Digest {
        self.digest()
    }

    /// Back to the initial state. Process numbers are kept.
    fn restart(&mut self);
}

/// A program that can go back within the current execution.
pub trait Machine: Run {
    /// How many steps (conclusion included) lead to the current state.
    fn steps(&self) -> usize;

    /// Back to the state after the first `steps` steps of the current execution. Costs what changed
    /// since.
    fn rewind(&mut self, steps: usize);

    /// A digest of the effects of all but the first `steps` steps of the current execution: what
    /// the state differs in from the one that they led to. Two executions that begin with the same
    /// `steps` steps lead to equal states if, and but for accidents only if, it is the same. By
    /// default, the digest of the whole state.
    fn effects_since(&mut self, _steps: usize) -> Digest {
        self.digest()
    }

    /// The same with all names told apart: see [`Run::named_digest`].
    fn named_effects_since(&mut self, _steps: usize) -> Digest {
        self.named_digest()
    }
}
