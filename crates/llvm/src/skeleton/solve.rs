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
use super::mutation::{self, Mutation};
use super::objects::{Cell, Object, Objects, cells_of};
use super::targets::{ObjectId, Target, Targets};

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

/// What happens to what a node can be.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Use {
    Copy {
        to: u32,
    },
    Shift {
        to: u32,
        by: i64,
        is_short: bool,
    },
    Smear {
        to: u32,
    },
    /// Number of a computation from two nodes.
    Pair(u32),
    Load {
        offset: i64,
        width: u32,
        to: u32,
    },
    Store {
        offset: i64,
        width: u32,
        from: u32,
    },
    /// Number of a call through it.
    Call(u32),
    /// Number of a creation of a thread with the function that it is.
    Create(u32),
    /// Functions that nobody defines know of it.
    World,
}

/// A computation from two nodes.
#[derive(Clone, Copy, Debug)]
enum Pair {
    Sum { a: u32, b: u32, to: u32 },
    Index { base: u32, index: u32, scale: i64, offset: i64, to: u32 },
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
    nodes: Vec<Targets>,
    uses: Vec<Vec<Use>>,
    /// How many targets of each node have been passed on.
    done: Vec<u32>,
    todo: Vec<u32>,
    edges: FxHashSet<(u32, Use)>,
    pairs: Vec<Pair>,
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
    /// How many addresses were passed on.
    work: u64,
    /// There were too many of them.
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
            nodes: Vec::new(),
            uses: Vec::new(),
            done: Vec::new(),
            todo: Vec::new(),
            edges: FxHashSet::default(),
            pairs: Vec::new(),
            sites: Vec::new(),
            creations: Vec::new(),
            calls: FxHashMap::default(),
            creates: FxHashMap::default(),
            left: 0,
            world: 0,
            worldly: FxHashSet::default(),
            work: 0,
            is_unfinished: false,
            foreign: Vec::new(),
            callbacks: Vec::new(),
            finish: None,
            start: 0,
            is_coarse: false,
        };
        solution.left = solution.fresh(1);
        solution.world = solution.fresh(1);
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
        Some(&self.nodes[(instance.first + value) as usize])
    }

    /// What the first parameters of an instance can be.
    pub(super) fn parameter(&self, instance: u32, number: u32) -> &Targets {
        &self.nodes[(self.instances[instance as usize].first + number) as usize]
    }

    fn fresh(&mut self, count: u32) -> u32 {
        let first = self.nodes.len() as u32;
        let size = (first + count) as usize;
        self.nodes.resize_with(size, Targets::default);
        self.uses.resize_with(size, Vec::new);
        self.done.resize(size, 0);
        first
    }

    fn add(&mut self, node: u32, target: Target) {
        let targets = &mut self.nodes[node as usize];
        let is_waiting = targets.len() > self.done[node as usize] as usize;
        if targets.insert(target) && !is_waiting {
            self.todo.push(node);
        }
    }

    /// From now on, what a node is matters in one more way.
    fn uses(&mut self, node: u32, new: Use) {
        self.uses[node as usize].push(new);
        self.work += u64::from(self.done[node as usize]);
        let told: Vec<Target> = self.nodes[node as usize].since(0)[..self.done[node as usize] as usize].to_vec();
        for target in told {
            self.apply(new, target);
        }
    }

    fn edge(&mut self, from: u32, to: u32) {
        let new = Use::Copy { to };
        if from != to && self.edges.insert((from, new)) {
            self.uses(from, new);
        }
    }

    fn run(&mut self) {
        while let Some(node) = self.todo.pop() {
            let at = node as usize;
            let new: Vec<Target> = self.nodes[at].since(self.done[at] as usize).to_vec();
            self.done[at] = self.nodes[at].len() as u32;
            self.work += new.len() as u64 * self.uses[at].len() as u64;
            if self.work > MOST_WORK {
                self.is_unfinished = true;
                return;
            }
            for number in 0..self.uses[at].len() {
                let next = self.uses[at][number];
                if let Use::Pair(pair) = next {
                    self.pair(pair);
                    continue;
                }
                for &target in &new {
                    self.apply(next, target);
                }
            }
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

    fn pair(&mut self, pair: u32) {
        match self.pairs[pair as usize] {
            Pair::Sum { a, b, to } => {
                let (first, second) = (self.nodes[a as usize].clone(), self.nodes[b as usize].clone());
                self.sum(&first, &second, to);
                self.sum(&second, &first, to);
            }
            Pair::Index { base, index, scale, offset, to } => {
                let (bases, indices) = (self.nodes[base as usize].clone(), self.nodes[index as usize].clone());
                if indices.len() == 0 {
                    return;
                }
                for base in bases.iter() {
                    let base = base.shifted(offset);
                    if base.is_number() {
                        self.add(to, Target::ANY);
                        indices.iter().for_each(|index| self.add(to, index.anywhere()));
                        continue;
                    }
                    match indices.numbers() {
                        Some(numbers) if numbers.len() == indices.len() => {
                            let shift = |number: i64| base.shifted(number.wrapping_mul(scale));
                            numbers.into_iter().for_each(|number| self.add(to, shift(number)));
                        }
                        _ if mutation::on(Mutation::IndicesZero) => self.add(to, base),
                        _ => self.add(to, base.repeated(scale.unsigned_abs())),
                    }
                }
            }
        }
    }

    /// Adds what comes of adding the numbers of one node to the addresses of another.
    fn sum(&mut self, addresses: &Targets, others: &Targets, to: u32) {
        if others.len() == 0 {
            return;
        }
        let numbers = others.numbers().filter(|numbers| numbers.len() == others.len());
        for target in addresses.iter() {
            match &numbers {
                Some(_) if target == Target::ANY => self.add(to, target),
                Some(numbers) => numbers.iter().for_each(|&number| self.add(to, target.shifted(number))),
                None => self.add(to, target.anywhere()),
            }
        }
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
        let written = self.fresh(2);
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
        let first = self.fresh(followed.values + followed.results);
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
                let value = self.fresh(1);
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
        self.pairs.push(pair);
        let number = self.pairs.len() as u32 - 1;
        self.uses(one, Use::Pair(number));
        self.uses(other, Use::Pair(number));
    }

    fn transfer(&mut self, to: u32, from: u32, length: Option<u32>) {
        match length {
            Some(length) if length <= MOST_COPIED => {
                for offset in (0..i64::from(length)).step_by(8) {
                    let width = (length - offset as u32).min(8);
                    let value = self.fresh(1);
                    self.uses(from, Use::Load { offset, width, to: value });
                    self.uses(to, Use::Store { offset, width, from: value });
                }
            }
            _ => {
                let [all_from, all_to, value] = [self.fresh(1), self.fresh(1), self.fresh(1)];
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
