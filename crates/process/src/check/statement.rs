//! Statements.

use super::expression::{Checked, Context, outside};
use super::locals::VARIABLE;
use super::names::Meaning;
use super::variable::count;
use super::{Checker, a_type, type_name};
use crate::hir::{self, BodyId, BodyKind, Expr, ExprId, ExprKind, LocalId, MutexId, MutexRef, Span, Target, Type};
use crate::syntax::ast::{Arm, Block, Declarator, Expression, Initial, Name, Place, Statement, StatementKind};
use mazurka_source::Diagnostic;

/// The body a statement stands in.
#[derive(Clone, Copy)]
struct Within {
    body: BodyId,
    context: Context,
}

impl<'s> Checker<'_, 's> {
    /// Checks the statements of a body. Its block is that of its parameters.
    pub(super) fn statements(&mut self, body: BodyId, block: &Block<'s>, context: Context) -> hir::Block {
        let within = Within { body, context };
        block.iter().filter_map(|statement| self.statement(within, statement)).collect()
    }

    /// Checks a block inside a body, which nothing enters if it is dead.
    fn block(&mut self, within: Within, block: &Block<'s>, dead: bool) -> hir::Block {
        self.dead += usize::from(dead);
        self.locals.open();
        let checked = self.statements(within.body, block, within.context);
        self.locals.close();
        self.dead -= usize::from(dead);
        checked
    }

    /// Checks a statement; `None` if it is wrong.
    fn statement(&mut self, within: Within, statement: &Statement<'s>) -> Option<hir::Statement> {
        use hir::StatementKind as To;
        let span = statement.span;
        self.allow(within, statement);
        let kind = match &statement.kind {
            StatementKind::Declare(ty, declarator) => self.declaration(within, *ty, declarator),
            StatementKind::Assign(place, value) => self.assignment(within, place, *value)?,
            StatementKind::Atomic(name, block) => {
                name.iter().for_each(|name| self.name_atomic(within.body, *name));
                To::Atomic(name.map(|name| name.text.to_string()), self.block(within, block, false))
            }
            StatementKind::If(arms, otherwise) => self.branches(within, arms, otherwise),
            StatementKind::While(condition, block) => {
                self.loops += 1;
                let condition = self.condition(within, *condition, "the condition of `while`");
                let dead = condition.fact.constant == Some(0);
                let block = self.block(within, block, dead);
                self.loops -= 1;
                To::While(condition.expr, block)
            }
            StatementKind::Lock(place) => To::Lock(self.mutex_place(within, place, "lock")?),
            StatementKind::Unlock(place) => To::Unlock(self.mutex_place(within, place, "unlock")?),
            StatementKind::Await(condition) => {
                To::Await(self.condition(within, *condition, "the condition of `await`").expr)
            }
            StatementKind::Assume(condition) => {
                To::Assume(self.condition(within, *condition, "the condition of `assume`").expr)
            }
            StatementKind::Assert(condition) => {
                To::Assert(self.condition(within, *condition, "the condition of `assert`").expr)
            }
            StatementKind::Spawn(name, arguments) => self.spawn(within, *name, arguments)?,
        };
        Some(hir::Statement { kind, span })
    }

    /// `finally` runs when everything has ended: there is nobody to wait for, and nothing more may
    /// start.
    fn allow(&mut self, within: Within, statement: &Statement<'s>) {
        let word = match statement.kind {
            StatementKind::Await(_) => "await",
            StatementKind::Lock(_) => "lock",
            StatementKind::Unlock(_) => "unlock",
            StatementKind::Spawn(..) => "spawn",
            StatementKind::Declare(..)
            | StatementKind::Assign(..)
            | StatementKind::Atomic(..)
            | StatementKind::If(..)
            | StatementKind::While(..)
            | StatementKind::Assume(_)
            | StatementKind::Assert(_) => return,
        };
        if within.context == Context::Finally {
            let message = format!("`{word}` cannot stand in `finally`");
            let label = "expected an assignment, `if`, `while`, `atomic`, `assume` or `assert`";
            self.sink.push(Diagnostic::new(statement.span, message, label));
        }
    }

    /// `int t = 0;`
    fn declaration(&mut self, within: Within, ty: Type, declarator: &Declarator<'s>) -> hir::StatementKind {
        let name = declarator.name;
        let value = match &declarator.initial {
            Some(Initial::Value(value)) => match self.truth_input(within, ty, *value) {
                Some(input) => input,
                None => {
                    let value = self.expression(*value, within.context);
                    self.require_value(value, ty, name.text);
                    value.expr
                }
            },
            Some(Initial::List(..)) | None => self.zero(ty, name.span),
        };
        let array = declarator.length.is_some() || matches!(declarator.initial, Some(Initial::List(..)));
        if array {
            let message = format!("the local variable `{}` cannot be an array", name.text);
            let problem = Diagnostic::new(declarator.span, message, "expected a name, with or without a value");
            self.sink.push(problem.help("declare the array outside of processes and procs"));
        }
        // Only now, so that its initial value cannot name it.
        let local = self.declare_local(name, ty, VARIABLE);
        if array {
            self.locals.poison(local);
        }
        hir::StatementKind::Assign(Target::Local(local), value)
    }

    /// `any`, where a truth value is wanted.
    fn truth_input(&mut self, within: Within, ty: Type, value: Expression) -> Option<ExprId> {
        if ty == Type::Bool { self.bool_input(value, within.context) } else { None }
    }

    fn zero(&mut self, ty: Type, span: Span) -> ExprId {
        self.program.exprs.push(Expr { kind: ExprKind::Value(0), ty, span });
        ExprId(self.program.exprs.len() as u32 - 1)
    }

    /// Checks the type of a value for a variable.
    fn require_value(&mut self, value: Checked, ty: Type, variable: &str) {
        if let Some(found) = value.fact.ty.filter(|&found| found != ty) {
            let message = format!("this is {}, but `{variable}` is {}", a_type(found), a_type(ty));
            self.sink.push(Diagnostic::new(value.span, message, format!("expected {}", type_name(ty))));
        }
    }

    /// `x = 1;`
    fn assignment(&mut self, within: Within, place: &Place<'s>, value: Expression) -> Option<hir::StatementKind> {
        let target = self.target(within, place);
        if let Some((target, ty)) = target
            && let Some(input) = self.truth_input(within, ty, value)
        {
            return Some(hir::StatementKind::Assign(target, input));
        }
        let value = self.expression(value, within.context);
        let (target, ty) = target?;
        let name = place.name.text;
        match place.index {
            Some(_) => self.require_value(value, ty, &format!("{name}[…]")),
            None => self.require_value(value, ty, name),
        }
        Some(hir::StatementKind::Assign(target, value.expr))
    }

    /// What is assigned to, and its type.
    fn target(&mut self, within: Within, place: &Place<'s>) -> Option<(Target, Type)> {
        if let Some(index) = place.index {
            let index = self.expression(index, within.context);
            self.require_type(index.fact, index.span, Type::Int, "the index");
            let global = self.array(within.context, place.name)?;
            if let Some(failure) = self.out_of_bounds(global, index.fact) {
                self.failure(failure, place.span);
            }
            return Some((Target::Cell(global, index.expr), self.program.globals[global.index()].ty));
        }
        if let Some(local) = self.locals.get(place.name.text) {
            return self.local_target(within, place.name, local);
        }
        self.global_target(place.name)
    }

    fn local_target(&mut self, within: Within, name: Name<'s>, local: LocalId) -> Option<(Target, Type)> {
        let body = &self.program.bodies[within.body.index()];
        if matches!(body.kind, BodyKind::ProcessArray(_)) && local == LocalId(0) {
            let message = format!("`{}` is the index of the process, which never changes", name.text);
            self.sink.push(Diagnostic::new(name.span, message, "expected a variable"));
            return None;
        }
        Some((Target::Local(local), self.locals.ty(local)?))
    }

    fn global_target(&mut self, name: Name<'s>) -> Option<(Target, Type)> {
        match self.names.get(name.text).map(|(meaning, _)| meaning) {
            Some(Meaning::Global(id)) => {
                let global = &self.program.globals[id.index()];
                let (ty, array) = (global.ty, global.length.is_some());
                if array {
                    let message = format!("`{}` is an array", name.text);
                    let problem = Diagnostic::new(name.span, message, "expected a variable");
                    self.sink.push(problem.help(format!("assign to one of its cells: `{}[…] = …`", name.text)));
                    return None;
                }
                Some((Target::Global(id), ty))
            }
            Some(meaning) => {
                let message = format!("`{}` is {}, to which nothing can be assigned", name.text, meaning.describe());
                self.sink.push(Diagnostic::new(name.span, message, "expected a variable"));
                None
            }
            None => {
                self.unknown(name, "a variable", |meaning| matches!(meaning, Meaning::Global(_)));
                None
            }
        }
    }

    /// Enters the name of an atomic block. `independent` names blocks and bodies alike, so they
    /// share one space.
    fn name_atomic(&mut self, body: BodyId, name: Name<'s>) {
        let of_body = self.names.get(name.text).filter(|(meaning, _)| matches!(meaning, Meaning::Body(..)));
        let first = of_body.map(|(_, span)| span).or(self.atomics.get(name.text).map(|&(_, span)| span));
        match first {
            Some(first) => self.duplicate(name, first),
            None => {
                self.atomics.insert(name.text, (body, name.span));
            }
        }
    }

    /// `if … else if … else`
    fn branches(&mut self, within: Within, arms: &[Arm<'s>], otherwise: &Block<'s>) -> hir::StatementKind {
        let mut checked = Vec::with_capacity(arms.len());
        let mut decided = false;
        for arm in arms {
            self.dead += usize::from(decided);
            let condition = self.condition(within, arm.condition, "the condition of `if`");
            self.dead -= usize::from(decided);
            let dead = decided || condition.fact.constant == Some(0);
            checked.push((arm.head, condition.expr, self.block(within, &arm.block, dead)));
            decided |= condition.fact.constant == Some(1);
        }
        hir::StatementKind::If(checked, self.block(within, otherwise, decided))
    }

    fn condition(&mut self, within: Within, condition: Expression, what: &str) -> Checked {
        let condition = self.expression(condition, within.context);
        self.require_type(condition.fact, condition.span, Type::Bool, what);
        condition
    }

    /// The mutex in `lock(…)` and `unlock(…)`.
    fn mutex_place(&mut self, within: Within, place: &Place<'s>, word: &str) -> Option<MutexRef> {
        let index = place.index.map(|index| self.expression(index, within.context));
        if let Some(index) = index {
            self.require_type(index.fact, index.span, Type::Int, "the index");
        }
        let mutex = self.mutex_named(place.name, word)?;
        let length = self.program.mutexes[mutex.index()].length;
        self.mutex_index(place, length, index)?;
        Some(MutexRef { mutex, index: index.map(|index| index.expr) })
    }

    fn mutex_named(&mut self, name: Name<'s>, word: &str) -> Option<MutexId> {
        let other = match (self.locals.get(name.text), self.names.get(name.text)) {
            (Some(local), _) => self.locals.ty(local).map(|_| "a local variable")?,
            (None, Some((Meaning::Mutex(id), _))) => return Some(id),
            (None, Some((meaning, _))) => meaning.describe(),
            (None, None) => {
                self.unknown(name, "the name of a mutex", |meaning| matches!(meaning, Meaning::Mutex(_)));
                return None;
            }
        };
        let message = format!("`{word}` needs a mutex, but `{}` is {other}", name.text);
        self.sink.push(Diagnostic::new(name.span, message, "expected the name of a mutex"));
        None
    }

    /// Checks that an array of mutexes has an index, and within its bounds, and a single mutex has
    /// none.
    fn mutex_index(&mut self, place: &Place<'s>, length: Option<usize>, index: Option<Checked>) -> Option<()> {
        let name = place.name.text;
        let problem = match (length, index) {
            (None, None) => return Some(()),
            (Some(length), Some(index)) => {
                if let Some(failure) = outside(length, index.fact) {
                    self.failure(failure, place.span);
                }
                return Some(());
            }
            (Some(_), None) => {
                Diagnostic::new(place.span, format!("`{name}` is an array of mutexes"), "expected a mutex")
                    .help(format!("name one of them: `{name}[…]`"))
            }
            (None, Some(_)) => Diagnostic::new(place.span, format!("`{name}` is not an array"), "expected a mutex")
                .help(format!("write `{name}` without an index")),
        };
        self.sink.push(problem);
        None
    }

    /// `spawn w(a, b);`
    fn spawn(&mut self, within: Within, name: Name<'s>, arguments: &[Expression]) -> Option<hir::StatementKind> {
        let arguments: Vec<Checked> = arguments.iter().map(|&value| self.expression(value, within.context)).collect();
        let body = self.spawned(name)?;
        let callee = &self.program.bodies[body.index()];
        let parameters: Vec<(String, Type)> =
            callee.locals[..callee.parameters].iter().map(|local| (local.name.clone(), local.ty)).collect();
        if parameters.len() != arguments.len() {
            let message = format!("`{}` has {}", name.text, count(parameters.len(), "parameter"));
            let label = format!("expected {}, found {}", count(parameters.len(), "argument"), arguments.len());
            let problem = Diagnostic::new(name.span, message, label);
            let declared = self.program.bodies[body.index()].span;
            self.sink.push(problem.note(declared, "it is declared here"));
            return None;
        }
        for (argument, (parameter, ty)) in arguments.iter().zip(parameters) {
            self.require_type(argument.fact, argument.span, ty, &format!("the argument for `{parameter}`"));
        }
        Some(hir::StatementKind::Spawn(body, arguments.iter().map(|argument| argument.expr).collect()))
    }

    fn spawned(&mut self, name: Name<'s>) -> Option<BodyId> {
        let is_proc = |meaning| matches!(meaning, Meaning::Body(_, false));
        let problem = match self.names.get(name.text).map(|(meaning, _)| meaning) {
            Some(Meaning::Body(id, false)) => return Some(id),
            Some(Meaning::Body(_, true)) => {
                let message = format!("`{}` is a process, which starts by itself", name.text);
                let problem = Diagnostic::new(name.span, message, "expected the name of a proc");
                problem.help(format!("to start it by `spawn`, declare it as `proc {}(…)`", name.text))
            }
            Some(meaning) => {
                let message = format!("`{}` is {}", name.text, meaning.describe());
                Diagnostic::new(name.span, message, "expected the name of a proc")
            }
            None => {
                self.unknown(name, "the name of a proc", is_proc);
                return None;
            }
        };
        self.sink.push(problem);
        None
    }
}
