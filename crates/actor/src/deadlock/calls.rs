//! The local phase of may-happen-in-parallel: what has become of the calls that a task has made,
//! wherever it can rest.
//!
//! For each call in the code the state tells of the *latest* task that it has made and of the
//! *older* ones, each time whether the tasks are
//!
//! - `Pending`: called on `this`, whose lock was not given up since: they cannot have begun;
//! - `Finished`: somebody waited for them;
//! - `Active`: anywhere between their beginning and their end.
//!
//! Nothing is ever left out: a task that has finished may have called others that have not.
//!
//! Which variables surely hold the future of the latest task is known, so that waiting for one of
//! them finishes it. A parameter is followed like a call: whether a task has surely waited for it
//! when it ends tells its caller that this future is finished, too (*must-have-finished*).
//!
//! What tasks are known to wait for, and whether they can end with an exception, is found out in
//! rounds, from knowing nothing. Each round is sound.

use std::collections::{BTreeMap, BTreeSet};

use super::flow::Flow;
use super::points::Atom;
use super::world::TaskId;
use crate::code::{BodyKind, FRAME, Instruction, Pc, Slot};
use crate::fixpoint::{Transfer, handler, solve};
use crate::hir::{Builtin, Operator};
use crate::mutation::{self, Mutation};

/// So many rounds make what is known of tasks more precise.
const ROUNDS: usize = 4;

/// Where a task can be.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Status {
    Pending,
    Active,
    Finished,
}

impl Status {
    /// One or the other.
    fn or(self, other: Status) -> Status {
        if self == other { self } else { Status::Active }
    }
}

/// Something that makes tasks, or brings futures.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Site {
    /// The parameter of this number.
    Parameter(u32),
    /// A call that makes a task.
    Task(Pc),
    /// A call that runs within the task.
    Within(Pc),
}

/// What has become of the tasks of a site.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Made {
    pub(super) latest: Status,
    pub(super) older: Option<Status>,
    /// The words that surely hold the future of the latest.
    holders: Vec<Slot>,
    /// The parameters of the latest that surely are the futures of the latest tasks of other sites.
    passed: Vec<(u32, Site)>,
    /// Where the latest was waited for.
    pub(super) awaited: Option<Pc>,
}

/// What has become of all calls so far.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Calls {
    pub(super) sites: BTreeMap<Site, Made>,
    /// The words whose futures are finished.
    done: Vec<Slot>,
}

/// What is known of a task.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Summary {
    /// It can end with an exception.
    throws: bool,
    /// The parameters whose futures are finished when it ends.
    finishes: Vec<u32>,
    /// Where it can rest, and what has become of its calls there. Its end is [`END`].
    pub(super) rests: BTreeMap<Pc, Calls>,
    /// The waits that can stop it.
    pub(super) stops: BTreeSet<Pc>,
}

/// The end of a task, as a place where it rests.
pub(super) const END: Pc = Pc::MAX;

impl Calls {
    /// Takes in what holds on another path.
    fn join(&mut self, other: &Calls) -> bool {
        let mut changed = false;
        for (site, theirs) in &other.sites {
            match self.sites.get_mut(site) {
                None => {
                    self.sites.insert(*site, theirs.clone());
                    changed = true;
                }
                Some(ours) => changed |= ours.join(theirs),
            }
        }
        let before = self.done.len();
        self.done.retain(|slot| other.done.contains(slot));
        changed | (self.done.len() < before)
    }

    /// A word is written: it holds nothing that was known.
    fn overwrite(&mut self, slot: Slot) {
        self.forget(|known| known == slot);
    }

    fn forget(&mut self, is_written: impl Fn(Slot) -> bool) {
        self.done.retain(|&slot| !is_written(slot));
        for made in self.sites.values_mut() {
            made.holders.retain(|&slot| !is_written(slot));
        }
    }

    fn copy(&mut self, to: Slot, from: Slot) {
        self.overwrite(to);
        if self.done.contains(&from) {
            self.done.push(to);
        }
        for made in self.sites.values_mut() {
            if made.holders.contains(&from) {
                made.holders.push(to);
            }
        }
    }

    /// The lock is given up: what was called on this object may begin.
    fn release(&mut self) {
        if mutation::on(Mutation::PendingForEver) {
            return;
        }
        for made in self.sites.values_mut() {
            if made.latest == Status::Pending {
                made.latest = Status::Active;
            }
            if made.older == Some(Status::Pending) {
                made.older = Some(Status::Active);
            }
        }
    }

    /// A site makes another task.
    fn make(&mut self, site: Site, latest: Status, holder: Option<Slot>) {
        let before = self.sites.get(&site);
        let older = before.map(|made| made.older.map_or(made.latest, |older| older.or(made.latest)));
        // What was passed on is not the latest of this site any more.
        for made in self.sites.values_mut() {
            made.passed.retain(|&(_, passed)| passed != site);
        }
        let made = Made { latest, older, holders: holder.into_iter().collect(), passed: Vec::new(), awaited: None };
        self.sites.insert(site, made);
    }

    fn held_by(&self, slot: Slot) -> Vec<Site> {
        let sites = self.sites.iter().filter(|(_, made)| made.holders.contains(&slot));
        sites.map(|(&site, _)| site).collect()
    }

    /// The tasks of this site that were made last have finished. Whoever they surely waited for has
    /// finished, too.
    fn finish(&mut self, site: Site, at: Pc, waits: &impl Fn(Site, u32) -> bool) {
        let mut left = vec![site];
        while let Some(site) = left.pop() {
            let Some(made) = self.sites.get_mut(&site) else { continue };
            if made.latest == Status::Finished {
                continue;
            }
            (made.latest, made.awaited) = (Status::Finished, Some(at));
            self.done.extend(made.holders.iter().copied());
            left.extend(made.passed.iter().filter(|&&(number, _)| waits(site, number)).map(|&(_, other)| other));
        }
    }
}

impl Made {
    fn join(&mut self, other: &Made) -> bool {
        let before = (self.latest, self.older, self.holders.len(), self.passed.len());
        self.latest = self.latest.or(other.latest);
        self.older = match (self.older, other.older) {
            (Some(ours), Some(theirs)) => Some(ours.or(theirs)),
            (ours, theirs) => ours.or(theirs),
        };
        self.holders.retain(|slot| other.holders.contains(slot));
        self.passed.retain(|passed| other.passed.contains(passed));
        before != (self.latest, self.older, self.holders.len(), self.passed.len())
    }
}

/// What is known of all tasks.
pub(super) fn summaries(flow: &Flow<'_>) -> Vec<Summary> {
    let throwing = throwing_functions(flow);
    let unknown = Summary { throws: true, ..Summary::default() };
    let mut all = vec![unknown; flow.world.tasks.len()];
    for _ in 0..ROUNDS {
        let next: Vec<Summary> =
            (0..all.len()).map(|number| summary(flow, &all, &throwing, TaskId(number as u32))).collect();
        if next == all {
            break;
        }
        all = next;
    }
    all
}

/// The functions that can end with an exception.
fn throwing_functions(flow: &Flow<'_>) -> Vec<bool> {
    let bodies = &flow.image.bodies;
    let mut throwing = vec![false; bodies.len()];
    loop {
        let mut changed = false;
        for (instruction, &owner) in flow.image.code.iter().zip(&flow.image.owners) {
            let throws = match *instruction {
                Instruction::Call { function, .. } => throwing[function as usize],
                Instruction::CallLocal { .. } => true,
                _ => can_throw_by_itself(instruction),
            };
            if throws && !throwing[owner as usize] {
                throwing[owner as usize] = true;
                changed = true;
            }
        }
        if !changed {
            return throwing;
        }
    }
}

/// Whether an instruction that is no call can throw, whatever it works on.
fn can_throw_by_itself(instruction: &Instruction) -> bool {
    match instruction {
        Instruction::Assert { .. } | Instruction::Throw { .. } | Instruction::NoMatch { .. } => true,
        Instruction::Binary { operator, .. } => matches!(operator, Operator::Divide | Operator::Remainder),
        Instruction::Builtin { builtin, .. } => matches!(builtin, Builtin::Random | Builtin::Substring),
        _ => false,
    }
}

fn summary(flow: &Flow<'_>, all: &[Summary], throwing: &[bool], task: TaskId) -> Summary {
    let body = &flow.image.bodies[flow.world.tasks[task.index()].body as usize];
    let mut calls = Calls::default();
    for parameter in 0..body.parameters {
        calls.make(Site::Parameter(parameter), Status::Active, Some(FRAME + parameter));
    }
    let mut known = BTreeMap::from([(body.entry, calls)]);
    let made = Summary::default();
    let mut local = Local { flow, all, throwing, task, summary: made };
    solve(&flow.leaders, &mut local, &mut known);
    let mut summary = local.summary;
    let end = summary.rests.get(&END);
    let is_finished = |parameter: &u32| {
        end.is_some_and(|end| {
            end.sites.get(&Site::Parameter(*parameter)).is_some_and(|made| made.latest == Status::Finished)
        })
    };
    summary.finishes = (0..body.parameters).filter(is_finished).collect();
    summary
}

/// A task that is being run.
struct Local<'f, 'i> {
    flow: &'f Flow<'i>,
    all: &'f [Summary],
    throwing: &'f [bool],
    task: TaskId,
    summary: Summary,
}

impl Local<'_, '_> {
    /// The task can rest here.
    fn rest(&mut self, pc: Pc, calls: &Calls) {
        match self.summary.rests.get_mut(&pc) {
            Some(known) => {
                known.join(calls);
            }
            None => {
                self.summary.rests.insert(pc, calls.clone());
            }
        }
    }

    fn end(&mut self, calls: &Calls) {
        let mut calls = calls.clone();
        calls.release();
        self.rest(END, &calls);
    }

    /// An instruction throws, in this state.
    fn throw(&mut self, pc: Pc, calls: &Calls, others: &mut Vec<(Pc, Calls)>) {
        match handler(self.flow.image, pc) {
            Some(handler) => {
                let mut calls = calls.clone();
                calls.overwrite(handler.slot);
                others.push((handler.target, calls));
            }
            None => {
                self.summary.throws = true;
                self.end(calls);
            }
        }
    }

    fn can_be_null(&self, pc: Pc) -> bool {
        self.flow.operand(self.task, pc).contains(Atom::Null)
    }

    /// Waits for the future in a word. It is finished then.
    fn wait(&mut self, pc: Pc, future: Slot, calls: &mut Calls) {
        let waits = |site: Site, number: u32| match site {
            Site::Task(call) => {
                let targets = self.flow.calls.get(&(self.task, call));
                targets.is_some_and(|all| all.iter().all(|task| self.all[task.index()].finishes.contains(&number)))
            }
            Site::Parameter(_) | Site::Within(_) => false,
        };
        for site in calls.held_by(future) {
            calls.finish(site, pc, &waits);
        }
        if !calls.done.contains(&future) {
            calls.done.push(future);
        }
    }

    /// Calls a task.
    fn call(&mut self, pc: Pc, (to, first, count): (Slot, Slot, u32), is_kept: bool, calls: &mut Calls) {
        let on_this = self.flow.operand(self.task, pc).is_only(Atom::This);
        // Whoever makes an object does not hold its lock.
        let holds = self.flow.image.body_at(pc).kind == BodyKind::Method;
        let status = if on_this && holds { Status::Pending } else { Status::Active };
        let arguments = (0..count).flat_map(|number| {
            let sites = calls.held_by(first + FRAME + number);
            sites.into_iter().map(move |site| (number, site))
        });
        let site = Site::Task(pc);
        let passed = arguments.filter(|&(_, other)| other != site).collect();
        calls.overwrite(to);
        calls.make(site, status, is_kept.then_some(to));
        if let Some(made) = calls.sites.get_mut(&site) {
            made.passed = passed;
        }
    }

    /// Runs a method within this task. Words from `first` on are overwritten.
    fn run_within(&mut self, pc: Pc, first: Slot, calls: &mut Calls) {
        calls.make(Site::Within(pc), Status::Active, None);
        self.rest(pc, calls);
        if let Some(made) = calls.sites.get_mut(&Site::Within(pc)) {
            made.latest = Status::Finished;
        }
        calls.forget(|slot| slot >= first);
    }

    fn within_throws(&self, pc: Pc) -> bool {
        let methods = self.flow.within.get(&(self.task, pc));
        methods.is_some_and(|all| all.iter().any(|method| self.all[method.index()].throws))
    }

    /// A call that returns the result.
    fn call_and_get(&mut self, pc: Pc, calls: &mut Calls, others: &mut Vec<(Pc, Calls)>) -> bool {
        let Instruction::Sync { to, first, count, .. } = self.flow.image.code[pc as usize] else {
            unreachable!("only calls that return the result come here")
        };
        if self.can_be_null(pc) {
            self.throw(pc, calls, others);
        }
        if self.flow.within.contains_key(&(self.task, pc)) {
            let mut after = calls.clone();
            after.release();
            self.run_within(pc, first, &mut after);
            if self.within_throws(pc) {
                self.throw(pc, &after, others);
            }
            after.overwrite(to);
            others.push((pc + 2, after));
        }
        let is_remote = self.flow.calls.contains_key(&(self.task, pc));
        if is_remote {
            self.call(pc, (first, first, count), true, calls);
        }
        is_remote
    }

    /// Waits that stop a task at a future.
    fn stop(&mut self, pc: Pc, future: Slot, calls: &Calls) {
        self.rest(pc, calls);
        if !calls.done.contains(&future) {
            self.summary.stops.insert(pc);
        }
    }

    /// The future that alone decides a guard, which ends here.
    fn decides(&self, end: Pc) -> Option<Slot> {
        let Instruction::EndGuard { guard, condition } = self.flow.image.code[end as usize] else { return None };
        let code = &self.flow.image.code[guard as usize + 1..end as usize];
        match code {
            [Instruction::Copy { to, .. } | Instruction::Load { to, .. }, Instruction::Ready { to: ready, future }]
                if to == future && *ready == condition =>
            {
                Some(*future)
            }
            _ => None,
        }
    }

    fn get(&mut self, pc: Pc, calls: &mut Calls, others: &mut Vec<(Pc, Calls)>) {
        let Instruction::Get { to, future, .. } = self.flow.image.code[pc as usize] else { return };
        self.stop(pc, future, calls);
        self.wait(pc, future, calls);
        let futures = self.flow.operand(self.task, pc);
        if self.can_be_null(pc) || futures.futures().any(|task| self.all[task.index()].throws) {
            self.throw(pc, calls, others);
        }
        calls.overwrite(to);
    }

    /// Instructions that neither wait nor call tasks.
    fn compute(&mut self, pc: Pc, calls: &mut Calls, others: &mut Vec<(Pc, Calls)>) {
        let instruction = self.flow.image.code[pc as usize];
        let throws = match instruction {
            Instruction::Call { function, .. } => self.throwing[function as usize],
            Instruction::CallLocal { .. } => true,
            Instruction::Ready { .. } => self.can_be_null(pc),
            _ => can_throw_by_itself(&instruction),
        };
        if throws {
            self.throw(pc, calls, others);
        }
        match instruction {
            Instruction::Copy { to, from } => calls.copy(to, from),
            Instruction::Call { to, first, .. } | Instruction::CallLocal { to, first, .. } => {
                calls.forget(|slot| slot >= first || slot == to);
            }
            Instruction::Constant { to, .. }
            | Instruction::Null { to }
            | Instruction::This { to }
            | Instruction::Load { to, .. }
            | Instruction::Construct { to, .. }
            | Instruction::List { to, .. }
            | Instruction::Closure { to, .. }
            | Instruction::Builtin { to, .. }
            | Instruction::Not { to, .. }
            | Instruction::Negate { to, .. }
            | Instruction::Binary { to, .. }
            | Instruction::Project { to, .. }
            | Instruction::Implements { to, .. }
            | Instruction::As { to, .. }
            | Instruction::Ready { to, .. } => calls.overwrite(to),
            _ => {}
        }
    }
}

impl Transfer for Local<'_, '_> {
    type State = Calls;

    fn join(&self, into: &mut Calls, from: &Calls) -> bool {
        into.join(from)
    }

    fn step(&mut self, pc: Pc, calls: &mut Calls, others: &mut Vec<(Pc, Calls)>) -> bool {
        match self.flow.image.code[pc as usize] {
            Instruction::Begin => self.rest(pc, calls),
            Instruction::Jump { to } => {
                others.push((to, calls.clone()));
                return false;
            }
            Instruction::Unless { to, .. }
            | Instruction::When { to, .. }
            | Instruction::Unmatched { to, .. }
            | Instruction::Unequal { to, .. } => others.push((to, calls.clone())),
            Instruction::AwaitFuture { future, .. } => {
                calls.release();
                self.stop(pc, future, calls);
                self.wait(pc, future, calls);
                if self.can_be_null(pc) {
                    self.throw(pc, calls, others);
                }
            }
            Instruction::Guard { .. } => {
                calls.release();
                self.rest(pc, calls);
                self.summary.stops.insert(pc);
            }
            Instruction::EndGuard { .. } => {
                if let Some(future) = self.decides(pc) {
                    self.wait(pc, future, calls);
                }
            }
            Instruction::Suspend { .. } => calls.release(),
            Instruction::Resume => {
                self.rest(pc, calls);
                self.summary.stops.insert(pc);
            }
            Instruction::Get { .. } => self.get(pc, calls, others),
            Instruction::Async { to, first, count, is_kept, .. } => {
                if self.can_be_null(pc) {
                    self.throw(pc, calls, others);
                }
                self.call(pc, (to, first, count), is_kept, calls);
            }
            Instruction::Sync { .. } => return self.call_and_get(pc, calls, others),
            Instruction::New { to, first, .. } => {
                self.run_within(pc, first, calls);
                if self.within_throws(pc) {
                    self.throw(pc, calls, others);
                }
                calls.overwrite(to);
            }
            Instruction::Return { .. } | Instruction::ReturnThis => {
                self.end(calls);
                return false;
            }
            Instruction::Throw { .. } | Instruction::NoMatch { .. } => {
                self.throw(pc, calls, others);
                return false;
            }
            _ => self.compute(pc, calls, others),
        }
        true
    }
}
