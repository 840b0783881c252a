//! What a step did, from its event and as text.

use mazurka_machine::Describe;
use mazurka_trace::{Access, AccessKind};

use crate::view::{Effect, Step};

/// What an access did, with names and values.
pub(crate) fn of_access<D: Describe>(machine: &D, access: &Access) -> Vec<Effect> {
    let name = || machine.location_name(access.location);
    let text = |value| machine.value_text(access.location, value);
    let writes = |reads| Effect::Writes { name: name(), before: text(access.before), after: text(access.after), reads };
    match access.kind {
        AccessKind::Read => vec![Effect::Reads { name: name(), value: text(access.before) }],
        AccessKind::Write => vec![writes(false)],
        AccessKind::Update => vec![writes(true)],
        AccessKind::Acquire => vec![Effect::Locks { name: name() }],
        AccessKind::Release => vec![Effect::Unlocks { name: name() }],
        AccessKind::Cycle => vec![Effect::Locks { name: name() }, Effect::Unlocks { name: name() }],
        AccessKind::Halt => Vec::new(),
    }
}

/// What a step did, a phrase for each thing.
pub(crate) fn phrases(step: &Step) -> Vec<String> {
    let mut phrases = Vec::new();
    phrases.extend(step.choices.iter().map(|value| format!("chooses {value}")));
    phrases.extend(step.effects.iter().map(phrase));
    phrases.extend(step.spawned.iter().map(|name| format!("spawns {name}")));
    if step.discards {
        phrases.push("assumption fails: goes no further".to_owned());
    }
    phrases
}

fn phrase(effect: &Effect) -> String {
    match effect {
        Effect::Reads { name, value } => format!("reads {name} = {value}"),
        Effect::Writes { name, before, after, .. } => format!("{name}: {before} → {after}"),
        Effect::Locks { name } => format!("locks {name}"),
        Effect::Unlocks { name } => format!("unlocks {name}"),
    }
}
