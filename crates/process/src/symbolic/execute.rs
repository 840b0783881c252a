//! Following a step along all its paths.
//!
//! Code only jumps forward, but for loops. So the path at the earliest instruction is followed
//! first, and whoever comes to an instruction where another path waits is merged with it: each
//! instruction is run once, a loop's once for each round.

use std::collections::BTreeMap;

use mazurka_smt::{Arena, Sort, Term};
use mazurka_trace::{FaultKind, SiteId};
use rustc_hash::FxHashMap;

use crate::code::{Guard, Instruction};

use super::body::sort;
use super::path::{Path, fit};
use super::transition::{Access, AccessKind, Choice, Cut, Fault, Next, Spawn, Start, State, Transition};
use super::{Place, Symbolic};

/// Makes the variable that stands for a data choice, given which of the step's choices it is.
pub type ChoiceVariables<'a> = dyn FnMut(&mut Arena, usize) -> Term + 'a;

impl Symbolic<'_> {
    /// The step of a process, whose number is `process`, from a place. `variables` makes a
    /// variable, of sort `Int`, for each of its data choices.
    pub fn step(
        &self,
        arena: &mut Arena,
        process: Term,
        place: Place,
        state: &State,
        variables: &mut ChoiceVariables<'_>,
    ) -> Transition {
        let stop = self.stop(place);
        let no = arena.no();
        let transition = Transition {
            site: stop.site,
            is_local: stop.is_local,
            blocked: no,
            discarded: no,
            faults: Vec::new(),
            cuts: Vec::new(),
            next: Vec::new(),
            state: state.clone(),
            choices: Vec::new(),
            spawns: Vec::new(),
            accesses: Vec::new(),
        };
        let mut execution = Execution {
            program: self,
            arena,
            process,
            variables,
            transition,
            waiting: BTreeMap::new(),
            rests: Vec::new(),
            rounds: FxHashMap::default(),
            left: self.limits.instructions,
        };
        if stop.guard == Guard::Never {
            execution.transition.blocked = execution.arena.yes();
            return execution.transition;
        }
        execution.run(place.0 + 1, state.clone());
        execution.finish()
    }

    /// A process of a body that is started with these arguments.
    pub fn start(&self, arena: &mut Arena, body: usize, arguments: &[Term]) -> Start {
        let code = &self.image.bodies[body];
        let (zero, no, yes) = (arena.int(0), arena.no(), arena.yes());
        let mut locals: Vec<Term> =
            code.types.iter().map(|&ty| if sort(ty) == Sort::Bool { no } else { zero }).collect();
        for (local, &argument) in locals.iter_mut().zip(arguments) {
            let wanted = arena.sort(*local);
            *local = fit(arena, argument, wanted);
        }
        let entry = code.entry;
        if !code.eager {
            let next = match self.image.code[entry] {
                Instruction::Stop(_) => Next::Rests(Place(entry)),
                _ => Next::Ends,
            };
            return Start { next: vec![(yes, next)], locals };
        }
        // The assignments use nothing but locals, and make no choices.
        let state = State { objects: Vec::new(), locals: locals.clone(), spawned: zero };
        let first = self.step(arena, zero, Place(entry), &state, &mut |_, _| unreachable!("no choices"));
        let mut fails: Vec<Term> = first.faults.iter().map(|fault| fault.when).collect();
        fails.extend(first.cuts.iter().map(|cut| cut.when));
        let fails = arena.or(&fails);
        let mut next = first.next;
        if !arena.is(fails, false) {
            next.push((fails, Next::Rests(Place(entry))));
        }
        let after = first.state.locals.into_iter().zip(locals);
        let locals = after.map(|(done, undone)| arena.ite(fails, undone, done)).collect();
        Start { next, locals }
    }
}

/// A step that is being followed.
pub(super) struct Execution<'a> {
    pub(super) program: &'a Symbolic<'a>,
    pub(super) arena: &'a mut Arena,
    pub(super) process: Term,
    variables: &'a mut ChoiceVariables<'a>,
    transition: Transition,
    /// The paths that wait at instructions further on.
    waiting: BTreeMap<usize, Path>,
    /// The paths that are at their end.
    rests: Vec<(Path, Next)>,
    /// How many rounds of each loop have been followed since it was entered.
    rounds: FxHashMap<usize, usize>,
    /// Instructions that may still be run.
    left: usize,
}

impl Execution<'_> {
    fn run(&mut self, from: usize, state: State) {
        let (when, value) = (self.arena.yes(), self.arena.int(0));
        self.wait_at(from, Path { when, value, stack: Vec::new(), state });
        while let Some((pc, path)) = self.waiting.pop_first() {
            self.follow(pc, path);
        }
    }

    /// Follows a path until it jumps, meets another one, or ends.
    fn follow(&mut self, mut pc: usize, mut path: Path) {
        loop {
            if self.arena.is(path.when, false) {
                return;
            }
            if self.waiting.contains_key(&pc) {
                self.wait_at(pc, path);
                return;
            }
            if self.left == 0 {
                self.cut(&path, pc);
                return;
            }
            self.left -= 1;
            if let Some(summary) = self.program.summary(pc) {
                let end = self.pass(pc, &summary, &mut path);
                self.wait_at(end, path);
                return;
            }
            match self.program.image.code[pc] {
                Instruction::Stop(_) => {
                    self.rests.push((path, Next::Rests(Place(pc))));
                    return;
                }
                Instruction::End { locks } => {
                    if locks {
                        self.keeps_no_mutex(&mut path, pc);
                    }
                    self.rests.push((path, Next::Ends));
                    return;
                }
                Instruction::Jump(to) => {
                    self.wait_at(to as usize, path);
                    return;
                }
                Instruction::Loop(head) => {
                    self.go_round(pc, head as usize, path);
                    return;
                }
                Instruction::JumpIfFalse(to) => self.branch(&mut path, to as usize, false),
                Instruction::JumpIfTrue(to) => self.branch(&mut path, to as usize, true),
                instruction => self.instruct(instruction, pc, &mut path),
            }
            pc += 1;
        }
    }

    /// Lets a path wait at an instruction, together with whoever waits there.
    fn wait_at(&mut self, pc: usize, path: Path) {
        match self.waiting.get_mut(&pc) {
            Some(other) => other.merge(self.arena, path),
            None => {
                self.waiting.insert(pc, path);
            }
        }
    }

    /// Those for whom the accumulator is `jumps` go elsewhere.
    fn branch(&mut self, path: &mut Path, to: usize, jumps: bool) {
        let holds = super::path::truth(self.arena, path.value);
        let fails = self.arena.not(holds);
        let (leave, stay) = if jumps { (holds, fails) } else { (fails, holds) };
        let mut leaving = path.clone();
        leaving.restrict(self.arena, leave);
        path.restrict(self.arena, stay);
        if !self.arena.is(leaving.when, false) {
            self.wait_at(to, leaving);
        }
    }

    fn go_round(&mut self, pc: usize, head: usize, path: Path) {
        // Loops within this one are entered anew.
        self.rounds.retain(|&inner, _| !(head..pc).contains(&inner));
        let rounds = self.rounds.entry(pc).or_insert(0);
        *rounds += 1;
        if *rounds > self.program.limits.rounds {
            self.cut(&path, pc);
        } else {
            self.wait_at(head, path);
        }
    }

    pub(super) fn cut(&mut self, path: &Path, pc: usize) {
        let site = self.site(pc);
        self.transition.cuts.push(Cut { when: path.when, site });
    }

    pub(super) fn site(&self, pc: usize) -> SiteId {
        self.program.image.places[pc]
    }

    /// A failure for those of the path for whom a condition holds; the others go on.
    pub(super) fn fail(&mut self, path: &mut Path, condition: Term, kind: FaultKind, pc: usize) {
        let when = self.arena.and(&[path.when, condition]);
        if self.arena.is(when, false) {
            return;
        }
        let site = self.site(pc);
        self.transition.faults.push(Fault { when, kind, site });
        let fine = self.arena.not(condition);
        path.restrict(self.arena, fine);
    }

    /// An assertion: those for whom it does not hold fail, and go on.
    pub(super) fn claim(&mut self, path: &Path, condition: Term, pc: usize) {
        let fails = self.arena.not(condition);
        let when = self.arena.and(&[path.when, fails]);
        if !self.arena.is(when, false) {
            let site = self.site(pc);
            self.transition.faults.push(Fault { when, kind: FaultKind::Assertion, site });
        }
    }

    /// Those for whom a condition does not hold cannot take the step.
    pub(super) fn wait_for(&mut self, path: &mut Path, condition: Term) {
        let fails = self.arena.not(condition);
        let when = self.arena.and(&[path.when, fails]);
        self.transition.blocked = self.arena.or(&[self.transition.blocked, when]);
        path.restrict(self.arena, condition);
    }

    /// Those for whom a condition does not hold do not count.
    pub(super) fn assume(&mut self, path: &mut Path, condition: Term) {
        let fails = self.arena.not(condition);
        let when = self.arena.and(&[path.when, fails]);
        self.transition.discarded = self.arena.or(&[self.transition.discarded, when]);
        path.restrict(self.arena, condition);
    }

    pub(super) fn choose(&mut self, path: &mut Path, low: Term, high: Term, pc: usize) -> Term {
        let empty = self.arena.less(high, low);
        self.fail(path, empty, FaultKind::EmptyChoice, pc);
        let value = (self.variables)(self.arena, self.transition.choices.len());
        self.transition.choices.push(Choice { when: path.when, value, low, high });
        let (above, below) = (self.arena.less_equal(low, value), self.arena.less_equal(value, high));
        let within = self.arena.and(&[above, below]);
        path.restrict(self.arena, within);
        value
    }

    pub(super) fn spawn(&mut self, path: &mut Path, body: usize) {
        let parameters = self.program.bodies()[body].parameters;
        let arguments = path.stack.split_off(path.stack.len() - parameters);
        let nth = path.state.spawned;
        self.call(Spawn { when: path.when, body, nth, arguments });
        let one = self.arena.int(1);
        path.state.spawned = self.arena.add(&[nth, one]);
    }

    pub(super) fn call(&mut self, call: Spawn) {
        self.transition.spawns.push(call);
    }

    pub(super) fn access(&mut self, path: &Path, object: usize, index: Option<Term>, kind: AccessKind) {
        let access = Access { when: path.when, object, index, kind };
        if !self.transition.accesses.contains(&access) {
            self.transition.accesses.push(access);
        }
    }

    /// At its end, a process that still holds a mutex fails.
    fn keeps_no_mutex(&mut self, path: &mut Path, pc: usize) {
        let mut keeps = Vec::new();
        for (at, object) in self.program.objects().iter().enumerate().filter(|(_, object)| object.mutex) {
            let owners = path.state.objects[at];
            match object.length {
                None => keeps.push(self.arena.equal(owners, self.process)),
                Some(length) => {
                    for index in 0..length {
                        let index = self.arena.int(index as i128);
                        let owner = self.arena.select(owners, index);
                        keeps.push(self.arena.equal(owner, self.process));
                    }
                }
            }
        }
        let keeps = self.arena.or(&keeps);
        self.fail(path, keeps, FaultKind::Lock, pc);
    }

    /// All paths that came to an end, as one.
    fn finish(mut self) -> Transition {
        // A step that waits after an assertion may not be taken at all.
        let possible = self.arena.not(self.transition.blocked);
        for fault in self.transition.faults.iter_mut().filter(|fault| fault.kind == FaultKind::Assertion) {
            fault.when = self.arena.and(&[fault.when, possible]);
        }
        let mut last: Option<Path> = None;
        for (path, next) in self.rests {
            match self.transition.next.iter_mut().find(|(_, known)| *known == next) {
                Some((when, _)) => *when = self.arena.or(&[*when, path.when]),
                None => self.transition.next.push((path.when, next)),
            }
            match &mut last {
                // What is on the way in an expression does not matter any more.
                Some(other) => {
                    let path = Path { value: other.value, stack: other.stack.clone(), ..path };
                    other.merge(self.arena, path);
                }
                None => last = Some(path),
            }
        }
        if let Some(path) = last {
            self.transition.state = path.state;
        }
        self.transition
    }
}
