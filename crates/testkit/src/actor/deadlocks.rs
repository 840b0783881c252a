//! The analysis of deadlocks against brute force: no state has a circle of waits that the analysis
//! does not know.

use std::sync::Arc;

use mazurka_actor::deadlock::{Analysis, Goal, Guidance, Guide, Settings};
use mazurka_actor::{ActorMachine, Dependence, Image};
use mazurka_audit::{Budget, for_each_state};
use mazurka_explore::{Monitor, Options, explore_guided};

use super::check::load;
use crate::check::{Culprit, Disagreement, catch};

/// What the analysis says of a program, and what is true.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Waits {
    /// The cycles of the analysis.
    pub cycles: usize,
    /// Those that it discharged.
    pub discharged: usize,
    /// Those that some state shows.
    pub shown: usize,
    /// States with a circle of waits.
    pub circles: u64,
}

/// Compares what the analysis says with every state of every interleaving; `None` for a program
/// that is too large.
///
/// # Errors
/// A circle of waits in some state that the analysis excludes. A program that the front end refuses
/// is one, too, and so is a panic.
pub fn check_deadlocks(source: &str, settings: Settings, budget: Budget) -> Result<Option<Waits>, Disagreement> {
    catch(|| {
        let image = load(source, Dependence::Field)?;
        let analysis = Analysis::of(&image, &settings);
        let discharged = analysis.cycles.iter().filter(|cycle| cycle.discharged.is_some()).count();
        let mut waits = Waits { cycles: analysis.cycles.len(), discharged, ..Waits::default() };
        let (mut shown, mut missed) = (vec![false; analysis.cycles.len()], None);
        let all = for_each_state(&mut ActorMachine::new(Arc::clone(&image)), budget, |machine| {
            let found = analysis.find(machine);
            waits.circles += u64::from(!found.is_empty());
            for circle in found {
                circle.cycles.iter().for_each(|&cycle| shown[cycle] = true);
                if !circle.is_foreseen {
                    missed = Some(circle.lines.join("\n  "));
                }
            }
            missed.is_none()
        });
        if let Some(missed) = missed {
            let what = format!("{settings:?}: the analysis excludes this circle of waits:\n  {missed}");
            return Err(Disagreement::new(Culprit::Machine, what));
        }
        waits.shown = shown.iter().filter(|&&shown| shown).count();
        if all.is_err() {
            return Ok(None);
        }
        check_guided(&image, &analysis, &shown, waits.circles > 0)?;
        Ok(Some(waits))
    })
}

/// The exploration confirms exactly the cycles that some state shows.
fn check_guided(
    image: &Arc<Image>,
    analysis: &Analysis,
    shown: &[bool],
    has_circles: bool,
) -> Result<(), Disagreement> {
    let options = Options { all: true, ..Options::default() };
    let guided = [Goal::Cycle, Goal::All, Goal::First].map(|goal| (goal, Guidance::Rooted));
    for (goal, guidance) in guided.into_iter().chain([(Goal::Cycle, Guidance::None)]) {
        let mut guide = Guide::new(analysis, goal, guidance, None);
        explore_guided(&mut ActorMachine::new(Arc::clone(image)), &mut guide, &options, &Monitor::default());
        let confirmed: Vec<bool> = guide.confirmed.iter().map(Option::is_some).collect();
        let agrees = match goal {
            Goal::Cycle | Goal::All => confirmed == shown,
            Goal::First => (guide.deadlocks > 0) == has_circles,
        };
        // Where there are too many cycles, a circle need not be one of those that are listed.
        let is_unforeseen = !analysis.more && !guide.unforeseen.is_empty();
        if !agrees || is_unforeseen {
            let what =
                format!("{goal:?}, {guidance:?}: guided exploration confirms {confirmed:?}, and there are {shown:?}");
            return Err(Disagreement::new(Culprit::Machine, what));
        }
    }
    Ok(())
}
