//! Names and places for people.

use mazurka_machine::{Describe, Ends, Place, Rest};
use mazurka_source::Span;
use mazurka_trace::{Fault, FaultKind, LocationId, ProcessId, SiteId, Value as Word};

use super::ActorMachine;
use super::registry::{NOBODY, Owner};
use super::show::{object_name, show, task_name};
use super::value::{Kind, Value};
use crate::code::Instruction;

impl ActorMachine {
    fn place_of(&self, span: Span) -> Place {
        self.image.place_of(span)
    }

    pub(super) fn show(&self, value: Value) -> String {
        show(&self.image, &self.registry, &self.heap, value)
    }

    fn object(&self, object: u32) -> String {
        if object == NOBODY { "main".to_owned() } else { object_name(&self.image, &self.registry, object) }
    }
}

impl Describe for ActorMachine {
    fn process_name(&self, process: ProcessId) -> String {
        task_name(&self.image, &self.registry, process.index() as u32)
    }

    fn process_key(&self, process: ProcessId) -> String {
        let task = self.registry.tasks[process.index()];
        let name = self.process_name(process);
        let dropped = if task.is_kept { "" } else { ", dropped" };
        if task.receiver == NOBODY { name } else { format!("{name} of {}{dropped}", self.object(task.receiver)) }
    }

    fn find_process(&self, name: &str) -> Option<ProcessId> {
        // Tasks of different callers can have the same name, but not in the same execution.
        let live = || self.live.iter();
        let all = || live().chain((0..self.registry.tasks.len()).map(ProcessId::new));
        let by_key = || all().find(|&process| self.process_key(process) == name);
        let by_name = || all().find(|&process| self.process_name(process) == name);
        live().find(|&process| self.process_name(process) == name).or_else(by_key).or_else(by_name)
    }

    fn location_name(&self, location: LocationId) -> String {
        match self.registry.owners[location.index()] {
            Owner::Lock(object) => format!("the group of {}", self.object(object)),
            Owner::Field(object, field) => {
                let class = self.registry.objects[object as usize].class;
                format!("{}.{}", self.object(object), self.image.classes[class as usize].fields[field as usize])
            }
            Owner::Entries(object, field) => {
                let class = self.registry.objects[object as usize].class;
                let name = &self.image.classes[class as usize].fields[field as usize];
                format!("{}.{name}[…]", self.object(object))
            }
            Owner::Future(task) | Owner::Taken(task) => {
                format!("the result of {}", task_name(&self.image, &self.registry, task))
            }
        }
    }

    fn value_text(&self, location: LocationId, value: Word) -> String {
        let value = Value(value as u64);
        match (self.registry.owners[location.index()], value.kind()) {
            (Owner::Entries(..), _) => "…".to_owned(),
            (Owner::Lock(_), Kind::Absent) => "free".to_owned(),
            (Owner::Lock(_), Kind::Future(task)) => task_name(&self.image, &self.registry, task),
            _ => self.show(value),
        }
    }

    fn place(&self, site: SiteId) -> Place {
        let mut place = self.place_of(self.image.places[site.index()]);
        if self.image.bodies[self.image.main as usize].entry as usize == site.index() {
            place.text = "main".to_owned();
        }
        place
    }

    fn take_ends(&mut self) -> Ends {
        self.end_account()
    }

    fn lane(&self, process: ProcessId) -> Option<String> {
        Some(self.object(self.registry.tasks[process.index()].receiver))
    }

    fn rest(&self, process: ProcessId) -> Rest {
        let task = process.index() as u32;
        if !self.live.contains(process) {
            let value = self.cells.get(self.registry.tasks[process.index()].future);
            let failed = self.heap.constructor(value) == Some(self.failure_constructor());
            return if failed { Rest::Failed(self.show(self.heap.arguments(value)[0])) } else { Rest::Returned };
        }
        let other = self.awaited(task).map_or_else(String::new, |other| task_name(&self.image, &self.registry, other));
        match self.instruction(task) {
            Instruction::Get { .. } => Rest::Blocks(other),
            Instruction::AwaitFuture { .. } => Rest::Awaits(other),
            Instruction::Guard { .. } => {
                let text = self.place(SiteId::new(self.pc(task) as usize)).text;
                let text = text.strip_prefix("await").unwrap_or(&text).trim().trim_end_matches(';');
                Rest::Awaits(text.to_owned())
            }
            _ => Rest::Suspended,
        }
    }

    fn waiting_text(&self, process: ProcessId) -> Option<String> {
        let task = process.index() as u32;
        let name = |task| task_name(&self.image, &self.registry, task);
        let held = self.locked_by(task).map(|holder| {
            let group = self.object(self.registry.tasks[task as usize].receiver);
            format!("and {group} is kept by {}", name(holder))
        });
        let result = self.waits_for_result(task).map(|other| {
            let keeps = matches!(self.instruction(task), Instruction::Get { .. });
            let object = self.object(self.registry.tasks[task as usize].receiver);
            let keeps = if keeps { format!(", and keeps {object}") } else { String::new() };
            format!("for the result of {}{keeps}", name(other))
        });
        Some(match (result, held) {
            (Some(result), None) => result,
            (Some(result), Some(held)) => format!("{result}, {held}"),
            (None, Some(held)) => held.replacen("and", "since", 1),
            (None, None) => "for what nobody will make true".to_owned(),
        })
    }

    fn circle(&self, process: ProcessId) -> Vec<ProcessId> {
        let circle = self.circle_from(process.index() as u32).unwrap_or_default();
        circle.into_iter().map(|task| ProcessId::new(task as usize)).collect()
    }

    fn fault_text(&self, fault: &Fault) -> String {
        match fault.kind {
            FaultKind::Assertion if self.image.code[fault.site.index()] == Instruction::Reached => {
                let body = self.image.body_at(fault.site.index() as u32);
                let class = body.class.map_or("", |class| self.image.classes[class as usize].name.as_str());
                format!("{class}.{} is called", body.name)
            }
            FaultKind::Assertion => {
                let text = self.place(fault.site).text;
                let text = text.strip_prefix("assert").unwrap_or(&text).trim().trim_end_matches(';');
                format!("assertion failed: {text}")
            }
            FaultKind::Exception => {
                format!("unhandled exception: {}", self.show(Value(fault.detail[0] as u64)))
            }
            FaultKind::Deadlock => "deadlock".to_owned(),
            FaultKind::AwaitCycle => "await-cycle".to_owned(),
            FaultKind::Stuck => "stuck".to_owned(),
            FaultKind::StackOverflow => "too many calls within calls".to_owned(),
            FaultKind::Unmodelled => "a task waits while an object is being made".to_owned(),
            FaultKind::Misuse => "an operation on values of the wrong types".to_owned(),
            other => format!("{other:?}"),
        }
    }
}
