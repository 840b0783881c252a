//! What tables and lists of steps are put together from.

use mazurka_machine::Place;

use crate::text::{Line, Style, wrap};
use crate::view::{Failure, Step, Switch, Timeline};
use crate::words::grouped;

/// The widths of what stands in front of each row: the number of the step, and its line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gutter {
    number: usize,
    line: usize,
    /// The program has several files: lines are shown with their file.
    pub(crate) files: bool,
}

impl Gutter {
    pub(crate) fn new(timeline: &Timeline) -> Self {
        let digits = |number: Option<usize>| number.unwrap_or(0).to_string().len();
        let numbers = timeline.steps.iter().filter_map(|step| step.number);
        let mut files = timeline.steps.iter().map(|step| &step.place.file);
        let files = files.next().is_some_and(|first| files.any(|file| file != first));
        let lines = timeline.steps.iter().map(|step| line_of(&step.place, files).chars().count());
        let line = lines.max().unwrap_or(0).max("line".len());
        Self { number: digits(numbers.max()).max("step".len()), line, files }
    }

    pub(crate) fn width(&self) -> usize {
        self.number + self.line + 4
    }

    pub(crate) fn header(&self) -> String {
        format!(" {:>1$}  {2:>3$} ", "step", self.number, "line", self.line)
    }

    pub(crate) fn step(&self, step: &Step) -> Line {
        let number = step.number.map_or_else(String::new, |number| number.to_string());
        let mark = if step.failures.is_empty() { " " } else { "✗" };
        let text = format!("{:>1$}  {2:>3$} ", number, self.number, line_of(&step.place, self.files), self.line);
        let style = if step.failures.is_empty() { Style::Dim } else { Style::Bad };
        Line::new().with(Style::Bad, mark).with(style, text)
    }

    pub(crate) fn blank(&self) -> Line {
        Line::new().with(Style::Plain, " ".repeat(self.width()))
    }
}

/// The line of a place, with the name of its file where that is needed.
pub(crate) fn line_of(place: &Place, files: bool) -> String {
    let file = place.file.rsplit('/').next().filter(|_| files);
    file.map_or_else(|| place.line.to_string(), |file| format!("{file}:{}", place.line))
}

/// Why a process stops, in a word.
pub(crate) fn switch_word(switch: Switch) -> &'static str {
    match switch {
        Switch::Stays => "goes on",
        Switch::Ended => "ends",
        Switch::Waits => "waits",
        Switch::Preempted => "preempted",
    }
}

/// The style of a switch.
pub(crate) fn switch_style(switch: Switch) -> Style {
    if switch == Switch::Preempted { Style::Preemption } else { Style::Dim }
}

/// How many steps were left out, in words.
pub(crate) fn folded_words(count: usize) -> String {
    format!("… {} more steps", grouped(count as u64))
}

/// A line for steps that were left out of the middle.
pub(crate) fn skipped(count: usize, width: usize) -> Line {
    let words = format!("⋯⋯⋯⋯ {} more steps ", grouped(count as u64));
    let rest = width.saturating_sub(words.chars().count());
    Line::new().with(Style::Dim, words + &"⋯".repeat(rest))
}

/// The failures of a step, below its row.
pub(crate) fn failure_lines(step: &Step, indent: usize, width: usize) -> Vec<Line> {
    let room = width.saturating_sub(indent + 2).max(20);
    let mut lines = Vec::new();
    for failure in &step.failures {
        for (position, piece) in wrap(&failure_words(failure, step), room).into_iter().enumerate() {
            let mark = if position == 0 { "✗ " } else { "  " };
            lines.push(Line::new().with(Style::Plain, " ".repeat(indent)).with(Style::Bad, format!("{mark}{piece}")));
        }
    }
    lines
}

/// The failure in a sentence, with its line where that is not the step's.
fn failure_words(failure: &Failure, step: &Step) -> String {
    if failure.place.line == step.place.line {
        return failure.message.clone();
    }
    format!("{} (line {})", failure.message, failure.place.line)
}
