//! The functions that the machine models itself, by their C names.
//!
//! What is plain computation is no native: it is written in C (`crates/llvm/runtime/`) and linked
//! to the program like code of its own. Some natives are only there for that C code; their names
//! begin with `__mazurka_`. A program that defines a function of one of these names means its own.

/// How a call of a native shows to other threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shows {
    /// Never: it is local code.
    Never,
    /// Where it touches memory that other threads can reach.
    Memory,
    /// Always: it is a visible operation, even where nobody else could notice.
    Always,
}

/// What is known of a native before it is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Facts {
    /// Its first name.
    pub name: &'static str,
    /// How many arguments it takes at least.
    pub arguments: u8,
    /// Whether it takes more.
    pub variadic: bool,
    /// Whether a thread can have to wait in it.
    pub blocks: bool,
    /// Who notices a call.
    pub shows: Shows,
}

/// Functions that make blocks of memory, and those that give them back: they go together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Family {
    /// `malloc` and the like, `free`.
    Malloc,
    /// `new`, `delete`.
    New,
    /// `new[]`, `delete[]`.
    NewArray,
}

impl Family {
    /// What makes a block.
    pub(crate) fn makes(self) -> &'static str {
        match self {
            Family::Malloc => "malloc",
            Family::New => "new",
            Family::NewArray => "new[]",
        }
    }

    /// What gives it back.
    pub(crate) fn frees(self) -> &'static str {
        match self {
            Family::Malloc => "free",
            Family::New => "delete",
            Family::NewArray => "delete[]",
        }
    }

    /// By its number.
    pub(crate) fn numbered(number: i64) -> Option<Family> {
        [Family::Malloc, Family::New, Family::NewArray].get(usize::try_from(number).ok()?).copied()
    }
}

macro_rules! natives {
    ($($(#[$doc:meta])* $native:ident($arguments:literal $(+ $variadic:ident)?) $shows:ident $($blocks:ident)?
        = $name:literal $(| $alias:literal)*;)*) => {
        /// A function that the machine models itself.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Native {
            $($(#[$doc])* $native,)*
        }

        /// By number.
        const FACTS: &[Facts] = &[
            $(Facts {
                name: $name,
                arguments: $arguments,
                variadic: natives!(@ $($variadic)?),
                blocks: natives!(@ $($blocks)?),
                shows: Shows::$shows,
            },)*
        ];

        impl Native {
            /// All of them.
            pub const ALL: &'static [Native] = &[$(Native::$native,)*];

            /// The native that a call of an undefined function of this name means.
            pub fn named(name: &str) -> Option<Native> {
                match name {
                    $($name $(| $alias)* => Some(Native::$native),)*
                    _ => None,
                }
            }
        }
    };
    (@) => { false };
    (@ more) => { true };
    (@ blocks) => { true };
}

natives! {
    // Threads.

    /// Starts a thread: handle, attributes, function, argument.
    ThreadCreate(4) Always = "pthread_create";
    /// Waits for a thread's end: handle, where to put its result.
    ThreadJoin(2) Always blocks = "pthread_join";
    /// Ends the calling thread with a result, after what the library has to do at its end.
    ThreadEnd(1) Never = "pthread_exit" | "thrd_exit";
    /// The calling thread's handle.
    ThreadSelf(0) Never = "pthread_self" | "thrd_current";
    /// Gives up the right to join a thread.
    ThreadDetach(1) Always = "pthread_detach" | "thrd_detach";
    /// The calling thread's number.
    ThreadNumber(0) Never = "gettid" | "pthread_gettid_np";

    // Mutexes.

    /// Makes a mutex: attributes after it.
    MutexInit(2) Memory = "pthread_mutex_init";
    /// Ends a mutex.
    MutexDestroy(1) Memory = "pthread_mutex_destroy" | "mtx_destroy";
    /// Takes a mutex.
    MutexLock(1) Always blocks = "pthread_mutex_lock" | "mtx_lock";
    /// Takes a mutex if it is free.
    MutexTryLock(1) Always = "pthread_mutex_trylock";
    /// Takes a mutex, or gives up waiting for it.
    MutexTimedLock(1) Always = "__mazurka_mutex_timedlock";
    /// Gives a mutex back.
    MutexUnlock(1) Always = "pthread_mutex_unlock" | "mtx_unlock";

    // Spin locks.

    /// Makes a spin lock.
    SpinInit(2) Memory = "pthread_spin_init";
    /// Ends a spin lock.
    SpinDestroy(1) Memory = "pthread_spin_destroy";
    /// Takes a spin lock.
    SpinLock(1) Always blocks = "pthread_spin_lock";
    /// Takes a spin lock if it is free.
    SpinTryLock(1) Always = "pthread_spin_trylock";
    /// Gives a spin lock back.
    SpinUnlock(1) Always = "pthread_spin_unlock";

    // Condition variables.

    /// Makes a condition variable.
    ConditionInit(2) Memory = "pthread_cond_init";
    /// Ends a condition variable.
    ConditionDestroy(1) Always = "pthread_cond_destroy" | "cnd_destroy";
    /// Gives a mutex back, waits for a signal, takes the mutex.
    ConditionWait(2) Always blocks = "pthread_cond_wait" | "cnd_wait";
    /// The same, but may give up waiting for a signal.
    ConditionTimedWait(2) Always blocks = "__mazurka_cond_timedwait";
    /// The same by a given clock.
    ConditionClockWait(2) Always blocks = "__mazurka_cond_clockwait";
    /// Wakes one of those who wait.
    ConditionSignal(1) Always = "pthread_cond_signal" | "cnd_signal";
    /// Wakes all who wait.
    ConditionBroadcast(1) Always = "pthread_cond_broadcast" | "cnd_broadcast";

    // Read-write locks.

    /// Makes a read-write lock.
    RwLockInit(2) Memory = "pthread_rwlock_init";
    /// Ends a read-write lock.
    RwLockDestroy(1) Always = "pthread_rwlock_destroy";
    /// Takes it together with other readers.
    RwLockRead(1) Always blocks = "pthread_rwlock_rdlock";
    /// The same if no writer holds it.
    RwLockTryRead(1) Always = "pthread_rwlock_tryrdlock";
    /// The same, or gives up waiting.
    RwLockTimedRead(1) Always = "__mazurka_rwlock_timedrdlock";
    /// Takes it alone.
    RwLockWrite(1) Always blocks = "pthread_rwlock_wrlock";
    /// The same if nobody holds it.
    RwLockTryWrite(1) Always = "pthread_rwlock_trywrlock";
    /// The same, or gives up waiting.
    RwLockTimedWrite(1) Always = "__mazurka_rwlock_timedwrlock";
    /// Gives it back, whichever way it was taken.
    RwLockUnlock(1) Always = "pthread_rwlock_unlock";

    // Barriers, semaphores, once.

    /// Makes a barrier: attributes, number of threads.
    BarrierInit(3) Memory = "pthread_barrier_init";
    /// Ends a barrier.
    BarrierDestroy(1) Always = "pthread_barrier_destroy";
    /// Waits until as many threads wait as the barrier is made for.
    BarrierWait(1) Always blocks = "pthread_barrier_wait";
    /// Makes a semaphore: sharing, value.
    SemaphoreInit(3) Memory = "__mazurka_sem_init";
    /// Ends a semaphore.
    SemaphoreDestroy(1) Always = "sem_destroy";
    /// Takes one, when there is one.
    SemaphoreWait(1) Always blocks = "sem_wait";
    /// Takes one if there is one; gives the given error number otherwise.
    SemaphoreTryWait(2) Always = "__mazurka_sem_trywait";
    /// Adds one.
    SemaphorePost(1) Always = "__mazurka_sem_post";
    /// Reads how many there are.
    SemaphoreValue(2) Always = "sem_getvalue";
    /// Whether to do what is to be done once; waits while another thread does it.
    OnceBegin(1) Always blocks = "__mazurka_once_begin";
    /// It is done.
    OnceEnd(1) Always = "__mazurka_once_end";
    /// It is not done after all.
    OnceAbort(1) Always = "__cxa_guard_abort";

    // The kernel.

    /// The words of a futex wait: the address, the value expected. Gives an error number.
    FutexWait(2) Always blocks = "__mazurka_futex_wait";
    /// The same, but may give up waiting.
    FutexTimedWait(2) Always blocks = "__mazurka_futex_timedwait";
    /// Wakes some of those who wait for a futex: the address, how many. Gives how many.
    FutexWake(2) Always = "__mazurka_futex_wake";

    // Memory.

    /// A block of bytes.
    Malloc(1) Never = "malloc" | "valloc";
    /// The same, for `delete`.
    New(1) Never = "_Znwm" | "_ZnwmRKSt9nothrow_t";
    /// The same, for `delete[]`.
    NewArray(1) Never = "_Znam" | "_ZnamRKSt9nothrow_t";
    /// A block of so many things of this size, all zero.
    Calloc(2) Never = "calloc";
    /// A block at a multiple of this alignment: alignment, size.
    AlignedAlloc(2) Never = "aligned_alloc" | "memalign";
    /// The same, size first, for `delete`.
    AlignedNew(2) Never = "_ZnwmSt11align_val_t" | "_ZnwmSt11align_val_tRKSt9nothrow_t";
    /// The same, for `delete[]`.
    AlignedNewArray(2) Never = "_ZnamSt11align_val_t" | "_ZnamSt11align_val_tRKSt9nothrow_t";
    /// Gives a block back.
    Free(1) Memory = "free" | "cfree";
    /// The same for one that was made by `new`. What other arguments there are (size, alignment)
    /// say nothing new.
    Delete(1 + more) Memory = "_ZdlPv" | "_ZdlPvm" | "_ZdlPvSt11align_val_t" | "_ZdlPvmSt11align_val_t"
        | "_ZdlPvRKSt9nothrow_t" | "_ZdlPvSt11align_val_tRKSt9nothrow_t";
    /// The same for one that was made by `new[]`.
    DeleteArray(1 + more) Memory = "_ZdaPv" | "_ZdaPvm" | "_ZdaPvSt11align_val_t" | "_ZdaPvmSt11align_val_t"
        | "_ZdaPvRKSt9nothrow_t" | "_ZdaPvSt11align_val_tRKSt9nothrow_t";
    /// The size of a block that is to be made larger or smaller.
    BlockSize(1) Memory = "__mazurka_block_size" | "malloc_usable_size";

    // Output.

    /// Prints by a format.
    Printf(1 + more) Memory = "printf";
    /// The same to a stream.
    Fprintf(2 + more) Memory = "fprintf" | "dprintf";
    /// The same into memory: where, how many bytes at most.
    Snprintf(3 + more) Memory = "snprintf";
    /// The same without a limit.
    Sprintf(2 + more) Memory = "sprintf";
    /// Prints by a format, the values in a list: stream, format, list.
    Vfprintf(3) Memory = "vfprintf" | "vdprintf";
    /// The same to standard output.
    Vprintf(2) Memory = "vprintf";
    /// The same into memory.
    Vsnprintf(4) Memory = "vsnprintf";
    /// The same without a limit.
    Vsprintf(3) Memory = "vsprintf";
    /// Prints bytes: where they are, how many.
    Print(2) Memory = "__mazurka_print";
    /// Prints one byte.
    Putchar(1) Never = "putchar" | "putchar_unlocked";

    // The end.

    /// A failed assertion: text, file, line, function.
    AssertFail(4) Never = "__assert_fail";
    /// Gives up.
    Abort(0) Never = "abort" | "__cxa_pure_virtual" | "__cxa_deleted_virtual" | "__stack_chk_fail" | "_ZSt9terminatev"
        | "__cxa_bad_cast" | "_ZSt17__throw_bad_allocv" | "_ZSt28__throw_bad_array_new_lengthv"
        | "_ZSt20__throw_length_errorPKc" | "_ZSt19__throw_logic_errorPKc" | "_ZSt20__throw_out_of_rangePKc"
        | "_ZSt24__throw_out_of_range_fmtPKcz" | "_ZSt20__throw_system_errori" | "_ZSt25__throw_bad_function_callv"
        | "_ZSt21__throw_runtime_errorPKc" | "_ZSt24__throw_invalid_argumentPKc" | "_ZSt16__throw_bad_castv";
    /// Ends the whole program, without more ado.
    Exit(1) Always = "_exit" | "_Exit" | "__mazurka_exit";
    /// A library function was called in a way that has no meaning: a text that says how.
    Misuse(1) Never = "__mazurka_misuse";
    /// Something that is not modelled: a text that says what.
    Unmodelled(1) Never = "__mazurka_unmodelled";

    /// A function that nobody defines, where a program is only analysed.
    Foreign(0 + more) Never = "__mazurka_foreign";

    // What verification tasks say.

    /// Goes on only where the argument is not zero.
    Assume(1) Never = "__VERIFIER_assume" | "__mazurka_assume";
    /// A place that must not be reached.
    Error(0) Never = "__VERIFIER_error" | "reach_error";
    /// What follows is one step,
    AtomicBegin(0) Never = "__VERIFIER_atomic_begin" | "__mazurka_atomic_begin";
    /// up to here.
    AtomicEnd(0) Never = "__VERIFIER_atomic_end" | "__mazurka_atomic_end";
    /// Any boolean.
    NondetBool(0) Never = "__VERIFIER_nondet_bool" | "__VERIFIER_nondet__Bool";
    /// Any number of this type, within the range given.
    NondetI8(0) Never = "__VERIFIER_nondet_char" | "__VERIFIER_nondet_schar" | "__VERIFIER_nondet_s8";
    /// The same.
    NondetU8(0) Never = "__VERIFIER_nondet_uchar" | "__VERIFIER_nondet_u8" | "__VERIFIER_nondet_unsigned_char";
    /// The same.
    NondetI16(0) Never = "__VERIFIER_nondet_short" | "__VERIFIER_nondet_s16";
    /// The same.
    NondetU16(0) Never = "__VERIFIER_nondet_ushort" | "__VERIFIER_nondet_u16";
    /// The same.
    NondetI32(0) Never = "__VERIFIER_nondet_int" | "__VERIFIER_nondet_s32";
    /// The same.
    NondetU32(0) Never = "__VERIFIER_nondet_uint" | "__VERIFIER_nondet_unsigned" | "__VERIFIER_nondet_u32"
        | "__VERIFIER_nondet_unsigned_int";
    /// The same.
    NondetI64(0) Never = "__VERIFIER_nondet_long" | "__VERIFIER_nondet_longlong" | "__VERIFIER_nondet_s64"
        | "__VERIFIER_nondet_loff_t";
    /// The same.
    NondetU64(0) Never = "__VERIFIER_nondet_ulong" | "__VERIFIER_nondet_ulonglong" | "__VERIFIER_nondet_size_t"
        | "__VERIFIER_nondet_u64" | "__VERIFIER_nondet_unsigned_long";
    /// A number from the first argument to the second.
    NondetRange(2) Never = "__mazurka_nondet_range";

    // Arithmetic: doubles to a double.

    /// Square root.
    Sqrt(1) Never = "sqrt";
    /// Cube root.
    Cbrt(1) Never = "cbrt";
    /// e to the power.
    Exp(1) Never = "exp";
    /// 2 to the power.
    Exp2(1) Never = "exp2";
    /// e to the power, less 1.
    Expm1(1) Never = "expm1";
    /// Natural logarithm.
    Log(1) Never = "log";
    /// Binary logarithm.
    Log2(1) Never = "log2";
    /// Decimal logarithm.
    Log10(1) Never = "log10";
    /// Natural logarithm of 1 more.
    Log1p(1) Never = "log1p";
    /// Sine.
    Sin(1) Never = "sin";
    /// Cosine.
    Cos(1) Never = "cos";
    /// Tangent.
    Tan(1) Never = "tan";
    /// Arc sine.
    Asin(1) Never = "asin";
    /// Arc cosine.
    Acos(1) Never = "acos";
    /// Arc tangent.
    Atan(1) Never = "atan";
    /// Hyperbolic sine.
    Sinh(1) Never = "sinh";
    /// Hyperbolic cosine.
    Cosh(1) Never = "cosh";
    /// Hyperbolic tangent.
    Tanh(1) Never = "tanh";
    /// Hyperbolic arc sine.
    Asinh(1) Never = "asinh";
    /// Hyperbolic arc cosine.
    Acosh(1) Never = "acosh";
    /// Hyperbolic arc tangent.
    Atanh(1) Never = "atanh";
    /// Power.
    Pow(2) Never = "pow";
    /// Arc tangent of a quotient.
    Atan2(2) Never = "atan2";
    /// Length of the hypotenuse.
    Hypot(2) Never = "hypot";
    /// Remainder of a division.
    Fmod(2) Never = "fmod";
    /// Product and sum, rounded once.
    Fma(3) Never = "fma";
    /// Product and sum, rounded once, of numbers that are computed by software: which half of the
    /// result, the format, the halves of the operands.
    SoftMultiplyAdd(8) Never = "__mazurka_soft_fma";
    /// The nearest double to a decimal number: its text, how many characters. Only for private
    /// memory.
    ParseDouble(2) Never = "__mazurka_parse_double";
    /// The nearest float to a decimal number, as a double.
    ParseFloat(2) Never = "__mazurka_parse_float";
    /// The nearest `long double` to a decimal number: its text, how many characters, where to put
    /// it. Only for private memory.
    ParseLongDouble(3) Never = "__mazurka_parse_long_double";
}

impl Native {
    /// What is known of it.
    #[inline]
    pub fn facts(self) -> &'static Facts {
        &FACTS[self as usize]
    }

    /// Whether a call with so many arguments has as many as it needs. More than that do no harm.
    pub fn takes(self, arguments: usize) -> bool {
        arguments >= usize::from(self.facts().arguments)
    }

    /// The family of functions that makes blocks, or gives them back, that it belongs to.
    pub(crate) fn family(self) -> Option<Family> {
        match self {
            Native::Malloc | Native::Calloc | Native::AlignedAlloc | Native::Free => Some(Family::Malloc),
            Native::New | Native::AlignedNew | Native::Delete => Some(Family::New),
            Native::NewArray | Native::AlignedNewArray | Native::DeleteArray => Some(Family::NewArray),
            _ => None,
        }
    }

    /// Whether it gives a block back.
    pub(crate) fn frees(self) -> bool {
        matches!(self, Native::Free | Native::Delete | Native::DeleteArray)
    }

    /// Whether it makes a block.
    pub(crate) fn allocates(self) -> bool {
        self.family().is_some() && !self.frees()
    }

    /// Whether it waits to be woken, and may run out of time.
    pub(crate) fn has_time_limit(self) -> bool {
        matches!(self, Native::ConditionTimedWait | Native::ConditionClockWait | Native::FutexTimedWait)
    }

    /// Whether a call can look at what others use to synchronise, and come away without having
    /// synchronised with them.
    pub(crate) fn can_fail_to_synchronise(self) -> bool {
        use Native::{
            MutexTimedLock, MutexTryLock, RwLockTimedRead, RwLockTimedWrite, RwLockTryRead, RwLockTryWrite,
            SemaphoreTryWait, SemaphoreValue, SpinTryLock,
        };
        matches!(
            self,
            MutexTryLock
                | MutexTimedLock
                | SpinTryLock
                | RwLockTryRead
                | RwLockTimedRead
                | RwLockTryWrite
                | RwLockTimedWrite
                | SemaphoreTryWait
                | SemaphoreValue
        )
    }

    /// Whether it gives any number of an integer type: how many bits, whether signed.
    pub fn integer_range(self) -> Option<(u32, bool)> {
        use Native::{NondetI8, NondetI16, NondetI32, NondetI64, NondetU8, NondetU16, NondetU32, NondetU64};
        match self {
            NondetI8 => Some((8, true)),
            NondetU8 => Some((8, false)),
            NondetI16 => Some((16, true)),
            NondetU16 => Some((16, false)),
            NondetI32 => Some((32, true)),
            NondetU32 => Some((32, false)),
            NondetI64 => Some((64, true)),
            NondetU64 => Some((64, false)),
            _ => None,
        }
    }
}

/// Why a well-known function is not modelled.
pub fn refusal(name: &str) -> Option<&'static str> {
    let reason = match name {
        "signal" | "sigaction" | "raise" | "kill" | "pthread_kill" | "pthread_sigmask" | "sigprocmask" | "sigwait"
        | "sigsuspend" | "pause" | "alarm" | "sigemptyset" | "sigfillset" | "sigaddset" | "sigdelset" | "setitimer"
        | "timer_create" | "bsd_signal" | "sigqueue" | "sigaltstack" => "signals are not modelled",
        "pthread_tryjoin_np" | "pthread_timedjoin_np" | "pthread_clockjoin_np" => {
            "joining a thread without waiting for its end is not modelled"
        }
        "setjmp" | "_setjmp" | "sigsetjmp" | "longjmp" | "_longjmp" | "siglongjmp" | "__longjmp_chk" => {
            "non-local jumps are not modelled"
        }
        "pthread_cancel"
        | "__pthread_register_cancel"
        | "__pthread_unregister_cancel"
        | "__pthread_unwind_next"
        | "_pthread_cleanup_push"
        | "_pthread_cleanup_pop" => "thread cancellation and its clean-up handlers are not modelled",
        "scanf" | "fscanf" | "sscanf" | "vscanf" | "vfscanf" | "vsscanf" | "__isoc99_scanf" | "__isoc99_fscanf"
        | "__isoc99_sscanf" | "__isoc23_scanf" | "__isoc23_fscanf" | "__isoc23_sscanf" | "__isoc99_vsscanf" => {
            "the scanf family is not modelled"
        }
        "getchar" | "getc" | "fgetc" | "fgets" | "gets" | "getline" | "getdelim" | "ungetc" | "fread" | "read"
        | "pread" | "readv" | "getchar_unlocked" => "input is not modelled",
        "fopen" | "fopen64" | "freopen" | "fdopen" | "open" | "open64" | "openat" | "creat" | "close" | "fseek"
        | "ftell" | "rewind" | "lseek" | "stat" | "fstat" | "lstat" | "unlink" | "remove" | "rename" | "mkdir"
        | "opendir" | "readdir" | "closedir" | "tmpfile" | "mkstemp" | "ioctl" | "fcntl" | "pipe" | "poll"
        | "select" | "epoll_create1" | "epoll_wait" | "epoll_ctl" => "files are not modelled",
        "socket" | "bind" | "listen" | "accept" | "connect" | "send" | "recv" | "sendto" | "recvfrom" => {
            "sockets are not modelled"
        }
        "fork" | "vfork" | "execv" | "execve" | "execvp" | "execl" | "system" | "popen" | "wait" | "waitpid" => {
            "processes of the system are not modelled"
        }
        "mmap" | "munmap" | "mprotect" | "brk" | "sbrk" | "shm_open" | "sem_open" | "alloca" => {
            "this way to get memory is not modelled"
        }
        "dlopen" | "dlsym" => "dynamic linking is not modelled",
        _ => return exception(name),
    };
    Some(reason)
}

/// What C++ calls for exceptions.
fn exception(name: &str) -> Option<&'static str> {
    match name {
        "__cxa_throw"
        | "__cxa_rethrow"
        | "__cxa_allocate_exception"
        | "__cxa_begin_catch"
        | "__cxa_end_catch"
        | "_Unwind_Resume"
        | "__gxx_personality_v0" => Some("exceptions are not modelled: compile with -fno-exceptions"),
        _ if Native::named(name).is_none() && name.starts_with("__VERIFIER_nondet_") => {
            Some("nondeterministic values of this type are not modelled")
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_native_has_its_name_and_number() {
        for (number, &native) in Native::ALL.iter().enumerate() {
            assert_eq!(native as usize, number);
            assert_eq!(Native::named(native.facts().name), Some(native));
            assert!(refusal(native.facts().name).is_none());
        }
        assert_eq!(Native::named("mtx_lock"), Some(Native::MutexLock));
        assert_eq!(Native::named("strlen"), None);
    }

    #[test]
    fn what_blocks_shows() {
        for native in Native::ALL {
            let facts = native.facts();
            assert!(!facts.blocks || facts.shows == Shows::Always, "{}", facts.name);
        }
    }

    #[test]
    fn refusals_have_reasons() {
        assert_eq!(refusal("sigaction"), Some("signals are not modelled"));
        assert_eq!(refusal("__VERIFIER_nondet_double"), Some("nondeterministic values of this type are not modelled"));
        assert_eq!(refusal("my_function"), None);
        assert!(Native::Printf.takes(3) && !Native::MutexInit.takes(1));
    }
}
