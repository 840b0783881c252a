//! Sequence diagrams of programs of objects: a column for each object, calls as arrows, how each
//! step ended.

use mazurka_machine::Rest;

use crate::text::{Line, Style, Text};
use crate::view::{Timeline, Turn};

/// A column has at least so many characters.
const NARROWEST: usize = 14;

/// And no more than so many.
const WIDEST: usize = 30;

/// The objects that take part, in the order in which they are met.
pub(crate) fn lanes(timeline: &Timeline) -> Vec<&str> {
    let mut lanes: Vec<&str> = Vec::new();
    for turn in &timeline.turns {
        let met = [turn.lane.as_str()].into_iter().chain(turn.calls.iter().map(|(lane, _)| lane.as_str()));
        for lane in met {
            if !lanes.contains(&lane) {
                lanes.push(lane);
            }
        }
    }
    lanes
}

/// A task's name without its class: the column tells the object.
pub(crate) fn short(task: &str) -> &str {
    task.split_once('.').filter(|(class, _)| !class.contains('#')).map_or(task, |(_, rest)| rest)
}

/// How a step ended: a sign that needs no colour, and words.
pub(crate) fn ending(rest: &Rest) -> (char, String) {
    match rest {
        Rest::Returned => ('■', "returns".to_owned()),
        Rest::Failed(exception) => ('✗', format!("throws {exception}")),
        Rest::Awaits(what) => ('◌', format!("awaits {}", short(what))),
        Rest::Blocks(what) => ('▒', format!("blocks on {}", short(what))),
        Rest::Suspended => ('~', "suspends".to_owned()),
    }
}

/// The diagram as text; None where there are no objects. Where the columns do not fit, it says so.
pub fn diagram_text(timeline: &Timeline, width: usize) -> Option<Text> {
    let lanes = lanes(timeline);
    if lanes.is_empty() {
        return None;
    }
    let mut text = Text::default();
    let column = (width.saturating_sub(1) / lanes.len()).min(WIDEST);
    if column < NARROWEST {
        let words = format!("the sequence diagram has {} objects: `--html FILE` draws it", lanes.len());
        text.push(Line::new().with(Style::Dim, words));
        return Some(text);
    }
    let mut head = Line::new();
    for lane in &lanes {
        head.push(Style::Strong, fit(&format!(" {lane}"), column));
    }
    text.push(head);
    for turn in &timeline.turns {
        turn_rows(turn, &lanes, column, &mut text);
    }
    if !timeline.waiting.is_empty() {
        text.push(waiting_row(timeline, &lanes, column));
    }
    Some(text)
}

/// Exactly so many characters.
fn fit(text: &str, width: usize) -> String {
    let length = text.chars().count();
    if length > width {
        return text.chars().take(width.saturating_sub(1)).chain(['…']).collect();
    }
    format!("{text}{}", " ".repeat(width - length))
}

/// A row with something in one column, and the lines of the others.
fn row(lanes: &[&str], column: usize, own: usize, style: Style, words: &str) -> Line {
    let mut line = Line::new();
    for lane in 0..lanes.len() {
        match lane == own {
            true => line.push(style, fit(&format!(" {words}"), column)),
            false => line.push(Style::Dim, fit(" │", column)),
        }
    }
    line
}

fn turn_rows(turn: &Turn, lanes: &[&str], column: usize, text: &mut Text) {
    let place = |wanted: &str| lanes.iter().position(|lane| *lane == wanted).unwrap_or(0);
    let own = place(&turn.lane);
    let begins = format!("● {} (line {})", short(&turn.task), turn.line);
    text.push(row(lanes, column, own, Style::Strong, &begins));
    for (lane, task) in &turn.calls {
        let to = place(lane);
        match to == own {
            true => text.push(row(lanes, column, own, Style::Effect, &format!("├─ {} ↩", short(task)))),
            false => text.push(arrow(lanes.len(), column, own, to, short(task))),
        }
    }
    let (sign, words) = ending(&turn.rest);
    let style = match turn.rest {
        Rest::Failed(_) => Style::Bad,
        Rest::Blocks(_) => Style::Open,
        Rest::Returned | Rest::Awaits(_) | Rest::Suspended => Style::Dim,
    };
    text.push(row(lanes, column, own, style, &format!("{sign} {words}")));
}

/// A call from one column to another.
fn arrow(lanes: usize, column: usize, from: usize, to: usize, label: &str) -> Line {
    let (left, right) = (from.min(to), from.max(to));
    let length = (right - left) * column - 1;
    let label: String = label.chars().take(length.saturating_sub(4)).collect();
    let rule = |count: usize| "─".repeat(count);
    let fill = length.saturating_sub(label.chars().count() + 4);
    let body = match from < to {
        true => format!("├─ {label} {}▶│", rule(fill)),
        false => format!("│◀{} {label} ─┤", rule(fill)),
    };
    let mut line = Line::new();
    line.push(Style::Dim, (0..left).map(|_| fit(" │", column)).collect::<String>());
    line.push(Style::Effect, format!(" {body}{}", " ".repeat(column.saturating_sub(2))));
    line.push(Style::Dim, (right + 1..lanes).map(|_| fit(" │", column)).collect::<String>());
    line
}

/// The objects in which tasks wait at the end.
fn waiting_row(timeline: &Timeline, lanes: &[&str], column: usize) -> Line {
    let mut line = Line::new();
    for lane in lanes {
        match timeline.waiting.iter().any(|waiter| waiter.lane.as_deref() == Some(lane)) {
            true => line.push(Style::Bad, fit(" ✗ waits", column)),
            false => line.push(Style::Dim, fit(" ┴", column)),
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::Waiter;

    pub(crate) fn sample() -> Timeline {
        let turn = |lane: &str, task: &str, calls: &[(&str, &str)], rest| Turn {
            lane: lane.to_owned(),
            task: task.to_owned(),
            line: 3,
            calls: calls.iter().map(|(lane, task)| ((*lane).to_owned(), (*task).to_owned())).collect(),
            rest,
        };
        Timeline {
            turns: vec![
                turn("main", "main", &[("A#1", "A.m#1"), ("B#2", "B.n#2")], Rest::Returned),
                turn("B#2", "B.n#2", &[("A#1", "A.k#2.1"), ("B#2", "B.n#2.2")], Rest::Blocks("A.k#2.1".to_owned())),
            ],
            waiting: vec![Waiter {
                process: "B.n#2".to_owned(),
                place: crate::samples::place(3, "f.get"),
                waits_for: Vec::new(),
                holder: None,
                lane: Some("B#2".to_owned()),
                reason: None,
                kind: None,
                spins: false,
            }],
            ..Timeline::default()
        }
    }

    #[test]
    fn a_diagram() {
        let text = diagram_text(&sample(), 60).expect("there are objects").paint(false);
        let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        assert_eq!(
            lines,
            [
                " main               A#1                B#2",
                " ● main (line 3)    │                  │",
                " ├─ m#1 ───────────▶│                  │",
                " ├─ n#2 ──────────────────────────────▶│",
                " ■ returns          │                  │",
                " │                  │                  ● n#2 (line 3)",
                " │                  │◀───────── k#2.1 ─┤",
                " │                  │                  ├─ n#2.2 ↩",
                " │                  │                  ▒ blocks on k#2.1",
                " ┴                  ┴                  ✗ waits",
            ]
        );
        let narrow = diagram_text(&sample(), 30).expect("there are objects").paint(false);
        assert!(narrow.contains("3 objects: `--html FILE` draws it"), "{narrow}");
        assert!(diagram_text(&Timeline::default(), 80).is_none());
    }
}
