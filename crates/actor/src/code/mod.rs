//! The program as the machine runs it: flat code for a machine with registers, which lie on a
//! stack.
//!
//! A frame begins with two words, where to return to and the object; parameters, variables and
//! intermediate values follow. They are given out like a stack, so that at each instruction
//! everything from some height on is of no use any more: a task that waits keeps only what is
//! below.

mod constraints;
mod uses;

use mazurka_machine::Place;
use mazurka_source::{LineIndex, Span};
use num_bigint::BigInt;

use crate::hir::{Builtin, Constructor, Input, InputType, Kind, Known, Operator};
use crate::options::{Dependence, Dialect};
pub(crate) use constraints::{Condition, Constraints, Operation, Source};
pub(crate) use uses::{LOCK, Uses, blocks, used};

/// A word of the frame.
pub(crate) type Slot = u32;

/// A place in the code.
pub(crate) type Pc = u32;

/// The words of a frame before the parameters.
pub(crate) const FRAME: Slot = 2;

/// One instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Instruction {
    /// The task has not begun.
    Begin,
    /// The task has let others go on.
    Resume,
    Constant {
        to: Slot,
        constant: u32,
    },
    Null {
        to: Slot,
    },
    Copy {
        to: Slot,
        from: Slot,
    },
    This {
        to: Slot,
    },
    Load {
        to: Slot,
        field: u32,
    },
    Store {
        field: u32,
        from: Slot,
    },
    /// `m = put(m, key, value)` and the like: only one entry of a map field is used. See
    /// [`EntryUse`].
    Entry {
        field: u32,
        key: Slot,
        usage: EntryUse,
        end: Pc,
    },
    Construct {
        to: Slot,
        constructor: u32,
        first: Slot,
        count: u32,
    },
    List {
        to: Slot,
        first: Slot,
        count: u32,
    },
    Closure {
        to: Slot,
        function: u32,
        first: Slot,
        count: u32,
    },
    Call {
        to: Slot,
        function: u32,
        first: Slot,
    },
    CallLocal {
        to: Slot,
        closure: Slot,
        first: Slot,
        count: u32,
    },
    Builtin {
        to: Slot,
        builtin: Builtin,
        first: Slot,
    },
    Not {
        to: Slot,
        from: Slot,
    },
    Negate {
        to: Slot,
        from: Slot,
    },
    Binary {
        operator: Operator,
        to: Slot,
        left: Slot,
        right: Slot,
    },
    Jump {
        to: Pc,
    },
    /// Jumps if it is false.
    Unless {
        condition: Slot,
        to: Pc,
    },
    /// Jumps if it is true.
    When {
        condition: Slot,
        to: Pc,
    },
    /// Jumps if the value has another constructor.
    Unmatched {
        value: Slot,
        constructor: u32,
        to: Pc,
    },
    Unequal {
        left: Slot,
        right: Slot,
        to: Pc,
    },
    /// An argument of a value whose constructor is known.
    Project {
        to: Slot,
        value: Slot,
        index: u32,
    },
    Implements {
        to: Slot,
        object: Slot,
        interface: u32,
    },
    As {
        to: Slot,
        object: Slot,
        interface: u32,
    },
    Ready {
        to: Slot,
        future: Slot,
    },
    /// Waits for a future, lets others go on.
    AwaitFuture {
        future: Slot,
        height: Slot,
    },
    /// Begins a guard, which is evaluated again each time. It ends with an `EndGuard`.
    Guard {
        height: Slot,
    },
    EndGuard {
        guard: Pc,
        condition: Slot,
    },
    /// Waits for a future, keeps others from going on.
    Get {
        to: Slot,
        future: Slot,
        height: Slot,
    },
    Suspend {
        height: Slot,
    },
    /// `is_kept` tells whether anybody will have the future.
    Async {
        to: Slot,
        receiver: Slot,
        selector: u32,
        first: Slot,
        count: u32,
        is_kept: bool,
    },
    /// A call within the group; otherwise a task, whose future is left in `first` for the `Get`
    /// that follows.
    Sync {
        to: Slot,
        receiver: Slot,
        selector: u32,
        first: Slot,
        count: u32,
    },
    New {
        to: Slot,
        class: u32,
        local: bool,
        first: Slot,
        count: u32,
    },
    /// Gives an object its fields, whoever it is. Only where a program begins with a situation.
    Fill {
        object: Slot,
        first: Slot,
        count: u32,
    },
    Return {
        from: Slot,
    },
    /// The end of the creation of an object.
    ReturnThis,
    /// What was caught is thrown `again`, as if from where it came: that stands in the next slot.
    Throw {
        from: Slot,
        again: bool,
    },
    Assert {
        condition: Slot,
    },
    /// The method is not to be called.
    Reached,
    /// No branch of a case fits. If they are exhaustive, that is so only of a value of another
    /// type.
    NoMatch {
        exhaustive: bool,
    },
}

/// How an entry of a map field is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EntryUse {
    /// Looked up.
    Read,
    /// Put in or removed, whatever was there.
    Write,
}

/// What a body is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BodyKind {
    Function,
    Method,
    Init,
}

/// Where exceptions are caught.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Handler {
    pub(crate) from: Pc,
    pub(crate) to: Pc,
    /// The exception is left there, and in the next slot where it was thrown.
    pub(crate) slot: Slot,
    pub(crate) target: Pc,
    /// Only in the frame that a task began with, not in those of calls within the group.
    pub(crate) outermost: bool,
}

/// A function or method.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub(crate) name: String,
    pub(crate) entry: Pc,
    /// How many parameters it has.
    pub(crate) parameters: u32,
    /// The words of a frame.
    pub(crate) size: u32,
    pub(crate) kind: BodyKind,
    /// In the order in which they are to be asked.
    pub(crate) handlers: Vec<Handler>,
    /// Its class's name, if it is a method.
    pub(crate) class: Option<u32>,
    /// What a step of it uses does not depend on what it reads.
    pub(crate) straight: bool,
    /// The names and kinds of its parameters, if it is a method.
    pub(crate) kinds: Vec<(String, Kind)>,
    /// What they can hold.
    pub(crate) inputs: Vec<Input>,
    /// Of what kind its result is, if it is a function.
    pub(crate) result: Kind,
}

/// A class.
#[derive(Clone, Debug)]
pub(crate) struct ClassCode {
    pub(crate) name: String,
    pub(crate) fields: Vec<String>,
    pub(crate) maps: Vec<bool>,
    pub(crate) kinds: Vec<Kind>,
    /// What the fields can hold.
    pub(crate) inputs: Vec<Input>,
    /// The fields that nobody writes once an object is made: nobody depends on those.
    pub(crate) fixed: Vec<bool>,
    pub(crate) interfaces: Vec<u32>,
    /// The body for each selector.
    pub(crate) methods: Vec<Option<u32>>,
    pub(crate) init: u32,
}

/// A declaration that two methods of an object commute: their bodies, and that of a method which
/// tells whether they do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Declaration {
    pub(crate) bodies: [u32; 2],
    pub(crate) condition: u32,
    pub(crate) span: Span,
}

/// A value that the program contains.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Constant {
    Int(BigInt),
    String(String),
    /// A constructor without arguments.
    Constructor(u32),
    /// A value that is not decided: null, unless the machine executes symbolically. The number of
    /// one of the image's inputs.
    Input(u32),
}

/// A file.
#[derive(Clone, Debug)]
pub(crate) struct SourceFile {
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) base: u32,
    pub(crate) lines: LineIndex,
}

/// A compiled program.
#[derive(Clone, Debug)]
pub struct Image {
    pub(crate) code: Vec<Instruction>,
    /// The source of each instruction.
    pub(crate) places: Vec<Span>,
    /// The body of each instruction.
    pub(crate) owners: Vec<u32>,
    pub(crate) bodies: Vec<Body>,
    pub(crate) classes: Vec<ClassCode>,
    pub(crate) constructors: Vec<Constructor>,
    /// The place of each constructor's name among all of them: data is ordered by it.
    pub(crate) ranks: Vec<u32>,
    pub(crate) constants: Vec<Constant>,
    /// What is not decided: the name and the type of each.
    pub(crate) inputs: Vec<(String, InputType)>,
    pub(crate) known: Known,
    /// The body of the main block.
    pub(crate) main: u32,
    /// Some task may keep others of its group from going on.
    pub(crate) blocks: bool,
    pub(crate) files: Vec<SourceFile>,
    pub(crate) dialect: Dialect,
    pub(crate) dependence: Dependence,
    pub(crate) declarations: Vec<Declaration>,
    /// The names of methods.
    pub(crate) selectors: Vec<String>,
    /// The names of interfaces.
    pub(crate) interfaces: Vec<String>,
    pub(crate) constraints: Constraints,
    pub(crate) uses: Uses,
}

impl Image {
    /// The dialect that the program was read in.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// A stretch of the source, for people.
    pub(crate) fn place_of(&self, span: Span) -> Place {
        let file = self.files.iter().rev().find(|file| file.base <= span.start);
        let Some(file) = file else {
            return Place { file: String::new(), line: 1, column: 1, text: String::new() };
        };
        let (start, end) = ((span.start - file.base) as usize, (span.end - file.base) as usize);
        let (line, column) = file.lines.line_column(start as u32);
        let text = file.text.get(start..end.min(file.text.len())).unwrap_or_default();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        Place { file: file.name.clone(), line, column, text }
    }

    /// Whether the program has several files. The first one is the library; one that the program is
    /// begun with has no name of a file.
    pub(crate) fn has_files(&self) -> bool {
        self.files.iter().skip(1).filter(|file| !file.name.starts_with("--")).count() > 1
    }

    /// Whether an instruction is one of the standard library, whose text comes first.
    pub(crate) fn is_library(&self, pc: Pc) -> bool {
        self.files.get(1).is_some_and(|first| self.places[pc as usize].start < first.base)
    }

    /// The body that an instruction belongs to.
    pub(crate) fn body_at(&self, pc: Pc) -> &Body {
        &self.bodies[self.owners[pc as usize] as usize]
    }
}
