//! Suites: programs, and what a paper counted on them.
//!
//! A suite is a folder of `bench/suites`: programs, and a table `suite.csv`. The table begins with
//! lines that say what it is:
//!
//! ```text
//! # title: in a few words, for the list of suites
//! # paper: which tables of which paper
//! # machine: what the paper measured with
//! # bar: optimal-cs-observers: optimal-cs-observers cs
//! # exact: optimal observers
//! # mixed: yes
//! ```
//!
//! `bar` has the figures that an algorithm is held to: the smallest of these columns. `exact` has
//! algorithms whose figures are sizes of equivalences, to be met exactly. Where rows are `mixed`,
//! each is run with the algorithms that it has figures of, unless others are requested.
//!
//! Then come a header and the rows. `program` names a file, without its ending; `parameters` are
//! values of its constants, with spaces between; `figures` is `exact`, or `at-most` where the paper
//! does not print the program and ours is another one. Every other column is an algorithm's number
//! of executions (`timeout` where the paper's run did not finish, empty where the paper says
//! nothing), or, with ` time` behind the algorithm's name, its time in seconds, or, with `
//! blocked`, the number of explorations that were cut: an upper bound. Two more columns may stand
//! there: `violation` says whether the program fails (`yes`, `no`; then all of its executions are
//! explored all the same; or `first`: nothing is explored after the first violation), and
//! `options` holds further words for the command line.
//!
//! A suite with `# command: bmc` is one for bounded model checking: there, names of reductions
//! stand in the place of those of algorithms, `steps` is the depth, and `violation` says whether
//! there is one (`yes`, `no`). Columns are a reduction's ` time` (`timeout` where the paper's run
//! did not finish), ` conflicts` and ` decisions`.
//!
//! A suite with `# command: deadlocks` is one for `mazurka deadlocks`: `violation` says whether
//! there is a deadlock, `cycles`, `none` and `guided` are the paper's numbers of cycles and of
//! states, without guidance and with it.
//!
//! A suite with `# command: contexts` is one for `mazurka contexts --deadlock`: `syst`, `generated`
//! and `deadlocks` are the paper's numbers of contexts; `expected` is how many have a deadlock. The
//! parameter is the largest number of tasks of a method.

use std::collections::{BTreeMap, BTreeSet};

use mazurka::Refusal;

/// The name of the table.
const TABLE: &str = "suite.csv";

/// A folder as it was when this program was built.
struct Embedded {
    name: &'static str,
    files: &'static [(&'static str, &'static str)],
}

const EMBEDDED: &[Embedded] = include!(concat!(env!("OUT_DIR"), "/suites.rs"));

/// Values of constants, in the order of the table.
pub(crate) type Parameters = Vec<(String, i64)>;

/// What a paper says about one run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Figure {
    /// How many executions.
    pub(crate) executions: Option<Executions>,
    /// In how many seconds, on the paper's machine.
    pub(crate) time: Option<f64>,
    /// How many explorations were cut.
    pub(crate) blocked: Option<u64>,
    /// How many conflicts the paper's solver had.
    pub(crate) conflicts: Option<u64>,
    /// How many decisions it took.
    pub(crate) decisions: Option<u64>,
}

/// How many executions the paper's tool explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Executions {
    /// So many.
    Counted(u64),
    /// It did not finish.
    Timeout,
}

/// One row of the paper's table.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// The program.
    pub(crate) program: String,
    /// Its size.
    pub(crate) parameters: Parameters,
    /// Whether the figures of some algorithms are to be met exactly.
    pub(crate) is_exact: bool,
    /// How deep a bounded model checker is to look.
    pub(crate) steps: usize,
    /// Whether a violation is to be found.
    pub(crate) fails: bool,
    /// Nothing is explored after it.
    pub(crate) stops: bool,
    /// Further words for the command line.
    pub(crate) options: Vec<String>,
    /// The figures, by algorithm or reduction.
    pub(crate) figures: BTreeMap<String, Figure>,
}

/// A suite.
#[derive(Debug, Default)]
pub(crate) struct Suite {
    /// Its name.
    pub(crate) name: String,
    /// What it is.
    pub(crate) title: String,
    /// Where it is from.
    pub(crate) paper: String,
    /// What the paper measured with.
    pub(crate) machine: String,
    /// It is one for bounded model checking.
    pub(crate) is_bounded: bool,
    /// It is one for `mazurka deadlocks`.
    pub(crate) is_of_deadlocks: bool,
    /// It is one for `mazurka contexts --deadlock`.
    pub(crate) is_of_contexts: bool,
    /// Its rows are from several tables, and each is run with the algorithms of its own figures.
    pub(crate) is_mixed: bool,
    /// Algorithms that are held to other columns than their own.
    bars: BTreeMap<String, Vec<String>>,
    /// Algorithms whose figures are sizes of equivalences.
    exact: Vec<String>,
    /// The rows, in the paper's order.
    pub(crate) rows: Vec<Row>,
    /// The programs.
    files: Vec<(String, &'static str)>,
}

impl Suite {
    /// All of them.
    pub(crate) fn all() -> Result<Vec<Suite>, Refusal> {
        EMBEDDED.iter().map(Suite::read).collect()
    }

    /// The one of this name.
    pub(crate) fn named(name: &str) -> Result<Suite, Refusal> {
        let embedded = EMBEDDED.iter().find(|embedded| embedded.name == name);
        embedded.map(Suite::read).unwrap_or_else(|| {
            let names: Vec<&str> = EMBEDDED.iter().map(|embedded| embedded.name).collect();
            Err(Refusal::with_help(format!("there is no suite `{name}`"), format!("there are: {}", names.join(", "))))
        })
    }

    fn read(embedded: &Embedded) -> Result<Suite, Refusal> {
        let refused = |error: String| Refusal::new(format!("suite `{}`: {error}", embedded.name));
        let table = embedded.files.iter().find(|(name, _)| *name == TABLE);
        let (_, table) = table.ok_or_else(|| refused(format!("there is no `{TABLE}`")))?;
        let mut suite = Suite::parse(table).map_err(refused)?;
        suite.name = embedded.name.to_owned();
        suite.files = embedded.files.iter().map(|&(name, text)| (name.to_owned(), text)).collect();
        Ok(suite)
    }

    /// Reads a table.
    fn parse(table: &str) -> Result<Suite, String> {
        let mut suite = Suite::default();
        let mut header: Option<Vec<&str>> = None;
        for (number, line) in table.lines().enumerate() {
            let taken = if let Some(text) = line.strip_prefix('#') {
                suite.describe(text)
            } else if line.trim().is_empty() {
                Ok(())
            } else if let Some(header) = &header {
                Row::parse(header, line).map(|row| suite.rows.push(row))
            } else {
                header = Some(line.split(',').map(str::trim).collect());
                Ok(())
            };
            taken.map_err(|error| format!("{TABLE}, line {}: {error}", number + 1))?;
        }
        Ok(suite)
    }

    /// Takes a line of the description.
    fn describe(&mut self, text: &str) -> Result<(), String> {
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let (key, value) = text.split_once(':').ok_or("expected `# key: value`")?;
        match key.trim() {
            "title" => self.title = value.trim().to_owned(),
            "paper" => self.paper = value.trim().to_owned(),
            "machine" => self.machine = value.trim().to_owned(),
            "exact" => self.exact = words(value),
            "mixed" => match value.trim() {
                "yes" => self.is_mixed = true,
                "no" => self.is_mixed = false,
                other => return Err(format!("`{other}` is neither `yes` nor `no`")),
            },
            "command" => match value.trim() {
                "bmc" => self.is_bounded = true,
                "deadlocks" => self.is_of_deadlocks = true,
                "contexts" => self.is_of_contexts = true,
                other => return Err(format!("`{other}` is no command for suites")),
            },
            "bar" => {
                let (algorithm, columns) = value.split_once(':').ok_or("expected `# bar: algorithm: columns`")?;
                self.bars.insert(algorithm.trim().to_owned(), words(columns));
            }
            other => return Err(format!("`{other}` is not known")),
        }
        Ok(())
    }

    /// The programs that have rows, in the order of the table.
    pub(crate) fn programs(&self) -> Vec<&str> {
        let mut programs: Vec<&str> = Vec::new();
        for row in &self.rows {
            if !programs.contains(&row.program.as_str()) {
                programs.push(&row.program);
            }
        }
        programs
    }

    /// The columns that an algorithm is held to.
    pub(crate) fn bar(&self, algorithm: &str) -> Vec<String> {
        self.bars.get(algorithm).cloned().unwrap_or_else(|| vec![algorithm.to_owned()])
    }

    /// Whether an algorithm's figures are sizes of equivalences.
    pub(crate) fn is_exact(&self, algorithm: &str) -> bool {
        self.exact.iter().any(|exact| exact == algorithm)
    }

    /// Whether the paper has figures of this algorithm.
    pub(crate) fn is_measured(&self, algorithm: &str) -> bool {
        self.rows.iter().any(|row| row.figures.contains_key(algorithm))
    }

    /// The names of the algorithms that the paper has figures of.
    pub(crate) fn measured(&self) -> BTreeSet<&str> {
        self.rows.iter().flat_map(|row| row.figures.keys().map(String::as_str)).collect()
    }

    /// The text of a program, and the name of its file.
    pub(crate) fn program(&self, name: &str, kind: &str) -> Option<(&str, &'static str)> {
        let find = |kind: &str| {
            let file = format!("{name}.{kind}");
            self.files.iter().find(|(known, _)| *known == file).map(|(name, text)| (name.as_str(), *text))
        };
        // A program of actors is there in that form only.
        find(kind).or_else(|| find("abs").or_else(|| find("sdn")).filter(|_| kind == "mzk"))
    }
}

impl Row {
    fn parse(header: &[&str], line: &str) -> Result<Row, String> {
        let cells: Vec<&str> = line.split(',').map(str::trim).collect();
        if cells.len() != header.len() {
            return Err(format!("{} cells, but the header has {}", cells.len(), header.len()));
        }
        let mut row = Row {
            program: String::new(),
            parameters: Vec::new(),
            is_exact: false,
            steps: 0,
            fails: false,
            stops: false,
            options: Vec::new(),
            figures: BTreeMap::new(),
        };
        for (&column, &cell) in header.iter().zip(&cells) {
            row.take(column, cell).map_err(|error| format!("{column}: {error}"))?;
        }
        Ok(row)
    }

    fn take(&mut self, column: &str, cell: &str) -> Result<(), String> {
        match column {
            "program" => self.program = cell.to_owned(),
            "parameters" => {
                let parameters: Result<_, _> = cell.split_whitespace().map(mazurka::constant).collect();
                self.parameters = parameters?;
            }
            "figures" => {
                self.is_exact = match cell {
                    "exact" => true,
                    "at-most" => false,
                    _ => return Err(format!("`{cell}` is neither `exact` nor `at-most`")),
                }
            }
            "options" => self.options = cell.split_whitespace().map(str::to_owned).collect(),
            "steps" => self.steps = number(cell)? as usize,
            "violation" => {
                self.stops = cell == "first";
                self.fails = match cell {
                    "yes" | "first" => true,
                    "no" => false,
                    _ => return Err(format!("`{cell}` is neither `yes` nor `no` nor `first`")),
                }
            }
            _ if cell.is_empty() => {}
            _ => {
                if let (Some(reduction), "timeout") = (column.strip_suffix(" time"), cell) {
                    self.figures.entry(reduction.to_owned()).or_default().executions = Some(Executions::Timeout);
                } else if let Some(reduction) = column.strip_suffix(" conflicts") {
                    self.figures.entry(reduction.to_owned()).or_default().conflicts = Some(number(cell)?);
                } else if let Some(reduction) = column.strip_suffix(" decisions") {
                    self.figures.entry(reduction.to_owned()).or_default().decisions = Some(number(cell)?);
                } else if let Some(algorithm) = column.strip_suffix(" time") {
                    let time = cell.parse().map_err(|_| format!("`{cell}` is not a number of seconds"))?;
                    self.figures.entry(algorithm.to_owned()).or_default().time = Some(time);
                } else if let Some(algorithm) = column.strip_suffix(" blocked") {
                    self.figures.entry(algorithm.to_owned()).or_default().blocked = Some(number(cell)?);
                } else {
                    self.figures.entry(column.to_owned()).or_default().executions = Some(executions(cell)?);
                }
            }
        }
        Ok(())
    }
}

fn number(cell: &str) -> Result<u64, String> {
    cell.parse().map_err(|_| format!("`{cell}` is not a number"))
}

fn executions(cell: &str) -> Result<Executions, String> {
    match cell {
        "timeout" => Ok(Executions::Timeout),
        _ => number(cell).map(Executions::Counted),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every suite can be read, and has a program for each of its rows.
    #[test]
    fn the_suites_are_well_formed() {
        let suites = Suite::all().expect("all of them can be read");
        assert!(!suites.is_empty());
        for suite in suites {
            assert!(!suite.title.is_empty() && !suite.paper.is_empty() && !suite.rows.is_empty(), "{}", suite.name);
            for row in &suite.rows {
                let there = suite.files.iter().any(|(file, _)| file.split('.').next() == Some(&row.program));
                assert!(there, "{}: there is no program `{}`", suite.name, row.program);
                assert!(!row.parameters.is_empty(), "{}: `{}` has no size", suite.name, row.program);
            }
        }
    }

    #[test]
    fn a_table_is_read() {
        let table = "# title: T\n# bar: cs: cs optimal\n# exact: optimal\nprogram,parameters,figures,optimal,optimal time,cs,cs blocked\n\
                     p,N=3 K=2,exact,6,0.5,timeout,7\n";
        let suite = Suite::parse(table).expect("it is well-formed");
        assert_eq!((suite.title.as_str(), suite.programs()), ("T", vec!["p"]));
        assert_eq!(suite.bar("cs"), ["cs", "optimal"]);
        assert_eq!(suite.bar("optimal"), ["optimal"]);
        assert!(suite.is_exact("optimal") && !suite.is_exact("cs"));
        assert!(suite.is_measured("cs") && !suite.is_measured("none"));
        let row = &suite.rows[0];
        assert_eq!(row.parameters, [("N".to_owned(), 3), ("K".to_owned(), 2)]);
        assert_eq!(
            row.figures["optimal"],
            Figure { executions: Some(Executions::Counted(6)), time: Some(0.5), ..Figure::default() }
        );
        assert_eq!(
            row.figures["cs"],
            Figure { executions: Some(Executions::Timeout), blocked: Some(7), ..Figure::default() }
        );
    }

    #[test]
    fn mistakes_are_named() {
        for (table, complaint) in [
            ("# colour: red\n", "line 1: `colour` is not known"),
            ("program,parameters,figures\np,N=1\n", "line 2: 2 cells, but the header has 3"),
            ("program,parameters,figures\np,N=1,about\n", "neither `exact` nor `at-most`"),
            ("program,optimal\np,many\n", "optimal: `many` is not a number"),
            ("program,optimal time\np,soon\n", "`soon` is not a number of seconds"),
            ("# command: dance\n", "`dance` is no command"),
            ("program,violation\np,perhaps\n", "neither `yes` nor `no`"),
        ] {
            let error = Suite::parse(table).expect_err(table);
            assert!(error.contains(complaint), "{error}");
        }
    }
}
