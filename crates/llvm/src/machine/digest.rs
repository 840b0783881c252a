//! Names that do not depend on the interleaving, and the digests of objects and threads. The whole
//! is put together in [`parts`](super::parts).
//!
//! Slots and threads are numbered as they are met, so numbers must not enter the digest. What looks
//! like an address of a slot given out by the machine enters it by the slot's name. What was
//! printed does not count: printing is no event.

use mazurka_machine::Digest;
use mazurka_trace::ProcessId;

use super::memory::window;
use super::object::{Life, Object};
use super::state::State;
use super::thread::{Thread, word};

/// A name of 128 bits for a slot or a thread.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(crate) struct Name([u64; 2]);

impl Name {
    /// What is called `word` within this.
    pub(crate) fn of(self, word: u64) -> Name {
        let mix = |x: u64| {
            let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            x ^ (x >> 31)
        };
        let low = mix(self.0[0] ^ word.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let high = mix(self.0[1].wrapping_add(0x9e37_79b9_7f4a_7c15) ^ word.rotate_left(32) ^ low);
        Name([low, high])
    }

    /// The part of a digest that bears this name.
    pub(crate) fn digest(self) -> Digest {
        Digest::default().name(self.0[0]).name(self.0[1])
    }
}

const FIXED: u64 = 1;
const THREAD: u64 = 2;
const HEAP: u64 = 3;
const STACK: u64 = 4;
const THREAD_LOCAL: u64 = 5;
const HANDLE: u64 = 6;

const LIFE: u64 = 1 << 40;
const SHADOW: u64 = 2 << 40;
const WORDS: u64 = 3 << 40;
const FRAMES: u64 = 4 << 40;
const JOINS: u64 = 5 << 40;
const WATCHES: u64 = 6 << 40;
const TAINTS: u64 = 7 << 40;
const ADDRESS: u64 = 1;

/// The name of a slot that is there from the beginning.
pub(crate) fn fixed_name(slot: usize) -> Name {
    Name::default().of(FIXED).of(slot as u64)
}

/// The name of a thread: the first one, or the so many-th that another one created.
pub(crate) fn thread_name(creator: Option<(Name, u32)>) -> Name {
    match creator {
        None => Name::default().of(THREAD),
        Some((creator, nth)) => creator.of(THREAD).of(u64::from(nth)),
    }
}

/// A number of 30 bits for a thread of this name.
pub(crate) fn tag(name: Name) -> u32 {
    name.0[0] as u32 & 0x3fff_ffff
}

/// The name of a heap block.
pub(crate) fn heap_name(thread: Name, nth: u64) -> Name {
    thread.of(HEAP).of(nth)
}

/// The name of a stack object.
pub(crate) fn stack_name(thread: Name, position: u64, generation: u64) -> Name {
    thread.of(STACK).of(position).of(generation)
}

/// The name of a thread's copy of a global.
pub(crate) fn thread_local_name(thread: Name, global: u32) -> Name {
    thread.of(THREAD_LOCAL).of(u64::from(global))
}

/// The name of a thread's handle.
pub(crate) fn handle_name(thread: Name) -> Name {
    thread.of(HANDLE)
}

impl State {
    /// Adds a word to a digest: by name where it looks like an address.
    fn toggle(&self, digest: &mut Digest, place: Digest, word: u64) {
        let slot = (word >> 32) as usize;
        match self.slots.get(slot) {
            Some(named) if slot >= self.fixed => {
                let Name([low, high]) = named.name;
                digest.toggle(place.name(ADDRESS).name(low).name(high), i64::from(word as u32));
            }
            _ => digest.toggle(place, word as i64),
        }
    }

    pub(super) fn toggle_object(&self, digest: &mut Digest, slot: usize, object: &Object) {
        let name = self.slots[slot].name.digest();
        let life = object.life as u64 | u64::from(object.shared) << 8 | u64::from(object.size) << 16;
        digest.toggle(name.name(LIFE), life as i64);
        if object.life != Life::Live {
            return;
        }
        for offset in (0..object.size).step_by(8) {
            let at = (object.base + offset) as usize;
            let mask = if object.size - offset >= 8 { u64::MAX } else { (1 << (8 * (object.size - offset))) - 1 };
            self.toggle(digest, name.name(u64::from(offset)), window(&self.memory.bytes, at) & mask);
            if object.undefined > 0 {
                let shadow = window(&self.memory.shadow, at) & mask;
                digest.toggle(name.name(SHADOW).name(u64::from(offset)), shadow as i64);
            }
        }
    }

    pub(super) fn toggle_thread(&self, digest: &mut Digest, process: ProcessId, thread: &Thread) {
        let name = thread.name.digest();
        for number in 0..word::JOINS {
            self.toggle(digest, name.name(WORDS).name(number as u64), self.word(process, number));
        }
        digest.toggle(name.name(WORDS).name(word::COUNT as u64), i64::from(self.live.contains(process)));
        for (number, join) in self.pending_joins(process).iter().enumerate() {
            let Name([low, high]) = self.threads[join.thread.index()].name;
            digest.toggle(name.name(JOINS).name(number as u64).name(low), high as i64);
        }
        for watch in &thread.watches {
            let place = name.name(WATCHES).name(u64::from(watch.depth)).name(u64::from(watch.repeat));
            let anchor = u64::from(watch.anchor.reads) << 32 | u64::from(watch.anchor.age);
            digest.toggle(place.name(watch.clock).name(anchor), i64::from(watch.reads));
        }
        let frames = name.name(FRAMES);
        for (depth, frame) in thread.frames.iter().enumerate() {
            let place = frames.name(depth as u64);
            let rest = u64::from(frame.pc) | (frame.rest as u64) << 32;
            digest.toggle(
                place.name(rest).name(u64::from(frame.phase)),
                i64::from(frame.function) << 32 | i64::from(frame.stack),
            );
            for register in 0..frame.size {
                let at = (frame.base + register) as usize;
                self.toggle(digest, place.name(u64::from(register)), thread.registers[at]);
                if let Some(&taint) = thread.taints.get(at).filter(|&&taint| taint != 0) {
                    digest.toggle(place.name(TAINTS).name(u64::from(register)), taint as i64);
                }
            }
        }
    }
}
