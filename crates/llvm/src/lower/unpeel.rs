//! Loops whose first load stands before them: `a = load; while (a != 1) a = load;`
//!
//! Both ways into the head of the loop, from before and from its end, end with the same
//! instructions from a load on, up to the names of registers that matter nowhere else. They become
//! one block, which both lead to, and the head of the loop (tail merging, as compilers do it). Then
//! the loop begins with the load, and nothing that it has read is carried into the next iteration:
//! so it waits like any other. What the function does is the same.

use crate::code::instruction::Instruction;

use super::draft::{Block, Draft, End, Op, Temp};
use super::live::Liveness;

/// Merges the ends of all blocks before loops with those of the loops. Whether there were any.
pub(super) fn unpeel(draft: &mut Draft) -> bool {
    let edges: Vec<(usize, usize)> = (0..draft.blocks.len())
        .filter_map(|at| match draft.blocks[at].end {
            End::Jump(to) => Some((at, to)),
            _ => None,
        })
        .collect();
    let mut changed = false;
    for &(last, head) in edges.iter().filter(|&&(at, to)| to <= at) {
        let outside: Vec<usize> =
            edges.iter().filter(|&&(at, to)| to == head && at < head).map(|edge| edge.0).collect();
        let [before] = outside[..] else { continue };
        let ways = draft.blocks.iter().flat_map(|block| block.end.successors()).filter(|&to| to == head).count();
        if ways != 2 || before == last {
            continue;
        }
        let liveness = Liveness::of(draft);
        let live: Vec<Temp> = liveness.ins(head).collect();
        if let Some(length) = common(draft, before, last, &live) {
            merge(draft, (before, last, head), length);
            changed = true;
        }
    }
    changed
}

/// How many instructions from the last load on are the same at the ends of two blocks.
fn common(draft: &Draft, one: usize, other: usize, live: &[Temp]) -> Option<usize> {
    let (one, other) = (&draft.blocks[one].code, &draft.blocks[other].code);
    let is_load = |(op, _): &(Op, u32)| matches!(op, Instruction::Load { .. } | Instruction::LoadAt { .. });
    let start = other.iter().rposition(is_load)?;
    let length = other.len() - start;
    let begin = one.len().checked_sub(length)?;
    let mut names: Vec<(Temp, Temp)> = Vec::new();
    for ((first, _), (second, _)) in one[begin..].iter().zip(&other[start..]) {
        if !(first.is_pure() || is_load(&(*first, 0))) {
            return None;
        }
        // What the other one has defined anew, the first must have defined as well.
        let stale = |temp: Temp| names.iter().any(|&(old, new)| new == temp && old != temp);
        let mut fits = true;
        let mut defined = None;
        let renamed = first.map(
            &mut |temp| match names.iter().rev().find(|name| name.0 == temp) {
                Some(&(_, new)) => new,
                None => {
                    fits &= !stale(temp);
                    temp
                }
            },
            &mut |temp| {
                defined = Some(temp);
                temp
            },
        );
        let mut target = None;
        draft.visit(second, |_| {}, |temp| target = Some(temp));
        let (old, new) = (defined?, target?);
        if old != new && (live.contains(&old) || live.contains(&new)) {
            return None;
        }
        let renamed = renamed.map(&mut |temp| temp, &mut |_| new);
        if !fits || renamed != *second {
            return None;
        }
        names.retain(|name| name.0 != old && name.1 != new);
        names.push((old, new));
    }
    Some(length)
}

fn merge(draft: &mut Draft, (before, last, head): (usize, usize, usize), length: usize) {
    let new = draft.block();
    let start = draft.blocks[last].code.len() - length;
    let code = draft.blocks[last].code.split_off(start);
    let site = draft.blocks[last].site;
    draft.blocks[new] = Block { code, end: End::Jump(head), site, head: None };
    let rest = draft.blocks[before].code.len() - length;
    draft.blocks[before].code.truncate(rest);
    draft.blocks[before].end = End::Jump(new);
    draft.blocks[last].end = End::Jump(new);
}
