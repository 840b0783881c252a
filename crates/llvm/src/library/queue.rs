//! Threads that wait to be woken: at condition variables and futexes.
//!
//! A thread that waits keeps the address it waits at among its own words; whoever wakes it takes
//! that address away. Its place in the line is one more than that of the last who waits at the same
//! address, so it depends on nothing but the order of the waits at that address. Waking names the
//! handle of the thread that is woken, and that is all that its going on reads: once it has been
//! woken, what else happens at the address is nothing to it.

use mazurka_trace::{AccessKind, ProcessId};

use crate::machine::call::{Call, Stop};

use super::view::View;

/// The library's words of a thread.
const ADDRESS: usize = 0;
const LINE: usize = 1;
/// A word for whoever waits.
pub(super) const NOTE: usize = 2;

/// How often a thread was woken without a signal.
const SPURIOUS: usize = 3;

/// Whether the calling thread may be woken without a signal.
pub(super) fn may_wake(view: &impl View) -> bool {
    view.word(view.me(), SPURIOUS) < view.spurious_wakeups()
}

/// Counts that the calling thread was woken without a signal.
pub(super) fn wakes_for_nothing(call: &mut Call<'_>) {
    let me = call.me();
    let count = call.word(me, SPURIOUS);
    call.set_word(me, SPURIOUS, count + 1);
}

/// Whether the calling thread, which has begun to wait, has not been woken.
pub(super) fn still_waits(view: &impl View) -> bool {
    view.word(view.me(), ADDRESS) != 0
}

/// The threads that wait at an address, the first first.
fn line(call: &Call<'_>, address: u64) -> Vec<ProcessId> {
    let mut line = call.threads();
    line.retain(|&thread| call.word(thread, ADDRESS) == address);
    line.sort_by_key(|&thread| call.word(thread, LINE));
    line
}

/// The calling thread begins to wait. `note` is kept for it.
pub(super) fn enter(call: &mut Call<'_>, address: u64, note: u64) {
    let me = call.me();
    let last = line(call, address).last().map_or(0, |&last| call.word(last, LINE));
    call.set_word(me, LINE, last + 1);
    call.set_word(me, ADDRESS, address);
    call.set_word(me, NOTE, note);
}

/// What the calling thread noted.
pub(super) fn note(call: &Call<'_>) -> u64 {
    call.word(call.me(), NOTE)
}

/// Keeps a note without waiting.
pub(super) fn set_note(call: &mut Call<'_>, note: u64) {
    let me = call.me();
    call.set_word(me, NOTE, note);
}

/// The calling thread has been woken and goes on: says what that depends on.
pub(super) fn go_on(call: &mut Call<'_>) {
    let me = call.me();
    call.touch_thread(me, AccessKind::Read);
    call.set_word(me, NOTE, 0);
}

/// The calling thread gives up waiting, before anybody has woken it.
pub(super) fn give_up(call: &mut Call<'_>) {
    let me = call.me();
    call.touch_thread(me, AccessKind::Write);
    leave(call, me);
    call.set_word(me, NOTE, 0);
}

fn leave(call: &mut Call<'_>, thread: ProcessId) {
    call.set_word(thread, ADDRESS, 0);
    call.set_word(thread, LINE, 0);
}

/// Wakes up to `most` of the threads that wait at an address; which ones is a data choice, one for
/// each thread woken while there is more than one left. How many were woken.
pub(super) fn wake(call: &mut Call<'_>, address: u64, most: u64) -> Result<u64, Stop> {
    let mut waiting = line(call, address);
    let all = waiting.len() as u64 <= most;
    let mut woken = 0;
    while woken < most && !waiting.is_empty() {
        let next = if all || waiting.len() == 1 { 0 } else { call.choose(0, waiting.len() as i64 - 1)? as usize };
        let thread = waiting.remove(next);
        call.touch_thread(thread, AccessKind::Write);
        leave(call, thread);
        woken += 1;
    }
    Ok(woken)
}
