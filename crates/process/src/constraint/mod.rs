//! Independence constraints: when the steps of two processes commute, as the program declares it or
//! as somebody found out.
//!
//! # Paper
//! Albert, Gómez-Zamalloa, Isabel, Rubio, *Constrained dynamic partial order reduction*, CAV 2018,
//! Sections 3.1 and 3.2: Definition 2 (constraints) and Definition 4 (a sufficient condition for
//! transitive uniformity).
//!
//! # Names
//! *I* of two blocks is [`Pair`](crate::code); *C(s)* is [`Condition::holds`], which also gives
//! *G(C)*, the locations that decided about it in that state; *W(b)* is [`Writes`].
//!
//! # Deviations
//! 1. *G(C)* holds what `C` read in the state in which it is asked about, not all that it names: as
//!    long as that stays, `C` holds.
//! 2. The processes that could change it are all that are there, not only those that are enabled:
//!    whom those enable, and what those do then, need not be followed.

mod commute;
mod counterexample;
mod expression;
mod proof;
mod store;
mod synthesis;

use mazurka_trace::SiteId;

use crate::code::{Cells, Condition, Constraints, Image, Instruction, Object, Writes};
use crate::hir::{Expr, ExprId, Program, Steps};

pub use proof::{Declared, verify};
pub use synthesis::{Found, Synthesised, synthesise};

/// A constraint for the steps from two sites.
#[derive(Clone, Debug)]
pub struct Constraint {
    /// One site.
    pub left: SiteId,
    /// The other.
    pub right: SiteId,
    /// The expressions that the condition is made of, children before parents. Locals count through
    /// all those of the left process, then through those of the right one.
    pub exprs: Vec<Expr>,
    /// The condition.
    pub condition: ExprId,
    /// Between the steps, integers may be larger in one order than they ever are in the other. Then
    /// it is right where it is requested, but who leaves out other orders because of it does not
    /// know whether they are moderate there: see [`MODERATE`](mazurka_machine::MODERATE).
    pub wild: bool,
}

impl Image {
    /// Takes over the declared constraints. `atomics` are the named atomic blocks that are steps.
    pub(crate) fn declare(&mut self, program: &Program, atomics: Vec<(String, SiteId)>) {
        self.constraints.atomics = atomics;
        self.declare_where(program, |_, _| true);
    }

    /// Has no constraints but the declared ones, those by their number and for the steps from two
    /// sites that are to be kept.
    pub fn declare_where(&mut self, program: &Program, keeps: impl Fn(usize, [SiteId; 2]) -> bool) {
        let atomics = std::mem::take(&mut self.constraints.atomics);
        self.constraints = Constraints { atomics, ..Constraints::default() };
        let variables = self.variables();
        for (number, declared) in program.independences.iter().enumerate() {
            let split = declared.left.parameters.len();
            let Some(condition) = Condition::new(&program.exprs, declared.condition, split, &variables) else {
                continue;
            };
            let index = self.constraints.conditions.len() as u32;
            self.constraints.conditions.push(condition);
            let (left, right) = (self.steps(&declared.left.steps), self.steps(&declared.right.steps));
            for (&left, &right) in left.iter().flat_map(|left| right.iter().map(move |right| (left, right))) {
                if keeps(number, [left, right]) {
                    self.constraints.add(left, right, index, false);
                }
            }
        }
        if !self.constraints.is_empty() {
            self.constraints.writes = Writes::of(self, true);
        }
    }

    /// The cells of all variables and mutexes.
    fn variables(&self) -> Vec<Cells> {
        let cells = |object: &Object| Cells { first: object.first as u32, length: object.length.unwrap_or(1) as u32 };
        self.objects.iter().map(cells).collect()
    }

    /// The sites of the steps that a side of a declaration means.
    fn steps(&self, steps: &Steps) -> Vec<SiteId> {
        let atomics = &self.constraints.atomics;
        match steps {
            Steps::Atomic(_, name) => {
                atomics.iter().filter(|(other, _)| other == name).map(|&(_, site)| site).collect()
            }
            Steps::Body(body) => {
                let start = self.bodies[body.index()].entry;
                let stops = self.code[start..].iter();
                let own = stops.take_while(|instruction| !matches!(instruction, Instruction::End { .. }));
                own.filter_map(|instruction| match instruction {
                    Instruction::Stop(stop) if !stop.is_local => Some(stop.site),
                    _ => None,
                })
                .collect()
            }
        }
    }

    /// Whether there are constraints.
    pub fn is_constrained(&self) -> bool {
        !self.constraints.is_empty()
    }

    /// Adds constraints that are known to be right. `necessary`: pairs of sites about which all is
    /// said by the constraints.
    pub fn constrain(&mut self, constraints: &[Constraint], necessary: &[(SiteId, SiteId)]) {
        let variables = self.variables();
        for constraint in constraints {
            let split = self.locals_at(constraint.left);
            let condition = Condition::new(&constraint.exprs, constraint.condition, split, &variables);
            let Some(condition) = condition else { continue };
            let number = self.constraints.conditions.len() as u32;
            self.constraints.conditions.push(condition);
            self.constraints.add(constraint.left, constraint.right, number, constraint.wild);
        }
        for &(one, other) in necessary {
            for sites in [(one, other), (other, one)] {
                self.constraints.pairs.entry(sites).or_default().necessary = true;
            }
        }
        if !self.constraints.is_empty() {
            self.constraints.writes = Writes::of(self, true);
        }
    }

    /// Adds what was found, as far as it matters: steps that have nothing in common commute anyway.
    pub fn constrain_by(&mut self, found: &[Synthesised]) {
        let useful = || found.iter().filter(|pair| pair.conflict && pair.texts.is_some());
        let constraints: Vec<Constraint> = useful().flat_map(|pair| pair.constraints.iter().cloned()).collect();
        let necessary: Vec<(SiteId, SiteId)> =
            useful().filter(|pair| pair.necessary).map(|pair| (pair.sites[0], pair.sites[1])).collect();
        self.constrain(&constraints, &necessary);
    }

    /// How many locals the body has that a site is in.
    fn locals_at(&self, site: SiteId) -> usize {
        let at = self.code.iter().position(|i| matches!(i, Instruction::Stop(stop) if stop.site == site)).unwrap_or(0);
        let body = self.bodies.iter().rfind(|body| body.entry <= at);
        body.map_or(0, |body| body.locals.len())
    }

    /// Forgets what processes do after their next step, which is wrong: for the test that wants
    /// this to be noticed.
    #[doc(hidden)]
    pub fn forget_continuations(&mut self) {
        self.constraints.writes = Writes::of(self, false);
    }
}
