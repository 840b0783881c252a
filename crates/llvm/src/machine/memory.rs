//! Memory: objects in flat storage, which of their bytes are defined, and the log of changes.
//!
//! An address has the slot of an object in its upper half and an offset in its lower half. Slot 0
//! is the null pointer's. The storage has eight spare bytes at its end, so that eight bytes can be
//! read from every byte of an object.

use mazurka_trace::{FaultKind, Value};

use super::log::{Change, What};
use super::object::{Kind, LOOK, Life, Object, SHARED};

/// The lowest bytes of a word: 1, 2, 4 or 8 of them, by the logarithm.
pub(crate) const MASKS: [u64; 4] = [0xff, 0xffff, 0xffff_ffff, u64::MAX];

/// So many bytes from null on are taken to be meant as parts of an object at null.
const NULL_BYTES: u32 = 1 << 16;

/// What is wrong with an access.
pub(crate) type Trouble = (FaultKind, [Value; 2]);

/// The memory of the program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory {
    /// By slot.
    pub(crate) objects: Vec<Object>,
    pub(crate) bytes: Vec<u8>,
    /// Which bits of each byte are undefined.
    pub(crate) shadow: Vec<u8>,
    pub(crate) log: Vec<Change>,
    /// Old bytes of large changes.
    pub(crate) pool: Vec<u8>,
    /// Old descriptions of objects.
    pub(crate) old_objects: Vec<Object>,
}

/// The slot and the offset of an address.
#[inline(always)]
pub(crate) fn split(address: u64) -> (usize, u32) {
    ((address >> 32) as usize, address as u32)
}

/// The address of an offset in an object.
#[inline(always)]
pub(crate) fn join(slot: usize, offset: u32) -> u64 {
    (slot as u64) << 32 | u64::from(offset)
}

/// Eight bytes as a number.
#[inline(always)]
pub(crate) fn window(bytes: &[u8], at: usize) -> u64 {
    let bytes: [u8; 8] = bytes[at..at + 8].try_into().expect("eight bytes");
    u64::from_le_bytes(bytes)
}

/// Sets eight bytes.
#[inline(always)]
pub(crate) fn set_window(bytes: &mut [u8], at: usize, value: u64) {
    bytes[at..at + 8].copy_from_slice(&value.to_le_bytes());
}

/// How many bytes of a word are not zero.
fn bytes_in(word: u64) -> u32 {
    word.to_le_bytes().iter().filter(|&&byte| byte != 0).count() as u32
}

impl Memory {
    /// Memory with nothing but the null object.
    pub(crate) fn new() -> Memory {
        Memory { objects: vec![Object::NONE], bytes: vec![0; 8], shadow: vec![0; 8], ..Memory::default() }
    }

    /// Makes room in the storage: where it begins. Not undone.
    pub(crate) fn room(&mut self, size: u32) -> u32 {
        let base = self.bytes.len() - 8;
        let end = base + (size as usize).next_multiple_of(8) + 8;
        assert!(u32::try_from(end).is_ok(), "the memory of the program exceeds 4 GB");
        self.bytes.resize(end, 0);
        self.shadow.resize(end, 0);
        base as u32
    }

    /// The object that an address points into or past, whatever its state.
    pub(crate) fn object(&self, address: u64) -> Option<&Object> {
        self.objects.get((address >> 32) as usize)
    }

    /// Why an access to `size` bytes of an object that cannot be used by `thread` at once is wrong,
    /// if it is.
    #[cold]
    pub(crate) fn examine(&self, address: u64, size: u32, write: bool, thread: u32) -> Option<Trouble> {
        let (slot, offset) = split(address);
        let detail = [address as Value, Value::from(size)];
        // What lies in front of an object looks like what is far behind the one before it.
        let in_front = (offset as i32) < 0;
        if in_front && self.objects.get(slot + 1).is_some_and(|next| next.life == Life::Live && next.size > 0) {
            return Some((FaultKind::Bounds, detail));
        }
        let Some(object) = self.objects.get(slot) else { return Some((FaultKind::InvalidPointer, detail)) };
        match (object.life, object.kind) {
            (_, Kind::Null) if slot == 0 && offset < NULL_BYTES => return Some((FaultKind::NullPointer, detail)),
            (_, Kind::Null) => return Some((FaultKind::InvalidPointer, detail)),
            (Life::Unborn, _) | (_, Kind::Function(_) | Kind::Thread | Kind::Library) => {
                return Some((FaultKind::InvalidPointer, detail));
            }
            (Life::Dead, _) => return Some((FaultKind::UseAfterFree, detail)),
            (Life::Live, Kind::Constant(_)) if write => return Some((FaultKind::ReadOnly, detail)),
            (Life::Live, _) => {}
        }
        if u64::from(offset) + u64::from(size) > u64::from(object.size) {
            return Some((FaultKind::Bounds, detail));
        }
        // Private to another thread: its address came here in a way that was not noticed.
        let hidden = object.access != SHARED && object.access != LOOK && object.access != thread;
        hidden.then_some((FaultKind::Unmodelled, detail))
    }

    /// Remembers eight bytes of memory.
    #[inline(always)]
    pub(crate) fn remember(&mut self, at: usize) {
        self.log.push(Change { at: at as u32, what: What::Bytes, old: window(&self.bytes, at) });
    }

    /// Writes the lowest `1 << width` bytes of `value`, which are all defined. What stays the same
    /// is no change.
    #[inline(always)]
    pub(crate) fn put(&mut self, slot: usize, at: usize, width: usize, value: u64) {
        let mask = MASKS[width];
        let old = window(&self.bytes, at);
        let new = old & !mask | value & mask;
        if new != old {
            self.log.push(Change { at: at as u32, what: What::Bytes, old });
            set_window(&mut self.bytes, at, new);
        }
        if self.objects[slot].undefined > 0 {
            self.define(slot, at, mask, 0);
        }
    }

    /// Makes the bits at `at` under `mask` undefined where `taint` says so, and defined otherwise.
    #[cold]
    pub(crate) fn define(&mut self, slot: usize, at: usize, mask: u64, taint: u64) {
        let old = window(&self.shadow, at);
        let new = old & !mask | taint & mask;
        if new == old {
            return;
        }
        self.log.push(Change { at: at as u32, what: What::Shadow, old });
        set_window(&mut self.shadow, at, new);
        let undefined = self.objects[slot].undefined + bytes_in(new) - bytes_in(old);
        self.set_undefined(slot, undefined);
    }

    pub(crate) fn set_undefined(&mut self, slot: usize, undefined: u32) {
        let object = &mut self.objects[slot];
        if object.undefined != undefined {
            self.log.push(Change { at: slot as u32, what: What::Undefined, old: u64::from(object.undefined) });
            object.undefined = undefined;
        }
    }

    /// Which of the bits at `at` under `mask` are undefined.
    #[inline]
    pub(crate) fn taint(&self, at: usize, mask: u64) -> u64 {
        window(&self.shadow, at) & mask
    }

    /// Remembers an object's description.
    pub(crate) fn remember_object(&mut self, slot: usize) {
        self.old_objects.push(self.objects[slot]);
        self.log.push(Change { at: slot as u32, what: What::Object, old: 0 });
    }

    /// Remembers many bytes.
    fn remember_many(&mut self, at: usize, length: usize) {
        self.pool.extend_from_slice(&self.bytes[at..at + length]);
        self.log.push(Change { at: at as u32, what: What::ManyBytes, old: length as u64 });
    }

    fn remember_many_shadow(&mut self, at: usize, length: usize) {
        self.pool.extend_from_slice(&self.shadow[at..at + length]);
        self.log.push(Change { at: at as u32, what: What::ManyShadow, old: length as u64 });
    }

    /// Remembers many bytes, defined or not, that are about to mean something else.
    pub(crate) fn keep_many(&mut self, at: usize, length: usize) {
        self.remember_many(at, length);
        self.remember_many_shadow(at, length);
    }

    /// Writes many defined bytes. Where nobody else can have written in between, what stays the
    /// same is no change.
    pub(crate) fn put_many(&mut self, slot: usize, at: usize, bytes: &[u8]) {
        if self.objects[slot].access == SHARED || self.bytes[at..at + bytes.len()] != *bytes {
            self.remember_many(at, bytes.len());
            self.bytes[at..at + bytes.len()].copy_from_slice(bytes);
        }
        self.shade(slot, at, bytes.len(), false);
    }

    /// Fills many bytes.
    pub(crate) fn fill(&mut self, slot: usize, at: usize, length: usize, byte: u8) {
        if self.bytes[at..at + length].iter().any(|&old| old != byte) {
            self.remember_many(at, length);
            self.bytes[at..at + length].fill(byte);
        }
        self.shade(slot, at, length, false);
    }

    /// Copies many bytes from one object to another, undefined ones as such.
    pub(crate) fn copy(&mut self, (to_slot, to): (usize, usize), (from_slot, from): (usize, usize), length: usize) {
        if self.bytes[to..to + length] != self.bytes[from..from + length] {
            self.remember_many(to, length);
            self.bytes.copy_within(from..from + length, to);
        }
        if self.objects[to_slot].undefined == 0 && self.objects[from_slot].undefined == 0 {
            return;
        }
        if self.shadow[to..to + length] == self.shadow[from..from + length] {
            return;
        }
        self.remember_many_shadow(to, length);
        let before = self.undefined_in(to, length);
        self.shadow.copy_within(from..from + length, to);
        let after = self.undefined_in(to, length);
        let undefined = self.objects[to_slot].undefined + after - before;
        self.set_undefined(to_slot, undefined);
    }

    /// Makes many bytes defined or undefined.
    pub(crate) fn shade(&mut self, slot: usize, at: usize, length: usize, undefined: bool) {
        if !undefined && self.objects[slot].undefined == 0 {
            return;
        }
        let before = self.undefined_in(at, length);
        if before == 0 && !undefined {
            return;
        }
        self.remember_many_shadow(at, length);
        self.shadow[at..at + length].fill(if undefined { u8::MAX } else { 0 });
        let after = if undefined { length as u32 } else { 0 };
        let count = self.objects[slot].undefined + after - before;
        self.set_undefined(slot, count);
    }

    /// How many bytes of a stretch are undefined.
    pub(crate) fn undefined_in(&self, at: usize, length: usize) -> u32 {
        self.shadow[at..at + length].iter().filter(|&&byte| byte != 0).count() as u32
    }

    /// Takes back one change of memory that is not a plain one.
    #[cold]
    pub(crate) fn undo_rare(&mut self, change: Change) {
        let at = change.at as usize;
        match change.what {
            What::Bytes => set_window(&mut self.bytes, at, change.old),
            What::Shadow => set_window(&mut self.shadow, at, change.old),
            What::ManyBytes => {
                let from = self.pool.len() - change.old as usize;
                self.bytes[at..at + change.old as usize].copy_from_slice(&self.pool[from..]);
                self.pool.truncate(from);
            }
            What::ManyShadow => {
                let from = self.pool.len() - change.old as usize;
                self.shadow[at..at + change.old as usize].copy_from_slice(&self.pool[from..]);
                self.pool.truncate(from);
            }
            What::Object => self.objects[at] = self.old_objects.pop().expect("what was remembered"),
            What::Life => {
                let object = &mut self.objects[at];
                (object.life, object.access) = (Life::Live, change.old as u32);
            }
            What::Undefined => self.objects[at].undefined = change.old as u32,
            What::Word
            | What::Generation
            | What::Output
            | What::Watch
            | What::Holds
            | What::Reads
            | What::Joins
            | What::Clock => {
                unreachable!("not a change of memory")
            }
        }
    }
}
