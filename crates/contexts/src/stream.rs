//! All contexts, small ones first.

use crate::partition::Partition;
use crate::{Class, Location};

/// A stream of contexts: fewest tasks first, then fewest locations, then class by class.
///
/// [`Contexts::advance`] goes to the next one, [`Contexts::locations`] tells it. No context is
/// stored, so a stream of any length can be started.
#[derive(Clone, Debug)]
pub struct Contexts {
    classes: Vec<Partition>,
    shares: Vec<Shares>,
    /// How many tasks and locations each class has.
    chosen: Vec<(usize, usize)>,
    tasks: usize,
    locations: usize,
    most_tasks: usize,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Fresh,
    Running,
    Over,
}

/// What some classes can have together: this one and those after it.
#[derive(Clone, Debug)]
struct Shares {
    /// This class alone.
    least: usize,
    most: usize,
    /// For each number of tasks of all of them, the smallest number of locations, if there is one.
    /// Every number up to that of the tasks is possible, too.
    fewest: Vec<Option<usize>>,
}

impl Shares {
    fn allow(&self, tasks: usize, locations: usize) -> bool {
        self.fewest.get(tasks).copied().flatten().is_some_and(|fewest| (fewest..=tasks).contains(&locations))
    }
}

/// The shares of classes, each with those after it.
fn shares(classes: &[Class]) -> Vec<Shares> {
    let mut fewest: Vec<Option<usize>> = vec![Some(0)];
    let mut all = Vec::new();
    for class in classes.iter().rev() {
        let least = class.iter().map(|interval| usize::from(interval.least)).sum();
        let most: usize = class.iter().map(|interval| usize::from(interval.most)).sum();
        let mut with: Vec<Option<usize>> = vec![None; fewest.len() + most];
        for (tasks, others) in fewest.iter().enumerate() {
            let Some(others) = others else { continue };
            for own in least..=most {
                let locations = others + usize::from(own > 0);
                let known = &mut with[tasks + own];
                *known = Some(known.map_or(locations, |known| known.min(locations)));
            }
        }
        fewest = with;
        all.push(Shares { least, most, fewest: fewest.clone() });
    }
    all.reverse();
    all
}

impl Contexts {
    /// The contexts with tasks of these classes. A context without any location is none.
    pub fn new(classes: &[Class]) -> Self {
        let shares = shares(classes);
        let most_tasks = shares.first().map_or(0, |first| first.fewest.len() - 1);
        Contexts {
            classes: classes.iter().map(|class| Partition::new(class)).collect(),
            shares,
            chosen: vec![(0, 0); classes.len()],
            tasks: 0,
            locations: 0,
            most_tasks,
            state: State::Fresh,
        }
    }

    /// Goes to the next context; whether there is one.
    pub fn advance(&mut self) -> bool {
        match self.state {
            State::Over => return false,
            State::Running => {
                for class in (0..self.classes.len()).rev() {
                    if self.classes[class].advance() {
                        self.begin(class + 1..self.classes.len());
                        return true;
                    }
                }
                if self.next_shares() {
                    return true;
                }
            }
            State::Fresh => self.state = State::Running,
        }
        let found = self.next_size();
        if !found {
            self.state = State::Over;
        }
        found
    }

    /// The locations of the context, class by class; those of a class from the greatest to the
    /// smallest, in lexicographic order.
    pub fn locations(&self) -> impl Iterator<Item = Location<'_>> {
        let classes = self.classes.iter().enumerate();
        classes.flat_map(|(class, parts)| parts.parts().map(move |tasks| Location { class, tasks }))
    }

    /// Goes to the next numbers of tasks and locations that are possible.
    fn next_size(&mut self) -> bool {
        let Some(first) = self.shares.first() else { return false };
        loop {
            self.locations += 1;
            if self.locations > self.tasks {
                (self.tasks, self.locations) = (self.tasks + 1, 1);
            }
            if self.tasks > self.most_tasks {
                return false;
            }
            if first.allow(self.tasks, self.locations) {
                self.share_from(0, self.tasks, self.locations, (0, 0));
                return true;
            }
        }
    }

    /// The next way to share tasks and locations out among the classes.
    fn next_shares(&mut self) -> bool {
        let (mut tasks, mut locations) = (0, 0);
        for class in (0..self.classes.len()).rev() {
            let (own_tasks, own_locations) = self.chosen[class];
            (tasks, locations) = (tasks + own_tasks, locations + own_locations);
            if self.share_from(class, tasks, locations, (own_tasks, own_locations + 1)) {
                self.begin(0..class);
                return true;
            }
        }
        false
    }

    /// Shares tasks and locations out among a class and those after it. The class has at least the
    /// given share, in the order of the stream.
    fn share_from(&mut self, class: usize, tasks: usize, locations: usize, from: (usize, usize)) -> bool {
        let (mut tasks, mut locations, mut from) = (tasks, locations, from);
        for class in class..self.classes.len() {
            let Some(share) = self.share(class, (tasks, locations), from) else { return false };
            self.chosen[class] = share;
            (tasks, locations, from) = (tasks - share.0, locations - share.1, (0, 0));
            self.classes[class].begin(share.0, share.1);
        }
        true
    }

    /// The first share of a class, of all that there is for it and those after it, that leaves
    /// those what they can have.
    fn share(&self, class: usize, (tasks, locations): (usize, usize), from: (usize, usize)) -> Option<(usize, usize)> {
        let Shares { least, most, .. } = self.shares[class];
        let others_allow = |tasks: usize, locations: usize| match self.shares.get(class + 1) {
            Some(others) => others.allow(tasks, locations),
            None => (tasks, locations) == (0, 0),
        };
        (least.max(from.0)..=most.min(tasks)).find_map(|own| {
            let fewest = usize::from(own > 0).max(if own == from.0 { from.1 } else { 0 });
            let fits = |&count: &usize| others_allow(tasks - own, locations - count);
            (fewest..=own.min(locations)).find(fits).map(|count| (own, count))
        })
    }

    /// Begins classes anew.
    fn begin(&mut self, classes: std::ops::Range<usize>) {
        for class in classes {
            let (tasks, locations) = self.chosen[class];
            self.classes[class].begin(tasks, locations);
        }
    }
}
