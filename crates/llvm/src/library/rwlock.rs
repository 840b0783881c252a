//! Read-write locks.
//!
//! The bytes of a `pthread_rwlock_t` are, here: the writer's tag at 0, how many read at 8, and from
//! 12 on the tags of those who read, in ascending order, so that they do not tell who came first.
//! Readers are preferred: a writer that waits keeps nobody out. The first cell holds the writer
//! alone: a reader reads it, and readers are not ordered, so it may not tell how many they are.
//!
//! To take or give back the lock as a reader is a `Read` of the first cell, since readers do not
//! mind each other, and a writer minds them: it names the cell as changed. A reader that takes the
//! lock or gives it back names its own handle as written as well, and a writer that waits names the
//! handles of all whom it waits for: so it is known which events keep it waiting.
//!
//! A writer that tries without success because of another writer, or because it reads itself, only
//! reads the first cell; because of other readers, it names the cell as changed. It does not name
//! the readers that it finds: who has given the lock back before would not be among them, and no
//! access of the try would say that this one decides (C4). Where a loop waits for the lock, what it
//! waits for is those readers: they are no part of the step, but of the disabled step (see
//! `machine::waiting`).
//!
//! Where there are more readers than there is room for, the further ones are not known by name,
//! and are in everybody's way.

use mazurka_trace::{AccessKind, FaultKind, ProcessId, Value};

use crate::machine::call::{Call, Flow, Peek, Stop};
use crate::mutation::{self, Mutation};

use super::misuse::Misuse;
use super::mutex::Patience;
use super::view::View;

/// Where the number of readers stands.
const READERS: u64 = 8;
const NAMES: u64 = 12;
/// How many readers there is room for.
const ROOM: u64 = 11;
const SIZE: u32 = 56;
const DESTROYED: u64 = 0xffff_ffff;

/// Whether a reader would have to wait.
pub(super) fn read_waits(view: &impl View) -> bool {
    !matches!(view.look(view.argument(0), 4), None | Some(0 | DESTROYED))
}

/// Whether a writer would have to wait.
pub(super) fn write_waits(view: &impl View) -> bool {
    let lock = view.argument(0);
    match (view.look(lock, 4), view.look(lock + READERS, 4)) {
        (None | Some(DESTROYED), _) | (_, None) => false,
        (Some(writer), Some(readers)) => writer != 0 || readers != 0,
    }
}

/// `pthread_rwlock_init`
pub(super) fn init(call: &mut Call<'_>) -> Result<Flow, Stop> {
    let lock = call.argument(0);
    call.visible_at(lock)?;
    let writer = call.peek(lock, 4)?;
    if writer != 0 && call.is_defined(lock, 4)? && call.by_tag(writer as u32).is_some() {
        return Err(Misuse::InitialisedWhileHeld.lock(lock, writer));
    }
    // Whether it is held decides: that is read.
    call.touch(lock, AccessKind::Update)?;
    for word in 0..u64::from(SIZE) / 8 {
        call.poke(lock + 8 * word, 8, 0)?;
    }
    Ok(Flow::Done(0))
}

/// The writer and how many readers there are, of a call that is granted.
fn holders(call: &mut Call<'_>, lock: u64) -> Result<(u64, u64), Stop> {
    call.publish(lock);
    let writer = call.peek(lock, 4)?;
    let readers = call.peek(lock + READERS, 4)?;
    if !call.is_defined(lock, SIZE)? {
        return Err(Stop::Fault(FaultKind::Uninitialised, [lock as Value, Value::from(SIZE)]));
    }
    if writer == DESTROYED { Err(Misuse::NoRwLock.fault()) } else { Ok((writer, readers)) }
}

/// `pthread_rwlock_destroy`
pub(super) fn destroy(call: &mut Call<'_>) -> Result<Flow, Stop> {
    let lock = call.argument(0);
    call.visible()?;
    let (writer, readers) = holders(call, lock)?;
    if writer != 0 || readers != 0 {
        let holder = if writer == 0 { call.peek(lock + NAMES, 4)? } else { writer };
        return Err(Misuse::DestroyedWhileHeld.lock(lock, holder));
    }
    call.touch(lock, AccessKind::Update)?;
    call.poke(lock, 4, DESTROYED)?;
    Ok(Flow::Done(0))
}

/// `pthread_rwlock_rdlock` and the like
pub(super) fn read(call: &mut Call<'_>, patience: Patience) -> Result<Flow, Stop> {
    let lock = call.argument(0);
    call.visible()?;
    let (writer, readers) = holders(call, lock)?;
    match patience {
        Patience::Waits => call.can_block(false),
        Patience::Fails(_) => call.varies(),
    }
    if writer != 0 {
        call.touch(lock, AccessKind::Read)?;
        return held_by_writer(call, writer, patience);
    }
    let named = named(call, lock)?;
    if named < ROOM {
        call.touch(lock, AccessKind::Read)?;
        let me = call.me();
        call.touch_thread(me, AccessKind::Write);
        let tag = call.my_tag();
        insert(call, lock, named, tag)?;
        call.holds_to_read(lock, true);
    } else {
        call.touch(lock, AccessKind::Update)?;
    }
    call.poke(lock + READERS, 4, readers + 1)?;
    Ok(Flow::Done(0))
}

fn held_by_writer(call: &mut Call<'_>, writer: u64, patience: Patience) -> Result<Flow, Stop> {
    match patience {
        Patience::Fails(number) => {
            call.tries_in_vain();
            if let Some(writer) = call.by_tag(writer as u32) {
                call.notice(writer);
            }
            Ok(Flow::Done(number))
        }
        Patience::Waits => {
            if let Some(writer) = call.by_tag(writer as u32) {
                call.holder(writer);
            }
            Err(Stop::Blocked)
        }
    }
}

/// `pthread_rwlock_wrlock` and the like. One that fails because others read changes the first cell,
/// as one does that gets the lock: so it is ordered with all who read.
pub(super) fn write(call: &mut Call<'_>, patience: Patience) -> Result<Flow, Stop> {
    let lock = call.argument(0);
    call.visible()?;
    let (writer, readers) = holders(call, lock)?;
    match patience {
        Patience::Waits => call.can_block(false),
        Patience::Fails(_) => call.varies(),
    }
    let mut tags = tags(call, lock)?;
    let mine = call.my_tag() as u32;
    // It keeps itself from having the lock, whoever else reads.
    let in_its_own_way = tags.contains(&mine);
    let fails_anyway = (writer != 0 || in_its_own_way) && patience != Patience::Waits;
    call.touch(lock, if fails_anyway { AccessKind::Read } else { AccessKind::Update })?;
    if writer == 0 && readers == 0 {
        let me = call.my_tag();
        call.poke(lock, 4, me)?;
        return Ok(Flow::Done(0));
    }
    tags.retain(|&tag| tag == mine || !in_its_own_way);
    for tag in tags {
        if let Some(reader) = call.by_tag(tag) {
            call.holder(reader);
            if patience == Patience::Waits || mutation::on(Mutation::TriesNameReaders) {
                call.touch_thread(reader, AccessKind::Read);
            }
            if patience != Patience::Waits {
                call.notice(reader);
            }
        }
    }
    held_by_writer(call, writer, patience)
}

/// The tags of the readers that are known by name.
fn tags(call: &Call<'_>, lock: u64) -> Result<Vec<u32>, Stop> {
    let named = named(call, lock)?;
    (0..named).map(|place| Ok(call.peek(lock + NAMES + 4 * place, 4)? as u32)).collect()
}

/// `pthread_rwlock_unlock`
pub(super) fn unlock(call: &mut Call<'_>) -> Result<Flow, Stop> {
    let lock = call.argument(0);
    call.visible()?;
    let (writer, readers) = holders(call, lock)?;
    let me = call.my_tag();
    if writer == me {
        call.touch(lock, AccessKind::Update)?;
        call.poke(lock, 4, 0)?;
        return Ok(Flow::Done(0));
    }
    if writer != 0 || readers == 0 {
        return Err(Misuse::NotHeld.lock(lock, writer));
    }
    let named = named(call, lock)?;
    if remove(call, lock, named, me)? {
        call.touch(lock, AccessKind::Read)?;
        let me = call.me();
        call.touch_thread(me, AccessKind::Write);
        call.holds_to_read(lock, false);
    } else if readers > named {
        call.touch(lock, AccessKind::Update)?;
    } else {
        return Err(Misuse::NotHeld.lock(lock, writer));
    }
    call.poke(lock + READERS, 4, readers - 1)?;
    Ok(Flow::Done(0))
}

/// Who keeps a writer that tries the lock from having it: itself, if it reads, or else all who
/// read. None where some of them are not known by name.
pub(crate) fn readers(peek: &Peek<'_>) -> Option<Vec<ProcessId>> {
    let lock = peek.argument(0);
    let tags = (0..ROOM).map_while(|place| peek.peek(lock + NAMES + 4 * place, 4).filter(|&tag| tag != 0));
    let known: Vec<ProcessId> = tags.filter_map(|tag| peek.by_tag(tag as u32)).collect();
    if known.contains(&peek.thread()) {
        return Some(vec![peek.thread()]);
    }
    (peek.peek(lock + READERS, 4)? == known.len() as u64).then_some(known)
}

/// How many readers are known by name.
fn named(call: &Call<'_>, lock: u64) -> Result<u64, Stop> {
    let mut count = 0;
    while count < ROOM && call.peek(lock + NAMES + 4 * count, 4)? != 0 {
        count += 1;
    }
    Ok(count)
}

/// Puts a reader's tag where it belongs among so many.
fn insert(call: &mut Call<'_>, lock: u64, named: u64, tag: u64) -> Result<(), Stop> {
    let mut place = named;
    while place > 0 {
        let before = call.peek(lock + NAMES + 4 * (place - 1), 4)?;
        if before <= tag {
            break;
        }
        call.poke(lock + NAMES + 4 * place, 4, before)?;
        place -= 1;
    }
    call.poke(lock + NAMES + 4 * place, 4, tag)
}

/// Takes a reader's tag away, if it is one of so many.
fn remove(call: &mut Call<'_>, lock: u64, named: u64, tag: u64) -> Result<bool, Stop> {
    let mut place = 0;
    while place < named && call.peek(lock + NAMES + 4 * place, 4)? != tag {
        place += 1;
    }
    for at in place..named {
        let next = if at + 1 < named { call.peek(lock + NAMES + 4 * (at + 1), 4)? } else { 0 };
        call.poke(lock + NAMES + 4 * at, 4, next)?;
    }
    Ok(place < named)
}
