//! `mazurka replay`.

use mazurka::{Loaded, Refusal, Replayed, Saved, Settings, replay_all};
use mazurka_report::{Failure, Layout, Line, Style, Text, Timeline, diagram_text, timeline_text};
use serde::Serialize;

use crate::args::{Format, Replay};
use crate::load::{Given, load};
use crate::status::Status;
use crate::terminal::{self, Terminal};
use crate::{human, json};

/// What a step may run; a schedule that was found needs less.
const MAX_INSTRUCTIONS: u64 = 1_000_000_000;

/// Does what was asked.
pub(crate) fn run(arguments: &Replay) -> Result<Status, Refusal> {
    if crate::test::is_tests(&arguments.trace) {
        return crate::test::replay(&arguments.programs, &arguments.trace);
    }
    let saved = Saved::read(&arguments.trace)?;
    let mut settings = Settings { max_instructions: MAX_INSTRUCTIONS, ..saved.settings.clone() };
    settings.c.clang.clone_from(&arguments.compiler.clang);
    let loaded = load(&arguments.programs, &settings, Given::default())?;
    let replayed = replay_all(&saved, &loaded)?;
    if !saved.is_of(&loaded) && !arguments.force {
        return Err(Refusal::with_help(
            format!("`{}` has changed since the trace was saved from `{}`", loaded.path, saved.program),
            "the schedule still fits: --force runs it all the same",
        ));
    }
    print(arguments, &loaded, &replayed)?;
    let fails = replayed.iter().any(|replayed| replayed.failure().is_some());
    Ok(if fails { Status::Violation } else { Status::Verified })
}

fn print(arguments: &Replay, loaded: &Loaded, replayed: &[Replayed]) -> Result<(), Refusal> {
    let text = match arguments.output.format {
        Format::Json => json_text(arguments, loaded, replayed),
        Format::Human => {
            let terminal = Terminal::of_stdout(arguments.output.color);
            human_text(replayed, &Layout { width: terminal.width, full: arguments.output.full }).paint(terminal.colour)
        }
    };
    terminal::print(&text).map_err(|error| Refusal::new(format!("cannot write to stdout: {error}")))
}

fn human_text(replayed: &[Replayed], layout: &Layout) -> Text {
    let mut text = Text::default();
    for (number, replayed) in replayed.iter().enumerate() {
        if number > 0 {
            text.gap();
        }
        text.push(heading(replayed));
        text.gap();
        text.append(timeline_text(&replayed.timeline, layout));
        text.push(human::switches(&replayed.timeline, layout.full));
        if let Some(diagram) = diagram_text(&replayed.timeline, layout.width) {
            text.gap();
            text.append(diagram);
        }
    }
    text
}

fn heading(replayed: &Replayed) -> Line {
    let described = |failure: &Failure| format!("{} at {} in {}", failure.message, failure.location(), failure.process);
    let wanted = described(&replayed.wanted);
    match (&replayed.timeline.failure, replayed.failure()) {
        (Some(failure), _) => {
            Line::new().with(Style::Bad, "violation shows again: ").with(Style::Strong, described(failure))
        }
        (None, Some(other)) => Line::new()
            .with(Style::Bad, "another violation shows: ")
            .with(Style::Strong, described(&other))
            .with(Style::Plain, format!(" (expected: {wanted})")),
        (None, None) => Line::new()
            .with(Style::Good, "violation does not show again: ")
            .with(Style::Strong, format!("the schedule runs to its end (expected: {wanted})")),
    }
}

/// The object of `replay`.
#[derive(Serialize)]
struct Report<'a> {
    tool: &'static str,
    version: &'static str,
    program: &'a str,
    trace: String,
    /// Whether every violation of the trace shows again.
    reproduced: bool,
    violations: Vec<json::Violation<'a>>,
}

fn json_text(arguments: &Replay, loaded: &Loaded, replayed: &[Replayed]) -> String {
    let failures: Vec<(Failure, &Timeline)> =
        replayed.iter().filter_map(|replayed| Some((replayed.failure()?, &replayed.timeline))).collect();
    json::text(&Report {
        tool: "mazurka",
        version: env!("CARGO_PKG_VERSION"),
        program: &loaded.path,
        trace: arguments.trace.display().to_string(),
        reproduced: replayed.iter().all(Replayed::shows_again),
        violations: failures.iter().map(|(failure, timeline)| json::Violation::new(failure, timeline, None)).collect(),
    })
}
