//! The machine's words for people.

use mazurka_machine::{Describe, Place};
use mazurka_trace::{Fault, FaultKind, LocationId, ProcessId, SiteId, Value};

use crate::code::{FREE, ObjectKind, Subject};
use crate::hir::Type;

use super::ProcessMachine;

impl Describe for ProcessMachine {
    fn process_name(&self, process: ProcessId) -> String {
        self.name(process)
    }

    /// Costs a look at every process. Among processes of one name (that is, of executions that
    /// cannot meet) one of the current execution is preferred.
    fn find_process(&self, name: &str) -> Option<ProcessId> {
        let named = || (0..self.processes.len()).map(ProcessId::new).filter(|&process| self.name(process) == name);
        named().find(|&process| self.live.contains(process)).or_else(|| named().next())
    }

    fn location_name(&self, location: LocationId) -> String {
        self.image.location_name(location)
    }

    fn value_text(&self, location: LocationId, value: Value) -> String {
        match self.image.object(location).map(|object| object.kind) {
            Some(ObjectKind::Variable(Type::Int)) | None => value.to_string(),
            Some(ObjectKind::Variable(Type::Bool)) => if value == 0 { "false" } else { "true" }.to_owned(),
            Some(ObjectKind::Mutex) if value == FREE => "free".to_owned(),
            Some(ObjectKind::Mutex) => self.name(ProcessId::new(value as usize)),
        }
    }

    fn place(&self, site: SiteId) -> Place {
        let span = self.image.sites[site.index()].span;
        let before = self.image.source.get(..span.start as usize).unwrap_or("");
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Place {
            file: self.image.file.clone(),
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            text: fold(self.image.text(span)),
        }
    }

    fn fault_text(&self, fault: &Fault) -> String {
        let [first, second] = fault.detail;
        let site = self.image.sites[fault.site.index()];
        match fault.kind {
            FaultKind::Assertion => match site.subject {
                Subject::Assertion(condition) => format!("assertion failed: {}", fold(self.image.text(condition))),
                _ => "assertion failed".to_owned(),
            },
            FaultKind::Deadlock if Some(fault.process) == self.finale => "the finally block cannot go on".to_owned(),
            FaultKind::Deadlock => "deadlock".to_owned(),
            FaultKind::Lock => self.lock_text(fault.process, LocationId::new(first as usize), second),
            FaultKind::Bounds => self.bounds_text(site.subject, first, second),
            FaultKind::DivisionByZero => "division by zero".to_owned(),
            FaultKind::Overflow => match site.subject {
                Subject::Operator(operator) => {
                    format!("integer overflow: {first} {} {second}", crate::operator::sign(operator))
                }
                _ => format!("integer overflow: -({first})"),
            },
            FaultKind::EmptyChoice => format!("choose({first}, {second}) has no value to choose from"),
            // No statement of the notation can do that.
            kind => format!("{kind:?}"),
        }
    }
}

impl ProcessMachine {
    fn lock_text(&self, process: ProcessId, mutex: LocationId, owner: Value) -> String {
        let name = self.image.location_name(mutex);
        if owner == FREE {
            format!("unlock of `{name}`, which is free")
        } else if owner == process.index() as Value {
            format!("the process ends while it holds `{name}`")
        } else {
            format!("unlock of `{name}`, which is held by {}", self.value_text(mutex, owner))
        }
    }

    fn bounds_text(&self, subject: Subject, index: Value, length: Value) -> String {
        let Subject::Array(object) = subject else { return format!("index {index} is out of bounds") };
        let object = &self.image.objects[object as usize];
        let thing = match object.kind {
            ObjectKind::Variable(_) => "cell",
            ObjectKind::Mutex => "mutex",
        };
        let cells = match (thing, length) {
            (thing, 1) => thing.to_owned(),
            ("mutex", _) => "mutexes".to_owned(),
            (thing, _) => format!("{thing}s"),
        };
        format!("index {index} is out of bounds for `{}`, which has {length} {cells}", object.name)
    }
}

/// On one line, white space folded.
fn fold(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
