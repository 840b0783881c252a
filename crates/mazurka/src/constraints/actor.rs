//! Constraints between methods of programs in ABS.

use mazurka_actor::{Image, TIME_FOR_PAIR, synthesise, verify};
use mazurka_smt::Error;
use mazurka_smt::synthesis::asking::Shortfall;
use mazurka_smt::synthesis::proof::Verified;

use super::{Found, Proven, Prover, Step, Used};

pub(super) fn declarations(image: &Image) -> Vec<String> {
    (0..image.declarations()).map(|number| image.declaration(number).text).collect()
}

pub(super) fn proofs(image: &Image, prover: &mut Prover) -> Result<Vec<Proven>, Error> {
    let (_, supply, is_late) = prover.parts();
    let found = verify(image, supply, &is_late)?;
    let proven = found.into_iter().map(|declared| Proven {
        number: declared.number,
        declaration: image.declaration(declared.number).text,
        steps: declared.sites.map(|site| Step::from(image.method(site))),
        sites: declared.sites,
        verified: declared.verified,
    });
    Ok(proven.collect())
}

pub(super) fn pairs(image: &Image, prover: &mut Prover, all: bool) -> Result<(Vec<Found>, Shortfall), Error> {
    let (_, supply, is_late) = prover.parts();
    let found = synthesise(image, supply, &is_late, TIME_FOR_PAIR)?;
    let shown = found.pairs.into_iter().filter(|pair| all || pair.conflict).map(|pair| Found {
        steps: pair.sites.map(|site| Step::from(image.method(site))),
        constraints: pair.texts,
        necessary: pair.necessary,
        reason: pair.reason,
    });
    Ok((shown.collect(), found.shortfall))
}

pub(super) fn use_declared(image: &mut Image, used: Used<'_>) {
    image.declare_where(|number| match used {
        Used::All => true,
        Used::These(found) => found.iter().any(|proven| proven.number == number && proven.verified == Verified::Proven),
    });
}

pub(super) fn use_found(image: &mut Image, prover: &mut Prover) -> Result<Shortfall, Error> {
    let (_, supply, is_late) = prover.parts();
    let found = synthesise(image, supply, &is_late, TIME_FOR_PAIR)?;
    image.constrain_by(&found.pairs);
    Ok(found.shortfall)
}
