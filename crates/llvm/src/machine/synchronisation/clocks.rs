//! Vector clocks in rows of numbers, and what was accessed when. All of it is undone by the log.

use mazurka_trace::{LocationId, ProcessId, SiteId};

use crate::code::instruction::Order;
use crate::machine::guard::Use;
use crate::machine::log::{Change, What};

use super::Verb;

/// No row.
pub(super) const NONE: u32 = u32::MAX;

/// The row of when objects came to be shared, by slot: twice the maker's time, and 1 where some of
/// its bytes were undefined then.
pub(super) const SHARED: u32 = 0;

/// The row of when objects were made, by slot: the maker's time.
pub(super) const MADE: u32 = 1;

/// The row of nothing.
pub(super) const NOTHING: u32 = 2;

/// The rows of a thread.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows {
    /// How many events of each thread it knows of.
    pub(super) known: u32,
    /// What it knew at its last fence that releases.
    pub(super) fenced: u32,
    /// What its relaxed reads have seen.
    pub(super) seen: u32,
}

/// The rows of a location; made when they are needed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// What its last write released.
    pub(super) message: u32,
    /// What modelled functions released that name it as changed, and as read.
    pub(super) changed: u32,
    pub(super) read: u32,
}

pub(super) const UNUSED: Place = Place { message: NONE, changed: NONE, read: NONE };

/// A stretch of bytes that was accessed as a whole: for each thread and each [`Class`] when it did
/// so last, and where.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) row: u32,
}

/// The kinds of accesses to memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Class {
    Read,
    Write,
    AtomicRead,
    AtomicWrite,
}

impl Class {
    const ALL: [Class; 4] = [Class::Read, Class::Write, Class::AtomicRead, Class::AtomicWrite];

    pub(super) fn new(writes: bool, atomic: bool) -> Class {
        Class::ALL[usize::from(writes) + 2 * usize::from(atomic)]
    }

    pub(super) fn writes(self) -> bool {
        matches!(self, Class::Write | Class::AtomicWrite)
    }

    pub(super) fn is_atomic(self) -> bool {
        matches!(self, Class::AtomicRead | Class::AtomicWrite)
    }

    pub(super) fn conflicts(self, other: Class) -> bool {
        (self.writes() || other.writes()) && !(self.is_atomic() && other.is_atomic())
    }
}

/// How many numbers a stretch has for each thread.
pub(super) const PER_THREAD: usize = 2 * Class::ALL.len();

/// A data race that was found: with whom, where, what the other did, and on which location.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) process: usize,
    pub(super) site: u32,
    pub(super) did: Verb,
    pub(super) own: Verb,
    pub(super) location: u32,
}

/// The clocks.
#[derive(Clone, Debug)]
pub(crate) struct Synchronisation {
    pub(super) rows: Vec<Vec<u32>>,
    pub(super) threads: Vec<Rows>,
    /// By location.
    pub(super) places: Vec<Place>,
    /// By location.
    pub(super) stretches: Vec<Vec<Stretch>>,
    /// The fences of the current step, which come after its event.
    pub(super) fences: Vec<(ProcessId, Order)>,
    /// The call of the current step failed.
    pub(super) failed: bool,
    /// What the event is about to use, and whether some of it is defined.
    pub(super) uses: [Option<(Use, bool)>; 2],
    /// Where the thread stood.
    pub(super) site: SiteId,
    pub(super) found: Vec<Found>,
}

impl Default for Synchronisation {
    fn default() -> Self {
        Self {
            rows: vec![Vec::new(); 3],
            threads: Vec::new(),
            places: Vec::new(),
            stretches: Vec::new(),
            fences: Vec::new(),
            failed: false,
            uses: [None; 2],
            site: SiteId::new(0),
            found: Vec::new(),
        }
    }
}

impl Synchronisation {
    /// Takes back one change.
    pub(in crate::machine) fn restore(&mut self, change: Change) {
        self.rows[change.at as usize][(change.old >> 32) as usize] = change.old as u32;
    }

    /// A fence in the code after an event, or after the creation of its thread.
    pub(in crate::machine) fn note_fence(&mut self, thread: ProcessId, order: Order) {
        self.fences.push((thread, order));
    }

    /// The call that is being done fails.
    pub(in crate::machine) fn note_failure(&mut self) {
        self.failed = true;
    }

    pub(super) fn new_row(&mut self) -> u32 {
        self.rows.push(Vec::new());
        self.rows.len() as u32 - 1
    }

    pub(super) fn thread(&mut self, thread: ProcessId) -> Rows {
        while thread.index() >= self.threads.len() {
            let rows = Rows { known: self.new_row(), fenced: self.new_row(), seen: self.new_row() };
            // Its time before its first event is 1: 0 is never.
            let own = self.threads.len();
            self.rows[rows.known as usize].resize(own + 1, 0);
            self.rows[rows.known as usize][own] = 1;
            self.threads.push(rows);
        }
        self.threads[thread.index()]
    }

    /// The rows of a location: of its messages, and of what modelled functions release there.
    pub(super) fn place(&mut self, location: LocationId, called: bool) -> Place {
        if location.index() >= self.places.len() {
            self.places.resize(location.index() + 1, UNUSED);
        }
        let mut place = self.places[location.index()];
        if place.message == NONE {
            place.message = self.new_row();
        }
        if called && place.changed == NONE {
            (place.changed, place.read) = (self.new_row(), self.new_row());
        }
        self.places[location.index()] = place;
        place
    }

    pub(super) fn get(&self, row: u32, column: usize) -> u32 {
        self.rows[row as usize].get(column).copied().unwrap_or(0)
    }

    pub(super) fn set(&mut self, log: &mut Vec<Change>, row: u32, column: usize, value: u32) {
        let numbers = &mut self.rows[row as usize];
        if column >= numbers.len() {
            numbers.resize(column + 1, 0);
        }
        let old = std::mem::replace(&mut numbers[column], value);
        if old != value {
            log.push(Change { at: row, what: What::Clock, old: (column as u64) << 32 | u64::from(old) });
        }
    }

    /// The first row learns what the second one knows.
    pub(super) fn join(&mut self, log: &mut Vec<Change>, row: u32, other: u32) {
        for column in 0..self.rows[other as usize].len() {
            let value = self.rows[other as usize][column];
            if value > self.get(row, column) {
                self.set(log, row, column, value);
            }
        }
    }

    /// The first row becomes what the second one is.
    pub(super) fn copy(&mut self, log: &mut Vec<Change>, row: u32, other: u32) {
        let columns = self.rows[row as usize].len().max(self.rows[other as usize].len());
        for column in 0..columns {
            let value = self.get(other, column);
            self.set(log, row, column, value);
        }
    }

    /// A thread begins an event.
    pub(super) fn tick(&mut self, log: &mut Vec<Change>, thread: ProcessId) {
        self.fences.clear();
        self.failed = false;
        let known = self.thread(thread).known;
        let time = self.get(known, thread.index());
        self.set(log, known, thread.index(), time + 1);
    }

    /// An atomic access to a location.
    pub(super) fn communicate(
        &mut self,
        log: &mut Vec<Change>,
        thread: ProcessId,
        place: Place,
        access: Communication,
    ) {
        let rows = self.thread(thread);
        if let Some(acquires) = access.reads {
            self.join(log, if acquires { rows.known } else { rows.seen }, place.message);
        }
        if let Some(releases) = access.writes {
            let source = if releases { rows.known } else { rows.fenced };
            match access.reads {
                Some(_) => self.join(log, place.message, source),
                None => self.copy(log, place.message, source),
            }
        }
    }

    /// A synchronisation by a modelled function or an atomic block.
    pub(super) fn synchronise(&mut self, log: &mut Vec<Change>, thread: ProcessId, location: LocationId, reads: bool) {
        let (known, place) = (self.thread(thread).known, self.place(location, true));
        self.join(log, known, place.changed);
        if reads {
            return self.join(log, place.read, known);
        }
        self.join(log, known, place.read);
        self.join(log, place.changed, known);
    }

    /// The fences of the step.
    pub(super) fn fence(&mut self, log: &mut Vec<Change>) {
        for at in 0..self.fences.len() {
            let (thread, order) = self.fences[at];
            let rows = self.thread(thread);
            if order.has(Order::ACQUIRES) {
                self.join(log, rows.known, rows.seen);
            }
            if order.has(Order::RELEASES) {
                self.copy(log, rows.fenced, rows.known);
            }
        }
        self.fences.clear();
    }

    /// A thread accesses some bytes of a location, from `start` to `end` in their object. Finds the
    /// data races with what came before.
    pub(super) fn enter(
        &mut self,
        log: &mut Vec<Change>,
        thread: ProcessId,
        location: u32,
        (start, end): (u32, u32),
        class: Class,
    ) -> bool {
        if location as usize >= self.stretches.len() {
            self.stretches.resize_with(location as usize + 1, Vec::new);
        }
        let known = self.thread(thread).known;
        let (mut own, mut is_written) = (NONE, false);
        for number in 0..self.stretches[location as usize].len() {
            let stretch = self.stretches[location as usize][number];
            if stretch.start >= end || start >= stretch.end {
                continue;
            }
            if (stretch.start, stretch.end) == (start, end) {
                own = stretch.row;
            }
            is_written |= self.compare(stretch.row, thread, known, class, location);
        }
        if own == NONE {
            own = self.new_row();
            self.stretches[location as usize].push(Stretch { start, end, row: own });
        }
        let column = PER_THREAD * thread.index() + 2 * class as usize;
        let (time, site) = (self.get(known, thread.index()), self.site.index() as u32);
        self.set(log, own, column, time);
        self.set(log, own, column + 1, site);
        is_written
    }

    /// Finds the data races of a thread's access with those of a row. Whether one of these is a
    /// write.
    pub(super) fn compare(&mut self, row: u32, thread: ProcessId, known: u32, class: Class, location: u32) -> bool {
        let mut is_written = false;
        for column in (0..self.rows[row as usize].len()).step_by(2) {
            let (process, other) = (column / PER_THREAD, Class::ALL[column % PER_THREAD / 2]);
            let time = self.rows[row as usize][column];
            is_written |= time > 0 && other.writes();
            if process != thread.index() && class.conflicts(other) && time > self.get(known, process) {
                let (did, own) = (Verb::ALL[other as usize], Verb::ALL[class as usize]);
                self.found.push(Found { process, site: self.get(row, column + 1), did, own, location });
            }
        }
        is_written
    }
}

/// What an atomic access reads and writes, and whether it acquires and releases there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Communication {
    pub(super) reads: Option<bool>,
    pub(super) writes: Option<bool>,
}
