//! Numbers for the data choices that events make.

use mazurka_trace::{Choice, ProcessId, Value};
use rustc_hash::FxHashMap;

/// The data choices of one event, as a number: equal numbers, equal choices (from equal ranges).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct ChoiceId(u32);

impl ChoiceId {
    /// No choice was made.
    pub(crate) const NONE: ChoiceId = ChoiceId(0);
}

/// Which data choices a step is to make.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Script {
    /// The lowest value everywhere: the first variant of the step.
    First,
    /// Exactly these.
    Exactly(ChoiceId),
    /// The variant that comes after the one with these choices.
    After(ChoiceId),
}

/// A step to take: who, and with which data choices.
pub(crate) type Step = (ProcessId, Script);

/// The table of these numbers. It grows with the number of different choices made, not with the
/// number of events.
#[derive(Debug, Default)]
pub(crate) struct Choices {
    /// The choices of each number but `NONE`.
    lists: Vec<Vec<Choice>>,
    numbers: FxHashMap<Vec<Choice>, u32>,
    /// The values last requested.
    values: Vec<Value>,
}

impl Choices {
    /// The number of these choices.
    #[inline]
    pub(crate) fn number(&mut self, choices: &[Choice]) -> ChoiceId {
        if choices.is_empty() { ChoiceId::NONE } else { self.look_up(choices) }
    }

    fn look_up(&mut self, choices: &[Choice]) -> ChoiceId {
        if let Some(&number) = self.numbers.get(choices) {
            return ChoiceId(number);
        }
        self.lists.push(choices.to_vec());
        let number = self.lists.len() as u32;
        self.numbers.insert(choices.to_vec(), number);
        ChoiceId(number)
    }

    /// The choices of a number.
    pub(crate) fn list(&self, choice: ChoiceId) -> &[Choice] {
        if choice == ChoiceId::NONE { &[] } else { &self.lists[choice.0 as usize - 1] }
    }

    /// The values of the choices.
    pub(crate) fn values(&self, choice: ChoiceId) -> impl Iterator<Item = Value> + '_ {
        self.list(choice).iter().map(|choice| choice.value)
    }

    /// Whether a step that made these choices has another variant after this one.
    #[inline]
    pub(crate) fn has_next(&self, choice: ChoiceId) -> bool {
        choice != ChoiceId::NONE && self.list(choice).iter().any(|choice| choice.value < choice.high)
    }

    /// The values to give to a step.
    ///
    /// The variants of a step are the leaves of a tree of choices; the next leaf in order keeps all
    /// choices up to the last one that can be raised, raises that, and leaves the rest open.
    #[inline]
    pub(crate) fn script(&mut self, script: Script) -> &[Value] {
        match script {
            Script::First | Script::Exactly(ChoiceId::NONE) => &[],
            Script::Exactly(choice) => self.values_of(choice, false),
            Script::After(choice) => self.values_of(choice, true),
        }
    }

    fn values_of(&mut self, choice: ChoiceId, next: bool) -> &[Value] {
        self.values.clear();
        self.values.extend(self.lists[choice.0 as usize - 1].iter().map(|choice| choice.value));
        if next {
            let raised = self.list(choice).iter().rposition(|choice| choice.value < choice.high);
            let raised = raised.expect("requested only where there is a next variant");
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
            let choice = choices.number(&made);
            seen.push(choices.values(choice).collect::<Vec<_>>());
            if !choices.has_next(choice) {
                break;
            }
            script = Script::After(choice);
        }
        assert_eq!(seen, [vec![0, 5], vec![1], vec![2, 5], vec![2, 6], vec![2, 7]]);
    }
}
