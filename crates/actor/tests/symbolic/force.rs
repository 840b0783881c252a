//! Executing concretely, by brute force.

use std::collections::BTreeSet;
use std::sync::Arc;

use mazurka_actor::{ActorMachine, Ended, Image, Situation, Summary};
use mazurka_machine::{Describe, Run};
use mazurka_trace::{Ending, Event, ProcessId};

/// How an execution ends, and what each task runs: executions with the same one are instances of
/// the same paths.
pub(crate) type Signature = (Ended, Vec<(String, u64)>);

/// So many schedules of a situation are run.
const MOST: usize = 60;

/// A machine that runs one schedule after the other.
pub(crate) struct Runner<'i> {
    image: &'i Image,
    machine: ActorMachine,
}

impl<'i> Runner<'i> {
    pub(crate) fn new(image: &'i Image, situation: &Situation) -> Self {
        Runner { image, machine: ActorMachine::new(Arc::new(image.begun_keeping(situation))) }
    }

    /// Runs a schedule, and what the choices say after it; how many could step at each state.
    fn run(
        &mut self,
        choose: impl Fn(usize, &[(String, ProcessId)]) -> Option<usize>,
    ) -> Result<(Signature, Summary, Vec<usize>), String> {
        let machine = &mut self.machine;
        machine.restart();
        machine.keep_coverage(self.image);
        let (mut event, mut widths, mut halted) = (Event::default(), Vec::new(), false);
        while !halted {
            let live: Vec<ProcessId> = machine.live().iter().collect();
            let mut able: Vec<(String, ProcessId)> = Vec::new();
            for process in live {
                if machine.is_enabled(process) {
                    able.push((machine.process_name(process), process));
                }
            }
            able.sort();
            if able.is_empty() {
                break;
            }
            let Some(chosen) = choose(widths.len(), &able) else {
                return Err(format!("step {} is not possible", widths.len() + 1));
            };
            widths.push(able.len());
            machine.step(able[chosen].1, &[], &mut event);
            if event.ending == Ending::OutOfFuel {
                return Err("out of fuel".to_owned());
            }
            halted = event.ending == Ending::Halts;
        }
        let coverage = machine.take_coverage();
        let mut summary = machine.summarise();
        if halted {
            summary.ended = Ended::Halted;
        }
        let mut trails = machine.trails(&coverage);
        trails.sort();
        Ok(((summary.ended, trails), summary, widths))
    }

    /// Runs a schedule to its end.
    pub(crate) fn follow(&mut self, schedule: &[String]) -> Result<(Signature, Summary), String> {
        let choose = |step: usize, able: &[(String, ProcessId)]| {
            let wanted = schedule.get(step)?;
            able.iter().position(|(name, _)| name == wanted)
        };
        let (signature, summary, widths) = self.run(choose)?;
        if widths.len() == schedule.len() { Ok((signature, summary)) } else { Err("it ends before".to_owned()) }
    }

    /// The signatures of all schedules, or of the first ones.
    pub(crate) fn signatures(&mut self) -> BTreeSet<Signature> {
        let (mut found, mut prefix): (BTreeSet<Signature>, Vec<usize>) = Default::default();
        for _ in 0..MOST {
            let chosen = prefix.clone();
            let Ok((signature, _, widths)) = self.run(|step, _| Some(chosen.get(step).copied().unwrap_or(0))) else {
                break;
            };
            found.insert(signature);
            prefix.resize(widths.len(), 0);
            // The next schedule: the last step that has another one.
            while let Some(last) = prefix.pop() {
                if last + 1 < widths[prefix.len()] {
                    prefix.push(last + 1);
                    break;
                }
            }
            if prefix.is_empty() {
                break;
            }
        }
        found
    }
}
