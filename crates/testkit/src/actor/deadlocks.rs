//! The analysis of deadlocks against brute force: no state has a circle of waits that the analysis
//! does not know.

use std::sync::Arc;

use mazurka_actor::deadlock::{Analysis, Findings, Goal, Guidance, Guide, PaperGuide, Settings, Wanted};
use mazurka_actor::{ActorMachine, Dependence, Image};
use mazurka_audit::{Budget, for_each_state};
use mazurka_explore::{Monitor, Options, Reduction, explore_guided};

use super::check::load;
use crate::check::{Culprit, Disagreement, catch};

/// So many states are explored without any reduction.
const MOST_UNREDUCED: usize = 1_500;

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
        // Most of what is too large is known without looking at the states.
        if for_each_state(&mut ActorMachine::new(Arc::clone(&image)), budget, |_| true).is_err() {
            return Ok(None);
        }
        let analysis = Analysis::of(&image, &settings);
        let discharged = analysis.cycles.iter().filter(|cycle| cycle.discharged.is_some()).count();
        let mut waits = Waits { cycles: analysis.cycles.len(), discharged, ..Waits::default() };
        let (mut shown, mut missed) = (vec![false; analysis.cycles.len()], None);
        let mut states = 0;
        let all = for_each_state(&mut ActorMachine::new(Arc::clone(&image)), budget, |machine| {
            states += 1;
            // Circles stay: where nobody can move, all of them are looked at.
            let found = analysis.find_closed(machine);
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
        // These reduce nothing, and the last one runs for each cycle.
        if states <= MOST_UNREDUCED {
            check_unreduced(&image, &analysis)?;
        }
        if states * waits.cycles <= MOST_UNREDUCED {
            check_paper(&image, &analysis, &shown, waits.circles > 0)?;
        }
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
    let goals = [Goal::Cycle, Goal::All, Goal::First];
    let often = goals.map(|goal| (goal, Guidance::Rooted, None));
    // As in large states: what was found is taken for as many steps as there are tasks.
    let rarely = goals.map(|goal| (goal, Guidance::Rooted, Some(1)));
    for (goal, guidance, large) in often.into_iter().chain(rarely).chain([(Goal::Cycle, Guidance::None, None)]) {
        let wanted = Wanted { goal, guidance, stops_at_deadlocks: false };
        let mut guide = Guide::new(analysis, wanted, None);
        if let Some(large) = large {
            guide = guide.looking_rarely(large);
        }
        let mut machine = ActorMachine::new(Arc::clone(image));
        explore_guided(&mut machine, &mut guide, Reduction::Persistent, &options, &Monitor::default());
        let findings = guide.findings;
        let confirmed: Vec<bool> = findings.confirmed.iter().map(Option::is_some).collect();
        let agrees = match goal {
            Goal::Cycle | Goal::All => confirmed == shown,
            Goal::First => (findings.deadlocks > 0) == has_circles,
        };
        // Where there are too many cycles, a circle need not be one of those that are listed.
        let is_unforeseen = !analysis.more && !findings.unforeseen.is_empty();
        if !agrees || is_unforeseen {
            let what = format!(
                "{goal:?}, {guidance:?}, {large:?}: guided exploration confirms {confirmed:?}, and there are {shown:?}"
            );
            return Err(Disagreement::new(Culprit::Machine, what));
        }
    }
    Ok(())
}

/// Pruning leaves out no execution that ends in a circle of waits.
fn check_unreduced(image: &Arc<Image>, analysis: &Analysis) -> Result<(), Disagreement> {
    let options = Options { all: true, ..Options::default() };
    let [rooted, all] = [Guidance::Rooted, Guidance::None].map(|guidance| {
        let wanted = Wanted { goal: Goal::All, guidance, stops_at_deadlocks: true };
        let mut guide = Guide::new(analysis, wanted, None);
        let mut machine = ActorMachine::new(Arc::clone(image));
        explore_guided(&mut machine, &mut guide, Reduction::None, &options, &Monitor::default());
        guide.findings.deadlocks
    });
    if rooted == all {
        return Ok(());
    }
    let what = format!("{all} executions end in a circle of waits; with pruning {rooted}");
    Err(Disagreement::new(Culprit::Machine, what))
}

/// The paper's search for a cycle finds it if some state shows it; together the searches find a
/// deadlock if there is one.
fn check_paper(image: &Arc<Image>, analysis: &Analysis, shown: &[bool], has_circles: bool) -> Result<(), Disagreement> {
    if analysis.more {
        return Ok(());
    }
    let options = Options { all: true, ..Options::default() };
    let wrong = |what: String| Err(Disagreement::new(Culprit::Machine, what));
    for (goal, is_late) in [(Goal::All, false), (Goal::All, true), (Goal::Cycle, true)] {
        let mut findings = Findings::new(analysis, None);
        for (cycle, &is_shown) in
            shown.iter().enumerate().filter(|(cycle, _)| analysis.cycles[*cycle].discharged.is_none())
        {
            let mut guide = PaperGuide::new(analysis, cycle, goal, is_late, &mut findings);
            let mut machine = ActorMachine::new(Arc::clone(image));
            explore_guided(&mut machine, &mut guide, Reduction::None, &options, &Monitor::default());
            if is_late && is_shown && !guide.searched.is_matched() {
                return wrong(format!("the paper's guide, {goal:?}: nothing is found for cycle {}", cycle + 1));
            }
        }
        let confirmed: Vec<bool> = findings.confirmed.iter().map(Option::is_some).collect();
        if goal == Goal::All && is_late && confirmed != shown {
            return wrong(format!("the paper's guide confirms {confirmed:?}, and there are {shown:?}"));
        }
        if (findings.deadlocks > 0) != has_circles || !findings.unforeseen.is_empty() {
            return wrong(format!("the paper's guide, {goal:?}, late {is_late}: {findings:?}"));
        }
    }
    Ok(())
}
