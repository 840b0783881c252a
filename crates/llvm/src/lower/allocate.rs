//! Registers of the frame for the registers of a draft: few, since a machine copies frames.
//!
//! Each register of the draft is taken to matter from the first place where it does to the last, in
//! the order of the code; those whose stretches do not meet share a place in the frame.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::draft::{Draft, Temp};
use super::live::Liveness;

/// Where each register of a draft lives, and how many there are.
#[derive(Debug)]
pub(super) struct Allocation {
    registers: Vec<u16>,
    /// The size of the frame.
    pub(super) count: u16,
}

impl Allocation {
    /// Where a register lives.
    pub(super) fn of(&self, temp: Temp) -> u16 {
        self.registers[temp.index()]
    }
}

/// None where there are too many.
pub(super) fn allocate(draft: &Draft, liveness: &Liveness) -> Option<Allocation> {
    let stretches = stretches(draft, liveness);
    let mut registers = vec![0u16; draft.temps as usize];
    // What is in use, by the end of its stretch; and what was given back.
    let mut used: BinaryHeap<Reverse<(u32, u16)>> = BinaryHeap::new();
    let mut free: BinaryHeap<Reverse<u16>> = BinaryHeap::new();
    let mut count = u16::try_from(draft.parameters.len()).ok()?;
    for (register, &temp) in draft.parameters.iter().enumerate() {
        registers[temp.index()] = register as u16;
        used.push(Reverse((stretches[temp.index()].1, register as u16)));
    }
    let mut order: Vec<u32> = (0..draft.temps).filter(|&temp| stretches[temp as usize].0 != u32::MAX).collect();
    order.retain(|&temp| temp as usize >= draft.parameters.len());
    order.sort_unstable_by_key(|&temp| stretches[temp as usize].0);
    for temp in order {
        let (start, end) = stretches[temp as usize];
        while let Some(&Reverse((last, register))) = used.peek()
            && last < start
        {
            used.pop();
            free.push(Reverse(register));
        }
        let register = match free.pop() {
            Some(Reverse(register)) => register,
            None => {
                count = count.checked_add(1)?;
                count - 1
            }
        };
        registers[temp as usize] = register;
        used.push(Reverse((end, register)));
    }
    // A frame has at least one register, for results that nobody needs.
    Some(Allocation { registers, count: count.max(1) })
}

/// From where to where each register matters. An instruction reads at an even place and writes at
/// the odd one after it.
fn stretches(draft: &Draft, liveness: &Liveness) -> Vec<(u32, u32)> {
    let mut found = vec![(u32::MAX, 0u32); draft.temps as usize];
    let mut extend = |temp: Temp, at: u32| {
        let (start, end) = &mut found[temp.index()];
        *start = (*start).min(at);
        *end = (*end).max(at);
    };
    draft.parameters.iter().for_each(|&temp| extend(temp, 0));
    let mut position = 1u32;
    for (at, block) in draft.blocks.iter().enumerate() {
        liveness.ins(at).for_each(|temp| extend(temp, 2 * position));
        if let Some(counter) = block.head.and_then(|head| head.counter) {
            extend(counter, 2 * position + 1);
        }
        position += 1;
        for (op, _) in &block.code {
            draft.visit(op, |_| {}, |temp| extend(temp, 2 * position + 1));
            draft.visit(op, |temp| extend(temp, 2 * position), |_| {});
            position += 1;
        }
        draft.visit_end(&block.end, |temp| extend(temp, 2 * position));
        liveness.outs(at).for_each(|temp| extend(temp, 2 * position + 1));
        position += 1;
    }
    found
}
