//! Makes a draft smaller: copies and what nobody needs are removed, blocks that follow each other
//! become one.

use crate::code::instruction::{Instruction, LoadKind, Order};

use super::draft::{Block, Draft, End, Op, Temp};
use super::faint::remove_faint;
use super::live::Liveness;
use super::order::reverse_postorder;
use super::unpeel::unpeel;

/// All of it. Loops are put together with loads before them only where nobody counts their
/// iterations: that makes one more.
pub(super) fn clean(draft: &mut Draft, unpeels: bool) {
    arrange(draft);
    remove_last_ends(draft);
    forward(draft);
    remove_dead(draft);
    let straightened = remove_faint(draft);
    coalesce(draft);
    remove_dead(draft);
    let is_empty = |block: &Block| block.code.is_empty() && matches!(block.end, End::Jump(_));
    if straightened || draft.blocks[1..].iter().any(is_empty) {
        arrange(draft);
    }
    if unpeels && unpeel(draft) {
        arrange(draft);
    }
}

/// A scope that ends where the function is left needs no end of its own: all objects of the frame
/// go with it.
fn remove_last_ends(draft: &mut Draft) {
    let is_end = |op: &Op| matches!(op, Instruction::LifeEnd { .. });
    // Later blocks first: those that do nothing but end scopes and return, and whether something
    // comes before.
    let mut only_returns = vec![false; draft.blocks.len()];
    for at in (0..draft.blocks.len()).rev() {
        let block = &mut draft.blocks[at];
        let returns = match &block.end {
            End::Stop(op) => {
                let returns = Instruction::Return;
                *op == returns || matches!(op, Instruction::ReturnValue { .. } | Instruction::ReturnMany { .. })
            }
            End::Jump(to) => only_returns[*to],
            End::Branch(..) | End::Switch(..) => false,
        };
        if returns {
            let harmless = |op: &Op| op.is_pure() || is_end(op);
            let last = block.code.iter().rposition(|(op, _)| !harmless(op)).map_or(0, |last| last + 1);
            let ends = block.code.split_off(last);
            block.code.extend(ends.into_iter().filter(|(op, _)| !is_end(op)));
            only_returns[at] = last == 0;
        }
    }
}

/// Blocks in order, without those that do nothing, that nothing leads to, or that only follow one
/// other block.
fn arrange(draft: &mut Draft) {
    thread_jumps(draft);
    merge(draft);
    let order = reverse_postorder(draft.blocks.len(), |block| draft.blocks[block].end.successors().rev().collect());
    let mut places = vec![usize::MAX; draft.blocks.len()];
    for (place, &block) in order.iter().enumerate() {
        places[block] = place;
    }
    let mut old: Vec<_> = std::mem::take(&mut draft.blocks).into_iter().map(Some).collect();
    for &block in &order {
        draft.blocks.extend(old[block].take());
    }
    for block in &mut draft.blocks {
        block.end.redirect(|to| places[to]);
    }
}

/// Jumps to a block that only jumps on go to where it leads.
fn thread_jumps(draft: &mut Draft) {
    let next = |block: usize| match (&draft.blocks[block].code[..], &draft.blocks[block].end) {
        ([], End::Jump(to)) if block != 0 => Some(*to),
        _ => None,
    };
    let mut targets: Vec<usize> = (0..draft.blocks.len()).collect();
    for (block, target) in targets.iter_mut().enumerate() {
        // A circle of such blocks is a loop that does nothing; it stays.
        for _ in 0..draft.blocks.len() {
            match next(*target) {
                Some(to) if to != block => *target = to,
                _ => break,
            }
        }
    }
    for block in &mut draft.blocks {
        block.end.redirect(|to| targets[to]);
    }
}

/// A block that only one other leads to, and that always, becomes part of it.
fn merge(draft: &mut Draft) {
    let mut before = vec![0u32; draft.blocks.len()];
    let order = reverse_postorder(draft.blocks.len(), |block| draft.blocks[block].end.successors().collect());
    for &block in &order {
        draft.blocks[block].end.successors().for_each(|to| before[to] += 1);
    }
    let mut gone = vec![false; draft.blocks.len()];
    for &block in &order {
        while let End::Jump(to) = draft.blocks[block].end
            && before[to] == 1
            && to != 0
            && to != block
            && !gone[block]
        {
            let code = std::mem::take(&mut draft.blocks[to].code);
            let end = std::mem::replace(&mut draft.blocks[to].end, End::Stop(Instruction::Unreachable));
            let site = draft.blocks[to].site;
            gone[to] = true;
            let block = &mut draft.blocks[block];
            block.code.extend(code);
            block.end = end;
            block.site = site;
        }
    }
}

/// Within each block, reads of a copy become reads of the original while both hold the same. Where
/// something was computed for a variable, it is the variable that counts as the original, so that
/// it can be computed there in the first place.
fn forward(draft: &mut Draft) {
    let count = draft.temps as usize;
    let mut writes = vec![0u32; count];
    for (op, _) in draft.blocks.iter().flat_map(|block| &block.code) {
        draft.visit(op, |_| {}, |temp| writes[temp.index()] += 1);
    }
    // How often a register has been written; a copy is valid while neither it nor the original is
    // written again.
    let mut versions = vec![0u32; count];
    let mut copies: Vec<Option<Copy>> = vec![None; count];
    for at in 0..draft.blocks.len() {
        // Nothing is known at the beginning of a block.
        let mut seen = Vec::new();
        let mut code = std::mem::take(&mut draft.blocks[at].code);
        for (op, _) in &mut code {
            *op = draft.replace_reads(*op, |temp| original(&copies, &versions, temp));
            draft.visit(op, |_| {}, |temp| versions[temp.index()] += 1);
            if let Instruction::Move { dst, src } = *op
                && dst != src
            {
                let computed = writes[src.index()] == 1 && versions[src.index()] > 0 && writes[dst.index()] > 1;
                let (copy, of) = if computed { (src, dst) } else { (dst, src) };
                copies[copy.index()] = Some(Copy { of, own: versions[copy.index()], original: versions[of.index()] });
                seen.push(copy);
            }
        }
        draft.blocks[at].code = code;
        let end = std::mem::replace(&mut draft.blocks[at].end, End::Stop(Instruction::Unreachable));
        draft.blocks[at].end = draft.replace_end_reads(end, |temp| original(&copies, &versions, temp));
        for temp in seen {
            copies[temp.index()] = None;
        }
    }
}

#[derive(Clone, Copy)]
struct Copy {
    of: Temp,
    own: u32,
    original: u32,
}

fn original(copies: &[Option<Copy>], versions: &[u32], temp: Temp) -> Temp {
    match copies[temp.index()] {
        Some(copy) if copy.own == versions[temp.index()] && copy.original == versions[copy.of.index()] => copy.of,
        _ => temp,
    }
}

/// Removes computations of what nobody reads, and marks read-modify-writes whose result nobody
/// reads.
fn remove_dead(draft: &mut Draft) {
    let liveness = Liveness::of(draft);
    let mut live = vec![false; draft.temps as usize];
    for at in 0..draft.blocks.len() {
        let outs: Vec<Temp> = liveness.outs(at).collect();
        outs.iter().for_each(|temp| live[temp.index()] = true);
        draft.visit_end(&draft.blocks[at].end, |temp| live[temp.index()] = true);
        let mut code = std::mem::take(&mut draft.blocks[at].code);
        let mut touched = Vec::new();
        let mut kept = vec![true; code.len()];
        for (index, (op, _)) in code.iter_mut().enumerate().rev() {
            let mut needed = !op.is_pure();
            draft.visit(op, |_| {}, |temp| needed |= live[temp.index()]);
            if let Instruction::Modify { order, dst, .. } | Instruction::ModifyAt { order, dst, .. } = op
                && !live[dst.index()]
            {
                *order = order.with(Order::UNUSED);
            }
            let idle = matches!(op, Instruction::Move { dst, src } if dst == src);
            if !needed || idle {
                kept[index] = false;
                continue;
            }
            draft.visit(op, |_| {}, |temp| live[temp.index()] = false);
            draft.visit(
                op,
                |temp| {
                    live[temp.index()] = true;
                    touched.push(temp);
                },
                |_| {},
            );
        }
        let mut keep = kept.iter();
        code.retain(|_| keep.next().copied().unwrap_or(true));
        draft.visit_end(&draft.blocks[at].end, |temp| touched.push(temp));
        touched.iter().chain(&outs).for_each(|temp| live[temp.index()] = false);
        draft.blocks[at].code = code;
    }
}

/// What is computed only to be copied is computed where the copy is; what is loaded only to be
/// extended is loaded that way.
fn coalesce(draft: &mut Draft) {
    let count = draft.temps as usize;
    let (mut reads, mut writes) = (vec![0u32; count], vec![0u32; count]);
    for block in &draft.blocks {
        for (op, _) in &block.code {
            draft.visit(op, |temp| reads[temp.index()] += 1, |temp| writes[temp.index()] += 1);
        }
        draft.visit_end(&block.end, |temp| reads[temp.index()] += 1);
    }
    draft.parameters.iter().for_each(|temp| writes[temp.index()] += 1);
    // Where in the current block a register was written and read last, counted through all blocks.
    let (mut written, mut read) = (vec![0u32; count], vec![0u32; count]);
    let mut position = 1;
    for at in 0..draft.blocks.len() {
        let start = position;
        let mut code = std::mem::take(&mut draft.blocks[at].code);
        for index in 0..code.len() {
            let here = start + index as u32;
            if let Some((dst, src)) = taken_over(&code[index].0)
                && reads[src.index()] == 1
                && writes[src.index()] == 1
                && written[src.index()] >= start
            {
                let made = written[src.index()];
                let clear = written[dst.index()] < made && read[dst.index()] <= made;
                let maker = code[(made - start) as usize].0;
                if clear && let Some(new) = retarget(draft, maker, code[index].0, src, dst) {
                    code[(made - start) as usize].0 = new;
                    code[index].0 = Instruction::Move { dst, src: dst };
                    written[dst.index()] = made;
                    continue;
                }
            }
            draft.visit(&code[index].0, |temp| read[temp.index()] = here, |temp| written[temp.index()] = here);
        }
        position = start + code.len() as u32;
        code.retain(|(op, _)| !matches!(op, Instruction::Move { dst, src } if dst == src));
        draft.blocks[at].code = code;
    }
}

/// For an instruction that could be part of the one that made its operand: result and operand.
fn taken_over(op: &Op) -> Option<(Temp, Temp)> {
    match *op {
        Instruction::Move { dst, src } | Instruction::ZeroExtend { dst, src, .. } => Some((dst, src)),
        Instruction::Wrap { dst, src, bits: 1 } => Some((dst, src)),
        _ => None,
    }
}

/// `maker` with `dst` in place of `src`, doing what `op` does as well.
fn retarget(draft: &Draft, maker: Op, op: Op, src: Temp, dst: Temp) -> Option<Op> {
    // Results in tables stay where they are.
    let mut direct = false;
    maker.map(&mut |temp| temp, &mut |temp| {
        direct |= temp == src;
        temp
    });
    if !direct || !draft.lists(&maker).1.is_empty() {
        return None;
    }
    let kind = |kind: LoadKind| match op {
        Instruction::ZeroExtend { bits, .. } => match (kind, bits) {
            (LoadKind::I8, 8) => Some(LoadKind::U8),
            (LoadKind::I16, 16) => Some(LoadKind::U16),
            (LoadKind::I32, 32) => Some(LoadKind::U32),
            _ => None,
        },
        Instruction::Wrap { .. } => (kind == LoadKind::I8).then_some(LoadKind::Bool),
        _ => Some(kind),
    };
    let changed = match maker {
        Instruction::Load { dst, base, offset, kind: old, flags } => {
            Instruction::Load { dst, base, offset, kind: kind(old)?, flags }
        }
        Instruction::LoadAt { dst, address, kind: old, flags } => {
            Instruction::LoadAt { dst, address, kind: kind(old)?, flags }
        }
        other if matches!(op, Instruction::Move { .. }) => other,
        _ => return None,
    };
    Some(changed.map(&mut |temp| temp, &mut |temp| if temp == src { dst } else { temp }))
}
