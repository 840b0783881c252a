//! The loop that runs instructions.
//!
//! It knows one thread's topmost frame and the memory. What takes more than that (calls of modelled
//! functions, stack objects, large copies, atomic blocks, accesses that are not plain) is left to
//! the caller, which does one instruction and comes back.
//!
//! There are two instances. The fast one takes all registers to be defined, and gives up before it
//! would have to remember one that is not; the careful one knows for each bit of each register
//! whether it is defined.

use mazurka_trace::{Access, AccessKind, FaultKind, LocationId, Value};

use crate::code::Image;
use crate::code::instruction::Instruction;
use crate::code::operator::Flags;
use crate::library::misuse::Misuse;
use crate::native::Native;

use super::arithmetic::{self, wrap, zero};
use super::call::Grant;
use super::frames::enter;
use super::log::{Change, What};
use super::memory::{MASKS, set_window, split, window};
use super::object::SHARED;
use super::soft;
use super::state::State;
use super::thread::{Rest, word};
use super::turn::{Exit, Turn};

/// Whether a thread rests before a call of this function without having to ask.
#[inline]
fn is_always_visible(native: Native) -> bool {
    matches!(native, Native::ThreadJoin | Native::ThreadCreate | Native::MutexLock | Native::MutexUnlock)
}

/// Whether nothing comes after the call at this place but the end of the program. Then nobody asks
/// what becomes of stack objects, unless it counts what they point to.
fn is_last_return(image: &Image, pc: u32) -> bool {
    let next = image.code.get(pc as usize + 1);
    matches!(next, Some(Instruction::Native { native: Native::Exit, .. })) && !image.settings.leaks
}

/// From the lowest undefined bit on, a sum is undefined.
#[inline]
fn smear(taint: u64) -> u64 {
    if taint == 0 { 0 } else { u64::MAX << taint.trailing_zeros() }
}

/// All or nothing.
#[inline]
fn any(taint: u64) -> u64 {
    if taint == 0 { 0 } else { u64::MAX }
}

/// Runs until something other than a plain instruction comes.
#[inline(never)]
pub(crate) fn run<const CAREFUL: bool>(turn: &mut Turn<'_>) -> Exit {
    let Turn { image, state, copies, event, thread, grant, atomic, saved, fuel, watching, waits, .. } = turn;
    let image: &Image = image;
    let code = &image.code[..];
    let me = thread.index();
    let State { memory, threads, words, fixed, order, observes, .. } = &mut **state;
    let thread = &mut threads[me];
    'frame: loop {
        let depth = thread.frames.len() - 1;
        let frame = thread.frames[depth];
        let range = frame.base as usize..(frame.base + frame.size) as usize;
        let regs = &mut thread.registers[range.clone()];
        let mut nothing: [u64; 0] = [];
        let taints = if CAREFUL { &mut thread.taints[range] } else { &mut nothing[..] };
        let mut pc = frame.pc as usize;

        macro_rules! leave {
            ($exit:expr) => {{
                thread.frames[depth].pc = pc as u32;
                return $exit;
            }};
        }
        macro_rules! rest {
            ($rest:expr) => {{
                thread.frames[depth].rest = $rest;
                leave!(Exit::Rests($rest))
            }};
        }
        macro_rules! fault {
            ($kind:expr, $detail:expr) => {
                leave!(Exit::Fault($kind, $detail))
            };
        }
        // See `State::is_alone`.
        macro_rules! alone {
            () => {
                me == 0 && words[word::BALANCE] == 0
            };
        }
        macro_rules! get {
            ($register:expr) => {
                regs[$register.index()]
            };
        }
        macro_rules! taint {
            ($register:expr) => {
                if CAREFUL { taints[$register.index()] } else { 0 }
            };
        }
        // Sets a register; `$taint` says which bits of the result are undefined.
        macro_rules! set {
            ($dst:expr, $value:expr, $taint:expr) => {{
                let value = $value;
                if CAREFUL {
                    let taint = $taint;
                    taints[$dst.index()] = taint;
                }
                regs[$dst.index()] = value;
            }};
        }
        // What decides must be defined.
        macro_rules! decide {
            ($($register:expr),*) => {
                if CAREFUL && (0 $(| taints[$register.index()])*) != 0 {
                    fault!(FaultKind::Uninitialised, [0; 2]);
                }
            };
        }
        macro_rules! sum {
            ($dst:expr, $a:expr, $b:expr, $value:expr) => {
                set!($dst, $value, smear(taint!($a) | taint!($b)))
            };
        }
        macro_rules! sum_by {
            ($dst:expr, $a:expr, $value:expr) => {
                set!($dst, $value, smear(taint!($a)))
            };
        }
        macro_rules! jump_if {
            ($condition:expr, $target:expr) => {
                if $condition {
                    pc = $target as usize;
                    continue;
                }
            };
        }
        macro_rules! load {
            ($dst:expr, $address:expr, $kind:expr, $flags:expr) => {{
                let (slot, offset) = split($address);
                let width = $kind.width() as usize;
                let Some(object) = memory.objects.get(slot) else { leave!(Exit::Pauses) };
                let fits = u64::from(offset) + (1 << width) <= u64::from(object.size);
                let at = object.base.wrapping_add(offset) as usize;
                if object.access == me as u32 && fits {
                    if object.undefined > 0 && memory.taint(at, MASKS[width]) != 0 {
                        if !CAREFUL {
                            leave!(Exit::Careful);
                        }
                        leave!(Exit::Pauses);
                    }
                    set!($dst, $kind.extend(window(&memory.bytes, at) & MASKS[width]), 0);
                } else if object.access == SHARED {
                    if *grant != Grant::Step {
                        // Nobody notices what one reads that is alone.
                        if alone!() && !*watching && fits && object.undefined == 0 && !*observes {
                            set!($dst, $kind.extend(window(&memory.bytes, at) & MASKS[width]), 0);
                            pc += 1;
                            continue;
                        }
                        if *watching || alone!() || waits.has_assumptions {
                            leave!(Exit::Pauses);
                        }
                        rest!(Rest::Ready);
                    }
                    let plain = object.undefined == 0 && usize::from(object.shift) == width && *atomic == 0;
                    let aligned = offset & ((1 << width) - 1) == 0;
                    if !plain || !fits || !aligned || *watching {
                        leave!(Exit::Pauses);
                    }
                    let value = window(&memory.bytes, at) & MASKS[width];
                    let location = LocationId::new((object.first + (offset >> width)) as usize);
                    let (before, after) = (value as Value, value as Value);
                    event.accesses.push(Access { location, kind: AccessKind::Read, before, after });
                    event.plain = !$flags.has(Flags::ATOMIC);
                    *grant = Grant::Nothing;
                    set!($dst, $kind.extend(value), 0);
                } else {
                    leave!(Exit::Pauses);
                }
            }};
        }
        macro_rules! store {
            ($value:expr, $taint:expr, $address:expr, $width:expr, $flags:expr) => {{
                let (slot, offset) = split($address);
                let width = $width as usize;
                let value: u64 = $value;
                if CAREFUL && $taint != 0 {
                    leave!(Exit::Pauses);
                }
                let Some(object) = memory.objects.get(slot) else { leave!(Exit::Pauses) };
                let fits = u64::from(offset) + (1 << width) <= u64::from(object.size);
                let at = object.base.wrapping_add(offset) as usize;
                if object.access == me as u32 && fits {
                    memory.put(slot, at, width, value);
                } else if object.access == SHARED {
                    if *grant != Grant::Step {
                        if alone!() {
                            leave!(Exit::Pauses);
                        }
                        rest!(Rest::Ready);
                    }
                    let plain = object.undefined == 0 && usize::from(object.shift) == width && *atomic == 0;
                    // What may be an address is the caller's to do: it may have to be published.
                    let target = (value >> 32) as usize;
                    let points = width == 3 && target >= *fixed && target < memory.objects.len();
                    if !plain || !fits || offset & ((1 << width) - 1) != 0 || points {
                        leave!(Exit::Pauses);
                    }
                    let old = window(&memory.bytes, at);
                    memory.log.push(Change { at: at as u32, what: What::Bytes, old });
                    set_window(&mut memory.bytes, at, old & !MASKS[width] | value & MASKS[width]);
                    let location = LocationId::new((object.first + (offset >> width)) as usize);
                    let (before, after) = ((old & MASKS[width]) as Value, (value & MASKS[width]) as Value);
                    event.accesses.push(Access { location, kind: AccessKind::Write, before, after });
                    event.plain = !$flags.has(Flags::ATOMIC);
                    *grant = Grant::Nothing;
                } else {
                    leave!(Exit::Pauses);
                }
            }};
        }
        // Leaves the frame; the instruction that called it says what to do with the results.
        macro_rules! return_to_caller {
            ($result:expr, $taint:expr, $sets:expr) => {{
                let (result, taint): (u64, u64) = ($result, $taint);
                if words[me * word::COUNT + word::STACK] > u64::from(frame.stack)
                    && !(depth == 1 && alone!() && is_last_return(image, thread.frames[0].pc))
                {
                    leave!(Exit::Pauses);
                }
                if depth == 0 {
                    leave!(Exit::Returned(result));
                }
                thread.frames.pop();
                if depth - 1 < *saved {
                    copies.save(thread);
                    *saved = depth - 1;
                }
                let caller = &mut thread.frames[depth - 1];
                // What the library has to do at the end of a thread is called by no instruction.
                let call = &code[caller.pc as usize];
                if let Instruction::Call { dst, .. } | Instruction::CallIndirect { dst, .. } = call {
                    caller.pc += 1;
                    if $sets {
                        let at = caller.base as usize + dst.index();
                        thread.registers[at] = result;
                        if CAREFUL {
                            thread.taints[at] = taint;
                        }
                    }
                }
                continue 'frame;
            }};
        }

        loop {
            match code[pc] {
                Instruction::Move { dst, src } => set!(dst, get!(src), taint!(src)),
                Instruction::Constant { dst, value } => set!(dst, value, 0),
                Instruction::Undefined { dst } => {
                    if !CAREFUL {
                        leave!(Exit::Careful);
                    }
                    set!(dst, 0, u64::MAX);
                }
                Instruction::Select { dst, condition, yes, no } => {
                    decide!(condition);
                    let src = if get!(condition) != 0 { yes } else { no };
                    set!(dst, get!(src), taint!(src));
                }

                Instruction::Add64 { dst, a, b } => sum!(dst, a, b, get!(a).wrapping_add(get!(b))),
                Instruction::Add32 { dst, a, b } => sum!(dst, a, b, get!(a).wrapping_add(get!(b)) as i32 as u64),
                Instruction::Subtract64 { dst, a, b } => sum!(dst, a, b, get!(a).wrapping_sub(get!(b))),
                Instruction::Subtract32 { dst, a, b } => sum!(dst, a, b, get!(a).wrapping_sub(get!(b)) as i32 as u64),
                Instruction::Multiply64 { dst, a, b } => sum!(dst, a, b, get!(a).wrapping_mul(get!(b))),
                Instruction::Multiply32 { dst, a, b } => sum!(dst, a, b, get!(a).wrapping_mul(get!(b)) as i32 as u64),
                Instruction::And { dst, a, b } => {
                    let (x, y, s, t) = (get!(a), get!(b), taint!(a), taint!(b));
                    set!(dst, x & y, (s & t) | (s & y) | (t & x));
                }
                Instruction::Or { dst, a, b } => {
                    let (x, y, s, t) = (get!(a), get!(b), taint!(a), taint!(b));
                    set!(dst, x | y, (s & t) | (s & !y) | (t & !x));
                }
                Instruction::Xor { dst, a, b } => set!(dst, get!(a) ^ get!(b), taint!(a) | taint!(b)),
                Instruction::Add64By { dst, a, value } => sum_by!(dst, a, get!(a).wrapping_add(value as u64)),
                Instruction::Add32By { dst, a, value } => sum_by!(dst, a, (get!(a) as i32).wrapping_add(value) as u64),
                Instruction::SubtractFrom64 { dst, a, value } => sum_by!(dst, a, (value as u64).wrapping_sub(get!(a))),
                Instruction::SubtractFrom32 { dst, a, value } => {
                    sum_by!(dst, a, value.wrapping_sub(get!(a) as i32) as u64);
                }
                Instruction::Multiply64By { dst, a, value } => sum_by!(dst, a, get!(a).wrapping_mul(value as u64)),
                Instruction::Multiply32By { dst, a, value } => {
                    sum_by!(dst, a, (get!(a) as i32).wrapping_mul(value) as u64);
                }
                Instruction::AndBy { dst, a, value } => set!(dst, get!(a) & value as u64, taint!(a) & value as u64),
                Instruction::OrBy { dst, a, value } => set!(dst, get!(a) | value as u64, taint!(a) & !(value as u64)),
                Instruction::XorBy { dst, a, value } => set!(dst, get!(a) ^ value as u64, taint!(a)),
                Instruction::ShiftLeftBy { dst, a, by, bits } => {
                    set!(dst, wrap(get!(a) << by, bits), wrap(taint!(a) << by, bits));
                }
                Instruction::ShiftRightBy { dst, a, by, bits } => {
                    let shift = |x: u64| wrap(zero(x, bits) >> by, bits);
                    set!(dst, shift(get!(a)), shift(taint!(a)));
                }
                Instruction::ShiftRightSignedBy { dst, a, by } => {
                    set!(dst, (get!(a) as i64 >> by) as u64, (taint!(a) as i64 >> by) as u64);
                }
                Instruction::Wrap { dst, src, bits } => set!(dst, wrap(get!(src), bits), wrap(taint!(src), bits)),
                Instruction::ZeroExtend { dst, src, bits } => set!(dst, zero(get!(src), bits), zero(taint!(src), bits)),
                Instruction::Partial { op, bits, dst, a, b } => {
                    if CAREFUL && arithmetic::divides(op) {
                        decide!(b);
                    }
                    match arithmetic::partial(op, bits, get!(a), get!(b)) {
                        Ok(value) => set!(dst, value, any(taint!(a) | taint!(b))),
                        Err(kind) => fault!(kind, [get!(a) as Value, get!(b) as Value]),
                    }
                }
                Instruction::Rare { op, bits, dst, a, b } => {
                    set!(dst, arithmetic::rare(op, bits, get!(a), get!(b)), any(taint!(a) | taint!(b)));
                }
                Instruction::Overflowing { op, bits, dst, flag, a, b } => {
                    let (value, overflows) = arithmetic::overflowing(op, bits, get!(a), get!(b));
                    let taint = any(taint!(a) | taint!(b));
                    set!(dst, value, taint);
                    set!(flag, u64::from(overflows), taint);
                }
                Instruction::FunnelLeft { bits, dst, high, low, by } => {
                    let taint = any(taint!(high) | taint!(low) | taint!(by));
                    set!(dst, arithmetic::funnel(true, bits, get!(high), get!(low), get!(by)), taint);
                }
                Instruction::FunnelRight { bits, dst, high, low, by } => {
                    let taint = any(taint!(high) | taint!(low) | taint!(by));
                    set!(dst, arithmetic::funnel(false, bits, get!(high), get!(low), get!(by)), taint);
                }
                Instruction::Wide { op, low, high, a_low, a_high, b_low, b_high } => {
                    let a = u128::from(get!(a_low)) | u128::from(get!(a_high)) << 64;
                    let b = u128::from(get!(b_low)) | u128::from(get!(b_high)) << 64;
                    let taint = any(taint!(a_low) | taint!(a_high) | taint!(b_low) | taint!(b_high));
                    match arithmetic::wide(op, a, b) {
                        Ok(value) => {
                            set!(low, value as u64, taint);
                            set!(high, (value >> 64) as u64, taint);
                        }
                        Err(kind) => fault!(kind, [get!(a_low) as Value, get!(b_low) as Value]),
                    }
                }
                Instruction::Compare { condition, dst, a, b } => {
                    let taint = any(taint!(a) | taint!(b)) & 1;
                    set!(dst, u64::from(condition.holds(get!(a), get!(b))), taint);
                }
                Instruction::CompareWith { condition, dst, a, value } => {
                    set!(dst, u64::from(condition.holds(get!(a), value as u64)), any(taint!(a)) & 1);
                }

                Instruction::FloatBinary { op, double, dst, a, b } => {
                    set!(dst, arithmetic::float_binary(op, double, get!(a), get!(b)), any(taint!(a) | taint!(b)));
                }
                Instruction::FloatUnary { op, double, dst, a } => {
                    set!(dst, arithmetic::float_unary(op, double, get!(a)), any(taint!(a)));
                }
                Instruction::FloatMultiplyAdd { double, dst, a, b, c } => {
                    let taint = any(taint!(a) | taint!(b) | taint!(c));
                    set!(dst, arithmetic::multiply_add(double, get!(a), get!(b), get!(c)), taint);
                }
                Instruction::FloatCompare { condition, double, dst, a, b } => {
                    let (x, y) = (arithmetic::float(double, get!(a)), arithmetic::float(double, get!(b)));
                    set!(dst, u64::from(condition.holds(x, y)), any(taint!(a) | taint!(b)) & 1);
                }
                Instruction::Convert { op, bits, dst, src } => {
                    set!(dst, arithmetic::convert(op, bits, get!(src)), any(taint!(src)));
                }
                Instruction::WideToFloat { signed, double, dst, low, high } => {
                    let value = u128::from(get!(low)) | u128::from(get!(high)) << 64;
                    set!(dst, arithmetic::wide_to_float(signed, double, value), any(taint!(low) | taint!(high)));
                }
                Instruction::FloatToWide { signed, double, low, high, src } => {
                    let (value, taint) = (arithmetic::float_to_wide(signed, double, get!(src)), any(taint!(src)));
                    set!(low, value as u64, taint);
                    set!(high, (value >> 64) as u64, taint);
                }

                Instruction::Soft { op, format, low, high, a_low, a_high, b_low, b_high } => {
                    let taint = any(taint!(a_low) | taint!(a_high) | taint!(b_low) | taint!(b_high));
                    let (a, b) = ([get!(a_low), get!(a_high)], [get!(b_low), get!(b_high)]);
                    let [value, rest] = soft::operate(op, format, a, b);
                    set!(low, value, taint);
                    set!(high, rest, taint);
                }
                Instruction::SoftCompare { condition, format, dst, a_low, a_high, b_low, b_high } => {
                    let taint = any(taint!(a_low) | taint!(a_high) | taint!(b_low) | taint!(b_high)) & 1;
                    let (a, b) = ([get!(a_low), get!(a_high)], [get!(b_low), get!(b_high)]);
                    set!(dst, u64::from(soft::compare(condition, format, a, b)), taint);
                }
                Instruction::SoftConvert { from, to, low, high, a_low, a_high } => {
                    let taint = any(taint!(a_low) | taint!(a_high));
                    let [value, rest] = soft::convert(from, to, [get!(a_low), get!(a_high)]);
                    set!(low, value, taint);
                    set!(high, rest, taint);
                }

                Instruction::Index { dst, base, index, scale, offset } => {
                    let by = get!(index).wrapping_mul(scale as u64).wrapping_add(offset as u64);
                    set!(dst, get!(base).wrapping_add(by), smear(taint!(base) | taint!(index)));
                }
                Instruction::IndexAt { dst, index, scale, address } => {
                    let by = get!(index).wrapping_mul(u64::from(scale));
                    set!(dst, address.wrapping_add(by), smear(taint!(index)));
                }

                Instruction::Load { dst, base, offset, kind, flags } => {
                    decide!(base);
                    load!(dst, get!(base).wrapping_add(offset as u64), kind, flags);
                }
                Instruction::LoadAt { dst, address, kind, flags } => load!(dst, address, kind, flags),
                Instruction::Store { src, base, offset, width, flags } => {
                    decide!(base);
                    store!(get!(src), taint!(src), get!(base).wrapping_add(offset as u64), width, flags);
                }
                Instruction::StoreAt { src, address, width, flags } => {
                    store!(get!(src), taint!(src), address, width, flags);
                }
                Instruction::StoreValue { value, base, offset, width, flags } => {
                    decide!(base);
                    store!(value as u64, 0, get!(base).wrapping_add(offset as u64), width, flags);
                }
                Instruction::StoreValueAt { value, address, width, flags } => {
                    store!(value as u64, 0, address, width, flags);
                }

                Instruction::Jump { target } => {
                    pc = target as usize;
                    continue;
                }
                Instruction::JumpIfEqual { a, b, target } => {
                    decide!(a, b);
                    jump_if!(get!(a) == get!(b), target);
                }
                Instruction::JumpIfNotEqual { a, b, target } => {
                    decide!(a, b);
                    jump_if!(get!(a) != get!(b), target);
                }
                Instruction::JumpIfLess { a, b, target } => {
                    decide!(a, b);
                    jump_if!((get!(a) as i64) < get!(b) as i64, target);
                }
                Instruction::JumpIfNotLess { a, b, target } => {
                    decide!(a, b);
                    jump_if!(get!(a) as i64 >= get!(b) as i64, target);
                }
                Instruction::JumpIfBelow { a, b, target } => {
                    decide!(a, b);
                    jump_if!(get!(a) < get!(b), target);
                }
                Instruction::JumpIfNotBelow { a, b, target } => {
                    decide!(a, b);
                    jump_if!(get!(a) >= get!(b), target);
                }
                Instruction::JumpIfEqualTo { a, value, target } => {
                    decide!(a);
                    jump_if!(get!(a) == value as u64, target);
                }
                Instruction::JumpIfNotEqualTo { a, value, target } => {
                    decide!(a);
                    jump_if!(get!(a) != value as u64, target);
                }
                Instruction::JumpIfLessThan { a, value, target } => {
                    decide!(a);
                    jump_if!((get!(a) as i64) < i64::from(value), target);
                }
                Instruction::JumpIfNotLessThan { a, value, target } => {
                    decide!(a);
                    jump_if!(get!(a) as i64 >= i64::from(value), target);
                }
                Instruction::JumpIfBelowThan { a, value, target } => {
                    decide!(a);
                    jump_if!(get!(a) < value as u64, target);
                }
                Instruction::JumpIfNotBelowThan { a, value, target } => {
                    decide!(a);
                    jump_if!(get!(a) >= value as u64, target);
                }
                Instruction::Switch { src, table } => {
                    decide!(src);
                    pc = image.switches[table as usize].target(get!(src)) as usize;
                    continue;
                }
                Instruction::Head { repeat, counter } => {
                    if *fuel == 0 {
                        leave!(Exit::OutOfFuel);
                    }
                    *fuel -= 1;
                    // A loop that may wait is looked at more closely.
                    if image.loops[repeat as usize].waiting != crate::code::Waiting::Never || turn.trial {
                        leave!(Exit::Pauses);
                    }
                    if let Some(most) = image.settings.unroll {
                        if get!(counter) > u64::from(most) {
                            leave!(Exit::OutOfFuel);
                        }
                        set!(counter, get!(counter) + 1, 0);
                    }
                }

                Instruction::Call { function, first, count, .. } => {
                    if *fuel == 0 {
                        leave!(Exit::OutOfFuel);
                    }
                    *fuel -= 1;
                    thread.frames[depth].pc = pc as u32;
                    let stack = words[me * word::COUNT + word::STACK] as u32;
                    if !enter(thread, image, function, stack) {
                        return Exit::Fault(FaultKind::StackOverflow, [depth as Value + 1, 0]);
                    }
                    let base = (frame.base + frame.size) as usize;
                    let operands = &image.operands[first as usize..][..usize::from(count)];
                    for (number, operand) in operands.iter().enumerate() {
                        let from = frame.base as usize + operand.register.index();
                        thread.registers[base + number] = thread.registers[from];
                        if CAREFUL {
                            thread.taints[base + number] = thread.taints[from];
                        }
                    }
                    continue 'frame;
                }
                Instruction::Return => return_to_caller!(0, 0, false),
                Instruction::ReturnValue { src } => return_to_caller!(get!(src), taint!(src), true),

                Instruction::Fence { .. } if order.is_none() => {}
                // These are visible whatever they find.
                Instruction::Native { native, .. }
                    if *grant == Grant::Nothing
                        && is_always_visible(native)
                        && !(*watching && native == Native::MutexLock) =>
                {
                    rest!(Rest::Native);
                }
                // See `Turn::end_program`.
                // A status other than 0 may be a failure.
                Instruction::Native { native: Native::Exit, first, .. }
                    if alone!() && !CAREFUL && get!(image.operands[first as usize].register) as u8 == 0 =>
                {
                    leave!(Exit::Ended(0))
                }
                Instruction::Native { .. } => leave!(Exit::Pauses),

                Instruction::Trap => fault!(FaultKind::Abort, [0; 2]),
                Instruction::Unreachable => fault!(FaultKind::Misuse, Misuse::Unreachable.detail()),

                Instruction::ThreadLocal { .. }
                | Instruction::Expose { .. }
                | Instruction::Modify { .. }
                | Instruction::ModifyAt { .. }
                | Instruction::CompareExchange { .. }
                | Instruction::Copy { .. }
                | Instruction::CopyBytes { .. }
                | Instruction::Fill { .. }
                | Instruction::FillBytes { .. }
                | Instruction::Alloca { .. }
                | Instruction::AllocaMany { .. }
                | Instruction::LifeStart { .. }
                | Instruction::LifeEnd { .. }
                | Instruction::StackSave { .. }
                | Instruction::StackRestore { .. }
                | Instruction::CallIndirect { .. }
                | Instruction::ReturnMany { .. }
                | Instruction::Fence { .. }
                | Instruction::AtomicBegin
                | Instruction::AtomicEnd => leave!(Exit::Pauses),
            }
            pc += 1;
        }
    }
}
