//! The loop that runs instructions.
//!
//! It knows one process's frame and the memory. What concerns other processes (spawning) or ends
//! the step is left to the caller: the loop gives back why it came to an end.

use std::slice;

use mazurka_machine::undo::write;
use mazurka_trace::{AccessKind, Choice, Event, Fault, FaultKind, ProcessId, SiteId, Value};

use crate::code::{Cells, FREE, Instruction};
use crate::hir::Binary;
use crate::operator::{apply, failure};

use super::state::{State, burn, touch};

/// The part of a frame before the locals: where the process is, how often it has spawned.
pub(super) const HEADER: usize = 2;

/// Why the loop came to an end, and at which instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Exit {
    /// At the next stop; whether the next step is local.
    Stopped(u32, bool),
    /// At the end of the process; whether it may hold a mutex.
    Ended(u32, bool),
    /// In front of a `spawn`; the arguments are on the stack.
    Spawns(u32),
    /// In front of an instruction that takes more than the loop can do: see [`resume`].
    Pauses(u32),
    /// The `lock` or `await` that was asked about can pass.
    Passes,
    /// At a `lock` or `await` that cannot pass.
    Blocked(u32),
    /// At an assumption that does not hold.
    Discarded,
    /// At a fault that ends the execution: see [`State::trouble`].
    Fault(u32),
    /// No fuel is left.
    OutOfFuel(u32),
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

/// Runs from `pc` until something other than a pause ends it. With `PROBE`, see [`run`].
pub(super) fn run_through<const PROBE: bool>(
    activation: Activation<'_>,
    state: &mut State,
    pc: usize,
    event: &mut Event,
) -> Exit {
    match run::<PROBE>(activation, state, activation.code[pc..].iter(), 0, event) {
        Exit::Pauses(pc) => resume::<PROBE>(activation, state, pc as usize, event),
        exit => exit,
    }
}

/// Goes on after a pause: makes a data choice, notes a failed assertion, or makes room.
#[cold]
#[inline(never)]
pub(super) fn resume<const PROBE: bool>(
    activation: Activation<'_>,
    state: &mut State,
    mut pc: usize,
    event: &mut Event,
) -> Exit {
    loop {
        let mut value = state.paused;
        match activation.code[pc] {
            Instruction::Choose => {
                let low = state.stack.pop().expect("the lower bound was pushed");
                let Some(chosen) = choose(low, value, activation.choices, event) else {
                    state.trouble = (FaultKind::EmptyChoice, [low, value]);
                    return Exit::Fault(pc as u32);
                };
                (pc, value) = (pc + 1, chosen);
            }
            Instruction::Assert => {
                let (process, site) = (activation.process, activation.places[pc]);
                event.faults.push(Fault { kind: FaultKind::Assertion, process, site, detail: [0; 2] });
                pc += 1;
            }
            _ => {
                state.log.reserve(1);
                state.stack.reserve(1);
                event.accesses.reserve(1);
            }
        }
        match run::<PROBE>(activation, state, activation.code[pc..].iter(), value, event) {
            Exit::Pauses(at) => pc = at as usize,
            exit => return exit,
        }
    }
}

/// Runs the `rest` of the code, with `value` in the accumulator. With `PROBE` nothing is recorded
/// in the event, and the first `lock` or `await` ends the run without being done; this is for code
/// that up to there changes nothing.
///
/// Nothing in the loop calls a function that returns, so that the compiler keeps what it works on
/// in registers: where a vector is full, it pauses.
#[inline(always)]
pub(super) fn run<'a, const PROBE: bool>(
    activation: Activation<'a>,
    state: &mut State,
    mut rest: slice::Iter<'a, Instruction>,
    mut value: Value,
    event: &mut Event,
) -> Exit {
    let Activation { code, process, frame, .. } = activation;
    let State { memory, log, stack, seats, fuel, trouble, paused, wanted } = state;
    let memory = &mut memory[..];
    let locals = frame + HEADER;

    // The instruction that was fetched last.
    macro_rules! pc {
        () => {
            (code.len() - rest.len() - 1) as u32
        };
    }
    macro_rules! jump {
        ($to:expr) => {
            rest = code[$to as usize..].iter()
        };
    }

    macro_rules! pause {
        () => {{
            *paused = value;
            return Exit::Pauses(pc!());
        }};
    }
    macro_rules! touch {
        ($slot:expr, $kind:expr, $before:expr, $after:expr) => {
            if !PROBE && !touch(seats, event, $slot, $kind, $before, $after) {
                pause!();
            }
        };
    }
    // Before a write to the log.
    macro_rules! room {
        ($vector:expr) => {
            if $vector.len() == $vector.capacity() {
                pause!();
            }
        };
    }
    macro_rules! set_local {
        ($local:expr, $value:expr) => {{
            room!(log);
            write(memory, log, locals + $local as usize, $value);
        }};
    }
    // A use of a location that changes it.
    macro_rules! change {
        ($slot:expr, $kind:expr, $before:expr, $after:expr) => {{
            touch!($slot, $kind, $before, $after);
            room!(log);
            write(memory, log, $slot, $after);
        }};
    }

    macro_rules! local {
        ($local:expr) => {
            memory[locals + $local as usize]
        };
    }
    macro_rules! read {
        ($slot:expr) => {{
            let slot = $slot as usize;
            let content = memory[slot];
            touch!(slot, AccessKind::Read, content, content);
            content
        }};
    }
    macro_rules! store {
        ($slot:expr, $value:expr) => {{
            let (slot, new): (usize, Value) = ($slot as usize, $value);
            let old = memory[slot];
            change!(slot, AccessKind::Write, old, new);
        }};
    }
    macro_rules! fault {
        ($kind:expr, $detail:expr) => {{
            *trouble = ($kind, $detail);
            return Exit::Fault(pc!());
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
                touch!(slot, AccessKind::Acquire, owner, owner);
                return Exit::Blocked(pc!());
            }
            if PROBE {
                return Exit::Passes;
            }
            let me = process.index() as Value;
            change!(slot, AccessKind::Acquire, FREE, me);
        }};
    }
    macro_rules! unlock {
        ($slot:expr) => {{
            let slot = $slot as usize;
            let owner = memory[slot];
            if owner != process.index() as Value {
                fault!(FaultKind::Lock, [slot as Value, owner]);
            }
            change!(slot, AccessKind::Release, owner, FREE);
        }};
    }

    while let Some(&instruction) = rest.next() {
        match instruction {
            Instruction::Stop(stop) => return Exit::Stopped(pc!(), stop.is_local),
            Instruction::End { locks } => return Exit::Ended(pc!(), locks),
            Instruction::Nowhere => unreachable!("a process that is not live was run"),

            Instruction::Constant(constant) => value = constant,
            Instruction::Local(local) => value = local!(local),
            Instruction::Global(slot) => value = read!(slot),
            Instruction::Cell(cells) => value = read!(cell!(cells, value)),
            Instruction::CellLocal(cells, index) => value = read!(cell!(cells, local!(index))),
            Instruction::Push => {
                room!(stack);
                stack.push(value);
            }
            Instruction::Binary(operator) => {
                let left = stack.pop().expect("an operand was pushed");
                binary!(operator, left, value);
            }
            Instruction::LocalBinaryConstant(operator, left, right) => binary!(operator, local!(left), right),
            Instruction::GlobalBinaryConstant(operator, left, right) => binary!(operator, read!(left), right),
            Instruction::BinaryConstant(operator, right) => binary!(operator, value, right),
            Instruction::BinaryLocal(operator, right) => binary!(operator, value, local!(right)),
            Instruction::BinaryGlobal(operator, slot) => binary!(operator, value, read!(slot)),
            Instruction::Negate => match value.checked_neg() {
                Some(result) => value = result,
                None => fault!(FaultKind::Overflow, [value, 0]),
            },
            Instruction::Not => value ^= 1,
            Instruction::Choose => pause!(),

            Instruction::Jump(to) => jump!(to),
            Instruction::Loop(to) => {
                if !burn(fuel, u64::from(pc!() - to) + 1) {
                    return Exit::OutOfFuel(pc!());
                }
                jump!(to);
            }
            Instruction::JumpIfFalse(to) => {
                if value == 0 {
                    jump!(to);
                }
            }
            Instruction::JumpIfTrue(to) => {
                if value != 0 {
                    jump!(to);
                }
            }

            Instruction::SetLocal(local) => set_local!(local, value),
            Instruction::SetGlobal(slot) => store!(slot, value),
            Instruction::SetCell(cells) => {
                // Popped at last, since it may pause.
                let index = *stack.last().expect("the index was pushed");
                store!(cell!(cells, index), value);
                stack.pop();
            }
            Instruction::SetCellLocal(cells, index) => store!(cell!(cells, local!(index)), value),
            Instruction::ConstantToLocal(local, constant) => set_local!(local, constant),
            Instruction::ConstantToGlobal(slot, constant) => store!(slot, constant),
            Instruction::AddToGlobal(slot, constant) => {
                let slot = slot as usize;
                let old = memory[slot];
                let Some(sum) = old.checked_add(constant) else {
                    touch!(slot, AccessKind::Read, old, old);
                    fault!(FaultKind::Overflow, [old, constant]);
                };
                change!(slot, AccessKind::Update, old, sum);
            }
            Instruction::LocalToGlobal { global, local } => store!(global, local!(local)),
            Instruction::GlobalToLocal { local, global } => {
                let content = read!(global);
                set_local!(local, content);
            }

            Instruction::Lock(slot) => lock!(slot),
            Instruction::LockCell(cells) => lock!(cell!(cells, value)),
            Instruction::Unlock(slot) => unlock!(slot),
            Instruction::UnlockCell(cells) => unlock!(cell!(cells, value)),
            Instruction::Await => {
                if value == 0 {
                    *wanted = None;
                    return Exit::Blocked(pc!());
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
                    pause!();
                }
            }
            Instruction::Spawn { .. } => return Exit::Spawns(pc!()),
        }
    }
    unreachable!("code ends with an end")
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
