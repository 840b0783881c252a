//! Random programs with constraints that a solver finds, and random pairs of steps.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use mazurka_machine::{Constraints, Independence, Machine, Run};
use mazurka_process::{Image, ProcessMachine, Synthesised, compile, synthesise};
use mazurka_smt::{Settings, Solver, Supply};
use mazurka_trace::{Ending, Event, ProcessId, SiteId};

use crate::Random;
use crate::check::{Checks, Counts, Culprit, Disagreement, catch, check_image};
use crate::constrain::contradictions;
use crate::fuzz::{Failure, Fuzzed};
use crate::generate::{Profile, generate_with};
use crate::program::Program;
use crate::shrink::shrink;

/// The most states in which the constraints of a program are tried out.
const STATES: usize = 2_000;

/// The profiles of programs that a solver can say something about.
const PROFILES: [Profile; 4] = [Profile::Races, Profile::Atomics, Profile::Spawn, Profile::Mixed];

/// Whoever finds constraints, for many programs: what was found, and a solver that goes on from one
/// to the next.
#[derive(Debug)]
pub struct Finder {
    known: HashMap<String, String>,
    supply: Supply<'static>,
}

impl Default for Finder {
    fn default() -> Finder {
        let settings = Settings { time_limit: Some(Duration::from_millis(300)), ..Settings::default() };
        Finder { known: HashMap::new(), supply: Supply::new(move || Solver::start(settings.clone())) }
    }
}

impl Finder {
    /// About how many pairs of steps something was found.
    pub fn pairs(&self) -> usize {
        self.known.len()
    }

    /// A program, and what is found about its steps.
    fn find(&mut self, source: &str) -> Result<(Image, Vec<Synthesised>), String> {
        let program = compile("random.mzk", source, &[]).map_err(|errors| format!("{errors:?}"))?;
        let image = Image::new(&program, "random.mzk", source);
        let found = synthesise(&image, &mut self.known, &mut self.supply, &|| false);
        Ok((image, found.map_err(|error| error.to_string())?.pairs))
    }
}

/// Checks the program of a seed, with all that a solver finds about when its steps commute; shrinks
/// it if something disagrees.
///
/// # Errors
/// The small program, where something disagrees.
pub fn fuzz_synthesised(seed: u64, checks: &Checks, finder: &mut Finder) -> Result<Fuzzed, Box<Failure>> {
    let profile = PROFILES[(seed % 4) as usize];
    let program = generate_with(profile, seed);
    match check_synthesised(&program.to_string(), checks, finder) {
        Ok(Some(counts)) => Ok(Fuzzed::Agreed(counts)),
        Ok(None) => Ok(Fuzzed::TooLarge),
        Err(found) => {
            let persists = |candidate: &Program| {
                let checked = check_synthesised(&candidate.to_string(), checks, finder);
                checked.is_err_and(|other| other.culprit == found.culprit)
            };
            let program = shrink(&program, 500, persists);
            let disagreement = check_synthesised(&program.to_string(), checks, finder).err().unwrap_or(found);
            Err(Box::new(Failure { seed, profile, program, disagreement }))
        }
    }
}

/// As [`check_all_algorithms`](crate::check_all_algorithms), with the constraints that a solver
/// finds. They are also tried out in all states that the program reaches.
///
/// # Errors
/// The first difference found.
pub fn check_synthesised(source: &str, checks: &Checks, finder: &mut Finder) -> Result<Option<Counts>, Disagreement> {
    let (mut image, found) = finder.find(source).map_err(Disagreement::refused)?;
    catch(|| {
        image.constrain_by(&found);
        if let Some(wrong) = contradictions(&image, STATES).and_then(|list| list.into_iter().next()) {
            return Err(Disagreement::new(Culprit::Machine, wrong));
        }
        check_image(Arc::new(image.clone()), checks)
    })
}

/// What was seen of the constraints of random pairs of steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tried {
    /// Pairs of steps that have something in common.
    pub pairs: usize,
    /// Those with a constraint that is not always true.
    pub conditional: usize,
    /// Those whose constraints are necessary.
    pub necessary: usize,
    /// States in which a constraint held, and both orders led to the same state.
    pub held: usize,
    /// States in which none held although they are necessary, and the orders led to different
    /// states.
    pub refuted: usize,
}

/// Makes a random pair of steps, finds their constraints, and tries them out in random states.
///
/// # Errors
/// A state in which they are wrong.
pub fn try_pair(seed: u64, states: usize, finder: &mut Finder, tried: &mut Tried) -> Result<(), String> {
    let mut random = Random::new(seed ^ 0x5eed);
    let steps = [step(&mut random), step(&mut random)];
    let values = |random: &mut Random, far: bool| -> [i64; 6] {
        let mut value = || match random.below(8) {
            0 if far => random.below(200) as i64 - 100,
            _ => random.below(7) as i64 - 3,
        };
        [value(), value(), value(), value(), value(), value()]
    };
    let source = |[x, y, a, b, v, w]: [i64; 6]| {
        let [p, q] = &steps;
        format!(
            "int x = {x}, y = {y}; int a[2] = {{{a}, {b}}};
            process p {{ int v = {v}; int u = {w}; atomic {{ {p} }} }}
            process q {{ int v = {w}; int u = {v}; atomic {{ {q} }} }}"
        )
    };
    let (_, found) = finder.find(&source([0; 6]))?;
    // Where one of them uses nothing but locals, there is no such pair.
    let Some(pair) = found.iter().find(|pair| pair.bodies == ["p", "q"] && pair.conflict) else { return Ok(()) };
    tried.pairs += 1;
    tried.necessary += usize::from(pair.necessary);
    tried.conditional += usize::from(pair.constraints.len() > 1 || pair.texts.as_deref() != Some(&["true".to_owned()]));
    for number in 0..states {
        let text = source(values(&mut random, number % 2 == 0));
        let program = compile("random.mzk", &text, &[]).map_err(|errors| format!("{errors:?}"))?;
        let mut image = Image::new(&program, "random.mzk", &text);
        image.constrain_by(std::slice::from_ref(pair));
        compare(Arc::new(image), tried).map_err(|wrong| format!("seed {seed}: {wrong}\n{text}\n{:?}", pair.texts))?;
    }
    Ok(())
}

/// Runs both orders of the program's two processes.
fn compare(image: Arc<Image>, tried: &mut Tried) -> Result<(), String> {
    let mut machine = ProcessMachine::new(image);
    let live: Vec<ProcessId> = machine.live().iter().collect();
    let &[one, other] = &live[..] else { return Err(format!("{} processes", live.len())) };
    if !machine.is_enabled(one) || !machine.is_enabled(other) {
        return Ok(());
    }
    let said = machine.independence(one, other);
    let [forward, back] = [[one, other], [other, one]].map(|order| run(&mut machine, order));
    let seen = forward.is_some() || back.is_some();
    match said {
        Independence::Holds | Independence::Uniform if seen && forward != back => {
            Err("a constraint holds, and both orders lead to different states".to_owned())
        }
        Independence::Refuted if seen && forward == back => {
            Err("no constraint holds, they are necessary, and both orders lead to the same state".to_owned())
        }
        Independence::Holds | Independence::Uniform => {
            tried.held += usize::from(seen);
            Ok(())
        }
        Independence::Refuted => {
            tried.refuted += usize::from(seen);
            Ok(())
        }
        Independence::Unknown => Ok(()),
    }
}

type End = (mazurka_machine::Digest, Vec<(ProcessId, SiteId)>);

/// Where two steps lead, if both go well.
fn run(machine: &mut ProcessMachine, order: [ProcessId; 2]) -> Option<End> {
    let (base, mut event, mut faults) = (machine.steps(), Event::default(), Vec::new());
    for process in order {
        if !machine.live().contains(process) || !machine.is_enabled(process) {
            machine.rewind(base);
            return None;
        }
        machine.step(process, &[], &mut event);
        faults.extend(event.faults.iter().map(|fault| (fault.process, fault.site)));
        if event.ending != Ending::Continues {
            machine.rewind(base);
            return None;
        }
    }
    faults.sort_unstable();
    let digest = machine.digest();
    machine.rewind(base);
    Some((digest, faults))
}

/// A few statements over `x`, `y`, `a`, `v` and `u`.
fn step(random: &mut Random) -> String {
    (0..1 + random.below(3)).map(|_| statement(random, 1)).collect::<Vec<_>>().join(" ")
}

fn statement(random: &mut Random, depth: usize) -> String {
    match random.below(if depth == 0 { 6 } else { 9 }) {
        0..=2 => format!("{} = {};", target(random), sum(random)),
        3 => format!("x = x + {};", random.below(3)),
        4 => format!("{} = {};", ["v", "u"][random.below(2)], sum(random)),
        5 => format!("y = {};", value(random)),
        6 => format!("if ({}) {{ {} }}", condition(random), statement(random, depth - 1)),
        7 => {
            let (condition, yes, no) = (condition(random), statement(random, 0), statement(random, 0));
            format!("if ({condition}) {{ {yes} }} else {{ {no} }}")
        }
        _ => match random.below(4) {
            0 => format!("await {};", condition(random)),
            1 => format!("assert {};", condition(random)),
            2 => format!("{} = {} * {};", target(random), value(random), value(random)),
            _ => format!("while (v > 0) {{ {} v = v - 1; }}", statement(random, 0)),
        },
    }
}

fn target(random: &mut Random) -> &'static str {
    ["x", "y", "a[0]", "a[1]", "a[v > 0 ? 1 : 0]"][random.below(5)]
}

fn value(random: &mut Random) -> String {
    match random.below(9) {
        0 => (random.below(5) as i64 - 2).to_string(),
        number => ["x", "y", "a[0]", "a[1]", "v", "u", "x", "y"][number - 1].to_owned(),
    }
}

fn sum(random: &mut Random) -> String {
    match random.below(4) {
        0 => value(random),
        1 => format!("{} - {}", value(random), value(random)),
        2 => format!("{} > 0 ? {} : {}", value(random), value(random), value(random)),
        _ => format!("{} + {}", value(random), value(random)),
    }
}

fn condition(random: &mut Random) -> String {
    let sign = ["==", "<", ">=", "!="][random.below(4)];
    format!("{} {sign} {}", value(random), value(random))
}
