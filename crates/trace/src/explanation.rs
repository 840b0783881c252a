//! What an exploration that compares states can say about what it leaves out.

use crate::{Access, ProcessId, SiteId};

/// A explanation of an exploration, in the order of its work. A schedule is given by the processes
/// that step, which are known by numbers or by names; what they use, by accesses or in words; sites
/// by numbers or as places.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Explanation<P = ProcessId, U = Access, S = SiteId> {
    /// Steps from two sites were met that conflict and are known to commute uniformly: their order
    /// does not matter, and no other one is tried.
    Unordered {
        /// The sites.
        sites: [S; 2],
    },
    /// An execution was explored to its end.
    Explored {
        /// All of it.
        schedule: Vec<P>,
    },
    /// Both orders of a race in the execution or exploration before were compared.
    Compared(Comparison<P, U>),
    /// An exploration was cut: everything that follows has been explored elsewhere.
    Cut {
        /// Up to the cut.
        schedule: Vec<P>,
        /// The comparisons that say so, by their numbers: each forbids the last step here.
        because: Vec<usize>,
        /// Where no comparison does, all who could go on sleep: each with the length of the
        /// schedule after which it was explored first.
        asleep: Vec<(P, usize)>,
    },
}

/// A race whose both orders were compared in the state in which it happened.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Comparison<P = ProcessId, U = Access> {
    /// Its number, from 1 on.
    pub number: usize,
    /// Who steps first, and which of its steps that is, from 1 on.
    pub first: (P, usize),
    /// The other one.
    pub second: (P, usize),
    /// Both write the same, and somebody observes it.
    pub observed: bool,
    /// The schedule after which the first event ran.
    pub after: Vec<P>,
    /// What runs after that in the order that was explored.
    pub explored: Vec<P>,
    /// What runs after that in the other order.
    pub reversed: Vec<P>,
    /// Whether both lead to the same state, and show the same failures: then the reversed order is
    /// not to be run.
    pub same: bool,
    /// What decided that.
    pub check: Check,
    /// What the two steps used in the order that was explored, and in the other one, as far as they
    /// came.
    pub used: [Vec<(P, Vec<U>)>; 2],
}

/// What decides whether two orders lead to the same state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Check {
    /// Both were run, and the states and the failures compared.
    States,
    /// A step does not do in the other order what it did: it uses or chooses something else, fails,
    /// or cannot run.
    Uses,
    /// It is known when they commute: declared, or found by a solver.
    Constraint,
}

impl Explanation {
    /// The same with names for the processes, words for what they use, and places for sites.
    pub fn named<P, U, S>(
        &self,
        name: impl Fn(ProcessId) -> P,
        words: impl Fn(&Access) -> U,
        place: impl Fn(SiteId) -> S,
    ) -> Explanation<P, U, S> {
        let all = |schedule: &[ProcessId]| schedule.iter().map(|&process| name(process)).collect();
        let told = |used: &[(ProcessId, Vec<Access>)]| {
            used.iter().map(|(process, uses)| (name(*process), uses.iter().map(&words).collect())).collect()
        };
        match self {
            Explanation::Unordered { sites } => Explanation::Unordered { sites: sites.map(place) },
            Explanation::Explored { schedule } => Explanation::Explored { schedule: all(schedule) },
            Explanation::Compared(comparison) => Explanation::Compared(Comparison {
                number: comparison.number,
                first: (name(comparison.first.0), comparison.first.1),
                second: (name(comparison.second.0), comparison.second.1),
                observed: comparison.observed,
                after: all(&comparison.after),
                explored: all(&comparison.explored),
                reversed: all(&comparison.reversed),
                same: comparison.same,
                check: comparison.check,
                used: [told(&comparison.used[0]), told(&comparison.used[1])],
            }),
            Explanation::Cut { schedule, because, asleep } => Explanation::Cut {
                schedule: all(schedule),
                because: because.clone(),
                asleep: asleep.iter().map(|&(process, length)| (name(process), length)).collect(),
            },
        }
    }
}
