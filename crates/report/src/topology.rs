//! Networks: the topology as SVG, with the way of a packet and the rules that led it there; and the
//! way as text. The same input gives the same bytes.

use std::collections::VecDeque;
use std::fmt::Write;

use mazurka_machine::{Journey, Topology};

use crate::markup::escape;
use crate::text::{Line, Style, Text};

/// The distance between two nodes of a row, and between two rows.
const COLUMN: usize = 130;
const ROW: usize = 120;
/// The width of a card that holds the rules of a switch, and the height of one of its lines.
const CARD: usize = 420;
const LINE: usize = 16;
/// So many rules of a switch are shown.
const MOST_RULES: usize = 12;

/// The way of a packet, hop by hop.
pub fn journey_text(journey: &Journey) -> Text {
    let name = |node: usize| journey.topology.nodes[node].name.as_str();
    let mut text = Text::default();
    text.push(Line::new().with(Style::Strong, format!("the way of packet {}", journey.packet)));
    let names = journey.hops.iter().map(|hop| name(hop.node).chars().count());
    let width = names.chain([name(journey.from).chars().count()]).max().unwrap_or(0);
    text.push(Line::new().with(Style::Plain, format!("    {}", name(journey.from))));
    for (number, hop) in journey.hops.iter().enumerate() {
        let place = format!(" {:>2} {:<width$}  in {}  ", number + 1, name(hop.node), hop.port);
        let mut line = Line::new().with(Style::Plain, place).with(Style::Effect, hop.decision.clone());
        if let Some(next) = hop.next {
            line.push(Style::Dim, format!("  to {}", name(next)));
        }
        text.push(line);
    }
    text.push(Line::new().with(Style::Bad, format!("    {}", journey.end)));
    text
}

/// Where a node is drawn.
#[derive(Clone, Copy, Default)]
struct At {
    x: usize,
    y: usize,
}

/// Switches with hosts stand in a row, those further from hosts in rows above it; hosts stand below
/// their switches.
fn layout(topology: &Topology) -> (Vec<At>, usize, usize) {
    let count = topology.nodes.len();
    let mut neighbours = vec![Vec::new(); count];
    for link in &topology.links {
        neighbours[link.nodes[0]].push(link.nodes[1]);
        neighbours[link.nodes[1]].push(link.nodes[0]);
    }
    let levels = levels(topology, &neighbours);
    let highest = levels.iter().copied().max().unwrap_or(0);
    let mut places = vec![At::default(); count];
    // Below a switch there is room for its hosts.
    let room = |node: usize| neighbours[node].iter().filter(|&&other| topology.nodes[other].is_host).count().max(1);
    let mut widest = 0;
    for level in 0..=highest {
        let row: Vec<usize> =
            (0..count).filter(|&node| !topology.nodes[node].is_host && levels[node] == level).collect();
        let mut x = 40;
        for node in row {
            let width = if level == 0 { room(node) * COLUMN } else { COLUMN };
            places[node] = At { x: x + width / 2, y: 60 + (highest - level) * ROW };
            let hosts = neighbours[node].iter().filter(|&&other| topology.nodes[other].is_host);
            for (nth, &host) in hosts.enumerate() {
                places[host] = At { x: x + nth * COLUMN + COLUMN / 2, y: 60 + (highest + 1) * ROW };
            }
            x += width;
        }
        widest = widest.max(x);
    }
    // Rows stand in the middle.
    for level in 1..=highest {
        let row: Vec<usize> =
            (0..count).filter(|&node| !topology.nodes[node].is_host && levels[node] == level).collect();
        let shift = (widest - (row.len() * COLUMN).min(widest)) / 2;
        for node in row {
            places[node].x += shift;
        }
    }
    (places, widest + 40, 60 + (highest + 2) * ROW)
}

/// How far each switch is from one with hosts.
fn levels(topology: &Topology, neighbours: &[Vec<usize>]) -> Vec<usize> {
    let mut levels = vec![usize::MAX; topology.nodes.len()];
    let has_host = |node: usize| neighbours[node].iter().any(|&other| topology.nodes[other].is_host);
    let is_switch = |node: &usize| !topology.nodes[*node].is_host;
    let mut queue: VecDeque<usize> = (0..levels.len()).filter(is_switch).filter(|&node| has_host(node)).collect();
    for &node in &queue {
        levels[node] = 0;
    }
    while let Some(node) = queue.pop_front() {
        for &other in neighbours[node].iter().filter(|other| is_switch(other)) {
            if levels[other] == usize::MAX {
                levels[other] = levels[node] + 1;
                queue.push_back(other);
            }
        }
    }
    // Where nobody leads there.
    levels.into_iter().map(|level| if level == usize::MAX { 0 } else { level }).collect()
}

/// The topology as SVG; with the way of a packet, if there is one.
pub fn topology_svg(topology: &Topology, journey: Option<&Journey>) -> String {
    let (places, width, height) = layout(topology);
    let cards = Cards::new(topology, journey, width);
    let (all, tall) = (width + if cards.rows.is_empty() { 0 } else { CARD + 20 }, height.max(cards.height));
    let mut svg = format!("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{all}\" height=\"{tall}\">\n");
    svg.push_str(
        "<style>text { font-family: monospace; font-size: 12px; } .link { stroke: #999; fill: none; } \
         .port { font-size: 10px; fill: #666; } .way { stroke: #c00; stroke-width: 2; fill: none; } \
         .guilty { fill: #c00; font-weight: bold; } .node { fill: #fff; stroke: #333; }</style>\n\
         <defs><marker id=\"way\" markerWidth=\"8\" markerHeight=\"8\" refX=\"7\" refY=\"3\" orient=\"auto\">\
         <path d=\"M0,0 L7,3 L0,6 z\" fill=\"#c00\"/></marker></defs>\n",
    );
    draw_links(&mut svg, topology, &places);
    if let Some(journey) = journey {
        draw_way(&mut svg, journey, &places);
    }
    for (node, at) in topology.nodes.iter().zip(&places) {
        let round = if node.is_host { 15 } else { 2 };
        let _ = writeln!(
            svg,
            "<rect class=\"node\" x=\"{}\" y=\"{}\" width=\"80\" height=\"30\" rx=\"{round}\"/>\
             <text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            at.x - 40,
            at.y - 15,
            at.x,
            at.y + 4,
            escape(&node.name)
        );
    }
    for row in &cards.rows {
        svg.push_str(row);
    }
    svg.push_str("</svg>\n");
    svg
}

/// A curve between two nodes: how far its middle is from the straight line.
fn curve(one: At, other: At, bend: i64) -> (String, i64, i64) {
    let (x1, y1, x2, y2) = (one.x as i64, one.y as i64, other.x as i64, other.y as i64);
    let (dx, dy) = (x2 - x1, y2 - y1);
    let length = (dx * dx + dy * dy).isqrt().max(1);
    let (mx, my) = ((x1 + x2) / 2 - dy * bend / length, (y1 + y2) / 2 + dx * bend / length);
    // Ends stand clear of the nodes.
    let inset = |x: i64, y: i64| {
        let (tx, ty) = (mx - x, my - y);
        let far = (tx * tx + ty * ty).isqrt().max(1);
        (x + tx * 24 / far, y + ty * 24 / far)
    };
    let ((ax, ay), (bx, by)) = (inset(x1, y1), inset(x2, y2));
    (format!("M{ax},{ay} Q{mx},{my} {bx},{by}"), (ax + bx + 2 * mx) / 4, (ay + by + 2 * my) / 4)
}

/// Links between neighbours of a row are straight; those that would go through others are bent.
fn bend_of(one: At, other: At) -> i64 {
    let far = one.x.abs_diff(other.x) / COLUMN;
    if one.y == other.y && far > 1 { if one.x < other.x { -45 } else { 45 } } else { 0 }
}

fn draw_links(svg: &mut String, topology: &Topology, places: &[At]) {
    for link in &topology.links {
        let [one, other] = link.nodes.map(|node| places[node]);
        let (path, ..) = curve(one, other, bend_of(one, other));
        let _ = writeln!(svg, "<path class=\"link\" d=\"{path}\"/>");
        for (port, (here, there)) in link.ports.iter().zip([(one, other), (other, one)]) {
            let Some(port) = port else { continue };
            let along = |from: usize, to: usize| (from * 7 + to * 3) / 10;
            let up = if bend_of(one, other) == 0 { 4 } else { 22 };
            let (x, y) = (along(here.x, there.x), along(here.y, there.y).saturating_sub(up));
            let _ = writeln!(svg, "<text class=\"port\" x=\"{x}\" y=\"{y}\">{port}</text>");
        }
    }
}

fn draw_way(svg: &mut String, journey: &Journey, places: &[At]) {
    let nodes = std::iter::once((journey.from, journey.hops.first().map(|hop| hop.node)));
    let hops = journey.hops.iter().map(|hop| (hop.node, hop.next));
    let steps = nodes.chain(hops).filter_map(|(from, to)| Some((from, to?))).filter(|(from, to)| from != to);
    for (number, (from, to)) in steps.enumerate() {
        let (one, other) = (places[from], places[to]);
        // Beside the link, and each time further from it.
        let bend = bend_of(one, other) + 14 + 10 * (number as i64 / 2);
        let (path, x, y) = curve(one, other, bend);
        let _ = writeln!(
            svg,
            "<path class=\"way\" d=\"{path}\" marker-end=\"url(#way)\"/>\
             <text class=\"guilty\" x=\"{x}\" y=\"{y}\">{}</text>",
            number + 1
        );
    }
}

/// The tables of switches, those rules marked that a packet went by.
struct Cards {
    rows: Vec<String>,
    height: usize,
}

impl Cards {
    fn new(topology: &Topology, journey: Option<&Journey>, x: usize) -> Cards {
        let (mut rows, mut y) = (Vec::new(), 30);
        let mut line = |class: &str, words: &str, y: &mut usize| {
            let row = format!("<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{}</text>\n", escape(words));
            *y += LINE;
            rows.push(row);
        };
        for (number, node) in topology.nodes.iter().enumerate() {
            if node.rules.is_empty() {
                continue;
            }
            line("card", &node.name, &mut y);
            let guilty = |rule: &str| {
                let mut hops = journey.iter().flat_map(|journey| &journey.hops);
                hops.any(|hop| hop.node == number && hop.decision == rule)
            };
            for rule in node.rules.iter().take(MOST_RULES) {
                line(if guilty(rule) { "guilty" } else { "rule" }, &format!("  {rule}"), &mut y);
            }
            if node.rules.len() > MOST_RULES {
                line("rule", &format!("  … {} more", node.rules.len() - MOST_RULES), &mut y);
            }
            y += LINE / 2;
        }
        if let Some(journey) = journey {
            line("card", &format!("packet {}", journey.packet), &mut y);
            for (number, hop) in journey.hops.iter().enumerate() {
                let name = &topology.nodes[hop.node].name;
                line("rule", &format!("  {} {name}: {}", number + 2, hop.decision), &mut y);
            }
            line("guilty", &format!("  {}", journey.end), &mut y);
        }
        Cards { rows, height: y + 20 }
    }
}

#[cfg(test)]
mod tests {
    use mazurka_machine::{Hop, Link, Node};

    use super::*;

    fn sample() -> Journey {
        let node = |name: &str, is_host, rules: &[&str]| Node {
            name: name.to_owned(),
            is_host,
            rules: rules.iter().map(|&rule| rule.to_owned()).collect(),
        };
        let link = |one, other, ports| Link { nodes: [one, other], ports };
        let topology = Topology {
            nodes: vec![
                node("s1", false, &["1: * -> out 2", "0: * -> drop"]),
                node("s2", false, &[]),
                node("a<b", true, &[]),
            ],
            links: vec![link(0, 1, [Some(2), Some(1)]), link(0, 2, [Some(0), None])],
        };
        let hop = Hop { node: 0, port: 0, decision: "1: * -> out 2".to_owned(), next: Some(1) };
        Journey { topology, packet: "0".to_owned(), from: 2, hops: vec![hop], end: "lost at s2".to_owned() }
    }

    #[test]
    fn the_way_is_told_hop_by_hop() {
        let text = journey_text(&sample()).paint(false);
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        assert_eq!(lines, ["the way of packet 0", "a<b", "1 s1   in 0  1: * -> out 2  to s2", "lost at s2"]);
    }

    #[test]
    fn the_picture_has_the_way_and_the_guilty_rule() {
        let journey = sample();
        let svg = topology_svg(&journey.topology, Some(&journey));
        assert!(svg.contains("a&lt;b") && svg.ends_with("</svg>\n"));
        assert_eq!(svg.matches("class=\"way\"").count(), 2);
        assert_eq!(svg.matches("class=\"guilty\"").count(), 4, "{svg}");
        assert_eq!(svg, topology_svg(&journey.topology, Some(&journey)));
        assert!(!topology_svg(&journey.topology, None).contains("class=\"way\""));
    }
}
