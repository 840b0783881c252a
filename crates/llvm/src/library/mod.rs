//! What the functions that the machine models do.
//!
//! Each says exactly which cells it uses and how, so that what commutes is seen to commute. A
//! synchronisation object (mutex, condition variable ...) is the bytes of its C type; all its
//! operations name its first cell, and it is shared from its first use on.
//!
//! The names in brackets of a fault's detail: `Assertion` has the address of the assertion's text,
//! `Lock` what [`misuse::lock_detail`] tells, `Misuse` and `Unmodelled` the number of a text
//! ([`misuse::text`]) or the address of one in the program's constants.

mod condition;
mod counter;
mod error;
mod extended;
mod format;
mod math;
pub(crate) mod misuse;
pub(crate) mod mutex;
mod number;
mod output;
mod queue;
pub(crate) mod rwlock;
mod thread;
mod view;

use mazurka_trace::{AccessKind, FaultKind, Value};

use crate::code::soft::Format;
use crate::machine::call::{Call, Flow, Peek, Stop};
use crate::machine::soft;
use crate::native::{Family, Native};

use misuse::Misuse;
use mutex::Patience;

/// Does what a native does.
pub(crate) fn call(call: &mut Call<'_>, native: Native) -> Result<Flow, Stop> {
    match native {
        Native::ThreadCreate => thread::create(call),
        Native::ThreadJoin => thread::join(call),
        Native::ThreadEnd => Ok(Flow::EndThread(call.argument(0))),
        Native::ThreadSelf => Ok(Flow::Done(call.handle(call.thread()))),
        Native::ThreadDetach => thread::detach(call),
        Native::ThreadNumber => Ok(Flow::Done(u64::from(call.tag(call.thread())))),

        Native::MutexInit => mutex::init(call),
        Native::MutexDestroy => mutex::destroy(call),
        Native::MutexLock => mutex::lock(call, Patience::Waits),
        Native::MutexTryLock => mutex::lock(call, Patience::Fails(error::BUSY)),
        Native::MutexTimedLock => mutex::lock(call, Patience::Fails(error::TIMED_OUT)),
        Native::MutexUnlock => mutex::unlock(call),
        Native::SpinInit => mutex::spin_set(call, false),
        Native::SpinDestroy => mutex::spin_set(call, true),
        Native::SpinLock => mutex::spin_lock(call, Patience::Waits),
        Native::SpinTryLock => mutex::spin_lock(call, Patience::Fails(error::BUSY)),
        Native::SpinUnlock => mutex::spin_unlock(call),

        Native::ConditionInit => condition::init(call),
        Native::ConditionDestroy => condition::destroy(call),
        Native::ConditionWait => condition::wait(call, false),
        Native::ConditionTimedWait | Native::ConditionClockWait => condition::wait(call, true),
        Native::ConditionSignal => condition::wake(call, 1),
        Native::ConditionBroadcast => condition::wake(call, u64::MAX),
        Native::FutexWait => condition::futex_wait(call, false),
        Native::FutexTimedWait => condition::futex_wait(call, true),
        Native::FutexWake => condition::futex_wake(call),

        Native::RwLockInit => rwlock::init(call),
        Native::RwLockDestroy => rwlock::destroy(call),
        Native::RwLockRead => rwlock::read(call, Patience::Waits),
        Native::RwLockTryRead => rwlock::read(call, Patience::Fails(error::BUSY)),
        Native::RwLockTimedRead => rwlock::read(call, Patience::Fails(error::TIMED_OUT)),
        Native::RwLockWrite => rwlock::write(call, Patience::Waits),
        Native::RwLockTryWrite => rwlock::write(call, Patience::Fails(error::BUSY)),
        Native::RwLockTimedWrite => rwlock::write(call, Patience::Fails(error::TIMED_OUT)),
        Native::RwLockUnlock => rwlock::unlock(call),

        Native::BarrierInit => counter::barrier_init(call),
        Native::BarrierDestroy => counter::barrier_destroy(call),
        Native::BarrierWait => counter::barrier_wait(call),
        Native::SemaphoreInit => counter::semaphore_init(call),
        Native::SemaphoreDestroy => counter::semaphore_destroy(call),
        Native::SemaphoreWait => counter::semaphore_wait(call),
        Native::SemaphoreTryWait => counter::semaphore_try_wait(call),
        Native::SemaphorePost => counter::semaphore_post(call),
        Native::SemaphoreValue => counter::semaphore_value(call),
        Native::OnceBegin => counter::once_begin(call),
        Native::OnceEnd => counter::once_end(call, true),
        Native::OnceAbort => counter::once_end(call, false),

        _ => local(call, native),
    }
}

/// What concerns memory and output, or nobody else at all.
fn local(call: &mut Call<'_>, native: Native) -> Result<Flow, Stop> {
    match native {
        Native::Calloc => Ok(match call.argument(0).checked_mul(call.argument(1)) {
            Some(size) => allocate(call, size, Family::Malloc, true),
            None => Flow::Done(0),
        }),
        Native::AlignedAlloc => allocate_aligned(call, call.argument(0), call.argument(1), Family::Malloc),
        Native::AlignedNew => allocate_aligned(call, call.argument(1), call.argument(0), Family::New),
        Native::AlignedNewArray => allocate_aligned(call, call.argument(1), call.argument(0), Family::NewArray),
        Native::Malloc => Ok(allocate(call, call.argument(0), Family::Malloc, false)),
        Native::New => Ok(allocate(call, call.argument(0), Family::New, false)),
        Native::NewArray => Ok(allocate(call, call.argument(0), Family::NewArray, false)),
        Native::Free => free(call, Family::Malloc),
        Native::Delete => free(call, Family::New),
        Native::DeleteArray => free(call, Family::NewArray),
        Native::BlockSize => block_size(call),

        Native::Printf => output::print_formatted(call, 0),
        Native::Fprintf => output::print_formatted(call, 1),
        Native::Snprintf => output::write_formatted(call, Some(call.argument(1)), 2),
        Native::Sprintf => output::write_formatted(call, None, 1),
        Native::Vprintf => output::print_listed(call, 0),
        Native::Vfprintf => output::print_listed(call, 1),
        Native::Vsnprintf => output::write_listed(call, Some(call.argument(1)), 2),
        Native::Vsprintf => output::write_listed(call, None, 1),
        Native::Print => output::print(call),
        Native::Putchar => output::put(call),

        Native::AssertFail => Err(Stop::Fault(FaultKind::Assertion, [call.argument(0) as Value, 0])),
        Native::Error => Err(Stop::Fault(FaultKind::Assertion, [0, 0])),
        Native::Abort => Err(Stop::Fault(FaultKind::Abort, [0, 0])),
        Native::Misuse => Err(Stop::Fault(FaultKind::Misuse, [call.argument(0) as Value, 0])),
        Native::Foreign => Err(Stop::Fault(FaultKind::Unmodelled, [0, 0])),
        Native::Unmodelled => Err(Stop::Fault(FaultKind::Unmodelled, [call.argument(0) as Value, 0])),
        Native::Exit => end_program(call),
        Native::Assume => assume(call),

        Native::NondetBool => call.choose(0, 1).map(|value| Flow::Done(value as u64)),
        Native::NondetRange => {
            let (low, high) = (call.argument(0) as i64, call.argument(1) as i64);
            call.choose(low, high).map(|value| Flow::Done(value as u64))
        }
        Native::SoftMultiplyAdd => {
            let [half, format] = [call.argument(0), call.argument(1)];
            let pair = |at: usize| [call.argument(at), call.argument(at + 1)];
            let Some(format) = Format::numbered(format) else { return Err(Misuse::FunctionType.fault()) };
            let result = soft::multiply_add(format, pair(2), pair(4), pair(6));
            Ok(Flow::Done(result[half as usize & 1]))
        }
        Native::ParseDouble | Native::ParseFloat => math::parse(call, native == Native::ParseFloat),
        Native::ParseLongDouble => math::parse_long_double(call),
        _ => match native.integer_range() {
            Some((bits, signed)) => any_integer(call, bits, signed),
            None => math::run(native, call),
        },
    }
}

/// Whether a thread that rests before the call of a native can go on, and does not have to wait.
#[inline]
pub(crate) fn can_go(peek: &Peek<'_>, native: Native) -> bool {
    !match native {
        Native::MutexLock => mutex::mutex_waits(peek, peek.argument(0)),
        Native::ThreadJoin => thread::join_waits(peek),
        Native::ConditionWait => condition::wait_waits(peek, false),
        Native::ConditionTimedWait | Native::ConditionClockWait => condition::wait_waits(peek, true),
        Native::SpinLock => mutex::spin_waits(peek, peek.argument(0)),
        Native::RwLockRead => rwlock::read_waits(peek),
        Native::RwLockWrite => rwlock::write_waits(peek),
        Native::SemaphoreWait => counter::semaphore_waits(peek),
        Native::BarrierWait => counter::barrier_waits(peek),
        Native::OnceBegin => counter::once_waits(peek),
        Native::FutexWait => condition::futex_waits(peek, false),
        Native::FutexTimedWait => condition::futex_waits(peek, true),
        _ => false,
    }
}

/// A new block; null where it is too large.
fn allocate(call: &mut Call<'_>, size: u64, family: Family, zeroed: bool) -> Flow {
    Flow::Done(call.allocate(size, family, zeroed).unwrap_or(0))
}

/// Gives a block back.
fn free(call: &mut Call<'_>, family: Family) -> Result<Flow, Stop> {
    call.free(call.argument(0), family).map(|()| Flow::Done(0))
}

/// The size of a block.
fn block_size(call: &mut Call<'_>) -> Result<Flow, Stop> {
    let block = call.argument(0);
    call.visible_at(block)?;
    let size = call.block_size(block, FaultKind::UseAfterFree)?;
    if size > 0 {
        call.touch(block, AccessKind::Read)?;
    }
    Ok(Flow::Done(size))
}

/// The same at a multiple of `alignment`: every object begins at a multiple of all that is
/// reasonable.
fn allocate_aligned(call: &mut Call<'_>, alignment: u64, size: u64, family: Family) -> Result<Flow, Stop> {
    if alignment.is_power_of_two() { Ok(allocate(call, size, family, false)) } else { Err(Misuse::Alignment.fault()) }
}

/// The end of the program. Of its status, others see the lowest eight bits.
fn end_program(call: &mut Call<'_>) -> Result<Flow, Stop> {
    let status = call.argument(0) as u8;
    if status == 0 || call.image().settings.any_exit_status {
        return Ok(Flow::EndProgram);
    }
    Err(Stop::Fault(FaultKind::ExitStatus, [Value::from(status), 0]))
}

/// Any integer of a type, within the range that the user gave.
fn any_integer(call: &mut Call<'_>, bits: u32, signed: bool) -> Result<Flow, Stop> {
    let Some((low, high)) = call.image().settings.nondet else {
        return Err(Stop::Fault(FaultKind::Unmodelled, [0, 0]));
    };
    let (least, most) = match (signed, bits) {
        (true, _) => (i64::MIN >> (64 - bits), i64::MAX >> (64 - bits)),
        (false, 64) => (0, i64::MAX),
        (false, _) => (0, (1 << bits) - 1),
    };
    let value = call.choose(low.max(least), high.min(most))?;
    // Registers hold numbers of any type sign-extended.
    Ok(Flow::Done((value << (64 - bits) >> (64 - bits)) as u64))
}

/// `__VERIFIER_assume`. One that fails is an event of its own: what was done before it is there for
/// others, and a failure that they come to is one, as long as the assumption has not been made. Of
/// a choice of data, only the last values are kept for that; after the others, the thread could as
/// well have chosen those.
fn assume(call: &mut Call<'_>) -> Result<Flow, Stop> {
    if call.argument(0) != 0 {
        return Ok(Flow::Done(0));
    }
    if !call.may_choose_otherwise() {
        call.visible()?;
    }
    Ok(Flow::Discard)
}
