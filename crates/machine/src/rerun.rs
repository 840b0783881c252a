//! Going back by running again.

use mazurka_trace::{Event, Fault, FaultKind, LocationId, ProcessId, ProcessSet, SiteId, Value};

use crate::{Constrained, Digest, Heard, Independence, Machine, Run};

/// A program that cannot go back, made into one that can: it is restarted and given the same steps
/// again.
///
/// Costs a run of the whole prefix each time; the counts of an exploration are the same as with a
/// machine that rewinds.
#[derive(Debug)]
pub struct Rerun<R> {
    inner: R,
    taken: Vec<Taken>,
    scratch: Event,
    /// Locations have values that they do not have.
    imagines: bool,
}

#[derive(Debug)]
enum Taken {
    Step { process: ProcessId, choices: Vec<Value>, digest: Option<Digest> },
    Conclusion,
}

impl<R: Run> Rerun<R> {
    /// Wraps a program that is in its initial state.
    pub fn new(inner: R) -> Self {
        Self { inner, taken: Vec::new(), scratch: Event::default(), imagines: false }
    }

    /// The program itself.
    pub fn inner(&self) -> &R {
        &self.inner
    }
}

impl<R: Run> Run for Rerun<R> {
    fn live(&self) -> &ProcessSet {
        self.inner.live()
    }

    fn is_enabled(&mut self, process: ProcessId) -> bool {
        self.inner.is_enabled(process)
    }

    fn urgent(&self) -> Option<ProcessId> {
        self.inner.urgent()
    }

    fn pending(&self, process: ProcessId) -> SiteId {
        self.inner.pending(process)
    }

    fn step(&mut self, process: ProcessId, choices: &[Value], event: &mut Event) {
        self.inner.step(process, choices, event);
        let choices = event.choices.iter().map(|choice| choice.value).collect();
        // What is imagined is not run again.
        let digest = (!self.imagines).then(|| self.inner.digest());
        self.taken.push(Taken::Step { process, choices, digest });
    }

    fn attempt(&mut self, process: ProcessId, event: &mut Event) {
        self.inner.attempt(process, event);
    }

    fn conclude(&mut self, event: &mut Event) -> bool {
        let concluded = self.inner.conclude(event);
        if concluded {
            self.taken.push(Taken::Conclusion);
        }
        concluded
    }

    fn holder(&mut self, process: ProcessId) -> Option<ProcessId> {
        self.inner.holder(process)
    }

    fn observe(&mut self) {
        self.inner.observe();
    }

    fn is_told_by_name(&self, process: ProcessId) -> bool {
        self.inner.is_told_by_name(process)
    }

    fn compare(&mut self) {
        self.inner.compare();
    }

    fn hear(&mut self, heard: Heard) {
        self.inner.hear(heard);
    }

    fn spins(&self, process: ProcessId) -> bool {
        self.inner.spins(process)
    }

    fn standstill(&mut self) -> Option<FaultKind> {
        self.inner.standstill()
    }

    fn reconsiders(&mut self) -> bool {
        self.inner.reconsiders()
    }

    fn assume_nothing(&mut self) {
        self.inner.assume_nothing();
    }

    fn assumes(&self, process: ProcessId) -> bool {
        self.inner.assumes(process)
    }

    fn detects_data_races(&self) -> bool {
        self.inner.detects_data_races()
    }

    fn data_race(&mut self, one: ProcessId, other: ProcessId) -> Option<Fault> {
        self.inner.data_race(one, other)
    }

    fn has_constraints(&self) -> bool {
        self.inner.has_constraints()
    }

    fn constrained(&self, one: SiteId, other: SiteId) -> Constrained {
        self.inner.constrained(one, other)
    }

    fn independence(&mut self, one: ProcessId, other: ProcessId) -> Independence {
        self.inner.independence(one, other)
    }

    fn reasons(&self, locations: &mut Vec<LocationId>) {
        self.inner.reasons(locations);
    }

    fn others_may_write(&self, one: ProcessId, other: ProcessId, location: LocationId) -> bool {
        self.inner.others_may_write(one, other, location)
    }

    fn magnitude(&self, process: ProcessId) -> u64 {
        self.inner.magnitude(process)
    }

    fn has_large_integers(&self) -> bool {
        self.inner.has_large_integers()
    }

    fn named_digest(&mut self) -> Digest {
        self.inner.named_digest()
    }

    fn digest(&mut self) -> Digest {
        self.inner.digest()
    }

    fn local_digest(&mut self) -> Digest {
        self.inner.local_digest()
    }

    fn shape(&mut self) -> Digest {
        self.inner.shape()
    }

    fn value_before(&self, location: LocationId, step: usize) -> Option<Value> {
        self.inner.value_before(location, step)
    }

    fn imagine(&mut self, values: &[(LocationId, Value)]) {
        self.imagines = true;
        self.inner.imagine(values);
    }

    fn forget(&mut self) {
        self.imagines = false;
        self.inner.forget();
    }

    fn restart(&mut self) {
        self.inner.restart();
        self.taken.clear();
    }
}

impl<R: Run> Machine for Rerun<R> {
    fn steps(&self) -> usize {
        self.taken.len()
    }

    /// # Panics
    /// If the program does not do the same again when it is given the same schedule.
    fn rewind(&mut self, steps: usize) {
        if steps == self.taken.len() {
            return;
        }
        self.taken.truncate(steps);
        self.inner.restart();
        for taken in &self.taken {
            match taken {
                Taken::Step { process, choices, digest } => {
                    self.inner.step(*process, choices, &mut self.scratch);
                    assert_eq!(
                        Some(self.inner.digest()),
                        *digest,
                        "the program does not replay: the same schedule led to a different state"
                    );
                }
                Taken::Conclusion => {
                    self.inner.conclude(&mut self.scratch);
                }
            }
        }
    }

    fn effects_since(&mut self, _steps: usize) -> Digest {
        self.inner.compare();
        self.inner.digest()
    }
}
