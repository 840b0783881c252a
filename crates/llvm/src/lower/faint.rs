//! Computations that serve nothing but themselves.
//!
//! A counter in a loop that nobody looks at, or the delay of a waiting loop that grows each time
//! (`usleep(d); if (d < 1000) d *= 2;`, where the call itself is not made): such registers are
//! *faint*. They are removed. Then the loop carries nothing that changes from one iteration to the
//! next, and can wait like `while (!flag);`.
//!
//! **What is needed.** Whatever an instruction reads that does more than compute a register, what
//! needed computations read, and what branches decide by, but for idle ones. A branch is *idle* if
//! the same block comes next whichever way it goes, and only registers that are not needed are
//! computed in between. It becomes a jump.
//!
//! **Why that is sound.** Nobody can notice a register, nor time. What is removed cannot fail: it
//! does not divide, touches no memory and calls nothing. It ends: between an idle branch and the
//! block that comes next there is no head of a loop. A branch on an undefined value is a failure,
//! so an idle branch decides by registers alone that are computed from constants, and written
//! before they are read.
//!
//! **Known limit.** A delay that is counted out (`for (i = 0; i < d; i++) sched_yield();`) is a
//! loop, and stays: the loop around it does not wait, and is explored for each `d`.

use crate::code::instruction::Instruction;

use super::draft::{Draft, End, Op};
use super::live::Liveness;

/// A branch that may be idle.
struct Idle {
    block: usize,
    /// The blocks between the branch and the one that comes next.
    between: Vec<usize>,
    needed: bool,
}

/// Removes what is faint. Whether branches were among it.
pub(super) fn remove_faint(draft: &mut Draft) -> bool {
    let mut idles = idle_branches(draft);
    let mut needed = vec![false; draft.temps as usize];
    let is_idle = |at: &usize| idles.iter().any(|idle| idle.block == *at);
    for at in (0..draft.blocks.len()).filter(|at| !is_idle(at)) {
        draft.visit_end(&draft.blocks[at].end, |temp| needed[temp.index()] = true);
    }
    while spread(draft, &mut needed) | spread_to_branches(draft, &mut needed, &mut idles) {}
    for at in 0..draft.blocks.len() {
        let mut code = std::mem::take(&mut draft.blocks[at].code);
        code.retain(|(op, _)| is_needed(draft, op, &needed));
        draft.blocks[at].code = code;
    }
    let mut straightened = false;
    for idle in idles.iter().filter(|idle| !idle.needed) {
        if let End::Branch(_, to, _) = draft.blocks[idle.block].end {
            draft.blocks[idle.block].end = End::Jump(to);
            straightened = true;
        }
    }
    straightened
}

fn is_needed(draft: &Draft, op: &Op, needed: &[bool]) -> bool {
    let mut found = !op.is_pure();
    draft.visit(op, |_| {}, |temp| found |= needed[temp.index()]);
    found
}

/// What needed computations read is needed. Whether that was news.
fn spread(draft: &Draft, needed: &mut [bool]) -> bool {
    let (mut changed, mut reads) = (false, Vec::new());
    for (op, _) in draft.blocks.iter().rev().flat_map(|block| block.code.iter().rev()) {
        if is_needed(draft, op, needed) {
            draft.visit(op, |temp| reads.push(temp.index()), |_| {});
            for temp in reads.drain(..) {
                changed |= !std::mem::replace(&mut needed[temp], true);
            }
        }
    }
    changed
}

/// A branch that decides whether something needed is computed is not idle. Whether that was news.
fn spread_to_branches(draft: &Draft, needed: &mut [bool], idles: &mut [Idle]) -> bool {
    let mut changed = false;
    for idle in idles.iter_mut().filter(|idle| !idle.needed) {
        let mut code = idle.between.iter().flat_map(|&block| &draft.blocks[block].code);
        if code.any(|(op, _)| is_needed(draft, op, needed)) {
            draft.visit_end(&draft.blocks[idle.block].end, |temp| needed[temp.index()] = true);
            (idle.needed, changed) = (true, true);
        }
    }
    changed
}

/// The branches that decide by what is computed from constants alone, and lead to one block.
fn idle_branches(draft: &Draft) -> Vec<Idle> {
    let mut heads = vec![false; draft.blocks.len()];
    for (at, block) in draft.blocks.iter().enumerate() {
        block.end.successors().filter(|&to| to <= at).for_each(|to| heads[to] = true);
    }
    // Where there is no loop, nobody waits.
    if !heads.contains(&true) {
        return Vec::new();
    }
    let constant = computed_from_constants(draft);
    let decided = |at: &usize| {
        let block = &draft.blocks[*at];
        let mut known = matches!(block.end, End::Branch(..));
        draft.visit_end(&block.end, |temp| known &= constant[temp.index()]);
        known
    };
    let branches = (0..draft.blocks.len()).filter(decided);
    branches.filter_map(|block| Some(Idle { block, between: between(draft, &heads, block)?, needed: false })).collect()
}

/// The blocks after a branch that only compute, up to the first one that does more or is the head
/// of a loop. None where that is not the same one on all ways.
fn between(draft: &Draft, heads: &[bool], branch: usize) -> Option<Vec<usize>> {
    let (mut seen, mut next) = (Vec::new(), None);
    let mut stack: Vec<usize> = draft.blocks[branch].end.successors().collect();
    while let Some(at) = stack.pop() {
        let block = &draft.blocks[at];
        let computes =
            !heads[at] && !matches!(block.end, End::Stop(_)) && block.code.iter().all(|(op, _)| op.is_pure());
        if !computes {
            if *next.get_or_insert(at) != at {
                return None;
            }
        } else if !seen.contains(&at) {
            seen.push(at);
            stack.extend(block.end.successors());
        }
    }
    next.map(|_| seen)
}

/// For each register, whether it is always defined and nothing but constants decides what it holds.
fn computed_from_constants(draft: &Draft) -> Vec<bool> {
    let mut constant = vec![true; draft.temps as usize];
    draft.parameters.iter().for_each(|temp| constant[temp.index()] = false);
    // What may be read before it is written.
    Liveness::of(draft).ins(0).for_each(|temp| constant[temp.index()] = false);
    let mut changed = true;
    while changed {
        changed = false;
        for (op, _) in draft.blocks.iter().flat_map(|block| &block.code) {
            let mut known = op.is_pure() && !matches!(op, Instruction::Undefined { .. });
            draft.visit(op, |temp| known &= constant[temp.index()], |_| {});
            if !known {
                draft.visit(op, |_| {}, |temp| changed |= std::mem::replace(&mut constant[temp.index()], false));
            }
        }
    }
    constant
}
