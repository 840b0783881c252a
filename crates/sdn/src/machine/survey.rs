//! Which rules there can be: random executions, before anything is explored.
//!
//! What is not met here is unforeseen. That costs executions and loses nothing, see
//! [`tables`](super::tables).

use mazurka_machine::Run;
use mazurka_trace::{Ending, Event, ProcessId, Value};

use super::NetworkMachine;
use super::tables::Key;

/// So many executions in a row without anything new are enough.
const FRUITLESS: usize = 40;
/// So many steps are enough in any case, but for the first execution.
const STEPS: usize = 60_000;
/// A handler may run so many instructions here.
const FUEL: u64 = 50_000;
/// An execution is cut after so many.
const LONGEST: usize = 1_000_000;

impl NetworkMachine {
    /// All rules that random executions install, by their keys.
    pub(crate) fn survey(mut self) -> Vec<Key> {
        // A handler that goes on for ever is the exploration's matter.
        self.fuel = FUEL;
        let (mut random, mut steps, mut fruitless) = (0x2545_f491_4f6c_dd1d_u64, 0, 0);
        while fruitless < FRUITLESS && steps < STEPS {
            let known = self.tables.all().len();
            steps += self.wander(&mut random).max(1);
            fruitless = if self.tables.all().len() == known { fruitless + 1 } else { 0 };
            self.restart();
        }
        self.tables.all().to_vec()
    }

    /// One execution; gives its length.
    fn wander(&mut self, random: &mut u64) -> usize {
        let mut waiting: Vec<ProcessId> = self.live.iter().collect();
        let mut event = Event::default();
        let mut next = |below: usize| {
            *random ^= *random << 13;
            *random ^= *random >> 7;
            *random ^= *random << 17;
            (*random % below.max(1) as u64) as usize
        };
        while !waiting.is_empty() && self.records.len() < LONGEST {
            let from = next(waiting.len());
            let place = (0..waiting.len()).map(|offset| (from + offset) % waiting.len());
            let enabled = place.into_iter().find(|&at| self.is_enabled(waiting[at]));
            let Some(at) = enabled else { break };
            let process = waiting.swap_remove(at);
            let choices = [next(4) as Value; 4];
            self.take_step(process, &choices, &mut event);
            waiting.extend(&event.spawned);
            if matches!(event.ending, Ending::Halts | Ending::OutOfFuel) {
                break;
            }
        }
        self.records.len()
    }
}
