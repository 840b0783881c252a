//! When steps commute: what a program declares is proven, and more is found by a solver.

mod actor;
mod cache;
mod process;
mod words;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use mazurka_machine::Place;
pub use mazurka_smt::synthesis::asking::Shortfall;
pub use mazurka_smt::synthesis::proof::Verified;
use mazurka_smt::{Error, Settings as SolverSettings, Solver, Supply};
use mazurka_trace::SiteId;
use serde::Serialize;

use cache::Cache;
use words::unproven;
pub use words::{sentence, shortcomings, words};

use crate::load::Loaded;
use crate::program::Program;
use crate::refusal::Refusal;

/// How constraints are found and proven.
#[derive(Clone, Debug)]
pub struct Solving {
    /// The solver, a program that reads SMT-LIB.
    pub solver: String,
    /// Where that name comes from, for messages.
    pub named_by: String,
    /// How long the solver may take for one question about two steps.
    pub question: Duration,
    /// For how long constraints are looked for.
    pub whole: Duration,
    /// The folder in which what was found is kept for the next time.
    pub cache: Option<PathBuf>,
    /// Whether declarations that could not be proven are used all the same.
    pub trust: bool,
}

impl Default for Solving {
    /// Z3, half a second for a question, a minute in all; nothing is kept.
    fn default() -> Self {
        Self {
            solver: SolverSettings::default().program,
            named_by: String::new(),
            question: Duration::from_millis(500),
            whole: Duration::from_secs(60),
            cache: None,
            trust: false,
        }
    }
}

/// A solver at work, and what was found before.
pub struct Prover {
    known: Cache,
    supply: Supply<'static>,
    stop: Arc<AtomicBool>,
    until: Option<Instant>,
}

impl Prover {
    /// One that starts its solver once that is needed. Setting `stop` ends what it does. It has no
    /// more time than `limit`.
    pub fn new(solving: &Solving, stop: &Arc<AtomicBool>, limit: Option<Duration>) -> Prover {
        let settings = SolverSettings {
            program: solving.solver.clone(),
            named_by: solving.named_by.clone(),
            time_limit: Some(solving.question),
            stop: Some(Arc::clone(stop)),
        };
        let time = limit.map_or(solving.whole, |limit| limit.min(solving.whole));
        Prover {
            known: Cache::in_folder(solving.cache.clone()),
            supply: Supply::new(move || Solver::start(settings.clone())),
            stop: Arc::clone(stop),
            until: Instant::now().checked_add(time),
        }
    }

    /// How long the solver has worked.
    pub fn time(&self) -> Duration {
        self.supply.time()
    }

    /// What was found before, the solver, and whether somebody said stop or the time is over.
    fn parts(&mut self) -> (&mut Cache, &mut Supply<'static>, impl Fn() -> bool) {
        let (stop, until) = (Arc::clone(&self.stop), self.until);
        let is_late = move || stop.load(Ordering::Relaxed) || until.is_some_and(|until| Instant::now() >= until);
        (&mut self.known, &mut self.supply, is_late)
    }
}

/// What was found about two steps.
pub struct Found {
    /// The steps.
    pub steps: [Step; 2],
    /// The constraints; none where nothing is known.
    pub constraints: Option<Vec<String>>,
    /// The steps commute in no other state.
    pub necessary: bool,
    /// Why nothing is known, or not all.
    pub reason: Option<&'static str>,
}

/// What came of the proof of a declaration, for two steps.
pub struct Proven {
    /// Which of the program's declarations.
    pub number: usize,
    /// The declaration, as it stands in the program.
    pub declaration: String,
    /// The steps.
    pub steps: [Step; 2],
    /// Where they stand.
    pub sites: [SiteId; 2],
    /// What came of it.
    pub verified: Verified,
}

/// A step, for people.
#[derive(Clone, Serialize)]
pub struct Step {
    /// file:line:column
    pub location: String,
    /// The statement or method.
    pub text: String,
}

impl From<Place> for Step {
    fn from(place: Place) -> Step {
        Step { location: format!("{}:{}:{}", place.file, place.line, place.column), text: place.text }
    }
}

/// The declarations of a program.
pub fn declarations(program: &Program) -> Vec<String> {
    match program {
        Program::Process { image, checked, .. } => process::declarations(image, checked),
        Program::Actor { image, .. } => actor::declarations(image),
        Program::C { .. } | Program::Network { .. } => Vec::new(),
    }
}

/// What comes of the proofs of a program's declarations.
pub fn proofs(program: &Program, prover: &mut Prover) -> Result<Vec<Proven>, Error> {
    match program {
        Program::Process { image, checked, .. } => process::proofs(image, checked, prover),
        Program::Actor { image, .. } => actor::proofs(image, prover),
        Program::C { .. } | Program::Network { .. } => Ok(Vec::new()),
    }
}

/// What is found about every two steps, or about those that have something in common.
pub fn pairs(program: &Program, prover: &mut Prover, all: bool) -> Result<(Vec<Found>, Shortfall), Error> {
    match program {
        Program::Process { image, .. } => process::pairs(image, prover, all),
        Program::Actor { image, .. } => actor::pairs(image, prover, all),
        Program::C { .. } | Program::Network { .. } => Ok((Vec::new(), Shortfall::default())),
    }
}

/// Gives a program all that is known of when its steps commute: proves what it declares, and finds
/// out more, within a time. Where there is no solver, or it does not do its work, that is said in
/// the notes that come back, and nothing is used that is not proven, unless it is to be trusted.
pub(crate) fn prepare(
    loaded: &mut Loaded,
    solving: &Solving,
    stop: &Arc<AtomicBool>,
    limit: Option<Duration>,
) -> Result<Vec<String>, Refusal> {
    if matches!(loaded.program, Program::Network { .. }) {
        // What is known of networks is known of all of them: no solver is needed.
        return Ok(Vec::new());
    }
    let mut prover = Prover::new(solving, stop, limit);
    let trust = solving.trust;
    let mut notes = Vec::new();
    if loaded.program.declares_constraints() {
        match proofs(&loaded.program, &mut prover) {
            Ok(found) => {
                refuse_wrong(&loaded.path, &found)?;
                notes.extend(unproven(&loaded.path, &found, trust));
                use_declared(&mut loaded.program, if trust { Used::All } else { Used::These(&found) });
            }
            Err(error) if trust => {
                notes.push(format!("declared constraints are believed without a proof: {error}"));
                use_declared(&mut loaded.program, Used::All);
            }
            Err(error) => {
                notes.push(format!(
                    "declared constraints are not used, since they could not be proven (--trust uses them): {error}"
                ));
                use_declared(&mut loaded.program, Used::These(&[]));
            }
        }
    }
    match use_found(&mut loaded.program, &mut prover) {
        Ok(shortfall) => notes.extend(shortcomings(&shortfall, stop)),
        Err(error) => notes.push(format!("no constraints are looked for: {error}")),
    }
    loaded.solver_time = prover.time();
    Ok(notes)
}

/// Which declarations are used.
#[derive(Clone, Copy)]
enum Used<'a> {
    /// All of them.
    All,
    /// Those of these that are proven.
    These(&'a [Proven]),
}

/// Gives a program its declared constraints.
fn use_declared(program: &mut Program, used: Used<'_>) {
    match program {
        Program::Process { image, checked, .. } => process::use_declared(Arc::make_mut(image), checked, used),
        Program::Actor { image, .. } => actor::use_declared(Arc::make_mut(image), used),
        Program::C { .. } | Program::Network { .. } => {}
    }
}

/// Gives a program the constraints that are found.
fn use_found(program: &mut Program, prover: &mut Prover) -> Result<Shortfall, Error> {
    match program {
        Program::Process { image, .. } => process::use_found(Arc::make_mut(image), prover),
        Program::Actor { image, .. } => actor::use_found(Arc::make_mut(image), prover),
        Program::C { .. } | Program::Network { .. } => Ok(Shortfall::default()),
    }
}

/// Refuses a program that declares what is wrong.
fn refuse_wrong(path: &str, found: &[Proven]) -> Result<(), Refusal> {
    match found.iter().find(|proven| matches!(proven.verified, Verified::Refuted { .. })) {
        None => Ok(()),
        Some(wrong) => Err(Refusal::with_help(
            sentence(wrong),
            format!("`mazurka constraints {path} --verify` tells about all of them"),
        )),
    }
}

/// What is said where constraints were of no use.
pub(crate) const UNUSED: &str = "integers are too large for what is known of when steps commute; it was not used";
