//! Who there is: objects and tasks, by names that do not depend on the schedule.
//!
//! An object is named by the task that made it and as which of its objects, a task by the one that
//! called it and as which of its calls. What else tells them apart in different executions (class,
//! method, receiver) is part of the name, so a number always means a task of the same method of the
//! same object, and an object of the same class in the same group.

use rustc_hash::FxHashMap;

use super::BUCKETS;
use super::heap::{Heap, Print, combine, print};

/// Nobody: the caller of the main block, the object that it runs in.
pub(super) const NOBODY: u32 = u32::MAX;

/// An object.
#[derive(Clone, Copy, Debug)]
pub(super) struct Object {
    pub(super) class: u32,
    /// The group, by its lock's location.
    pub(super) lock: u32,
    /// The location of its first field.
    pub(super) fields: u32,
    /// The location of the first entry of its maps.
    pub(super) entries: u32,
    pub(super) creator: u32,
    pub(super) nth: u32,
}

/// A task.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task {
    pub(super) caller: u32,
    pub(super) nth: u32,
    pub(super) body: u32,
    pub(super) receiver: u32,
    /// The location of the lock of its group.
    pub(super) lock: u32,
    /// The location of its result. The next one tells whether somebody got an exception from it.
    pub(super) future: u32,
    /// Somebody may have its future. The state holds no name of a task of which nobody has it.
    pub(super) is_kept: bool,
}

/// Objects and tasks that a machine has met.
#[derive(Clone, Debug, Default)]
pub(super) struct Registry {
    pub(super) objects: Vec<Object>,
    pub(super) tasks: Vec<Task>,
    /// For each task.
    runs: Vec<Run>,
    object_numbers: FxHashMap<(u32, u32, u32, bool), u32>,
    task_numbers: FxHashMap<(u32, u32, u32, u32, bool), u32>,
    /// Of the maps, by the location of their first entry: which keys were met, and as which.
    keys: FxHashMap<u32, FxHashMap<Print, u32>>,
    /// The name of each location, as a digest.
    pub(super) locations: Vec<Print>,
    /// Whose location it is.
    pub(super) owners: Vec<Owner>,
}

/// What a location is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Owner {
    /// The lock of the group that begins with an object, or with main.
    Lock(u32),
    /// A field of an object.
    Field(u32, u32),
    /// Some entries of a map field of an object.
    Entries(u32, u32),
    /// The result of a task.
    Future(u32),
    /// Whether somebody got an exception from a task.
    Taken(u32),
}

impl Registry {
    pub(super) fn find_object(&self, creator: u32, nth: u32, class: u32, local: bool) -> Option<u32> {
        self.object_numbers.get(&(creator, nth, class, local)).copied()
    }

    pub(super) fn find_task(&self, of: (u32, u32), body: u32, receiver: u32, is_kept: bool) -> Option<u32> {
        self.task_numbers.get(&(of.0, of.1, body, receiver, is_kept)).copied()
    }

    /// Enters an object that was not met before. Its locations have been given their numbers.
    pub(super) fn add_object(&mut self, object: Object, local: bool, heap: &mut Heap) -> u32 {
        let number = self.objects.len() as u32;
        let Object { creator, nth, class, .. } = object;
        self.object_numbers.insert((creator, nth, class, local), number);
        self.objects.push(object);
        let of = combine((41, u64::from(local)), heap.tasks[creator as usize]);
        heap.objects.push(print(print(of, u64::from(nth)), u64::from(class)));
        heap.lasting_objects.push(heap.lasting_tasks[creator as usize]);
        number
    }

    /// Enters a task that was not met before.
    pub(super) fn add_task(&mut self, task: Task, heap: &mut Heap) -> u32 {
        let number = self.tasks.len() as u32;
        let Task { caller, nth, body, receiver, is_kept, .. } = task;
        self.task_numbers.insert((caller, nth, body, receiver, is_kept), number);
        self.runs.push(self.run_of(caller, nth));
        self.tasks.push(task);
        let of = if caller == NOBODY { (43, 47) } else { heap.tasks[caller as usize] };
        let on = if receiver == NOBODY { (53, 59) } else { heap.objects[receiver as usize] };
        let call = u64::from(body) << 1 | u64::from(is_kept);
        heap.tasks.push(combine(print(print(of, u64::from(nth)), call), on));
        let lasts = caller == NOBODY || is_kept && heap.lasting_tasks[caller as usize];
        heap.lasting_tasks.push(lasts);
        number
    }

    /// The bucket of a key in the map whose first entry is at a location. Keys get buckets in the
    /// order in which they are met, and keep them; those beyond the number of buckets share some.
    pub(super) fn bucket(&mut self, first: u32, key: Print) -> u32 {
        let keys = self.keys.entry(first).or_default();
        let next = keys.len() as u32;
        *keys.entry(key).or_insert(next) % BUCKETS
    }

    /// Names a location, whose number is the next one.
    pub(super) fn name_location(&mut self, owner: Owner, part: u64, heap: &Heap) {
        let whose = match owner {
            Owner::Lock(NOBODY) => (61, 67),
            Owner::Lock(object) | Owner::Field(object, _) | Owner::Entries(object, _) => heap.objects[object as usize],
            Owner::Future(task) | Owner::Taken(task) => heap.tasks[task as usize],
        };
        self.locations.push(print(combine((71, 73), whose), part));
        self.owners.push(owner);
    }

    /// The path of a task: as which call of which call of main it was made. The same number many
    /// times in a row is told once, with how often.
    pub(super) fn path(&self, task: u32) -> String {
        let mut runs = Vec::new();
        let mut at = task;
        while self.tasks[at as usize].caller != NOBODY {
            let (number, Run { above, length }) = (self.tasks[at as usize].nth + 1, self.runs[at as usize]);
            if length > LONG_RUN {
                runs.push(format!("{number}×{length}"));
            } else {
                runs.extend((0..length).map(|_| number.to_string()));
            }
            at = above;
        }
        runs.reverse();
        runs.join(".")
    }

    /// Where the path of a task that was called by another one as its nth begins to repeat itself.
    fn run_of(&self, caller: u32, nth: u32) -> Run {
        if caller == NOBODY || self.tasks[caller as usize].caller == NOBODY || self.tasks[caller as usize].nth != nth {
            return Run { above: caller, length: 1 };
        }
        let Run { above, length } = self.runs[caller as usize];
        Run { above, length: length + 1 }
    }
}

/// So often a number of a path is told one by one.
const LONG_RUN: u32 = 8;

/// The end of a task's path, as far as it is one number again and again.
#[derive(Clone, Copy, Debug)]
struct Run {
    /// The task whose path comes before that.
    above: u32,
    length: u32,
}
