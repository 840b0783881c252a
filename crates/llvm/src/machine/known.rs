//! Steps that are known from a thread's own past: see [`pasts`](super::pasts).
//!
//! A known step does the one access that it names, with the same event and the same entry of the
//! log as if it were run. It is taken only where that access is a plain one *now*: to a shared
//! object that is there, large enough, all defined, one cell. Everything else is run. So a known
//! step never fails.
//!
//! The first thread has no known past: what it does when it is alone depends on more than its own
//! events. Nor has a thread in a program in which loops may wait, synchronisation is told apart
//! from order, or additions commute: such steps keep an account of their own.
//!
//! In builds with debug assertions, each known step is also run, and both must do the same.

use mazurka_trace::{Access, AccessKind, Ending, Event, LocationId, ProcessId, Value};

use crate::code::instruction::{Instruction, Order};
use crate::code::operator::{Flags, Modify, Width};
use crate::library::mutex::{COUNT, KNOWN};
use crate::mutation::{self, Mutation};
use crate::native::Native;

use super::arithmetic::{modify, wrap};
use super::log::{Change, What};
use super::memory::{MASKS, set_window, split, window};
use super::object::{Object, SHARED};
use super::pasts::{Cell, End, Local, Operation, Past, Pending, Side};
use super::state::State;
use super::step::purpose::STEP;
use super::thread::{Rest, Thread, word};
use super::turn::Fuse;
use super::{CMachine, Record, notes};

/// What a known step does to its location.
#[derive(Clone, Copy, Debug)]
struct Deed {
    at: usize,
    /// The eight bytes there.
    old: u64,
    location: LocationId,
    kind: AccessKind,
    before: u64,
    after: u64,
    /// What of `before` decides what comes next.
    read: u64,
}

impl State {
    /// Where the bytes of a cell are and which location it is, if it can be used at once.
    #[inline(always)]
    fn find_cell(&self, cell: &Cell) -> Option<(usize, LocationId)> {
        let object = self.memory.objects.get(cell.slot as usize)?;
        let same = object.size == cell.size && object.partition == cell.partition;
        let open = object.access == SHARED && object.undefined == 0;
        let location = LocationId::new((object.first + cell.number) as usize);
        (same && open).then_some(((object.base + cell.offset) as usize, location))
    }

    /// The cell of so many bytes at an address, if it is a whole one of a shared object, which has
    /// `known` bytes from there on.
    fn cell_at(&self, address: u64, bytes: u32, known: u32) -> Option<Cell> {
        let (slot, offset) = split(address);
        let object = self.memory.objects.get(slot)?;
        let fits = u64::from(offset) + u64::from(known) <= u64::from(object.size);
        if object.access != SHARED || !fits {
            return None;
        }
        let cells = &self.cells[object.partition as usize];
        let number = cells.cell(offset);
        let whole = cells.range(number, object.size) == (offset..offset + bytes);
        let Object { size, partition, .. } = *object;
        whole.then_some(Cell { slot: slot as u32, offset, number, size, partition })
    }

    /// What an operation would do now, if it can be done at once.
    #[inline(always)]
    fn deed(&self, pending: &Pending) -> Option<Deed> {
        let (at, location) = self.find_cell(&pending.cell)?;
        let mask = MASKS[pending.width as usize];
        let old = window(&self.memory.bytes, at);
        let before = old & mask;
        let (kind, after, read) = match pending.operation {
            Operation::Load => (AccessKind::Read, before, before),
            Operation::Store(value) => (AccessKind::Write, value, 0),
            Operation::Modify(op, operand, used) => modified(op, pending.width, before, operand, used),
            Operation::CompareExchange(expected, new) if (before ^ expected) & mask == 0 => {
                (AccessKind::Update, new, before)
            }
            Operation::CompareExchange(..) => (AccessKind::Read, before, before),
            Operation::Lock(me) if before == 0 && self.is_simple_mutex(at) => (AccessKind::Acquire, me, 0),
            Operation::Unlock(me) if before == me && self.is_simple_mutex(at) && self.mutex_word(at, COUNT) == 0 => {
                (AccessKind::Release, 0, 0)
            }
            Operation::Lock(_) | Operation::Unlock(_) => return None,
        };
        let after = after & mask;
        if pending.width == Width::W64 && !kind.is_read() && self.publishes(after) {
            return None;
        }
        Some(Deed { at, old, location, kind, before, after, read })
    }

    /// How many entries of the log a deed takes.
    fn entries(pending: &Pending, deed: &Deed) -> usize {
        usize::from(matches!(pending.operation, Operation::Store(_)) || deed.before != deed.after)
    }
}

fn modified(op: Modify, width: Width, before: u64, operand: u64, used: bool) -> (AccessKind, u64, u64) {
    let after = modify(op, width, wrap(before, width.bits()), operand);
    (AccessKind::Update, after, if used { before } else { 0 })
}

impl CMachine {
    /// Takes a step that is known. False where it is not, and nothing was done.
    #[inline(always)]
    pub(super) fn step_known(&mut self, process: ProcessId, past: Past, event: &mut Event) -> bool {
        if cfg!(debug_assertions) {
            return self.step_twice(process, past, event);
        }
        self.take_known(process, past, event)
    }

    #[inline(always)]
    fn take_known(&mut self, process: ProcessId, past: Past, event: &mut Event) -> bool {
        let Some((pending, first)) = self.pasts.pending(past) else { return false };
        let Some(deed) = self.state.deed(pending) else { return false };
        let pending = *pending;
        let found =
            if mutation::on(Mutation::ReadsForgotten) { Some(first) } else { self.pasts.find(past, first, deed.read) };
        let Some(number) = found else { return false };
        let thread = &mut self.state.threads[process.index()];
        if !thread.taints.is_empty() {
            return false;
        }
        event.begin(process, pending.site);
        let Deed { at, old, location, kind, before, after, .. } = deed;
        event.accesses.push(Access { location, kind, before: before as Value, after: after as Value });
        event.plain = pending.plain;
        event.varies = matches!(pending.operation, Operation::CompareExchange(..));
        if kind == AccessKind::Acquire {
            (event.can_block, event.locks) = (true, true);
        }
        let memory = &mut self.state.memory;
        let log = memory.log.len() as u32;
        self.records.push(Record { process, log, copies: number, notes: notes::KNOWN, past });
        if before != after || kind == AccessKind::Write {
            memory.log.push(Change { at: at as u32, what: What::Bytes, old });
            set_window(&mut memory.bytes, at, old & !MASKS[pending.width as usize] | after);
        }
        let known = self.pasts.step(number);
        thread.past = known.to;
        self.pasts.put(number, Side::After, &mut thread.frames, &mut thread.registers);
        if let End::Ended(result) = known.end {
            self.state.note_end(process, result);
            self.end(process);
        }
        true
    }

    /// Takes a known step, and makes sure that it does what it does when it is run.
    #[cold]
    fn step_twice(&mut self, process: ProcessId, past: Past, event: &mut Event) -> bool {
        let (steps, log) = (self.records.len(), self.state.memory.log.len());
        let view = |machine: &CMachine, event: &Event| {
            let thread = &machine.state.threads[process.index()];
            let changes = format!("{:?}", &machine.state.memory.log[log..]);
            let live = machine.state.live.contains(process);
            (format!("{event:?}"), thread.frames.clone(), used(thread).to_vec(), changes, live)
        };
        let before = view(self, event).1;
        if !self.take_known(process, past, event) {
            return false;
        }
        let known = view(self, event);
        self.take_back(steps);
        assert_eq!(before, view(self, event).1, "a known step is not taken back");
        self.advance::<STEP>(process, &[], event, false);
        assert_eq!(known, view(self, event), "a known step is not what it is when it is run");
        self.take_back(steps);
        self.take_known(process, past, event)
    }

    /// Whether the mutex is free that a thread is about to take, if that is known from its past.
    /// What it holds itself is another matter.
    #[inline(always)]
    pub(super) fn known_free(&self, past: Past) -> Option<bool> {
        let (pending, _) = self.pasts.pending(past)?;
        let Operation::Lock(me) = pending.operation else { return None };
        let (at, _) = self.state.find_cell(&pending.cell)?;
        let owner = window(&self.state.memory.bytes, at) & MASKS[pending.width as usize];
        (self.state.is_simple_mutex(at) && owner != me).then_some(owner == 0)
    }

    /// Takes a step that has to be run.
    #[inline(never)]
    pub(super) fn step_unknown(&mut self, process: ProcessId, choices: &[Value], event: &mut Event) {
        if self.takes_notes() {
            self.step_and_note(process, choices, event);
        } else if self.state.threads[process.index()].past.is_known() {
            self.step_and_learn(process, choices, event);
        } else {
            self.advance::<STEP>(process, choices, event, false);
        }
    }

    /// Steps a thread whose own past is known, and keeps the step if it is simple.
    #[cold]
    pub(super) fn step_and_learn(&mut self, process: ProcessId, choices: &[Value], event: &mut Event) {
        let pending = if self.pasts.is_full() { None } else { self.pending_operation(process) };
        let deed = pending.as_ref().and_then(|pending| self.state.deed(pending));
        let Some((pending, deed)) = pending.zip(deed) else {
            self.advance::<STEP>(process, choices, event, false);
            return;
        };
        let thread = &self.state.threads[process.index()];
        let (past, frames, registers) = (thread.past, thread.frames.clone(), used(thread).to_vec());
        self.advance::<STEP>(process, choices, event, false);
        let Some(end) = self.end_of_simple_step(process, &pending, &deed, event) else { return };
        let thread = &mut self.state.threads[process.index()];
        let before = Local { frames: &frames, registers: &registers };
        let after = Local { frames: &thread.frames, registers: used(thread) };
        thread.past = self.pasts.keep(past, pending, deed.read, end, [before, after]);
    }

    /// How the last step ended, if it did nothing but this deed and local code that changes no
    /// memory.
    fn end_of_simple_step(&self, process: ProcessId, pending: &Pending, deed: &Deed, event: &Event) -> Option<End> {
        let record = self.records.last()?;
        let thread = &self.state.threads[process.index()];
        let one = Access {
            location: deed.location,
            kind: deed.kind,
            before: deed.before as Value,
            after: deed.after as Value,
        };
        let simple = event.accesses == [one]
            && event.choices.is_empty()
            && event.spawned.is_empty()
            && event.joined.is_empty()
            && event.faults.is_empty()
            && event.unseen.is_empty()
            && event.ending == Ending::Continues
            && !event.is_local
            && self.fuse == Fuse::No
            && thread.taints.is_empty()
            && thread.watches.is_empty()
            && record.notes & !notes::ENDED == 0;
        let ended = record.notes & notes::ENDED != 0;
        let result = self.state.word(process, word::RESULT);
        let words = if ended { 1 + usize::from(result != 0) } else { 0 };
        let log = &self.state.memory.log[record.log as usize..];
        let writes = State::entries(pending, deed);
        let own = log.iter().take(writes).all(|change| change.what == What::Bytes && change.at as usize == deed.at);
        if !simple || !own || log.len() != writes + words {
            return None;
        }
        Some(if ended { End::Ended(result) } else { End::Rests })
    }

    /// The visible operation that a thread is about to do, if it is one that can be known.
    fn pending_operation(&self, process: ProcessId) -> Option<Pending> {
        let thread = &self.state.threads[process.index()];
        let frame = *thread.frames.last()?;
        let get =
            |register: crate::code::instruction::Register| thread.registers[frame.base as usize + register.index()];
        let at = |base, offset: i32| get(base).wrapping_add(offset as u64);
        let atomic = |flags: Flags| flags.has(Flags::ATOMIC);
        let (instruction, me) = (self.image.code[frame.pc as usize], u64::from(thread.tag));
        let (address, width, plain, operation) = match instruction {
            Instruction::Load { base, offset, kind, flags, .. } => {
                (at(base, offset), kind.width(), !atomic(flags), Operation::Load)
            }
            Instruction::LoadAt { address, kind, flags, .. } => {
                (address, kind.width(), !atomic(flags), Operation::Load)
            }
            Instruction::Store { src, base, offset, width, flags } => {
                (at(base, offset), width, !atomic(flags), Operation::Store(get(src)))
            }
            Instruction::StoreAt { src, address, width, flags } => {
                (address, width, !atomic(flags), Operation::Store(get(src)))
            }
            Instruction::StoreValue { value, base, offset, width, flags } => {
                (at(base, offset), width, !atomic(flags), Operation::Store(value as u64))
            }
            Instruction::StoreValueAt { value, address, width, flags } => {
                (address, width, !atomic(flags), Operation::Store(value as u64))
            }
            Instruction::Modify { op, width, order, base, src, offset, .. } => {
                (at(base, offset), width, false, Operation::Modify(op, get(src), !order.has(Order::UNUSED)))
            }
            Instruction::ModifyAt { op, width, order, src, address, .. } => {
                (address, width, false, Operation::Modify(op, get(src), !order.has(Order::UNUSED)))
            }
            Instruction::CompareExchange { width, base, expected, new, offset, .. } => {
                let operation = Operation::CompareExchange(get(expected), get(new));
                (at(base, i32::from(offset)), width, false, operation)
            }
            Instruction::Native { native: Native::MutexLock, first, .. } => {
                (get(self.image.operands[first as usize].register), Width::W32, false, Operation::Lock(me))
            }
            Instruction::Native { native: Native::MutexUnlock, first, .. } => {
                (get(self.image.operands[first as usize].register), Width::W32, false, Operation::Unlock(me))
            }
            _ => return None,
        };
        let (wanted, known) = match instruction {
            Instruction::Native { .. } => (Rest::Native, KNOWN),
            _ => (Rest::Ready, width.bytes()),
        };
        let site = self.site(process, &frame);
        if frame.rest != wanted || frame.phase != 0 {
            return None;
        }
        let cell = self.state.cell_at(address, width.bytes(), known)?;
        Some(Pending { operation, site, width, plain, cell })
    }

    /// The own past of a thread that has just been started, and rests before its first operation.
    pub(super) fn begin_past(&mut self, child: ProcessId) {
        let takes_notes = self.takes_notes();
        let thread = &mut self.state.threads[child.index()];
        let rests = thread.frames.last().is_some_and(|frame| frame.rest != Rest::Local);
        let simple = rests && thread.taints.is_empty() && thread.watches.is_empty() && thread.arguments.len() <= 1;
        let simple = simple && !takes_notes;
        let argument = thread.arguments.first().copied().unwrap_or(0);
        thread.past = if simple { self.pasts.root(child, thread.function, argument) } else { Past::default() };
    }
}

/// The registers of all frames of a thread.
fn used(thread: &Thread) -> &[u64] {
    &thread.registers[..thread.frames.last().map_or(0, |frame| (frame.base + frame.size) as usize)]
}
