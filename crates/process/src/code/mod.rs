//! The lowered program: flat code for a machine with an accumulator, and the tables that lead back
//! to the source.
//!
//! An [`Image`] never changes and is shared by all machines that run it. All state lives in one row
//! of integers, the *memory*: first the cells of the global variables, then the mutexes (both
//! numbered as locations, so a location is its slot), then a frame for each process.
//!
//! An expression leaves its value in the accumulator. A chain `a + b + c` is one instruction for
//! each operand, and its use of the operand stack does not grow with its length.

mod condition;
mod constraints;
mod writes;

use mazurka_trace::{LocationId, SiteId, Value};

pub(crate) use condition::Condition;
pub(crate) use constraints::Constraints;
pub(crate) use writes::Writes;

use crate::hir::{Binary, BodyKind, Input, Span, Type};

/// The owner of a mutex that nobody holds.
pub(crate) const FREE: Value = -1;

/// The place of a process that has not been started in the current execution.
pub(crate) const UNSTARTED: usize = 0;

/// The place of a process that was ended by a failed assumption, or by a fault in local code.
pub(crate) const DISCARDED: usize = 1;

/// The cells of an array of variables or mutexes: the slot of the first, and how many there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Cells {
    pub(crate) first: u32,
    pub(crate) length: u32,
}

/// How to tell whether the step that begins at a [`Stop`] can be taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Guard {
    /// Always.
    Always,
    /// Never: an `await` that fails and that nobody else can make true.
    Never,
    /// The next instruction is the lock of one mutex.
    Lock,
    /// What follows is a condition or an index, then the one `await` or `lock` that may block.
    Condition,
    /// Only a trial run tells.
    Trial,
}

/// A place where a process rests between two steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stop {
    pub(crate) site: SiteId,
    pub(crate) guard: Guard,
    /// The step is one of local code.
    pub(crate) is_local: bool,
    /// See `Event::can_block`.
    pub(crate) can_block: bool,
    /// See `Event::locks`.
    pub(crate) locks: bool,
    /// See `Event::varies`.
    pub(crate) varies: bool,
}

impl Stop {
    /// The stop before a step that nothing is special about.
    pub(crate) fn plain(site: SiteId) -> Stop {
        Stop { site, guard: Guard::Always, is_local: false, can_block: false, locks: false, varies: false }
    }
}

/// One instruction. Where it says *value*, the accumulator is meant; slots of locals count from the
/// frame's first local.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Instruction {
    /// The end of a step, and the beginning of the next.
    Stop(Stop),
    /// The end of the process; `locks` if it may hold a mutex.
    End { locks: bool },
    /// A resting place that is never run: not started, or discarded.
    Nowhere,

    /// `value = constant`
    Constant(Value),
    /// `value = local`
    Local(u32),
    /// `value = global`
    Global(u32),
    /// `value = cells[value]`
    Cell(Cells),
    /// `value = cells[local]`
    CellLocal(Cells, u32),
    /// `push value`
    Push,
    /// `value = pop op value`
    Binary(Binary),
    /// `value = value op constant`
    BinaryConstant(Binary, Value),
    /// `value = local op constant`
    LocalBinaryConstant(Binary, u32, Value),
    /// `value = global op constant`
    GlobalBinaryConstant(Binary, u32, Value),
    /// `value = value op local`
    BinaryLocal(Binary, u32),
    /// `value = value op global`
    BinaryGlobal(Binary, u32),
    /// `value = -value`
    Negate,
    /// `value = !value`
    Not,
    /// `value = one of pop ..= value`
    Choose,

    /// Forward.
    Jump(u32),
    /// Back to the head of a loop; uses up fuel.
    Loop(u32),
    /// Forward, where the value is 0.
    JumpIfFalse(u32),
    /// Forward, where the value is not 0.
    JumpIfTrue(u32),

    /// `local = value`
    SetLocal(u32),
    /// `global = value`
    SetGlobal(u32),
    /// `cells[pop] = value`
    SetCell(Cells),
    /// `cells[local] = value`
    SetCellLocal(Cells, u32),
    /// `local = constant`
    ConstantToLocal(u32, Value),
    /// `global = constant`
    ConstantToGlobal(u32, Value),
    /// `global = global + constant`
    AddToGlobal(u32, Value),
    /// `global = local`
    LocalToGlobal { global: u32, local: u32 },
    /// `local = global`
    GlobalToLocal { local: u32, global: u32 },

    /// Takes a mutex, or blocks.
    Lock(u32),
    /// Takes `cells[value]`, or blocks.
    LockCell(Cells),
    /// Gives a mutex back.
    Unlock(u32),
    /// Gives `cells[value]` back.
    UnlockCell(Cells),
    /// Blocks where the value is 0.
    Await,
    /// Ends the process where the value is 0.
    Assume,
    /// Notes a fault where the value is 0.
    Assert,
    /// Starts a process of this body; its arguments are the topmost of the stack.
    Spawn { body: u32 },
}

impl Instruction {
    /// The variables that it may change.
    pub(crate) fn variables_changed(self) -> Option<Cells> {
        match self {
            Instruction::SetGlobal(slot)
            | Instruction::ConstantToGlobal(slot, _)
            | Instruction::AddToGlobal(slot, _)
            | Instruction::LocalToGlobal { global: slot, .. } => Some(Cells { first: slot, length: 1 }),
            Instruction::SetCell(cells) | Instruction::SetCellLocal(cells, _) => Some(cells),
            Instruction::Stop(_)
            | Instruction::End { .. }
            | Instruction::Nowhere
            | Instruction::Constant(_)
            | Instruction::Local(_)
            | Instruction::Global(_)
            | Instruction::Cell(_)
            | Instruction::CellLocal(..)
            | Instruction::Push
            | Instruction::Binary(_)
            | Instruction::BinaryConstant(..)
            | Instruction::LocalBinaryConstant(..)
            | Instruction::GlobalBinaryConstant(..)
            | Instruction::BinaryLocal(..)
            | Instruction::BinaryGlobal(..)
            | Instruction::Negate
            | Instruction::Not
            | Instruction::Choose
            | Instruction::Jump(_)
            | Instruction::Loop(_)
            | Instruction::JumpIfFalse(_)
            | Instruction::JumpIfTrue(_)
            | Instruction::SetLocal(_)
            | Instruction::ConstantToLocal(..)
            | Instruction::GlobalToLocal { .. }
            | Instruction::Lock(_)
            | Instruction::LockCell(_)
            | Instruction::Unlock(_)
            | Instruction::UnlockCell(_)
            | Instruction::Await
            | Instruction::Assume
            | Instruction::Assert
            | Instruction::Spawn { .. } => None,
        }
    }

    /// Whether it takes a mutex or gives one back.
    pub(crate) fn uses_mutex(self) -> bool {
        matches!(
            self,
            Instruction::Lock(_) | Instruction::LockCell(_) | Instruction::Unlock(_) | Instruction::UnlockCell(_)
        )
    }
}

/// What stands at a site; together with a fault's numbers it makes the fault's message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Subject {
    /// A statement or expression of no further interest.
    Plain,
    /// An assertion, with the place of its condition.
    Assertion(Span),
    /// An operator with two operands.
    Operator(Binary),
    /// An indexed array of variables or mutexes: index into [`Image::objects`].
    Array(u32),
}

/// A point of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Site {
    pub(crate) span: Span,
    pub(crate) subject: Subject,
}

/// The code of a process, a proc or the finally block.
#[derive(Clone, Debug)]
pub(crate) struct BodyCode {
    pub(crate) name: String,
    pub(crate) kind: BodyKind,
    pub(crate) entry: usize,
    /// It begins with a local stop and assignments of locals, which are run when it is started
    /// unless they fail.
    pub(crate) eager: bool,
    pub(crate) parameters: usize,
    /// Names of the locals, parameters first.
    pub(crate) locals: Vec<String>,
    /// Their types.
    pub(crate) types: Vec<Type>,
    /// It chooses the inputs of the initial state.
    pub(crate) inputs: bool,
}

/// What a location is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ObjectKind {
    /// A variable or an array of them.
    Variable(Type),
    /// A mutex or an array of them.
    Mutex,
}

/// A declared variable, mutex or array: a run of locations.
#[derive(Clone, Debug)]
pub(crate) struct Object {
    pub(crate) name: String,
    pub(crate) kind: ObjectKind,
    pub(crate) first: usize,
    pub(crate) length: Option<usize>,
}

/// A lowered program. Made by [`Image::new`], run by [`ProcessMachine`](crate::ProcessMachine).
#[derive(Clone, Debug)]
pub struct Image {
    pub(crate) code: Vec<Instruction>,
    /// The site of each instruction.
    pub(crate) places: Vec<SiteId>,
    pub(crate) sites: Vec<Site>,
    pub(crate) bodies: Vec<BodyCode>,
    pub(crate) objects: Vec<Object>,
    /// The cells of the globals, then the mutexes.
    pub(crate) initial: Vec<Value>,
    /// Where the mutexes begin.
    pub(crate) mutexes: usize,
    pub(crate) file: String,
    pub(crate) source: String,
    pub(crate) inputs: Vec<Input>,
    pub(crate) initial_inputs: Vec<Input>,
    /// When steps commute.
    pub(crate) constraints: Constraints,
}

impl Image {
    /// How many locations there are. Their ids are smaller than this.
    pub fn locations(&self) -> usize {
        self.initial.len()
    }

    /// Those inputs that are chosen in the initial state, one for each variable or cell.
    pub fn initial_inputs(&self) -> &[Input] {
        &self.initial_inputs
    }

    /// The inputs (`any`).
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// The text that it was made from.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// How many sites there are. Their ids are smaller than this.
    pub fn sites(&self) -> usize {
        self.sites.len()
    }

    /// The declaration that a location belongs to, if there is such a location. Costs a binary
    /// search.
    pub(crate) fn object(&self, location: LocationId) -> Option<&Object> {
        if location.index() >= self.locations() {
            return None;
        }
        let after = self.objects.partition_point(|object| object.first <= location.index());
        self.objects.get(after - 1)
    }

    /// The name of a location: `x`, `a[2]`, `m`. An event that ends the execution of a program
    /// without any location names one all the same.
    pub(crate) fn location_name(&self, location: LocationId) -> String {
        match self.object(location) {
            None => "nothing".to_owned(),
            Some(object) if object.length.is_some() => format!("{}[{}]", object.name, location.index() - object.first),
            Some(object) => object.name.clone(),
        }
    }

    /// The source text of a span, for reports.
    pub fn excerpt(&self, span: Span) -> String {
        self.text(span).to_owned()
    }

    /// The source text of a span.
    pub(crate) fn text(&self, span: Span) -> &str {
        self.source.get(span.start as usize..span.end as usize).unwrap_or("")
    }
}

#[cfg(test)]
mod tests {
    use super::Instruction;

    #[test]
    fn instructions_stay_small() {
        assert!(size_of::<Instruction>() <= 16);
    }
}
