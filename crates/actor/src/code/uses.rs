//! What tasks may still use: which fields, and whose locks.
//!
//! For each method, the fields of its own object that it may load or store into, itself or by calls
//! of its own object; and the fields of objects of some class that may be used by what it calls
//! elsewhere, directly or by way of others. Which objects these can be, the machine tells from what
//! tasks can reach. *W(b)* of CAV 2018 is what of this is stored into.
//!
//! The lock of an object's group counts as a field of it, [`LOCK`]: whoever begins loads it, who
//! may stop at a `get` stores into it.
//!
//! Cost: once per program, the methods times the calls in them, a few times.

use super::{BodyKind, Image, Instruction, Slot};
use crate::options::Dependence;

/// In place of a field: the lock of the object's group.
pub(crate) const LOCK: u32 = u32::MAX;

/// What a method may use.
#[derive(Clone, Debug, Default)]
struct Used {
    /// Fields of its own object, each with whether it is stored into: sorted.
    own: Vec<(u32, bool)>,
    /// Fields of classes, of whatever object: sorted.
    elsewhere: Vec<(u32, u32, bool)>,
}

/// For each body, what it may use.
#[derive(Clone, Debug, Default)]
pub(crate) struct Uses {
    bodies: Vec<Used>,
}

impl Uses {
    /// Finds out for a whole program.
    pub(crate) fn of(image: &Image) -> Uses {
        let mut bodies = vec![Used::default(); image.bodies.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for pc in 0..image.code.len() {
                changed |= add(image, pc, &mut bodies);
            }
        }
        Uses { bodies }
    }

    /// Whether a task of this method may use a field of its own object before it calls somebody
    /// else; only `stores` if so.
    pub(crate) fn uses_own(&self, body: u32, field: u32, stores: bool) -> bool {
        let own = &self.bodies[body as usize].own;
        let is_there = |stored: bool| own.binary_search(&(field, stored)).is_ok();
        is_there(true) || (!stores && is_there(false))
    }

    /// Whether what a task of this method calls may use a field of objects of a class.
    pub(crate) fn uses_elsewhere(&self, body: u32, class: u32, field: u32, stores: bool) -> bool {
        let elsewhere = &self.bodies[body as usize].elsewhere;
        let is_there = |stored: bool| elsewhere.binary_search(&(class, field, stored)).is_ok();
        is_there(true) || (!stores && is_there(false))
    }
}

/// Adds what one instruction contributes to its body; tells whether that was new.
fn add(image: &Image, pc: usize, bodies: &mut [Used]) -> bool {
    let body = image.owners[pc] as usize;
    let (mut own, mut elsewhere) = (Vec::new(), Vec::new());
    match image.code[pc] {
        Instruction::Load { field, .. } => own.push((field, false)),
        Instruction::Store { field, .. } => own.push((field, true)),
        Instruction::Begin => own.push((LOCK, image.dependence == Dependence::Object)),
        Instruction::Get { .. } if blocks(&image.code, pc) => own.push((LOCK, true)),
        Instruction::Async { receiver, selector, .. } | Instruction::Sync { receiver, selector, .. } => {
            let is_own = is_this(image, pc, receiver);
            for (class, of) in image.classes.iter().enumerate() {
                let Some(callee) = of.methods[selector as usize] else { continue };
                let called = &bodies[callee as usize];
                elsewhere.extend(&called.elsewhere);
                if !is_own {
                    elsewhere.extend(called.own.iter().map(|&(field, stores)| (class as u32, field, stores)));
                } else if image.bodies[body].class == Some(class as u32) {
                    own.extend(&called.own);
                }
            }
        }
        // What it stores into its own fields nobody has seen before.
        Instruction::New { class, .. } => {
            elsewhere.extend(&bodies[image.classes[class as usize].init as usize].elsewhere);
        }
        _ => return false,
    }
    let used = &mut bodies[body];
    let mut changed = false;
    for field in own {
        changed |= insert(&mut used.own, field);
    }
    for field in elsewhere {
        changed |= insert(&mut used.elsewhere, field);
    }
    changed
}

/// Whether a task may stop here and keep others of its group from going on. The result of `await
/// o!m()` is there where it is taken.
pub(crate) fn blocks(code: &[Instruction], pc: usize) -> bool {
    let Instruction::Get { future, .. } = code[pc] else { return false };
    let before = pc.checked_sub(1).map(|before| code[before]);
    !matches!(before, Some(Instruction::AwaitFuture { future: awaited, .. }) if awaited == future)
}

fn insert<T: Ord>(set: &mut Vec<T>, item: T) -> bool {
    let at = set.binary_search(&item);
    if let Err(at) = at {
        set.insert(at, item);
    }
    at.is_err()
}

/// Whether a call's receiver is this object. Code that computes arguments lies between, and uses
/// slots above the receiver's alone. Where paths meet before the call that did not all come by
/// there, it need not be.
fn is_this(image: &Image, call: usize, receiver: Slot) -> bool {
    let start = image.body_at(call as u32).entry as usize;
    let made = (start..call).rev().find(|&pc| target(&image.code[pc]) == Some(receiver));
    let Some(made) = made.filter(|&made| matches!(image.code[made], Instruction::This { .. })) else { return false };
    let comes_between = |pc: usize| jump(&image.code[pc]).is_some_and(|to| (made + 1..=call).contains(&to));
    !(start..made).any(comes_between)
}

/// Where an instruction may go on that is not the next.
fn jump(instruction: &Instruction) -> Option<usize> {
    match *instruction {
        Instruction::Jump { to }
        | Instruction::Unless { to, .. }
        | Instruction::When { to, .. }
        | Instruction::Unmatched { to, .. }
        | Instruction::Unequal { to, .. } => Some(to as usize),
        _ => None,
    }
}

/// The slot that an instruction writes.
fn target(instruction: &Instruction) -> Option<Slot> {
    match *instruction {
        Instruction::Constant { to, .. }
        | Instruction::Null { to }
        | Instruction::Copy { to, .. }
        | Instruction::This { to }
        | Instruction::Load { to, .. }
        | Instruction::Construct { to, .. }
        | Instruction::List { to, .. }
        | Instruction::Closure { to, .. }
        | Instruction::Call { to, .. }
        | Instruction::CallLocal { to, .. }
        | Instruction::Builtin { to, .. }
        | Instruction::Not { to, .. }
        | Instruction::Negate { to, .. }
        | Instruction::Binary { to, .. }
        | Instruction::Project { to, .. }
        | Instruction::Implements { to, .. }
        | Instruction::As { to, .. }
        | Instruction::Ready { to, .. }
        | Instruction::Get { to, .. }
        | Instruction::Async { to, .. }
        | Instruction::Sync { to, .. }
        | Instruction::New { to, .. } => Some(to),
        Instruction::Begin
        | Instruction::Resume
        | Instruction::Store { .. }
        | Instruction::Fill { .. }
        | Instruction::Entry { .. }
        | Instruction::Jump { .. }
        | Instruction::Unless { .. }
        | Instruction::When { .. }
        | Instruction::Unmatched { .. }
        | Instruction::Unequal { .. }
        | Instruction::AwaitFuture { .. }
        | Instruction::Guard { .. }
        | Instruction::EndGuard { .. }
        | Instruction::Suspend { .. }
        | Instruction::Return { .. }
        | Instruction::ReturnThis
        | Instruction::Throw { .. }
        | Instruction::Assert { .. }
        | Instruction::Reached
        | Instruction::NoMatch { .. } => None,
    }
}

/// The fields that a method loads or stores, itself or by calls of its own object: each with
/// whether it is stored into.
pub(crate) fn used(image: &Image, body: u32) -> Vec<(u32, bool)> {
    let (mut used, mut todo, mut seen) = (Vec::new(), vec![body], Vec::new());
    while let Some(body) = todo.pop() {
        if seen.contains(&body) {
            continue;
        }
        seen.push(body);
        let of = &image.bodies[body as usize];
        let start = of.entry as usize;
        let length = image.owners[start..].iter().take_while(|&&owner| owner == body).count();
        for instruction in &image.code[start..start + length] {
            match *instruction {
                Instruction::Load { field, .. } => used.push((field, false)),
                Instruction::Store { field, .. } => used.push((field, true)),
                Instruction::Sync { selector, .. } if of.kind == BodyKind::Method => {
                    let class = of.class.map(|class| &image.classes[class as usize]);
                    todo.extend(class.and_then(|class| class.methods[selector as usize]));
                }
                _ => {}
            }
        }
    }
    used.sort_unstable();
    used.dedup();
    used
}
