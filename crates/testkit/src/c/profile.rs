//! What a random C program is mostly made of.

use std::fmt;
use std::str::FromStr;

/// What a random C program is mostly made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum CProfile {
    /// Variables of several widths, plain and atomic.
    Memory,
    /// Threads created and joined in any order, handles passed on.
    Threads,
    /// Mutexes of all kinds, spin locks, read-write locks.
    Locks,
    /// Condition variables, semaphores, barriers, waiting loops.
    Waits,
    /// Heap, stack and thread-locals shared by address; numbers that look like addresses.
    Pointers,
    /// Ends of threads and of the program, assumptions, choices, atomic sections.
    Endings,
    /// A little of everything.
    Mixed,
    /// Arrays of structures, blocks that grow, functions by address.
    Objects,
    /// Atomic counters, alone, in arrays and structures, used in every width and by plain accesses.
    Counters,
    /// Loops that wait, with bodies of all kinds.
    Loops,
    /// Library functions: text, sorting, several condition variables, limits of time, handlers.
    Library,
}

impl CProfile {
    /// All of them.
    pub const ALL: [CProfile; 11] = [
        CProfile::Memory,
        CProfile::Threads,
        CProfile::Locks,
        CProfile::Waits,
        CProfile::Pointers,
        CProfile::Endings,
        CProfile::Mixed,
        CProfile::Objects,
        CProfile::Counters,
        CProfile::Loops,
        CProfile::Library,
    ];

    /// The profile that a seed picks: they take turns.
    pub fn of_seed(seed: u64) -> CProfile {
        Self::ALL[(seed % Self::ALL.len() as u64) as usize]
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            CProfile::Memory => "memory",
            CProfile::Threads => "threads",
            CProfile::Locks => "locks",
            CProfile::Waits => "waits",
            CProfile::Pointers => "pointers",
            CProfile::Endings => "endings",
            CProfile::Mixed => "mixed",
            CProfile::Objects => "objects",
            CProfile::Counters => "counters",
            CProfile::Loops => "loops",
            CProfile::Library => "library",
        }
    }

    pub(super) fn weights(self) -> Weights {
        let little = Weights {
            plain: 20,
            atomic: 20,
            widths: 4,
            guarded: 12,
            locks: 4,
            waits: 3,
            pointers: 4,
            numbers: 3,
            text: 2,
            threads: 4,
            endings: 3,
            sections: 3,
            branch: 10,
            assert: 8,
            objects: 0,
            counters: 0,
            loops: 0,
            library: 0,
        };
        match self {
            CProfile::Memory => Weights { plain: 30, atomic: 40, widths: 25, text: 8, ..little },
            CProfile::Threads => Weights { threads: 35, ..little },
            CProfile::Locks => Weights { locks: 35, guarded: 20, ..little },
            CProfile::Waits => Weights { waits: 35, ..little },
            CProfile::Pointers => Weights { pointers: 40, numbers: 15, text: 8, ..little },
            CProfile::Endings => Weights { endings: 25, sections: 25, ..little },
            CProfile::Mixed => little,
            CProfile::Objects => Weights { objects: 50, counters: 4, pointers: 15, ..little },
            CProfile::Counters => Weights { counters: 60, loops: 4, endings: 6, ..little },
            CProfile::Loops => Weights { loops: 45, counters: 8, ..little },
            CProfile::Library => Weights { library: 50, text: 12, objects: 6, ..little },
        }
    }
}

impl fmt::Display for CProfile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for CProfile {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|profile| profile.name() == name).ok_or_else(|| {
            let names: Vec<_> = Self::ALL.into_iter().map(CProfile::name).collect();
            format!("there is no profile `{name}`; there are {}", names.join(", "))
        })
    }
}

/// How often each kind of statement comes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights {
    pub(super) plain: usize,
    pub(super) atomic: usize,
    pub(super) widths: usize,
    pub(super) guarded: usize,
    pub(super) locks: usize,
    pub(super) waits: usize,
    pub(super) pointers: usize,
    pub(super) numbers: usize,
    pub(super) text: usize,
    pub(super) threads: usize,
    pub(super) endings: usize,
    pub(super) sections: usize,
    pub(super) branch: usize,
    pub(super) assert: usize,
    pub(super) objects: usize,
    pub(super) counters: usize,
    pub(super) loops: usize,
    pub(super) library: usize,
}
