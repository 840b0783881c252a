//! Runs a method on abstract states, until nothing changes.

use std::collections::{BTreeMap, BTreeSet};

use crate::code::{Handler, Image, Instruction, Pc};

/// What instructions do to abstract states.
pub(crate) trait Transfer {
    type State: Clone;

    /// Takes in what holds on another path. Tells whether that changed anything.
    fn join(&self, into: &mut Self::State, from: &Self::State) -> bool;

    /// Runs an instruction. Tells whether it can go on with the next one, in `state`; where else it
    /// can go on is added to `others`.
    fn step(&mut self, pc: Pc, state: &mut Self::State, others: &mut Vec<(Pc, Self::State)>) -> bool;
}

/// The instructions at which paths can meet.
pub(crate) fn leaders(image: &Image) -> Vec<bool> {
    let mut leaders = vec![false; image.code.len() + 1];
    for (pc, instruction) in image.code.iter().enumerate() {
        match *instruction {
            Instruction::Jump { to }
            | Instruction::Unless { to, .. }
            | Instruction::When { to, .. }
            | Instruction::Unmatched { to, .. }
            | Instruction::Unequal { to, .. } => leaders[to as usize] = true,
            // A call within the group goes on after the `get`.
            Instruction::Sync { .. } => leaders[pc + 2] = true,
            _ => {}
        }
    }
    for handler in image.bodies.iter().flat_map(|body| &body.handlers) {
        leaders[handler.target as usize] = true;
    }
    leaders
}

/// The instructions to which more than one way leads.
pub(crate) fn meets(image: &Image) -> Vec<bool> {
    let mut ways = vec![0_u32; image.code.len() + 3];
    for (pc, instruction) in image.code.iter().enumerate() {
        match *instruction {
            Instruction::Jump { to } => {
                ways[to as usize] += 1;
                continue;
            }
            Instruction::Unless { to, .. }
            | Instruction::When { to, .. }
            | Instruction::Unmatched { to, .. }
            | Instruction::Unequal { to, .. } => ways[to as usize] += 1,
            // A call within the group goes on after the `get`.
            Instruction::Sync { .. } => ways[pc + 2] += 1,
            Instruction::Return { .. }
            | Instruction::ReturnThis
            | Instruction::Throw { .. }
            | Instruction::NoMatch { .. } => continue,
            _ => {}
        }
        ways[pc + 1] += 1;
    }
    for handler in image.bodies.iter().flat_map(|body| &body.handlers) {
        ways[handler.target as usize] += 2;
    }
    ways.into_iter().map(|ways| ways > 1).collect()
}

/// Where an exception goes on that an instruction throws, if it is caught in the same body.
pub(crate) fn handler(image: &Image, pc: Pc) -> Option<&Handler> {
    image.body_at(pc).handlers.iter().find(|handler| (handler.from..handler.to).contains(&pc))
}

/// Goes on from the states that are known, by the instructions that they are known at.
pub(crate) fn solve<T: Transfer>(leaders: &[bool], transfer: &mut T, states: &mut BTreeMap<Pc, T::State>) {
    let mut left: BTreeSet<Pc> = states.keys().copied().collect();
    let mut others = Vec::new();
    while let Some(start) = left.pop_first() {
        let mut state = states[&start].clone();
        let mut pc = start;
        loop {
            let goes_on = transfer.step(pc, &mut state, &mut others);
            for (target, other) in others.drain(..) {
                merge(transfer, states, &mut left, target, &other);
            }
            if !goes_on {
                break;
            }
            pc += 1;
            if leaders[pc as usize] {
                merge(transfer, states, &mut left, pc, &state);
                break;
            }
        }
    }
}

fn merge<T: Transfer>(
    transfer: &T,
    states: &mut BTreeMap<Pc, T::State>,
    left: &mut BTreeSet<Pc>,
    at: Pc,
    state: &T::State,
) {
    let changed = match states.get_mut(&at) {
        Some(known) => transfer.join(known, state),
        None => {
            states.insert(at, state.clone());
            true
        }
    };
    if changed {
        left.insert(at);
    }
}

/// Goes on from one state until nothing changes. States are kept only where ways meet, and every
/// loop has such a place.
pub(crate) fn solve_from<T: Transfer>(meets: &[bool], transfer: &mut T, start: Pc, state: T::State) {
    let mut known: Vec<(Pc, T::State)> = Vec::new();
    // Without a state: what is known there.
    let mut left: Vec<(Pc, Option<T::State>)> = vec![(start, Some(state))];
    let mut others = Vec::new();
    while let Some(first) = (0..left.len()).min_by_key(|&at| left[at].0) {
        let (mut pc, state) = left.swap_remove(first);
        let Some(mut state) = state.or_else(|| Some(find(&mut known, pc)?.clone())) else { continue };
        loop {
            let goes_on = transfer.step(pc, &mut state, &mut others);
            for (target, other) in others.drain(..) {
                arrive(meets, transfer, (&mut known, &mut left), target, other);
            }
            if !goes_on {
                break;
            }
            pc += 1;
            if meets[pc as usize] {
                arrive(meets, transfer, (&mut known, &mut left), pc, state);
                break;
            }
        }
    }
}

fn find<S>(known: &mut [(Pc, S)], pc: Pc) -> Option<&mut S> {
    known.iter_mut().find(|(at, _)| *at == pc).map(|(_, state)| state)
}

/// The states that are known, and what is left to do.
type Work<'w, S> = (&'w mut Vec<(Pc, S)>, &'w mut Vec<(Pc, Option<S>)>);

fn arrive<T: Transfer>(meets: &[bool], transfer: &T, (known, left): Work<'_, T::State>, at: Pc, state: T::State) {
    if !meets[at as usize] {
        return left.push((at, Some(state)));
    }
    let is_new = match find(known, at) {
        Some(known) => transfer.join(known, &state),
        None => {
            known.push((at, state));
            true
        }
    };
    if is_new && left.iter().all(|(pc, _)| *pc != at) {
        left.push((at, None));
    }
}
