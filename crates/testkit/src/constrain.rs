//! Independence constraints for random programs: all conditions of a small pool that brute force
//! finds to be true.
//!
//! For every state that the program can reach, and every two steps that could be taken there, both
//! orders are run and compared. A condition is a constraint of two sites if their steps commuted in
//! every state in which it held, and it held in some. So these are constraints as somebody with
//! perfect knowledge of the program could declare them, necessary ones included.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use mazurka_machine::{Constraints, Describe, Independence, MODERATE, Machine, Run};
use mazurka_process::hir::{Binary, Expr, ExprId, ExprKind, GlobalId, Program, Span, Type};
use mazurka_process::{Constraint, Image, ProcessMachine};
use mazurka_trace::{Ending, Event, Fault, LocationId, ProcessId, SiteId, Value};

use crate::Random;

/// A location, as a variable or a cell of one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Place {
    location: LocationId,
    global: GlobalId,
    cell: Option<Value>,
}

/// A condition of the pool.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Condition {
    True,
    Compare(Place, Binary, Value),
    Same(Place, Place),
    Either(Place, Place, Value),
}

impl Condition {
    fn holds(&self, machine: &ProcessMachine) -> bool {
        let value = |place: &Place| machine.value(place.location);
        match self {
            Condition::True => true,
            Condition::Compare(place, Binary::Less, bound) => value(place) < *bound,
            Condition::Compare(place, Binary::Greater, bound) => value(place) > *bound,
            Condition::Compare(place, _, bound) => value(place) == *bound,
            Condition::Same(one, other) => value(one) == value(other),
            Condition::Either(one, other, bound) => value(one) == *bound || value(other) == *bound,
        }
    }

    /// The condition as the front end knows it.
    fn expressions(&self) -> (Vec<Expr>, ExprId) {
        let mut exprs = Vec::new();
        let mut push = |kind, ty| {
            exprs.push(Expr { kind, ty, span: Span::default() });
            ExprId(exprs.len() as u32 - 1)
        };
        let read = |place: &Place, push: &mut dyn FnMut(ExprKind, Type) -> ExprId| match place.cell {
            None => push(ExprKind::Global(place.global), Type::Int),
            Some(index) => {
                let index = push(ExprKind::Value(index), Type::Int);
                push(ExprKind::Cell(place.global, index), Type::Int)
            }
        };
        let root = match self {
            Condition::True => push(ExprKind::Value(1), Type::Bool),
            Condition::Compare(place, operator, bound) => {
                let (left, right) = (read(place, &mut push), push(ExprKind::Value(*bound), Type::Int));
                push(ExprKind::Binary(*operator, left, right), Type::Bool)
            }
            Condition::Same(one, other) => {
                let (left, right) = (read(one, &mut push), read(other, &mut push));
                push(ExprKind::Binary(Binary::Equal, left, right), Type::Bool)
            }
            Condition::Either(one, other, bound) => {
                let mut equal = |place| {
                    let (left, right) = (read(place, &mut push), push(ExprKind::Value(*bound), Type::Int));
                    push(ExprKind::Binary(Binary::Equal, left, right), Type::Bool)
                };
                let (left, right) = (equal(one), equal(other));
                push(ExprKind::Binary(Binary::Or, left, right), Type::Bool)
            }
        };
        (exprs, root)
    }
}

/// What is known about two sites.
#[derive(Clone, Debug, Default)]
struct Known {
    held: Vec<bool>,
    refuted: Vec<bool>,
    /// For each state in which the steps commuted, the conditions that held.
    commuted: Vec<Vec<bool>>,
    /// Some steps make choices: nothing is said about them.
    chooses: bool,
}

/// Adds the constraints of a seed to a program. None if it reaches more than so many states.
pub fn constrain(program: &Program, image: &Image, seed: u64, most_states: usize) -> Option<Image> {
    let pool = pool(program, seed);
    let mut survey = Survey {
        machine: ProcessMachine::new(Arc::new(image.clone())),
        pool: &pool,
        seen: HashSet::new(),
        known: BTreeMap::new(),
        event: Event::default(),
        contradictions: Vec::new(),
        largest: 0,
    };
    survey.run(most_states)?;
    let mut random = Random::new(seed);
    let (mut constraints, mut necessary) = (Vec::new(), Vec::new());
    for (&(left, right), known) in &survey.known {
        if known.chooses || random.chance(15) {
            continue;
        }
        let true_ones: Vec<usize> = (0..pool.len()).filter(|&n| known.held[n] && !known.refuted[n]).collect();
        // Not always the best ones: where `true` is right, the others would never matter.
        let chosen: Vec<usize> = match true_ones.first() {
            Some(0) if random.chance(60) => vec![0],
            _ => true_ones.into_iter().filter(|_| random.chance(70)).collect(),
        };
        for &number in &chosen {
            let (exprs, condition) = pool[number].expressions();
            constraints.push(Constraint { left, right, exprs, condition, wild: false });
        }
        if known.commuted.iter().all(|held| chosen.iter().any(|&number| held[number])) {
            necessary.push((left, right));
        }
    }
    let mut image = image.clone();
    image.constrain(&constraints, &necessary);
    Some(image)
}

/// Where what a program's constraints say is not the case, in the states that it reaches. None if
/// there are more than so many.
pub fn contradictions(image: &Image, most_states: usize) -> Option<Vec<String>> {
    let mut survey = Survey {
        machine: ProcessMachine::new(Arc::new(image.clone())),
        pool: &[],
        seen: HashSet::new(),
        known: BTreeMap::new(),
        event: Event::default(),
        contradictions: Vec::new(),
        largest: 0,
    };
    survey.run(most_states)?;
    Some(survey.contradictions)
}

fn pool(program: &Program, seed: u64) -> Vec<Condition> {
    let mut places = Vec::new();
    let mut location = 0;
    for (number, global) in program.globals.iter().enumerate() {
        for cell in 0..global.length.unwrap_or(1) {
            let (location_id, cell) = (LocationId::new(location), global.length.map(|_| cell as Value));
            places.push(Place { location: location_id, global: GlobalId(number as u32), cell });
            location += 1;
        }
    }
    let mut random = Random::new(seed ^ 0xabcd);
    let mut pool = vec![Condition::True];
    for (at, &place) in places.iter().enumerate() {
        for value in -1..=2 {
            pool.push(Condition::Compare(place, Binary::Equal, value));
        }
        pool.push(Condition::Compare(place, Binary::Less, random.below(3) as Value));
        pool.push(Condition::Compare(place, Binary::Greater, random.below(3) as Value - 1));
        for &other in &places[..at] {
            pool.push(Condition::Same(place, other));
            pool.push(Condition::Either(place, other, random.below(2) as Value));
        }
    }
    pool
}

/// All reachable states, one after the other.
struct Survey<'a> {
    machine: ProcessMachine,
    pool: &'a [Condition],
    seen: HashSet<mazurka_machine::Digest>,
    known: BTreeMap<(SiteId, SiteId), Known>,
    event: Event,
    /// What the program's own constraints say that is not the case.
    contradictions: Vec<String>,
    /// The largest integer that the two steps in question met, without its sign.
    largest: u64,
}

impl Survey<'_> {
    fn run(&mut self, most_states: usize) -> Option<()> {
        // For each node of the path, the steps still to be taken from it.
        let mut todo: Vec<Vec<(ProcessId, Vec<Value>)>> = vec![self.enter()];
        while let Some(steps) = todo.last_mut() {
            let Some((process, choices)) = steps.pop() else {
                todo.pop();
                if let Some(depth) = todo.len().checked_sub(1) {
                    self.machine.rewind(depth);
                }
                continue;
            };
            let depth = self.machine.steps();
            self.machine.step(process, &choices, &mut self.event);
            // The same step with its next choices.
            if let Some(next) = next_choices(&self.event) {
                steps.push((process, next));
            }
            let goes_on = !matches!(self.event.ending, Ending::Halts | Ending::OutOfFuel);
            if !goes_on || !self.seen.insert(self.machine.digest()) {
                self.machine.rewind(depth);
                continue;
            }
            if self.seen.len() > most_states {
                return None;
            }
            let steps = self.enter();
            todo.push(steps);
        }
        Some(())
    }

    /// Looks at every two steps from the current state; gives all steps.
    fn enter(&mut self) -> Vec<(ProcessId, Vec<Value>)> {
        let live: Vec<ProcessId> = self.machine.live().iter().collect();
        let enabled: Vec<ProcessId> = live.into_iter().filter(|&process| self.machine.is_enabled(process)).collect();
        let held: Vec<bool> = self.pool.iter().map(|condition| condition.holds(&self.machine)).collect();
        for (at, &one) in enabled.iter().enumerate() {
            for &other in &enabled[..at] {
                self.look_into(one, other, &held);
            }
        }
        enabled.into_iter().map(|process| (process, Vec::new())).collect()
    }

    fn look_into(&mut self, one: ProcessId, other: ProcessId, held: &[bool]) {
        let base = self.machine.steps();
        let said = self.machine.independence(one, other);
        self.largest = self.machine.magnitude(one).max(self.machine.magnitude(other));
        let forward = self.order(one, other, base);
        let back = self.order(other, one, base);
        let commute = matches!((&forward, &back), (Order::Done(a), Order::Done(b)) if a == b);
        let seen = matches!(forward, Order::Done(_)) || matches!(back, Order::Done(_));
        let spawns = matches!(forward, Order::Spawns) || matches!(back, Order::Spawns);
        let wrong = match said {
            Independence::Holds | Independence::Uniform => seen && !commute,
            Independence::Refuted => commute,
            Independence::Unknown => false,
        };
        // Nothing is said about larger integers.
        if wrong && !spawns && self.largest <= MODERATE {
            let [one, other] = [one, other].map(|process| self.machine.place(self.machine.pending(process)).text);
            let state = self.machine.snapshot().join("; ");
            self.contradictions.push(format!("{said:?} of `{one}` and `{other}` in {state}"));
        }
        let (one, other) = (self.machine.pending(one), self.machine.pending(other));
        let count = self.pool.len();
        let known = self.known.entry((one.min(other), one.max(other))).or_default();
        known.held.resize(count, false);
        known.refuted.resize(count, false);
        known.chooses |= matches!(forward, Order::Chooses) || matches!(back, Order::Chooses);
        for (number, &held) in held.iter().enumerate() {
            known.held[number] |= held;
            known.refuted[number] |= held && !commute;
        }
        if commute {
            known.commuted.push(held.to_vec());
        }
    }

    /// Runs two steps one after the other, and goes back.
    fn order(&mut self, one: ProcessId, other: ProcessId, base: usize) -> Order {
        let (mut faults, mut spawns) = (Vec::new(), false);
        for process in [one, other] {
            if !self.machine.live().contains(process) || !self.machine.is_enabled(process) {
                self.machine.rewind(base);
                return Order::Fails;
            }
            self.machine.step(process, &[], &mut self.event);
            faults.extend(self.event.faults.iter().map(key));
            let used = self.event.accesses.iter().flat_map(|access| [access.before, access.after]);
            self.largest = used.map(Value::unsigned_abs).fold(self.largest, u64::max);
            let (chooses, goes_on) = (!self.event.choices.is_empty(), self.event.ending == Ending::Continues);
            if chooses || !goes_on || self.event.is_local {
                self.machine.rewind(base);
                return if goes_on { Order::Chooses } else { Order::Fails };
            }
            spawns |= !self.event.spawned.is_empty();
        }
        if spawns && self.pool.is_empty() {
            self.machine.rewind(base);
            return Order::Spawns;
        }
        faults.sort();
        let digest = self.machine.digest();
        self.machine.rewind(base);
        Order::Done((digest, faults))
    }
}

/// What comes of two steps.
#[derive(PartialEq, Eq, Debug)]
enum Order {
    Done((mazurka_machine::Digest, Vec<(ProcessId, SiteId)>)),
    Fails,
    Chooses,
    /// They create processes, whose names depend on who did.
    Spawns,
}

fn key(fault: &Fault) -> (ProcessId, SiteId) {
    (fault.process, fault.site)
}

fn next_choices(event: &Event) -> Option<Vec<Value>> {
    let last = event.choices.iter().rposition(|choice| choice.value < choice.high)?;
    let mut values: Vec<Value> = event.choices[..=last].iter().map(|choice| choice.value).collect();
    values[last] += 1;
    Some(values)
}
