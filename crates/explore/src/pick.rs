//! Who goes first at a node, where the engine leaves that open.
//!
//! Events that have been in a race are taken late, so that what does not race comes before and is
//! not run again for each order of what does. Which choice is made changes how much is run, never
//! what is found.

use mazurka_machine::Machine;
use mazurka_trace::{Event, EventId, ProcessId, SiteId};

use crate::Options;
use crate::execution::Execution;

/// How many steps in a row one process takes while others could run, in a long execution: one that
/// never ends must not keep them from being seen.
const PATIENCE: usize = 1000;

/// An execution is long if it has one part in so many of the events allowed. In a shorter one, a
/// long way of one process to its end is not to be run again for each order of what others do.
const LONG: usize = 64;

/// What is known of a site.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Site {
    /// No event yet.
    Unmet,
    /// No race yet.
    Calm,
    /// Its events race.
    Racy,
}

/// Who goes first.
pub(crate) struct Pick {
    sites: Vec<Site>,
    /// How many sites have been met and not been in a race.
    calm: usize,
    /// An execution of so many events is a long one.
    long: usize,
    /// Somebody at random, or whoever went last: not by the rule.
    unusual: bool,
    random: Option<u64>,
    switches: Option<Switches>,
}

/// The context switches of the current execution, where they are limited.
struct Switches {
    most: usize,
    /// Those up to each event, and whose step the last one was that is not local.
    counted: Vec<(usize, Option<ProcessId>)>,
}

impl Pick {
    pub(crate) fn new(options: &Options) -> Self {
        let switches = options.limits.switches.map(|most| Switches { most, counted: Vec::new() });
        let random = options.shuffle.map(|seed| seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        Self {
            sites: Vec::new(),
            calm: 0,
            long: options.limits.depth / LONG,
            unusual: random.is_some() || switches.is_some(),
            random,
            switches,
        }
    }

    /// Among those enabled and allowed: nobody known to race if possible, then the one with the
    /// smallest number; or anybody at random, where there is a seed. Also tells whether somebody is
    /// enabled at all. The machine is after the execution.
    #[inline(always)]
    pub(crate) fn pick<M: Machine>(
        &mut self,
        machine: &mut M,
        execution: &Execution,
        mut allowed: impl FnMut(ProcessId) -> bool,
    ) -> (Option<ProcessId>, bool) {
        if self.unusual {
            if self.random.is_some() {
                return self.pick_at_random(machine, allowed);
            }
            if let Some(process) = self.going_on(machine, &mut allowed) {
                return (Some(process), true);
            }
        }
        if execution.len() >= self.long
            && let Some(tireless) = execution.alone_for(PATIENCE)
            && let Some(other) = pick_other(machine, tireless, &mut allowed)
        {
            return (Some(other), true);
        }
        let (mut racy, mut any_enabled, mut from) = (None, false, 0);
        while let Some(process) = machine.live().next_from(from) {
            from = process.index() + 1;
            let is_racy = self.calm > 0 && self.is_racy(machine.pending(process));
            if (is_racy && racy.is_some()) || !machine.is_enabled(process) {
                continue;
            }
            any_enabled = true;
            if allowed(process) {
                if !is_racy {
                    return (Some(process), true);
                }
                racy = Some(process);
            }
        }
        (racy, any_enabled)
    }

    /// Who stepped last, if they can go on: where context switches are limited.
    #[cold]
    fn going_on<M: Machine>(&self, machine: &mut M, allowed: &mut impl FnMut(ProcessId) -> bool) -> Option<ProcessId> {
        let (_, process) = self.switches.as_ref()?.counted.last().copied()?;
        process.filter(|&process| machine.live().contains(process) && machine.is_enabled(process) && allowed(process))
    }

    fn pick_at_random<M: Machine>(
        &mut self,
        machine: &mut M,
        mut allowed: impl FnMut(ProcessId) -> bool,
    ) -> (Option<ProcessId>, bool) {
        let (mut any_enabled, mut from, mut picked, mut seen) = (false, 0, None, 0);
        while let Some(process) = machine.live().next_from(from) {
            from = process.index() + 1;
            if !machine.is_enabled(process) {
                continue;
            }
            any_enabled = true;
            if allowed(process) {
                seen += 1;
                if self.next_random().is_multiple_of(seen) {
                    picked = Some(process);
                }
            }
        }
        (picked, any_enabled)
    }

    /// Marsaglia's xorshift, 64 bits.
    fn next_random(&mut self) -> u64 {
        let state = self.random.as_mut().expect("called only where there is a seed");
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        *state >> 11
    }

    /// The exploration begins again: which sites race is known.
    pub(crate) fn begin_again(&mut self) {
        if let Some(switches) = &mut self.switches {
            switches.counted.clear();
        }
    }

    /// Whether context switches are limited.
    pub(crate) fn limits_switches(&self) -> bool {
        self.switches.is_some()
    }

    /// Whether the execution has more context switches than allowed.
    #[inline]
    pub(crate) fn has_too_many_switches(&self) -> bool {
        self.unusual && self.switches.as_ref().is_some_and(Switches::are_too_many)
    }

    /// An event was entered into the execution.
    #[inline(always)]
    pub(crate) fn enter(&mut self, event: &Event) {
        if self.unusual
            && let Some(switches) = &mut self.switches
        {
            switches.count(event);
        }
        if self.sites.get(event.site.index()).is_none_or(|&site| site == Site::Unmet) {
            self.meet(event.site);
        }
    }

    /// The newest event was taken back.
    #[inline(always)]
    pub(crate) fn leave(&mut self) {
        if self.unusual
            && let Some(switches) = &mut self.switches
        {
            switches.counted.pop();
        }
    }

    #[inline]
    fn is_racy(&self, site: SiteId) -> bool {
        self.sites.get(site.index()) == Some(&Site::Racy)
    }

    #[cold]
    fn meet(&mut self, site: SiteId) {
        if site.index() >= self.sites.len() {
            self.sites.resize(site.index() + 1, Site::Unmet);
        }
        self.sites[site.index()] = Site::Calm;
        self.calm += 1;
    }

    /// Remembers that two events raced.
    #[inline(always)]
    pub(crate) fn note_racy(&mut self, execution: &Execution, first: EventId, second: EventId) {
        // Where no site is calm, there is nothing to remember.
        if self.calm > 0 {
            for event in [first, second] {
                let site = execution.record(event).site;
                if !self.is_racy(site) {
                    self.meet_race(site);
                }
            }
        }
    }

    #[cold]
    fn meet_race(&mut self, site: SiteId) {
        match self.sites.get(site.index()) {
            Some(Site::Racy) => return,
            Some(Site::Calm) => {}
            Some(Site::Unmet) | None => self.meet(site),
        }
        self.sites[site.index()] = Site::Racy;
        self.calm -= 1;
    }
}

impl Switches {
    /// Counts the switch to the newest event's process, if it is one. Local steps come when they
    /// have to, and nobody sees them.
    #[cold]
    fn count(&mut self, event: &Event) {
        let (count, before) = self.counted.last().copied().unwrap_or_default();
        let counted = if event.is_local {
            (count, before)
        } else {
            let process = event.process;
            (count + usize::from(before.is_some_and(|before| before != process)), Some(process))
        };
        self.counted.push(counted);
    }

    fn are_too_many(&self) -> bool {
        self.counted.last().is_some_and(|&(count, _)| count > self.most)
    }
}

/// Somebody else than the one who has run for long.
#[cold]
fn pick_other<M: Machine>(
    machine: &mut M,
    tireless: ProcessId,
    allowed: &mut dyn FnMut(ProcessId) -> bool,
) -> Option<ProcessId> {
    let mut from = 0;
    while let Some(process) = machine.live().next_from(from) {
        from = process.index() + 1;
        if process != tireless && machine.is_enabled(process) && allowed(process) {
            return Some(process);
        }
    }
    None
}
