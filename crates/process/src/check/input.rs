//! Inputs of the initial state: `int x = any;`, `int a[3] = any(0, 9);`, `bool b = any;`.
//!
//! They become a process of their own, whose only step is taken before all others and chooses all
//! of them. So whoever explores or encodes steps need not know about them, and a schedule holds
//! their values.
//!
//! An input of the finally block is one of them, too: nobody takes a step there, so nobody could
//! choose. Who chooses a value that is looked at only when everything is over may as well have done
//! so at the beginning.

use super::Checker;
use super::expression::Context;
use crate::hir::{
    Binary, Body, BodyKind, Expr, ExprId, ExprKind, Global, GlobalId, Input, Span, Statement, StatementKind, Target,
    Type,
};
use crate::syntax::ast::{Expression, NodeId, NodeKind};
use mazurka_source::Diagnostic;
use mazurka_trace::Value;

/// A cell, or a plain variable, whose initial value is an input.
pub(super) struct InitialInput {
    pub(super) global: GlobalId,
    /// Which cell, in an array.
    pub(super) cell: Option<usize>,
    pub(super) ty: Type,
    pub(super) input: Input,
    /// It is one of the finally block.
    pub(super) last: bool,
}

impl Checker<'_, '_> {
    /// The input that an initial value is, if it is one. Where something is wrong with it, that is
    /// reported, and it is any value.
    pub(super) fn initial_input(&mut self, ty: Type, expression: Expression) -> Option<Input> {
        let node = &self.file.nodes[expression.root.0 as usize];
        let (NodeKind::Any(low, high), span) = (node.kind, node.span) else { return None };
        let input = match ty {
            Type::Bool if self.is_bare(low, span) => Input { low: 0, high: 1, span },
            Type::Bool => {
                let problem = Diagnostic::new(span, "a bool is not in a range of numbers", "expected `any`");
                self.sink.push(problem);
                Input { low: 0, high: 1, span }
            }
            Type::Int => {
                let low_bound = Expression { start: expression.start, root: low };
                let high_bound = Expression { start: low.0 + 1, root: high };
                let low = self.constant_of(low_bound, Type::Int, "the lower bound of `any`");
                let high = self.constant_of(high_bound, Type::Int, "the upper bound of `any`");
                let (low, high) = low.zip(high).unwrap_or((0, 0));
                if low > high {
                    let message = format!("there is no number from {low} to {high}");
                    self.sink.push(Diagnostic::new(span, message, "expected the smaller bound first"));
                }
                Input { low, high, span }
            }
        };
        self.program.inputs.push(input);
        Some(input)
    }

    /// Whether an input stands without bounds.
    fn is_bare(&self, low: NodeId, span: Span) -> bool {
        self.file.nodes[low.0 as usize].span == span
    }

    /// `any` in the place of a truth value, in a statement: the expression for it.
    pub(super) fn bool_input(&mut self, expression: Expression, context: Context) -> Option<ExprId> {
        let node = &self.file.nodes[expression.root.0 as usize];
        let (NodeKind::Any(low, _), span) = (node.kind, node.span) else { return None };
        if !self.is_bare(low, span) {
            return None;
        }
        let input = Input { low: 0, high: 1, span };
        self.program.inputs.push(input);
        if context == Context::Finally {
            let global = self.last_input(Type::Bool, input);
            return Some(self.push(ExprKind::Global(global), Type::Bool, span));
        }
        Some(self.chosen(Type::Bool, input))
    }

    /// An input of the finally block: a variable without a name in the source, whose initial value
    /// it is. In a loop it would be another value in each round.
    pub(super) fn last_input(&mut self, ty: Type, input: Input) -> GlobalId {
        let span = input.span;
        if self.loops > 0 {
            let message = "`any` cannot stand in a loop of `finally`";
            let problem = Diagnostic::new(span, message, "expected an expression without `any`");
            self.sink.push(problem.help("choose before the loop, into a local variable or the cells of an array"));
        }
        let global = GlobalId(self.program.globals.len() as u32);
        let name = match self.initial_inputs.iter().filter(|initial| initial.last).count() {
            0 => "any".to_owned(),
            others => format!("any#{}", others + 1),
        };
        self.program.globals.push(Global { name, ty, length: None, initial: vec![input.before()], span });
        self.initial_inputs.push(InitialInput { global, cell: None, ty, input, last: true });
        global
    }

    /// The process that chooses the inputs of the initial state.
    pub(super) fn inputs(&mut self) {
        let inputs = std::mem::take(&mut self.initial_inputs);
        let Some(first) = inputs.first() else { return };
        self.program.initial_inputs = inputs.iter().map(|initial| initial.input).collect();
        let span = first.input.span;
        let mut block = Vec::with_capacity(inputs.len());
        for initial in inputs {
            let span = initial.input.span;
            let target = match initial.cell {
                None => Target::Global(initial.global),
                Some(cell) => Target::Cell(initial.global, self.push(ExprKind::Value(cell as Value), Type::Int, span)),
            };
            let value = self.chosen(initial.ty, initial.input);
            block.push(Statement { kind: StatementKind::Assign(target, value), span });
        }
        self.program.bodies.push(Body {
            name: "inputs".to_owned(),
            kind: BodyKind::Process,
            parameters: 0,
            locals: Vec::new(),
            block,
            span,
            inputs: true,
        });
    }

    /// A value of an input, of a type.
    fn chosen(&mut self, ty: Type, input: Input) -> ExprId {
        let span = input.span;
        let low = self.push(ExprKind::Value(input.low), Type::Int, span);
        let high = self.push(ExprKind::Value(input.high), Type::Int, span);
        let chosen = self.push(ExprKind::Choose(low, high), Type::Int, span);
        match ty {
            Type::Int => chosen,
            Type::Bool => {
                let one = self.push(ExprKind::Value(1), Type::Int, span);
                self.push(ExprKind::Binary(Binary::Equal, chosen, one), Type::Bool, span)
            }
        }
    }

    fn push(&mut self, kind: ExprKind, ty: Type, span: Span) -> ExprId {
        self.program.exprs.push(Expr { kind, ty, span });
        ExprId(self.program.exprs.len() as u32 - 1)
    }
}
