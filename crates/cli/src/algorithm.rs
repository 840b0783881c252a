//! Algorithms by their names on the command line.

use std::borrow::Cow;
use std::fmt;

use mazurka_explore::Algorithm;

use crate::frontend::Program;

/// The algorithm that was asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wanted {
    /// The strongest for the program.
    Auto,
    /// The one of this name.
    Named(Algorithm),
}

/// The algorithm of this name.
pub(crate) fn parse(name: &str) -> Result<Wanted, String> {
    if name == "auto" {
        return Ok(Wanted::Auto);
    }
    name.parse().map(Wanted::Named).ok().ok_or_else(|| {
        let available: Vec<_> = Algorithm::ALL.iter().map(|algorithm| algorithm.name()).collect();
        let available = format!("available are auto, {}, quasi:K for K = 1, 2, …", available.join(", "));
        format!("there is no algorithm of this name; {available}")
    })
}

impl Wanted {
    /// Its name on the command line.
    pub(crate) fn name(self) -> Cow<'static, str> {
        match self {
            Wanted::Auto => Cow::Borrowed("auto"),
            Wanted::Named(algorithm) => algorithm.name(),
        }
    }

    /// The one that was named, if one was.
    pub(crate) fn named(self) -> Option<Algorithm> {
        match self {
            Wanted::Auto => None,
            Wanted::Named(algorithm) => Some(algorithm),
        }
    }

    /// The algorithm that explores a program.
    ///
    /// `auto` takes the one that leaves out most, of those that no random program contradicts:
    /// - where data races are looked for, every order of dependent steps is needed;
    /// - who declares when steps commute wants that to be used;
    /// - `optimal-cs-observers` leaves out more than all others, and goes on without comparing states where that does not pay.
    pub(crate) fn of(self, program: &Program) -> Algorithm {
        match (self, program) {
            (Wanted::Named(algorithm), _) => algorithm,
            (Wanted::Auto, Program::C { .. }) if program.detects_data_races() => Algorithm::Optimal,
            (Wanted::Auto, Program::Process { checked, .. }) if !checked.independences.is_empty() => {
                Algorithm::OptimalConstrainedObservers
            }
            (Wanted::Auto, _) => Algorithm::OptimalCsObservers,
        }
    }
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}

/// The algorithm that an algorithm amounts to: where data races are looked for, nothing is left out that leads to the same state.
pub(crate) fn taken(algorithm: Algorithm, data_races: bool) -> Algorithm {
    match algorithm {
        Algorithm::Cs if data_races => Algorithm::Source,
        Algorithm::OptimalCs | Algorithm::OptimalConstrained if data_races => Algorithm::Optimal,
        Algorithm::OptimalCsObservers | Algorithm::OptimalConstrainedObservers if data_races => Algorithm::Observers,
        algorithm => algorithm,
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
        Algorithm::OptimalCsObservers | Algorithm::OptimalConstrainedObservers => {
            "an execution for each order of dependent steps, as far as somebody observes it, that does not lead where another one led"
        }
        Algorithm::Cs | Algorithm::OptimalCs | Algorithm::Constrained | Algorithm::OptimalConstrained => {
            "an execution for each order of dependent steps that does not lead where another one led"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_known() {
        assert_eq!(parse("auto"), Ok(Wanted::Auto));
        assert_eq!(parse("none"), Ok(Wanted::Named(Algorithm::None)));
        assert!(["auto", "none", "quasi:2"].iter().all(|name| parse(name).is_ok_and(|asked| asked.name() == *name)));
        assert!(parse("optimum").is_err_and(|error| error.contains("auto, none, dpor, source, optimal")));
    }
}
