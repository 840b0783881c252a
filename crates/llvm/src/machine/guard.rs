//! Whether a thread can be stepped, what it waits for, and whether two threads are about to race.

use mazurka_machine::Run;
use mazurka_trace::{Access, AccessKind, Event, Fault, FaultKind, ProcessId, SiteId, Value};

use crate::code::instruction::{Instruction, Register};
use crate::code::operator::{Flags, Width};
use crate::library;
use crate::native::Native;

use super::CMachine;
use super::call::{Peek, Place};
use super::joins::Ends;
use super::memory::{split, window};
use super::step::purpose::TRIAL;
use super::thread::{Frame, Rest};
use super::trial::{Course, Seen};
use super::waiting::{can_spin, spin_reads};

/// Bytes that a thread is about to use.
#[derive(Clone, Copy, Debug)]
pub(super) struct Use {
    pub(super) address: u64,
    pub(super) length: u64,
    pub(super) writes: bool,
    pub(super) atomic: bool,
}

impl CMachine {
    pub(super) fn top(&self, process: ProcessId) -> Frame {
        *self.state.threads[process.index()].frames.last().expect("a live thread has a frame")
    }

    /// See `Run::is_enabled`; for a thread that does not rest before a mere access.
    #[inline(never)]
    pub(super) fn enabled(&mut self, process: ProcessId) -> bool {
        let thread = &self.state.threads[process.index()];
        let frame = thread.frames.last().expect("a live thread has a frame");
        match frame.rest {
            Rest::Ready | Rest::Local => true,
            Rest::Native => {
                if thread.past.is_known()
                    && let Some(free) = self.known_free(thread.past)
                {
                    return free;
                }
                let Instruction::Native { native, count, first, shape, .. } = self.image.code[frame.pc as usize] else {
                    unreachable!("rests before a call of a modelled function")
                };
                self.can_go(process, *frame, native, (first, count, shape))
            }
            Rest::Join => !self.state.awaits_end(process),
            Rest::Exit => self.can_exit(process),
            Rest::Assume => self.can_assume(process, |_| {}),
            rest => self.can_pass(process, rest),
        }
    }

    /// Whether a thread stands before something else than a call that has to wait.
    pub(super) fn can_call(&self, process: ProcessId, frame: &Frame) -> bool {
        match self.image.code[frame.pc as usize] {
            Instruction::Native { native, count, first, shape, .. } => {
                self.can_go(process, *frame, native, (first, count, shape))
            }
            _ => true,
        }
    }

    fn can_go(&self, process: ProcessId, frame: Frame, native: Native, about: (u32, u16, u32)) -> bool {
        let (first, count, shape) = about;
        let place = Place { thread: process, frame, first, count: u32::from(count), shape };
        library::can_go(&Peek { image: &self.image, state: &self.state, place }, native)
    }

    fn can_pass(&mut self, process: ProcessId, rest: Rest) -> bool {
        match rest {
            Rest::Spin => can_spin(&self.state, &self.image, process),
            Rest::Await => self.can_go_on(process),
            Rest::Atomic => self.try_out(process, |_| {}),
            Rest::Ready | Rest::Local | Rest::Native | Rest::Join | Rest::Exit | Rest::Assume => {
                unreachable!("seen to before")
            }
        }
    }

    /// Whether the step passes; `blocked` is told of the disabled step if it does not.
    fn try_out(&mut self, process: ProcessId, blocked: impl FnOnce(&Event)) -> bool {
        let mut event = std::mem::take(&mut self.scratch);
        let steps = self.records.len();
        let passes = self.advance::<TRIAL>(process, &[], &mut event, false);
        self.take_back(steps);
        if !passes {
            blocked(&event);
        }
        self.scratch = event;
        passes
    }

    /// See `Run::disabled_step`.
    pub(super) fn wait_for(&mut self, process: ProcessId, event: &mut Event) {
        let frame = self.top(process);
        event.begin(process, self.site(process, &frame));
        if frame.rest == Rest::Spin {
            event.can_block = true;
            for &(location, before) in spin_reads(&self.state, &self.image, process) {
                if !event.accesses.iter().any(|access| access.location == location) {
                    event.accesses.push(Access { location, kind: AccessKind::Read, before, after: before });
                }
            }
            return;
        }
        if frame.rest == Rest::Assume {
            event.can_block = true;
            self.can_assume(process, |disabled_step| {
                event.varies = disabled_step.varies;
                event.accesses.extend(disabled_step.accesses.iter().filter_map(observe));
            });
            return;
        }
        if frame.rest == Rest::Await {
            let mut seen = Seen::default();
            self.run_alone(process, &mut seen);
            event.can_block = true;
            event.varies = seen.varies;
            event.plain = seen.reads_plainly();
            event.accesses.extend(seen.accesses.iter().filter_map(observe));
            return;
        }
        // Arrivals at a barrier, which read, let somebody open it.
        let opens =
            matches!(self.image.code[frame.pc as usize], Instruction::Native { native: Native::BarrierWait, .. });
        self.try_out(process, |disabled_step| {
            event.can_block = disabled_step.can_block;
            event.locks = disabled_step.locks;
            event.varies = disabled_step.varies;
            event.plain = disabled_step.plain;
            let keep = |access: &Access| Some(Access { after: access.before, ..*access });
            event.accesses.extend(disabled_step.accesses.iter().filter_map(if opens { keep } else { observe }));
        });
    }

    /// See `Run::holder`.
    pub(super) fn holder_of_wanted(&mut self, process: ProcessId) -> Option<ProcessId> {
        if matches!(self.top(process).rest, Rest::Spin | Rest::Assume) {
            return None;
        }
        self.state.holder = None;
        if self.top(process).rest == Rest::Await {
            let blocked = self.run_alone(process, &mut Seen::default()) == Course::Blocked;
            return self.state.holder.filter(|_| blocked);
        }
        let passes = self.try_out(process, |_| {});
        self.state.holder.filter(|_| !passes)
    }

    /// See `Run::keepers`. A loop that waits can be ended by others, whatever lock is in it.
    pub(super) fn keepers_of(&mut self, process: ProcessId) -> Vec<ProcessId> {
        match self.top(process).rest {
            Rest::Join => match self.state.ends(process) {
                Ends::Awaited(join) => vec![join.thread],
                Ends::Reached | Ends::Wrong(_) => Vec::new(),
            },
            Rest::Native | Rest::Atomic | Rest::Await if !self.spins(process) => {
                self.state.keepers = Some(Vec::new());
                let holder = self.holder_of_wanted(process);
                let keepers = self.state.keepers.take().unwrap_or_default();
                let is_join = self.awaits_end_in_call(process);
                if holder.is_some() || is_join { keepers } else { Vec::new() }
            }
            _ => Vec::new(),
        }
    }

    /// Whether a thread stands before a call that waits for the end of another thread.
    fn awaits_end_in_call(&self, process: ProcessId) -> bool {
        let pc = self.top(process).pc as usize;
        matches!(self.image.code[pc], Instruction::Native { native: Native::ThreadJoin, .. })
    }

    /// See `Run::data_race`.
    pub(super) fn race(&mut self, one: ProcessId, other: ProcessId) -> Option<Fault> {
        if one == other || !self.state.live.contains(one) || !self.state.live.contains(other) {
            return None;
        }
        let by_cells = |process: ProcessId| {
            self.top(process).rest == Rest::Native || self.awaits_call(process) || self.is_before_block(process)
        };
        if by_cells(one) || by_cells(other) {
            return self.race_of_cells(one, other);
        }
        let (ours, theirs) = (self.uses(one), self.uses(other));
        let pairs = ours.iter().flatten().flat_map(|ours| theirs.iter().flatten().map(move |theirs| (ours, theirs)));
        let mut racing = pairs.filter(|(ours, theirs)| {
            let overlap = ours.address < theirs.address + theirs.length && theirs.address < ours.address + ours.length;
            overlap && (ours.writes || theirs.writes) && !(ours.atomic && theirs.atomic)
        });
        let (ours, theirs) = racing.next()?;
        let (slot, offset) = split(ours.address.max(theirs.address));
        let object = self.state.memory.objects.get(slot)?;
        let cell = self.state.cells[object.partition as usize].partition.cell(offset);
        Some(self.race_fault(one, other, object.first + cell))
    }

    fn race_fault(&self, one: ProcessId, other: ProcessId, location: u32) -> Fault {
        let site = |process: ProcessId| self.image.places[self.top(process).pc as usize] as usize;
        let detail = [site(other) as Value, Value::from(location)];
        Fault { kind: FaultKind::DataRace, process: one, site: SiteId::new(site(one)), detail }
    }

    /// The same where a function of the library is about to run: what it uses is tried out, and
    /// compared by cells.
    fn race_of_cells(&mut self, one: ProcessId, other: ProcessId) -> Option<Fault> {
        let (ours, theirs) = (self.cells_used(one), self.cells_used(other));
        let races = |&&(location, writes, atomic): &&(u32, bool, bool)| {
            theirs.iter().any(|&(other, also_writes, also_atomic)| {
                other == location && (writes || also_writes) && !(atomic && also_atomic)
            })
        };
        let &(location, ..) = ours.iter().find(races)?;
        Some(self.race_fault(one, other, location))
    }

    /// The cells that a thread is about to use: their locations, whether it writes there, and
    /// whether atomically.
    fn cells_used(&mut self, process: ProcessId) -> Vec<(u32, bool, bool)> {
        let mut cells = Vec::new();
        if self.awaits_call(process) {
            return self.trial_uses(process);
        }
        if self.top(process).rest == Rest::Native {
            if self.is_enabled(process) {
                let uses = self.uses_of_call(process);
                self.add_cells(uses, &mut cells);
            }
            return cells;
        }
        if self.is_before_block(process) {
            if self.is_enabled(process) {
                self.cells_of_block(process, &mut cells);
            }
            return cells;
        }
        self.add_cells(self.uses(process).into_iter().flatten(), &mut cells);
        cells
    }

    /// The shared memory that a function of the library is about to use. Its own means of
    /// synchronisation, a mutex or a semaphore, are no memory of the program's.
    fn uses_of_call(&mut self, process: ProcessId) -> Vec<Use> {
        let (steps, mut event) = (self.records.len(), std::mem::take(&mut self.scratch));
        self.state.plain_uses = Some(Vec::new());
        self.step(process, &[], &mut event);
        self.take_back(steps);
        self.scratch = event;
        self.state.plain_uses.take().unwrap_or_default()
    }

    /// Adds the cells of stretches of memory.
    fn add_cells(&self, uses: impl IntoIterator<Item = Use>, cells: &mut Vec<(u32, bool, bool)>) {
        for Use { address, length, writes, atomic } in uses {
            let (slot, offset) = split(address);
            // What only this thread can reach has no locations.
            let shared = self.state.memory.objects.get(slot).filter(|object| super::access::is_shared(object));
            let Some(object) = shared else { continue };
            let Ok(length) = u32::try_from(length) else { continue };
            if length == 0 || offset.checked_add(length).is_none_or(|end| end > object.size) {
                continue;
            }
            let partition = &self.state.cells[object.partition as usize].partition;
            let (first, last) = (partition.cell(offset), partition.cell(offset + (length - 1)));
            cells.extend((first..=last).map(|cell| (object.first + cell, writes, atomic)));
        }
    }

    /// Adds the cells that an atomic block uses, with whatever it chooses. They are used
    /// atomically: two blocks are in no race with each other, nor with atomic operations; a block
    /// and a plain access are.
    fn cells_of_block(&mut self, process: ProcessId, cells: &mut Vec<(u32, bool, bool)>) {
        let (steps, mut event) = (self.records.len(), std::mem::take(&mut self.scratch));
        let mut choices: Vec<Value> = Vec::new();
        loop {
            self.step(process, &choices, &mut event);
            self.take_back(steps);
            let memory =
                |access: &&Access| matches!(access.kind, AccessKind::Read | AccessKind::Write | AccessKind::Update);
            let used = event.accesses.iter().filter(memory);
            cells.extend(used.map(|access| (access.location.index() as u32, !access.kind.is_read(), true)));
            // The next ones, in the order of numbers with as many digits.
            let Some(raised) = event.choices.iter().rposition(|choice| choice.value < choice.high) else { break };
            choices.clear();
            choices.extend(event.choices[..=raised].iter().map(|choice| choice.value));
            choices[raised] += 1;
        }
        self.scratch = event;
    }

    /// Whether a thread may wait before a call of a modelled function.
    fn awaits_call(&self, process: ProcessId) -> bool {
        let frame = self.top(process);
        frame.rest == Rest::Await && matches!(self.image.code[frame.pc as usize], Instruction::Native { .. })
    }

    /// Whether a thread stands before an atomic block.
    fn is_before_block(&self, process: ProcessId) -> bool {
        let frame = self.top(process);
        matches!(frame.rest, Rest::Ready | Rest::Atomic)
            && matches!(self.image.code[frame.pc as usize], Instruction::AtomicBegin)
    }

    /// The memory that a thread is about to use by a plain or atomic access.
    pub(super) fn uses(&self, process: ProcessId) -> [Option<Use>; 2] {
        let thread = &self.state.threads[process.index()];
        let frame = self.top(process);
        if !matches!(frame.rest, Rest::Ready | Rest::Await | Rest::Assume) {
            return [None, None];
        }
        let get = |register: Register| thread.registers[frame.base as usize + register.index()];
        let at = |base: Register, offset: i32| get(base).wrapping_add(offset as u64);
        let one =
            |address, length, writes, atomic| [Some(Use { address, length: u64::from(length), writes, atomic }), None];
        let atomic = |flags: Flags| flags.has(Flags::ATOMIC);
        let plain = |address, length, writes| Some(Use { address, length, writes, atomic: false });
        match self.image.code[frame.pc as usize] {
            Instruction::Load { base, offset, kind, flags, .. } => {
                one(at(base, offset), kind.width().bytes(), false, atomic(flags))
            }
            Instruction::LoadAt { address, kind, flags, .. } => {
                one(address, kind.width().bytes(), false, atomic(flags))
            }
            Instruction::Store { base, offset, width, flags, .. }
            | Instruction::StoreValue { base, offset, width, flags, .. } => {
                one(at(base, offset), width.bytes(), true, atomic(flags))
            }
            Instruction::StoreAt { address, width, flags, .. }
            | Instruction::StoreValueAt { address, width, flags, .. } => {
                one(address, width.bytes(), true, atomic(flags))
            }
            Instruction::Modify { base, offset, width, .. } => one(at(base, offset), width.bytes(), true, true),
            Instruction::CompareExchange { base, offset, width, expected, .. } => {
                // One that fails only reads.
                let address = at(base, i32::from(offset));
                one(address, width.bytes(), self.can_hold(address, width, get(expected)), true)
            }
            Instruction::ModifyAt { address, width, .. } => one(address, width.bytes(), true, true),
            Instruction::Copy { to, from, length, .. } => {
                [plain(get(to), get(length), true), plain(get(from), get(length), false)]
            }
            Instruction::CopyBytes { to, from, length, .. } => {
                [plain(get(to), u64::from(length), true), plain(get(from), u64::from(length), false)]
            }
            Instruction::Fill { to, length, .. } => [plain(get(to), get(length), true), None],
            Instruction::FillBytes { to, length, .. } => [plain(get(to), u64::from(length), true), None],
            _ => [None, None],
        }
    }

    /// Whether memory holds a value there, as far as there is any.
    fn can_hold(&self, address: u64, width: Width, value: u64) -> bool {
        let (_, offset) = split(address);
        let Some(object) = self.state.memory.object(address) else { return true };
        let length = width.bytes();
        if offset.checked_add(length).is_none_or(|end| end > object.size) {
            return true;
        }
        let held = window(&self.state.memory.bytes, (object.base + offset) as usize);
        held << (64 - 8 * length) == value << (64 - 8 * length)
    }
}

/// What a disabled step learned from a location; what it did there has been taken back.
fn observe(access: &Access) -> Option<Access> {
    let kind = match access.kind {
        AccessKind::Read | AccessKind::Update => AccessKind::Read,
        AccessKind::Acquire | AccessKind::Cycle => AccessKind::Acquire,
        AccessKind::Write | AccessKind::Release | AccessKind::Halt => return None,
    };
    Some(Access { kind, after: access.before, ..*access })
}
