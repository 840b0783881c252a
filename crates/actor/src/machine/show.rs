//! Values as a user reads them.

use super::heap::{Boxed, Heap};
use super::registry::{NOBODY, Registry};
use super::value::{Kind, Value};
use crate::code::Image;

/// Longer texts are cut.
const LONGEST: usize = 10_000;

/// What is still to be written.
enum Piece {
    Text(&'static str),
    Value(Value),
}

/// A value as a text for people. Lists are written as lists, whatever their length; nothing
/// recurses.
pub(super) fn show(image: &Image, registry: &Registry, heap: &Heap, value: Value) -> String {
    match spell(image, registry, heap, value, LONGEST) {
        Ok(text) => text,
        Err(text) => text + "…",
    }
}

/// A value as a text, if that is not longer than allowed; otherwise how it begins.
pub(super) fn spell(
    image: &Image,
    registry: &Registry,
    heap: &Heap,
    value: Value,
    longest: usize,
) -> Result<String, String> {
    let mut text = String::new();
    let mut pieces = vec![Piece::Value(value)];
    while let Some(piece) = pieces.pop() {
        match piece {
            Piece::Text(piece) => text.push_str(piece),
            // A list of so many items has a longer text.
            Piece::Value(value) if heap.constructor(value) == Some(image.known.cons.0) => {
                push_list(image, heap, value, longest + 1, &mut text, &mut pieces);
            }
            Piece::Value(value) => push(image, registry, heap, value, &mut text, &mut pieces),
        }
        if text.len() > longest {
            return Err(text);
        }
    }
    Ok(text)
}

fn push(image: &Image, registry: &Registry, heap: &Heap, value: Value, text: &mut String, pieces: &mut Vec<Piece>) {
    match value.kind() {
        Kind::Absent => text.push_str("nothing"),
        Kind::Int(number) => text.push_str(&number.to_string()),
        Kind::Null => text.push_str("null"),
        Kind::Symbolic(_) => text.push_str("an input"),
        Kind::Object(object) => text.push_str(&object_name(image, registry, object)),
        Kind::Future(task) => text.push_str(&format!("future of {}", task_name(image, registry, task))),
        Kind::Boxed(number) => match heap.get_box(number) {
            Boxed::Int(number) => text.push_str(&number.to_string()),
            Boxed::Rat(number) => text.push_str(&number.to_string()),
            Boxed::String(string) => text.push_str(string),
        },
        Kind::Plain(constructor) => text.push_str(constructor_name(image, constructor)),
        Kind::Node(_) => {
            let constructor = heap.constructor(value).unwrap_or_default();
            text.push_str(constructor_name(image, constructor));
            text.push('(');
            pieces.push(Piece::Text(")"));
            let arguments = heap.arguments(value);
            // Of a task that failed: the exception, but not where it was thrown.
            let is_failure = constructor as usize == image.constructors.len();
            separated(arguments[..if is_failure { 1 } else { arguments.len() }].iter().copied(), pieces);
        }
    }
}

/// The first items of a list, at most so many.
fn push_list(image: &Image, heap: &Heap, list: Value, most: usize, text: &mut String, pieces: &mut Vec<Piece>) {
    let mut items = Vec::new();
    let mut rest = list;
    while heap.constructor(rest) == Some(image.known.cons.0) && items.len() < most {
        let [head, tail] = heap.arguments(rest) else { break };
        items.push(*head);
        rest = *tail;
    }
    text.push_str("list[");
    pieces.push(Piece::Text("]"));
    separated(items.into_iter(), pieces);
}

/// Values with commas in between, to be written next.
fn separated(values: impl DoubleEndedIterator<Item = Value> + ExactSizeIterator, pieces: &mut Vec<Piece>) {
    for (position, value) in values.enumerate().rev() {
        pieces.push(Piece::Value(value));
        if position > 0 {
            pieces.push(Piece::Text(", "));
        }
    }
}

fn constructor_name(image: &Image, constructor: u32) -> &str {
    let named = image.constructors.get(constructor as usize);
    // Beyond them are the results of tasks that failed, and functions.
    let failed = if constructor as usize == image.constructors.len() { "exception" } else { "function" };
    named.map_or(failed, |constructor| constructor.name.as_str())
}

/// `Class#1`: the first object that main made; `Class#2.1/3`: the third that the first call of
/// main's second call made.
pub(super) fn object_name(image: &Image, registry: &Registry, object: u32) -> String {
    let object = registry.objects[object as usize];
    let (class, nth) = (&image.classes[object.class as usize].name, object.nth + 1);
    match registry.path(object.creator).as_str() {
        "" => format!("{class}#{nth}"),
        path => format!("{class}#{path}/{nth}"),
    }
}

/// `Class.method#1`: the task of main's first call; `Class.method#1.2`: the second that it called.
pub(super) fn task_name(image: &Image, registry: &Registry, number: u32) -> String {
    let task = registry.tasks[number as usize];
    let body = &image.bodies[task.body as usize];
    if task.caller == NOBODY {
        return body.name.clone();
    }
    let class = body.class.map_or("", |class| image.classes[class as usize].name.as_str());
    format!("{class}.{}#{}", body.name, registry.path(number))
}
