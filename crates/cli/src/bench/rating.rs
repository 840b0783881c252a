//! Ours against the paper's.

use super::child::Ending;
use super::plan::Case;
use super::suite::{Executions, Figure, Suite};
use crate::algorithm::Wanted;

/// How our number of executions compares with the paper's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rating {
    /// The same.
    Equal,
    /// Fewer executions, or we finish where the paper's tool does not.
    Better,
    /// More executions, more explorations that were cut, or we do not finish where the paper's tool
    /// does.
    Worse,
    /// Fewer executions than there are: the figure is the size of an equivalence.
    TooFew,
}

impl Rating {
    /// In words.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Rating::Equal => "equal",
            Rating::Better => "better",
            Rating::Worse => "worse",
            Rating::TooFew => "too few",
        }
    }
}

/// What the paper says about a run, and what the run is held to.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Bar {
    /// What the paper says about this algorithm.
    pub(crate) own: Option<Figure>,
    /// The column that the algorithm is held to, with its figure: the one with the fewest
    /// executions.
    pub(crate) held_to: Option<(String, Executions)>,
    /// Whether fewer executions are wrong.
    pub(crate) is_exact: bool,
}

impl Bar {
    /// What the paper says about a case under an algorithm.
    pub(crate) fn new(suite: &Suite, case: &Case, algorithm: Wanted) -> Bar {
        let Some(row) = &case.row else { return Bar::default() };
        let name = algorithm.name();
        let columns = suite.bar(&name).into_iter();
        let figures = columns.filter_map(|column| Some((row.figures.get(&column)?.executions?, column)));
        let held_to =
            figures.min_by_key(|&(executions, _)| executions).map(|(executions, column)| (column, executions));
        Bar { own: row.figures.get(&*name).copied(), held_to, is_exact: row.is_exact && suite.is_exact(&name) }
    }

    /// How a run compares; nothing where there is nothing to compare.
    pub(crate) fn rate(&self, ending: &Ending) -> Option<Rating> {
        let (_, paper) = self.held_to.as_ref()?;
        match (ending, *paper) {
            (Ending::Finished(ours), _)
                if self.own.and_then(|own| own.blocked).is_some_and(|most| ours.blocked > most) =>
            {
                Some(Rating::Worse)
            }
            (Ending::Finished(_), Executions::Timeout) => Some(Rating::Better),
            (Ending::Finished(ours), Executions::Counted(paper)) => Some(match ours.executions.cmp(&paper) {
                std::cmp::Ordering::Equal => Rating::Equal,
                std::cmp::Ordering::Greater => Rating::Worse,
                std::cmp::Ordering::Less if self.is_exact => Rating::TooFew,
                std::cmp::Ordering::Less => Rating::Better,
            }),
            (Ending::Timeout, Executions::Counted(_)) => Some(Rating::Worse),
            (Ending::Timeout, Executions::Timeout) => None,
            (Ending::Violation(_) | Ending::Failed(_) | Ending::NotRun, _) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::child::Measured;
    use super::*;

    fn bar(executions: Executions, is_exact: bool) -> Bar {
        Bar { own: None, held_to: Some(("optimal".to_owned(), executions)), is_exact }
    }

    #[test]
    fn fewer_is_better_unless_the_figure_is_exact() {
        let ours = |executions| Ending::Finished(Measured { executions, ..Measured::default() });
        let paper = Executions::Counted(6);
        assert_eq!(bar(paper, false).rate(&ours(6)), Some(Rating::Equal));
        assert_eq!(bar(paper, false).rate(&ours(5)), Some(Rating::Better));
        assert_eq!(bar(paper, false).rate(&ours(7)), Some(Rating::Worse));
        assert_eq!(bar(paper, true).rate(&ours(6)), Some(Rating::Equal));
        assert_eq!(bar(paper, true).rate(&ours(5)), Some(Rating::TooFew));
        assert_eq!(Bar::default().rate(&ours(5)), None);
    }

    #[test]
    fn more_cut_explorations_are_worse() {
        let own = Some(Figure { blocked: Some(3), ..Figure::default() });
        let bar = Bar { own, ..bar(Executions::Counted(6), true) };
        let ours = |blocked| Ending::Finished(Measured { executions: 6, blocked, ..Measured::default() });
        assert_eq!(bar.rate(&ours(3)), Some(Rating::Equal));
        assert_eq!(bar.rate(&ours(4)), Some(Rating::Worse));
    }

    #[test]
    fn who_does_not_finish_is_worse() {
        let ours = Ending::Finished(Measured::default());
        assert_eq!(bar(Executions::Timeout, true).rate(&ours), Some(Rating::Better));
        assert_eq!(bar(Executions::Counted(6), true).rate(&Ending::Timeout), Some(Rating::Worse));
        assert_eq!(bar(Executions::Timeout, true).rate(&Ending::Timeout), None);
        assert_eq!(bar(Executions::Counted(6), true).rate(&Ending::NotRun), None);
    }
}
