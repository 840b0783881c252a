//! Which tests are wanted, and what none of them covers.

use mazurka_actor::{Ended, Image, Target};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Explored, Tested};

/// What tests are to cover.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Criterion {
    /// Every statement.
    Statements,
    /// Both ways of every branch.
    Branches,
    /// Every path.
    Paths,
    /// Every result, with the final state.
    Results,
    /// Every deadlock.
    Deadlocks,
}

/// What no test covers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Missed {
    /// file:line:column
    pub place: String,
    /// The statement or condition, and for a branch which way.
    pub what: String,
    /// Why.
    pub why: String,
}

/// Tests that were selected.
#[derive(Debug, Default)]
pub struct Selection {
    /// Their numbers among those that were explored.
    pub tests: Vec<usize>,
    /// How many places, ways or results are to be covered.
    pub wanted: usize,
    /// How many are.
    pub covered: usize,
    /// The others.
    pub missed: Vec<Missed>,
}

/// Selects tests: few that cover what all of them cover together.
pub fn select(image: &Image, explored: &Explored, criterion: Criterion, target: Option<u32>) -> Selection {
    let is_test = |(_, tested): &(usize, &Tested)| tested.is_test();
    let all: Vec<(usize, &Tested)> = explored.tested.iter().enumerate().filter(is_test).collect();
    match criterion {
        Criterion::Paths => {
            let tests: Vec<usize> = all.iter().map(|(number, _)| *number).collect();
            let wanted = explored.tested.len();
            Selection { covered: tests.len(), wanted, tests, missed: Vec::new() }
        }
        Criterion::Results => distinct(&all, |tested| {
            let summary = tested.summary();
            Some((summary.ended, summary.results.clone(), summary.objects.clone(), summary.waiting.clone()))
        }),
        Criterion::Deadlocks => distinct(&all, |tested| {
            let summary = tested.summary();
            let is_deadlock = matches!(summary.ended, Ended::Deadlock | Ended::AwaitCycle);
            let mut places: Vec<String> = summary.waiting.iter().map(|(_, place)| place.clone()).collect();
            places.sort();
            places.dedup();
            is_deadlock.then_some((summary.ended, places))
        }),
        Criterion::Statements | Criterion::Branches => covering(image, explored, &all, criterion, target),
    }
}

/// The first of those with equal keys.
fn distinct<K: std::hash::Hash + Eq>(all: &[(usize, &Tested)], key: impl Fn(&Tested) -> Option<K>) -> Selection {
    let mut known = FxHashSet::default();
    let is_new = |(_, tested): &&(usize, &Tested)| key(tested).is_some_and(|key| known.insert(key));
    let tests: Vec<usize> = all.iter().filter(is_new).map(|(number, _)| *number).collect();
    Selection { wanted: tests.len(), covered: tests.len(), tests, missed: Vec::new() }
}

/// Few tests that cover all that is covered: the one that covers most of what is left, first.
fn covering(
    image: &Image,
    explored: &Explored,
    all: &[(usize, &Tested)],
    criterion: Criterion,
    target: Option<u32>,
) -> Selection {
    let wanted = wanted(image, all, criterion, target);
    let met: Vec<FxHashSet<usize>> = all
        .iter()
        .map(|(_, tested)| {
            let met = tested.ran.as_ref().map(|ran| &ran.coverage.met);
            let is_met = |one: &&(Target, usize)| met.is_some_and(|met| met.contains(&one.0));
            wanted.iter().filter(is_met).map(|&(_, place)| place).collect()
        })
        .collect();
    let mut left: FxHashSet<usize> = met.iter().flatten().copied().collect();
    let places: FxHashSet<usize> = wanted.iter().map(|&(_, place)| place).collect();
    let (covered, mut tests) = (left.len(), Vec::new());
    while !left.is_empty() {
        let gain = |number: usize| met[number].intersection(&left).count();
        // Of those with the same gain, the first, which has the smallest choices.
        let Some(best) = (0..all.len()).max_by_key(|&number| (gain(number), std::cmp::Reverse(number))) else { break };
        left.retain(|place| !met[best].contains(place));
        tests.push(all[best].0);
    }
    tests.sort_unstable();
    let is_covered = |place: usize| met.iter().any(|met| met.contains(&place));
    let why = why(explored);
    let mut missed: Vec<Missed> = Vec::new();
    let mut told = FxHashSet::default();
    for (one, place) in &wanted {
        if !is_covered(*place) && told.insert(*place) {
            missed.push(missed_one(image, one, &why));
        }
    }
    Selection { tests, wanted: places.len(), covered, missed }
}

/// What is to be covered: of methods and functions that some execution came to, and of the method
/// itself. Statements are told apart by where they stand, so each target comes with the number of
/// its place.
fn wanted(image: &Image, all: &[(usize, &Tested)], criterion: Criterion, target: Option<u32>) -> Vec<(Target, usize)> {
    let met = all.iter().filter_map(|(_, tested)| tested.ran.as_ref()).flat_map(|ran| &ran.coverage.met);
    let bodies: FxHashSet<u32> = met.map(|one| image.body_of(one).0).chain(target).collect();
    let mut numbers: FxHashMap<(String, usize, u32, Option<bool>), usize> = FxHashMap::default();
    let is_wanted = |one: &Target| bodies.contains(&image.body_of(one).0);
    let targets = image.targets(criterion == Criterion::Branches).into_iter().filter(is_wanted);
    targets
        .map(|one| {
            let place = image.place_of_target(&one);
            // Several tests stand in one line where patterns have parts: each branch counts there.
            let column = if criterion == Criterion::Branches { one.pc } else { 0 };
            let next = numbers.len();
            let number = *numbers.entry((place.file, place.line, column, one.jumps)).or_insert(next);
            (one, number)
        })
        .collect()
}

/// Why something is not covered.
fn why(explored: &Explored) -> String {
    if explored.is_complete() {
        return "unreachable: all paths were explored".to_owned();
    }
    let reached: Vec<&str> = explored.reached.keys().map(String::as_str).collect();
    format!("a bound was reached: {}", reached.join(", "))
}

fn missed_one(image: &Image, target: &Target, why: &str) -> Missed {
    let place = image.place_of_target(target);
    let what = match target.jumps {
        None => place.text.clone(),
        Some(jumps) => format!("`{}` {}", place.text, if jumps { "does not hold" } else { "holds" }),
    };
    let mut what: String = what.chars().take(100).collect();
    what = what.replace('\n', " ");
    Missed { place: format!("{}:{}:{}", place.file, place.line, place.column), what, why: why.to_owned() }
}
