//! What is made of the measurements: ratios, and rows on which another tool does better.

use super::rows::Row;
use super::tools::{Kind, Tool};

/// From so many executions on a row counts for the mean: below, start-up and its noise decide.
pub(super) const LARGE: u64 = 10_000;

/// Times without start-up are not told apart below this, in seconds.
const RESOLUTION: f64 = 0.001;

/// We are slower on a row only by more than this, in seconds: start-up varies by as much.
const SLACK: f64 = 0.01;

/// What a run counted, and its processor time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Counts {
    /// Complete executions.
    pub(super) executions: u64,
    /// Explorations that were cut, whatever the reason.
    pub(super) blocked: u64,
    /// Processor time, start-up included.
    pub(super) seconds: f64,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Ending {
    /// It explored everything and found no failure.
    Finished(Counts),
    /// It reached the time limit.
    Timeout,
    /// It says that the program fails.
    Violation(String),
    /// It crashed, or printed no counts.
    Failed(String),
}

impl Ending {
    /// In a few words.
    pub(super) fn words(&self) -> String {
        match self {
            Self::Finished(counts) => format!("{} executions in {:.3} s", counts.executions, counts.seconds),
            Self::Timeout => "time limit".into(),
            Self::Violation(message) => format!("violation: {message}"),
            Self::Failed(message) => format!("failed: {message}"),
        }
    }
}

/// The runs of one tool on one row.
#[derive(Clone, Debug, Default)]
pub(super) struct Runs {
    /// The run with the least time, or the one that did not finish.
    best: Option<Ending>,
    /// The most time of a run that finished.
    worst: f64,
    /// Whether two runs counted differently.
    differ: bool,
}

impl Runs {
    /// Whether another run makes sense.
    pub(super) fn goes_on(&self) -> bool {
        self.best.as_ref().is_none_or(|ending| matches!(ending, Ending::Finished(_)))
    }

    /// Adds a run.
    pub(super) fn add(&mut self, ending: Ending) {
        let (Some(before), Ending::Finished(counts)) = (self.counts(), &ending) else {
            if let Ending::Finished(counts) = &ending {
                self.worst = counts.seconds;
            }
            self.best = Some(ending);
            return;
        };
        self.differ |= (before.executions, before.blocked) != (counts.executions, counts.blocked);
        self.worst = self.worst.max(counts.seconds);
        if counts.seconds < before.seconds {
            self.best = Some(ending);
        }
    }

    /// The best run, if all finished.
    pub(super) fn counts(&self) -> Option<Counts> {
        match self.best {
            Some(Ending::Finished(counts)) => Some(counts),
            _ => None,
        }
    }

    /// The most time of a run.
    pub(super) fn worst(&self) -> Option<f64> {
        self.counts().map(|_| self.worst)
    }

    /// How it ended.
    pub(super) fn ending(&self) -> Option<&Ending> {
        self.best.as_ref()
    }
}

/// One row, measured with everybody.
#[derive(Debug)]
pub(super) struct Measured {
    pub(super) row: Row,
    pub(super) ours: Runs,
    /// In the order of the subjects.
    pub(super) others: Vec<Runs>,
}

impl Measured {
    pub(super) fn new(row: &Row, others: usize) -> Self {
        Self { row: *row, ours: Runs::default(), others: vec![Runs::default(); others] }
    }

    /// A line while it runs.
    pub(super) fn progress(&self) -> String {
        let all = std::iter::once(&self.ours).chain(&self.others);
        all.filter_map(|runs| runs.ending().map(Ending::words)).collect::<Vec<_>>().join("; ")
    }
}

/// A tool that we are compared with.
#[derive(Clone, Debug)]
pub(super) struct Subject {
    pub(super) kind: Kind,
    pub(super) version: String,
    /// The command, without program and constants.
    pub(super) flags: String,
    /// Processor time for the trivial program.
    pub(super) startup: f64,
}

impl Subject {
    pub(super) fn new(tool: &Tool, startup: f64) -> Self {
        Self { kind: tool.kind, version: tool.version.clone(), flags: tool.flags.join(" "), startup }
    }
}

/// Everything that was measured.
#[derive(Debug)]
pub(super) struct Comparison {
    /// Our processor time for the trivial program.
    pub(super) startup: f64,
    pub(super) subjects: Vec<Subject>,
    pub(super) rows: Vec<Measured>,
}

/// How many times our time another tool takes on one row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ratio {
    /// Without start-up, best against best.
    pub(super) best: f64,
    /// Without start-up, their best against our worst.
    pub(super) worst: f64,
    /// Start-up and compiler included, best against best.
    pub(super) whole: f64,
}

/// Ratios of many rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Summary {
    pub(super) rows: usize,
    /// Geometric means.
    pub(super) mean: Ratio,
    pub(super) smallest: f64,
    pub(super) largest: f64,
}

impl Comparison {
    /// Our time for a row without start-up, of the best run and of the worst.
    pub(super) fn our_seconds(&self, row: &Measured) -> Option<(f64, f64)> {
        let net = |seconds: f64| (seconds - self.startup).max(0.0);
        Some((net(row.ours.counts()?.seconds), net(row.ours.worst()?)))
    }

    /// The time of a subject for a row, without start-up.
    pub(super) fn their_seconds(&self, row: &Measured, subject: usize) -> Option<f64> {
        Some((row.others[subject].counts()?.seconds - self.subjects[subject].startup).max(0.0))
    }

    /// How many times our time a subject takes on a row, where both finish.
    pub(super) fn ratio(&self, row: &Measured, subject: usize) -> Option<Ratio> {
        let (best, worst) = self.our_seconds(row)?;
        let theirs = self.their_seconds(row, subject)?.max(RESOLUTION);
        let whole = row.others[subject].counts()?.seconds / row.ours.counts()?.seconds.max(RESOLUTION);
        Some(Ratio { best: theirs / best.max(RESOLUTION), worst: theirs / worst.max(RESOLUTION), whole })
    }

    /// The ratios of a subject on the large rows.
    pub(super) fn summary(&self, subject: usize) -> Option<Summary> {
        let is_large = |row: &&Measured| {
            let executions = |runs: &Runs| runs.counts().map_or(0, |counts| counts.executions);
            executions(&row.ours).max(executions(&row.others[subject])) >= LARGE
        };
        let large = self.rows.iter().filter(is_large);
        let ratios: Vec<Ratio> = large.filter_map(|row| self.ratio(row, subject)).collect();
        if ratios.is_empty() {
            return None;
        }
        let mean = |value: fn(&Ratio) -> f64| {
            let sum: f64 = ratios.iter().map(|ratio| value(ratio).ln()).sum();
            (sum / ratios.len() as f64).exp()
        };
        Some(Summary {
            rows: ratios.len(),
            mean: Ratio {
                best: mean(|ratio| ratio.best),
                worst: mean(|ratio| ratio.worst),
                whole: mean(|ratio| ratio.whole),
            },
            smallest: ratios.iter().map(|ratio| ratio.best).fold(f64::INFINITY, f64::min),
            largest: ratios.iter().map(|ratio| ratio.best).fold(0.0, f64::max),
        })
    }

    /// What is wrong with a row: our own failures, and where another tool does better.
    pub(super) fn marks(&self, row: &Measured) -> Vec<String> {
        let Some(ours) = row.ours.counts() else {
            return vec![row.ours.ending().map_or("not run".into(), Ending::words)];
        };
        let mut marks = Vec::new();
        if ours.executions != row.row.executions {
            marks.push(format!("{} executions expected", row.row.executions));
        }
        if row.ours.differ {
            marks.push("two runs of ours count differently".into());
        }
        for (index, subject) in self.subjects.iter().enumerate() {
            let Some(theirs) = row.others[index].counts() else { continue };
            let explored = |counts: Counts| counts.executions + counts.blocked;
            if ours.executions > theirs.executions || explored(ours) > explored(theirs) {
                marks.push(format!("more executions than {}", subject.kind.name()));
            }
            let seconds = self.our_seconds(row).zip(self.their_seconds(row, index));
            if seconds.is_some_and(|((ours, _), theirs)| ours > theirs + SLACK) {
                marks.push(format!("slower than {}", subject.kind.name()));
            }
        }
        marks
    }

    /// The marks of all rows, with the rows.
    pub(super) fn failures(&self) -> Vec<String> {
        let marked = |row: &Measured| {
            let marks = self.marks(row);
            (!marks.is_empty()).then(|| format!("{} {}: {}", row.row.program, row.row.constants, marks.join(", ")))
        };
        self.rows.iter().filter_map(marked).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finished(executions: u64, seconds: f64) -> Ending {
        Ending::Finished(Counts { executions, blocked: 0, seconds })
    }

    fn measured(expected: u64, ours: &[Ending], theirs: &[Ending]) -> Measured {
        let row = Row { program: "p.c", constants: "N=1", algorithm: "optimal", executions: expected };
        let mut measured = Measured::new(&row, 1);
        ours.iter().for_each(|ending| measured.ours.add(ending.clone()));
        theirs.iter().for_each(|ending| measured.others[0].add(ending.clone()));
        measured
    }

    fn comparison(rows: Vec<Measured>) -> Comparison {
        let genmc = Subject { kind: Kind::GenMc, version: "0.11".into(), flags: "--sc".into(), startup: 0.1 };
        Comparison { startup: 0.2, subjects: vec![genmc], rows }
    }

    #[test]
    fn ratios_leave_out_startup_and_small_rows() {
        let comparison = comparison(vec![
            measured(20_000, &[finished(20_000, 0.7), finished(20_000, 0.4)], &[finished(20_000, 0.5)]),
            measured(20_000, &[finished(20_000, 0.4)], &[finished(20_000, 1.7)]),
            measured(5, &[finished(5, 0.4)], &[finished(5, 50.0)]),
            measured(30_000, &[finished(30_000, 0.4)], &[Ending::Timeout]),
        ]);
        let close = |a: f64, b: f64| (a - b).abs() < 1e-9;
        let ratio = comparison.ratio(&comparison.rows[0], 0).unwrap();
        assert!(close(ratio.best, 2.0) && close(ratio.worst, 0.8) && close(ratio.whole, 1.25));
        assert_eq!(comparison.ratio(&comparison.rows[3], 0), None);
        let summary = comparison.summary(0).unwrap();
        assert_eq!(summary.rows, 2);
        assert!(close(summary.mean.best, 4.0) && close(summary.smallest, 2.0) && close(summary.largest, 8.0));
        assert!(comparison.failures().is_empty());
    }

    #[test]
    fn rows_on_which_others_do_better_are_marked() {
        let marks = |expected, ours: &[Ending], theirs: &[Ending]| {
            let comparison = comparison(vec![measured(expected, ours, theirs)]);
            comparison.marks(&comparison.rows[0])
        };
        assert_eq!(marks(9, &[finished(9, 0.5)], &[finished(9, 0.3)]), ["slower than GenMC"]);
        assert_eq!(marks(9, &[finished(9, 0.205)], &[finished(9, 0.1)]), [""; 0]);
        assert_eq!(marks(9, &[finished(9, 0.2)], &[finished(8, 0.1)]), ["more executions than GenMC"]);
        assert_eq!(marks(9, &[finished(8, 0.2)], &[finished(8, 0.1)]), ["9 executions expected"]);
        assert_eq!(marks(9, &[Ending::Timeout], &[finished(9, 0.1)]), ["time limit"]);
        let blocked = Ending::Finished(Counts { executions: 9, blocked: 2, seconds: 0.2 });
        assert_eq!(marks(9, std::slice::from_ref(&blocked), &[finished(9, 0.1)]), ["more executions than GenMC"]);
        assert_eq!(marks(9, &[finished(9, 0.2)], &[blocked]), [""; 0]);
        let differ = [finished(9, 0.2), finished(8, 0.3)];
        assert_eq!(marks(9, &differ, &[]), ["two runs of ours count differently"]);
    }
}
