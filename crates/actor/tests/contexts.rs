//! Contexts of methods: what the analysis excludes, and what it asks for, against executions.

use std::collections::BTreeSet;
use std::sync::Arc;

use mazurka_actor::deadlock::{Analysis, Goal, Guidance, Guide, Settings, Waiting, Wanted};
use mazurka_actor::{ActorMachine, Candidates, Image, Options, Situation, Source, compile};
use mazurka_contexts::{Class, Contexts, Interval};
use mazurka_explore::{Monitor, Options as Exploration, Reduction, explore_guided};

/// A program of the paper, in a version of our own.
fn program(name: &str) -> String {
    let path = format!("{}/../../bench/suites/lopstr17/{name}.abs", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).expect("a program")
}

fn image(text: &str) -> Arc<Image> {
    let options = Options { methods: true, ..Options::default() };
    Arc::new(compile(&[Source { name: "p.abs", text }], &options).expect("it compiles"))
}

/// A context: for each location its class and the methods of its tasks.
type Context = Vec<(u32, Vec<u32>)>;

/// All contexts with as many tasks of each method as there is an interval for.
fn contexts(image: &Image, interval: impl Fn(u32) -> Option<Interval>) -> Vec<Context> {
    let methods: Vec<(u32, Vec<(u32, Interval)>)> = image
        .methods()
        .iter()
        .map(|class| {
            let of = class.methods.iter().filter_map(|&(method, _)| interval(method).map(|one| (method, one)));
            (class.class, of.collect())
        })
        .collect();
    let classes: Vec<Class> = methods.iter().map(|(_, of)| of.iter().map(|&(_, one)| one).collect()).collect();
    let (mut stream, mut all) = (Contexts::new(&classes), Vec::new());
    while stream.advance() {
        let of = |location: mazurka_contexts::Location<'_>| {
            let (class, methods) = &methods[location.class];
            let tasks = methods.iter().zip(location.tasks);
            (*class, tasks.flat_map(|(&(method, _), &many)| vec![method; many.into()]).collect())
        };
        all.push(stream.locations().map(of).collect());
    }
    all
}

/// Whether an execution of the context has a deadlock, with some of the first values that are
/// tried. Nothing guides it.
fn deadlocks(image: &Image, context: &Context, tries: usize) -> bool {
    let found = Candidates::of(image, context).expect("all values are tried out");
    found.into_iter().take(tries).any(|situation| has_deadlock(image, &situation))
}

fn has_deadlock(image: &Image, situation: &Situation) -> bool {
    let read = Situation::read(&situation.text(image), image).expect("what is written can be read");
    assert_eq!(read, *situation);
    let begun = Arc::new(image.begun_with(situation));
    let analysis = Analysis::of(&begun, &Settings::default());
    let wanted = Wanted { goal: Goal::First, guidance: Guidance::None, stops_at_deadlocks: false };
    let mut guide = Guide::new(&analysis, wanted, Some(2_000));
    let options = Exploration { all: true, ..Exploration::default() };
    let machine = &mut ActorMachine::new(begun);
    explore_guided(machine, &mut guide, Reduction::Sleep, &options, &Monitor::default());
    guide.findings.deadlocks > 0
}

/// How many tasks a context has.
fn tasks(context: &Context) -> usize {
    context.iter().map(|(_, methods)| methods.len()).sum()
}

fn waiting(context: &Context) -> Vec<Waiting> {
    context.iter().map(|(class, methods)| (*class, methods.iter().copied().collect::<BTreeSet<u32>>())).collect()
}

/// The programs, and what becomes of them where something else is written.
fn programs() -> Vec<String> {
    let dbprot = program("dbprot");
    let changed = |from: &str, to: &str| {
        let text = dbprot.replacen(from, to, 1);
        assert_ne!(text, dbprot, "`{from}` is there");
        text
    };
    let opened = changed("connected = 0;", "connected = 5;");
    let closed = changed("connected = 3;", "connected = 0;");
    let guarded = changed("await old?;", "await connected > 1;");
    let kept = changed("await old?;", "old.get;");
    let all = ["barber", "fact", "pairing"].map(program);
    all.into_iter().chain([opened, closed, guarded, kept, dbprot]).collect()
}

#[test]
fn a_context_that_is_excluded_has_no_deadlock() {
    let (mut excluded, mut found) = (0, 0);
    for text in programs() {
        let image = image(&text);
        let analysis = Analysis::of_methods(&image, &Settings::default(), false);
        let refuter = analysis.refuter.as_ref().expect("all cycles are known");
        let up_to_one = Interval::new(0, 1);
        for context in contexts(&image, |_| up_to_one).into_iter().filter(|one| one.len() <= 3 && tasks(one) <= 4) {
            let is_excluded = refuter.excludes_all(&image, &waiting(&context));
            let has_deadlock = deadlocks(&image, &context, 12);
            assert!(!(is_excluded && has_deadlock), "{context:?} of\n{text}");
            excluded += u32::from(is_excluded);
            found += u32::from(has_deadlock);
        }
    }
    assert!(excluded > 100 && found > 20, "{excluded} excluded, {found} with a deadlock");
}

#[test]
fn the_contexts_for_a_cycle_have_its_deadlocks() {
    for text in programs() {
        let image = image(&text);
        let analysis = Analysis::of_methods(&image, &Settings::default(), false);
        let all = contexts(&image, |_| Interval::new(0, 1)).into_iter().filter(|one| one.len() <= 3 && tasks(one) <= 4);
        let some = all.into_iter().any(|context| deadlocks(&image, &context, 12));
        let wanted = analysis.initial.iter().any(|initial| {
            let is_meant = |method: u32| initial.iter().any(|task| task.method == method);
            let own = contexts(&image, |method| is_meant(method).then(|| Interval::new(1, 1)).flatten());
            own.iter().any(|context| deadlocks(&image, context, 12))
        });
        assert_eq!(some, wanted, "{text}");
    }
}
