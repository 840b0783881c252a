//! Random statements.

use super::{LENGTH, Maker};
use crate::program::{Block, Expr, Statement, Type};

/// The kinds of statement, or of short sequences that belong together.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Assign,
    Local,
    Branch,
    Assert,
    Lock,
    Misuse,
    Wait,
    Atomic,
    Repeat,
    Assume,
    Choose,
    Spawn,
    Fault,
}

impl Maker {
    /// Statements for about so many steps. What they declare is not visible behind them.
    pub(super) fn block(&mut self, steps: usize) -> Block {
        let visible = self.scope.locals.len();
        self.depth += 1;
        let mut block = Block::new();
        let (mut left, mut free) = (steps, 3);
        while left > 0 && (free > 0 || block.len() < 8) {
            let (statements, cost) = self.statement(left);
            block.extend(statements);
            left = left.saturating_sub(cost);
            free -= usize::from(cost == 0 && free > 0);
        }
        self.depth -= 1;
        self.scope.locals.truncate(visible);
        block
    }

    fn kind(&mut self) -> Kind {
        let weights = self.weights;
        let nested = self.depth > 2;
        let unless = |condition: bool, weight: usize| if condition { 0 } else { weight };
        self.random.weighted(&[
            (weights.assign, Kind::Assign),
            (weights.local, Kind::Local),
            (unless(nested, weights.branch), Kind::Branch),
            (weights.assert, Kind::Assert),
            (unless(nested || !self.may_wait, weights.lock), Kind::Lock),
            (unless(!self.may_wait, weights.misuse), Kind::Misuse),
            (unless(!self.may_wait, weights.wait), Kind::Wait),
            (unless(self.in_atomic, weights.atomic), Kind::Atomic),
            (unless(nested, weights.repeat), Kind::Repeat),
            (weights.assume, Kind::Assume),
            (unless(self.choices_left == 0 || !self.may_choose, weights.choose), Kind::Choose),
            (unless(self.spawns_left == 0 || self.procs.is_empty(), weights.spawn), Kind::Spawn),
            (weights.fault, Kind::Fault),
        ])
    }

    /// A statement, or a few that belong together, with the number of steps they take.
    fn statement(&mut self, left: usize) -> (Block, usize) {
        match self.kind() {
            Kind::Assign => (vec![self.assign()], 1),
            Kind::Local => self.local(),
            Kind::Branch => self.branch(left),
            Kind::Assert => {
                let condition = self.condition(1);
                let cost = usize::from(self.touches(&condition));
                (vec![Statement::Assert(condition)], cost)
            }
            Kind::Lock if left > 1 => self.locked(left),
            Kind::Lock => (vec![self.assign()], 1),
            Kind::Misuse => self.misuse(),
            Kind::Wait => (vec![Statement::Await(self.wait_condition())], 1),
            Kind::Atomic => (vec![self.atomic()], 1),
            Kind::Repeat => self.repeat(left),
            Kind::Assume => {
                let condition = if self.random.chance(50) { self.likely_condition() } else { self.condition(0) };
                let cost = usize::from(self.touches(&condition));
                (vec![Statement::Assume(condition)], cost)
            }
            Kind::Choose => self.choose(),
            Kind::Spawn => (vec![self.spawn()], 1),
            Kind::Fault => (vec![self.fault()], 1),
        }
    }

    /// An assignment to a global.
    fn assign(&mut self) -> Statement {
        if !self.scope.bools.is_empty() && self.random.chance(15) {
            let value = if self.random.chance(50) { Expr::Bool(self.random.chance(60)) } else { self.condition(0) };
            return Statement::Assign(self.random.pick(&self.scope.bools).clone(), None, value);
        }
        if !self.scope.indices.is_empty() && self.random.chance(20) {
            let value =
                if self.weights.choose > 0 && self.random.chance(30) { self.chosen_index() } else { self.index() };
            return Statement::Assign(self.random.pick(&self.scope.indices).clone(), None, value);
        }
        let plain = self.weights.constants > 0 && self.random.chance(self.weights.constants);
        let value = match self.random.below(10) {
            _ if plain => Expr::Int(self.random.below(2) as i64),
            0..5 => self.constant(),
            5 if self.weights.choose > 0 => self.choice(),
            _ => self.int(1),
        };
        if !self.scope.arrays.is_empty() && self.random.chance(35) {
            let name = self.random.pick(&self.scope.arrays).clone();
            return Statement::Assign(name, Some(self.index()), value);
        }
        Statement::Assign(self.random.pick(&self.scope.ints).clone(), None, value)
    }

    /// A local variable declared or assigned, mostly read from a global.
    fn local(&mut self) -> (Block, usize) {
        let value = if self.random.chance(75) { self.global_int() } else { self.int(1) };
        let cost = usize::from(self.touches(&value));
        if !self.scope.locals.is_empty() && self.random.chance(40) {
            let name = self.random.pick(&self.scope.locals).clone();
            return (vec![Statement::Assign(name, None, value)], cost);
        }
        (vec![self.declare_local(value)], cost)
    }

    fn declare_local(&mut self, value: Expr) -> Statement {
        let name = format!("t{}", self.fresh);
        self.fresh += 1;
        self.scope.locals.push(name.clone());
        Statement::Local(Type::Int, name, value)
    }

    fn branch(&mut self, left: usize) -> (Block, usize) {
        let condition = self.condition(1);
        let cost = usize::from(self.touches(&condition) && !self.in_atomic);
        let inside = left.saturating_sub(cost).clamp(1, 2);
        let then = self.block(inside);
        let otherwise = if self.random.chance(40) { self.block(inside) } else { Block::new() };
        (vec![Statement::If(condition, then, otherwise)], cost + inside)
    }

    /// A loop that ends: a counter, sometimes with a condition on a global besides.
    fn repeat(&mut self, left: usize) -> (Block, usize) {
        let counter = format!("c{}", self.fresh);
        self.fresh += 1;
        let start = Statement::Local(Type::Int, counter.clone(), Expr::Int(0));
        let mut condition = Expr::binary("<", Expr::name(&counter), Expr::Int(2));
        let visible = self.random.chance(40);
        if visible {
            condition = Expr::binary("&&", condition, self.global_condition());
        }
        let mut inside = self.repeated_block();
        let next = Expr::binary("+", Expr::name(&counter), Expr::Int(1));
        inside.push(Statement::Assign(counter, None, next));
        (vec![start, Statement::While(condition, inside)], if visible { left.min(4) } else { 2 })
    }

    /// What a loop holds. Within one step the second round comes after the choices of the first.
    fn repeated_block(&mut self) -> Block {
        let (may_choose, may_wait) = (self.may_choose, self.may_wait);
        if self.in_atomic {
            let choosing = self.random.chance(50);
            self.may_choose &= choosing;
            self.may_wait &= !choosing;
        }
        let block = self.block(1);
        self.may_choose = may_choose;
        self.may_wait &= may_wait;
        block
    }

    /// A mutex taken, something done, the mutex given back.
    fn locked(&mut self, left: usize) -> (Block, usize) {
        let (name, index) = self.mutex();
        let inside = left.saturating_sub(2).min(2);
        let mut block = vec![Statement::Lock(name.clone(), index.clone())];
        block.extend(self.block(inside));
        block.push(Statement::Unlock(name, index));
        (block, 2 + inside)
    }

    /// Mutexes used in ways that end in a fault or a deadlock, or just look odd.
    fn misuse(&mut self) -> (Block, usize) {
        let (one, one_index) = self.mutex();
        let (other, other_index) = self.mutex();
        match self.random.below(4) {
            0 => (vec![Statement::Unlock(one, one_index)], 1),
            1 => (vec![Statement::Lock(one, one_index)], 1),
            _ => {
                let statements = vec![
                    Statement::Lock(one.clone(), one_index.clone()),
                    Statement::Lock(other.clone(), other_index.clone()),
                    Statement::Unlock(one, one_index),
                    Statement::Unlock(other, other_index),
                ];
                (statements, 4)
            }
        }
    }

    fn mutex(&mut self) -> (String, Option<Expr>) {
        let (name, array) = self.random.pick(&self.scope.mutexes).clone();
        // Where the index is a global, another mutex may be given back than was taken: rarely.
        let index = match (self.scope.local_indices.first(), self.scope.indices.first()) {
            (Some(local), _) if self.random.chance(60) => Expr::name(local),
            (_, Some(global)) if self.random.chance(25) => Expr::name(global),
            _ => Expr::Int(self.random.below(LENGTH) as i64),
        };
        (name, array.then_some(index))
    }

    fn atomic(&mut self) -> Statement {
        let steps = self.random.between(1, 3);
        self.in_atomic = true;
        let mut block = self.block(steps);
        // Writes that overlap only in part are where reductions go wrong.
        if self.random.chance(30) {
            block.push(self.assign());
            block.push(self.assign());
        }
        self.in_atomic = false;
        self.may_wait = true;
        Statement::Atomic(block)
    }

    fn choose(&mut self) -> (Block, usize) {
        let value = self.choice();
        let cost = usize::from(self.touches(&value));
        (vec![self.declare_local(value)], cost)
    }

    fn spawn(&mut self) -> Statement {
        self.spawns_left -= 1;
        let (name, parameters) = self.random.pick(&self.procs).clone();
        let argument = |maker: &mut Maker| if maker.random.chance(60) { maker.constant() } else { maker.int(0) };
        let arguments = (0..parameters).map(|_| argument(self)).collect();
        Statement::Spawn(name, arguments)
    }

    /// Something that fails, if the values are right.
    fn fault(&mut self) -> Statement {
        let target = self.random.pick(&self.scope.ints).clone();
        let local = if self.random.chance(20) { self.local_int() } else { None };
        let value = local.unwrap_or_else(|| self.global_int());
        if !self.scope.arrays.is_empty() && self.random.chance(50) {
            let array = self.random.pick(&self.scope.arrays).clone();
            if self.random.chance(50) {
                return Statement::Assign(array, Some(value), self.constant());
            }
            return Statement::Assign(target, None, Expr::Cell(array, Box::new(value)));
        }
        match self.random.below(5) {
            0 => Statement::Assign(target, None, Expr::binary("%", Expr::Int(3), value)),
            1 => Statement::Assign(target, None, Expr::binary("+", value, Expr::Int(i64::MAX))),
            2 => self.declare_local(Expr::binary("/", Expr::Int(2), value)),
            _ => Statement::Assign(target, None, Expr::binary("/", Expr::Int(2), value)),
        }
    }
}
