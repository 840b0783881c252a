//! The bodies of a skeleton: what the code of a thread does with locks and threads, along all its
//! paths. Calls of small functions are followed in place, so that what a wrapper of a lock returns
//! decides where its caller goes on.

use std::collections::BTreeMap;

use mazurka_waits::{Body, BodyId, LockId, Node, Operation, PlaceId, ThreadId};

use crate::code::instruction::{Instruction, Register};
use crate::code::{Image, Waiting};
use crate::native::Native;

use super::facts::{Fact, Facts};
use super::flow::never_returns;
use super::locks::{Deed, deed};
use super::mutation::{self, Mutation};
use super::{Builder, Root};

/// So many calls are followed in place.
const MOST_FRAMES: usize = 8;

/// So many points of a body are told apart by what is known of registers, and by what is followed
/// in place.
const MOST_POINTS: usize = 3_000;

/// A function that is followed in place.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Frame {
    instance: u32,
    pc: u32,
    facts: Facts,
}

/// A point of a thread's code: the frames from the body's own function on.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Point {
    frames: Vec<Frame>,
}

impl Point {
    fn last(&self) -> &Frame {
        self.frames.last().expect("a point has a frame")
    }

    fn last_mut(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a point has a frame")
    }
}

/// A body that is made.
struct Draft {
    number: BodyId,
    body: Body,
    numbers: BTreeMap<Point, usize>,
    todo: Vec<(Point, usize)>,
}

/// Where a path leads.
enum Stop {
    /// To something that matters, at that point.
    At(Point),
    /// To the end of the body.
    End,
    /// Nowhere.
    Nowhere,
}

impl Builder<'_> {
    /// The body of an instance, as a thread runs it.
    pub(super) fn body(&mut self, thread: ThreadId, instance: u32, number: BodyId) -> Body {
        let entry = self.entry(instance);
        let mut draft = Draft { number, body: Body::default(), numbers: BTreeMap::new(), todo: Vec::new() };
        let point = Point { frames: vec![Frame { instance, pc: entry, facts: Facts::default() }] };
        let place = self.place(&point);
        draft.body.nodes.push(Node { operation: Operation::Nothing, next: Vec::new(), place });
        let first = self.go(&mut draft, point);
        draft.body.nodes[0].next.push(first);
        while let Some((point, node)) = draft.todo.pop() {
            self.follow(&mut draft, thread, point, node);
        }
        draft.body
    }

    fn entry(&self, instance: u32) -> u32 {
        self.solution.image.functions[self.function(instance) as usize].entry
    }

    fn function(&self, instance: u32) -> u32 {
        self.solution.instances[instance as usize].function
    }

    /// The place of the user's own code at which a thread stands, with the call that leads there.
    fn place(&mut self, point: &Point) -> PlaceId {
        let image = self.solution.image;
        let own = |frame: &&Frame| !image.functions[self.function(frame.instance) as usize].library;
        let mut frames = point.frames.iter().rev().filter(own);
        let site = |frame: &Frame| image.places[frame.pc as usize];
        let first = frames.next().map_or(site(point.last()), site);
        let caller = frames.map(site).find(|&site| !self.is_system(site));
        self.place_of(first, caller)
    }

    /// The node that a path from a point leads to.
    fn go(&mut self, draft: &mut Draft, point: Point) -> usize {
        match self.advance(draft, point) {
            Stop::End => self.node(draft, None, Operation::Nothing, Vec::new()),
            Stop::Nowhere => self.nowhere(draft),
            Stop::At(point) => {
                if let Some(&known) = draft.numbers.get(&point) {
                    return known;
                }
                let node = self.node(draft, Some(&point), Operation::Nothing, Vec::new());
                draft.numbers.insert(point.clone(), node);
                draft.todo.push((point, node));
                node
            }
        }
    }

    /// A node from which nothing goes on: the thread does not end there either.
    fn nowhere(&mut self, draft: &mut Draft) -> usize {
        let node = self.node(draft, None, Operation::Nothing, Vec::new());
        draft.body.nodes[node].next.push(node);
        node
    }

    fn node(&mut self, draft: &mut Draft, point: Option<&Point>, operation: Operation, next: Vec<usize>) -> usize {
        let place = point.map_or(draft.body.nodes[0].place, |point| self.place(point));
        draft.body.nodes.push(Node { operation, next, place });
        draft.body.nodes.len() - 1
    }

    /// Past everything that does not matter.
    fn advance(&mut self, draft: &Draft, mut point: Point) -> Stop {
        use Instruction as I;
        let image = self.solution.image;
        let is_coarse = draft.numbers.len() > MOST_POINTS;
        loop {
            let (pc, instance) = (point.last().pc, point.last().instance);
            let instruction = image.code[pc as usize];
            match instruction {
                I::Return | I::ReturnValue { .. } | I::ReturnMany { .. } => {
                    let fact = match instruction {
                        I::ReturnValue { src } => point.last().facts.get(src),
                        _ => None,
                    };
                    point.frames.pop();
                    let Some(caller) = point.frames.last_mut() else { return Stop::End };
                    leave_call(image, caller, fact);
                }
                I::Trap | I::Unreachable => return Stop::Nowhere,
                I::Head { .. } => {
                    if is_coarse {
                        point.last_mut().facts.clear();
                    }
                    return Stop::At(point);
                }
                I::Jump { target } => point.last_mut().pc = target,
                I::AtomicBegin if self.blocking[self.function(instance) as usize] => return Stop::At(point),
                I::Native { native, .. } if matters(native) || never_returns(native) => return Stop::At(point),
                I::Native { native: Native::Foreign, .. } if !self.relevant_callees(instance, pc).is_empty() => {
                    return Stop::At(point);
                }
                I::Call { .. } | I::CallIndirect { .. } => {
                    let callees = self.relevant_callees(instance, pc);
                    if !callees.is_empty() {
                        match self.in_place(&point, &callees).filter(|_| !is_coarse) {
                            Some(callee) => {
                                let pc = self.entry(callee);
                                point.frames.push(Frame { instance: callee, pc, facts: Facts::default() });
                            }
                            None => return Stop::At(point),
                        }
                    } else {
                        leave_call(image, point.last_mut(), None);
                    }
                }
                _ => match point.last().facts.branches(image, pc)[..] {
                    [next] => {
                        // What a wrapper of a lock returns is mostly a constant.
                        let is_inner = point.frames.len() > 1;
                        let frame = point.last_mut();
                        frame.facts.pass(instruction, is_inner);
                        frame.pc = next;
                    }
                    _ => {
                        if is_coarse {
                            point.last_mut().facts.clear();
                        }
                        return Stop::At(point);
                    }
                },
            }
        }
    }

    /// The callees that matter.
    fn relevant_callees(&self, instance: u32, pc: u32) -> Vec<u32> {
        let callees = self.solution.calls.get(&(instance, pc)).into_iter().flatten().copied();
        callees.filter(|callee| self.relevant.contains(callee)).collect()
    }

    /// The only callee, if it is followed in place.
    fn in_place(&self, point: &Point, callees: &[u32]) -> Option<u32> {
        let pc = point.last().pc;
        let all = self.solution.calls.get(&(point.last().instance, pc)).map_or(0, Vec::len);
        let (&[callee], 1) = (callees, all) else { return None };
        let function = self.function(callee);
        let again = point.frames.iter().any(|frame| self.function(frame.instance) == function);
        let follows = self.solution.is_small(function) && !again && point.frames.len() < MOST_FRAMES;
        follows.then_some(callee)
    }

    /// Says what a node does, and where it leads.
    fn follow(&mut self, draft: &mut Draft, thread: ThreadId, point: Point, node: usize) {
        use Instruction as I;
        let image = self.solution.image;
        let (pc, instance) = (point.last().pc, point.last().instance);
        match image.code[pc as usize] {
            I::Native { native, dst, .. } => {
                let mut after = point.clone();
                after.last_mut().pc = pc + 1;
                after.last_mut().facts.set(dst, None);
                self.native(draft, thread, &point, node, (native, dst, after));
            }
            I::Call { .. } | I::CallIndirect { .. } => {
                let all = self.solution.calls.get(&(instance, pc)).cloned().unwrap_or_default();
                let (mine, others): (Vec<u32>, Vec<u32>) =
                    all.into_iter().partition(|callee| self.relevant.contains(callee));
                let mut after = point.clone();
                leave_call(image, after.last_mut(), None);
                let after = self.go(draft, after);
                let bodies = mine.into_iter().map(|callee| self.body_of(thread, callee)).collect();
                let call = self.node(draft, Some(&point), Operation::Call(bodies), vec![after]);
                draft.body.nodes[node].next.push(call);
                if !others.is_empty() {
                    draft.body.nodes[node].next.push(after);
                }
            }
            I::Head { repeat, .. } => {
                if image.loops[repeat as usize].waiting != Waiting::Never && self.can_wait(instance, repeat) {
                    draft.body.nodes[node].operation =
                        Operation::Communicate("a change that its loop looks for".to_owned());
                }
                let mut after = point;
                after.last_mut().pc = pc + 1;
                let next = self.go(draft, after);
                draft.body.nodes[node].next.push(next);
            }
            I::AtomicBegin => {
                draft.body.nodes[node].operation = Operation::Communicate("its atomic section".to_owned());
                let mut after = point;
                after.last_mut().pc = pc + 1;
                let next = self.go(draft, after);
                draft.body.nodes[node].next.push(next);
            }
            _ => {
                for next in point.last().facts.branches(image, pc) {
                    let mut after = point.clone();
                    after.last_mut().pc = next;
                    let next = self.go(draft, after);
                    draft.body.nodes[node].next.push(next);
                }
            }
        }
    }

    /// What the machine models.
    fn native(
        &mut self,
        draft: &mut Draft,
        thread: ThreadId,
        point: &Point,
        node: usize,
        (native, dst, after): (Native, Register, Point),
    ) {
        let (instance, pc) = (point.last().instance, point.last().pc);
        let knowing = |fact: Option<Fact>| {
            let mut after = after.clone();
            after.last_mut().facts.set(dst, fact);
            after
        };
        if let Some((deed, number)) = deed(native) {
            let locks = self.locks_of(instance, pc, number, point);
            return self.lock(draft, point, node, deed, locks, &knowing);
        }
        if native == Native::Foreign {
            let next = self.go(draft, knowing(None));
            let callees = self.relevant_callees(instance, pc);
            let bodies = callees.into_iter().map(|callee| self.body_of(thread, callee)).collect();
            let call = self.node(draft, Some(point), Operation::Call(bodies), vec![next]);
            draft.body.nodes[node].next.extend([next, call]);
            return;
        }
        let operation = match native {
            Native::ThreadCreate => self.create(thread, point),
            Native::ThreadJoin => self.join((draft.number, node), instance, pc),
            Native::ThreadEnd => return self.end_of_thread(draft, thread, point, node),
            Native::SemaphoreWait => Operation::Communicate("a semaphore".to_owned()),
            Native::BarrierWait => Operation::Communicate("the others at a barrier".to_owned()),
            Native::FutexWait => Operation::Communicate("a wake-up".to_owned()),
            _ if never_returns(native) => {
                draft.body.nodes[node].next.push(node);
                return;
            }
            _ => Operation::Nothing,
        };
        draft.body.nodes[node].operation = operation;
        let next = self.go(draft, knowing(None));
        draft.body.nodes[node].next.push(next);
    }

    fn lock(
        &mut self,
        draft: &mut Draft,
        point: &Point,
        node: usize,
        deed: Deed,
        locks: Vec<LockId>,
        knowing: &dyn Fn(Option<Fact>) -> Point,
    ) {
        let take = |is_shared, waits| Operation::Take { locks: locks.clone(), is_shared, waits };
        let give = || Operation::Give { locks: locks.clone() };
        match deed {
            Deed::Take { is_shared } => {
                let is_plain = locks.iter().all(|&lock| self.locks.is_plain(lock));
                let next = self.go(draft, knowing(is_plain.then_some(Fact::Is(0))));
                draft.body.nodes[node].operation = take(is_shared, true);
                draft.body.nodes[node].next.push(next);
            }
            Deed::Try { is_shared } => {
                let (taken, failed) =
                    (self.go(draft, knowing(Some(Fact::Is(0)))), self.go(draft, knowing(Some(Fact::NotZero))));
                let taken = self.node(draft, Some(point), take(is_shared, false), vec![taken]);
                let failed = Some(failed).filter(|_| !mutation::on(Mutation::TriesSucceed));
                draft.body.nodes[node].next.extend([Some(taken), failed].into_iter().flatten());
            }
            Deed::Give | Deed::End => {
                let next = self.go(draft, knowing(Some(Fact::Is(0))));
                draft.body.nodes[node].operation = give();
                draft.body.nodes[node].next.push(next);
            }
            Deed::Begin => {
                let (todo, done) =
                    (self.go(draft, knowing(Some(Fact::NotZero))), self.go(draft, knowing(Some(Fact::Is(0)))));
                let given = self.node(draft, Some(point), give(), vec![done]);
                let todo = self.node(draft, Some(point), take(false, true), vec![todo]);
                let done = self.node(draft, Some(point), take(false, true), vec![given]);
                draft.body.nodes[node].next.extend([todo, done]);
            }
            Deed::Sleep { is_timed } => {
                let next = self.go(draft, knowing((!is_timed).then_some(Fact::Is(0))));
                let mut next = self.node(draft, Some(point), take(false, true), vec![next]);
                if !is_timed {
                    let signal = Operation::Communicate("a signal".to_owned());
                    next = self.node(draft, Some(point), signal, vec![next]);
                }
                draft.body.nodes[node].operation = give();
                draft.body.nodes[node].next.push(next);
            }
        }
    }

    /// The locks that an operand can mean.
    fn locks_of(&mut self, instance: u32, pc: u32, number: usize, point: &Point) -> Vec<LockId> {
        let locks = self.solution.operand(instance, pc, number).map_or(Vec::new(), |targets| self.locks.meant(targets));
        if locks.is_empty() {
            let place = self.place(point);
            let line = self.places[place.index()].line;
            self.unknown.insert(format!("it is not known which lock line {line} means"));
        }
        locks
    }

    fn create(&mut self, thread: ThreadId, point: &Point) -> Operation {
        let (instance, pc) = (point.last().instance, point.last().pc);
        let roots = self.solution.creates.get(&(instance, pc)).cloned().unwrap_or_default();
        let place = self.place(point);
        let line = self.own_line(place);
        if roots.is_empty() {
            self.unknown.insert(format!("it is not known which function the thread of line {line} runs"));
            return Operation::Nothing;
        }
        let threads =
            roots.into_iter().map(|root| self.thread(thread, Root { instance: root, site: (instance, pc) }, line));
        Operation::Create(threads.collect())
    }

    /// What it waits for is filled in when all threads are known.
    fn join(&mut self, node: (BodyId, usize), instance: u32, pc: u32) -> Operation {
        let handles: Vec<Option<(u32, u32)>> = match self.solution.operand(instance, pc, 0) {
            Some(targets) => targets.iter().filter_map(|target| self.solution.handle(target.object)).collect(),
            None => Vec::new(),
        };
        // A handle of which nothing is known can be anybody's.
        let known: Option<Vec<(u32, u32)>> = handles.into_iter().collect();
        self.joins.push((node, known.filter(|sites| !sites.is_empty())));
        Operation::Join { threads: Vec::new(), is_sure: false }
    }

    fn end_of_thread(&mut self, draft: &mut Draft, thread: ThreadId, point: &Point, node: usize) {
        let end = self.node(draft, Some(point), Operation::End, Vec::new());
        let next = match self.solution.finish.filter(|finish| self.relevant.contains(finish)) {
            Some(finish) => {
                let body = self.body_of(thread, finish);
                self.node(draft, Some(point), Operation::Call(vec![body]), vec![end])
            }
            None => end,
        };
        draft.body.nodes[node].next.push(next);
    }

    /// The body of a thread: its function, and what the library does at its end.
    pub(super) fn root(&mut self, thread: ThreadId, instance: u32) -> Body {
        let entry = self.entry(instance);
        let place = self.place_of(self.solution.image.places[entry as usize], None);
        let mut calls = vec![self.body_of(thread, instance)];
        if let Some(finish) = self.solution.finish.filter(|finish| self.relevant.contains(finish)) {
            calls.push(self.body_of(thread, finish));
        }
        let last = calls.len();
        let node = |(at, body): (usize, BodyId)| Node {
            operation: Operation::Call(vec![body]),
            next: if at + 1 < last { vec![at + 1] } else { Vec::new() },
            place,
        };
        Body { nodes: calls.into_iter().enumerate().map(node).collect() }
    }
}

/// Behind a call, where of its result this is known.
fn leave_call(image: &Image, caller: &mut Frame, fact: Option<Fact>) {
    let call = image.code[caller.pc as usize];
    caller.facts.forget(call);
    match call {
        Instruction::Call { dst, function, .. } if image.functions[function as usize].signature.results.len() < 2 => {
            caller.facts.set(dst, fact);
        }
        Instruction::CallIndirect { dst, signature, .. } if image.signatures[signature as usize].results.len() < 2 => {
            caller.facts.set(dst, fact);
        }
        // It writes registers that only the table of operands names.
        _ => caller.facts.clear(),
    }
    caller.pc += 1;
}

/// Whether a native matters to waits.
pub(super) fn matters(native: Native) -> bool {
    deed(native).is_some()
        || matches!(
            native,
            Native::ThreadCreate
                | Native::ThreadJoin
                | Native::ThreadEnd
                | Native::SemaphoreWait
                | Native::BarrierWait
                | Native::FutexWait
        )
}

impl Builder<'_> {
    /// Whether a round of a loop reads something, or calls something, so that it can wait.
    fn can_wait(&self, instance: u32, repeat: u32) -> bool {
        let (image, function) = (self.solution.image, self.function(instance));
        let head = image.loops[repeat as usize].head;
        let end = self.solution.end(function);
        let reads = |pc: u32| {
            matches!(
                image.code[pc as usize],
                Instruction::Load { .. }
                    | Instruction::LoadAt { .. }
                    | Instruction::Modify { .. }
                    | Instruction::ModifyAt { .. }
                    | Instruction::CompareExchange { .. }
                    | Instruction::Call { .. }
                    | Instruction::CallIndirect { .. }
                    | Instruction::Native { .. }
            )
        };
        (head..end).any(reads)
    }
}
