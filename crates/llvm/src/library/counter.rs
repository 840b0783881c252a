//! Semaphores, barriers, and what is done once.
//!
//! A semaphore's first four bytes are its value. What is done once has a first byte that is 1 when
//! it is done (as C++ compilers expect it) and a second one that is 1 while somebody does it.
//!
//! A barrier has how many it is made for at 4, how many times it has opened at 8, at 16 the lowest
//! tag of those who have come, and at 24 how many have come. Those who come name the first cell,
//! which does not tell how many came before: they are not ordered. Where no more threads ever come
//! to it than it is made for, in which order they come is nothing to anybody: each of them is in
//! each round. So coming names the first cell as read, and arrivals commute. The one with the
//! lowest tag opens the barrier, by a step of its own that is enabled once all have come, and names
//! both cells as written: it comes after all arrivals, and before all others go on, which read the
//! second cell. One more thread that comes before the barrier is opened waits for that: it belongs
//! to the next round. Whether more threads come than the barrier is made for is noted; up to the
//! arrival of the first one that is too many, no order of arrivals was left out that matters, so it
//! is met. Then arrivals are ordered from then on, and the program is explored again. They are also
//! ordered where somebody uses the result, which tells one thread from the others: the last one
//! gets it; and where synchronisation orders less than the steps do. Then coming names the first
//! cell as read and written, and the last one opens.

use mazurka_trace::{AccessKind, FaultKind, Value};

use crate::machine::call::{Call, Flow, Stop};

use super::misuse::Misuse;
use super::view::View;
use super::{error, queue};

const DESTROYED: u64 = 0xffff_ffff;
const LARGEST: u64 = 0x7fff_ffff;

/// Whether there is nothing to be had of a semaphore.
pub(super) fn semaphore_waits(view: &impl View) -> bool {
    view.look(view.argument(0), 4) == Some(0)
}

/// A semaphore's value, of a call that is granted.
fn value(call: &mut Call<'_>, semaphore: u64) -> Result<u64, Stop> {
    call.publish(semaphore);
    let value = call.peek(semaphore, 4)?;
    if !call.is_defined(semaphore, 4)? {
        return Err(Stop::Fault(FaultKind::Uninitialised, [semaphore as Value, 4]));
    }
    if value == DESTROYED { Err(Misuse::NoSemaphore.fault()) } else { Ok(value) }
}

/// `sem_init`: 32 bytes.
pub(super) fn semaphore_init(call: &mut Call<'_>) -> Result<Flow, Stop> {
    let (semaphore, value) = (call.argument(0), call.argument(2) & LARGEST);
    call.visible_at(semaphore)?;
    call.touch(semaphore, AccessKind::Write)?;
    for word in 0..4 {
        call.poke(semaphore + 8 * word, 8, if word == 0 { value } else { 0 })?;
    }
    Ok(Flow::Done(0))
}

/// `sem_destroy`
pub(super) fn semaphore_destroy(call: &mut Call<'_>) -> Result<Flow, Stop> {
    let semaphore = call.argument(0);
    call.visible()?;
    value(call, semaphore)?;
    call.touch(semaphore, AccessKind::Update)?;
    call.poke(semaphore, 4, DESTROYED)?;
    Ok(Flow::Done(0))
}

/// `sem_wait`
pub(super) fn semaphore_wait(call: &mut Call<'_>) -> Result<Flow, Stop> {
    let semaphore = call.argument(0);
    call.visible()?;
    call.can_block(false);
    let value = value(call, semaphore)?;
    call.touch(semaphore, AccessKind::Update)?;
    if value == 0 {
        return Err(Stop::Blocked);
    }
    call.poke(semaphore, 4, value - 1)?;
    Ok(Flow::Done(0))
}

/// `sem_trywait`, `sem_timedwait`: an error number.
pub(super) fn semaphore_try_wait(call: &mut Call<'_>) -> Result<Flow, Stop> {
    let (semaphore, number) = (call.argument(0), call.argument(1));
    call.visible()?;
    call.varies();
    let value = value(call, semaphore)?;
    if value == 0 {
        call.tries_in_vain();
        call.touch(semaphore, AccessKind::Read)?;
        return Ok(Flow::Done(number));
    }
    call.touch(semaphore, AccessKind::Update)?;
    call.poke(semaphore, 4, value - 1)?;
    Ok(Flow::Done(0))
}

/// `sem_post`: an error number.
pub(super) fn semaphore_post(call: &mut Call<'_>) -> Result<Flow, Stop> {
    let semaphore = call.argument(0);
    call.visible()?;
    let value = value(call, semaphore)?;
    call.touch(semaphore, AccessKind::Update)?;
    if value == LARGEST {
        return Ok(Flow::Done(error::OVERFLOW));
    }
    call.poke(semaphore, 4, value + 1)?;
    Ok(Flow::Done(0))
}

/// `sem_getvalue`
pub(super) fn semaphore_value(call: &mut Call<'_>) -> Result<Flow, Stop> {
    let (semaphore, result) = (call.argument(0), call.argument(1));
    call.visible()?;
    let value = value(call, semaphore)?;
    call.tries_in_vain();
    call.touch(semaphore, AccessKind::Read)?;
    call.write_bytes(result, &(value as u32).to_le_bytes())?;
    Ok(Flow::Done(0))
}

/// What `pthread_barrier_wait` gives to one of the threads.
const SERIAL_THREAD: u64 = u64::MAX;

const TOTAL: u64 = 4;
const OPENINGS: u64 = 8;
const LOWEST: u64 = 16;
const COME: u64 = 24;

/// Whether a thread that has come to a barrier has to wait.
pub(super) fn barrier_waits(view: &impl View) -> bool {
    let address = view.argument(0);
    let (come, total) = (view.look(address + COME, 8), view.look(address + TOTAL, 4));
    let all_have_come = come == total && come != Some(0);
    if view.phase() == 0 {
        return all_have_come;
    }
    let openings = view.look(address + OPENINGS, 8);
    let opens = all_have_come && view.look(address + LOWEST, 8) == Some(view.my_tag());
    openings.is_some_and(|openings| openings == view.word(view.me(), queue::NOTE)) && !opens
}

/// `pthread_barrier_init`
pub(super) fn barrier_init(call: &mut Call<'_>) -> Result<Flow, Stop> {
    let (barrier, total) = (call.argument(0), call.argument(2) & 0xffff_ffff);
    if total == 0 || total > LARGEST {
        return Ok(Flow::Done(error::INVALID));
    }
    call.visible_at(barrier)?;
    call.touch(barrier, AccessKind::Write)?;
    call.touch(barrier + OPENINGS, AccessKind::Write)?;
    for word in 0..4 {
        call.poke(barrier + 8 * word, 8, 0)?;
    }
    call.poke(barrier + TOTAL, 4, total)?;
    Ok(Flow::Done(0))
}

/// How many have come and how many are to come, of a call that is granted.
fn barrier(call: &mut Call<'_>, barrier: u64) -> Result<(u64, u64), Stop> {
    call.publish(barrier);
    let (come, total) = (call.peek(barrier + COME, 8)?, call.peek(barrier + TOTAL, 4)?);
    if !call.is_defined(barrier, 32)? {
        return Err(Stop::Fault(FaultKind::Uninitialised, [barrier as Value, 32]));
    }
    if total == 0 || total > LARGEST { Err(Misuse::NoBarrier.fault()) } else { Ok((come, total)) }
}

/// `pthread_barrier_destroy`
pub(super) fn barrier_destroy(call: &mut Call<'_>) -> Result<Flow, Stop> {
    let address = call.argument(0);
    call.visible()?;
    let (come, _) = barrier(call, address)?;
    if come > 0 {
        return Err(Misuse::BarrierInUse.fault());
    }
    call.touch(address, AccessKind::Update)?;
    call.poke(address + TOTAL, 4, 0)?;
    Ok(Flow::Done(0))
}

/// `pthread_barrier_wait`
pub(super) fn barrier_wait(call: &mut Call<'_>) -> Result<Flow, Stop> {
    let address = call.argument(0);
    call.visible()?;
    if call.phase() != 0 {
        return leave(call, address);
    }
    call.varies();
    let (come, total) = barrier(call, address)?;
    let openings = call.peek(address + OPENINGS, 8)?;
    if call.arrivals_commute(address, total) {
        call.can_block(false);
        call.touch(address, AccessKind::Read)?;
        if come == total {
            return Err(Stop::Blocked);
        }
        let (lowest, tag) = (call.peek(address + LOWEST, 8)?, u64::from(call.tag(call.thread())));
        call.poke(address + COME, 8, come + 1)?;
        call.poke(address + LOWEST, 8, if come == 0 { tag } else { lowest.min(tag) })?;
        queue::set_note(call, openings);
        return Ok(Flow::Again(1));
    }
    call.touch(address, AccessKind::Update)?;
    if come + 1 < total {
        call.poke(address + COME, 8, come + 1)?;
        queue::set_note(call, openings);
        return Ok(Flow::Again(1));
    }
    call.touch(address + OPENINGS, AccessKind::Write)?;
    call.poke(address + COME, 8, 0)?;
    call.poke(address + OPENINGS, 8, openings + 1)?;
    Ok(Flow::Done(SERIAL_THREAD))
}

/// Goes on, or opens the barrier.
fn leave(call: &mut Call<'_>, address: u64) -> Result<Flow, Stop> {
    call.can_block(false);
    call.varies();
    let openings = call.peek(address + OPENINGS, 8)?;
    if openings != queue::note(call) {
        call.touch(address + OPENINGS, AccessKind::Read)?;
        queue::set_note(call, 0);
        return Ok(Flow::Done(0));
    }
    call.touch(address, AccessKind::Update)?;
    call.touch(address + OPENINGS, AccessKind::Read)?;
    if barrier_waits(call) {
        return Err(Stop::Blocked);
    }
    call.touch(address + OPENINGS, AccessKind::Write)?;
    call.poke(address + COME, 8, 0)?;
    call.poke(address + OPENINGS, 8, openings + 1)?;
    queue::set_note(call, 0);
    Ok(Flow::Done(SERIAL_THREAD))
}

/// Bits of what is done once.
const DONE: u64 = 1;
const RUNS: u64 = 0x100;

/// Whether another thread is doing it.
pub(super) fn once_waits(view: &impl View) -> bool {
    view.look(view.argument(0), 2) == Some(RUNS)
}

/// Whether the caller is to do it.
pub(super) fn once_begin(call: &mut Call<'_>) -> Result<Flow, Stop> {
    let control = call.argument(0);
    call.visible()?;
    call.publish(control);
    call.can_block(false);
    call.varies();
    let state = call.peek(control, 2)?;
    if state & DONE != 0 || state == RUNS {
        call.touch(control, AccessKind::Read)?;
        return if state == RUNS { Err(Stop::Blocked) } else { Ok(Flow::Done(0)) };
    }
    call.touch(control, AccessKind::Update)?;
    call.poke(control, 2, RUNS)?;
    Ok(Flow::Done(1))
}

/// It is done, or not to be done by the caller after all.
pub(super) fn once_end(call: &mut Call<'_>, done: bool) -> Result<Flow, Stop> {
    let control = call.argument(0);
    call.visible()?;
    call.publish(control);
    call.touch(control, AccessKind::Write)?;
    call.poke(control, 2, if done { DONE } else { 0 })?;
    Ok(Flow::Done(0))
}
