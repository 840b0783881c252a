//! From the checked program to flat code.
//!
//! A *visible* statement (one that touches a global or a mutex, spawns, or may block depending on a
//! choice) begins with a [`Stop`], the resting place of the process between two steps; so does a
//! local statement that makes a data choice. Everything else is local code and runs with the step
//! before it. Lowering is linear in the program but for the analysis of atomic blocks, which walks
//! each block a few times.

mod expression;
mod facts;
mod statement;
mod varies;

use mazurka_trace::{SiteId, Value};

use crate::code::{BodyCode, Cells, Constraints, FREE, Image, Instruction, Object, ObjectKind, Site, Stop, Subject};
use crate::hir::{Body, BodyKind, Program, Span};

use facts::Facts;

impl Image {
    /// Lowers a checked program. `file` and `source` are what it was read from, for reports.
    pub fn new(program: &Program, file: &str, source: &str) -> Image {
        let mut layout = Layout::default();
        let variables = program.globals.iter().map(|global| layout.variable(global)).collect();
        let first_mutex = layout.initial.len();
        let mutexes = program.mutexes.iter().map(|mutex| layout.mutex(mutex)).collect();
        let mut lowerer = Lowerer {
            program,
            facts: facts::of_program(&program.exprs),
            variables,
            mutexes,
            code: Vec::new(),
            places: Vec::new(),
            sites: Vec::new(),
            current: SiteId::default(),
            locals: 0,
            declared: 0,
            tasks: Vec::new(),
            scratch: varies::Scratch::default(),
            atomics: Vec::new(),
        };
        lowerer.begin();
        let bodies = program.bodies.iter().map(|body| lowerer.body(body)).collect();
        let mut image = Image {
            code: lowerer.code,
            places: lowerer.places,
            sites: lowerer.sites,
            bodies,
            objects: layout.objects,
            initial: layout.initial,
            mutexes: first_mutex,
            inputs: program.inputs.clone(),
            initial_inputs: program.initial_inputs.clone(),
            file: file.to_owned(),
            source: source.to_owned(),
            constraints: Constraints::default(),
        };
        image.declare(program, lowerer.atomics);
        image
    }
}

/// The locations, as they are given out.
#[derive(Default)]
struct Layout {
    objects: Vec<Object>,
    initial: Vec<Value>,
}

impl Layout {
    fn variable(&mut self, global: &crate::hir::Global) -> Cells {
        self.object(&global.name, ObjectKind::Variable(global.ty), global.length, global.initial.iter().copied())
    }

    fn mutex(&mut self, mutex: &crate::hir::Mutex) -> Cells {
        let cells = std::iter::repeat_n(FREE, mutex.length.unwrap_or(1));
        self.object(&mutex.name, ObjectKind::Mutex, mutex.length, cells)
    }

    fn object(
        &mut self,
        name: &str,
        kind: ObjectKind,
        length: Option<usize>,
        initial: impl Iterator<Item = Value>,
    ) -> Cells {
        let first = self.initial.len();
        self.objects.push(Object { name: name.to_owned(), kind, first, length });
        self.initial.extend(initial);
        Cells { first: first as u32, length: (self.initial.len() - first) as u32 }
    }
}

/// The code as it grows.
struct Lowerer<'a> {
    program: &'a Program,
    facts: Vec<Facts>,
    variables: Vec<Cells>,
    mutexes: Vec<Cells>,
    code: Vec<Instruction>,
    places: Vec<SiteId>,
    sites: Vec<Site>,
    /// The site of the statement being lowered.
    current: SiteId,
    /// How many locals the body being lowered has.
    locals: usize,
    /// How many of them have been declared so far.
    declared: u32,
    tasks: Vec<expression::Task>,
    scratch: varies::Scratch,
    /// The named atomic blocks that are steps, with the sites of those.
    atomics: Vec<(String, SiteId)>,
}

impl<'a> Lowerer<'a> {
    /// The two resting places that every program has.
    fn begin(&mut self) {
        self.current = self.site(Span::default(), Subject::Plain);
        self.emit(Instruction::Nowhere);
        self.emit(Instruction::Nowhere);
    }

    fn body(&mut self, body: &'a Body) -> BodyCode {
        self.locals = body.locals.len();
        self.declared = body.parameters as u32;
        let own = self.site(body.span, Subject::Plain);
        self.current = own;
        let entry = self.code.len();
        let eager = if body.kind == BodyKind::Finally {
            self.stop(Stop::plain(own));
            self.atomic_block(&body.block);
            false
        } else if body.inputs {
            self.stop(Stop { is_local: true, ..Stop::plain(own) });
            self.atomic_block(&body.block);
            false
        } else {
            self.process_block(&body.block)
        };
        self.emit_at(Instruction::End { locks: statement::locks(&body.block) }, own);
        BodyCode {
            name: body.name.clone(),
            kind: body.kind,
            entry,
            eager,
            parameters: body.parameters,
            locals: body.locals.iter().map(|local| local.name.clone()).collect(),
            types: body.locals.iter().map(|local| local.ty).collect(),
            inputs: body.inputs,
        }
    }

    fn site(&mut self, span: Span, subject: Subject) -> SiteId {
        self.sites.push(Site { span, subject });
        SiteId::new(self.sites.len() - 1)
    }

    fn emit(&mut self, instruction: Instruction) -> usize {
        self.emit_at(instruction, self.current)
    }

    fn emit_at(&mut self, instruction: Instruction, site: SiteId) -> usize {
        self.code.push(instruction);
        self.places.push(site);
        self.code.len() - 1
    }

    fn stop(&mut self, stop: Stop) {
        self.emit_at(Instruction::Stop(stop), stop.site);
    }

    /// Lets the forward jump at `from` lead to the next instruction.
    fn land(&mut self, from: usize) {
        let here = self.code.len() as u32;
        match &mut self.code[from] {
            Instruction::Jump(to) | Instruction::JumpIfFalse(to) | Instruction::JumpIfTrue(to) => *to = here,
            other => unreachable!("{other:?} is no jump"),
        }
    }
}
