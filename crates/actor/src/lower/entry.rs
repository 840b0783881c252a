//! Uses of single entries of map fields: `lookup(this.m, k)`, `this.m = put(this.m, k, v)` and
//! their like.
//!
//! The code is the ordinary one, between an `Entry` and the end that it names. In between, the
//! machine takes uses of the field as uses of the entry. So what is computed there must look at
//! nothing of the map but that entry: these are the functions of the standard library that do, with
//! the field itself as their first argument.

use super::Lowering;
use crate::code::{EntryUse, FRAME, Instruction, Slot};
use crate::hir::{ExprId, ExprKind};

/// Functions that look at one entry.
const READERS: &[&str] = &["lookup", "lookupMaybe", "lookupUnsafe", "lookupDefault"];

/// Functions that change one entry.
const WRITERS: &[&str] = &["put", "removeKey"];

impl Lowering<'_> {
    /// Whether this is one of those functions: of the standard library, whose functions come first.
    fn is_named(&self, function: usize, names: &[&str]) -> bool {
        let name = self.program.functions[function].name.as_str();
        let first = self.program.functions.iter().position(|function| function.name == name);
        first == Some(function) && names.contains(&name)
    }

    /// `lookup(this.m, k)`.
    pub(super) fn entry_call(&mut self, function: usize, arguments: &[ExprId], to: Slot) -> bool {
        let (Some(&map), true) = (arguments.first(), self.is_named(function, READERS)) else { return false };
        let ExprKind::Field(field) = *self.kind_of(map) else { return false };
        let before = self.next;
        // The other arguments come first: they may use the field in other ways.
        let first = self.next;
        for _ in 0..=FRAME {
            self.take();
        }
        let (key, _) = self.in_a_row(&arguments[1..]);
        let entry = self.emit(Instruction::Entry { field, key, usage: EntryUse::Read, end: 0 });
        self.emit(Instruction::Load { to: first + FRAME, field });
        self.emit(Instruction::Call { to, function: function as u32, first });
        self.end_entry(entry);
        self.next = before;
        true
    }

    /// `this.m = put(this.m, k, v)`.
    pub(super) fn entry_store(&mut self, field: u32, value: ExprId) -> bool {
        let ExprKind::Call(function, arguments) = self.kind_of(value) else { return false };
        let (Some(&map), true) = (arguments.first(), self.is_named(function.index(), WRITERS)) else { return false };
        if !matches!(self.kind_of(map), ExprKind::Field(other) if *other == field) {
            return false;
        }
        let before = self.next;
        let first = self.next;
        for _ in 0..=FRAME {
            self.take();
        }
        let (key, _) = self.in_a_row(&arguments[1..]);
        let entry = self.emit(Instruction::Entry { field, key, usage: EntryUse::Write, end: 0 });
        self.emit(Instruction::Load { to: first + FRAME, field });
        let to = first;
        self.emit(Instruction::Call { to, function: function.0, first });
        self.emit(Instruction::Store { field, from: to });
        self.end_entry(entry);
        self.next = before;
        true
    }

    fn end_entry(&mut self, entry: u32) {
        let here = self.here();
        if let Instruction::Entry { end, .. } = &mut self.code[entry as usize] {
            *end = here;
        }
    }
}
