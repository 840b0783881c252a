//! The comb: what is disabled at the nodes of the current path, with what can come instead of it.
//!
//! A node has the disabled events of the node before that are independent of the event between
//! them, and those that it has disabled itself, in the order in which they were disabled. An
//! inherited event has a [spike](crate::unfolding::spike) that was sifted from node to node: of
//! what could come instead of it, that fits. That is done where somebody requests it, down from the
//! last node where somebody asked before; where nothing is dropped, the list is shared.
//!
//! # Invariants
//! The rivals in a list that is sifted are those of the spike that fit the node's configuration,
//! and contain nothing that the nodes before it have disabled. Those that contain something that
//! the node has disabled itself are dropped when somebody meets them.
//!
//! Cost: a rival is looked at once for each node and disabled event at which it still fits, in time
//! in the part of its history that was missing when it was found.

use mazurka_relation::Footprints;
use mazurka_trace::ProcessId;

use crate::choices::ChoiceId;
use crate::mutation::{self, Mutation};
use crate::sleep::Sleeper;
use crate::unfolding::ROOM;
use crate::unfolding::configuration::Configuration;
use crate::unfolding::spike::{List, Mark, Part, Rival, Spikes};
use crate::unfolding::structure::{NONE, Name, Structure};
use crate::unfolding::varying::Varying;

/// A disabled event, as a node sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Disabled {
    pub(crate) event: Part,
    choice: ChoiceId,
    /// Where the node before has it; nowhere, if this node has disabled it.
    before: u32,
    /// Its spike, if it is known.
    spike: Option<List>,
    /// The list is not that of the node before.
    own: bool,
}

/// What is disabled at each node.
#[derive(Debug)]
pub(crate) struct Comb {
    disabled: Vec<Disabled>,
    nodes: Vec<Node>,
    pub(crate) spikes: Spikes,
    /// Memory for sifting.
    line: Vec<u32>,
    varying: Varying,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    start: u32,
    /// Where the events begin that it has disabled itself.
    own: u32,
    /// What was there before it.
    mark: Mark,
}

impl Default for Comb {
    fn default() -> Self {
        let spikes = Spikes::default();
        let root = Node { start: 0, own: 0, mark: spikes.mark() };
        let mut nodes = Vec::with_capacity(ROOM);
        nodes.push(root);
        Self { disabled: Vec::with_capacity(ROOM), nodes, spikes, line: Vec::new(), varying: Varying::default() }
    }
}

/// What two events are compared by.
#[derive(Clone, Copy)]
pub(crate) struct Dependence<'a> {
    pub(crate) structure: &'a Structure,
    pub(crate) footprints: &'a Footprints,
}

impl Dependence<'_> {
    /// Whether two events, neither of which is part of the other's history, are in conflict.
    #[inline]
    pub(crate) fn conflict(&self, one: &Part, other: &Part) -> bool {
        one.process == other.process || self.footprints.dependent(one.footprint, other.footprint)
    }
}

impl Comb {
    /// Where the newest node's disabled events begin.
    #[inline]
    pub(crate) fn start(&self) -> usize {
        self.nodes[self.nodes.len() - 1].start as usize
    }

    /// What is disabled at the newest node, the one disabled last at the end.
    #[inline]
    pub(crate) fn top(&self) -> &[Disabled] {
        &self.disabled[self.start()..]
    }

    /// All that is disabled somewhere, and what else is to be kept of the events met.
    pub(crate) fn events(&self) -> impl Iterator<Item = Name> + '_ {
        self.disabled.iter().map(|disabled| disabled.event.name).chain(self.varying.events())
    }

    /// A new node, at which those stay disabled that are independent of the event between: the
    /// steps that still sleep.
    #[inline]
    pub(crate) fn descend(&mut self, sleepers: &[Sleeper]) {
        let (mut at, start) = (self.start(), self.disabled.len());
        let own = (start + sleepers.len()) as u32;
        self.nodes.push(Node { start: start as u32, own, mark: self.spikes.mark() });
        for sleeper in sleepers {
            let Disabled { event, choice, .. } = loop {
                let disabled = self.disabled[at];
                at += 1;
                if (disabled.event.process, disabled.choice) == (sleeper.process, sleeper.choice) {
                    break disabled;
                }
            };
            self.disabled.push(Disabled { event, choice, before: at as u32 - 1, spike: None, own: false });
        }
    }

    /// The newest node is left.
    #[inline]
    pub(crate) fn ascend(&mut self) {
        let node = self.nodes.pop().expect("the root is never left");
        self.varying.leave(self.nodes.len());
        for disabled in &self.disabled[node.start as usize..] {
            if let Some(list) = disabled.spike.filter(|_| disabled.own) {
                self.spikes.release(list);
            }
        }
        self.disabled.truncate(node.start as usize);
        self.spikes.forget(node.mark);
    }

    /// Whether a step is disabled at a node that is not the newest. It can be taken there, so it is
    /// the event that was disabled.
    #[inline]
    pub(crate) fn is_disabled_at(&self, node: usize, process: ProcessId, choice: ChoiceId) -> bool {
        let (start, end) = (self.nodes[node].start as usize, self.nodes[node + 1].start as usize);
        let is_it = |disabled: &Disabled| (disabled.event.process, disabled.choice) == (process, choice);
        self.disabled[start..end].iter().any(is_it) && !mutation::on(Mutation::AlternativesOfDisabled)
    }

    /// An event was explored at the newest node.
    #[inline]
    pub(crate) fn disable(&mut self, event: Part, choice: ChoiceId, structure: &Structure) {
        if !self.varying.is_empty() {
            self.note_held(event.name, structure);
        }
        self.disabled.push(Disabled { event, choice, before: NONE, spike: None, own: true });
    }

    /// Of what is held for the newest node, notes what can come instead of the event that was
    /// explored there.
    fn note_held(&mut self, event: Name, structure: &Structure) {
        let node = self.nodes.len() - 1;
        let mut places = None;
        for (rival, its_places) in self.varying.at(node) {
            if !self.spikes.is_noted(node, rival.event.name)
                && its_places & *places.get_or_insert_with(|| structure.places(event)) != 0
                && structure.are_rivals(rival.event.name, event)
            {
                self.spikes.note(node, rival);
            }
        }
    }

    /// A step whose accesses vary with what it reads can come before the event at this position:
    /// then it could also come before what was disabled before that, and that need not have been
    /// found when it was explored. Before the node `first` it is in immediate conflict with
    /// nothing; `contains` tells whether its history surely contains the event that is being
    /// explored at a node.
    ///
    /// Where it does, that event is disabled once it has been explored, and the rival is out at
    /// this node. So it is of no use to what is disabled there later, nor to what was disabled
    /// before and conflicts with the event.
    #[cold]
    pub(crate) fn note_varying(
        &mut self,
        position: usize,
        (rival, first): (Rival, usize),
        (structure, configuration): (&Structure, &Configuration),
        contains: impl Fn(usize) -> bool,
    ) {
        let held = self.varying.held(rival.event.name);
        let first = first.max(held);
        if first > position {
            return;
        }
        let from = match held {
            0 => (first..position).find(|&node| !contains(node)).unwrap_or(position),
            _ => first,
        };
        self.varying.hold(rival, structure.places(rival.event.name), from, position);
        let explored = structure.event(configuration.events()[position]);
        let mut earliest = None;
        for node in (first..=position).rev() {
            let (Node { start, own, .. }, next) = (self.nodes[node], self.nodes[node + 1]);
            let own = own as usize..next.start as usize;
            if own.is_empty()
                || (next.start == next.own && contains(node))
                || self.disabled[start as usize..own.end].iter().any(|disabled| disabled.event.name == rival.event.name)
            {
                continue;
            }
            for at in own {
                let Disabled { event, choice, spike, .. } = self.disabled[at];
                // A variant of a step is looked for in the spikes of all that were disabled later,
                // and stay so where this one does.
                let is_like_explored = choice != ChoiceId::NONE
                    && (event.process, event.footprint) == (explored.process, explored.footprint);
                let found_anyway =
                    node == position && is_like_explored && structure.are_of_one_step(rival.event.name, event.name);
                if found_anyway || !structure.are_rivals(rival.event.name, event.name) {
                    continue;
                }
                let list = self.spikes.add(spike.unwrap_or(List::EMPTY), structure, (configuration, node), rival);
                self.disabled[at].spike = Some(list);
                self.forget_sifted(at, node);
                earliest = Some(node);
            }
        }
        // What was added is needed until the node is left.
        if let Some(earliest) = earliest {
            let mark = self.spikes.mark();
            self.nodes[earliest + 1..].iter_mut().for_each(|node| node.mark = mark);
        }
    }

    /// The spike of an event that a node has disabled is to be sifted again at the nodes after it.
    fn forget_sifted(&mut self, mut at: usize, node: usize) {
        for next in node + 1..self.nodes.len() {
            let start = self.nodes[next].start as usize;
            let end = self.nodes.get(next + 1).map_or(self.disabled.len(), |node| node.start as usize);
            let Some(inherited) = (start..end).find(|&inherited| self.disabled[inherited].before as usize == at) else {
                return;
            };
            let disabled = &mut self.disabled[inherited];
            if let Some(list) = disabled.spike.take().filter(|_| disabled.own) {
                self.spikes.release(list);
            }
            disabled.own = false;
            at = inherited;
        }
    }

    /// Whether an event is disabled by the newest node itself, or there is no such event.
    #[inline]
    pub(crate) fn is_out(&self, structure: &Structure, event: Name) -> bool {
        let own = &self.disabled[self.nodes[self.nodes.len() - 1].own as usize..];
        (own.iter().any(|disabled| disabled.event.name == event) && !mutation::on(Mutation::AlternativesOfDisabled))
            || structure.is_void(event)
    }

    /// Whether a disabled event made data choices.
    #[inline]
    pub(crate) fn makes_choices(&self, at: usize) -> bool {
        self.disabled[at].choice != ChoiceId::NONE
    }

    /// The next variant of a disabled event's step, after another one, that was disabled later at
    /// the newest node or at one before.
    #[cold]
    pub(crate) fn next_variant(&self, at: usize, after: usize) -> Option<usize> {
        let process = self.disabled[at].event.process;
        (after + 1..self.disabled.len()).find(|&newer| self.disabled[newer].event.process == process)
    }

    /// Whether it is known that nothing can come instead of a disabled event, nor is there another
    /// variant of its step.
    #[inline]
    pub(crate) fn surely_has_none(&self, disabled: &Disabled) -> bool {
        disabled.choice == ChoiceId::NONE && disabled.spike.is_some_and(|list| self.spikes.list(list).is_empty())
    }

    /// Whether surely nothing can come instead of the event that was disabled last.
    #[inline]
    pub(crate) fn last_has_none(&self, position: usize) -> bool {
        match self.disabled.last() {
            Some(Disabled { spike: Some(list), .. }) => self.spikes.list(*list).is_empty(),
            Some(Disabled { before: NONE, .. }) => self.spikes.has_none(position),
            _ => false,
        }
    }

    /// The spike of a disabled event of the newest node.
    #[inline]
    pub(crate) fn spike(&mut self, at: usize, dependence: Dependence<'_>, configuration: &Configuration) -> List {
        match self.disabled[at].spike {
            Some(list) => list,
            None => self.new_spike(at, dependence, configuration),
        }
    }

    /// The same where it is not known.
    fn new_spike(&mut self, at: usize, dependence: Dependence<'_>, configuration: &Configuration) -> List {
        if self.disabled[at].before == NONE {
            let start = self.start();
            let Self { disabled, spikes, varying, .. } = self;
            // Whatever depends on what was explored last can come instead of it: something that was
            // disabled before, too.
            let is_disabled = |name: Name| {
                let disabled = &disabled[start..];
                disabled.iter().any(|disabled| disabled.event.name == name)
                    && !mutation::on(Mutation::AlternativesOfDisabled)
            };
            let list = spikes.complete(dependence.structure, configuration, !varying.is_empty(), is_disabled);
            disabled[at].spike = Some(list);
            return list;
        }
        self.sift(at, dependence, configuration)
    }

    /// The exploration goes on at the newest node: the spike of what was disabled last has to be
    /// known.
    #[inline]
    pub(crate) fn complete(&mut self, dependence: Dependence<'_>, configuration: &Configuration) {
        if let Some(Disabled { spike: None, before: NONE, .. }) = self.disabled.last() {
            self.spike(self.disabled.len() - 1, dependence, configuration);
        }
    }

    /// Sifts a spike, down from the last node where it is known.
    fn sift(&mut self, at: usize, dependence: Dependence<'_>, configuration: &Configuration) -> List {
        let mut line = std::mem::take(&mut self.line);
        let mut before = at as u32;
        let mut list = loop {
            if let Some(list) = self.disabled[before as usize].spike {
                break list;
            }
            line.push(before);
            before = self.disabled[before as usize].before;
        };
        // The node of the oldest in the line.
        let mut node = self.nodes.len() - line.len();
        while let Some(at) = line.pop() {
            let mut own = false;
            if list != List::EMPTY
                && let Some(sifted) = self.sifted(list, node, dependence, configuration)
            {
                (list, own) = (sifted, true);
            }
            let disabled = &mut self.disabled[at as usize];
            (disabled.spike, disabled.own) = (Some(list), own);
            node += 1;
        }
        self.line = line;
        list
    }

    /// What of a list of the node before fits this node, if that is not all of it.
    #[inline]
    fn sifted(
        &mut self,
        list: List,
        node: usize,
        dependence: Dependence<'_>,
        configuration: &Configuration,
    ) -> Option<List> {
        let event = configuration.events()[node - 1];
        let own = &self.disabled[self.nodes[node - 1].own as usize..self.nodes[node].start as usize];
        if own.is_empty() && !dependence.structure.has_rivals(event) {
            return None;
        }
        let event = Part::of(dependence.structure, event);
        // What has happened since fits anyway.
        let is_missing = |part: &&Part| !configuration.contains(part.name);
        self.spikes.sift(list, |parts| {
            // The rival itself comes last, and is what conflicts if anything does.
            let conflicts = || parts.iter().rev().filter(is_missing).any(|part| dependence.conflict(part, &event));
            let is_own = |part: &Part| own.iter().any(|disabled| disabled.event.name == part.name);
            (parts.iter().any(|part| part.name == event.name) || !conflicts())
                && (own.is_empty() || !parts.iter().filter(is_missing).any(is_own))
        })
    }

    /// Drops a rival from the spike of a disabled event of the newest node, which is known: that is
    /// another list then.
    #[inline]
    pub(crate) fn drop_rival(&mut self, at: usize, mut list: List, rival: usize) -> List {
        let disabled = &mut self.disabled[at];
        if !disabled.own {
            list = self.spikes.copy(list);
            (disabled.spike, disabled.own) = (Some(list), true);
        }
        self.spikes.drop_from(list, rival);
        list
    }

    /// The events have got new names.
    pub(crate) fn rename(&mut self, positions: usize, renamed: &[u32], structure: &Structure) {
        for disabled in &mut self.disabled {
            let name = &mut disabled.event.name;
            *name = Name(renamed[name.index()]);
        }
        self.varying.rename(renamed, |name| structure.places(name));
        self.spikes.rename(positions, renamed);
    }
}
