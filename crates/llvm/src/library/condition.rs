//! Condition variables and futexes.
//!
//! A condition variable's first four bytes count those who wait; a destroyed one has all ones in
//! them. Nobody wakes for no reason, unless the user asks for it: then each thread may do so a
//! given number of times. A wait with a time limit may end at any time, and what it does then
//! depends on whether it was woken before. In a loop it does not run out of time again before
//! something has changed: see `machine::waiting`.

use mazurka_trace::AccessKind;

use crate::machine::call::{Call, Flow, Stop};

use super::misuse::Misuse;
use super::view::View;
use super::{error, mutex, queue};

/// The number of waiting threads of what is no condition variable any more.
const DESTROYED: u64 = 0xffff_ffff;

/// How far a wait has come.
mod phase {
    /// Waits to be woken, and for the mutex.
    pub(super) const WAITS: u32 = 1;
    /// Was woken in time, and waits for the mutex.
    pub(super) const WOKEN: u32 = 2;
    /// The time is up; waits for the mutex.
    pub(super) const LATE: u32 = 3;
    /// Was woken for no reason, and waits for the mutex.
    pub(super) const FOR_NOTHING: u32 = 4;
}

/// Whether the call of a wait, with or without time limit, has to wait now.
pub(super) fn wait_waits(view: &impl View, timed: bool) -> bool {
    match view.phase() {
        0 => false,
        phase::WAITS if timed => queue::still_waits(view) && view.is_late_in_vain(),
        phase::WAITS if queue::may_wake(view) => false,
        phase::WAITS => queue::still_waits(view) || mutex_is_held(view),
        _ => mutex_is_held(view),
    }
}

fn mutex_is_held(view: &impl View) -> bool {
    !matches!(view.look(view.argument(1), 4), None | Some(0))
}

/// How many wait, of a call that is granted.
fn waiting(call: &mut Call<'_>, condition: u64) -> Result<u64, Stop> {
    call.publish(condition);
    let waiting = call.peek(condition, 4)?;
    if !call.is_defined(condition, 4)? {
        return Err(Stop::Fault(mazurka_trace::FaultKind::Uninitialised, [condition as i64, 4]));
    }
    if waiting == DESTROYED { Err(Misuse::NoCondition.fault()) } else { Ok(waiting) }
}

/// `pthread_cond_init`
pub(super) fn init(call: &mut Call<'_>) -> Result<Flow, Stop> {
    let condition = call.argument(0);
    call.visible_at(condition)?;
    call.touch(condition, AccessKind::Write)?;
    for word in 0..6 {
        call.poke(condition + 8 * word, 8, 0)?;
    }
    Ok(Flow::Done(0))
}

/// `pthread_cond_destroy`
pub(super) fn destroy(call: &mut Call<'_>) -> Result<Flow, Stop> {
    let condition = call.argument(0);
    call.visible()?;
    if waiting(call, condition)? > 0 {
        return Err(Misuse::ConditionInUse.fault());
    }
    call.touch(condition, AccessKind::Update)?;
    call.poke(condition, 4, DESTROYED)?;
    Ok(Flow::Done(0))
}

/// `pthread_cond_wait`, `pthread_cond_timedwait`
pub(super) fn wait(call: &mut Call<'_>, timed: bool) -> Result<Flow, Stop> {
    call.visible()?;
    match call.phase() {
        0 => {
            if !timed {
                call.note_wait();
            }
            begin(call)
        }
        phase::WAITS if timed => {
            wait_for_change(call)?;
            wake_or_give_up(call, phase::LATE)
        }
        phase::WAITS if queue::may_wake(call) => wake_or_give_up(call, phase::FOR_NOTHING),
        phase::WAITS => {
            call.can_block(false);
            let me = call.me();
            if queue::still_waits(call) {
                call.touch_thread(me, AccessKind::Read);
                return Err(Stop::Blocked);
            }
            let mutex = call.argument(1);
            if mutex_is_held(call) {
                call.touch_thread(me, AccessKind::Read);
                return mutex::wait_for(call, mutex);
            }
            let count = queue::note(call);
            mutex::take_after_wait(call, mutex, count)?;
            queue::go_on(call);
            Ok(Flow::Done(0))
        }
        phase => take_mutex(call, phase),
    }
}

/// A wait with a time limit: passes where it may run out of time, or is over.
fn wait_for_change(call: &mut Call<'_>) -> Result<(), Stop> {
    if call.touch_late_reads() {
        call.can_block(false);
        if queue::still_waits(call) && call.is_late_in_vain() {
            let me = call.me();
            call.touch_thread(me, AccessKind::Read);
            return Err(Stop::Blocked);
        }
    }
    Ok(())
}

/// Gives the mutex back and begins to wait.
fn begin(call: &mut Call<'_>) -> Result<Flow, Stop> {
    let (condition, mutex) = (call.argument(0), call.argument(1));
    let others = waiting(call, condition)?;
    let count = mutex::release_for_wait(call, mutex)?;
    call.touch(condition, AccessKind::Update)?;
    call.poke(condition, 4, others + 1)?;
    queue::enter(call, condition, count);
    Ok(Flow::Again(phase::WAITS))
}

/// A wait that can end at any time is over; the mutex is still to be taken. `otherwise` is how it
/// goes on where nobody has woken the thread.
fn wake_or_give_up(call: &mut Call<'_>, otherwise: u32) -> Result<Flow, Stop> {
    call.varies();
    let count = queue::note(call);
    let next = if queue::still_waits(call) {
        let condition = call.argument(0);
        let others = waiting(call, condition)?;
        call.touch(condition, AccessKind::Update)?;
        call.poke(condition, 4, others.saturating_sub(1))?;
        queue::give_up(call);
        if otherwise == phase::FOR_NOTHING {
            queue::wakes_for_nothing(call);
        }
        otherwise
    } else {
        queue::go_on(call);
        phase::WOKEN
    };
    queue::set_note(call, count);
    Ok(Flow::Again(next))
}

fn take_mutex(call: &mut Call<'_>, phase: u32) -> Result<Flow, Stop> {
    let mutex = call.argument(1);
    call.can_block(true);
    if mutex_is_held(call) {
        return mutex::wait_for(call, mutex);
    }
    let count = queue::note(call);
    mutex::take_after_wait(call, mutex, count)?;
    queue::set_note(call, 0);
    Ok(Flow::Done(if phase == phase::LATE { error::TIMED_OUT } else { 0 }))
}

/// `pthread_cond_signal`, `pthread_cond_broadcast`
pub(super) fn wake(call: &mut Call<'_>, most: u64) -> Result<Flow, Stop> {
    let condition = call.argument(0);
    call.visible()?;
    call.varies();
    let waiting = waiting(call, condition)?;
    call.touch(condition, AccessKind::Update)?;
    if waiting > 0 {
        let woken = queue::wake(call, condition, most)?;
        call.poke(condition, 4, waiting.saturating_sub(woken))?;
    }
    Ok(Flow::Done(0))
}

/// Whether a futex wait has to wait now.
pub(super) fn futex_waits(view: &impl View, timed: bool) -> bool {
    view.phase() != 0 && queue::still_waits(view) && (!timed || view.is_late_in_vain())
}

/// A futex wait: goes to sleep where the word holds what is expected. An error number.
pub(super) fn futex_wait(call: &mut Call<'_>, timed: bool) -> Result<Flow, Stop> {
    let (word, expected) = (call.argument(0), call.argument(1));
    call.visible()?;
    if call.phase() == 0 {
        call.varies();
        call.publish(word);
        if call.peek(word, 4)? != expected & 0xffff_ffff {
            call.touch(word, AccessKind::Read)?;
            return Ok(Flow::Done(error::AGAIN));
        }
        call.touch(word, AccessKind::Update)?;
        queue::enter(call, word, 0);
        return Ok(Flow::Again(1));
    }
    if timed {
        wait_for_change(call)?;
        call.varies();
    } else {
        call.can_block(false);
    }
    if !queue::still_waits(call) {
        queue::go_on(call);
        return Ok(Flow::Done(0));
    }
    if timed {
        call.touch(word, AccessKind::Update)?;
        queue::give_up(call);
        return Ok(Flow::Done(error::TIMED_OUT));
    }
    let me = call.me();
    call.touch_thread(me, AccessKind::Read);
    Err(Stop::Blocked)
}

/// A futex wake: how many were woken.
pub(super) fn futex_wake(call: &mut Call<'_>) -> Result<Flow, Stop> {
    let (word, most) = (call.argument(0), call.argument(1) as i32);
    call.visible()?;
    call.varies();
    call.publish(word);
    call.touch(word, AccessKind::Update)?;
    Ok(Flow::Done(queue::wake(call, word, most.max(0) as u64)?))
}
