//! Constants, constant expressions among them.

use super::{
    AliasId, ArithmeticFlags, BinaryOperator, BlockId, CastOperator, ConstantId, FloatPredicate, FunctionId, GlobalId,
    IntegerPredicate, PointerFlags, TypeId, UnaryOperator,
};

/// A constant with its type.
#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    /// Its type.
    pub ty: TypeId,
    /// What it is.
    pub kind: ConstantKind,
}

/// The constants. Operands have smaller ids than what they are operands of.
#[derive(Clone, Debug, PartialEq)]
pub enum ConstantKind {
    /// Any value, another one at each use.
    Undef,
    /// The result of a broken promise.
    Poison,
    /// Zero of an array, vector or structure, the null pointer, or the empty token. (Numbers that
    /// are zero are numbers.)
    Null,
    /// An integer of at most 64 bits: the bits of its type, zero above them.
    Integer(u64),
    /// A wider integer: 64 bits a word, the lowest first, as many as its type needs, zero above
    /// them.
    WideInteger(Box<[u64]>),
    /// The bits of a floating-point number.
    Float(u128),
    /// The address of a global variable.
    Global(GlobalId),
    /// The address of a function.
    Function(FunctionId),
    /// The address of what an alias stands for.
    Alias(AliasId),
    /// An array, vector or structure of these.
    Aggregate(Vec<ConstantId>),
    /// An array or vector of numbers of 1, 2, 4 or 8 bytes each, little endian one after the other,
    /// in memory's layout.
    Data(Vec<u8>),
    /// A vector or array with all elements equal.
    Splat(ConstantId),
    /// The address of a block, for `indirectbr`.
    BlockAddress(FunctionId, BlockId),
    /// The function, or a local stub that jumps to it.
    DsoLocalEquivalent(ConstantId),
    /// The function itself, not what control-flow integrity would put in its place.
    NoCfi(ConstantId),
    /// A signed pointer.
    PointerAuthentication([ConstantId; 4]),
    /// Assembly as the target of a call.
    Assembly(Box<Assembly>),
    /// Arithmetic.
    Binary(BinaryOperator, ArithmeticFlags, ConstantId, ConstantId),
    /// `fneg`
    Unary(UnaryOperator, ConstantId),
    /// A conversion to the type of the constant.
    Cast(CastOperator, ConstantId),
    /// Address arithmetic.
    GetElementPtr {
        /// The type that the base is taken to point to.
        source: TypeId,
        /// The base.
        base: ConstantId,
        /// The first counts in `source`s, the following go into arrays and structures.
        indices: Vec<ConstantId>,
        /// Promises.
        flags: PointerFlags,
    },
    /// `select`
    Select(ConstantId, ConstantId, ConstantId),
    /// `icmp`
    ICmp(IntegerPredicate, ConstantId, ConstantId),
    /// `fcmp`
    FCmp(FloatPredicate, ConstantId, ConstantId),
    /// `extractelement`
    ExtractElement(ConstantId, ConstantId),
    /// `insertelement`: vector, element, index.
    InsertElement(ConstantId, ConstantId, ConstantId),
    /// `shufflevector`: two vectors and a mask that is a vector of integers.
    ShuffleVector(ConstantId, ConstantId, ConstantId),
}

/// Inline assembly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assembly {
    /// The type of the function that it acts as.
    pub ty: TypeId,
    /// The assembly, with placeholders.
    pub text: String,
    /// What registers and memory it reads and writes.
    pub constraints: String,
    /// `sideeffect`
    pub side_effects: bool,
    /// `alignstack`
    pub align_stack: bool,
    /// `inteldialect`
    pub intel: bool,
    /// `unwind`
    pub unwinds: bool,
}

impl ConstantKind {
    /// The constants that it is made of, in order.
    pub fn operands(&self) -> impl Iterator<Item = ConstantId> + '_ {
        use ConstantKind::*;
        let (list, few): (&[ConstantId], [Option<ConstantId>; 4]) = match self {
            Undef | Poison | Null | Integer(_) | WideInteger(_) | Float(_) | Global(_) | Function(_) | Alias(_)
            | Data(_) | BlockAddress(..) | Assembly(_) => (&[], [None; 4]),
            Aggregate(list) => (list, [None; 4]),
            Splat(one) | DsoLocalEquivalent(one) | NoCfi(one) | Unary(_, one) | Cast(_, one) => {
                (&[], [Some(*one), None, None, None])
            }
            Binary(_, _, one, two) | ICmp(_, one, two) | FCmp(_, one, two) | ExtractElement(one, two) => {
                (&[], [Some(*one), Some(*two), None, None])
            }
            Select(one, two, three) | InsertElement(one, two, three) | ShuffleVector(one, two, three) => {
                (&[], [Some(*one), Some(*two), Some(*three), None])
            }
            PointerAuthentication(all) => (all, [None; 4]),
            GetElementPtr { base, indices, .. } => (indices, [Some(*base), None, None, None]),
        };
        few.into_iter().flatten().chain(list.iter().copied())
    }
}
