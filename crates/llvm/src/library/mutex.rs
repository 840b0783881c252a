//! Mutexes and spin locks.
//!
//! A mutex is the bytes of its `pthread_mutex_t`: the tag of the thread that holds it at 0, how
//! often it holds it beyond the first time at 4, its kind at 16 (as glibc lays it out, so that
//! static initialisers mean what they should). A spin lock is the tag alone. All operations name
//! the first cell; the other bytes change with it.
//!
//! What a thread does with a mutex that it holds already (take a recursive one again, fail to take
//! an error-checking one) depends on its own past alone: it is invisible. A normal mutex taken
//! again by its holder is waited for without end.
//!
//! Taking a mutex or a spin lock and giving it back are events even where no other thread is left.
//! Engines rely on it that the two alternate: whoever waits for a lock looks for the event that
//! took it, and what is taken by a thread that is alone can still be held when it creates another
//! one.

use mazurka_trace::{AccessKind, FaultKind, Value};

use crate::machine::call::{Call, Flow, Stop};

use super::error;
use super::misuse::Misuse;
use super::view::View;

/// Offsets in a mutex.
pub(crate) const COUNT: u64 = 4;
pub(crate) const KIND: u64 = 16;
/// The size of what is known of a mutex.
pub(crate) const KNOWN: u32 = 20;

/// Kinds. All that there are, but for what is no more, are at most `ADAPTIVE`.
const NORMAL: u64 = 0;
const RECURSIVE: u64 = 1;
const ERROR_CHECKING: u64 = 2;
pub(crate) const ADAPTIVE: u64 = 3;
const DESTROYED: u64 = 0xffff_ffff;

/// A spin lock that is no more.
const SPIN_DESTROYED: u64 = 0xffff_ffff;

/// What a lock operation is to do where the lock is held.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Patience {
    /// Wait.
    Waits,
    /// Fail with this number.
    Fails(u64),
}

/// Whether a thread would have to wait for the mutex at this address.
#[inline]
pub(super) fn mutex_waits(view: &impl View, mutex: u64) -> bool {
    match view.look(mutex, 4) {
        None | Some(0) => false,
        Some(owner) => owner != view.my_tag() || matches!(view.look(mutex + KIND, 4), Some(NORMAL | ADAPTIVE)),
    }
}

/// Whether a thread would have to wait for the spin lock at this address.
pub(super) fn spin_waits(view: &impl View, lock: u64) -> bool {
    !matches!(view.look(lock, 4), None | Some(0 | SPIN_DESTROYED))
}

/// The kind of the mutex at this address, which has one.
fn kind(call: &Call<'_>, mutex: u64) -> Result<u64, Stop> {
    let kind = call.peek(mutex + KIND, 4)?;
    if !call.is_defined(mutex, KNOWN)? {
        return Err(Stop::Fault(FaultKind::Uninitialised, [mutex as Value, Value::from(KNOWN)]));
    }
    match kind {
        NORMAL | RECURSIVE | ERROR_CHECKING | ADAPTIVE => Ok(kind),
        _ => Err(Misuse::NoMutex.fault()),
    }
}

/// `pthread_mutex_init`
pub(super) fn init(call: &mut Call<'_>) -> Result<Flow, Stop> {
    let (mutex, attributes) = (call.argument(0), call.argument(1));
    call.visible_at(mutex)?;
    let kind = match attributes {
        0 => NORMAL,
        address => {
            let bytes = call.read_bytes(address, 4)?;
            u64::from(bytes[0] & 3)
        }
    };
    let owner = call.peek(mutex, 4)?;
    if owner != 0 && call.is_defined(mutex, 4)? && call.by_tag(owner as u32).is_some() {
        return Err(Misuse::InitialisedWhileHeld.lock(mutex, owner));
    }
    // Whether it is held decides: that is read.
    call.touch(mutex, AccessKind::Update)?;
    for word in 0..5 {
        call.poke(mutex + 8 * word, 8, 0)?;
    }
    call.poke(mutex + KIND, 4, kind)?;
    Ok(Flow::Done(0))
}

/// `pthread_mutex_destroy`
pub(super) fn destroy(call: &mut Call<'_>) -> Result<Flow, Stop> {
    let mutex = call.argument(0);
    call.visible_at(mutex)?;
    kind(call, mutex)?;
    let owner = call.peek(mutex, 4)?;
    if owner != 0 {
        return Err(Misuse::DestroyedWhileHeld.lock(mutex, owner));
    }
    call.touch(mutex, AccessKind::Update)?;
    call.poke(mutex + KIND, 4, DESTROYED)?;
    Ok(Flow::Done(0))
}

/// `pthread_mutex_lock`, `_trylock`, `_timedlock`
pub(super) fn lock(call: &mut Call<'_>, patience: Patience) -> Result<Flow, Stop> {
    let mutex = call.argument(0);
    let me = call.my_tag();
    if call.look(mutex, 4) == Some(me)
        && let Some(flow) = lock_again(call, mutex, patience)?
    {
        return Ok(flow);
    }
    call.granted()?;
    call.publish(mutex);
    kind(call, mutex)?;
    let owner = call.peek(mutex, 4)?;
    match (owner, patience) {
        (0, _) => {
            if patience == Patience::Waits {
                call.can_block(true);
            } else {
                call.varies();
            }
            call.touch(mutex, AccessKind::Acquire)?;
            call.poke(mutex, 4, me)?;
            Ok(Flow::Done(0))
        }
        (_, Patience::Waits) => {
            call.can_block(true);
            wait_for(call, mutex)
        }
        (_, Patience::Fails(number)) => {
            call.varies();
            fail(call, mutex, owner)?;
            Ok(Flow::Done(number))
        }
    }
}

/// A mutex or spin lock is tried in vain.
fn fail(call: &mut Call<'_>, lock: u64, owner: u64) -> Result<(), Stop> {
    call.tries_in_vain();
    if let Some(owner) = call.by_tag(owner as u32) {
        call.notice(owner);
    }
    call.touch(lock, AccessKind::Read)
}

/// What happens at once when the holder takes the mutex again, if anything does.
fn lock_again(call: &mut Call<'_>, mutex: u64, patience: Patience) -> Result<Option<Flow>, Stop> {
    Ok(match (kind(call, mutex)?, patience) {
        (RECURSIVE, _) => {
            let count = call.peek(mutex + COUNT, 4)?;
            call.poke(mutex + COUNT, 4, count + 1)?;
            Some(Flow::Done(0))
        }
        (ERROR_CHECKING, Patience::Waits) => Some(Flow::Done(error::DEADLOCK)),
        (_, Patience::Fails(number)) => Some(Flow::Done(number)),
        (_, Patience::Waits) => None,
    })
}

/// Waits for a mutex or spin lock that is held.
pub(super) fn wait_for(call: &mut Call<'_>, lock: u64) -> Result<Flow, Stop> {
    let owner = call.peek(lock, 4)?;
    call.touch(lock, AccessKind::Acquire)?;
    if let Some(owner) = call.by_tag(owner as u32) {
        call.holder(owner);
    }
    Err(Stop::Blocked)
}

/// `pthread_mutex_unlock`
pub(super) fn unlock(call: &mut Call<'_>) -> Result<Flow, Stop> {
    let mutex = call.argument(0);
    let me = call.my_tag();
    if call.look(mutex, 4) == Some(me) {
        let count = call.peek(mutex + COUNT, 4)?;
        if count > 0 {
            call.poke(mutex + COUNT, 4, count - 1)?;
            return Ok(Flow::Done(0));
        }
    }
    call.granted()?;
    call.publish(mutex);
    let (kind, owner) = (kind(call, mutex)?, call.peek(mutex, 4)?);
    if owner != me {
        if kind == ERROR_CHECKING {
            call.tries_in_vain();
            call.touch(mutex, AccessKind::Read)?;
            return Ok(Flow::Done(error::NOT_PERMITTED));
        }
        return Err(Misuse::NotHeld.lock(mutex, owner));
    }
    call.touch(mutex, AccessKind::Release)?;
    call.poke(mutex, 4, 0)?;
    Ok(Flow::Done(0))
}

/// Gives back the mutex of a wait for a condition, which the caller must hold: how often it held it
/// beyond the first time.
pub(super) fn release_for_wait(call: &mut Call<'_>, mutex: u64) -> Result<u64, Stop> {
    call.publish(mutex);
    kind(call, mutex)?;
    if call.peek(mutex, 4)? != call.my_tag() {
        return Err(Misuse::WaitWithoutMutex.fault());
    }
    let count = call.peek(mutex + COUNT, 4)?;
    call.touch(mutex, AccessKind::Release)?;
    call.poke(mutex, 4, 0)?;
    if count > 0 {
        call.poke(mutex + COUNT, 4, 0)?;
    }
    Ok(count)
}

/// Takes the mutex, which is free, after a wait for a condition.
pub(super) fn take_after_wait(call: &mut Call<'_>, mutex: u64, count: u64) -> Result<(), Stop> {
    kind(call, mutex)?;
    call.touch(mutex, AccessKind::Acquire)?;
    let me = call.my_tag();
    call.poke(mutex, 4, me)?;
    if count > 0 {
        call.poke(mutex + COUNT, 4, count)?;
    }
    Ok(())
}

/// `pthread_spin_init` and `_destroy`: a new value for a lock that nobody holds.
pub(super) fn spin_set(call: &mut Call<'_>, destroyed: bool) -> Result<Flow, Stop> {
    let lock = call.argument(0);
    call.visible_at(lock)?;
    let owner = call.peek(lock, 4)?;
    if owner != 0 && call.is_defined(lock, 4)? && call.by_tag(owner as u32).is_some() {
        let wrong = if destroyed { Misuse::DestroyedWhileHeld } else { Misuse::InitialisedWhileHeld };
        return Err(wrong.lock(lock, owner));
    }
    call.touch(lock, AccessKind::Update)?;
    call.poke(lock, 4, if destroyed { SPIN_DESTROYED } else { 0 })?;
    Ok(Flow::Done(0))
}

/// The owner of the spin lock of a call that is granted.
fn spin_owner(call: &mut Call<'_>, lock: u64) -> Result<u64, Stop> {
    call.publish(lock);
    let owner = call.peek(lock, 4)?;
    if !call.is_defined(lock, 4)? {
        return Err(Stop::Fault(FaultKind::Uninitialised, [lock as Value, 4]));
    }
    if owner == SPIN_DESTROYED { Err(Misuse::NoSpinLock.fault()) } else { Ok(owner) }
}

/// `pthread_spin_lock`, `_trylock`
pub(super) fn spin_lock(call: &mut Call<'_>, patience: Patience) -> Result<Flow, Stop> {
    let lock = call.argument(0);
    call.granted()?;
    let owner = spin_owner(call, lock)?;
    match patience {
        Patience::Waits => call.can_block(true),
        Patience::Fails(_) => call.varies(),
    }
    if owner == 0 {
        call.touch(lock, AccessKind::Acquire)?;
        let me = call.my_tag();
        call.poke(lock, 4, me)?;
        return Ok(Flow::Done(0));
    }
    match patience {
        Patience::Waits => wait_for(call, lock),
        Patience::Fails(number) => {
            fail(call, lock, owner)?;
            Ok(Flow::Done(number))
        }
    }
}

/// `pthread_spin_unlock`
pub(super) fn spin_unlock(call: &mut Call<'_>) -> Result<Flow, Stop> {
    let lock = call.argument(0);
    call.granted()?;
    let owner = spin_owner(call, lock)?;
    if owner != call.my_tag() {
        return Err(Misuse::NotHeld.lock(lock, owner));
    }
    call.touch(lock, AccessKind::Release)?;
    call.poke(lock, 4, 0)?;
    Ok(Flow::Done(0))
}
