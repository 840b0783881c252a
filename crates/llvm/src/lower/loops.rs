//! Loops: their heads, and what can be said of them before the program runs.

use crate::code::instruction::{Flags, Instruction};

use super::draft::{Draft, HeadMark, Op, Temp};
use super::live::Liveness;

/// Marks the heads of loops. The blocks are in order, so that every cycle has an edge that goes
/// backwards, to the head. With `counts`, each loop gets a register that counts its iterations.
pub(super) fn mark(draft: &mut Draft, counts: bool) {
    let edges = backward_edges(draft);
    for &(_, head) in &edges {
        if draft.blocks[head].head.is_none() {
            let counter = counts.then(|| draft.temp());
            draft.blocks[head].head = Some(HeadMark { counter, changes: false, awaits: false });
        }
    }
    if counts {
        begin_counters(draft, &edges);
    }
    let heads: Vec<usize> = (0..draft.blocks.len()).filter(|&block| draft.blocks[block].head.is_some()).collect();
    if heads.is_empty() {
        return;
    }
    let liveness = Liveness::of(draft);
    let before = predecessors(draft);
    for head in heads {
        let sources: Vec<usize> = edges.iter().filter(|edge| edge.1 == head).map(|edge| edge.0).collect();
        if let Some(body) = natural(&before, head, &sources) {
            judge(draft, &liveness, &body);
        }
    }
}

/// Edges from a block to itself or an earlier one.
fn backward_edges(draft: &Draft) -> Vec<(usize, usize)> {
    let blocks = draft.blocks.iter().enumerate();
    blocks.flat_map(|(at, block)| block.end.successors().filter(move |&to| to <= at).map(move |to| (at, to))).collect()
}

fn predecessors(draft: &Draft) -> Vec<Vec<usize>> {
    let mut before = vec![Vec::new(); draft.blocks.len()];
    for (at, block) in draft.blocks.iter().enumerate() {
        block.end.successors().for_each(|to| before[to].push(at));
    }
    before
}

/// Sets the counter of a loop where the loop is entered. (That the block before may go elsewhere
/// does no harm: it is outside of the loop.)
///
/// A loop of N rounds comes to its head N + 1 times where the head decides whether there is another
/// round, and N times where that is decided at the end of a round. So the counter begins with 0 or
/// with 1, and the head is passed as long as it is at most N.
fn begin_counters(draft: &mut Draft, edges: &[(usize, usize)]) {
    let before = predecessors(draft);
    let first = |head: usize| {
        let sources: Vec<usize> = edges.iter().filter(|edge| edge.1 == head).map(|edge| edge.0).collect();
        // The only block of a loop is a whole round.
        let decides =
            |body: Body| !sources.contains(&head) && draft.blocks[head].end.successors().any(|next| !body.inside[next]);
        u64::from(!natural(&before, head, &sources).is_none_or(decides))
    };
    let firsts: Vec<_> = (0..draft.blocks.len()).map(|at| draft.blocks[at].head.map_or(0, |_| first(at))).collect();
    for at in 0..draft.blocks.len() {
        let heads: Vec<_> = draft.blocks[at]
            .end
            .successors()
            .filter(|&to| to > at)
            .filter_map(|to| Some((draft.blocks[to].head?.counter?, firsts[to])))
            .collect();
        let site = draft.blocks[at].site;
        draft.blocks[at]
            .code
            .extend(heads.into_iter().map(|(dst, value)| (Instruction::Constant { dst, value }, site)));
    }
}

/// The blocks of a loop that is entered only at its head.
fn natural(before: &[Vec<usize>], head: usize, sources: &[usize]) -> Option<Body> {
    let mut inside = vec![false; before.len()];
    inside[head] = true;
    let mut blocks = vec![head];
    let mut stack = sources.to_vec();
    while let Some(block) = stack.pop() {
        if inside[block] {
            continue;
        }
        // In order, a block before the head is not dominated by it.
        if block < head {
            return None;
        }
        inside[block] = true;
        blocks.push(block);
        stack.extend(&before[block]);
    }
    Some(Body { head, sources: sources.to_vec(), blocks, inside })
}

/// A loop that is entered only at its head.
struct Body {
    head: usize,
    /// The blocks that lead back to the head.
    sources: Vec<usize>,
    /// All its blocks.
    blocks: Vec<usize>,
    /// The same, by block.
    inside: Vec<bool>,
}

fn judge(draft: &mut Draft, liveness: &Liveness, body: &Body) {
    let head = body.head;
    let counter = draft.blocks[head].head.and_then(|mark| mark.counter);
    let mut carried = vec![false; draft.temps as usize];
    liveness.ins(head).filter(|&temp| Some(temp) != counter).for_each(|temp| carried[temp.index()] = true);
    let changes = body.blocks.iter().any(|&block| {
        let mut counted = draft.blocks[block].code.iter().filter_map(|(op, _)| counts_up(op));
        counted.any(|temp| carried[temp.index()] && writes(draft, body, temp) == 1 && unavoidable(draft, body, block))
    });
    let load = if changes { None } else { only_load(draft, body, &carried) };
    let awaits = load.filter(|&(block, _)| unavoidable(draft, body, block) && !repeats(draft, body));
    if let Some((block, index)) = awaits {
        mark_await(&mut draft.blocks[block].code[index].0);
    }
    if let Some(mark) = &mut draft.blocks[head].head {
        mark.changes = changes;
        mark.awaits = awaits.is_some();
    }
}

/// The register that an instruction changes by a constant, which is not 0.
fn counts_up(op: &Op) -> Option<Temp> {
    match *op {
        Instruction::Add32By { dst, a, value } | Instruction::Add64By { dst, a, value } if dst == a && value != 0 => {
            Some(dst)
        }
        _ => None,
    }
}

fn writes(draft: &Draft, body: &Body, wanted: Temp) -> usize {
    let mut count = 0;
    for (op, _) in body.blocks.iter().flat_map(|&block| &draft.blocks[block].code) {
        draft.visit(op, |_| {}, |temp| count += usize::from(temp == wanted));
    }
    count
}

/// Whether every way round the loop leads through a block.
fn unavoidable(draft: &Draft, body: &Body, block: usize) -> bool {
    let head = body.head;
    if block == head {
        return true;
    }
    let mut seen = vec![false; draft.blocks.len()];
    seen[head] = true;
    let mut stack = vec![head];
    while let Some(at) = stack.pop() {
        if body.sources.contains(&at) {
            return false;
        }
        for next in draft.blocks[at].end.successors() {
            if next != block && !seen[next] && body.inside[next] {
                seen[next] = true;
                stack.push(next);
            }
        }
    }
    true
}

/// Whether there are loops within the loop.
fn repeats(draft: &Draft, body: &Body) -> bool {
    body.blocks.iter().any(|&block| block != body.head && draft.blocks[block].head.is_some())
}

/// The one access that a loop makes, if it is a load, the loop calls nothing, and it changes
/// nothing that is carried over.
fn only_load(draft: &Draft, body: &Body, carried: &[bool]) -> Option<(usize, usize)> {
    let mut found = None;
    for &block in &body.blocks {
        for (index, (op, _)) in draft.blocks[block].code.iter().enumerate() {
            match op {
                Instruction::Load { .. } | Instruction::LoadAt { .. } if found.is_none() => {
                    found = Some((block, index))
                }
                Instruction::Partial { .. } | Instruction::Fence { .. } => {}
                op if op.is_pure() => {}
                _ => return None,
            }
            let mut changes = false;
            draft.visit(op, |_| {}, |temp| changes |= carried[temp.index()]);
            if changes {
                return None;
            }
        }
    }
    found
}

fn mark_await(op: &mut Op) {
    if let Instruction::Load { flags, .. } | Instruction::LoadAt { flags, .. } = op {
        *flags = flags.with(Flags::AWAIT);
    }
}
