//! A new node: who sleeps there, and what is not to be run from it.

use mazurka_machine::Machine;

use crate::dpor::context::Contextual;
use crate::mutation::{self, Mutation};
use crate::order::Observers;
use crate::search::Search;
use crate::sleep::{Sleep, Sleeper};

/// The newest event led to a new node. Whoever depends on the event wakes up there; a don't-do
/// sequence of which the event was a step holds without it.
#[inline(always)]
pub(crate) fn descend<M: Machine>(
    search: &mut Search<'_, M>,
    sleep: &mut Sleep,
    observers: Option<&mut Observers>,
    contextual: &mut Option<Contextual>,
) {
    if !search.orders_all_conflicts() {
        return descend_constrained(search, sleep, observers, contextual);
    }
    let event = search.execution.last().expect("a step was taken");
    match observers {
        None => sleep.descend(event, &search.cursor.names.footprints),
        Some(observers) => observers.descend(event, &search.cursor.names.footprints, sleep, &[]),
    }
    if let Some(contextual) = contextual {
        contextual.descend(search, sleep, &[]);
    }
}

/// Steps that are uniformly independent of the event go on to sleep, too.
#[cold]
fn descend_constrained<M: Machine>(
    search: &mut Search<'_, M>,
    sleep: &mut Sleep,
    observers: Option<&mut Observers>,
    contextual: &mut Option<Contextual>,
) {
    let event = *search.execution.last().expect("a step was taken");
    match observers {
        None => {
            let dont = contextual.iter().flat_map(|contextual| contextual.dont.pending());
            let steps: Vec<Sleeper> = sleep.top().iter().copied().chain(dont).collect();
            let independent = search.find_independent(&steps);
            let footprints = &search.cursor.names.footprints;
            sleep.descend_with(|sleeper| {
                let wakes = footprints.dependent(sleeper.footprint, event.footprint)
                    && !independent.iter().any(|independent| independent.is_like(sleeper))
                    && !mutation::on(Mutation::SleepThroughDependence);
                sleeper.process != event.process && !wakes
            });
            if let Some(contextual) = contextual {
                contextual.descend(search, sleep, &independent);
            }
        }
        // A don't-do sequence holds in its place only.
        Some(observers) => {
            // Who is watched is known better: a cut by a sleep set leaves open what would have been
            // observed.
            let such = |step: &&Sleeper| {
                step.reason.is_explored() && !search.is_left_to_observers(step.footprint, event.footprint)
            };
            let steps: Vec<Sleeper> = sleep.top().iter().filter(such).copied().collect();
            let independent = search.find_independent(&steps);
            observers.descend(&event, &search.cursor.names.footprints, sleep, &independent);
            if let Some(contextual) = contextual {
                contextual.descend(search, sleep, &[]);
            }
        }
    }
}
