//! Random ABS programs with the constraints between methods that a solver finds or proves.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use mazurka_actor::{ActorMachine, Dependence, Image, synthesise, verify};
use mazurka_machine::{Constraints, Describe, Digest, Independence, Machine, Run};
use mazurka_smt::synthesis::proof::Verified;
use mazurka_smt::{Settings, Solver, Supply};
use mazurka_trace::{Ending, Event, FaultKind, ProcessId, SiteId};

use super::check::{ActorChecks, load};
use super::commuting::generate_commuting;
use super::fuzz::{ActorFailure, shrink};
use crate::check::{Counts, Culprit, Disagreement, catch, check_machine};
use crate::fuzz::Fuzzed;

/// The most states in which the constraints of a program are tried out.
const STATES: usize = 2_000;

/// Whoever finds constraints, for many programs.
#[derive(Debug)]
pub struct MethodFinder {
    supply: Supply<'static>,
    time_for_pair: Duration,
    /// In how many states a constraint held that was tried out.
    pub held: u64,
    /// How many declarations were proven, refuted, and neither.
    pub declared: [u64; 3],
}

impl Default for MethodFinder {
    fn default() -> MethodFinder {
        MethodFinder::within(Duration::from_millis(300))
    }
}

impl MethodFinder {
    fn within(limit: Duration) -> MethodFinder {
        let settings = Settings { time_limit: Some(limit), ..Settings::default() };
        let supply = Supply::new(move || Solver::start(settings.clone()));
        MethodFinder { supply, time_for_pair: 10 * limit, held: 0, declared: [0; 3] }
    }

    /// One whose solver has time for every question.
    pub fn patient() -> MethodFinder {
        MethodFinder::within(Duration::from_secs(20))
    }

    /// Whether there is a solver.
    pub fn has_solver() -> bool {
        Solver::start(Settings::default()).is_ok()
    }

    /// Gives a program all that is found and proven about its methods.
    ///
    /// # Errors
    /// Where there is no solver, or it does not do its work.
    pub fn constrain(&mut self, image: &mut Image) -> Result<(), String> {
        let declared = verify(image, &mut self.supply, &|| false).map_err(|error| error.to_string())?;
        for found in &declared {
            let kind = match found.verified {
                Verified::Proven => 0,
                Verified::Refuted { .. } => 1,
                Verified::Unknown(_) => 2,
            };
            self.declared[kind] += 1;
        }
        let found =
            synthesise(image, &mut self.supply, &|| false, self.time_for_pair).map_err(|error| error.to_string())?;
        image.declare_where(|number| declared[number].verified == Verified::Proven);
        image.constrain_by(&found.pairs);
        Ok(())
    }
}

/// Checks the program of a seed with all constraints that are found and proven; makes it small if
/// something disagrees.
///
/// # Errors
/// The small program, and what disagrees on it.
pub fn fuzz_methods(seed: u64, checks: &ActorChecks, finder: &mut MethodFinder) -> Result<Fuzzed, Box<ActorFailure>> {
    let program = generate_commuting(seed);
    // One dependence for each program: they take turns.
    let dependence = checks.dependences[seed as usize % checks.dependences.len()];
    match check_methods(&program.to_string(), dependence, checks, finder) {
        Ok(Some(counts)) => Ok(Fuzzed::Agreed(counts)),
        Ok(None) => Ok(Fuzzed::TooLarge),
        Err(found) => {
            let check = |source: &str| check_methods(source, dependence, checks, finder);
            let (program, disagreement) = shrink(program, found, check);
            Err(Box::new(ActorFailure { seed, program, disagreement }))
        }
    }
}

/// Runs every algorithm on a program with its constraints, which are also tried out in all states
/// that it reaches. `None` for a program that is too large.
///
/// # Errors
/// The first difference found.
pub fn check_methods(
    source: &str,
    dependence: Dependence,
    checks: &ActorChecks,
    finder: &mut MethodFinder,
) -> Result<Option<Counts>, Disagreement> {
    let mut image = Image::clone(&*catch(|| load(source, dependence))?);
    // A solver that dies says nothing about the program.
    if finder.constrain(&mut image).is_err() {
        return Ok(None);
    }
    let image = Arc::new(image);
    let found = catch(|| Ok(method_contradictions(&image, &mut finder.held)))?;
    let Some(found) = found else { return Ok(None) };
    if let Some(wrong) = found.into_iter().next() {
        return Err(Disagreement::new(Culprit::Machine, format!("--dependence {dependence:?}: {wrong}")));
    }
    let with = |disagreement: Disagreement| {
        let what = format!("--dependence {dependence:?}: {}", disagreement.what);
        Disagreement { what, ..disagreement }
    };
    check_machine(ActorMachine::new(image), &checks.checks).map_err(with)
}

/// Where what a program's constraints say is not the case, in the states that it reaches; in how
/// many of them a constraint held is added to `held`. None if there are too many states.
pub fn method_contradictions(image: &Arc<Image>, held: &mut u64) -> Option<Vec<String>> {
    let mut survey =
        Survey { machine: ActorMachine::new(Arc::clone(image)), event: Event::default(), wrong: Vec::new(), held: 0 };
    let mut seen = HashSet::new();
    let mut todo: Vec<Vec<ProcessId>> = vec![survey.enter()];
    while let Some(steps) = todo.last_mut() {
        let Some(process) = steps.pop() else {
            todo.pop();
            if let Some(depth) = todo.len().checked_sub(1) {
                survey.machine.rewind(depth);
            }
            continue;
        };
        let depth = survey.machine.steps();
        survey.machine.step(process, &[], &mut survey.event);
        let goes_on = survey.event.ending == Ending::Continues;
        if !goes_on || !seen.insert(survey.machine.digest()) {
            survey.machine.rewind(depth);
            continue;
        }
        if seen.len() > STATES {
            return None;
        }
        let steps = survey.enter();
        todo.push(steps);
    }
    *held += survey.held;
    Some(survey.wrong)
}

/// What two steps lead to: the state, and the failures on the way.
type Led = (Digest, Vec<(FaultKind, SiteId)>);

/// All reachable states, one after the other.
struct Survey {
    machine: ActorMachine,
    event: Event,
    wrong: Vec<String>,
    held: u64,
}

impl Survey {
    /// Looks at every two steps from the current state; gives all steps.
    fn enter(&mut self) -> Vec<ProcessId> {
        let live: Vec<ProcessId> = self.machine.live().iter().collect();
        let enabled: Vec<ProcessId> = live.into_iter().filter(|&process| self.machine.is_enabled(process)).collect();
        for (at, &one) in enabled.iter().enumerate() {
            for &other in &enabled[..at] {
                self.look_into(one, other);
            }
        }
        enabled
    }

    fn look_into(&mut self, one: ProcessId, other: ProcessId) {
        let said = self.machine.independence(one, other);
        if said == Independence::Unknown {
            return;
        }
        let (forward, back) = (self.order(one, other), self.order(other, one));
        let commute = forward.is_some() && forward == back;
        let wrong = match said {
            Independence::Holds | Independence::Uniform => !commute,
            Independence::Refuted => commute,
            Independence::Unknown => false,
        };
        self.held += u64::from(commute);
        if wrong {
            let [one, other] = [one, other].map(|process| {
                let place = self.machine.place(self.machine.pending(process));
                format!("{}:{} {}", place.line, place.column, self.machine.process_name(process))
            });
            self.wrong.push(format!("{said:?} of {one} and {other}, after {} steps", self.machine.steps()));
        }
    }

    /// Runs two steps one after the other, and goes back. Nothing where the second one cannot run.
    fn order(&mut self, one: ProcessId, other: ProcessId) -> Option<Led> {
        let (base, mut faults) = (self.machine.steps(), Vec::new());
        for process in [one, other] {
            if !self.machine.live().contains(process) || !self.machine.is_enabled(process) {
                self.machine.rewind(base);
                return None;
            }
            self.machine.step(process, &[], &mut self.event);
            faults.extend(self.event.faults.iter().map(|fault| (fault.kind, fault.site)));
        }
        faults.sort();
        let digest = self.machine.digest();
        self.machine.rewind(base);
        Some((digest, faults))
    }
}
