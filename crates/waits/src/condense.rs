//! Bodies without the points that do nothing.
//!
//! A front end makes a point for each branch of the code. What is held is the same on both sides of
//! such a point, so the points before it can as well go on where it leads. Which operations follow
//! each other on which path stays the same.

use std::collections::BTreeSet;

use crate::cycles::{Successors, components};
use crate::skeleton::{Body, Node, Operation};

/// A point that does nothing stays if it leads to more points than that: otherwise each before it
/// would lead to all of them.
const MOST: usize = 4;

/// The body with those points left out that do nothing. The first point stays where it is, and so
/// do the ends.
pub(crate) fn condensed(body: &Body) -> Body {
    let is_kept =
        |node: usize| node == 0 || body.nodes[node].operation != Operation::Nothing || body.nodes[node].next.is_empty();
    let kept: Vec<usize> = (0..body.nodes.len()).filter(|&node| is_kept(node)).collect();
    if kept.len() == body.nodes.len() {
        return body.clone();
    }
    let mut numbers = vec![None; body.nodes.len()];
    kept.iter().enumerate().for_each(|(number, &node)| numbers[node] = Some(number));
    let mut nodes: Vec<Node> = kept.iter().map(|&node| Node { next: Vec::new(), ..body.nodes[node].clone() }).collect();
    let led = Led::of(body, &numbers, &mut nodes);
    for (number, &node) in kept.iter().enumerate() {
        let next = &body.nodes[node].next;
        let all: BTreeSet<usize> = next.iter().flat_map(|&next| led.from(next)).copied().collect();
        nodes[number].next = all.into_iter().collect();
        if nodes[number].next.is_empty() && !next.is_empty() {
            // Paths that only go round for ever are no end of the body.
            let (place, round) = (nodes[number].place, nodes.len());
            nodes[number].next = vec![round];
            nodes.push(Node { operation: Operation::Nothing, next: vec![round], place });
        }
    }
    Body { nodes }
}

/// To which points that stay each point leads without another one in between.
struct Led {
    /// The component of each point, in the graph of those that go.
    component: Vec<usize>,
    /// By component.
    to: Vec<BTreeSet<usize>>,
}

impl Led {
    /// Those that stay have `numbers`; to `nodes` come the points that do nothing and stay.
    fn of(body: &Body, numbers: &[Option<usize>], nodes: &mut Vec<Node>) -> Led {
        let next = |node: usize| match numbers[node] {
            Some(_) => Vec::new(),
            None => body.nodes[node].next.iter().map(|&next| (0, next)).collect(),
        };
        let graph: Successors = (0..body.nodes.len()).map(next).collect();
        let component = components(&graph);
        let count = component.iter().max().map_or(0, |most| most + 1);
        let mut members: Vec<Vec<usize>> = vec![Vec::new(); count];
        component.iter().enumerate().for_each(|(node, &component)| members[component].push(node));
        // A component comes after those to which it leads.
        let mut to: Vec<BTreeSet<usize>> = Vec::with_capacity(count);
        for members in &members {
            let mut all: BTreeSet<usize> = members.iter().filter_map(|&node| numbers[node]).collect();
            let behind = members.iter().flat_map(|&node| &graph[node]).map(|&(_, next)| component[next]);
            behind.filter(|&behind| behind < to.len()).for_each(|behind| all.extend(&to[behind]));
            if all.len() > MOST {
                let hub = nodes.len();
                let place = body.nodes[members[0]].place;
                nodes.push(Node { operation: Operation::Nothing, next: all.into_iter().collect(), place });
                all = BTreeSet::from([hub]);
            }
            to.push(all);
        }
        Led { component, to }
    }

    fn from(&self, node: usize) -> &BTreeSet<usize> {
        &self.to[self.component[node]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skeleton::{LockId, PlaceId};

    fn body(nodes: &[(bool, &[usize])]) -> Body {
        let node = |(number, &(acts, next)): (usize, &(bool, &[usize]))| {
            let give = || Operation::Give { locks: vec![LockId(number as u32)] };
            let operation = if acts { give() } else { Operation::Nothing };
            Node { operation, next: next.to_vec(), place: PlaceId(number as u32) }
        };
        Body { nodes: nodes.iter().enumerate().map(node).collect() }
    }

    /// The operations of all paths of at most so many points, and whether each came to the end.
    fn paths(body: &Body, most: usize) -> BTreeSet<(Vec<u32>, bool)> {
        let (mut found, mut seen) = (BTreeSet::new(), BTreeSet::new());
        let mut left = vec![(0, Vec::new())];
        while let Some((node, mut done)) = left.pop() {
            if !seen.insert((node, done.clone())) {
                continue;
            }
            if let Operation::Give { locks } = &body.nodes[node].operation {
                done.push(locks[0].0);
            }
            found.insert((done.clone(), body.nodes[node].next.is_empty()));
            if done.len() < most {
                left.extend(body.nodes[node].next.iter().map(|&next| (next, done.clone())));
            }
        }
        found
    }

    #[test]
    fn the_same_operations_follow_each_other() {
        let mut number = 4711_u64;
        let mut below = |most: u64| {
            number = number.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (number >> 33) % most
        };
        for _ in 0..2_000 {
            let count = 1 + below(8) as usize;
            let nodes: Vec<(bool, Vec<usize>)> = (0..count)
                .map(|_| (below(3) == 0, (0..below(3)).map(|_| below(count as u64) as usize).collect()))
                .collect();
            let nodes: Vec<(bool, &[usize])> = nodes.iter().map(|(acts, next)| (*acts, next.as_slice())).collect();
            let before = body(&nodes);
            let after = condensed(&before);
            assert_eq!(paths(&before, 4), paths(&after, 4), "{nodes:?}");
            let needless = |&node: &usize| {
                let Node { operation, next, .. } = &after.nodes[node];
                *operation == Operation::Nothing && (1..=MOST).contains(&next.len()) && *next != [node]
            };
            assert!(!(1..after.nodes.len()).any(|node| needless(&node)), "{nodes:?}");
        }
    }
}
