//! Watching whoever drives a machine.

use mazurka_machine::{
    Companion, Constrained, Constraints, DataRaces, Describe, Digest, Heard, Imagination, Independence, Machine, Place,
    Run, forward, forward_constraints, forward_questions,
};
use mazurka_trace::{Event, Fault, FaultKind, LocationId, ProcessId, ProcessSet, SiteId, Value};

use crate::census::{Census, End, assumes, waiting};
use crate::names::Names;
use crate::path::Path;

/// A machine around a machine, which takes a census of the complete executions that its driver
/// runs.
///
/// An execution is noted when its driver goes back from its last state, if it said that it counts.
#[derive(Debug)]
pub struct Watch<M> {
    inner: M,
    census: Census,
    names: Names,
    path: Path,
    /// The driver counts the execution that led to this state.
    complete: bool,
    concluded: Option<([Digest; 3], Event)>,
    /// What another search has seen that may go on.
    aside: Census,
}

impl<M: Machine + Describe> Watch<M> {
    /// Watches a machine that is in its initial state.
    pub fn new(mut inner: M) -> Self {
        inner.observe();
        let (census, names, path, aside) = (Census::default(), Names::default(), Path::default(), Census::default());
        Watch { inner, census, names, path, complete: false, concluded: None, aside }
    }

    /// What was seen, and the machine, back in its initial state.
    pub fn finish(mut self) -> (Census, M) {
        self.restart();
        (self.census, self.inner)
    }

    fn digests(&mut self) -> [Digest; 3] {
        [self.inner.digest(), self.inner.shape(), self.inner.local_digest()]
    }

    /// The driver is about to leave the current state.
    fn leave(&mut self) {
        if !std::mem::take(&mut self.complete) {
            return;
        }
        let ([digest, shape, locals], conclusion) = match self.concluded.take() {
            Some((digests, event)) => (digests, Some(event)),
            None => (self.digests(), None),
        };
        let waiting = waiting(&self.inner, &mut self.names);
        let assumes = !self.path.halted() && assumes(&self.inner);
        let races = self.inner.detects_data_races();
        let end = End { digest, shape, locals, waiting, assumes, races, conclusion };
        self.census.add(&self.path, &end, &mut self.names, &self.inner);
    }
}

#[deny(clippy::missing_trait_methods)]
impl<M: Machine + Describe> Run for Watch<M> {
    forward_questions! { inner }

    fn step(&mut self, process: ProcessId, choices: &[Value], event: &mut Event) {
        self.inner.step(process, choices, event);
        event.show_unseen();
        self.path.push(event);
        self.complete = false;
    }

    fn conclude(&mut self, event: &mut Event) -> bool {
        let digests = self.digests();
        let concluded = self.inner.conclude(event);
        if concluded {
            self.concluded = Some((digests, event.clone()));
        }
        concluded
    }

    fn hear(&mut self, heard: Heard) {
        self.inner.hear(heard);
        match heard {
            Heard::Complete => self.complete = true,
            Heard::Cut => {}
            Heard::Begun => self.census = Census::default(),
            Heard::SetAside => {
                self.leave();
                self.aside = std::mem::take(&mut self.census);
            }
            Heard::TakenUp => {
                self.leave();
                self.census = std::mem::take(&mut self.aside);
            }
        }
    }

    fn restart(&mut self) {
        self.leave();
        self.inner.restart();
        self.path.truncate(0);
        self.concluded = None;
    }
}

#[deny(clippy::missing_trait_methods)]
impl<M: Machine + Describe> Constraints for Watch<M> {
    forward_constraints! { inner }
}

#[deny(clippy::missing_trait_methods)]
impl<M: Machine + Describe> DataRaces for Watch<M> {
    forward! { inner:
        fn detects_data_races(&self) -> bool;
        fn data_race(&mut self, one: ProcessId, other: ProcessId) -> Option<Fault>;
    }
}

#[deny(clippy::missing_trait_methods)]
impl<M: Machine + Describe + Companion> Companion for Watch<M> {
    const NUMBERS_AGREE: bool = M::NUMBERS_AGREE;

    fn companion(&self) -> Self {
        Watch::new(self.inner.companion())
    }

    fn consult(&mut self, other: &Self) {
        self.inner.consult(&other.inner);
    }

    fn remember(&self) -> Vec<i64> {
        self.inner.remember()
    }

    fn recall(&mut self, notes: &[i64]) {
        self.inner.recall(notes);
    }
}

#[deny(clippy::missing_trait_methods)]
impl<M: Machine + Describe> Imagination for Watch<M> {
    forward! { inner:
        fn value_before(&self, location: LocationId, step: usize) -> Option<Value>;
        fn imagine(&mut self, values: &[(LocationId, Value)]);
        fn forget(&mut self);
    }
}

impl<M: Machine + Describe> Machine for Watch<M> {
    fn steps(&self) -> usize {
        self.inner.steps()
    }

    fn rewind(&mut self, steps: usize) {
        if steps == self.inner.steps() {
            return;
        }
        self.leave();
        self.inner.rewind(steps);
        self.path.truncate(steps);
        self.concluded = None;
    }

    fn named_effects_since(&mut self, steps: usize) -> Digest {
        self.inner.named_effects_since(steps)
    }

    fn effects_since(&mut self, steps: usize) -> Digest {
        self.inner.effects_since(steps)
    }
}

impl<M: Describe> Describe for Watch<M> {
    fn process_name(&self, process: ProcessId) -> String {
        self.inner.process_name(process)
    }

    fn process_key(&self, process: ProcessId) -> String {
        self.inner.process_key(process)
    }

    fn find_process(&self, name: &str) -> Option<ProcessId> {
        self.inner.find_process(name)
    }

    fn tells_value(&self, location: LocationId) -> bool {
        self.inner.tells_value(location)
    }

    fn location_name(&self, location: LocationId) -> String {
        self.inner.location_name(location)
    }

    fn value_text(&self, location: LocationId, value: Value) -> String {
        self.inner.value_text(location, value)
    }

    fn place(&self, site: SiteId) -> Place {
        self.inner.place(site)
    }

    fn fault_text(&self, fault: &Fault) -> String {
        self.inner.fault_text(fault)
    }

    fn output(&self) -> String {
        self.inner.output()
    }
}
