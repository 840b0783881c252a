//! The report of `bmc`, for people.

use mazurka::Loaded;
use mazurka_bmc::Cutoff;
use mazurka_machine::Describe;
use mazurka_process::ProcessMachine;
use mazurka_report::{Layout, Line, Style, Text, counted, duration, grouped, timeline_text};
use mazurka_trace::Verdict;

use super::{Bmc, Checked};
use crate::human::switches;
use crate::memory;
use crate::terminal::Terminal;

pub(crate) fn text(arguments: &Bmc, loaded: &Loaded, checked: &Checked, terminal: &Terminal) -> Text {
    let mut text = Text::default();
    text.push(verdict_line(arguments, checked));
    if let Some(timeline) = &checked.shown {
        text.gap();
        text.append(timeline_text(timeline, &Layout { width: terminal.width, full: arguments.output.full }));
        text.push(switches(timeline, arguments.output.full));
    }
    text.gap();
    text.push(totals(arguments, checked));
    if arguments.statistics {
        text.gap();
        for line in depths(checked) {
            text.push(Line::new().with(Style::Plain, line));
        }
        text.gap();
        text.push(Line::new().with(Style::Plain, usage(checked)));
    }
    if let Some(hint) = hint(arguments, loaded, checked) {
        text.push(Line::new().with(Style::Dim, hint));
    }
    text
}

fn verdict_line(arguments: &Bmc, checked: &Checked) -> Line {
    let report = &checked.report;
    let steps = counted(report.steps as u64, "step");
    match report.verdict() {
        Verdict::Violation => {
            let failure = checked.shown.as_ref().and_then(|timeline| timeline.failure.as_ref());
            let words = failure.map_or(String::new(), |failure| {
                format!("{} at {} in {}", failure.message, failure.location(), failure.process)
            });
            Line::new().with(Style::Bad, "violation: ").with(Style::Strong, words)
        }
        Verdict::Verified => Line::new().with(Style::Good, "verified: ").with(
            Style::Strong,
            format!(
                "no schedule and no input fails; every execution of the {} ends within {steps}",
                processes(report.processes)
            ),
        ),
        Verdict::Incomplete => {
            let reasons: Vec<String> =
                report.cutoffs.iter().map(|&cutoff| reason(arguments, checked, cutoff)).collect();
            Line::new()
                .with(Style::Open, "incomplete: ")
                .with(Style::Strong, format!("no violation within {steps}; {}", reasons.join("; ")))
        }
    }
}

fn processes(count: usize) -> String {
    if count == 1 { "1 process".to_owned() } else { format!("{} processes", grouped(count as u64)) }
}

fn reason(arguments: &Bmc, checked: &Checked, cutoff: Cutoff) -> String {
    match cutoff {
        Cutoff::Steps => "some executions have more (--steps)".to_owned(),
        Cutoff::Rounds(site) => {
            let place = ProcessMachine::new(std::sync::Arc::clone(&checked.image)).place(site);
            format!(
                "the loop at {}:{}:{} was cut after {} (--unroll)",
                place.file,
                place.line,
                place.column,
                counted(arguments.unroll as u64, "round")
            )
        }
        Cutoff::Processes => format!("there are more than {} processes (--max-processes)", arguments.max_processes),
        Cutoff::Timeout => "the time is up (--timeout)".to_owned(),
        Cutoff::Stopped => "interrupted".to_owned(),
        Cutoff::Unknown => {
            format!("the solver does not know: {}", checked.report.unknown.as_deref().unwrap_or("no reason given"))
        }
    }
}

fn totals(arguments: &Bmc, checked: &Checked) -> Line {
    let report = &checked.report;
    let words = [
        format!("--por {}", mazurka_bmc::Reduction::from(arguments.por)),
        counted(report.steps as u64, "step"),
        counted(report.statistics.conflicts, "conflict"),
        counted(report.statistics.decisions, "decision"),
        format!("{} terms", grouped(report.depths.last().map_or(0, |depth| depth.terms) as u64)),
        format!("{}, of which the solver took {}", duration(report.time), duration(report.solver_time)),
    ];
    Line::new().with(Style::Dim, words.join(" · "))
}

/// A table: what each depth took.
fn depths(checked: &Checked) -> Vec<String> {
    let row = |cells: [String; 7]| {
        let [steps, time, encoding, conflicts, decisions, terms, size] = cells;
        format!("{steps:>5} {time:>10} {encoding:>10} {conflicts:>11} {decisions:>11} {terms:>11} {size:>12}")
    };
    let mut lines =
        vec![row(["steps", "solver", "encoding", "conflicts", "decisions", "terms", "bytes"].map(str::to_owned))];
    lines.extend(checked.report.depths.iter().map(|depth| {
        row([
            depth.steps.to_string(),
            duration(depth.time),
            duration(depth.encoding_time),
            grouped(depth.conflicts),
            grouped(depth.decisions),
            grouped(depth.terms as u64),
            grouped(depth.size as u64),
        ])
    }));
    lines
}

/// What both processes used of the machine.
fn usage(checked: &Checked) -> String {
    let megabytes = |bytes: u64| format!("{:.0} MB", bytes as f64 / 1e6);
    let usage = checked.report.usage;
    format!(
        "the solver: {} of processor time, at most {} of memory; this process: at most {}",
        duration(usage.processor),
        megabytes(usage.memory.max(checked.report.statistics.memory)),
        megabytes(memory::peak())
    )
}

fn hint(arguments: &Bmc, loaded: &Loaded, checked: &Checked) -> Option<String> {
    match (&arguments.save_trace, &checked.shown) {
        (Some(path), Some(_)) => {
            Some(format!("saved; to run it again: mazurka replay {} {}", loaded.path, path.display()))
        }
        (Some(path), None) => Some(format!("{} was not written: there is no violation", path.display())),
        (None, Some(_)) => Some("--save-trace FILE keeps the schedule for `mazurka replay`".to_owned()),
        (None, None) => None,
    }
}
