//! Comparing what is not decided.

use mazurka_smt::Term;
use mazurka_trace::Event;

use super::input::unsupported;
use super::{ActorMachine, Form};
use crate::hir::{InputType, Operator};
use crate::machine::heap::Boxed;
use crate::machine::interpreter::{Cpu, Exit};
use crate::machine::value::{Kind, Value};
use crate::mutation::{self, Mutation};

/// What a comparison comes to.
pub(super) enum Compared {
    Known(bool),
    /// It depends on this.
    If(Term),
}

impl ActorMachine {
    /// Whether a value is, or holds, something that is not decided.
    pub(super) fn is_open(&self, value: Value) -> bool {
        matches!(value.kind(), Kind::Symbolic(_)) || self.heap.is_open(value)
    }

    /// The parts of a number.
    pub(super) fn number_of(&mut self, value: Value) -> Option<(Term, Term)> {
        if let Some(Form::Number(above, below)) = self.form(value) {
            return Some((above, below));
        }
        let number = self.heap.number(value)?;
        let above = i128::try_from(number.numer()).ok()?;
        let below = i128::try_from(number.denom()).ok()?;
        let arena = &mut self.inputs().arena;
        Some((arena.int(above), arena.int(below)))
    }

    /// The truth value that something is.
    pub(super) fn truth_of(&mut self, value: Value) -> Option<Term> {
        if let Some(Form::Truth(term)) = self.form(value) {
            return Some(term);
        }
        let known = self.image.known;
        match value.kind() {
            Kind::Plain(constructor) if constructor == known.yes.0 => Some(self.inputs().arena.yes()),
            Kind::Plain(constructor) if constructor == known.no.0 => Some(self.inputs().arena.no()),
            _ => None,
        }
    }

    /// Compares two values with an operator, of which one is not all decided.
    pub(super) fn compare_open(
        &mut self,
        cpu: &Cpu<'_>,
        operator: Operator,
        (left, right): (Value, Value),
        event: &mut Event,
    ) -> Result<Compared, Exit> {
        Ok(match operator {
            Operator::Equal | Operator::NotEqual => {
                let equal = self.equal(cpu, left, right, event)?;
                if operator == Operator::Equal { equal } else { self.opposite(equal) }
            }
            Operator::Less => self.less(cpu, (left, right), event)?,
            Operator::Greater => self.less(cpu, (right, left), event)?,
            Operator::LessEqual => {
                let less = self.less(cpu, (right, left), event)?;
                self.opposite(less)
            }
            _ => {
                let less = self.less(cpu, (left, right), event)?;
                self.opposite(less)
            }
        })
    }

    fn opposite(&mut self, compared: Compared) -> Compared {
        match compared {
            Compared::Known(holds) => Compared::Known(!holds),
            Compared::If(term) => Compared::If(self.inputs().arena.not(term)),
        }
    }

    /// Whether two values are equal. Numbers and truth values become a condition; data, texts and
    /// references are decided.
    pub(super) fn equal(
        &mut self,
        cpu: &Cpu<'_>,
        left: Value,
        right: Value,
        event: &mut Event,
    ) -> Result<Compared, Exit> {
        let (mut open, mut later, mut conditions) = (vec![(left, right)], Vec::new(), Vec::new());
        // What is decided comes first: a difference there needs no fork.
        while let Some((left, right)) = open.pop().or_else(|| later.pop()) {
            let (left, right) = (self.look_up(left, event), self.look_up(right, event));
            if left == right {
                continue;
            }
            if let (Some(one), Some(other)) = (self.heap.constructor(left), self.heap.constructor(right)) {
                if one != other {
                    return Ok(Compared::Known(false));
                }
                let parts = self.heap.arguments(left).iter().copied().zip(self.heap.arguments(right).iter().copied());
                open.extend(parts);
                continue;
            }
            let forms = [self.form(left), self.form(right)];
            if forms.iter().flatten().any(|form| matches!(form, Form::Number(..))) {
                conditions.push(self.equal_numbers(cpu, left, right)?);
            } else if forms.iter().flatten().any(|form| matches!(form, Form::Truth(_))) {
                let (Some(one), Some(other)) = (self.truth_of(left), self.truth_of(right)) else {
                    return Ok(Compared::Known(false));
                };
                conditions.push(self.inputs().arena.equal(one, other));
            } else if let [None, None] = forms {
                return Ok(Compared::Known(false));
            } else if open.is_empty() {
                match self.equal_unknown(cpu, (left, right), event)? {
                    Some(true) => {}
                    Some(false) => return Ok(Compared::Known(false)),
                    None => open.push((left, right)),
                }
            } else {
                later.push((left, right));
            }
        }
        Ok(Compared::If(self.inputs().arena.and(&conditions)))
    }

    fn equal_numbers(&mut self, cpu: &Cpu<'_>, left: Value, right: Value) -> Result<Term, Exit> {
        let (Some((one, below)), Some((other, below_other))) = (self.number_of(left), self.number_of(right)) else {
            return Err(self.cut(cpu, "large numbers"));
        };
        let arena = &mut self.inputs().arena;
        let (one, other) = (arena.multiply(one, below_other), arena.multiply(other, below));
        Ok(arena.equal(one, other))
    }

    /// Whether two values are the same, of which one is an unknown. None where more is decided of
    /// them now, and they are to be compared again.
    fn equal_unknown(
        &mut self,
        cpu: &Cpu<'_>,
        (left, right): (Value, Value),
        event: &mut Event,
    ) -> Result<Option<bool>, Exit> {
        let (unknown, value, other) = match (self.form(left), self.form(right)) {
            (Some(Form::Unknown(unknown)), _) => (unknown, left, right),
            (_, Some(Form::Unknown(unknown))) => (unknown, right, left),
            _ => return Ok(Some(false)),
        };
        let ty = self.inputs().unknowns[unknown as usize].ty.clone();
        match ty {
            InputType::Data(..) => {
                self.decide_data(cpu, value, event)?;
                Ok(None)
            }
            InputType::Object(_) | InputType::String => self.same(cpu, unknown, other, event),
            // A future that is no input is not one that is.
            InputType::Future if matches!(other.kind(), Kind::Future(_)) => Ok(Some(false)),
            _ => Err(self.cut(cpu, unsupported(&ty))),
        }
    }

    /// Whether a text or a reference is the same as another value: both are explored.
    fn same(&mut self, cpu: &Cpu<'_>, unknown: u32, other: Value, event: &mut Event) -> Result<Option<bool>, Exit> {
        let differs: Vec<Value> = self.inputs().differs[unknown as usize].clone();
        if differs.iter().any(|&value| self.resolve(value) == other) {
            return Ok(Some(false));
        }
        if let Some(Form::Unknown(second)) = self.form(other) {
            let both = |machine: &mut Self, one: u32| machine.inputs().unknowns[one as usize].ty.clone();
            if both(self, unknown) != both(self, second) {
                // References of two interfaces: which objects are both is decided by choosing one.
                let value = self.inputs().value(Form::Unknown(unknown));
                self.decide_reference(cpu, value, event)?;
                return Ok(None);
            }
        } else if !self.can_be(unknown, other) {
            return Ok(Some(false));
        }
        let is_same = self.fork(cpu, 2, event)? == 1 && !mutation::on(Mutation::NoAliases);
        if is_same {
            // What was known to differ from the one now differs from the other.
            if let Some(Form::Unknown(second)) = self.form(other) {
                differs.into_iter().for_each(|value| self.inputs().differ(second, value));
            }
            self.inputs().bind(unknown, other);
        } else if !mutation::on(Mutation::DifferenceForgotten) {
            let value = self.inputs().value(Form::Unknown(unknown));
            self.inputs().differ(unknown, other);
            if let Some(Form::Unknown(second)) = self.form(other) {
                self.inputs().differ(second, value);
            }
        }
        Ok(Some(is_same))
    }

    /// Chooses an object, or null.
    pub(super) fn decide_reference(&mut self, cpu: &Cpu<'_>, value: Value, event: &mut Event) -> Result<(), Exit> {
        let Some(Form::Unknown(unknown)) = self.form(value) else { return Ok(()) };
        let can_be_null = !self.inputs().differs[unknown as usize].contains(&Value::NULL);
        if can_be_null && self.fork(cpu, 2, event)? == 1 {
            self.inputs().bind(unknown, Value::NULL);
            return Ok(());
        }
        if can_be_null {
            self.inputs().differ(unknown, Value::NULL);
        }
        self.decide_object(cpu, value, event).map(|_| ())
    }

    /// Whether an unknown can be this value.
    fn can_be(&mut self, unknown: u32, value: Value) -> bool {
        match (self.inputs().unknowns[unknown as usize].ty.clone(), value.kind()) {
            (InputType::Object(interface), Kind::Object(object)) => {
                self.input_objects().contains(&object) && self.fits(value, interface)
            }
            (InputType::Object(_), Kind::Null) => true,
            (InputType::String, Kind::Boxed(number)) => matches!(self.heap.get_box(number), Boxed::String(_)),
            _ => false,
        }
    }

    /// Whether a value is less than another: by the constructors' names, then by arguments.
    fn less(&mut self, cpu: &Cpu<'_>, (left, right): (Value, Value), event: &mut Event) -> Result<Compared, Exit> {
        let mut open = vec![(left, right)];
        while let Some((left, right)) = open.pop() {
            let (left, right) = (self.decide_head(cpu, left, event)?, self.decide_head(cpu, right, event)?);
            if left == right {
                continue;
            }
            if let (Some(one), Some(other)) = (self.heap.constructor(left), self.heap.constructor(right)) {
                if one != other {
                    let rank = |constructor: u32| self.image.ranks[constructor as usize];
                    return Ok(Compared::Known(rank(one) < rank(other)));
                }
                let first = open.len();
                let parts = self.heap.arguments(left).iter().copied().zip(self.heap.arguments(right).iter().copied());
                open.extend(parts);
                open[first..].reverse();
                continue;
            }
            let is_number = [left, right].map(|value| matches!(self.form(value), Some(Form::Number(..))));
            if is_number.contains(&true) {
                let (Some((one, below)), Some((other, below_other))) = (self.number_of(left), self.number_of(right))
                else {
                    return Err(self.cut(cpu, "large numbers"));
                };
                let arena = &mut self.inputs().arena;
                let (one, other) = (arena.multiply(one, below_other), arena.multiply(other, below));
                let (less, equal) = (arena.less(one, other), arena.equal(one, other));
                if open.is_empty() || !self.decide(cpu, equal, event)? {
                    return Ok(Compared::If(less));
                }
                continue;
            }
            if [left, right].iter().any(|&value| self.is_open(value)) {
                return Err(self.cut(cpu, "the order of texts or objects that are inputs"));
            }
            let image = std::sync::Arc::clone(&self.image);
            let order = self.heap.compare(left, right, |constructor| image.ranks[constructor as usize] as usize);
            if order.is_ne() {
                return Ok(Compared::Known(order.is_lt()));
            }
        }
        Ok(Compared::Known(false))
    }

    /// A value whose constructor is decided, if it is data or a truth value.
    fn decide_head(&mut self, cpu: &Cpu<'_>, value: Value, event: &mut Event) -> Result<Value, Exit> {
        let value = self.look_up(value, event);
        match self.form(value) {
            Some(Form::Truth(_)) => self.decide_truth(cpu, value, event),
            Some(Form::Unknown(unknown)) => match self.inputs().unknowns[unknown as usize].ty {
                InputType::Data(..) => self.decide_data(cpu, value, event),
                _ => Ok(value),
            },
            _ => Ok(value),
        }
    }
}
