//! What a check found, as data.

use mazurka_explore::Plan;
use mazurka_machine::Ends;
use mazurka_report::{Bounds, NamedStep, Timeline};
use mazurka_trace::{Explanation, Outcome, Verdict, Violation};

/// What a check found.
pub struct Checked {
    /// The outcome.
    pub outcome: Outcome,
    /// What ran, and why.
    pub plan: Plan,
    /// How many threads explored.
    pub threads: usize,
    /// The limits that were set.
    pub bounds: Bounds,
    /// Its violations, in the same order, each with an execution that shows it.
    pub shown: Vec<Timeline>,
    /// What else there is to say of what was explored.
    pub notes: Vec<String>,
    /// The drawing of the unfolding for Graphviz, if one was requested; or how many events it would
    /// have had.
    pub drawing: Option<Result<String, u64>>,
    /// The states in which executions end, for actors.
    pub ends: Ends,
    /// For each of them, who steps in its first execution.
    pub schedules: Vec<Vec<String>>,
    /// The executions that were requested.
    pub traces: Vec<Trace>,
    /// What was left out, and why, if somebody asked.
    pub explanation: Option<Vec<Explanation<String, String, String>>>,
}

impl Checked {
    /// Whether some schedule fails.
    pub fn verdict(&self) -> Verdict {
        self.outcome.verdict()
    }

    /// Each violation with how many executions show it, and one of them.
    pub fn violations(&self) -> impl Iterator<Item = (&Violation, &Timeline)> {
        self.outcome.violations.iter().zip(&self.shown)
    }
}

/// An execution that was requested.
pub struct Trace {
    /// Its number, from 1.
    pub number: u64,
    /// Which of the final states it ends in.
    pub state: Option<usize>,
    /// What happens in it.
    pub timeline: Timeline,
}

impl Trace {
    /// What it is, in a line.
    pub fn heading(&self) -> String {
        let state = self.state.map_or_else(String::new, |state| format!(": ends in state {}", state + 1));
        format!("execution {}{state}", self.number)
    }
}

/// A timeline's schedule: who steps, and with which choices, by name.
pub fn schedule(timeline: &Timeline) -> Vec<NamedStep> {
    let steps = timeline.steps.iter().filter(|step| step.column.is_some());
    steps.map(|step| NamedStep { process: step.process.clone(), choices: step.choices.clone() }).collect()
}
