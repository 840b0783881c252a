//! What a program does with locks and threads, and nothing else.

use mazurka_machine::Place;

macro_rules! number {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub u32);

        impl $name {
            /// As an index.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

number! {
    /// An abstract lock.
    LockId
}
number! {
    /// An abstract thread.
    ThreadId
}
number! {
    /// A body of code.
    BodyId
}
number! {
    /// A place in the source.
    PlaceId
}

/// An abstract lock.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lock {
    /// Its name.
    pub name: String,
    /// It is one concrete lock; otherwise it stands for any number of them.
    pub is_one: bool,
    /// What happens when its holder takes it again.
    pub again: Reentry,
}

/// What happens when the holder of a lock takes it again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reentry {
    /// It waits for itself.
    Waits,
    /// It has it twice.
    Again,
    /// One of both, or it is refused.
    Unknown,
}

/// What a point of the program does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Operation {
    /// Nothing with locks or threads.
    Nothing,
    /// Takes one of these locks.
    Take {
        /// Which it can be.
        locks: Vec<LockId>,
        /// As a reader.
        is_shared: bool,
        /// It waits until the lock is free. Otherwise this is the case in which it was free.
        waits: bool,
    },
    /// Gives one of these locks back.
    Give {
        /// Which it can be.
        locks: Vec<LockId>,
    },
    /// Calls one of these bodies, and goes on when that returns.
    Call(Vec<BodyId>),
    /// Creates one of these threads.
    Create(Vec<ThreadId>),
    /// Waits for the end of one of these threads.
    Join {
        /// Which it can be.
        threads: Vec<ThreadId>,
        /// It is the only thread of that description, and it is the one that was created on this
        /// path.
        is_sure: bool,
    },
    /// Waits for something that any thread may do: a signal, a condition.
    Communicate(String),
    /// The thread ends.
    End,
}

/// A point of a body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// What it does.
    pub operation: Operation,
    /// Where it can go on; nowhere at the end of the body.
    pub next: Vec<usize>,
    /// Where it stands.
    pub place: PlaceId,
}

/// A body of code.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Body {
    /// Its points; it begins at the first.
    pub nodes: Vec<Node>,
}

/// An abstract thread: one description of the threads that run a body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thread {
    /// Its name.
    pub name: String,
    /// What it runs.
    pub body: BodyId,
    /// Who creates it; nobody where it is there from the beginning.
    pub creator: Option<ThreadId>,
    /// There can be several, whatever the analysis finds.
    pub is_many: bool,
}

/// What a program does with locks and threads.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Skeleton {
    /// The locks.
    pub locks: Vec<Lock>,
    /// The bodies.
    pub bodies: Vec<Body>,
    /// The threads. A creator comes before those that it creates.
    pub threads: Vec<Thread>,
    /// The places.
    pub places: Vec<Place>,
    /// For each place that was reached by a call, which call that was, if somebody wants to know.
    pub callers: Vec<Option<Place>>,
    /// What is not covered, because it is not part of the program.
    pub assumed: Vec<String>,
    /// The front end could not follow the program: why. Then nothing is proved.
    pub unknown: Vec<String>,
}

impl Skeleton {
    /// A lock.
    pub fn lock(&self, lock: LockId) -> &Lock {
        &self.locks[lock.index()]
    }

    /// A thread.
    pub fn thread(&self, thread: ThreadId) -> &Thread {
        &self.threads[thread.index()]
    }

    /// A place, for people, with the call that leads there, if one is known. The file of the place
    /// is named where the call is in another one.
    pub fn line(&self, place: PlaceId) -> String {
        let Place { file, line, .. } = &self.places[place.index()];
        match self.callers.get(place.index()) {
            Some(Some(caller)) if caller.file == *file => format!("line {line} (called at line {})", caller.line),
            Some(Some(caller)) => format!("line {} ({file}:{line})", caller.line),
            _ => format!("line {line}"),
        }
    }

    /// The thread, who created it, who created that one, and so on.
    pub fn origins(&self, thread: ThreadId) -> impl Iterator<Item = ThreadId> + '_ {
        std::iter::successors(Some(thread), |&thread| self.thread(thread).creator)
    }

    /// Whether one thread is another, or created it, directly or not.
    pub fn is_origin(&self, one: ThreadId, other: ThreadId) -> bool {
        self.origins(other).any(|thread| thread == one)
    }

    /// A thread and all that it creates, directly or not.
    pub fn family(&self, thread: ThreadId) -> impl Iterator<Item = ThreadId> + '_ {
        (0..self.threads.len() as u32).map(ThreadId).filter(move |&other| self.is_origin(thread, other))
    }
}
