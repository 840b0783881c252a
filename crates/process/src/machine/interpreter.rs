//! The loop that runs instructions.
//!
//! It knows one process's frame and the memory. What concerns other processes (spawning) or ends the step is left to
//! the caller: the loop gives back why it came to an end.

use mazurka_trace::{AccessKind, Choice, Event, Fault, FaultKind, ProcessId, SiteId, Value};

use crate::code::{Cells, FREE, Instruction};
use crate::hir::Binary;

use super::arithmetic::{apply, failure};
use super::state::{State, burn, touch, write};

/// The part of a frame before the locals: where the process is, how often it has spawned.
pub(super) const HEADER: usize = 2;

/// Why the loop came to an end, and at which instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Exit {
    /// At the next stop; whether the next step is internal.
    Stopped(usize, bool),
    /// At the end of the process; whether it may hold a mutex.
    Ended(usize, bool),
    /// In front of a `spawn`; the arguments are on the stack.
    Spawns(usize),
    /// The `lock` or `await` that was asked about can pass.
    Passes,
    /// At a `lock` or `await` that cannot pass.
    Blocked(usize),
    /// At an assumption that does not hold.
    Discarded,
    /// At a fault that ends the execution: see [`State::trouble`].
    Fault(usize),
    /// No fuel is left.
    OutOfFuel(usize),
}

/// Whose code is run, from where.
#[derive(Clone, Copy, Debug)]
pub(super) struct Activation<'a> {
    pub(super) code: &'a [Instruction],
    pub(super) places: &'a [SiteId],
    pub(super) process: ProcessId,
    pub(super) frame: usize,
    /// The values for data choices.
    pub(super) choices: &'a [Value],
}

/// Runs from `pc`. With `PROBE` nothing is recorded in the event, and the first `lock` or `await` ends the run without
/// being done; this is for code that up to there changes nothing.
#[inline(always)]
pub(super) fn run<const PROBE: bool>(
    activation: Activation<'_>,
    state: &mut State,
    mut pc: usize,
    event: &mut Event,
) -> Exit {
    let Activation { code, places, process, frame, choices } = activation;
    let State { memory, log, stack, seats, fuel, trouble, wanted } = state;
    let (memory, seats) = (&mut memory[..], &mut seats[..]);
    let locals = frame + HEADER;
    let mut value: Value = 0;

    macro_rules! local {
        ($local:expr) => {
            memory[locals + $local as usize]
        };
    }
    macro_rules! read {
        ($slot:expr) => {{
            let slot = $slot as usize;
            let content = memory[slot];
            if !PROBE {
                touch(seats, event, slot, AccessKind::Read, content, content);
            }
            content
        }};
    }
    macro_rules! store {
        ($slot:expr, $value:expr) => {{
            let (slot, value) = ($slot as usize, $value);
            let old = write(memory, log, slot, value);
            touch(seats, event, slot, AccessKind::Write, old, value);
        }};
    }
    macro_rules! fault {
        ($kind:expr, $detail:expr) => {{
            *trouble = ($kind, $detail);
            return Exit::Fault(pc);
        }};
    }
    macro_rules! cell {
        ($cells:expr, $index:expr) => {{
            let (cells, index): (Cells, Value) = ($cells, $index);
            if index as u64 >= u64::from(cells.length) {
                fault!(FaultKind::Bounds, [index, Value::from(cells.length)]);
            }
            cells.first as usize + index as usize
        }};
    }
    macro_rules! binary {
        ($operator:expr, $left:expr, $right:expr) => {{
            let (operator, left, right): (Binary, Value, Value) = ($operator, $left, $right);
            match apply(operator, left, right) {
                Some(result) => value = result,
                None => fault!(failure(operator, right), [left, right]),
            }
        }};
    }
    macro_rules! lock {
        ($slot:expr) => {{
            let slot = $slot as usize;
            let owner = memory[slot];
            if owner != FREE {
                *wanted = Some(mazurka_trace::LocationId::new(slot));
                if !PROBE {
                    touch(seats, event, slot, AccessKind::Acquire, owner, owner);
                }
                return Exit::Blocked(pc);
            }
            if PROBE {
                return Exit::Passes;
            }
            let me = process.index() as Value;
            write(memory, log, slot, me);
            touch(seats, event, slot, AccessKind::Acquire, FREE, me);
        }};
    }
    macro_rules! unlock {
        ($slot:expr) => {{
            let slot = $slot as usize;
            let owner = memory[slot];
            if owner != process.index() as Value {
                fault!(FaultKind::Lock, [slot as Value, owner]);
            }
            write(memory, log, slot, FREE);
            touch(seats, event, slot, AccessKind::Release, owner, FREE);
        }};
    }

    loop {
        match code[pc] {
            Instruction::Stop(stop) => return Exit::Stopped(pc, stop.internal),
            Instruction::End { locks } => return Exit::Ended(pc, locks),
            Instruction::Nowhere => unreachable!("a process that is not live was run"),

            Instruction::Constant(constant) => value = constant,
            Instruction::Local(local) => value = local!(local),
            Instruction::Global(slot) => value = read!(slot),
            Instruction::Cell(cells) => value = read!(cell!(cells, value)),
            Instruction::CellLocal(cells, index) => value = read!(cell!(cells, local!(index))),
            Instruction::Push => stack.push(value),
            Instruction::Binary(operator) => {
                let left = stack.pop().expect("an operand was pushed");
                binary!(operator, left, value);
            }
            Instruction::BinaryConstant(operator, right) => binary!(operator, value, right),
            Instruction::BinaryLocal(operator, right) => binary!(operator, value, local!(right)),
            Instruction::BinaryGlobal(operator, slot) => binary!(operator, value, read!(slot)),
            Instruction::Negate => match value.checked_neg() {
                Some(result) => value = result,
                None => fault!(FaultKind::Overflow, [value, 0]),
            },
            Instruction::Not => value ^= 1,
            Instruction::Choose => {
                let low = stack.pop().expect("the lower bound was pushed");
                match choose(low, value, choices, event) {
                    Some(chosen) => value = chosen,
                    None => fault!(FaultKind::EmptyChoice, [low, value]),
                }
            }

            Instruction::Jump(to) => {
                pc = to as usize;
                continue;
            }
            Instruction::Loop(to) => {
                if !burn(fuel, (pc - to as usize) as u64 + 1) {
                    return Exit::OutOfFuel(pc);
                }
                pc = to as usize;
                continue;
            }
            Instruction::JumpIfFalse(to) => {
                if value == 0 {
                    pc = to as usize;
                    continue;
                }
            }
            Instruction::JumpIfTrue(to) => {
                if value != 0 {
                    pc = to as usize;
                    continue;
                }
            }

            Instruction::SetLocal(local) => {
                write(memory, log, locals + local as usize, value);
            }
            Instruction::SetGlobal(slot) => store!(slot, value),
            Instruction::SetCell(cells) => {
                let index = stack.pop().expect("the index was pushed");
                store!(cell!(cells, index), value);
            }
            Instruction::SetCellLocal(cells, index) => store!(cell!(cells, local!(index)), value),
            Instruction::ConstantToLocal(local, constant) => {
                write(memory, log, locals + local as usize, constant);
            }
            Instruction::ConstantToGlobal(slot, constant) => store!(slot, constant),
            Instruction::AddToGlobal(slot, constant) => {
                let slot = slot as usize;
                let old = memory[slot];
                match old.checked_add(constant) {
                    Some(sum) => {
                        write(memory, log, slot, sum);
                        touch(seats, event, slot, AccessKind::Update, old, sum);
                    }
                    None => {
                        touch(seats, event, slot, AccessKind::Read, old, old);
                        fault!(FaultKind::Overflow, [old, constant]);
                    }
                }
            }
            Instruction::LocalToGlobal { global, local } => store!(global, local!(local)),
            Instruction::GlobalToLocal { local, global } => {
                let content = read!(global);
                write(memory, log, locals + local as usize, content);
            }

            Instruction::Lock(slot) => lock!(slot),
            Instruction::LockCell(cells) => lock!(cell!(cells, value)),
            Instruction::Unlock(slot) => unlock!(slot),
            Instruction::UnlockCell(cells) => unlock!(cell!(cells, value)),
            Instruction::Await => {
                if value == 0 {
                    *wanted = None;
                    return Exit::Blocked(pc);
                }
                if PROBE {
                    return Exit::Passes;
                }
            }
            Instruction::Assume => {
                if value == 0 {
                    return Exit::Discarded;
                }
            }
            Instruction::Assert => {
                if value == 0 {
                    assertion_failed(process, places[pc], event);
                }
            }
            Instruction::Spawn { .. } => return Exit::Spawns(pc),
        }
        pc += 1;
    }
}

#[cold]
fn assertion_failed(process: ProcessId, site: SiteId, event: &mut Event) {
    event.faults.push(Fault { kind: FaultKind::Assertion, process, site, detail: [0; 2] });
}

/// The next choice, from those given or the lowest.
fn choose(low: Value, high: Value, choices: &[Value], event: &mut Event) -> Option<Value> {
    if low > high {
        return None;
    }
    let given = choices.get(event.choices.len()).copied();
    let value = given.filter(|given| (low..=high).contains(given)).unwrap_or(low);
    event.choices.push(Choice { value, low, high });
    Some(value)
}
