//! The lowered program: flat register code, and all that a machine needs to run it and a report to
//! speak of it.
//!
//! An [`Image`] never changes and is shared by all machines that run it.

pub(crate) mod debug;
pub(crate) mod instruction;
mod listing;
pub(crate) mod operator;
pub(crate) mod partition;
pub(crate) mod soft;

use debug::{Leaf, SourceType, TypeId};
use instruction::{Flags, Instruction, Order, Register};
use partition::Partition;
use soft::Format;

/// An address: object slot in the upper half, offset in the lower half. Slot 0 is null.
#[inline]
pub(crate) fn address(slot: u32, offset: u32) -> u64 {
    u64::from(slot) << 32 | u64::from(offset)
}

/// What the user requested.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The most iterations of a loop, each time it is entered.
    pub unroll: Option<u32>,
    /// The range of `__VERIFIER_nondet_int` and the like.
    pub nondet: Option<(i64, i64)>,
    /// Signed overflow is a failure.
    pub overflow: bool,
    /// Data races are failures.
    pub data_races: bool,
    /// Memory that nobody gave back is a failure.
    pub leaks: bool,
    /// The program may end with any exit status; otherwise one that is not 0 is a failure.
    pub any_exit_status: bool,
    /// How often each thread may be woken from a wait for a condition without a signal.
    pub spurious_wakeups: u32,
    /// The machine leaves out as events what no other thread can notice. Without that, every access
    /// to memory is one, whoever can reach it and whoever is left: slow, and for tests of what is
    /// left out.
    pub shortcuts: bool,
    /// What `argv` holds after the program's name.
    pub arguments: Vec<String>,
    /// The program is only analysed: what is not supported is left out, and said.
    pub analysed: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            unroll: None,
            nondet: None,
            overflow: false,
            data_races: true,
            leaks: false,
            any_exit_status: false,
            spurious_wakeups: 0,
            shortcuts: true,
            arguments: Vec::new(),
            analysed: false,
        }
    }
}

/// What an operand is, where somebody needs to know: `printf`, a call through a pointer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Kind {
    /// An integer of at most so many bits (8, 16, 32 or 64).
    Integer(u8),
    /// A pointer.
    Pointer,
    /// A `float`.
    F32,
    /// A `double`.
    F64,
    /// The lower half of a number of 128 bits; the upper half is the next operand.
    Low,
    /// The upper half of a number of 128 bits.
    High,
    /// A floating-point number of 16 bits.
    Half,
    /// The lower 64 bits of a floating-point number of two registers; the rest is the next operand.
    FloatLow(Format),
    /// The rest of it.
    FloatHigh(Format),
}

impl Kind {
    /// Whether a value of one can stand for a value of the other: a call through a pointer of a
    /// slightly wrong type works.
    fn is_like(self, other: Kind) -> bool {
        let is_plain = |kind: Kind| matches!(kind, Kind::Integer(_) | Kind::Pointer);
        self == other || is_plain(self) && is_plain(other)
    }
}

/// An argument or result of a call.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Operand {
    /// Where it is.
    pub(crate) register: Register,
    /// What it is.
    pub(crate) kind: Kind,
}

/// What a function takes and gives, slot by slot.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Signature {
    /// The fixed parameters. A variadic function has one more register behind them: the address of
    /// the variable arguments, which lie in memory as the x86-64 calling convention has them: what
    /// came in registers, then the overflow area.
    pub(crate) parameters: Vec<Kind>,
    /// More than these may be given.
    pub(crate) variadic: bool,
    /// The results; none for `void`.
    pub(crate) results: Vec<Kind>,
}

impl Signature {
    /// Whether a function of this signature can be called as one of that of the call: the same
    /// parameters but for the kinds of integers, and a result where one is expected. A call without
    /// prototype (`variadic`, no fixed parameters) passes its operands as they are, then the
    /// address of the variable arguments; it suits any function that is not variadic.
    pub(crate) fn accepts(&self, call: &Signature, operands: usize) -> bool {
        let alike = |ours: &[Kind], theirs: &[Kind]| {
            ours.len() == theirs.len() && ours.iter().zip(theirs).all(|(one, other)| one.is_like(*other))
        };
        if !call.results.is_empty() && !alike(&self.results, &call.results) {
            return false;
        }
        if call.variadic && !self.variadic && call.parameters.is_empty() {
            return operands > self.parameters.len();
        }
        self.variadic == call.variadic && alike(&self.parameters, &call.parameters)
    }
}

/// A function.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    /// As the source calls it.
    pub(crate) name: String,
    /// Where its code begins.
    pub(crate) entry: u32,
    /// How many registers its frame has.
    pub(crate) registers: u16,
    /// How many of them are parameters (the address of variable arguments included).
    pub(crate) parameters: u16,
    /// What it takes and gives.
    pub(crate) signature: Signature,
    /// Where it is defined: index into [`Image::sites`].
    pub(crate) site: u32,
    /// Its address.
    pub(crate) address: u64,
    /// The locals that live in registers, for reports.
    pub(crate) variables: Vec<Variable>,
    /// Not the user's own: of the C library, or what holds the program together.
    pub(crate) library: bool,
}

/// A local that lives in a register.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    /// Its name, with the path of the part: `i`, `p.x`.
    pub(crate) name: String,
    /// Where it lives. Others may live there at other times.
    pub(crate) register: Register,
    /// Its type.
    pub(crate) ty: Option<TypeId>,
}

/// A variable of static storage, or a string of the program text.
#[derive(Clone, Debug)]
pub(crate) struct Global {
    /// As the source calls it; `"text"` for strings, `function.name` for static locals.
    pub(crate) name: String,
    /// Its object's slot; for a thread-local the slot is not used, since every thread has its own
    /// object.
    pub(crate) slot: u32,
    /// In bytes.
    pub(crate) size: u32,
    /// In bytes, a power of two.
    pub(crate) alignment: u32,
    /// Its cells: index into [`Image::partitions`].
    pub(crate) partition: u32,
    /// Must not be written, and is nobody's concern when it is read.
    pub(crate) constant: bool,
    /// Every thread has its own, with the same initial bytes.
    pub(crate) thread_local: bool,
    /// Its bytes when the program begins, addresses resolved; as long as it is, or shorter where
    /// the rest is zero.
    pub(crate) initial: Box<[u8]>,
    /// Its type.
    pub(crate) ty: Option<TypeId>,
    /// Where it is declared: index into [`Image::sites`].
    pub(crate) site: u32,
}

/// A local whose address is taken, or that is too large for registers.
#[derive(Clone, Debug)]
pub(crate) struct Local {
    /// As the source calls it; empty where it is the compiler's.
    pub(crate) name: String,
    /// In bytes; of one element, where the count is dynamic.
    pub(crate) size: u32,
    /// In bytes, a power of two.
    pub(crate) alignment: u32,
    /// Its cells: index into [`Image::partitions`].
    pub(crate) partition: u32,
    /// Its type.
    pub(crate) ty: Option<TypeId>,
    /// The function that it belongs to.
    pub(crate) function: u32,
}

/// What the block allocated by a call of `malloc` or the like will hold.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    /// Its cells, repeated to the size of the block: index into [`Image::partitions`].
    pub(crate) partition: u32,
    /// The type of an element.
    pub(crate) ty: Option<TypeId>,
}

/// Where a [`Switch`](Instruction::Switch) leads.
#[derive(Clone, Debug)]
pub(crate) struct Switch {
    /// The value of the first entry of `dense`.
    pub(crate) low: i64,
    /// Targets of `low`, `low + 1` ...; empty where the values are far apart.
    pub(crate) dense: Vec<u32>,
    /// Values and targets, ascending, where there is no dense table.
    pub(crate) sparse: Vec<(i64, u32)>,
    /// Where all other values lead.
    pub(crate) otherwise: u32,
}

impl Switch {
    /// Where a value leads.
    #[inline]
    pub(crate) fn target(&self, value: u64) -> u32 {
        let at = (value as i64).wrapping_sub(self.low) as u64;
        if let Some(&target) = self.dense.get(usize::try_from(at).unwrap_or(usize::MAX)) {
            return target;
        }
        match self.sparse.binary_search_by_key(&(value as i64), |entry| entry.0) {
            Ok(at) => self.sparse[at].1,
            Err(_) => self.otherwise,
        }
    }
}

/// How a loop can come to wait.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Waiting {
    /// An iteration may change nothing.
    Possible,
    /// Every iteration changes a register that the next one begins with: it never waits.
    Never,
    /// Each iteration makes exactly one access, a load (marked
    /// [`Flags::AWAIT`](instruction::Flags::AWAIT)), calls nothing, and changes no register that
    /// the next one begins with: the load can be taken to be enabled only where the iteration that
    /// it belongs to leaves the loop.
    Awaits,
}

/// A loop.
#[derive(Clone, Debug)]
pub(crate) struct Loop {
    /// Where its [`Head`](Instruction::Head) stands.
    pub(crate) head: u32,
    /// The registers whose values at the head matter to what follows; the counter of the loop is
    /// not among them. Two visits of the head with the same values in them, the same frames below
    /// and the same memory are the same state.
    pub(crate) carried: Box<[Register]>,
    /// Whether it can wait.
    pub(crate) waiting: Waiting,
}

/// A point of the source.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Site {
    /// Index into [`Image::files`].
    pub(crate) file: u32,
    /// From 1; 0 where it is not known.
    pub(crate) line: u32,
    /// From 1; 0 where it is not known.
    pub(crate) column: u32,
    /// The function that the code belongs to: index into [`Image::functions`].
    pub(crate) function: u32,
}

/// A source file.
#[derive(Clone, Debug)]
pub(crate) struct File {
    /// As the compiler was given it.
    pub(crate) name: String,
    /// Its lines, where it could be read.
    pub(crate) lines: Vec<String>,
}

/// What a slot of the object table is from the beginning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fixed {
    /// Null: no object.
    Null,
    /// A function: index into [`Image::functions`].
    Function(u32),
    /// A global: index into [`Image::globals`].
    Global(u32),
}

/// A lowered program. Made by `compile`, run by a machine.
#[derive(Clone, Debug)]
pub struct Image {
    /// The code of all functions.
    pub(crate) code: Vec<Instruction>,
    /// The site of each instruction: index into `sites`.
    pub(crate) places: Vec<u32>,
    /// Points of the source. An instruction that may be visible has one of its own.
    pub(crate) sites: Vec<Site>,
    /// Source files.
    pub(crate) files: Vec<File>,
    /// All functions, those that make up calls of natives through pointers included.
    pub(crate) functions: Vec<Function>,
    /// What the slots from 0 on are; dynamic objects come after them.
    pub(crate) fixed: Vec<Fixed>,
    /// Variables of static storage and strings.
    pub(crate) globals: Vec<Global>,
    /// Stack objects.
    pub(crate) locals: Vec<Local>,
    /// Arguments and results of calls.
    pub(crate) operands: Vec<Operand>,
    /// Signatures of calls through pointers.
    pub(crate) signatures: Vec<Signature>,
    /// Jump tables.
    pub(crate) switches: Vec<Switch>,
    /// Loops.
    pub(crate) loops: Vec<Loop>,
    /// Divisions of objects into cells.
    pub(crate) partitions: Vec<Partition>,
    /// What allocations will hold. The first is what nothing is known about: equal cells as small
    /// as the smallest access through a pointer that is not constant.
    pub(crate) shapes: Vec<Shape>,
    /// Types of the source.
    pub(crate) types: Vec<SourceType>,
    /// The function that the first thread runs, without parameters or result: constructors, `main`,
    /// what the library has to do at the end, and `_exit` with the result of `main`. Destructors
    /// are registered like handlers of `atexit`.
    pub(crate) start: u32,
    /// What the library has to do when a thread ends (`__mazurka_thread_finish`: no parameters, no
    /// result), where the program can give it something to do. For a thread that has used no
    /// thread-local variable there is nothing to do.
    pub(crate) thread_finish: Option<u32>,
    /// The functions that nobody defines, where the program is only analysed.
    pub(crate) foreign: Vec<String>,
    /// What is left out of a program that is only analysed.
    pub(crate) left_out: Vec<String>,
    /// What the user requested.
    pub(crate) settings: Settings,
}

impl Image {
    /// The functions that nobody defines, where the program is only analysed.
    pub fn foreign(&self) -> &[String] {
        &self.foreign
    }

    /// Whether data races are failures.
    pub fn detects_data_races(&self) -> bool {
        self.settings.data_races
    }

    /// Whether a function that the machine models is called somewhere.
    pub(crate) fn calls(&self, wanted: crate::native::Native) -> bool {
        let is_wanted =
            |instruction: &Instruction| matches!(instruction, Instruction::Native { native, .. } if *native == wanted);
        self.code.iter().any(is_wanted)
    }

    /// Whether something in the program orders what comes before and after it without synchronising
    /// it, and somebody wants to know.
    pub(crate) fn is_weak(&self) -> bool {
        let is_weak = |instruction: &Instruction| match instruction {
            Instruction::Load { flags, .. }
            | Instruction::LoadAt { flags, .. }
            | Instruction::Store { flags, .. }
            | Instruction::StoreAt { flags, .. }
            | Instruction::StoreValue { flags, .. }
            | Instruction::StoreValueAt { flags, .. } => flags.has(Flags::RELAXED),
            Instruction::Modify { order, .. } | Instruction::ModifyAt { order, .. } => {
                !order.has(Order::ACQUIRES.with(Order::RELEASES))
            }
            Instruction::CompareExchange { order, .. } => !order.has(Order::FULL),
            Instruction::Native { native, .. } => native.can_fail_to_synchronise(),
            _ => false,
        };
        self.settings.data_races && self.code.iter().any(is_weak)
    }

    /// How many sites there are. Their ids are smaller than this.
    pub fn sites(&self) -> usize {
        self.sites.len()
    }

    /// The name of what lies at an offset of an object of this name and type, and its type.
    pub(crate) fn leaf(&self, name: &str, ty: Option<TypeId>, offset: u64, repeats: bool) -> Leaf {
        let leaf = debug::leaf(&self.types, ty, offset, repeats);
        Leaf { path: format!("{name}{}", leaf.path), ty: leaf.ty }
    }

    /// A type of the source.
    pub(crate) fn source_type(&self, ty: Option<TypeId>) -> Option<&SourceType> {
        self.types.get(ty?.0 as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn switches() {
        let dense = Switch { low: -1, dense: vec![10, 11, 12], sparse: vec![], otherwise: 9 };
        assert_eq!([-2, -1, 0, 1, 2].map(|value: i64| dense.target(value as u64)), [9, 10, 11, 12, 9]);
        let sparse = Switch { low: 0, dense: vec![], sparse: vec![(-5, 1), (1000, 2)], otherwise: 9 };
        assert_eq!([-5, 0, 1000, i64::MIN].map(|value: i64| sparse.target(value as u64)), [1, 9, 2, 9]);
    }

    #[test]
    fn calls_through_pointers() {
        let of = |parameters: &[Kind], variadic, results: &[Kind]| Signature {
            parameters: parameters.to_vec(),
            variadic,
            results: results.to_vec(),
        };
        let (int, pointer) = (Kind::Integer(32), Kind::Pointer);
        let function = of(&[pointer], false, &[pointer]);
        assert!(function.accepts(&of(&[pointer], false, &[]), 1));
        assert!(function.accepts(&of(&[int], false, &[pointer]), 1));
        assert!(!function.accepts(&of(&[Kind::F64], false, &[pointer]), 1));
        assert!(!function.accepts(&of(&[], false, &[pointer]), 0));
        assert!(function.accepts(&of(&[], true, &[pointer]), 2));
        assert!(!of(&[], false, &[]).accepts(&of(&[], false, &[int]), 0));
        assert!(!of(&[], true, &[]).accepts(&of(&[], false, &[]), 0));
    }
}
