//! Which accesses wait.
//!
//! A loop that makes exactly one access in each iteration, calls nothing, and writes to no register that it carries over from one
//! iteration to the next, does the same again as long as that access gives the same. So the access can be taken to be enabled
//! only where the iteration that it belongs to leaves the loop, or changes the memory. Loops with a load are known
//! to the lowering; here those with a read-modify-write are found.

use rustc_hash::FxHashMap;

use crate::code::instruction::{Instruction, Register};
use crate::code::operator::Flags;
use crate::code::{Image, Loop, Waiting};

/// The loop of each access that waits, by the access.
pub(super) fn accesses(image: &Image) -> FxHashMap<u32, u32> {
    let mut known = FxHashMap::default();
    for (repeat, number) in image.loops.iter().zip(0..) {
        if repeat.waiting != Waiting::Never
            && let Some(access) = only_access(image, repeat)
        {
            known.insert(access, number);
        }
    }
    known
}

/// The one access of a loop, if it waits.
fn only_access(image: &Image, repeat: &Loop) -> Option<u32> {
    let body = body(image, repeat.head as usize);
    let mut access = None;
    for &pc in &body {
        let instruction = image.code[pc];
        match instruction {
            Instruction::Load { flags, .. } | Instruction::LoadAt { flags, .. } => {
                let awaits = repeat.waiting == Waiting::Awaits && flags.has(Flags::AWAIT);
                if access.replace(pc as u32).is_some() || !awaits {
                    return None;
                }
            }
            Instruction::Modify { .. } | Instruction::ModifyAt { .. } | Instruction::CompareExchange { .. } => {
                if access.replace(pc as u32).is_some() {
                    return None;
                }
            }
            Instruction::Head { .. } if pc == repeat.head as usize => continue,
            other if !other.is_pure() && successors(pc, &other, image).is_none() => return None,
            Instruction::Head { .. } => return None,
            _ => {}
        }
        if writes(instruction).iter().flatten().any(|register| repeat.carried.contains(register)) {
            return None;
        }
    }
    access
}

/// The registers that an instruction writes; none of those here writes more than two.
fn writes(instruction: Instruction) -> [Option<Register>; 2] {
    let mut written = [None; 2];
    let mut count = 0;
    instruction.map(&mut |register| register, &mut |register| {
        if let Some(entry) = written.get_mut(count) {
            *entry = Some(register);
        }
        count += 1;
        register
    });
    written
}

/// The instructions of a loop: those after its head, in the order of the code, that lead back to it without leaving that part.
fn body(image: &Image, head: usize) -> Vec<usize> {
    // Forward from the head, then those of them that come back.
    let mut reached = Vec::new();
    let mut seen = rustc_hash::FxHashSet::default();
    let mut stack = vec![head];
    while let Some(pc) = stack.pop() {
        if pc < head || !seen.insert(pc) {
            continue;
        }
        reached.push(pc);
        if reached.len() > MOST_INSTRUCTIONS {
            return reached;
        }
        next(image, pc, |to| stack.push(to));
    }
    let mut inside: rustc_hash::FxHashSet<usize> = [head].into_iter().collect();
    let mut changed = true;
    while changed {
        changed = false;
        for &pc in &reached {
            let mut leads = false;
            next(image, pc, |to| leads |= inside.contains(&to));
            changed |= leads && inside.insert(pc);
        }
    }
    reached.retain(|pc| inside.contains(pc));
    reached
}

/// Loops that wait are small.
const MOST_INSTRUCTIONS: usize = 200;

/// Where an instruction leads, in the same function.
fn next(image: &Image, pc: usize, mut to: impl FnMut(usize)) {
    let instruction = &image.code[pc];
    match successors(pc, instruction, image) {
        Some(targets) => targets.into_iter().for_each(&mut to),
        None => match instruction {
            Instruction::Return
            | Instruction::ReturnValue { .. }
            | Instruction::ReturnMany { .. }
            | Instruction::Trap
            | Instruction::Unreachable => {}
            _ => to(pc + 1),
        },
    }
}

/// Where a jump leads; none for what is no jump.
fn successors(pc: usize, instruction: &Instruction, image: &Image) -> Option<Vec<usize>> {
    use Instruction::*;
    match *instruction {
        Jump { target } => Some(vec![target as usize]),
        JumpIfEqual { target, .. }
        | JumpIfNotEqual { target, .. }
        | JumpIfLess { target, .. }
        | JumpIfNotLess { target, .. }
        | JumpIfBelow { target, .. }
        | JumpIfNotBelow { target, .. }
        | JumpIfEqualTo { target, .. }
        | JumpIfNotEqualTo { target, .. }
        | JumpIfLessThan { target, .. }
        | JumpIfNotLessThan { target, .. }
        | JumpIfBelowThan { target, .. }
        | JumpIfNotBelowThan { target, .. } => Some(vec![target as usize, pc + 1]),
        Switch { table, .. } => {
            let switch = &image.switches[table as usize];
            let sparse = switch.sparse.iter().map(|entry| entry.1);
            let all = switch.dense.iter().copied().chain(sparse).chain([switch.otherwise]);
            Some(all.map(|target| target as usize).collect())
        }
        _ => None,
    }
}
