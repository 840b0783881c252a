//! The execution under way: its events, and the level of each.

use mazurka_machine::Describe;
use mazurka_trace::{Ending, Event, Schedule, Scheduled};

use crate::dependence::dependent;
use crate::form::{Form, Label};
use crate::names::Names;

/// The events of the current execution, with each one's level in the Foata normal form.
#[derive(Debug, Default)]
pub(crate) struct Path {
    events: Vec<Event>,
    levels: Vec<u32>,
}

impl Path {
    pub(crate) fn events(&self) -> &[Event] {
        &self.events
    }

    /// Appends an event. An event's level depends on what came before alone, so it is computed
    /// once, here.
    pub(crate) fn push(&mut self, event: &Event) {
        let below = self.events.iter().zip(&self.levels).filter(|(earlier, _)| dependent(earlier, event));
        let level = below.map(|(_, &level)| level + 1).max().unwrap_or(0);
        self.events.push(event.clone());
        self.levels.push(level);
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        self.events.truncate(len);
        self.levels.truncate(len);
    }

    /// Whether the last event ended the execution.
    pub(crate) fn halted(&self) -> bool {
        self.events.last().is_some_and(|event| matches!(event.ending, Ending::Halts | Ending::OutOfFuel))
    }

    /// Whether an assumption failed.
    pub(crate) fn discarded(&self) -> bool {
        self.events.iter().any(|event| event.ending == Ending::Discards)
    }

    /// Whether some process came to an untimely end: then how the execution ends says nothing.
    pub(crate) fn cut_short(&self) -> bool {
        self.events.iter().any(|event| event.ending.cuts_short())
    }

    /// The number of events proper: steps of local code alone are none.
    pub(crate) fn visible(&self) -> usize {
        self.events.iter().filter(|event| !event.is_local).count()
    }

    pub(crate) fn form(&self, names: &mut Names, describe: &impl Describe) -> Form {
        let labelled = self.events.iter().zip(&self.levels);
        let mut labels: Vec<Label<'_>> = labelled
            .map(|(event, &level)| Label {
                level,
                name: names.get(describe, event.process).hash,
                choices: &event.choices,
            })
            .collect();
        Form::new(&mut labels)
    }

    pub(crate) fn schedule(&self) -> Schedule {
        let values = |event: &Event| event.choices.iter().map(|choice| choice.value).collect();
        self.events.iter().map(|event| Scheduled { process: event.process, choices: values(event) }).collect()
    }
}
