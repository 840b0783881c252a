//! From the checked program to code.

mod call;
mod entry;
mod expression;
mod pattern;
mod statement;
mod straight;

use mazurka_source::Span;
use rustc_hash::FxHashMap;

use crate::code::{
    Body, BodyKind, ClassCode, Constant, Constraints, Declaration, FRAME, Handler, Image, Instruction, Pc, Slot,
    SourceFile, Uses, blocks,
};
use crate::hir::{ExprId, ExprKind, FunctionBody, Kind, LocalId, Program, Statement};
use crate::options::{Dependence, Dialect};

/// What a body's code is made with.
struct Lowering<'p> {
    program: &'p Program,
    code: Vec<Instruction>,
    places: Vec<Span>,
    owners: Vec<u32>,
    bodies: Vec<Body>,
    constants: Vec<Constant>,
    /// Numbers of constants that are looked for often.
    small: FxHashMap<String, u32>,
    entries: bool,
    /// The methods whose calls are failures.
    property: &'p [usize],
    // Of the body at hand:
    slots: Vec<Option<Slot>>,
    next: Slot,
    highest: Slot,
    place: Span,
    handlers: Vec<Handler>,
    tries: Vec<Try<'p>>,
}

/// A `try` that is open.
struct Try<'p> {
    from: Pc,
    /// Code in between that it does not cover.
    holes: Vec<(Pc, Pc)>,
    finally: Option<&'p Statement>,
}

/// Lowers a program. Bodies are numbered: functions first, then methods.
pub(crate) fn lower(
    program: &Program,
    dialect: Dialect,
    dependence: Dependence,
    property: &[usize],
    files: Vec<SourceFile>,
) -> Image {
    let mut lowering = Lowering {
        program,
        code: Vec::new(),
        places: Vec::new(),
        owners: Vec::new(),
        bodies: Vec::new(),
        constants: Vec::new(),
        small: FxHashMap::default(),
        entries: dependence == Dependence::Entry,
        property,
        slots: Vec::new(),
        next: FRAME,
        highest: FRAME,
        place: Span::default(),
        handlers: Vec::new(),
        tries: Vec::new(),
    };
    for function in 0..program.functions.len() {
        lowering.function(function);
    }
    for method in 0..program.methods.len() {
        lowering.method(method);
    }
    let functions = program.functions.len() as u32;
    let mut classes: Vec<ClassCode> =
        program.classes.iter().map(|class| lower_class(program, class, functions)).collect();
    find_fixed(&lowering, &mut classes);
    let mut image = Image {
        blocks: (0..lowering.code.len()).any(|pc| blocks(&lowering.code, pc)),
        code: lowering.code,
        places: lowering.places,
        owners: lowering.owners,
        bodies: lowering.bodies,
        classes,
        ranks: ranks(program),
        constructors: program.constructors.clone(),
        constants: lowering.constants,
        inputs: Vec::new(),
        known: program.known,
        main: functions + program.main.0,
        files,
        dialect,
        dependence,
        selectors: program.selectors.clone(),
        interfaces: program.interfaces.clone(),
        constraints: Constraints::default(),
        declarations: program.independences.iter().map(|declared| lower_declaration(declared, functions)).collect(),
        uses: Uses::default(),
    };
    image.uses = Uses::of(&image);
    image
}

fn lower_declaration(declared: &crate::hir::Independence, functions: u32) -> Declaration {
    let bodies = declared.methods.map(|method| functions + method.0);
    Declaration { bodies, condition: functions + declared.condition.0, span: declared.span }
}

/// Finds the fields that are stored into only while objects are made.
fn find_fixed(lowering: &Lowering<'_>, classes: &mut [ClassCode]) {
    for class in classes.iter_mut() {
        class.fixed = vec![true; class.fields.len()];
    }
    for (instruction, &owner) in lowering.code.iter().zip(&lowering.owners) {
        let body = &lowering.bodies[owner as usize];
        if let (Instruction::Store { field, .. }, Some(class)) = (instruction, body.class)
            && body.kind != BodyKind::Init
        {
            classes[class as usize].fixed[*field as usize] = false;
        }
    }
}

/// The place of each constructor's name among all of them.
fn ranks(program: &Program) -> Vec<u32> {
    let mut order: Vec<usize> = (0..program.constructors.len()).collect();
    order.sort_by_key(|&number| (program.constructors[number].name.as_str(), number));
    let mut ranks = vec![0; order.len()];
    for (rank, number) in order.into_iter().enumerate() {
        ranks[number] = rank as u32;
    }
    ranks
}

fn lower_class(program: &Program, class: &crate::hir::Class, functions: u32) -> ClassCode {
    let mut methods = vec![None; program.selectors.len()];
    for (selector, method) in &class.methods {
        methods[selector.index()] = Some(functions + method.0);
    }
    ClassCode {
        name: class.name.clone(),
        fields: class.fields.clone(),
        maps: class.maps.clone(),
        kinds: class.kinds.clone(),
        inputs: class.inputs.clone(),
        fixed: Vec::new(),
        interfaces: class.interfaces.iter().map(|interface| interface.0).collect(),
        methods,
        init: functions + class.init.0,
    }
}

impl<'p> Lowering<'p> {
    fn emit(&mut self, instruction: Instruction) -> Pc {
        self.code.push(instruction);
        self.places.push(self.place);
        self.owners.push(self.bodies.len() as u32);
        self.code.len() as Pc - 1
    }

    fn here(&self) -> Pc {
        self.code.len() as Pc
    }

    /// Lets a jump that was emitted go to the next instruction.
    fn patch(&mut self, jump: Pc) {
        let here = self.here();
        match &mut self.code[jump as usize] {
            Instruction::Jump { to }
            | Instruction::Unless { to, .. }
            | Instruction::When { to, .. }
            | Instruction::Unmatched { to, .. }
            | Instruction::Unequal { to, .. } => *to = here,
            _ => unreachable!("only jumps are patched"),
        }
    }

    fn take(&mut self) -> Slot {
        let slot = self.next;
        self.next += 1;
        self.highest = self.highest.max(self.next);
        slot
    }

    /// The slot of a variable, from now on.
    fn declare(&mut self, local: LocalId) -> Slot {
        let slot = self.take();
        self.assign_slot(local, slot);
        slot
    }

    fn assign_slot(&mut self, local: LocalId, slot: Slot) {
        if self.slots.len() <= local.index() {
            self.slots.resize(local.index() + 1, None);
        }
        self.slots[local.index()] = Some(slot);
    }

    fn slot_of(&self, local: LocalId) -> Slot {
        self.slots.get(local.index()).copied().flatten().expect("a variable is declared before it is used")
    }

    fn constant(&mut self, constant: Constant) -> u32 {
        let key = format!("{constant:?}");
        if let Some(&number) = self.small.get(&key) {
            return number;
        }
        self.constants.push(constant);
        let number = self.constants.len() as u32 - 1;
        self.small.insert(key, number);
        number
    }

    fn begin_body(&mut self, place: Span) {
        self.slots.clear();
        self.next = FRAME;
        self.highest = FRAME;
        self.place = place;
        self.handlers.clear();
        self.tries.clear();
    }

    fn end_body(&mut self, name: &str, entry: Pc, kind: BodyKind, (class, parameters): (Option<u32>, usize)) {
        let code = &self.code[entry as usize..];
        let is_method = kind == BodyKind::Method;
        let straight = is_method && straight::is_straight(code, parameters as u32, |function| self.is_total(function));
        self.bodies.push(Body {
            name: name.to_owned(),
            entry,
            parameters: parameters as u32,
            size: self.highest + FRAME,
            kind,
            handlers: std::mem::take(&mut self.handlers),
            class,
            straight,
            kinds: Vec::new(),
            inputs: Vec::new(),
            result: Kind::Other,
        });
    }

    fn function(&mut self, number: usize) {
        let function = &self.program.functions[number];
        self.begin_body(function.span);
        let entry = self.here();
        for &parameter in &function.parameters {
            self.declare(parameter);
        }
        let result = self.take();
        match &function.body {
            FunctionBody::Expression(body) => self.expr(*body, result),
            FunctionBody::Builtin(builtin) => {
                self.emit(Instruction::Builtin { to: result, builtin: *builtin, first: FRAME });
            }
            FunctionBody::Project(projections) => self.projection(projections, result),
            FunctionBody::Missing => {
                self.emit(Instruction::NoMatch { exhaustive: false });
            }
        }
        self.emit(Instruction::Return { from: result });
        self.end_body(&function.name, entry, BodyKind::Function, (None, function.parameters.len()));
        if let Some(body) = self.bodies.last_mut() {
            body.result = function.kind;
        }
    }

    fn projection(&mut self, projections: &[(crate::hir::ConstructorId, usize)], result: Slot) {
        let mut ends = Vec::new();
        for (constructor, index) in projections {
            let next = self.emit(Instruction::Unmatched { value: FRAME, constructor: constructor.0, to: 0 });
            self.emit(Instruction::Project { to: result, value: FRAME, index: *index as u32 });
            ends.push(self.emit(Instruction::Jump { to: 0 }));
            self.patch(next);
        }
        let covered: Vec<u32> = projections.iter().map(|(constructor, _)| constructor.0).collect();
        let siblings = covered.first().and_then(|&first| self.siblings(first));
        let exhaustive = siblings.is_some_and(|mut siblings| siblings.all(|sibling| covered.contains(&sibling)));
        self.emit(Instruction::NoMatch { exhaustive });
        for end in ends {
            self.patch(end);
        }
    }

    fn method(&mut self, number: usize) {
        let program = self.program;
        let method = &program.methods[number];
        self.begin_body(method.span);
        let entry = self.emit(Instruction::Begin);
        if self.property.contains(&number) {
            self.emit(Instruction::Reached);
        }
        for &parameter in &method.parameters {
            self.declare(parameter);
        }
        let rescue = (!method.recover.is_empty()).then(|| self.place_for_exception());
        let class = method.class.map(|class| &program.classes[class.index()]);
        let init = class.filter(|class| class.init.index() == number);
        for statement in &method.body {
            self.statement(statement);
        }
        self.place = method.end;
        if let Some(class) = init {
            if let Some(selector) = class.run {
                let receiver = self.take();
                self.emit(Instruction::This { to: receiver });
                let (to, first) = (self.take(), self.next);
                self.highest = self.highest.max(first + FRAME);
                self.emit(Instruction::Async { to, receiver, selector: selector.0, first, count: 0, is_kept: false });
            }
            self.emit(Instruction::ReturnThis);
        } else {
            let result = self.take();
            let unit = self.constant(Constant::Constructor(program.known.unit.0));
            self.emit(Instruction::Constant { to: result, constant: unit });
            self.emit(Instruction::Return { from: result });
        }
        if let Some(slot) = rescue {
            self.recover(entry, slot, &method.recover);
        }
        let kind = if init.is_some() { BodyKind::Init } else { BodyKind::Method };
        let class = method.class.map(|class| class.0);
        self.end_body(&method.name, entry, kind, (class, method.parameters.len()));
        if let Some(body) = self.bodies.last_mut() {
            body.kinds.clone_from(&method.kinds);
            body.inputs.clone_from(&method.inputs);
        }
    }

    fn kind_of(&self, id: ExprId) -> &'p ExprKind {
        &self.program.exprs[id.index()].kind
    }
}
