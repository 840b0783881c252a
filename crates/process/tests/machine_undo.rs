//! Going back: after any walk and any rewinding the state is exactly what it was, and so are digest
//! and events.

mod machine_common;

use machine_common::machine;
use mazurka_machine::{Digest, Machine, Rerun, Run};
use mazurka_process::ProcessMachine;
use mazurka_trace::{Ending, Event, ProcessId};

const PROGRAMS: [&str; 4] = [
    "int x, y, a[3]; mutex m, f[3]; bool go;
     process p { lock(m); x = x + 1; int c = choose(0, 2); a[c] = x; unlock(m); go = true; spawn w(c, 1); }
     process q[3](i) { int r = (i + 1) % 3; lock(f[i]); lock(f[r]); y = y * 2 + i; unlock(f[r]); unlock(f[i]); }
     process s { await go; atomic { await y != 1; if (x > 0) { y = choose(4, 5); } } assume y != 3; spawn w(3, 0); x = 9; }
     proc w(int v, int k) { int t = v * 2; while (t > 0 && x < 9) { t = t - 1; } assert x == v; if (k > 0) { spawn w(v, k - 1); } }
     finally { int t = x; x = t + 1; assert x == 3; }",
    "int x; process p { spawn a(1); spawn b(); spawn a(2); } process q { spawn b(); x = 1; if (x == 2) { spawn a(3); } else { spawn b(); } }
     proc a(int v) { x = v; if (x == 3) { spawn b(); } } proc b() { int c = choose(1, 3); x = c; int d = 1; d = 6 / (x - 1); }",
    "mutex m; int x; process p[3](i) { int c = choose(0, 1); atomic { await c == x || i == 0; lock(m); x = 1 - x; }
     while (x < 1) { x = x + 1; } unlock(m); int t = 0; while (t < i) { t = t + 1; } assert x != t; }",
    "int a[4] = {0, 1, 2, 3}, n; process p[2](i) { while (n < 4) { atomic { a[n % 4] = a[(n + i) % 4] + 1; n = n + 1; } }
     await i == 0; assert a[i] < 4; }",
];

/// A small generator of random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

fn candidates(machine: &mut impl Machine) -> Vec<ProcessId> {
    if let Some(at_local) = machine.at_local() {
        return vec![at_local];
    }
    let live: Vec<ProcessId> = machine.live().iter().collect();
    live.into_iter().filter(|&process| machine.is_enabled(process)).collect()
}

/// One step of a walk: who, or the conclusion; with its random choices.
fn random_step(machine: &mut impl Machine, random: &mut Random, event: &mut Event) -> bool {
    let candidates = candidates(machine);
    if candidates.is_empty() {
        return machine.live().is_empty() && machine.conclude(event);
    }
    let process = candidates[random.below(candidates.len())];
    let choices: Vec<i64> = (0..3).map(|_| random.below(6) as i64).collect();
    machine.step(process, &choices, event);
    true
}

fn words(event: &Event) -> String {
    format!("{event:?}")
}

#[derive(PartialEq, Debug)]
struct Moment {
    snapshot: Vec<String>,
    digest: Digest,
    live: Vec<ProcessId>,
    at_local: Option<ProcessId>,
    enabled: Vec<ProcessId>,
}

fn moment(machine: &mut ProcessMachine) -> Moment {
    let live: Vec<ProcessId> = machine.live().iter().collect();
    let enabled = live.iter().copied().filter(|&process| machine.is_enabled(process)).collect();
    Moment { snapshot: machine.snapshot(), digest: machine.digest(), at_local: machine.at_local(), live, enabled }
}

fn walk(source: &str, seed: u64) {
    let mut random = Random(seed);
    let mut machine = machine(source);
    let mut moments = vec![moment(&mut machine)];
    let mut event = Event::default();
    for _ in 0..60 {
        if event.ending != Ending::Halts && random.below(5) > 0 && random_step(&mut machine, &mut random, &mut event) {
            moments.push(moment(&mut machine));
        } else {
            let steps = random.below(machine.steps() + 1);
            machine.rewind(steps);
            moments.truncate(steps + 1);
            event = Event::default();
            assert_eq!(moment(&mut machine), moments[steps], "seed {seed} of {source}");
        }
        assert_eq!(machine.steps() + 1, moments.len());
        let since = random.below(moments.len());
        let mut changed = machine.effects_since(since);
        changed.combine(moments[since].digest);
        assert_eq!(changed, machine.digest(), "seed {seed} of {source}");
    }
}

#[test]
fn random_walks_rewind_exactly() {
    for source in PROGRAMS {
        for seed in 0..150 {
            walk(source, seed);
        }
    }
}

#[test]
fn running_again_is_the_same_as_rewinding() {
    for source in PROGRAMS {
        for seed in 0..60 {
            let (mut one, mut two) = (Random(seed), Random(seed));
            let mut rewinds = machine(source);
            let mut reruns = Rerun::new(machine(source));
            let (mut event, mut other) = (Event::default(), Event::default());
            for _ in 0..60 {
                if event.ending == Ending::Halts || one.below(6) == 0 {
                    two.0 = one.0;
                    let steps = one.below(rewinds.steps() + 1);
                    two.below(1);
                    rewinds.rewind(steps);
                    reruns.rewind(steps);
                    event = Event::default();
                } else {
                    two.0 = one.0;
                    let stepped = random_step(&mut rewinds, &mut one, &mut event);
                    assert_eq!(random_step(&mut reruns, &mut two, &mut other), stepped);
                    assert!(!stepped || words(&event) == words(&other), "{event:?}\n{other:?}");
                }
                assert_eq!(rewinds.snapshot(), reruns.inner().snapshot());
            }
        }
    }
}

/// A step pauses where its buffer has no room; it does the same.
#[test]
fn a_buffer_without_memory_gets_the_same() {
    for source in PROGRAMS {
        for seed in 0..60 {
            let (mut one, mut two) = (Random(seed), Random(seed));
            let (mut flows, mut pauses) = (machine(source), machine(source));
            let mut event = Event::default();
            event.accesses.reserve(8);
            for _ in 0..60 {
                let mut other = Event::default();
                two.0 = one.0;
                let stepped = random_step(&mut flows, &mut one, &mut event);
                assert_eq!(random_step(&mut pauses, &mut two, &mut other), stepped);
                assert!(!stepped || words(&event) == words(&other), "{event:?}\n{other:?}");
                assert_eq!(flows.snapshot(), pauses.snapshot());
                if !stepped || event.ending == Ending::Halts || one.below(6) == 0 {
                    let steps = one.below(flows.steps() + 1);
                    flows.rewind(steps);
                    pauses.rewind(steps);
                    assert_eq!(flows.snapshot(), pauses.snapshot());
                }
            }
        }
    }
}

#[test]
fn the_digest_does_not_depend_on_numbers() {
    let source =
        "int x; mutex m; process p { spawn w(1); } process q { spawn w(2); } proc w(int v) { lock(m); unlock(m); }";
    let states = [["p", "q"], ["q", "p"]].map(|order| {
        let mut machine = machine(source);
        for name in order {
            machine_common::step(&mut machine, name);
        }
        machine_common::step(&mut machine, "w@q.1");
        (machine.digest(), machine.snapshot(), machine)
    });
    assert_eq!(states[0].0, states[1].0);
    assert_eq!(states[0].1, states[1].1);
    assert!(states[0].2.state_eq(&states[1].2));
    let mut other = states[0].2.clone();
    machine_common::step(&mut other, "w@q.1");
    machine_common::step(&mut other, "w@p.1");
    assert_ne!(other.digest(), states[0].0);
}

#[test]
fn different_states_have_different_digests() {
    for source in PROGRAMS {
        let mut seen: Vec<(Digest, Vec<String>)> = Vec::new();
        let mut random = Random(5);
        let mut machine = machine(source);
        let mut event = Event::default();
        for _ in 0..600 {
            let halted = event.ending == Ending::Halts;
            if halted || random.below(8) == 0 || !random_step(&mut machine, &mut random, &mut event) {
                machine.rewind(random.below(machine.steps() + 1));
                event = Event::default();
            }
            seen.push((machine.digest(), machine.snapshot()));
        }
        seen.sort();
        seen.dedup();
        let states = seen.len();
        seen.dedup_by(|one, other| one.1 == other.1);
        assert_eq!(seen.len(), states);
        seen.dedup_by(|one, other| one.0 == other.0);
        assert_eq!(seen.len(), states);
    }
}
