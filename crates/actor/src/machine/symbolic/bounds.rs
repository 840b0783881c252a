//! Bounds: where a path is cut, since there is no end to it otherwise.

use super::{ActorMachine, Undo};
use crate::code::{Instruction, Pc};
use crate::machine::TASK;
use crate::machine::interpreter::{Cpu, Exit};

/// How far paths are followed. Where nothing forks, no bound of loops and calls counts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Rounds of a loop in which something is decided, for each time that its method is called.
    pub loops: u32,
    /// Calls of one function or method within each other, where something is decided.
    pub recursion: u32,
    /// Constructors within each other in an input.
    pub data_depth: u32,
    /// Objects that a task makes at one place.
    pub objects: u32,
    /// Input objects of a class, besides those that the situation has.
    pub input_objects: u32,
    /// Steps of an object's tasks.
    pub switches: Option<u32>,
    /// References can be null where they are called.
    pub null: bool,
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds { loops: 2, recursion: 5, data_depth: 3, objects: 4, input_objects: 2, switches: None, null: false }
    }
}

impl ActorMachine {
    /// The path is not followed any further, for this reason.
    pub(super) fn cut(&mut self, cpu: &Cpu<'_>, why: &'static str) -> Exit {
        if cpu.is_trial {
            // The step will come to the same place.
            return Exit::Guard(true);
        }
        self.inputs().reach(why);
        Exit::OutOfFuel
    }

    /// A loop goes round.
    pub(super) fn go_round(&mut self, cpu: &Cpu<'_>) -> Result<(), Exit> {
        let key = (cpu.task, cpu.base, cpu.pc);
        let symbolic = self.inputs();
        let (old, forks) = (symbolic.rounds.get(&key).copied(), symbolic.forks_of(cpu.task));
        let (rounds, before) = old.unwrap_or((0, 0));
        // The first round began with the activation: forks before it are another's, and count once.
        if forks == before || cpu.is_trial {
            return Ok(());
        }
        if rounds >= symbolic.bounds.loops {
            return Err(self.cut(cpu, "loops"));
        }
        symbolic.rounds.insert(key, (rounds + 1, forks));
        symbolic.log.push(Undo::Rounds(key, old));
        Ok(())
    }

    /// A frame is left: its loops begin anew the next time.
    pub(super) fn forget_rounds(&mut self, cpu: &Cpu<'_>) {
        let symbolic = self.inputs();
        if symbolic.rounds.is_empty() || cpu.is_trial {
            return;
        }
        let is_own = |key: &&(u32, usize, Pc)| (key.0, key.1) == (cpu.task, cpu.base);
        let own: Vec<(u32, usize, Pc)> = symbolic.rounds.keys().filter(is_own).copied().collect();
        for key in own {
            let old = symbolic.rounds.remove(&key);
            symbolic.log.push(Undo::Rounds(key, old));
        }
    }

    /// An object is made.
    pub(super) fn make(&mut self, cpu: &Cpu<'_>) -> Result<(), Exit> {
        // The situation's own objects are made by main.
        if cpu.task == 0 || cpu.is_trial {
            return Ok(());
        }
        let symbolic = self.inputs();
        let made = symbolic.sites.entry((cpu.task, cpu.pc)).or_insert(0);
        if *made >= symbolic.bounds.objects {
            return Err(self.cut(cpu, "objects"));
        }
        *made += 1;
        symbolic.log.push(Undo::Site(cpu.task, cpu.pc));
        Ok(())
    }

    /// Something is decided: not too deep within calls.
    pub(super) fn check_calls(&mut self, cpu: &Cpu<'_>) -> Result<(), Exit> {
        let mut bodies: Vec<u32> = Vec::new();
        let (mut base, mut pc) = (cpu.base, cpu.pc);
        loop {
            bodies.push(self.image.owners[pc as usize]);
            if base == TASK {
                break;
            }
            pc = cpu.stack[base].as_count();
            base -= match self.image.code[pc as usize] {
                Instruction::Call { first, .. }
                | Instruction::CallLocal { first, .. }
                | Instruction::New { first, .. }
                | Instruction::Sync { first, .. } => first as usize,
                _ => break,
            };
        }
        bodies.sort_unstable();
        let most = bodies.chunk_by(|one, other| one == other).map(<[u32]>::len).max().unwrap_or(0);
        if most > self.inputs().bounds.recursion as usize { Err(self.cut(cpu, "recursion")) } else { Ok(()) }
    }

    /// A task steps: not too often in its object.
    pub(in crate::machine) fn exceeds_switches(&mut self, task: u32) -> bool {
        let Some(most) = self.symbolic.as_ref().and_then(|symbolic| symbolic.bounds.switches) else { return false };
        let lock = self.registry.tasks[task as usize].lock;
        let own = self.records.iter().filter(|record| self.registry.tasks[record.task as usize].lock == lock);
        let exceeds = own.count() > most as usize;
        if exceeds {
            self.inputs().reach("switches");
        }
        exceeds
    }
}
