//! Fixed tables: where all packets go, against one packet after the other.

use mazurka_sdn::compile;
use mazurka_sdn::statics::Found;

fn look(source: &str) -> Found {
    compile("test.sdn", source, &[]).unwrap_or_else(|problems| panic!("{problems:?}")).look_at_tables()
}

const HEAD: &str = "header { dst: host; kind: { ssh, web, mail }; }
switch s1, s2, s3;
host a at s1:0, b at s2:0, c at s3:0;
link s1:1 - s2:1, s2:2 - s3:1;
";

#[test]
fn packets_reach_whom_tables_say() {
    let found = look(&format!("{HEAD}miss drop; routes 1: dst; check {{ }}"));
    assert!(found.is_good(), "{found:?}");
    assert_eq!(found.reach.len(), 9);
    let from_a = &found.reach[&("a".to_owned(), "c".to_owned())];
    assert_eq!(*from_a, ["dst = c"]);
}

#[test]
fn priorities_divide_sets() {
    let tables = "miss drop; routes 1: dst; table s2 { 5: kind = ssh -> drop; 3: kind = mail, in_port = 1 -> out 0; }";
    let found = look(&format!("{HEAD}{tables} check {{ never deliver(p) at c when p.kind == ssh; }}"));
    // From c itself, ssh comes to c without s2.
    assert_eq!(found.violations.len(), 1, "{found:?}");
    assert!(found.violations[0].ends_with("dst = c from c comes to c"), "{found:?}");
    let reach = |from: &str, to: &str| found.reach[&(from.to_owned(), to.to_owned())].clone();
    assert_eq!(reach("a", "c"), ["dst = c, kind = web"]);
    assert_eq!(reach("a", "b"), ["dst = c, kind = mail", "dst = b, kind = mail", "dst = b, kind = web"]);
}

#[test]
fn loops_black_holes_and_rules_are_told() {
    let tables = "miss drop;
table s1 { 2: dst = b -> out 1; 1: dst = c -> out 7; 1: kind = ssh -> drop; }
table s2 { 2: dst = b -> out 1; 1: dst = b, kind = web -> drop; }";
    let found = look(&format!("{HEAD}{tables} check {{ }}"));
    // By the same port again: the first time, packets came from a host.
    assert_eq!(found.loops, ["dst = b from a: s1 -> s2 -> s1 -> s2", "dst = b from b: s2 -> s1 -> s2 -> s1"]);
    assert_eq!(found.blackholes, ["dst = c from a: s1 has nothing behind port 7"]);
    assert_eq!(found.overlaps, ["s1: `1: dst = c -> out 7` and s1: `1: kind = ssh -> drop`"]);
    assert_eq!(found.shadowed, ["s2: `1: dst = b, kind = web -> drop`"]);
    assert_eq!(found.unused, found.shadowed);
    assert!(!found.is_good());
}

/// All pairs of a large tree of switches.
#[test]
fn a_fat_tree_is_looked_at() {
    let found = look("header { dst: host; } topology fat_tree(4); miss drop; routes 1: dst; check { hops <= 5; }");
    assert!(found.is_good(), "{found:?}");
    assert_eq!(found.reach.len(), 16 * 16);
}
