//! Mazurka as a library: a model checker for concurrent programs.
//!
//! A program is [`Loaded`] from files or from a text, a [`Checker`] explores its schedules, and
//! what it found is data: [`Checked`]. Nothing here prints, and nothing reads the environment but
//! what looks for clang.
//!
//! # A first check
//!
//! Two processes add to a counter, and one addition can be lost:
//!
//! ```
//! use mazurka::{Checker, Kind, Loaded, Settings, Verdict};
//!
//! let text = "
//!     int count = 0, done = 0;
//!     process adder[2](i) { int t = count; count = t + 1; done = done + 1; }
//!     process observer { await done == 2; assert count == 2; }
//! ";
//! let mut program = Loaded::from_text(Kind::Process, "counter.mzk", text, &Settings::default())?;
//! let checked = Checker::new(&mut program).run()?;
//!
//! assert_eq!(checked.verdict(), Verdict::Violation);
//! let (_, timeline) = checked.violations().next().expect("the lost update is found");
//! let failure = timeline.failure.as_ref().expect("the timeline ends with it");
//! assert_eq!(failure.message, "assertion failed: count == 2");
//! // Who steps, by name: a schedule that shows it.
//! assert!(timeline.steps.iter().any(|step| step.process == "adder[1]"));
//! # Ok::<(), mazurka::Refusal>(())
//! ```
//!
//! # Engines, limits, all failures
//!
//! ```
//! use std::time::Duration;
//! use mazurka::{Algorithm, Checker, Kind, Loaded, Settings, Verdict};
//!
//! let text = "
//!     int x = 0;
//!     process writer[3](i) { x = i; }
//! ";
//! let settings = Settings::default();
//! let count = |algorithm: &str| {
//!     let mut program = Loaded::from_text(Kind::Process, "writers.mzk", text, &settings)?;
//!     let algorithm: Algorithm = algorithm.parse().expect("there is an algorithm of this name");
//!     let checker = Checker::new(&mut program).algorithm(algorithm).all(true);
//!     let checked = checker.timeout(Duration::from_secs(10)).run()?;
//!     assert_eq!(checked.verdict(), Verdict::Verified);
//!     Ok::<u64, mazurka::Refusal>(checked.outcome.executions)
//! };
//! assert_eq!(count("optimal")?, 6); // one for each order of the writes
//! assert_eq!(count("observers")?, 1); // nobody reads x
//! # Ok::<(), mazurka::Refusal>(())
//! ```
//!
//! # Failing schedules that are kept
//!
//! ```
//! use mazurka::{Checker, Kind, Loaded, Saved, Settings, replay_all};
//!
//! let text = "int x = 0; process p { x = 1; } process q { assert x == 0; }";
//! let mut program = Loaded::from_text(Kind::Process, "early.mzk", text, &Settings::default())?;
//! let checked = Checker::new(&mut program).run()?;
//!
//! let saved = Saved::of(&program, &checked);
//! let replayed = replay_all(&saved, &program)?;
//! assert!(replayed.iter().all(|replayed| replayed.shows_again()));
//! # Ok::<(), mazurka::Refusal>(())
//! ```
//!
//! # What refuses a program
//!
//! Mistakes come all at once, each with its place. A [`Refusal`] displays them with the lines that
//! they are about.
//!
//! ```
//! use mazurka::{Kind, Loaded, Settings};
//!
//! let text = "int x = 0; process p { y = 1; }";
//! let refused = Loaded::from_text(Kind::Process, "typo.mzk", text, &Settings::default());
//! let refusal = refused.err().expect("there is no `y`");
//! assert!(refusal.to_string().contains("typo.mzk:1"));
//! ```
//!
//! # Something else with the machine of a program
//!
//! [`Program::run`] hands the machine of a program, whatever its kind, to a [`Task`]: the crates
//! `mazurka-explore` and `mazurka-report` work on any of them.

mod checked;
mod checker;
mod compile;
pub mod constraints;
mod files;
mod inputs;
mod kept;
mod load;
mod messages;
pub mod methods;
pub mod networks;
mod program;
mod progress;
mod refusal;
mod replay;
mod saved;
mod settings;

pub use checked::{Checked, Trace, schedule};
pub use checker::{Checker, HUNT_SEED, MOST_DRAWN, shows};
pub use compile::{constant, read_network};
pub use files::kind_of;
pub use load::Loaded;
pub use mazurka_sdn::statics::Found as TablesFound;
pub use program::{Kind, Program, Task, Watched};
pub use progress::{Reading, Watcher, watched};
pub use refusal::{Refusal, render};
pub use replay::{Replayed, replay_all};
pub use saved::{Saved, SavedViolation};
pub use settings::{
    ActorSettings, Barriers, CSettings, Dependence, Dialect, MAX_INSTRUCTIONS, NetworkSettings, Settings,
};

pub use mazurka_actor::{ObjectChoice, TaskChoice};
pub use mazurka_explore::{Algorithm, Estimate, Limits, Monitor};
pub use mazurka_machine::Traces;
pub use mazurka_report::{Failure, NamedStep, Step, Timeline};
pub use mazurka_trace::{Limit, Outcome, Verdict, Violation};
