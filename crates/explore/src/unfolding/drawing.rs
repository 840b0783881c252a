//! The events met so far, for a drawing.

use mazurka_relation::Footprint;
use mazurka_trace::UnfoldedEvent;

use crate::search::Search;
use crate::unfolding::Unfolding;
use crate::unfolding::alternative::{Comb, Question};
use crate::unfolding::causality::Causality;
use crate::unfolding::configuration::Configuration;
use crate::unfolding::spike::Spike;
use crate::unfolding::structure::Name;

impl Unfolding {
    /// All events, with their latest causes and immediate conflicts; only their number, if there are more than `most`. Costs the square of it.
    pub(crate) fn drawing<M>(&self, search: &Search<'_, M>, most: usize) -> Result<Vec<UnfoldedEvent>, u64> {
        let structure = &self.structure;
        let (met, _) = structure.totals();
        if met > most as u64 {
            return Err(met);
        }
        let question = Question { structure, footprints: &search.footprints, disabled: &[], width: 0 };
        let names = (0..structure.len() as u32).map(Name);
        let real: Vec<Name> = names.filter(|&name| !structure.is_void(name)).collect();
        let number = |name: Name| real.binary_search(&name).ok();
        let causality = Causality::new(structure, structure.step());
        let (mut comb, mut configuration) = (Comb::default(), Configuration::default());
        let mut events = Vec::new();
        for &name in &real {
            let event = structure.event(name);
            let causes: Vec<Name> = structure.causes(name).collect();
            let latest = |&&cause: &&Name| !causes.iter().any(|&other| causality.precedes(cause, other));
            let mut numbers: Vec<usize> = causes.iter().filter(latest).filter_map(|&cause| number(cause)).collect();
            numbers.sort_unstable();
            numbers.dedup();
            let mut spike = Spike::new(structure, name);
            let mut conflicts = Vec::new();
            while let Some(other) = spike.next(structure, &real) {
                let conflict = other < name && causality.conflict(name, other);
                if conflict && immediate(&question, &mut comb, &mut configuration, (name, other)) {
                    conflicts.extend(number(other));
                }
            }
            conflicts.sort_unstable();
            conflicts.dedup();
            events.push(UnfoldedEvent {
                process: event.process,
                site: event.site,
                choices: search.choices.values(event.label).collect(),
                causes: numbers,
                conflicts,
                ends: event.footprint == Footprint::HALT,
            });
        }
        Ok(events)
    }
}

/// Whether each of two events could happen after what precedes the other.
fn immediate(question: &Question<'_>, comb: &mut Comb, configuration: &mut Configuration, pair: (Name, Name)) -> bool {
    let structure = question.structure;
    let mut together = true;
    for cause in structure.causes(pair.0).chain(structure.causes(pair.1)) {
        together &= configuration.contains(cause) || comb.add(question, configuration, cause);
    }
    let length = configuration.len();
    for event in [pair.0, pair.1] {
        together = together && !configuration.contains(event) && configuration.extend(structure, event);
        configuration.truncate(structure, length);
    }
    configuration.truncate(structure, 0);
    together
}
