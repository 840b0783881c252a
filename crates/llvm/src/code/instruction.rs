//! The instructions of the register code.
//!
//! **Registers** are 64-bit slots of the current frame. A value of N bits is kept *sign-extended*
//! to 64 bits, whatever its C type says about signs; `i1` is the exception and is 0 or 1. So
//! comparisons, signed and unsigned, `and`, `or`, `xor` and arithmetic shifts to the right are the
//! same for all widths, and a sign extension is a move. A float is kept as the integer with its
//! bits (so an `f32` is sign-extended as well), a pointer as its address: object slot in the upper
//! half, offset in the lower half. A value of 128 bits takes two registers.
//!
//! **Notation**: `a`, `b`, `src`, `base` ... stand for the contents of the registers; `i64(a)` is
//! the contents as a signed number, `wrap(x, n)` the lowest n bits of `x`, sign-extended (`x & 1`
//! where n is 1), `zero(x, n)` the lowest n bits, zero-extended. Every destination is a register of
//! the frame, also where nobody needs the result.
//!
//! **Faults** are named by their `FaultKind`. Which uses of an undefined value are faults is the
//! machine's matter.

use crate::native::Native;

pub(crate) use super::operator::{
    Condition, Conversion, Flags, FloatBinary, FloatCondition, FloatUnary, LoadKind, Modify, Order, Overflowing,
    Partial, Rare, Wide, Width,
};
pub(crate) use super::soft::{Format, Number, Soft};

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

/// One instruction, with registers of type `R`. All operands are read before anything is written.
/// Jump targets are absolute. What accesses memory at an address is checked: null, freed, bounds,
/// read-only.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Instruction<R = Register> {
    // ---- Moves
    /// `dst = src`
    Move { dst: R, src: R },
    /// `dst = value`
    Constant { dst: R, value: u64 },
    /// `dst` holds no defined value from here on (taint it); its contents become 0.
    Undefined { dst: R },
    /// `dst = condition != 0 ? yes : no`. A select whose condition is undefined is a decision.
    Select { dst: R, condition: R, yes: R, no: R },

    // ---- Integers
    /// `dst = a + b`
    Add64 { dst: R, a: R, b: R },
    /// `dst = wrap(a + b, 32)`
    Add32 { dst: R, a: R, b: R },
    /// `dst = a - b`
    Subtract64 { dst: R, a: R, b: R },
    /// `dst = wrap(a - b, 32)`
    Subtract32 { dst: R, a: R, b: R },
    /// `dst = a * b`
    Multiply64 { dst: R, a: R, b: R },
    /// `dst = wrap(a * b, 32)`
    Multiply32 { dst: R, a: R, b: R },
    /// `dst = a & b`
    And { dst: R, a: R, b: R },
    /// `dst = a | b`
    Or { dst: R, a: R, b: R },
    /// `dst = a ^ b`
    Xor { dst: R, a: R, b: R },
    /// `dst = a + i64(value)`
    Add64By { dst: R, a: R, value: i32 },
    /// `dst = wrap(a + value, 32)`
    Add32By { dst: R, a: R, value: i32 },
    /// `dst = i64(value) - a`
    SubtractFrom64 { dst: R, a: R, value: i32 },
    /// `dst = wrap(value - a, 32)`
    SubtractFrom32 { dst: R, a: R, value: i32 },
    /// `dst = a * i64(value)`
    Multiply64By { dst: R, a: R, value: i32 },
    /// `dst = wrap(a * value, 32)`
    Multiply32By { dst: R, a: R, value: i32 },
    /// `dst = a & i64(value)`
    AndBy { dst: R, a: R, value: i32 },
    /// `dst = a | i64(value)`
    OrBy { dst: R, a: R, value: i32 },
    /// `dst = a ^ i64(value)`
    XorBy { dst: R, a: R, value: i32 },
    /// `dst = wrap(a << by, bits)`; `by < bits`
    ShiftLeftBy { dst: R, a: R, by: u8, bits: u8 },
    /// `dst = wrap(zero(a, bits) >> by, bits)`; `by < bits`
    ShiftRightBy { dst: R, a: R, by: u8, bits: u8 },
    /// `dst = i64(a) >> by`; `by < 64`
    ShiftRightSignedBy { dst: R, a: R, by: u8 },
    /// `dst = wrap(src, bits)`
    Wrap { dst: R, src: R, bits: u8 },
    /// `dst = zero(src, bits)`; `bits < 64`
    ZeroExtend { dst: R, src: R, bits: u8 },
    /// `dst = a op b`, with faults. See [`Partial`].
    Partial { op: Partial, bits: u8, dst: R, a: R, b: R },
    /// `dst = a op b`. See [`Rare`].
    Rare { op: Rare, bits: u8, dst: R, a: R, b: R },
    /// `dst = wrap(a op b, bits)`, `flag = 1` where the exact result is no number of so many bits,
    /// else 0.
    Overflowing { op: Overflowing, bits: u8, dst: R, flag: R, a: R, b: R },
    /// The 2n bits of `zero(high, n)` and `zero(low, n)`, shifted left by `by % n` (`by` unsigned);
    /// the upper n of them, wrapped.
    FunnelLeft { bits: u8, dst: R, high: R, low: R, by: R },
    /// The same, shifted right; the lower n of them, wrapped.
    FunnelRight { bits: u8, dst: R, high: R, low: R, by: R },
    /// `(low, high) = (a_low, a_high) op (b_low, b_high)`. The operands are read before anything is
    /// written.
    Wide { op: Wide, low: R, high: R, a_low: R, a_high: R, b_low: R, b_high: R },
    /// `dst = a condition b`
    Compare { condition: Condition, dst: R, a: R, b: R },
    /// `dst = a condition i64(value)`
    CompareWith { condition: Condition, dst: R, a: R, value: i32 },

    // ---- Floats; f64 where `double`, else f32
    /// `dst = a op b`
    FloatBinary { op: FloatBinary, double: bool, dst: R, a: R, b: R },
    /// `dst = op a`
    FloatUnary { op: FloatUnary, double: bool, dst: R, a: R },
    /// `dst = a * b + c`, rounded once.
    FloatMultiplyAdd { double: bool, dst: R, a: R, b: R, c: R },
    /// `dst = a condition b`
    FloatCompare { condition: FloatCondition, double: bool, dst: R, a: R, b: R },
    /// `dst = op src`
    Convert { op: Conversion, bits: u8, dst: R, src: R },
    /// `dst` (a float) = the number of 128 bits in `low`, `high`.
    WideToFloat { signed: bool, double: bool, dst: R, low: R, high: R },
    /// `(low, high)` = the float `src` towards zero; the nearest number of 128 bits where there is
    /// none, 0 for NaN.
    FloatToWide { signed: bool, double: bool, low: R, high: R, src: R },

    // ---- Floats of other formats
    /// `(low, high) = (a_low, a_high) op (b_low, b_high)`
    Soft { op: Soft, format: Format, low: R, high: R, a_low: R, a_high: R, b_low: R, b_high: R },
    /// `dst = (a_low, a_high) condition (b_low, b_high)`
    SoftCompare { condition: FloatCondition, format: Format, dst: R, a_low: R, a_high: R, b_low: R, b_high: R },
    /// `(low, high) = (a_low, a_high)` as another number: integers towards zero, the nearest one
    /// where there is none, 0 for NaN.
    SoftConvert { from: Number, to: Number, low: R, high: R, a_low: R, a_high: R },

    // ---- Addresses. Arithmetic on all 64 bits; nothing is checked.
    /// `dst = base + index * i64(scale) + i64(offset)`
    Index { dst: R, base: R, index: R, scale: i32, offset: i32 },
    /// `dst = address + index * scale`
    IndexAt { dst: R, index: R, scale: u16, address: u64 },
    /// `dst` = the address of the running thread's own copy of a thread-local global (index into
    /// [`Image::globals`]).
    ///
    /// [`Image::globals`]: super::Image::globals
    ThreadLocal { dst: R, global: u32 },
    /// The object that `src` points to, if any, may from now on be known to others: its address is
    /// used in arithmetic that hides it. Neither visible nor a fault.
    Expose { src: R },

    // ---- Memory: visible where the object is shared
    /// `dst = [base + offset]`
    Load { dst: R, base: R, offset: i32, kind: LoadKind, flags: Flags },
    /// `dst = [address]`
    LoadAt { dst: R, address: u64, kind: LoadKind, flags: Flags },
    /// `[base + offset] = src`
    Store { src: R, base: R, offset: i32, width: Width, flags: Flags },
    /// `[address] = src`
    StoreAt { src: R, address: u64, width: Width, flags: Flags },
    /// `[base + offset] = value`
    StoreValue { value: i32, base: R, offset: i32, width: Width, flags: Flags },
    /// `[address] = value`
    StoreValueAt { value: i32, address: u64, width: Width, flags: Flags },
    /// `dst = [base + offset], [base + offset] = op(dst, src)`, in one. The old value is
    /// sign-extended.
    Modify { op: Modify, width: Width, order: Order, dst: R, base: R, src: R, offset: i32 },
    /// The same at a fixed address.
    ModifyAt { op: Modify, width: Width, order: Order, dst: R, src: R, address: u64 },
    /// `dst = [base + offset]`, sign-extended; if the lowest bits of `dst` and `expected` are
    /// equal, `[base + offset] = new` and `success = 1`, else `success = 0`. A weak one never fails
    /// for no reason.
    CompareExchange { width: Width, order: Order, dst: R, success: R, base: R, expected: R, new: R, offset: i16 },
    /// A fence between the accesses before and after it. It matters for what is a data race, and
    /// for nothing else.
    Fence { order: Order },
    /// Copies `length` bytes (unsigned) from `from` to `to`. Where the ranges overlap and `overlap`
    /// is false: fault `Misuse` (the very same range is fine). Nothing at all happens where the
    /// length is 0.
    Copy { to: R, from: R, length: R, overlap: bool },
    /// The same with a constant length, which is not 0.
    CopyBytes { to: R, from: R, length: u32, overlap: bool },
    /// `length` bytes (unsigned) from `to` become the lowest byte of `byte`. Nothing happens where
    /// the length is 0.
    Fill { to: R, byte: R, length: R },
    /// The same with a constant length, which is not 0.
    FillBytes { to: R, byte: R, length: u32 },

    // ---- The stack
    /// `dst` = the address of a new stack object ([`Image::locals`]), uninitialised, which lives
    /// until the frame is left.
    ///
    /// [`Image::locals`]: super::Image::locals
    Alloca { dst: R, local: u32 },
    /// The same for `count` (unsigned) of them in a row. Fault `StackOverflow` where that is
    /// unreasonable.
    AllocaMany { dst: R, local: u32, count: R },
    /// The life of the stack object at `base` begins anew: its contents are undefined.
    LifeStart { base: R },
    /// The life of the stack object at `base` ends, until it begins anew.
    LifeEnd { base: R },
    /// `dst` = how many objects this frame has on the stack.
    StackSave { dst: R },
    /// The life of all but the first `src` objects of this frame ends.
    StackRestore { src: R },

    // ---- Control
    /// To `target`, forwards or backwards.
    Jump { target: u32 },
    /// To `target` where `a == b`.
    JumpIfEqual { a: R, b: R, target: u32 },
    /// To `target` where `a != b`.
    JumpIfNotEqual { a: R, b: R, target: u32 },
    /// To `target` where `i64(a) < i64(b)`.
    JumpIfLess { a: R, b: R, target: u32 },
    /// To `target` where `i64(a) >= i64(b)`.
    JumpIfNotLess { a: R, b: R, target: u32 },
    /// To `target` where `u64(a) < u64(b)`.
    JumpIfBelow { a: R, b: R, target: u32 },
    /// To `target` where `u64(a) >= u64(b)`.
    JumpIfNotBelow { a: R, b: R, target: u32 },
    /// To `target` where `a == i64(value)`; with value 0, where a condition is false.
    JumpIfEqualTo { a: R, value: i32, target: u32 },
    /// To `target` where `a != i64(value)`; with value 0, where a condition is true.
    JumpIfNotEqualTo { a: R, value: i32, target: u32 },
    /// To `target` where `i64(a) < i64(value)`.
    JumpIfLessThan { a: R, value: i32, target: u32 },
    /// To `target` where `i64(a) >= i64(value)`.
    JumpIfNotLessThan { a: R, value: i32, target: u32 },
    /// To `target` where `u64(a) < u64(i64(value))`.
    JumpIfBelowThan { a: R, value: i32, target: u32 },
    /// To `target` where `u64(a) >= u64(i64(value))`.
    JumpIfNotBelowThan { a: R, value: i32, target: u32 },
    /// To where [`Image::switches`] says.
    ///
    /// [`Image::switches`]: super::Image::switches
    Switch { src: R, table: u32 },
    /// The head of a loop ([`Image::loops`]), run when the loop is entered and before every further
    /// iteration; all cycles of a function's code lead through one. Uses up fuel. Where
    /// `Settings::unroll` is set, `counter` (0 or 1 when the loop is entered: see
    /// `loops::begin_counters`) grows by one, and more than that many iterations are out of fuel;
    /// otherwise `counter` means nothing.
    ///
    /// [`Image::loops`]: super::Image::loops
    Head { repeat: u32, counter: R },

    // ---- Calls
    /// Calls [`Image::functions`]`[function]` with the operands `first .. first + count`
    /// ([`Image::operands`]): they become the first registers of the new frame, in order; its other
    /// registers are undefined but are written before they are read. Its result goes to `dst`;
    /// where it has several, they go to the registers of the operands `first + count ..`, and where
    /// it has none, nothing happens to `dst`.
    ///
    /// [`Image::functions`]: super::Image::functions
    /// [`Image::operands`]: super::Image::operands
    Call { function: u32, first: u32, count: u16, dst: R },
    /// The same for the function whose address is in `callee`. Faults: `NullPointer`,
    /// `InvalidPointer` where it is not the address of a function, `Misuse` where
    /// [`Signature::accepts`] says no. A function takes as many operands as it has parameters, the
    /// first ones.
    ///
    /// [`Signature::accepts`]: super::Signature::accepts
    CallIndirect { callee: R, signature: u32, first: u32, count: u16, dst: R },
    /// Calls a function that the machine models, with the operands `first .. first + count`.
    /// `shape` says what the block that it allocates will hold ([`Image::shapes`]; 0 where nothing
    /// is known).
    ///
    /// [`Image::shapes`]: super::Image::shapes
    Native { native: Native, count: u16, dst: R, first: u32, shape: u32 },
    /// Leaves the frame; the function has no result.
    Return,
    /// Leaves the frame with the result `src`.
    ReturnValue { src: R },
    /// Leaves the frame with several results, the operands `first .. first + count`.
    ReturnMany { first: u32, count: u16 },
    /// What follows up to the matching end, also in functions called, is one step. They nest.
    AtomicBegin,
    /// See above. Fault `Misuse` where none was begun.
    AtomicEnd,
    /// Fault `Abort`: the compiler put it where nothing sensible can be done.
    Trap,
    /// Fault `Misuse`: code that the compiler takes to be out of reach (a function left without the
    /// value it promised).
    Unreachable,
}

impl<R: Copy> Instruction<R> {
    /// The same instruction with other registers: `source` says which for those that it reads, then
    /// `target` for those that it writes. Operands in tables are not reached.
    #[rustfmt::skip]
    pub(crate) fn map<S>(self, source: &mut impl FnMut(R) -> S, target: &mut impl FnMut(R) -> S) -> Instruction<S> {
        use Instruction::*;
        match self {
            Move { dst, src } => Move { src: source(src), dst: target(dst) },
            Constant { dst, value } => Constant { dst: target(dst), value },
            Undefined { dst } => Undefined { dst: target(dst) },
            Select { dst, condition, yes, no } => Select { condition: source(condition), yes: source(yes), no: source(no), dst: target(dst) },
            Add64 { dst, a, b } => Add64 { a: source(a), b: source(b), dst: target(dst) },
            Add32 { dst, a, b } => Add32 { a: source(a), b: source(b), dst: target(dst) },
            Subtract64 { dst, a, b } => Subtract64 { a: source(a), b: source(b), dst: target(dst) },
            Subtract32 { dst, a, b } => Subtract32 { a: source(a), b: source(b), dst: target(dst) },
            Multiply64 { dst, a, b } => Multiply64 { a: source(a), b: source(b), dst: target(dst) },
            Multiply32 { dst, a, b } => Multiply32 { a: source(a), b: source(b), dst: target(dst) },
            And { dst, a, b } => And { a: source(a), b: source(b), dst: target(dst) },
            Or { dst, a, b } => Or { a: source(a), b: source(b), dst: target(dst) },
            Xor { dst, a, b } => Xor { a: source(a), b: source(b), dst: target(dst) },
            Add64By { dst, a, value } => Add64By { a: source(a), dst: target(dst), value },
            Add32By { dst, a, value } => Add32By { a: source(a), dst: target(dst), value },
            SubtractFrom64 { dst, a, value } => SubtractFrom64 { a: source(a), dst: target(dst), value },
            SubtractFrom32 { dst, a, value } => SubtractFrom32 { a: source(a), dst: target(dst), value },
            Multiply64By { dst, a, value } => Multiply64By { a: source(a), dst: target(dst), value },
            Multiply32By { dst, a, value } => Multiply32By { a: source(a), dst: target(dst), value },
            AndBy { dst, a, value } => AndBy { a: source(a), dst: target(dst), value },
            OrBy { dst, a, value } => OrBy { a: source(a), dst: target(dst), value },
            XorBy { dst, a, value } => XorBy { a: source(a), dst: target(dst), value },
            ShiftLeftBy { dst, a, by, bits } => ShiftLeftBy { a: source(a), dst: target(dst), by, bits },
            ShiftRightBy { dst, a, by, bits } => ShiftRightBy { a: source(a), dst: target(dst), by, bits },
            ShiftRightSignedBy { dst, a, by } => ShiftRightSignedBy { a: source(a), dst: target(dst), by },
            Wrap { dst, src, bits } => Wrap { src: source(src), dst: target(dst), bits },
            ZeroExtend { dst, src, bits } => ZeroExtend { src: source(src), dst: target(dst), bits },
            Partial { op, bits, dst, a, b } => Partial { a: source(a), b: source(b), dst: target(dst), op, bits },
            Rare { op, bits, dst, a, b } => Rare { a: source(a), b: source(b), dst: target(dst), op, bits },
            Overflowing { op, bits, dst, flag, a, b } => Overflowing { a: source(a), b: source(b), dst: target(dst), flag: target(flag), op, bits },
            FunnelLeft { bits, dst, high, low, by } => FunnelLeft { high: source(high), low: source(low), by: source(by), dst: target(dst), bits },
            FunnelRight { bits, dst, high, low, by } => FunnelRight { high: source(high), low: source(low), by: source(by), dst: target(dst), bits },
            Wide { op, low, high, a_low, a_high, b_low, b_high } => Wide { a_low: source(a_low), a_high: source(a_high), b_low: source(b_low), b_high: source(b_high), low: target(low), high: target(high), op },
            Compare { condition, dst, a, b } => Compare { a: source(a), b: source(b), dst: target(dst), condition },
            CompareWith { condition, dst, a, value } => CompareWith { a: source(a), dst: target(dst), condition, value },
            FloatBinary { op, double, dst, a, b } => FloatBinary { a: source(a), b: source(b), dst: target(dst), op, double },
            FloatUnary { op, double, dst, a } => FloatUnary { a: source(a), dst: target(dst), op, double },
            FloatMultiplyAdd { double, dst, a, b, c } => FloatMultiplyAdd { a: source(a), b: source(b), c: source(c), dst: target(dst), double },
            FloatCompare { condition, double, dst, a, b } => FloatCompare { a: source(a), b: source(b), dst: target(dst), condition, double },
            Convert { op, bits, dst, src } => Convert { src: source(src), dst: target(dst), op, bits },
            WideToFloat { signed, double, dst, low, high } => WideToFloat { low: source(low), high: source(high), dst: target(dst), signed, double },
            FloatToWide { signed, double, low, high, src } => FloatToWide { src: source(src), low: target(low), high: target(high), signed, double },
            Soft { op, format, low, high, a_low, a_high, b_low, b_high } => Soft { a_low: source(a_low), a_high: source(a_high), b_low: source(b_low), b_high: source(b_high), low: target(low), high: target(high), op, format },
            SoftCompare { condition, format, dst, a_low, a_high, b_low, b_high } => SoftCompare { a_low: source(a_low), a_high: source(a_high), b_low: source(b_low), b_high: source(b_high), dst: target(dst), condition, format },
            SoftConvert { from, to, low, high, a_low, a_high } => SoftConvert { a_low: source(a_low), a_high: source(a_high), low: target(low), high: target(high), from, to },
            Index { dst, base, index, scale, offset } => Index { base: source(base), index: source(index), dst: target(dst), scale, offset },
            IndexAt { dst, index, scale, address } => IndexAt { index: source(index), dst: target(dst), scale, address },
            ThreadLocal { dst, global } => ThreadLocal { dst: target(dst), global },
            Expose { src } => Expose { src: source(src) },
            Load { dst, base, offset, kind, flags } => Load { base: source(base), dst: target(dst), offset, kind, flags },
            LoadAt { dst, address, kind, flags } => LoadAt { dst: target(dst), address, kind, flags },
            Store { src, base, offset, width, flags } => Store { src: source(src), base: source(base), offset, width, flags },
            StoreAt { src, address, width, flags } => StoreAt { src: source(src), address, width, flags },
            StoreValue { value, base, offset, width, flags } => StoreValue { base: source(base), value, offset, width, flags },
            StoreValueAt { value, address, width, flags } => StoreValueAt { value, address, width, flags },
            Modify { op, width, order, dst, base, src, offset } => Modify { base: source(base), src: source(src), dst: target(dst), op, width, order, offset },
            ModifyAt { op, width, order, dst, src, address } => ModifyAt { src: source(src), dst: target(dst), op, width, order, address },
            CompareExchange { width, order, dst, success, base, expected, new, offset } => CompareExchange { base: source(base), expected: source(expected), new: source(new), dst: target(dst), success: target(success), width, order, offset },
            Fence { order } => Fence { order },
            Copy { to, from, length, overlap } => Copy { to: source(to), from: source(from), length: source(length), overlap },
            CopyBytes { to, from, length, overlap } => CopyBytes { to: source(to), from: source(from), length, overlap },
            Fill { to, byte, length } => Fill { to: source(to), byte: source(byte), length: source(length) },
            FillBytes { to, byte, length } => FillBytes { to: source(to), byte: source(byte), length },
            Alloca { dst, local } => Alloca { dst: target(dst), local },
            AllocaMany { dst, local, count } => AllocaMany { count: source(count), dst: target(dst), local },
            LifeStart { base } => LifeStart { base: source(base) },
            LifeEnd { base } => LifeEnd { base: source(base) },
            StackSave { dst } => StackSave { dst: target(dst) },
            StackRestore { src } => StackRestore { src: source(src) },
            Jump { target } => Jump { target },
            JumpIfEqual { a, b, target } => JumpIfEqual { a: source(a), b: source(b), target },
            JumpIfNotEqual { a, b, target } => JumpIfNotEqual { a: source(a), b: source(b), target },
            JumpIfLess { a, b, target } => JumpIfLess { a: source(a), b: source(b), target },
            JumpIfNotLess { a, b, target } => JumpIfNotLess { a: source(a), b: source(b), target },
            JumpIfBelow { a, b, target } => JumpIfBelow { a: source(a), b: source(b), target },
            JumpIfNotBelow { a, b, target } => JumpIfNotBelow { a: source(a), b: source(b), target },
            JumpIfEqualTo { a, value, target } => JumpIfEqualTo { a: source(a), value, target },
            JumpIfNotEqualTo { a, value, target } => JumpIfNotEqualTo { a: source(a), value, target },
            JumpIfLessThan { a, value, target } => JumpIfLessThan { a: source(a), value, target },
            JumpIfNotLessThan { a, value, target } => JumpIfNotLessThan { a: source(a), value, target },
            JumpIfBelowThan { a, value, target } => JumpIfBelowThan { a: source(a), value, target },
            JumpIfNotBelowThan { a, value, target } => JumpIfNotBelowThan { a: source(a), value, target },
            Switch { src, table } => Switch { src: source(src), table },
            Head { repeat, counter } => Head { repeat, counter: source(counter) },
            Call { function, first, count, dst } => Call { dst: target(dst), function, first, count },
            CallIndirect { callee, signature, first, count, dst } => CallIndirect { callee: source(callee), dst: target(dst), signature, first, count },
            Native { native, count, dst, first, shape } => Native { dst: target(dst), native, count, first, shape },
            Return => Return,
            ReturnValue { src } => ReturnValue { src: source(src) },
            ReturnMany { first, count } => ReturnMany { first, count },
            AtomicBegin => AtomicBegin,
            AtomicEnd => AtomicEnd,
            Trap => Trap,
            Unreachable => Unreachable,
        }
    }

    /// Where it jumps to, unless that is in a table.
    pub(crate) fn target_mut(&mut self) -> Option<&mut u32> {
        use Instruction::*;
        match self {
            Jump { target }
            | JumpIfEqual { target, .. }
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
            | JumpIfNotBelowThan { target, .. } => Some(target),
            _ => None,
        }
    }

    /// Whether it does nothing but compute what it writes to registers.
    pub(crate) fn is_pure(&self) -> bool {
        use Instruction::*;
        matches!(
            self,
            Move { .. }
                | Constant { .. }
                | Undefined { .. }
                | Add64 { .. }
                | Add32 { .. }
                | Subtract64 { .. }
                | Subtract32 { .. }
                | Multiply64 { .. }
                | Multiply32 { .. }
                | And { .. }
                | Or { .. }
                | Xor { .. }
                | Add64By { .. }
                | Add32By { .. }
                | SubtractFrom64 { .. }
                | SubtractFrom32 { .. }
                | Multiply64By { .. }
                | Multiply32By { .. }
                | AndBy { .. }
                | OrBy { .. }
                | XorBy { .. }
                | ShiftLeftBy { .. }
                | ShiftRightBy { .. }
                | ShiftRightSignedBy { .. }
                | Wrap { .. }
                | ZeroExtend { .. }
                | Rare { .. }
                | Overflowing { .. }
                | FunnelLeft { .. }
                | FunnelRight { .. }
                | Compare { .. }
                | CompareWith { .. }
                | FloatBinary { .. }
                | FloatUnary { .. }
                | FloatMultiplyAdd { .. }
                | FloatCompare { .. }
                | Convert { .. }
                | WideToFloat { .. }
                | FloatToWide { .. }
                | Soft { .. }
                | SoftCompare { .. }
                | SoftConvert { .. }
                | Index { .. }
                | IndexAt { .. }
                | ThreadLocal { .. }
        )
    }

    /// Whether others can notice it, or may be able to: it accesses memory, or calls what the
    /// machine models.
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
