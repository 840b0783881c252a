//! Which contexts have a deadlock: each is excluded by the analysis, follows from a smaller one, or
//! is executed.
//!
//! Nothing forces a task to run, and a deadlock is seen although others could still move. So a
//! context has every deadlock of a context that is part of it.

use std::collections::BTreeSet;

use mazurka_actor::Image;
use mazurka_actor::deadlock::Analysis;
use mazurka_contexts::{Contexts as Stream, Location, embeds};

use super::explore::{Deadlock, Found, Patience, look};
use super::names;
use super::tasks::Tasks;

/// A context that was executed, and what came of it.
pub(super) struct Executed {
    /// The context, in a line.
    pub(super) context: String,
    pub(super) found: Found,
}

/// What came of the contexts for a cycle.
#[derive(Default)]
pub(super) struct Judged {
    /// With a deadlock that was executed.
    pub(super) executed: u64,
    /// With the deadlock of a smaller context.
    pub(super) implied: u64,
    /// Excluded by the analysis, or all paths were explored.
    pub(super) free: u64,
    /// Neither.
    pub(super) unknown: u64,
    /// Those that were executed, of each kind the first ones.
    pub(super) shown: Vec<Executed>,
    /// Not all were looked at.
    pub(super) is_cut: bool,
}

impl Judged {
    pub(super) fn deadlocks(&self) -> u64 {
        self.executed + self.implied
    }

    /// The smallest context with a deadlock.
    pub(super) fn smallest(&self) -> Option<(&str, &Deadlock)> {
        self.shown.iter().find_map(|one| match &one.found {
            Found::Deadlock(deadlock) => Some((one.context.as_str(), deadlock)),
            Found::Free | Found::Unknown(_) => None,
        })
    }

    /// The smallest context of which nothing is known, and why.
    pub(super) fn open(&self) -> Option<(&str, &str)> {
        self.shown.iter().find_map(|one| match &one.found {
            Found::Deadlock(_) | Found::Free => None,
            Found::Unknown(why) => Some((one.context.as_str(), why.as_str())),
        })
    }
}

/// How the contexts are judged.
pub(super) struct Judge<'a> {
    pub(super) image: &'a Image,
    pub(super) analysis: &'a Analysis,
    pub(super) patience: Patience<'a>,
    /// Executes each context, also if it follows from a smaller one.
    pub(super) each: bool,
    /// Looks at so many contexts.
    pub(super) most: u64,
}

/// A context whose locations are kept.
type Kept = Vec<(usize, Vec<u8>)>;

fn locations(kept: &Kept) -> Vec<Location<'_>> {
    kept.iter().map(|(class, tasks)| Location { class: *class, tasks }).collect()
}

impl Judge<'_> {
    /// Looks at all contexts, small ones first.
    pub(super) fn judge(&self, tasks: &Tasks) -> Judged {
        let (mut judged, mut found): (Judged, Vec<Kept>) = Default::default();
        let mut stream = Stream::new(&tasks.classes());
        let mut seen = 0;
        while stream.advance() {
            if seen == self.most || self.patience.is_cancelled() {
                judged.is_cut = true;
                break;
            }
            seen += 1;
            let context: Vec<Location<'_>> = stream.locations().collect();
            if !self.each && found.iter().any(|small| embeds(&locations(small), &context)) {
                judged.implied += 1;
            } else if self.is_excluded(tasks, &context) {
                judged.free += 1;
            } else {
                self.execute(tasks, &context, &mut judged, &mut found);
            }
        }
        judged
    }

    fn execute(&self, tasks: &Tasks, context: &[Location<'_>], judged: &mut Judged, found: &mut Vec<Kept>) {
        let waiting = |location: &Location<'_>| {
            let class = &tasks.0[location.class];
            let methods = class.tasks.iter().zip(location.tasks);
            (class.class, methods.flat_map(|(task, &many)| (0..many).map(|_| task.method)).collect())
        };
        let all: Vec<(u32, Vec<u32>)> = context.iter().map(waiting).collect();
        let result = look(self.image, &all, &self.patience);
        let is_new = match &result {
            Found::Deadlock(_) => {
                judged.executed += 1;
                found.push(context.iter().map(|location| (location.class, location.tasks.to_vec())).collect());
                judged.executed == 1
            }
            Found::Free => {
                judged.free += 1;
                false
            }
            Found::Unknown(_) => {
                judged.unknown += 1;
                judged.unknown == 1
            }
        };
        if is_new {
            let mut line = String::new();
            names::context(tasks, context.iter().copied(), &mut line);
            judged.shown.push(Executed { context: line, found: result });
        }
    }

    /// Whether the analysis excludes all cycles in a context.
    fn is_excluded(&self, tasks: &Tasks, context: &[Location<'_>]) -> bool {
        let Some(refuter) = &self.analysis.refuter else { return false };
        let waiting = context.iter().map(|location| {
            let class = &tasks.0[location.class];
            let methods = class.tasks.iter().zip(location.tasks).filter(|(_, many)| **many > 0);
            (class.class, methods.map(|(task, _)| task.method).collect::<BTreeSet<u32>>())
        });
        refuter.excludes_all(self.image, &waiting.collect::<Vec<_>>())
    }
}
