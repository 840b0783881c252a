//! Every algorithm against the audit.

use std::collections::BTreeSet;
use std::fmt;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use mazurka_audit::{Budget, Census, Claim, Finding, Waiter, Watch, brute_force, check_claim};
use mazurka_explore::{Algorithm, Kept, Limits, Monitor, Options, explore, explore_parallel, shorten};
use mazurka_machine::{Companion, Describe, Machine, Rerun};
use mazurka_process::Image;
use mazurka_trace::{FaultKind, Outcome, Verdict};

use crate::load::{load, machine};

/// How thoroughly to check.
#[derive(Clone, Debug)]
pub struct Checks {
    /// Which algorithms.
    pub algorithms: Vec<Algorithm>,
    /// What brute force may cost; programs beyond it are skipped.
    pub budget: Budget,
    /// Also run up to the first violation only, and shorten what it finds.
    pub first_violation: bool,
    /// What follows only where an algorithm runs at most so many executions: time is better spent
    /// on another program.
    pub few: u64,
    /// Also run on a machine that rewinds by running again.
    pub rerun: bool,
    /// Also run with the first choices at random, from these seeds.
    pub shuffles: Vec<u64>,
    /// Also run with several workers, where they can divide the work: so many, from this seed.
    pub workers: Vec<(usize, u64)>,
    /// Engines that compare states take some for equal that differ in names of processes: what they
    /// find is compared up to those names.
    pub up_to_names: bool,
}

impl Default for Checks {
    fn default() -> Self {
        let budget = Budget { executions: 20_000, steps: 1_000_000, depth: 1_000 };
        Checks {
            algorithms: every_algorithm(),
            budget,
            few: 1_000,
            rerun: true,
            shuffles: vec![1],
            workers: vec![(1, 1), (2, 2)],
            first_violation: true,
            up_to_names: false,
        }
    }
}

/// All algorithms; of those with a parameter some.
fn every_algorithm() -> Vec<Algorithm> {
    let quasi = (1..=2).filter_map(NonZeroU32::new).map(Algorithm::Quasi);
    Algorithm::ALL.into_iter().chain(quasi).collect()
}

/// What a program amounts to, on which all algorithms agree.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Interleavings, complete.
    pub interleavings: u64,
    /// Interleavings that were discarded by an assumption.
    pub discarded: u64,
    /// Traces of the complete ones.
    pub traces: u64,
    /// Traces of the discarded ones.
    pub discarded_traces: u64,
    /// Distinct failures.
    pub findings: u64,
    /// Of these, in how many nobody can move.
    pub standstills: u64,
    /// Executions run by all the checks together.
    pub executions: u64,
}

/// Who disagrees with the truth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Culprit {
    /// The front end refuses the program.
    FrontEnd,
    /// The machine's events do not tell everything.
    Machine,
    /// Something panicked.
    Panic,
    /// An algorithm is wrong.
    Algorithm(Algorithm),
}

/// A difference between what is said and what is the case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Disagreement {
    /// Whose.
    pub culprit: Culprit,
    /// What differs.
    pub what: String,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.culprit {
            Culprit::FrontEnd => write!(f, "front end: {}", self.what),
            Culprit::Machine => write!(f, "machine: {}", self.what),
            Culprit::Panic => write!(f, "panic: {}", self.what),
            Culprit::Algorithm(algorithm) => write!(f, "{algorithm}: {}", self.what),
        }
    }
}

impl std::error::Error for Disagreement {}

impl Disagreement {
    pub(crate) fn new(culprit: Culprit, what: impl Into<String>) -> Self {
        Disagreement { culprit, what: what.into() }
    }

    /// Names who panicked.
    pub(crate) fn blame(self, culprit: Culprit) -> Self {
        match self.culprit {
            Culprit::Panic => Disagreement::new(culprit, format!("panic: {}", self.what)),
            Culprit::FrontEnd | Culprit::Machine | Culprit::Algorithm(_) => self,
        }
    }

    pub(crate) fn refused(what: String) -> Self {
        Disagreement { culprit: Culprit::FrontEnd, what }
    }
}

/// Runs every algorithm on a program and compares all it says with brute force: the counts, the
/// traces one by one, final states, failures with their schedules, the verdict. `None` for a
/// program that is too large for brute force.
///
/// # Errors
/// The first difference found. A program that the front end refuses is one, and so is a panic.
pub fn check_all_algorithms(source: &str, checks: &Checks) -> Result<Option<Counts>, Disagreement> {
    catch(|| check_image(load("random.mzk", source, &[]).map_err(Disagreement::refused)?, checks))
}

/// As [`check_all_algorithms`], for a program that is compiled already.
///
/// # Errors
/// The first difference found.
pub fn check_image(image: Arc<Image>, checks: &Checks) -> Result<Option<Counts>, Disagreement> {
    check_machine(machine(&image), checks)
}

/// As [`check_all_algorithms`], for any machine that can be copied; it is in its initial state.
///
/// # Errors
/// The first difference found.
pub fn check_machine<M: Machine + Describe + Companion + Clone + Send>(
    mut machine: M,
    checks: &Checks,
) -> Result<Option<Counts>, Disagreement> {
    catch(|| {
        let truth = catch(|| Ok(brute_force(&mut machine, checks.budget)));
        let Ok(truth) = truth.map_err(|disagreement| disagreement.blame(Culprit::Machine))? else { return Ok(None) };
        if let Some(contradiction) = truth.contradictions.first() {
            return Err(Disagreement::new(Culprit::Machine, contradiction));
        }
        // A machine numbers locations as it meets them. Copies of the one that has met all of them
        // agree on numbers.
        let case = Case { machine, truth, checks };
        let mut counts = case.counts();
        let mut explored: Vec<(Algorithm, u64)> = Vec::new();
        for &algorithm in &checks.algorithms {
            let culprit = Culprit::Algorithm(algorithm);
            let ran = catch(|| case.check(algorithm).map_err(|what| Disagreement::new(culprit, what)));
            let (executions, ran) = ran.map_err(|disagreement| disagreement.blame(culprit))?;
            counts.executions += ran;
            explored.push((algorithm, executions));
        }
        for &(algorithm, executions) in &explored {
            let weaker = explored.iter().filter(|(other, _)| is_stronger(algorithm, *other));
            for &(other, others) in weaker {
                if executions > others {
                    let what = format!("{executions} executions, {other} needs {others}");
                    return Err(Disagreement::new(Culprit::Algorithm(algorithm), what));
                }
            }
        }
        Ok(Some(counts))
    })
}

/// Whether an algorithm never needs more executions than the other one.
fn is_stronger(algorithm: Algorithm, other: Algorithm) -> bool {
    other == Algorithm::Optimal && (algorithm.compares_states() || algorithm.counts_observers())
}

/// A panic is a disagreement too: so it can be shrunk.
pub(crate) fn catch<T>(run: impl FnOnce() -> Result<T, Disagreement>) -> Result<T, Disagreement> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("of an unknown kind");
        Err(Disagreement::new(Culprit::Panic, text))
    })
}

/// Findings by methods and places alone: the name of a task is its method's up to `#`.
fn nameless(findings: &BTreeSet<&Finding>) -> BTreeSet<Finding> {
    let method = |process: &Arc<str>| Arc::from(process.split('#').next().unwrap_or_default());
    let finding = |finding: &&Finding| match finding {
        Finding::Fault { kind, process, site } => Finding::Fault { kind: *kind, process: method(process), site: *site },
        Finding::Deadlock(waiters) => {
            let waiters =
                waiters.iter().map(|Waiter { process, site }| Waiter { process: method(process), site: *site });
            let mut waiters: Vec<Waiter> = waiters.collect();
            waiters.sort();
            Finding::Deadlock(waiters)
        }
    };
    findings.iter().map(finding).collect()
}

/// A program, and the truth about it.
struct Case<'a, M> {
    /// In its initial state; it has run every execution.
    machine: M,
    truth: Census,
    checks: &'a Checks,
}

/// What an algorithm is to count.
#[derive(PartialEq, Eq, Debug)]
struct Totals {
    executions: u64,
    assume_blocked: u64,
}

impl<M: Machine + Describe + Companion + Clone + Send> Case<'_, M> {
    fn counts(&self) -> Counts {
        Counts {
            interleavings: self.truth.executions,
            discarded: self.truth.discarded,
            traces: self.truth.traces.len() as u64,
            discarded_traces: self.truth.discarded_traces.len() as u64,
            findings: self.truth.findings.len() as u64,
            standstills: self.truth.findings.keys().filter(|f| matches!(f, Finding::Deadlock(_))).count() as u64,
            executions: self.truth.executions + self.truth.discarded,
        }
    }

    /// Checks one algorithm in every way; gives the number of executions it explored, and of those
    /// it ran in all the checks.
    fn check(&self, algorithm: Algorithm) -> Result<(u64, u64), String> {
        let all = Options { all: true, ..self.options(algorithm) };
        let mut watch = Watch::new(self.machine.clone());
        let outcome = explore(&mut watch, &all, &Monitor::default());
        let (seen, machine) = watch.finish();
        self.check_totals(algorithm, &outcome)?;
        self.check_traces(algorithm, &seen)?;
        self.check_findings(algorithm, &outcome, &machine)?;
        let mut ran = outcome.executions + outcome.assume_blocked;
        if self.checks.first_violation {
            ran += self.check_verdict(algorithm)?;
        }
        if ran > self.checks.few {
            return Ok((outcome.executions, ran));
        }
        if self.checks.rerun {
            ran += self.check_rerun(&all, &outcome)?;
        }
        for &seed in &self.checks.shuffles {
            ran += self.check_shuffled(&all, seed)?;
        }
        for &(workers, seed) in self.checks.workers.iter().filter(|_| algorithm.is_divisible()) {
            ran += self.check_divided(&all, workers, seed)?;
        }
        Ok((outcome.executions, ran))
    }

    /// Limits that a correct exploration does not come near: a wrong one is to end, too.
    fn options(&self, algorithm: Algorithm) -> Options {
        let executions = Some(10 * (self.truth.executions + self.truth.discarded) + 1_000);
        let limits = Limits { executions, timeout: Some(Duration::from_secs(60)), depth: 100_000, switches: None };
        Options { algorithm, limits, ..Options::default() }
    }

    fn expected(&self, algorithm: Algorithm) -> Totals {
        match algorithm {
            Algorithm::None => Totals { executions: self.truth.executions, assume_blocked: self.truth.discarded },
            _ => Totals {
                executions: self.truth.traces.len() as u64,
                assume_blocked: self.truth.discarded_traces.len() as u64,
            },
        }
    }

    fn check_totals(&self, algorithm: Algorithm, outcome: &Outcome) -> Result<(), String> {
        if !outcome.limits.is_empty() {
            return Err(format!("reached a limit: {:?}, {} executions", outcome.limits, outcome.executions));
        }
        let counted = Totals { executions: outcome.executions, assume_blocked: outcome.assume_blocked };
        let expected = self.expected(algorithm);
        let fits = if algorithm.explores_every_trace() {
            counted == expected
        } else {
            counted.executions <= expected.executions && counted.assume_blocked <= expected.assume_blocked
        };
        if !fits {
            return Err(format!("counts {counted:?}, there are {expected:?}"));
        }
        if let (Algorithm::Observers, Some(classes)) = (algorithm, &self.truth.observed) {
            // Where a fault ends executions, everything that is written is observed; where steps
            // read now this and now that, some of it is that nobody observes.
            let classes = classes.len() as u64;
            let (least, most) = match (self.truth.halts, self.truth.varies) {
                (true, _) => (expected.executions, expected.executions),
                // Where somebody waits in an execution that is discarded, all writes of what it
                // waits for are observed.
                (false, false) if self.truth.discarded > 0 => (classes, expected.executions),
                (false, true) => (classes, expected.executions),
                (false, false) => (classes, classes),
            };
            if !(least..=most).contains(&counted.executions) {
                return Err(format!("{} executions, there are {classes} up to what is observed", counted.executions));
            }
        }
        match algorithm {
            Algorithm::None | Algorithm::Optimal | Algorithm::Observers | Algorithm::QuasiOptimal
                if outcome.blocked > 0 =>
            {
                Err(format!("{} explorations were blocked", outcome.blocked))
            }
            _ => Ok(()),
        }
    }

    fn check_traces(&self, algorithm: Algorithm, seen: &Census) -> Result<(), String> {
        for (what, explored, there) in [
            ("traces", &seen.traces, &self.truth.traces),
            ("discarded traces", &seen.discarded_traces, &self.truth.discarded_traces),
        ] {
            let missing = there.keys().filter(|form| !explored.contains_key(*form)).count();
            let strange = explored.keys().filter(|form| !there.contains_key(*form)).count();
            let missing = if algorithm.explores_every_trace() { missing } else { 0 };
            if missing + strange > 0 {
                return Err(format!("{missing} of {} {what} not explored, {strange} that do not exist", there.len()));
            }
        }
        if seen.locals != self.truth.locals {
            return Err("what processes end with differs".into());
        }
        if seen.views != self.truth.views && !algorithm.compares_states() {
            return Err("what is observed differs".into());
        }
        if algorithm == Algorithm::Observers && self.truth.observed.is_some() && seen.observed != self.truth.observed {
            return Err("what there is up to what is observed differs".into());
        }
        if algorithm.counts_observers() {
            return Ok(());
        }
        let same = match algorithm.compares_states() && self.checks.up_to_names {
            true => seen.digests.is_subset(&self.truth.digests) && seen.shapes == self.truth.shapes,
            false => seen.digests == self.truth.digests && seen.finals == self.truth.finals,
        };
        if same { Ok(()) } else { Err("final states differ".into()) }
    }

    fn check_findings(&self, algorithm: Algorithm, outcome: &Outcome, describe: &M) -> Result<(), String> {
        let claims: Vec<Claim> = outcome.violations.iter().map(|violation| Claim::new(violation, describe)).collect();
        let found: BTreeSet<&Finding> = claims.iter().map(|claim| &claim.finding).collect();
        let there: BTreeSet<&Finding> = self.truth.findings.keys().collect();
        let same = match algorithm.compares_states() && self.checks.up_to_names {
            true => found.is_subset(&there) && nameless(&found) == nameless(&there),
            false => found == there,
        };
        if !same {
            return Err(self.describe_difference(&found, &there));
        }
        if claims.len() != found.len() {
            return Err("a violation is reported twice".into());
        }
        for (claim, violation) in claims.iter().zip(&outcome.violations) {
            let seen = self.truth.findings[&claim.finding];
            let expected = if algorithm == Algorithm::None { seen.executions } else { seen.traces };
            // A data race is a property of a state that two processes are in, and not of an
            // execution.
            let counts = !matches!(claim.finding, Finding::Fault { kind: FaultKind::DataRace, .. });
            if counts && algorithm.explores_every_trace() && violation.executions != expected {
                return Err(format!("{}: in {} executions, not {expected}", claim.finding, violation.executions));
            }
            check_claim(&mut self.machine.clone(), claim).map_err(|error| format!("{}: {error}", claim.finding))?;
        }
        Ok(())
    }

    fn describe_difference(&self, found: &BTreeSet<&Finding>, there: &BTreeSet<&Finding>) -> String {
        let list = |set: Vec<&&Finding>| set.iter().map(|f| self.place(f)).collect::<Vec<_>>().join(", ");
        let missing = list(there.difference(found).collect());
        let strange = list(found.difference(there).collect());
        format!("violations not found: [{missing}]; found without being there: [{strange}]")
    }

    fn place(&self, finding: &Finding) -> String {
        let place = |site| {
            let place = self.machine.place(site);
            format!("{}:{} `{}`", place.line, place.column, place.text)
        };
        match finding {
            Finding::Fault { kind, process, site } => format!("{kind:?} in {process} at {}", place(*site)),
            Finding::Deadlock(waiters) => {
                let waiters: Vec<_> = waiters.iter().map(|w| format!("{} at {}", w.process, place(w.site))).collect();
                format!("deadlock of {}", waiters.join(" and "))
            }
        }
    }

    /// Up to the first violation: there is one exactly if there is one, and its shortened schedule
    /// still shows it.
    fn check_verdict(&self, algorithm: Algorithm) -> Result<u64, String> {
        let mut subject = self.machine.clone();
        let outcome = explore(&mut subject, &self.options(algorithm), &Monitor::default());
        let expected = if self.truth.fails() { Verdict::Violation } else { Verdict::Verified };
        if outcome.verdict() != expected {
            return Err(format!("without --all the verdict is {:?}, not {expected:?}", outcome.verdict()));
        }
        for violation in &outcome.violations {
            let mut claim = Claim::new(violation, &subject);
            if !self.truth.findings.contains_key(&claim.finding) {
                return Err(format!("without --all: there is no {}", self.place(&claim.finding)));
            }
            check_claim(&mut self.machine.clone(), &claim).map_err(|error| format!("without --all: {error}"))?;
            let schedule = shorten(&mut subject, violation, &|| false);
            let shorter = mazurka_trace::Violation { schedule, ..violation.clone() };
            claim.schedule = Claim::new(&shorter, &subject).schedule;
            check_claim(&mut self.machine.clone(), &claim).map_err(|error| format!("shortened: {error}"))?;
        }
        Ok(outcome.executions + outcome.assume_blocked)
    }

    /// A machine that runs again instead of rewinding gives the same counts.
    fn check_rerun(&self, options: &Options, expected: &Outcome) -> Result<u64, String> {
        let outcome = explore(&mut Rerun::new(self.machine.clone()), options, &Monitor::default());
        let counts = |o: &Outcome| (o.executions, o.blocked, o.assume_blocked, o.events, o.violations.len());
        if counts(&outcome) != counts(expected) {
            let (rerun, rewound) = (counts(&outcome), counts(expected));
            return Err(format!("running again gives {rerun:?}, rewinding {rewound:?}"));
        }
        Ok(outcome.executions + outcome.assume_blocked)
    }

    /// First choices at random give the same counts, and every fourth time whole executions are
    /// compared.
    fn check_shuffled(&self, options: &Options, seed: u64) -> Result<u64, String> {
        let options = Options { shuffle: Some(seed), whole_check: seed.is_multiple_of(4), ..options.clone() };
        let mut watch = Watch::new(self.machine.clone());
        let outcome = explore(&mut watch, &options, &Monitor::default());
        let (seen, machine) = watch.finish();
        let shuffled = |error: String| format!("shuffled by {seed}: {error}");
        self.check_totals(options.algorithm, &outcome).map_err(shuffled)?;
        self.check_traces(options.algorithm, &seen).map_err(shuffled)?;
        self.check_findings(options.algorithm, &outcome, &machine).map_err(shuffled)?;
        Ok(outcome.executions + outcome.assume_blocked)
    }

    /// Several workers, who give away all that they can and take it at random, explore the same:
    /// each trace once.
    fn check_divided(&self, options: &Options, workers: usize, seed: u64) -> Result<u64, String> {
        let shuffle = (!seed.is_multiple_of(3)).then_some(seed);
        let options = Options { restless: Some(seed), shuffle, ..options.clone() };
        let first = self.machine.companion();
        let others: Vec<_> = (1..workers).map(|_| Watch::new(first.companion())).collect();
        let mut watches: Vec<_> = std::iter::once(Watch::new(first)).chain(others).collect();
        let outcome = explore_parallel(&mut watches, None, Kept::default(), &options, &Monitor::default());
        let mut watches = watches.into_iter().map(Watch::finish);
        let (mut seen, machine) = watches.next().ok_or("nobody works")?;
        watches.for_each(|(other, _)| seen.join(other));
        let divided = |error: String| format!("{workers} workers, from seed {seed}: {error}");
        self.check_totals(options.algorithm, &outcome).map_err(divided)?;
        self.check_traces(options.algorithm, &seen).map_err(divided)?;
        self.check_findings(options.algorithm, &outcome, &machine).map_err(divided)?;
        if let Some(contradiction) = seen.contradictions.first() {
            return Err(divided(contradiction.clone()));
        }
        Ok(outcome.executions + outcome.assume_blocked)
    }
}
