//! Algorithms by their names on the command line.

use mazurka_explore::Algorithm;

/// The algorithm of this name.
pub(crate) fn parse(name: &str) -> Result<Algorithm, String> {
    name.parse().ok().ok_or_else(|| {
        let available: Vec<_> = Algorithm::ALL.iter().map(|algorithm| algorithm.name()).collect();
        let available = format!("available are auto, {}, quasi:K for K = 1, 2, …", available.join(", "));
        format!("there is no algorithm of this name; {available}")
    })
}

/// The algorithm that is taken in the place of the one that was asked for: where data races are looked for, nothing is left out that leads
/// to the same state.
pub(crate) fn taken(asked: Algorithm, data_races: bool) -> Algorithm {
    match asked {
        Algorithm::Cs if data_races => Algorithm::Source,
        Algorithm::OptimalCs if data_races => Algorithm::Optimal,
        Algorithm::OptimalCsObservers if data_races => Algorithm::Observers,
        asked => asked,
    }
}

/// What the algorithm explores, to follow "explored".
pub(crate) fn explored(algorithm: Algorithm) -> &'static str {
    match algorithm {
        Algorithm::None => "every interleaving",
        Algorithm::Dpor | Algorithm::Source | Algorithm::Quasi(_) => {
            "at least one execution for each order of dependent steps"
        }
        Algorithm::Optimal | Algorithm::QuasiOptimal => "one execution for each order of dependent steps",
        Algorithm::Observers => "one execution for each order of dependent steps, as far as somebody observes it",
        Algorithm::OptimalCsObservers => {
            "an execution for each order of dependent steps, as far as somebody observes it, that does not lead where another one led"
        }
        Algorithm::Cs | Algorithm::OptimalCs | Algorithm::Constrained => {
            "an execution for each order of dependent steps that does not lead where another one led"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_known() {
        assert_eq!(parse("auto"), Ok(Algorithm::AUTO));
        assert_eq!(parse("none"), Ok(Algorithm::None));
        assert!(parse("optimum").is_err_and(|error| error.contains("auto, none, dpor, source, optimal")));
    }
}
