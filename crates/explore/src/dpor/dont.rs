//! Don't-do sets: sequences of steps that lead to a state from which everything has been explored.
//!
//! # Paper
//! Albert, García de la Banda, Gómez-Zamalloa, Isabel, Stuckey, *Optimal context-sensitive dynamic
//! partial order reduction with observers*, JSS 2023, Sections 3.1 and 4.4 (lines 19, 20 and 62 of
//! its algorithms).
//!
//! # Meaning
//! A sequence u.e in the don't-do set of a node says: whoever runs these steps from there, in this
//! order or one equivalent to it, and nothing that one of them depends on in between, reaches a
//! state that was reached before, from a branch of that node that was explored before. A node
//! inherits the sequences of its parent without the step that led to it, where that could have come
//! first; sequences of which some step depends on it are dropped. What is down to a single step
//! sleeps: see [`Sleep`].
//!
//! # Cost
//! Entering a node compares its event with each step of each sequence of its parent. Nodes keep
//! their memory.

use mazurka_relation::{Dependence, Footprints};
use mazurka_trace::{EventId, ProcessId};

use crate::choices::ChoiceId;
use crate::execution::{Cut, Record};
use crate::mutation::{self, Mutation};
use crate::sleep::{Sleep, Sleeper};

/// The sequences of one node, one behind the other.
#[derive(Debug, Default)]
pub(crate) struct Set {
    steps: Vec<Sleeper>,
    ends: Vec<u32>,
    /// How each of them ends.
    tails: Vec<Tail>,
    /// Those that are down to one step, by number: they forbid it.
    singles: Vec<u32>,
}

/// How a sequence ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Tail {
    /// With two writes of the same locations, and of no others.
    writes: bool,
    /// Whose the first of them is, as long as nothing that it could be the cause of has run: see
    /// [`inherited`].
    writer: Option<ProcessId>,
    /// The event that was the last step but one, once it has run.
    second: Option<EventId>,
    /// The number of the comparison that it comes from, where somebody requests that.
    comparison: usize,
    /// The node that it was added to.
    origin: usize,
}

impl Tail {
    /// Of a sequence that comes from this comparison.
    pub(crate) fn because_of(self, comparison: usize) -> Self {
        Tail { comparison, ..self }
    }

    /// Of a sequence that holds from this node on.
    pub(crate) fn from(self, origin: usize) -> Self {
        Tail { origin, ..self }
    }

    /// Whether it says the same; where that comes from does not matter.
    fn says(self, other: Tail) -> bool {
        let alike = |tail: Tail| Tail { comparison: 0, origin: 0, ..tail };
        alike(self) == alike(other)
    }

    /// Two writes of the same locations and of no others, the first of which is by this process.
    pub(crate) fn of_writes(writer: ProcessId) -> Self {
        Tail { writes: true, writer: Some(writer), ..Tail::default() }
    }
}

impl Set {
    fn clear(&mut self) {
        self.steps.clear();
        self.ends.clear();
        self.tails.clear();
        self.singles.clear();
    }

    fn iter(&self) -> impl Iterator<Item = &[Sleeper]> {
        self.iter_with().map(|(sequence, _)| sequence)
    }

    fn iter_with(&self) -> impl Iterator<Item = (&[Sleeper], Tail)> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let ranges = starts.zip(&self.ends).zip(&self.tails);
        ranges.map(|((start, &end), &tail)| (&self.steps[start as usize..end as usize], tail))
    }

    /// The sequence that was added last.
    fn newest(&self) -> Option<(&[Sleeper], Tail)> {
        let &[ref before @ .., end] = &self.ends[..] else { return None };
        let start = before.last().copied().unwrap_or(0);
        Some((&self.steps[start as usize..end as usize], *self.tails.last()?))
    }

    /// The steps since the last end are a sequence.
    fn close(&mut self, tail: Tail) {
        let start = self.ends.last().copied().unwrap_or(0);
        let end = self.steps.len() as u32;
        if end - start == 1 {
            self.singles.push(self.ends.len() as u32);
        }
        self.ends.push(end);
        self.tails.push(tail);
    }

    /// The steps that it forbids, each with how its sequence ended.
    fn forbidden(&self) -> impl Iterator<Item = (&Sleeper, Tail)> {
        self.singles.iter().map(|&at| (&self.steps[self.ends[at as usize] as usize - 1], self.tails[at as usize]))
    }

    fn contains(&self, sequence: &[Sleeper], tail: Tail) -> bool {
        self.iter_with().any(|(known, end)| known == sequence && end.says(tail))
    }

    /// Whether it forbids a step.
    pub(crate) fn forbids(&self, process: ProcessId, choice: ChoiceId) -> bool {
        self.forbidden().any(|(single, _)| (single.process, single.choice) == (process, choice))
    }

    /// The sequences that still hold after a step, whoever observes what it writes.
    pub(crate) fn after(&self, step: &Sleeper, footprints: &Footprints, next: &mut Set) {
        next.clear();
        for (sequence, tail) in self.iter_with() {
            let without = match inherited(sequence, None, step, footprints, &[]) {
                Inherited::Dropped => continue,
                Inherited::Without(done) => Some(next.steps.len() + done),
                Inherited::Whole | Inherited::Commuting => None,
            };
            next.steps.extend_from_slice(sequence);
            if let Some(done) = without {
                next.steps.remove(done);
            }
            next.close(tail);
        }
    }
}

/// The don't-do sets of the nodes on the current path.
#[derive(Debug, Default)]
pub(crate) struct DontDo {
    /// Those of the current path are the first `depth`; the others keep their memory.
    nodes: Vec<Set>,
    depth: usize,
    /// Scratch.
    left: Vec<Sleeper>,
}

impl DontDo {
    /// The root, before anything has run.
    pub(crate) fn new() -> Self {
        Self { nodes: vec![Set::default()], depth: 1, left: Vec::new() }
    }

    /// Whether one of these steps, run from a node one after the other, could be redundant: it is
    /// the last one of a sequence of which all others have run. Where there are constraints, all
    /// that they could know is taken for known.
    pub(crate) fn may_cut(
        &mut self,
        node: usize,
        steps: impl Iterator<Item = Sleeper> + Clone,
        footprints: &Footprints,
        constrained: bool,
    ) -> bool {
        let Self { nodes, left, .. } = self;
        nodes[node].iter_with().any(|(sequence, tail)| {
            let is_last = |step: Sleeper| sequence.last().is_some_and(|last| is_it(last, &step));
            if !steps.clone().any(is_last) {
                return false;
            }
            left.clear();
            left.extend_from_slice(sequence);
            may_be_cut_by(left, tail.writer, steps.clone(), footprints, constrained)
        })
    }

    /// A new node, reached by this event. What is down to one step goes to sleep there. `judge`
    /// says what becomes of each sequence; `caused`, whether others than its own process are the
    /// cause of the event.
    pub(crate) fn descend(
        &mut self,
        event: &Record,
        caused: bool,
        sleep: &mut Sleep,
        mut judge: impl FnMut(&[Sleeper], Option<ProcessId>) -> Inherited,
    ) {
        if self.depth == self.nodes.len() {
            self.nodes.push(Set::default());
        }
        let (above, below) = self.nodes.split_at_mut(self.depth);
        let (parent, node) = (&above[self.depth - 1], &mut below[0]);
        self.depth += 1;
        node.clear();
        for (sequence, mut tail) in parent.iter_with() {
            let inherited = judge(sequence, tail.writer);
            if inherited == Inherited::Dropped {
                continue;
            }
            let start = node.steps.len();
            node.steps.extend_from_slice(sequence);
            tail.writer = tail.writer.filter(|_| !caused);
            match inherited {
                Inherited::Whole | Inherited::Dropped => {
                    let overtakes = mutation::on(Mutation::WriterOvertakes);
                    tail.writer = tail.writer.filter(|&writer| writer != event.process || overtakes);
                }
                Inherited::Without(done) => {
                    node.steps.remove(start + done);
                    if done + 2 == sequence.len() {
                        tail.second = Some(EventId::new(self.depth - 2));
                    }
                }
                Inherited::Commuting => tail.writer = None,
            }
            if let [single] = node.steps[start..] {
                sleep.add(single);
            }
            node.close(tail);
        }
    }

    /// Leaves the newest node.
    pub(crate) fn ascend(&mut self) {
        self.depth -= 1;
    }

    /// Adds a sequence to the set of a node. Tells whether it is new.
    pub(crate) fn add(&mut self, node: usize, sequence: &[Sleeper], tail: Tail) -> bool {
        let set = &mut self.nodes[node];
        let new = !set.contains(sequence, tail);
        if new {
            set.steps.extend_from_slice(sequence);
            set.close(tail);
        }
        new
    }

    /// Whether one of these steps but the last, run from a node one after the other, is redundant
    /// because of the sequence that was added last. Gives the last step of that.
    pub(crate) fn newest_cuts(&mut self, node: usize, steps: &[Sleeper], footprints: &Footprints) -> Option<Sleeper> {
        let Self { nodes, left, .. } = self;
        let (sequence, tail) = nodes[node].newest()?;
        let last = *sequence.last()?;
        // All of the sequence has to be there, and something after it.
        if steps.len() <= sequence.len() || !steps.iter().any(|step| is_it(&last, step)) {
            return None;
        }
        left.clear();
        left.extend_from_slice(sequence);
        for step in &steps[..steps.len() - 1] {
            if left.len() == 1 && is_it(&left[0], step) {
                return Some(last);
            }
            match inherited(left, tail.writer, step, footprints, &[]) {
                Inherited::Whole | Inherited::Commuting => {}
                Inherited::Without(done) => {
                    left.remove(done);
                }
                Inherited::Dropped => return None,
            }
        }
        None
    }

    /// The steps that the newest node forbids.
    pub(crate) fn forbidden(&self) -> impl Iterator<Item = Sleeper> + '_ {
        self.nodes[self.depth - 1].forbidden().map(|(single, _)| *single)
    }

    /// The steps that the newest node forbids, each with the node that its sequence was added to.
    pub(crate) fn forbidden_since(&self) -> impl Iterator<Item = (Sleeper, usize)> + '_ {
        self.nodes[self.depth - 1].forbidden().map(|(single, tail)| (*single, tail.origin))
    }

    /// The sequences of the newest node, each with who writes last but one in it: see
    /// [`inherited`].
    pub(crate) fn newest(&self) -> impl Iterator<Item = (&[Sleeper], Option<ProcessId>)> {
        self.nodes[self.depth - 1].iter_with().map(|(sequence, tail)| (sequence, tail.writer))
    }

    /// The sequences of a node.
    pub(crate) fn at(&self, node: usize) -> &Set {
        &self.nodes[node]
    }

    /// How the sequences of a node end that forbid a step.
    fn forbidding(&self, node: usize, event: &Record) -> impl Iterator<Item = Tail> {
        let step = (event.process, event.choice);
        let forbidden = self.nodes[node].forbidden();
        forbidden.filter_map(move |(single, tail)| ((single.process, single.choice) == step).then_some(tail))
    }

    /// Whether a node forbids a step.
    pub(crate) fn forbids(&self, node: usize, event: &Record) -> bool {
        self.nodes[node].forbids(event.process, event.choice)
    }

    /// Why a node forbids a step, if it does. Where several sequences do, one reason holds for all
    /// of them.
    pub(crate) fn reason(&self, node: usize, event: &Record) -> Option<Cut> {
        let reasons = self.forbidding(node, event).map(|tail| Cut {
            second: tail.second.expect("a sequence is down to its last step only when the one before has run"),
            writes: tail.writes,
        });
        reasons.reduce(|one, other| Cut { second: one.second.max(other.second), writes: one.writes || other.writes })
    }

    /// The comparisons because of which a node forbids a step.
    pub(crate) fn comparisons(&self, node: usize, event: &Record) -> Vec<usize> {
        let mut comparisons: Vec<usize> = self.forbidding(node, event).map(|tail| tail.comparison).collect();
        comparisons.sort_unstable();
        comparisons.dedup();
        comparisons
    }

    /// The steps of the newest node's sequences that are the next ones of their processes.
    pub(crate) fn pending(&self) -> impl Iterator<Item = Sleeper> + '_ {
        let next = |sequence: &'_ [Sleeper], at: usize| is_next(sequence, at).then(|| sequence[at]);
        self.nodes[self.depth - 1]
            .iter()
            .flat_map(move |sequence| (0..sequence.len()).filter_map(move |at| next(sequence, at)))
    }

    /// The first steps of the newest node's sequences: whoever follows them is told early that it
    /// is redundant.
    pub(crate) fn leaders(&self) -> impl Iterator<Item = Sleeper> + '_ {
        self.nodes[self.depth - 1].iter().filter(|sequence| sequence.len() > 1).map(|sequence| sequence[0])
    }
}

/// What becomes of a sequence after a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Inherited {
    /// It does not hold any more.
    Dropped,
    /// It holds as it is.
    Whole,
    /// The step was one of its own: it holds without that.
    Without(usize),
    /// It is down to one step, which commutes with what ran.
    Commuting,
}

/// Whether two steps are the same.
fn is_it(one: &Sleeper, other: &Sleeper) -> bool {
    (one.process, one.choice) == (other.process, other.choice)
}

/// Whether a sequence could forbid one of these steps, run one after the other, where what commutes
/// uniformly may be known or not. Of the sequence, what has run is taken away.
fn may_be_cut_by(
    left: &mut Vec<Sleeper>,
    writer: Option<ProcessId>,
    steps: impl Iterator<Item = Sleeper>,
    footprints: &Footprints,
    constrained: bool,
) -> bool {
    for step in steps {
        if left.len() == 1 && is_it(&left[0], &step) {
            return true;
        }
        let independent: &[Sleeper] = if constrained { left } else { &[] };
        match inherited(left, writer, &step, footprints, independent) {
            Inherited::Whole | Inherited::Commuting => {}
            Inherited::Without(done) => {
                left.remove(done);
            }
            // The two could commute where they meet.
            Inherited::Dropped if left.len() == 1 && left[0].process != step.process => {}
            Inherited::Dropped => return false,
        }
    }
    false
}

/// Whether no step of a sequence comes before this one that is of the same process.
fn is_next(sequence: &[Sleeper], at: usize) -> bool {
    sequence[..at].iter().all(|earlier| earlier.process != sequence[at].process)
}

/// What becomes of a sequence after a step, as far as footprints tell; `independent` are steps that
/// commute with it uniformly as the next ones of their processes.
///
/// Where the sequence ends with two writes of the same locations and of no others, another one in
/// between does no harm, unless the first of the two is its cause: e'.f.e leads where e.f.e' does,
/// since the last one overwrites what f wrote, and that begins with e. `writer` is the process of
/// e' as long as nothing that e' could be the cause of has run.
pub(crate) fn inherited(
    sequence: &[Sleeper],
    writer: Option<ProcessId>,
    event: &Sleeper,
    footprints: &Footprints,
    independent: &[Sleeper],
) -> Inherited {
    let last = sequence.len() - 1;
    let own = sequence.iter().position(|step| step.process == event.process);
    if let Some(at) = own {
        let step = &sequence[at];
        let same =
            step.choice == event.choice && (step.footprint == event.footprint || mutation::on(Mutation::DontDoForever));
        // With the last step before the others, it is the order that was explored.
        if !same || (at == last && at > 0) {
            return Inherited::Dropped;
        }
    }
    let overtakes = || writer.is_some_and(|writer| writer != event.process || mutation::on(Mutation::WriterOvertakes));
    let known = |at: usize| independent.iter().any(|known| known.is_like(&sequence[at])) && is_next(sequence, at);
    let commutes = |(at, step): (usize, &Sleeper)| match footprints.dependence(step.footprint, event.footprint) {
        Dependence::Independent => true,
        Dependence::IfObserved => {
            let alike = footprints.overwrite_each_other(step.footprint, event.footprint)
                || mutation::on(Mutation::UnlikeWriteOvertakes);
            (at == last && overtakes() && alike) || known(at)
        }
        Dependence::Dependent => known(at) || mutation::on(Mutation::DontDoForever),
    };
    match own {
        Some(at) if sequence[..at].iter().enumerate().all(commutes) => Inherited::Without(at),
        None if sequence.iter().enumerate().all(commutes) => Inherited::Whole,
        _ => Inherited::Dropped,
    }
}
