//! What engines know steps by: numbers for the choices that a step makes, for what it uses, and for
//! the processes whose ends it waits for.

use mazurka_relation::{Footprint, Footprints};
use mazurka_trace::{Event, ProcessId};

use crate::choices::{ChoiceId, Choices};
use crate::execution::Record;

/// One way for a step to go: the choices it makes and what it uses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Variant {
    pub(crate) choice: ChoiceId,
    pub(crate) footprint: Footprint,
    /// The processes whose ends it waits for: see [`Names::joined`].
    joined: Joined,
}

/// A list of processes whose ends a step waits for, by number. That can differ between the variants
/// of a step: to join a thread that is detached is an error that waits for nobody.
#[derive(Clone, Copy, Debug, Default)]
struct Joined(u32);

impl Variant {
    /// A step that waits for nobody, or of which nobody requests whom.
    #[inline]
    pub(crate) fn new(choice: ChoiceId, footprint: Footprint) -> Variant {
        Variant { choice, footprint, joined: Joined::default() }
    }

    /// The step as it was, likewise.
    #[inline]
    pub(crate) fn of(record: &Record) -> Variant {
        Variant::new(record.choice, record.footprint)
    }
}

/// The tables of these numbers. They grow with the number of different entries, not with the number
/// of events.
#[derive(Debug, Default)]
pub(crate) struct Names {
    pub(crate) footprints: Footprints,
    pub(crate) choices: Choices,
    /// The lists of processes whose ends steps wait for.
    joined: Vec<Vec<ProcessId>>,
}

impl Names {
    /// The variant that an event is.
    #[inline(always)]
    pub(crate) fn variant(&mut self, event: &Event) -> Variant {
        let choice = self.choices.number(&event.choices);
        let footprint = self.footprints.of(event.site, &event.accesses);
        let joined = if event.joined.is_empty() { Joined::default() } else { self.join_list(&event.joined) };
        Variant { choice, footprint, joined }
    }

    /// The number of a list of processes whose ends an event waited for.
    #[cold]
    fn join_list(&mut self, joined: &[ProcessId]) -> Joined {
        let known = self.joined.iter().position(|list| list == joined);
        let number = known.unwrap_or_else(|| {
            self.joined.push(joined.to_vec());
            self.joined.len() - 1
        });
        Joined(number as u32 + 1)
    }

    /// The processes whose ends a variant waits for.
    pub(crate) fn joined(&self, variant: Variant) -> &[ProcessId] {
        variant.joined.0.checked_sub(1).map_or(&[], |number| &self.joined[number as usize])
    }
}
