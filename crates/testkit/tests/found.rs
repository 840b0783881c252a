//! Programs, made small, that once showed a mistake. Each test is named after it. (That a race looked at only once loses
//! traces shows only in larger programs: `lastzero-seven` and `qpor-mpc-three` of the corpus.)

use mazurka_testkit::{Checks, check_all_algorithms};

fn checked(source: &str) {
    let checks = Checks { shuffles: (1..=10).collect(), few: u64::MAX, ..Checks::default() };
    match check_all_algorithms(source, &checks) {
        Ok(counts) => assert!(counts.is_some(), "too large for brute force:\n{source}"),
        Err(disagreement) => panic!("{disagreement}\n{source}"),
    }
}

/// `optimal` took a sequence to be covered by one variant of a data choice that was asleep.
#[test]
fn one_variant_asleep_does_not_cover_the_others() {
    checked(
        "int y = 1; bool b = false;
         process p1 { int t0 = choose(0, ((y > 0) ? 1 : 0)); }
         process p2[2](i) { int t0 = choose(0, 1); b = false; }",
    );
    checked(
        "int x;
         process p { atomic { int c = choose(0, 2); if (x == 0 && c > 0) { x = c; } } }
         process q { int t = x; }",
    );
    checked(
        "int y;
         process p0 { atomic { int t0 = choose(0, 1); assert ((((1 + t0) <= 1) ? 0 : y) == 0); } }
         process p2 { y = 0; }",
    );
}

/// `optimal` inserted a sequence below all variants of a data choice, past a branch between them that it begins with.
#[test]
fn a_sequence_is_divided_at_each_variant() {
    checked(
        "int x, y;
         process p0 { y = 0; }
         process p1 { atomic { x = 0; int t0 = y; } }
         process p2 { x = choose(0, 1); }
         process p3 { y = 0; }",
    );
}

/// `dpor` added the second event's process where it was enabled, though others had to go first; sleep sets then cut the
/// exploration that would have found that out.
#[test]
fn dpor_adds_an_initial() {
    checked(
        "int x, y;
         process p0[2](i) { int t0 = 0; t0 = y; x = 0; }
         process p2 { y = 0; }",
    );
}

/// The end of an execution by a process that ends with a mutex was not reversed with what came before.
#[test]
fn an_end_is_dependent_with_everything() {
    checked("int x; mutex m; process p2 { lock(m); } process p3 { if (x < 0) { } }");
    checked("int x, y, z; process p { x = 1 / y; } process q { y = 1; } process r { z = 1; z = 2; }");
}

/// Internal steps were taken to race with the end of an execution.
#[test]
fn internal_steps_never_race() {
    checked("int y, z; process p0 { z = (0 % y); } process p1 { int t0 = choose(0, 0); }");
    checked("int x; process p1 { int t1 = choose(1, 0); } process p2 { x = 0; }");
    checked("int x; mutex m; process p0 { lock(m); x = 0; int t1 = choose(0, 0); } process p1 { assert (x == 0); }");
}

/// A step that reads less after one event than before it was reversed without the events that it then depends on.
#[test]
fn a_step_that_varies_is_tried_with_what_it_was_not_ordered_with() {
    checked(
        "int x; bool b;
         process p0 { b = false; }
         process p1 { x = 1; }
         process p2 { if ((x != 0) || b) { } }
         process p3 { int t0 = x; if (b) { } }",
    );
    checked(
        "int y, z;
         process p0[2](i) { int t0 = ((y <= 0) ? z : 0); y = 1; }
         process p2 { z = 0; }",
    );
}

/// A step that fails before it comes to its choice makes no choice.
#[test]
fn a_fault_before_a_choice() {
    checked("int x = 1; process p0 { atomic { x = (0 / x); x = choose(0, 0); } } process p2 { x = 0; }");
    checked(
        "int x, y;
         process p0 { atomic { y = choose(0, 1); y = (0 / y); } x = 0; x = 0; }
         process p1[2](i) { int t0 = x; assume (x >= 0); }",
    );
}

/// A block that takes a mutex twice never runs; it was taken for a plain lock.
#[test]
fn an_atomic_block_with_locks_is_no_lock() {
    checked(
        "int y; mutex m;
         process p0 { lock(m); unlock(m); }
         process p1 { y = 0; if (y >= 1) { } else { atomic { lock(m); lock(m); } } }",
    );
}

/// Without one more event a waiting step could run, but did not read what that event had changed: nothing to reverse.
#[test]
fn a_wait_that_could_have_run_all_along() {
    checked("int y = 2, z; process p0 { z = 0; y = 0; y = 0; } process p1 { await ((y > 0) || (z == 1)); }");
}

/// Neither of two events alone keeps a step waiting, only one without the other.
#[test]
fn a_wait_that_needs_two_events_gone() {
    checked("int x, y; process p { x = 1; } process q { y = 1; } process r { await x == y; }");
    checked("int x, y; process p { x = 1; } process q { y = 1; } process r { atomic { await x == y; x = 2; } }");
}
