//! Going back: after any walk and any rewinding the state is exactly what it was, and so are digest
//! and events.

mod machine_common;

use machine_common::{Random, candidates, halts, images, machine, random_step};
use mazurka_llvm::CMachine;
use mazurka_machine::{Describe, Digest, Machine, Rerun, Run};
use mazurka_trace::{Event, ProcessId};

#[derive(PartialEq, Debug)]
struct Moment {
    snapshot: Vec<String>,
    digest: Digest,
    live: Vec<ProcessId>,
    at_local: Option<ProcessId>,
    enabled: Vec<ProcessId>,
    output: String,
}

fn moment(machine: &mut CMachine) -> Moment {
    let live: Vec<ProcessId> = machine.live().iter().collect();
    let enabled = live.iter().copied().filter(|&process| machine.is_enabled(process)).collect();
    Moment {
        snapshot: machine.snapshot(),
        digest: machine.digest(),
        at_local: machine.at_local(),
        live,
        enabled,
        output: machine.output(),
    }
}

#[test]
fn random_walks_rewind_exactly() {
    for (name, image) in images() {
        for seed in 0..20 {
            let mut random = Random(seed);
            let mut machine = machine(&image);
            let mut moments = vec![moment(&mut machine)];
            let mut event = Event::default();
            for _ in 0..100 {
                if !halts(&event) && random.below(8) > 0 && random_step(&mut machine, &mut random, &mut event) {
                    moments.push(moment(&mut machine));
                } else {
                    let steps = random.below(machine.steps() + 1);
                    machine.rewind(steps);
                    moments.truncate(steps + 1);
                    event = Event::default();
                    assert_eq!(moment(&mut machine), moments[steps], "seed {seed} of {name}");
                }
                assert_eq!(machine.steps() + 1, moments.len());
            }
        }
    }
}

#[test]
fn running_again_is_the_same_as_rewinding() {
    for (name, image) in images() {
        for seed in 0..10 {
            let (mut one, mut two) = (Random(seed), Random(seed));
            let mut rewinds = machine(&image);
            let mut reruns = Rerun::new(machine(&image));
            let (mut event, mut other) = (Event::default(), Event::default());
            for _ in 0..80 {
                two.0 = one.0;
                if halts(&event) || one.below(9) == 0 {
                    let steps = one.below(rewinds.steps() + 1);
                    rewinds.rewind(steps);
                    reruns.rewind(steps);
                    event = Event::default();
                } else {
                    two.0 = one.0;
                    let stepped = random_step(&mut rewinds, &mut one, &mut event);
                    assert_eq!(random_step(&mut reruns, &mut two, &mut other), stepped);
                    assert!(!stepped || format!("{event:?}") == format!("{other:?}"), "{name}: {event:?}\n{other:?}");
                }
                assert_eq!(rewinds.snapshot(), reruns.inner().snapshot(), "seed {seed} of {name}");
            }
        }
    }
}

/// A machine that has met threads and blocks in another order than a fresh one gives the same
/// state.
#[test]
fn numbers_do_not_matter() {
    for (name, image) in images() {
        let mut old = machine(&image);
        let mut event = Event::default();
        for seed in 0..20 {
            let mut random = Random(seed);
            while old.steps() < 60 && !halts(&event) && random_step(&mut old, &mut random, &mut event) {}
            old.restart();
            event = Event::default();
        }
        for seed in 100..110 {
            let mut fresh = machine(&image);
            let mut random = Random(seed);
            for _ in 0..60 {
                let all = candidates(&mut fresh);
                if all.is_empty() || halts(&event) {
                    break;
                }
                let process = all[random.below(all.len())];
                let wanted = fresh.process_name(process);
                let same = old.find_process(&wanted).expect("met before");
                fresh.step(process, &[], &mut event);
                old.step(same, &[], &mut event);
                assert_eq!(fresh.snapshot(), old.snapshot(), "seed {seed} of {name}");
                assert_eq!(fresh.digest(), old.digest(), "seed {seed} of {name}");
            }
            old.restart();
            event = Event::default();
        }
    }
}

#[test]
fn different_states_have_different_digests() {
    for (name, image) in images() {
        let mut seen: Vec<(Digest, Vec<String>)> = Vec::new();
        let mut random = Random(5);
        let mut machine = machine(&image);
        let mut event = Event::default();
        for _ in 0..600 {
            if halts(&event) || random.below(12) == 0 || !random_step(&mut machine, &mut random, &mut event) {
                machine.rewind(random.below(machine.steps() + 1));
                event = Event::default();
            }
            seen.push((machine.digest(), machine.snapshot()));
        }
        seen.sort();
        seen.dedup();
        let states = seen.len();
        seen.dedup_by(|one, other| one.1 == other.1);
        assert_eq!(seen.len(), states, "{name}");
        seen.dedup_by(|one, other| one.0 == other.0);
        assert_eq!(seen.len(), states, "{name}");
    }
}

/// Steps of different threads that use no location in a way that conflicts lead to the same state
/// in both orders.
#[test]
fn what_commutes_commutes() {
    let mut pairs = 0;
    for (name, image) in images() {
        for seed in 0..10 {
            let mut random = Random(seed);
            let mut machine = machine(&image);
            let (mut event, mut first, mut second) = (Event::default(), Event::default(), Event::default());
            while !halts(&event) {
                let all = candidates(&mut machine);
                for &one in &all {
                    for &other in all.iter().filter(|&&other| other > one) {
                        let steps = machine.steps();
                        machine.step(one, &[], &mut first);
                        let done = !halts(&first) && machine.is_enabled(other);
                        if done {
                            machine.step(other, &[], &mut second);
                        }
                        let (digest, snapshot) = (machine.digest(), machine.snapshot());
                        machine.rewind(steps);
                        if !done || halts(&second) || conflict(&first, &second) {
                            continue;
                        }
                        machine.step(other, &[], &mut second);
                        assert!(machine.is_enabled(one), "seed {seed} of {name}");
                        machine.step(one, &[], &mut first);
                        assert_eq!(machine.snapshot(), snapshot, "seed {seed} of {name}: {first:?} {second:?}");
                        assert_eq!(machine.digest(), digest);
                        machine.rewind(steps);
                        pairs += 1;
                    }
                }
                if !random_step(&mut machine, &mut random, &mut event) {
                    break;
                }
            }
        }
    }
    assert!(pairs == 0 || pairs > 300);
}

fn conflict(one: &Event, other: &Event) -> bool {
    one.accesses.iter().any(|access| {
        other
            .accesses
            .iter()
            .any(|theirs| access.location == theirs.location && !(access.kind.is_read() && theirs.kind.is_read()))
    }) || one.joined.contains(&other.process)
        || other.joined.contains(&one.process)
}
