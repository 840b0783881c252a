//! Canonical forms of Mazurkiewicz traces.

/// The Foata normal form of an execution: equal for two executions exactly when they are
/// equivalent, that is, when one becomes the other by swapping neighbours that are independent.
///
/// An event's level is one more than the highest level among the earlier events it depends on.
/// Events of one level are independent of each other, so of different processes, and are put in the
/// order of their processes' names. An event is told by its process and by the data choices it
/// made; which of its process's events it is follows from the order of the levels, and what it did
/// follows from everything below it.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Form(Box<[u64]>);

/// What a form says of one event.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Label<'a> {
    pub(crate) level: u32,
    pub(crate) name: u64,
    pub(crate) choices: &'a [mazurka_trace::Choice],
}

impl Form {
    /// The form of the events with these labels, given in any order.
    pub(crate) fn new(labels: &mut [Label<'_>]) -> Form {
        labels.sort_unstable_by_key(|label| (label.level, label.name));
        let mut words = Vec::with_capacity(labels.len() * 2);
        for label in labels {
            words.push(u64::from(label.level) << 32 | label.choices.len() as u64);
            words.push(label.name);
            words.extend(label.choices.iter().map(|choice| choice.value as u64));
        }
        Form(words.into_boxed_slice())
    }

    /// The form of any order on events, in which those of one process are ordered: for each event,
    /// told by its process and which of its events it is, how many events of each process come
    /// before it.
    pub(crate) fn of_order<'a>(
        names: &[u64],
        before: &[Vec<bool>],
        choices: impl Fn(usize) -> &'a [mazurka_trace::Choice],
    ) -> Form {
        let mut events: Vec<usize> = (0..names.len()).collect();
        events.sort_by_key(|&event| (names[event], event));
        let mut words = Vec::new();
        for &event in &events {
            words.push(names[event]);
            words.extend(choices(event).iter().map(|choice| choice.value as u64));
            words.extend(events.iter().filter(|&&other| before[other][event]).map(|&other| names[other]));
            words.push(u64::MAX);
        }
        Form(words.into_boxed_slice())
    }
}
