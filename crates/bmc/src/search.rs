//! Depth by depth: is there a violation after so many steps, and are there longer executions at
//! all?

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mazurka_process::Image;
use mazurka_process::hir::BodyKind;
use mazurka_process::symbolic::{Limits, Symbolic};
use mazurka_smt::solver::{Reason, Statistics, Usage};
use mazurka_smt::{Answer, Arena, Settings, Solver, Term};
use mazurka_trace::{Value, Violation};

use crate::frame::Added;
use crate::frame::{Frame, LocalState, Resting, Step, nothing_known};
use crate::guards::Guards;
use crate::independence::{Cases, Relation};
use crate::replay::{End, Found, Taken, replay};
use crate::rewrite::Workshop;
use crate::template::Template;
use crate::unroll::{Depth, Unrolled};
use crate::{Cutoff, DepthStatistics, Error, Options, Reduction, Report, monotonic, peephole};

/// Looks for a violation within so many steps.
///
/// # Errors
/// Where the solver fails, or contradicts the machine.
pub fn check(image: &Arc<Image>, options: &Options, settings: &Settings) -> Result<Report, Error> {
    let (mut search, added) = Search::new(image, options, settings)?;
    search.run(added)?;
    let bodies = search.unrolled.template.symbolic.bodies();
    search.report.processes = search.unrolled.instances.iter().filter(|instance| !bodies[instance.body].inputs).count();
    search.report.solver_time = search.solver.time();
    search.report.usage = search.solver.usage();
    if let Some(guards) = &search.guards {
        search.report.usage.add(guards.borrow_mut().usage());
    }
    search.report.time = search.begin.elapsed();
    Ok(search.report)
}

/// The search as far as it has come.
pub(crate) struct Search<'a> {
    pub(crate) image: &'a Arc<Image>,
    pub(crate) options: &'a Options,
    pub(crate) shop: Workshop,
    pub(crate) unrolled: Unrolled<'a>,
    pub(crate) solver: Solver,
    begin: Instant,
    report: Report,
    /// When the current depth was begun.
    marked: Instant,
    cases: RefCell<Cases>,
    guards: Option<RefCell<Guards>>,
}

/// What can be wrong in a frame.
pub(crate) struct Bad {
    /// Steps that fail, with the number of the step.
    pub(crate) steps: Vec<(usize, Term)>,
    /// Somebody can move.
    pub(crate) moves: Term,
    deadlock: Term,
    finally: Term,
    /// Loops that are cut.
    pub(crate) cuts: Vec<(Term, Cutoff)>,
}

impl<'a> Search<'a> {
    pub(crate) fn new(
        image: &'a Arc<Image>,
        options: &'a Options,
        settings: &Settings,
    ) -> Result<(Search<'a>, Added), Error> {
        let mut shop = Workshop::default();
        let symbolic = Symbolic::new(image, Limits { rounds: options.rounds, ..Limits::default() });
        let template = Template::new(&mut shop.arena, symbolic);
        let (unrolled, added) = Unrolled::new(&mut shop, template, options.processes);
        let (begin, mut solver) = (Instant::now(), Solver::start(settings.clone())?);
        // Formulas are nearly propositional, and who decides all variables decides such ones
        // several times as fast.
        solver.z3_option("smt.relevancy", "0");
        let report = Report {
            violation: None,
            steps: 0,
            cutoffs: Vec::new(),
            unknown: None,
            processes: 0,
            depths: Vec::new(),
            statistics: Statistics::default(),
            solver_time: Duration::ZERO,
            usage: Usage::default(),
            time: Duration::ZERO,
        };
        let synthesises = options.reduction == Reduction::Synth;
        let guards = if synthesises { Some(RefCell::new(Guards::new(settings)?)) } else { None };
        Ok((
            Search {
                image,
                options,
                shop,
                unrolled,
                solver,
                begin,
                report,
                marked: begin,
                cases: RefCell::default(),
                guards,
            },
            added,
        ))
    }

    fn run(&mut self, mut added: Added) -> Result<(), Error> {
        for depth in 0..=self.options.steps {
            self.marked = Instant::now();
            let before = self.solver.time();
            let done = self.depth(depth, &mut added)?;
            self.measure(depth, before)?;
            if done {
                return Ok(());
            }
            if depth == self.options.steps {
                break;
            }
            added = self.advance();
        }
        self.cut(Cutoff::Steps);
        Ok(())
    }

    /// Unrolls one step more.
    pub(crate) fn advance(&mut self) -> Added {
        let until = self.options.timeout.and_then(|timeout| self.begin.checked_add(timeout));
        let solver = &mut self.solver;
        let mut given_up = None;
        let mut possible = |arena: &mut Arena, terms: &[Term]| possible(solver, until, &mut given_up, arena, terms);
        let added = self.unrolled.advance(&mut self.shop, &mut possible);
        if let Some(reason) = given_up {
            self.give_up(reason);
        }
        added
    }

    /// Tells the solver what holds of the last frame, and of the step before it.
    pub(crate) fn assert_depth(&mut self, depth: usize, added: &Added) {
        let constraints = if depth == 0 { Vec::new() } else { self.constraints() };
        for &assertion in added.assertions.iter().chain(&constraints) {
            self.solver.assert(&self.shop.arena, assertion);
        }
    }

    /// What the reduction says about the last step and the one before it.
    fn constraints(&mut self) -> Vec<Term> {
        let Unrolled { template, depths, .. } = &mut self.unrolled;
        let [.., before, last] = &mut depths[..] else { unreachable!("there are two") };
        let reduction = self.options.reduction;
        let relation =
            Relation { reduction, template, frame: &before.frame, cases: &self.cases, guards: self.guards.as_ref() };
        match reduction {
            Reduction::None => Vec::new(),
            Reduction::Monotonic => {
                last.overtaken = monotonic::overtaken(&mut self.shop, &relation, before, last);
                monotonic::constraints(&mut self.shop, last)
            }
            _ => peephole::constraints(&mut self.shop, &relation, self.options.encoding, before, last),
        }
    }

    /// Looks at executions of exactly so many steps. True where that was the last that there is to
    /// look at.
    fn depth(&mut self, depth: usize, added: &mut Added) -> Result<bool, Error> {
        self.assert_depth(depth, added);
        let mut bad = self.bad();
        let last = depth == self.options.steps;
        let fails: Vec<Term> = bad.steps.iter().map(|&(_, fails)| fails).collect();
        if last {
            // They would be one step more.
            bad.steps.clear();
        }
        self.name_terms();
        if self.overcrowded(added)? || self.violation(&bad)? || self.cuts(&bad)? {
            return Ok(true);
        }
        self.report.steps = depth;
        let mut goes_on = self.unrolled.last().selected.clone();
        goes_on.extend(fails.iter().filter(|_| last));
        let goes_on = self.shop.arena.or(&goes_on);
        if self.shop.arena.is(goes_on, false) {
            return Ok(true);
        }
        self.solver.assert(&self.shop.arena, goes_on);
        match self.ask(None)? {
            Some(longer) => Ok(!longer),
            None => Ok(true),
        }
    }

    /// What can be wrong in the last frame.
    pub(crate) fn bad(&mut self) -> Bad {
        let (shop, last) = (&mut self.shop, self.unrolled.last());
        let mut steps = Vec::new();
        let mut cuts = Vec::new();
        for (number, step) in last.steps.iter().enumerate() {
            let faults: Vec<Term> = step.faults.iter().map(|&(when, ..)| when).collect();
            let faults = shop.arena.or(&faults);
            let turn = turn(shop, last, step);
            let fails = shop.arena.and(&[step.at, faults, turn]);
            if !shop.arena.is(fails, false) {
                steps.push((number, fails));
            }
            for &(when, site) in &step.cuts {
                cuts.push((shop.arena.and(&[step.at, when]), Cutoff::Rounds(site)));
            }
        }
        let moves: Vec<Term> = last
            .steps
            .iter()
            .map(|step| {
                let free = shop.arena.not(step.blocked);
                shop.arena.and(&[step.at, free])
            })
            .collect();
        let moves = shop.arena.or(&moves);
        let rests: Vec<Term> = last.steps.iter().map(|step| step.at).collect();
        let rests = shop.arena.or(&rests);
        let stuck = shop.arena.not(moves);
        let deadlock = shop.arena.and(&[rests, stuck]);
        let over = shop.arena.not(rests);
        let finally = self.finally(over, &mut cuts);
        Bad { steps, moves, deadlock, finally, cuts }
    }

    /// When everything is over and the finally block fails.
    fn finally(&mut self, over: Term, cuts: &mut Vec<(Term, Cutoff)>) -> Term {
        let template = &self.unrolled.template;
        let bodies = template.symbolic.bodies();
        let Some(body) = bodies.iter().position(|body| body.kind == BodyKind::Finally) else {
            return self.shop.arena.no();
        };
        let place = bodies[body].places[0];
        let last = self.unrolled.depths.last().expect("there is the initial one");
        let frame: &Frame = &last.frame;
        let shop = &mut self.shop;
        let state = LocalState { place, values: Rc::from([]) };
        let resting = Resting { state, at: over, locals: nothing_known(shop, template, body) };
        let step = frame.step(shop, template, (frame.processes.len(), body), &resting, &last.inputs);
        let mut fails: Vec<Term> = step.faults.iter().map(|&(when, ..)| when).collect();
        fails.push(step.blocked);
        let fails = shop.arena.or(&fails);
        for &(when, site) in &step.cuts {
            cuts.push((shop.arena.and(&[over, when]), Cutoff::Rounds(site)));
        }
        shop.arena.and(&[over, fails])
    }

    /// Lets the solver know the terms whose values will be requested.
    pub(crate) fn name_terms(&mut self) {
        let last = self.unrolled.last();
        let mut terms = last.selected.clone();
        for step in &last.steps {
            terms.push(step.at);
            terms.extend(step.choices.iter().flat_map(|&(when, value)| [when, value]));
        }
        self.solver.define(&self.shop.arena, &terms);
    }

    /// Whether there is a violation; then it is in the report.
    fn violation(&mut self, bad: &Bad) -> Result<bool, Error> {
        let mut terms: Vec<Term> = bad.steps.iter().map(|&(_, fails)| fails).collect();
        terms.extend([bad.deadlock, bad.finally]);
        let any = self.shop.arena.or(&terms);
        if self.shop.arena.is(any, false) {
            return Ok(false);
        }
        self.solver.define(&self.shop.arena, &terms);
        match self.ask(Some(any))? {
            None => Ok(true),
            Some(false) => {
                let none = self.shop.arena.not(any);
                self.solver.assert(&self.shop.arena, none);
                Ok(false)
            }
            Some(true) => {
                let (violation, steps) = self.counterexample(bad)?;
                self.report.violation = Some(violation);
                self.report.steps = steps;
                Ok(true)
            }
        }
    }

    /// Notes whether there are more processes than were made room for, and leaves out the
    /// executions that have them: where somebody is missing, what comes next is no state of the
    /// program. True where nothing more can be found out.
    fn overcrowded(&mut self, added: &Added) -> Result<bool, Error> {
        let overcrowded = self.shop.arena.or(&added.overcrowded);
        if self.shop.arena.is(overcrowded, false) {
            return Ok(false);
        }
        if !self.report.cutoffs.contains(&Cutoff::Processes) {
            match self.ask(Some(overcrowded))? {
                None => return Ok(true),
                Some(true) => self.cut(Cutoff::Processes),
                Some(false) => {}
            }
        }
        let room = self.shop.arena.not(overcrowded);
        self.solver.assert(&self.shop.arena, room);
        Ok(false)
    }

    /// Notes what was cut. True where nothing more can be found out.
    fn cuts(&mut self, bad: &Bad) -> Result<bool, Error> {
        for &(when, cutoff) in &bad.cuts {
            if self.shop.arena.is(when, false) || self.report.cutoffs.contains(&cutoff) {
                continue;
            }
            match self.ask(Some(when))? {
                None => return Ok(true),
                Some(true) => self.cut(cutoff),
                Some(false) => {}
            }
        }
        Ok(false)
    }

    fn cut(&mut self, cutoff: Cutoff) {
        if !self.report.cutoffs.contains(&cutoff) {
            self.report.cutoffs.push(cutoff);
        }
    }

    /// Whether something can hold, together with all that was asserted. Nothing where the solver
    /// does not know.
    pub(crate) fn ask(&mut self, what: Option<Term>) -> Result<Option<bool>, Error> {
        if self.report.cutoffs.iter().any(|cutoff| matches!(cutoff, Cutoff::Timeout | Cutoff::Stopped)) {
            return Ok(None);
        }
        if let Some(timeout) = self.options.timeout {
            let Some(left) = timeout.checked_sub(self.begin.elapsed()) else {
                self.cut(Cutoff::Timeout);
                return Ok(None);
            };
            self.solver.set_time_limit(Some(left));
        }
        let answer = match what {
            Some(what) => self.solver.check_assuming(&self.shop.arena, &[what])?,
            None => self.solver.check()?,
        };
        match answer {
            Answer::Sat => Ok(Some(true)),
            Answer::Unsat => Ok(Some(false)),
            Answer::Unknown(reason) => {
                self.give_up(reason);
                Ok(None)
            }
        }
    }

    /// Notes why a question has no answer.
    fn give_up(&mut self, reason: Reason) {
        self.cut(match &reason {
            Reason::TimeLimit => Cutoff::Timeout,
            Reason::Stopped => Cutoff::Stopped,
            Reason::Said(_) => Cutoff::Unknown,
        });
        if let Reason::Said(reason) = reason {
            self.report.unknown = Some(reason);
        }
    }

    /// The first so many steps of the execution that the solver has found.
    pub(crate) fn found(&mut self, steps: usize) -> Result<Found, Error> {
        let mut found: Found = Vec::new();
        for depth in 0..steps {
            let selected = self.unrolled.depths[depth].selected.clone();
            let process = self.truths(&selected)?.iter().position(|&is| is);
            let process = process.ok_or_else(|| Error::Mismatch(format!("nobody takes step {depth}")))?;
            let own: Vec<usize> = (0..self.unrolled.depths[depth].steps.len())
                .filter(|&step| self.unrolled.depths[depth].steps[step].process == process)
                .collect();
            let at: Vec<Term> = own.iter().map(|&step| self.unrolled.depths[depth].steps[step].at).collect();
            let at = self.truths(&at)?.iter().position(|&is| is);
            let at = at.ok_or_else(|| Error::Mismatch(format!("step {depth} begins nowhere")))?;
            found.push(self.taken(depth, own[at])?);
        }
        Ok(found)
    }

    /// The execution that the solver has found, run on the machine, and its number of steps.
    fn counterexample(&mut self, bad: &Bad) -> Result<(Violation, usize), Error> {
        let last = self.unrolled.depths.len() - 1;
        let mut found = self.found(last)?;
        let fails: Vec<Term> = bad.steps.iter().map(|&(_, fails)| fails).collect();
        let fails = self.truths(&fails)?.iter().position(|&is| is);
        let end = match fails {
            Some(which) => {
                let step = bad.steps[which].0;
                found.push(self.taken(last, step)?);
                End::Step
            }
            None if self.truths(&[bad.deadlock])? == [true] => End::Deadlock,
            None => End::Finally,
        };
        let violation = replay(self.image, &self.unrolled.instances, &found, end).map_err(Error::Mismatch)?;
        Ok((violation, found.len()))
    }

    /// A step of the execution that the solver has found.
    pub(crate) fn taken(&mut self, depth: usize, step: usize) -> Result<Taken, Error> {
        let variables = self.made(depth, step)?;
        let choices = self.chosen(&variables)?;
        let step = &self.unrolled.depths[depth].steps[step];
        let site = self.unrolled.template.symbolic.site(step.place);
        Ok(Taken { process: step.process, site, choices, variables })
    }

    /// The variables of the choices that a step makes.
    fn made(&mut self, depth: usize, step: usize) -> Result<Vec<Term>, Error> {
        let choices = self.unrolled.depths[depth].steps[step].choices.clone();
        let whens: Vec<Term> = choices.iter().map(|&(when, _)| when).collect();
        let made = self.truths(&whens)?;
        Ok(choices.iter().zip(made).filter(|(_, made)| *made).map(|(choice, _)| choice.1).collect())
    }

    /// The values chosen.
    fn chosen(&mut self, variables: &[Term]) -> Result<Vec<Value>, Error> {
        let values = self.solver.values(&self.shop.arena, variables)?;
        let integer = |value: &mazurka_smt::Value| value.as_int().and_then(|value| Value::try_from(value).ok());
        values
            .iter()
            .map(|value| integer(value).ok_or_else(|| Error::Mismatch("a choice beyond 64 bits".into())))
            .collect()
    }

    pub(crate) fn truths(&mut self, terms: &[Term]) -> Result<Vec<bool>, Error> {
        let values = self.solver.values(&self.shop.arena, terms)?;
        Ok(values.iter().map(|value| value.as_bool() == Some(true)).collect())
    }

    fn measure(&mut self, steps: usize, before: Duration) -> Result<(), Error> {
        let known = self.report.statistics;
        // After an answer that took too long, there may be no solver any more.
        let now = self.solver.statistics().unwrap_or(known);
        let time = self.solver.time() - before;
        self.report.statistics = now;
        self.report.depths.push(DepthStatistics {
            steps,
            time,
            encoding_time: self.marked.elapsed().saturating_sub(time),
            conflicts: now.conflicts.saturating_sub(known.conflicts),
            decisions: now.decisions.saturating_sub(known.decisions),
            terms: self.shop.arena.len(),
            size: self.solver.size(),
        });
        Ok(())
    }
}

/// When a step has its turn: nobody hurries who goes before it, as in [`Unrolled`]'s choice of who
/// takes one.
fn turn(shop: &mut Workshop, depth: &Depth, step: &Step) -> Term {
    let others = depth.steps.iter().filter(|other| other.at_local && other.process != step.process);
    let before = others.filter(|other| !step.at_local || depth.ranks[other.process] < depth.ranks[step.process]);
    let before: Vec<Term> = before.map(|other| other.at).collect();
    let before = shop.arena.or(&before);
    shop.arena.not(before)
}

/// Which of these can hold, found by models: each model shows some that can, and at last none of
/// the others can. Where the time is over or somebody says stop, that is in `given_up`; where the
/// solver fails, the next question will say so.
fn possible(
    solver: &mut Solver,
    until: Option<Instant>,
    given_up: &mut Option<Reason>,
    arena: &mut Arena,
    terms: &[Term],
) -> Vec<bool> {
    let mut known: Vec<bool> = terms.iter().map(|&term| arena.is(term, true)).collect();
    loop {
        let open: Vec<usize> = (0..terms.len()).filter(|&at| !known[at] && !arena.is(terms[at], false)).collect();
        let undecided: Vec<Term> = open.iter().map(|&at| terms[at]).collect();
        let any = arena.or(&undecided);
        if arena.is(any, false) {
            return known;
        }
        solver.define(arena, &undecided);
        if let Some(until) = until {
            // At least a moment: then the answer is that it was not enough.
            solver.set_time_limit(Some(until.saturating_duration_since(Instant::now())));
        }
        let found = match solver.check_assuming(arena, &[any]) {
            Ok(Answer::Unsat) => return known,
            Ok(Answer::Sat) => solver.values(arena, &undecided).unwrap_or_default(),
            Ok(Answer::Unknown(reason)) => {
                if !matches!(reason, Reason::Said(_)) {
                    *given_up = Some(reason);
                }
                Vec::new()
            }
            Err(_) => Vec::new(),
        };
        let shown: Vec<usize> =
            open.iter().zip(&found).filter(|(_, value)| value.as_bool() == Some(true)).map(|(&at, _)| at).collect();
        if shown.is_empty() {
            // It does not know: all that are left may be possible.
            open.iter().for_each(|&at| known[at] = true);
            return known;
        }
        shown.iter().for_each(|&at| known[at] = true);
    }
}
