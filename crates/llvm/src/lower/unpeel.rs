//! Loops whose first load stands before them: `a = load; while (a != 1) a = load;`. And loops that
//! hold a lock at their head: `lock(&m); while (!done) { unlock(&m); lock(&m); }`.
//!
//! Both ways into the head of the loop, from before and from its end, end with the same
//! instructions from a load, or from a call that takes a lock, on, up to the names of registers
//! that matter nowhere else. They become one block, which both lead to, and the head of the loop
//! (tail merging, as compilers do it). Then the loop begins with the load, and nothing that it
//! has read is carried into the next iteration: so it waits like any other. One that begins with
//! taking the lock waits without it. What the function does is the same.

use crate::code::instruction::Instruction;
use crate::native::Native;

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

/// Whether both ways into a loop may be the same from an instruction on: a load, or a call that
/// takes a lock.
fn may_begin(op: &Op) -> bool {
    use Native::{MutexLock, RwLockRead, RwLockWrite, SemaphoreWait, SpinLock};
    match op {
        Instruction::Load { .. } | Instruction::LoadAt { .. } => true,
        Instruction::Native { native, .. } => {
            matches!(native, MutexLock | RwLockRead | RwLockWrite | SemaphoreWait | SpinLock)
        }
        _ => false,
    }
}

/// Whether two instructions do the same. `names` are the registers of the first one that the second
/// one calls otherwise, which matters for the arguments of calls only.
fn is_same(draft: &Draft, (one, other): (&Op, &Op), names: &[(Temp, Temp)]) -> bool {
    let (Instruction::Native { first, .. }, Instruction::Native { first: second, .. }) = (*one, *other) else {
        return one == other;
    };
    let arguments = |op| draft.operands[draft.lists(op).0].iter();
    let stale = |temp: Temp| names.iter().any(|name| name.1 == temp);
    let renamed = |temp: Temp| match names.iter().rev().find(|name| name.0 == temp) {
        Some(name) => Some(name.1),
        None => Some(temp).filter(|&temp| !stale(temp)),
    };
    let mut pairs = arguments(one).zip(arguments(other));
    let mut moved = *one;
    if let Instruction::Native { first, .. } = &mut moved {
        *first = second;
    }
    let single = [first, second].iter().all(|at| !draft.results.contains_key(at));
    single && moved == *other && pairs.all(|(one, other)| renamed(one.0) == Some(other.0) && one.1 == other.1)
}

/// How many instructions from the last load, or the last call that takes a lock, on are the same at
/// the ends of two blocks. Before a call, as many as possible of those that compute its arguments.
fn common(draft: &Draft, one: usize, other: usize, live: &[Temp]) -> Option<usize> {
    let code = &draft.blocks[other].code;
    let last = code.iter().rposition(|(op, _)| may_begin(op))?;
    let mut first = last;
    if matches!(code[last].0, Instruction::Native { .. }) {
        first = code[..last].iter().rposition(|(op, _)| !op.is_pure()).map_or(0, |before| before + 1);
    }
    (first..=last).find_map(|start| common_from(draft, (one, other), live, start))
}

/// The same from an instruction of the second block on.
fn common_from(draft: &Draft, (one, other): (usize, usize), live: &[Temp], start: usize) -> Option<usize> {
    let (one, other) = (&draft.blocks[one].code, &draft.blocks[other].code);
    let length = other.len() - start;
    let begin = one.len().checked_sub(length)?;
    let mut names: Vec<(Temp, Temp)> = Vec::new();
    for ((first, _), (second, _)) in one[begin..].iter().zip(&other[start..]) {
        if !(first.is_pure() || may_begin(first)) {
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
        if !fits || !is_same(draft, (&renamed, second), &names) {
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
