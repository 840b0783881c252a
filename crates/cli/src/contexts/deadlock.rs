//! Contexts for deadlocks: the cycles of waits between methods, and the initial tasks that each needs.

use std::io::{self, BufWriter, Write};
use std::sync::Arc;

use mazurka::Loaded;
use mazurka_actor::Image;
use mazurka_actor::deadlock::{Analysis, Interfering, Settings};
use mazurka_contexts::{BigUint, Contexts as Stream, Interval, count};
use serde::Serialize;

use super::tasks::Tasks;
use super::{Contexts, names};
use crate::args::Format;
use crate::status::Status;

/// A cycle, and the contexts for it.
struct Candidates<'a> {
    /// The cycle, in a line.
    cycle: String,
    initial: &'a [Interfering],
    tasks: Tasks,
    /// How many contexts there are.
    count: Option<BigUint>,
}

/// Finds the cycles, and counts or lists the contexts for them.
pub(super) fn run(arguments: &Contexts, loaded: &Loaded, image: &Arc<Image>) -> io::Result<Status> {
    let analysis = Analysis::of_methods(image, &Settings::default(), arguments.coarse);
    let all = candidates(arguments, image, &analysis);
    let mut out = BufWriter::new(io::stdout().lock());
    match arguments.output.format {
        Format::Human => human(&mut out, arguments, image, &analysis, &all)?,
        Format::Json => json(&mut out, arguments, loaded, image, &analysis, &all)?,
    }
    out.flush()?;
    Ok(if all.is_empty() { Status::Verified } else { Status::Incomplete })
}

fn candidates<'a>(arguments: &Contexts, image: &Image, analysis: &'a Analysis) -> Vec<Candidates<'a>> {
    let cycles = analysis.cycles.iter().zip(&analysis.initial);
    let of = |(cycle, initial): (&mazurka_actor::deadlock::Cycle, &'a Vec<Interfering>)| {
        let is_meant = |method: u32| initial.iter().any(|task| task.method == method);
        let interval = |method: u32| is_meant(method).then(|| Interval::new(1, arguments.max)).flatten();
        let tasks = Tasks::of(image, interval);
        let count = count(&tasks.classes());
        let steps = analysis.steps(cycle);
        let mut words: Vec<String> = steps.iter().map(|step| format!("{} --{}", step.from, step.text)).collect();
        words.extend(steps.first().map(|first| first.from.clone()));
        Candidates { cycle: words.join(" --> "), initial, tasks, count }
    };
    cycles.map(of).collect()
}

/// `DB.connect 1..2 (writes connected)`.
fn task(arguments: &Contexts, image: &Image, task: &Interfering) -> String {
    let numbers = if arguments.max == 1 { "1".to_owned() } else { format!("1..{}", arguments.max) };
    let fields: Vec<&str> = task.writes.iter().map(String::as_str).collect();
    let why = match (task.blocks, fields.is_empty()) {
        (true, _) => String::new(),
        (false, false) => format!(" (writes {})", fields.join(", ")),
        (false, true) => " (decides about a wait)".to_owned(),
    };
    format!("{} {numbers}{why}", image.method_name(task.method))
}

fn sum(all: &[Candidates<'_>]) -> Option<BigUint> {
    all.iter().map(|one| one.count.clone()).sum()
}

fn human(
    out: &mut impl Write,
    arguments: &Contexts,
    image: &Image,
    analysis: &Analysis,
    all: &[Candidates<'_>],
) -> io::Result<()> {
    if all.is_empty() {
        return writeln!(out, "no cycle: no context has a deadlock, whatever its size");
    }
    for (number, one) in all.iter().enumerate() {
        let tasks: Vec<String> = one.initial.iter().map(|initial| task(arguments, image, initial)).collect();
        writeln!(out, "cycle {}: {}", number + 1, one.cycle)?;
        writeln!(out, "  tasks: {}", tasks.join(", "))?;
        writeln!(out, "  {}", counted(one.count.as_ref()))?;
        if arguments.list {
            let (mut stream, mut line) = (Stream::new(&one.tasks.classes()), String::new());
            while stream.advance() {
                line.clear();
                names::context(&one.tasks, stream.locations(), &mut line);
                writeln!(out, "    {line}")?;
            }
        }
    }
    if analysis.more {
        writeln!(out, "there are too many cycles: one for each group of those who wait for each other is shown")?;
    }
    let every = Tasks::of(image, |_| Interval::new(1, arguments.max));
    let of =
        count(&every.classes()).map_or(String::new(), |all| format!(" (of {} with all methods)", names::number(&all)));
    writeln!(out, "{}{of} in which a deadlock can happen", counted(sum(all).as_ref()))
}

fn counted(count: Option<&BigUint>) -> String {
    match count {
        Some(count) if *count == BigUint::from(1u32) => "1 context".to_owned(),
        Some(count) => format!("{} contexts", names::number(count)),
        None => "an unknown number of contexts".to_owned(),
    }
}

/// The object of `contexts --deadlock`.
#[derive(Serialize)]
struct Object<'a> {
    tool: &'static str,
    version: &'static str,
    program: &'a str,
    /// `free` if there is no cycle.
    verdict: &'static str,
    cycles: Vec<CycleObject<'a>>,
    /// There are more cycles than are listed.
    more_cycles: bool,
    /// As text. Null if it was not counted.
    count: Option<String>,
    /// With tasks of all methods.
    count_of_all: Option<String>,
}

#[derive(Serialize)]
struct CycleObject<'a> {
    id: usize,
    cycle: &'a str,
    tasks: Vec<TaskObject<'a>>,
    count: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    contexts: Option<Vec<String>>,
}

#[derive(Serialize)]
struct TaskObject<'a> {
    method: String,
    blocks: bool,
    writes: Vec<&'a str>,
}

fn json(
    out: &mut impl Write,
    arguments: &Contexts,
    loaded: &Loaded,
    image: &Image,
    analysis: &Analysis,
    all: &[Candidates<'_>],
) -> io::Result<()> {
    let mut cycles = Vec::new();
    for (number, one) in all.iter().enumerate() {
        let tasks = one.initial.iter().map(|task| TaskObject {
            method: image.method_name(task.method),
            blocks: task.blocks,
            writes: task.writes.iter().map(String::as_str).collect(),
        });
        cycles.push(CycleObject {
            id: number + 1,
            cycle: &one.cycle,
            tasks: tasks.collect(),
            count: one.count.as_ref().map(BigUint::to_string),
            contexts: arguments.list.then(|| listed(&one.tasks)),
        });
    }
    let every = Tasks::of(image, |_| Interval::new(1, arguments.max));
    let object = Object {
        tool: "mazurka",
        version: env!("CARGO_PKG_VERSION"),
        program: &loaded.path,
        verdict: if all.is_empty() { "free" } else { "unknown" },
        cycles,
        more_cycles: analysis.more,
        count: sum(all).map(|count| count.to_string()),
        count_of_all: count(&every.classes()).map(|count| count.to_string()),
    };
    out.write_all(crate::json::text(&object).as_bytes())
}

fn listed(tasks: &Tasks) -> Vec<String> {
    let (mut stream, mut all) = (Stream::new(&tasks.classes()), Vec::new());
    while stream.advance() {
        let mut line = String::new();
        names::context(tasks, stream.locations(), &mut line);
        all.push(line);
    }
    all
}
