//! Keeps account of the states in which executions end.

use mazurka_machine::{Digest, Ends, FinalState, Heard, Traces};
use mazurka_trace::{ProcessId, Schedule, Scheduled, SiteId};
use rustc_hash::FxHashMap;

use super::ActorMachine;
use super::registry::Owner;
use super::show::object_name;
use super::value::Value;

/// So many different states are kept.
const MOST_STATES: usize = 1_000;

/// So many executions are kept where all are requested.
const MOST_TRACES: usize = 1_000;

/// What was met so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Account {
    traces: Traces,
    ends: Ends,
    numbers: FxHashMap<Digest, usize>,
    /// Of a search that pauses.
    aside: Option<Box<(Ends, FxHashMap<Digest, usize>)>>,
}

impl Account {
    pub(super) fn new(traces: Traces) -> Self {
        Self { traces, ..Self::default() }
    }

    /// Something happens in the exploration that is kept account of.
    pub(super) fn hear(&mut self, heard: Heard) {
        match heard {
            Heard::Complete | Heard::Cut => {}
            Heard::Begun => (self.ends, self.numbers) = Default::default(),
            Heard::SetAside => {
                self.aside = Some(Box::new((std::mem::take(&mut self.ends), std::mem::take(&mut self.numbers))));
            }
            Heard::TakenUp => {
                if let Some(aside) = self.aside.take() {
                    (self.ends, self.numbers) = *aside;
                }
            }
        }
    }
}

impl ActorMachine {
    /// From now on, keeps account of the states in which executions end, and of some executions.
    pub fn keep_account(&mut self, traces: Traces) {
        self.account = Some(Box::new(Account::new(traces)));
    }

    /// See `Describe::take_ends`.
    pub(super) fn end_account(&mut self) -> Ends {
        self.account.take().map(|account| account.ends).unwrap_or_default()
    }

    /// An execution is complete: see `Run::hear`.
    pub(super) fn enter_end(&mut self) {
        let Some(mut account) = self.account.take() else { return };
        let Account { traces, ends, numbers, .. } = &mut *account;
        ends.executions += 1;
        let digest = self.digest_of_end();
        let number = match numbers.get(&digest) {
            Some(&number) => Some(number),
            None if ends.states.len() < MOST_STATES => {
                numbers.insert(digest, ends.states.len());
                ends.states.push(self.final_state(ends.executions));
                Some(ends.states.len() - 1)
            }
            None => None,
        };
        match number {
            Some(number) => ends.states[number].executions += 1,
            None => ends.uncounted += 1,
        }
        let is_wanted = match traces {
            Traces::None => false,
            Traces::One(wanted) => *wanted == ends.executions,
            Traces::All => ends.traces.len() < MOST_TRACES,
        };
        if is_wanted {
            ends.traces.push((ends.executions, number, self.schedule()));
        }
        self.account = Some(account);
    }

    /// The schedule of the current execution.
    pub(crate) fn schedule(&self) -> Schedule {
        let chosen = |at: usize| {
            let end = self.records.get(at + 1).map_or(self.chosen.len(), |next| next.chosen as usize);
            self.chosen[self.records[at].chosen as usize..end].to_vec()
        };
        let step =
            |at: usize| Scheduled { process: ProcessId::new(self.records[at].task as usize), choices: chosen(at) };
        (0..self.records.len()).map(step).collect()
    }

    /// The current state, as the first one of its kind.
    fn final_state(&self, first: u64) -> FinalState {
        let mut objects: Vec<(String, Vec<(String, String)>)> = Vec::new();
        for (number, object) in self.registry.objects.iter().enumerate() {
            let class = &self.image.classes[object.class as usize];
            let value = |field: usize| self.cells.get(object.fields + field as u32);
            let is_there = |field: &usize| value(*field) != Value::ABSENT;
            let shown = (0..class.fields.len()).filter(is_there);
            let fields: Vec<_> = shown.map(|field| (class.fields[field].clone(), self.show(value(field)))).collect();
            if !fields.is_empty() {
                objects.push((object_name(&self.image, &self.registry, number as u32), fields));
            }
        }
        FinalState {
            objects,
            waiting: self.live.iter().map(|process| self.wait_of(process)).collect(),
            exceptions: self.failed.iter().map(|task| self.exception_of(task)).collect(),
            executions: 0,
            first,
            schedule: self.schedule(),
        }
    }

    fn wait_of(&self, process: ProcessId) -> (String, String) {
        use mazurka_machine::Describe;
        let place = self.place(SiteId::new(self.pc(process.index() as u32) as usize));
        (self.process_name(process), format!("{}:{}:{}", place.file, place.line, place.column))
    }

    fn exception_of(&self, task: u32) -> String {
        let value = self.cells.get(self.registry.tasks[task as usize].future);
        self.show(self.heap.arguments(value)[0])
    }

    /// Whether a location is a part of what is shown of a final state: a field, or an exception.
    pub(super) fn is_shown_at_end(&self, location: u32) -> bool {
        match self.registry.owners[location as usize] {
            Owner::Field(..) => true,
            Owner::Future(task) => self.failed.iter().any(|failed| failed == task),
            Owner::Lock(_) | Owner::Entries(..) | Owner::Taken(_) => false,
        }
    }
}
