//! Which addresses values can be: inclusion constraints, solved together with the calls through
//! pointers that they decide.
//!
//! # Paper
//! Andersen, *Program Analysis and Specialization for the C Programming Language*, 1994; cells with
//! strides after Wilson and Lam, PLDI 1995.
//!
//! # Deviations
//! 1. A function is followed once for each place from which it is called; a small one once for each
//!    chain of such calls, up to a length. So a wrapper of `malloc` or of a lock is as good as what
//!    it wraps.
//! 2. Arithmetic on addresses that is not followed can lead anywhere in the same object, and not
//!    into another one. An index is a number: it does not carry an address into an array.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::code::{Image, Kind};

use super::flow::{Flow, Rule, ValueId, ends, flow};
use super::foreign::is_harmless;
use super::graph::{Graph, Use};
use super::mutation::{self, Mutation};
use super::objects::{Cell, Object, Objects, cells_of};
use super::targets::{ObjectId, Target, Targets, numbers};

/// A function of at most so many instructions is small.
const SMALL: u32 = 80;

/// So many calls of small functions tell instances apart.
const MOST_CALLS: usize = 6;

/// With more instances than that, a function is followed once for all of its calls.
const MOST_INSTANCES: usize = 8_000;

/// So many addresses are passed on from value to value.
const MOST_WORK: u64 = 50_000_000;

/// A copy of up to so many bytes is followed word by word.
const MOST_COPIED: u32 = 512;

/// A function as it is called from somewhere.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Called {
    function: u32,
    /// The calls that lead there, the last one first; as many as are told apart.
    context: Vec<u32>,
}

/// The instance of a function.
#[derive(Clone, Debug)]
pub(super) struct Instance {
    pub(super) function: u32,
    context: Vec<u32>,
    /// The node of its first value.
    first: u32,
    /// The node of its first result.
    results: u32,
}

/// A computation from two nodes.
#[derive(Clone, Copy, Debug)]
enum Pair {
    Sum { a: u32, b: u32, to: u32 },
    Index { base: u32, index: u32, scale: i64, offset: i64, to: u32 },
}

/// How far a computation from two nodes has come.
#[derive(Clone, Copy, Default, Debug)]
struct Progress {
    merges: u32,
    /// How many targets of each node have been seen.
    seen: [usize; 2],
}

/// A call through a pointer.
#[derive(Clone, Debug)]
struct Site {
    instance: u32,
    pc: u32,
    signature: u32,
    arguments: Vec<u32>,
    results: Vec<u32>,
}

/// What is known of all values.
pub(super) struct Solution<'a> {
    pub(super) image: &'a Image,
    ends: Vec<u32>,
    flows: FxHashMap<u32, Flow>,
    pub(super) instances: Vec<Instance>,
    known: FxHashMap<Called, u32>,
    pub(super) objects: Objects,
    graph: Graph,
    pairs: Vec<(Pair, Progress)>,
    sites: Vec<Site>,
    creations: Vec<(u32, u32, u32)>,
    /// Which instances an instruction of an instance calls.
    pub(super) calls: FxHashMap<(u32, u32), Vec<u32>>,
    /// Which instances the threads that it creates begin with.
    pub(super) creates: FxHashMap<(u32, u32), Vec<u32>>,
    /// What threads leave behind.
    left: u32,
    /// What functions that nobody defines know of.
    world: u32,
    /// The objects of which they know.
    worldly: FxHashSet<ObjectId>,
    /// Where such a function is called that may call others.
    foreign: Vec<(u32, u32)>,
    /// The instances that it may call.
    pub(super) callbacks: Vec<u32>,
    /// What the library does at the end of a thread.
    pub(super) finish: Option<u32>,
    pub(super) start: u32,
    /// Functions are followed once for all of their calls.
    pub(super) is_coarse: bool,
    /// Too many addresses would have to be passed on.
    pub(super) is_unfinished: bool,
}

impl<'a> Solution<'a> {
    /// Follows the program.
    pub(super) fn of(image: &'a Image) -> Self {
        let mut solution = Solution {
            image,
            ends: ends(image),
            flows: FxHashMap::default(),
            instances: Vec::new(),
            known: FxHashMap::default(),
            objects: Objects::new(),
            graph: Graph::default(),
            pairs: Vec::new(),
            sites: Vec::new(),
            creations: Vec::new(),
            calls: FxHashMap::default(),
            creates: FxHashMap::default(),
            left: 0,
            world: 0,
            worldly: FxHashSet::default(),
            is_unfinished: false,
            foreign: Vec::new(),
            callbacks: Vec::new(),
            finish: None,
            start: 0,
            is_coarse: false,
        };
        solution.left = solution.graph.fresh(1);
        solution.world = solution.graph.fresh(1);
        solution.uses(solution.world, Use::World);
        solution.globals();
        solution.start = solution.instance(image.start, Vec::new());
        solution.finish = image.thread_finish.map(|function| solution.instance(function, Vec::new()));
        solution.run();
        for &site in &solution.foreign {
            solution.calls.entry(site).or_default().extend(&solution.callbacks);
        }
        solution
    }

    /// Where the code of a function ends.
    pub(super) fn end(&self, function: u32) -> u32 {
        self.ends[function as usize]
    }

    /// Whether a function is small.
    pub(super) fn is_small(&self, function: u32) -> bool {
        self.end(function) - self.image.functions[function as usize].entry <= SMALL
    }

    /// What an operand of what the machine models can be.
    pub(super) fn operand(&self, instance: u32, pc: u32, number: usize) -> Option<&Targets> {
        let instance = &self.instances[instance as usize];
        let value = *self.flows[&instance.function].operands.get(&pc)?.get(number)?;
        Some(self.graph.targets(instance.first + value))
    }

    /// What the first parameters of an instance can be.
    pub(super) fn parameter(&self, instance: u32, number: u32) -> &Targets {
        self.graph.targets(self.instances[instance as usize].first + number)
    }

    fn add(&mut self, node: u32, target: Target) {
        self.graph.add(node, target);
    }

    /// From now on, what a node is matters in one more way.
    fn uses(&mut self, node: u32, new: Use) {
        for target in self.graph.uses(node, new) {
            self.apply(new, target);
        }
    }

    fn edge(&mut self, from: u32, to: u32) {
        if self.graph.copies(from, to) {
            self.uses(from, Use::Copy { to });
        }
    }

    fn run(&mut self) {
        loop {
            if self.graph.work > MOST_WORK {
                self.is_unfinished = true;
                return;
            }
            if self.graph.is_due() {
                for (next, targets) in self.graph.collapse() {
                    self.apply_all(next, &targets);
                }
            }
            let Some((node, new)) = self.graph.next() else { return };
            for next in self.graph.uses_of(node) {
                self.apply_all(next, &new);
            }
        }
    }

    fn apply_all(&mut self, next: Use, targets: &[Target]) {
        match next {
            Use::Pair(pair) => self.pair(pair),
            _ => targets.iter().for_each(|&target| self.apply(next, target)),
        }
    }

    fn apply(&mut self, next: Use, target: Target) {
        match next {
            Use::Copy { to } => self.add(to, target),
            Use::Shift { to, by, is_short } => {
                let shifted = target.shifted(by);
                let is_cut = is_short && target.is_number() && target.stride == 0;
                let cut = Target { offset: i64::from(shifted.offset as i32), ..shifted };
                self.add(to, if is_cut { cut } else { shifted });
            }
            Use::Smear { to } => self.add(to, target.anywhere()),
            Use::Pair(pair) => self.pair(pair),
            Use::Load { offset, width, to } if !target.is_number() => {
                for key in cells_of(target.shifted(offset), width) {
                    let cell = self.cell(key);
                    self.edge(cell.read, to);
                }
            }
            Use::Store { offset, width, from } if !target.is_number() => {
                for key in cells_of(target.shifted(offset), width) {
                    let cell = self.cell(key);
                    self.edge(from, cell.written);
                }
            }
            Use::Load { .. } | Use::Store { .. } => {}
            Use::Call(site) => self.call_through(site, target),
            Use::Create(creation) => self.create(creation, target),
            Use::World => self.tell_world(target),
        }
    }

    /// Computes what is new of a computation from two nodes.
    fn pair(&mut self, number: u32) {
        let (pair, progress) = self.pairs[number as usize];
        let (Pair::Sum { a: one, b: other, .. } | Pair::Index { base: one, index: other, .. }) = pair;
        let lists = [one, other].map(|node| self.graph.targets(node).since(0).to_vec());
        let before = if progress.merges == self.graph.merges { progress.seen } else { [0, 0] };
        let seen = [lists[0].len(), lists[1].len()];
        self.pairs[number as usize].1 = Progress { merges: self.graph.merges, seen };
        // Where a number was not known before, all has been done with what was there.
        let fresh = |of: usize| {
            let by = 1 - of;
            let is_same = seen[by] == before[by] || numbers(&lists[by][..before[by]]).is_none();
            &lists[of][if is_same { before[of] } else { 0 }..]
        };
        match pair {
            Pair::Sum { to, .. } => {
                self.sum(fresh(0), &lists[1], to);
                self.sum(fresh(1), &lists[0], to);
            }
            Pair::Index { scale, offset, to, .. } => {
                let bases: Vec<Target> = lists[0].iter().map(|base| base.shifted(offset)).collect();
                if bases.iter().any(|base| base.is_number()) && !lists[1].is_empty() {
                    self.add(to, Target::ANY);
                    lists[1].iter().for_each(|index| self.add(to, index.anywhere()));
                }
                self.index(&bases[seen[0] - fresh(0).len()..], &lists[1], scale, to);
            }
        }
    }

    /// Adds the elements of what lies at some addresses.
    fn index(&mut self, bases: &[Target], indices: &[Target], scale: i64, to: u32) {
        if indices.is_empty() {
            return;
        }
        let numbers = numbers(indices);
        for base in bases.iter().filter(|base| !base.is_number()) {
            match &numbers {
                Some(numbers) => {
                    numbers.iter().for_each(|number| self.add(to, base.shifted(number.wrapping_mul(scale))));
                }
                _ if mutation::on(Mutation::IndicesZero) => self.add(to, *base),
                _ => self.add(to, base.repeated(scale.unsigned_abs())),
            }
        }
        self.graph.work += bases.len() as u64;
    }

    /// Adds what comes of adding what one node can be to some addresses.
    fn sum(&mut self, addresses: &[Target], others: &[Target], to: u32) {
        if others.is_empty() {
            return;
        }
        let numbers = numbers(others);
        for &target in addresses {
            match &numbers {
                Some(_) if target == Target::ANY => self.add(to, target),
                Some(numbers) => numbers.iter().for_each(|&number| self.add(to, target.shifted(number))),
                None => self.add(to, target.anywhere()),
            }
        }
        self.graph.work += addresses.len() as u64;
    }

    /// The cell of a key.
    fn cell(&mut self, key: Target) -> Cell {
        let at = key.object.0 as usize;
        if self.worldly.contains(&key.object) {
            return Cell { key, written: self.world, read: self.world };
        }
        if let Some(&cell) = self.objects.cells[at].iter().find(|cell| cell.key == key) {
            return cell;
        }
        let written = self.graph.fresh(2);
        let cell = Cell { key, written, read: written + 1 };
        let others = self.objects.cells[at].clone();
        self.objects.cells[at].push(cell);
        self.edge(cell.written, cell.read);
        for other in others.into_iter().filter(|other| other.key.meets(key)) {
            self.edge(cell.written, other.read);
            self.edge(other.written, cell.read);
        }
        cell
    }

    /// The addresses that are in memory from the beginning.
    fn globals(&mut self) {
        let image = self.image;
        for (number, global) in image.globals.iter().enumerate() {
            let kind = if global.thread_local { Object::Own(number as u32) } else { Object::Global(number as u32) };
            let object = self.objects.number(kind);
            for (at, word) in global.initial.chunks(8).enumerate() {
                let mut bytes = [0; 8];
                bytes[..word.len()].copy_from_slice(word);
                let target = self.objects.constant(image, u64::from_le_bytes(bytes));
                if !target.is_number() {
                    let cell = self.cell(Target::new(object, 8 * at as i64));
                    self.add(cell.written, target);
                }
            }
        }
    }

    /// The instance of a function with a context.
    fn instance(&mut self, function: u32, context: Vec<u32>) -> u32 {
        self.is_coarse |= self.instances.len() >= MOST_INSTANCES;
        let context = if self.is_coarse { Vec::new() } else { context };
        let called = Called { function, context };
        if let Some(&known) = self.known.get(&called) {
            return known;
        }
        let (image, end) = (self.image, self.end(function));
        let followed = self.flows.entry(function).or_insert_with(|| flow(image, function, end)).clone();
        let number = self.instances.len() as u32;
        let first = self.graph.fresh(followed.values + followed.results);
        let results = first + followed.values;
        self.instances.push(Instance { function, context: called.context.clone(), first, results });
        self.known.insert(called, number);
        for rule in &followed.rules {
            self.rule(number, first, rule);
        }
        number
    }

    /// The instance that a call leads to.
    fn callee(&mut self, caller: u32, pc: u32, function: u32, is_chained: bool) -> u32 {
        let mut context = vec![pc];
        if is_chained {
            context.extend(&self.instances[caller as usize].context);
            context.truncate(MOST_CALLS);
        }
        self.instance(function, context)
    }

    fn rule(&mut self, instance: u32, first: u32, rule: &Rule) {
        let node = |value: &ValueId| first + *value;
        match rule {
            Rule::Copy { from, to } => self.edge(node(from), node(to)),
            Rule::Shift { from, to, by, is_short } => {
                self.uses(node(from), Use::Shift { to: node(to), by: *by, is_short: *is_short });
            }
            Rule::Smear { from, to } => self.uses(node(from), Use::Smear { to: node(to) }),
            Rule::Any { to } => self.add(node(to), Target::ANY),
            Rule::Constant { to, value } => {
                let target = self.objects.constant(self.image, *value);
                self.add(node(to), target);
            }
            Rule::Sum { a, b, to } => {
                let (a, b, to) = (node(a), node(b), node(to));
                self.pair_of(a, b, Pair::Sum { a, b, to });
            }
            Rule::Index { base, index, scale, offset, to } => {
                let (base, index, to) = (node(base), node(index), node(to));
                self.pair_of(base, index, Pair::Index { base, index, scale: *scale, offset: *offset, to });
            }
            Rule::Load { base, offset, width, to } => {
                self.uses(node(base), Use::Load { offset: *offset, width: *width, to: node(to) });
            }
            Rule::Store { base, offset, width, from } => {
                self.uses(node(base), Use::Store { offset: *offset, width: *width, from: node(from) });
            }
            Rule::Transfer { to, from, length } => self.transfer(node(to), node(from), *length),
            Rule::Return { number, from } => {
                let results = self.instances[instance as usize].results;
                self.edge(node(from), results + number);
            }
            other => self.operation(instance, first, other),
        }
    }

    fn operation(&mut self, instance: u32, first: u32, rule: &Rule) {
        let node = |value: &ValueId| first + *value;
        let nodes = |values: &[ValueId]| values.iter().map(node).collect::<Vec<u32>>();
        match rule {
            &Rule::Stack { to, pc, local } => self.object(first + to, Object::Stack { instance, pc, local }),
            &Rule::Heap { to, pc, shape } => self.object(first + to, Object::Heap { instance, pc, shape }),
            &Rule::Own { to, global } => self.object(first + to, Object::Own(global)),
            Rule::Oneself { to } => self.object(node(to), Object::Oneself),
            Rule::Call { pc, function, arguments, results } => {
                let callee = self.callee(instance, *pc, *function, self.is_small(*function));
                self.link((instance, *pc), callee, &nodes(arguments), &nodes(results));
            }
            Rule::CallIndirect { pc, callee, signature, arguments, results } => {
                let (arguments, results) = (nodes(arguments), nodes(results));
                self.sites.push(Site { instance, pc: *pc, signature: *signature, arguments, results });
                self.uses(node(callee), Use::Call(self.sites.len() as u32 - 1));
            }
            Rule::Create { pc, handle, function, argument } => {
                let object = self.objects.number(Object::Handle { instance, pc: *pc });
                let value = self.graph.fresh(1);
                self.add(value, Target::new(object, 0));
                self.uses(node(handle), Use::Store { offset: 0, width: 8, from: value });
                self.creations.push((instance, *pc, node(argument)));
                self.uses(node(function), Use::Create(self.creations.len() as u32 - 1));
            }
            Rule::Foreign { pc, name, arguments, to } => {
                self.foreign((instance, *pc), *name, &nodes(arguments), node(to))
            }
            Rule::Joined { place } => {
                let left = self.left;
                self.uses(node(place), Use::Store { offset: 0, width: 8, from: left });
            }
            Rule::Left { from } => {
                let left = self.left;
                self.edge(node(from), left);
            }
            _ => {}
        }
    }

    fn object(&mut self, node: u32, object: Object) {
        let object = self.objects.number(object);
        self.add(node, Target::new(object, 0));
    }

    fn pair_of(&mut self, one: u32, other: u32, pair: Pair) {
        self.pairs.push((pair, Progress::default()));
        let number = self.pairs.len() as u32 - 1;
        self.uses(one, Use::Pair(number));
        self.uses(other, Use::Pair(number));
    }

    fn transfer(&mut self, to: u32, from: u32, length: Option<u32>) {
        match length {
            Some(length) if length <= MOST_COPIED => {
                for offset in (0..i64::from(length)).step_by(8) {
                    let width = (length - offset as u32).min(8);
                    let value = self.graph.fresh(1);
                    self.uses(from, Use::Load { offset, width, to: value });
                    self.uses(to, Use::Store { offset, width, from: value });
                }
            }
            _ => {
                let [all_from, all_to, value] = [self.graph.fresh(1), self.graph.fresh(1), self.graph.fresh(1)];
                self.uses(from, Use::Smear { to: all_from });
                self.uses(to, Use::Smear { to: all_to });
                self.uses(all_from, Use::Load { offset: 0, width: 8, to: value });
                self.uses(all_to, Use::Store { offset: 0, width: 8, from: value });
            }
        }
    }

    fn link(&mut self, call: (u32, u32), callee: u32, arguments: &[u32], results: &[u32]) {
        let known = self.calls.entry(call).or_default();
        if known.contains(&callee) {
            return;
        }
        known.push(callee);
        let Instance { function, first, results: given, .. } = self.instances[callee as usize];
        let function = &self.image.functions[function as usize];
        for (number, &argument) in arguments.iter().take(usize::from(function.parameters)).enumerate() {
            self.edge(argument, first + number as u32);
        }
        for (number, &result) in results.iter().take(function.signature.results.len()).enumerate() {
            self.edge(given + number as u32, result);
        }
    }

    /// The function that a target is the address of.
    fn function(&self, target: Target) -> Option<u32> {
        let exact = target.offset == 0 || target.stride != 0;
        match self.objects.object(target.object) {
            Object::Function(function) if exact => Some(function),
            _ => None,
        }
    }

    fn call_through(&mut self, site: u32, target: Target) {
        let Some(function) = self.function(target) else { return };
        if mutation::on(Mutation::PointersNotCalled) {
            return;
        }
        let Site { instance, pc, signature, arguments, results } = self.sites[site as usize].clone();
        let signature = &self.image.signatures[signature as usize];
        if !self.image.functions[function as usize].signature.accepts(signature, arguments.len()) {
            return;
        }
        let callee = self.callee(instance, pc, function, self.is_small(function));
        self.link((instance, pc), callee, &arguments, &results);
    }

    /// A call of a function that nobody defines.
    fn foreign(&mut self, site: (u32, u32), name: u32, arguments: &[u32], to: u32) {
        let (instance, pc) = site;
        self.object(to, Object::Heap { instance, pc, shape: 0 });
        let name = &self.image.foreign[name as usize];
        if is_harmless(name) {
            arguments.iter().for_each(|&argument| self.uses(argument, Use::Smear { to }));
            return;
        }
        let world = self.world;
        self.foreign.push(site);
        self.edge(to, world);
        self.edge(world, to);
        arguments.iter().for_each(|&argument| self.edge(argument, world));
    }

    /// Functions that nobody defines know of an address, and so of what is there.
    fn tell_world(&mut self, target: Target) {
        let world = self.world;
        match self.objects.object(target.object) {
            Object::Number | Object::Handle { .. } | Object::Oneself => {}
            Object::Function(function) => {
                let callee = self.instance(function, Vec::new());
                if !self.callbacks.contains(&callee) {
                    self.callbacks.push(callee);
                    let Instance { function, first, results, .. } = self.instances[callee as usize];
                    let function = &self.image.functions[function as usize];
                    let (parameters, given) = (u32::from(function.parameters), function.signature.results.len() as u32);
                    (0..parameters).for_each(|number| self.edge(world, first + number));
                    (0..given).for_each(|number| self.edge(results + number, world));
                }
            }
            // What is there is all one: anything of it can be written anywhere.
            _ if self.worldly.insert(target.object) => {
                for cell in self.objects.cells[target.object.0 as usize].clone() {
                    self.edge(cell.written, world);
                    self.edge(world, cell.read);
                }
            }
            _ => {}
        }
    }

    fn create(&mut self, creation: u32, target: Target) {
        let Some(function) = self.function(target) else { return };
        let (instance, pc, argument) = self.creations[creation as usize];
        let is_chained = self.is_small(self.instances[instance as usize].function);
        let callee = self.callee(instance, pc, function, is_chained);
        let known = self.creates.entry((instance, pc)).or_default();
        if known.contains(&callee) {
            return;
        }
        known.push(callee);
        let Instance { function, first, results, .. } = self.instances[callee as usize];
        let function = &self.image.functions[function as usize];
        if function.parameters > 0 {
            self.edge(argument, first);
        }
        if function.signature.results.first().is_some_and(|kind| matches!(kind, Kind::Pointer | Kind::Integer(_))) {
            let left = self.left;
            self.edge(results, left);
        }
    }

    /// Whether it is one of the objects in which threads have handles.
    pub(super) fn handle(&self, object: ObjectId) -> Option<Option<(u32, u32)>> {
        match self.objects.object(object) {
            Object::Handle { instance, pc } => Some(Some((instance, pc))),
            Object::Oneself => Some(None),
            _ => None,
        }
    }
}
