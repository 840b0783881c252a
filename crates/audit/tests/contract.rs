//! Machines that break their contract are noticed, each by the check that is meant to.

use std::collections::BTreeSet;

use mazurka_audit::{Budget, Finding, Probes, brute_force, check_contract, compare_visible};
use mazurka_machine::{Constraints, DataRaces, Describe, Digest, Imagination, Machine, Place, Run};
use mazurka_trace::{Access, AccessKind, Event, Fault, FaultKind, LocationId, ProcessId, ProcessSet, SiteId, Value};

/// What a process does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Do {
    /// Writes a value to a location.
    Write(usize, Value),
    /// Reads a location.
    Read(usize),
    /// Fails if a location does not hold this value.
    Want(usize, Value),
}

/// What is wrong with a machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wrong {
    Nothing,
    /// Writes to location 1 are in no event.
    HiddenWrite,
    /// A process does not stand before a read of location 1 while that holds 0: it goes past.
    LooksAhead,
    /// Process 1 runs to its end in its first step.
    RunsOn,
    /// A write to location 1 changes location 2 as well if it finds 1 there, which it does not say
    /// that it reads.
    UntoldRead,
}

/// Processes that do one thing after the other; states are kept to go back.
#[derive(Clone)]
struct Toy {
    programs: Vec<Vec<Do>>,
    wrong: Wrong,
    states: Vec<State>,
}

#[derive(Clone)]
struct State {
    live: ProcessSet,
    at: Vec<usize>,
    read: Vec<Value>,
    memory: [Value; 4],
}

impl Toy {
    fn new(wrong: Wrong, programs: &[&[Do]]) -> Toy {
        let mut live = ProcessSet::default();
        (0..programs.len()).for_each(|process| {
            live.insert(ProcessId::new(process));
        });
        let count = programs.len();
        let state = State { live, at: vec![0; count], read: vec![0; count], memory: [0; 4] };
        let programs = programs.iter().map(|program| program.to_vec()).collect();
        Toy { programs, wrong, states: vec![state] }
    }

    fn state(&self) -> &State {
        self.states.last().expect("there is the initial one")
    }

    /// Where a process is, past what it does not stand before.
    fn place(&self, process: usize) -> usize {
        let (state, mut at) = (self.state(), self.state().at[process]);
        let skips = |step: Option<&Do>| self.wrong == Wrong::LooksAhead && step == Some(&Do::Read(1));
        while skips(self.programs[process].get(at)) && state.memory[1] == 0 && at + 1 < self.programs[process].len() {
            at += 1;
        }
        at
    }

    fn one(&mut self, process: usize, event: &mut Event, visible: bool) {
        let at = self.place(process);
        let step = self.programs[process][at];
        let (hides, length) = (self.wrong == Wrong::HiddenWrite, self.programs[process].len());
        let state = self.states.last_mut().expect("there is the initial one");
        let mut access = |location: usize, kind, before, after| {
            if visible && !(hides && kind == AccessKind::Write && location == 1) {
                event.accesses.push(Access { location: LocationId::new(location), kind, before, after });
            }
        };
        match step {
            Do::Write(location, value) => {
                if self.wrong == Wrong::UntoldRead && location == 1 && state.memory[1] == 1 {
                    access(2, AccessKind::Write, state.memory[2], value);
                    state.memory[2] = value;
                }
                access(location, AccessKind::Write, state.memory[location], value);
                state.memory[location] = value;
            }
            Do::Read(location) | Do::Want(location, _) => {
                let value = state.memory[location];
                access(location, AccessKind::Read, value, value);
                state.read[process] = value;
                if matches!(step, Do::Want(_, wanted) if wanted != value) {
                    let (process, site) = (ProcessId::new(process), site(process, at));
                    event.faults.push(Fault { kind: FaultKind::Assertion, process, site, detail: [0; 2] });
                }
            }
        }
        state.at[process] = at + 1;
        if at + 1 == length {
            state.live.remove(ProcessId::new(process));
        }
    }
}

fn site(process: usize, at: usize) -> SiteId {
    SiteId::new(process * 100 + at)
}

impl Run for Toy {
    fn live(&self) -> &ProcessSet {
        &self.state().live
    }

    fn is_enabled(&mut self, _: ProcessId) -> bool {
        true
    }

    fn at_local(&self) -> Option<ProcessId> {
        None
    }

    fn pending(&self, process: ProcessId) -> SiteId {
        site(process.index(), self.place(process.index()))
    }

    fn step(&mut self, process: ProcessId, _: &[Value], event: &mut Event) {
        event.begin(process, self.pending(process));
        let next = self.state().clone();
        self.states.push(next);
        self.one(process.index(), event, true);
        while self.wrong == Wrong::RunsOn && process.index() == 1 && self.live().contains(process) {
            self.one(process.index(), event, false);
        }
    }

    fn disabled_step(&mut self, _: ProcessId, _: &mut Event) {}

    fn conclude(&mut self, _: &mut Event) -> bool {
        false
    }

    fn holder(&mut self, _: ProcessId) -> Option<ProcessId> {
        None
    }

    fn digest(&mut self) -> Digest {
        let State { at, read, memory, .. } = self.state();
        let numbers = at.iter().map(|&at| at as u64).chain(read.iter().chain(memory).map(|&value| value as u64));
        numbers.fold(Digest::default(), Digest::name)
    }

    fn restart(&mut self) {
        self.states.truncate(1);
    }
}

impl Constraints for Toy {}

impl DataRaces for Toy {}

impl Imagination for Toy {}

impl Machine for Toy {
    fn steps(&self) -> usize {
        self.states.len() - 1
    }

    fn rewind(&mut self, steps: usize) {
        self.states.truncate(steps + 1);
    }
}

impl Describe for Toy {
    fn process_name(&self, process: ProcessId) -> String {
        format!("p{}", process.index())
    }

    fn find_process(&self, name: &str) -> Option<ProcessId> {
        name.strip_prefix('p')?.parse().ok().map(ProcessId::new)
    }

    fn location_name(&self, location: LocationId) -> String {
        format!("x{}", location.index())
    }

    fn value_text(&self, _: LocationId, value: Value) -> String {
        value.to_string()
    }

    fn place(&self, site: SiteId) -> Place {
        Place { file: String::new(), line: site.index(), column: 1, text: String::new() }
    }

    fn fault_text(&self, _: &Fault) -> String {
        "assertion failed".into()
    }
}

const WRITER: &[Do] = &[Do::Write(2, 1), Do::Write(1, 1), Do::Write(3, 1)];
const READER: &[Do] = &[Do::Read(0), Do::Read(1), Do::Read(2)];

fn breach(wrong: Wrong) -> Option<String> {
    breach_of(wrong, &[WRITER, READER])
}

fn breach_of(wrong: Wrong, programs: &[&[Do]]) -> Option<String> {
    let mut machine = Toy::new(wrong, programs);
    let fresh = machine.clone();
    let probes = Probes { executions: 100, ..Probes::default() };
    check_contract(&mut machine, || fresh.clone(), probes).err().map(|breach| breach.to_string())
}

#[test]
fn a_machine_that_keeps_its_contract_passes() {
    assert_eq!(breach(Wrong::Nothing), None);
}

#[test]
fn replays_notice_a_write_that_is_in_no_event() {
    let found = breach(Wrong::HiddenWrite).expect("it is noticed");
    assert!(found.contains("other accesses") || found.contains("another state"), "{found}");
}

#[test]
fn pasts_notice_a_process_that_looks_ahead() {
    let found = breach(Wrong::LooksAhead).expect("it is noticed");
    assert!(found.contains("stands at"), "{found}");
}

#[test]
fn neighbours_notice_a_read_that_is_not_told() {
    let programs: [&[Do]; 2] = [&[Do::Write(1, 1)], &[Do::Write(1, 2)]];
    assert_eq!(breach_of(Wrong::Nothing, &programs), None);
    let found = breach_of(Wrong::UntoldRead, &programs).expect("it is noticed");
    assert!(found.contains("neighbours"), "{found}");
}

/// The last thing read is part of a process's state, so it has to be what the hidden write changes.
#[test]
fn brute_force_notices_equivalent_executions_that_differ() {
    let mut machine = Toy::new(Wrong::HiddenWrite, &[WRITER, &[Do::Read(0), Do::Read(1)]]);
    let census = brute_force(&mut machine, Budget::default()).expect("it is small");
    assert!(!census.contradictions.is_empty());
}

#[test]
fn visible_brute_force_notices_what_is_lost() {
    // Process 1 fails only if the other one runs between its two steps.
    let programs: [&[Do]; 2] = [&[Do::Write(0, 1)], &[Do::Write(0, 2), Do::Want(0, 2)]];
    let findings = |wrong| -> BTreeSet<Finding> {
        let census = brute_force(&mut Toy::new(wrong, &programs), Budget::default()).expect("it is small");
        census.findings.into_keys().collect()
    };
    assert!(compare_visible(&findings(Wrong::Nothing), &findings(Wrong::Nothing)).is_ok());
    let found = compare_visible(&findings(Wrong::RunsOn), &findings(Wrong::Nothing)).expect_err("it is noticed");
    assert!(found.to_string().contains("is lost"), "{found}");
}
