//! Which accesses may wait.
//!
//! A loop that makes exactly one access in each iteration (besides those to the function's own
//! stack objects) does the same again as long as that access gives the same and nothing else
//! changes. So the access can be taken to be enabled only where the iteration that it belongs to
//! does not come back to the same state. Here the candidates are found; whether an iteration comes
//! back is seen when it is tried: see [`waiting`](super::waiting).
//!
//! The first access of an iteration with several of them can wait as well: see
//! [`trial`](super::trial).

use rustc_hash::FxHashSet;

use crate::code::instruction::{Instruction, Register};
use crate::code::{Image, Loop, Waiting};
use crate::native::Native;

use super::assumptions::accesses_before_assumptions;

/// Loops that wait are small.
const MOST_INSTRUCTIONS: usize = 300;

/// What is known, before the program runs, of what loops may wait for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Waits {
    /// The accesses that may wait.
    accesses: FxHashSet<u32>,
    /// Semaphores are looked at by somebody who does not wait for them.
    semaphores_are_tried: bool,
    /// The same of mutexes.
    pub(super) mutexes_are_tried: bool,
    /// There are loops whose iterations may begin with taking a mutex.
    pub(super) may_poll: bool,
    /// Somebody looks at the result of waiting at a barrier.
    pub(super) barriers_are_told_apart: bool,
    /// There are read-modify-writes by which a thread could take a lock in a loop.
    pub(super) may_fuse: bool,
    /// The accesses after which an assumption may fail.
    assumed: FxHashSet<u32>,
    /// There are such accesses.
    pub(super) has_assumptions: bool,
    /// There are accesses that may wait.
    pub(super) has_accesses: bool,
}

impl Waits {
    pub(super) fn of(image: &Image, function_of: &[usize]) -> Waits {
        let quiet = quiet(image, function_of);
        let waits = image.loops.iter().filter(|repeat| repeat.waiting != Waiting::Never);
        let mut accesses: FxHashSet<u32> = FxHashSet::default();
        for repeat in waits {
            accesses.extend(only_access(image, repeat, function_of, &quiet));
            accesses.extend(first_accesses(image, repeat, function_of));
        }
        let tries = |instruction: &Instruction| {
            let tries = |native: &Native| matches!(native, Native::SemaphoreTryWait | Native::SemaphoreValue);
            matches!(instruction, Instruction::Native { native, .. } if tries(native))
        };
        let tries_mutex = |instruction: &Instruction| {
            let tries = |native: &Native| matches!(native, Native::MutexTryLock | Native::MutexTimedLock);
            matches!(instruction, Instruction::Native { native, .. } if tries(native))
        };
        let assumed = if image.settings.shortcuts { accesses_before_assumptions(image) } else { FxHashSet::default() };
        let updates = |pc: &u32| is_update(&image.code[*pc as usize]);
        let updates = accesses.iter().any(updates) || image.code.iter().any(is_update);
        Waits {
            may_fuse: !accesses.is_empty() && updates,
            may_poll: accesses
                .iter()
                .any(|&pc| matches!(image.code[pc as usize], Instruction::Native { native: Native::MutexLock, .. })),
            has_accesses: !accesses.is_empty(),
            accesses,
            has_assumptions: !assumed.is_empty(),
            assumed,
            semaphores_are_tried: image.code.iter().any(tries),
            mutexes_are_tried: image.code.iter().any(tries_mutex),
            barriers_are_told_apart: (0..image.code.len()).any(|pc| {
                let Instruction::Native { native: Native::BarrierWait, dst, .. } = image.code[pc] else { return false };
                is_read_after(image, pc, dst)
            }),
        }
    }

    /// Whether an assumption may fail right after the access at this place.
    pub(super) fn may_assume(&self, pc: u32) -> bool {
        self.has_assumptions && self.assumed.contains(&pc)
    }

    /// Whether the access at this place may wait.
    pub(super) fn may_wait(&self, pc: u32) -> bool {
        self.accesses.contains(&pc)
    }

    /// Whether a call that succeeds takes a lock, or gives one back. An iteration of a loop that
    /// does both, and changes nothing else, could as well be left out, unless it is noticed by
    /// somebody who tries to take the lock: then the thread is told. A semaphore has no holder to
    /// be told.
    pub(super) fn takes(&self, native: Native) -> Option<bool> {
        use Native::*;
        match native {
            MutexLock | MutexTryLock | MutexTimedLock | SpinLock | SpinTryLock | RwLockRead | RwLockTryRead
            | RwLockTimedRead | RwLockWrite | RwLockTryWrite | RwLockTimedWrite => Some(true),
            MutexUnlock | SpinUnlock | RwLockUnlock => Some(false),
            SemaphoreWait if !self.semaphores_are_tried => Some(true),
            SemaphorePost if !self.semaphores_are_tried => Some(false),
            _ => None,
        }
    }
}

/// Which functions read no memory but their own stack objects, and call no others.
fn quiet(image: &Image, function_of: &[usize]) -> Vec<bool> {
    let mut quiet = vec![true; image.functions.len()];
    let mut calls = Vec::new();
    for (pc, instruction) in image.code.iter().enumerate() {
        let function = function_of[pc];
        match instruction {
            Instruction::Call { function: callee, .. } => calls.push((function, *callee as usize)),
            other if is_quiet(other) => {}
            _ => quiet[function] = false,
        }
    }
    let mut changed = true;
    while changed {
        changed = false;
        for &(caller, callee) in &calls {
            if quiet[caller] && !quiet[callee] {
                quiet[caller] = false;
                changed = true;
            }
        }
    }
    quiet
}

/// Whether an instruction other than a call reads no memory. (What it writes is seen when it is
/// tried.)
fn is_quiet(instruction: &Instruction) -> bool {
    !matches!(
        instruction,
        Instruction::Load { .. }
            | Instruction::LoadAt { .. }
            | Instruction::Modify { .. }
            | Instruction::ModifyAt { .. }
            | Instruction::CompareExchange { .. }
            | Instruction::Native { .. }
            | Instruction::CallIndirect { .. }
            | Instruction::AtomicBegin
            | Instruction::AtomicEnd
    )
}

/// The one access of a loop that it may wait for.
fn only_access(image: &Image, repeat: &Loop, function_of: &[usize], quiet: &[bool]) -> Option<u32> {
    let head = repeat.head as usize;
    let body = body(image, head);
    if body.len() > MOST_INSTRUCTIONS {
        return None;
    }
    let locals = locals(image, function_of, head);
    let mut access = None;
    for &pc in &body {
        match image.code[pc] {
            Instruction::Load { base, .. } if locals.contains(&base) => {}
            Instruction::Load { .. }
            | Instruction::LoadAt { .. }
            | Instruction::Modify { .. }
            | Instruction::ModifyAt { .. }
            | Instruction::CompareExchange { .. } => {
                if access.replace(pc as u32).is_some() {
                    return None;
                }
            }
            // An attempt that fails reads, and changes nothing.
            Instruction::Native {
                native: Native::MutexTryLock | Native::SpinTryLock | Native::RwLockTryRead | Native::RwLockTryWrite,
                ..
            } => {
                if access.replace(pc as u32).is_some() {
                    return None;
                }
            }
            Instruction::Call { function, .. } if quiet[function as usize] => {}
            Instruction::Call { .. } => return None,
            other if is_quiet(&other) => {}
            _ => return None,
        }
    }
    access
}

/// Whether a load can be the last access of an iteration. One that cannot, waits for nothing.
fn may_come_back(image: &Image, load: usize, locals: &FxHashSet<Register>) -> bool {
    let (mut seen, mut stack) = (FxHashSet::default(), vec![load + 1]);
    while let Some(pc) = stack.pop() {
        if !seen.insert(pc) {
            continue;
        }
        match image.code[pc] {
            Instruction::Head { .. }
            | Instruction::Call { .. }
            | Instruction::Return
            | Instruction::ReturnValue { .. }
            | Instruction::ReturnMany { .. } => return true,
            Instruction::Load { base, .. } if locals.contains(&base) => stack.push(pc + 1),
            ref other if is_quiet(other) => next(image, pc, |to| stack.push(to)),
            _ => {}
        }
    }
    false
}

/// Whether a register is read after an instruction that sets it, before it is set again.
fn is_read_after(image: &Image, pc: usize, wanted: Register) -> bool {
    let mut seen = FxHashSet::default();
    let mut stack = vec![pc + 1];
    while let Some(pc) = stack.pop() {
        if !seen.insert(pc) {
            continue;
        }
        let (mut reads, mut writes) = (false, false);
        let read = &mut |register: Register| {
            reads |= register == wanted;
            register
        };
        let write = &mut |register: Register| {
            writes |= register == wanted;
            register
        };
        image.code[pc].map(read, write);
        if let Instruction::Call { first, count, .. }
        | Instruction::CallIndirect { first, count, .. }
        | Instruction::Native { first, count, .. }
        | Instruction::ReturnMany { first, count } = image.code[pc]
        {
            let operands = &image.operands[first as usize..][..usize::from(count)];
            reads |= operands.iter().any(|operand| operand.register == wanted);
        }
        if reads {
            return true;
        }
        if !writes {
            next(image, pc, |to| stack.push(to));
        }
    }
    false
}

fn is_update(instruction: &Instruction) -> bool {
    use Instruction::{CompareExchange, Modify, ModifyAt};
    matches!(instruction, Modify { .. } | ModifyAt { .. } | CompareExchange { .. })
}

/// The accesses that can be the first of an iteration, in the loop itself or in what it calls.
fn first_accesses(image: &Image, repeat: &Loop, function_of: &[usize]) -> Vec<u32> {
    let head = repeat.head as usize;
    let inside: FxHashSet<usize> = body(image, head).into_iter().collect();
    if inside.len() > MOST_INSTRUCTIONS {
        return Vec::new();
    }
    let locals = locals(image, function_of, head);
    let (mut found, mut seen, mut stack) = (Vec::new(), FxHashSet::default(), vec![head]);
    while let Some(pc) = stack.pop() {
        let within = function_of[pc] == function_of[head];
        if (within && !inside.contains(&pc)) || !seen.insert(pc) || seen.len() > MOST_INSTRUCTIONS {
            continue;
        }
        match image.code[pc] {
            Instruction::Load { base, .. } if within && locals.contains(&base) => stack.push(pc + 1),
            Instruction::Load { .. } | Instruction::LoadAt { .. } if !may_come_back(image, pc, &locals) => {}
            Instruction::Load { .. } | Instruction::LoadAt { .. } => found.push(pc as u32),
            Instruction::Native { native: Native::MutexLock, .. } => found.push(pc as u32),
            ref update if is_update(update) => found.push(pc as u32),
            Instruction::Call { function, .. } => {
                stack.push(image.functions[function as usize].entry as usize);
                stack.push(pc + 1);
            }
            Instruction::Native { .. } | Instruction::CallIndirect { .. } | Instruction::AtomicBegin => {}
            _ => next(image, pc, |to| stack.push(to)),
        }
    }
    found
}

/// The registers of a function that hold addresses of its stack objects and nothing else.
fn locals(image: &Image, function_of: &[usize], within: usize) -> FxHashSet<Register> {
    let (mut held, mut others) = (FxHashSet::default(), FxHashSet::default());
    let code = image.code.iter().zip(function_of).filter(|(_, function)| **function == function_of[within]);
    for (instruction, _) in code {
        let is_local = matches!(instruction, Instruction::Alloca { .. });
        instruction.map(&mut |register| register, &mut |register| {
            if is_local { &mut held } else { &mut others }.insert(register);
            register
        });
    }
    held.retain(|register| !others.contains(register));
    held
}

/// The instructions of a loop: those after its head, in the order of the code, that lead back to it
/// without leaving that part.
fn body(image: &Image, head: usize) -> Vec<usize> {
    let mut reached = Vec::new();
    let mut seen = FxHashSet::default();
    let mut stack = vec![head];
    while let Some(pc) = stack.pop() {
        if pc < head || !seen.insert(pc) {
            continue;
        }
        reached.push(pc);
        if reached.len() > 8 * MOST_INSTRUCTIONS {
            return reached;
        }
        next(image, pc, |to| stack.push(to));
    }
    let mut inside: FxHashSet<usize> = [head].into_iter().collect();
    let mut changed = true;
    while changed {
        changed = false;
        for &pc in reached.iter().rev() {
            let mut leads = false;
            next(image, pc, |to| leads |= inside.contains(&to));
            changed |= leads && inside.insert(pc);
        }
    }
    reached.retain(|pc| inside.contains(pc));
    reached
}

/// Where an instruction leads, in the same function.
pub(super) fn next(image: &Image, pc: usize, mut to: impl FnMut(usize)) {
    use Instruction::*;
    match image.code[pc] {
        Return | ReturnValue { .. } | ReturnMany { .. } | Trap | Unreachable => {}
        Jump { target } => to(target as usize),
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
        | JumpIfNotBelowThan { target, .. } => {
            to(target as usize);
            to(pc + 1);
        }
        Switch { table, .. } => {
            let switch = &image.switches[table as usize];
            let sparse = switch.sparse.iter().map(|entry| entry.1);
            switch.dense.iter().copied().chain(sparse).chain([switch.otherwise]).for_each(|target| to(target as usize));
        }
        _ => to(pc + 1),
    }
}
