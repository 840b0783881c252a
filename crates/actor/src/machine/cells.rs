//! The memory that tasks share: fields, locks of groups, futures. What a step does to it is told in
//! its event, and can be undone.

use mazurka_machine::undo::{self, Change};
use mazurka_trace::{Access, AccessKind, Event, LocationId};

use super::value::Value;

/// All shared memory. A location's number is its place here.
#[derive(Clone, Debug, Default)]
pub(super) struct Cells {
    values: Vec<Value>,
    pub(super) log: Vec<Change<Value>>,
    /// For each location, the number of the last step that used it, and as which of its uses.
    marks: Vec<(u32, u32)>,
    steps: u32,
}

impl Cells {
    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    /// Room for more locations; the number of the first.
    pub(super) fn grow(&mut self, count: usize) -> u32 {
        let first = self.values.len() as u32;
        self.values.resize(self.values.len() + count, Value::ABSENT);
        self.marks.resize(self.values.len(), (0, 0));
        first
    }

    #[inline]
    pub(super) fn get(&self, location: u32) -> Value {
        self.values[location as usize]
    }

    /// Changes a location, and tells nobody.
    #[inline]
    pub(super) fn set(&mut self, location: u32, value: Value) {
        undo::write(&mut self.values, &mut self.log, location as usize, value);
    }

    /// Another event begins.
    pub(super) fn begin(&mut self) {
        self.steps = self.steps.checked_add(1).unwrap_or_else(|| {
            self.marks.fill((0, 0));
            1
        });
    }

    /// Tells of a use.
    #[inline]
    pub(super) fn note(&mut self, location: u32, kind: AccessKind, after: Value, event: &mut Event) {
        let mark = &mut self.marks[location as usize];
        let after = after.0 as i64;
        if mark.0 == self.steps {
            let access = &mut event.accesses[mark.1 as usize];
            (access.kind, access.after) = (access.kind.then(kind), after);
            return;
        }
        *mark = (self.steps, event.accesses.len() as u32);
        let before = self.values[location as usize].0 as i64;
        event.accesses.push(Access { location: LocationId::new(location as usize), kind, before, after });
    }

    #[inline]
    pub(super) fn read(&mut self, location: u32, event: &mut Event) -> Value {
        let value = self.get(location);
        self.note(location, AccessKind::Read, value, event);
        value
    }

    #[inline]
    pub(super) fn write(&mut self, location: u32, kind: AccessKind, value: Value, event: &mut Event) {
        self.note(location, kind, value, event);
        self.set(location, value);
    }

    /// Takes changes back until the log is as long as it was.
    pub(super) fn undo(&mut self, length: usize) {
        undo::undo(&mut self.values, &mut self.log, length);
    }
}
