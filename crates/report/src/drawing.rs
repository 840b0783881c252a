//! Sequence diagrams as SVG, and a page that holds them: nothing else is needed to look at it.

use std::fmt::Write;

use crate::diagram::{ending, lanes, short};
use crate::markup::escape;
use crate::topology::topology_svg;
use crate::view::{Timeline, Turn};
use mazurka_machine::Rest;

/// The distance between two objects, and between two rows.
const COLUMN: usize = 200;
const ROW: usize = 22;

/// A page with sequence diagrams, each below its heading, if it has one, and what failed.
pub fn diagrams_html(title: &str, diagrams: &[(Option<String>, &Timeline)]) -> String {
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>{0}</title>\n<style>\n\
         body {{ font-family: sans-serif; margin: 2em; }}\n</style></head>\n<body>\n<h1>{0}</h1>\n",
        escape(title)
    );
    for (heading, timeline) in diagrams {
        if let Some(heading) = heading {
            let _ = writeln!(page, "<h2>{}</h2>", escape(heading));
        }
        if let Some(failure) = &timeline.failure {
            let _ = writeln!(page, "<h2>{}</h2>\n<p>{}</p>", escape(&failure.message), escape(&failure.location()));
        }
        if let Some(journey) = &timeline.journey {
            page.push_str(&topology_svg(&journey.topology, Some(journey)));
        }
        page.push_str(&diagram_svg(timeline));
    }
    page.push_str("</body>\n</html>\n");
    page
}

/// What the diagrams look like.
const STYLE: &str = "<style>\n\
    svg text { font-family: monospace; font-size: 12px; }\n\
    svg text.heading { font-family: sans-serif; font-size: 14px; font-weight: bold; }\n\
    .lane { stroke: #999; stroke-dasharray: 3 3; }\n.call { stroke: #06c; }\n\
    .wait { stroke: #c00; stroke-dasharray: 6 4; }\n\
    .waits { fill: none; stroke: #c00; stroke-width: 2; }\n</style>\n";

/// The sequence diagrams as one drawing, one below the other, each with its heading, if it has one,
/// and what failed.
pub fn diagrams_svg(title: &str, diagrams: &[(Option<String>, &Timeline)]) -> String {
    let (mut width, mut height, mut inner) = (400, ROW, String::new());
    for (heading, timeline) in diagrams {
        let failure = timeline.failure.as_ref().map(|failure| format!("{} {}", failure.message, failure.location()));
        for line in heading.iter().chain(&failure) {
            let _ = writeln!(inner, "<text class=\"heading\" x=\"10\" y=\"{height}\">{}</text>", escape(line));
            width = width.max(line.chars().count() * 9 + 20);
            height += ROW;
        }
        let (wide, high) = size(timeline);
        let _ = writeln!(inner, "<svg y=\"{height}\" width=\"{wide}\" height=\"{high}\">");
        draw(timeline, high, &mut inner);
        inner.push_str("</svg>\n");
        (width, height) = (width.max(wide), height + high + ROW);
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\">\n\
         <title>{}</title>\n{STYLE}<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{inner}</svg>\n",
        escape(title)
    )
}

/// The sequence diagram of an execution, to be part of a page.
fn diagram_svg(timeline: &Timeline) -> String {
    let (width, height) = size(timeline);
    let mut svg = format!("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\">\n{STYLE}");
    draw(timeline, height, &mut svg);
    svg.push_str("</svg>\n");
    svg
}

/// How wide and how high the diagram of an execution is.
fn size(timeline: &Timeline) -> (usize, usize) {
    let rows: usize = timeline.turns.iter().map(|turn| turn.calls.len() + 3).sum();
    (lanes(timeline).len() * COLUMN + 40, rows * ROW + 80)
}

fn draw(timeline: &Timeline, height: usize, svg: &mut String) {
    let lanes = lanes(timeline);
    svg.push_str(
        "<defs><marker id=\"head\" markerWidth=\"8\" markerHeight=\"8\" refX=\"7\" refY=\"3\" orient=\"auto\">\
         <path d=\"M0,0 L7,3 L0,6 z\" fill=\"#06c\"/></marker></defs>\n",
    );
    let calls = timeline.turns.iter().flat_map(|turn| &turn.calls);
    let homes: Vec<(&str, &str)> = calls.map(|(lane, task)| (task.as_str(), lane.as_str())).collect();
    for (number, lane) in lanes.iter().enumerate() {
        let x = middle(number);
        let _ = writeln!(
            svg,
            "<text x=\"{x}\" y=\"20\" text-anchor=\"middle\" font-weight=\"bold\">{}</text>",
            escape(lane)
        );
        let _ = writeln!(svg, "<line class=\"lane\" x1=\"{x}\" y1=\"28\" x2=\"{x}\" y2=\"{}\"/>", height - 30);
        if timeline.waiting.iter().any(|waiter| waiter.lane.as_deref() == Some(lane)) {
            let _ = writeln!(svg, "<rect class=\"waits\" x=\"{}\" y=\"4\" width=\"180\" height=\"22\"/>", x - 90);
            let _ = writeln!(svg, "<text x=\"{x}\" y=\"{}\" text-anchor=\"middle\">✗ waits</text>", height - 12);
        }
    }
    let mut y = 50;
    for turn in &timeline.turns {
        y = draw_turn(turn, &lanes, y, svg);
        draw_wait(turn, (&lanes, &homes), y - ROW, svg);
    }
}

/// A dashed line from a task that stops to the object of the task that it waits for.
fn draw_wait(turn: &Turn, (lanes, homes): (&[&str], &[(&str, &str)]), y: usize, svg: &mut String) {
    let (Rest::Awaits(what) | Rest::Blocks(what)) = &turn.rest else { return };
    let place = |wanted: &str| lanes.iter().position(|lane| *lane == wanted);
    let Some((_, home)) = homes.iter().find(|(task, _)| task == what) else { return };
    let (Some(from), Some(to)) = (place(&turn.lane), place(home)) else { return };
    if from != to {
        let (x, to, y) = (middle(from), middle(to), y + 2);
        let _ = writeln!(svg, "<line class=\"wait\" x1=\"{x}\" y1=\"{y}\" x2=\"{to}\" y2=\"{y}\"/>");
    }
}

fn middle(lane: usize) -> usize {
    lane * COLUMN + COLUMN / 2
}

/// Draws a step from this height on; the height after it.
fn draw_turn(turn: &Turn, lanes: &[&str], mut y: usize, svg: &mut String) -> usize {
    let place = |wanted: &str| lanes.iter().position(|lane| *lane == wanted).unwrap_or(0);
    let x = middle(place(&turn.lane));
    let length = (turn.calls.len() + 1) * ROW;
    let fill = match turn.rest {
        Rest::Returned => "#cfc",
        Rest::Failed(_) => "#fbb",
        Rest::Awaits(_) | Rest::Suspended => "#ffc",
        Rest::Blocks(_) => "#fcc",
    };
    let _ = writeln!(
        svg,
        "<rect x=\"{}\" y=\"{}\" width=\"12\" height=\"{length}\" fill=\"{fill}\" stroke=\"#333\"/>",
        x - 6,
        y - 10
    );
    let _ = writeln!(svg, "<text x=\"{}\" y=\"{y}\">{} (line {})</text>", x + 10, escape(short(&turn.task)), turn.line);
    for (lane, task) in &turn.calls {
        y += ROW;
        let to = middle(place(lane));
        if to == x {
            let _ = writeln!(svg, "<text x=\"{}\" y=\"{y}\">↩ {}</text>", x + 10, escape(short(task)));
            continue;
        }
        let _ = writeln!(
            svg,
            "<line class=\"call\" x1=\"{x}\" y1=\"{y}\" x2=\"{to}\" y2=\"{y}\" marker-end=\"url(#head)\"/>"
        );
        let (label, anchor) = ((x + to) / 2, y - 4);
        let _ =
            writeln!(svg, "<text x=\"{label}\" y=\"{anchor}\" text-anchor=\"middle\">{}</text>", escape(short(task)));
    }
    y += ROW;
    let (sign, words) = ending(&turn.rest);
    let _ = writeln!(svg, "<text x=\"{}\" y=\"{}\">{sign} {}</text>", x + 10, y - 4, escape(&words));
    y + ROW
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_means_something_in_a_page_is_escaped() {
        let turn = Turn {
            lane: "A<1>".to_owned(),
            task: "m".to_owned(),
            line: 1,
            calls: vec![("B".to_owned(), "n".to_owned())],
            rest: Rest::Awaits("x < 1 && y".to_owned()),
        };
        let page = diagrams_html("a & b", &[(None, &Timeline { turns: vec![turn], ..Timeline::default() })]);
        assert!(page.contains("A&lt;1&gt;") && page.contains("x &lt; 1 &amp;&amp; y") && page.contains("a &amp; b"));
        assert!(!page.contains("A<1>"));
    }
}
