//! Which fields tasks may still store into: W(b) of the paper.
//!
//! For each method, the fields of its own object that it may store into, itself or by calls of its
//! own object; and the fields of objects of some class that may be stored into by what it calls
//! elsewhere, directly or by way of others. Which objects these can be, the machine tells from what
//! the task can reach.
//!
//! Cost: once per program, the methods times the calls in them, a few times.

use crate::code::{BodyKind, Image, Instruction, Slot};

/// What a method may store into.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stores {
    /// Fields of its own object: sorted.
    own: Vec<u32>,
    /// Fields of classes, of whatever object: sorted.
    elsewhere: Vec<(u32, u32)>,
}

/// For each body, what it may store into.
#[derive(Clone, Debug, Default)]
pub(crate) struct Writes {
    bodies: Vec<Stores>,
}

impl Writes {
    /// Finds out for a whole program.
    pub(super) fn of(image: &Image) -> Writes {
        let mut bodies = vec![Stores::default(); image.bodies.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for pc in 0..image.code.len() {
                changed |= add(image, pc, &mut bodies);
            }
        }
        Writes { bodies }
    }

    /// Whether a task of this method may store into a field of its own object before it calls
    /// somebody else.
    pub(crate) fn stores_own(&self, body: u32, field: u32) -> bool {
        self.bodies[body as usize].own.binary_search(&field).is_ok()
    }

    /// Whether what a task of this method calls may store into a field of objects of a class.
    pub(crate) fn stores_elsewhere(&self, body: u32, class: u32, field: u32) -> bool {
        self.bodies[body as usize].elsewhere.binary_search(&(class, field)).is_ok()
    }
}

/// Adds what one instruction contributes to its body; tells whether that was new.
fn add(image: &Image, pc: usize, bodies: &mut [Stores]) -> bool {
    let body = image.owners[pc] as usize;
    let (mut own, mut elsewhere) = (Vec::new(), Vec::new());
    match image.code[pc] {
        Instruction::Store { field, .. } => own.push(field),
        Instruction::Async { receiver, selector, .. } | Instruction::Sync { receiver, selector, .. } => {
            let is_own = is_this(image, pc, receiver);
            for (class, of) in image.classes.iter().enumerate() {
                let Some(callee) = of.methods[selector as usize] else { continue };
                let called = &bodies[callee as usize];
                elsewhere.extend(&called.elsewhere);
                if !is_own {
                    elsewhere.extend(called.own.iter().map(|&field| (class as u32, field)));
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
    let stores = &mut bodies[body];
    let mut changed = false;
    for field in own {
        changed |= insert(&mut stores.own, field);
    }
    for field in elsewhere {
        changed |= insert(&mut stores.elsewhere, field);
    }
    changed
}

fn insert<T: Ord>(set: &mut Vec<T>, item: T) -> bool {
    let at = set.binary_search(&item);
    if let Err(at) = at {
        set.insert(at, item);
    }
    at.is_err()
}

/// Whether a call's receiver is this object. Code that computes arguments lies between, and uses
/// slots above the receiver's alone.
fn is_this(image: &Image, call: usize, receiver: Slot) -> bool {
    let start = image.body_at(call as u32).entry as usize;
    let before = image.code[start..call].iter().rev();
    let made = before.into_iter().find(|instruction| target(instruction) == Some(receiver));
    matches!(made, Some(Instruction::This { .. }))
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
pub(super) fn used(image: &Image, body: u32) -> Vec<(u32, bool)> {
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
