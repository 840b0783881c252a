//! Iterations tried out as a whole, and locks that are tested before they are taken.
//!
//! A thread that stands before the first access of an iteration waits there, if the iteration, run
//! alone from here, comes back to the head of its loop with nothing changed: such an iteration is
//! *redundant*. It goes on, as the trial does, where
//! - every further access is to the same bytes as the first one, or
//! - the first access takes a mutex that nobody tries to take, and the rest of the iteration is
//!   reads under it, and giving it back.
//!
//! **What is left out.** Executions with redundant iterations, and those in which such an iteration
//! begins too early. Take any execution. Iterations that came back with nothing changed are
//! removed: nobody saw them, as they only read, or held a mutex for which the others waited a
//! little longer. One that stands in the middle at the end, or is not redundant, is moved to just
//! before its first access that is not to the same bytes and not under the mutex; the mutex is
//! taken later, and what others did meanwhile did not concern it. At that point the iteration, run
//! alone, does not come back: so it is enabled. Hence each outcome of the program is one of an
//! execution that remains. That includes
//! - deadlocks: a thread that waits before the iteration is one that would go round for ever, and
//!   stands nowhere else;
//! - data races: where they are looked for, it is assumed that whatever such an iteration reads
//!   under the mutex is written under that mutex only. Then its reads race with nothing. Which
//!   mutexes were held at every write is kept for each location; where the assumption was wrong,
//!   the program is explored once more, and iterations under a mutex are steps like others
//!   ([`Guards`]). That is noticed: the first write without the mutex needs no redundant iteration
//!   before it.
//!
//! What decides is named: by the first access itself, or, where it takes a mutex, as reads of the
//! event besides. So the event depends on all that could have disabled it.
//!
//! **Locks that are tested first.** `while (load(l)) ; if (exchange(l, 1)) again`: an exchange that
//! writes what was there changes nothing, and the iteration is redundant. One that succeeds reads
//! what the load has read. If `l` never holds anything but two values (free, taken), these are all
//! there are, so the load can be moved down to the exchange, and both are one step. In the same
//! way, an exchange that fails and is followed by loads of `l` until it is free is redundant,
//! whatever comes: the thread waits at the exchange until `l` is free. That the location holds only
//! these two values, and is used by atomic accesses alone, is an assumption. All values that it is
//! seen to hold are kept. An execution that is missed for this reason begins like one that is not,
//! in which another thread writes the third value: so that is noticed. Then the machine drops the
//! idea, and the program is explored once more ([`Run::reconsiders`]).

use mazurka_machine::Run;
use mazurka_trace::{Access, AccessKind, Ending, Event, LocationId, ProcessId, Value};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::code::instruction::Instruction;
use crate::code::operator::{Flags, Order};
use crate::native::Native;

use super::CMachine;
use super::event::{location_value, touch};
use super::guard::Use;
use super::memory::split;
use super::remember::{Numbers, add_list, location};
use super::state::State;
use super::step::purpose::{STEP, TRIAL};
use super::thread::{Rest, word};
use super::turn::Fuse;

/// The most accesses of an iteration that is tried out.
const MOST_STEPS: usize = 12;

/// What an iteration comes to that is run alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Course {
    /// Back to the head, with nothing changed.
    ComesBack,
    /// Its first step has to wait.
    Blocked,
    /// It goes on.
    GoesOn,
}

/// What a trial has seen.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    pub(super) accesses: Vec<Access>,
    /// Locations read without meaning to communicate.
    plain: Vec<u32>,
    pub(super) varies: bool,
}

impl Seen {
    /// Whether the iteration reads anything without meaning to communicate.
    pub(super) fn reads_plainly(&self) -> bool {
        !self.plain.is_empty()
    }

    fn add(&mut self, event: &Event) {
        self.varies |= event.varies;
        for access in &event.accesses {
            if access.kind == AccessKind::Halt {
                continue;
            }
            if !self.accesses.iter().any(|seen| seen.location == access.location) {
                self.accesses.push(*access);
            }
            if event.plain && access.kind == AccessKind::Read {
                self.plain.push(access.location.index() as u32);
            }
        }
    }
}

/// The values that locations have been seen to hold, and what was assumed of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Domains {
    by_location: Vec<Domain>,
    /// Nothing is assumed any more.
    dropped: bool,
}

#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Domain {
    values: [Value; 2],
    /// How many there are; 3 where there are more than two.
    count: u8,
    plain: bool,
    assumed: Option<[Value; 2]>,
}

impl Domain {
    fn insert(&mut self, value: Value) {
        if self.count < 3 && !self.values[..usize::from(self.count)].contains(&value) {
            if let Some(place) = self.values.get_mut(usize::from(self.count)) {
                *place = value;
            }
            self.count += 1;
        }
    }

    fn is_refuted(&self) -> bool {
        self.assumed.is_some_and(|pair| {
            let seen = &self.values[..usize::from(self.count.min(2))];
            self.plain || self.count > 2 || seen.iter().any(|value| !pair.contains(value))
        })
    }
}

impl Domains {
    fn at(&mut self, location: usize) -> &mut Domain {
        if self.by_location.len() <= location {
            self.by_location.resize(location + 1, Domain::default());
        }
        &mut self.by_location[location]
    }

    fn note(&mut self, event: &Event) {
        for access in event.accesses.iter().filter(|access| !access.kind.is_mutex()) {
            let domain = self.at(access.location.index());
            domain.insert(access.before);
            domain.insert(access.after);
            domain.plain |= event.plain;
        }
    }

    /// What another machine has seen and assumed, of the same locations.
    pub(super) fn consult(&mut self, other: &Domains) {
        for (location, theirs) in other.by_location.iter().enumerate() {
            let domain = self.at(location);
            theirs.values[..usize::from(theirs.count.min(2))].iter().for_each(|&value| domain.insert(value));
            domain.count = domain.count.max(theirs.count);
            domain.plain |= theirs.plain;
            if let Some(pair) = theirs.assumed {
                self.assume(location, pair);
            }
        }
    }

    /// All of it, as numbers.
    pub(super) fn add_to(&self, numbers: &mut Vec<i64>) {
        numbers.push(i64::from(self.dropped));
        let noted = self.by_location.iter().zip(0..).filter(|(domain, _)| **domain != Domain::default());
        let record = |(domain, location): (&Domain, i64)| {
            let [one, other] = domain.assumed.unwrap_or_default();
            let marks =
                i64::from(domain.count) | i64::from(domain.plain) << 2 | i64::from(domain.assumed.is_some()) << 3;
            [location, marks, domain.values[0], domain.values[1], one, other]
        };
        add_list(numbers, noted.flat_map(record));
    }

    /// Takes over what another machine has written. Whether that assumed nothing any more.
    pub(super) fn take_over(&mut self, numbers: &mut Numbers<'_>) -> bool {
        let dropped = numbers.next() != 0;
        let mut other = Domains::default();
        for [place, marks, first, second, one, two] in numbers.records() {
            *other.at(location(place).index()) = Domain {
                values: [first, second],
                count: (marks & 3) as u8,
                plain: marks & 4 != 0,
                assumed: (marks & 8 != 0).then_some([one, two]),
            };
        }
        self.consult(&other);
        dropped
    }

    /// A location holds one of two values. That others are assumed as well is a contradiction.
    fn assume(&mut self, location: usize, pair: [Value; 2]) {
        let domain = self.at(location);
        let same = |old: [Value; 2]| old == pair || old == [pair[1], pair[0]];
        domain.plain |= domain.assumed.is_some_and(|old| !same(old));
        domain.assumed = Some(pair);
    }
}

/// The mutexes under which locations were written, and under which they should have been.
#[derive(Clone, Debug, Default)]
pub(super) struct Guards {
    /// The locations of mutexes, in the order in which they were first taken.
    mutexes: Vec<LocationId>,
    /// For each location that was written, the mutexes that were held each time, as bits.
    held: FxHashMap<LocationId, u64>,
    assumed: FxHashSet<(LocationId, LocationId)>,
    /// Nothing is assumed any more.
    dropped: bool,
}

impl Guards {
    fn note(&mut self, state: &State, event: &Event) {
        let tag = Value::from(state.threads[event.process.index()].tag);
        for access in &event.accesses {
            match access.kind {
                AccessKind::Acquire if !self.mutexes.contains(&access.location) => self.mutexes.push(access.location),
                AccessKind::Write | AccessKind::Update => {
                    let is_held = |&&mutex: &&LocationId| {
                        location_value(state, mutex).is_some_and(|value| value & 0xffff_ffff == tag)
                    };
                    let known = self.mutexes.iter().take(64).enumerate();
                    let held = known.filter(|(_, mutex)| is_held(mutex)).fold(0, |held, (bit, _)| held | 1 << bit);
                    *self.held.entry(access.location).or_insert(u64::MAX) &= held;
                }
                _ => {}
            }
        }
    }

    /// What a trial has read under a mutex is written under it only.
    fn assume(&mut self, seen: &Seen) {
        let Some(mutex) = seen.accesses.iter().find(|access| access.kind.is_mutex()) else { return };
        self.assumed.extend(seen.plain.iter().map(|&location| (LocationId::new(location as usize), mutex.location)));
    }

    /// What another machine has seen and assumed, of the same locations.
    pub(super) fn consult(&mut self, other: &Guards) {
        for mutex in &other.mutexes {
            if !self.mutexes.contains(mutex) {
                self.mutexes.push(*mutex);
            }
        }
        for (&location, &held) in &other.held {
            let theirs = other.mutexes.iter().take(64).zip(0..).filter(|&(_, bit)| held >> bit & 1 != 0);
            let place = |mutex: &LocationId| self.mutexes.iter().take(64).position(|known| known == mutex);
            let held = theirs.filter_map(|(mutex, _)| place(mutex)).fold(0, |held, bit| held | 1 << bit);
            *self.held.entry(location).or_insert(u64::MAX) &= held;
        }
        self.assumed.extend(&other.assumed);
    }

    /// All of it, as numbers.
    pub(super) fn add_to(&self, numbers: &mut Vec<i64>) {
        let index = |location: &LocationId| location.index() as i64;
        numbers.push(i64::from(self.dropped));
        add_list(numbers, self.mutexes.iter().map(index));
        add_list(numbers, self.held.iter().flat_map(|(location, &held)| [index(location), held as i64]));
        add_list(numbers, self.assumed.iter().flat_map(|(location, mutex)| [index(location), index(mutex)]));
    }

    /// Takes over what another machine has written. Whether that assumed nothing any more.
    pub(super) fn take_over(&mut self, numbers: &mut Numbers<'_>) -> bool {
        let dropped = numbers.next() != 0;
        let mutexes = numbers.list().map(|&mutex| location(mutex)).collect();
        let held = numbers.records().map(|[place, held]| (location(place), held as u64)).collect();
        let assumed = numbers.records().map(|[place, mutex]| (location(place), location(mutex))).collect();
        self.consult(&Guards { mutexes, held, assumed, dropped });
        dropped
    }

    fn is_refuted(&self) -> bool {
        self.assumed.iter().any(|(location, mutex)| {
            let bit = self.mutexes.iter().take(64).position(|known| known == mutex);
            self.held.get(location).is_some_and(|held| bit.is_none_or(|bit| held >> bit & 1 == 0))
        })
    }
}

/// The threads that have come to barriers, by their tags.
#[derive(Clone, Debug, Default)]
pub(crate) struct Barriers {
    arrivals: FxHashMap<u64, Arrivals>,
    /// More threads have come to one than it is made for.
    crowded: bool,
    /// In which order they come matters.
    pub(super) ordered: bool,
}

impl Barriers {
    /// Who has come to the same barriers in executions of another machine.
    pub(super) fn consult(&mut self, other: &Barriers) {
        self.crowded |= other.crowded;
        for (&barrier, theirs) in &other.arrivals {
            let ours = self.arrivals.entry(barrier).or_default();
            ours.total = ours.total.min(theirs.total);
            theirs.tags.iter().for_each(|&tag| self.crowded |= ours.insert(tag));
        }
    }

    /// All of it, as numbers.
    pub(super) fn add_to(&self, numbers: &mut Vec<i64>) {
        numbers.extend([i64::from(self.crowded), i64::from(self.ordered)]);
        let arrivals = |(&barrier, arrivals): (&u64, &Arrivals)| {
            let record = |tag: &u32| [barrier as i64, arrivals.total as i64, i64::from(*tag)];
            arrivals.tags.iter().flat_map(record).collect::<Vec<_>>()
        };
        add_list(numbers, self.arrivals.iter().flat_map(arrivals));
    }

    /// Takes over what another machine has written.
    pub(super) fn take_over(&mut self, numbers: &mut Numbers<'_>) {
        let mut other = Barriers { crowded: numbers.next() != 0, ordered: numbers.next() != 0, ..Barriers::default() };
        for [barrier, total, tag] in numbers.records() {
            let arrivals = other.arrivals.entry(barrier as u64).or_default();
            arrivals.total = total as u64;
            arrivals.insert(tag as u32);
        }
        self.ordered |= other.ordered;
        self.consult(&other);
    }

    /// A thread comes. Whether the order does not matter.
    pub(super) fn arrives(&mut self, barrier: u64, tag: u32, total: u64) -> bool {
        if self.ordered {
            return false;
        }
        let arrivals = self.arrivals.entry(barrier).or_default();
        arrivals.total = arrivals.total.min(total);
        self.crowded |= arrivals.insert(tag);
        true
    }
}

/// The threads that have come to one.
#[derive(Clone, Debug)]
struct Arrivals {
    tags: Vec<u32>,
    /// The least number of threads that it was made for.
    total: u64,
}

impl Default for Arrivals {
    fn default() -> Self {
        Self { tags: Vec::new(), total: u64::MAX }
    }
}

impl Arrivals {
    /// Adds one. Whether they are more than the barrier is made for.
    fn insert(&mut self, tag: u32) -> bool {
        if !self.tags.contains(&tag) {
            self.tags.push(tag);
        }
        self.tags.len() as u64 > self.total
    }
}

impl CMachine {
    /// Steps a thread of a program in which loops may wait, synchronisation is told apart from
    /// order, or additions commute. Keeps account of what is assumed.
    #[cold]
    pub(super) fn step_and_note(&mut self, process: ProcessId, choices: &[Value], event: &mut Event) {
        let waits = self.state.threads[process.index()].frames.last().is_some_and(|frame| frame.rest == Rest::Await);
        let addition = if self.counters.is_active() { self.addition(process) } else { None };
        if waits {
            self.step_waiting(process, choices, event);
        } else if self.state.order.is_some() {
            self.advance_in_order(process, choices, event);
        } else {
            self.advance::<STEP>(process, choices, event, false);
        }
        if self.waits.may_fuse && !self.domains.dropped {
            self.domains.note(event);
        }
        if self.waits.may_poll && self.image.settings.data_races && !self.guards.dropped {
            self.guards.note(&self.state, event);
        }
        if self.counters.is_active() {
            self.tell_shares(addition, event);
        }
    }

    #[cold]
    fn step_waiting(&mut self, process: ProcessId, choices: &[Value], event: &mut Event) {
        let mut seen = Seen::default();
        let takes_mutex = self.takes_mutex(process);
        if takes_mutex {
            self.run_alone(process, &mut seen);
        } else if self.fuses(process) {
            self.fuse = Fuse::May;
        }
        if self.state.order.is_some() {
            self.advance_in_order(process, choices, event);
        } else {
            self.advance::<STEP>(process, choices, event, false);
        }
        self.fuse = Fuse::No;
        if takes_mutex {
            (event.locks, event.varies, event.can_block) = (false, true, true);
        }
        for access in seen.accesses.iter().filter(|access| !access.kind.is_mutex()) {
            let value = location_value(&self.state, access.location).unwrap_or(0);
            touch(&mut self.state, event, access.location, AccessKind::Read, value);
        }
    }

    /// Whether a thread that may wait stands before a call that takes a mutex which nobody tries to
    /// take.
    fn takes_mutex(&self, process: ProcessId) -> bool {
        let instruction = &self.image.code[self.top(process).pc as usize];
        matches!(instruction, Instruction::Native { native: Native::MutexLock, .. })
            && !self.waits.mutexes_are_tried
            && !self.guards.dropped
    }

    /// Runs an iteration alone, from its first access on, and takes that back.
    pub(super) fn run_alone(&mut self, process: ProcessId, seen: &mut Seen) -> Course {
        let steps = self.records.len();
        let mut event = std::mem::take(&mut self.scratch);
        self.trial_reads = self.state.threads[process.index()].reads.len();
        let course = self.run_iteration(process, seen, &mut event);
        self.take_back(steps);
        if self.image.settings.data_races && !self.guards.dropped {
            self.guards.assume(seen);
        }
        self.scratch = event;
        course
    }

    fn run_iteration(&mut self, process: ProcessId, seen: &mut Seen, event: &mut Event) -> Course {
        let clock = self.state.word(process, word::CLOCK);
        let (first, takes_mutex) = (self.uses(process)[0], self.takes_mutex(process));
        for number in 0..MOST_STEPS {
            if number > 0 && !self.goes_on_trying(process, first, takes_mutex) {
                return Course::GoesOn;
            }
            let passes = self.advance::<TRIAL>(process, &[], event, true);
            seen.add(event);
            if !passes {
                return if self.is_at_head(process) { Course::ComesBack } else { Course::Blocked };
            }
            if !is_quiet(event) || self.state.word(process, word::CLOCK) != clock {
                return Course::GoesOn;
            }
            if !self.state.live.contains(process) {
                return Course::GoesOn;
            }
        }
        Course::GoesOn
    }

    /// Whether the next step of an iteration is of those that are tried.
    fn goes_on_trying(&self, process: ProcessId, first: Option<Use>, takes_mutex: bool) -> bool {
        let frame = self.top(process);
        let instruction = &self.image.code[frame.pc as usize];
        match frame.rest {
            Rest::Ready | Rest::Await if takes_mutex => self.uses(process)[0].is_some(),
            Rest::Ready | Rest::Await => is_same(first, self.uses(process)[0]),
            Rest::Native => {
                takes_mutex && matches!(instruction, Instruction::Native { native: Native::MutexUnlock, .. })
            }
            _ => false,
        }
    }

    fn is_at_head(&self, process: ProcessId) -> bool {
        matches!(self.image.code[self.top(process).pc as usize], Instruction::Head { .. })
    }

    /// Whether a thread that may wait can go on.
    pub(super) fn can_go_on(&mut self, process: ProcessId) -> bool {
        let mut seen = Seen::default();
        self.run_alone(process, &mut seen) == Course::GoesOn && !self.waits_for_release(process)
    }

    /// What a thread that may wait would read without meaning to communicate, if its iteration ran
    /// now.
    pub(super) fn trial_uses(&mut self, process: ProcessId) -> Vec<(u32, bool, bool)> {
        let mut seen = Seen::default();
        self.run_alone(process, &mut seen);
        seen.plain.iter().map(|&location| (location, false, false)).collect()
    }

    /// Steps a thread for a trial that uses one location, in this way. None where it does anything
    /// else. False where it comes back.
    fn try_one(&mut self, process: ProcessId, event: &mut Event) -> Option<(Access, bool)> {
        let passes = self.advance::<TRIAL>(process, &[], event, true);
        let [access] = event.accesses[..] else { return None };
        if !passes {
            return self.is_at_head(process).then_some((access, false));
        }
        (is_quiet(event) && self.state.live.contains(process)).then_some((access, true))
    }

    /// Puts a number where an access is about to be.
    fn imagine_at(&mut self, place: Use, value: Value) {
        let (slot, offset) = split(place.address);
        let at = self.state.memory.objects[slot].base + offset;
        self.state.memory.put(slot, at as usize, place.length.ilog2() as usize, value as u64);
    }

    /// Runs something and takes it back, whatever it changes.
    fn supposing<T>(&mut self, process: ProcessId, run: impl FnOnce(&mut Self, &mut Event) -> T) -> T {
        let (steps, log) = (self.records.len(), self.state.memory.log.len());
        let mut event = std::mem::take(&mut self.scratch);
        self.trial_reads = self.state.threads[process.index()].reads.len();
        let result = run(self, &mut event);
        self.take_back(steps);
        self.state.undo(log);
        self.scratch = event;
        result
    }

    /// The place of an atomic access of up to eight bytes that a thread that may wait is about to
    /// make.
    fn atomic_place(&self, process: ProcessId) -> Option<Use> {
        let place = self.uses(process)[0].filter(|place| place.atomic && place.length <= 8)?;
        let object = self.state.memory.object(place.address)?;
        (super::access::is_shared(object) && self.waits.may_fuse && !self.domains.dropped).then_some(place)
    }

    fn is_load(&self, process: ProcessId) -> bool {
        let instruction = &self.image.code[self.top(process).pc as usize];
        matches!(instruction, Instruction::Load { flags, .. } | Instruction::LoadAt { flags, .. } if flags.has(Flags::ATOMIC))
    }

    /// Whether a thread is before a read-modify-write, one that acquires where that matters.
    fn is_update(&self, process: ProcessId) -> bool {
        let instruction = &self.image.code[self.top(process).pc as usize];
        let acquires = |order: Order| self.state.order.is_none() || order.has(Order::ACQUIRES);
        matches!(instruction, Instruction::Modify { order, .. } | Instruction::ModifyAt { order, .. }
            | Instruction::CompareExchange { order, .. } if acquires(*order))
    }

    /// Whether a thread stands before the load of a lock that it takes by its next access, so that
    /// both are one step.
    fn fuses(&mut self, process: ProcessId) -> bool {
        let Some(place) = self.atomic_place(process).filter(|_| self.is_load(process)) else { return false };
        let found = self.supposing(process, |machine, event| {
            let (load, true) = machine.try_one(process, event)? else { return None };
            let next = machine.uses(process)[0];
            if !is_same(Some(place), next) || !machine.is_update(process) {
                return None;
            }
            let (update, true) = machine.try_one(process, event)? else { return None };
            let is_taken = update.location == load.location && update.before == load.before;
            let changes = update.kind == AccessKind::Update && update.after != update.before;
            (is_taken && changes).then_some((load.location, [update.before, update.after]))
        });
        let Some((location, [free, taken])) = found else { return false };
        let spins = self.supposing(process, |machine, event| {
            machine.imagine_at(place, taken);
            matches!(machine.try_one(process, event), Some((_, false)))
        });
        let fails = spins
            && self.supposing(process, |machine, event| {
                machine.try_one(process, event);
                machine.imagine_at(place, taken);
                matches!(machine.try_one(process, event), Some((_, false)))
            });
        if fails {
            self.domains.assume(location.index(), [free, taken]);
        }
        fails
    }

    /// Whether a thread stands before a read-modify-write of a lock that is taken, which is
    /// followed by loads until it is free, and then by the same again.
    fn waits_for_release(&mut self, process: ProcessId) -> bool {
        let Some(place) = self.atomic_place(process).filter(|_| self.is_update(process)) else { return false };
        let start = self.state.threads[process.index()].reads.len();
        let found = self.supposing(process, |machine, event| {
            let (update, true) = machine.try_one(process, event)? else { return None };
            let unchanged = update.before == update.after && update.before != FREE;
            let loads = machine.top(process).rest == Rest::Await && machine.is_load(process);
            if !unchanged || !loads || !is_same(Some(place), machine.uses(process)[0]) {
                return None;
            }
            // It comes back to the loop of the loads as long as the lock is taken.
            let spins = machine.supposing(process, |machine, event| machine.try_one(process, event));
            let (_, false) = spins? else { return None };
            machine.trial_reads = start;
            machine.imagine_at(place, FREE);
            let (_, false) = machine.try_one(process, event)? else { return None };
            Some((update.location, update.before))
        });
        let Some((location, taken)) = found else { return false };
        let takes = self.supposing(process, |machine, event| {
            machine.imagine_at(place, FREE);
            let update = machine.try_one(process, event);
            update.is_some_and(|(update, passes)| passes && update.before == FREE && update.after == taken)
        });
        if takes {
            self.domains.assume(location.index(), [FREE, taken]);
        }
        takes
    }

    /// See `Run::reconsiders`.
    pub(super) fn drop_assumptions(&mut self) -> bool {
        let wrong = self.domains.by_location.iter().any(Domain::is_refuted)
            || self.guards.is_refuted()
            || self.state.barriers.crowded && !self.state.barriers.ordered;
        if wrong {
            self.restart();
            self.assume_nothing();
        }
        wrong
    }

    /// See `Run::assume_nothing`. All assumptions go together, so that a schedule fits one of two
    /// machines.
    pub(super) fn drop_all_assumptions(&mut self) {
        self.domains = Domains { dropped: true, ..Domains::default() };
        self.guards = Guards { dropped: true, ..Guards::default() };
        self.state.barriers.ordered = true;
    }
}

/// What a lock holds that is free.
const FREE: Value = 0;

fn is_same(one: Option<Use>, other: Option<Use>) -> bool {
    one.zip(other).is_some_and(|(one, other)| one.address == other.address && one.length == other.length)
}

/// Whether a step did nothing but use memory.
fn is_quiet(event: &Event) -> bool {
    event.ending == Ending::Continues
        && event.faults.is_empty()
        && event.choices.is_empty()
        && event.spawned.is_empty()
        && event.joined.is_empty()
}
