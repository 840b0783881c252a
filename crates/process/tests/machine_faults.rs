//! What goes wrong, in words and with its place.

mod machine_common;

use machine_common::{all, faults, machine, process, step};
use mazurka_machine::{Machine, Run};
use mazurka_trace::{AccessKind, Ending};

/// Steps `p` until something goes wrong and gives its words.
fn fault_of(source: &str) -> String {
    let mut machine = machine(source);
    loop {
        let before = machine.snapshot();
        let event = step(&mut machine, "p");
        if let Some(fault) = faults(&machine, &event).pop() {
            assert_eq!(event.ending, Ending::Halts);
            assert!(event.accesses.iter().any(|access| access.kind == AccessKind::Halt));
            machine.rewind(machine.steps() - 1);
            assert_eq!(machine.snapshot(), before);
            return fault;
        }
    }
}

#[test]
fn bounds() {
    assert_eq!(
        fault_of("int a[3], i = 5; process p { a[0] = a[i]; }"),
        "1:37: p: index 5 is out of bounds for `a`, which has 3 cells"
    );
    assert_eq!(
        fault_of("int a[3]; process p { int i = 0 - 1; a[i] = 4; }"),
        "1:38: p: index -1 is out of bounds for `a`, which has 3 cells"
    );
    assert_eq!(
        fault_of("int a[1], i = 3; process p { a[i - 2] = 4; }"),
        "1:30: p: index 1 is out of bounds for `a`, which has 1 cell"
    );
    assert_eq!(
        fault_of("int x = 2; mutex m[2]; process p { lock(m[x]); }"),
        "1:36: p: index 2 is out of bounds for `m`, which has 2 mutexes"
    );
    assert_eq!(
        fault_of("int x = 2; mutex m[2]; process p { int i = 3; int t = x; unlock(m[i]); }"),
        "1:58: p: index 3 is out of bounds for `m`, which has 2 mutexes"
    );
}

#[test]
fn arithmetic() {
    assert_eq!(fault_of("int x; process p { x = 1 / x; }"), "1:24: p: division by zero");
    assert_eq!(fault_of("int x; process p { x = 1 + 5 % x; }"), "1:28: p: division by zero");
    assert_eq!(
        fault_of("int x = 9223372036854775807; process p { x = x + 1; }"),
        "1:46: p: integer overflow: 9223372036854775807 + 1"
    );
    assert_eq!(
        fault_of("int x = 4611686018427387904; process p { x = 1 - (x - (0 - x) * 2); }"),
        "1:50: p: integer overflow: 4611686018427387904 - -9223372036854775808"
    );
    let smallest = "int x = 9223372036854775807; process p { x = 0 - x - 1;";
    assert_eq!(fault_of(&format!("{smallest} x = -x; }}")), "1:61: p: integer overflow: -(-9223372036854775808)");
    assert_eq!(
        fault_of(&format!("{smallest} int t = 0 - 1; x = x / t; }}")),
        "1:76: p: integer overflow: -9223372036854775808 / -1"
    );
}

#[test]
fn locks() {
    assert_eq!(fault_of("mutex m; process p { unlock(m); }"), "1:22: p: unlock of `m`, which is free");
    let mut machine =
        machine("mutex m[2]; process q[2](i) { int j = 1; lock(m[j]); unlock(m[j]); } process p { unlock(m[1]); }");
    step(&mut machine, "q[1]");
    let event = step(&mut machine, "p");
    assert_eq!(faults(&machine, &event), ["1:82: p: unlock of `m[1]`, which is held by q[1]"]);
    assert_eq!(fault_of("mutex m; process p { lock(m); }"), "1:18: p: the process ends while it holds `m`");
}

#[test]
fn a_mutex_kept_at_the_end_is_the_last_steps_fault() {
    let outcomes = all("mutex m; int x; process p { lock(m); x = 1; } process q { x = 2; }");
    assert_eq!(outcomes.faults.len(), 1);
    assert!(
        outcomes
            .ends
            .iter()
            .all(|end| end.starts_with("halted: m = p, x = 1") || end.starts_with("halted: x = 1, m = p"))
    );
}

#[test]
fn empty_choices() {
    assert_eq!(
        fault_of("int x = 3; process p { x = choose(x, 1); }"),
        "1:28: p: choose(3, 1) has no value to choose from"
    );
}

#[test]
fn endless_local_loops_run_out_of_fuel() {
    let mut machine = machine("int x; process p { x = 1; while (true) { } }");
    machine.set_fuel(1000);
    let before = machine.snapshot();
    let event = step(&mut machine, "p");
    assert_eq!(event.ending, Ending::OutOfFuel);
    assert!(event.faults.is_empty());
    assert_eq!(
        event.accesses.iter().map(|access| access.kind).collect::<Vec<_>>(),
        [AccessKind::Write, AccessKind::Halt]
    );
    machine.rewind(0);
    assert_eq!(machine.snapshot(), before);
}

#[test]
fn a_fault_within_an_expression_leaves_nothing_behind() {
    let mut machine = machine("int x; process p { x = 1 + (2 + (3 / x)); } process q { x = 1; x = 2; }");
    let p = process(&machine, "p");
    assert!(machine.live().contains(p));
    let event = step(&mut machine, "p");
    assert_eq!(event.ending, Ending::Halts);
    machine.rewind(0);
    step(&mut machine, "q");
    step(&mut machine, "q");
    step(&mut machine, "p");
    assert_eq!(machine.snapshot()[0], "x = 4");
}

#[test]
fn a_fault_in_a_guard_is_for_the_step() {
    let mut machine = machine("int x; process p { await 1 / x == 1; } process q { atomic { await x / x == 1; } }");
    let event = step(&mut machine, "p");
    assert_eq!(faults(&machine, &event), ["1:26: p: division by zero"]);
    machine.rewind(0);
    let event = step(&mut machine, "q");
    assert_eq!(faults(&machine, &event), ["1:67: q: division by zero"]);
}

#[test]
fn endless_spawning_runs_out_of_fuel() {
    let mut machine = machine("int x; process p { atomic { while (true) { spawn w(); } } } proc w() { x = 1; }");
    machine.set_fuel(200_000);
    let event = step(&mut machine, "p");
    assert_eq!(event.ending, Ending::OutOfFuel);
    assert!(event.spawned.len() > 1000 && event.spawned.len() < 4000);
    machine.rewind(0);
    assert_eq!(machine.live().len(), 1);
}

#[test]
fn a_program_without_locations_can_fail() {
    use mazurka_machine::Describe;
    let mut machine = machine("proc q() { } process p { int z = 0; spawn q(); z = 1 / z; }");
    let event = step(&mut machine, "p");
    assert_eq!(faults(&machine, &event), ["1:52: p: division by zero"]);
    assert_eq!(machine.location_name(event.accesses[0].location), "nothing");
}
