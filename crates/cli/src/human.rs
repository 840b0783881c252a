//! Reports for people.

use mazurka_report::{
    Layout, Line, Style, Summary, Text, Timeline, counted, diagram_text, explanation_text, steps_left_out,
    timeline_text, totals_text, verdict_line, violation_heading,
};

use mazurka_explore::Algorithm;

use crate::algorithm;
use crate::args::Check;
use crate::check::{Checked, bounds};
use crate::load::Loaded;
use crate::terminal::Terminal;

/// The report of a check.
pub(crate) fn check(arguments: &Check, loaded: &Loaded, checked: &Checked, saved: bool, terminal: &Terminal) -> Text {
    let bounds = bounds(arguments, &loaded.program);
    let algorithm = arguments.algorithm.of(&loaded.program);
    let (taken, name) = explored_as(algorithm, loaded, checked);
    let summary = Summary {
        outcome: &checked.outcome,
        bounds: &bounds,
        algorithm: &name,
        explored: algorithm::explored(taken),
        all: arguments.all,
        model: loaded.program.memory_model(),
    };
    let mut text = Text::default();
    let first = checked.shown.first().and_then(|timeline| timeline.failure.as_ref());
    text.push(verdict_line(&summary, first));
    for note in &checked.notes {
        text.push(Line::new().with(Style::Plain, format!("note: {note}")));
    }
    for (number, (violation, timeline)) in checked.violations().enumerate() {
        text.gap();
        if checked.shown.len() > 1 {
            text.push(violation_heading(number + 1, violation.executions, &checked.outcome, timeline));
            text.gap();
        }
        text.append(timeline_text(timeline, &Layout { width: terminal.width, full: arguments.output.full }));
        text.push(switches(timeline, arguments.output.full));
        if let Some(diagram) = diagram_text(timeline, terminal.width) {
            text.gap();
            text.append(diagram);
        }
    }
    if let Some(explanation) = &checked.explanation {
        text.gap();
        text.append(explanation_text(explanation));
    }
    text.gap();
    text.append(totals_text(&summary, terminal.width));
    text.append(hints(arguments, loaded, checked, saved));
    text
}

/// The algorithm that an algorithm amounted to, and its name with the reason where it was another one.
fn explored_as(algorithm: Algorithm, loaded: &Loaded, checked: &Checked) -> (Algorithm, String) {
    let taken = algorithm::taken(algorithm, loaded.program.detects_data_races());
    if let Some(given_up) = checked.outcome.uncompared {
        let taken = Algorithm::Observers;
        let reason = format!("comparing states had not come to an end after {}", counted(given_up, "exploration"));
        (taken, format!("{algorithm}, in the end as {taken}: {reason}"))
    } else if algorithm == taken {
        (taken, algorithm.to_string())
    } else {
        (taken, format!("{algorithm}, as {taken}: what is a data race depends on the order"))
    }
}

/// How many steps and preemptions the schedule has.
pub(crate) fn switches(timeline: &Timeline, full: bool) -> Line {
    let events = timeline.steps.iter().filter(|step| step.number.is_some()).count();
    let words = match timeline.preemptions() {
        0 => "without a preemption".to_owned(),
        count => format!("with {}", counted(count as u64, "preemption")),
    };
    let hint = if full || steps_left_out(timeline) == 0 { "" } else { "; --full shows all of them" };
    Line::new().with(Style::Dim, format!("{}, {words}{hint}", counted(events as u64, "step")))
}

/// What the user can do next.
fn hints(arguments: &Check, loaded: &Loaded, checked: &Checked, saved: bool) -> Text {
    let mut text = Text::default();
    let hint = |words: String| Line::new().with(Style::Dim, words);
    match &arguments.save_trace {
        Some(path) if saved => {
            text.push(hint(format!("saved; to run it again: mazurka replay {} {}", loaded.path, path.display())));
        }
        Some(path) if checked.shown.is_empty() => {
            text.push(hint(format!("{} was not written: there is no violation", path.display())));
        }
        None if !checked.shown.is_empty() => {
            text.push(hint("--save-trace FILE keeps the schedule for `mazurka replay`".to_owned()));
        }
        _ => {}
    }
    text
}
