//! Expressions: one loop over the nodes, operands before operators. What is known of a node is kept
//! beside it.

use super::fold::{self, Failure};
use super::names::Meaning;
use super::variable::UNKNOWN_LENGTH;
use super::{Checker, a_type, type_name};
use crate::hir::{Binary, Expr, ExprId, ExprKind, GlobalId, Input, Span, Type, Unary};
use crate::syntax::ast::{Expression, Name, NodeId, NodeKind};
use mazurka_source::Diagnostic;
use mazurka_trace::Value;

/// Where an expression stands: what it may name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Context {
    /// Where a constant is needed.
    Constant,
    /// In a process or proc.
    Body,
    /// In the finally block.
    Finally,
    /// After `when`.
    Independence,
}

/// What is known of an expression.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fact {
    /// The type of its value; `None` if it is poisoned.
    pub(super) ty: Option<Type>,
    /// Its value, if that is always the same.
    pub(super) constant: Option<Value>,
}

impl Fact {
    const POISON: Fact = Fact { ty: None, constant: None };

    fn of(ty: Type) -> Self {
        Fact { ty: Some(ty), constant: None }
    }
}

/// A checked expression.
#[derive(Clone, Copy, Debug)]
pub(super) struct Checked {
    /// The expression.
    pub(super) expr: ExprId,
    /// What is known of it.
    pub(super) fact: Fact,
    /// Where it stands.
    pub(super) span: Span,
}

/// Memory that every expression uses again.
#[derive(Default)]
pub(super) struct Scratch {
    /// What is known of the nodes of the expression.
    facts: Vec<Fact>,
    /// The nodes that have no value, in order.
    failures: Vec<(NodeId, Failure)>,
}

/// The check of one expression. Every node becomes one expression of the program, so ids differ by
/// a fixed number.
#[derive(Clone, Copy)]
struct Pass {
    start: u32,
    base: u32,
    context: Context,
}

impl Pass {
    fn expr(self, node: NodeId) -> ExprId {
        ExprId(node.0 - self.start + self.base)
    }
}

impl<'s> Checker<'_, 's> {
    /// Checks an expression.
    pub(super) fn expression(&mut self, expression: Expression, context: Context) -> Checked {
        let pass = Pass { start: expression.start, base: self.program.exprs.len() as u32, context };
        let file = self.file;
        self.scratch.facts.clear();
        for id in expression.start..=expression.root.0 {
            let node = &file.nodes[id as usize];
            let (kind, fact) = self.node(pass, NodeId(id), node.kind, node.span);
            self.program.exprs.push(Expr { kind, ty: fact.ty.unwrap_or(Type::Int), span: node.span });
            self.scratch.facts.push(fact);
        }
        self.report_failures();
        let span = file.nodes[expression.root.0 as usize].span;
        Checked { expr: pass.expr(expression.root), fact: self.fact(pass, expression.root), span }
    }

    fn fact(&self, pass: Pass, node: NodeId) -> Fact {
        self.scratch.facts[(node.0 - pass.start) as usize]
    }

    fn node(&mut self, pass: Pass, id: NodeId, kind: NodeKind<'s>, span: Span) -> (ExprKind, Fact) {
        match kind {
            NodeKind::Error => (ExprKind::Value(0), Fact::POISON),
            NodeKind::Int(value) => value_of(Type::Int, value),
            NodeKind::Bool(value) => value_of(Type::Bool, Value::from(value)),
            NodeKind::Name(text) => self.variable(pass.context, Name { text, span }),
            NodeKind::Index(name, index) => self.cell(pass, id, name, index),
            NodeKind::Unary(operator, operand) => {
                (ExprKind::Unary(operator, pass.expr(operand)), self.unary(pass, id, operator, operand))
            }
            NodeKind::Binary(operator, left, right) => {
                let kind = ExprKind::Binary(operator, pass.expr(left), pass.expr(right));
                (kind, self.binary(pass, id, operator, left, right))
            }
            NodeKind::Conditional(condition, then, otherwise) => {
                let kind = ExprKind::Conditional(pass.expr(condition), pass.expr(then), pass.expr(otherwise));
                (kind, self.conditional(pass, condition, then, otherwise))
            }
            NodeKind::Choose(low, high) => {
                self.require(pass, low, Type::Int, "the lower bound of `choose`");
                self.require(pass, high, Type::Int, "the upper bound of `choose`");
                self.allow_choose(pass.context, span, "choose");
                (ExprKind::Choose(pass.expr(low), pass.expr(high)), Fact::of(Type::Int))
            }
            NodeKind::Any(low, high) => {
                let input = self.input(pass, low, high, span);
                if pass.context == Context::Finally {
                    let input = input.unwrap_or(Input { low: 0, high: 0, span });
                    return (ExprKind::Global(self.last_input(Type::Int, input)), Fact::of(Type::Int));
                }
                self.allow_choose(pass.context, span, "any");
                (ExprKind::Choose(pass.expr(low), pass.expr(high)), Fact::of(Type::Int))
            }
        }
    }

    /// A name that stands for a value.
    fn variable(&mut self, context: Context, name: Name<'s>) -> (ExprKind, Fact) {
        let poison = (ExprKind::Value(0), Fact::POISON);
        if let Some(id) = self.locals.get(name.text) {
            return (ExprKind::Local(id), Fact { ty: self.locals.ty(id), constant: None });
        }
        match self.names.get(name.text).map(|(meaning, _)| meaning) {
            Some(Meaning::Constant(index)) => match self.constant_value(index, name) {
                Some((ty, value)) => value_of(ty, value),
                None => poison,
            },
            Some(meaning @ Meaning::Global(id)) => {
                if context == Context::Constant {
                    self.not_a_constant(name, meaning);
                    return poison;
                }
                let global = &self.program.globals[id.index()];
                let (ty, array) = (global.ty, global.length.is_some());
                if array {
                    let problem =
                        Diagnostic::new(name.span, format!("`{}` is an array", name.text), "expected a value");
                    self.sink.push(problem.help(format!("name one of its cells: `{}[…]`", name.text)));
                }
                (ExprKind::Global(id), Fact::of(ty))
            }
            Some(meaning) => {
                self.not_a_value(name, meaning);
                poison
            }
            None => {
                self.unknown_value(context, name);
                poison
            }
        }
    }

    fn unknown_value(&mut self, context: Context, name: Name<'s>) {
        let constants = |meaning| matches!(meaning, Meaning::Constant(_));
        let variables = move |meaning| constants(meaning) || matches!(meaning, Meaning::Global(_));
        match context {
            Context::Constant => self.unknown(name, "a constant", constants),
            Context::Body | Context::Finally => self.unknown(name, "a variable or constant", variables),
            Context::Independence => {
                self.unknown(name, "a global variable, a constant or a parameter named before `when`", variables);
            }
        }
    }

    fn not_a_constant(&mut self, name: Name<'s>, meaning: Meaning) {
        let message = format!("`{}` is {}", name.text, meaning.describe());
        let problem = Diagnostic::new(name.span, message, "expected a constant");
        self.sink.push(problem.help("only numbers, `true`, `false` and names declared by `const` can stand here"));
    }

    /// Reports the name of something that has no value.
    fn not_a_value(&mut self, name: Name<'s>, meaning: Meaning) {
        let message = format!("`{}` is {}, which has no value", name.text, meaning.describe());
        self.sink.push(Diagnostic::new(name.span, message, "expected a variable or constant"));
    }

    /// `a[i]`
    fn cell(&mut self, pass: Pass, id: NodeId, name: Name<'s>, index: NodeId) -> (ExprKind, Fact) {
        self.require(pass, index, Type::Int, "the index");
        let Some(global) = self.array(pass.context, name) else { return (ExprKind::Value(0), Fact::POISON) };
        let fact = self.fact(pass, index);
        if let Some(failure) = self.out_of_bounds(global, fact) {
            self.scratch.failures.push((id, failure));
        }
        let ty = self.program.globals[global.index()].ty;
        (ExprKind::Cell(global, pass.expr(index)), Fact::of(ty))
    }

    /// A name that stands before an index, in an expression or on the left of `=`.
    pub(super) fn array(&mut self, context: Context, name: Name<'s>) -> Option<GlobalId> {
        if let Some(local) = self.locals.get(name.text) {
            self.locals.ty(local)?;
            self.not_an_array(name);
            return None;
        }
        match self.names.get(name.text).map(|(meaning, _)| meaning) {
            Some(meaning @ Meaning::Global(_)) if context == Context::Constant => self.not_a_constant(name, meaning),
            Some(Meaning::Global(id)) if self.program.globals[id.index()].length.is_some() => return Some(id),
            Some(Meaning::Global(_) | Meaning::Constant(_)) => self.not_an_array(name),
            Some(meaning @ (Meaning::Mutex(_) | Meaning::Body(..))) => self.not_a_value(name, meaning),
            None => self.unknown(name, "the name of an array", |meaning| matches!(meaning, Meaning::Global(_))),
        }
        None
    }

    fn not_an_array(&mut self, name: Name<'s>) {
        let problem = Diagnostic::new(name.span, format!("`{}` is not an array", name.text), "expected an array");
        self.sink.push(problem.help(format!("write `{}` without an index", name.text)));
    }

    /// Whether a constant index is outside of a global array.
    pub(super) fn out_of_bounds(&self, global: GlobalId, index: Fact) -> Option<Failure> {
        let length = self.program.globals[global.index()].length?;
        outside(length, index)
    }

    /// An input: its bounds are constants, and there is a number between them. Otherwise that is
    /// reported.
    fn input(&mut self, pass: Pass, low: NodeId, high: NodeId, span: Span) -> Option<Input> {
        for (bound, which) in [(low, "lower"), (high, "upper")] {
            self.require(pass, bound, Type::Int, &format!("the {which} bound of `any`"));
        }
        let (low, high) = (self.fact(pass, low), self.fact(pass, high));
        match (low.constant, high.constant) {
            (Some(low), Some(high)) if low <= high => {
                let input = Input { low, high, span };
                self.program.inputs.push(input);
                return Some(input);
            }
            (Some(low), Some(high)) => {
                let message = format!("there is no number from {low} to {high}");
                self.sink.push(Diagnostic::new(span, message, "expected the smaller bound first"));
            }
            _ if low.ty.is_some() && high.ty.is_some() => {
                let problem = Diagnostic::new(span, "the bounds of `any` are not constants", "expected constants");
                self.sink.push(problem.help("`choose(low, high)` chooses between bounds that are computed"));
            }
            _ => {}
        }
        None
    }

    fn allow_choose(&mut self, context: Context, span: Span, word: &str) {
        let place = match context {
            Context::Body => return,
            Context::Constant => "where a constant is needed",
            Context::Finally => "in `finally`",
            Context::Independence => "after `when`",
        };
        let message = format!("`{word}` cannot stand {place}");
        self.sink.push(Diagnostic::new(span, message, format!("expected an expression without `{word}`")));
    }

    fn unary(&mut self, pass: Pass, id: NodeId, operator: Unary, operand: NodeId) -> Fact {
        let (ty, what) = match operator {
            Unary::Negate => (Type::Int, "the operand of `-`"),
            Unary::Not => (Type::Bool, "the operand of `!`"),
        };
        self.require(pass, operand, ty, what);
        let value = self.fact(pass, operand).constant.map(|value| fold::unary(operator, value));
        Fact { ty: Some(ty), constant: self.folded(pass, id, value) }
    }

    fn binary(&mut self, pass: Pass, id: NodeId, operator: Binary, left: NodeId, right: NodeId) -> Fact {
        let ty = self.operand_types(pass, operator, left, right);
        let (a, b) = (self.fact(pass, left).constant, self.fact(pass, right).constant);
        let constant = match (operator, a, b) {
            // The right side is not evaluated: what fails there does not matter.
            (Binary::And, Some(0), _) | (Binary::Or, Some(1), _) => {
                self.forgive(left, right);
                a
            }
            (Binary::And, Some(_), _) | (Binary::Or, Some(_), _) => b,
            (Binary::Divide | Binary::Remainder, None, Some(0)) => {
                self.folded(pass, id, Some(Err(Failure::DivisionByZero)))
            }
            (_, Some(a), Some(b)) => self.folded(pass, id, Some(fold::binary(operator, a, b))),
            (_, None, _) | (_, _, None) => None,
        };
        Fact { ty: Some(ty), constant }
    }

    /// Checks the types of the operands; the type of the result.
    fn operand_types(&mut self, pass: Pass, operator: Binary, left: NodeId, right: NodeId) -> Type {
        use Binary::*;
        let (operand, result) = match operator {
            Add | Subtract | Multiply | Divide | Remainder => (Type::Int, Type::Int),
            Less | LessEqual | Greater | GreaterEqual => (Type::Int, Type::Bool),
            And | Or => (Type::Bool, Type::Bool),
            Equal | NotEqual => {
                self.same_type(pass, left, right, "the left side");
                return Type::Bool;
            }
        };
        for (node, side) in [(left, "left"), (right, "right")] {
            // The message is only made for a wrong type: an expression may have a million operands.
            if self.fact(pass, node).ty.is_some_and(|ty| ty != operand) {
                self.require(pass, node, operand, &format!("the {side} side of `{}`", crate::operator::sign(operator)));
            }
        }
        result
    }

    fn conditional(&mut self, pass: Pass, condition: NodeId, then: NodeId, otherwise: NodeId) -> Fact {
        self.require(pass, condition, Type::Bool, "the condition of `? :`");
        self.same_type(pass, then, otherwise, "the value before `:`");
        let (a, b) = (self.fact(pass, then), self.fact(pass, otherwise));
        let constant = match self.fact(pass, condition).constant {
            Some(0) => {
                self.forgive(condition, then);
                b.constant
            }
            Some(_) => {
                self.forgive(then, otherwise);
                a.constant
            }
            None => None,
        };
        Fact { ty: a.ty.filter(|_| a.ty == b.ty), constant }
    }

    /// Checks that two operands have the same type.
    fn same_type(&mut self, pass: Pass, first: NodeId, second: NodeId, other: &str) {
        if let (Some(first), Some(found)) = (self.fact(pass, first).ty, self.fact(pass, second).ty)
            && first != found
        {
            let span = self.file.nodes[second.0 as usize].span;
            let message = format!("this is {}, but {other} is {}", a_type(found), a_type(first));
            self.sink.push(Diagnostic::new(span, message, format!("expected {}", type_name(first))));
        }
    }

    /// Checks the type of an operand.
    fn require(&mut self, pass: Pass, node: NodeId, ty: Type, what: &str) {
        let span = self.file.nodes[node.0 as usize].span;
        self.require_type(self.fact(pass, node), span, ty, what);
    }

    /// Checks a type; whether it is right, or poisoned.
    pub(super) fn require_type(&mut self, fact: Fact, span: Span, ty: Type, what: &str) -> bool {
        let Some(found) = fact.ty.filter(|&found| found != ty) else { return true };
        let message = format!("{what} is {}", a_type(found));
        let problem = Diagnostic::new(span, message, format!("expected {}", type_name(ty)));
        let help = (ty == Type::Bool).then(|| "compare it, for example with `!= 0`".to_string());
        self.sink.push(problem.maybe_help(help));
        false
    }

    /// The value of a node. An overflow outside of a constant is left to the run, which may never
    /// get there.
    fn folded(&mut self, pass: Pass, id: NodeId, value: Option<Result<Value, Failure>>) -> Option<Value> {
        match value? {
            Ok(value) => Some(value),
            Err(failure) => {
                if failure != Failure::Overflow || pass.context == Context::Constant {
                    self.scratch.failures.push((id, failure));
                }
                None
            }
        }
    }

    /// Forgets the failures of the nodes after one and up to another.
    fn forgive(&mut self, after: NodeId, to: NodeId) {
        let failures = &mut self.scratch.failures;
        let from = failures.partition_point(|(node, _)| *node <= after);
        let end = failures.partition_point(|(node, _)| *node <= to);
        failures.drain(from..end);
    }

    fn report_failures(&mut self) {
        let mut failures = std::mem::take(&mut self.scratch.failures);
        for (node, failure) in failures.drain(..) {
            let node = &self.file.nodes[node.0 as usize];
            let span = match node.kind {
                NodeKind::Binary(Binary::Divide | Binary::Remainder, _, right)
                    if failure == Failure::DivisionByZero =>
                {
                    self.file.nodes[right.0 as usize].span
                }
                _ => node.span,
            };
            self.failure(failure, span);
        }
        self.scratch.failures = failures;
    }

    /// Reports an expression that has no value, unless it stands where nothing runs.
    pub(super) fn failure(&mut self, failure: Failure, span: Span) {
        if self.dead > 0 {
            return;
        }
        self.sink.push(match failure {
            Failure::Overflow => {
                let label = "expected a value within -9223372036854775808 .. 9223372036854775807";
                Diagnostic::new(span, "this overflows", label)
            }
            Failure::DivisionByZero => Diagnostic::new(span, "this divides by zero", "expected a value other than 0"),
            Failure::OutOfBounds(index, length) => {
                let message = format!("the index {index} is out of bounds");
                let label = match length {
                    1 => "expected the index 0".to_string(),
                    _ => format!("expected an index from 0 to {}", length - 1),
                };
                Diagnostic::new(span, message, label)
            }
        });
    }
}

/// Whether a constant index is outside of an array of this length.
pub(super) fn outside(length: usize, index: Fact) -> Option<Failure> {
    let index = index.constant.filter(|_| index.ty == Some(Type::Int))?;
    let inside = usize::try_from(index).is_ok_and(|index| index < length);
    (!inside && length != UNKNOWN_LENGTH).then_some(Failure::OutOfBounds(index, length))
}

fn value_of(ty: Type, value: Value) -> (ExprKind, Fact) {
    (ExprKind::Value(value), Fact { ty: Some(ty), constant: Some(value) })
}
