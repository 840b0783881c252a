//! Random expressions.

use super::Maker;
use crate::program::Expr;

impl Maker {
    /// An integer, mostly read from somewhere.
    pub(super) fn int(&mut self, depth: usize) -> Expr {
        if depth > 0 && self.random.chance(35) {
            let (left, right) = (self.int(depth - 1), self.int(depth - 1));
            return match self.random.below(6) {
                0 | 1 => Expr::binary("+", left, right),
                2 => Expr::binary("-", left, right),
                3 => Expr::binary("*", left, right),
                _ => {
                    let condition = self.condition(0);
                    Expr::Conditional(Box::new(condition), Box::new(left), Box::new(right))
                }
            };
        }
        match self.random.below(10) {
            0..3 => self.constant(),
            3..7 => self.global_int(),
            _ => self.local_int().unwrap_or_else(|| self.constant()),
        }
    }

    /// A truth value, mostly of a comparison that can go either way.
    pub(super) fn condition(&mut self, depth: usize) -> Expr {
        if depth > 0 && self.random.chance(40) {
            let (left, right) = (self.condition(depth - 1), self.condition(depth - 1));
            return match self.random.below(5) {
                0 | 1 => Expr::binary("&&", left, right),
                2 | 3 => Expr::binary("||", left, right),
                _ => Expr::Unary("!", Box::new(left)),
            };
        }
        if !self.scope.bools.is_empty() && self.random.chance(20) {
            let name = self.random.pick(&self.scope.bools).clone();
            return Expr::Name(name);
        }
        let operator = *self.random.pick(&["==", "==", "!=", "<", "<=", ">", ">="]);
        let left = match self.random.below(4) {
            0 => self.local_int().unwrap_or_else(|| self.global_int()),
            1 => self.int(1),
            _ => self.global_int(),
        };
        let right = if self.random.chance(80) { self.constant() } else { self.global_int() };
        Expr::binary(operator, left, right)
    }

    /// A condition that reads a global, for steps that are to be steps.
    pub(super) fn global_condition(&mut self) -> Expr {
        let left = self.global_int();
        let operator = *self.random.pick(&["==", "!=", "<", ">", ">="]);
        let simple = Expr::binary(operator, left, self.constant());
        match self.random.below(4) {
            0 => Expr::binary("&&", simple, self.condition(0)),
            1 => Expr::binary("||", simple, self.condition(0)),
            _ => simple,
        }
    }

    /// What is waited for.
    pub(super) fn wait_condition(&mut self) -> Expr {
        if self.random.chance(50) { self.likely_condition() } else { self.global_condition() }
    }

    /// A condition on a global that mostly holds, sooner or later.
    pub(super) fn likely_condition(&mut self) -> Expr {
        let left = self.global_int();
        let (operator, right) =
            *self.random.pick(&[("!=", 1), ("!=", 2), ("!=", 3), (">=", 0), (">=", 1), ("<=", 1), ("<=", 2)]);
        Expr::binary(operator, left, Expr::Int(right))
    }

    pub(super) fn constant(&mut self) -> Expr {
        Expr::Int(self.random.weighted(&[(6, 0), (8, 1), (4, 2), (1, 3), (1, -1)]))
    }

    /// A global variable or an array's cell.
    pub(super) fn global_int(&mut self) -> Expr {
        if !self.scope.arrays.is_empty() && self.random.chance(30) {
            let name = self.random.pick(&self.scope.arrays).clone();
            return Expr::Cell(name, Box::new(self.index()));
        }
        let indices = self.scope.indices.iter();
        let names: Vec<_> = self.scope.ints.iter().chain(indices).cloned().collect();
        Expr::Name(self.random.pick(&names).clone())
    }

    pub(super) fn local_int(&mut self) -> Option<Expr> {
        let indices = self.scope.local_indices.iter();
        let names: Vec<_> = self.scope.locals.iter().chain(indices).cloned().collect();
        if names.is_empty() { None } else { Some(Expr::Name(self.random.pick(&names).clone())) }
    }

    /// An index within bounds: a constant, an index variable, or a choice between two by a
    /// comparison.
    pub(super) fn index(&mut self) -> Expr {
        let variables = self.scope.indices.iter().chain(&self.scope.local_indices);
        let variables: Vec<_> = variables.cloned().collect();
        match self.random.below(5) {
            0..3 if !variables.is_empty() => Expr::Name(self.random.pick(&variables).clone()),
            3 => {
                let ints: Vec<_> = self.scope.ints.iter().chain(&self.scope.locals).cloned().collect();
                let tested = Expr::Name(self.random.pick(&ints).clone());
                let condition = Expr::binary("==", tested, self.constant());
                Expr::Conditional(Box::new(condition), Box::new(Expr::Int(1)), Box::new(Expr::Int(0)))
            }
            _ => Expr::Int(self.random.below(super::LENGTH) as i64),
        }
    }

    /// A data choice, while there may be more.
    pub(super) fn choice(&mut self) -> Expr {
        if !self.take_choice() {
            return self.constant();
        }
        let high = match self.random.below(8) {
            0 => Expr::Int(2),
            1 => {
                // From a global that may be anything, but not below the lowest value.
                let global = self.global_int();
                let positive = Expr::binary(">", global, Expr::Int(0));
                Expr::Conditional(Box::new(positive), Box::new(Expr::Int(1)), Box::new(Expr::Int(0)))
            }
            _ => Expr::Int(1),
        };
        let low = if self.weights.fault > 10 && self.random.chance(20) { self.int(0) } else { Expr::Int(0) };
        Expr::choose(low, high)
    }

    /// An index within bounds by a data choice, while there may be more.
    pub(super) fn chosen_index(&mut self) -> Expr {
        if self.take_choice() { Expr::choose(Expr::Int(0), Expr::Int(1)) } else { self.index() }
    }

    /// Whether there may be one more data choice here; counts it.
    fn take_choice(&mut self) -> bool {
        if self.choices_left == 0 || !self.may_choose {
            return false;
        }
        self.choices_left -= 1;
        self.may_wait &= !self.in_atomic;
        true
    }

    /// Whether an expression reads a global.
    pub(super) fn touches(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Int(_) | Expr::Bool(_) => false,
            Expr::Name(name) => !self.scope.locals.contains(name) && !self.scope.local_indices.contains(name),
            Expr::Cell(..) => true,
            Expr::Unary(_, operand) => self.touches(operand),
            Expr::Binary(_, left, right) | Expr::Choose(left, right) => self.touches(left) || self.touches(right),
            Expr::Conditional(condition, then, otherwise) => {
                self.touches(condition) || self.touches(then) || self.touches(otherwise)
            }
        }
    }
}
