//! The unfolding of a program, as text for Graphviz.

use std::fmt::Write;

use mazurka_machine::Describe;
use mazurka_trace::UnfoldedEvent;

/// A graph with a box for each event, arrows from its latest causes, and dashed lines between
/// events in immediate conflict.
pub fn unfolding_dot(events: &[UnfoldedEvent], describe: &impl Describe) -> String {
    let mut dot = String::from("digraph unfolding {\n  node [shape=box, fontname=\"monospace\"];\n");
    for (number, event) in events.iter().enumerate() {
        let place = describe.place(event.site);
        let choices: Vec<String> = event.choices.iter().map(i64::to_string).collect();
        let chosen = if choices.is_empty() { String::new() } else { format!("\nchooses {}", choices.join(", ")) };
        let process = describe.process_name(event.process);
        let label = format!("{number}: {process}\n{}:{} {}{chosen}", place.line, place.column, place.text);
        let style = if event.ends { ", style=bold" } else { "" };
        line(&mut dot, &format!("e{number} [label=\"{}\"{style}]", escaped(&label)));
    }
    for (number, event) in events.iter().enumerate() {
        for cause in &event.causes {
            line(&mut dot, &format!("e{cause} -> e{number}"));
        }
        for other in &event.conflicts {
            line(&mut dot, &format!("e{other} -> e{number} [dir=none, style=dashed, constraint=false]"));
        }
    }
    dot.push_str("}\n");
    dot
}

fn line(dot: &mut String, statement: &str) {
    writeln!(dot, "  {statement};").expect("text can be written");
}

/// Text for a quoted string; its lines are centred.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_and_lines_are_escaped() {
        assert_eq!(escaped("a \"b\\\"\nc"), "a \\\"b\\\\\\\"\\nc");
    }
}
