//! What a process may still write: W(b) of the paper.
//!
//! For each place in the code, the locations that the code from there on can change, in this
//! process or in one that it creates, directly or by way of others: the least fixed point over
//! instructions, their successors, and the beginnings of the bodies that are spawned. What others
//! are enabled to do by it is their own: whoever asks, asks for all processes that are there.
//!
//! Array cells are told apart where the index is a constant, or a parameter that its body never
//! changes; such a parameter is followed through the arguments of `spawn`.
//!
//! Cost: once per program; in practice linear in the code times the number of different variables.

use mazurka_trace::Value;

use super::{Cells, Image, Instruction};

/// A set of locations.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Written {
    /// All of these.
    Any(u32, u32),
    /// The cell whose number is the value of a parameter; the array begins at this slot.
    AtParameter(u32, u32),
}

/// For each instruction, what can be written from there on: sorted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Writes {
    sets: Vec<Vec<Written>>,
}

/// An argument of a spawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Argument {
    Constant(Value),
    Parameter(u32),
    Unknown,
}

impl Writes {
    /// Finds out for a whole program. Without `continuations` only the step itself counts, which is
    /// wrong: for the test that wants this to be noticed.
    pub(crate) fn of(image: &Image, continuations: bool) -> Writes {
        let code = &image.code;
        let (owners, targets) = (owners(image), targets(code));
        let assigned: Vec<Vec<bool>> = (0..image.bodies.len()).map(|body| assigned(image, &owners, body)).collect();
        let fixed = |at: usize, local: u32| {
            let body = owners[at];
            (local as usize) < image.bodies[body].parameters && !assigned[body][local as usize]
        };
        let mut sets: Vec<Vec<Written>> = vec![Vec::new(); code.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for at in (0..code.len()).rev() {
                let mut set = std::mem::take(&mut sets[at]);
                let before = set.len();
                if let Some(own) = own(code[at], |local| fixed(at, local)) {
                    add(&mut set, own);
                }
                if let Instruction::Spawn { body } = code[at] {
                    let arguments =
                        arguments(image, &targets, at, image.bodies[body as usize].parameters, |l| fixed(at, l));
                    let entry = image.bodies[body as usize].entry;
                    let inherited = if continuations { sets[entry].clone() } else { Vec::new() };
                    for written in inherited {
                        add(&mut set, translate(written, &arguments, image));
                    }
                }
                for next in successors(code, at) {
                    let ends_step = matches!(code[next], Instruction::Stop(_));
                    if next == at || (ends_step && !continuations) {
                        continue;
                    }
                    sets[next].iter().for_each(|&written| add(&mut set, written));
                }
                changed |= set.len() != before;
                sets[at] = set;
            }
        }
        Writes { sets }
    }

    /// Whether a process that stands at `pc`, with these locals, may still write a slot.
    pub(crate) fn contains(&self, pc: usize, locals: &[Value], slot: u32) -> bool {
        self.sets[pc].iter().any(|&written| match written {
            Written::Any(first, length) => (first..first + length).contains(&slot),
            Written::AtParameter(first, parameter) => {
                locals.get(parameter as usize).is_none_or(|&index| Value::from(first) + index == Value::from(slot))
            }
        })
    }
}

fn add(set: &mut Vec<Written>, written: Written) {
    if let Err(at) = set.binary_search(&written) {
        set.insert(at, written);
    }
}

/// The body that each instruction belongs to.
fn owners(image: &Image) -> Vec<usize> {
    let mut owners = vec![0; image.code.len()];
    for (number, body) in image.bodies.iter().enumerate() {
        // Bodies stand one behind the other.
        owners[body.entry..].fill(number);
    }
    owners
}

/// Which of its locals a body assigns to.
fn assigned(image: &Image, owners: &[usize], body: usize) -> Vec<bool> {
    let mut assigned = vec![false; image.bodies[body].locals.len()];
    for (instruction, _) in image.code.iter().zip(owners).filter(|(_, owner)| **owner == body) {
        let local = match *instruction {
            Instruction::SetLocal(local) | Instruction::ConstantToLocal(local, _) => local,
            Instruction::GlobalToLocal { local, .. } => local,
            _ => continue,
        };
        if let Some(assigned) = assigned.get_mut(local as usize) {
            *assigned = true;
        }
    }
    assigned
}

/// What one instruction writes itself. Mutexes are left out: no condition reads them.
fn own(instruction: Instruction, fixed: impl Fn(u32) -> bool) -> Option<Written> {
    match instruction {
        Instruction::SetCellLocal(cells, local) if fixed(local) => Some(Written::AtParameter(cells.first, local)),
        _ => instruction.variables_changed().map(all),
    }
}

fn all(cells: Cells) -> Written {
    Written::Any(cells.first, cells.length)
}

/// Where the code can go on.
fn successors(code: &[Instruction], at: usize) -> impl Iterator<Item = usize> {
    let (jump, falls) = match code[at] {
        Instruction::End { .. } | Instruction::Nowhere => (None, false),
        Instruction::Jump(to) | Instruction::Loop(to) => (Some(to as usize), false),
        Instruction::JumpIfFalse(to) | Instruction::JumpIfTrue(to) => (Some(to as usize), true),
        _ => (None, true),
    };
    jump.into_iter().chain((falls && at + 1 < code.len()).then_some(at + 1))
}

/// Which instructions a jump forward leads to.
fn targets(code: &[Instruction]) -> Vec<bool> {
    let mut targets = vec![false; code.len()];
    for instruction in code {
        if let Instruction::Jump(to) | Instruction::JumpIfFalse(to) | Instruction::JumpIfTrue(to) = *instruction
            && let Some(target) = targets.get_mut(to as usize)
        {
            *target = true;
        }
    }
    targets
}

/// The arguments of a spawn, as far as they are constants or parameters: each is one instruction
/// and a push, or unknown.
fn arguments(
    image: &Image,
    targets: &[bool],
    spawn: usize,
    count: usize,
    fixed: impl Fn(u32) -> bool,
) -> Vec<Argument> {
    let mut arguments = vec![Argument::Unknown; count];
    let mut end = spawn;
    for argument in arguments.iter_mut().rev() {
        // `end` is behind this argument's push. What is before a plain value and its push is the
        // argument before.
        if end < 2 || image.code[end - 1] != Instruction::Push {
            break;
        }
        *argument = match image.code[end - 2] {
            Instruction::Constant(value) => Argument::Constant(value),
            Instruction::Local(local) if fixed(local) => Argument::Parameter(local),
            Instruction::Local(_) => Argument::Unknown,
            _ => break,
        };
        end -= 2;
    }
    // A jump to a push comes from an argument that is no plain value, and only ends in one.
    if (end + 1..spawn).any(|at| targets[at]) {
        return vec![Argument::Unknown; count];
    }
    arguments
}

/// What a new process writes, in terms of its creator.
fn translate(written: Written, arguments: &[Argument], image: &Image) -> Written {
    let Written::AtParameter(first, parameter) = written else { return written };
    let length = image.objects.iter().find(|object| object.first == first as usize).and_then(|object| object.length);
    let any = Written::Any(first, length.unwrap_or(1) as u32);
    match arguments.get(parameter as usize) {
        Some(&Argument::Parameter(local)) => Written::AtParameter(first, local),
        Some(&Argument::Constant(index)) => match length.zip(usize::try_from(index).ok()) {
            Some((length, index)) if index < length => Written::Any(first + index as u32, 1),
            _ => any,
        },
        _ => any,
    }
}
