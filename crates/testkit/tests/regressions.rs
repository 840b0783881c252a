//! Programs on which an engine once disagreed with brute force, made small by the shrinker. Each is
//! named after what was wrong; the numbers are those of the seeds that found them.

use mazurka_testkit::{Checks, check_all_algorithms};

macro_rules! regressions {
    ($($(#[$doc:meta])* $name:ident: $source:literal,)*) => {
        $(
            $(#[$doc])*
            #[test]
            fn $name() {
                check($source);
            }
        )*
    };
}

fn check(source: &str) {
    let checks = Checks { shuffles: (1..=12).collect(), few: u64::MAX, ..Checks::default() };
    match check_all_algorithms(source, &checks) {
        Ok(counts) => assert!(counts.is_some(), "too large for brute force:\n{source}"),
        Err(disagreement) => panic!("{disagreement}\n{source}"),
    }
}

regressions! {
    /// Seed 30.
    choices_with_bounds_from_globals: "
        int y = 1; bool b = false;
        process p1 { int t0 = choose(0, y > 0 ? 1 : 0); }
        process p2[2](i) { int t0 = choose(0, 1); b = false; }",
    /// Seed 36.
    a_race_behind_a_local_declaration: "
        int x = 0, y = 0;
        process p0[2](i) { int t0 = 0; t0 = y; x = 0; }
        process p2 { y = 0; }",
    /// Seed 63.
    independent_races_multiply: "
        int x = 0, y = 0;
        process p0 { y = 0; }
        process p1 { int t0 = y; int t1 = x; }
        process p2 { int t0 = x; }
        process p3 { x = 0; }",
    /// Seed 67.
    short_circuit_behind_a_wait: "
        int x = 0, y = 0, z = 0, a[2] = 0;
        process p0 { int t0 = x; z = 0 > y ? 0 : 0; }
        process p1 { await a[0] >= 0; int t0 = y; x = 0; }
        process p2 { y = 0; }",
    /// Seed 84.
    choices_between_races: "
        int x = 0, y = 0;
        process p0 { int t2 = choose(0, 1); y = 0; int t3 = choose(0, 1); t2 = y; y = 0; }
        process p1[2](i) { x = 0; }",
    /// Seed 125.
    a_mutex_held_at_the_end_of_a_process: "
        int x = 0; mutex m;
        process p2 { lock(m); }
        process p3 { if (x < 0) { } }",
    /// Seed 141.
    a_local_choice_does_not_race_with_a_fault: "
        int y = 0, z = 0;
        process p0 { z = 0 % y; }
        process p1 { int t0 = choose(0, 0); }",
    /// Seed 144.
    short_circuit_reads: "
        int x = 0; bool b = false;
        process p0 { b = false; }
        process p1 { x = 1; }
        process p2 { if (x != 0 || b) { if (b) { } } }
        process p3 { int t0 = x; if (b) { } }",
    /// Seed 453.
    conditional_reads: "
        int y = 0, z = 0;
        process p0[2](i) { int t0 = y <= 0 ? z : 0; y = 1; }
        process p2 { z = 0; }",
    /// Seed 728.
    a_fault_before_the_choice_of_its_step: "
        int x = 1;
        process p0 { atomic { x = 0 / x; x = choose(0, 0); } }
        process p2 { x = 0; }",
    /// Seed 777.
    a_choice_that_decides_what_is_read: "
        int y = 0;
        process p0 { int t0; atomic { t0 = choose(0, 1); assert (1 + t0 <= 1 ? 0 : y) == 0; } }
        process p2 { y = 0; }",
    /// Seed 870.
    an_empty_choice_behind_a_wait: "
        int x = 0; mutex m[2];
        process p0 { x = 1; }
        process p1 { await x >= 1; int t1 = choose(1, 0); }
        process p2 { lock(m[0]); unlock(m[0]); }",
    /// Seed 1068.
    an_empty_choice_at_the_beginning: "
        int x = 0;
        process p0 { int t0 = choose(1, 0); }
        process p1 { int t0 = x; }",
    /// Seed 3108.
    a_choice_that_decides_which_cell_is_read: "
        int a[2] = 0;
        process p1[2](i) { int t1; a[0] = 0; atomic { t1 = choose(0, 1); if (a[t1 == 0 ? 1 : 0] == 0) { } } }",
    /// Seed 3293.
    a_step_that_can_never_be_taken: "
        int y = 0; mutex m;
        process p0 { lock(m); }
        process p1 { atomic { lock(m); lock(m); } }",
    /// Seed 3372.
    an_overflow_that_depends_on_a_race: "
        int x = 0, y = 0, a[2] = 0;
        process p0 { x = 1; }
        process p1 { a[0] = 0; }
        process p2 { y = x + 9223372036854775807; }",
    /// Seed 4549.
    a_choice_in_a_race_with_an_atomic_block: "
        int x = 0, y = 0;
        process p0 { y = 0; }
        process p1 { int t0; atomic { x = 0; t0 = y; } }
        process p2 { x = choose(0, 1); }
        process p3 { y = 0; }",
    /// Seed 5213.
    a_condition_that_holds_in_two_ways: "
        int y = 2, z = 0;
        process p0 { z = 0; y = 0; y = 0; }
        process p1 { await y > 0 || z == 1; }",
    /// Seed 6235.
    a_fault_that_depends_on_the_choice_of_its_step: "
        int x = 0, y = 0;
        process p0 { atomic { y = choose(0, 1); y = 0 / y; } x = 0; x = 0; }
        process p1[2](i) { int t0 = x; assume x >= 0; }",
    /// Seed 12217.
    a_choice_that_decides_whether_there_is_a_race: "
        int k = 0;
        process p1 { k = 0; }
        process p2 { int t0; int t1; atomic { t0 = choose(0, 1); if (t0 <= 0) { t1 = k; } } }",
    /// Seed 22641.
    a_choice_that_decides_which_cell_is_written: "
        int x = 0, a[2] = 0;
        process p1 { atomic { x = choose(0, 1); a[x] = 0; } }
        process p3 { a[1] = 0; a[0] = 0; }",
    /// Seed 4549.
    a_sequence_between_two_variants_of_a_step: "
        int x, y;
        process p0 { y = 0; }
        process p1 { int t0; atomic { x = 0; t0 = y; } }
        process p2 { x = choose(0, 1); }
        process p3 { y = 0; }",
    /// Seed 5213.
    a_wait_that_could_have_run_all_along: "
        int y = 2, z;
        process p0 { z = 0; y = 0; y = 0; }
        process p1 { await y > 0 || z == 1; }",
    /// Neither of two events alone lets it run, only both or none.
    a_wait_that_needs_two_events_gone: "
        int x, y;
        process p { x = 1; }
        process q { y = 1; }
        process r { await x == y; }",
    /// The same in a block that goes on.
    a_block_that_needs_two_events_gone: "
        int x, y;
        process p { x = 1; }
        process q { y = 1; }
        process r { atomic { await x == y; x = 2; } }",
    /// Seed 162285.
    a_mutex_held_at_the_end_of_a_local_step: "
        int x; mutex m;
        process p0 { lock(m); x = 0; int t1 = choose(0, 0); }
        process p1 { assert x == 0; }",
    /// Seed 23763, optimal.
    a_choice_of_cells_against_two_processes: "
        int x = 0, a[2] = 0;
        process p0 { int t0; atomic { t0 = choose(0, 1); a[t0 == 1 ? 1 : 0] = 0; } }
        process p1 { x = 0; a[1] = 0; }
        process p2 { int t0 = a[x == 0 ? 0 : 0]; x = 0; }",
    /// Seed 23763, source sets.
    a_choice_of_cells_and_a_choice_between: "
        int x = 0, a[2] = 0;
        process p0 { int t0; atomic { t0 = choose(0, 1); a[t0 == 1 ? 1 : 0] = 0; } }
        process p1 { x = 0; int t1 = choose(0, 1); a[x == 0 ? 1 : 0] = 0; }
        process p2 { int t0 = a[x == 0 ? 0 : 0]; x = 0; }",
    /// Seed 83: the wakeup tree requested a forbidden step only, and the node was left.
    forbidden_steps_only: "
        int x = 0, a[2] = 0;
        process p0[2](i) { int t0; if (x <= 0) { t0 = x; x = a[0]; } }
        process p2 { x = 0; a[0] = 1; }",
    /// Seed 85: a sequence was taken to be covered by a forbidden step that commutes with it.
    covered_by_a_forbidden_step: "
        int y = 0;
        process p0 { y = 1; int t0 = y; }
        process p1 { y = 0; }
        process p2 { int t2; y = y; if (y == 1) { t2 = y; } }",
    /// Seed 85, another one.
    what_comes_before_a_forbidden_step: "
        int x = 0, y = 0;
        process p0 { y = 1; }
        process p1 { int t0 = x; y = 0; }
        process p2 { y = y; x = 1; }",
    /// Seed 1608: a sequence was taken to be covered by an explored step that commutes with it,
    /// although not all of that was explored.
    covered_by_what_was_cut: "
        int x = 2, y = 0;
        process p0 { assert 0 > y; int t0 = x; }
        process p1 { y = 0; int t0 = x; }
        process p2 { x = 0; x = 0; y = 1; }",
    /// Seed 3896: a wakeup sequence began with a forbidden step that it did not need.
    a_needless_forbidden_step: "
        int x = -1; bool b = true; mutex m;
        process p0 { assert b; }
        process p1 { b = true; if (x >= 0) { unlock(m); } }
        process p2 { x = 0; }",
    /// Seed 71: a variant of a step was forbidden, and the others were not explored.
    a_forbidden_variant: "
        int x = 0, y = 1;
        process p0 { int t0 = y; }
        process p1 { int t0 = x; y = choose(0, 1); }",
    /// Seed 50109: variants of a step that is not explored to its end.
    variants_of_what_was_cut: "
        int a[2] = 0, k = 0;
        process p1 { int t2; atomic { k = choose(0, 1); t2 = choose(1, 2); a[t2 == 1 ? 1 : 0] = 1; } }
        process p2 { int t0 = a[1]; }",
    /// Seed 123: a step that ends the execution reads what decides about that.
    an_end_that_observes: "
        int x = 0;
        process p0 { x = 0; }
        process p1 { x = 1; int t0 = 0 / x; }
        finally { assert x != 0; }",
    /// Seed 171: two executions that differ only in a write that nobody observes.
    a_write_that_is_overwritten: "
        int x = 0, y = 0;
        process p0 { x = y; x = 0; }
        process p1 { x = 0; y = 0; }
        process p2 { int t0 = x; }",
    /// Seed 5007677: what the finally block reads depends on what it has read.
    a_finale_that_varies: "
        int x = 0, y = 0;
        proc w0(int v0) { x = 0; y = v0; }
        process p0 { spawn w0(0); }
        process p1 { spawn w0(1); }
        finally { assert y != 0 && x == 0; }",
    /// Seed 8002239: an observer that varies sees something new although it reads the same write.
    an_observer_that_varies: "
        int x = 0, a[2] = 0, k = 0;
        mutex m[2];
        process p0 { lock(m[0]); x = 0; assert 0 != k; }
        process p1 { a[x == 1 ? 1 : 0] = 1; }
        process p2 { x = 1; int t1 = a[0]; }",
    /// Seed 187377, with constraints.
    steps_that_use_something_else_in_the_other_order: "
        int x = 0, a[2] = 0; mutex m;
        process p0 { int t1 = x; x = x + 9223372036854775807; }
        process p1 { a[0] = 2; x = 1; }
        process p2 { if (a[0] == 2 && x < 2) { unlock(m); } }",
    /// Seed 9001944.
    an_explored_step_whose_node_leaves_something_out: "
        int x = 2; int y = 0;
        process p0 { x = 2; }
        process p1 { int t0 = y; t0 = x; }
        process p2 { x = 0; int t0 = x; }
        process p3 { int t0 = x; }",
    /// Seed 9001644.
    what_comes_first_does_not_commute: "
        int x = 0, y = 0, a[2] = 0;
        process p0 { a[0] = 0; x = 0; y = 2; a[y] = 0; y = (a[0] + 9223372036854775807); }
        process p1 { a[((x == 0) ? 0 : 0)] = 1; y = 1; }",
    /// Seed 20007987.
    explored_with_choices: "
        int z = 0; int a[2] = 0;
        process p0 { int t0 = a[1]; }
        process p1 { int t0 = ((z > 0) ? 0 : 0); int t1 = a[0]; }
        process p2 { a[0] = 1; a[1] = choose(0, 1); }",
    /// Seed 20016744.
    explored_with_asserts: "
        int x = 0; int z = 2; int a[2] = 0; int k = 0;
        process p0 { a[k] = 1; assert (a[0] == 0); z = 0; }
        process p1 { int t0 = x; int t1 = z; x = 1; }
        process p2 { x = 0; k = choose(0, 1); }",
    /// Seed 9015783.
    who_would_have_observed_a_cut: "
        int x = 0; int a[2] = 0;
        process p0 { a[1] = 1; x = (0 / a[1]); x = (0 / x); }
        process p1 { if ((0 <= x)) { a[1] = 0; } }
        process p2 { x = 1; }",
    /// Seed 9019223.
    assumed_away_as_far_as_observed: "
        int y = 0;
        process p0 { atomic { assert false; y = 0; } }
        process p1 { y = 0; assume false; }",
    /// Seed 9025964.
    local_steps_of_shared_sequences: "
        int x = 0; int y = 0;
        process p0 { x = 0; }
        process p1 { y = choose(0, 1); x = (y + 9223372036854775807); }
        process p2 { y = 0; int t0 = choose(0, 0); }
        process p3 { y = 1; }",
    /// Seed 22003943.
    what_a_race_does_not_need_is_not_forbidden: "
        int x = 0; int a[2] = 0; int k = 0;
        proc w0(int v0, int v1) { v0 = x; k = k; }
        process p0 { spawn w0(0, 0); x = choose(0, 1); a[k] = 1; }
        process p1 { k = 1; }",
    /// Seed 21004522.
    local_steps_come_first: "
        int x = 0; int y = 2; bool b = false; int a[2] = 0;
        process p0 { y = 1; }
        process p1 { b = true; x = a[y]; }
        process p2 { y = (2 / y); int t1 = y; }
        process p3 { assert b; int t0 = choose(0, 0); }",
    /// Seed 21021657.
    local_steps_before_a_fault: "
        int x = 0; int y = 0;
        process p0 { x = 0; }
        process p1 { int t0; if (!((x < 1))) { } else { t0 = choose(0, 0); assert (y != 0); } }
        process p2 { x = (0 % x); }
        process p3 { y = 0; }",
    /// Seed 21042077.
    local_steps_of_the_created: "
        int x = 0;
        proc w0(int v0) { if (false) { } }
        process p0 { int t0; atomic { t0 = choose(0, 1); spawn w0(0); } }
        process p1 { x = choose(0, 1); }",
    /// Seed 21044011.
    who_waits_where_the_rest_is_forbidden: "
        int x = 1; int y = 0;
        process p0 { int t1; y = 0; atomic { t1 = y; x = 1; y = 1; } }
        process p1 { y = 1; }
        process p2 { assert (x != 0); atomic { x = 0; await (y == 1); } }",
    /// Seed 21112279.
    local_steps_and_assumptions: "
        int x = 0; int y = 0;
        process p0 { int t0 = choose(0, 1); x = (0 % x); }
        process p1 { assume (y != 1); int t0 = choose(0, 0); x = 2; }
        process p2 { if (!((x > 0))) { x = 2; } else { assume (y != 0); } }
        process p3 { y = 0; }",
    /// Seed 24018990.
    choices_and_faults_of_watched_steps: "
        int x = 0;
        process p0[2](i) { int t0; atomic { t0 = choose(0, 1); x = (0 / t0); } int t1 = choose(0, 1); }",
    /// Seed 24028901.
    a_fault_after_somebody_else_in_place_of_a_watched_step: "
        int x = 0; int y = 0;
        process p0[2](i) { int t0; atomic { y = choose(0, 1); t0 = (0 / y); } }
        process p2 { await (x <= 0); }",
    /// Seed 24029044.
    a_cut_whose_sequence_begins_with_what_was_run_in_vain: "
        int x = 0; int a[2] = 0;
        process p0 { x = 0; }
        process p1 { int t0 = (0 / a[0]); a[0] = 0; }
        process p2 { assume (x >= 0); a[0] = 1; a[0] = 0; }",
    /// Seed 24046350.
    a_cut_before_an_index_out_of_bounds: "
        int x = 0; bool b = true; int a[2] = 0;
        process p0 { assert b; }
        process p1 { x = a[a[0]]; a[1] = 0; }
        process p2 { b = true; x = choose(x, 1); a[((x == 0) ? 1 : 0)] = (-1); }",
    /// Seed 30001962.
    another_choice_that_only_writes: "
        int x = 0;
        process p0 { int t0; int t2;
            atomic { t0 = choose(0, 1); if (t0 != 0) { x = 0; } else { t2 = x; } }
            x = choose(0, 1);
            if (x > 0) { }
        }
        process p2 { x = 0; }",
    /// Seed 31047278.
    a_forbidden_step_beside_one_that_was_asked_for: "
        int x = -1; mutex n;
        proc w0() { int t0; if (!(x < 0)) { x = choose(0, 0); t0 = x; } else { x = 2; x = 1; } }
        process p0 { spawn w0(); lock(n); x = x; spawn w0(); unlock(n); x = 1; }",
    /// Seed 31069095.
    what_could_have_been_observed_before_a_cut: "
        int x = 0, y = 0;
        process p0 { x = 0; y = 0; y = (0 / x); }
        process p1 { int t1 = y; x = 1; x = 0; }",
    /// Seed 60001757.
    an_end_of_the_execution_by_a_process_that_went_another_way: "
        int x = 0;
        process p0 { x = 0; }
        process p1[2](i) { int t0 = choose(0, 1); atomic { x = choose(0, 1); x = (0 / x); } x = 0; }",
    /// Seed 35010186.
    how_far_others_had_come_before_a_fault: "
        int x = 0, y = 0;
        process p0 { x = 0; y = 0; }
        process p1 { x = 1; y = 0; }
        process p2 { x = 0; }
        process p3 { int t0 = (0 / x); }",
    /// Seed 35019200.
    a_fault_behind_equal_writes: "
        int x = 0, y = 0;
        process p0 { x = 0; y = 0; }
        process p1 { y = 0; int t0 = (0 / y); }
        process p2 { y = 1; }",
    /// Seed 53001482, in some orders of picking.
    an_observer_that_reads_more_in_the_other_order: "
        int x = 0, y = 0;
        process p0 { x = 0; y = 0; }
        process p1[2](i) { x = 1; y = 0; if (((x != 0) && (0 >= y))) { } }",
    /// Seed 53084626.
    a_write_between_two_of_another_process: "
        int x = 0, y = 0;
        process p0 { int t0; y = 0; atomic { t0 = y; x = 0; } }
        process p1 { int t0; y = 1; x = 1; atomic { y = 0; t0 = x; } }",
    /// Seed 85023025: without `--all`, r was only explored after the assumption had failed.
    a_failure_beside_a_failed_assumption: "
        int x = 0;
        process p { x = 1; }
        process q { assume x >= 1; }
        process r { int t = 0 / x; }",
    /// Seed 41025510: a race whose reversal is covered must not be compared.
    a_race_whose_reversal_is_covered: "
        int x = 1, k = 0;
        process p0[2](i) { int t0 = k; t0 = x; x = t0; }
        process p2 { k = 0; x = 0; }",
    /// Seed 20003371: a variant of a step that others depend on must not be requested without them.
    a_variant_that_depends_on_what_the_other_does_not: "
        int x = -1;
        process p1 { int t1 = 0; t1 = x; }
        process p2 { int t1; atomic { t1 = choose(0, 1); assume (t1 < 1); x = 0; } }",
    /// Seed 50032920, in some orders of picking: what is to be explored can turn out to be
    /// redundant, and then has to be requested in the order that is explored instead.
    what_turns_out_to_be_in_vain_later: "
        int x = 0, y = 0, z = 0;
        process p0 { z = 0; }
        process p1 { x = 0; int t1 = 0; int t2 = choose(0, 1); t1 = x; }
        process p2 { int t0 = z; if (z == 0) { } }
        process p3 { x = 1; await y >= 0; }",
    /// Seed 60038961: the same, where a local choice has to come at once.
    what_turns_out_to_be_in_vain_beside_a_choice: "
        int x = 1, a[2] = 0, k = 0;
        process p0 { a[x] = 0; }
        process p1 { assert (0 > x); x = (0 % k); }
        process p2 { x = 1; int t1 = choose(0, 0); x = 0; }",
    /// Seed 60070869: what is requested in its shortest form can be covered by what counts on it.
    two_steps_that_cover_each_other: "
        int x = 0, y = 0; bool b = false;
        process p0 { y = 1; }
        process p1 { if (y >= 2) { } else { x = 0; } }
        process p2 { b = (y == 0); }
        process p3 { int t0 = y; x = 1; }",
    /// Seed 20087599: who is forbidden and conflicts only with what the second event is before the
    /// first one must not stand in the way of a reversal.
    a_reversal_that_a_forbidden_step_stands_in_the_way_of: "
        int x = 0, a[2] = 0, k = 0;
        process p0 { a[0] = 2; k = 0; a[((x == 0) ? 1 : 0)] = 0; }
        process p1 { int t0 = 0; x = 0; atomic { t0 = x; a[0] = 2; } }
        process p2 { if ((a[0] > 0)) { await (a[0] != 0); } }
        process p3 { x = 1; int t0 = x; x = 0; }",
    /// Seed 20092440: the same.
    a_forbidden_step_that_a_reversal_does_not_need: "
        int x = 0, y = 0;
        process p0 { int t0 = 0; t0 = x; }
        process p1 { x = 0; y = 1; }
        process p2 { int t0 = x; atomic { if ((y == 0)) { x = 1; } } }",
    /// Seed 60019223: the second event is forbidden there, and who conflicts with it only then
    /// comes first.
    who_conflicts_with_a_forbidden_step_comes_first: "
        int x = 0, a[2] = 0;
        proc w0(int v0) { x = 0; v0 = a[1]; }
        process p0 { x = 1; }
        process p1 { spawn w0(0); }
        process p2 { a[((x == 0) ? 1 : 0)] = 1; }",
    /// Seed 60030746: the same, with a choice.
    who_conflicts_with_a_forbidden_choice_comes_first: "
        int x = 1, a[2] = 0;
        process p0 {
          atomic {
            assume (x < 1);
            int c1 = 0;
            while ((c1 < 2)) { x = choose(0, 1); c1 = (c1 + 1); }
          }
          atomic { int t2 = x; }
          a[0] = 1;
        }
        process p1 { a[((x == 1) ? 1 : 0)] = 0; }
        process p2 { x = 0; x = 1; x = 1; }",
}
