//! Running kept schedules again.

use mazurka_machine::{Describe, Machine};
use mazurka_report::{Failure, Misfit, NamedStep, Timeline, replay};

use crate::load::Loaded;
use crate::program::Task;
use crate::refusal::Refusal;
use crate::saved::{Saved, SavedViolation};

/// A schedule that was run again.
pub struct Replayed {
    /// The failure that it is to show.
    pub wanted: Failure,
    /// What happened.
    pub timeline: Timeline,
}

impl Replayed {
    /// Whether the failure shows again.
    pub fn shows_again(&self) -> bool {
        self.timeline.failure.is_some()
    }

    /// What failed: the failure of the trace, or else the last other one.
    pub fn failure(&self) -> Option<Failure> {
        self.timeline.failure.clone().or_else(|| self.timeline.failures().last())
    }
}

/// Runs all schedules of a trace again. Refused are schedules that do not fit the program.
pub fn replay_all(saved: &Saved, loaded: &Loaded) -> Result<Vec<Replayed>, Refusal> {
    let replay_one = |violation: &SavedViolation| {
        let wanted = violation.failure().expect("kinds were checked when the file was read");
        let rerun = Rerun { schedule: violation.schedule(), wanted: &wanted };
        let timeline = loaded.program.run(rerun).map_err(|misfit| refusal(&misfit, loaded, saved))?;
        Ok(Replayed { wanted, timeline })
    };
    saved.violations.iter().map(replay_one).collect()
}

fn refusal(misfit: &Misfit, loaded: &Loaded, saved: &Saved) -> Refusal {
    let message = format!("the schedule does not fit `{}`: {misfit}", loaded.path);
    if saved.is_of(loaded) {
        Refusal::with_help(message, "the program has not changed: the trace file was edited, or Mazurka's rules were")
    } else {
        Refusal::with_help(
            message,
            format!("the program has changed since the trace was saved from `{}`", saved.program),
        )
    }
}

/// Running a schedule again, whatever the kind of program.
struct Rerun<'a> {
    schedule: Vec<NamedStep>,
    wanted: &'a Failure,
}

impl Task for Rerun<'_> {
    type Output = Result<Timeline, Misfit>;

    fn run<M: Machine + Describe>(self, make: impl Fn() -> M + Sync) -> Self::Output {
        let replayed = replay(&mut make(), &self.schedule, self.wanted);
        if replayed.as_ref().is_ok_and(|timeline| timeline.failure.is_some()) {
            return replayed;
        }
        // What the machine assumes about the program may have been wrong when the schedule was
        // found.
        let mut careful = make();
        careful.assume_nothing();
        let again = replay(&mut careful, &self.schedule, self.wanted);
        if again.as_ref().is_ok_and(|timeline| timeline.failure.is_some()) { again } else { replayed }
    }
}
