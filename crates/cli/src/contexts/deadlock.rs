//! Contexts for deadlocks: the cycles of waits between methods, the initial tasks that each needs,
//! and which contexts have a deadlock.

use std::io::{self, BufWriter, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use mazurka::Loaded;
use mazurka_actor::Image;
use mazurka_actor::deadlock::{Analysis, Interfering, Settings};
use mazurka_contexts::{BigUint, Contexts as Stream, Interval, count};
use serde::Serialize;

use super::explore::{Deadlock, Patience};
use super::judge::{Judge, Judged};
use super::tasks::Tasks;
use super::{Contexts, names};
use crate::args::Format;
use crate::interrupt;
use crate::status::Status;

/// A cycle, and the contexts for it.
struct Candidates<'a> {
    /// The cycle, in a line.
    cycle: String,
    initial: &'a [Interfering],
    tasks: Tasks,
    /// How many contexts there are.
    count: Option<BigUint>,
    /// What came of them, if that was asked.
    judged: Option<Judged>,
}

impl Candidates<'_> {
    /// How many contexts nothing is known of.
    fn unknown(&self, judged: &Judged) -> Option<BigUint> {
        let known = judged.deadlocks() + judged.free;
        self.count.as_ref().map(|count| count - known)
    }
}

/// Finds the cycles, and counts or lists the contexts for them.
pub(super) fn run(arguments: &Contexts, loaded: &Loaded, image: &Arc<Image>) -> io::Result<Status> {
    let analysis = Analysis::of_methods(image, &Settings::default(), arguments.coarse);
    let mut all = candidates(arguments, image, &analysis);
    if !arguments.list && !arguments.count {
        let cancel = Arc::new(AtomicBool::new(false));
        interrupt::install(&cancel);
        let patience = Patience { situations: arguments.tries, time: arguments.per_context, cancel: &cancel };
        let (each, most) = (arguments.each, arguments.most);
        let judge = Judge { image, analysis: &analysis, patience, each, most };
        for one in &mut all {
            one.judged = Some(judge.judge(&one.tasks));
        }
    }
    let mut out = BufWriter::new(io::stdout().lock());
    match arguments.output.format {
        Format::Human => human(&mut out, arguments, image, &analysis, &all)?,
        Format::Json => json(&mut out, arguments, loaded, image, &analysis, &all)?,
    }
    out.flush()?;
    Ok(match verdict(&analysis, &all) {
        "free" => Status::Verified,
        "deadlock" => Status::Violation,
        _ => Status::Incomplete,
    })
}

fn verdict(analysis: &Analysis, all: &[Candidates<'_>]) -> &'static str {
    let deadlock = |one: &Candidates<'_>| one.judged.as_ref().is_some_and(|judged| judged.deadlocks() > 0);
    let free = |one: &Candidates<'_>| {
        one.judged.as_ref().is_some_and(|judged| one.unknown(judged) == Some(BigUint::from(0u32)))
    };
    match () {
        () if all.iter().any(deadlock) => "deadlock",
        () if all.iter().all(free) && !analysis.more => "free",
        () => "unknown",
    }
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
        Candidates { cycle: words.join(" --> "), initial, tasks, count, judged: None }
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
        match &one.judged {
            Some(judged) => results(out, one, judged)?,
            None => writeln!(out, "  {}", counted(one.count.as_ref()))?,
        }
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

/// What came of the contexts for a cycle.
fn results(out: &mut impl Write, one: &Candidates<'_>, judged: &Judged) -> io::Result<()> {
    let unknown = one.unknown(judged).map_or_else(|| "the others".to_owned(), |unknown| names::number(&unknown));
    writeln!(
        out,
        "  {}: {} deadlock ({} executed, {} follow from smaller ones), {} free, {unknown} unknown",
        counted(one.count.as_ref()),
        judged.deadlocks(),
        judged.executed,
        judged.implied,
        judged.free,
    )?;
    if let Some((context, deadlock)) = judged.smallest() {
        writeln!(out, "    smallest  {context}")?;
        writeln!(out, "    begin     {}", deadlock.situation)?;
        writeln!(out, "    schedule  {}", deadlock.schedule.join(", "))?;
        for line in &deadlock.lines {
            writeln!(out, "      {line}")?;
        }
    }
    if let Some((context, why)) = judged.open() {
        writeln!(out, "    unknown   {context}: {why}")?;
    }
    if judged.is_cut {
        writeln!(out, "    not all of them were looked at (--most)")?;
    }
    Ok(())
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
    /// `free`, `deadlock` or `unknown`.
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
    #[serde(skip_serializing_if = "Option::is_none")]
    results: Option<ResultsObject<'a>>,
}

#[derive(Serialize)]
struct ResultsObject<'a> {
    deadlock: u64,
    executed: u64,
    implied: u64,
    free: u64,
    unknown: Option<String>,
    is_cut: bool,
    smallest: Option<DeadlockObject<'a>>,
    /// Why nothing is known of a context, of the first one.
    why_unknown: Option<&'a str>,
}

#[derive(Serialize)]
struct DeadlockObject<'a> {
    context: &'a str,
    begin: &'a str,
    schedule: &'a [String],
    chain: &'a [String],
}

fn results_object<'a>(one: &'a Candidates<'_>, judged: &'a Judged) -> ResultsObject<'a> {
    let deadlock = |(context, found): (&'a str, &'a Deadlock)| DeadlockObject {
        context,
        begin: &found.situation,
        schedule: &found.schedule,
        chain: &found.lines,
    };
    ResultsObject {
        deadlock: judged.deadlocks(),
        executed: judged.executed,
        implied: judged.implied,
        free: judged.free,
        unknown: one.unknown(judged).map(|unknown| unknown.to_string()),
        is_cut: judged.is_cut,
        smallest: judged.smallest().map(deadlock),
        why_unknown: judged.open().map(|(_, why)| why),
    }
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
            results: one.judged.as_ref().map(|judged| results_object(one, judged)),
        });
    }
    let every = Tasks::of(image, |_| Interval::new(1, arguments.max));
    let object = Object {
        tool: "mazurka",
        version: env!("CARGO_PKG_VERSION"),
        program: &loaded.path,
        verdict: verdict(analysis, all),
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
