//! A solver: a process that reads SMT-LIB and answers.
//!
//! Which program that is, the caller says ([`Settings::program`]); nothing here reads the
//! environment. Terms are given with every shared part once. Whatever the process does, a call
//! comes back: it is watched by a clock, and one that hangs, dies or answers something else than
//! was requested is [`Answer::Unknown`] or an [`Error`], never an answer.

mod child;
mod clause;
mod error;
mod expression;
mod script;
mod supply;
#[cfg(test)]
mod tests;
mod usage;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::term::{Arena, Sort, Term, Value};

use child::{Child, Failure};
pub use error::Error;
use expression::Expression;
use script::Script;
pub use supply::Supply;
pub use usage::Usage;

/// What a solver is started with.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The program, looked for on the path unless it is one, and words that stand before all
    /// others.
    pub program: String,
    /// Who named it, for the error where there is no such program: `--solver`, `MAZURKA_SOLVER`;
    /// empty for the default.
    pub named_by: String,
    /// How long a question may take; nothing for as long as it likes.
    pub time_limit: Option<Duration>,
    /// Set from outside, it ends a question that is being answered.
    pub stop: Option<Arc<AtomicBool>>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { program: "z3".to_owned(), named_by: String::new(), time_limit: None, stop: None }
    }
}

/// Whether what was asserted can hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It can; [`Solver::values`] tells how.
    Sat,
    /// It cannot.
    Unsat,
    /// The solver does not know, for this reason.
    Unknown(Reason),
}

/// Why a solver does not know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The time was over.
    TimeLimit,
    /// Somebody said stop.
    Stopped,
    /// What the solver says itself.
    Said(String),
}

/// What a solver counts, as far as it tells. All are sums since it was started.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Statistics {
    /// Conflicts.
    pub conflicts: u64,
    /// Decisions.
    pub decisions: u64,
    /// Propagations.
    pub propagations: u64,
    /// Memory in use now, or at most, in bytes.
    pub memory: u64,
}

/// A solver process.
#[derive(Debug)]
pub struct Solver {
    child: Child,
    script: Script,
    settings: Settings,
    is_z3: bool,
    spent: Duration,
}

/// So much longer than the limit that the solver was told, the clock waits before it ends the
/// process.
const GRACE: Duration = Duration::from_millis(500);

/// How long anything but a question may take.
const PATIENCE: Duration = Duration::from_secs(30);

impl Solver {
    /// Starts a solver.
    ///
    /// # Errors
    /// Where there is no such program, or it is no solver.
    pub fn start(settings: Settings) -> Result<Solver, Error> {
        let mut child = Child::start(&settings)?;
        child.send("(set-option :produce-models true)\n(get-info :name)\n");
        let name = match child.reply(Some(Instant::now() + PATIENCE), settings.stop.as_deref()) {
            Ok(reply) => reply.to_string(),
            Err(Failure::Time | Failure::Stopped) => return Err(Error::Silent { program: settings.program }),
            Err(failure) => return Err(child.error(failure)),
        };
        if !name.starts_with("(:name ") {
            return Err(Error::nonsense("(:name …)", &name));
        }
        let is_z3 = name.to_ascii_lowercase().contains("z3");
        let mut solver = Solver { child, script: Script::default(), settings, is_z3, spent: Duration::ZERO };
        solver.tell_time_limit();
        Ok(solver)
    }

    /// Gives further questions this much time.
    pub fn set_time_limit(&mut self, limit: Option<Duration>) {
        self.settings.time_limit = limit;
        self.tell_time_limit();
    }

    /// Z3 can be told, and is then still alive afterwards. Others are ended by the clock.
    fn tell_time_limit(&mut self) {
        if self.is_z3 {
            let limit = self.settings.time_limit.map_or(u128::from(u32::MAX), |limit| limit.as_millis().max(1));
            self.child.send(&format!("(set-option :timeout {})\n", limit.min(u128::from(u32::MAX))));
        }
    }

    /// An option of the solver's own, for Z3 alone: others are not told.
    pub fn z3_option(&mut self, option: &str, value: &str) {
        if self.is_z3 {
            self.child.send(&format!("(set-option :{option} {value})\n"));
        }
    }

    /// From here on, until the matching [`Solver::pop`], what is asserted is asserted for a while.
    pub fn push(&mut self) {
        self.script.push();
        self.child.send("(push 1)\n");
    }

    /// Takes back what was asserted since the matching [`Solver::push`].
    pub fn pop(&mut self) {
        if self.script.pop() {
            self.child.send("(pop 1)\n");
        }
    }

    /// Lets the solver know of terms, so that it can be requested their values after the next
    /// question.
    pub fn declare(&mut self, arena: &Arena, terms: &[Term]) {
        let text = self.script.definitions(arena, terms);
        self.child.send(&text);
    }

    /// Asserts that a term holds.
    pub fn assert(&mut self, arena: &Arena, term: Term) {
        let text = self.script.assertion(arena, term);
        self.child.send(&text);
    }

    /// Tells the solver of terms whose values will be requested, so that they need not be written
    /// out then.
    pub fn define(&mut self, arena: &Arena, terms: &[Term]) {
        let text = self.script.definitions(arena, terms);
        self.child.send(&text);
    }

    /// Whether what was asserted can hold.
    ///
    /// # Errors
    /// Where the solver died, or answered something else.
    pub fn check(&mut self) -> Result<Answer, Error> {
        self.ask("(check-sat)")
    }

    /// Whether what was asserted can hold together with these terms.
    ///
    /// # Errors
    /// As [`Solver::check`].
    pub fn check_assuming(&mut self, arena: &Arena, terms: &[Term]) -> Result<Answer, Error> {
        let (definitions, literals) = self.script.literals(arena, terms);
        self.child.send(&definitions);
        self.ask(&format!("(check-sat-assuming ({}))", literals.join(" ")))
    }

    fn ask(&mut self, question: &str) -> Result<Answer, Error> {
        let begin = Instant::now();
        let until = self.settings.time_limit.and_then(|limit| begin.checked_add(limit.saturating_add(GRACE)));
        let reply = self.command(question, until);
        self.spent += begin.elapsed();
        match reply {
            Err(Failure::Time) => Ok(Answer::Unknown(Reason::TimeLimit)),
            Err(Failure::Stopped) => Ok(Answer::Unknown(Reason::Stopped)),
            Err(failure) => Err(self.child.error(failure)),
            Ok(reply) => match reply.to_string().as_str() {
                "sat" => Ok(Answer::Sat),
                "unsat" => Ok(Answer::Unsat),
                "unknown" => Ok(Answer::Unknown(self.reason(begin)?)),
                "timeout" => Ok(Answer::Unknown(Reason::TimeLimit)),
                other => Err(self.nonsense("sat, unsat or unknown", other)),
            },
        }
    }

    fn reason(&mut self, begin: Instant) -> Result<Reason, Error> {
        if self.settings.time_limit.is_some_and(|limit| begin.elapsed() >= limit) {
            return Ok(Reason::TimeLimit);
        }
        let reply = self.info(":reason-unknown")?;
        let said = match &reply {
            Expression::List(words) if words.len() == 2 => words[1].to_string(),
            other => other.to_string(),
        };
        // Its clock can be a little ahead of ours.
        let in_time =
            self.settings.time_limit.is_none() || !["timeout", "canceled"].iter().any(|word| said.contains(word));
        Ok(if in_time { Reason::Said(said) } else { Reason::TimeLimit })
    }

    /// One command that has one answer, with a mark behind it by which a second answer, or none, is
    /// noticed.
    fn command(&mut self, command: &str, until: Option<Instant>) -> Result<Expression, Failure> {
        let mark = self.child.mark();
        self.child.send(&format!("{command}\n(echo \"{mark}\")\n"));
        let stop = self.settings.stop.clone();
        let reply = self.child.reply(until, stop.as_deref())?;
        if reply.is_word(&mark) {
            return Err(self.child.confused(format!("no answer to {command}")));
        }
        // The end of an answer is near once it has begun.
        let behind = self.child.reply(Some(Instant::now() + PATIENCE), None)?;
        if !behind.is_word(&mark) {
            return Err(self.child.confused(format!("{reply} {behind}")));
        }
        Ok(reply)
    }

    fn info(&mut self, which: &str) -> Result<Expression, Error> {
        let until = Some(Instant::now() + PATIENCE);
        self.command(&format!("(get-info {which})"), until).map_err(|failure| self.child.error(failure))
    }

    /// After [`Answer::Sat`]: the values of terms, which are truth values or integers, in the found
    /// solution.
    ///
    /// # Errors
    /// Where the solver died, or answered something else.
    pub fn values(&mut self, arena: &Arena, terms: &[Term]) -> Result<Vec<Value>, Error> {
        if terms.is_empty() {
            return Ok(Vec::new());
        }
        let text = self.script.references(arena, terms);
        let until = Some(Instant::now() + PATIENCE);
        let command = format!("(get-value ({}))", text.join(" "));
        let reply = self.command(&command, until).map_err(|failure| self.child.error(failure))?;
        let Some(pairs) = reply.list().filter(|pairs| pairs.len() == terms.len()) else {
            return Err(self.nonsense("a value for each term", &reply.to_string()));
        };
        let mut values = Vec::with_capacity(pairs.len());
        for (pair, &term) in pairs.iter().zip(terms) {
            let value = match pair.list() {
                Some([_, value]) => read_value(value, arena.sort(term)),
                _ => None,
            };
            match value {
                Some(value) => values.push(value),
                None => return Err(self.nonsense("a term with its value", &pair.to_string())),
            }
        }
        Ok(values)
    }

    /// What the solver has counted so far; zeros where it does not tell.
    ///
    /// # Errors
    /// Where the solver died.
    pub fn statistics(&mut self) -> Result<Statistics, Error> {
        let reply = self.info(":all-statistics")?;
        let mut statistics = Statistics::default();
        for pair in reply.list().unwrap_or_default().chunks_exact(2) {
            let (key, number) = (pair[0].to_string(), pair[1].to_string().parse::<f64>().unwrap_or(0.0));
            match key.trim_start_matches(':') {
                "conflicts" | "sat-conflicts" => statistics.conflicts += number as u64,
                "decisions" | "sat-decisions" => statistics.decisions += number as u64,
                "propagations" | "sat-propagations-nary" => statistics.propagations += number as u64,
                "max-memory" => statistics.memory = (number * f64::from(1 << 20)) as u64,
                _ => {}
            }
        }
        Ok(statistics)
    }

    /// The time that questions have taken so far.
    pub fn time(&self) -> Duration {
        self.spent
    }

    /// What its process has used of the machine so far.
    pub fn usage(&mut self) -> Usage {
        self.child.usage()
    }

    /// How many bytes the solver has been given to read so far.
    pub fn size(&self) -> usize {
        self.child.sent()
    }

    fn nonsense(&mut self, expected: &str, got: &str) -> Error {
        let failure = self.child.confused(got.to_owned());
        match self.child.error(failure) {
            Error::Nonsense { got, .. } => Error::Nonsense { expected: expected.to_owned(), got },
            other => other,
        }
    }
}

/// `5`, `(- 5)`, `true`.
fn read_value(value: &Expression, sort: Sort) -> Option<Value> {
    match (sort, value) {
        (Sort::Bool, Expression::Word(word)) => word.parse().ok().map(Value::Bool),
        (Sort::Int, Expression::Word(word)) => {
            word.bytes().all(|byte| byte.is_ascii_digit()).then(|| word.parse().ok().map(Value::Int))?
        }
        (Sort::Int, Expression::List(parts)) => match &parts[..] {
            [minus, Expression::Word(word)] if minus.is_word("-") => {
                // With its sign, since the smallest number has no opposite.
                word.bytes()
                    .all(|byte| byte.is_ascii_digit())
                    .then(|| format!("-{word}").parse().ok().map(Value::Int))?
            }
            _ => None,
        },
        _ => None,
    }
}
