//! Data choices: in local code, in steps, and where they decide whether a step can pass.

mod machine_common;

use machine_common::{accesses, all, ends, machine, process, step, step_with};
use mazurka_machine::{Machine, Run};
use mazurka_trace::{Choice, Ending};

#[test]
fn a_local_choice_is_a_local_step() {
    let mut machine = machine("int x; process p { int c = choose(1, 3); x = c; } process q { x = 9; }");
    let p = process(&machine, "p");
    assert_eq!(machine.at_local(), Some(p));
    assert!(machine.is_enabled(p));
    let event = step_with(&mut machine, "p", &[2]);
    assert!(event.is_local && event.accesses.is_empty());
    assert_eq!(event.choices, [Choice { value: 2, low: 1, high: 3 }]);
    assert_eq!(machine.at_local(), None);
    let event = step(&mut machine, "p");
    assert_eq!(accesses(&machine, &event), "x: 0 Write 2");
    machine.rewind(0);
    assert_eq!(machine.at_local(), Some(p));
}

#[test]
fn a_choice_after_a_step_is_at_a_local_step_again() {
    let mut machine = machine("int x; process p { x = 1; int c = choose(0, 1); int d = choose(c, 2); x = d; }");
    let p = process(&machine, "p");
    assert_eq!(machine.at_local(), None);
    step(&mut machine, "p");
    assert_eq!(machine.at_local(), Some(p));
    step_with(&mut machine, "p", &[1]);
    assert_eq!(machine.at_local(), Some(p));
    let event = step_with(&mut machine, "p", &[2]);
    assert_eq!(event.choices, [Choice { value: 2, low: 1, high: 2 }]);
    machine.rewind(2);
    assert_eq!(machine.at_local(), Some(p));
    machine.rewind(0);
    assert_eq!(machine.at_local(), None);
}

#[test]
fn values_out_of_range_are_the_lowest() {
    let mut machine = machine("int x; process p { x = choose(1, 3) * 10 + choose(4, 5); }");
    for (given, expected) in [(vec![], 14), (vec![3], 34), (vec![2, 5], 25), (vec![0, 5], 15), (vec![4, 9, 1], 14)] {
        let event = step_with(&mut machine, "p", &given);
        assert_eq!(event.accesses[0].after, expected);
        assert!(!event.is_local && !event.varies);
        assert_eq!(event.choices.len(), 2);
        machine.rewind(0);
    }
}

#[test]
fn every_value_is_reached() {
    let outcomes = all(
        "int x, y; process p { if (choose(0, 1) == 1) { x = choose(5, 6); } else { int c = choose(0, 2); y = c; } }",
    );
    assert_eq!(ends(&outcomes), ["x = 0, y = 0", "x = 0, y = 1", "x = 0, y = 2", "x = 5, y = 0", "x = 6, y = 0"]);
}

#[test]
fn bounds_from_globals_vary() {
    let mut machine =
        machine("int x = 2, y; process p { y = choose(0, x); y = choose(0, 2) + x; y = x > 0 ? choose(0, 1) : 0; }");
    let varies: Vec<bool> = (0..3).map(|_| step(&mut machine, "p").varies).collect();
    assert_eq!(varies, [true, false, true]);
}

#[test]
fn what_varies() {
    let source = "int x, y, a[4]; bool b; mutex m[4]; process p { int i = 1;
        x = y + 1; x = i; assert x < 3; a[i] = 0; a[x] = 0; y = a[x]; b = x == 0 && y == 0; b = i == 1 && y == 0;
        y = x == 0 ? 1 : 2; y = x == 0 ? x : 2; lock(m[i]); unlock(m[i]); lock(m[x]); unlock(m[x]);
        if (x == 0 || y == 0) { i = 1; }
        atomic { x = y; y = 2; }
        atomic { i = x; i = i % 4; a[i] = 1; }
        atomic { i = 0; while (i < 3) { a[i] = x; i = i + 1; } }
        atomic { if (x == 0) { i = 2; } }
        atomic { if (x == 0) { i = 2; } else { y = 1; } }
        atomic { assume x >= 0; y = 1; }
        atomic { y = 1; assume x >= 0; }
        atomic { if (x == 0) { i = 2; } a[i] = 1; }
        atomic { await x >= 0; y = 1; }
    }";
    let mut machine = machine(source);
    let p = process(&machine, "p");
    let mut seen = String::new();
    while machine.live().contains(p) {
        let event = step(&mut machine, "p");
        assert_eq!(event.ending, Ending::Continues, "{:?}", machine_common::faults(&machine, &event));
        seen.push(if event.varies { 'v' } else { '-' });
    }
    assert_eq!(seen, "----vvv--v--vvv-v--v v-v-".replace(' ', ""));
}
