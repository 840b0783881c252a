//! Sets of headers, as boxes: for each field one value, or all but some.

use crate::hir::{Match, Network, Ty};

/// The values of a field.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Values {
    Is(i64),
    /// All but these, in order.
    Not(Vec<i64>),
}

/// Headers: values for each field.
pub(super) type Headers = Vec<Values>;

/// How many values each field has, and the first of them.
#[derive(Clone, Debug)]
pub(super) struct Domains(Vec<(i64, i64)>);

impl Domains {
    pub(super) fn new(network: &Network) -> Domains {
        let of = |of: &Ty| match *of {
            Ty::Bool => (0, 2),
            Ty::Host => (0, network.hosts.len() as i64),
            Ty::Switch => (0, network.switches.len() as i64),
            Ty::Named(list) => (0, network.values[list].len() as i64),
            Ty::Range(low, high) => (low, high.saturating_sub(low).saturating_add(1)),
            Ty::Int | Ty::Wrong => (i64::MIN, i64::MAX),
        };
        Domains(network.fields.iter().map(|(_, ty)| of(ty)).collect())
    }

    /// All headers.
    pub(super) fn all(&self) -> Headers {
        vec![Values::Not(Vec::new()); self.0.len()]
    }

    /// Without excluded values that leave one, or none.
    fn settled(&self, field: usize, values: Values) -> Option<Values> {
        let (low, count) = self.0[field];
        match values {
            Values::Not(excluded) if excluded.len() as i64 >= count => None,
            Values::Not(excluded) if excluded.len() as i64 == count - 1 => {
                let left = (low..low + count).find(|value| excluded.binary_search(value).is_err())?;
                Some(Values::Is(left))
            }
            values => Some(values),
        }
    }

    /// The headers of a set that a match fits, if there are any. The port is looked at elsewhere.
    pub(super) fn common(&self, of: &Headers, matches: &Match) -> Option<Headers> {
        let fits = of.iter().zip(matches).all(|(values, wanted)| match (values, wanted) {
            (_, None) => true,
            (Values::Is(value), Some(wanted)) => value == wanted,
            (Values::Not(excluded), Some(wanted)) => excluded.binary_search(wanted).is_err(),
        });
        let common = of.iter().zip(matches).map(|(values, wanted)| wanted.map_or_else(|| values.clone(), Values::Is));
        fits.then(|| common.collect())
    }

    /// The headers of a set that a match does not fit, in disjoint sets.
    pub(super) fn rest(&self, of: &Headers, matches: &Match) -> Vec<Headers> {
        let (mut rest, mut common) = (Vec::new(), of.clone());
        for (field, wanted) in matches[..of.len()].iter().enumerate() {
            let Some(wanted) = *wanted else { continue };
            match &common[field] {
                Values::Is(value) if *value == wanted => {}
                Values::Is(_) => {
                    rest.push(common);
                    return rest;
                }
                Values::Not(excluded) => {
                    let Err(at) = excluded.binary_search(&wanted) else {
                        rest.push(common);
                        return rest;
                    };
                    let mut more = excluded.clone();
                    more.insert(at, wanted);
                    if let Some(others) = self.settled(field, Values::Not(more)) {
                        let mut one = common.clone();
                        one[field] = others;
                        rest.push(one);
                    }
                    common[field] = Values::Is(wanted);
                }
            }
        }
        rest
    }

    /// How many headers a set has, if not more than so many.
    fn size(&self, of: &Headers, most: i64) -> Option<i64> {
        of.iter().zip(&self.0).try_fold(1i64, |size, (values, &(_, count))| {
            let own = match values {
                Values::Is(_) => 1,
                Values::Not(excluded) => count - excluded.len() as i64,
            };
            size.checked_mul(own).filter(|&size| size <= most)
        })
    }

    /// All headers of a set, if they are not more than so many.
    pub(super) fn each(&self, of: &Headers, most: i64) -> Option<Vec<Vec<i64>>> {
        self.size(of, most)?;
        let mut all = vec![Vec::new()];
        for (values, &(low, count)) in of.iter().zip(&self.0) {
            let choices: Vec<i64> = match values {
                Values::Is(value) => vec![*value],
                Values::Not(excluded) => {
                    (low..low + count).filter(|value| excluded.binary_search(value).is_err()).collect()
                }
            };
            all = all
                .into_iter()
                .flat_map(|header: Vec<i64>| choices.iter().map(move |&value| [header.clone(), vec![value]].concat()))
                .collect();
        }
        Some(all)
    }
}

/// A set of headers in the user's words.
pub(super) fn show(network: &Network, of: &Headers) -> String {
    let mut shown = Vec::new();
    for ((name, ty), values) in network.fields.iter().zip(of) {
        match values {
            Values::Is(value) => shown.push(format!("{name} = {}", network.show(*ty, *value))),
            Values::Not(excluded) if excluded.is_empty() => {}
            Values::Not(excluded) if excluded.len() > 4 => {
                shown.push(format!("{name} none of {} values", excluded.len()));
            }
            Values::Not(excluded) => {
                let values: Vec<String> = excluded.iter().map(|&value| network.show(*ty, value)).collect();
                shown.push(format!("{name} != {}", values.join(", ")));
            }
        }
    }
    if shown.is_empty() { "any packet".to_owned() } else { shown.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a match fits and what it does not are all headers, each once.
    #[test]
    fn sets_are_divided() {
        let domains = Domains(vec![(0, 3), (0, 2), (5, 4)]);
        let matches: Vec<Match> = vec![
            vec![Some(1), None, Some(6), None],
            vec![None, Some(0), None, None],
            vec![Some(2), Some(1), None, None],
            vec![None, None, None, None],
        ];
        let mut parts = Vec::new();
        let mut rest = vec![domains.all()];
        for one in &matches {
            parts.extend(rest.iter().filter_map(|set| domains.common(set, one)));
            rest = rest.iter().flat_map(|set| domains.rest(set, one)).collect();
        }
        assert!(rest.is_empty());
        let mut headers: Vec<Vec<i64>> =
            parts.iter().flat_map(|part| domains.each(part, 100).expect("there are few")).collect();
        headers.sort();
        let count = headers.len();
        headers.dedup();
        assert_eq!((count, headers.len()), (24, 24));
    }
}
