//! The network of a seed: few switches, few packets, and a controller that does all it can.

use std::fmt::Write;

use crate::random::Random;

/// A network that may do anything, and is valid.
pub fn generate_network(seed: u64) -> String {
    let mut random = Random::new(seed);
    let switches = 2 + random.below(2);
    let mut text = String::from("header { dst: host; kind: 0..1; }\n");
    let names: Vec<String> = (0..switches).map(|number| format!("s{number}")).collect();
    let _ = writeln!(text, "switch {};", names.join(", "));
    let _ = writeln!(text, "host a at s0:0, b at s{}:0, c at s1:9;", switches - 1);
    for other in 1..switches {
        let _ = writeln!(text, "link s{}:1 - s{other}:2;", other - 1);
    }
    if switches == 3 && random.below(2) == 0 {
        text.push_str("link s2:3 - s0:3;\n");
    }
    for option in ["miss drop;\n", "overlap choose;\n"] {
        if random.below(8) == 0 {
            text.push_str(option);
        }
    }
    if random.below(3) == 0 {
        let _ = writeln!(
            text,
            "table s0 {{ {}: {} -> {}; }}",
            random.below(2),
            table_match(&mut random),
            action(&mut random, false)
        );
    }
    text.push_str("controller {\n  int turn = 0;\n  map<host, 0..9> seen;\n  set<host> known;\n");
    text.push_str("  on packet_in(s, port, p) {\n");
    for _ in 0..1 + random.below(3) {
        text.push_str(&statement(&mut random, switches, 2));
    }
    text.push_str(&answer(&mut random));
    text.push_str("  }\n}\n");
    text.push_str("traffic {\n");
    let chained = random.below(6) == 0;
    let packets = 1 + random.below(2);
    for number in 0..packets {
        let host = ["a", "a", "b"][random.below(3)];
        let kind = if random.below(8) == 0 { "any".to_owned() } else { random.below(2).to_string() };
        let end = if chained && number + 1 < packets { " then" } else { ";" };
        let _ = writeln!(text, "  send {host} {{ dst = {}, kind = {kind} }}{end}", target(&mut random));
    }
    text.push_str("}\ncheck { no_loop; ");
    for property in PROPERTIES {
        if random.below(4) == 0 {
            text.push_str(property);
        }
    }
    text.push_str("}\n");
    text
}

const PROPERTIES: [&str; 9] = [
    "no_revisit; ",
    "no_blackhole; ",
    "consistent_tables; ",
    "delivered unless p: p.kind == 1; ",
    "never deliver(p) at b when p.kind == 1 && turn > 0; ",
    "never forward(p) at s0 when p.dst in known; ",
    "hops <= 2; ",
    "waypoint(s1); ",
    "balanced(b, c, 0); ",
];

fn target(random: &mut Random) -> &'static str {
    ["b", "c", "a"][random.below(3)]
}

fn table_match(random: &mut Random) -> &'static str {
    ["*", "kind = 1", "in_port = 0", "dst = b, kind = 0"][random.below(4)]
}

fn field_match(random: &mut Random) -> &'static str {
    ["{ dst = p.dst }", "{ dst = p.dst }", "{ kind = p.kind }", "{ in_port = port }", "{ }"][random.below(5)]
}

fn action(random: &mut Random, in_handler: bool) -> String {
    match random.below(if in_handler { 6 } else { 5 }) {
        0 => "drop".to_owned(),
        1 => "flood".to_owned(),
        2 => "controller".to_owned(),
        3 => format!("out {}", random.below(3)),
        4 => "out(0, 1)".to_owned(),
        _ => "out turn % 2".to_owned(),
    }
}

fn statement(random: &mut Random, switches: usize, depth: u32) -> String {
    let switch = ["s".to_owned(), format!("s{}", random.below(switches))][random.below(2)].clone();
    match random.below(if depth == 0 { 9 } else { 11 }) {
        0 | 1 => "    for (hop in path(s, p.dst)) install(hop.switch, 1, { dst = p.dst }, out hop.port);\n".to_owned(),
        2 | 3 => {
            let (priority, matches, action) = (random.below(2), field_match(random), action(random, true));
            format!("    install({switch}, {priority}, {matches}, {action});\n")
        }
        4 => match random.below(2) {
            0 => format!("    remove({switch}, {}, {});\n", random.below(2), field_match(random)),
            _ => format!("    remove({switch}, {});\n", field_match(random)),
        },
        5 => "    turn = (turn + 1) % 3;\n".to_owned(),
        6 => "    insert(known, p.dst); seen[p.dst] = turn;\n".to_owned(),
        7 => format!("    barrier({switch});\n"),
        8 => "    await barrier();\n".to_owned(),
        _ => {
            let condition = ["turn == 0", "p.kind == 0", "p.dst in known", "s == s0"][random.below(4)];
            let (then, other) = (statement(random, switches, depth - 1), statement(random, switches, depth - 1));
            format!("    if ({condition}) {{\n{then}    }} else {{\n{other}    }}\n")
        }
    }
}

fn answer(random: &mut Random) -> String {
    match random.below(8) {
        0 => "    packet_out(s, p, flood);\n".to_owned(),
        1 => "    packet_out(s, p, drop);\n".to_owned(),
        2 => "    packet_out(s, p, out towards(s, p.dst));\n".to_owned(),
        3 => "    packet_out(s, p);\n    if (turn > 0) packet_out(s, p);\n".to_owned(),
        4 => "    if (turn == 0) packet_out(s, p);\n".to_owned(),
        _ => "    packet_out(s, p);\n".to_owned(),
    }
}
