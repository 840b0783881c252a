//! Whether a machine keeps its contract with whoever explores it.
//!
//! Partial order reduction stands on this: what an event does, and where its process stands
//! afterwards, depends on what happens before it and on nothing else. The checks here run random
//! executions, compute happens-before from its definition, and then run parts of them again, on a
//! copy of the machine and on a machine that has met nothing yet:
//!
//! - *replay*: all events in another order that happens-before allows;
//! - *own past*: what happens before one event, alone, and then that event; and what happens before
//!   the previous event of its process, after which the process has to stand where it stood;
//! - *neighbours*: two events of different processes in the other order, where the second reads
//!   nothing that the first changes. Before the first it has to use the same, and to make the same
//!   choices: engines do not ask the machine then.
//!
//! Each time events, and where processes stand, have to be the same. A third check compares two
//! machines for one program, of which one makes visible what the other leaves out:
//! [`compare_visible`].

use std::collections::BTreeSet;
use std::fmt;

use mazurka_machine::{Describe, Machine};
use mazurka_trace::{Access, Ending, Event, Fault, FaultKind, LocationId, ProcessId, SiteId, Value};
use rustc_hash::FxHashMap;

#[cfg(doc)]
use crate::census::Finding;
use crate::dependence::{dependent_by_cause, happens_before};
use crate::names::Names;

/// How thoroughly to look.
#[derive(Clone, Copy, Debug)]
pub struct Probes {
    /// Random executions.
    pub executions: usize,
    /// Events of each of which the past is run alone.
    pub pasts: usize,
    /// Pairs of neighbours of each that are run in the other order.
    pub neighbours: usize,
    /// Longer executions are cut here.
    pub steps: usize,
    /// Which random numbers.
    pub seed: u64,
}

impl Default for Probes {
    fn default() -> Self {
        Probes { executions: 10, pasts: 3, neighbours: 3, steps: 1_000, seed: 1 }
    }
}

/// What a machine does otherwise than it did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Breach {
    /// Which check noticed it.
    pub check: &'static str,
    /// What differs.
    pub what: String,
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.check, self.what)
    }
}

impl std::error::Error for Breach {}

/// Where a process stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stand {
    Ended,
    Before(SiteId),
}

/// An execution, with where the process of each event stood before and after it.
#[derive(Debug, Default)]
struct Sample {
    events: Vec<Event>,
    before: Vec<Stand>,
    after: Vec<Stand>,
}

/// Runs random executions of a machine, and parts of them again in other orders. `machine` is left
/// in its initial state.
///
/// # Errors
/// The first thing that is not as it was.
pub fn check_contract<M: Machine + Describe + Clone>(
    machine: &mut M,
    fresh: impl Fn() -> M,
    probes: Probes,
) -> Result<(), Breach> {
    let mut random = Random(probes.seed);
    for _ in 0..probes.executions {
        let sample = dive(machine, &mut random, probes.steps);
        let before = happens_before(&sample.events);
        let all: Vec<usize> = linearise(&before, &mut random);
        let mut copy = machine.clone();
        let mut replay = Replay::new("replay", machine, &mut copy, true);
        replay.run(&sample, &all)?;
        let digest = machine.digest();
        if copy.digest() != digest {
            return Err(Breach { check: "replay", what: "another order leads to another state".into() });
        }
        Replay::new("replay on a new machine", machine, &mut fresh(), false).run(&sample, &all)?;
        for _ in 0..probes.pasts.min(sample.events.len()) {
            let event = random.below(sample.events.len());
            check_past(machine, &mut copy, &sample, &before, event)?;
        }
        for _ in 0..probes.neighbours.min(sample.events.len()) {
            check_neighbours(machine, &mut copy, &sample, random.below(sample.events.len()))?;
        }
    }
    machine.restart();
    Ok(())
}

/// A random execution, up to its end.
fn dive<M: Machine + Describe>(machine: &mut M, random: &mut Random, steps: usize) -> Sample {
    machine.restart();
    let mut sample = Sample::default();
    while sample.events.len() < steps {
        let live: Vec<_> = machine.live().iter().collect();
        let enabled: Vec<_> = live.into_iter().filter(|&process| machine.is_enabled(process)).collect();
        if enabled.is_empty() {
            break;
        }
        let process = enabled[random.below(enabled.len())];
        let choices: Vec<Value> = (0..4).map(|_| random.below(3) as Value).collect();
        let mut event = Event::default();
        sample.before.push(stand(machine, process));
        machine.step(process, &choices, &mut event);
        let ends = ends(&event);
        sample.after.push(if ends { Stand::Ended } else { stand(machine, process) });
        sample.events.push(event);
        if ends {
            break;
        }
    }
    sample
}

fn ends(event: &Event) -> bool {
    matches!(event.ending, Ending::Halts | Ending::OutOfFuel)
}

fn stand<M: Machine>(machine: &M, process: ProcessId) -> Stand {
    if machine.live().contains(process) { Stand::Before(machine.pending(process)) } else { Stand::Ended }
}

/// A random order of all events that happens-before allows.
fn linearise(before: &[Vec<bool>], random: &mut Random) -> Vec<usize> {
    let mut left: Vec<usize> = (0..before.len()).collect();
    let mut order = Vec::new();
    while !left.is_empty() {
        let first = |event: usize| left.iter().all(|&other| !before[other][event]);
        let firsts: Vec<usize> = left.iter().copied().filter(|&event| first(event)).collect();
        let next = firsts[random.below(firsts.len())];
        left.retain(|&event| event != next);
        order.push(next);
    }
    order
}

/// Runs what happens before an event alone, and then the event; and what the process's previous
/// event needs alone.
fn check_past<M: Machine + Describe>(
    machine: &M,
    copy: &mut M,
    sample: &Sample,
    before: &[Vec<bool>],
    event: usize,
) -> Result<(), Breach> {
    let Event { process, .. } = sample.events[event];
    let previous = (0..event).rev().find(|&earlier| sample.events[earlier].process == process);
    // What its process has seen is what happens before its previous event, and that event.
    let own: Vec<usize> =
        (0..event).filter(|&e| previous.is_some_and(|previous| e == previous || before[e][previous])).collect();
    if previous.is_some() || process == sample.events[0].process {
        let mut replay = Replay::new("own past", machine, copy, true);
        replay.run(sample, &own)?;
        if stand(copy, process) != sample.before[event] {
            let what = format!("event {event}: its process stands at {:?} after its own past", stand(copy, process));
            return Err(Breach { check: "own past", what: format!("{what}, not at {:?}", sample.before[event]) });
        }
        let Event { can_block, locks, ref joined, .. } = sample.events[event];
        // What ends the execution depends on everything: nobody takes it to be possible earlier.
        let waits = can_block || locks || !joined.is_empty() || ends(&sample.events[event]);
        if !waits && !copy.is_enabled(process) {
            let what = format!("event {event} cannot be disabled, and is after its own past");
            return Err(Breach { check: "own past", what });
        }
    }
    let past: Vec<usize> = (0..=event).filter(|&e| e == event || before[e][event]).collect();
    Replay::new("past of an event", machine, copy, true).run(sample, &past)
}

/// Runs an event before the one that it came right after.
fn check_neighbours<M: Machine + Describe>(
    machine: &M,
    copy: &mut M,
    sample: &Sample,
    second: usize,
) -> Result<(), Breach> {
    let Some(first) = second.checked_sub(1) else { return Ok(()) };
    let (one, two) = (&sample.events[first], &sample.events[second]);
    let waits = two.can_block || two.locks;
    if dependent_by_cause(one, two) || waits || one.is_local || two.is_local || may_read_from(one, two) {
        return Ok(());
    }
    let before: Vec<usize> = (0..first).collect();
    let mut replay = Replay::new("neighbours", machine, copy, true);
    replay.run(sample, &before)?;
    // What it finds, and where it stands afterwards, can be different.
    (replay.alike, replay.swapped) = (false, true);
    replay.may_end = one
        .accesses
        .iter()
        .any(|access| access.kind.is_read() && two.accesses.iter().any(|other| access.location == other.location));
    replay.step(sample, second)
}

/// Whether an event observes what another one changes, as far as their accesses tell.
fn may_read_from(first: &Event, second: &Event) -> bool {
    let changed = first.accesses.iter().filter(|access| !access.kind.is_read());
    let observed = |location: LocationId| {
        second.accesses.iter().any(|access| access.location == location && access.kind.observes())
    };
    changed.map(|access| access.location).any(observed)
}

/// Events run again.
struct Replay<'a, M> {
    check: &'static str,
    was: &'a M,
    machine: &'a mut M,
    names: (Names, Names),
    /// Locations have the same numbers, and values mean the same.
    alike: bool,
    /// The event comes before its neighbour.
    swapped: bool,
    /// An event may end the execution that did not, or the other way round: what the event before
    /// names as read can be a change that commutes with others of its kind (readers of a lock).
    may_end: bool,
    /// Which location stands for which, and back.
    locations: FxHashMap<LocationId, LocationId>,
    back: FxHashMap<LocationId, LocationId>,
}

impl<'a, M: Machine + Describe> Replay<'a, M> {
    fn new(check: &'static str, was: &'a M, machine: &'a mut M, alike: bool) -> Self {
        machine.restart();
        let (locations, back) = (FxHashMap::default(), FxHashMap::default());
        let names = (Names::default(), Names::default());
        Replay { check, was, machine, names, alike, swapped: false, may_end: false, locations, back }
    }

    /// Runs these events of an execution, in this order, and compares each with what it was, and
    /// where its process stands afterwards.
    fn run(&mut self, sample: &Sample, order: &[usize]) -> Result<(), Breach> {
        for &number in order {
            self.step(sample, number)?;
            let (event, then) = (&sample.events[number], sample.after[number]);
            let key = self.names.0.get(self.was, event.process).text.clone();
            let process = self.machine.find_process(&key);
            let after = match process.filter(|_| !ends(event)) {
                Some(process) => stand(self.machine, process),
                None => Stand::Ended,
            };
            if after != then {
                let what = format!("event {number}: `{key}` stands at {after:?} after it, not at {then:?}");
                return Err(Breach { check: self.check, what });
            }
        }
        Ok(())
    }

    /// Runs an event of an execution, and compares it with what it was.
    fn step(&mut self, sample: &Sample, number: usize) -> Result<(), Breach> {
        let was = &sample.events[number];
        let differs = |what: String| Breach { check: self.check, what: format!("event {number}: {what}") };
        let key = self.names.0.get(self.was, was.process).text.clone();
        let process = self.machine.find_process(&key).ok_or_else(|| differs(format!("`{key}` is not known")))?;
        if stand(self.machine, process) != sample.before[number] {
            let (now, then) = (stand(self.machine, process), sample.before[number]);
            return Err(differs(format!("`{key}` stands at {now:?} before it, not at {then:?}")));
        }
        if !self.machine.is_enabled(process) {
            return Err(differs(format!("`{key}` is not enabled")));
        }
        let choices: Vec<Value> = was.choices.iter().map(|choice| choice.value).collect();
        let mut event = Event::default();
        self.machine.step(process, &choices, &mut event);
        self.compare(was, &event).map_err(|what| Breach {
            check: self.check,
            what: format!("event {number} of `{key}`: {what}\n  was {was:?}\n  now {event:?}"),
        })
    }

    fn compare(&mut self, was: &Event, now: &Event) -> Result<(), String> {
        if self.may_end && ends(was) != ends(now) {
            return Ok(());
        }
        let facts = |event: &Event| (event.is_local, event.can_block, event.locks, event.varies, event.plain);
        if (was.site, was.ending, facts(was)) != (now.site, now.ending, facts(now)) {
            return Err("another kind of step".into());
        }
        if was.choices != now.choices {
            return Err("other choices".into());
        }
        if self.keys(&was.spawned, true) != self.keys(&now.spawned, false) {
            return Err("it creates others".into());
        }
        if self.keys(&was.joined, true) != self.keys(&now.joined, false) {
            return Err("it waits for others".into());
        }
        // That an access is in a data race with an earlier one is told with it, whatever it reads.
        let counts = |fault: &&Fault| !self.swapped || fault.kind != FaultKind::DataRace;
        let faults =
            |faults: &[Fault]| faults.iter().filter(counts).map(|fault| (fault.kind, fault.site)).collect::<Vec<_>>();
        if faults(&was.faults) != faults(&now.faults) {
            return Err("other faults".into());
        }
        if self.same_accesses(&was.accesses, &now.accesses) { Ok(()) } else { Err("other accesses".into()) }
    }

    fn same_accesses(&mut self, was: &[Access], now: &[Access]) -> bool {
        was.len() == now.len() && was.iter().zip(now).all(|(was, now)| self.same_access(was, now))
    }

    /// Whether an access is the same, but for the numbers that another machine gives to locations.
    fn same_access(&mut self, was: &Access, now: &Access) -> bool {
        if self.alike {
            return was == now;
        }
        let there = *self.locations.entry(was.location).or_insert(now.location);
        let back = *self.back.entry(now.location).or_insert(was.location);
        there == now.location && back == was.location && was.kind == now.kind
    }

    fn keys(&mut self, processes: &[ProcessId], was: bool) -> Vec<std::sync::Arc<str>> {
        let key = |&process: &ProcessId| match was {
            true => self.names.0.get(self.was, process).text.clone(),
            false => self.names.1.get(&*self.machine, process).text.clone(),
        };
        processes.iter().map(key).collect()
    }
}

/// Compares what goes wrong on two machines for one program, of which the first leaves out events
/// that others cannot notice: it has to be the same. What goes wrong is told in words of the
/// caller's: [`Finding`] does, where both machines have the same sites.
///
/// # Errors
/// What only one of them shows.
pub fn compare_visible<T: Ord + fmt::Display>(hidden: &BTreeSet<T>, visible: &BTreeSet<T>) -> Result<(), Breach> {
    let breach = |what: String| Err(Breach { check: "visible brute force", what });
    if let Some(finding) = visible.difference(hidden).next() {
        let list: Vec<String> = hidden.iter().map(ToString::to_string).collect();
        return breach(format!("is lost: {finding}; there is: {}", list.join(", ")));
    }
    if let Some(finding) = hidden.difference(visible).next() {
        return breach(format!("is there only without events: {finding}"));
    }
    Ok(())
}

/// Random numbers: SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(x ^ (x >> 31)) * limit as u128) >> 64) as usize
    }
}
