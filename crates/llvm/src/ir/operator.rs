//! Operators, predicates, flags and orderings.

/// Operators with two operands of the type of the result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum BinaryOperator {
    /// `add`
    Add,
    /// `fadd`
    FAdd,
    /// `sub`
    Sub,
    /// `fsub`
    FSub,
    /// `mul`
    Mul,
    /// `fmul`
    FMul,
    /// `udiv`
    UDiv,
    /// `sdiv`
    SDiv,
    /// `fdiv`
    FDiv,
    /// `urem`
    URem,
    /// `srem`
    SRem,
    /// `frem`
    FRem,
    /// `shl`
    Shl,
    /// `lshr`
    LShr,
    /// `ashr`
    AShr,
    /// `and`
    And,
    /// `or`
    Or,
    /// `xor`
    Xor,
}

impl BinaryOperator {
    /// Whether it works on floating-point numbers.
    pub fn is_float(self) -> bool {
        use BinaryOperator::*;
        matches!(self, FAdd | FSub | FMul | FDiv | FRem)
    }
}

/// Operators with one operand of the type of the result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum UnaryOperator {
    /// `fneg`
    FNeg,
}

/// Conversions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum CastOperator {
    /// `trunc`
    Trunc,
    /// `zext`
    ZExt,
    /// `sext`
    SExt,
    /// `fptoui`
    FPToUI,
    /// `fptosi`
    FPToSI,
    /// `uitofp`
    UIToFP,
    /// `sitofp`
    SIToFP,
    /// `fptrunc`
    FPTrunc,
    /// `fpext`
    FPExt,
    /// `ptrtoint`
    PtrToInt,
    /// `inttoptr`
    IntToPtr,
    /// `bitcast`; between pointers too, in bitcode with typed pointers.
    BitCast,
    /// `addrspacecast`
    AddrSpaceCast,
    /// `ptrtoaddr`
    PtrToAddr,
}

/// Flags of an arithmetic operator or a cast: what the compiler promises; a broken promise gives
/// poison.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ArithmeticFlags {
    /// `nuw`: no unsigned wrap.
    pub no_unsigned_wrap: bool,
    /// `nsw`: no signed wrap.
    pub no_signed_wrap: bool,
    /// `exact`: no bits or remainder lost.
    pub exact: bool,
    /// `disjoint`: no bit set in both operands of an `or`.
    pub disjoint: bool,
    /// `nneg`: the operand of `zext` or `uitofp` is not negative.
    pub non_negative: bool,
}

/// Liberties of floating-point operations.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FastMath {
    /// `reassoc`
    pub reassociate: bool,
    /// `nnan`
    pub no_nans: bool,
    /// `ninf`
    pub no_infinities: bool,
    /// `nsz`
    pub no_signed_zeros: bool,
    /// `arcp`
    pub allow_reciprocal: bool,
    /// `contract`
    pub allow_contract: bool,
    /// `afn`
    pub approximate_functions: bool,
}

impl FastMath {
    /// All liberties: `fast`.
    pub const ALL: FastMath = FastMath {
        reassociate: true,
        no_nans: true,
        no_infinities: true,
        no_signed_zeros: true,
        allow_reciprocal: true,
        allow_contract: true,
        approximate_functions: true,
    };
}

/// Flags of `getelementptr`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PointerFlags {
    /// `inbounds`: stays within the object (implies `nusw`).
    pub inbounds: bool,
    /// `nusw`: no wrap when offsets are taken as signed and the base as unsigned.
    pub no_unsigned_signed_wrap: bool,
    /// `nuw`: no unsigned wrap.
    pub no_unsigned_wrap: bool,
}

/// Comparisons of integers and pointers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum IntegerPredicate {
    /// `eq`
    Equal,
    /// `ne`
    NotEqual,
    /// `ugt`
    UnsignedGreater,
    /// `uge`
    UnsignedGreaterEqual,
    /// `ult`
    UnsignedLess,
    /// `ule`
    UnsignedLessEqual,
    /// `sgt`
    SignedGreater,
    /// `sge`
    SignedGreaterEqual,
    /// `slt`
    SignedLess,
    /// `sle`
    SignedLessEqual,
}

/// Comparisons of floating-point numbers. The ordered ones are false, the unordered ones true,
/// where an operand is not a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum FloatPredicate {
    /// `false`
    False,
    /// `oeq`
    OrderedEqual,
    /// `ogt`
    OrderedGreater,
    /// `oge`
    OrderedGreaterEqual,
    /// `olt`
    OrderedLess,
    /// `ole`
    OrderedLessEqual,
    /// `one`
    OrderedNotEqual,
    /// `ord`
    Ordered,
    /// `uno`
    Unordered,
    /// `ueq`
    UnorderedEqual,
    /// `ugt`
    UnorderedGreater,
    /// `uge`
    UnorderedGreaterEqual,
    /// `ult`
    UnorderedLess,
    /// `ule`
    UnorderedLessEqual,
    /// `une`
    UnorderedNotEqual,
    /// `true`
    True,
}

/// Orderings of atomic operations.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Ordering {
    /// `unordered`: Java's plain accesses.
    Unordered,
    /// `monotonic`: C's relaxed.
    Monotonic,
    /// `acquire`
    Acquire,
    /// `release`
    Release,
    /// `acq_rel`
    AcquireRelease,
    /// `seq_cst`
    SequentiallyConsistent,
}

/// That, and how, an access is atomic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Atomic {
    /// Its ordering.
    pub ordering: Ordering,
    /// With whom it synchronises.
    pub scope: super::ScopeId,
}

/// What `atomicrmw` does with the old value and its operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum AtomicOperator {
    /// `xchg`
    Exchange,
    /// `add`
    Add,
    /// `sub`
    Sub,
    /// `and`
    And,
    /// `nand`
    Nand,
    /// `or`
    Or,
    /// `xor`
    Xor,
    /// `max`: signed
    Max,
    /// `min`: signed
    Min,
    /// `umax`
    UMax,
    /// `umin`
    UMin,
    /// `fadd`
    FAdd,
    /// `fsub`
    FSub,
    /// `fmax`
    FMax,
    /// `fmin`
    FMin,
    /// `uinc_wrap`
    UIncWrap,
    /// `udec_wrap`
    UDecWrap,
    /// `usub_cond`
    USubCond,
    /// `usub_sat`
    USubSat,
    /// `fmaximum`
    FMaximum,
    /// `fminimum`
    FMinimum,
}
