//! Programs that implementations of these algorithms are known to get wrong.

use mazurka_testkit::{Checks, Counts, check_all_algorithms};

fn checked(source: &str) -> Counts {
    let counts =
        check_all_algorithms(source, &Checks { shuffles: (1..=10).collect(), few: u64::MAX, ..Checks::default() });
    match counts {
        Ok(Some(counts)) => counts,
        Ok(None) => panic!("too large for brute force:\n{source}"),
        Err(disagreement) => panic!("{disagreement}\n{source}"),
    }
}

/// A wakeup sequence needs all events that do not happen after the first one of the race, not only
/// those before the second one.
#[test]
fn wakeup_sequences_hold_what_is_independent() {
    checked(
        "int x, y, z;
         process p1 { x = 1; }
         process p2 { y = 1; }
         process p3 { z = 1; }
         process p4 { if (z == 1) { int t = x; } }
         process p5 { if (y == 1) { int t = x; } }",
    );
}

/// Wrong initials lose the execution in which `ok` holds.
#[test]
fn initials_are_those_of_the_whole_sequence() {
    let counts = checked(
        "int a, b, c;
         process t1 { a = 1; b = 1; }
         process t2 { c = 1; c = 2; c = 3; b = 2; }
         process t3 { bool ok = c == 2 && b == 0; assert !ok; }",
    );
    assert_eq!(counts.findings, 1, "ok must be reachable");
}

/// An atomic block that writes two variables against one that writes one of them.
#[test]
fn writes_that_overlap_in_part() {
    checked(
        "int x, y;
         process p { atomic { x = 1; y = 1; } }
         process q { y = 2; }
         process r { x = 3; }
         process s { int t = y; }",
    );
}

/// An attempt to lock that fails is no event, and hides no race.
#[test]
fn failed_attempts_to_lock() {
    checked(
        "mutex m; int x;
         process p { lock(m); x = 1; unlock(m); }
         process q { x = 2; lock(m); unlock(m); }
         process r { lock(m); int t = x; unlock(m); }",
    );
}

/// A deadlock that shows only when a lock that was never contended is taken in another order.
#[test]
fn locks_that_never_met() {
    let counts = checked(
        "mutex m, n; int x;
         process p { lock(m); lock(n); x = 1; unlock(n); unlock(m); }
         process q { lock(n); lock(m); x = 2; unlock(m); unlock(n); }",
    );
    assert_eq!((counts.traces, counts.findings), (3, 1));
}

/// A condition that becomes true and false again: the window must not be missed.
#[test]
fn a_window_in_which_a_condition_holds() {
    let counts = checked(
        "int x; bool seen;
         process p { x = 1; x = 0; }
         process q { await x == 1; seen = true; }
         finally { assert !seen; }",
    );
    assert_eq!(counts.findings, 2, "q gets through, or waits for ever");
}

/// A condition that two processes can make true, each alone.
#[test]
fn a_condition_with_two_causes() {
    checked(
        "int x, y;
         process p { x = 1; }
         process q { y = 1; x = 0; }
         process r { await x == 1 || y == 1; int t = x; }",
    );
}

/// What two processes must do together enables a third.
#[test]
fn a_condition_with_two_parts() {
    checked(
        "int x, y, z;
         process p { x = 1; z = 1; x = 0; }
         process q { y = 1; y = 0; }
         process r { await x == 1 && y == 1; assert z == 0; }",
    );
}

/// Whether a process waits depends on a data choice of its own.
#[test]
fn choices_and_conditions() {
    checked(
        "int x, y;
         process p { int c = choose(0, 1); atomic { await x == c; y = y + c; } }
         process q { x = 1; }
         process r { x = 2; y = 5; }",
    );
}

/// A read that decides which location is accessed next, within one step.
#[test]
fn accesses_that_depend_on_what_was_read() {
    checked(
        "int k, a[2];
         process p { a[k] = 1; }
         process q { k = 1; }
         process r { int t = a[1]; }
         process s { int t = a[0]; }",
    );
}

/// What ends an execution conflicts with everything, also with what has not happened yet.
#[test]
fn faults_end_everything() {
    checked(
        "int x, y, z;
         process p { x = 1 / y; }
         process q { y = 1; }
         process r { z = 1; z = 2; }",
    );
}

/// A failed assumption must not hide the executions of others.
#[test]
fn assumptions_and_races() {
    let counts = checked(
        "int x, y;
         process p { assume x == 1; y = 1; }
         process q { x = 1; x = 2; }
         process r { assert y == 0; }",
    );
    assert_eq!(counts.findings, 1);
}

/// A data choice in a step that waited first, and that decides what the step accesses.
#[test]
fn choices_and_waiting_in_one_step() {
    checked(
        "int x, y, z;
         process p { atomic { await x > 0; int c = choose(0, 1); if (c == 1) { y = y + z; } } }
         process q { x = 1; y = 5; }
         process r { z = 2; }",
    );
}

/// Creation comes before the child, and children created in either order keep their names.
#[test]
fn children_keep_their_names() {
    checked(
        "int x, y;
         process p { spawn w(1); }
         process q { spawn w(2); }
         proc w(int v) { x = v; if (v == 2) { y = x; } }",
    );
}

/// A process that cannot ever move again is no reason to stop the others.
#[test]
fn a_process_that_waits_for_ever() {
    checked("int x; process p { x = 1; await false; x = 2; } process q { x = 3; } process r { int t = x; }");
}

/// Two writes whose first observer does not tell them apart, and whose second one does. JSS 2023,
/// Section 4.3, compares only what the observers of a race write, and an observer that comes after
/// another one is none: with that check the order in which q writes last is left out, and with it
/// the failure.
#[test]
fn the_second_observer_sees_what_the_first_does_not() {
    let counts = checked(
        "int x = 0; bool p_done = false, q_done = false;
         process p { x = 1; p_done = true; }
         process q { x = 2; q_done = true; }
         process r { await p_done; await q_done; assert x < 3; assert x < 2; }",
    );
    assert_eq!(counts.findings, 1, "the second assertion can fail");
}
