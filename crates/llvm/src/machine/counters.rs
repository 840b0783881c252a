//! Counters: additions whose result nobody uses commute.
//!
//! `atomic_fetch_add(&n, 1);` changes `n`, and its thread learns nothing. Two threads that only add
//! come to the same in both orders, so their order need not be explored: with N of them that is one
//! execution instead of N!.
//!
//! An event says so by the locations that it names. Each thread that adds to a counter has a
//! *share* of it, a location of its own. An addition names its share only. Everybody else who uses
//! the counter names the counter and reads all its shares. So additions of different threads are
//! independent, and each of them depends on whoever reads or writes the counter. No engine has to
//! know.
//!
//! - *Which threads have shares* is found out once, by one execution when the machine is made. It
//!   does not change after that, so an event names the same for the machine's life (C1). A thread
//!   that adds and has no share is one of the others: that costs executions, not soundness.
//! - *Data races.* Two additions that synchronise are ordered in C and not ordered here. In a
//!   program in which all that orders also synchronises, that only adds races to those that the
//!   explorer finds, and each of them can be brought side by side. In any other program
//!   ([`Image::is_weak`]) what is a data race would depend on the order of additions that acquire:
//!   there only those commute that do not, in programs without fences.
//! - *Values* of a share are differences to what the counter holds after the event. The counter's
//!   own value depends on the order of others' additions, and an event must not (C7).
//!
//! Cost: a use of a counter names as many locations as there are shares.

use mazurka_trace::{Access, AccessKind, Ending, Event, LocationId, ProcessId, Value};
use rustc_hash::FxHashMap;

use mazurka_machine::Run;

use crate::code::Image;
use crate::code::instruction::Instruction;
use crate::code::operator::{Modify, Order};
use crate::mutation::{self, Mutation};

use super::CMachine;
use super::arithmetic::wrap;
use super::thread::Rest;

/// The longest execution that is run to find out who adds to what.
const MOST_STEPS: usize = 10_000;

/// Who adds to what.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counters {
    /// Some instruction adds and commutes.
    is_active: bool,
    /// Additions that acquire do not commute.
    acquiring_orders: bool,
    /// The shares of each counter.
    shares: FxHashMap<LocationId, Vec<(ProcessId, LocationId)>>,
    /// The counter of each share.
    counters: FxHashMap<LocationId, LocationId>,
}

impl Counters {
    pub(super) fn of(image: &Image) -> Self {
        let acquiring_orders = image.is_weak();
        let fences = || image.code.iter().any(|instruction| matches!(instruction, Instruction::Fence { .. }));
        let mut this = Counters { acquiring_orders, ..Counters::default() };
        let allowed = image.settings.shortcuts && !(acquiring_orders && fences());
        this.is_active = allowed && image.code.iter().any(|instruction| this.commutes(instruction).is_some());
        this
    }

    /// Whether anything is ever said about shares.
    #[inline]
    pub(super) fn is_active(&self) -> bool {
        self.is_active
    }

    /// How many bytes an instruction adds to, if it commutes with others that add to the same ones.
    fn commutes(&self, instruction: &Instruction) -> Option<u32> {
        let (Instruction::Modify { op, width, order, .. } | Instruction::ModifyAt { op, width, order, .. }) =
            instruction
        else {
            return None;
        };
        let unused = order.has(Order::UNUSED) || mutation::on(Mutation::UsedAdditionsCommute);
        let adds = matches!(op, Modify::Add | Modify::Subtract) && unused;
        let is_ordered =
            self.acquiring_orders && order.has(Order::ACQUIRES) && !mutation::on(Mutation::AcquiringAdditionsCommute);
        (adds && !is_ordered).then(|| width.bytes())
    }

    /// The location whose value a share is a part of.
    pub(crate) fn counter(&self, share: LocationId) -> Option<LocationId> {
        self.counters.get(&share).copied()
    }

    /// Whether a location is a counter with shares, or a share.
    pub(crate) fn is_counted(&self, location: LocationId) -> bool {
        self.shares.contains_key(&location) || self.counters.contains_key(&location)
    }

    fn share(&self, counter: LocationId, process: ProcessId) -> Option<LocationId> {
        let shares = self.shares.get(&counter)?;
        shares.iter().find(|(owner, _)| *owner == process).map(|&(_, share)| share)
    }
}

impl CMachine {
    /// How many bytes the next step of a thread adds to, if that commutes with others' additions.
    pub(super) fn addition(&self, process: ProcessId) -> Option<u32> {
        let frame = self.state.threads[process.index()].frames.last()?;
        let instruction = &self.image.code[frame.pc as usize];
        self.counters.commutes(instruction).filter(|_| frame.rest == Rest::Ready)
    }

    /// The counter that an event which began with an addition of so many bytes added to, if it did
    /// nothing else.
    fn added_to(&self, bytes: u32, event: &Event) -> Option<LocationId> {
        let &[Access { location, kind: AccessKind::Update, .. }] = &event.accesses[..] else { return None };
        let slot = *self.state.locations.get(location.index())?;
        let object = &self.state.memory.objects[slot as usize];
        let cell = (location.index() as u32).checked_sub(object.first)?;
        // What overlaps in part does not commute.
        let whole = self.state.cells[object.partition as usize].range(cell, object.size).len() == bytes as usize;
        let alone = !event.can_block && !event.varies && event.ending == Ending::Continues;
        (whole && alone).then_some(location)
    }

    /// Names the shares of the counters that an event uses; `addition` is what it began with.
    #[cold]
    pub(super) fn tell_shares(&self, addition: Option<u32>, event: &mut Event) {
        if let Some(counter) = addition.and_then(|bytes| self.added_to(bytes, event))
            && let Some(share) = self.counters.share(counter, event.process)
        {
            let Access { before, after, .. } = event.accesses[0];
            let bits = addition.map_or(64, |bytes| 8 * bytes as u8);
            let before = wrap(before.wrapping_sub(after) as u64, bits) as Value;
            event.accesses[0] = Access { location: share, kind: AccessKind::Update, before, after: 0 };
            return;
        }
        self.name_shares(&mut event.accesses);
        self.name_shares(&mut event.unseen);
    }

    fn name_shares(&self, accesses: &mut Vec<Access>) {
        if mutation::on(Mutation::SharesUntold) {
            return;
        }
        for at in 0..accesses.len() {
            let Some(shares) = self.counters.shares.get(&accesses[at].location) else { continue };
            let read = |&(_, location)| Access { location, kind: AccessKind::Read, before: 0, after: 0 };
            accesses.extend(shares.iter().map(read));
        }
    }

    /// Runs one execution to find out who adds to what.
    pub(super) fn meet_counters(&mut self) {
        let mut event = Event::default();
        let mut met = Vec::new();
        for _ in 0..MOST_STEPS {
            let live: Vec<ProcessId> = self.state.live.iter().collect();
            let Some(process) = live.into_iter().find(|&process| self.is_enabled(process)) else { break };
            let addition = self.addition(process);
            self.step(process, &[], &mut event);
            if let Some(counter) = addition.and_then(|bytes| self.added_to(bytes, &event)) {
                met.push((counter, process));
            }
            if event.ending != Ending::Continues {
                break;
            }
        }
        self.take_back(0);
        met.into_iter().for_each(|(counter, process)| self.give_share(counter, process));
    }

    fn give_share(&mut self, counter: LocationId, process: ProcessId) {
        if self.counters.share(counter, process).is_none() {
            let share = self.state.add_location(self.state.locations[counter.index()]);
            self.counters.shares.entry(counter).or_default().push((process, share));
            self.counters.counters.insert(share, counter);
        }
    }

    /// The counter of a share, and what it holds if the share's value is this.
    pub(crate) fn counted(&self, share: LocationId, value: Value) -> Option<(LocationId, Value)> {
        let counter = self.counters.counter(share)?;
        let now = super::event::location_value(&self.state, counter)?;
        Some((counter, now.wrapping_add(value)))
    }
}
