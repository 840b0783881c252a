//! Symbolic execution against brute force: random methods, random values, all schedules.
//!
//! Every path is run on the concrete machine, and comes to what it says. Every concrete execution
//! runs what some path runs. No path ends in a deadlock that the analysis of methods excludes.

mod force;
mod generate;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use force::{Runner, Signature};
use generate::Random;
use mazurka_actor::deadlock::{Analysis, Settings};
use mazurka_actor::{ActorMachine, Bounds, Ended, Image, Options, Path, Situation, Source, compile};
use mazurka_explore::{Algorithm, Limits, Monitor, Options as Exploration, explore};

/// So many paths of a program are followed.
const MOST_PATHS: u64 = 3_000;

fn image(text: &str) -> Image {
    let options = Options { methods: true, ..Options::default() };
    compile(&[Source { name: "p.abs", text }], &options).unwrap_or_else(|wrong| panic!("{wrong:?}\n{text}"))
}

/// The paths of a context, and what was left out.
fn paths(image: &Image, context: &Situation, algorithm: Algorithm) -> (Vec<Path>, BTreeMap<&'static str, u64>, bool) {
    let mut machine = ActorMachine::new(Arc::new(image.begun_keeping(context)));
    let bounds = Bounds { null: true, input_objects: 4, loops: 3, recursion: 12, ..Bounds::default() };
    machine.execute_symbolically(context, bounds, None);
    let limits = Limits { executions: Some(MOST_PATHS), ..Limits::default() };
    let options = Exploration { algorithm, all: true, limits, ..Exploration::default() };
    let outcome = explore(&mut machine, &options, &Monitor::default());
    let (paths, reached) = machine.take_paths();
    let is_whole = outcome.limits.iter().all(|limit| matches!(limit, mazurka_trace::Limit::Fuel));
    (paths, reached, is_whole)
}

/// The signatures of paths. Each path is run.
fn run_paths(image: &Image, paths: &[Path]) -> Result<BTreeSet<Signature>, String> {
    let mut signatures = BTreeSet::new();
    for path in paths {
        let Some(situation) = &path.situation else { continue };
        let text = situation.text(image);
        let read = Situation::read(&text, image).map_err(|wrong| format!("{text}: {}", wrong.message))?;
        if read != *situation {
            return Err(format!("{text} is read as {}", read.text(image)));
        }
        let schedule: Vec<String> = path.schedule.iter().map(|(name, _)| name.clone()).collect();
        let ran = Runner::new(image, situation).follow(&schedule);
        let (signature, summary) = ran.map_err(|why| format!("{text}: {schedule:?}: {why}"))?;
        let is_there = |object| summary.objects.contains(object);
        let same = (&summary.ended, &summary.results, &summary.waiting)
            == (&path.summary.ended, &path.summary.results, &path.summary.waiting);
        if !(same && path.summary.objects.iter().all(is_there)) {
            return Err(format!("{text}: {schedule:?}\nexpected {:?}\nfound    {summary:?}", path.summary));
        }
        signatures.insert(signature);
    }
    Ok(signatures)
}

/// What came of a random program.
#[derive(Default)]
struct Tally {
    programs: u64,
    paths: u64,
    /// Programs whose paths were all explored.
    whole: u64,
    situations: u64,
    executions: u64,
    /// Contexts that the analysis excludes, and those with a deadlock.
    excluded: u64,
    deadlocks: u64,
}

/// Whether the analysis of all methods says that the context has no deadlock.
fn excludes(image: &Arc<Image>, locations: &[(u32, Vec<u32>)]) -> bool {
    let analysis = Analysis::of_methods(image, &Settings::default(), false);
    let waiting = locations.iter().map(|(class, methods)| (*class, methods.iter().copied().collect()));
    let waiting: Vec<(u32, BTreeSet<u32>)> = waiting.collect();
    let refutes = |refuter: &mazurka_actor::deadlock::Refuter| refuter.excludes_all(image, &waiting);
    analysis.cycles.is_empty() && !analysis.more || analysis.refuter.as_ref().is_some_and(refutes)
}

/// The classes and methods of a context, by number.
fn locations(image: &Image, context: &[(&str, Vec<usize>)]) -> Vec<(u32, Vec<u32>)> {
    let location = |(class, methods): &(&str, Vec<usize>)| {
        let find = |method: &usize| image.find_method(&format!("{class}.m{method}")).expect("it is there");
        let found: Vec<(u32, u32)> = methods.iter().map(find).collect();
        (found[0].0, found.iter().map(|&(_, body)| body).collect())
    };
    context.iter().map(location).collect()
}

/// Bounds that the random situations keep.
fn is_kept(bound: &str) -> bool {
    matches!(bound, "data-depth" | "input-objects")
}

fn check(seed: u64, situations: u64, tally: &mut Tally) -> Result<(), String> {
    let mut random = Random::new(seed);
    let text = generate::program(&mut random);
    let image = Arc::new(image(&text));
    let context = generate::context(&mut random);
    let locations = locations(&image, &context);
    let free = Situation::free(&image, &locations);
    let fails = |why: String| format!("seed {seed}: {why}\n{context:?}\n{text}");
    let (found, reached, is_whole) = paths(&image, &free, Algorithm::UNREDUCED);
    let signatures = run_paths(&image, &found).map_err(fails)?;
    let is_excluded = excludes(&image, &locations);
    let deadlock = found.iter().find(|path| matches!(path.summary.ended, Ended::Deadlock | Ended::AwaitCycle));
    if let (true, Some(Path { situation: Some(situation), .. })) = (is_excluded, deadlock) {
        return Err(fails(format!("the analysis excludes a deadlock: {}", situation.text(&image))));
    }
    tally.excluded += u64::from(is_excluded);
    tally.deadlocks += u64::from(deadlock.is_some());
    tally.programs += 1;
    tally.paths += found.len() as u64;
    let is_whole = is_whole && reached.keys().all(|bound| is_kept(bound));
    if !is_whole {
        return Ok(());
    }
    tally.whole += 1;
    let fails = |why: String| format!("seed {seed}: {why}\n{context:?}\n{text}");
    for _ in 0..situations {
        let values = generate::situation(&mut random, &context);
        let situation = Situation::read(&values, &image).map_err(|wrong| fails(wrong.message))?;
        let executed = Runner::new(&image, &situation).signatures();
        tally.situations += 1;
        tally.executions += executed.len() as u64;
        if let Some(missing) = executed.iter().find(|one| !signatures.contains(one)) {
            return Err(fails(format!("no path goes as {values}: {missing:?}")));
        }
    }
    Ok(())
}

fn number(variable: &str, usual: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// A few programs in every run; `cargo xtask fuzz --methods` runs more.
#[test]
fn random_methods_against_brute_force() {
    let (first, count) = (number("MAZURKA_SEED", 0), number("MAZURKA_METHODS", 150));
    let mut tally = Tally::default();
    for seed in first..first + count {
        if let Err(why) = check(seed, 30, &mut tally) {
            panic!("{why}");
        }
    }
    let Tally { programs, paths, whole, situations, executions, excluded, deadlocks } = tally;
    println!(
        "{programs} programs: {paths} paths; all were run; \
         {whole} explored as a whole: {situations} situations, {executions} different executions; \
         {deadlocks} contexts with a deadlock, {excluded} that the analysis excludes"
    );
    assert!(whole * 3 > programs, "{whole} of {programs}");
    assert!(count < 100 || deadlocks > count / 50 && excluded > count / 50, "{deadlocks}, {excluded}");
}

/// What tells a path from one that is not equivalent: what was decided, and how it ended. In which
/// order a sum is written, and what values are found for it, depends on what was explored before.
fn kinds(paths: &[Path]) -> BTreeSet<String> {
    let words = |condition: &String| {
        let mut words: Vec<String> = condition.split([' ', '(', ')', '-']).map(str::to_owned).collect();
        words.sort();
        words.concat()
    };
    let decided = |path: &Path| path.conditions.iter().map(words).collect::<BTreeSet<String>>();
    let kind = |path: &Path| format!("{:?} {:?} {:?}", decided(path), path.summary.ended, path.summary.waiting);
    paths.iter().map(kind).collect()
}

/// `optimal` leaves out equivalent paths and no other one.
#[test]
fn what_is_reduced_is_equivalent() {
    let (first, count) = (number("MAZURKA_SEED", 0), number("MAZURKA_METHODS", 150));
    let (mut all, mut kept, mut compared) = (0, 0, 0);
    for seed in first..first + count {
        let mut random = Random::new(seed);
        let text = generate::program(&mut random);
        let image = image(&text);
        let context = generate::context(&mut random);
        let locations: Vec<(u32, Vec<u32>)> = locations(&image, &context);
        let free = Situation::free(&image, &locations);
        let (unreduced, _, is_whole) = paths(&image, &free, Algorithm::UNREDUCED);
        if !is_whole {
            continue;
        }
        let caught = std::panic::catch_unwind(|| paths(&image, &free, Algorithm::Optimal));
        let Ok((reduced, ..)) = caught else { panic!("seed {seed}: stopped\n{context:?}\n{text}") };
        let (wanted, found) = (kinds(&unreduced), kinds(&reduced));
        let lost: Vec<&String> = wanted.difference(&found).take(4).collect();
        let new: Vec<&String> = found.difference(&wanted).take(4).collect();
        assert!(lost.is_empty() && new.is_empty(), "seed {seed}: lost {lost:#?}, new {new:#?}\n{context:?}\n{text}");
        (all, kept, compared) = (all + unreduced.len(), kept + reduced.len(), compared + 1);
    }
    println!("{compared} programs: {kept} of {all} paths");
}

/// Deliberate breakages are noticed. Built only with the feature `mutations`; `cargo xtask test`
/// does.
#[cfg(feature = "mutations")]
#[test]
fn breakages_are_noticed() {
    use mazurka_actor::mutation::{self, Mutation};
    for mutation in [
        Mutation::ConditionForgotten,
        Mutation::NoAliases,
        Mutation::DifferenceForgotten,
        Mutation::FirstConstructor,
        Mutation::DecisionsKept,
    ] {
        mutation::set(Some(mutation));
        let found = (0..150).find(|&seed| {
            let checked = std::panic::catch_unwind(|| check(seed, 30, &mut Tally::default()));
            !matches!(checked, Ok(Ok(())))
        });
        mutation::set(None);
        println!("{mutation:?}: {found:?}");
        assert!(found.is_some(), "nobody notices {mutation:?}");
    }
}
