//! Steps as formulas mean what the machine does: random walks through random programs, compared
//! step by step.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use mazurka_machine::Run;
use mazurka_process::ProcessMachine;
use mazurka_process::hir::{BodyKind, Type};
use mazurka_process::symbolic::{AccessKind, Limits, Next, Place, State, Symbolic, Transition};
use mazurka_smt::term::{Arena, Assignment, Sort, Term, Value};
use mazurka_testkit::{Random, generate, load, machine};
use mazurka_trace::{Ending, Event, LocationId, ProcessId};

/// So many programs, and walks through each.
const PROGRAMS: u64 = 1_500;
const WALKS: u64 = 4;

#[test]
fn formulas_and_the_machine_agree_on_every_step() {
    let mut steps = 0;
    for seed in 0..PROGRAMS {
        let source = generate(seed).to_string();
        steps += walk_through(&source, seed, WALKS);
    }
    assert!(steps > PROGRAMS * WALKS * 3, "only {steps} steps");
}

#[test]
fn formulas_and_the_machine_agree_on_loops_faults_and_spawns() {
    let source = "
        int x = 3, z = 0; int a[3] = {2, 0, 1}; bool b; bool c[2]; mutex m; mutex f[2];
        proc w(int v, bool k) { int u = v + 1; if (k) { x = u; } spawn w2(u); }
        proc w2(int v) { int q = 9 / (v - 2); a[v % 3] = q; }
        process p {
            int t = 0;
            while (t < 3) { t = t + 1; }
            atomic { int i = 0; while (i < a[0] + 1) { a[i] = a[i] + t; i = i + 1; } }
            b = !b;
            c[t - 2] = b && x > 2 || a[1] == 4;
            lock(f[t - 3]);
            spawn w(x, b);
            atomic { if (c[1]) { spawn w2(2); } else { spawn w(1, true); } spawn w(7, false); }
            assert x < 4;
            unlock(f[0]);
        }
        process q { int t = choose(-1, 2); z = t; lock(m); x = x * (b ? 2 : 3) - -t; unlock(m); await z != 1; a[z] = 1; }
        process r[2](i) { int s = x % (z + i + 1); assume s != 1 || z > 0; atomic { await b || i == 1; z = z - 4611686018427387904; } }
        finally { assert x != 6; }";
    let steps = walk_through(source, 5, 400);
    assert!(steps > 1_500, "only {steps} steps");
}

/// Walks through a program at random, so many times; the number of steps compared.
fn walk_through(source: &str, seed: u64, walks: u64) -> u64 {
    let image = load("random.mzk", source, &[]).unwrap_or_else(|error| panic!("{error}\n{source}"));
    let mut steps = 0;
    let mut twin = Twin::new(Symbolic::new(&image, Limits { rounds: 40, ..Limits::default() }));
    for walk in 0..walks {
        let mut machine = machine(&image);
        let mut random = Random::new(seed * 1000 + walk);
        twin.restart();
        while let Some(process) = pick(&mut machine, &mut twin, &mut random, source) {
            let mut event = Event::default();
            let choices: Vec<i64> = (0..3).map(|_| random.below(4) as i64 - 1).collect();
            machine.step(process, &choices, &mut event);
            steps += 1;
            if !twin.follow(&event, &machine, source) {
                break;
            }
        }
    }
    steps
}

/// An enabled process at random; whether each is enabled is compared on the way.
fn pick(machine: &mut ProcessMachine, twin: &mut Twin<'_>, random: &mut Random, source: &str) -> Option<ProcessId> {
    let live: Vec<ProcessId> = machine.live().iter().collect();
    let resting: BTreeSet<usize> =
        twin.processes.iter().filter(|(_, p)| p.place.is_some()).map(|(&id, _)| id).collect();
    assert_eq!(live.iter().map(|process| process.index()).collect::<BTreeSet<_>>(), resting, "{source}");
    let mut enabled = Vec::new();
    for process in live {
        let blocked = twin.is_blocked(process);
        assert_eq!(machine.is_enabled(process), !blocked, "whether {process:?} can step\n{source}");
        enabled.extend((!blocked).then_some(process));
    }
    (!enabled.is_empty()).then(|| enabled[random.below(enabled.len())])
}

/// The state as the formulas have it.
struct Twin<'a> {
    symbolic: Symbolic<'a>,
    arena: Arena,
    me: Term,
    state: HashMap<usize, State>,
    transitions: HashMap<(usize, Place), Transition>,
    objects: Vec<Value>,
    processes: BTreeMap<usize, Process>,
}

#[derive(Clone)]
struct Process {
    body: usize,
    place: Option<Place>,
    locals: Vec<Value>,
    spawned: i128,
}

impl<'a> Twin<'a> {
    fn new(symbolic: Symbolic<'a>) -> Self {
        let mut arena = Arena::new();
        let me = arena.variable("me", Sort::Int);
        let mut twin = Twin {
            symbolic,
            arena,
            me,
            state: HashMap::new(),
            transitions: HashMap::new(),
            objects: Vec::new(),
            processes: BTreeMap::new(),
        };
        for body in 0..twin.symbolic.bodies().len() {
            twin.prepare(body);
        }
        twin
    }

    /// Variables for a body's state, and its transitions over them.
    fn prepare(&mut self, body: usize) {
        let Twin { symbolic, arena, .. } = self;
        let objects = symbolic.objects().iter().map(|object| arena.variable(&object.name, object.sort)).collect();
        let code = &symbolic.bodies()[body];
        let sort = |ty: Type| if ty == Type::Bool { Sort::Bool } else { Sort::Int };
        let local = |(at, &(_, ty)): (usize, &(String, Type))| (format!("{body}.{at}"), sort(ty));
        let locals =
            code.locals.iter().enumerate().map(local).map(|(name, sort)| arena.variable(&name, sort)).collect();
        let spawned = arena.variable("spawned", Sort::Int);
        let state = State { objects, locals, spawned };
        for &place in &code.places {
            let mut choice = |arena: &mut Arena, n: usize| arena.variable(&format!("choice {n}"), Sort::Int);
            let transition = symbolic.step(arena, self.me, place, &state, &mut choice);
            self.transitions.insert((body, place), transition);
        }
        self.state.insert(body, state);
    }

    fn restart(&mut self) {
        self.processes.clear();
        let initial = self.symbolic.objects().iter().map(|object| match (object.length, object.ty) {
            (Some(_), _) => {
                let cells = object.initial.iter().enumerate().map(|(at, &value)| (at as i128, i128::from(value)));
                Value::Array(0, cells.collect())
            }
            (None, Type::Bool) => Value::Bool(object.initial[0] != 0),
            (None, Type::Int) => Value::Int(i128::from(object.initial[0])),
        });
        self.objects = initial.collect();
        let mut next = 0;
        for body in 0..self.symbolic.bodies().len() {
            let count = match self.symbolic.bodies()[body].kind {
                BodyKind::Process => 1,
                BodyKind::ProcessArray(count) => count,
                BodyKind::Proc | BodyKind::Finally => 0,
            };
            for index in 0..count {
                let parameters = self.symbolic.bodies()[body].parameters;
                let arguments = vec![Value::Int(index as i128); parameters];
                self.start(next, body, &arguments);
                next += 1;
            }
        }
    }

    fn start(&mut self, process: usize, body: usize, arguments: &[Value]) {
        let Twin { symbolic, arena, .. } = self;
        let terms: Vec<Term> = arguments
            .iter()
            .map(|value| match value {
                Value::Bool(value) => arena.truth(*value),
                Value::Int(value) => arena.int(*value),
                Value::Array(..) => unreachable!("no argument is an array"),
            })
            .collect();
        let start = symbolic.start(arena, body, &terms);
        let nothing = Assignment::new();
        let value = |term: Term| arena.evaluate(term, &nothing).expect("it is a constant");
        let locals = start.locals.iter().map(|&local| value(local)).collect();
        let mut next = start.next.iter().filter(|(when, _)| value(*when) == Value::Bool(true)).map(|&(_, next)| next);
        let first = next.next().expect("it rests somewhere");
        assert!(next.next().is_none(), "it rests in two places");
        let place = match first {
            Next::Rests(place) => Some(place),
            Next::Ends => None,
        };
        self.processes.insert(process, Process { body, place, locals, spawned: 0 });
    }

    fn assignment(&self, process: usize) -> Assignment {
        let own = &self.processes[&process];
        let state = &self.state[&own.body];
        let mut assignment = Assignment::new();
        assignment.set(self.me, Value::Int(process as i128));
        assignment.set(state.spawned, Value::Int(own.spawned));
        for (&variable, value) in state.objects.iter().zip(&self.objects) {
            assignment.set(variable, value.clone());
        }
        for (&variable, value) in state.locals.iter().zip(&own.locals) {
            assignment.set(variable, value.clone());
        }
        assignment
    }

    fn transition(&self, process: usize) -> &Transition {
        let own = &self.processes[&process];
        &self.transitions[&(own.body, own.place.expect("it rests somewhere"))]
    }

    fn holds(&self, when: Term, assignment: &Assignment) -> bool {
        self.arena.evaluate(when, assignment) == Some(Value::Bool(true))
    }

    fn is_blocked(&self, process: ProcessId) -> bool {
        let transition = self.transition(process.index());
        self.holds(transition.blocked, &self.assignment(process.index()))
    }

    /// Takes the step that the machine took, and compares. False where the walk ends.
    fn follow(&mut self, event: &Event, machine: &ProcessMachine, source: &str) -> bool {
        let id = event.process.index();
        let mut assignment = self.assignment(id);
        let transition = self.transition(id).clone();
        // Values for all choices first, within their ranges; those that are made are the event's,
        // in order.
        let mut made = event.choices.iter();
        for choice in &transition.choices {
            let mut value = Value::Int(0);
            if self.holds(choice.when, &assignment) {
                let given = made.next().expect("the machine makes the choice too");
                let bound = |term| self.arena.evaluate(term, &assignment).and_then(|value| value.as_int());
                assert_eq!(bound(choice.low), Some(i128::from(given.low)), "{source}");
                assert_eq!(bound(choice.high), Some(i128::from(given.high)), "{source}");
                value = Value::Int(i128::from(given.value));
            }
            assignment.set(choice.value, value);
        }
        assert!(transition.cuts.iter().all(|cut| !self.holds(cut.when, &assignment)), "cut\n{source}");
        let faults: Vec<_> = transition.faults.iter().filter(|fault| self.holds(fault.when, &assignment)).collect();
        let told: Vec<_> = faults.iter().map(|fault| (fault.kind, fault.site)).collect();
        let happened: Vec<_> = event.faults.iter().map(|fault| (fault.kind, fault.site)).collect();
        assert_eq!(told, happened, "faults of {:?}\n{source}", event.process);
        let discarded = self.holds(transition.discarded, &assignment);
        if matches!(event.ending, Ending::Halts | Ending::Fails) {
            return false;
        }
        assert!(made.next().is_none(), "the formula makes fewer choices\n{source}");
        assert_eq!(discarded, event.ending == Ending::Discards, "{source}");
        let next: Vec<Next> =
            transition.next.iter().filter(|(when, _)| self.holds(*when, &assignment)).map(|&(_, next)| next).collect();
        assert_eq!(next.len(), usize::from(!discarded), "cases of a step\n{source}");
        self.compare_accesses(&transition, &assignment, event, source);
        if discarded {
            return false;
        }
        self.update(id, &transition, &assignment, event, next[0], source);
        self.compare_state(machine, source);
        true
    }

    fn update(&mut self, id: usize, transition: &Transition, at: &Assignment, event: &Event, next: Next, source: &str) {
        let value = |term: Term| self.arena.evaluate(term, at).expect("it has a value");
        let objects = transition.state.objects.iter().map(|&term| value(term)).collect();
        let locals = transition.state.locals.iter().map(|&term| value(term)).collect();
        let spawned = value(transition.state.spawned).as_int().expect("a number");
        let spawns: Vec<_> = transition.spawns.iter().filter(|spawn| self.holds(spawn.when, at)).collect();
        assert_eq!(spawns.len(), event.spawned.len(), "{source}");
        let before = self.processes[&id].spawned;
        let starts: Vec<(usize, usize, Vec<Value>)> = spawns
            .iter()
            .zip(&event.spawned)
            .enumerate()
            .map(|(nth, (spawn, child))| {
                assert_eq!(value(spawn.nth), Value::Int(before + nth as i128), "{source}");
                (child.index(), spawn.body, spawn.arguments.iter().map(|&argument| value(argument)).collect())
            })
            .collect();
        assert_eq!(spawned, before + starts.len() as i128);
        let place = match next {
            Next::Rests(place) => Some(place),
            Next::Ends => None,
        };
        self.objects = objects;
        let body = self.processes[&id].body;
        self.processes.insert(id, Process { body, place, locals, spawned });
        for (child, body, arguments) in starts {
            self.start(child, body, &arguments);
        }
    }

    fn compare_state(&self, machine: &ProcessMachine, source: &str) {
        for (object, value) in self.symbolic.objects().iter().zip(&self.objects) {
            for cell in 0..object.initial.len() {
                let own = match value {
                    Value::Bool(value) => i128::from(*value),
                    Value::Int(value) => *value,
                    Value::Array(everywhere, cells) => *cells.get(&(cell as i128)).unwrap_or(everywhere),
                };
                let theirs = machine.value(LocationId::new(object.first.index() + cell));
                assert_eq!(own, i128::from(theirs), "{}[{cell}]\n{source}", object.name);
            }
        }
        for (&id, process) in &self.processes {
            if let Some(place) = process.place {
                assert_eq!(machine.pending(ProcessId::new(id)), self.symbolic.site(place), "where {id} is\n{source}");
            }
        }
    }

    fn compare_accesses(&self, transition: &Transition, at: &Assignment, event: &Event, source: &str) {
        let mut own: BTreeMap<usize, (bool, bool)> = BTreeMap::new();
        for access in transition.accesses.iter().filter(|access| self.holds(access.when, at)) {
            let index = access.index.map_or(0, |index| {
                self.arena.evaluate(index, at).and_then(|value| value.as_int()).expect("an index") as usize
            });
            let entry = own.entry(self.symbolic.objects()[access.object].first.index() + index).or_default();
            entry.0 |= access.kind == AccessKind::Write;
            entry.1 |= access.kind == AccessKind::Mutex;
        }
        let theirs: BTreeMap<usize, (bool, bool)> = event
            .accesses
            .iter()
            .map(|access| {
                let mutex = access.kind.is_mutex();
                (access.location.index(), (!access.kind.is_read() && !mutex, mutex))
            })
            .collect();
        assert_eq!(own, theirs, "what {:?} uses\n{source}", event.process);
    }
}
