//! Networks of the corpus as actors: the flat machine and the exported program agree.

use std::path::Path;

use mazurka_explore::Algorithm;
use mazurka_sdn::{Barriers, compile};
use mazurka_testkit::corpus;
use mazurka_testkit::network::{compare_with_actors, explore_exported, explore_flat};

fn networks() -> Vec<(String, String)> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let files = corpus::files(&corpus).expect("the corpus is there");
    let networks = files.into_iter().filter(|file| corpus::is_network(file));
    networks
        .map(|file| {
            let text = std::fs::read_to_string(&file).expect("it can be read");
            (file.display().to_string(), text)
        })
        .collect()
}

/// Every network of the corpus that can be exported: the same executions and the same ends of
/// packets, each as often, where there are no barriers; no others where there are some.
#[test]
fn both_ways_agree_on_the_corpus() {
    let mut compared = 0;
    for (file, text) in networks() {
        let network = compile("test.sdn", &text, &[]).expect("it is valid");
        match compare_with_actors(&network, 2_000) {
            Ok(was_compared) => compared += usize::from(was_compared),
            Err(difference) => panic!("{file}: {difference}"),
        }
    }
    assert!(compared >= 8, "{compared}");
}

/// The load balancer, with two packets: 296 executions in both ways, and each end of a packet in
/// as many of them.
#[test]
fn the_load_balancer_both_ways() {
    let text = include_str!("../../../corpus/violation/sdn/load-balancer.sdn");
    for (packets, executions) in [(1, 8), (2, 296)] {
        let network = compile("test.sdn", text, &[("P".to_owned(), packets)]).expect("it is valid");
        let actors = explore_exported(&network, Algorithm::Optimal, 1_000).expect("it is valid").expect("it is small");
        let flat = explore_flat(network, Barriers::Scoped, Algorithm::Optimal, 1_000).expect("it is small");
        assert_eq!((actors.executions, flat.executions), (executions, executions));
        assert_eq!(actors.fates, flat.fates);
    }
}
