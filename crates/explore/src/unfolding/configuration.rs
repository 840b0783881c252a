//! Configurations: sets of events that can happen together, with the history of each.
//!
//! A configuration is kept as a stack, in an order in which its events can happen, and as a set.
//!
//! Cost: adding and taking back an event, and asking for it, take constant time.

use crate::unfolding::ROOM;
use crate::unfolding::structure::Name;

/// A set of events that can happen together.
#[derive(Debug)]
pub(crate) struct Configuration {
    events: Vec<Name>,
    /// For each event of the structure, which one of the members it is, from 1 on; or 0.
    members: Vec<u32>,
}

impl Default for Configuration {
    fn default() -> Self {
        Self { events: Vec::with_capacity(ROOM), members: vec![0; ROOM] }
    }
}

impl Configuration {
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.events.len()
    }

    /// Its events, in the order in which they were added.
    #[inline]
    pub(crate) fn events(&self) -> &[Name] {
        &self.events
    }

    #[inline]
    pub(crate) fn contains(&self, event: Name) -> bool {
        self.members.get(event.index()).copied().unwrap_or(0) != 0
    }

    /// Whether an event is among the first members, so many.
    #[inline]
    pub(crate) fn contains_within(&self, length: usize, event: Name) -> bool {
        // One that is no member comes after all of them.
        let member = self.members.get(event.index()).copied().unwrap_or(0);
        (member.wrapping_sub(1) as usize) < length
    }

    /// Adds an event whose history is part of the configuration, and which nothing in it conflicts
    /// with.
    #[inline]
    pub(crate) fn push(&mut self, event: Name) {
        if event.index() >= self.members.len() {
            let room = event.index() + 1 + event.index() / 2;
            self.members.resize(room, 0);
        }
        self.events.push(event);
        self.members[event.index()] = self.events.len() as u32;
    }

    /// Takes the newest event back.
    #[inline]
    pub(crate) fn pop(&mut self) -> Name {
        let event = self.events.pop().expect("there is an event to take back");
        self.members[event.index()] = 0;
        event
    }

    /// Takes the newest events back until so many are left.
    pub(crate) fn truncate(&mut self, length: usize) {
        while self.events.len() > length {
            self.pop();
        }
    }

    /// The events have got new names.
    pub(crate) fn rename(&mut self, renamed: &[u32]) {
        let events: Vec<Name> = self.events.iter().map(|name| Name(renamed[name.index()])).collect();
        *self = Configuration::default();
        for event in events {
            self.push(event);
        }
    }
}
