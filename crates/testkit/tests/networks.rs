//! The flat machine for networks and the library in ABS: two implementations, the same counts.

use std::collections::BTreeSet;
use std::sync::Arc;

use mazurka_actor::{ActorMachine, Dependence, Options as AbsOptions, Source, compile};
use mazurka_explore::{Algorithm, Monitor, Options, explore};
use mazurka_machine::{Describe, Machine, Traces};
use mazurka_sdn::{Barriers, NetworkMachine};
use mazurka_testkit::network::load_network;

const ABS: &str = include_str!("../../../corpus/violation/abs/sdn-load-balancer.abs");
const ABS_BARRIERS: &str = include_str!("../../../corpus/verified/abs/sdn-load-balancer-barriers.abs");
const FLAT: &str = include_str!("../../../corpus/violation/sdn/load-balancer.sdn");

/// Executions, how many fail, and the different final states: fields and values.
type Explored = (u64, BTreeSet<Vec<(String, Vec<(String, String)>)>>);

fn explored(machine: &mut (impl Machine + Describe), algorithm: Algorithm) -> Explored {
    let options = Options { algorithm, all: true, ..Options::default() };
    let outcome = explore(machine, &options, &Monitor::default());
    assert!(outcome.limits.is_empty());
    let states = machine.take_ends().states.into_iter().map(|state| state.objects);
    (outcome.executions, states.collect())
}

fn actors(source: &str, senders: i64, dependence: Dependence, algorithm: Algorithm) -> Explored {
    let defines = vec![("senders".to_owned(), senders)];
    let options = AbsOptions { dependence, defines, ..AbsOptions::default() };
    let image = compile(&[Source { name: "test.abs", text: source }], &options).expect("it is valid");
    let mut machine = ActorMachine::new(Arc::new(image));
    machine.keep_account(Traces::None);
    explored(&mut machine, algorithm)
}

fn flat(packets: i64, algorithm: Algorithm) -> Explored {
    let defines = [("P".to_owned(), packets)];
    let image = load_network("test.sdn", FLAT, &defines, Barriers::Scoped).expect("it is valid");
    let mut machine = NetworkMachine::new(image);
    machine.keep_account(Traces::None);
    explored(&mut machine, algorithm)
}

/// How many different tables, with the controller's turn, there are at the end.
fn tables(found: &Explored) -> usize {
    let without_packets = found.1.iter().map(|objects| {
        let shared = objects.iter().filter(|(name, _)| name != "traffic");
        shared.cloned().collect::<Vec<_>>()
    });
    without_packets.collect::<BTreeSet<_>>().len()
}

/// The paper's 8 executions by field and by entry, 10 by object; 296 classes for two packets, with
/// 92 different final states, as many as the paper has executions.
#[test]
fn the_load_balancer_in_abs() {
    for (dependence, classes) in [(Dependence::Object, 10), (Dependence::Field, 8), (Dependence::Entry, 8)] {
        let (executions, states) = actors(ABS, 1, dependence, Algorithm::Optimal);
        assert_eq!((executions, states.len()), (classes, 6), "{dependence:?}");
    }
    let (executions, states) = actors(ABS, 2, Dependence::Entry, Algorithm::Optimal);
    assert_eq!((executions, states.len()), (296, 92));
    for algorithm in [Algorithm::OptimalCs, Algorithm::OptimalCsObservers] {
        let (executions, states) = actors(ABS, 2, Dependence::Entry, algorithm);
        assert!(executions <= 248 && states.len() == 92, "{algorithm}: {executions}, {}", states.len());
    }
}

/// Awaiting futures one after the other tells orders apart that do not matter: 2 and 56 classes,
/// where barriers that are causes have one.
#[test]
fn barriers_by_futures() {
    assert_eq!(actors(ABS_BARRIERS, 1, Dependence::Entry, Algorithm::Optimal).0, 2);
    assert_eq!(actors(ABS_BARRIERS, 2, Dependence::Entry, Algorithm::Optimal).0, 56);
}

/// Whether a field is one that the flat machine has, too.
fn is_shared(name: &str) -> bool {
    name == "next" || name == "table"
}

/// Both machines have the same executions, and the same tables at the end.
#[test]
fn both_machines_agree() {
    for packets in [1, 2] {
        let (one, other) =
            (actors(ABS, packets, Dependence::Entry, Algorithm::Optimal), flat(packets, Algorithm::Optimal));
        assert_eq!(one.0, other.0);
        let of_actors = one.1.iter().map(|objects| {
            let fields = objects.iter().flat_map(|(_, fields)| fields.iter().filter(|field| is_shared(&field.0)));
            fields.cloned().collect::<Vec<_>>()
        });
        assert_eq!(of_actors.collect::<BTreeSet<_>>().len(), tables(&other), "{packets}");
    }
}
