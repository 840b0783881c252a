//! The machine, and where it is: seeking a position of the current execution, trying a step,
//! running events again without some of them.
//!
//! The machine follows the execution lazily. Whoever needs it somewhere seeks; whoever steps it
//! away from the execution rewinds it.

mod known;

use mazurka_machine::{Heard, Machine};
use mazurka_relation::Footprint;
use mazurka_trace::{Ending, Event, EventId, ProcessId, Value};

use crate::choices::{ChoiceId, Script};
use crate::execution::{Cut, Execution};
use crate::mutation::{self, Mutation};
use crate::names::{Names, Variant};
use crate::pace::Pace;
use crate::plain::Plain;
pub(crate) use known::Known;

/// A machine in the course of an exploration.
pub(crate) struct Cursor<'a, M> {
    pub(crate) machine: &'a mut M,
    /// What the last step did.
    pub(crate) event: Event,
    pub(crate) names: Names,
    pub(crate) pace: Pace<'a>,
    /// What is known about who observes what, where that counts.
    pub(crate) known: Known,
    /// What is set aside, where only synchronisation is interference.
    pub(crate) plain: Option<Plain>,
    /// Events are seen as the machine tells them.
    ordinary: bool,
    /// Events that are not ordered replay. Where accesses are set aside, they need not, after a
    /// data race that nobody has looked for.
    replays: bool,
}

impl<'a, M: Machine> Cursor<'a, M> {
    /// At the initial state.
    pub(crate) fn new(machine: &'a mut M, pace: Pace<'a>, known: Known, plain: Option<Plain>) -> Self {
        machine.restart();
        machine.hear(Heard::Begun);
        if known.counts {
            machine.observe();
        }
        let (ordinary, replays) = (!known.counts && plain.is_none(), plain.is_none());
        Self { machine, event: Event::default(), names: Names::default(), pace, known, plain, ordinary, replays }
    }

    /// Back to the initial state, to begin again with what was learned.
    pub(crate) fn begin_again(&mut self) {
        self.machine.restart();
        self.machine.hear(Heard::Begun);
        self.pace.begin_again();
        self.known.begin_again();
    }

    /// From now on, nothing is set aside.
    pub(crate) fn set_nothing_aside(&mut self) {
        self.plain = None;
        (self.ordinary, self.replays) = (!self.known.counts, true);
    }

    /// Whether the exploration has to end at once: see [`Pace::is_late`].
    #[inline(always)]
    pub(crate) fn is_late(&mut self) -> bool {
        self.pace.is_late()
    }

    /// Whether accesses are set aside, because only synchronisation is interference.
    #[inline]
    pub(crate) fn sets_aside(&self) -> bool {
        !self.replays
    }

    /// Whether a process can step in the machine's current state.
    pub(crate) fn can_step(&mut self, process: ProcessId) -> bool {
        self.machine.live().contains(process) && self.machine.is_enabled(process)
    }

    /// Brings the machine to the state before position `position` of an execution.
    #[inline(always)]
    pub(crate) fn seek(&mut self, execution: &Execution, position: usize) {
        let steps = self.machine.steps();
        if steps > position {
            self.machine.rewind(position);
        } else if steps < position {
            self.step_forward(execution, position);
        }
    }

    #[cold]
    fn step_forward(&mut self, execution: &Execution, position: usize) {
        for at in self.machine.steps()..position {
            if self.pace.was_late() {
                return;
            }
            self.repeat(execution, EventId::new(at));
        }
    }

    /// Steps the machine without entering the event into the execution; the event is left in the
    /// buffer. Does nothing where it is late.
    #[inline(always)]
    pub(crate) fn try_step(&mut self, process: ProcessId, script: Script) {
        if self.pace.was_late() {
            return;
        }
        self.machine.step(process, self.names.choices.script(script), &mut self.event);
        if !self.ordinary {
            self.see();
        }
        self.pace.count(self.event.is_local);
    }

    /// The same with the values of the data choices.
    pub(crate) fn try_values(&mut self, process: ProcessId, values: &[Value]) {
        if self.pace.was_late() {
            return;
        }
        self.machine.step(process, values, &mut self.event);
        if !self.ordinary {
            self.see();
        }
        self.pace.count(self.event.is_local);
    }

    /// Whoever looks at events in another way than the machine tells them does so now.
    #[cold]
    fn see(&mut self) {
        if self.known.counts {
            self.event.show_unseen();
            self.learn_from_event();
        }
        if let Some(plain) = &mut self.plain {
            plain.set_aside(&mut self.event);
        }
    }

    /// Steps the machine as an event of the execution did.
    #[inline]
    pub(crate) fn repeat(&mut self, execution: &Execution, event: EventId) {
        let record = execution.record(event);
        self.try_step(record.process, Script::Exactly(record.choice));
    }

    /// The variant that the event in the buffer is.
    #[inline(always)]
    pub(crate) fn variant(&mut self) -> Variant {
        self.names.variant(&self.event)
    }

    /// The variants of `process`'s next step in the machine's current state, which is left as it
    /// was; none if the process cannot move.
    pub(crate) fn variants(&mut self, process: ProcessId, variants: &mut Vec<Variant>) {
        variants.clear();
        if !self.can_step(process) {
            return;
        }
        let steps = self.machine.steps();
        let mut script = Script::First;
        loop {
            self.try_step(process, script);
            if self.pace.was_late() {
                return;
            }
            let variant = self.variant();
            self.machine.rewind(steps);
            variants.push(variant);
            if !self.names.choices.has_next(variant.choice) || self.pace.stopped {
                return;
            }
            script = Script::After(variant.choice);
        }
    }

    /// The variant of `process`'s step that comes after the one with these choices, or the first
    /// one after the last, in the machine's current state, which is left as it was; none if there
    /// is no other.
    pub(crate) fn next_variant(&mut self, process: ProcessId, choice: ChoiceId) -> Option<Variant> {
        if !self.can_step(process) {
            return None;
        }
        let script = if self.names.choices.has_next(choice) { Script::After(choice) } else { Script::First };
        let steps = self.machine.steps();
        self.try_step(process, script);
        if self.pace.was_late() {
            return None;
        }
        let variant = self.variant();
        self.machine.rewind(steps);
        Some(variant).filter(|variant| variant.choice != choice)
    }

    /// The first variant of `process`'s step, from `script` on, that `wanted` accepts; in the
    /// machine's current state, which is left as it was.
    pub(crate) fn first_variant(
        &mut self,
        process: ProcessId,
        mut script: Script,
        wanted: impl Fn(ChoiceId) -> bool,
    ) -> Option<ChoiceId> {
        let steps = self.machine.steps();
        loop {
            self.try_step(process, script);
            if self.pace.was_late() {
                return None;
            }
            let choice = self.variant().choice;
            self.machine.rewind(steps);
            if wanted(choice) {
                return Some(choice);
            }
            if !self.names.choices.has_next(choice) || self.pace.stopped {
                return None;
            }
            script = Script::After(choice);
        }
    }

    /// Brings the machine to the state in which all events up to `end` have run but `second`, and
    /// those that happen after it or after one of `removed`. The machine is to be rewound to the
    /// position of the first one removed before anything else is done. Where it is late, the
    /// machine stays somewhere on the way.
    pub(crate) fn replay_without(&mut self, execution: &Execution, removed: &[EventId], second: EventId, end: usize) {
        let first = removed.iter().min().expect("something is removed").index();
        self.seek(execution, first);
        for event in (first + 1..end).map(EventId::new) {
            if execution.is_removed(event, removed) || execution.happens_before(second, event) {
                continue;
            }
            if !self.replays && !self.can_step(execution.record(event).process) {
                continue;
            }
            self.repeat(execution, event);
            if self.pace.was_late() {
                return;
            }
            if cfg!(any(debug_assertions, feature = "checking")) && self.replays {
                let footprint = execution.record(event).footprint;
                assert!(self.variant().footprint == footprint, "independent events replay");
            }
        }
    }

    /// Brings the machine to the state in which of all events before `second` those have run that
    /// happen before it, but not those that happen after one of `removed`. What `second` finds
    /// there is what it would find after the others, too. The machine is to be rewound as after
    /// [`Cursor::replay_without`].
    pub(crate) fn replay_past_without(&mut self, execution: &Execution, removed: &[EventId], second: EventId) {
        let first = removed.iter().min().expect("something is removed").index();
        self.seek(execution, first);
        for event in (first + 1..second.index()).map(EventId::new) {
            if execution.happens_before(event, second) && !execution.is_removed(event, removed) {
                self.repeat(execution, event);
                if self.is_late() {
                    return;
                }
                debug_assert!(
                    self.variant().footprint == execution.record(event).footprint,
                    "independent events replay"
                );
            }
        }
    }

    /// What the processes that wait at the end of the execution wait for; where its last event
    /// ended it, those that waited when that event ran. Where that event was redundant, both:
    /// without it, the execution had come to its end there.
    pub(crate) fn disabled_steps(&mut self, execution: &Execution, cut: Option<Cut>, disabled_steps: &mut Vec<Event>) {
        let end = execution.len();
        let halted = execution.has_halted();
        let redundant = cut.is_some() && !mutation::on(Mutation::RedundantWithoutDisabledSteps);
        self.seek(execution, end - usize::from(halted || redundant));
        let mut count = self.add_disabled_steps(disabled_steps, 0);
        if redundant && !halted {
            self.seek(execution, end);
            count = self.add_disabled_steps(disabled_steps, count);
        }
        disabled_steps.truncate(count);
    }

    /// The disabled steps of those who wait in the machine's state, after the first `count`, which
    /// are known.
    #[inline]
    fn add_disabled_steps(&mut self, disabled_steps: &mut Vec<Event>, mut count: usize) -> usize {
        let (known, mut from) = (count, 0);
        if mutation::on(Mutation::ForgetDisabledSteps) {
            return count;
        }
        while let Some(process) = self.machine.live().next_from(from) {
            from = process.index() + 1;
            if self.machine.is_enabled(process) || disabled_steps[..known].iter().any(|known| known.process == process)
            {
                continue;
            }
            if count == disabled_steps.len() {
                disabled_steps.push(Event::default());
            }
            self.machine.disabled_step(process, &mut disabled_steps[count]);
            count += 1;
        }
        count
    }

    /// Steps a process with these choices, if it can do just that; gives what it used.
    pub(crate) fn step_exactly(&mut self, process: ProcessId, choice: ChoiceId) -> Option<Footprint> {
        if !self.can_step(process) {
            return None;
        }
        self.try_step(process, Script::Exactly(choice));
        if self.is_late() {
            return None;
        }
        let done = self.variant();
        (done.choice == choice && self.event.ending == Ending::Continues).then_some(done.footprint)
    }

    /// What the program accesses when every process has ended, as they have. The machine is to be
    /// rewound before anything else is done.
    pub(crate) fn last_word(&mut self) -> Footprint {
        if self.machine.conclude(&mut self.event) {
            self.names.footprints.of(self.event.site, &self.event.accesses)
        } else {
            Footprint::EMPTY
        }
    }
}
