//! Labels for the data choices that events make.

use mazurka_trace::{Choice, ProcessId, Value};
use rustc_hash::FxHashMap;

/// The data choices of one event, as a number: equal numbers, equal choices (from equal ranges).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Label(u32);

impl Label {
    /// No choice was made.
    pub(crate) const NONE: Label = Label(0);
}

/// Which data choices a step is to make.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Script {
    /// The lowest value everywhere: the first variant of the step.
    First,
    /// Exactly these.
    Exactly(Label),
    /// The variant that comes after the one with these choices.
    After(Label),
}

/// A step to take: who, and with which data choices.
pub(crate) type Step = (ProcessId, Script);

/// The table of labels. It grows with the number of different choices made, not with the number of events.
#[derive(Debug, Default)]
pub(crate) struct Choices {
    /// The choices of each label but `NONE`.
    lists: Vec<Vec<Choice>>,
    numbers: FxHashMap<Vec<Choice>, u32>,
    /// The values last asked for.
    values: Vec<Value>,
}

impl Choices {
    /// The label of these choices.
    #[inline]
    pub(crate) fn label(&mut self, choices: &[Choice]) -> Label {
        if choices.is_empty() { Label::NONE } else { self.look_up(choices) }
    }

    fn look_up(&mut self, choices: &[Choice]) -> Label {
        if let Some(&number) = self.numbers.get(choices) {
            return Label(number);
        }
        self.lists.push(choices.to_vec());
        let number = self.lists.len() as u32;
        self.numbers.insert(choices.to_vec(), number);
        Label(number)
    }

    fn list(&self, label: Label) -> &[Choice] {
        if label == Label::NONE { &[] } else { &self.lists[label.0 as usize - 1] }
    }

    /// The values of a label.
    pub(crate) fn values(&self, label: Label) -> impl Iterator<Item = Value> + '_ {
        self.list(label).iter().map(|choice| choice.value)
    }

    /// Whether a step that made these choices has another variant after this one.
    #[inline]
    pub(crate) fn has_next(&self, label: Label) -> bool {
        label != Label::NONE && self.list(label).iter().any(|choice| choice.value < choice.high)
    }

    /// The values to give to a step.
    ///
    /// The variants of a step are the leaves of a tree of choices; the next leaf in order keeps all choices up to the last
    /// one that can be raised, raises that, and leaves the rest open.
    #[inline]
    pub(crate) fn script(&mut self, script: Script) -> &[Value] {
        match script {
            Script::First | Script::Exactly(Label::NONE) => &[],
            Script::Exactly(label) => self.values_of(label, false),
            Script::After(label) => self.values_of(label, true),
        }
    }

    fn values_of(&mut self, label: Label, next: bool) -> &[Value] {
        self.values.clear();
        self.values.extend(self.lists[label.0 as usize - 1].iter().map(|choice| choice.value));
        if next {
            let raised = self.list(label).iter().rposition(|choice| choice.value < choice.high);
            let raised = raised.expect("asked for only where there is a next variant");
            self.values.truncate(raised + 1);
            self.values[raised] += 1;
        }
        &self.values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Variants of a step whose second choice depends on the first are enumerated, each once.
    #[test]
    fn variants_are_the_leaves_of_a_tree() {
        let step = |script: &[Value]| {
            let first = script.first().copied().unwrap_or(0);
            let mut made = vec![Choice { value: first, low: 0, high: 2 }];
            if first != 1 {
                made.push(Choice { value: script.get(1).copied().unwrap_or(5), low: 5, high: 5 + first });
            }
            made
        };
        let mut choices = Choices::default();
        let mut seen = Vec::new();
        let mut script = Script::First;
        loop {
            let made = step(choices.script(script));
            let label = choices.label(&made);
            seen.push(choices.values(label).collect::<Vec<_>>());
            if !choices.has_next(label) {
                break;
            }
            script = Script::After(label);
        }
        assert_eq!(seen, [vec![0, 5], vec![1], vec![2, 5], vec![2, 6], vec![2, 7]]);
    }
}
