//! What each statement does, and what a step is.

mod machine_common;

use machine_common::{accesses, all, enabled, ends, live, machine, process, step};
use mazurka_machine::{Describe, Machine, Run};
use mazurka_trace::{Ending, Event};

#[test]
fn a_statement_is_a_step_with_its_accesses() {
    let mut machine = machine("int x = 1, y = 2; process p { x = x + y; y = 7; }");
    let event = step(&mut machine, "p");
    assert_eq!(accesses(&machine, &event), "x: 1 Update 3, y: 2 Read 2");
    assert_eq!((event.is_local, event.can_block, event.varies), (false, false, false));
    let event = step(&mut machine, "p");
    assert_eq!(accesses(&machine, &event), "y: 2 Write 7");
    assert!(live(&machine).is_empty());
}

#[test]
fn local_statements_belong_to_the_step_before() {
    let mut machine = machine("int x; process p { int t = x; t = t + 1; t = t * 2; x = t; t = 9; }");
    assert_eq!(accesses(&machine, &Event::default()), "");
    let event = step(&mut machine, "p");
    assert_eq!(accesses(&machine, &event), "x: 0 Read 0");
    assert!(machine.snapshot()[1].ends_with("t = 2"), "{:?}", machine.snapshot());
    let event = step(&mut machine, "p");
    assert_eq!(accesses(&machine, &event), "x: 0 Write 2");
    assert_eq!(machine.steps(), 2);
    assert!(machine.snapshot()[1].starts_with("p: ended") && machine.snapshot()[1].ends_with("t = 9"));
}

#[test]
fn local_code_at_the_beginning_runs_when_the_process_starts() {
    let machine = machine("const N = 3; int x; process q[N](i) { int right = (i + 1) % N; x = right; }");
    assert_eq!(machine.at_local(), None);
    assert!(machine.snapshot()[3].ends_with("i = 2, right = 0"), "{:?}", machine.snapshot());
}

#[test]
fn local_code_that_may_fail_is_a_local_step() {
    let mut machine = machine("int x; process p { int t = 3; while (t < 5) { t = t + 1; } assert t == 4; x = 1; }");
    let p = process(&machine, "p");
    assert_eq!(machine.at_local(), Some(p));
    let event = step(&mut machine, "p");
    assert!(event.is_local && event.accesses.is_empty());
    assert_eq!(event.faults.len(), 1);
    assert_eq!(machine.at_local(), None);
    machine.rewind(0);
    assert_eq!(machine.at_local(), Some(p));
}

#[test]
fn a_failing_first_assignment_is_a_local_step() {
    let mut machine = machine("int x; process q[2](i) { int t = 6 / i; x = t; }");
    let first = process(&machine, "q[0]");
    assert_eq!(machine.at_local(), Some(first));
    let event = step(&mut machine, "q[0]");
    assert_eq!(machine.fault_text(&event.faults[0]), "division by zero");
    assert!(event.is_local && event.ending == Ending::Fails);
}

#[test]
fn a_process_without_visible_statements_still_runs() {
    let outcomes = all("process p { assert false; }");
    assert_eq!(outcomes.faults.len(), 1);
    assert!(live(&machine("process p { }")).is_empty());
    assert!(live(&machine("process p { int t = 1; }")).is_empty());
}

#[test]
fn conditions_on_globals_are_steps() {
    let mut machine = machine(
        "int x = 1, y; process p { if (x == 0) { y = 1; } else if (x == 1) { y = 2; } else { y = 3; } y = 4; }",
    );
    for expected in ["x: 1 Read 1", "x: 1 Read 1", "y: 0 Write 2", "y: 2 Write 4"] {
        let p = process(&machine, "p");
        assert!(machine.live().contains(p));
        let event = step(&mut machine, "p");
        assert_eq!(accesses(&machine, &event), expected);
    }
    assert!(live(&machine).is_empty());
}

#[test]
fn sites_are_places_of_the_source() {
    let source = "int x;\nprocess p {\n  if (x == 0) { x =\n  3; }\n  atomic go { x = 1; }\n}";
    let mut machine = machine(source);
    let p = process(&machine, "p");
    let mut seen = Vec::new();
    while machine.live().contains(p) {
        let place = machine.place(machine.pending(p));
        seen.push(format!("{}:{}:{} {}", place.file, place.line, place.column, place.text));
        step(&mut machine, "p");
    }
    assert_eq!(
        seen,
        ["test.mzk:3:3 if (x == 0)", "test.mzk:3:17 x = 3", "test.mzk:5:3 atomic go"].map(str::to_owned).to_vec()
    );
}

#[test]
fn loops_on_globals_step_at_each_round() {
    let mut machine = machine("int x; process p { while (x < 2) { x = x + 1; } }");
    let mut steps = 0;
    while machine.live().contains(process(&machine, "p")) {
        step(&mut machine, "p");
        steps += 1;
    }
    assert_eq!(steps, 5);
}

#[test]
fn an_atomic_block_is_one_step() {
    let source = "int x = 5, a[3]; process p { int i = 0;
        atomic { while (i < 3) { a[i] = x; i = i + 1; } if (x > 3) { x = a[2] - 1; } } }";
    let mut machine = machine(source);
    let event = step(&mut machine, "p");
    assert_eq!(accesses(&machine, &event), "x: 5 Update 4, a[0]: 0 Write 5, a[1]: 0 Write 5, a[2]: 0 Write 5");
    assert!(event.varies && live(&machine).is_empty());
}

#[test]
fn a_local_atomic_block_is_local() {
    let mut machine = machine("int x; process p { x = 1; int t = 0; atomic { t = 1; t = 2; } x = t; }");
    step(&mut machine, "p");
    let event = step(&mut machine, "p");
    assert_eq!(accesses(&machine, &event), "x: 1 Write 2");
}

#[test]
fn mutexes_exclude() {
    let mut machine =
        machine("mutex m; int x; process p { lock(m); x = 1; unlock(m); } process q { lock(m); unlock(m); }");
    let (p, q) = (process(&machine, "p"), process(&machine, "q"));
    let event = step(&mut machine, "p");
    assert_eq!(accesses(&machine, &event), "m: free Acquire p");
    assert!(event.can_block);
    assert!(!enabled(&mut machine, "q"));
    assert_eq!(machine.holder(q), Some(p));
    let mut event = Event::default();
    machine.disabled_step(q, &mut event);
    assert_eq!(accesses(&machine, &event), "m: p Acquire p");
    assert!(event.can_block && event.process == q);
    step(&mut machine, "p");
    let event = step(&mut machine, "p");
    assert_eq!(accesses(&machine, &event), "m: p Release free");
    assert!(enabled(&mut machine, "q"));
    assert_eq!(machine.holder(q), None);
}

#[test]
fn mutexes_in_arrays() {
    let source = "const N = 3; mutex f[N]; int meals;
        process phil[N](i) { lock(f[i]); lock(f[(i + 1) % N]); meals = meals + 1; unlock(f[(i + 1) % N]); unlock(f[i]); }";
    let mut machine = machine(source);
    for name in ["phil[0]", "phil[1]", "phil[2]"] {
        let event = step(&mut machine, name);
        assert!(!event.varies);
    }
    let outcome: Vec<bool> = ["phil[0]", "phil[1]", "phil[2]"].map(|name| enabled(&mut machine, name)).to_vec();
    assert_eq!(outcome, [false; 3]);
    let (first, second) = (process(&machine, "phil[0]"), process(&machine, "phil[1]"));
    assert_eq!(machine.holder(first), Some(second));
    let mut event = Event::default();
    machine.disabled_step(first, &mut event);
    assert_eq!(accesses(&machine, &event), "f[1]: phil[1] Acquire phil[1]");
}

#[test]
fn locking_twice_blocks_for_ever() {
    let mut machine = machine("mutex m; process p { lock(m); lock(m); }");
    step(&mut machine, "p");
    let p = process(&machine, "p");
    assert!(!enabled(&mut machine, "p"));
    assert_eq!(machine.holder(p), Some(p));
}

#[test]
fn awaits_wait() {
    let mut machine =
        machine("bool ready; int x; process p { await ready && x > 0; } process q { ready = true; x = 1; }");
    let p = process(&machine, "p");
    assert!(!enabled(&mut machine, "p"));
    let mut event = Event::default();
    machine.disabled_step(p, &mut event);
    assert_eq!(accesses(&machine, &event), "ready: false Read false");
    assert!(event.can_block && event.varies);
    step(&mut machine, "q");
    machine.disabled_step(p, &mut event);
    assert_eq!(accesses(&machine, &event), "ready: true Read true, x: 0 Read 0");
    assert_eq!(machine.holder(p), None);
    step(&mut machine, "q");
    assert!(enabled(&mut machine, "p"));
    let event = step(&mut machine, "p");
    assert_eq!(accesses(&machine, &event), "ready: true Read true, x: 1 Read 1");
}

#[test]
fn a_local_await_passes_or_never_does() {
    let mut machine = machine("int x; process q[2](i) { x = 1; await i == 0; x = 2; }");
    step(&mut machine, "q[0]");
    step(&mut machine, "q[1]");
    assert!(enabled(&mut machine, "q[0]") && !enabled(&mut machine, "q[1]"));
    let stuck = process(&machine, "q[1]");
    let place = machine.place(machine.pending(stuck));
    assert_eq!(place.text, "await i == 0");
    let mut event = Event::default();
    machine.disabled_step(stuck, &mut event);
    assert!(event.accesses.is_empty() && event.can_block);
    assert_eq!(machine.holder(stuck), None);
}

#[test]
fn an_atomic_block_that_waits_runs_as_a_whole_or_not_at_all() {
    let source = "mutex m, n; int x, y; process p { atomic { x = y + 1; lock(m); lock(n); unlock(m); unlock(n); } }
        process q { lock(n); y = 5; unlock(n); }";
    let mut machine = machine(source);
    assert!(enabled(&mut machine, "p"));
    step(&mut machine, "q");
    let before = machine.snapshot();
    let (p, q) = (process(&machine, "p"), process(&machine, "q"));
    assert!(!enabled(&mut machine, "p"));
    assert_eq!(machine.holder(p), Some(q));
    let mut event = Event::default();
    machine.disabled_step(p, &mut event);
    assert_eq!(accesses(&machine, &event), "y: 0 Read 0, m: free Acquire free, n: q Acquire q");
    assert_eq!(machine.snapshot(), before);
    step(&mut machine, "q");
    step(&mut machine, "q");
    let event = step(&mut machine, "p");
    assert_eq!(accesses(&machine, &event), "y: 5 Read 5, x: 0 Write 6, m: free Cycle free, n: free Cycle free");
    assert!(event.can_block);
}

#[test]
fn an_assumption_discards() {
    let outcomes = all("int x, y; process p { assume x == 1; y = 1; } process q { x = 1; }");
    assert_eq!(ends(&outcomes), ["discarded: x = 1, y = 0", "x = 1, y = 1"]);
    let mut machine = machine("int x; process p { assume x == 1; x = 2; } process q { x = 3; }");
    let event = step(&mut machine, "p");
    assert_eq!(event.ending, Ending::Discards);
    assert_eq!(live(&machine), ["q"]);
    let event = step(&mut machine, "q");
    assert_eq!(accesses(&machine, &event), "x: 0 Write 3");
}

#[test]
fn assertions_do_not_end_the_execution() {
    let mut machine = machine("int x; process p { atomic { assert x == 1; x = 1; assert x == 0; } x = 2; }");
    let event = step(&mut machine, "p");
    assert_eq!(
        machine_common::faults(&machine, &event),
        ["1:29: p: assertion failed: x == 1", "1:51: p: assertion failed: x == 0"]
    );
    assert_eq!(event.ending, Ending::Continues);
    assert_eq!(live(&machine), ["p"]);
}

#[test]
fn spawned_processes_have_names_and_arguments() {
    let source = "int x; process p { int t = 2; spawn worker(t, 1); spawn worker(7, 10); }
        process q[2](i) { if (i == 1) { spawn worker(0, 100); } }
        proc worker(int v, int w) { atomic { if (v > 0) { spawn worker(v - 1, w); } x = x + w; } }";
    let mut machine = machine(source);
    let event = step(&mut machine, "p");
    assert_eq!(machine.process_name(event.spawned[0]), "worker@p.1");
    assert!(event.accesses.is_empty());
    step(&mut machine, "p");
    assert_eq!(live(&machine), ["q[0]", "q[1]", "worker@p.1", "worker@p.2"]);
    let event = step(&mut machine, "worker@p.1");
    assert_eq!(accesses(&machine, &event), "x: 0 Update 1");
    step(&mut machine, "worker@p.1.1");
    step(&mut machine, "worker@p.1.1.1");
    assert_eq!(live(&machine), ["q[0]", "q[1]", "worker@p.2"]);
    let at_local = machine.at_local().expect("the condition is local");
    assert_eq!(machine.process_name(at_local), "q[0]");
    machine.step(at_local, &[], &mut Event::default());
    step(&mut machine, "q[1]");
    step(&mut machine, "q[1]");
    assert!(machine.find_process("worker@q[1].1").is_some());
}

#[test]
fn process_numbers_are_for_life() {
    let source = "int x; process p { spawn w(1); } process q { spawn w(2); } proc w(int v) { x = v; }";
    let mut machine = machine(source);
    step(&mut machine, "p");
    step(&mut machine, "q");
    let (of_p, of_q) = (process(&machine, "w@p.1"), process(&machine, "w@q.1"));
    machine.restart();
    step(&mut machine, "q");
    step(&mut machine, "p");
    assert_eq!((process(&machine, "w@p.1"), process(&machine, "w@q.1")), (of_p, of_q));
}

#[test]
fn another_execution_may_spawn_another_body() {
    let source = "int x, y; process p { if (x == 1) { spawn one(); } else { spawn two(5); } }
        process q { x = 1; } proc one() { y = 1; } proc two(int v) { int w = v; y = w; }";
    assert_eq!(ends(&all(source)), ["x = 1, y = 1", "x = 1, y = 5"]);
}

#[test]
fn finally_runs_as_a_process_of_its_own() {
    let mut machine =
        machine("int x; process p { x = 1; } finally { int t = x; assert t == 2; x = 9; assert x == 9; }");
    step(&mut machine, "p");
    let before = machine.snapshot();
    let mut event = Event::default();
    assert!(machine.conclude(&mut event));
    assert_eq!(machine.process_name(event.process), "finally");
    assert_eq!(accesses(&machine, &event), "x: 1 Update 9");
    assert_eq!(event.faults.len(), 1);
    assert!(live(&machine).is_empty());
    assert_eq!(machine.steps(), 2);
    machine.rewind(1);
    assert_eq!(machine.snapshot(), before);
    assert!(live(&machine).is_empty());
    assert!(!machine_common::machine("process p { }").conclude(&mut event));
}

#[test]
fn interleavings_of_two_increments() {
    let outcomes = all("int x; process p[2](i) { int t = x; x = t + 1; }");
    assert_eq!(outcomes.executions, 6);
    assert_eq!(ends(&outcomes), ["x = 1", "x = 2"]);
}

#[test]
fn deadlocks_end_executions() {
    let outcomes = all("mutex a, b; process p { lock(a); lock(b); unlock(b); unlock(a); }
        process q { lock(b); lock(a); unlock(a); unlock(b); }");
    assert_eq!(ends(&outcomes), ["a = free, b = free", "deadlock: a = p, b = q"]);
    assert!(outcomes.faults.is_empty());
}

#[test]
fn operators_compute() {
    let source = "int r[12]; bool b[8]; process p { int s = 7; int t = 0 - 2; atomic {
        r[0] = s + t; r[1] = s - t; r[2] = s * t; r[3] = s / t; r[4] = s % t; r[5] = t % s; r[6] = -s;
        r[7] = s > t ? s : t; r[8] = s - (t - (s - t)); r[9] = r[0] + r[1] * r[2]; r[10] = r[s - 7]; r[11] = 1 - 2 - 3;
        b[0] = s == 7; b[1] = s != 7; b[2] = s < t; b[3] = s <= 7; b[4] = s > t && t < 0; b[5] = s >= 8 || !(t == 0);
        b[6] = b[0] == b[3]; b[7] = s == 8 ? true : b[1] || b[2];
    } }";
    let mut machine = machine(source);
    step(&mut machine, "p");
    let values: Vec<String> =
        machine.snapshot().iter().map(|line| line.rsplit(" = ").next().unwrap_or("").to_owned()).collect();
    assert_eq!(values[..12].join(" "), "5 9 -14 -3 1 -2 -7 7 18 -121 5 -4");
    assert_eq!(values[12..20].join(" "), "true false false true true true true false");
}

#[test]
fn a_long_chain_is_no_deep_program() {
    for (operator, last) in [("+", "100001"), ("- 2 +", "-99999")] {
        let chain = format!("{operator} 1 ").repeat(100_000);
        let mut machine = machine(&format!("int x = 1, y; process p {{ y = x {chain}; }}"));
        step(&mut machine, "p");
        assert_eq!(machine.snapshot()[1], format!("y = {last}"));
    }
    let chain = "&& x == 1 ".repeat(100_000);
    let mut machine = machine(&format!("int x = 1; bool y; process p {{ y = x == 1 {chain}; }}"));
    step(&mut machine, "p");
    assert_eq!(machine.snapshot()[1], "y = true");
}

#[test]
fn asking_what_an_enabled_process_waits_for_changes_nothing() {
    let mut machine =
        machine("mutex m; int x; process p { lock(m); unlock(m); } process q { await x == 0; int t = 1; }");
    let before = machine.snapshot();
    for name in ["p", "q"] {
        let process = process(&machine, name);
        machine.disabled_step(process, &mut Event::default());
        assert_eq!(machine.holder(process), None);
    }
    assert_eq!(machine.snapshot(), before);
    step(&mut machine, "p");
    machine.rewind(0);
    assert_eq!(machine.snapshot(), before);
}

#[test]
fn machines_can_be_sent_to_threads() {
    fn check<T: Send + Clone>() {}
    check::<mazurka_process::ProcessMachine>();
}
