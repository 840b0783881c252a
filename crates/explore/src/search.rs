//! What every algorithm stands on: the machine, the current execution, what was found so far, and when to stop.

mod ends;
mod observed;

use std::sync::atomic::Ordering;
use std::time::Instant;

use mazurka_machine::Machine;
use mazurka_relation::{Footprint, Footprints};
use mazurka_trace::{Ending, Event, EventId, FaultKind, Limit, LocationId, Outcome, ProcessId, SiteId};

use crate::choices::{Choices, Label, Script};
use crate::constraint::Size;
use crate::dont::InVain;
use crate::execution::{Execution, Race, Record, Walk};
use crate::findings::Findings;
use crate::hunt::Beside;
use crate::mutation::{self, Mutation};
use crate::plain::Plain;
use crate::plan::{Capabilities, Engine, Plan};
use crate::remarks::Remarks;
use crate::sleep::Sleeper;
use crate::{Monitor, Options};
pub(crate) use observed::Observed;

/// How often (in steps) the clock and the monitor are looked at.
const STRIDE: u32 = 2048;

/// The number of steps between two looks at whether the time is up. It divides [`STRIDE`].
const SHORT_STRIDE: u32 = 64;

/// How many steps in a row one process takes while others could run, in a long execution: one that never ends must not keep them from being seen.
const PATIENCE: usize = 1000;

/// An execution is long if it has one part in so many of the events allowed. In a shorter one, a long way of one process to its end is not to be run again for each order of what others do.
const LONG: usize = 64;

/// One way for a step to go: the choices it makes and what it uses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Variant {
    pub(crate) label: Label,
    pub(crate) footprint: Footprint,
    /// The processes whose ends it waits for: see [`Search::joined`].
    joined: Joined,
}

/// A list of processes whose ends a step waits for, by number. That can differ between the variants
/// of a step: to join a thread that is detached is an error that waits for nobody.
#[derive(Clone, Copy, Debug, Default)]
struct Joined(u32);

impl Variant {
    /// A step that waits for nobody, or of which nobody asks for whom.
    #[inline]
    pub(crate) fn new(label: Label, footprint: Footprint) -> Variant {
        Variant { label, footprint, joined: Joined::default() }
    }

    /// The step as it was, likewise.
    #[inline]
    pub(crate) fn of(record: &Record) -> Variant {
        Variant::new(record.label, record.footprint)
    }
}

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

/// Why an exploration does not go on from a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Leaf {
    /// Nobody can move, or a fault ended the execution.
    Complete,
    /// Somebody can move, but everything from here on was explored elsewhere.
    Blocked,
    /// The execution is longer than allowed.
    TooLong,
}

/// The state of an exploration.
pub(crate) struct Search<'a, M> {
    pub(crate) machine: &'a mut M,
    pub(crate) plan: Plan,
    pub(crate) execution: Execution,
    pub(crate) footprints: Footprints,
    pub(crate) choices: Choices,
    pub(crate) outcome: Outcome,
    pub(crate) findings: Findings,
    /// What is known of each site. Events that have been in a race are taken late, so that what does not race comes before
    /// and is not run again for each order of what does.
    sites: Vec<Site>,
    /// How many sites have been met and not been in a race.
    calm: usize,
    pub(crate) options: &'a Options,
    pub(crate) monitor: &'a Monitor,
    pub(crate) event: Event,
    /// Nobody asks for more than the plain order of events: no observers, no accesses set aside, no constraints, no limit of context switches, no random choice.
    ordinary: bool,
    /// What observers are told of, where they count.
    pub(crate) observed: Option<Observed>,
    /// What is set aside, where only synchronisation is interference.
    pub(crate) plain: Option<Plain>,
    random: Option<u64>,
    /// The context switches up to each event, and whose step the last one was that is not internal, where they are limited.
    switches: Vec<(usize, Option<ProcessId>)>,
    started: Instant,
    countdown: u32,
    /// As many executions as allowed have been explored: the next step is one too many.
    full: bool,
    pub(crate) stopped: bool,
    /// The time is up, or somebody interrupted. From then on the machine is not stepped any more, so it need not be where somebody
    /// who asked for it takes it to be: nothing is found out any more.
    late: bool,
    /// The lengths of all explorations together.
    lengths: u64,
    /// What the program's constraints say is taken into account: see [`crate::constraint`].
    pub(crate) is_constrained: bool,
    /// The largest integer that was met, without its sign, and how many events an execution had; where constraints count.
    pub(crate) size: Size,
    /// Scratch for that.
    pub(crate) decisive: Vec<LocationId>,
    /// The lists of processes whose ends variants of steps wait for.
    joined: Vec<Vec<ProcessId>>,
    pub(crate) walks: Vec<Walk>,
    pub(crate) sound: Vec<Sleeper>,
    /// What is left out and why, where that is asked for.
    pub(crate) remarks: Option<Remarks>,
    /// Who looks for failures beside this.
    pub(crate) beside: Option<&'a mut dyn Beside>,
}

impl<M> Search<'_, M> {
    /// The processes whose ends a variant waits for.
    pub(crate) fn joined(&self, variant: Variant) -> &[ProcessId] {
        variant.joined.0.checked_sub(1).map_or(&[], |number| &self.joined[number as usize])
    }
}

impl<'a, M: Machine> Search<'a, M> {
    /// By the plan for this machine.
    pub(crate) fn planned(machine: &'a mut M, options: &'a Options, monitor: &'a Monitor) -> Self {
        let plan = Plan::new(options.algorithm, &Capabilities::of(machine));
        Self::new(machine, plan, options, monitor)
    }

    pub(crate) fn new(machine: &'a mut M, plan: Plan, options: &'a Options, monitor: &'a Monitor) -> Self {
        let parts = plan.parts();
        machine.restart();
        if parts.observers {
            machine.observe();
        }
        let unusual = parts.observers
            || options.lock_races_only.is_some()
            || options.shuffle.is_some()
            || options.limits.switches.is_some()
            || parts.constraints;
        Self {
            machine,
            plan,
            ordinary: !unusual,
            execution: Execution::new(),
            footprints: Footprints::new(),
            choices: Choices::default(),
            outcome: Outcome::default(),
            findings: Findings::default(),
            sites: Vec::new(),
            calm: 0,
            options,
            monitor,
            event: Event::default(),
            observed: parts.observers.then(Observed::default),
            plain: options.lock_races_only.map(Plain::new),
            random: options.shuffle.map(|seed| seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1),
            switches: Vec::new(),
            started: Instant::now(),
            countdown: STRIDE,
            full: options.limits.executions == Some(0),
            stopped: false,
            late: false,
            lengths: 0,
            is_constrained: parts.constraints,
            size: Size::default(),
            decisive: Vec::new(),
            joined: Vec::new(),
            walks: Vec::new(),
            sound: Vec::new(),
            remarks: None,
            beside: None,
        }
    }

    /// Another exploration with the same machine, begun at the same time, while this one pauses.
    pub(crate) fn another(&mut self, plan: Plan) -> Search<'_, M> {
        let beside = self.beside.as_mut().map(|beside| &mut **beside as &mut dyn Beside);
        Search { started: self.started, beside, ..Search::new(self.machine, plan, self.options, self.monitor) }
    }

    /// Another exploration has come to an end: this is what came of it. Not to be gone on with.
    pub(crate) fn adopt(&mut self, outcome: Outcome) {
        self.findings = Findings::default();
        self.outcome = outcome;
    }

    /// What was done so far: events executed, and executions looked at for races, which costs about twice as much for each event.
    #[inline]
    pub(crate) fn work(&self) -> u64 {
        self.outcome.events + 2 * self.lengths
    }

    /// Brings the machine to the state before position `position` of the current execution.
    #[inline(always)]
    pub(crate) fn seek(&mut self, position: usize) {
        let steps = self.machine.steps();
        if steps > position {
            self.machine.rewind(position);
        } else if steps < position {
            self.step_forward(position);
        }
    }

    #[cold]
    fn step_forward(&mut self, position: usize) {
        for at in self.machine.steps()..position {
            if self.late {
                return;
            }
            let record = *self.execution.record(EventId::new(at));
            self.try_step(record.process, Script::Exactly(record.label));
        }
    }

    /// Whether the exploration has to end at once: to be asked in whatever takes long without stepping the machine. What was being found
    /// out then is worth nothing.
    #[inline(always)]
    pub(crate) fn is_late(&mut self) -> bool {
        if self.monitor.is_due() {
            self.look_around();
        }
        self.late
    }

    /// Steps the machine without entering the event into the execution; the event is left in the buffer. Does nothing where it is late.
    #[inline(always)]
    pub(crate) fn try_step(&mut self, process: ProcessId, script: Script) {
        if self.late {
            return;
        }
        self.machine.step(process, self.choices.script(script), &mut self.event);
        self.outcome.events += u64::from(!self.event.internal);
        if !self.ordinary {
            if self.observed.is_some() {
                self.event.show_unseen();
                self.look_for_waits();
            }
            if let Some(plain) = &mut self.plain {
                plain.set_aside(&mut self.event);
            }
        }
        self.countdown -= 1;
        if self.countdown.is_multiple_of(SHORT_STRIDE) && (self.countdown == 0 || self.monitor.is_due()) {
            self.look_around();
        }
    }

    /// Forgets what was explored, but not what was learned about who waits for what.
    pub(crate) fn begin_again(&mut self) {
        self.machine.restart();
        self.execution = Execution::new();
        self.findings = Findings::default();
        self.outcome = Outcome { events: self.outcome.events, ..Outcome::default() };
        self.full = self.options.limits.executions == Some(0);
        self.stopped = false;
        if let Some(observed) = &mut self.observed {
            observed.begin_again();
        }
        self.remarks = self.remarks.take().map(|_| Remarks::default());
    }

    /// The variant that the event in the buffer is.
    #[inline(always)]
    pub(crate) fn variant(&mut self) -> Variant {
        let label = self.choices.label(&self.event.choices);
        let footprint = self.footprints.of(self.event.site, &self.event.accesses);
        let joined = if self.event.joined.is_empty() { Joined::default() } else { self.join_list() };
        Variant { label, footprint, joined }
    }

    /// The number of the list of processes whose ends the event in the buffer waited for.
    #[cold]
    fn join_list(&mut self) -> Joined {
        let lists = &mut self.joined;
        let known = lists.iter().position(|list| *list == self.event.joined);
        let number = known.unwrap_or_else(|| {
            lists.push(self.event.joined.clone());
            lists.len() - 1
        });
        Joined(number as u32 + 1)
    }

    /// Runs the next step of the current execution.
    #[inline(always)]
    pub(crate) fn advance(&mut self, process: ProcessId, script: Script) {
        if self.full {
            return self.stop(Limit::Executions);
        }
        self.seek(self.execution.len());
        self.try_step(process, script);
        if self.late {
            return;
        }
        let Variant { label, footprint, .. } = self.variant();
        if self.is_constrained && self.observed.is_none() {
            self.push_constrained(label, footprint);
        } else {
            if self.is_constrained {
                self.measure();
            }
            self.execution.push(&self.event, label, footprint);
        }
        if !self.ordinary {
            if let Some(plain) = &mut self.plain {
                plain.enter(EventId::new(self.execution.len() - 1));
            }
            if self.options.limits.switches.is_some() {
                self.count_switch();
            }
        }
        if self.sites.get(self.event.site.index()).is_none_or(|&site| site == Site::Unmet) {
            self.meet(self.event.site);
        }
        if !self.event.faults.is_empty() || self.event.ending == Ending::OutOfFuel {
            self.judge_event();
        }
    }

    /// Something went wrong in the newest event.
    #[cold]
    fn judge_event(&mut self) {
        if self.late {
            return;
        }
        if self.observed.is_some() && self.execution.is_cut_short() {
            self.order_so_far();
            if self.is_late() || (self.is_constrained && self.has_learned()) {
                return;
            }
        }
        if !self.event.faults.is_empty() && !self.execution.is_after_cut() {
            if (self.is_constrained || self.observed.is_some()) && self.execution.is_cut_short() {
                // An assumption that failed before in the execution, and does not happen before this, is left out.
                self.findings.note_past(&self.event.faults, &self.execution, &self.choices);
            } else {
                self.findings.note(&self.event.faults, &self.execution, &self.choices);
            }
            // Where accesses are set aside, what follows from a data race is not explored in both orders.
            let races = self.event.faults.iter().any(|fault| fault.kind == FaultKind::DataRace);
            self.stopped |= !self.options.all || (races && self.plain.is_some());
        }
        if self.event.ending == Ending::OutOfFuel {
            self.outcome.reached(Limit::Fuel);
            if self.outcome.endless.is_none() {
                let process = self.event.process;
                let is_live = self.machine.live().contains(process);
                let site = if is_live { self.machine.pending(process) } else { self.event.site };
                self.outcome.endless = Some((process, site));
            }
        }
    }

    /// Takes the newest event back. The machine follows when it is needed.
    #[inline(always)]
    pub(crate) fn retreat(&mut self) -> Record {
        let record = self.execution.pop();
        if !self.ordinary {
            if self.options.limits.switches.is_some() {
                self.switches.pop();
            }
            if let Some(plain) = &mut self.plain {
                plain.truncate(self.execution.len());
            }
        }
        self.findings.forget_from(self.execution.len());
        record
    }

    /// Whether the newest event ended the execution.
    #[inline]
    pub(crate) fn has_halted(&self) -> bool {
        self.execution.last().is_some_and(|last| matches!(last.ending, Ending::Halts | Ending::OutOfFuel))
    }

    /// Whether the second event of a race could do something else if it ran before the first. Where the exploration goes on
    /// after a failure, that includes failing: then it ends the execution.
    #[inline]
    pub(crate) fn could_differ(&self, race: &Race) -> bool {
        let record = self.execution.record(race.second);
        let varies = record.varies || (self.options.all && race.first.is_some());
        let reads = || race.first.is_none_or(|first| self.execution.reads_from(first, race.second));
        // What it uses there stands in a wakeup tree. Others that it is not ordered with, because of the first event, could change that.
        let reads = || self.is_constrained && self.plan.parts().engine == Engine::WakeupTrees || reads();
        let differs = record.footprint == Footprint::HALT || (varies && reads());
        differs && !mutation::on(Mutation::NeverPeek)
    }

    /// Whether the execution has as many events as allowed, so that no step may be added to it.
    #[inline]
    pub(crate) fn is_too_long(&self) -> bool {
        self.execution.visible() >= self.options.limits.depth || (!self.ordinary && self.has_too_many_switches())
    }

    /// Whether the execution has more context switches than allowed.
    #[cold]
    fn has_too_many_switches(&self) -> bool {
        let count = self.switches.last().map_or(0, |&(count, _)| count);
        self.options.limits.switches.is_some_and(|most| count > most)
    }

    /// Counts the switch to the newest event's process, if it is one. Internal steps come when they have to, and nobody sees them.
    #[cold]
    fn count_switch(&mut self) {
        let (count, before) = self.switches.last().copied().unwrap_or_default();
        let counted = if self.event.internal {
            (count, before)
        } else {
            let process = self.event.process;
            (count + usize::from(before.is_some_and(|before| before != process)), Some(process))
        };
        self.switches.push(counted);
    }

    /// Who stepped last, if they can go on: where context switches are limited.
    #[cold]
    fn going_on(&mut self, allowed: &mut impl FnMut(ProcessId) -> bool) -> Option<ProcessId> {
        let (_, process) = self.switches.last().copied()?;
        process.filter(|&process| {
            self.machine.live().contains(process) && self.machine.is_enabled(process) && allowed(process)
        })
    }

    /// Picks who goes first in the current state, among those enabled and allowed: nobody known to race if
    /// possible, then the one with the smallest number; or anybody at random, if that was asked for. Also tells
    /// whether somebody is enabled at all.
    #[inline(always)]
    pub(crate) fn pick(&mut self, mut allowed: impl FnMut(ProcessId) -> bool) -> (Option<ProcessId>, bool) {
        if !self.ordinary {
            if self.random.is_some() {
                return self.pick_at_random(allowed);
            }
            if self.options.limits.switches.is_some()
                && let Some(process) = self.going_on(&mut allowed)
            {
                return (Some(process), true);
            }
        }
        if self.execution.len() >= self.options.limits.depth / LONG
            && let Some(tireless) = self.execution.alone_for(PATIENCE)
            && let Some(other) = self.pick_other(tireless, &mut allowed)
        {
            return (Some(other), true);
        }
        let (mut racy, mut any_enabled, mut from) = (None, false, 0);
        while let Some(process) = self.machine.live().next_from(from) {
            from = process.index() + 1;
            let is_racy = self.calm > 0 && self.is_racy(process);
            if (is_racy && racy.is_some()) || !self.machine.is_enabled(process) {
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

    /// Whether accesses are set aside, because only synchronisation is interference.
    pub(crate) fn sets_aside(&self) -> bool {
        self.plain.is_some()
    }

    /// Whether the context switches of an execution are limited.
    pub(crate) fn limits_switches(&self) -> bool {
        self.options.limits.switches.is_some()
    }

    /// Somebody else than the one who has run for long.
    #[cold]
    fn pick_other(&mut self, tireless: ProcessId, allowed: &mut dyn FnMut(ProcessId) -> bool) -> Option<ProcessId> {
        let mut from = 0;
        while let Some(process) = self.machine.live().next_from(from) {
            from = process.index() + 1;
            if process != tireless && self.machine.is_enabled(process) && allowed(process) {
                return Some(process);
            }
        }
        None
    }

    fn pick_at_random(&mut self, mut allowed: impl FnMut(ProcessId) -> bool) -> (Option<ProcessId>, bool) {
        let (mut any_enabled, mut from, mut picked, mut seen) = (false, 0, None, 0);
        while let Some(process) = self.machine.live().next_from(from) {
            from = process.index() + 1;
            if !self.machine.is_enabled(process) {
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

    fn next_random(&mut self) -> u64 {
        let state = self.random.as_mut().expect("asked for only where there is a seed");
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        *state >> 11
    }

    #[inline]
    fn is_racy(&self, process: ProcessId) -> bool {
        self.sites.get(self.machine.pending(process).index()) == Some(&Site::Racy)
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
    pub(crate) fn note_racy(&mut self, first: EventId, second: EventId) {
        // Where no site is calm, there is nothing to remember.
        if self.calm > 0 {
            for event in [first, second] {
                let site = self.execution.record(event).site;
                if self.sites.get(site.index()) != Some(&Site::Racy) {
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

    /// The variants of `process`'s next step in the machine's current state, which is left as it was; none if the
    /// process cannot move.
    pub(crate) fn variants(&mut self, process: ProcessId, variants: &mut Vec<Variant>) {
        variants.clear();
        if !self.machine.live().contains(process) || !self.machine.is_enabled(process) {
            return;
        }
        let steps = self.machine.steps();
        let mut script = Script::First;
        loop {
            self.try_step(process, script);
            if self.late {
                return;
            }
            let variant = self.variant();
            self.machine.rewind(steps);
            variants.push(variant);
            if !self.choices.has_next(variant.label) || self.stopped {
                return;
            }
            script = Script::After(variant.label);
        }
    }

    /// The variant of `process`'s step that comes after the one with these choices, or the first one after the last, in the
    /// machine's current state, which is left as it was; none if there is no other.
    pub(crate) fn next_variant(&mut self, process: ProcessId, label: Label) -> Option<Variant> {
        if !self.machine.live().contains(process) || !self.machine.is_enabled(process) {
            return None;
        }
        let script = if self.choices.has_next(label) { Script::After(label) } else { Script::First };
        let steps = self.machine.steps();
        self.try_step(process, script);
        if self.late {
            return None;
        }
        let variant = self.variant();
        self.machine.rewind(steps);
        Some(variant).filter(|variant| variant.label != label)
    }

    /// The first variant of `process`'s step, from `script` on, that `wanted` accepts; in the machine's current state, which is
    /// left as it was.
    pub(crate) fn first_variant(
        &mut self,
        process: ProcessId,
        mut script: Script,
        wanted: impl Fn(Label) -> bool,
    ) -> Option<Label> {
        let steps = self.machine.steps();
        loop {
            self.try_step(process, script);
            if self.late {
                return None;
            }
            let label = self.variant().label;
            self.machine.rewind(steps);
            if wanted(label) {
                return Some(label);
            }
            if !self.choices.has_next(label) || self.stopped {
                return None;
            }
            script = Script::After(label);
        }
    }

    /// Brings the machine to the state in which all events up to `end` have run but `second`, and those that happen after it or
    /// after one of `removed`. The machine is to be rewound to the position of the first one removed before anything else is done. Where it is late,
    /// the machine stays somewhere on the way.
    pub(crate) fn replay_without(&mut self, removed: &[EventId], second: EventId, end: usize) {
        let first = removed.iter().min().expect("something is removed").index();
        self.seek(first);
        for event in (first + 1..end).map(EventId::new) {
            if !self.execution.is_removed(event, removed) && !self.execution.happens_before(second, event) {
                let record = *self.execution.record(event);
                // After a data race that nobody has looked for, events need not replay.
                let exact = self.options.lock_races_only.is_none();
                if !exact && !self.can_step(record.process) {
                    continue;
                }
                self.try_step(record.process, Script::Exactly(record.label));
                if self.late {
                    return;
                }
                if cfg!(any(debug_assertions, feature = "checking")) && exact {
                    assert!(self.variant().footprint == record.footprint, "independent events replay");
                }
            }
        }
    }

    /// What the processes that wait at the end of the execution wait for; where its last event ended it, those that
    /// waited when that event ran. Where it was run in vain, both: without it, the execution had come to its end there.
    pub(crate) fn attempts(&mut self, cut: Option<InVain>, attempts: &mut Vec<Event>) {
        let end = self.execution.len();
        let halted = self.has_halted();
        let in_vain = cut.is_some() && !mutation::on(Mutation::InVainWithoutAttempts);
        self.seek(end - usize::from(halted || in_vain));
        let mut count = self.add_attempts(attempts, 0);
        if in_vain && !halted {
            self.seek(end);
            count = self.add_attempts(attempts, count);
        }
        attempts.truncate(count);
    }

    /// The attempts of those who wait in the machine's state, after the first `count`, which are known.
    #[inline]
    fn add_attempts(&mut self, attempts: &mut Vec<Event>, mut count: usize) -> usize {
        let (known, mut from) = (count, 0);
        if mutation::on(Mutation::ForgetAttempts) {
            return count;
        }
        while let Some(process) = self.machine.live().next_from(from) {
            from = process.index() + 1;
            if self.machine.is_enabled(process) || attempts[..known].iter().any(|known| known.process == process) {
                continue;
            }
            if count == attempts.len() {
                attempts.push(Event::default());
            }
            self.machine.attempt(process, &mut attempts[count]);
            self.look_at_attempt(&attempts[count]);
            count += 1;
        }
        count
    }

    /// Enters an attempt into the execution, for its races to be found. It is to be taken back at once.
    pub(crate) fn push_attempt(&mut self, attempt: &Event) {
        let footprint = self.footprints.of(attempt.site, &attempt.accesses);
        if self.is_constrained {
            return self.push_attempt_constrained(attempt, footprint);
        }
        self.execution.push(attempt, Label::NONE, footprint);
    }

    fn stop(&mut self, limit: Limit) {
        self.outcome.reached(limit);
        self.stopped = true;
        self.late |= matches!(limit, Limit::Timeout | Limit::Interrupted);
    }

    #[cold]
    fn look_around(&mut self) {
        self.countdown = STRIDE;
        self.monitor.executions.store(self.outcome.executions, Ordering::Relaxed);
        self.monitor.blocked.store(self.outcome.blocked, Ordering::Relaxed);
        self.monitor.events.store(self.outcome.events, Ordering::Relaxed);
        self.monitor.depth.store(self.execution.visible() as u64, Ordering::Relaxed);
        if self.monitor.cancel.load(Ordering::Relaxed) {
            self.stop(Limit::Interrupted);
        }
        let is_up = |limit| self.monitor.late.load(Ordering::Relaxed) || self.started.elapsed() >= limit;
        if self.options.limits.timeout.is_some_and(is_up) {
            self.stop(Limit::Timeout);
        }
        if !self.stopped && self.beside.as_mut().is_some_and(|beside| beside.go_on(STRIDE)) {
            self.stopped = true;
        }
    }

    /// Ends the exploration.
    pub(crate) fn conclude(mut self) -> Outcome {
        if self.plain.as_ref().is_some_and(Plain::has_passed_over) {
            self.outcome.reached(Limit::DataRaces);
        }
        self.outcome.violations.extend(self.findings.into_violations());
        self.outcome.time = self.started.elapsed();
        self.machine.restart();
        self.outcome
    }
}
