//! What a C program does with locks and threads, for the analysis of waits.
//!
//! 1. `flow`: what each function does with values, register by register;
//! 2. `solve`: which addresses values can be, with the calls through pointers;
//! 3. `counts`: what happens at most once;
//! 4. `locks`: which addresses are locks, and which of them can be the same;
//! 5. `bodies`: the paths of each thread, reduced to what matters.
//!
//! # Guarantee
//! The skeleton has every path that the machine can take, and each of its operations names every
//! lock and thread that it can mean there. What is not followed is said, and then nothing is
//! proved: a lock, a thread's function or a handle of which nothing is known.
//!
//! # Deviations
//! 1. Conditions are not evaluated, but for what calls of locks return.
//! 2. What C leaves undefined is not followed: an address that is made of another object's address
//!    by an index, a lock that lies beyond the end of its object.
//! 3. A condition, a semaphore, a barrier, and a loop that looks for a change are communications.
//!
//! # Cost
//! A few microseconds an instruction of each instance of a function.

mod bodies;
mod counts;
mod facts;
mod flow;
mod foreign;
mod graph;
mod locks;
pub mod mutation;
mod objects;
mod solve;
mod targets;

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};

use mazurka_machine::{Describe, Place};
use mazurka_trace::SiteId;
use mazurka_waits::{Body, BodyId, Operation, PlaceId, Skeleton, Thread, ThreadId};

use crate::code::Waiting;
use crate::code::instruction::Instruction;
use crate::machine::CMachine;

use counts::Counts;
use locks::Locks;
use mutation::Mutation;
use solve::Solution;

/// So many threads are told apart.
const MOST_THREADS: usize = 200;

/// So many bodies are made.
const MOST_BODIES: usize = 20_000;

impl CMachine {
    /// What the program does with locks and threads.
    pub fn skeleton(&self) -> Skeleton {
        let solution = Solution::of(&self.image);
        let mut counts = Counts::of(&solution);
        let locks = Locks::of(&solution, &mut counts);
        let relevant = relevant(&solution, self.blocking());
        let mut builder = Builder {
            machine: self,
            blocking: self.blocking(),
            solution: &solution,
            locks: &locks,
            relevant,
            threads: Vec::new(),
            known_threads: BTreeMap::new(),
            sites: FxHashMap::default(),
            bodies: Vec::new(),
            known_bodies: FxHashMap::default(),
            todo: Vec::new(),
            joins: Vec::new(),
            places: Vec::new(),
            callers: Vec::new(),
            known_places: FxHashMap::default(),
            unknown: BTreeSet::new(),
        };
        builder.run();
        builder.finish()
    }
}

/// Who a thread is, for its creator.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Root {
    /// What it begins with.
    instance: u32,
    /// Where it is created.
    site: (u32, u32),
}

/// A join: where it is, and which creations its handle can come from, if that is known.
type Join = ((BodyId, usize), Option<Vec<(u32, u32)>>);

struct Builder<'a> {
    machine: &'a CMachine,
    /// Functions in which a thread can have to wait.
    blocking: &'a [bool],
    solution: &'a Solution<'a>,
    locks: &'a Locks,
    /// The instances that do something with locks or threads.
    relevant: FxHashSet<u32>,
    threads: Vec<(Thread, Option<Root>)>,
    known_threads: BTreeMap<(ThreadId, Root), ThreadId>,
    /// The threads of each creation.
    sites: FxHashMap<(u32, u32), Vec<ThreadId>>,
    bodies: Vec<Body>,
    known_bodies: FxHashMap<(ThreadId, u32), BodyId>,
    todo: Vec<(ThreadId, u32, BodyId)>,
    joins: Vec<Join>,
    places: Vec<Place>,
    callers: Vec<Option<Place>>,
    known_places: FxHashMap<(u32, Option<u32>), PlaceId>,
    unknown: BTreeSet<String>,
}

impl Builder<'_> {
    fn run(&mut self) {
        let main = Thread { name: "main".to_owned(), body: BodyId(0), creator: None, is_many: false };
        self.threads.push((main, None));
        self.threads[0].0.body = self.body_of(ThreadId(0), self.solution.start);
        self.callbacks();
        let mut rooted = 1;
        loop {
            if let Some((thread, instance, body)) = self.todo.pop() {
                if self.bodies.len() > MOST_BODIES {
                    self.unknown.insert("the program has too many paths to follow".to_owned());
                    return;
                }
                self.bodies[body.index()] = self.body(thread, instance, body);
            } else if rooted < self.threads.len() {
                let thread = ThreadId(rooted as u32);
                let Some(root) = self.threads[rooted].1 else { return };
                let body = self.root(thread, root.instance);
                self.bodies.push(body);
                self.threads[rooted].0.body = BodyId(self.bodies.len() as u32 - 1);
                rooted += 1;
            } else {
                return;
            }
        }
    }

    /// What functions that nobody defines may call at any time, as threads of which there are many.
    fn callbacks(&mut self) {
        for &instance in self.solution.callbacks.iter().filter(|callee| self.relevant.contains(callee)) {
            let function = self.solution.instances[instance as usize].function;
            let name = format!("{}@callback", self.solution.image.functions[function as usize].name);
            let thread = Thread { name, body: BodyId(0), creator: None, is_many: true };
            self.threads.push((thread, Some(Root { instance, site: (u32::MAX, 0) })));
        }
    }

    /// What is assumed, and why nothing is proved, of a program with parts that are not there.
    fn lacks(&mut self) -> Vec<String> {
        let image = self.solution.image;
        let (jumps, others): (Vec<_>, Vec<_>) = image.foreign.iter().partition(|name| foreign::jumps(name));
        self.unknown.extend(jumps.into_iter().map(|name| format!("`{name}` leaves the paths of the code")));
        let (harmless, others): (Vec<_>, Vec<_>) = others.into_iter().partition(|name| foreign::is_harmless(name));
        let (assembly, left_out): (Vec<_>, Vec<_>) =
            image.left_out.iter().partition(|what| what.contains("inline assembly"));
        self.unknown.extend(left_out.into_iter().map(|what| format!("not followed: {what}")));
        let mut assumed = Vec::new();
        let list = |names: &[&String]| names.iter().map(|name| name.as_str()).collect::<Vec<_>>().join(", ");
        if !harmless.is_empty() {
            let words = "functions of the system that take no lock and call nobody back";
            assumed.push(format!("{words}: {}", list(&harmless)));
        }
        if !others.is_empty() {
            let words = "functions that are not there, of which nothing is assumed but that they take no lock of the program and wait for none of its threads";
            assumed.push(format!("{words}: {}", list(&others)));
        }
        if !assembly.is_empty() {
            assumed.push(format!("inline assembly at {} places", assembly.len()));
        }
        assumed
    }

    /// The number of the body of an instance, as a thread runs it.
    fn body_of(&mut self, thread: ThreadId, instance: u32) -> BodyId {
        if let Some(&known) = self.known_bodies.get(&(thread, instance)) {
            return known;
        }
        let number = BodyId(self.bodies.len() as u32);
        self.bodies.push(Body::default());
        self.known_bodies.insert((thread, instance), number);
        if self.relevant.contains(&instance) {
            self.todo.push((thread, instance, number));
        }
        number
    }

    /// The thread that another one creates somewhere. One that creates itself again is one thread,
    /// of which there are several.
    fn thread(&mut self, creator: ThreadId, root: Root, line: usize) -> ThreadId {
        if let Some(&known) = self.known_threads.get(&(creator, root)) {
            return known;
        }
        let mut origins = std::iter::successors(Some(creator), |&thread| self.threads[thread.index()].0.creator);
        if let Some(same) = origins.find(|&thread| self.threads[thread.index()].1 == Some(root)) {
            self.threads[same.index()].0.is_many = true;
            return same;
        }
        if self.threads.len() >= MOST_THREADS {
            self.unknown.insert("the program creates threads at too many places".to_owned());
            return creator;
        }
        let function = self.solution.instances[root.instance as usize].function;
        let name = format!("{}@{line}", self.solution.image.functions[function as usize].name);
        let number = ThreadId(self.threads.len() as u32);
        let thread = Thread { name, body: BodyId(0), creator: Some(creator), is_many: false };
        self.threads.push((thread, Some(root)));
        self.known_threads.insert((creator, root), number);
        self.sites.entry(root.site).or_default().push(number);
        number
    }

    fn place_of(&mut self, site: u32, caller: Option<u32>) -> PlaceId {
        if let Some(&known) = self.known_places.get(&(site, caller)) {
            return known;
        }
        let number = PlaceId(self.places.len() as u32);
        let place = |site: u32| self.machine.place(SiteId::new(site as usize));
        self.places.push(place(site));
        self.callers.push(caller.map(place));
        self.known_places.insert((site, caller), number);
        number
    }

    /// Whether a site is in a header of the system.
    fn is_system(&self, site: u32) -> bool {
        let image = self.solution.image;
        is_system(&image.files[image.sites[site as usize].file as usize].name)
    }

    /// The line of a place; that of the call that leads there, if it is in a header of the system.
    fn own_line(&self, place: PlaceId) -> usize {
        let own = &self.places[place.index()];
        match &self.callers[place.index()] {
            Some(caller) if is_system(&own.file) => caller.line,
            _ => own.line,
        }
    }

    fn finish(mut self) -> Skeleton {
        let assumed = self.lacks();
        for ((body, node), handles) in &self.joins {
            let mut joined: Vec<ThreadId> = match handles {
                Some(sites) => sites.iter().flat_map(|site| self.sites.get(site)).flatten().copied().collect(),
                None => (0..self.threads.len() as u32).map(ThreadId).collect(),
            };
            joined.sort_unstable();
            joined.dedup();
            let is_known = handles.as_ref().is_some_and(|sites| sites.len() == 1);
            if mutation::on(Mutation::FirstHandle) {
                joined.truncate(1);
            }
            let is_one = (is_known || mutation::on(Mutation::FirstHandle)) && joined.len() == 1;
            if let Some(node) = self.bodies[body.index()].nodes.get_mut(*node) {
                node.operation = Operation::Join { threads: joined, is_sure: is_one };
            }
        }
        if self.solution.is_unfinished {
            self.unknown.insert("the program has too many addresses to follow".to_owned());
        }
        if self.solution.is_coarse {
            self.unknown.insert("the program has too many calls to tell them apart".to_owned());
        }
        Skeleton {
            locks: self.locks.descriptions.clone(),
            bodies: self.bodies,
            threads: self.threads.into_iter().map(|(thread, _)| thread).collect(),
            places: self.places,
            callers: self.callers,
            assumed,
            unknown: self.unknown.into_iter().collect(),
        }
    }
}

/// Whether a file belongs to the system.
fn is_system(file: &str) -> bool {
    file.starts_with("/usr/")
}

/// The instances that do something with locks or threads, themselves or in what they call.
fn relevant(solution: &Solution<'_>, blocking: &[bool]) -> FxHashSet<u32> {
    let image = solution.image;
    let matters = |function: u32| {
        let entry = image.functions[function as usize].entry;
        (entry..solution.end(function)).any(|pc| match image.code[pc as usize] {
            Instruction::Native { native, .. } => bodies::matters(native),
            Instruction::Head { repeat, .. } => image.loops[repeat as usize].waiting != Waiting::Never,
            Instruction::AtomicBegin => blocking[function as usize],
            _ => false,
        })
    };
    let mut callers: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    for (&(caller, _), callees) in &solution.calls {
        callees.iter().for_each(|&callee| callers.entry(callee).or_default().push(caller));
    }
    let mut known: FxHashMap<u32, bool> = FxHashMap::default();
    let instances = 0..solution.instances.len() as u32;
    let mut todo: Vec<u32> = instances
        .filter(|&instance| {
            let function = solution.instances[instance as usize].function;
            *known.entry(function).or_insert_with(|| matters(function))
        })
        .collect();
    let mut relevant = FxHashSet::default();
    while let Some(instance) = todo.pop() {
        if relevant.insert(instance) {
            todo.extend(callers.get(&instance).into_iter().flatten());
        }
    }
    relevant
}
