//! Threads: creation, join, detachment.

use mazurka_trace::{AccessKind, FaultKind};

use crate::machine::call::{Call, Flow, Stop};

use super::error;
use super::misuse::Misuse;
use super::view::View;

/// Where the attributes of a thread say whether it is detached (see `runtime/pthread.c`).
const DETACH_STATE: u64 = 8;

/// `pthread_create`
pub(super) fn create(call: &mut Call<'_>) -> Result<Flow, Stop> {
    let (handle, attributes) = (call.argument(0), call.argument(1));
    let (function, argument) = (call.argument(2), call.argument(3));
    call.visible()?;
    let detached = match attributes {
        0 => false,
        address => call.read_bytes(address + DETACH_STATE, 4)?[0] == 1,
    };
    // So that an address that cannot be written to is found out before there is a thread.
    call.use_range(handle, 8, AccessKind::Write)?;
    // A function that is declared without parameters is called with one all the same.
    let thread = call.spawn(function, &[argument]).or_else(|| call.spawn(function, &[]));
    let Some(thread) = thread else {
        return Err(match function {
            0 => Stop::Fault(FaultKind::NullPointer, [0, 0]),
            _ => Misuse::NoThreadFunction.fault(),
        });
    };
    if detached {
        call.detach(thread);
    }
    let value = call.handle(thread);
    call.poke(handle, 8, value)?;
    Ok(Flow::Done(0))
}

/// Whether a join has to wait.
pub(super) fn join_waits(view: &impl View) -> bool {
    view.by_handle(view.argument(0)).is_some_and(|thread| view.is_joinable(thread) && !view.has_ended(thread))
}

/// `pthread_join`
pub(super) fn join(call: &mut Call<'_>) -> Result<Flow, Stop> {
    let (handle, result) = (call.argument(0), call.argument(1));
    call.visible()?;
    let Some(thread) = call.by_handle(handle) else { return Err(Misuse::NoThread.fault()) };
    if thread == call.me() {
        return Ok(Flow::Done(error::DEADLOCK));
    }
    if !call.is_joinable(thread) {
        return Err(Misuse::NotJoinable.fault());
    }
    call.touch_handle(thread, AccessKind::Update);
    if !call.has_ended(thread) {
        // Only the machine knows whether it could have run earlier: not before the thread has
        // ended, whoever uses the handle.
        call.can_block(false);
        call.keeper(thread);
        return Err(Stop::Blocked);
    }
    if result != 0 {
        let value = call.result(thread);
        call.use_range(result, 8, AccessKind::Write)?;
        call.poke(result, 8, value)?;
    }
    call.join(thread);
    Ok(Flow::Done(0))
}

/// `pthread_detach`
pub(super) fn detach(call: &mut Call<'_>) -> Result<Flow, Stop> {
    call.visible()?;
    let Some(thread) = call.by_handle(call.argument(0)) else { return Err(Misuse::NoThread.fault()) };
    // One that detaches itself can be waited for already: that is the mistake of the one who waits.
    if call.is_detached(thread) || (call.is_joined(thread) && thread != call.thread()) {
        return Err(Misuse::NotJoinable.fault());
    }
    call.touch_thread(thread, AccessKind::Update);
    call.detach(thread);
    Ok(Flow::Done(0))
}
