//! Of which methods there are initial tasks, and how many.

use mazurka::Refusal;
use mazurka_actor::Image;
use mazurka_contexts::{Class, Interval, MOST_TASKS};

use super::Contexts;

/// A method of which there are initial tasks.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    /// The number of its body.
    pub(crate) method: u32,
    /// Its name.
    pub(crate) name: String,
    pub(crate) interval: Interval,
}

/// The initial tasks of a class.
#[derive(Clone, Debug)]
pub(crate) struct ClassTasks {
    /// The number of the class.
    pub(crate) class: u32,
    /// Its name.
    pub(crate) name: String,
    pub(crate) tasks: Vec<Task>,
}

/// The initial tasks of all classes that have some.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tasks(pub(crate) Vec<ClassTasks>);

impl Tasks {
    /// The initial tasks that the command line names.
    pub(crate) fn named(arguments: &Contexts, image: &Image) -> Result<Tasks, Refusal> {
        let default = Interval::new(1, arguments.max).ok_or_else(|| Refusal::new("--max is from 1 to 64"))?;
        let mut named: Vec<(u32, Interval)> = Vec::new();
        for text in &arguments.tasks {
            let (name, numbers) = match text.split_once('=') {
                Some((name, numbers)) => (name, interval(text, numbers)?),
                None => (text.as_str(), default),
            };
            let found = image.find_method(name.trim());
            let (_, method) = found.map_err(|wrong| {
                let message = format!("--task {text}: {}", wrong.message);
                wrong.help.map_or_else(|| Refusal::new(&message), |help| Refusal::with_help(&message, help))
            })?;
            if named.iter().any(|&(other, _)| other == method) {
                return Err(Refusal::new(format!("--task {text}: `{name}` was given before")));
            }
            named.push((method, numbers));
        }
        let is_meant = |method: u32| {
            let named = named.iter().find(|&&(other, _)| other == method).map(|&(_, interval)| interval);
            named.or_else(|| arguments.all_tasks.then_some(default))
        };
        let tasks = Tasks::of(image, is_meant);
        if tasks.0.iter().flat_map(|class| &class.tasks).all(|task| task.interval.most == 0) {
            let help = "say which tasks there are: `--task C.m`, or `--all-tasks`";
            return Err(Refusal::with_help("there are no initial tasks, so there is no context", help));
        }
        Ok(tasks)
    }

    /// The initial tasks of the methods for which there is an interval.
    pub(crate) fn of(image: &Image, interval: impl Fn(u32) -> Option<Interval>) -> Tasks {
        let classes = image.methods().into_iter().map(|class| {
            let tasks = class.methods.iter().filter_map(|&(method, name)| {
                interval(method).map(|interval| Task { method, name: name.to_owned(), interval })
            });
            ClassTasks { class: class.class, name: class.name.to_owned(), tasks: tasks.collect() }
        });
        Tasks(classes.filter(|class| !class.tasks.is_empty()).collect())
    }

    /// The numbers alone.
    pub(crate) fn classes(&self) -> Vec<Class> {
        self.0.iter().map(|class| class.tasks.iter().map(|task| task.interval).collect()).collect()
    }
}

/// `2`, or `1..2`.
fn interval(text: &str, numbers: &str) -> Result<Interval, Refusal> {
    let expected = || {
        let help = "`C.m`, `C.m=2` or `C.m=1..2`";
        Refusal::with_help(format!("--task {text}: expected a number of tasks, or two"), help)
    };
    let number = |text: &str| text.trim().parse::<u64>().map_err(|_| expected());
    let (least, most) = match numbers.split_once("..") {
        Some((least, most)) => (number(least)?, number(most)?),
        None => (number(numbers)?, number(numbers)?),
    };
    if least > most {
        return Err(Refusal::new(format!("--task {text}: there is no number from {least} to {most}")));
    }
    let fits = u8::try_from(least).ok().zip(u8::try_from(most).ok());
    let found = fits.and_then(|(least, most)| Interval::new(least, most));
    found.ok_or_else(|| Refusal::new(format!("--task {text}: at most {MOST_TASKS} tasks of a method")))
}
