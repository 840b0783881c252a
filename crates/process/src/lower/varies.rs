//! Whether the steps from a site can use other locations, or offer other choices, when they read
//! other values.
//!
//! A conservative answer: within an atomic block, values read from globals are followed through the
//! locals they are assigned to, and whatever stands under a condition that depends on them counts
//! as varying. A fault that ends the execution does not count, since it concerns every location
//! anyway.

use crate::hir::{Block, ExprId, LocalId, MutexRef, Program, Statement, StatementKind, Target};

use super::facts::{self, Facts};

/// Rounds after which the flow through a loop's locals is given up on.
const ROUNDS: usize = 8;

/// Memory for [`atomic_varies`], kept from one block to the next.
#[derive(Default)]
pub(super) struct Scratch {
    known: Vec<Facts>,
    order: Vec<ExprId>,
}

/// Whether an atomic block varies. Costs a few walks over the block. `locals` is how many its body
/// has.
pub(super) fn atomic_varies(program: &Program, locals: usize, block: &Block, scratch: &mut Scratch) -> bool {
    scratch.known.resize(program.exprs.len(), Facts::default());
    let tainted = vec![false; locals];
    let mut flow =
        Flow { program, tainted, changed: false, varies: false, cut: false, blocks: false, chooses: false, scratch };
    for _ in 0..ROUNDS {
        flow.changed = false;
        flow.cut = false;
        flow.block(block, false);
        // Where a choice decides whether the block can run, it decides which locations are used.
        if flow.varies || (flow.blocks && flow.chooses) {
            return true;
        }
        if !flow.changed {
            return false;
        }
    }
    true
}

struct Flow<'a> {
    program: &'a Program,
    /// The locals whose value can depend on a global read in this step.
    tainted: Vec<bool>,
    changed: bool,
    varies: bool,
    /// An assumption about values read stands before: what follows may not run.
    cut: bool,
    blocks: bool,
    chooses: bool,
    scratch: &'a mut Scratch,
}

impl Flow<'_> {
    /// `guarded`: whether it runs at all depends on values read.
    fn block(&mut self, block: &Block, guarded: bool) {
        for statement in block {
            self.statement(statement, guarded);
        }
    }

    fn statement(&mut self, statement: &Statement, guarded: bool) {
        match &statement.kind {
            StatementKind::Assign(target, value) => self.assign(*target, *value, guarded),
            StatementKind::Atomic(_, block) => self.block(block, guarded),
            StatementKind::If(arms, otherwise) => {
                let mut guarded = guarded;
                for (_, condition, block) in arms {
                    guarded |= self.expression(*condition, guarded).tainted;
                    self.block(block, guarded);
                }
                self.block(otherwise, guarded);
            }
            StatementKind::While(condition, block) => {
                let tainted = self.expression(*condition, guarded).tainted;
                // The condition itself is evaluated again depending on what it read.
                self.expression(*condition, guarded || tainted);
                let was_cut = self.cut;
                self.block(block, guarded || tainted);
                if self.cut && !was_cut {
                    // An assumption in the loop stands before all of the loop's next round.
                    self.expression(*condition, guarded);
                    self.block(block, guarded || tainted);
                }
            }
            StatementKind::Lock(mutex) => {
                self.blocks = true;
                self.mutex(*mutex, guarded);
            }
            StatementKind::Unlock(mutex) => self.mutex(*mutex, guarded),
            StatementKind::Await(condition) => {
                self.blocks = true;
                self.expression(*condition, guarded);
            }
            StatementKind::Assume(condition) => {
                let facts = self.expression(*condition, guarded);
                self.cut |= facts.tainted || guarded;
            }
            StatementKind::Assert(condition) => {
                self.expression(*condition, guarded);
            }
            StatementKind::Spawn(_, arguments) => {
                self.touch(guarded);
                for &argument in arguments {
                    self.expression(argument, guarded);
                }
            }
        }
    }

    fn assign(&mut self, target: Target, value: ExprId, guarded: bool) {
        let facts = self.expression(value, guarded);
        match target {
            Target::Local(local) if facts.tainted || guarded => self.taint(local),
            Target::Local(_) => {}
            Target::Global(_) => self.touch(guarded),
            Target::Cell(_, index) => {
                self.varies |= self.expression(index, guarded).tainted;
                self.touch(guarded);
            }
        }
    }

    fn mutex(&mut self, mutex: MutexRef, guarded: bool) {
        if let Some(index) = mutex.index {
            self.varies |= self.expression(index, guarded).tainted;
        }
        self.touch(guarded);
    }

    fn expression(&mut self, expr: ExprId, guarded: bool) -> Facts {
        let Scratch { known, order } = &mut *self.scratch;
        let facts = facts::with_taint(&self.program.exprs, expr, &self.tainted, known, order);
        self.varies |= facts.varies;
        self.chooses |= facts.chooses;
        if facts.reads || facts.chooses {
            self.touch(guarded);
        }
        facts
    }

    fn touch(&mut self, guarded: bool) {
        self.varies |= guarded || self.cut;
    }

    fn taint(&mut self, local: LocalId) {
        self.changed |= !self.tainted[local.index()];
        self.tainted[local.index()] = true;
    }
}
