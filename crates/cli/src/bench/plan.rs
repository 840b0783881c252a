//! What is to be run.

use mazurka::Refusal;

use super::args::Bench;
use super::suite::{Parameters, Row, Suite};
use crate::algorithm::Wanted;

/// A program and its size.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// The program.
    pub(crate) program: String,
    /// Its size.
    pub(crate) parameters: Parameters,
    /// What the paper says about it, if it has this size.
    pub(crate) row: Option<Row>,
}

/// A size as it is requested: values, of which one may stand for the first parameter, whatever its
/// name.
#[derive(Clone, Debug)]
pub(crate) struct Size(Vec<(Option<String>, i64)>);

/// Reads a size: `7`, `N=7`, `S=5 R=2`.
pub(crate) fn size(text: &str) -> Result<Size, String> {
    let values: Result<Vec<_>, String> = text
        .split_whitespace()
        .map(|word| match word.parse() {
            Ok(value) => Ok((None, value)),
            Err(_) => mazurka::constant(word).map(|(name, value)| (Some(name), value)),
        })
        .collect();
    match values?.as_slice() {
        [] => Err("expected a number, or values such as \"S=5 R=2\"".to_owned()),
        values => Ok(Size(values.to_vec())),
    }
}

impl Size {
    /// A program's parameters with this size, if it has those parameters.
    fn apply(&self, usual: &Parameters) -> Option<Parameters> {
        let mut parameters = usual.clone();
        for (name, value) in &self.0 {
            let place = match name {
                None => 0,
                Some(name) => parameters.iter().position(|(known, _)| known == name)?,
            };
            parameters.get_mut(place)?.1 = *value;
        }
        Some(parameters)
    }
}

impl Case {
    /// The program and its size, as they are shown: `lastwrite N=8`.
    pub(crate) fn title(&self) -> String {
        format!("{} {}", self.program, self.size())
    }

    /// The size, as it is shown: `N=8`.
    pub(crate) fn size(&self) -> String {
        self.parameters.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
    }

    /// Whether an algorithm is to be run on it, where none was named.
    pub(crate) fn has_figures_of(&self, suite: &Suite, algorithm: Wanted) -> bool {
        let figures = self.row.as_ref().map(|row| &row.figures);
        !suite.is_mixed || figures.is_none_or(|figures| figures.contains_key(&*algorithm.name()))
    }

    /// Whether this is the same program, and no parameter is smaller.
    pub(crate) fn is_at_least(&self, other: &Case) -> bool {
        self.program == other.program
            && self
                .parameters
                .iter()
                .all(|(name, value)| other.parameters.iter().all(|(known, smaller)| known != name || smaller <= value))
    }
}

/// What is to be run, in the order of the suite.
pub(crate) fn cases(suite: &Suite, arguments: &Bench) -> Result<Vec<Case>, Refusal> {
    let mut cases = if arguments.sizes.is_empty() {
        suite.rows.iter().map(case_of_row).collect()
    } else {
        suite.programs().into_iter().flat_map(|program| sized(suite, program, &arguments.sizes)).collect::<Vec<_>>()
    };
    cases.retain(|case| case.title().contains(&arguments.filter));
    cases.retain(|case| suite.program(&case.program, &arguments.kind).is_some());
    if cases.is_empty() {
        let programs = suite.programs().join(", ");
        let help = format!("the programs are: {programs}");
        return Err(Refusal::with_help("there is nothing to run: no row fits what was asked", help));
    }
    Ok(cases)
}

fn case_of_row(row: &Row) -> Case {
    Case { program: row.program.clone(), parameters: row.parameters.clone(), row: Some(row.clone()) }
}

/// A program in these sizes; those that the paper has come with its figures.
fn sized(suite: &Suite, program: &str, sizes: &[Size]) -> Vec<Case> {
    let rows: Vec<&Row> = suite.rows.iter().filter(|row| row.program == program).collect();
    let usual = rows.first().map(|row| row.parameters.clone()).unwrap_or_default();
    let parameters = sizes.iter().filter_map(|size| size.apply(&usual));
    parameters
        .map(|parameters| {
            let row = rows.iter().find(|row| row.parameters == parameters).map(|&row| row.clone());
            Case { program: program.to_owned(), parameters, row }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameters(values: &[(&str, i64)]) -> Parameters {
        values.iter().map(|&(name, value)| (name.to_owned(), value)).collect()
    }

    #[test]
    fn sizes_are_read_and_applied() {
        let usual = parameters(&[("S", 5), ("R", 2)]);
        let applied = |text: &str| size(text).expect("it is a size").apply(&usual);
        assert_eq!(applied("7"), Some(parameters(&[("S", 7), ("R", 2)])));
        assert_eq!(applied("R=3"), Some(parameters(&[("S", 5), ("R", 3)])));
        assert_eq!(applied("S=1 R=3"), Some(parameters(&[("S", 1), ("R", 3)])));
        assert_eq!(applied("N=3"), None);
        assert!(size("").is_err() && size("large").is_err());
    }

    #[test]
    fn larger_is_larger_in_everything() {
        let case = |program: &str, values: &[(&str, i64)]| Case {
            program: program.to_owned(),
            parameters: parameters(values),
            row: None,
        };
        let small = case("p", &[("S", 5), ("R", 2)]);
        assert!(case("p", &[("S", 5), ("R", 3)]).is_at_least(&small));
        assert!(!case("p", &[("S", 4), ("R", 3)]).is_at_least(&small));
        assert!(!case("q", &[("S", 5), ("R", 3)]).is_at_least(&small));
        assert_eq!(small.title(), "p S=5 R=2");
    }
}
