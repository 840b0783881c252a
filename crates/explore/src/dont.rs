//! Don't-do sets: sequences of steps that lead to a state from which everything has been explored.
//!
//! # Paper
//! Albert, García de la Banda, Gómez-Zamalloa, Isabel, Stuckey, *Optimal context-sensitive dynamic partial order reduction
//! with observers*, JSS 2023, Sections 3.1 and 4.4 (lines 19, 20 and 62 of its algorithms).
//!
//! # Meaning
//! A sequence u.e in the don't-do set of a node says: whoever runs these steps from there, in this order or one equivalent to it,
//! and nothing that one of them depends on in between, reaches a state that was reached before, from a branch of that
//! node that was explored before. A node inherits the sequences of its parent without the step that led to it, where that
//! could have come first; sequences of which some step depends on it are dropped. What is down to a single step sleeps:
//! see [`Sleep`].
//!
//! # Cost
//! Entering a node compares its event with each step of each sequence of its parent. Nodes keep their memory.

use mazurka_relation::Footprints;

use crate::execution::Record;
use crate::mutation::{self, Mutation};
use crate::sleep::{Sleep, Sleeper};

/// The sequences of one node, one behind the other.
#[derive(Debug, Default)]
struct Set {
    steps: Vec<Sleeper>,
    ends: Vec<u32>,
}

impl Set {
    fn clear(&mut self) {
        self.steps.clear();
        self.ends.clear();
    }

    fn iter(&self) -> impl Iterator<Item = &[Sleeper]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.steps[start as usize..end as usize])
    }

    fn close(&mut self) {
        self.ends.push(self.steps.len() as u32);
    }

    fn contains(&self, sequence: &[Sleeper]) -> bool {
        self.iter().any(|known| known == sequence)
    }
}

/// The don't-do sets of the nodes on the current path.
#[derive(Debug, Default)]
pub(crate) struct DontDo {
    /// Those of the current path are the first `depth`; the others keep their memory.
    nodes: Vec<Set>,
    depth: usize,
}

impl DontDo {
    /// The root, before anything has run.
    pub(crate) fn new() -> Self {
        Self { nodes: vec![Set::default()], depth: 1 }
    }

    /// A new node, reached by this event. What is down to one step goes to sleep there.
    pub(crate) fn descend(&mut self, event: &Record, footprints: &Footprints, sleep: &mut Sleep) {
        self.descend_with(event, footprints, sleep, &[]);
    }

    /// The same, where some steps are known to go on to sleep.
    pub(crate) fn descend_with(
        &mut self,
        event: &Record,
        footprints: &Footprints,
        sleep: &mut Sleep,
        sound: &[Sleeper],
    ) {
        if self.depth == self.nodes.len() {
            self.nodes.push(Set::default());
        }
        let (above, below) = self.nodes.split_at_mut(self.depth);
        let (parent, node) = (&above[self.depth - 1], &mut below[0]);
        self.depth += 1;
        node.clear();
        let Record { process, label, footprint, .. } = *event;
        let step = Sleeper::new(process, label, footprint);
        for sequence in parent.iter() {
            let is_sound = |single: &Sleeper| {
                let same = |other: &Sleeper| (other.process, other.label) == (single.process, single.label);
                sound.iter().any(same)
            };
            let done = match sequence {
                [single] if is_sound(single) => Some(None),
                _ => inherited(sequence, &step, footprints),
            };
            let Some(done) = done else { continue };
            let start = node.steps.len();
            node.steps.extend_from_slice(sequence);
            if let Some(done) = done {
                node.steps.remove(start + done);
            }
            if let [single] = node.steps[start..] {
                sleep.add(single);
            }
            node.close();
        }
    }

    /// Leaves the newest node.
    pub(crate) fn ascend(&mut self) {
        self.depth -= 1;
    }

    /// Adds a sequence to the set of a node.
    pub(crate) fn add(&mut self, node: usize, sequence: &[Sleeper]) {
        let set = &mut self.nodes[node];
        if !set.contains(sequence) {
            set.steps.extend_from_slice(sequence);
            set.close();
        }
    }

    /// The steps that the newest node forbids.
    pub(crate) fn forbidden(&self) -> impl Iterator<Item = Sleeper> + '_ {
        self.nodes[self.depth - 1].iter().filter_map(|sequence| match sequence {
            [single] => Some(*single),
            _ => None,
        })
    }

    /// The sequences of a node.
    pub(crate) fn at(&self, node: usize) -> Vec<Vec<Sleeper>> {
        self.nodes[node].iter().map(<[Sleeper]>::to_vec).collect()
    }

    /// Whether a node forbids a step.
    pub(crate) fn forbids(&self, node: usize, event: &Record) -> bool {
        let is_it = |step: &Sleeper| step.process == event.process && step.label == event.label;
        self.nodes[node].iter().any(|sequence| matches!(sequence, [single] if is_it(single)))
    }

    /// The first steps of the newest node's sequences: whoever follows them is told early that it is in vain.
    pub(crate) fn leaders(&self) -> impl Iterator<Item = Sleeper> + '_ {
        self.nodes[self.depth - 1].iter().filter(|sequence| sequence.len() > 1).map(|sequence| sequence[0])
    }
}

/// The sequences that still hold after a step.
pub(crate) fn after(sequences: &mut Vec<Vec<Sleeper>>, step: &Sleeper, footprints: &Footprints) {
    sequences.retain_mut(|sequence| match inherited(sequence, step, footprints) {
        Some(Some(done)) => {
            sequence.remove(done);
            true
        }
        Some(None) => true,
        None => false,
    });
}

/// Whether a sequence still holds after a step; if the step is one of its own, also which.
fn inherited(sequence: &[Sleeper], event: &Sleeper, footprints: &Footprints) -> Option<Option<usize>> {
    let independent = |step: &Sleeper| {
        !footprints.dependent(step.footprint, event.footprint) || mutation::on(Mutation::DontDoForever)
    };
    match sequence.iter().position(|step| step.process == event.process) {
        Some(at) => {
            let step = &sequence[at];
            let same = step.label == event.label
                && (step.footprint == event.footprint || mutation::on(Mutation::DontDoForever));
            (same && sequence[..at].iter().all(independent)).then_some(Some(at))
        }
        None => sequence.iter().all(independent).then_some(None),
    }
}
