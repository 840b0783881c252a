//! `mazurka contexts`: the initial contexts of a program without a main block.

mod args;
mod deadlock;
mod explore;
mod judge;
mod names;
mod tasks;

use std::io::{self, BufWriter, Write};
use std::sync::Arc;

use mazurka::{Loaded, Program, Refusal, Settings};
use mazurka_actor::Image;
use mazurka_contexts::{BigUint, Contexts as Stream, MOST_VECTORS, count_of_class};
use mazurka_report::counted;
use serde::Serialize;

pub(crate) use args::{Contexts, HELP};

use crate::actor::of_methods;
use crate::args::Format;
use crate::load::{Given, load};
use crate::status::Status;
use tasks::Tasks;

/// A step may run so many instructions.
const MAX_INSTRUCTIONS: u64 = 10_000_000;

/// How many contexts there are, for each class; none where the formula takes too long.
struct Counts {
    classes: Vec<Option<BigUint>>,
    all: Option<BigUint>,
}

impl Counts {
    fn of(tasks: &Tasks) -> Self {
        let classes: Vec<Option<BigUint>> = tasks.classes().iter().map(|class| count_of_class(class)).collect();
        let all = classes.iter().cloned().try_fold(BigUint::from(1u32), |all, class| class.map(|class| all * class));
        // No location at all is a choice of each class, but no context.
        let is_optional = tasks.classes().iter().flatten().all(|interval| interval.least == 0);
        Counts { all: all.map(|all| all - u32::from(is_optional)), classes }
    }
}

/// Does what was asked.
pub(crate) fn run(arguments: &Contexts) -> Result<Status, Refusal> {
    let settings = Settings {
        defines: arguments.defines.clone(),
        max_instructions: MAX_INSTRUCTIONS,
        actor: of_methods(arguments.dialect),
        ..Settings::default()
    };
    let loaded = load(&arguments.programs, &settings, Given::default())?;
    let image = image(&loaded)?;
    let written = if arguments.deadlock {
        deadlock::run(arguments, &loaded, image)
    } else {
        let tasks = Tasks::named(arguments, image)?;
        match arguments.output.format {
            Format::Human => human(arguments, &tasks),
            Format::Json => json(arguments, &loaded, &tasks),
        }
    };
    match written {
        // A reader that has gone away (`| head`) is not an error.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Status::Verified),
        Err(error) => Err(Refusal::new(format!("cannot write to stdout: {error}"))),
        Ok(status) => Ok(status),
    }
}

/// The program, which has to be one of actors.
fn image(loaded: &Loaded) -> Result<&Arc<Image>, Refusal> {
    match &loaded.program {
        Program::Actor { image, .. } => Ok(image),
        Program::Process { .. } | Program::C { .. } | Program::Network { .. } => {
            Err(Refusal::new(format!("`{}` has no methods: contexts are for actors (`.abs`)", loaded.path)))
        }
    }
}

fn human(arguments: &Contexts, tasks: &Tasks) -> io::Result<Status> {
    let mut out = BufWriter::new(io::stdout().lock());
    let counts = (arguments.count || !arguments.list).then(|| Counts::of(tasks));
    if let Some(counts) = &counts {
        for (class, count) in tasks.0.iter().zip(&counts.classes) {
            let of = class.tasks.iter().map(|task| {
                let (least, most) = (task.interval.least, task.interval.most);
                let numbers = if least == most { least.to_string() } else { format!("{least}..{most}") };
                format!("{} {numbers}", task.name)
            });
            let of: Vec<String> = of.collect();
            writeln!(out, "{}: {} ({})", class.name, number(count.as_ref()), of.join(", "))?;
        }
        match &counts.all {
            Some(all) if *all == BigUint::from(1u32) => writeln!(out, "1 context")?,
            Some(all) => writeln!(out, "{} contexts", names::number(all))?,
            None => writeln!(out, "how many contexts there are in all is unknown")?,
        }
    }
    if arguments.list {
        let (mut stream, mut line) = (Stream::new(&tasks.classes()), String::new());
        while stream.advance() {
            line.clear();
            names::context(tasks, stream.locations(), &mut line);
            line.push('\n');
            out.write_all(line.as_bytes())?;
        }
    }
    out.flush()?;
    Ok(status(counts.as_ref()))
}

fn number(count: Option<&BigUint>) -> String {
    count.map_or_else(
        || format!("unknown (more than {} to count with)", counted(MOST_VECTORS as u64, "vector")),
        names::number,
    )
}

fn status(counts: Option<&Counts>) -> Status {
    match counts {
        Some(Counts { all: None, .. }) => Status::Incomplete,
        _ => Status::Verified,
    }
}

/// The object of `contexts`, without the contexts themselves.
#[derive(Serialize)]
struct Object<'a> {
    tool: &'static str,
    version: &'static str,
    program: &'a str,
    tasks: Vec<TaskObject<'a>>,
    classes: Vec<ClassObject<'a>>,
    /// As text: it may be larger than numbers are elsewhere. Null if it was not counted.
    count: Option<String>,
}

#[derive(Serialize)]
struct TaskObject<'a> {
    class: &'a str,
    method: &'a str,
    least: u8,
    most: u8,
}

#[derive(Serialize)]
struct ClassObject<'a> {
    class: &'a str,
    count: Option<String>,
}

fn json(arguments: &Contexts, loaded: &Loaded, tasks: &Tasks) -> io::Result<Status> {
    let counts = (arguments.count || !arguments.list).then(|| Counts::of(tasks));
    let of_class = |number: usize| counts.as_ref()?.classes[number].as_ref().map(BigUint::to_string);
    let task_objects = tasks.0.iter().flat_map(|class| {
        class.tasks.iter().map(|task| TaskObject {
            class: &class.name,
            method: &task.name,
            least: task.interval.least,
            most: task.interval.most,
        })
    });
    let classes = tasks.0.iter().enumerate();
    let object = Object {
        tool: "mazurka",
        version: env!("CARGO_PKG_VERSION"),
        program: &loaded.path,
        tasks: task_objects.collect(),
        classes: classes.map(|(number, class)| ClassObject { class: &class.name, count: of_class(number) }).collect(),
        count: counts.as_ref().and_then(|counts| counts.all.as_ref()).map(BigUint::to_string),
    };
    let text = crate::json::text(&object);
    let mut out = BufWriter::new(io::stdout().lock());
    if arguments.list {
        list_json(&mut out, &text, tasks)?;
    } else {
        out.write_all(text.as_bytes())?;
    }
    out.flush()?;
    Ok(status(counts.as_ref()))
}

/// A location of a context.
#[derive(Serialize)]
struct LocationObject<'a> {
    name: String,
    class: &'a str,
    tasks: Vec<&'a str>,
}

/// The object with all contexts in it, which are written one after the other: there may be more
/// than fit anywhere.
fn list_json(out: &mut impl Write, object: &str, tasks: &Tasks) -> io::Result<()> {
    let head = object.trim_end().trim_end_matches('}').trim_end();
    write!(out, "{head},\n  \"contexts\": [")?;
    let (mut stream, mut comma) = (Stream::new(&tasks.classes()), "");
    while stream.advance() {
        let (mut class, mut number) = (usize::MAX, 0);
        let mut locations = Vec::new();
        for location in stream.locations() {
            number = if location.class == class { number + 1 } else { 1 };
            class = location.class;
            let of = &tasks.0[class];
            let waiting = of.tasks.iter().zip(location.tasks);
            let waiting = waiting.flat_map(|(task, &many)| (0..many).map(|_| task.name.as_str()));
            let name = names::object(&of.name, number);
            locations.push(LocationObject { name, class: &of.name, tasks: waiting.collect() });
        }
        let text = serde_json::to_string(&locations).map_err(io::Error::other)?;
        write!(out, "{comma}\n    {text}")?;
        comma = ",";
    }
    writeln!(out, "\n  ]\n}}")
}
