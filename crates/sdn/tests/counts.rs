//! Counts that were computed by enumerating all interleavings of an independent model, and taken
//! from the paper.

use std::collections::BTreeMap;
use std::sync::Arc;

use mazurka_explore::{Algorithm, Monitor, Options, explore};
use mazurka_machine::{Describe, Traces};
use mazurka_sdn::{Barriers, Image, NetworkMachine, compile};
use mazurka_trace::{FaultKind, Verdict};

const LOAD_BALANCER: &str = include_str!("../../../corpus/violation/sdn/load-balancer.sdn");
const BARRIERS: &str = include_str!("../../../corpus/verified/sdn/load-balancer.sdn");
const HASH: &str = include_str!("../../../corpus/verified/sdn/load-balancer-hash.sdn");
const SEQUENTIAL: &str = include_str!("../../../corpus/verified/sdn/load-balancer-sequential.sdn");
const SSH: &str = include_str!("../../../corpus/violation/sdn/ssh.sdn");
const SSH_SAME: &str = include_str!("../../../corpus/violation/sdn/ssh-same-priority.sdn");
const SSH_LATE: &str = include_str!("../../../corpus/violation/sdn/ssh-late-barrier.sdn");
const SSH_BARRIER: &str = include_str!("../../../corpus/verified/sdn/ssh-barrier.sdn");

/// What an exploration comes to.
struct Explored {
    executions: u64,
    longest: u64,
    verdict: Verdict,
    kinds: Vec<FaultKind>,
    states: usize,
    /// How many executions each kind of outcome has, all packets together.
    outcomes: BTreeMap<String, u64>,
}

fn explored(source: &str, packets: i64, algorithm: Algorithm, barriers: Barriers) -> Explored {
    let defines = if source.contains("const P") && packets > 0 { vec![("P".to_owned(), packets)] } else { Vec::new() };
    let network = compile("test.sdn", source, &defines).expect("the network is valid");
    let mut machine = NetworkMachine::new(Image::new(network, barriers));
    machine.keep_account(Traces::None);
    let options = Options { algorithm, all: true, ..Options::default() };
    let outcome = explore(&mut machine, &options, &Monitor::default());
    let ends = machine.take_ends();
    let mut outcomes = BTreeMap::new();
    for (kind, _, executions) in ends.packets.iter().flat_map(|packet| &packet.outcomes) {
        *outcomes.entry(kind.clone()).or_insert(0) += executions;
    }
    let mut kinds: Vec<FaultKind> = outcome.violations.iter().map(|violation| violation.fault.kind).collect();
    kinds.sort();
    kinds.dedup();
    Explored {
        executions: outcome.executions,
        longest: outcome.max_events,
        verdict: outcome.verdict(),
        kinds,
        states: ends.states.len(),
        outcomes,
    }
}

fn optimal(source: &str, packets: i64) -> Explored {
    explored(source, packets, Algorithm::Optimal, Barriers::Scoped)
}

fn counted(pairs: &[(&str, u64)]) -> BTreeMap<String, u64> {
    pairs.iter().map(|&(kind, count)| (kind.to_owned(), count)).collect()
}

/// The running example: 8 classes, as in the paper. Two of them loop, three lose the packet.
#[test]
fn the_running_example() {
    for algorithm in [Algorithm::Source, Algorithm::Optimal, Algorithm::QuasiOptimal] {
        let found = explored(LOAD_BALANCER, 1, algorithm, Barriers::Scoped);
        assert_eq!((found.executions, found.longest, found.verdict), (8, 13, Verdict::Violation), "{algorithm}");
        assert_eq!(found.kinds, [FaultKind::Loop, FaultKind::Blackhole]);
        assert_eq!(found.outcomes, counted(&[("delivered", 3), ("lost", 3), ("revisit", 2)]));
        assert_eq!(found.states, 8);
    }
}

/// With two packets: 296 classes, 248 where equal writes commute, 178 final states where what
/// becomes of packets counts.
#[test]
fn two_packets_without_barriers() {
    let found = optimal(LOAD_BALANCER, 2);
    assert_eq!((found.executions, found.states), (296, 178));
    for algorithm in [Algorithm::OptimalConstrained, Algorithm::OptimalConstrainedObservers, Algorithm::OptimalCs] {
        let found = explored(LOAD_BALANCER, 2, algorithm, Barriers::Scoped);
        assert!(found.executions <= 248, "{algorithm}: {}", found.executions);
        // Rules that nobody looks for afterwards are in no order where observers count.
        assert!(found.states == 178 || algorithm.counts_observers(), "{algorithm}: {}", found.states);
    }
}

/// Without barriers, and a replica for each sender: 8 and 64 classes.
#[test]
fn replicas_by_sender_without_barriers() {
    let source = HASH.replace("    await barrier(path(s, r));\n", "");
    assert_eq!(optimal(&source, 1).executions, 8);
    assert_eq!(optimal(&source, 2).executions, 64);
}

/// With barriers: P! classes for round robin, one where the choice depends on the sender, and one
/// where packets come one after the other. 9 steps for each packet.
#[test]
fn barriers_add_no_executions() {
    for (packets, classes) in [(1, 1), (2, 2), (3, 6)] {
        let found = optimal(BARRIERS, packets);
        assert_eq!((found.executions, found.verdict), (classes, Verdict::Verified));
        let found = optimal(HASH, packets);
        assert_eq!((found.executions, found.longest), (1, 9 * packets as u64));
        assert_eq!(found.verdict, Verdict::Verified);
    }
    let found = optimal(SEQUENTIAL, 0);
    assert_eq!((found.executions, found.longest, found.verdict), (1, 27, Verdict::Verified));
}

/// The network with other traffic.
fn sending(source: &str, sent: &str) -> String {
    let start = source.find("traffic").expect("there is traffic");
    let end = start + source[start..].find('\n').expect("there is more");
    format!("{}traffic {{ {sent} }}{}", &source[..start], &source[end..])
}

/// One packet from a: 1 class (10 steps) if it is ssh, otherwise 2 up to the order of equal rules
/// (up to 20 steps), each of which may come in two orders: 1 + 2^6. A late barrier makes it 1 and
/// 1.
#[test]
fn a_policy_by_priorities() {
    let one = |source: &str, sent: &str| {
        let found = optimal(&sending(source, sent), 0);
        (found.executions, found.longest)
    };
    let (ssh, other) = ("send a { proto = ssh };", "send a { proto = other };");
    assert_eq!([one(SSH_SAME, ssh), one(SSH_SAME, other)], [(1, 10), (65, 20)]);
    assert_eq!([one(SSH, ssh), one(SSH, other)], [(1, 10), (65, 20)]);
    assert_eq!([one(SSH_LATE, ssh), one(SSH_LATE, other)], [(1, 11), (1, 13)]);
    assert_eq!([one(SSH_BARRIER, ssh), one(SSH_BARRIER, other)], [(1, 10), (65, 20)]);
    for source in [SSH_SAME, SSH, SSH_BARRIER] {
        let found = explored(&sending(source, other), 0, Algorithm::OptimalConstrained, Barriers::Scoped);
        assert!(found.executions <= 2, "{}", found.executions);
    }
    for (source, verdict) in [
        (SSH, Verdict::Violation),
        (SSH_LATE, Verdict::Violation),
        (SSH_SAME, Verdict::Violation),
        (SSH_BARRIER, Verdict::Verified),
    ] {
        let found = explored(source, 0, Algorithm::OptimalConstrainedObservers, Barriers::Scoped);
        assert_eq!(found.verdict, verdict);
        assert!(found.kinds.iter().all(|&kind| kind == FaultKind::Policy), "{:?}", found.kinds);
    }
}

/// Barriers to the letter allow no more than those of one run of a handler.
#[test]
fn exact_barriers_allow_no_more() {
    let other = sending(SSH_BARRIER, "send a { proto = other };");
    for (source, packets) in [(HASH, 2), (BARRIERS, 2), (&*other, 0), (SSH_LATE, 0)] {
        let outcomes = |barriers| -> Vec<String> {
            explored(source, packets, Algorithm::OptimalCs, barriers).outcomes.into_keys().collect()
        };
        let (scoped, exact) = (outcomes(Barriers::Scoped), outcomes(Barriers::Exact));
        assert!(exact.iter().all(|kind| scoped.contains(kind)), "{exact:?} {scoped:?}");
    }
}

/// The image of a network is ready for several machines.
#[test]
fn machines_share_an_image() {
    let network = compile("test.sdn", HASH, &[("P".to_owned(), 1)]).expect("the network is valid");
    let image = Image::new(network, Barriers::Scoped);
    let mut counts = Vec::new();
    for _ in 0..2 {
        let mut machine = NetworkMachine::new(Arc::clone(&image));
        let options = Options { algorithm: Algorithm::None, all: true, ..Options::default() };
        counts.push(explore(&mut machine, &options, &Monitor::default()).executions);
    }
    assert_eq!(counts[0], counts[1]);
}

/// What becomes of the packet, by place; and the tables at the end with the controller's turn, of
/// which the library in ABS has as many (`sdn-load-balancer.abs`).
#[test]
fn fates_and_tables_of_the_running_example() {
    for (packets, different) in [(1, 3), (2, 24)] {
        let network = compile("test.sdn", LOAD_BALANCER, &[("P".to_owned(), packets)]).expect("it is valid");
        let mut machine = NetworkMachine::new(Image::new(network, Barriers::Scoped));
        machine.keep_account(Traces::None);
        let options = Options { algorithm: Algorithm::Optimal, all: true, ..Options::default() };
        explore(&mut machine, &options, &Monitor::default());
        let ends = machine.take_ends();
        let tables = ends.states.iter().map(|state| {
            let shared = state.objects.iter().filter(|(name, _)| name != "traffic");
            shared.cloned().collect::<Vec<_>>()
        });
        assert_eq!(tables.collect::<std::collections::BTreeSet<_>>().len(), different);
        if packets == 1 {
            let fates: Vec<String> =
                ends.packets[0].outcomes.iter().map(|(kind, at, n)| format!("{kind} at {at}: {n}")).collect();
            let expected = ["delivered at r1: 3", "lost at s1: 1", "lost at s2: 2", "revisit at s1: 2"];
            assert_eq!(fates, expected);
        }
    }
}
