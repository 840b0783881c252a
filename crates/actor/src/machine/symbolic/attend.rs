//! Instructions that use something that is not decided.

use mazurka_trace::Event;

use super::equal::Compared;
use super::{ActorMachine, Form};
use crate::code::{Image, Instruction, Slot};
use crate::hir::{Builtin, Operator};
use crate::machine::arithmetic::truth;
use crate::machine::interpreter::{Cpu, Exit, Flow};
use crate::machine::value::{Kind, Value};

/// What becomes of an instruction.
type Attended = Result<Option<Flow>, Exit>;

impl ActorMachine {
    /// Looks at an instruction before it is run. What it needs is decided, and left where it looks
    /// for it; then nothing is given back, and it runs as always. Otherwise it was run.
    pub(in crate::machine) fn attend(&mut self, image: &Image, cpu: &mut Cpu<'_>, event: &mut Event) -> Option<Flow> {
        self.symbolic.as_ref()?;
        match self.attend_to(image, cpu, event) {
            Ok(flow) => flow,
            Err(exit) => Some(Flow::Exit(exit)),
        }
    }

    fn attend_to(&mut self, image: &Image, cpu: &mut Cpu<'_>, event: &mut Event) -> Attended {
        match image.code[cpu.pc as usize] {
            Instruction::Unless { condition, .. }
            | Instruction::When { condition, .. }
            | Instruction::Assert { condition }
            | Instruction::EndGuard { condition, .. } => {
                let value = self.look_up(cpu.get(condition), event);
                let value = self.decide_truth(cpu, value, event)?;
                cpu.set(condition, value);
            }
            Instruction::Not { to, from } => {
                if let Some(Form::Truth(term)) = self.form(cpu.get(from)) {
                    let term = self.inputs().arena.not(term);
                    return self.give_truth(cpu, to, term);
                }
            }
            Instruction::Unmatched { value, .. } => {
                let found = self.look_up(cpu.get(value), event);
                let found = match self.form(found) {
                    Some(Form::Truth(_)) => self.decide_truth(cpu, found, event)?,
                    _ => self.decide_data(cpu, found, event)?,
                };
                cpu.set(value, found);
            }
            Instruction::Project { value, .. } => cpu.set(value, self.look_up(cpu.get(value), event)),
            Instruction::Unequal { left, right, to } => {
                let (one, other) = (cpu.get(left), cpu.get(right));
                if self.is_open(one) || self.is_open(other) {
                    let equal = self.equal(cpu, one, other, event)?;
                    let holds = self.settle(cpu, equal, event)?;
                    cpu.pc = if holds { cpu.pc + 1 } else { to };
                    return Ok(Some(Flow::Goes));
                }
            }
            Instruction::Jump { to } if to <= cpu.pc => self.go_round(cpu)?,
            Instruction::Return { .. } => self.forget_rounds(cpu),
            Instruction::New { .. } => self.make(cpu)?,
            _ => return self.attend_to_others(image, cpu, event),
        }
        Ok(None)
    }

    fn attend_to_others(&mut self, image: &Image, cpu: &mut Cpu<'_>, event: &mut Event) -> Attended {
        match image.code[cpu.pc as usize] {
            Instruction::Binary { operator, to, left, right } => {
                let (one, other) = (self.look_up(cpu.get(left), event), self.look_up(cpu.get(right), event));
                cpu.set(left, one);
                cpu.set(right, other);
                if self.is_open(one) || self.is_open(other) {
                    return self.operate(cpu, (operator, to), (one, other), event);
                }
            }
            Instruction::Negate { to, from } => {
                if let Some(Form::Number(above, below)) = self.form(cpu.get(from)) {
                    let above = self.inputs().arena.negate(above);
                    let value = self.number_value(above, below);
                    cpu.set(to, value);
                    return Ok(Some(Flow::Next));
                }
            }
            Instruction::Builtin { to, builtin, first } => return self.call_builtin(cpu, (to, builtin, first), event),
            Instruction::Async { receiver: object, .. } | Instruction::Sync { receiver: object, .. } => {
                let found = self.decide_object(cpu, cpu.get(object), event)?;
                cpu.set(object, found);
            }
            Instruction::Implements { object, .. } | Instruction::As { object, .. } => {
                let value = self.look_up(cpu.get(object), event);
                self.decide_reference(cpu, value, event)?;
                cpu.set(object, self.look_up(value, event));
            }
            Instruction::Ready { future, .. }
            | Instruction::AwaitFuture { future, .. }
            | Instruction::Get { future, .. } => {
                let value = self.look_up(cpu.get(future), event);
                if matches!(value.kind(), Kind::Symbolic(_)) {
                    return Err(self.cut(cpu, "a future as an input"));
                }
                cpu.set(future, value);
            }
            Instruction::CallLocal { closure, .. } if matches!(cpu.get(closure).kind(), Kind::Symbolic(_)) => {
                return Err(self.cut(cpu, "a function as an input"));
            }
            _ => {}
        }
        Ok(None)
    }

    fn give_truth(&mut self, cpu: &mut Cpu<'_>, to: Slot, term: mazurka_smt::Term) -> Attended {
        let symbolic = self.inputs();
        let value = if symbolic.arena.is(term, true) {
            truth(&self.image, true)
        } else if symbolic.arena.is(term, false) {
            truth(&self.image, false)
        } else {
            symbolic.value(Form::Truth(term))
        };
        cpu.set(to, value);
        Ok(Some(Flow::Next))
    }

    /// Whether what was compared holds, from now on.
    fn settle(&mut self, cpu: &Cpu<'_>, compared: Compared, event: &mut Event) -> Result<bool, Exit> {
        match compared {
            Compared::Known(holds) => Ok(holds),
            Compared::If(term) => self.decide(cpu, term, event),
        }
    }

    /// An operator with two operands.
    fn operate(
        &mut self,
        cpu: &mut Cpu<'_>,
        (operator, to): (Operator, Slot),
        (left, right): (Value, Value),
        event: &mut Event,
    ) -> Attended {
        if matches!(
            operator,
            Operator::Equal
                | Operator::NotEqual
                | Operator::Less
                | Operator::LessEqual
                | Operator::Greater
                | Operator::GreaterEqual
        ) {
            return match self.compare_open(cpu, operator, (left, right), event)? {
                Compared::Known(holds) => {
                    cpu.set(to, truth(&self.image, holds));
                    Ok(Some(Flow::Next))
                }
                Compared::If(term) => self.give_truth(cpu, to, term),
            };
        }
        let (Some((one, below)), Some((other, below_other))) = (self.number_of(left), self.number_of(right)) else {
            return Err(self.cut(cpu, "a function of an unknown text, or large numbers"));
        };
        if matches!(operator, Operator::Divide | Operator::Remainder) {
            return self.divide(cpu, (operator, to), [(one, below), (other, below_other)], event);
        }
        let arena = &mut self.inputs().arena;
        let (above, below) = match operator {
            Operator::Multiply => (arena.multiply(one, other), arena.multiply(below, below_other)),
            Operator::Add if below == below_other => (arena.add(&[one, other]), below),
            Operator::Subtract if below == below_other => (arena.subtract(one, other), below),
            _ => {
                let (one, other) = (arena.multiply(one, below_other), arena.multiply(other, below));
                let sum = if operator == Operator::Add { arena.add(&[one, other]) } else { arena.subtract(one, other) };
                (sum, arena.multiply(below, below_other))
            }
        };
        let value = self.number_value(above, below);
        cpu.set(to, value);
        Ok(Some(Flow::Next))
    }

    /// A quotient or a remainder. Whether the divisor is zero, and its sign, are decided.
    fn divide(
        &mut self,
        cpu: &mut Cpu<'_>,
        (operator, to): (Operator, Slot),
        [(one, below), (other, below_other)]: [(mazurka_smt::Term, mazurka_smt::Term); 2],
        event: &mut Event,
    ) -> Attended {
        let arena = &mut self.inputs().arena;
        let zero = arena.int(0);
        let is_zero = arena.equal(other, zero);
        if self.decide(cpu, is_zero, event)? {
            let division = self.image.known.division;
            return Ok(Some(self.throw_plain(cpu, division).into()));
        }
        let (above, below) = if operator == Operator::Remainder {
            // Of integers; with fractions, brought to the same line.
            let arena = &mut self.inputs().arena;
            let (left, right) = (arena.multiply(one, below_other), arena.multiply(other, below));
            (arena.remainder_to_zero(left, right), arena.multiply(below, below_other))
        } else {
            let arena = &mut self.inputs().arena;
            let positive = arena.less(zero, other);
            let positive = self.decide(cpu, positive, event)?;
            let arena = &mut self.inputs().arena;
            let (above, below) = (arena.multiply(one, below_other), arena.multiply(below, other));
            if positive { (above, below) } else { (arena.negate(above), arena.negate(below)) }
        };
        let value = self.number_value(above, below);
        cpu.set(to, value);
        Ok(Some(Flow::Next))
    }

    fn call_builtin(
        &mut self,
        cpu: &mut Cpu<'_>,
        (to, builtin, first): (Slot, Builtin, Slot),
        event: &mut Event,
    ) -> Attended {
        let at = cpu.base + first as usize;
        let arguments: Vec<Value> = (0..arguments_of(builtin))
            .map(|number| self.look_up(cpu.stack.get(at + number).copied().unwrap_or_default(), event))
            .collect();
        for (number, &value) in arguments.iter().enumerate() {
            cpu.stack[at + number] = value;
        }
        if builtin == Builtin::Print || !arguments.iter().any(|&value| self.is_open(value)) {
            return Ok(None);
        }
        match (builtin, self.form(arguments[0])) {
            (Builtin::Truncate, Some(Form::Number(above, below))) => {
                let arena = &mut self.inputs().arena;
                let whole = arena.divide_to_zero(above, below);
                let one = arena.int(1);
                let value = self.number_value(whole, one);
                cpu.set(to, value);
                Ok(Some(Flow::Next))
            }
            (Builtin::Numerator, Some(Form::Number(above, below))) if self.is_one(below) => {
                let value = self.number_value(above, below);
                cpu.set(to, value);
                Ok(Some(Flow::Next))
            }
            (Builtin::Denominator, Some(Form::Number(_, below))) if self.is_one(below) => {
                let value = self.number_value(below, below);
                cpu.set(to, value);
                Ok(Some(Flow::Next))
            }
            (Builtin::Random, _) => Err(self.cut(cpu, "a random number below an input")),
            (Builtin::Numerator | Builtin::Denominator, _) => Err(self.cut(cpu, "the parts of an unknown fraction")),
            _ => Err(self.cut(cpu, "a function of an unknown text")),
        }
    }

    fn is_one(&mut self, term: mazurka_smt::Term) -> bool {
        self.inputs().arena.constant(term) == Some(1)
    }
}

/// How many arguments a function has.
fn arguments_of(builtin: Builtin) -> usize {
    match builtin {
        Builtin::Substring => 3,
        _ => 1,
    }
}
