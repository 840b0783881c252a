//! Algorithms by their names on the command line.

use std::borrow::Cow;
use std::fmt;

use mazurka_explore::Algorithm;

/// The algorithm that was requested.
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
        let available =
            format!("available are auto, {}, quasi:K and random:N for K, N = 1, 2, …", available.join(", "));
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
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
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
