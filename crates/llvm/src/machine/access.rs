//! Accesses to memory that are not plain: shared ones that name several cells, read-modify-writes,
//! copies, undefined bytes.

use mazurka_trace::{AccessKind, FaultKind, LocationId, Value};

use crate::code::instruction::Register;
use crate::code::operator::{Flags, LoadKind, Modify, Width};
use crate::library::misuse::Misuse;

use super::arithmetic::{modify, wrap};
use super::call::Grant;
use super::event::{cell_value, settle, touch_range};
use super::memory::{MASKS, split, window};
use super::object::{Kind, Life, Object};
use super::thread::Rest;
use super::turn::{Exit, Fuse, Turn};

impl Turn<'_> {
    /// Rests where the object at an address is shared and the step is not granted; then says where
    /// the bytes are.
    pub(super) fn reach(&mut self, address: u64, size: u32, write: bool) -> Result<(usize, Object), Exit> {
        let (slot, offset) = split(address);
        let object = self.state.memory.objects.get(slot).copied().unwrap_or(Object::NONE);
        let shared = is_shared(&object);
        if shared && !self.may_be_seen() {
            return Err(self.rest(Rest::Ready));
        }
        let me = self.thread.index() as u32;
        let fits = u64::from(offset) + u64::from(size) <= u64::from(object.size);
        let open = object.life == Life::Live && (shared || object.access == me) && fits;
        if !open && let Some((kind, detail)) = self.state.memory.examine(address, size, write, me) {
            return Err(Exit::Fault(kind, detail));
        }
        Ok(((object.base + offset) as usize, object))
    }

    /// The same for an access that may be one that waits.
    pub(super) fn reach_waiting(&mut self, address: u64, size: u32, write: bool) -> Result<(usize, Object), Exit> {
        if write && self.fuse == Fuse::May && self.grant == Grant::Nothing && self.event.accesses.len() == 1 {
            self.grant = Grant::Step;
            self.fuse = Fuse::Did(self.frame().pc);
        }
        let reached = self.reach(address, size, write).map_err(|exit| match exit {
            Exit::Rests(_) if self.waits.may_wait(self.frame().pc) && self.may_wait() => self.rest(Rest::Await),
            Exit::Rests(_) if self.waits.may_assume(self.frame().pc) => self.rest(Rest::Assume),
            exit => exit,
        })?;
        let waits = is_shared(&reached.1) && self.frame().rest == Rest::Await && self.atomic == 0;
        self.event.can_block |= waits && self.grant == Grant::Step;
        Ok(reached)
    }

    /// Names the cells of an access, if others can notice it; a read is remembered where a loop may
    /// wait for it.
    pub(super) fn name(&mut self, object: &Object, address: u64, size: u32, kind: AccessKind) {
        if !is_shared(object) {
            return;
        }
        let (slot, offset) = split(address);
        if self.grant != Grant::Step {
            if self.state.observes && kind != AccessKind::Write {
                self.state.observe_unseen(self.event, slot, offset, size);
            }
            return self.watch_unseen(object, offset, kind);
        }
        let from = self.event.accesses.len();
        touch_range(self.state, self.event, slot, offset, size, kind);
        if self.watching && matches!(kind, AccessKind::Read | AccessKind::Update) && self.atomic == 0 {
            for at in from..self.event.accesses.len() {
                let access = self.event.accesses[at];
                self.note(|turn| turn.state.note_read(turn.thread, access.location, access.before));
            }
        }
    }

    /// Remembers what one that is alone reads, where a loop may wait for it: in vain.
    pub(super) fn watch_unseen(&mut self, object: &Object, offset: u32, kind: AccessKind) {
        if self.watching && matches!(kind, AccessKind::Read | AccessKind::Update) {
            let cell = self.state.cells[object.partition as usize].cell(offset);
            let location = LocationId::new((object.first + cell) as usize);
            let value = cell_value(self.state, object, cell);
            self.note(|turn| turn.state.note_read(turn.thread, location, value));
        }
    }

    /// Whether the thread may do what others could notice, because that is granted or there are no
    /// others.
    #[inline]
    pub(super) fn may_be_seen(&self) -> bool {
        self.grant == Grant::Step || self.state.is_alone(self.thread)
    }

    /// Keeps an account that does not count as a change.
    pub(crate) fn note(&mut self, note: impl FnOnce(&mut Self)) {
        let clean = self.state.memory.log.len() == self.mark;
        note(self);
        if clean {
            self.mark = self.state.memory.log.len();
        }
    }

    /// The values after the step, of an event that may have more than one access.
    pub(super) fn settle(&mut self, object: &Object) {
        if is_shared(object) && self.grant == Grant::Step {
            settle(self.state, self.event);
            self.spend();
        }
    }

    pub(super) fn load(&mut self, dst: Register, address: u64, kind: LoadKind, flags: Flags) -> Result<(), Exit> {
        let width = kind.width() as usize;
        let (at, object) = self.reach_waiting(address, 1 << width, false)?;
        self.name(&object, address, 1 << width, AccessKind::Read);
        let value = window(&self.state.memory.bytes, at) & MASKS[width];
        let taint = if object.undefined > 0 { self.state.memory.taint(at, MASKS[width]) } else { 0 };
        if is_shared(&object) && self.grant == Grant::Step {
            self.event.plain = !flags.has(Flags::ATOMIC) && self.atomic == 0;
            self.spend();
        }
        self.set(dst, kind.extend(value), if taint == 0 { 0 } else { kind.extend(taint) });
        self.next();
        Ok(())
    }

    pub(super) fn store(
        &mut self,
        value: u64,
        taint: u64,
        address: u64,
        width: Width,
        flags: Flags,
    ) -> Result<(), Exit> {
        let (at, object) = self.reach(address, width.bytes(), true)?;
        self.name(&object, address, width.bytes(), AccessKind::Write);
        if is_shared(&object) {
            // Others may have written in between: to write again is to change something, even if it
            // is the same.
            self.state.memory.remember(at);
        }
        self.put(&object, address, at, width, value, taint);
        if is_shared(&object) && self.grant == Grant::Step {
            self.event.plain = !flags.has(Flags::ATOMIC) && self.atomic == 0;
        }
        self.settle(&object);
        self.next();
        Ok(())
    }

    /// Writes a value, which is published where others can read it.
    pub(super) fn put(&mut self, object: &Object, address: u64, at: usize, width: Width, value: u64, taint: u64) {
        let slot = split(address).0;
        self.state.memory.put(slot, at, width as usize, value);
        let mask = MASKS[width as usize];
        if taint & mask != 0 {
            self.state.memory.define(slot, at, mask, taint);
        }
        if width == Width::W64 && is_shared(object) {
            self.state.publish(self.thread, value);
        }
    }

    pub(super) fn modify(
        &mut self,
        op: Modify,
        width: Width,
        dst: Option<Register>,
        src: Register,
        address: u64,
    ) -> Result<(), Exit> {
        let (at, object) = self.reach_waiting(address, width.bytes(), true)?;
        self.name(&object, address, width.bytes(), AccessKind::Update);
        let mask = MASKS[width as usize];
        let old = wrap(window(&self.state.memory.bytes, at), width.bits());
        let taint = wrap(self.state.memory.taint(at, mask), width.bits());
        let (value, both) = (modify(op, width, old, self.get(src)), self.taint(src) | taint);
        self.put(&object, address, at, width, value, if both == 0 { 0 } else { u64::MAX });
        self.settle(&object);
        if let Some(dst) = dst {
            self.set(dst, old, taint);
        }
        self.next();
        Ok(())
    }

    pub(super) fn compare_exchange(
        &mut self,
        width: Width,
        registers: [Register; 4],
        address: u64,
    ) -> Result<(), Exit> {
        let [dst, success, expected, new] = registers;
        let (at, object) = self.reach_waiting(address, width.bytes(), true)?;
        let mask = MASKS[width as usize];
        let old = wrap(window(&self.state.memory.bytes, at), width.bits());
        if self.state.memory.taint(at, mask) | self.taint(expected) & mask != 0 {
            return Err(Exit::Fault(FaultKind::Uninitialised, [address as Value, Value::from(width.bytes())]));
        }
        let equal = (old ^ self.get(expected)) & mask == 0;
        if is_shared(&object) && self.grant == Grant::Step {
            self.event.varies = true;
        }
        if equal {
            self.name(&object, address, width.bytes(), AccessKind::Update);
            let (value, taint) = (self.get(new), self.taint(new));
            self.put(&object, address, at, width, value, taint);
        } else {
            self.name(&object, address, width.bytes(), AccessKind::Read);
        }
        self.settle(&object);
        self.set(dst, old, 0);
        self.set(success, u64::from(equal), 0);
        self.next();
        Ok(())
    }

    pub(super) fn copy(&mut self, to: u64, from: u64, length: u64, overlap: bool) -> Result<(), Exit> {
        if length == 0 {
            self.next();
            return Ok(());
        }
        let size = u32::try_from(length).map_err(|_| Exit::Fault(FaultKind::Bounds, [to as Value, length as Value]))?;
        let (from_at, source) = self.reach(from, size, false)?;
        let (to_at, target) = self.reach(to, size, true)?;
        let same = (to >> 32) == (from >> 32) && to != from;
        if !overlap && same && to_at.abs_diff(from_at) < length as usize {
            return Err(Exit::Fault(FaultKind::Misuse, Misuse::Overlap.detail()));
        }
        self.name(&source, from, size, AccessKind::Read);
        self.name(&target, to, size, AccessKind::Write);
        if is_shared(&target) {
            self.state.publish_range(self.thread, from_at, length as usize);
        }
        self.state.memory.copy((split(to).0, to_at), (split(from).0, from_at), length as usize);
        self.finish_range(&source, &target);
        Ok(())
    }

    pub(super) fn fill(&mut self, to: u64, byte: Register, length: u64) -> Result<(), Exit> {
        if length == 0 {
            self.next();
            return Ok(());
        }
        let size = u32::try_from(length).map_err(|_| Exit::Fault(FaultKind::Bounds, [to as Value, length as Value]))?;
        let (at, object) = self.reach(to, size, true)?;
        self.name(&object, to, size, AccessKind::Write);
        self.state.memory.fill(split(to).0, at, length as usize, self.get(byte) as u8);
        if self.taint(byte) & 0xff != 0 {
            self.state.memory.shade(split(to).0, at, length as usize, true);
        }
        self.finish_range(&object, &object);
        Ok(())
    }

    pub(super) fn finish_range(&mut self, one: &Object, other: &Object) {
        if (is_shared(one) || is_shared(other)) && self.grant == Grant::Step {
            settle(self.state, self.event);
            self.event.plain = self.atomic == 0;
            self.spend();
        }
        self.next();
    }
}

/// Whether others can reach an object, or could while it lived.
pub(super) fn is_shared(object: &Object) -> bool {
    object.shared || matches!(object.kind, Kind::Global(_))
}
