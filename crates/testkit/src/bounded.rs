//! Bounded model checking against exploration, and against brute force.

use std::sync::Arc;
use std::time::Duration;

use mazurka_audit::{Budget, Census, Watch, brute_force};
use mazurka_bmc::{Encoding, Options, Reduction, check, schedules};
use mazurka_explore::{Algorithm, Monitor, explore};
use mazurka_machine::{Heard, Machine, Run};
use mazurka_process::Image;
use mazurka_process::hir::{BodyKind, Type};
use mazurka_process::symbolic::{Body, Limits, State, Symbolic};
use mazurka_smt::{Arena, Settings, Sort};
use mazurka_trace::{Ending, Event, ProcessId, Scheduled, Verdict};
use rustc_hash::FxHashMap;

use crate::load::machine;

/// Deep enough for random programs, and for those of the corpus that end.
const STEPS: usize = 60;

/// What one run may take.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// Rounds of loops within a step, enough for those of the corpus.
const ROUNDS: usize = 128;

/// How many schedules are enumerated at most.
const MOST_SCHEDULES: usize = 400;

/// Without a reduction, so many: there is nothing to compare but the encoding.
const MOST_INTERLEAVINGS: u64 = 60;

/// How many executions brute force may look at.
const BUDGET: Budget = Budget { executions: 20_000, steps: 500_000, depth: 1_000 };

/// Compares the verdict under every reduction with that of `optimal`. How many runs came to a
/// verdict, and those that did not, in words; an encoding for each reduction is picked by the seed.
///
/// # Errors
/// Says which one is wrong.
pub fn check_verdicts(image: &Arc<Image>, seed: u64) -> Result<(u64, Vec<String>), String> {
    let options = mazurka_explore::Options { algorithm: Algorithm::Optimal, ..Default::default() };
    let expected = explore(&mut machine(image), &options, &Monitor::default()).verdict();
    let (mut decided, mut open) = (0, Vec::new());
    for (number, reduction) in Reduction::ALL.into_iter().enumerate() {
        let encoding = Encoding::ALL[(seed as usize + number) % Encoding::ALL.len()];
        let options = Options { reduction, encoding, steps: STEPS, timeout: Some(TIME_LIMIT), ..Options::default() };
        let report = check(image, &options, &Settings::default()).map_err(|error| format!("{reduction}: {error}"))?;
        match report.verdict() {
            verdict if verdict == expected => decided += 1,
            Verdict::Incomplete => {
                open.push(format!("{reduction}: {:?} within {} steps, {expected:?}", report.cutoffs, report.steps));
            }
            verdict => return Err(format!("{reduction}, {encoding:?}: {verdict:?} instead of {expected:?}")),
        }
    }
    Ok((decided, open))
}

/// What became of a program whose schedules were to be counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Schedules {
    /// It has two processes, and one schedule of each of these traces is left.
    OfTwo(u64),
    /// It has more (or one), and at least one schedule of each of these traces is left.
    OfMore(u64),
    /// Nothing was compared, for this reason.
    Skipped(&'static str),
}

/// Enumerates the schedules that each reduction leaves of a program, those that fail and those with
/// data choices included, runs them, and compares them with all there are: no final state, no
/// deadlock and no failure is lost; by rules 1 to 3 no trace is lost, of two processes one schedule
/// of each trace is left, as many as `optimal` explores (Theorem 2), and of quasi-monotonic
/// schedules always one. More traces than `most` are too many.
///
/// # Errors
/// Says what is wrong.
pub fn check_schedules(image: &Arc<Image>, most: usize, seed: u64) -> Result<Schedules, String> {
    let Ok(truth) = brute_force(&mut machine(image), BUDGET) else { return Ok(Schedules::Skipped("executions")) };
    if truth.traces.len() > most {
        return Ok(Schedules::Skipped("traces"));
    }
    let traces = truth.traces.len() as u64;
    let (processes, optimal) = explored(image);
    if optimal != traces {
        return Err(format!("optimal explores {optimal} executions of {traces} traces"));
    }
    let choices = choices(image);
    let mut left = Vec::new();
    for (number, reduction) in Reduction::ALL.into_iter().enumerate() {
        if reduction == Reduction::None && truth.executions > MOST_INTERLEAVINGS {
            left.push(truth.executions);
            continue;
        }
        let encoding = Encoding::ALL[(seed as usize + number) % Encoding::ALL.len()];
        let timeout = Some(TIME_LIMIT);
        let options = Options { reduction, encoding, steps: STEPS, rounds: ROUNDS, timeout, ..Options::default() };
        let found = schedules(image, &options, &Settings::default(), MOST_SCHEDULES);
        let Some(found) = found.map_err(|error| format!("{reduction}: {error}"))? else {
            return Ok(Schedules::Skipped("schedules, or local failures"));
        };
        let seen = census(image, &found);
        let wrong = |what: &str| {
            Err(format!("{reduction}, {encoding:?}: {what}; {} schedules of {traces} traces", found.len()))
        };
        if seen.discarded > 0 || seen.executions != found.len() as u64 {
            return wrong("not all of them are executions");
        }
        // What fails before an assumption does counts, too, but is in no complete execution.
        let lost = truth.discarded == 0 && lost_findings(&seen, &truth);
        if seen.digests != truth.digests || seen.finals != truth.finals || lost {
            return wrong("an outcome is lost");
        }
        let by_location = matches!(reduction, Reduction::Static | Reduction::Simple | Reduction::Monotonic);
        if by_location && truth.traces.keys().any(|trace| !seen.traces.contains_key(trace)) {
            return wrong("a trace is lost");
        }
        let optimal = match reduction {
            // Local code that chooses is a step between steps, which the paper does not have.
            Reduction::Simple => processes == 2 && choices != Choices::InLocalCode,
            // What a pending step will choose is not known.
            Reduction::Monotonic => choices == Choices::None,
            _ => false,
        };
        if optimal && found.len() as u64 != traces {
            return wrong("there should be one of each");
        }
        // Local code that may discard need not come first, which is more interleavings.
        let late = truth.discarded > 0 && choices == Choices::InLocalCode && found.len() as u64 > truth.executions;
        if reduction == Reduction::None && found.len() as u64 != truth.executions && !late {
            return wrong(&format!("there are {} executions", truth.executions));
        }
        left.push(found.len() as u64);
    }
    // Each rule leaves out more: none, static, simple, full, synth.
    if left[..5].is_sorted_by(|more, fewer| more >= fewer) {
        Ok(if processes == 2 { Schedules::OfTwo(traces) } else { Schedules::OfMore(traces) })
    } else {
        Err(format!("a stronger reduction leaves more schedules: {left:?} of {traces} traces"))
    }
}

/// How many processes a program begins with.
pub fn initial_processes(image: &Arc<Image>) -> usize {
    let symbolic = Symbolic::new(image, Limits::default());
    let bodies = symbolic.bodies().iter().filter(|body| !body.inputs);
    let count = bodies.map(|body| match body.kind {
        BodyKind::Process => 1,
        BodyKind::ProcessArray(count) => count,
        BodyKind::Proc | BodyKind::Finally => 0,
    });
    count.sum()
}

/// How many processes there are, in all executions together, and how many executions `optimal`
/// explores.
fn explored(image: &Arc<Image>) -> (usize, u64) {
    let mut machine = machine(image);
    let options = mazurka_explore::Options { algorithm: Algorithm::Optimal, all: true, ..Default::default() };
    let outcome = explore(&mut machine, &options, &Monitor::default());
    let symbolic = Symbolic::new(image, Limits::default());
    let others = symbolic.bodies().iter().filter(|body| body.kind == BodyKind::Finally || body.inputs).count();
    (machine.processes() - others, outcome.executions)
}

/// Where a program chooses data.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Choices {
    /// Nowhere but in the initial state, before all else, whatever the schedule.
    None,
    /// In steps.
    InSteps,
    /// In local code, maybe in steps too.
    InLocalCode,
}

fn choices(image: &Arc<Image>) -> Choices {
    let symbolic = Symbolic::new(image, Limits::default());
    let (mut arena, mut choices) = (Arena::new(), Choices::None);
    for body in symbolic.bodies().iter().filter(|body| !body.inputs) {
        for &place in &body.places {
            let state = any_state(&mut arena, &symbolic, body);
            let zero = arena.int(0);
            let step = symbolic.step(&mut arena, zero, place, &state, &mut |arena, _| arena.fresh("c", Sort::Int));
            if !step.choices.is_empty() && step.is_local {
                return Choices::InLocalCode;
            }
            if !step.choices.is_empty() {
                choices = Choices::InSteps;
            }
        }
    }
    choices
}

fn any_state(arena: &mut Arena, symbolic: &Symbolic<'_>, body: &Body) -> State {
    let objects = symbolic.objects().iter().map(|object| arena.fresh("g", object.sort)).collect();
    let sort = |ty| if ty == Type::Bool { Sort::Bool } else { Sort::Int };
    let locals = body.locals.iter().map(|&(_, ty)| arena.fresh("l", sort(ty))).collect();
    State { objects, locals, spawned: arena.int(0) }
}

/// What these schedules amount to.
fn census(image: &Arc<Image>, schedules: &[Vec<Scheduled>]) -> Census {
    let mut watch = Watch::new(machine(image));
    let (mut event, mut first) = (Event::default(), Event::default());
    for schedule in schedules {
        watch.rewind(0);
        // A machine that has run something else numbers spawned processes otherwise than a fresh
        // one, on which the schedule was found.
        let mut fresh = machine(image);
        let mut ids: FxHashMap<ProcessId, ProcessId> = FxHashMap::default();
        let mut halted = false;
        for step in schedule {
            fresh.step(step.process, &step.choices, &mut first);
            watch.step(*ids.get(&step.process).unwrap_or(&step.process), &step.choices, &mut event);
            halted = event.ending == Ending::Halts;
            ids.extend(first.spawned.iter().copied().zip(event.spawned.iter().copied()));
        }
        watch.hear(Heard::Complete);
        if !halted && watch.live().is_empty() {
            watch.conclude(&mut event);
        }
    }
    watch.rewind(0);
    watch.finish().0
}

fn lost_findings(seen: &Census, truth: &Census) -> bool {
    truth.findings.keys().any(|finding| !seen.findings.contains_key(finding))
}
