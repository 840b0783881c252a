//! The instructions of the register code.
//!
//! **Registers** are 64-bit slots of the current frame. A value of N bits is kept *sign-extended* to 64 bits, whatever its
//! C type says about signs; `i1` is the exception and is 0 or 1. So comparisons, signed and unsigned, `and`, `or`, `xor`
//! and arithmetic shifts to the right are the same for all widths, and a sign extension is a move. A float is kept as the
//! integer with its bits (so an `f32` is sign-extended as well), a pointer as its address: object slot in the upper half,
//! offset in the lower half. A value of 128 bits takes two registers.
//!
//! **Notation**: `a`, `b`, `src`, `base` ... stand for the contents of the registers; `i64(a)` is the contents as a signed
//! number, `wrap(x, n)` the lowest n bits of `x`, sign-extended (`x & 1` where n is 1), `zero(x, n)` the lowest n bits,
//! zero-extended. Every destination is a register of the frame, also where nobody needs the result.
//!
//! **Faults** are named by their `FaultKind`. Which uses of an undefined value are faults is the machine's matter.

use crate::native::Native;

pub(crate) use super::operator::{
    Condition, Conversion, Flags, FloatBinary, FloatCondition, FloatUnary, LoadKind, Modify, Overflowing, Partial,
    Rare, Wide, Width,
};

/// A register of the current frame.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Register(pub(crate) u16);

impl Register {
    /// As an index into the frame.
    #[inline]
    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// One instruction. Jump targets are absolute. What accesses memory at an address is checked: null, freed, bounds, read-only.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Instruction {
    // ---- Moves
    /// `dst = src`
    Move { dst: Register, src: Register },
    /// `dst = value`
    Constant { dst: Register, value: u64 },
    /// `dst` holds no defined value from here on (taint it); its contents become 0.
    Undefined { dst: Register },
    /// `dst = condition != 0 ? yes : no`. A select whose condition is undefined is a decision.
    Select { dst: Register, condition: Register, yes: Register, no: Register },

    // ---- Integers
    /// `dst = a + b`
    Add64 { dst: Register, a: Register, b: Register },
    /// `dst = wrap(a + b, 32)`
    Add32 { dst: Register, a: Register, b: Register },
    /// `dst = a - b`
    Subtract64 { dst: Register, a: Register, b: Register },
    /// `dst = wrap(a - b, 32)`
    Subtract32 { dst: Register, a: Register, b: Register },
    /// `dst = a * b`
    Multiply64 { dst: Register, a: Register, b: Register },
    /// `dst = wrap(a * b, 32)`
    Multiply32 { dst: Register, a: Register, b: Register },
    /// `dst = a & b`
    And { dst: Register, a: Register, b: Register },
    /// `dst = a | b`
    Or { dst: Register, a: Register, b: Register },
    /// `dst = a ^ b`
    Xor { dst: Register, a: Register, b: Register },
    /// `dst = a + i64(value)`
    Add64By { dst: Register, a: Register, value: i32 },
    /// `dst = wrap(a + value, 32)`
    Add32By { dst: Register, a: Register, value: i32 },
    /// `dst = i64(value) - a`
    SubtractFrom64 { dst: Register, a: Register, value: i32 },
    /// `dst = wrap(value - a, 32)`
    SubtractFrom32 { dst: Register, a: Register, value: i32 },
    /// `dst = a * i64(value)`
    Multiply64By { dst: Register, a: Register, value: i32 },
    /// `dst = wrap(a * value, 32)`
    Multiply32By { dst: Register, a: Register, value: i32 },
    /// `dst = a & i64(value)`
    AndBy { dst: Register, a: Register, value: i32 },
    /// `dst = a | i64(value)`
    OrBy { dst: Register, a: Register, value: i32 },
    /// `dst = a ^ i64(value)`
    XorBy { dst: Register, a: Register, value: i32 },
    /// `dst = wrap(a << by, bits)`; `by < bits`
    ShiftLeftBy { dst: Register, a: Register, by: u8, bits: u8 },
    /// `dst = wrap(zero(a, bits) >> by, bits)`; `by < bits`
    ShiftRightBy { dst: Register, a: Register, by: u8, bits: u8 },
    /// `dst = i64(a) >> by`; `by < 64`
    ShiftRightSignedBy { dst: Register, a: Register, by: u8 },
    /// `dst = wrap(src, bits)`
    Wrap { dst: Register, src: Register, bits: u8 },
    /// `dst = zero(src, bits)`; `bits < 64`
    ZeroExtend { dst: Register, src: Register, bits: u8 },
    /// `dst = a op b`, with faults. See [`Partial`].
    Partial { op: Partial, bits: u8, dst: Register, a: Register, b: Register },
    /// `dst = a op b`. See [`Rare`].
    Rare { op: Rare, bits: u8, dst: Register, a: Register, b: Register },
    /// `dst = wrap(a op b, bits)`, `flag = 1` where the exact result is no number of so many bits, else 0.
    Overflowing { op: Overflowing, bits: u8, dst: Register, flag: Register, a: Register, b: Register },
    /// The 2n bits of `zero(high, n)` and `zero(low, n)`, shifted left by `by % n` (`by` unsigned); the upper n of them,
    /// wrapped.
    FunnelLeft { bits: u8, dst: Register, high: Register, low: Register, by: Register },
    /// The same, shifted right; the lower n of them, wrapped.
    FunnelRight { bits: u8, dst: Register, high: Register, low: Register, by: Register },
    /// `(low, high) = (a_low, a_high) op (b_low, b_high)`. The operands are read before anything is written.
    Wide {
        op: Wide,
        low: Register,
        high: Register,
        a_low: Register,
        a_high: Register,
        b_low: Register,
        b_high: Register,
    },
    /// `dst = a condition b`
    Compare { condition: Condition, dst: Register, a: Register, b: Register },
    /// `dst = a condition i64(value)`
    CompareWith { condition: Condition, dst: Register, a: Register, value: i32 },

    // ---- Floats; f64 where `double`, else f32
    /// `dst = a op b`
    FloatBinary { op: FloatBinary, double: bool, dst: Register, a: Register, b: Register },
    /// `dst = op a`
    FloatUnary { op: FloatUnary, double: bool, dst: Register, a: Register },
    /// `dst = a * b + c`, rounded once.
    FloatMultiplyAdd { double: bool, dst: Register, a: Register, b: Register, c: Register },
    /// `dst = a condition b`
    FloatCompare { condition: FloatCondition, double: bool, dst: Register, a: Register, b: Register },
    /// `dst = op src`
    Convert { op: Conversion, bits: u8, dst: Register, src: Register },
    /// `dst` (a float) = the number of 128 bits in `low`, `high`.
    WideToFloat { signed: bool, double: bool, dst: Register, low: Register, high: Register },
    /// `(low, high)` = the float `src` towards zero; the nearest number of 128 bits where there is none, 0 for NaN.
    FloatToWide { signed: bool, double: bool, low: Register, high: Register, src: Register },

    // ---- Addresses. Arithmetic on all 64 bits; nothing is checked.
    /// `dst = base + index * i64(scale) + i64(offset)`
    Index { dst: Register, base: Register, index: Register, scale: i32, offset: i32 },
    /// `dst = address + index * scale`
    IndexAt { dst: Register, index: Register, scale: u16, address: u64 },
    /// `dst` = the address of the running thread's own copy of a thread-local global (index into [`Image::globals`]).
    ///
    /// [`Image::globals`]: super::Image::globals
    ThreadLocal { dst: Register, global: u32 },
    /// The object that `src` points to, if any, may from now on be known to others: its address is used in arithmetic that
    /// hides it. Neither visible nor a fault.
    Expose { src: Register },

    // ---- Memory: visible where the object is shared
    /// `dst = [base + offset]`
    Load { dst: Register, base: Register, offset: i32, kind: LoadKind, flags: Flags },
    /// `dst = [address]`
    LoadAt { dst: Register, address: u64, kind: LoadKind, flags: Flags },
    /// `[base + offset] = src`
    Store { src: Register, base: Register, offset: i32, width: Width, flags: Flags },
    /// `[address] = src`
    StoreAt { src: Register, address: u64, width: Width, flags: Flags },
    /// `[base + offset] = value`
    StoreValue { value: i32, base: Register, offset: i32, width: Width, flags: Flags },
    /// `[address] = value`
    StoreValueAt { value: i32, address: u64, width: Width, flags: Flags },
    /// `dst = [base + offset], [base + offset] = op(dst, src)`, in one. The old value is sign-extended.
    Modify { op: Modify, width: Width, dst: Register, base: Register, src: Register, offset: i32 },
    /// The same at a fixed address.
    ModifyAt { op: Modify, width: Width, dst: Register, src: Register, address: u64 },
    /// `dst = [base + offset]`, sign-extended; if the lowest bits of `dst` and `expected` are equal, `[base + offset] = new`
    /// and `success = 1`, else `success = 0`. A weak one never fails for no reason.
    CompareExchange {
        width: Width,
        dst: Register,
        success: Register,
        base: Register,
        expected: Register,
        new: Register,
        offset: i32,
    },
    /// Copies `length` bytes (unsigned) from `from` to `to`. Where the ranges overlap and `overlap` is false: fault `Misuse`
    /// (the very same range is fine). Nothing at all happens where the length is 0.
    Copy { to: Register, from: Register, length: Register, overlap: bool },
    /// The same with a constant length, which is not 0.
    CopyBytes { to: Register, from: Register, length: u32, overlap: bool },
    /// `length` bytes (unsigned) from `to` become the lowest byte of `byte`. Nothing happens where the length is 0.
    Fill { to: Register, byte: Register, length: Register },
    /// The same with a constant length, which is not 0.
    FillBytes { to: Register, byte: Register, length: u32 },

    // ---- The stack
    /// `dst` = the address of a new stack object ([`Image::locals`]), uninitialised, which lives until the frame is left.
    ///
    /// [`Image::locals`]: super::Image::locals
    Alloca { dst: Register, local: u32 },
    /// The same for `count` (unsigned) of them in a row. Fault `StackOverflow` where that is unreasonable.
    AllocaMany { dst: Register, local: u32, count: Register },
    /// The life of the stack object at `base` begins anew: its contents are undefined.
    LifeStart { base: Register },
    /// The life of the stack object at `base` ends, until it begins anew.
    LifeEnd { base: Register },
    /// `dst` = how many objects this frame has on the stack.
    StackSave { dst: Register },
    /// The life of all but the first `src` objects of this frame ends.
    StackRestore { src: Register },

    // ---- Control
    /// To `target`, forwards or backwards.
    Jump { target: u32 },
    /// To `target` where `a == b`.
    JumpIfEqual { a: Register, b: Register, target: u32 },
    /// To `target` where `a != b`.
    JumpIfNotEqual { a: Register, b: Register, target: u32 },
    /// To `target` where `i64(a) < i64(b)`.
    JumpIfLess { a: Register, b: Register, target: u32 },
    /// To `target` where `i64(a) >= i64(b)`.
    JumpIfNotLess { a: Register, b: Register, target: u32 },
    /// To `target` where `u64(a) < u64(b)`.
    JumpIfBelow { a: Register, b: Register, target: u32 },
    /// To `target` where `u64(a) >= u64(b)`.
    JumpIfNotBelow { a: Register, b: Register, target: u32 },
    /// To `target` where `a == i64(value)`; with value 0, where a condition is false.
    JumpIfEqualTo { a: Register, value: i32, target: u32 },
    /// To `target` where `a != i64(value)`; with value 0, where a condition is true.
    JumpIfNotEqualTo { a: Register, value: i32, target: u32 },
    /// To `target` where `i64(a) < i64(value)`.
    JumpIfLessThan { a: Register, value: i32, target: u32 },
    /// To `target` where `i64(a) >= i64(value)`.
    JumpIfNotLessThan { a: Register, value: i32, target: u32 },
    /// To `target` where `u64(a) < u64(i64(value))`.
    JumpIfBelowThan { a: Register, value: i32, target: u32 },
    /// To `target` where `u64(a) >= u64(i64(value))`.
    JumpIfNotBelowThan { a: Register, value: i32, target: u32 },
    /// To where [`Image::switches`] says.
    ///
    /// [`Image::switches`]: super::Image::switches
    Switch { src: Register, table: u32 },
    /// The head of a loop ([`Image::loops`]), run when the loop is entered and before every further iteration; all cycles of
    /// a function's code lead through one. Uses up fuel. Where `Settings::unroll` is set, `counter` (0 when the loop is
    /// entered) grows by one, and more than that many iterations are out of fuel; otherwise `counter` means nothing.
    ///
    /// [`Image::loops`]: super::Image::loops
    Head { repeat: u32, counter: Register },

    // ---- Calls
    /// Calls [`Image::functions`]`[function]` with the operands `first .. first + count` ([`Image::operands`]): they become
    /// the first registers of the new frame, in order; its other registers are undefined but are written before they are
    /// read. Its result goes to `dst`; where it has several, they go to the registers of the operands `first + count ..`,
    /// and where it has none, nothing happens to `dst`.
    ///
    /// [`Image::functions`]: super::Image::functions
    /// [`Image::operands`]: super::Image::operands
    Call { function: u32, first: u32, count: u16, dst: Register },
    /// The same for the function whose address is in `callee`. Faults: `NullPointer`, `InvalidPointer` where it is not the
    /// address of a function, `Misuse` where [`Signature::accepts`] says no. A function takes as many operands as it has
    /// parameters, the first ones.
    ///
    /// [`Signature::accepts`]: super::Signature::accepts
    CallIndirect { callee: Register, signature: u32, first: u32, count: u16, dst: Register },
    /// Calls a function that the machine models, with the operands `first .. first + count`. `shape` says
    /// what the block that it allocates will hold ([`Image::shapes`]; 0 where nothing is known).
    ///
    /// [`Image::shapes`]: super::Image::shapes
    Native { native: Native, count: u16, dst: Register, first: u32, shape: u32 },
    /// Leaves the frame; the function has no result.
    Return,
    /// Leaves the frame with the result `src`.
    ReturnValue { src: Register },
    /// Leaves the frame with several results, the operands `first .. first + count`.
    ReturnMany { first: u32, count: u16 },
    /// What follows up to the matching end, also in functions called, is one step. They nest.
    AtomicBegin,
    /// See above. Fault `Misuse` where none was begun.
    AtomicEnd,
    /// Fault `Abort`: the compiler put it where nothing sensible can be done.
    Trap,
    /// Fault `Misuse`: code that the compiler takes to be out of reach (a function left without the value it promised).
    Unreachable,
}

impl Instruction {
    /// Whether others can notice it, or may be able to: it accesses memory, or calls what the machine models.
    pub(crate) fn may_be_visible(&self) -> bool {
        matches!(
            self,
            Instruction::Load { .. }
                | Instruction::LoadAt { .. }
                | Instruction::Store { .. }
                | Instruction::StoreAt { .. }
                | Instruction::StoreValue { .. }
                | Instruction::StoreValueAt { .. }
                | Instruction::Modify { .. }
                | Instruction::ModifyAt { .. }
                | Instruction::CompareExchange { .. }
                | Instruction::Copy { .. }
                | Instruction::CopyBytes { .. }
                | Instruction::Fill { .. }
                | Instruction::FillBytes { .. }
                | Instruction::Native { .. }
                | Instruction::AtomicBegin
                | Instruction::AtomicEnd
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_stay_small() {
        assert!(size_of::<Instruction>() <= 16);
    }
}
