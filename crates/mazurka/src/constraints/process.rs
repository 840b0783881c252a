//! Constraints of programs in the process notation.

use std::collections::HashSet;
use std::sync::Arc;

use mazurka_machine::Describe;
use mazurka_process::hir;
use mazurka_process::{Image, ProcessMachine, synthesise, verify};
use mazurka_smt::Error;
use mazurka_smt::synthesis::asking::Shortfall;
use mazurka_smt::synthesis::proof::Verified;

use super::{Found, Proven, Prover, Step, Used};

pub(super) fn declarations(image: &Image, checked: &hir::Program) -> Vec<String> {
    checked.independences.iter().map(|declared| image.excerpt(declared.span)).collect()
}

pub(super) fn proofs(image: &Image, checked: &hir::Program, prover: &mut Prover) -> Result<Vec<Proven>, Error> {
    let machine = ProcessMachine::new(Arc::new(image.clone()));
    let declarations = declarations(image, checked);
    let (known, supply, is_late) = prover.parts();
    let found = verify(checked, image, known, supply, &is_late)?;
    let proven = found.into_iter().map(|declared| Proven {
        number: declared.number,
        declaration: declarations[declared.number].clone(),
        steps: declared.sites.map(|site| Step::from(machine.place(site))),
        sites: declared.sites,
        verified: declared.verified,
    });
    Ok(proven.collect())
}

pub(super) fn pairs(image: &Image, prover: &mut Prover, all: bool) -> Result<(Vec<Found>, Shortfall), Error> {
    let machine = ProcessMachine::new(Arc::new(image.clone()));
    let (known, supply, is_late) = prover.parts();
    let found = synthesise(image, known, supply, &is_late)?;
    let shown = found.pairs.into_iter().filter(|pair| all || pair.conflict).map(|pair| Found {
        steps: pair.sites.map(|site| Step::from(machine.place(site))),
        constraints: pair.texts,
        necessary: pair.necessary,
        reason: None,
    });
    Ok((shown.collect(), found.shortfall))
}

pub(super) fn use_declared(image: &mut Image, checked: &hir::Program, used: Used<'_>) {
    let Used::These(found) = used else { return };
    let mut proven = HashSet::new();
    for Proven { number, sites, .. } in found.iter().filter(|proven| proven.verified == Verified::Proven) {
        proven.insert((*number, *sites));
        // Without parameters, a constraint is the same the other way round.
        if checked.independences[*number].left.parameters.is_empty() {
            proven.insert((*number, [sites[1], sites[0]]));
        }
    }
    image.declare_where(checked, |number, sites| proven.contains(&(number, sites)));
}

pub(super) fn use_found(image: &mut Image, prover: &mut Prover) -> Result<Shortfall, Error> {
    let (known, supply, is_late) = prover.parts();
    let found = synthesise(image, known, supply, &is_late)?;
    image.constrain_by(&found.pairs);
    Ok(found.shortfall)
}
