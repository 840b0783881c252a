//! Quasi-monotonic schedules: one schedule of each trace, for any number of processes.
//!
//! *Paper.* V. Kahlon, C. Wang, A. Gupta, "Monotonic Partial Order Reduction", CAV 2009, in the
//! form of the lexicographic normal form of traces: no step may be taken that could have been taken
//! before an earlier step of a higher process, since it is independent of that step and of all
//! since.
//!
//! *How.* A process is *overtaken* in a frame if a higher process has taken a step that its own
//! pending step is independent of, as of all steps since. A process that is overtaken is not
//! selected. Who is overtaken follows from who was one step before, so there is one truth value for
//! each process and frame. The peephole constraints are the same with a memory of one step.
//!
//! *Why it is sound.* A forbidden schedule has a step that moves, neighbour by neighbour, before a
//! step of a higher process, without changing anything else; what comes of it has as many steps and
//! is lexicographically smaller, so this comes to an end, with a schedule that is allowed. *Why it
//! is optimal.* With rules 1 to 3, dependence is a matter of the locations that events use, which
//! are the same in all executions of a trace; and of the executions of a trace only the
//! lexicographically smallest has no such step.
//!
//! *Deviation.* The data choices of a pending step are not known before it is taken: it counts as
//! dependent of whatever it might conflict with.

use mazurka_smt::Term;

use crate::frame::Step;
use crate::independence::{Relation, dependent};
use crate::rewrite::Workshop;
use crate::unroll::Depth;

/// Which processes are overtaken in the frame after this one.
pub(crate) fn overtaken(shop: &mut Workshop, relation: &Relation<'_>, depth: &Depth, next: &Depth) -> Vec<Term> {
    let count = depth.frame.processes.len();
    let of = |process: usize| depth.steps.iter().filter(|step| step.process == process).collect::<Vec<&Step>>();
    let steps: Vec<Vec<&Step>> = (0..count).map(of).collect();
    let mut overtaken = Vec::new();
    for (number, own) in steps.iter().enumerate() {
        if own.is_empty() || shop.arena.is(next.selected[number], false) {
            overtaken.push(shop.arena.no());
            continue;
        }
        let rests: Vec<Term> = own.iter().map(|step| step.at).collect();
        let rests = shop.arena.or(&rests);
        let mut ways = Vec::new();
        for (other, others) in steps.iter().enumerate().filter(|&(other, _)| other != number) {
            let before = if other > number { shop.arena.yes() } else { depth.overtaken[number] };
            if shop.arena.is(depth.selected[other], false) || shop.arena.is(before, false) {
                continue;
            }
            let mut all = vec![rests, depth.selected[other], before];
            for (one, theirs) in own.iter().flat_map(|one| others.iter().map(move |theirs| (one, theirs))) {
                let dependent = if theirs.at_local { shop.arena.yes() } else { dependent(shop, relation, one, theirs) };
                let meet = shop.arena.and(&[one.at, theirs.at, dependent]);
                all.push(shop.arena.not(meet));
            }
            ways.push(shop.arena.and(&all));
        }
        overtaken.push(shop.arena.or(&ways));
    }
    // A process that comes into being in the step has not been overtaken.
    overtaken.resize(next.frame.processes.len(), shop.arena.no());
    overtaken
}

/// Who is overtaken is not selected.
pub(crate) fn constraints(shop: &mut Workshop, depth: &Depth) -> Vec<Term> {
    let pairs = depth.overtaken.iter().zip(&depth.selected);
    let constraints = pairs.map(|(&overtaken, &selected)| {
        let both = shop.arena.and(&[overtaken, selected]);
        shop.arena.not(both)
    });
    let constraints: Vec<Term> = constraints.collect();
    constraints.into_iter().filter(|&constraint| !shop.arena.is(constraint, true)).collect()
}
