//! The contexts of one class with so many tasks in so many locations, one after the other.
//!
//! First the totals are chosen: how many tasks of each method. Then they are divided into vectors,
//! one for each location, in non-increasing lexicographic order. That is the normal form: it does
//! not matter which location comes first, so only one order is generated.

use crate::Interval;

/// The contexts of a class with given numbers of tasks and locations.
#[derive(Clone, Debug)]
pub(crate) struct Partition {
    class: Vec<Interval>,
    locations: usize,
    /// How many tasks of each method there are.
    totals: Vec<u8>,
    /// The vectors of the locations, one after the other.
    parts: Vec<u8>,
    /// What is left for each location and those after it.
    rests: Vec<u8>,
}

impl Partition {
    /// Nothing yet.
    pub(crate) fn new(class: &[Interval]) -> Self {
        let (locations, totals, parts, rests) = (0, vec![0; class.len()], Vec::new(), Vec::new());
        Partition { class: class.to_vec(), locations, totals, parts, rests }
    }

    /// How many tasks of each method are in each location.
    pub(crate) fn parts(&self) -> impl Iterator<Item = &[u8]> {
        // A class without methods has no locations, and chunks have a length.
        self.parts.chunks_exact(self.class.len().max(1))
    }

    /// The first context with so many tasks and locations. There is one: the caller has looked.
    pub(crate) fn begin(&mut self, tasks: usize, locations: usize) {
        self.locations = locations;
        let methods = self.class.len();
        self.parts.clear();
        self.parts.resize(locations * methods, 0);
        self.rests.clear();
        self.rests.resize(locations * methods, 0);
        let mut left = tasks - self.class.iter().map(|interval| usize::from(interval.least)).sum::<usize>();
        // As few of the first methods as possible, so that the totals ascend.
        for method in (0..methods).rev() {
            let Interval { least, most } = self.class[method];
            let more = left.min(usize::from(most - least));
            self.totals[method] = least + more as u8;
            left -= more;
        }
        let found = self.first_of_totals();
        debug_assert!(found, "totals can be divided into that many locations");
    }

    /// The next context; whether there is one.
    pub(crate) fn advance(&mut self) -> bool {
        if self.locations == 0 {
            return false;
        }
        // The last location has what the others leave it.
        if self.continue_from(self.locations.saturating_sub(2)) {
            return true;
        }
        while self.next_totals() {
            if self.first_of_totals() {
                return true;
            }
        }
        false
    }

    /// The next totals with as many tasks, in lexicographic order.
    fn next_totals(&mut self) -> bool {
        let mut after = 0;
        for method in (0..self.class.len()).rev() {
            let Interval { least, most } = self.class[method];
            if after > 0 && self.totals[method] < most {
                self.totals[method] += 1;
                let mut left = after - 1;
                for later in (method + 1..self.class.len()).rev() {
                    let Interval { least, most } = self.class[later];
                    let more = left.min(usize::from(most - least));
                    self.totals[later] = least + more as u8;
                    left -= more;
                }
                return true;
            }
            after += usize::from(self.totals[method] - least);
        }
        false
    }

    /// The first division of the totals; whether there is one.
    fn first_of_totals(&mut self) -> bool {
        let methods = self.class.len();
        if self.locations == 0 {
            return true;
        }
        self.rests[..methods].copy_from_slice(&self.totals);
        if self.locations == 1 {
            self.parts.copy_from_slice(&self.totals);
            return true;
        }
        self.start(0);
        self.search(0)
    }

    /// Goes on after what is chosen for a location and those before it.
    fn continue_from(&mut self, location: usize) -> bool {
        if self.locations < 2 {
            return false;
        }
        let mut at = location;
        loop {
            if self.lower(at) && self.search(at) {
                return true;
            }
            if at == 0 {
                return false;
            }
            at -= 1;
        }
    }

    /// With a candidate chosen for a location: finds the rest, or lower candidates for it.
    fn search(&mut self, from: usize) -> bool {
        let mut at = from;
        loop {
            if self.is_enough(at) {
                if at + 2 == self.locations {
                    self.close();
                    return true;
                }
                self.descend(at);
                at += 1;
                self.start(at);
                continue;
            }
            // Lower candidates leave even more for those that come after.
            loop {
                if at == from {
                    return false;
                }
                at -= 1;
                if self.lower(at) {
                    break;
                }
            }
        }
    }

    /// The greatest candidate for a location: at most the one before, at most what is left, and a
    /// task remains for each of those after.
    fn start(&mut self, at: usize) {
        let methods = self.class.len();
        let mut budget = self.budget(at);
        let mut is_below = at == 0;
        for method in 0..methods {
            let place = at * methods + method;
            let mut number = usize::from(self.rests[place]).min(budget);
            if !is_below {
                let bound = usize::from(self.parts[place - methods]);
                number = number.min(bound);
                is_below = number < bound;
            }
            self.parts[place] = number as u8;
            budget -= number;
        }
    }

    /// The next lower candidate for a location; whether there is one.
    fn lower(&mut self, at: usize) -> bool {
        let methods = self.class.len();
        let first = at * methods;
        let Some(method) = (0..methods).rev().find(|&method| self.parts[first + method] > 0) else { return false };
        self.parts[first + method] -= 1;
        let kept: usize = self.parts[first..=first + method].iter().map(|&number| usize::from(number)).sum();
        let mut budget = self.budget(at) - kept;
        for later in method + 1..methods {
            let number = usize::from(self.rests[first + later]).min(budget);
            self.parts[first + later] = number as u8;
            budget -= number;
        }
        true
    }

    /// How many tasks a location can have, so that one remains for each of those after.
    fn budget(&self, at: usize) -> usize {
        let methods = self.class.len();
        let rest: usize = self.rests[at * methods..][..methods].iter().map(|&number| usize::from(number)).sum();
        rest - (self.locations - at - 1)
    }

    /// Whether what is left can be divided into vectors that are at most the candidate: as many
    /// times the candidate is at least that much. For two locations that is all it takes.
    fn is_enough(&self, at: usize) -> bool {
        let methods = self.class.len();
        let first = at * methods;
        let times = (self.locations - at) as u32;
        for method in 0..methods {
            let (part, rest) = (u32::from(self.parts[first + method]) * times, u32::from(self.rests[first + method]));
            if part != rest {
                return part > rest;
            }
        }
        true
    }

    /// What is left for the next location.
    fn descend(&mut self, at: usize) {
        let methods = self.class.len();
        let first = at * methods;
        for place in first..first + methods {
            self.rests[place + methods] = self.rests[place] - self.parts[place];
        }
    }

    /// The last location has all that is left.
    fn close(&mut self) {
        let methods = self.class.len();
        let first = (self.locations - 2) * methods;
        for place in first..first + methods {
            self.parts[place + methods] = self.rests[place] - self.parts[place];
        }
    }
}
