//! Abstract objects, locations and tasks.
//!
//! An object is told by the places where it and its makers were made, newest first, at most `k + 1`
//! of them. A location is told by the object that it was made for: one of `new local` lives in its
//! maker's. A task is a method of an abstract object.

use rustc_hash::FxHashMap;

use crate::code::Pc;

/// An abstract object. A location has the number of the object that it was made for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct ObjectId(pub(super) u32);

/// An abstract task; also a method that runs within another task.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct TaskId(pub(super) u32);

impl ObjectId {
    /// What main runs in.
    pub(super) const MAIN: ObjectId = ObjectId(0);

    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

impl TaskId {
    pub(super) const MAIN: TaskId = TaskId(0);

    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// An abstract object.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Object {
    /// Where it and its makers were made, newest first. Empty for main, and for what was there
    /// before.
    pub(super) sites: Vec<Pc>,
    /// Its location; none: its own.
    shared: Option<ObjectId>,
    /// It was there before, and has this class.
    input: Option<u32>,
}

/// An abstract task.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Task {
    pub(super) object: ObjectId,
    pub(super) body: u32,
}

/// All that the analysis has met.
#[derive(Clone, Debug)]
pub(super) struct World {
    /// How many makers tell objects apart.
    sensitivity: usize,
    pub(super) objects: Vec<Object>,
    /// The class of each object; none for main.
    pub(super) classes: Vec<Option<u32>>,
    pub(super) tasks: Vec<Task>,
    object_numbers: FxHashMap<Object, ObjectId>,
    task_numbers: FxHashMap<Task, TaskId>,
}

impl World {
    pub(super) fn new(sensitivity: usize, main: u32) -> Self {
        let (objects, classes, tasks) = Default::default();
        let (object_numbers, task_numbers) = Default::default();
        let mut world = World { sensitivity, objects, classes, tasks, object_numbers, task_numbers };
        world.enter(Object { sites: Vec::new(), shared: None, input: None }, None);
        world.task(ObjectId::MAIN, main);
        world
    }

    fn enter(&mut self, object: Object, class: Option<u32>) -> ObjectId {
        let next = ObjectId(self.objects.len() as u32);
        let number = *self.object_numbers.entry(object.clone()).or_insert(next);
        if number == next {
            self.objects.push(object);
            self.classes.push(class);
        }
        number
    }

    /// The object that is made at a place by a method of `maker`.
    pub(super) fn made(&mut self, site: Pc, maker: ObjectId, class: u32, local: bool) -> ObjectId {
        let makers = &self.objects[maker.index()].sites;
        let sites = [site].into_iter().chain(makers.iter().copied()).take(self.sensitivity + 1).collect();
        let shared = local.then(|| self.location(maker));
        self.enter(Object { sites, shared, input: None }, Some(class))
    }

    /// The object that stands for all those of a class that were there before.
    pub(super) fn input(&mut self, class: u32) -> ObjectId {
        self.enter(Object { sites: Vec::new(), shared: None, input: Some(class) }, Some(class))
    }

    /// The objects that stand for those of each class that were there before.
    pub(super) fn inputs(&self, classes: usize) -> Vec<ObjectId> {
        let known = |class: usize| {
            let input = Object { sites: Vec::new(), shared: None, input: Some(class as u32) };
            self.object_numbers.get(&input).copied()
        };
        (0..classes).filter_map(known).collect()
    }

    /// The object that was made at the first of these places, by makers that were made at the
    /// others; none if the analysis has not met it.
    pub(super) fn find_object(&self, sites: &[Pc], shared: Option<ObjectId>) -> Option<ObjectId> {
        let sites = sites.iter().copied().take(self.sensitivity + 1).collect();
        self.object_numbers.get(&Object { sites, shared, input: None }).copied()
    }

    pub(super) fn task(&mut self, object: ObjectId, body: u32) -> TaskId {
        let task = Task { object, body };
        let next = TaskId(self.tasks.len() as u32);
        let number = *self.task_numbers.entry(task).or_insert(next);
        if number == next {
            self.tasks.push(task);
        }
        number
    }

    pub(super) fn find_task(&self, object: ObjectId, body: u32) -> Option<TaskId> {
        self.task_numbers.get(&Task { object, body }).copied()
    }

    pub(super) fn location(&self, object: ObjectId) -> ObjectId {
        self.objects[object.index()].shared.unwrap_or(object)
    }

    /// The location that a task runs in.
    pub(super) fn location_of(&self, task: TaskId) -> ObjectId {
        self.location(self.tasks[task.index()].object)
    }
}
