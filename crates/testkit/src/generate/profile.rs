//! What kind of trouble a random program makes.

use std::fmt;
use std::str::FromStr;

/// What a random program is mostly made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Profile {
    /// Reads and writes of few variables by many processes.
    Races,
    /// Mutexes, nested well and badly.
    Locks,
    /// Processes that wait for conditions.
    Awaits,
    /// Data choices, local and not.
    Choices,
    /// Atomic blocks with branches, loops, waits.
    Atomics,
    /// Processes created on the way.
    Spawn,
    /// Faults that end executions.
    Faults,
    /// Assumptions that discard executions.
    Assumes,
    /// A little of everything.
    Mixed,
    /// Writes of few values by many processes, seldom read: not among those that take turns.
    Writes,
    /// Atomic blocks that write few values to several locations, seldom read: not among those that
    /// take turns.
    Blocks,
}

impl Profile {
    /// Those that take turns.
    pub const ALL: [Profile; 9] = [
        Profile::Races,
        Profile::Locks,
        Profile::Awaits,
        Profile::Choices,
        Profile::Atomics,
        Profile::Spawn,
        Profile::Faults,
        Profile::Assumes,
        Profile::Mixed,
    ];

    /// The profile that a seed picks: they take turns.
    pub fn of_seed(seed: u64) -> Profile {
        Self::ALL[(seed % Self::ALL.len() as u64) as usize]
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Profile::Races => "races",
            Profile::Locks => "locks",
            Profile::Awaits => "awaits",
            Profile::Choices => "choices",
            Profile::Atomics => "atomics",
            Profile::Spawn => "spawn",
            Profile::Faults => "faults",
            Profile::Assumes => "assumes",
            Profile::Mixed => "mixed",
            Profile::Writes => "writes",
            Profile::Blocks => "blocks",
        }
    }

    pub(super) fn weights(self) -> Weights {
        let races = Weights { assign: 40, local: 25, branch: 10, assert: 6, ..Weights::NOTHING };
        match self {
            Profile::Races => races,
            Profile::Locks => Weights { lock: 45, misuse: 6, wait: 3, ..races },
            Profile::Awaits => Weights { wait: 40, atomic: 8, lock: 4, ..races },
            Profile::Choices => Weights { choose: 45, atomic: 12, wait: 4, ..races },
            Profile::Atomics => Weights { atomic: 70, wait: 4, choose: 3, repeat: 5, ..races },
            Profile::Spawn => Weights { spawn: 40, atomic: 10, wait: 5, choose: 3, lock: 3, ..races },
            Profile::Faults => Weights { fault: 18, misuse: 6, wait: 4, choose: 5, atomic: 8, ..races },
            Profile::Assumes => Weights { assume: 25, choose: 6, wait: 4, atomic: 10, fault: 2, lock: 4, ..races },
            Profile::Mixed => Weights {
                lock: 10,
                misuse: 2,
                wait: 12,
                atomic: 15,
                repeat: 8,
                assume: 4,
                choose: 8,
                spawn: 8,
                fault: 2,
                ..races
            },
            Profile::Writes => {
                Weights { assign: 60, local: 22, wait: 2, atomic: 6, fault: 4, choose: 1, constants: 85, ..races }
            }
            Profile::Blocks => {
                Weights { assign: 12, local: 22, wait: 2, atomic: 60, fault: 2, constants: 85, branch: 2, ..races }
            }
        }
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Profile {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let all = || Self::ALL.into_iter().chain([Profile::Writes, Profile::Blocks]);
        all().find(|profile| profile.name() == name).ok_or_else(|| {
            let names: Vec<_> = all().map(Profile::name).collect();
            format!("there is no profile `{name}`; there are {}", names.join(", "))
        })
    }
}

/// How often each kind of statement comes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights {
    pub(super) assign: usize,
    pub(super) local: usize,
    pub(super) branch: usize,
    pub(super) assert: usize,
    pub(super) lock: usize,
    pub(super) misuse: usize,
    pub(super) wait: usize,
    pub(super) atomic: usize,
    pub(super) repeat: usize,
    pub(super) assume: usize,
    pub(super) choose: usize,
    pub(super) spawn: usize,
    pub(super) fault: usize,
    /// Of a hundred values that are assigned, so many are 0 or 1 by themselves.
    pub(super) constants: usize,
}

impl Weights {
    const NOTHING: Weights = Weights {
        assign: 0,
        local: 0,
        branch: 0,
        assert: 0,
        lock: 0,
        misuse: 0,
        wait: 0,
        atomic: 0,
        repeat: 0,
        assume: 0,
        choose: 0,
        spawn: 0,
        fault: 0,
        constants: 0,
    };
}
