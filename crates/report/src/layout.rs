//! The timeline as text: columns where they fit, a list where they do not.

use mazurka_machine::Place;

use crate::columns::{self, Columns};
use crate::fold;
use crate::list;
use crate::text::{Line, Style, Text, wrap};
use crate::view::{DataRace, Failure, Step, Switch, Timeline, Waiter};
use crate::words::{grouped, standstill_name};

/// How a timeline is laid out.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// The number of characters of a line.
    pub width: usize,
    /// Show every step.
    pub full: bool,
}

/// A timeline as text: one column for each process, or a list where there are too many for the
/// width.
pub fn timeline_text(timeline: &Timeline, layout: &Layout) -> Text {
    let rows = fold::rows(timeline, layout.full);
    let gutter = Gutter::new(timeline);
    let mut text = match Columns::fit(timeline, gutter, layout.width) {
        Some(columns) => columns::render(timeline, &rows, &columns),
        None => list::render(timeline, &rows, &gutter, layout.width),
    };
    if !timeline.waiting.is_empty() {
        text.append(waiting_text(timeline, gutter.files, layout.width));
    }
    for race in &timeline.races {
        text.append(race_text(race, layout.width));
    }
    if !timeline.output.is_empty() {
        text.append(output_text(&timeline.output, layout));
    }
    text
}

/// The widths of what stands in front of each row: the number of the step, and its line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gutter {
    number: usize,
    line: usize,
    /// The program has several files: lines are shown with their file.
    files: bool,
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
fn line_of(place: &Place, files: bool) -> String {
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

/// How many steps of a timeline are left out, unless it is shown in full.
pub fn steps_left_out(timeline: &Timeline) -> usize {
    fold::rows(timeline, false).iter().map(fold::Row::left_out).sum()
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

/// Who waits for what at the end, and in which circle.
fn waiting_text(timeline: &Timeline, files: bool, width: usize) -> Text {
    let waiting = timeline.waiting.as_slice();
    let mut text = Text::default();
    text.gap();
    let who = if timeline.is_early { "these wait for each other, whatever the others do" } else { "nobody can move" };
    text.push(Line::new().with(Style::Bad, format!("✗ {}: {who}", standstill_name(waiting))));
    let names = waiting.iter().map(|waiter| waiter.process.chars().count()).max().unwrap_or(0);
    for waiter in waiting {
        let name = format!("{:<names$}", waiter.process);
        let words = waiting_words(waiter, files);
        for (position, piece) in wrap(&words, width.saturating_sub(names + 4).max(20)).into_iter().enumerate() {
            let name = if position == 0 { name.clone() } else { " ".repeat(names) };
            let line = Line::new().with(Style::Plain, "  ").with(Style::Strong, name);
            text.push(line.with(Style::Plain, format!("  {piece}")));
        }
    }
    if let Some(circle) = circle(waiting).filter(|circle| circle.len() > 2) {
        let words = format!("circle of waiting: {}", circle.join(" → "));
        for piece in wrap(&words, width.saturating_sub(2).max(20)) {
            text.push(Line::new().with(Style::Plain, format!("  {piece}")));
        }
    }
    text
}

fn waiting_words(waiter: &Waiter, files: bool) -> String {
    let verb = if waiter.spins { "goes round in a loop" } else { "waits" };
    let line = if files { "" } else { "line " };
    let at = format!("{verb} at {line}{}: {}", line_of(&waiter.place, files), waiter.place.text.trim_end_matches(';'));
    if let Some(reason) = &waiter.reason {
        return format!("{at}, {reason}");
    }
    if let Some(holder) = &waiter.holder {
        let mutex = waiter.waits_for.first().map_or("the mutex", |(name, _)| name.as_str());
        let holder = if *holder == waiter.process { "itself" } else { holder };
        return format!("{at}, but {mutex} is held by {holder}");
    }
    let values: Vec<String> = waiter.waits_for.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    if values.is_empty() { at } else { format!("{at}, while {}", values.join(", ")) }
}

/// The two sides of a data race.
fn race_text(race: &DataRace, width: usize) -> Text {
    let mut text = Text::default();
    text.gap();
    for (position, piece) in wrap(&race.failure.message, width.saturating_sub(2).max(20)).into_iter().enumerate() {
        let mark = if position == 0 { "✗ " } else { "  " };
        text.push(Line::new().with(Style::Bad, format!("{mark}{piece}")));
    }
    let names = race.sides.iter().map(|(process, _)| process.chars().count()).max().unwrap_or(0);
    for (process, place) in &race.sides {
        let line = Line::new().with(Style::Plain, "  ").with(Style::Strong, format!("{process:<names$}"));
        let words = format!("  is about to run {}:{}: {}", place.file, place.line, place.text);
        text.push(line.with(Style::Plain, words));
    }
    text
}

/// Of longer outputs only so many lines are shown, the last ones.
const OUTPUT_LINES: usize = 40;

/// What the program printed.
fn output_text(output: &str, layout: &Layout) -> Text {
    let mut text = Text::default();
    text.gap();
    text.push(Line::new().with(Style::Plain, "printed so far:"));
    let lines: Vec<&str> = output.lines().collect();
    let hidden = if layout.full { 0 } else { lines.len().saturating_sub(OUTPUT_LINES) };
    if hidden > 0 {
        text.push(Line::new().with(Style::Dim, format!("  │ … {} more lines", grouped(hidden as u64))));
    }
    for line in &lines[hidden..] {
        // A control character could do anything to a terminal.
        let line: String = line.chars().map(|c| if c.is_control() && c != '\t' { '\u{fffd}' } else { c }).collect();
        text.push(Line::new().with(Style::Dim, "  │ ").with(Style::Plain, line));
    }
    text
}

/// A circle of processes each of which holds what the one before it waits for; the first stands at
/// the end again.
fn circle(waiting: &[Waiter]) -> Option<Vec<&str>> {
    let next = |name: &str| waiting.iter().find(|waiter| waiter.process == name)?.holder.as_deref();
    let mut path: Vec<&str> = Vec::new();
    for start in waiting.iter().map(|waiter| waiter.process.as_str()) {
        path.clear();
        path.push(start);
        while let Some(holder) = next(path[path.len() - 1]) {
            path.push(holder);
            if holder == start {
                return Some(path);
            }
            if path.len() > waiting.len() {
                break;
            }
        }
    }
    None
}
