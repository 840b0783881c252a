//! Own pasts, and the steps that are known of them.
//!
//! Where a thread stands and what its registers hold depends on its *own past* alone: on how it was
//! started, and on what its steps have read. That is the contract of the machine. So local code
//! need not be run again for each interleaving. A past is a number. A step that was run from a past
//! is *known*: what it did to frames and registers is kept, under the value that it read. Taken
//! again, the step does its access to memory, and the rest is copied; see [`known`](super::known).
//!
//! A past is that of one thread, from its start on, and private memory is as it was at the start: a
//! step that changes anything but frames, registers and the one location that it names is not kept,
//! and the thread has no known past from there on.
//!
//! What things cost: a known step, some words for itself and for each register that it changes.
//! There is a limit on all of them; whatever comes after is run.

use mazurka_trace::{ProcessId, SiteId};
use rustc_hash::FxHashMap;

use crate::code::operator::{Modify, Width};

use super::thread::{Frame, Rest};

/// The most steps that are kept, and the most changes of registers.
const MOST_STEPS: usize = 1 << 16;
const MOST_CHANGES: usize = 1 << 20;
/// The most steps that are kept of one past.
const MOST_VALUES: usize = 64;

/// A thread's own past; 0 where it is not known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Past(u32);

impl Past {
    #[inline(always)]
    pub(super) fn is_known(self) -> bool {
        self.0 != 0
    }
}

/// The visible operation that a thread is about to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Operation {
    Load,
    Store(u64),
    /// With the operand; whether somebody uses what was there before.
    Modify(Modify, u64, bool),
    CompareExchange(u64, u64),
    /// With what the mutex holds while the thread has it.
    Lock(u64),
    Unlock(u64),
}

/// What a thread is about to do, and where.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Pending {
    pub(super) operation: Operation,
    pub(super) site: SiteId,
    pub(super) width: Width,
    /// See `Event::plain`.
    pub(super) plain: bool,
    pub(super) cell: Cell,
}

/// A whole cell of an object, if that is as it was: so large, and divided in this way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Cell {
    pub(super) slot: u32,
    pub(super) offset: u32,
    /// Which of the object's cells it is.
    pub(super) number: u32,
    pub(super) size: u32,
    pub(super) partition: u32,
}

/// How a known step ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    Rests,
    Ended(u64),
}

/// A stretch of a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Span {
    start: u32,
    end: u32,
}

/// A known step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    /// What it read, of what decides.
    read: u64,
    /// Another step from the same past, or 0.
    other: u32,
    pub(super) to: Past,
    pub(super) end: End,
    /// The topmost frame before and after, if it is the same one.
    tops: Option<[Top; 2]>,
    /// Otherwise: the frames below this depth stay as they are.
    depth: u32,
    /// The frames from there on, before and after.
    frames: [Span; 2],
    /// The registers that change, with what they hold before and after.
    registers: [Span; 2],
}

/// Where a frame stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Top {
    pc: u32,
    rest: Rest,
}

/// All that is known.
#[derive(Clone, Debug)]
pub(super) struct Pasts {
    /// By past: what is pending, and the first step that is known.
    pendings: Vec<(Option<Pending>, u32)>,
    steps: Vec<Known>,
    frames: Vec<Frame>,
    registers: Vec<(u32, u64)>,
    /// The pasts of threads that have just been started with a function and its argument.
    roots: FxHashMap<(ProcessId, u32, u64), Past>,
}

/// A thread's frames, and the registers of all of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Local<'a> {
    pub(super) frames: &'a [Frame],
    pub(super) registers: &'a [u64],
}

/// Which side of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    Before = 0,
    After = 1,
}

impl Default for Pasts {
    fn default() -> Pasts {
        let nothing = Known {
            read: 0,
            other: 0,
            to: Past(0),
            end: End::Rests,
            tops: None,
            depth: 0,
            frames: [Span::default(); 2],
            registers: [Span::default(); 2],
        };
        Pasts {
            pendings: vec![(None, 0)],
            steps: vec![nothing],
            frames: Vec::new(),
            registers: Vec::new(),
            roots: FxHashMap::default(),
        }
    }
}

impl Pasts {
    /// What is pending after a past, if a step from there is known, and the first of these steps.
    #[inline(always)]
    pub(super) fn pending(&self, past: Past) -> Option<(&Pending, u32)> {
        let (pending, first) = &self.pendings[past.0 as usize];
        pending.as_ref().map(|pending| (pending, *first))
    }

    /// The step from a past that reads this value; `first` is the first of those that are known.
    #[inline(always)]
    pub(super) fn find(&mut self, past: Past, first: u32, read: u64) -> Option<u32> {
        if first != 0 && self.steps[first as usize].read == read { Some(first) } else { self.find_other(past, read) }
    }

    /// The one that is found comes first from now on: mostly it is wanted again.
    #[cold]
    fn find_other(&mut self, past: Past, read: u64) -> Option<u32> {
        let first = self.pendings[past.0 as usize].1;
        let (mut before, mut step) = (0, first);
        while step != 0 {
            let Known { read: known, other, .. } = self.steps[step as usize];
            if known == read {
                if before != 0 {
                    self.steps[before as usize].other = other;
                    self.steps[step as usize].other = first;
                    self.pendings[past.0 as usize].1 = step;
                }
                return Some(step);
            }
            (before, step) = (step, other);
        }
        None
    }

    #[inline(always)]
    pub(super) fn step(&self, step: u32) -> &Known {
        &self.steps[step as usize]
    }

    /// Puts a thread's frames and registers to where they are before or after a step.
    #[inline(always)]
    pub(super) fn put(&self, step: u32, side: Side, frames: &mut Vec<Frame>, registers: &mut [u64]) {
        let known = &self.steps[step as usize];
        let span = known.registers[side as usize];
        for &(at, value) in &self.registers[span.start as usize..span.end as usize] {
            registers[at as usize] = value;
        }
        match (known.tops, frames.last_mut()) {
            (Some(tops), Some(frame)) => Top { pc: frame.pc, rest: frame.rest } = tops[side as usize],
            _ => self.put_frames(known, side, frames),
        }
    }

    #[cold]
    fn put_frames(&self, known: &Known, side: Side, frames: &mut Vec<Frame>) {
        let span = known.frames[side as usize];
        frames.truncate(known.depth as usize);
        frames.extend_from_slice(&self.frames[span.start as usize..span.end as usize]);
    }

    /// Whether nothing more is to be kept.
    pub(super) fn is_full(&self) -> bool {
        self.steps.len() >= MOST_STEPS || self.registers.len() >= MOST_CHANGES
    }

    /// The past of a thread that has just been started.
    pub(super) fn root(&mut self, thread: ProcessId, function: u32, argument: u64) -> Past {
        if let Some(&past) = self.roots.get(&(thread, function, argument)) {
            return past;
        }
        if self.is_full() {
            return Past(0);
        }
        let past = self.new_past();
        self.roots.insert((thread, function, argument), past);
        past
    }

    fn new_past(&mut self) -> Past {
        self.pendings.push((None, 0));
        Past(self.pendings.len() as u32 - 1)
    }

    /// Keeps a step, unless it is known: what its thread's past is afterwards.
    pub(super) fn keep(
        &mut self,
        from: Past,
        pending: Pending,
        read: u64,
        end: End,
        [before, after]: [Local<'_>; 2],
    ) -> Past {
        if let Some(known) = self.find_other(from, read) {
            return self.steps[known as usize].to;
        }
        let first = self.pendings[from.0 as usize].1;
        let others = std::iter::successors(Some(first), |&step| Some(self.steps[step as usize].other));
        if others.take_while(|&step| step != 0).count() >= MOST_VALUES {
            return Past(0);
        }
        let to = if end == End::Rests { self.new_past() } else { Past(0) };
        let depth = before.frames.iter().zip(after.frames).take_while(|(one, other)| one == other).count();
        let tops = same_top(before.frames, after.frames);
        let frames = match tops {
            Some(_) => [Span::default(); 2],
            None => [before, after].map(|local| self.keep_frames(&local.frames[depth..])),
        };
        let registers = [(before, after), (after, before)].map(|(one, other)| self.keep_registers(one, other));
        self.pendings[from.0 as usize] = (Some(pending), self.steps.len() as u32);
        self.steps.push(Known { read, other: first, to, end, tops, depth: depth as u32, frames, registers });
        to
    }

    fn keep_frames(&mut self, frames: &[Frame]) -> Span {
        let start = self.frames.len() as u32;
        self.frames.extend_from_slice(frames);
        Span { start, end: self.frames.len() as u32 }
    }

    /// Keeps the registers that are others on the other side of a step, or none.
    fn keep_registers(&mut self, one: Local<'_>, other: Local<'_>) -> Span {
        let start = self.registers.len() as u32;
        let differs = |&(at, value): &(usize, &u64)| other.registers.get(at) != Some(value);
        let changed = one.registers.iter().enumerate().filter(differs);
        self.registers.extend(changed.map(|(at, &value)| (at as u32, value)));
        Span { start, end: self.registers.len() as u32 }
    }
}

/// Where the topmost frame stands before and after, if nothing else about the frames changes.
fn same_top(before: &[Frame], after: &[Frame]) -> Option<[Top; 2]> {
    let (one, below) = before.split_last()?;
    let (other, others) = after.split_last()?;
    let same = Frame { pc: other.pc, rest: other.rest, ..*one } == *other && below == others;
    same.then(|| [one, other].map(|frame| Top { pc: frame.pc, rest: frame.rest }))
}
