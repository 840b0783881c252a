//! Bad input: all mistakes at once, each at its place, and nothing panics.

use mazurka_sdn::compile;

/// A network in which nothing is wrong, around what is put into it.
fn network(declarations: &str, handler: &str, traffic: &str, check: &str) -> String {
    format!(
        "const N = 2;
header {{ src: host; dst: host; kind: {{ ssh, http }}; tag: 0..3; }}
switch s1, s2;
host a at s1:0, b at s2:0;
link s1:1 - s2:1;
{declarations}
controller {{
  host next = a;
  map<host, int> seen;
  on packet_in(s, port, p) {{ {handler} packet_out(s, p); }}
}}
traffic {{ send a {{ dst = b, kind = ssh, tag = 0 }}; {traffic} }}
check {{ no_loop; {check} }}
"
    )
}

fn messages(source: &str) -> Vec<String> {
    match compile("test.sdn", source, &[]) {
        Ok(_) => Vec::new(),
        Err(problems) => problems.into_iter().map(|problem| problem.message).collect(),
    }
}

#[test]
fn a_good_network_is_accepted() {
    assert_eq!(messages(&network("", "", "", "")), Vec::<String>::new());
}

#[test]
fn each_mistake_is_named() {
    for (declarations, handler, traffic, check, message) in [
        ("link s1:1 - s2:2;", "", "", "", "port 1 of `s1` is used twice"),
        ("link s1:2 - s1:3;", "", "", "", "this links a switch to itself"),
        ("link s1:2 - s3:3;", "", "", "", "there is no `s3`"),
        ("host c at s9;", "", "", "", "there is no `s9`"),
        ("host a at s1;", "", "", "", "`a` is declared twice"),
        ("switch t[0 - 1];", "", "", "", "-1 is no number of things"),
        ("controller { }", "", "", "", "there are two controllers"),
        ("table s1 { 1: dst = a -> drop; 1: dst = a -> flood; }", "", "", "", "this rule is there twice"),
        ("table s1 { 1: tos = 3 -> drop; }", "", "", "", "there is no field `tos` in `header`"),
        ("table s1 { 1: tag = 4 -> drop; }", "", "", "", "4 is out of range"),
        ("", "install(s, 1, { color = 1 }, drop);", "", "", "there is no field `color` in `header`"),
        ("", "install(port, 1, { }, drop);", "", "", "this is a number"),
        ("", "next = s;", "", "", "this is a switch"),
        ("", "x = 1;", "", "", "there is no `x`"),
        ("", "seen = 1;", "", "", "`seen` has 1 keys, not 0"),
        ("", "int k = p.sorc == a ? 1 : 2;", "", "", "there is no field `sorc` in `header`"),
        ("", "int k = turn(1);", "", "", "there is no function `turn`"),
        ("", "int k = any + 1;", "", "", "`any` cannot stand here"),
        ("", "packet_out(s, q);", "", "", "there is no `q`"),
        ("", "", "send s1 { dst = a, kind = ssh, tag = 0 };", "", "switches do not send by themselves"),
        ("", "", "send a { dst = b, kind = ssh };", "", "the packet has no `tag`"),
        ("", "", "send a { dst = b, kind = ssh, tag = 9 };", "", "9 is out of range"),
        ("", "", "send a { dst = b, kind = ssh, tag = 0 } times 0 - 3;", "", "there is no such number of packets"),
        ("", "", "", "no_lop;", "there is no property `no_lop`"),
        ("", "", "", "never deliver(p) at c;", "there is no `c`"),
        ("", "", "", "balanced(a, 1);", "there is nothing to balance"),
        ("const M = N / 0;", "", "", "", "this constant has no value"),
        ("const M = next;", "", "", "", "there is no `next`"),
        ("topology fat_tree(3);", "", "", "", "there is no `fat_tree(3)`"),
        ("topology ring(2);", "", "", "", "there is no `ring(2)`"),
        ("topology tree(2);", "", "", "", "there is no `tree(2)`"),
        ("topology star(2);", "", "", "", "there is no topology `star`"),
        ("topology linear(2); topology ring(3);", "", "", "", "there are two topologies"),
        ("routes 1: kind;", "", "", "", "there is no field `kind` that names a host"),
        (
            "header { u: 0..9223372036854775806; v: 0..9223372036854775806; w: 0..9223372036854775806; x: 0..9223372036854775806; y: 0..15; }",
            "",
            "",
            "",
            "the header has 261 bits",
        ),
        ("header { x: int; }", "", "", "", "`x` has too many values"),
    ] {
        let found = messages(&network(declarations, handler, traffic, check));
        assert!(found.iter().any(|one| one == message), "{message}: {found:?}");
    }
}

#[test]
fn mistakes_come_all_at_once_with_places() {
    let source = network("link s1:1 - s2:2;", "x = 1;", "", "no_lop;");
    let problems = compile("test.sdn", &source, &[]).expect_err("it is wrong");
    assert!(problems.iter().all(|problem| problem.span.is_some() && problem.file == "test.sdn"), "{problems:?}");
    // What cannot be read comes first; names are looked at where all can be read.
    let readable = network("link s1:1 - s2:2;", "x = 1;", "", "");
    let problems = compile("test.sdn", &readable, &[]).expect_err("it is wrong");
    assert!(problems.len() >= 2, "{problems:?}");
}

fn warnings(source: &str) -> Vec<String> {
    compile("test.sdn", source, &[]).unwrap_or_else(|problems| panic!("{problems:?}")).warnings().to_vec()
}

/// What is strange and no error is said.
#[test]
fn warnings_are_given() {
    assert_eq!(warnings(&network("", "", "", "")), Vec::<String>::new());
    let island = "switch s3; host c at s3;";
    for (declarations, handler, expected) in [
        (island, "", "no path leads from a to c"),
        ("", "barrier(s);", "waits for nothing: nothing was sent before"),
        ("switch s3; link s1:7 - s3:1, s2:7 - s3:2;", "packet_out(s, p, flood);", "links make a circle"),
        ("table s1 { 1: * -> out 9; }", "", "`s1` has no port 9"),
    ] {
        let found = warnings(&network(declarations, handler, "", ""));
        assert!(found.iter().any(|one| one.contains(expected)), "{expected}: {found:?}");
    }
    let silent = network("", "", "", "").replace("packet_out(s, p);", "");
    assert!(warnings(&silent).iter().any(|one| one.contains("never answers")));
    // A loop comes back to its barrier.
    let looped = "for (w in switches) { barrier(w); install(w, 1, { dst = b }, drop); }";
    assert_eq!(warnings(&network("", looped, "", "")), Vec::<String>::new());
    let nobody = network("", "", "", "").replace("send a { dst = b, kind = ssh, tag = 0 };", "");
    assert_eq!(warnings(&nobody), ["no packet is sent: nothing can happen"]);
}

#[test]
fn constants_are_defined_by_name() {
    let problems = compile("test.sdn", &network("", "", "", ""), &[("M".to_owned(), 3)]).expect_err("there is no M");
    assert_eq!(problems[0].message, "there is no constant `M` to give another value");
}

/// Damaged networks are refused or accepted, and nothing else happens.
#[test]
fn nothing_panics() {
    let good = include_str!("../../../corpus/verified/sdn/learning.sdn");
    let tokens: Vec<&str> = good.split_inclusive(|c: char| c.is_whitespace() || ";{}()[]".contains(c)).collect();
    let mut seed = 7u64;
    let mut next = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    for _ in 0..3_000 {
        let mut damaged = tokens.clone();
        for _ in 0..1 + next(3) {
            let at = next(damaged.len());
            match next(3) {
                0 => drop(damaged.remove(at)),
                1 => damaged[at] = tokens[next(tokens.len())],
                _ => damaged.insert(at, tokens[next(tokens.len())]),
            }
        }
        let _ = compile("damaged.sdn", &damaged.concat(), &[]);
    }
}

#[test]
fn nesting_is_limited() {
    let deep = format!("int k = {}1{};", "(".repeat(100_000), ")".repeat(100_000));
    let long = format!("int k = 1{};", " + 1".repeat(100_000));
    let blocks = format!("{}{}", "if (true) {".repeat(100_000), "}".repeat(100_000));
    for handler in [deep, long, blocks] {
        let found = messages(&network("", &handler, "", ""));
        assert!(found.iter().any(|one| one == "this is nested too deeply"), "{:?}", found.first());
    }
}

/// A handler that goes on for ever does not keep anybody from getting the network ready.
#[test]
fn an_endless_handler_is_no_matter_of_the_survey() {
    let handler = "for (i in 0..9223372036854775807) { install(s, 1, { }, drop); }";
    let compiled = compile("test.sdn", &network("", handler, "", ""), &[]).expect("it is valid");
    let image = mazurka_sdn::Image::new(compiled, mazurka_sdn::Barriers::Scoped);
    assert_eq!(image.network().packets(), 1);
}
