//! The rules of the analysis, one by one, on skeletons made by hand.

use mazurka_machine::Place;
use mazurka_waits::{
    Analysis, Body, BodyId, CycleKind, Lock, LockId, Node, Operation, PlaceId, Reentry, Skeleton, Thread, ThreadId,
};

/// A thread: its creator, whether there are several, and what it does, one thing after the other.
struct Said {
    creator: Option<u32>,
    is_many: bool,
    does: Vec<Operation>,
}

fn first(does: Vec<Operation>) -> Said {
    Said { creator: None, is_many: false, does }
}

fn made(creator: u32, does: Vec<Operation>) -> Said {
    Said { creator: Some(creator), is_many: false, does }
}

fn lock(lock: u32) -> Operation {
    Operation::Take { locks: vec![LockId(lock)], is_shared: false, waits: true }
}

fn read(lock: u32) -> Operation {
    Operation::Take { locks: vec![LockId(lock)], is_shared: true, waits: true }
}

fn tried(lock: u32) -> Operation {
    Operation::Take { locks: vec![LockId(lock)], is_shared: false, waits: false }
}

fn unlock(lock: u32) -> Operation {
    Operation::Give { locks: vec![LockId(lock)] }
}

fn create(thread: u32) -> Operation {
    Operation::Create(vec![ThreadId(thread)])
}

fn join(thread: u32) -> Operation {
    Operation::Join { threads: vec![ThreadId(thread)], is_sure: true }
}

fn both(one: u32, other: u32) -> Vec<Operation> {
    vec![lock(one), lock(other), unlock(other), unlock(one)]
}

/// A skeleton with so many plain locks.
fn skeleton(locks: u32, threads: Vec<Said>) -> Skeleton {
    let mut skeleton = Skeleton::default();
    for number in 0..locks {
        skeleton.locks.push(Lock { name: format!("l{number}"), is_one: true, again: Reentry::Waits });
    }
    for (number, said) in threads.into_iter().enumerate() {
        let mut body = Body::default();
        for (at, operation) in said.does.into_iter().enumerate() {
            let place = PlaceId(skeleton.places.len() as u32);
            let line = skeleton.places.len() + 1;
            skeleton.places.push(Place { file: "f".to_owned(), line, column: 1, text: String::new() });
            let next = if operation == Operation::End { Vec::new() } else { vec![at + 1] };
            body.nodes.push(Node { operation, next, place });
        }
        body.nodes.push(Node { operation: Operation::Nothing, next: Vec::new(), place: PlaceId(0) });
        skeleton.bodies.push(body);
        let (body, name) = (BodyId(number as u32), format!("t{number}"));
        skeleton.threads.push(Thread { name, body, creator: said.creator.map(ThreadId), is_many: said.is_many });
    }
    skeleton
}

/// How many cycles are open, and how many are discharged.
fn counts(skeleton: Skeleton) -> (usize, usize) {
    let analysis = Analysis::of(skeleton);
    let open = analysis.cycles.iter().filter(|cycle| cycle.discharged.is_none()).count();
    (open, analysis.cycles.len() - open)
}

fn of(locks: u32, threads: Vec<Said>) -> (usize, usize) {
    counts(skeleton(locks, threads))
}

#[test]
fn opposite_orders_are_a_cycle() {
    assert_eq!(of(2, vec![first(both(0, 1)), first(both(1, 0))]), (1, 0));
    assert_eq!(of(2, vec![first(both(0, 1)), first(both(0, 1))]), (0, 0));
    // One thread is no cycle with itself; of several, each is one with another.
    let does = [both(0, 1), both(1, 0)].concat();
    assert_eq!(of(2, vec![first(does.clone())]), (0, 0));
    assert_eq!(of(2, vec![Said { is_many: true, ..first(does) }]), (1, 0));
}

#[test]
fn a_gate_keeps_threads_apart() {
    let gated = |one: u32, other: u32, gate: Operation| [vec![gate], both(one, other), vec![unlock(2)]].concat();
    assert_eq!(of(3, vec![first(gated(0, 1, lock(2))), first(gated(1, 0, lock(2)))]), (0, 1));
    assert_eq!(of(3, vec![first(gated(0, 1, read(2))), first(gated(1, 0, read(2)))]), (1, 0));
    assert_eq!(of(3, vec![first(gated(0, 1, read(2))), first(gated(1, 0, lock(2)))]), (0, 1));
    // A gate that stands for several locks, or may be another one, is none.
    let mut several = skeleton(3, vec![first(gated(0, 1, lock(2))), first(gated(1, 0, lock(2)))]);
    several.locks[2].is_one = false;
    assert!(counts(several).0 > 0);
    let either = || Operation::Take { locks: vec![LockId(2), LockId(3)], is_shared: false, waits: true };
    let gated = |one: u32, other: u32| {
        let back = Operation::Give { locks: vec![LockId(2), LockId(3)] };
        [vec![either()], both(one, other), vec![back]].concat()
    };
    assert!(of(4, vec![first(gated(0, 1)), first(gated(1, 0))]).0 > 0);
}

#[test]
fn readers_do_not_wait_for_each_other() {
    let reads = |one, other| vec![read(one), read(other), unlock(other), unlock(one)];
    assert_eq!(of(2, vec![first(reads(0, 1)), first(reads(1, 0))]), (0, 0));
    assert_eq!(of(2, vec![first(reads(0, 1)), first(both(1, 0))]), (1, 0));
    // At each lock one side has to write.
    let half = vec![read(1), lock(0), unlock(0), unlock(1)];
    assert_eq!(of(2, vec![first(reads(0, 1)), first(half)]), (0, 0));
}

#[test]
fn what_is_tried_is_held_and_not_waited_for() {
    let tries = vec![lock(0), tried(1), unlock(1), unlock(0)];
    assert_eq!(of(2, vec![first(tries.clone()), first(both(1, 0))]), (0, 0));
    let tries_first = vec![tried(0), lock(1), unlock(1), unlock(0)];
    assert_eq!(of(2, vec![first(tries_first), first(both(1, 0))]), (1, 0));
}

#[test]
fn a_lock_that_is_taken_again() {
    let again = || vec![lock(0), lock(0), unlock(0), unlock(0)];
    let of_kind = |kind| {
        let mut skeleton = skeleton(1, vec![first(again())]);
        skeleton.locks[0].again = kind;
        counts(skeleton)
    };
    assert_eq!(of_kind(Reentry::Waits), (1, 0));
    assert_eq!(of_kind(Reentry::Again), (0, 0));
    assert!(of_kind(Reentry::Unknown).0 > 0);
    // A recursive lock is held until it was given back as often as it was taken.
    let once = vec![lock(0), lock(0), unlock(0), lock(1), unlock(1), unlock(0)];
    let mut nested = skeleton(2, vec![first(once), first(both(1, 0))]);
    nested.locks[0].again = Reentry::Again;
    assert_eq!(counts(nested), (1, 0));
}

#[test]
fn threads_come_after_their_creation_and_before_their_join() {
    let after = |rest: Vec<Operation>| [rest, vec![create(1)]].concat();
    assert_eq!(of(2, vec![first(after(both(0, 1))), made(0, both(1, 0))]), (0, 1));
    let around = [vec![create(1)], both(0, 1), vec![join(1)]].concat();
    assert_eq!(of(2, vec![first(around), made(0, both(1, 0))]), (1, 0));
    let joined = [vec![create(1), join(1)], both(0, 1)].concat();
    assert_eq!(of(2, vec![first(joined), made(0, both(1, 0))]), (0, 1));
    // A join that may be that of another thread ends none.
    let unsure = Operation::Join { threads: vec![ThreadId(1)], is_sure: false };
    let joined = [vec![create(1), unsure], both(0, 1)].concat();
    assert_eq!(of(2, vec![first(joined), made(0, both(1, 0))]), (1, 0));
    // Nor does one of several threads of a description.
    let twice = [vec![create(1), create(1), join(1)], both(0, 1)].concat();
    assert!(of(2, vec![first(twice), made(0, both(1, 0))]).0 > 0);
}

#[test]
fn siblings_meet_only_where_one_is_created_while_the_other_runs() {
    let one_by_one = vec![create(1), join(1), create(2), join(2)];
    assert_eq!(of(2, vec![first(one_by_one), made(0, both(0, 1)), made(0, both(1, 0))]), (0, 1));
    let together = vec![create(1), create(2), join(1), join(2)];
    assert_eq!(of(2, vec![first(together), made(0, both(0, 1)), made(0, both(1, 0))]), (1, 0));
}

#[test]
fn who_joins_with_a_lock_waits_for_all_that_the_other_needs() {
    let worker = || made(0, vec![lock(0), unlock(0)]);
    let holding = vec![create(1), lock(0), join(1), unlock(0)];
    assert_eq!(of(1, vec![first(holding), worker()]), (1, 0));
    let holding_nothing = vec![create(1), lock(0), unlock(0), join(1)];
    assert_eq!(of(1, vec![first(holding_nothing), worker()]), (0, 0));
}

#[test]
fn a_thread_that_ends_with_a_lock_keeps_it() {
    let keeps = |end: Vec<Operation>| [vec![lock(0)], end].concat();
    for end in [vec![], vec![Operation::End]] {
        let analysis = Analysis::of(skeleton(1, vec![first(keeps(end)), first(vec![lock(0), unlock(0)])]));
        assert!(analysis.cycles.iter().any(|cycle| cycle.kind == CycleKind::Kept && cycle.discharged.is_none()));
    }
    assert_eq!(of(1, vec![first(keeps(vec![unlock(0)])), first(vec![lock(0), unlock(0)])]), (0, 0));
}

#[test]
fn what_is_called_is_followed_and_its_locks_are_kept() {
    let mut skeleton = skeleton(2, vec![first(vec![Operation::Nothing]), first(both(1, 0))]);
    // The first thread calls a body that takes the first lock, then one that takes the second.
    for lock_number in [0, 1] {
        let place = PlaceId(0);
        let end = Node { operation: Operation::Nothing, next: Vec::new(), place };
        skeleton.bodies.push(Body { nodes: vec![Node { operation: lock(lock_number), next: vec![1], place }, end] });
    }
    let place = PlaceId(0);
    let call = |body: u32, next| Node { operation: Operation::Call(vec![BodyId(body)]), next, place };
    skeleton.bodies[0].nodes = vec![call(2, vec![1]), call(3, Vec::new())];
    let analysis = Analysis::of(skeleton);
    assert!(analysis.cycles.iter().any(|cycle| cycle.kind == CycleKind::Circle && cycle.discharged.is_none()));
}

#[test]
fn a_body_that_calls_itself_ends() {
    let mut skeleton = skeleton(2, vec![first(both(0, 1)), first(both(1, 0))]);
    let place = PlaceId(0);
    skeleton.bodies[0].nodes[1] = Node { operation: Operation::Call(vec![BodyId(0)]), next: vec![2], place };
    let _ = Analysis::of(skeleton);
}
