//! Spikes: for each event that is being explored or disabled, what can come instead of it.
//!
//! The *spike* of an event d, explored at the node C, holds the conflicting extensions found while
//! what begins with C and d was explored: for each race of d with a later event, that event without
//! d. So a spike is complete when d is disabled. With each of its events, its *rivals*, it is known
//! which part of their histories is not in C: whether a rival fits a node below C is then seen by
//! comparing this part with what has been added to C, without a look at the structure.
//!
//! Cost: an event is noted once for each event that it can come instead of, in constant time. No
//! memory is allocated in the steady state.

use mazurka_relation::Footprint;
use mazurka_trace::ProcessId;

use crate::unfolding::ROOM;
use crate::unfolding::configuration::Configuration;
use crate::unfolding::marks::Marks;
use crate::unfolding::structure::{Name, Structure};

/// An event of a rival's history, or the rival itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub(crate) name: Name,
    pub(crate) process: ProcessId,
    pub(crate) footprint: Footprint,
}

impl Part {
    #[inline]
    pub(crate) fn of(structure: &Structure, name: Name) -> Self {
        let event = structure.event(name);
        Self { name, process: event.process, footprint: event.footprint }
    }
}

/// An event that can come instead of others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rival {
    pub(crate) event: Part,
    /// So many of the first events of the current execution contain its history.
    pub(crate) reach: u32,
}

/// What can come instead of an event of the current execution, as known so far.
#[derive(Debug, Default)]
struct Growing {
    rivals: Vec<Rival>,
    /// A number of its own, not 0; or 0, if numbers have run out.
    visit: u32,
}

/// How much there was of rivals and their parts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    rivals: u32,
    parts: u32,
}

/// A list of rivals, by its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct List(u32);

impl List {
    /// The one that is always empty.
    pub(crate) const EMPTY: List = List(0);
}

/// The spikes of the current execution and of what is disabled at its nodes.
#[derive(Debug)]
pub(crate) struct Spikes {
    /// By position in the execution.
    growing: Vec<Growing>,
    /// Where the parts of each rival end; they begin where those of the one before end. The rivals
    /// of the older nodes come first.
    rivals: Vec<u32>,
    parts: Vec<Part>,
    /// The numbers of the rivals in each list.
    lists: Vec<Vec<u32>>,
    /// Lists that are not in use; they are empty.
    free: Vec<u32>,
    visits: u32,
    /// In which visit each event was noted last. An event fits at most one position of an
    /// execution.
    noted: Vec<u32>,
    todo: Vec<Name>,
    /// What was met of a history.
    met: Marks,
}

impl Default for Spikes {
    fn default() -> Self {
        Self {
            growing: Vec::with_capacity(ROOM),
            rivals: Vec::with_capacity(ROOM),
            parts: Vec::with_capacity(ROOM),
            lists: vec![Vec::new()],
            free: Vec::new(),
            visits: 0,
            noted: vec![0; ROOM],
            todo: Vec::new(),
            met: Marks::default(),
        }
    }
}

impl Spikes {
    /// The event at this position is new.
    #[inline]
    pub(crate) fn begin(&mut self, position: usize) {
        if position == self.growing.len() {
            self.growing.push(Growing::default());
        }
        self.visits = self.visits.saturating_add(1);
        let growing = &mut self.growing[position];
        growing.rivals.clear();
        growing.visit = if self.visits == u32::MAX { 0 } else { self.visits };
    }

    /// An event can come instead of the one at this position.
    #[inline]
    pub(crate) fn note(&mut self, position: usize, rival: Rival) {
        let number = rival.event.name.index();
        if number >= self.noted.len() {
            self.noted.resize(number + 1 + number / 2, 0);
        }
        let Growing { rivals, visit } = &mut self.growing[position];
        if *visit == 0 || self.noted[number] != *visit {
            self.noted[number] = *visit;
            rivals.push(rival);
        }
    }

    /// Whether an event was noted for this position.
    #[inline]
    pub(crate) fn is_noted(&self, position: usize, event: Name) -> bool {
        let visit = self.growing[position].visit;
        visit != 0 && self.noted.get(event.index()) == Some(&visit)
    }

    /// Whether nothing can come instead of the event at this position, which was explored last.
    #[inline]
    pub(crate) fn has_none(&self, position: usize) -> bool {
        self.growing[position].rivals.is_empty()
    }

    /// The event after the configuration was explored and is disabled: the list of what can come
    /// instead of it, and is not disabled, too. Nor is its history; unless some of these were noted
    /// because of other events.
    pub(crate) fn complete(
        &mut self,
        structure: &Structure,
        configuration: &Configuration,
        unless: bool,
        is_disabled: impl Fn(Name) -> bool,
    ) -> List {
        let position = configuration.len();
        if self.has_none(position) {
            return List::EMPTY;
        }
        let list = self.new_list();
        for at in 0..self.growing[position].rivals.len() {
            let rival = self.growing[position].rivals[at];
            if !is_disabled(rival.event.name) {
                let number = self.collect(structure, configuration, position, rival);
                if unless && self.parts(number).iter().any(|part| is_disabled(part.name)) {
                    // It comes after what it was to come instead of.
                    self.rivals.pop();
                    self.parts.truncate(self.rivals.last().copied().unwrap_or(0) as usize);
                } else {
                    self.lists[list.0 as usize].push(number);
                }
            }
        }
        self.growing[position].rivals.clear();
        list
    }

    /// Adds a rival to a list, or to a new one if that is the one that is always empty. The list
    /// belongs to the node after the first members of the configuration, so many.
    #[cold]
    pub(crate) fn add(
        &mut self,
        list: List,
        structure: &Structure,
        (configuration, length): (&Configuration, usize),
        rival: Rival,
    ) -> List {
        let list = if list == List::EMPTY { self.new_list() } else { list };
        let number = self.collect(structure, configuration, length, rival);
        self.lists[list.0 as usize].push(number);
        list
    }

    /// Collects the part of an event's history that is not among the first members of the
    /// configuration, so many, and the event, in an order in which they can happen. Gives the
    /// number of the rival.
    #[inline]
    fn collect(&mut self, structure: &Structure, configuration: &Configuration, length: usize, rival: Rival) -> u32 {
        // Mostly the rival alone.
        if rival.reach as usize <= length {
            self.parts.push(rival.event);
        } else {
            self.collect_missing(structure, configuration, length, rival.event.name);
        }
        self.rivals.push(self.parts.len() as u32);
        self.rivals.len() as u32 - 1
    }

    fn collect_missing(&mut self, structure: &Structure, configuration: &Configuration, length: usize, rival: Name) {
        let start = self.parts.len();
        self.met.clear(structure.len());
        self.todo.push(rival);
        while let Some(event) = self.todo.pop() {
            self.parts.push(Part::of(structure, event));
            for cause in structure.causes(event) {
                if !configuration.contains_within(length, cause) && self.met.insert(cause) {
                    self.todo.push(cause);
                }
            }
        }
        self.parts[start..].sort_unstable_by_key(|part| part.name);
    }

    /// A rival, with what was missing of its history.
    #[inline]
    pub(crate) fn parts(&self, rival: u32) -> &[Part] {
        let start = if rival == 0 { 0 } else { self.rivals[rival as usize - 1] };
        &self.parts[start as usize..self.rivals[rival as usize] as usize]
    }

    #[inline]
    pub(crate) fn list(&self, list: List) -> &[u32] {
        &self.lists[list.0 as usize]
    }

    fn new_list(&mut self) -> List {
        List(self.free.pop().unwrap_or_else(|| {
            self.lists.push(Vec::new());
            self.lists.len() as u32 - 1
        }))
    }

    /// A list is not needed any more.
    #[inline]
    pub(crate) fn release(&mut self, list: List) {
        if list != List::EMPTY {
            self.lists[list.0 as usize].clear();
            self.free.push(list.0);
        }
    }

    /// A list of those rivals of another one that stay; none, if that is all of them.
    pub(crate) fn sift(&mut self, list: List, stays: impl Fn(&[Part]) -> bool) -> Option<List> {
        let length = self.lists[list.0 as usize].len();
        let first = (0..length).find(|&at| !stays(self.parts(self.lists[list.0 as usize][at])))?;
        let sifted = self.new_list();
        let mut rivals = std::mem::take(&mut self.lists[sifted.0 as usize]);
        let before = &self.lists[list.0 as usize];
        rivals.extend_from_slice(&before[..first]);
        rivals.extend(before[first + 1..].iter().copied().filter(|&rival| stays(self.parts(rival))));
        let is_empty = rivals.is_empty();
        self.lists[sifted.0 as usize] = rivals;
        if is_empty {
            self.release(sifted);
            return Some(List::EMPTY);
        }
        Some(sifted)
    }

    /// Another list of the same rivals.
    pub(crate) fn copy(&mut self, list: List) -> List {
        let copy = self.new_list();
        let mut rivals = std::mem::take(&mut self.lists[copy.0 as usize]);
        rivals.extend_from_slice(&self.lists[list.0 as usize]);
        self.lists[copy.0 as usize] = rivals;
        copy
    }

    /// Drops a rival from a list.
    #[inline]
    pub(crate) fn drop_from(&mut self, list: List, at: usize) {
        self.lists[list.0 as usize].swap_remove(at);
    }

    /// How much there is of rivals and their parts.
    #[inline]
    pub(crate) fn mark(&self) -> Mark {
        Mark { rivals: self.rivals.len() as u32, parts: self.parts.len() as u32 }
    }

    /// Forgets the rivals since a mark. No list has them any more.
    #[inline]
    pub(crate) fn forget(&mut self, mark: Mark) {
        self.rivals.truncate(mark.rivals as usize);
        self.parts.truncate(mark.parts as usize);
    }

    /// All events that are rivals, or parts of their histories that are not known to be in the
    /// configuration; of the execution's first events, so many.
    pub(crate) fn events(&self, positions: usize) -> impl Iterator<Item = Name> + '_ {
        let growing =
            self.growing[..positions].iter().flat_map(|growing| &growing.rivals).map(|rival| rival.event.name);
        growing.chain(self.parts.iter().map(|part| part.name))
    }

    /// Nothing can come instead of anything.
    #[cold]
    pub(crate) fn lose_all(&mut self) {
        self.growing.iter_mut().for_each(|growing| growing.rivals.clear());
        self.lists.iter_mut().for_each(Vec::clear);
        self.parts.clear();
        self.rivals.iter_mut().for_each(|end| *end = 0);
    }

    /// The events have got new names. Only the execution's first events, so many, are of interest.
    pub(crate) fn rename(&mut self, positions: usize, renamed: &[u32]) {
        for growing in &mut self.growing[positions..] {
            growing.rivals.clear();
        }
        let growing =
            self.growing.iter_mut().flat_map(|growing| &mut growing.rivals).map(|rival| &mut rival.event.name);
        for name in growing.chain(self.parts.iter_mut().map(|part| &mut part.name)) {
            *name = Name(renamed[name.index()]);
        }
        self.noted.clear();
    }
}
