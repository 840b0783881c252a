//! A frame: the state after so many steps, as terms; and the steps that can be taken from it.

use std::rc::Rc;

use mazurka_process::hir::{BodyKind, Type};
use mazurka_process::symbolic::{AccessKind, Next, Place, Start};
use mazurka_smt::{Sort, Term};
use mazurka_trace::{FaultKind, SiteId};

use crate::rewrite::{Content, MOST_CELLS, Mapping, Workshop};
use crate::template::Template;

/// A process that can exist: started at the beginning, or spawned by another as one of its spawns.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Instance {
    pub(crate) body: usize,
    /// Who spawns it, and as which of its spawns.
    pub(crate) parent: Option<(usize, usize)>,
}

/// One process in a frame.
#[derive(Clone, Debug)]
pub(crate) struct Process {
    /// Where it can rest; exactly one of these, `unstarted` and `ended` holds.
    pub(crate) at: Vec<Resting>,
    pub(crate) unstarted: Term,
    pub(crate) ended: Term,
    /// It has had too many states to tell them apart.
    pub(crate) coarse: bool,
}

/// A place where a process rests, with what it knows there: its variables, and last the number of
/// processes it has spawned.
#[derive(Clone, Debug)]
pub(crate) struct Resting {
    pub(crate) state: LocalState,
    /// Whether it rests here.
    pub(crate) at: Term,
    pub(crate) locals: Rc<[Term]>,
}

/// A place, and the values of variables by which states of a process are told apart; nothing for
/// those that are not.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct LocalState {
    pub(crate) place: Place,
    pub(crate) values: Rc<[Option<i128>]>,
}

/// The state after so many steps.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) objects: Vec<Content>,
    pub(crate) processes: Vec<Process>,
}

/// A step of a process from a place, in a frame. As
/// [`Transition`](mazurka_process::symbolic::Transition), over the frame.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) process: usize,
    pub(crate) body: usize,
    pub(crate) place: Place,
    /// It rests there.
    pub(crate) at: Term,
    /// What it knows there, as in [`Resting`].
    pub(crate) before: Rc<[Term]>,
    /// It cannot be taken.
    pub(crate) blocked: Term,
    /// It is one of local code that never discards, and is taken before all others.
    pub(crate) at_local: bool,
    /// It comes to its end: neither blocked, nor discarded, nor ended by a fault, nor cut.
    pub(crate) passes: Term,
    pub(crate) faults: Vec<(Term, FaultKind, SiteId)>,
    pub(crate) cuts: Vec<(Term, SiteId)>,
    pub(crate) next: Vec<(Term, Next)>,
    /// The objects it changes.
    pub(crate) objects: Vec<(usize, Content)>,
    /// What the process knows afterwards, as in [`Resting`].
    pub(crate) locals: Vec<Term>,
    pub(crate) spawns: Vec<Spawn>,
    pub(crate) accesses: Vec<Access>,
    /// When each data choice is made, and the variable.
    pub(crate) choices: Vec<(Term, Term)>,
}

#[derive(Clone, Debug)]
pub(crate) struct Spawn {
    pub(crate) when: Term,
    pub(crate) body: usize,
    pub(crate) nth: Term,
    pub(crate) arguments: Vec<Term>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Access {
    pub(crate) when: Term,
    pub(crate) object: usize,
    pub(crate) index: Option<Term>,
    pub(crate) kind: AccessKind,
}

impl Step {
    /// Where the process rests that can take it.
    pub(crate) fn resting(&self) -> Resting {
        let state = LocalState { place: self.place, values: Rc::from([]) };
        Resting { state, at: self.at, locals: Rc::clone(&self.before) }
    }
}

impl Frame {
    /// The initial state, and the processes in it with what begins each.
    pub(crate) fn initial(shop: &mut Workshop, template: &Template<'_>) -> (Frame, Vec<Instance>, Vec<Start>) {
        let objects = template.symbolic.objects().iter().map(|object| initial_content(shop, object)).collect();
        let frame = Frame { objects, processes: Vec::new() };
        let (mut instances, mut starts) = (Vec::new(), Vec::new());
        for (number, body) in template.symbolic.bodies().iter().enumerate() {
            let count = match body.kind {
                BodyKind::Process => 1,
                BodyKind::ProcessArray(count) => count,
                BodyKind::Proc | BodyKind::Finally => 0,
            };
            for index in 0..count {
                let index = shop.arena.int(index as i128);
                let arguments = vec![index; body.parameters];
                starts.push(template.symbolic.start(&mut shop.arena, number, &arguments));
                instances.push(Instance { body: number, parent: None });
            }
        }
        (frame, instances, starts)
    }

    /// What stands in this frame for the template's variables, as a process sees them. `me` is its
    /// number.
    pub(crate) fn mapping(
        &self,
        shop: &mut Workshop,
        template: &Template<'_>,
        body: usize,
        me: usize,
        locals: &[Term],
        inputs: &[Term],
    ) -> Mapping {
        let mut mapping = Mapping::default();
        mapping.put(template.me, Content::Term(shop.arena.int(me as i128)));
        for (&variable, content) in template.objects.iter().zip(&self.objects) {
            mapping.put(variable, content.clone());
        }
        let own = &template.bodies[body];
        for (&variable, &local) in own.locals.iter().chain([&own.spawned]).zip(locals) {
            mapping.put(variable, Content::Term(local));
        }
        for (&variable, &input) in template.choices.iter().zip(inputs) {
            mapping.put(variable, Content::Term(input));
        }
        mapping
    }

    /// The steps that can be pending in this frame. `inputs` are the variables for the data choices
    /// of the step taken from it.
    pub(crate) fn steps(
        &self,
        shop: &mut Workshop,
        template: &Template<'_>,
        instances: &[Instance],
        inputs: &[Term],
    ) -> Vec<Step> {
        let mut steps = Vec::new();
        for (number, (process, instance)) in self.processes.iter().zip(instances).enumerate() {
            for resting in &process.at {
                steps.push(self.step(shop, template, (number, instance.body), resting, inputs));
            }
        }
        steps
    }

    /// The step of a process, of which the number and the body are given, from where it rests.
    pub(crate) fn step(
        &self,
        shop: &mut Workshop,
        template: &Template<'_>,
        (number, body): (usize, usize),
        resting: &Resting,
        inputs: &[Term],
    ) -> Step {
        let mut mapping = self.mapping(shop, template, body, number, &resting.locals, inputs);
        let place = resting.state.place;
        let transition = template.bodies[body].transition(place);
        let mut map = |shop: &mut Workshop, term: Term| mapping.term(shop, term);
        let next: Vec<(Term, Next)> = transition.next.iter().map(|&(when, next)| (map(shop, when), next)).collect();
        let whens: Vec<Term> = next.iter().map(|&(when, _)| when).collect();
        let faults = transition.faults.iter().map(|fault| (map(shop, fault.when), fault.kind, fault.site)).collect();
        let cuts = transition.cuts.iter().map(|cut| (map(shop, cut.when), cut.site)).collect();
        let blocked = map(shop, transition.blocked);
        let discarded = map(shop, transition.discarded);
        let locals = transition.state.locals.iter().chain([&transition.state.spawned]);
        let locals: Vec<Term> = locals.map(|&local| map(shop, local)).collect();
        let spawns = transition.spawns.iter().map(|spawn| Spawn {
            when: map(shop, spawn.when),
            body: spawn.body,
            nth: map(shop, spawn.nth),
            arguments: spawn.arguments.iter().map(|&argument| map(shop, argument)).collect(),
        });
        let spawns = spawns.collect();
        let mut accesses: Vec<Access> = Vec::new();
        for access in &transition.accesses {
            let (when, index) = (map(shop, access.when), access.index.map(|index| map(shop, index)));
            let access = Access { when, object: access.object, index, kind: access.kind };
            if !shop.arena.is(when, false) && !accesses.contains(&access) {
                accesses.push(access);
            }
        }
        let choices = transition.choices.iter().map(|choice| (map(shop, choice.when), map(shop, choice.value)));
        let choices = choices.collect();
        let mut objects = Vec::new();
        for (index, &after) in transition.state.objects.iter().enumerate() {
            if after != template.objects[index] {
                let after = mapping.content(shop, after);
                if after != self.objects[index] {
                    objects.push((index, after));
                }
            }
        }
        let passes = shop.arena.or(&whens);
        let at_local = transition.is_local && shop.arena.is(discarded, false) && shop.arena.is(blocked, false);
        Step {
            process: number,
            body,
            place,
            at: resting.at,
            before: Rc::clone(&resting.locals),
            blocked,
            at_local,
            passes,
            faults,
            cuts,
            next,
            objects,
            locals,
            spawns,
            accesses,
            choices,
        }
    }
}

/// A process that may be started later.
pub(crate) fn unstarted(shop: &mut Workshop) -> Process {
    let (no, yes) = (shop.arena.no(), shop.arena.yes());
    Process { at: Vec::new(), unstarted: yes, ended: no, coarse: false }
}

/// What a process knows that has run nothing.
pub(crate) fn nothing_known(shop: &mut Workshop, template: &Template<'_>, body: usize) -> Rc<[Term]> {
    let (no, zero) = (shop.arena.no(), shop.arena.int(0));
    let variables = template.bodies[body].locals.iter();
    let locals = variables.map(|&local| if shop.arena.sort(local) == Sort::Bool { no } else { zero });
    locals.chain([zero]).collect()
}

fn initial_content(shop: &mut Workshop, object: &mazurka_process::symbolic::Object) -> Content {
    let values: Vec<Term> = object.initial.iter().map(|&value| shop.arena.int(value)).collect();
    match object.length {
        None if object.ty == Type::Bool => Content::Term(shop.arena.truth(object.initial[0] != 0)),
        None => Content::Term(values[0]),
        Some(length) if length <= MOST_CELLS => Content::Cells(Rc::from(values)),
        Some(_) => {
            let zero = shop.arena.int(0);
            let mut array = shop.arena.constant_array(zero);
            for (index, &value) in values.iter().enumerate() {
                let index = shop.arena.int(index as i128);
                array = shop.arena.store(array, index, value);
            }
            Content::Term(array)
        }
    }
}

/// What a frame adds to the formula.
#[derive(Default)]
pub(crate) struct Added {
    /// What holds.
    pub(crate) assertions: Vec<Term>,
    /// When a process is spawned that was not made room for.
    pub(crate) overcrowded: Vec<Term>,
}
