//! What a step did, from its event and as text.

use mazurka_machine::Describe;
use mazurka_trace::{Access, AccessKind};

use crate::text::solid;
use crate::view::{Effect, Step};

/// What an access did, with names and values.
fn of_access<D: Describe>(machine: &D, access: &Access) -> Vec<Effect> {
    let name = || machine.location_name(access.location);
    let text = |value| machine.value_text(access.location, value);
    let writes = |reads| {
        let after = machine.left_text(access.location, access.after);
        Effect::Writes { name: name(), before: text(access.before), after, reads }
    };
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

/// What an event did. A machine may name several locations for one thing: that is said once.
pub(crate) fn of_event<D: Describe>(machine: &D, accesses: &[Access]) -> Vec<Effect> {
    let mut effects: Vec<Effect> = Vec::new();
    for effect in accesses.iter().flat_map(|access| of_access(machine, access)) {
        if !effects.contains(&effect) {
            effects.push(effect);
        }
    }
    effects
}

/// What an access did, in words.
pub fn access_text<D: Describe>(machine: &D, access: &Access) -> String {
    let name = machine.location_name(access.location);
    let after = || machine.left_text(access.location, access.after);
    match access.kind {
        AccessKind::Read => format!("reads {name} = {}", machine.value_text(access.location, access.before)),
        AccessKind::Write => format!("writes {name} = {}", after()),
        AccessKind::Update => {
            format!("changes {name}: {} → {}", machine.value_text(access.location, access.before), after())
        }
        AccessKind::Acquire => format!("locks {name}"),
        AccessKind::Release => format!("unlocks {name}"),
        AccessKind::Cycle => format!("locks and unlocks {name}"),
        AccessKind::Halt => "ends the execution".to_owned(),
    }
}

/// Of longer lists only so many are shown.
const LONGEST_LIST: usize = 12;

/// What a step did: a phrase for what it chose and read, one for each thing it wrote.
pub(crate) fn phrases(step: &Step) -> Vec<String> {
    let mut phrases = Vec::new();
    phrases.extend(list("chooses", step.choices.iter().map(ToString::to_string)));
    phrases.extend(list("reads", step.effects.iter().filter_map(read)));
    let changes: Vec<String> = step.effects.iter().filter_map(change).collect();
    phrases.extend(changes.iter().take(LONGEST_LIST).cloned());
    if changes.len() > LONGEST_LIST {
        phrases.push(format!("… {} more", changes.len() - LONGEST_LIST));
    }
    phrases.extend(list("spawns", step.spawned.iter().cloned()));
    phrases.extend(list("joins", step.joined.iter().cloned()));
    if step.discards {
        phrases.push("assumption fails: goes no further".to_owned());
    }
    phrases
}

/// A verb and its objects; none without objects.
fn list(verb: &str, objects: impl Iterator<Item = String>) -> Option<String> {
    let objects: Vec<String> = objects.collect();
    let shown = objects.len().min(LONGEST_LIST);
    let more = match objects.len() - shown {
        0 => String::new(),
        more => format!(", … {more} more"),
    };
    (!objects.is_empty()).then(|| format!("{verb} {}{more}", objects[..shown].join(", ")))
}

fn read(effect: &Effect) -> Option<String> {
    match effect {
        Effect::Reads { name, value } => Some(solid(&format!("{name} = {value}"))),
        Effect::Writes { .. } | Effect::Locks { .. } | Effect::Unlocks { .. } => None,
    }
}

fn change(effect: &Effect) -> Option<String> {
    match effect {
        Effect::Reads { .. } => None,
        Effect::Writes { name, before, after, .. } => Some(solid(&format!("{name}: {before} → {after}"))),
        Effect::Locks { name } => Some(format!("locks {name}")),
        Effect::Unlocks { name } => Some(format!("unlocks {name}")),
    }
}
