//! Which way a branch goes that depends on inputs.

use std::sync::Arc;

use mazurka_smt::look::{Look, complete, holds, look};
use mazurka_smt::{Op, Term};
use mazurka_trace::{AccessKind, Choice, Event};

use super::{ActorMachine, Form, Symbolic};
use crate::machine::arithmetic::truth;
use crate::machine::interpreter::{Cpu, Exit};
use crate::machine::value::Value;
use crate::mutation::{self, Mutation};

impl ActorMachine {
    /// Decides a truth value: both ways that can be are explored.
    pub(super) fn decide_truth(&mut self, cpu: &Cpu<'_>, value: Value, event: &mut Event) -> Result<Value, Exit> {
        let Some(Form::Truth(term)) = self.form(value) else { return Ok(value) };
        let holds = self.decide(cpu, term, event)?;
        Ok(truth(&self.image, holds))
    }

    /// Whether a condition holds from now on.
    pub(super) fn decide(&mut self, cpu: &Cpu<'_>, term: Term, event: &mut Event) -> Result<bool, Exit> {
        if let Op::Bool(holds) = self.inputs().arena.op(term) {
            return Ok(holds);
        }
        self.tell_decision(event);
        let symbolic = self.inputs();
        let not = symbolic.arena.not(term);
        let (yes, no) = (symbolic.can_hold(term), symbolic.can_hold(not));
        match (&yes, &no) {
            (Look::Unsat, Look::Unsat) => return Err(self.abandon(cpu)),
            (_, Look::Unsat) => return Ok(true),
            (Look::Unsat, _) => return Ok(false),
            _ => {}
        }
        let chosen = self.fork(cpu, 2, event)? == 1;
        let (condition, found) = if chosen { (term, yes) } else { (not, no) };
        let symbolic = self.inputs();
        match found {
            Look::Sat(values) => symbolic.set_model(Some(Arc::new(values))),
            _ => {
                symbolic.set_model(None);
                symbolic.doubt();
            }
        }
        if !mutation::on(Mutation::ConditionForgotten) || chosen {
            symbolic.assume(condition);
        }
        Ok(chosen)
    }

    /// The conditions exclude each other after all: nobody knew. Such a path is none.
    fn abandon(&mut self, cpu: &Cpu<'_>) -> Exit {
        if cpu.is_trial { Exit::Guard(true) } else { Exit::OutOfFuel }
    }

    /// Chooses one of several ways, all of which are explored.
    pub(super) fn fork(&mut self, cpu: &Cpu<'_>, ways: i64, event: &mut Event) -> Result<i64, Exit> {
        if cpu.is_trial {
            return Err(Exit::Guard(true));
        }
        self.tell_decision(event);
        if ways == 1 {
            return Ok(0);
        }
        self.check_calls(cpu)?;
        let (low, high) = (0, ways - 1);
        let given = cpu.choices.get(event.choices.len()).copied();
        let value = given.filter(|value| (low..=high).contains(value)).unwrap_or(low);
        event.choices.push(Choice { value, low, high });
        self.inputs().fork(cpu.task);
        Ok(value)
    }

    /// The value that was decided for an unknown, or the value itself. The step depends on whether
    /// it was decided before.
    pub(super) fn look_up(&mut self, value: Value, event: &mut Event) -> Value {
        if matches!(self.form(value), Some(Form::Unknown(_))) {
            self.tell(AccessKind::Read, event);
        }
        self.resolve(value)
    }

    /// The step depends on all that was decided, and what is decided later depends on it.
    fn tell_decision(&mut self, event: &mut Event) {
        self.tell(AccessKind::Update, event);
    }

    fn tell(&mut self, kind: AccessKind, event: &mut Event) {
        let location = self.inputs().location;
        self.cells.note(location, kind, Value::ABSENT, event);
    }
}

impl Symbolic {
    /// Whether a condition can hold together with those of the path.
    fn can_hold(&mut self, term: Term) -> Look {
        let mut conditions = self.conditions.clone();
        if let Some(model) = &self.model
            && holds(&self.arena, &[term], model)
        {
            // Variables that the model does not name were 0 where the conditions were looked at.
            conditions.push(term);
            let values = complete(&self.arena, &conditions, model);
            if holds(&self.arena, &conditions, &values) {
                return Look::Sat(values);
            }
            conditions.pop();
        }
        let key = (conditions, term);
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let mut conditions = key.0.clone();
        conditions.push(term);
        let found = self.ask(&conditions);
        if self.known.len() >= MOST_KNOWN {
            self.known.clear();
        }
        self.known.insert(key, found.clone());
        found
    }

    /// A look, and the oracle where that is not enough.
    pub(super) fn ask(&mut self, conditions: &[Term]) -> Look {
        match look(&self.arena, conditions) {
            Look::Unknown => {}
            found => return found,
        }
        let Some(oracle) = &self.oracle else {
            self.reach(UNDECIDED);
            return Look::Unknown;
        };
        let found = oracle.lock().map_or(Look::Unknown, |mut oracle| oracle.ask(&self.arena, conditions));
        if let Look::Sat(values) = &found
            && !holds(&self.arena, conditions, values)
        {
            self.reach(UNDECIDED);
            return Look::Unknown;
        }
        if matches!(found, Look::Unknown) {
            self.reach(UNDECIDED);
        }
        found
    }
}

/// So many answers are kept.
const MOST_KNOWN: usize = 20_000;

/// What nobody could decide.
pub(super) const UNDECIDED: &str = "undecided conditions";
