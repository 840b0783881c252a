//! Sleeping on a condition: what observers ask of sleep sets.
//!
//! # Paper
//! Aronis, Jonsson, Lång, Sagonas, *Optimal dynamic partial order reduction with observers*, TACAS
//! 2018; JSS 2023, Section 4.1 and Fig. 5, where what is redundant is told by the *done* sets of
//! all prefixes and by weak initials.
//!
//! # Meaning
//! A step that was explored sleeps until something dependent runs. Where it writes, and something
//! else writes the same locations, it depends on what follows whether the two are dependent: they
//! are if the step runs later and somebody observes what it wrote. Until then the step is
//! *watched*. So asking whether a sleeping step still sleeps after a sequence is asking whether it
//! is a weak initial of all that has run since it was explored, and the sequence: the same as the
//! paper's test over all prefixes, at the cost of one look at each step of the sequence.
//!
//! | the step | meets | and is then |
//! | --- | --- | --- |
//! | sleeps | a write of some of its locations | overtaken there |
//! | sleeps | itself | covered: it could have come first |
//! | overtaken | itself | run, and not observed yet |
//! | run | somebody who reads what it wrote where it was overtaken | awake: it had to come later |
//! | run | a write where it was overtaken | not overtaken there any more: nobody will ever know |
//! | run, and overtaken nowhere any more | anything | covered |
//! | any | what it depends on otherwise | awake |
//!
//! Only where the step was overtaken does it count who reads: what it wrote elsewhere is the same
//! in both orders.
//!
//! # Deviations
//! 1. What the program does once every process has ended observes like an event that comes after
//!    all others.
//! 2. A step that was explored with one of several data choices, and overtaken since, covers only
//!    what it is part of: it could still make others.

use mazurka_relation::{Contested, Dependence, Footprint, Footprints};
use mazurka_trace::ProcessId;

use crate::choices::ChoiceId;
use crate::execution::Record;
use crate::mutation::{self, Mutation};
use crate::sleep::{Sleep, Sleeper};

/// What has happened to a step since it was explored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Since {
    /// Nothing that concerns it.
    Nothing,
    /// Something else wrote what it writes, at these locations.
    Overtaken(Contested),
    /// It ran after that, and nobody has observed it there.
    Run(Contested),
    /// Nobody will ever observe it.
    Covered,
}

/// A step that sleeps on a condition.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watched {
    step: Sleeper,
    since: Since,
}

/// How an explored step covers a sequence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cover {
    /// It is one of its steps.
    Member,
    /// It could have come first.
    Stranger,
}

/// What a step does to a watched one.
enum Fate {
    Awake,
    Watched(Watched),
    Covered,
}

impl Watched {
    /// A step that sleeps.
    pub(crate) fn new(step: Sleeper) -> Self {
        Watched { step, since: Since::Nothing }
    }

    /// After one more step.
    #[inline]
    fn after(self, process: ProcessId, choice: ChoiceId, footprint: Footprint, footprints: &Footprints) -> Fate {
        let Watched { step, since } = self;
        let overtaken = match since {
            Since::Covered => return Fate::Covered,
            Since::Run(contested) => {
                if footprints.observes_contested(footprint, step.footprint, contested)
                    && !mutation::on(Mutation::NobodyObserves)
                {
                    return Fate::Awake;
                }
                let left = footprints.still_contested(footprint, step.footprint, contested);
                return if left.is_empty() { Fate::Covered } else { self.with(Since::Run(left)) };
            }
            Since::Nothing => Contested::NOTHING,
            Since::Overtaken(contested) => contested,
        };
        if process == step.process {
            return match since {
                _ if choice != step.choice => Fate::Awake,
                Since::Overtaken(contested) => self.with(Since::Run(contested)),
                _ => Fate::Covered,
            };
        }
        match footprints.dependence(footprint, step.footprint) {
            Dependence::Independent => Fate::Watched(self),
            // What is forbidden is so in this place only.
            Dependence::IfObserved if !step.reason.is_explored() => Fate::Awake,
            Dependence::IfObserved => {
                self.with(Since::Overtaken(overtaken.and(footprints.contested(step.footprint, footprint))))
            }
            Dependence::Dependent => Fate::Awake,
        }
    }

    /// The step, after something else has happened to it.
    fn with(self, since: Since) -> Fate {
        Fate::Watched(Watched { since, ..self })
    }

    /// Whether somebody who accesses this when all is over observes what the step wrote and others
    /// overtook it in.
    fn is_observed_by(&self, finale: Footprint, footprints: &Footprints) -> bool {
        match self.since {
            Since::Run(contested) => footprints.observes_contested(finale, self.step.footprint, contested),
            Since::Nothing | Since::Overtaken(_) => footprints.observes(finale, self.step.footprint),
            Since::Covered => false,
        }
    }

    /// Whether the step is a weak initial of all that has run since it was explored and of these
    /// steps, after which `finale` looks at what is left; and if so, whether it is one of them.
    /// Where observers do not count, every two writes of one location are dependent.
    pub(crate) fn covers(
        mut self,
        steps: impl Iterator<Item = (ProcessId, ChoiceId, Footprint)>,
        finale: Option<Footprint>,
        observers: bool,
        footprints: &Footprints,
    ) -> Option<Cover> {
        for (process, choice, footprint) in steps {
            let step = &self.step;
            if !observers && process != step.process && footprints.dependent(footprint, step.footprint) {
                return None;
            }
            match self.after(process, choice, footprint, footprints) {
                Fate::Awake => return None,
                Fate::Covered => return Some(Cover::Member),
                Fate::Watched(watched) => self = watched,
            }
        }
        if finale.is_some_and(|finale| self.is_observed_by(finale, footprints)) {
            return None;
        }
        match self.since {
            // It could still make other data choices: those executions it does not cover.
            Since::Overtaken(_) if self.step.choice != ChoiceId::NONE => None,
            Since::Nothing | Since::Overtaken(_) => Some(Cover::Stranger),
            Since::Run(_) | Since::Covered => Some(Cover::Member),
        }
    }

    /// The step.
    pub(crate) fn step(&self) -> &Sleeper {
        &self.step
    }
}

/// The steps that are watched at the nodes of the current path.
#[derive(Debug)]
pub(crate) struct Watching {
    watched: Vec<Watched>,
    starts: Vec<u32>,
}

impl Default for Watching {
    fn default() -> Self {
        Self { watched: Vec::new(), starts: vec![0] }
    }
}

impl Watching {
    /// The steps that sleep on a condition at a node.
    pub(crate) fn at(&self, node: usize) -> &[Watched] {
        let end = self.starts.get(node + 1).map_or(self.watched.len(), |&start| start as usize);
        &self.watched[self.starts[node] as usize..end]
    }

    /// A new node, reached by this event. The steps that are `independent` commute with it
    /// uniformly, and go on to sleep.
    pub(crate) fn descend(
        &mut self,
        event: &Record,
        footprints: &Footprints,
        sleep: &mut Sleep,
        independent: &[Sleeper],
    ) {
        let start = self.starts[self.starts.len() - 1] as usize;
        let end = self.watched.len();
        self.starts.push(end as u32);
        let Record { process, choice, footprint, .. } = *event;
        for at in start..end {
            let watched = self.watched[at];
            match watched.after(process, choice, footprint, footprints) {
                Fate::Watched(watched) => self.watched.push(watched),
                Fate::Covered => self.watched.push(Watched { since: Since::Covered, ..watched }),
                Fate::Awake => {}
            }
        }
        let sleeps_on = |step: &Sleeper| independent.iter().any(|independent| independent.is_like(step));
        sleep.descend_with(|&step| match Watched::new(step).after(process, choice, footprint, footprints) {
            _ if sleeps_on(&step) => true,
            Fate::Watched(Watched { since: Since::Nothing, .. }) => true,
            Fate::Watched(watched) => {
                self.watched.push(watched);
                false
            }
            Fate::Awake | Fate::Covered => false,
        });
    }

    /// Whether what has run could have begun with a step that was explored, as far as somebody
    /// observes it: at the end of an execution, when nobody will.
    pub(crate) fn has_been_explored(&self, finale: Footprint, footprints: &Footprints) -> bool {
        let start = self.starts[self.starts.len() - 1] as usize;
        self.watched[start..].iter().any(|watched| match watched.since {
            Since::Nothing | Since::Overtaken(_) => false,
            Since::Run(_) | Since::Covered => !watched.is_observed_by(finale, footprints),
        })
    }

    /// Whether steps are watched at the newest node.
    pub(crate) fn is_watching(&self) -> bool {
        (self.starts[self.starts.len() - 1] as usize) < self.watched.len()
    }

    /// Leaves the newest node.
    pub(crate) fn ascend(&mut self) {
        let start = self.starts.pop().expect("the root is never left");
        self.watched.truncate(start as usize);
    }
}
