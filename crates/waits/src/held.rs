//! Which locks a thread holds at which point, and what it waits for there.
//!
//! Forward, along the paths of the thread's code. A body is analysed once for each state in which
//! it is called. States at a point are kept apart; where there are too many, they become one, in
//! which a lock is held surely only if it was in all of them.

use std::collections::{BTreeMap, BTreeSet};

use crate::mutation::{self, Mutation};
use crate::skeleton::{BodyId, LockId, Operation, PlaceId, Reentry, Skeleton, ThreadId};

/// So many states are kept apart at a point, and at the end of a body.
const MOST_STATES: usize = 64;

/// In a thread with more pairs of a body and a state than that, only [`FEW_STATES`] are.
const MANY_CALLS: usize = 500;

/// See [`MANY_CALLS`].
const FEW_STATES: usize = 4;

/// So many states are followed from point to point.
const MOST_VISITS: usize = 1_000_000;

/// So many pairs of a body and a state in which it is called are analysed.
const MOST_CALLS: usize = 20_000;

/// A recursive lock is followed to this depth.
const MOST_DEPTH: u8 = 8;

/// A lock that a thread holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Hold {
    /// Which.
    pub lock: LockId,
    /// Where it was taken.
    pub since: PlaceId,
    /// As a reader.
    pub is_shared: bool,
    /// It is held on every path, and is this very lock.
    pub is_sure: bool,
    depth: u8,
}

/// What is so at a point of a thread.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
struct State {
    /// By lock.
    held: Vec<Hold>,
    /// The threads that it created on this path.
    created: BTreeSet<ThreadId>,
    /// Of these and those that they create, the ones that may still run.
    alive: BTreeSet<ThreadId>,
}

/// Who is waited for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Awaited {
    /// Whoever holds a lock.
    Lock(LockId),
    /// A thread, that it ends.
    Thread(ThreadId),
}

/// A thread that waits.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Wait {
    /// Who waits.
    pub thread: ThreadId,
    /// Where.
    pub place: PlaceId,
    /// For whom.
    pub awaited: Awaited,
    /// It waits to read.
    pub is_shared: bool,
    /// What it holds.
    pub held: Vec<Hold>,
    /// The threads that it created, and theirs, that may run at the same time.
    pub alive: BTreeSet<ThreadId>,
}

/// All that the threads of a program do.
#[derive(Clone, Debug, Default)]
pub struct Behaviour {
    /// Where threads wait.
    pub waits: BTreeSet<Wait>,
    /// Locks with which threads end.
    pub kept: BTreeSet<(ThreadId, LockId, PlaceId)>,
    /// Where threads wait for a communication: who, where, for what, and whether with a lock.
    pub communications: BTreeSet<(ThreadId, PlaceId, String, bool)>,
    /// Threads of which there can be several.
    pub many: BTreeSet<ThreadId>,
    /// Threads that may run when another one is created.
    pub together: BTreeSet<(ThreadId, ThreadId)>,
    /// There was too much to follow.
    pub is_unfinished: bool,
    /// So many states have been followed.
    visits: usize,
}

impl Behaviour {
    /// Follows all threads that can be created.
    pub fn of(skeleton: &Skeleton) -> Self {
        let mut many = BTreeSet::new();
        loop {
            let behaviour = Behaviour::knowing(skeleton, many.clone());
            if behaviour.many == many || behaviour.is_unfinished {
                return behaviour;
            }
            // What was taken for the end of all threads of a description was that of one.
            many = behaviour.many;
        }
    }

    /// The same, where of some threads it is known that there can be several.
    fn knowing(skeleton: &Skeleton, many: BTreeSet<ThreadId>) -> Self {
        let mut behaviour = Behaviour { many, ..Behaviour::default() };
        let mut created: BTreeSet<ThreadId> = BTreeSet::new();
        for thread in (0..skeleton.threads.len() as u32).map(ThreadId) {
            let description = skeleton.thread(thread);
            let creator = description.creator;
            if creator.is_some() && !created.contains(&thread) {
                continue;
            }
            let several = description.is_many || creator.is_some_and(|creator| behaviour.many.contains(&creator));
            if several && !mutation::on(Mutation::OneOfEach) {
                behaviour.many.insert(thread);
            }
            let mut run =
                Run { skeleton, thread, behaviour: &mut behaviour, calls: Vec::new(), known: BTreeMap::new() };
            run.follow();
            created.append(&mut run.created());
        }
        behaviour
    }
}

/// A body that is analysed in a state.
struct Called {
    body: BodyId,
    /// The states at each point, and whether they are one for all.
    states: Vec<(BTreeSet<State>, bool)>,
    exits: BTreeSet<State>,
    /// The calls of it: which analysis, which point.
    callers: BTreeSet<(usize, usize)>,
}

struct Run<'a> {
    skeleton: &'a Skeleton,
    thread: ThreadId,
    behaviour: &'a mut Behaviour,
    calls: Vec<Called>,
    known: BTreeMap<(BodyId, State), usize>,
}

impl Run<'_> {
    fn follow(&mut self) {
        let mut todo = Vec::new();
        let root = self.call(self.skeleton.thread(self.thread).body, State::default(), &mut todo);
        while let Some((call, node, state)) = todo.pop() {
            self.behaviour.visits += 1;
            if self.calls.len() > MOST_CALLS || self.behaviour.visits > MOST_VISITS {
                self.behaviour.is_unfinished = true;
                break;
            }
            self.visit(call, node, &state, &mut todo);
        }
        for state in self.calls[root].exits.clone() {
            self.end(&state);
        }
    }

    /// The threads that it can create.
    fn created(&self) -> BTreeSet<ThreadId> {
        let states = self.calls.iter().flat_map(|call| call.states.iter().flat_map(|(states, _)| states));
        let exits = self.calls.iter().flat_map(|call| &call.exits);
        states.chain(exits).flat_map(|state| state.created.iter().copied()).collect()
    }

    /// The analysis of a body in a state; begins it, if it is new.
    fn call(&mut self, body: BodyId, state: State, todo: &mut Vec<(usize, usize, State)>) -> usize {
        if let Some(&known) = self.known.get(&(body, state.clone())) {
            return known;
        }
        let number = self.calls.len();
        let nodes = self.skeleton.bodies[body.index()].nodes.len();
        self.calls.push(Called {
            body,
            states: vec![Default::default(); nodes],
            exits: BTreeSet::new(),
            callers: BTreeSet::new(),
        });
        self.known.insert((body, state.clone()), number);
        if nodes == 0 {
            self.calls[number].exits.insert(state);
        } else {
            self.reach(number, 0, state, todo);
        }
        number
    }

    /// A state is reached before a point.
    fn reach(&mut self, call: usize, node: usize, state: State, todo: &mut Vec<(usize, usize, State)>) {
        let most = self.most_states();
        let (states, is_merged) = &mut self.calls[call].states[node];
        if states.contains(&state) {
            return;
        }
        if !*is_merged && states.len() < most {
            states.insert(state.clone());
            return todo.push((call, node, state));
        }
        *is_merged = true;
        let merged = states.iter().fold(state, |merged, other| merge(&merged, other));
        if states.insert(merged.clone()) {
            states.retain(|other| *other == merged);
            todo.push((call, node, merged));
        }
    }

    /// How many states are kept apart.
    fn most_states(&self) -> usize {
        if self.calls.len() > MANY_CALLS { FEW_STATES } else { MOST_STATES }
    }

    /// A state is reached behind a point; at the end of a body, behind the calls of it.
    fn leave(&mut self, call: usize, node: usize, state: State, todo: &mut Vec<(usize, usize, State)>) {
        let skeleton = self.skeleton;
        let mut left = vec![(call, node, state)];
        while let Some((call, node, state)) = left.pop() {
            let next = &skeleton.bodies[self.calls[call].body.index()].nodes[node].next;
            for &next in next {
                self.reach(call, next, state.clone(), todo);
            }
            if next.is_empty()
                && let Some(state) = self.exit(call, state)
            {
                let callers = self.calls[call].callers.iter();
                left.extend(callers.map(|&(call, node)| (call, node, state.clone())));
            }
        }
    }

    /// A state is reached at the end of a body: what is new there, for those who call it.
    fn exit(&mut self, call: usize, state: State) -> Option<State> {
        let most = self.most_states();
        let exits = &mut self.calls[call].exits;
        if exits.contains(&state) {
            return None;
        }
        let new =
            if exits.len() < most { state } else { exits.iter().fold(state, |merged, other| merge(&merged, other)) };
        exits.insert(new.clone()).then_some(new)
    }

    fn visit(&mut self, call: usize, node: usize, state: &State, todo: &mut Vec<(usize, usize, State)>) {
        let skeleton = self.skeleton;
        let point = &skeleton.bodies[self.calls[call].body.index()].nodes[node];
        let place = point.place;
        match &point.operation {
            Operation::Nothing => self.leave(call, node, state.clone(), todo),
            Operation::Take { waits: false, .. } if mutation::on(Mutation::TriedIsNotHeld) => {
                self.leave(call, node, state.clone(), todo);
            }
            Operation::Call(_) if mutation::on(Mutation::CallsSkipped) && call > 0 => {
                self.leave(call, node, state.clone(), todo);
            }
            Operation::Take { locks, is_shared, waits } => {
                for &lock in locks {
                    if *waits && !self.is_again(lock, state) {
                        self.wait(state, place, Awaited::Lock(lock), *is_shared);
                    }
                    for state in self.take(state, lock, place, *is_shared, locks.len() == 1) {
                        self.leave(call, node, state, todo);
                    }
                }
            }
            Operation::Give { locks } => {
                for state in self.give(state, locks) {
                    self.leave(call, node, state, todo);
                }
            }
            Operation::Call(bodies) => {
                for &body in bodies {
                    let callee = self.call(body, state.clone(), todo);
                    self.calls[callee].callers.insert((call, node));
                    for exit in self.calls[callee].exits.clone() {
                        self.leave(call, node, exit, todo);
                    }
                }
            }
            Operation::Create(threads) => {
                for &thread in threads {
                    let state = self.create(state, thread);
                    self.leave(call, node, state, todo);
                }
            }
            Operation::Join { threads, is_sure } => {
                for &thread in threads {
                    if !mutation::on(Mutation::JoinsDoNotWait) {
                        self.wait(state, place, Awaited::Thread(thread), false);
                    }
                    let mut state = state.clone();
                    let is_it = *is_sure && threads.len() == 1 && !self.behaviour.many.contains(&thread);
                    if is_it || mutation::on(Mutation::JoinedAnyway) {
                        state.alive.remove(&thread);
                    }
                    self.leave(call, node, state, todo);
                }
            }
            Operation::Communicate(what) => {
                let holds = !state.held.is_empty();
                self.behaviour.communications.insert((self.thread, place, what.clone(), holds));
                self.leave(call, node, state.clone(), todo);
            }
            Operation::End => self.end(state),
        }
    }

    /// The thread ends with what it holds.
    fn end(&mut self, state: &State) {
        let kept = state.held.iter().map(|hold| (self.thread, hold.lock, hold.since));
        self.behaviour.kept.extend(kept);
    }

    /// Whether a thread takes a recursive lock that it surely holds.
    fn is_again(&self, lock: LockId, state: &State) -> bool {
        let surely = |hold: &Hold| hold.lock == lock && hold.is_sure;
        let again = self.skeleton.lock(lock).again;
        (again == Reentry::Again || mutation::on(Mutation::TakenAgain)) && state.held.iter().any(surely)
    }

    fn wait(&mut self, state: &State, place: PlaceId, awaited: Awaited, is_shared: bool) {
        let (held, alive) = (state.held.clone(), state.alive.clone());
        self.behaviour.waits.insert(Wait { thread: self.thread, place, awaited, is_shared, held, alive });
    }

    /// The states with a lock taken; none where the thread waits for itself.
    fn take(&self, state: &State, lock: LockId, since: PlaceId, is_shared: bool, is_only: bool) -> Vec<State> {
        let description = self.skeleton.lock(lock);
        let mut new = state.clone();
        let is_sure = is_only && description.is_one;
        let Some(hold) = new.held.iter_mut().find(|hold| hold.lock == lock) else {
            new.held.push(Hold { lock, since, is_shared, is_sure, depth: 1 });
            new.held.sort_unstable();
            return vec![new];
        };
        let is_same = hold.is_sure && is_sure && !(hold.is_shared && is_shared);
        hold.depth = (hold.depth + 1).min(MOST_DEPTH);
        match description.again {
            Reentry::Waits if is_same && !mutation::on(Mutation::TakenAgain) => Vec::new(),
            Reentry::Waits => {
                hold.is_sure |= is_sure;
                vec![new]
            }
            Reentry::Again => vec![new],
            // It may have been refused.
            Reentry::Unknown => vec![new, state.clone()],
        }
    }

    /// The states in which one of these locks is given back.
    fn give(&self, state: &State, locks: &[LockId]) -> Vec<State> {
        let mut states = Vec::new();
        for at in (0..state.held.len()).filter(|&at| locks.contains(&state.held[at].lock)) {
            let mut less = state.clone();
            let hold = &mut less.held[at];
            let is_one = self.skeleton.lock(hold.lock).is_one;
            // Of several locks with one name, or of one that was taken too often to be followed,
            // others may be left.
            if hold.depth == MOST_DEPTH || (!is_one && hold.depth > 1) {
                let mut same = less.clone();
                same.held[at].is_sure = false;
                states.push(same);
            }
            let hold = &mut less.held[at];
            hold.depth -= 1;
            if hold.depth == 0 {
                less.held.remove(at);
            }
            states.push(less);
        }
        if states.is_empty() {
            states.push(state.clone());
        }
        states
    }

    fn create(&mut self, state: &State, thread: ThreadId) -> State {
        let mut state = state.clone();
        let family: Vec<ThreadId> = self.skeleton.family(thread).collect();
        for &other in &state.alive {
            self.behaviour.together.extend(family.iter().map(|&new| (other, new)));
        }
        if !state.created.insert(thread) && !mutation::on(Mutation::OneOfEach) {
            self.behaviour.many.insert(thread);
        }
        state.alive.extend(family);
        state
    }
}

/// What is so in one of two states.
fn merge(one: &State, other: &State) -> State {
    let mut held = Vec::new();
    for hold in one.held.iter().chain(&other.held) {
        let find = |state: &State| state.held.iter().find(|other| other.lock == hold.lock).copied();
        if held.iter().any(|known: &Hold| known.lock == hold.lock) {
            continue;
        }
        let both = [find(one), find(other)];
        let found = || both.iter().flatten();
        held.push(Hold {
            is_sure: both.iter().all(|hold| hold.is_some_and(|hold| hold.is_sure)),
            is_shared: found().all(|hold| hold.is_shared),
            depth: found().map(|hold| hold.depth).max().unwrap_or(1),
            ..*hold
        });
    }
    held.sort_unstable();
    State {
        held,
        created: one.created.union(&other.created).copied().collect(),
        alive: one.alive.union(&other.alive).copied().collect(),
    }
}
