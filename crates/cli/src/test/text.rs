//! Tests for people.

use std::collections::BTreeSet;
use std::fmt::Write;

use mazurka::methods::Tested;
use mazurka_actor::Situation;

use super::{Report, begin, ended_name};

/// So many of the places that are not covered are listed.
const MOST_MISSED: usize = 20;

/// The report.
pub(super) fn text(report: &Report<'_>) -> String {
    let mut text = String::new();
    let count = report.selection.tests.len();
    for (number, tested) in report.tests().enumerate() {
        let _ = test(report, (number + 1, count), tested, &mut text);
        text.push('\n');
    }
    let _ = summary(report, &mut text);
    text
}

fn test(report: &Report<'_>, (number, count): (usize, usize), tested: &Tested, text: &mut String) -> std::fmt::Result {
    let Some(situation) = begin(tested) else { return Ok(()) };
    let calls: Vec<String> = situation.tasks.iter().map(|call| call_text(report, situation, call)).collect();
    writeln!(text, "test {number} of {count}   {}   covers {}", calls.join(", "), lines(report, tested))?;
    if report.arguments.constraints {
        for condition in &tested.path.conditions {
            writeln!(text, "  where    {condition}")?;
        }
    } else {
        for thing in &situation.objects {
            writeln!(text, "  before   {}: {}", thing.name, fields_text(report, situation, thing))?;
        }
    }
    let summary = tested.summary();
    for (object, fields) in &summary.objects {
        let fields: Vec<String> = fields.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        writeln!(
            text,
            "  after    {}: {}",
            renamed(report, situation, object),
            renamed(report, situation, &fields.join(", "))
        )?;
    }
    for (task, result) in summary.results.iter().filter(|(task, _)| task != "main") {
        writeln!(text, "  result   {task}: {}", renamed(report, situation, result))?;
    }
    for (task, place) in &summary.waiting {
        writeln!(text, "  waits    {task} at {place}")?;
    }
    let schedule: Vec<&str> = tested.path.schedule.iter().skip(1).map(|(task, _)| task.as_str()).collect();
    writeln!(text, "  {}   schedule  {}", ended_name(summary.ended), schedule.join(", "))
}

/// A text with the names of the situation's objects, which the machine calls `Class#number`.
fn renamed(report: &Report<'_>, situation: &Situation, text: &str) -> String {
    let mut text = text.to_owned();
    // From the last one, since the name of the first is the beginning of that of the tenth.
    for (number, thing) in situation.objects.iter().enumerate().rev() {
        let name = format!("{}#{}", report.image.class_name(thing.class), number + 1);
        let mut kept = String::new();
        let mut rest = text.as_str();
        while let Some(at) = rest.find(&name) {
            let after = &rest[at + name.len()..];
            let goes_on = after.starts_with(|c: char| c.is_ascii_digit() || ".×/".contains(c));
            let is_inside = rest[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
            kept.push_str(&rest[..at]);
            kept.push_str(if goes_on || is_inside { &name } else { &thing.name });
            rest = after;
        }
        text = kept + rest;
    }
    text
}

fn call_text(report: &Report<'_>, situation: &Situation, call: &mazurka_actor::Call) -> String {
    let object = &situation.objects[call.object];
    let names = report.image.parameters_of(call.method);
    let argument = |(name, value): (&String, &mazurka_actor::Datum)| match report.arguments.constraints {
        true => name.clone(),
        false => format!("{name} = {}", situation.value_text(report.image, value)),
    };
    let arguments: Vec<String> = names.iter().zip(&call.arguments).map(argument).collect();
    let method = report.image.method_name(call.method);
    let method = method.split_once('.').map_or(method.as_str(), |(_, method)| method);
    format!("{}.{method}({})", object.name, arguments.join(", "))
}

fn fields_text(report: &Report<'_>, situation: &Situation, thing: &mazurka_actor::Thing) -> String {
    let names = report.image.fields_of(thing.class);
    let fields = names.iter().zip(&thing.fields);
    let fields: Vec<String> =
        fields.map(|(name, value)| format!("{name} = {}", situation.value_text(report.image, value))).collect();
    format!("{}({})", report.image.class_name(thing.class), fields.join(", "))
}

/// The lines that a test covers, of the program's own: `lines 3-5, 9`.
pub(super) fn lines(report: &Report<'_>, tested: &Tested) -> String {
    let lines = covered(report, tested);
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for line in lines {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == line => *last = line,
            _ => ranges.push((line, line)),
        }
    }
    let one =
        |&(first, last): &(usize, usize)| if first == last { first.to_string() } else { format!("{first}-{last}") };
    let ranges: Vec<String> = ranges.iter().map(one).collect();
    if ranges.is_empty() { "nothing".to_owned() } else { format!("lines {}", ranges.join(", ")) }
}

/// The lines of the first file that a test covers.
pub(super) fn covered(report: &Report<'_>, tested: &Tested) -> BTreeSet<usize> {
    let Some(ran) = &tested.ran else { return BTreeSet::new() };
    let own = ran.coverage.met.iter().filter(|one| one.jumps.is_none() && report.image.is_own(one));
    own.map(|one| report.image.place_of_target(one).line).collect()
}

fn summary(report: &Report<'_>, text: &mut String) -> std::fmt::Result {
    let selection = report.selection;
    let coverage = report.arguments.coverage;
    let tests = report.selection.tests.len();
    let words = if tests == 1 { "test" } else { "tests" };
    writeln!(
        text,
        "{tests} {words} for {}: {} of {} {} ({} paths)",
        report.target,
        selection.covered,
        selection.wanted,
        coverage.counted(),
        report.explored.tested.len()
    )?;
    for missed in selection.missed.iter().take(MOST_MISSED) {
        writeln!(text, "  not covered  {}: {} ({})", missed.place, missed.what, missed.why)?;
    }
    if selection.missed.len() > MOST_MISSED {
        writeln!(text, "  and {} more", selection.missed.len() - MOST_MISSED)?;
    }
    let doubtful = report.explored.tested.iter().filter(|tested| !tested.is_test()).count();
    if doubtful > 0 {
        writeln!(text, "  {doubtful} paths without values: no one knows whether they can be gone")?;
    }
    if report.explored.is_complete() {
        return writeln!(text, "complete: every path was explored");
    }
    let reached: Vec<String> =
        report.explored.reached.iter().map(|(what, often)| format!("{what} ({often} times)")).collect();
    writeln!(text, "incomplete: {}", reached.join(", "))
}
