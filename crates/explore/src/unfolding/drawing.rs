//! The events met so far, for a drawing.

use mazurka_relation::Footprint;
use mazurka_trace::UnfoldedEvent;

use crate::search::Search;
use crate::unfolding::Unfolding;
use crate::unfolding::causality::Causality;
use crate::unfolding::structure::{Name, Structure};

impl Unfolding {
    /// All events, with their latest causes and immediate conflicts; only their number, if there
    /// are more than `most`. Costs the square of it.
    pub(crate) fn drawing<M>(&self, search: &Search<'_, M>, most: usize) -> Result<Vec<UnfoldedEvent>, u64> {
        let structure = &self.structure;
        let (met, _) = structure.totals();
        if met > most as u64 {
            return Err(met);
        }
        let names = (0..structure.len() as u32).map(Name);
        let real: Vec<Name> = names.filter(|&name| !structure.is_void(name)).collect();
        let number = |name: Name| real.binary_search(&name).ok();
        let causality = Causality::new(structure, self.skip_step);
        let mut events = Vec::new();
        for &name in &real {
            let event = structure.event(name);
            let causes: Vec<Name> = structure.causes(name).collect();
            let latest = |&&cause: &&Name| !causes.iter().any(|&other| causality.precedes(cause, other));
            let mut numbers: Vec<usize> = causes.iter().filter(latest).filter_map(|&cause| number(cause)).collect();
            numbers.sort_unstable();
            numbers.dedup();
            let earlier = real.iter().enumerate().take_while(|&(_, &other)| other < name);
            let conflicts = earlier.filter(|&(_, &other)| immediate(structure, &causality, name, other));
            let conflicts = conflicts.map(|(number, _)| number).collect();
            events.push(UnfoldedEvent {
                process: event.process,
                site: event.site,
                choices: search.cursor.names.choices.values(event.choice).collect(),
                causes: numbers,
                conflicts,
                ends: event.footprint == Footprint::HALT,
            });
        }
        Ok(events)
    }
}

/// Whether two events are in conflict, and each of them could happen after what precedes the other.
fn immediate(structure: &Structure, causality: &Causality<'_>, one: Name, other: Name) -> bool {
    causality.conflict(one, other)
        && !structure.causes(one).any(|cause| causality.conflict(cause, other))
        && !structure.causes(other).any(|cause| causality.conflict(one, cause))
}
