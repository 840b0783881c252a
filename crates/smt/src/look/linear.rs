//! Systems of linear inequalities over integers.

use std::collections::BTreeMap;

/// A variable of a system.
pub(super) type Unknown = u32;

/// So many inequalities a system may have while variables are eliminated.
const MOST: usize = 600;

/// A sum of unknowns with coefficients, and a constant.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) struct Linear {
    pub(super) parts: BTreeMap<Unknown, i128>,
    pub(super) constant: i128,
}

impl Linear {
    pub(super) fn constant(constant: i128) -> Linear {
        Linear { parts: BTreeMap::new(), constant }
    }

    pub(super) fn unknown(unknown: Unknown) -> Linear {
        Linear { parts: BTreeMap::from([(unknown, 1)]), constant: 0 }
    }

    /// Adds so many times another one. None where numbers become too large.
    pub(super) fn add(&mut self, other: &Linear, times: i128) -> Option<()> {
        for (&unknown, &factor) in &other.parts {
            let part = self.parts.entry(unknown).or_insert(0);
            *part = part.checked_add(factor.checked_mul(times)?)?;
            if *part == 0 {
                self.parts.remove(&unknown);
            }
        }
        self.constant = self.constant.checked_add(other.constant.checked_mul(times)?)?;
        Some(())
    }

    /// Its value; none where an unknown has none, or numbers become too large.
    pub(super) fn value(&self, values: &BTreeMap<Unknown, i128>) -> Option<i128> {
        self.parts.iter().try_fold(self.constant, |sum, (unknown, factor)| {
            sum.checked_add(values.get(unknown)?.checked_mul(*factor)?)
        })
    }

    /// `self <= 0`, divided by what the coefficients have in common; the bound is rounded.
    fn tighten(&mut self) {
        let common = self.parts.values().fold(0i128, |common, &factor| gcd(common, factor));
        if common > 1 {
            self.parts.values_mut().for_each(|factor| *factor /= common);
            self.constant = -((-self.constant).div_euclid(common));
        }
    }
}

fn gcd(mut one: i128, mut other: i128) -> i128 {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one.abs()
}

/// What a system comes to.
pub(super) enum Solved {
    Values(BTreeMap<Unknown, i128>),
    None,
    /// A gap between integers, or too large.
    Open,
}

/// An unknown that was eliminated, with the inequalities that it was in.
struct Eliminated {
    unknown: Unknown,
    bounds: Vec<Linear>,
}

/// Values for which all these are at most 0, and none of `nonzero` is 0 if that can be had by
/// choosing among the values of an unknown.
pub(super) fn solve(system: &[Linear], nonzero: &[Linear]) -> Solved {
    let mut system: Vec<Linear> = system.to_vec();
    let mut eliminated: Vec<Eliminated> = Vec::new();
    loop {
        system.iter_mut().for_each(Linear::tighten);
        if system.iter().any(|one| one.parts.is_empty() && one.constant > 0) {
            return Solved::None;
        }
        system.retain(|one| !one.parts.is_empty());
        system.sort();
        // Of those that differ in their bound alone, the strictest is enough.
        system.dedup_by(|next, kept| {
            let same = next.parts == kept.parts;
            if same {
                kept.constant = kept.constant.max(next.constant);
            }
            same
        });
        let Some(unknown) = cheapest(&system) else { break };
        match eliminate(&system, unknown) {
            Some((rest, bounds)) if rest.len() <= MOST => {
                eliminated.push(Eliminated { unknown, bounds });
                system = rest;
            }
            _ => return Solved::Open,
        }
    }
    assign(&eliminated, nonzero).map_or(Solved::Open, Solved::Values)
}

/// The unknown whose elimination makes the fewest new inequalities.
fn cheapest(system: &[Linear]) -> Option<Unknown> {
    let mut signs: BTreeMap<Unknown, (usize, usize)> = BTreeMap::new();
    for one in system {
        for (&unknown, &factor) in &one.parts {
            let (below, above) = signs.entry(unknown).or_default();
            if factor > 0 { *above += 1 } else { *below += 1 }
        }
    }
    signs.into_iter().min_by_key(|(unknown, (below, above))| (below * above, *unknown)).map(|(unknown, _)| unknown)
}

/// The system without an unknown, and the inequalities that it was in.
fn eliminate(system: &[Linear], unknown: Unknown) -> Option<(Vec<Linear>, Vec<Linear>)> {
    let factor = |one: &Linear| one.parts.get(&unknown).copied().unwrap_or(0);
    let (bounds, mut rest): (Vec<Linear>, Vec<Linear>) = system.iter().cloned().partition(|one| factor(one) != 0);
    for above in bounds.iter().filter(|one| factor(one) > 0) {
        for below in bounds.iter().filter(|one| factor(one) < 0) {
            let mut sum = Linear::default();
            sum.add(above, factor(below).checked_neg()?)?;
            sum.add(below, factor(above))?;
            rest.push(sum);
        }
    }
    Some((rest, bounds))
}

/// Values in the opposite order of elimination, each next to zero.
fn assign(eliminated: &[Eliminated], nonzero: &[Linear]) -> Option<BTreeMap<Unknown, i128>> {
    let mut values: BTreeMap<Unknown, i128> = BTreeMap::new();
    for Eliminated { unknown, bounds } in eliminated.iter().rev() {
        let (mut low, mut high) = (None::<i128>, None::<i128>);
        for bound in bounds {
            let factor = bound.parts[unknown];
            let mut others = bound.clone();
            others.parts.remove(unknown);
            // An unknown that left the system with another one is free: 0.
            for other in others.parts.keys() {
                values.entry(*other).or_insert(0);
            }
            let rest = others.value(&values)?.checked_neg()?;
            if factor > 0 {
                let most = rest.div_euclid(factor);
                high = Some(high.map_or(most, |high| high.min(most)));
            } else {
                let least = rest.div_euclid(factor.checked_neg()?).checked_neg()?;
                low = Some(low.map_or(least, |low| low.max(least)));
            }
        }
        let value = next_to_zero(*unknown, (low, high), nonzero, &values)?;
        values.insert(*unknown, value);
    }
    Some(values)
}

/// The value next to zero within bounds that makes nothing zero that is not to be.
fn next_to_zero(
    unknown: Unknown,
    (low, high): (Option<i128>, Option<i128>),
    nonzero: &[Linear],
    values: &BTreeMap<Unknown, i128>,
) -> Option<i128> {
    if low.zip(high).is_some_and(|(low, high)| low > high) {
        return None;
    }
    let start = low.map_or(0, |low| low.max(0));
    let start = high.map_or(start, |high| high.min(start));
    let concerned: Vec<&Linear> = nonzero.iter().filter(|one| one.parts.contains_key(&unknown)).collect();
    let mut with = values.clone();
    let steps = concerned.len() as i128 + 1;
    let near = (0..=steps).flat_map(|step| [start.checked_add(step), start.checked_sub(step)]).flatten();
    let inside = |value: &i128| low.is_none_or(|low| low <= *value) && high.is_none_or(|high| *value <= high);
    let inside: Vec<i128> = near.filter(inside).collect();
    let fits = |value: &i128| {
        with.insert(unknown, *value);
        concerned.iter().all(|one| one.value(&with) != Some(0))
    };
    let first = inside.first().copied();
    inside.into_iter().find(fits).or(first)
}
