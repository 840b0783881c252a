//! The timeline as a list, each step with the name of its process: for more processes than columns
//! fit.

use crate::effects::phrases;
use crate::fold::Row;
use crate::pieces::{Gutter, failure_lines, folded_words, skipped, switch_style, switch_word};
use crate::text::{Line, Style, Text, wrap};
use crate::view::{Step, Switch, Timeline};

/// Longer names do not push the statements further to the right.
const WIDEST_NAME: usize = 24;

/// Longer statements do not push what the others did further to the right.
const WIDEST_STATEMENT: usize = 28;

/// Lays the rows out.
pub(crate) fn render(timeline: &Timeline, rows: &[Row], gutter: &Gutter, width: usize) -> Text {
    let list = List::new(timeline, gutter, width);
    let mut text = Text::default();
    text.push(Line::new().with(Style::Dim, format!("{} process", gutter.header())));
    for row in rows {
        match *row {
            Row::Step(step) => list.push_step(&mut text, &timeline.steps[step]),
            Row::Switch(from, switch) => text.push(list.switch(&timeline.processes[from], switch)),
            Row::Skipped(count) => text.push(skipped(count, width)),
            Row::Folded(column, count) => {
                let name = list.name(&timeline.processes[column]);
                let mut line = gutter.blank();
                line.append(name);
                text.push(line.with(Style::Dim, folded_words(count)));
            }
        }
    }
    text
}

struct List<'a> {
    gutter: &'a Gutter,
    names: usize,
    statements: usize,
    width: usize,
}

impl<'a> List<'a> {
    fn new(timeline: &Timeline, gutter: &'a Gutter, width: usize) -> Self {
        let length = |text: &str| text.chars().count();
        let names = timeline.steps.iter().map(|step| length(&step.process)).max().unwrap_or(0);
        let statements = timeline.steps.iter().map(|step| length(&step.place.text)).max().unwrap_or(0);
        let names = names.clamp("process".len(), WIDEST_NAME);
        Self { gutter, names, statements: statements.min(WIDEST_STATEMENT), width }
    }

    fn indent(&self) -> usize {
        self.gutter.width() + 1 + self.names + 2
    }

    fn name(&self, name: &str) -> Line {
        let mut line = Line::new().with(Style::Plain, " ").with(Style::Strong, name);
        line.pad(self.names + 1);
        line.with(Style::Plain, "  ")
    }

    fn switch(&self, from: &str, switch: Switch) -> Line {
        let dash = if switch == Switch::Preempted { "━" } else { "╌" };
        let word = switch_word(switch);
        let text = format!("{} {from} {word} {}", dash.repeat(self.gutter.width()), dash.repeat(4));
        Line::new().with(switch_style(switch), text)
    }

    fn push_step(&self, text: &mut Text, step: &Step) {
        let mut first = self.gutter.step(step);
        first.append(self.name(&step.process));
        let mut blank = Line::new();
        blank.pad(self.indent());
        for (position, content) in self.content(step).into_iter().enumerate() {
            let mut line = if position == 0 { first.clone() } else { blank.clone() };
            line.append(content);
            text.push(line);
        }
        for line in failure_lines(step, self.gutter.width() + 1, self.width) {
            text.push(line);
        }
    }

    /// The statement, then what it did, on one line if they fit.
    fn content(&self, step: &Step) -> Vec<Line> {
        let room = self.width.saturating_sub(self.indent()).max(20);
        let style = if step.failures.is_empty() { Style::Plain } else { Style::Bad };
        let effects = phrases(step).join(", ");
        let statement = &step.place.text;
        let mut line = Line::new().with(style, statement);
        line.pad(self.statements);
        if line.width() + 2 + effects.chars().count() <= room {
            return vec![line.with(Style::Plain, "  ").with(Style::Effect, wrap(&effects, room).concat())];
        }
        let mut lines: Vec<Line> =
            wrap(statement, room).into_iter().map(|piece| Line::new().with(style, piece)).collect();
        let pieces = wrap(&effects, room - 2);
        lines.extend(pieces.into_iter().map(|piece| Line::new().with(Style::Effect, format!("  {piece}"))));
        lines
    }
}

#[cfg(test)]
mod tests {
    use crate::fold;
    use crate::pieces::Gutter;
    use crate::samples;

    #[test]
    fn a_lost_update_as_a_list() {
        let expected = "
 step  line  process
    1     5  p        t = x          reads x = 0
━━━━━━━━━━━━ p preempted ━━━━
    2    10  q        t = x          reads x = 0
    3    11  q        x = t + 1      x: 0 → 1
╌╌╌╌╌╌╌╌╌╌╌╌ q ends ╌╌╌╌
    4     6  p        x = t + 1      x: 1 → 1
╌╌╌╌╌╌╌╌╌╌╌╌ p ends ╌╌╌╌
✗        14  finally  assert x == 2  reads x = 1
             ✗ assertion failed: x == 2
";
        let timeline = samples::lost_update();
        let text = super::render(&timeline, &fold::rows(&timeline, false), &Gutter::new(&timeline), 80);
        assert_eq!(text.paint(false), expected.trim_start_matches('\n'));
    }
}
