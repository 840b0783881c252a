//! Instructions.

use super::{
    ArithmeticFlags, Atomic, AtomicOperator, AttributesId, BinaryOperator, BlockId, CastOperator, ConstantId, FastMath,
    FloatPredicate, IntegerPredicate, LocalId, LocationId, MetadataId, Ordering, PointerFlags, TypeId, UnaryOperator,
};

/// A value that an instruction takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Operand {
    /// A parameter or the result of an instruction.
    Local(LocalId),
    /// A constant, the addresses of globals and functions among them.
    Constant(ConstantId),
    /// Metadata, as an argument of an intrinsic.
    Metadata(MetadataId),
}

/// An instruction.
#[derive(Clone, Debug)]
pub struct Instruction {
    /// What it does.
    pub kind: InstructionKind,
    /// The type of its result; `void` if it has none.
    pub ty: TypeId,
    /// Where its result goes; `None` if it has none.
    pub result: Option<LocalId>,
    /// Where it comes from.
    pub location: Option<LocationId>,
}

/// The instructions. Alignments are in bytes. Where operands are vectors, operators work element by
/// element.
#[derive(Clone, Debug)]
pub enum InstructionKind {
    /// `fneg`
    Unary(UnaryOperator, FastMath, Operand),
    /// `add` and so on.
    Binary {
        /// Which.
        operator: BinaryOperator,
        /// Promises about integers.
        flags: ArithmeticFlags,
        /// Liberties about floats.
        fast: FastMath,
        /// The left operand.
        left: Operand,
        /// The right operand.
        right: Operand,
    },
    /// A conversion to the type of the result.
    Cast {
        /// Which.
        operator: CastOperator,
        /// Promises.
        flags: ArithmeticFlags,
        /// Liberties (`fptrunc`, `fpext`).
        fast: FastMath,
        /// What is converted.
        operand: Operand,
    },
    /// `icmp`
    ICmp {
        /// The comparison.
        predicate: IntegerPredicate,
        /// `samesign`: promise that both have the same sign.
        same_sign: bool,
        /// The left operand.
        left: Operand,
        /// The right operand.
        right: Operand,
    },
    /// `fcmp`
    FCmp {
        /// The comparison.
        predicate: FloatPredicate,
        /// Liberties.
        fast: FastMath,
        /// The left operand.
        left: Operand,
        /// The right operand.
        right: Operand,
    },
    /// `select`
    Select {
        /// A truth value, or a vector of them.
        condition: Operand,
        /// The result if true.
        yes: Operand,
        /// The result if false.
        no: Operand,
        /// Liberties.
        fast: FastMath,
    },
    /// `freeze`: an undefined operand becomes some fixed value.
    Freeze(Operand),
    /// Memory that lives as long as the call of the function.
    Alloca {
        /// The type of an element.
        ty: TypeId,
        /// How many elements.
        count: Operand,
        /// The alignment.
        alignment: Option<u64>,
        /// Made for the arguments of one call.
        in_alloca: bool,
        /// For Swift's errors.
        swift_error: bool,
    },
    /// `load`, of the type of the result.
    Load {
        /// The address.
        pointer: Operand,
        /// The alignment.
        alignment: Option<u64>,
        /// `volatile`
        volatile: bool,
        /// That and how it is atomic.
        atomic: Option<Atomic>,
    },
    /// `store`
    Store {
        /// What is stored.
        value: Operand,
        /// The address.
        pointer: Operand,
        /// The alignment.
        alignment: Option<u64>,
        /// `volatile`
        volatile: bool,
        /// That and how it is atomic.
        atomic: Option<Atomic>,
    },
    /// `fence`
    Fence(Atomic),
    /// `cmpxchg`: the result is a structure of the old value and whether it was the expected one.
    CompareExchange {
        /// The address.
        pointer: Operand,
        /// What is compared with.
        expected: Operand,
        /// What is stored if it is equal.
        new: Operand,
        /// Ordering of success, and the scope.
        success: Atomic,
        /// Ordering of failure.
        failure: Ordering,
        /// May fail although it is equal.
        weak: bool,
        /// `volatile`
        volatile: bool,
        /// The alignment.
        alignment: Option<u64>,
    },
    /// `atomicrmw`: the result is the old value.
    AtomicRmw {
        /// What is done.
        operator: AtomicOperator,
        /// The address.
        pointer: Operand,
        /// The operand.
        value: Operand,
        /// Ordering and scope.
        atomic: Atomic,
        /// `volatile`
        volatile: bool,
        /// The alignment.
        alignment: Option<u64>,
    },
    /// Address arithmetic.
    GetElementPtr {
        /// The type that the base is taken to point to.
        source: TypeId,
        /// The base.
        base: Operand,
        /// The first counts in `source`s, the following go into arrays and structures.
        indices: Vec<Operand>,
        /// Promises.
        flags: PointerFlags,
    },
    /// `extractvalue`
    ExtractValue(Operand, Vec<u32>),
    /// `insertvalue`
    InsertValue {
        /// The structure or array that is changed.
        aggregate: Operand,
        /// The new part.
        value: Operand,
        /// Where.
        indices: Vec<u32>,
    },
    /// `extractelement`: vector, index.
    ExtractElement(Operand, Operand),
    /// `insertelement`
    InsertElement {
        /// The vector that is changed.
        vector: Operand,
        /// The new element.
        value: Operand,
        /// Where.
        index: Operand,
    },
    /// `shufflevector`
    ShuffleVector {
        /// The first vector.
        left: Operand,
        /// The second vector: its elements count on from those of the first.
        right: Operand,
        /// For each element of the result which element it is; `None` for any.
        mask: Vec<Option<u32>>,
    },
    /// `phi`: the value that belongs to the block that control came from.
    Phi(FastMath, Vec<(Operand, BlockId)>),
    /// `call`
    Call(Box<Call>),
    /// `va_arg`: the next variable argument, of the type of the result.
    VaArg(Operand),
    /// `landingpad`
    LandingPad {
        /// Whether it is entered by every exception.
        cleanup: bool,
        /// What it catches.
        clauses: Vec<Clause>,
    },
    /// `catchpad` and `cleanuppad` of the exception handling of Windows: parent and arguments.
    FuncletPad {
        /// `catchpad`, not `cleanuppad`.
        catch: bool,
        /// The pad around it.
        parent: Operand,
        /// The arguments.
        arguments: Vec<Operand>,
    },
    /// `ret`
    Return(Option<Operand>),
    /// `br label`
    Branch(BlockId),
    /// `br i1`
    ConditionalBranch {
        /// The condition.
        condition: Operand,
        /// Where to go if true.
        yes: BlockId,
        /// Where to go if false.
        no: BlockId,
    },
    /// `switch`
    Switch {
        /// What decides.
        value: Operand,
        /// Where to go if no case matches.
        default: BlockId,
        /// The cases: integer constants.
        cases: Vec<(ConstantId, BlockId)>,
    },
    /// `indirectbr`: goto a computed label, one of these.
    IndirectBranch(Operand, Vec<BlockId>),
    /// `invoke`: a call, with where to go after it.
    Invoke(Box<Invoke>),
    /// `callbr`: assembly that may jump.
    CallBranch {
        /// The call.
        call: Box<Call>,
        /// Where to go if it does not jump.
        fallthrough: BlockId,
        /// Where it may jump.
        indirect: Vec<BlockId>,
    },
    /// `resume`
    Resume(Operand),
    /// `unreachable`
    Unreachable,
    /// `catchswitch`
    CatchSwitch {
        /// The pad around it.
        parent: Operand,
        /// Its handlers.
        handlers: Vec<BlockId>,
        /// Where to go if none of them catches; `None` for the caller.
        unwind: Option<BlockId>,
    },
    /// `catchret`
    CatchReturn {
        /// The pad that is left.
        pad: Operand,
        /// Where to go.
        target: BlockId,
    },
    /// `cleanupret`
    CleanupReturn {
        /// The pad that is left.
        pad: Operand,
        /// Where to go; `None` for the caller.
        unwind: Option<BlockId>,
    },
}

/// A call. The result of the instruction is what it returns.
#[derive(Clone, Debug)]
pub struct Call {
    /// What is called.
    pub target: CallTarget,
    /// The type it is called as: a [`Type::Function`](super::Type::Function).
    pub ty: TypeId,
    /// The arguments, variable ones last.
    pub arguments: Vec<Operand>,
    /// The attributes of the call.
    pub attributes: Option<AttributesId>,
    /// The calling convention: 0 is C's.
    pub convention: u32,
    /// Whether it is a tail call.
    pub tail: TailCall,
    /// Liberties, if it returns a floating-point number.
    pub fast: FastMath,
    /// Operand bundles.
    pub bundles: Vec<Bundle>,
}

/// What is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CallTarget {
    /// A function of the module.
    Function(super::FunctionId),
    /// A pointer: a computed one, an alias, or a constant expression.
    Pointer(Operand),
    /// Inline assembly: a [`ConstantKind::Assembly`](super::ConstantKind::Assembly).
    Assembly(ConstantId),
}

/// A call with where to go after it.
#[derive(Clone, Debug)]
pub struct Invoke {
    /// The call.
    pub call: Call,
    /// Where to go when it returns.
    pub normal: BlockId,
    /// Where to go when it throws: a block that begins with `landingpad`.
    pub unwind: BlockId,
}

/// An operand bundle.
#[derive(Clone, Debug)]
pub struct Bundle {
    /// Its tag: index into [`Module::bundle_tags`](super::Module::bundle_tags).
    pub tag: u32,
    /// Its operands.
    pub operands: Vec<Operand>,
}

/// A clause of a `landingpad`.
#[derive(Clone, Copy, Debug)]
pub enum Clause {
    /// Catches exceptions of this type.
    Catch(Operand),
    /// Lets only exceptions of these types pass.
    Filter(Operand),
}

/// Whether a call reuses the frame of its caller.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TailCall {
    /// Nothing is said.
    #[default]
    None,
    /// It may: it does not use the caller's `alloca`s.
    Tail,
    /// It must.
    MustTail,
    /// It must not.
    NoTail,
}

impl InstructionKind {
    /// Whether it ends a block.
    pub fn is_terminator(&self) -> bool {
        use InstructionKind::*;
        matches!(
            self,
            Return(_)
                | Branch(_)
                | ConditionalBranch { .. }
                | Switch { .. }
                | IndirectBranch(..)
                | Invoke(_)
                | CallBranch { .. }
                | Resume(_)
                | Unreachable
                | CatchSwitch { .. }
                | CatchReturn { .. }
                | CleanupReturn { .. }
        )
    }

    /// The call in a `call`, `invoke` or `callbr`.
    pub fn call(&self) -> Option<&Call> {
        match self {
            InstructionKind::Call(call) | InstructionKind::CallBranch { call, .. } => Some(call),
            InstructionKind::Invoke(invoke) => Some(&invoke.call),
            _ => None,
        }
    }
}
