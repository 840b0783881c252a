//! The timeline as text: columns where they fit, a list where they do not.

use crate::columns::{self, Columns};
use crate::fold;
use crate::list;
use crate::pieces::{Gutter, line_of};
use crate::text::{Line, Style, Text, wrap};
use crate::view::{DataRace, Timeline, Waiter, standstill_name};
use crate::words::grouped;

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

/// How many steps of a timeline are left out, unless it is shown in full.
pub fn steps_left_out(timeline: &Timeline) -> usize {
    fold::rows(timeline, false).iter().map(fold::Row::left_out).sum()
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
