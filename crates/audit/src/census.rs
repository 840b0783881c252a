//! What a set of executions amounts to.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use mazurka_machine::{Describe, Digest, Run};
use mazurka_trace::{Access, Ending, Event, Fault, FaultKind, LocationId, SiteId, Value};
use rustc_hash::FxHashMap;

use crate::dependence::happens_before;
use crate::form::Form;
use crate::names::Names;
use crate::observed;
use crate::path::Path;

/// Something that went wrong, told independently of the machine's numbers for processes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Finding {
    /// A failure of one process.
    Fault {
        /// What failed.
        kind: FaultKind,
        /// Whose name.
        process: Arc<str>,
        /// Where.
        site: SiteId,
    },
    /// Nobody can move: everyone who waits, by name.
    Deadlock(Vec<Waiter>),
}

/// One process in a deadlock.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Waiter {
    /// Its name.
    pub process: Arc<str>,
    /// Where it waits.
    pub site: SiteId,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Finding::Fault { kind, process, site } => write!(f, "{kind:?} in {process} at {site:?}"),
            Finding::Deadlock(waiters) => {
                f.write_str("deadlock:")?;
                for waiter in waiters {
                    write!(f, " {} at {:?}", waiter.process, waiter.site)?;
                }
                Ok(())
            }
        }
    }
}

/// The values of memory at the end of an execution, where they differ from the initial ones; read
/// off the events alone.
pub type Final = Vec<(LocationId, Value)>;

/// How often something was seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Seen {
    /// In so many executions.
    pub executions: u64,
    /// In so many traces.
    pub traces: u64,
}

/// What a set of executions amounts to. Two sets are compared by comparing their censuses.
#[derive(Debug, Default)]
pub struct Census {
    /// Complete executions, those that deadlock or fail included, discarded ones not.
    pub executions: u64,
    /// Executions discarded by an assumption.
    pub discarded: u64,
    /// The traces of the complete executions, with the number of executions of each.
    pub traces: FxHashMap<Form, u64>,
    /// The traces of the discarded executions, likewise.
    pub discarded_traces: FxHashMap<Form, u64>,
    /// Final states of the complete executions (before `finally`), by the machine's digest.
    pub digests: BTreeSet<Digest>,
    /// The same without names that states may differ in and still be taken for equal.
    pub shapes: BTreeSet<Digest>,
    /// Final values of the complete executions, by what their events wrote.
    pub finals: BTreeSet<Final>,
    /// The same of what belongs to processes alone.
    pub locals: BTreeSet<Digest>,
    /// What was observed in the complete executions.
    pub views: BTreeSet<Digest>,
    /// The complete executions up to the order of writes that nobody observes; none if somebody
    /// waits for memory in one of them.
    pub observed: Option<BTreeSet<Form>>,
    /// Whether a fault ended one of the executions.
    pub halts: bool,
    /// Whether some step reads other locations in one execution than in another, though its process
    /// has seen the same before it.
    pub varies: bool,
    /// What went wrong.
    pub findings: BTreeMap<Finding, Seen>,
    /// Events of the longest execution.
    pub max_events: usize,
    /// Equivalent executions that ended in different states: a fault of the machine, whose events
    /// do not tell everything.
    pub contradictions: Vec<String>,
    states: FxHashMap<Form, Digest>,
    /// Which locations are read next by a process that has seen this.
    reads: FxHashMap<Digest, Digest>,
    /// Somebody waits for memory in one of the executions.
    waits: bool,
}

/// The end of an execution, as the machine tells it.
pub(crate) struct End {
    pub(crate) digest: Digest,
    pub(crate) shape: Digest,
    pub(crate) locals: Digest,
    /// Everyone who has not ended.
    pub(crate) waiting: Vec<Waiter>,
    /// Somebody waits for an assumption to hold.
    pub(crate) assumes: bool,
    /// Data races are looked for.
    pub(crate) races: bool,
    /// What `finally` did, where it ran.
    pub(crate) conclusion: Option<Event>,
}

impl Census {
    /// Whether any execution goes wrong.
    pub fn fails(&self) -> bool {
        !self.findings.is_empty()
    }

    /// Takes a complete execution in.
    pub(crate) fn add(&mut self, path: &Path, end: &End, names: &mut Names, describe: &impl Describe) {
        let form = path.form(names, describe);
        let discarded = path.discarded() || end.assumes;
        let (count, traces) = if discarded {
            (&mut self.discarded, &mut self.discarded_traces)
        } else {
            (&mut self.executions, &mut self.traces)
        };
        *count += 1;
        let of_this_trace = traces.entry(form.clone()).or_insert(0);
        *of_this_trace += 1;
        let new_trace = *of_this_trace == 1;
        self.max_events = self.max_events.max(path.visible());
        self.compare_states(form, end.digest, path);
        self.halts |= path.events().last().is_some_and(|last| last.ending == Ending::Halts);
        let conclusion = end.conclusion.as_ref();
        let Census { reads, varies, .. } = self;
        let view = observed::view(path.events(), conclusion, names, describe, |seen, locations| {
            *varies |= *reads.entry(seen).or_insert(locations) != locations;
        });
        if !discarded {
            self.digests.insert(end.digest);
            self.shapes.insert(end.shape);
            self.locals.insert(end.locals);
            self.finals.insert(final_values(path.events(), describe));
            self.views.insert(view);
            match observed::form(path.events(), conclusion, end.races, names, describe) {
                Some(form) => self.observed.get_or_insert_default().insert(form),
                None => std::mem::replace(&mut self.waits, true),
            };
            if self.waits || !end.waiting.is_empty() {
                self.waits = true;
                self.observed = None;
            }
        }
        for finding in findings(path, end, names, describe) {
            let seen = self.findings.entry(finding).or_default();
            seen.executions += 1;
            seen.traces += u64::from(new_trace);
        }
    }

    /// Takes in what was seen on another machine of the program, which gives the same numbers to
    /// locations.
    pub fn join(&mut self, other: Census) {
        self.executions += other.executions;
        self.discarded += other.discarded;
        other.traces.into_iter().for_each(|(form, count)| *self.traces.entry(form).or_default() += count);
        for (form, count) in other.discarded_traces {
            *self.discarded_traces.entry(form).or_default() += count;
        }
        self.digests.extend(other.digests);
        self.shapes.extend(other.shapes);
        self.finals.extend(other.finals);
        self.locals.extend(other.locals);
        self.views.extend(other.views);
        self.waits |= other.waits;
        let observed = [self.observed.take(), other.observed].into_iter().flatten().flatten();
        self.observed = (!self.waits).then(|| observed.collect());
        self.halts |= other.halts;
        self.varies |= other.varies;
        for (finding, seen) in other.findings {
            let known = self.findings.entry(finding).or_default();
            known.executions += seen.executions;
            known.traces += seen.traces;
        }
        self.max_events = self.max_events.max(other.max_events);
        self.contradictions.extend(other.contradictions);
        for (form, digest) in other.states {
            if *self.states.entry(form).or_insert(digest) != digest {
                self.contradictions.push("equivalent executions of two machines end in different states".into());
            }
        }
    }

    /// Notes the data races between processes that are about to run in the machine's state.
    pub(crate) fn note_data_races<M: Run + Describe>(&mut self, machine: &mut M, names: &mut Names) {
        let live: Vec<_> = machine.live().iter().collect();
        for &one in &live {
            for &other in &live {
                let first = (machine.pending(one), one) < (machine.pending(other), other);
                if let Some(Fault { kind, site, .. }) = first.then(|| machine.data_race(one, other)).flatten() {
                    let process = names.get(machine, one).text.clone();
                    self.findings.entry(Finding::Fault { kind, process, site }).or_default().executions += 1;
                }
            }
        }
    }

    fn compare_states(&mut self, form: Form, digest: Digest, path: &Path) {
        let known = *self.states.entry(form).or_insert(digest);
        if known != digest && self.contradictions.len() < 5 {
            self.contradictions.push(format!("an equivalent execution ends in another state: {:?}", path.schedule()));
        }
    }
}

/// The distinct things that went wrong in one execution. What happens after a failed assumption, or
/// after a fault in local code, does not count.
fn findings(path: &Path, end: &End, names: &mut Names, describe: &impl Describe) -> BTreeSet<Finding> {
    let events = path.events();
    let mut found = BTreeSet::new();
    let mut note = |faults: &[Fault]| {
        for fault in faults {
            let process = names.get(describe, fault.process).text.clone();
            found.insert(Finding::Fault { kind: fault.kind, process, site: fault.site });
        }
    };
    let cut_short = path.cut_short() || end.assumes;
    let before = if cut_short { happens_before(events) } else { Vec::new() };
    for (index, event) in events.iter().enumerate() {
        let assumed_away = cut_short && (0..index).any(|e| events[e].ending.cuts_short() && before[e][index]);
        if !assumed_away {
            note(&event.faults);
        }
    }
    if let Some(conclusion) = &end.conclusion {
        note(&conclusion.faults);
    }
    if !cut_short && !path.halted() && !end.waiting.is_empty() {
        found.insert(Finding::Deadlock(end.waiting.clone()));
    }
    found
}

/// What a mutex holds is left to the digest: who looks at one does not tell what it holds at the
/// end. So is what the events do not tell.
fn final_values(events: &[Event], describe: &impl Describe) -> Final {
    let told = |access: &&Access| describe.tells_value(access.location);
    let accesses = || events.iter().flat_map(|event| &event.accesses).filter(told);
    let mutexes: BTreeSet<LocationId> =
        accesses().filter(|access| access.kind.is_mutex()).map(|access| access.location).collect();
    let mut values: BTreeMap<LocationId, (Value, Value)> = BTreeMap::new();
    for access in accesses().filter(|access| !mutexes.contains(&access.location)) {
        use mazurka_trace::AccessKind::{Acquire, Cycle, Halt, Read, Release, Update, Write};
        match access.kind {
            Read | Write | Update => values.entry(access.location).or_insert((access.before, 0)).1 = access.after,
            Acquire | Release | Cycle | Halt => {}
        }
    }
    let changed = values.into_iter().filter(|(_, (initial, last))| initial != last);
    changed.map(|(location, (_, last))| (location, last)).collect()
}

/// Whether somebody waits for an assumption to hold.
pub(crate) fn assumes<M: Run>(machine: &M) -> bool {
    machine.live().iter().any(|process| machine.assumes(process))
}

/// Everyone who is still there, by name.
pub(crate) fn waiting<M: Run + Describe>(machine: &M, names: &mut Names) -> Vec<Waiter> {
    let mut waiter =
        |process| Waiter { process: names.get(machine, process).text.clone(), site: machine.pending(process) };
    let mut waiters: Vec<_> = machine.live().iter().map(&mut waiter).collect();
    waiters.sort();
    waiters
}
