//! What tasks can come to know: objects and tasks, by what they keep, by fields of objects that
//! they can reach, by results of tasks whose futures they can reach.
//!
//! Of several tasks, one can pass on what it knows to another by way of an object that both know.
//! So they are looked at together. What is made later knows nothing else.

use rustc_hash::FxHashSet;

use super::ActorMachine;
use super::value::{Kind, Value};

/// What some tasks, together, can come to know. Costs all of that.
#[derive(Debug, Default)]
pub(super) struct Reach {
    pub(super) objects: FxHashSet<u32>,
    pub(super) tasks: FxHashSet<u32>,
}

impl ActorMachine {
    /// What some tasks can come to know as long as no others step.
    pub(super) fn reach_of(&self, of: impl Iterator<Item = u32>) -> Reach {
        let mut reach = Reach::default();
        let mut parts: FxHashSet<Value> = FxHashSet::default();
        let mut todo: Vec<Value> = of.flat_map(|task| self.stacks[task as usize].iter().copied()).collect();
        while let Some(value) = todo.pop() {
            match value.kind() {
                Kind::Object(object) if reach.objects.insert(object) => {
                    let of = self.registry.objects[object as usize];
                    let fields = self.image.classes[of.class as usize].fields.len() as u32;
                    todo.extend((of.fields..of.fields + fields).map(|location| self.cells.get(location)));
                }
                Kind::Future(task) if reach.tasks.insert(task) => {
                    todo.push(self.cells.get(self.registry.tasks[task as usize].future));
                }
                Kind::Node(_) if parts.insert(value) => todo.extend_from_slice(self.heap.arguments(value)),
                _ => {}
            }
        }
        reach
    }
}
