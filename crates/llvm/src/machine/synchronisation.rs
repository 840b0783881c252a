//! What synchronisation orders, as C has it.
//!
//! An execution is a sequence of events, and conflicting ones are ordered by it. C orders less: a
//! relaxed atomic access, or an attempt to take a lock that fails, comes before or after others
//! without ordering what stands around it. Two conflicting accesses that only such events order are
//! a data race, although no execution has them side by side. In a program without such operations a
//! data race can be brought side by side, and the explorer finds it
//! ([`Run::data_race`](mazurka_machine::DataRaces::data_race)); for the others
//! ([`Image::is_weak`](crate::code::Image::is_weak)) the machine keeps vector clocks of C's
//! *happens-before* (C23 5.1.2.5, C++20 6.9.2.2), and an event whose access is a data race with one
//! before it has a fault that says so. Which pairs these are depends on the order of conflicting
//! events alone, so it is the same in all executions of a trace.
//!
//! - A write that releases leaves its thread's clock at its location as a *message*; a read that
//!   acquires takes it. A read-modify-write adds to the message it found, any other write replaces
//!   it: a release sequence goes on by read-modify-writes only, as in C23 and C++20.
//! - A fence that releases lends its clock to the relaxed writes after it; one that acquires takes
//!   what relaxed reads before it have seen.
//! - Creation and joins order. A modelled function that does not fail acquires what was released at
//!   each location that it names and releases there; those that name it as read do not order each
//!   other. An atomic block does the same.
//! - What a thread has written to an object before others could reach it counts as written when
//!   they could: but for bytes that nobody wrote, and, where a fence that releases came after the
//!   object, as before that fence.
//!
//! Cost: for each event, its accesses times the number of threads; all of it is undone by the log.

mod clocks;

use mazurka_trace::{Access, AccessKind, Ending, Event, Fault, FaultKind, ProcessId, SiteId, Value};

use crate::code::instruction::{Instruction, Order};
use crate::code::operator::Flags;
use crate::native::{Native, Shows};

use super::CMachine;
use super::guard::Use;
use super::joins::own_site;
use super::memory::split;
use super::object::{Kind, Life};
use super::state::State;
use super::thread::{Frame, Rest};
pub(super) use clocks::Synchronisation;
use clocks::{Class, Communication, Found, MADE, NONE, NOTHING, SHARED};

/// What was done to the bytes of a data race.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verb {
    Read = 1,
    Written,
    ReadAtomically,
    WrittenAtomically,
    /// Written before others could reach it.
    Initialised,
    Freed,
}

impl Verb {
    const ALL: [Verb; 6] =
        [Verb::Read, Verb::Written, Verb::ReadAtomically, Verb::WrittenAtomically, Verb::Initialised, Verb::Freed];
}

/// The other side of a data race whose sides do not stand side by side, and what both did: in a
/// fault's detail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Unordered {
    pub(crate) process: ProcessId,
    pub(crate) site: SiteId,
    pub(crate) did: Verb,
    /// What the fault's own side did.
    pub(crate) own: Verb,
}

impl Unordered {
    fn pack(self) -> Value {
        let process = self.process.index() as Value & 0xff_ffff;
        self.site.index() as Value | process << 32 | (self.own as Value) << 56 | (self.did as Value) << 60
    }

    /// None where the sides stand side by side.
    pub(crate) fn unpack(detail: Value) -> Option<Unordered> {
        let verb = |number: Value| Verb::ALL.get(usize::try_from(number & 7).ok()?.checked_sub(1)?).copied();
        Some(Unordered {
            process: ProcessId::new((detail >> 32 & 0xff_ffff) as usize),
            site: SiteId::new((detail & 0xffff_ffff) as usize),
            did: verb(detail >> 60)?,
            own: verb(detail >> 56)?,
        })
    }
}

/// What an instruction does as an atomic access; `failed` where it compares in vain.
fn communication(instruction: &Instruction, failed: bool) -> Option<Communication> {
    use Instruction as I;
    let plain = |flags: &Flags| !flags.has(Flags::ATOMIC);
    let strong = |flags: &Flags| Some(!flags.has(Flags::RELAXED));
    Some(match instruction {
        I::Load { flags, .. } | I::LoadAt { flags, .. } if !plain(flags) => {
            Communication { reads: strong(flags), writes: None }
        }
        I::Store { flags, .. }
        | I::StoreAt { flags, .. }
        | I::StoreValue { flags, .. }
        | I::StoreValueAt { flags, .. }
            if !plain(flags) =>
        {
            Communication { reads: None, writes: strong(flags) }
        }
        I::CompareExchange { order, .. } if failed => {
            Communication { reads: Some(order.has(Order::FAILS_ACQUIRING)), writes: None }
        }
        I::Modify { order, .. } | I::ModifyAt { order, .. } | I::CompareExchange { order, .. } => {
            Communication { reads: Some(order.has(Order::ACQUIRES)), writes: Some(order.has(Order::RELEASES)) }
        }
        _ => return None,
    })
}

impl State {
    /// A new thread knows what its creator knows.
    #[inline]
    pub(super) fn order_birth(&mut self, creator: ProcessId, thread: ProcessId) {
        if let Some(order) = &mut self.order {
            let (ours, theirs) = (order.thread(creator).known, order.thread(thread).known);
            order.join(&mut self.memory.log, theirs, ours);
        }
    }

    /// A thread makes an object.
    #[inline]
    pub(super) fn order_making(&mut self, slot: usize, maker: ProcessId) {
        if let Some(order) = &mut self.order {
            let known = order.thread(maker).known;
            let time = order.get(known, maker.index());
            order.set(&mut self.memory.log, MADE, slot, time);
        }
    }

    /// An object comes to be shared.
    pub(super) fn order_publication(&mut self, slot: usize) {
        let Some(order) = &mut self.order else { return };
        let object = &self.memory.objects[slot];
        let maker = ProcessId::new(object.maker as usize);
        let rows = order.thread(maker);
        let (fenced, made) = (order.get(rows.fenced, maker.index()), order.get(MADE, slot));
        let time = if fenced > 0 && fenced >= made { fenced } else { order.get(rows.known, maker.index()) };
        let birth = 2 * time + u32::from(object.undefined > 0);
        order.set(&mut self.memory.log, SHARED, slot, birth);
    }
}

impl CMachine {
    /// A thread is about to do an event.
    #[cold]
    pub(super) fn order_before(&mut self, process: ProcessId, frame: &Frame) {
        let uses = self.uses(process);
        let site = own_site(&self.image, &self.state.threads[process.index()].frames);
        let State { order, memory, .. } = &mut self.state;
        let Some(order) = order else { return };
        let is_defined = |used: &Use| {
            let (slot, offset) = split(used.address);
            let object = &memory.objects.get(slot)?;
            let end = u64::from(offset) + used.length;
            let inside = object.life == Life::Live && used.length > 0 && end <= u64::from(object.size);
            let at = (object.base + offset) as usize;
            inside.then(|| u64::from(memory.undefined_in(at, used.length as usize)) < used.length)
        };
        order.uses = uses.map(|used| used.and_then(|used| Some((used, is_defined(&used)?))));
        order.site = site;
        if !matches!(frame.rest, Rest::Local) {
            order.tick(&mut memory.log, process);
        }
    }

    /// What was a load is a read-modify-write: see [`trial`](super::trial).
    #[cold]
    pub(super) fn order_as_write(&mut self) {
        if let Some((used, _)) = self.state.order.as_mut().and_then(|order| order.uses[0].as_mut()) {
            used.writes = true;
        }
    }

    /// A thread has done an event.
    #[cold]
    pub(super) fn order_after(&mut self, process: ProcessId, frame: &Frame, event: &mut Event) {
        for &ended in &event.joined {
            self.order_end(process, ended);
        }
        if event.ending == Ending::Continues {
            match (frame.rest, self.image.code[frame.pc as usize]) {
                (Rest::Local | Rest::Spin | Rest::Join | Rest::Exit, _) => {}
                (_, Instruction::Native { native, .. }) => self.order_call(process, native, event),
                (_, Instruction::AtomicBegin) => self.order_block(process, event),
                (_, instruction) => self.order_access(process, &instruction, event),
            }
        }
        if let Some(order) = &mut self.state.order {
            order.fence(&mut self.state.memory.log);
        }
        self.report_found(process, event);
    }

    fn order_end(&mut self, process: ProcessId, ended: ProcessId) {
        let State { order, memory, .. } = &mut self.state;
        let Some(order) = order else { return };
        let (ours, theirs) = (order.thread(process).known, order.thread(ended).known);
        order.join(&mut memory.log, ours, theirs);
    }

    /// An event that is one access to memory, plain or atomic.
    fn order_access(&mut self, process: ProcessId, instruction: &Instruction, event: &Event) {
        let Some(first) = event.accesses.first() else { return };
        let failed = first.kind == AccessKind::Read;
        let communication = communication(instruction, failed);
        let uses = self.state.order.as_ref().map_or([None; 2], |order| order.uses);
        for (used, defined) in uses.into_iter().flatten() {
            let writes = used.writes && !(used.atomic && failed);
            self.order_bytes(process, used, Class::new(writes, used.atomic), defined);
        }
        let State { order, memory, .. } = &mut self.state;
        let Some(order) = order else { return };
        for access in &event.accesses {
            match communication {
                Some(access_kind) => {
                    let place = order.place(access.location, false);
                    order.communicate(&mut memory.log, process, place, access_kind);
                }
                // What was released there is overwritten.
                None if !access.kind.is_read() && order.places.len() > access.location.index() => {
                    let message = order.places[access.location.index()].message;
                    if message != NONE {
                        order.copy(&mut memory.log, message, NOTHING);
                    }
                }
                None => {}
            }
        }
    }

    /// Some bytes of an object are accessed.
    fn order_bytes(&mut self, process: ProcessId, used: Use, class: Class, defined: bool) {
        let (slot, offset) = split(used.address);
        let State { order, memory, cells, .. } = &mut self.state;
        let Some(order) = order else { return };
        let object = memory.objects[slot];
        let cells = &cells[object.partition as usize];
        let is_shared = object.shared || matches!(object.kind, Kind::Global(_));
        if !is_shared || used.length == 0 {
            return;
        }
        let end = offset + used.length as u32;
        for cell in cells.cell(offset)..=cells.cell(end - 1) {
            let range = cells.range(cell, object.size);
            let bytes = (range.start.max(offset), range.end.min(end));
            let location = object.first + cell;
            let is_written = order.enter(&mut memory.log, process, location, bytes, class);
            let birth = order.get(SHARED, slot);
            let maker = object.maker as usize;
            let is_new = defined && (birth & 1 == 0 || !is_written) && birth > 1 && maker != process.index();
            if is_new {
                let known = order.thread(process).known;
                if birth >> 1 > order.get(known, maker) && class.conflicts(Class::Write) {
                    let site = match object.kind {
                        Kind::Stack(local) => {
                            let function = self.image.locals[local as usize].function;
                            self.image.functions[function as usize].site
                        }
                        Kind::ThreadLocal(global) => self.image.globals[global as usize].site,
                        _ => object.site,
                    };
                    let (did, own) = (Verb::Initialised, Verb::ALL[class as usize]);
                    order.found.push(Found { process: maker, site, did, own, location });
                }
            }
        }
    }

    /// An event of a modelled function.
    fn order_call(&mut self, process: ProcessId, native: Native, event: &Event) {
        let Some(failed) = self.state.order.as_ref().map(|order| order.failed) else { return };
        let always = native.facts().shows == Shows::Always;
        let frees = native.frees();
        for access in &event.accesses {
            let is_plain = event.plain && matches!(access.kind, AccessKind::Read | AccessKind::Write);
            if is_plain || frees {
                self.order_cell(process, access, frees);
            } else if always && !failed {
                let State { order, memory, .. } = &mut self.state;
                if let Some(order) = order {
                    order.synchronise(&mut memory.log, process, access.location, access.kind.is_read());
                }
            }
        }
        if let Some(order) = self.state.order.as_mut().filter(|_| frees) {
            order.found.iter_mut().for_each(|found| found.own = Verb::Freed);
        }
    }

    /// A modelled function accesses a whole cell.
    fn order_cell(&mut self, process: ProcessId, access: &Access, frees: bool) {
        let Some(&slot) = self.state.locations.get(access.location.index()) else { return };
        let object = self.state.memory.objects[slot as usize];
        let Some(cell) = (access.location.index() as u32).checked_sub(object.first) else { return };
        let range = self.state.cells[object.partition as usize].range(cell, object.size);
        let address = u64::from(slot) << 32 | u64::from(range.start);
        let writes = frees || !access.kind.is_read();
        let used = Use { address, length: u64::from(range.end - range.start), writes, atomic: false };
        self.order_bytes(process, used, Class::new(writes, false), !frees);
    }

    /// An event that is an atomic block.
    fn order_block(&mut self, process: ProcessId, event: &Event) {
        let State { order, memory, .. } = &mut self.state;
        let Some(order) = order else { return };
        for access in &event.accesses {
            let reads = access.kind.is_read();
            order.synchronise(&mut memory.log, process, access.location, reads);
            let place = order.place(access.location, true);
            let both = Communication { reads: Some(true), writes: (!reads).then_some(true) };
            order.communicate(&mut memory.log, process, place, both);
        }
    }

    /// The data races of the event are faults of it; told as those of the side whose place comes
    /// first.
    fn report_found(&mut self, process: ProcessId, event: &mut Event) {
        let Some(order) = &mut self.state.order else { return };
        let (site, mut found) = (order.site, std::mem::take(&mut order.found));
        // One for each other thread is enough; rather one with a plain access.
        let is_atomic = |verb| matches!(verb, Verb::ReadAtomically | Verb::WrittenAtomically);
        found.sort_unstable_by_key(|found| (found.process, is_atomic(found.did), found.location, found.site));
        found.dedup_by_key(|found| found.process);
        for other in found.drain(..) {
            let (there, other_process) = (SiteId::new(other.site as usize), ProcessId::new(other.process));
            let race = Unordered { process: other_process, site: there, did: other.did, own: other.own };
            let ours = (site, process) <= (there, other_process);
            let (process, site, race) = if ours {
                (process, site, race)
            } else {
                (other_process, there, Unordered { process, site, did: race.own, own: race.did })
            };
            let detail = [race.pack(), Value::from(other.location)];
            event.faults.push(Fault { kind: FaultKind::DataRace, process, site, detail });
        }
        if let Some(order) = &mut self.state.order {
            order.found = found;
        }
    }
}
