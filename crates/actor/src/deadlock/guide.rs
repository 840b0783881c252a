//! Looks for circles of waits in the states of an exploration: which cycles of the analysis happen?

use std::collections::BTreeSet;
use std::rc::Rc;

use mazurka_machine::{Digest, Foresight, Machine, Outlook, Run};
use mazurka_trace::ProcessId;
use rustc_hash::FxHashMap;

use super::{Analysis, Findings};
use crate::machine::{ActorMachine, Ahead, Rooted, Signature};

/// The analyses of so many states are kept.
const MOST_KNOWN: usize = 100_000;

/// After the analysis of a state in which so many tasks are followed, the next step of the path is
/// not analysed: what was found holds for all that follows. In larger ones so many more.
const LARGE: usize = 64;

/// What is looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Goal {
    /// A schedule for each cycle.
    #[default]
    Cycle,
    /// Any circle of waits.
    First,
    /// All of them.
    All,
}

/// How states are pruned.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Guidance {
    /// By the analysis, started from the state.
    #[default]
    Rooted,
    /// Not at all.
    None,
}

/// What is asked of a guide.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Wanted {
    /// What is looked for.
    pub goal: Goal,
    /// How states are pruned.
    pub guidance: Guidance,
    /// Nothing is explored from a state in which a circle has closed. What closes later in the same
    /// execution is not seen then.
    pub stops_at_deadlocks: bool,
}

/// Somebody who looks for circles of waits.
pub struct Guide<'a> {
    analysis: &'a Analysis,
    wanted: Wanted,
    /// The waits of each cycle, as far as they can be told apart in a state.
    signatures: Vec<Vec<Signature>>,
    /// To which instructions more than one way leads.
    meets: Vec<bool>,
    known: FxHashMap<Digest, Rc<Ahead>>,
    /// The analyses of states of the current path, with their depths.
    path: Vec<(usize, Rc<Ahead>)>,
    /// The depth of the state before.
    depth: usize,
    /// See [`LARGE`].
    large: usize,
    /// What was found so far.
    pub findings: Findings,
}

impl<'a> Guide<'a> {
    /// One that looks at so many states, if that is limited.
    pub fn new(analysis: &'a Analysis, wanted: Wanted, most_states: Option<u64>) -> Self {
        let findings = Findings::new(analysis, most_states);
        let (signatures, meets) = (analysis.signatures(), analysis.meets());
        Guide {
            analysis,
            wanted,
            signatures,
            meets,
            known: FxHashMap::default(),
            path: Vec::new(),
            depth: 0,
            large: LARGE,
            findings,
        }
    }

    /// One that takes a state of so many tasks for large, at least one.
    pub fn looking_rarely(self, large: usize) -> Self {
        Guide { large: large.max(1), ..self }
    }

    fn is_settled(&self) -> bool {
        let all = self.analysis.cycles.iter().zip(&self.findings.confirmed);
        let mut open = all.filter(|(cycle, _)| cycle.discharged.is_none());
        match self.wanted.goal {
            Goal::First => self.findings.deadlocks > 0,
            Goal::Cycle => !self.analysis.more && open.all(|(_, confirmed)| confirmed.is_some()),
            Goal::All => false,
        }
    }
}

impl Guide<'_> {
    /// Whether a cycle that is looked for can still close, if these waits can make a circle.
    fn is_open(&self, circles: &[BTreeSet<Signature>]) -> bool {
        if self.analysis.more {
            return !circles.is_empty();
        }
        let is_wanted = |number: usize| {
            let is_new = self.wanted.goal != Goal::Cycle || self.findings.confirmed[number].is_none();
            is_new && self.analysis.cycles[number].discharged.is_none()
        };
        let can_close = |number: usize| {
            let of = &self.signatures[number];
            circles.iter().any(|circle| of.iter().all(|signature| circle.contains(signature)))
        };
        (0..self.signatures.len()).any(|number| is_wanted(number) && can_close(number))
    }

    /// What can come of a state, by the analysis of it, or of one before it.
    fn foresee(&mut self, machine: &mut ActorMachine) -> Outlook {
        let depth = machine.steps();
        while self.path.last().is_some_and(|(before, _)| *before >= depth) {
            self.path.pop();
        }
        let live: Vec<ProcessId> = machine.live().iter().collect();
        let enabled = live.into_iter().filter(|&process| machine.is_enabled(process));
        let enabled: Vec<u32> = enabled.map(|process| process.index() as u32).collect();
        let goes_on = depth > std::mem::replace(&mut self.depth, depth);
        let before = self.path.last().filter(|(before, ahead)| depth - before <= ahead.size / self.large);
        let before = before.map(|(_, ahead)| (Rc::clone(ahead), ahead.alone_later(machine, &enabled)));
        // Where the exploration branches, it is worth to look again, unless nothing is open.
        let is_enough = |(ahead, alone): &(Rc<Ahead>, Option<Vec<u32>>)| {
            let lock = |&task: &u32| machine.lock_of_task(task);
            let branches = alone.is_none() && enabled.iter().any(|task| lock(task) != lock(&enabled[0]));
            let suffices = goes_on && (!branches || self.wanted.goal == Goal::First);
            suffices || !self.is_open(&ahead.circles)
        };
        let (ahead, alone) = match before.filter(is_enough) {
            Some(before) => before,
            None => {
                let ahead = self.ahead(machine, &enabled);
                self.path.push((depth, Rc::clone(&ahead)));
                let alone = ahead.alone(machine, &enabled);
                (ahead, alone)
            }
        };
        if !self.is_open(&ahead.circles) {
            self.findings.pruned += 1;
            return Outlook::Hopeless;
        }
        match alone {
            Some(tasks) => Outlook::First(tasks.iter().map(|&task| ProcessId::new(task as usize)).collect()),
            None => Outlook::Ordered(machine.by_location()),
        }
    }

    /// The analysis of a state, once for all ways that lead there.
    fn ahead(&mut self, machine: &mut ActorMachine, enabled: &[u32]) -> Rc<Ahead> {
        let digest = machine.digest();
        if let Some(known) = self.known.get(&digest) {
            return Rc::clone(known);
        }
        let ahead = Rc::new(Rooted::of(machine, &self.meets).ahead(enabled));
        if self.known.len() >= MOST_KNOWN {
            self.known.clear();
        }
        self.known.insert(digest, Rc::clone(&ahead));
        ahead
    }
}

impl Foresight<ActorMachine> for Guide<'_> {
    fn look(&mut self, machine: &mut ActorMachine) -> Outlook {
        if machine.steps() > 0 {
            if !self.findings.enter() {
                return Outlook::Settled;
            }
            let closes = self.findings.note(self.analysis, machine);
            if self.is_settled() {
                return Outlook::Settled;
            }
            if closes && self.wanted.stops_at_deadlocks {
                return Outlook::Hopeless;
            }
        }
        match self.wanted.guidance {
            Guidance::Rooted => self.foresee(machine),
            Guidance::None => Outlook::Open,
        }
    }
}
