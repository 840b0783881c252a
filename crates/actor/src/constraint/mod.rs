//! Independence constraints: when two methods of an object commute, as the program declares it or
//! as a solver finds out.
//!
//! # Paper
//! Albert, Gómez-Zamalloa, Isabel, Rubio, *Constrained dynamic partial order reduction*, CAV 2018,
//! Sections 3.1, 3.2 and 4, for the language that the paper's tool is about.
//!
//! # What is looked into
//! Steps that begin a method, of two tasks of the same object: from there to the end of the task,
//! or to where it first stops. Later steps of a task begin where it waits, and steps that can wait
//! are never left unordered, so there is nothing to gain.
//!
//! # Names
//! *I* of two blocks is `Pair`, *W(b)* is `Uses`, both in [`crate::code`].

mod commute;
mod condition;
mod counterexample;
mod execute;
mod functions;
mod proof;
mod synthesis;
mod value;

use mazurka_machine::Place;
use mazurka_trace::SiteId;

use crate::code::{Condition, Image, Pc};

pub use proof::{Declared, verify};
pub use synthesis::{Found, Synthesised, TIME_FOR_PAIR, synthesise};

impl Image {
    /// Whether there are constraints.
    pub fn is_constrained(&self) -> bool {
        !self.constraints.pairs.is_empty()
    }

    /// Whether the program declares when methods commute.
    pub fn declares_constraints(&self) -> bool {
        !self.declarations.is_empty()
    }

    /// How many declarations there are.
    pub fn declarations(&self) -> usize {
        self.declarations.len()
    }

    /// A declaration as it stands in the program.
    pub fn declaration(&self, number: usize) -> Place {
        self.place_of(self.declarations[number].span)
    }

    /// Where a method begins, for people: `C.m`, and its place.
    pub fn method(&self, site: SiteId) -> Place {
        let pc = site.index();
        let body = self.body_at(pc as Pc);
        let class = body.class.map_or("", |class| self.classes[class as usize].name.as_str());
        let Place { file, line, column, .. } = self.place_of(self.places[pc]);
        Place { file, line, column, text: format!("{class}.{}", body.name) }
    }

    fn entry(&self, body: u32) -> Pc {
        self.bodies[body as usize].entry
    }

    /// Adds those of the declared constraints, by their numbers, that are known to be right.
    pub fn declare_where(&mut self, keeps: impl Fn(usize) -> bool) {
        for number in (0..self.declarations.len()).filter(|&number| keeps(number)) {
            let declared = self.declarations[number];
            let [left, right] = declared.bodies.map(|body| self.entry(body));
            self.constraints.add((left, right), Condition::Method(declared.condition));
        }
    }

    /// Adds what was found, as far as it matters.
    pub fn constrain_by(&mut self, found: &[Synthesised]) {
        for pair in found.iter().filter(|pair| pair.conflict) {
            let [left, right] = pair.sites.map(|site| site.index() as Pc);
            for condition in &pair.conditions {
                self.constraints.add((left, right), Condition::Operations(condition.clone()));
            }
            if pair.necessary {
                for sites in [(left, right), (right, left)] {
                    self.constraints.pairs.entry(sites).or_default().necessary = true;
                }
            }
        }
    }
}
