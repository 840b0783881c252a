//! Immediate conflicts: two events each of which could happen after what precedes the other.
//!
//! They are those that use a location after the same change of it, not both of them reads; variants of one step; and events that end the
//! execution, with everything. If some configuration contains C and is maximal without the disabled events D, then for each event of D the
//! first event in it that depends on that one is in immediate conflict with it.

use mazurka_relation::Footprint;

use crate::choices::Label;
use crate::unfolding::structure::{NONE, Name, Structure};
use crate::unfolding::uses::Group;

/// A walk through the events in immediate conflict with one event.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spike {
    event: Name,
    stage: Stage,
}

#[derive(Clone, Copy, Debug)]
enum Stage {
    /// The uses of the same location as the event's use with this number, by other processes; the next group of them is given, and the next use of the
    /// current one.
    Uses(u32, u32, u32),
    /// Variants of the same step; the next one is given.
    Variants(Option<Name>),
    /// Events that end the execution: the next one has this number.
    Halts(usize),
    /// What follows the event of the configuration at the position before this one; the next one is given.
    Instead(usize, Option<Name>),
}

impl Spike {
    #[inline]
    pub(crate) fn new(structure: &Structure, event: Name) -> Self {
        let stage = if structure.event(event).footprint == Footprint::HALT {
            Stage::Instead(0, structure.newest_after(None))
        } else {
            Self::uses(structure, event, 0)
        };
        Self { event, stage }
    }

    /// The stage that begins with this use of the event.
    #[inline]
    fn uses(structure: &Structure, event: Name, number: u32) -> Stage {
        match structure.uses(event).get(number as usize) {
            Some(used) => Stage::Uses(number, structure.uses.first_group(used), NONE),
            None if structure.event(event).label != Label::NONE => {
                Stage::Variants(structure.newest_after(structure.event(event).previous()))
            }
            None => Stage::Halts(0),
        }
    }

    /// The next event in conflict. Some are given twice, and some that are not in conflict, because the event is part of their history.
    #[inline]
    pub(crate) fn next(&mut self, structure: &Structure, members: &[Name]) -> Option<Name> {
        loop {
            match self.look(structure, members, |_| false) {
                Look::Rival(rival) => return Some(rival),
                Look::Nobody => {}
                Look::End => return None,
            }
        }
    }

    /// Looks at the next event. Those of a process that has gone past all of them are passed over.
    #[inline]
    pub(crate) fn look(&mut self, structure: &Structure, members: &[Name], is_past: impl Fn(&Group) -> bool) -> Look {
        let event = self.event;
        let rival = |name: Name, is_it: bool| if is_it { Look::Rival(name) } else { Look::Nobody };
        match self.stage {
            Stage::Uses(number, NONE, NONE) => {
                self.stage = Self::uses(structure, event, number + 1);
                Look::Nobody
            }
            Stage::Uses(number, group, NONE) => {
                let group = structure.uses.group(group);
                let own = group.process == structure.event(event).process;
                let newest = if own || is_past(group) { NONE } else { group.newest };
                self.stage = Stage::Uses(number, group.next, newest);
                Look::Nobody
            }
            Stage::Uses(number, group, next) => {
                self.stage = Stage::Uses(number, group, structure.uses.older(next));
                let (own, other) = (&structure.uses(event)[number as usize], structure.used(next));
                rival(other.event, !(own.kind.is_read() && other.kind.is_read()))
            }
            Stage::Variants(None) => {
                self.stage = Stage::Halts(0);
                Look::Nobody
            }
            Stage::Variants(Some(next)) => {
                self.stage = Stage::Variants(structure.older_sibling(next));
                let (own, other) = (structure.event(event), structure.event(next));
                rival(next, own.process == other.process && own.label != other.label)
            }
            Stage::Halts(number) => match structure.halts().get(number) {
                Some(&halt) => {
                    self.stage = Stage::Halts(number + 1);
                    Look::Rival(halt)
                }
                None => Look::End,
            },
            Stage::Instead(position, None) => match members.get(position) {
                Some(&member) => {
                    self.stage = Stage::Instead(position + 1, structure.newest_after(Some(member)));
                    Look::Nobody
                }
                None => Look::End,
            },
            Stage::Instead(position, Some(next)) => {
                self.stage = Stage::Instead(position, structure.older_sibling(next));
                rival(next, next != event)
            }
        }
    }
}

/// What a look at an event says.
pub(crate) enum Look {
    /// It is in conflict.
    Rival(Name),
    /// It is not.
    Nobody,
    /// There was none left.
    End,
}
