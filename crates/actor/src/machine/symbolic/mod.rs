//! Symbolic execution on the machine: fields and arguments that are not decided yet.
//!
//! # Paper
//! In the manner of aPET (Albert, Arenas, Gómez-Zamalloa, Wong, ESEC/FSE 2013), whose rules are not
//! printed: they are our own. Lazy initialisation is that of Khurshid, Pasareanu, Visser (TACAS
//! 2003).
//!
//! # Method
//! An input is a value that nobody computes: a field or an argument of a situation. It is decided
//! as late as possible, and no further than needed ([`Form`]):
//!
//! - numbers and truth values are terms of logic. Where a branch depends on one, both ways that can
//!   be are explored, and the condition is kept ([`decide`]);
//! - of data, the constructor is chosen where a pattern asks for it; its arguments are inputs;
//! - a reference is chosen where it is called: an input object that is there, or a new one;
//! - texts and references that are compared are equal or different, and that is kept ([`equal`]).
//!
//! Each such fork is a data choice of the step, as that of `random(n)`. So explorers, replay and
//! rewinding know nothing of it. A path is a schedule with its choices; its conditions are undone
//! with the step that found them.
//!
//! # Guarantee
//! Every execution from any values of the inputs is an instance of a path, unless a bound was
//! reached ([`Bounds`]) or something was cut; both are counted by name ([`Symbolic::reached`]).
//! Values that [`path`] gives make the concrete machine go the same way; whoever prints them runs
//! them first.
//!
//! # Reduction
//! None is made use of. What a step may choose depends on all that was decided before, and so does
//! how many choices it has. The conditions are a location of the machine, which every step that
//! decides something updates, and everybody reads who looks up what was decided; so steps that
//! decide are ordered with each other, and the machine keeps its contract. `optimal` finds the same
//! paths: a test. But it saves little, since nearly every step decides something: 11% of the paths
//! of random methods. An internal error of `optimal` that was once seen there has not come
//! again. The bound `switches` counts steps of others, against the contract (C3).
//!
//! # Deviations from lazy initialisation
//! Objects that are made by `new` are no candidates: no input can refer to them. A guard that may
//! hold makes its task a candidate to step; the step decides, and may leave the task waiting.
//!
//! # Tests
//! `tests/symbolic`: random methods, random values and all schedules by brute force, both ways;
//! deliberate breakages. Worked examples are those of `mazurka test` in the crate `cli`.

mod attend;
mod bounds;
mod decide;
mod equal;
mod input;
mod path;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex};

use mazurka_smt::look::Look;
use mazurka_smt::{Arena, Assignment, Term};
use mazurka_trace::{FaultKind, Value as Choice};
use rustc_hash::{FxHashMap, FxHashSet};

pub use bounds::Bounds;
pub use path::{Ended, Path, Summary};

use super::ActorMachine;
use super::registry::{NOBODY, Owner};
use super::value::{Kind, Value};
use crate::code::{Constant, Pc};
use crate::hir::InputType;
use crate::mutation::{self, Mutation};
use crate::situation::Situation;

/// Decides what takes more than a look: see [`mazurka_smt::look`](fn@mazurka_smt::look).
pub trait Oracle: fmt::Debug + Send {
    /// Whether these conditions can hold together.
    fn ask(&mut self, arena: &Arena, conditions: &[Term]) -> Look;
}

/// What is known of a value that is not decided.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Form {
    /// A number: above and below the line of a fraction. The lower part is above zero.
    Number(Term, Term),
    /// A truth value.
    Truth(Term),
    /// Data, a text or a reference.
    Unknown(u32),
}

/// Where an input comes from.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Origin {
    /// It stands in the situation, by this name.
    Given(String),
    /// An argument of the constructor of another one.
    Part(u32, u32, u32),
    /// A field of an input object.
    Field(u32, u32),
}

/// Data, a text or a reference that is not decided at first.
#[derive(Clone, Debug)]
struct Unknown {
    name: String,
    ty: InputType,
    /// In how many constructors it stands.
    depth: u32,
}

/// How to take back what was decided.
#[derive(Clone, Debug)]
enum Undo {
    Condition,
    Model(Option<Arc<Assignment>>),
    Doubt(bool),
    Bound(u32),
    Differs(u32),
    Object,
    Fork(u32),
    Rounds((u32, usize, Pc), Option<(u32, u32)>),
    Site(u32, Pc),
    Random,
    Idle,
    Halted,
}

/// The inputs of a machine, and what was decided of them in the current execution.
#[derive(Clone, Debug)]
pub(super) struct Symbolic {
    bounds: Bounds,
    situation: Situation,
    /// The classes of the program; those of the situation's objects come after them.
    classes: usize,
    oracle: Option<Arc<Mutex<dyn Oracle>>>,
    arena: Arena,
    forms: Vec<Form>,
    numbers: FxHashMap<Form, u32>,
    unknowns: Vec<Unknown>,
    by_origin: FxHashMap<Origin, Value>,
    /// The names of inputs: each is another variable.
    names: FxHashSet<String>,
    known: FxHashMap<(Vec<Term>, Term), Look>,
    /// The location of the conditions.
    location: u32,
    // Of the current execution:
    conditions: Vec<Term>,
    /// Values for which all conditions hold.
    model: Option<Arc<Assignment>>,
    /// Nobody knows whether the conditions hold together.
    doubtful: bool,
    bound: Vec<Option<Value>>,
    differs: Vec<Vec<Value>>,
    /// Input objects beyond those of the situation: number and class.
    made: Vec<(u32, u32)>,
    /// How often each task has forked. What is counted is counted by task, so that no step of
    /// another one changes it.
    forks: FxHashMap<u32, u32>,
    /// How often a loop of a frame went round, and how many forks there were then.
    rounds: FxHashMap<(u32, usize, Pc), (u32, u32)>,
    /// How many objects a task has made at a place.
    sites: FxHashMap<(u32, Pc), u32>,
    /// Choices that the program makes itself, each with its step.
    randoms: Vec<(u32, Choice)>,
    /// Steps that only found out that a guard does not hold.
    idle: Vec<u32>,
    halted: Option<FaultKind>,
    log: Vec<Undo>,
    /// The paths that have come to their end.
    paths: Vec<Path>,
    /// Which bounds were reached, and what was cut, by name; how often.
    reached: BTreeMap<&'static str, u64>,
}

impl ActorMachine {
    /// From now on, the inputs of the situation that the program begins with (see
    /// [`Image::begun_keeping`](crate::Image::begun_keeping)) are undecided. Without an oracle,
    /// what takes more than a look is explored both ways. To be called in the initial state.
    pub fn execute_symbolically(
        &mut self,
        situation: &Situation,
        bounds: Bounds,
        oracle: Option<Arc<Mutex<dyn Oracle>>>,
    ) {
        let location = self.cells.grow(1);
        self.registry.name_location(Owner::Lock(NOBODY), 1, &self.heap);
        self.symbolic = Some(Box::new(Symbolic {
            bounds,
            situation: situation.clone(),
            classes: self.image.classes.len() - situation.objects.len(),
            oracle,
            arena: Arena::new(),
            forms: Vec::new(),
            numbers: FxHashMap::default(),
            unknowns: Vec::new(),
            by_origin: FxHashMap::default(),
            names: FxHashSet::default(),
            known: FxHashMap::default(),
            location,
            conditions: Vec::new(),
            model: Some(Arc::default()),
            doubtful: false,
            bound: Vec::new(),
            differs: Vec::new(),
            made: Vec::new(),
            forks: FxHashMap::default(),
            rounds: FxHashMap::default(),
            sites: FxHashMap::default(),
            randoms: Vec::new(),
            idle: Vec::new(),
            halted: None,
            log: Vec::new(),
            paths: Vec::new(),
            reached: BTreeMap::new(),
        }));
        self.attends = true;
        let image = Arc::clone(&self.image);
        for (number, constant) in image.constants.iter().enumerate() {
            if let Constant::Input(input) = constant {
                let (name, ty) = image.inputs[*input as usize].clone();
                self.constants[number] = self.input(Origin::Given(name.clone()), name, ty, 0);
            }
        }
    }

    /// The paths that have come to their end since this was asked last, and which bounds were
    /// reached, or what was cut, how often.
    pub fn take_paths(&mut self) -> (Vec<Path>, BTreeMap<&'static str, u64>) {
        let Some(symbolic) = &mut self.symbolic else { return Default::default() };
        (std::mem::take(&mut symbolic.paths), std::mem::take(&mut symbolic.reached))
    }

    /// What is known of the inputs.
    fn inputs(&mut self) -> &mut Symbolic {
        self.symbolic.as_mut().expect("the machine executes symbolically")
    }

    /// What a value is known to be, if it is not decided.
    fn form(&self, value: Value) -> Option<Form> {
        match value.kind() {
            Kind::Symbolic(number) => self.symbolic.as_ref().map(|symbolic| symbolic.forms[number as usize]),
            _ => None,
        }
    }

    /// The value that was decided for an unknown, or the value itself.
    fn resolve(&self, mut value: Value) -> Value {
        let Some(symbolic) = &self.symbolic else { return value };
        while let Kind::Symbolic(number) = value.kind()
            && let Form::Unknown(unknown) = symbolic.forms[number as usize]
            && let Some(bound) = symbolic.bound[unknown as usize]
        {
            value = bound;
        }
        value
    }

    /// How long the log of decisions is.
    pub(super) fn decided(&self) -> u32 {
        self.symbolic.as_ref().map_or(0, |symbolic| symbolic.log.len() as u32)
    }

    /// Takes decisions back until the log is as long as it was.
    pub(super) fn undecide(&mut self, length: u32) {
        if let Some(symbolic) = &mut self.symbolic
            && !mutation::on(Mutation::DecisionsKept)
        {
            symbolic.undo(length as usize);
        }
    }

    /// A choice that the program makes itself.
    pub(super) fn note_random(&mut self, value: Choice) {
        let step = self.records.len() as u32 - 1;
        if let Some(symbolic) = &mut self.symbolic {
            symbolic.randoms.push((step, value));
            symbolic.log.push(Undo::Random);
        }
    }

    /// The newest step only found out that a guard does not hold. The concrete machine does not
    /// take it.
    pub(super) fn note_idle(&mut self) {
        let step = self.records.len() as u32 - 1;
        if let Some(symbolic) = &mut self.symbolic {
            symbolic.idle.push(step);
            symbolic.log.push(Undo::Idle);
        }
    }

    /// A failure ended the execution.
    pub(super) fn note_halted(&mut self, kind: FaultKind) {
        if let Some(symbolic) = &mut self.symbolic {
            symbolic.halted = Some(kind);
            symbolic.log.push(Undo::Halted);
        }
    }
}

impl Symbolic {
    /// A value of which this is known.
    fn value(&mut self, form: Form) -> Value {
        let next = self.forms.len() as u32;
        let number = *self.numbers.entry(form).or_insert(next);
        if number == next {
            self.forms.push(form);
        }
        Value::symbolic(number)
    }

    fn undo(&mut self, length: usize) {
        while self.log.len() > length {
            match self.log.pop() {
                Some(Undo::Condition) => drop(self.conditions.pop()),
                Some(Undo::Model(model)) => self.model = model,
                Some(Undo::Doubt(doubtful)) => self.doubtful = doubtful,
                Some(Undo::Bound(unknown)) => self.bound[unknown as usize] = None,
                Some(Undo::Differs(unknown)) => drop(self.differs[unknown as usize].pop()),
                Some(Undo::Object) => drop(self.made.pop()),
                Some(Undo::Fork(task)) => *self.forks.entry(task).or_insert(1) -= 1,
                Some(Undo::Rounds(key, Some(old))) => drop(self.rounds.insert(key, old)),
                Some(Undo::Rounds(key, None)) => drop(self.rounds.remove(&key)),
                Some(Undo::Site(task, pc)) => *self.sites.entry((task, pc)).or_insert(1) -= 1,
                Some(Undo::Random) => drop(self.randoms.pop()),
                Some(Undo::Idle) => drop(self.idle.pop()),
                Some(Undo::Halted) => self.halted = None,
                None => return,
            }
        }
    }

    fn assume(&mut self, condition: Term) {
        self.conditions.push(condition);
        self.log.push(Undo::Condition);
    }

    fn set_model(&mut self, model: Option<Arc<Assignment>>) {
        self.log.push(Undo::Model(std::mem::replace(&mut self.model, model)));
    }

    fn doubt(&mut self) {
        self.log.push(Undo::Doubt(std::mem::replace(&mut self.doubtful, true)));
    }

    fn fork(&mut self, task: u32) {
        *self.forks.entry(task).or_insert(0) += 1;
        self.log.push(Undo::Fork(task));
    }

    fn forks_of(&self, task: u32) -> u32 {
        self.forks.get(&task).copied().unwrap_or(0)
    }

    fn bind(&mut self, unknown: u32, value: Value) {
        self.bound[unknown as usize] = Some(value);
        self.log.push(Undo::Bound(unknown));
    }

    fn differ(&mut self, unknown: u32, value: Value) {
        self.differs[unknown as usize].push(value);
        self.log.push(Undo::Differs(unknown));
    }

    fn reach(&mut self, what: &'static str) {
        *self.reached.entry(what).or_insert(0) += 1;
    }
}
