//! Going back by running again.

use mazurka_trace::{Event, Fault, FaultKind, LocationId, ProcessId, ProcessSet, SiteId, Value};

use crate::{
    Constrained, Constraints, DataRaces, Digest, Heard, Imagination, Independence, Machine, Run, forward,
    forward_constraints, forward_questions,
};

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

#[deny(clippy::missing_trait_methods)]
impl<R: Run> Run for Rerun<R> {
    forward_questions! { inner }

    fn step(&mut self, process: ProcessId, choices: &[Value], event: &mut Event) {
        self.inner.step(process, choices, event);
        let choices = event.choices.iter().map(|choice| choice.value).collect();
        // What is imagined is not run again.
        let digest = (!self.imagines).then(|| self.inner.digest());
        self.taken.push(Taken::Step { process, choices, digest });
    }

    fn conclude(&mut self, event: &mut Event) -> bool {
        let concluded = self.inner.conclude(event);
        if concluded {
            self.taken.push(Taken::Conclusion);
        }
        concluded
    }

    forward! { inner: fn hear(&mut self, heard: Heard); }

    fn restart(&mut self) {
        self.inner.restart();
        self.taken.clear();
    }
}

#[deny(clippy::missing_trait_methods)]
impl<R: Run> Constraints for Rerun<R> {
    forward_constraints! { inner }
}

#[deny(clippy::missing_trait_methods)]
impl<R: Run> DataRaces for Rerun<R> {
    forward! { inner:
        fn detects_data_races(&self) -> bool;
        fn data_race(&mut self, one: ProcessId, other: ProcessId) -> Option<Fault>;
    }
}

#[deny(clippy::missing_trait_methods)]
impl<R: Run> Imagination for Rerun<R> {
    forward! { inner: fn value_before(&self, location: LocationId, step: usize) -> Option<Value>; }

    fn imagine(&mut self, values: &[(LocationId, Value)]) {
        self.imagines = true;
        self.inner.imagine(values);
    }

    fn forget(&mut self) {
        self.imagines = false;
        self.inner.forget();
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
