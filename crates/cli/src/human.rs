//! Reports for people.

use mazurka::{Checked, Loaded};
use mazurka_report::{
    Layout, Line, Style, Summary, Text, Timeline, counted, diagram_text, explanation_text, journey_text,
    steps_left_out, timeline_text, totals_text, verdict_line, violation_heading,
};

use crate::args::Check;
use crate::terminal::Terminal;

/// The report of a check.
pub(crate) fn check(arguments: &Check, loaded: &Loaded, checked: &Checked, saved: bool, terminal: &Terminal) -> Text {
    let algorithm = match checked.threads {
        1 => checked.plan.to_string(),
        threads => format!("{}, {}", checked.plan, counted(threads as u64, "thread")),
    };
    let summary = Summary {
        outcome: &checked.outcome,
        bounds: &checked.bounds,
        algorithm: &algorithm,
        explored: checked.plan.taken().explored(),
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
        if let Some(journey) = &timeline.journey {
            text.gap();
            text.append(journey_text(journey));
        }
        if let Some(diagram) = diagram_text(timeline, terminal.width) {
            text.gap();
            text.append(diagram);
        }
    }
    for trace in &checked.traces {
        text.gap();
        text.push(Line::new().with(Style::Strong, trace.heading()));
        match diagram_text(&trace.timeline, terminal.width) {
            Some(diagram) => text.append(diagram),
            None => text.append(timeline_text(&trace.timeline, &Layout { width: terminal.width, full: true })),
        }
    }
    text.append(missing_trace(arguments, checked));
    text.append(crate::network::fates(checked));
    if arguments.all || checked.shown.is_empty() {
        text.append(final_states(checked));
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

/// So many final states are shown.
const MOST_STATES: usize = 20;

/// The states in which executions end, each with how many do and the first of them.
fn final_states(checked: &Checked) -> Text {
    let mut text = Text::default();
    let ends = &checked.ends;
    if ends.executions == 0 {
        return text;
    }
    text.gap();
    let all = if ends.uncounted > 0 { "more than " } else { "" };
    let count = counted(ends.states.len() as u64, "final state");
    let observed = if checked.plan.asked().counts_observers() { ", without values that nobody reads" } else { "" };
    text.push(Line::new().with(Style::Strong, format!("{all}{count}{observed}")));
    for (number, state) in ends.states.iter().enumerate().take(MOST_STATES) {
        let many = counted(state.executions, "execution");
        let head = format!(" {}: {many}, the first is --trace {}", number + 1, state.first);
        text.push(Line::new().with(Style::Plain, head));
        for (object, fields) in &state.objects {
            let fields: Vec<String> = fields.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            text.push(Line::new().with(Style::Dim, format!("     {object}: {}", fields.join(", "))));
        }
        for (task, place) in &state.waiting {
            text.push(Line::new().with(Style::Open, format!("     {task} waits at {place}")));
        }
        for exception in &state.exceptions {
            text.push(Line::new().with(Style::Bad, format!("     ends with the exception {exception}")));
        }
    }
    if ends.states.len() > MOST_STATES {
        text.push(Line::new().with(Style::Dim, " …; --format json has all of them"));
    }
    text
}

/// An execution was requested that there is not.
fn missing_trace(arguments: &Check, checked: &Checked) -> Text {
    let mut text = Text::default();
    if let Some(number) = arguments.actor.trace.filter(|_| checked.traces.is_empty()) {
        text.gap();
        let there = counted(checked.ends.executions, "execution");
        let words = format!("there is no execution {number}: {there} came to an end");
        text.push(Line::new().with(Style::Plain, words));
    }
    text
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
