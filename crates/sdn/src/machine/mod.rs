//! The machine: runs a network, message by message, and takes steps back.
//!
//! *Paper.* "Actor-based model checking for SDN" (Albert, Gómez-Zamalloa, Isabel, Rubio,
//! Sammartino, Silva): hosts, switches and the controller are actors, and everything that is sent
//! is a task of its receiver. Nothing orders tasks but causality, and barriers.
//!
//! *Guarantee.* The contract of a machine (ARCHITECTURE.md). A task is a process with one step;
//! whatever is shared is a cell with a location: variables of the controller by entry, rules of a
//! switch by key, buffers by question.
//!
//! *Deviations.*
//! 1. A packet carries where it has been, so looking for loops touches nothing of its switches.
//! 2. A buffer belongs to one question of a switch, not to a packet or to a counter: no two misses
//!    depend on each other.
//! 3. A barrier makes later messages wait for earlier ones. By default those of one run of the
//!    handler, by cause, so that no order has to be explored for it; see [`Barriers`].
//!
//! *Cost.* A step costs what it looks at: rules that fit a packet are found once for each header
//! and port. Going back costs one write for each change. What is met for the first time (a packet,
//! a task, a rule) is kept for ever.

mod constraint;
mod describe;
mod digest;
mod ends;
mod handler;
mod interned;
mod journey;
pub mod mutation;
mod outcome;
mod packets;
mod step;
mod store;
mod survey;
mod switch;
mod tables;
mod tasks;

use std::sync::Arc;

use mazurka_machine::undo::{Deeds, Marks};
use mazurka_machine::{Companion, DataRaces, Digest, Heard, Imagination, Machine, Run};
use mazurka_trace::{Event, ProcessId, ProcessSet, SiteId, Value};

use crate::hir::{Kind as Property, Match, Op};
use crate::image::{Barriers, Image};
use interned::Interned;
use packets::Packets;
use store::{Owner, Store};
use tables::Tables;
pub(crate) use tables::{Key, intersect};
use tasks::{Kind, Lists, Task, Tasks};

/// Instructions that one step may run, unless the machine is told otherwise.
pub const DEFAULT_FUEL: u64 = 10_000_000;

/// A running network.
#[derive(Clone, Debug)]
pub struct NetworkMachine {
    image: Arc<Image>,
    store: Store,
    tables: Tables,
    packets: Packets,
    tasks: Tasks,
    matches: Interned<Match>,
    live: ProcessSet,
    records: Vec<Record>,
    /// The tasks made by steps.
    started: Deeds<ProcessId>,
    /// The packets whose ends steps decided, by their names.
    ended: Deeds<u32>,
    /// Where the cells of each kind begin.
    first: First,
    /// For each name of a packet, the cell that says what has become of it.
    outcomes: Vec<u32>,
    /// Who looks at the network at the end.
    finale: ProcessId,
    /// Who installs a rule, and looks whether it contradicts others, names those: needed where
    /// rules are removed or changed.
    strict: bool,
    /// A rule was changed.
    changed: bool,
    /// Rules that contradict each other from the beginning, by their keys.
    contradicting: Arc<Vec<(u32, u32)>>,
    fuel: u64,
    met: Marks,
    account: Option<Box<ends::Account>>,
}

/// What it takes to undo one step, besides the log.
#[derive(Clone, Copy, Debug)]
struct Record {
    process: ProcessId,
    /// How long the log was before.
    log: u32,
    /// The task is no more.
    ended: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct First {
    epochs: u32,
    unforeseen: u32,
    stages: u32,
}

impl NetworkMachine {
    /// A machine in the network's initial state.
    pub fn new(image: Arc<Image>) -> Self {
        let network = &image.network;
        let has_property = network.properties.iter().any(|one| matches!(one.kind, Property::ConsistentTables));
        let removes = network.code.iter().any(|op| matches!(op, Op::Remove { .. }));
        let mut machine = NetworkMachine {
            store: Store::default(),
            tables: Tables::new(network.switches.len()),
            packets: Packets::default(),
            tasks: Tasks::default(),
            matches: Interned::default(),
            live: ProcessSet::new(),
            records: Vec::new(),
            started: Deeds::default(),
            ended: Deeds::default(),
            first: First::default(),
            outcomes: Vec::new(),
            finale: ProcessId::new(0),
            strict: has_property && removes && !mutation::on(mutation::Mutation::ContradictionLate),
            changed: false,
            contradicting: Arc::default(),
            fuel: DEFAULT_FUEL,
            met: Marks::default(),
            account: None,
            image: Arc::clone(&image),
        };
        machine.make_cells();
        machine.fill_tables();
        machine.start();
        machine
    }

    fn make_cells(&mut self) {
        let image = Arc::clone(&self.image);
        let name = |kind: u64, one: usize, other: usize| {
            Digest::default().name(107).name(kind).name(one as u64).name(other as u64)
        };
        for (number, variable) in image.network.variables.iter().enumerate() {
            for cell in 0..variable.cells {
                let owner = Owner::Variable(number as u32, cell as u32);
                self.store.add(owner, name(1, number, cell), variable.initial);
            }
        }
        let nothing = self.tasks.epochs.enter(Lists::default());
        self.first.epochs = self.store.memory.len() as u32;
        for switch in 0..image.network.switches.len() {
            self.store.add(Owner::Epoch(switch as u32), name(2, switch, 0), i64::from(nothing));
        }
        self.first.unforeseen = self.store.memory.len() as u32;
        for switch in 0..image.network.switches.len() {
            self.store.add(Owner::Unforeseen(switch as u32), name(3, switch, 0), 0);
        }
        self.first.stages = self.store.memory.len() as u32;
        for (number, stage) in image.network.stages.iter().enumerate() {
            self.store.add(Owner::Stage(number as u32), name(4, number, 0), stage.packets);
        }
    }

    /// The rules that are there at the beginning, and the keys that were foreseen.
    fn fill_tables(&mut self) {
        let image = Arc::clone(&self.image);
        for (switch, priority, matches, action) in &image.network.rules {
            let key = Key { switch: *switch as u32, priority: *priority, matches: matches.clone() };
            let key = self.enter_key(key);
            let action = self.tables.actions.enter(action.clone());
            let location = self.tables.locations[key as usize];
            self.store.memory[location as usize] = i64::from(action) + 1;
        }
        if self.property(|kind| matches!(kind, Property::ConsistentTables)).is_some() {
            let value = |key: u32| self.store.get(self.tables.locations[key as usize]);
            let mut pairs = Vec::new();
            for key in 0..self.tables.all().len() as u32 {
                let rivals = self.tables.rivals(key).filter(|&rival| rival > key && value(rival) != value(key));
                pairs.extend(rivals.map(|rival| (key, rival)));
            }
            self.contradicting = Arc::new(pairs);
        }
        for key in &image.foreseen {
            self.enter_key(key.clone());
        }
        self.tables.foreseen = self.tables.all().len() as u32;
    }

    fn enter_key(&mut self, key: Key) -> u32 {
        self.tables.enter(key, &self.packets.headers, &mut self.store)
    }

    /// The tasks that are there at the beginning.
    fn start(&mut self) {
        let image = Arc::clone(&self.image);
        let network = &image.network;
        self.tasks.waits.enter(Vec::new());
        self.tasks.sent.enter(Vec::new());
        let initial = |kind, nth: usize, site| Task { parent: 0, nth: nth as u32, kind, waits: 0, site };
        self.finale = self.enter_task(initial(Kind::End, 0, 0));
        if let Some((_, site)) = network.start {
            for switch in 0..network.switches.len() {
                let task = self.enter_task(initial(Kind::Start { switch: switch as u32 }, switch, site));
                self.live.insert(task);
            }
        }
        for &number in &network.first {
            let task = self.enter_task(initial(Kind::Send(number as u32), number, network.sent[number].site));
            self.live.insert(task);
        }
    }

    /// The number of a task.
    fn enter_task(&mut self, task: Task) -> ProcessId {
        let (process, is_new) = self.tasks.enter(task);
        if is_new {
            let content = self.content(task);
            self.tasks.name(task, content);
            if let Kind::PacketIn { switch, .. } = task.kind {
                let shared = mutation::on(mutation::Mutation::BufferShared);
                let name = match shared {
                    true => Digest::default().name(108).name(u64::from(switch)),
                    false => self.tasks.digest(process).name(16),
                };
                let known = self.tasks.buffers.values().copied().find(|_| shared);
                let number = process.index() as u32;
                let buffer = known.unwrap_or_else(|| self.store.add(Owner::Buffer(number), name, 0));
                self.tasks.buffers.insert(number, buffer);
            }
        }
        process
    }

    /// Sets how many instructions one step may run.
    pub fn set_fuel(&mut self, instructions: u64) {
        self.fuel = instructions;
    }

    /// The network.
    pub fn image(&self) -> &Arc<Image> {
        &self.image
    }

    /// Whether barriers concern everybody who sends to a switch.
    fn is_exact(&self) -> bool {
        self.image.barriers == Barriers::Exact
    }

    fn waits_of(&self, process: ProcessId) -> &[ProcessId] {
        self.tasks.waits.get(self.tasks.get(process).waits)
    }

    /// The site of a property, if it is to be checked.
    fn property(&self, wanted: impl Fn(&Property) -> bool) -> Option<u32> {
        self.image.network.properties.iter().find(|one| wanted(&one.kind)).map(|one| one.site)
    }

    fn take_back(&mut self, steps: usize) {
        while self.records.len() > steps {
            let Some(record) = self.records.pop() else { return };
            let step = self.records.len();
            self.store.undo(record.log as usize);
            while let Some(task) = self.started.take_back(step) {
                self.live.remove(task);
            }
            if !mutation::on(mutation::Mutation::OutcomesKept) {
                while self.ended.take_back(step).is_some() {}
            }
            if record.ended {
                self.live.insert(record.process);
            }
        }
    }
}

impl Run for NetworkMachine {
    #[inline]
    fn live(&self) -> &ProcessSet {
        &self.live
    }

    fn is_enabled(&mut self, process: ProcessId) -> bool {
        self.live.contains(process) && self.waits_of(process).iter().all(|&other| !self.live.contains(other))
    }

    fn at_local(&self) -> Option<ProcessId> {
        None
    }

    fn pending(&self, process: ProcessId) -> SiteId {
        SiteId::new(self.tasks.get(process).site as usize)
    }

    fn step(&mut self, process: ProcessId, choices: &[Value], event: &mut Event) {
        self.take_step(process, choices, event);
    }

    fn disabled_step(&mut self, process: ProcessId, event: &mut Event) {
        event.begin(process, self.pending(process));
    }

    fn conclude(&mut self, event: &mut Event) -> bool {
        self.look_at_end(event)
    }

    fn holder(&mut self, _: ProcessId) -> Option<ProcessId> {
        None
    }

    fn reconsiders(&mut self) -> bool {
        let wrong = std::mem::take(&mut self.changed) && !self.strict;
        if wrong {
            self.assume_nothing();
        }
        wrong && self.strict
    }

    fn assume_nothing(&mut self) {
        self.restart();
        self.strict = self.property(|kind| matches!(kind, Property::ConsistentTables)).is_some()
            && !mutation::on(mutation::Mutation::ContradictionLate);
        self.changed = false;
    }

    fn digest(&mut self) -> Digest {
        self.digest_of_all()
    }

    fn local_digest(&mut self) -> Digest {
        self.digest_of_tasks()
    }

    fn restart(&mut self) {
        self.rewind(0);
    }

    fn hear(&mut self, heard: Heard) {
        self.hear_of(heard);
    }
}

impl DataRaces for NetworkMachine {}

impl Companion for NetworkMachine {
    fn companion(&self) -> Self {
        let mut companion = self.clone();
        companion.restart();
        companion
    }
}

impl Imagination for NetworkMachine {}

impl Machine for NetworkMachine {
    #[inline]
    fn steps(&self) -> usize {
        self.records.len()
    }

    fn rewind(&mut self, steps: usize) {
        self.take_back(steps);
    }

    fn effects_since(&mut self, steps: usize) -> Digest {
        self.digest_of_effects(steps)
    }

    fn named_effects_since(&mut self, steps: usize) -> Digest {
        self.digest_of_effects(steps)
    }
}
