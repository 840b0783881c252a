//! The encoding of Section 3.1: from one frame to the next.

use std::rc::Rc;

use mazurka_smt::{Sort, Term};
use rustc_hash::FxHashMap;

use crate::frame::{Added, Frame, Instance, Process, Spawn, Step, unstarted};
use crate::prune::{Possible, prune};
use crate::rest::Ways;
use crate::rewrite::{Content, Workshop};
use crate::template::Template;

/// A frame with the steps from it, and who takes one.
pub(crate) struct Depth {
    pub(crate) frame: Frame,
    pub(crate) steps: Vec<Step>,
    /// The paper's `sel`, one truth value for each process: it takes a step.
    pub(crate) selected: Vec<Term>,
    /// Of processes with local code to run before all else, the one of the lowest rank goes first.
    pub(crate) ranks: Vec<usize>,
    /// Variables for the data choices of the step taken.
    pub(crate) inputs: Vec<Term>,
    /// The processes that are overtaken: see [`monotonic`](crate::monotonic).
    pub(crate) overtaken: Vec<Term>,
}

/// The program, unrolled so far.
pub(crate) struct Unrolled<'a> {
    pub(crate) template: Template<'a>,
    pub(crate) instances: Vec<Instance>,
    numbers: FxHashMap<Instance, usize>,
    pub(crate) depths: Vec<Depth>,
    most_processes: usize,
}

impl<'a> Unrolled<'a> {
    /// The initial state alone.
    pub(crate) fn new(shop: &mut Workshop, template: Template<'a>, most_processes: usize) -> (Unrolled<'a>, Added) {
        let (mut frame, instances, starts) = Frame::initial(shop, &template);
        let mut added = Added::default();
        let (process, yes) = (unstarted(shop), shop.arena.yes());
        for (number, start) in starts.iter().enumerate() {
            let mut ways = Ways::staying(shop, (number, instances[number].body), &process, yes);
            ways.starts(shop, &template, yes, start);
            frame.processes.push(ways.process(shop, &format!("l.0.{number}"), &mut added));
        }
        let mut unrolled =
            Unrolled { template, instances, numbers: FxHashMap::default(), depths: Vec::new(), most_processes };
        unrolled.enter(shop, frame, &mut added);
        (unrolled, added)
    }

    /// The last frame.
    pub(crate) fn last(&self) -> &Depth {
        self.depths.last().expect("there is the initial one")
    }

    /// One more frame: what holds after the step from the last one.
    pub(crate) fn advance(&mut self, shop: &mut Workshop, possible: &mut Possible<'_>) -> Added {
        let mut added = Added::default();
        let mut frame = self.next_frame(shop, &mut added);
        prune(shop, &self.last().frame, &mut frame, possible);
        self.enter(shop, frame, &mut added);
        added
    }

    fn enter(&mut self, shop: &mut Workshop, frame: Frame, added: &mut Added) {
        let depth = self.depths.len();
        let count = self.template.choices.len();
        let inputs: Vec<Term> =
            (0..count).map(|nth| shop.arena.variable(&format!("in.{depth}.{nth}"), Sort::Int)).collect();
        let steps = frame.steps(shop, &self.template, &self.instances, &inputs);
        let bodies = self.template.symbolic.bodies();
        let rank = |(number, instance): (usize, &Instance)| if bodies[instance.body].inputs { 0 } else { number + 1 };
        let ranks: Vec<usize> = self.instances.iter().enumerate().map(rank).collect();
        let selected = select(shop, depth, &ranks, &steps, added);
        let overtaken = vec![shop.arena.no(); selected.len()];
        self.depths.push(Depth { frame, steps, selected, ranks, inputs, overtaken });
    }

    fn next_frame(&mut self, shop: &mut Workshop, added: &mut Added) -> Frame {
        let depth = self.depths.len();
        let last = self.depths.last().expect("there is the initial one");
        let fires: Vec<Term> =
            last.steps.iter().map(|step| shop.arena.and(&[last.selected[step.process], step.at])).collect();
        let mut moves: Vec<Ways> = Vec::new();
        for (number, process) in last.frame.processes.iter().enumerate() {
            let own = last.steps.iter().zip(&fires).filter(|(step, _)| step.process == number);
            let own: Vec<(&Step, Term)> = own.map(|(step, &fires)| (step, fires)).collect();
            let who = (number, self.instances[number].body);
            moves.push(ways(shop, &self.template, who, process, last.selected[number], &own));
        }
        let mut objects = Vec::new();
        for (index, content) in last.frame.objects.iter().enumerate() {
            let writers: Vec<(Term, &Content)> = last
                .steps
                .iter()
                .zip(&fires)
                .filter_map(|(step, &fires)| {
                    let change = step.objects.iter().find(|(object, _)| *object == index);
                    change.map(|(_, content)| (fires, content))
                })
                .collect();
            objects.push(written(shop, &format!("g.{depth}.{index}"), content, &writers, added));
        }
        let spawns: Vec<(usize, Spawn, Term)> = last
            .steps
            .iter()
            .zip(&fires)
            .flat_map(|(step, &fires)| step.spawns.iter().map(move |spawn| (step.process, spawn.clone(), fires)))
            .collect();
        for (parent, spawn, fires) in spawns {
            let happens = shop.arena.and(&[fires, spawn.when]);
            self.spawn(shop, &mut moves, parent, &spawn, happens, added);
        }
        let processes = moves.into_iter().enumerate();
        let processes =
            processes.map(|(number, ways)| ways.process(shop, &format!("l.{depth}.{number}"), added)).collect();
        Frame { objects, processes }
    }

    fn spawn(
        &mut self,
        shop: &mut Workshop,
        moves: &mut Vec<Ways>,
        parent: usize,
        spawn: &Spawn,
        happens: Term,
        added: &mut Added,
    ) {
        if shop.arena.is(happens, false) {
            return;
        }
        let Some(values) = shop.domains.values(&shop.arena, spawn.nth) else {
            added.overcrowded.push(happens);
            return;
        };
        for &nth in values.iter() {
            let this = shop.domains.is(&mut shop.arena, spawn.nth, nth);
            let this = shop.arena.and(&[happens, this]);
            let instance = Instance { body: spawn.body, parent: Some((parent, nth as usize)) };
            match self.number(shop, moves, instance) {
                Some(child) => {
                    let start = self.template.symbolic.start(&mut shop.arena, spawn.body, &spawn.arguments);
                    moves[child].starts(shop, &self.template, this, &start);
                }
                None => added.overcrowded.push(this),
            }
        }
    }

    /// The number of a process that can be spawned, given out when it is first met.
    fn number(&mut self, shop: &mut Workshop, moves: &mut Vec<Ways>, instance: Instance) -> Option<usize> {
        if let Some(&known) = self.numbers.get(&instance) {
            return Some(known);
        }
        if self.instances.len() >= self.most_processes {
            return None;
        }
        let number = self.instances.len();
        self.instances.push(instance);
        self.numbers.insert(instance, number);
        let (process, yes) = (unstarted(shop), shop.arena.yes());
        moves.push(Ways::staying(shop, (number, instance.body), &process, yes));
        Some(number)
    }
}

/// The variables that say who takes a step: at most one, of a process that can; local code that
/// nobody notices goes first, in the order of the ranks.
fn select(shop: &mut Workshop, depth: usize, ranks: &[usize], steps: &[Step], added: &mut Added) -> Vec<Term> {
    let arena = &mut shop.arena;
    let processes = ranks.len();
    let mut selected = Vec::new();
    let mut at_local = Vec::new();
    for process in 0..processes {
        let own: Vec<&Step> = steps.iter().filter(|step| step.process == process).collect();
        let can: Vec<Term> = own.iter().map(|step| arena.and(&[step.at, step.passes])).collect();
        let can = arena.or(&can);
        let hurries: Vec<Term> = own.iter().filter(|step| step.at_local).map(|step| step.at).collect();
        at_local.push(arena.or(&hurries));
        if arena.is(can, false) {
            selected.push(arena.no());
            continue;
        }
        let variable = arena.variable(&format!("sel.{depth}.{process}"), Sort::Bool);
        added.assertions.push(arena.implies(variable, can));
        selected.push(variable);
    }
    for process in 0..processes {
        let not = arena.not(selected[process]);
        for &other in &selected[..process] {
            let other = arena.not(other);
            added.assertions.push(arena.or(&[not, other]));
        }
        for (other, &hurries) in at_local.iter().enumerate().filter(|&(other, _)| other != process) {
            let waits = arena.not(hurries);
            let own = if ranks[other] > ranks[process] { at_local[process] } else { arena.no() };
            added.assertions.push(arena.or(&[not, waits, own]));
        }
    }
    added.assertions.retain(|&assertion| !arena.is(assertion, true));
    selected
}

/// Where a process goes in the step, which may be its own. `own` are its steps, with whether each
/// is taken.
fn ways(
    shop: &mut Workshop,
    template: &Template<'_>,
    who: (usize, usize),
    process: &Process,
    selected: Term,
    own: &[(&Step, Term)],
) -> Ways {
    let stays = shop.arena.not(selected);
    let mut ways = Ways::staying(shop, who, process, stays);
    for &(step, fires) in own {
        for &(when, next) in &step.next {
            let goes = shop.arena.and(&[fires, when]);
            ways.goes(shop, template, goes, next, &step.locals);
        }
    }
    ways
}

/// An object after the step.
fn written(
    shop: &mut Workshop,
    name: &str,
    before: &Content,
    writers: &[(Term, &Content)],
    added: &mut Added,
) -> Content {
    if writers.is_empty() {
        return before.clone();
    }
    match before {
        Content::Term(term) => {
            let writers: Vec<(Term, Term)> = writers.iter().map(|&(fires, content)| (fires, content.term())).collect();
            Content::Term(assigned(shop, name, *term, &writers, added))
        }
        Content::Cells(cells) => {
            let mut after = Vec::with_capacity(cells.len());
            for (index, &cell) in cells.iter().enumerate() {
                let changes = writers.iter().filter_map(|&(fires, content)| match content {
                    Content::Cells(new) if new[index] != cell => Some((fires, new[index])),
                    _ => None,
                });
                let changes: Vec<(Term, Term)> = changes.collect();
                after.push(assigned(shop, &format!("{name}.{index}"), cell, &changes, added));
            }
            Content::Cells(Rc::from(after))
        }
    }
}

/// A variable after the step: what the one that was taken writes, or what it was. Where its values
/// are many, it is a variable of the formula.
fn assigned(shop: &mut Workshop, name: &str, before: Term, writers: &[(Term, Term)], added: &mut Added) -> Term {
    let arena = &mut shop.arena;
    let mut after = before;
    for &(fires, value) in writers {
        after = arena.ite(fires, value, after);
    }
    let sort = arena.sort(before);
    if after == before || sort == Sort::Bool {
        return after;
    }
    if sort == Sort::Int && shop.domains.values(arena, after).is_some() {
        return after;
    }
    let variable = arena.variable(name, sort);
    let mut others = Vec::new();
    for &(fires, value) in writers {
        let same = arena.equal(variable, value);
        added.assertions.push(arena.implies(fires, same));
        others.push(fires);
    }
    let same = arena.equal(variable, before);
    others.push(same);
    added.assertions.push(arena.or(&others));
    variable
}
