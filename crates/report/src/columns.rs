//! The timeline with one column for each process.

use crate::effects::phrases;
use crate::fold::Row;
use crate::pieces::{Gutter, failure_lines, folded_words, skipped, switch_style, switch_word};
use crate::text::{Line, Style, Text, wrap};
use crate::view::{Step, Switch, Timeline};

/// A narrower column holds no statement worth reading.
const NARROWEST: usize = 14;

/// A column that is narrower than its contents is at least so wide: otherwise the timeline is
/// easier to read as a list.
const READABLE: usize = 24;

/// A column is at least so wide if there is room.
const COMFORTABLE: usize = 16;

/// The gutter and the widths of the columns' contents.
pub(crate) struct Columns {
    gutter: Gutter,
    widths: Vec<usize>,
}

impl Columns {
    /// Columns for a timeline, if they fit the width.
    pub(crate) fn fit(timeline: &Timeline, gutter: Gutter, width: usize) -> Option<Columns> {
        let count = timeline.processes.len();
        // Each column stands between a rule and a space to the left, and a space to the right.
        let room = width.checked_sub(gutter.width() + 3 * count)?;
        if count == 0 || room / count < NARROWEST {
            return None;
        }
        let natural = natural(timeline);
        let widths = shares(natural.clone(), room);
        let readable = widths.iter().zip(natural).all(|(&width, natural)| width >= natural.min(READABLE));
        readable.then_some(Columns { gutter, widths })
    }

    fn width(&self) -> usize {
        self.gutter.width() + self.widths.iter().map(|width| width + 3).sum::<usize>()
    }
}

/// How wide each column would like to be.
fn natural(timeline: &Timeline) -> Vec<usize> {
    let length = |text: &str| text.chars().count();
    let mut widths: Vec<usize> = timeline.processes.iter().map(|name| length(name).max(COMFORTABLE)).collect();
    for step in &timeline.steps {
        let Some(column) = step.column else { continue };
        let effects = phrases(step).iter().map(|phrase| length(phrase) + 2).max().unwrap_or(0);
        widths[column] = widths[column].max(length(&step.place.text)).max(effects);
    }
    widths
}

/// Cuts the widest columns down until all fit.
fn shares(mut widths: Vec<usize>, room: usize) -> Vec<usize> {
    while widths.iter().sum::<usize>() > room {
        let excess = widths.iter().sum::<usize>() - room;
        let widest = widths.iter().copied().max().unwrap_or(0);
        let next = widths.iter().copied().filter(|&width| width < widest).max().unwrap_or(NARROWEST);
        let sharing = widths.iter().filter(|&&width| width == widest).count();
        let cut = (widest - next).min(excess.div_ceil(sharing)).max(1);
        for width in widths.iter_mut().filter(|width| **width == widest) {
            *width -= cut;
        }
    }
    widths
}

/// Lays the rows out.
pub(crate) fn render(timeline: &Timeline, rows: &[Row], columns: &Columns) -> Text {
    let mut text = Text::default();
    text.push(header(timeline, columns));
    text.push(rule(columns, None, Style::Dim, ['─', '┼']));
    for row in rows {
        match *row {
            Row::Step(step) => push_step(&mut text, &timeline.steps[step], columns),
            Row::Switch(from, switch) => text.push(switch_rule(columns, from, switch)),
            Row::Skipped(count) => text.push(skipped(count, columns.width())),
            Row::Folded(column, count) => {
                for piece in wrap(&folded_words(count), columns.widths[column]) {
                    let cell = Line::new().with(Style::Dim, piece);
                    text.push(cell_line(columns, columns.gutter.blank(), column, cell));
                }
            }
        }
    }
    text
}

fn header(timeline: &Timeline, columns: &Columns) -> Line {
    let mut line = Line::new().with(Style::Dim, columns.gutter.header());
    for (name, &width) in timeline.processes.iter().zip(&columns.widths) {
        line.push(Style::Dim, "│ ");
        let mut cell = Line::new().with(Style::Strong, wrap(name, width).swap_remove(0));
        cell.pad(width + 1);
        line.append(cell);
    }
    line
}

/// A rule over the whole width, with a word in one of the columns.
fn rule(columns: &Columns, word: Option<(usize, &str)>, style: Style, [dash, cross]: [char; 2]) -> Line {
    let dashes = |count: usize| dash.to_string().repeat(count);
    let mut text = dashes(columns.gutter.width());
    for (column, &width) in columns.widths.iter().enumerate() {
        text.push(cross);
        match word {
            Some((at, word)) if at == column => {
                let word = format!("{} {word} ", dashes(1));
                let rest = (width + 2).saturating_sub(word.chars().count());
                text.push_str(&word);
                text.push_str(&dashes(rest));
            }
            _ => text.push_str(&dashes(width + 2)),
        }
    }
    Line::new().with(style, text)
}

fn switch_rule(columns: &Columns, from: usize, switch: Switch) -> Line {
    let dashes = if switch == Switch::Preempted { ['━', '┿'] } else { ['╌', '┼'] };
    rule(columns, Some((from, switch_word(switch))), switch_style(switch), dashes)
}

/// A line with something in one column.
fn cell_line(columns: &Columns, gutter: Line, column: usize, cell: Line) -> Line {
    let mut line = gutter;
    for (at, &width) in columns.widths.iter().enumerate() {
        line.push(Style::Dim, "│ ");
        let mut content = if at == column { cell.clone() } else { Line::new() };
        content.pad(width + 1);
        line.append(content);
    }
    line
}

fn push_step(text: &mut Text, step: &Step, columns: &Columns) {
    let width = match step.column {
        Some(column) => columns.widths[column],
        None => columns.width().saturating_sub(columns.gutter.width() + 2),
    };
    for (position, cell) in cells(step, width).into_iter().enumerate() {
        let gutter = if position == 0 { columns.gutter.step(step) } else { columns.gutter.blank() };
        text.push(match step.column {
            Some(column) => cell_line(columns, gutter, column, cell),
            None => {
                let mut line = gutter.with(Style::Dim, "│ ");
                line.append(cell);
                line
            }
        });
    }
    for line in failure_lines(step, columns.gutter.width(), columns.width().max(60)) {
        text.push(line);
    }
}

/// The lines of a step's cell: the statement, then what it did.
fn cells(step: &Step, width: usize) -> Vec<Line> {
    let style = if step.failures.is_empty() { Style::Plain } else { Style::Bad };
    let statement = match step.column {
        Some(_) => step.place.text.clone(),
        None if step.place.text == step.process => step.process.clone(),
        None => format!("{}: {}", step.process, step.place.text),
    };
    let mut lines: Vec<Line> =
        wrap(&statement, width).into_iter().map(|piece| Line::new().with(style, piece)).collect();
    for phrase in phrases(step) {
        let pieces = wrap(&phrase, width.saturating_sub(2));
        lines.extend(pieces.into_iter().map(|piece| Line::new().with(Style::Effect, format!("  {piece}"))));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::shares;
    use crate::layout::{Layout, timeline_text};
    use crate::samples;

    fn text(timeline: &crate::Timeline, width: usize) -> String {
        timeline_text(timeline, &Layout { width, full: false }).paint(false)
    }

    #[test]
    fn the_widest_columns_are_cut_first() {
        assert_eq!(shares(vec![10, 20, 30], 60), [10, 20, 30]);
        assert_eq!(shares(vec![10, 20, 30], 50), [10, 20, 20]);
        assert_eq!(shares(vec![14, 40, 40], 60), [14, 23, 23]);
    }

    #[test]
    fn columns_that_are_hard_to_read_are_a_list() {
        let mut timeline = samples::lost_update();
        let is_list = |timeline: &crate::Timeline, width| text(timeline, width).starts_with(" step  line  process");
        assert!(!is_list(&timeline, 60));
        for step in &mut timeline.steps {
            step.place.text = "pthread_cond_wait(&condition, &mutex);".to_owned();
        }
        assert!(!is_list(&timeline, 70));
        assert!(is_list(&timeline, 60));
    }

    #[test]
    fn a_lost_update_in_columns() {
        let expected = "
 step  line │ p                │ q
────────────┼──────────────────┼──────────────────
    1     5 │ t = x            │
            │   reads x = 0    │
━━━━━━━━━━━━┿━ preempted ━━━━━━┿━━━━━━━━━━━━━━━━━━
    2    10 │                  │ t = x
            │                  │   reads x = 0
    3    11 │                  │ x = t + 1
            │                  │   x: 0 → 1
╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌ ends ╌╌╌╌╌╌╌╌╌╌╌
    4     6 │ x = t + 1        │
            │   x: 1 → 1       │
╌╌╌╌╌╌╌╌╌╌╌╌┼╌ ends ╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌
✗        14 │ finally: assert x == 2
            │   reads x = 1
            ✗ assertion failed: x == 2
";
        assert_eq!(text(&samples::lost_update(), 80), expected.trim_start_matches('\n'));
    }

    #[test]
    fn a_deadlock_in_columns() {
        let expected = "
 step  line │ p                │ q
────────────┼──────────────────┼──────────────────
    1     3 │ lock(a)          │
            │   locks a        │
━━━━━━━━━━━━┿━ preempted ━━━━━━┿━━━━━━━━━━━━━━━━━━
    2     7 │                  │ lock(b)
            │                  │   locks b

✗ deadlock: nobody can move
  p  waits at line 4: lock(b), but b is held by q
  q  waits at line 8: lock(a), but a is held by p
  circle of waiting: p → q → p
";
        assert_eq!(text(&samples::deadlock(), 80), expected.trim_start_matches('\n'));
    }

    #[test]
    fn a_data_race_in_columns() {
        let expected = "
 step  line │ p                │ q
────────────┼──────────────────┼──────────────────
    1     3 │ ready = 1;       │
            │   ready: 0 → 1   │

✗ data race on `x`: written at a.c:7 by q, read at a.c:4 by p, unordered
  q  is about to run a.c:7: x = 1;
  p  is about to run a.c:4: t = x;

printed so far:
  │ hello
  │ world
";
        assert_eq!(text(&samples::race(), 80), expected.trim_start_matches('\n'));
    }

    #[test]
    fn a_long_run_is_folded() {
        let text = text(&samples::long(), 80);
        assert!(text.contains("            │ … 38 more steps  │"), "{text}");
        assert!(text.lines().count() < 16, "{text}");
    }
}
