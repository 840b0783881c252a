//! A worker's copy of the trie, with what the steps in it are on the worker's own machine.

use std::sync::Arc;

use mazurka_machine::Describe;
use mazurka_relation::Footprint;
use mazurka_trace::{ProcessId, Value};
use rustc_hash::FxHashMap;

use super::{Entry, Frontier, Kind, Known, Named, Node};
use crate::choices::ChoiceId;
use crate::names::Names;
use crate::sleep::Sleeper;

/// No node: the root is nobody's child.
const NONE: Node = Node::ROOT;

/// What a step is on the worker's own machine. A node's place in the trie decides that, so it
/// stays right.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Own {
    pub(crate) step: Sleeper,
    /// Whether it can sleep.
    pub(crate) sleeps: bool,
}

/// A node, as a worker has it.
#[derive(Debug)]
struct Copied {
    parent: Node,
    step: Option<Named>,
    is_whole: bool,
    first: Node,
    last: Node,
    next: Node,
    own: Option<Own>,
}

impl Copied {
    fn new(parent: Node, step: Option<Named>, is_whole: bool) -> Self {
        Self { parent, step, is_whole, first: NONE, last: NONE, next: NONE, own: None }
    }
}

/// A worker's copy of the trie.
#[derive(Debug)]
pub(crate) struct Copy {
    nodes: Vec<Copied>,
    /// The names of the processes that the machine has met, as far as they are known.
    names: Vec<Option<Arc<str>>>,
    /// No choices.
    nothing: Arc<[Value]>,
    /// What steps are on every machine, by what they are on this one.
    known: FxHashMap<(ProcessId, ChoiceId, Footprint, bool), Arc<Known>>,
}

impl Copy {
    pub(crate) fn new() -> Self {
        Self {
            nodes: vec![Copied::new(NONE, None, true)],
            names: Vec::new(),
            nothing: Arc::new([]),
            known: FxHashMap::default(),
        }
    }

    /// How many nodes were appended to the trie, as far as it is known.
    #[inline]
    pub(crate) fn length(&self) -> usize {
        self.nodes.len() - 1
    }

    /// Adds the nodes that have been appended since.
    pub(crate) fn refresh(&mut self, frontier: &Frontier) {
        if frontier.length() > self.length() {
            let shared = frontier.lock();
            for entry in &shared.log[self.length()..] {
                self.add(entry);
            }
        }
    }

    fn add(&mut self, entry: &Entry) {
        let node = Node(self.nodes.len() as u32);
        self.nodes.push(Copied::new(entry.parent, Some(entry.step.clone()), entry.kind != Kind::Inner));
        let parent = &mut self.nodes[entry.parent.index()];
        let last = std::mem::replace(&mut parent.last, node);
        if last == NONE {
            parent.first = node;
        } else {
            self.nodes[last.index()].next = node;
        }
    }

    /// The nodes from the root to this one, both included.
    pub(crate) fn path_to(&self, node: Node) -> Vec<Node> {
        let above = |&node: &Node| (node != Node::ROOT).then(|| self.nodes[node.index()].parent);
        let mut path: Vec<Node> = std::iter::successors(Some(node), above).collect();
        path.reverse();
        path
    }

    /// The eldest child.
    #[inline]
    pub(crate) fn first(&self, node: Node) -> Option<Node> {
        Some(self.nodes[node.index()].first).filter(|&first| first != NONE)
    }

    /// The next younger sibling.
    #[inline]
    pub(crate) fn next(&self, node: Node) -> Option<Node> {
        Some(self.nodes[node.index()].next).filter(|&next| next != NONE)
    }

    /// Whether everything that begins with a node is explored below it.
    #[inline]
    pub(crate) fn is_whole(&self, node: Node) -> bool {
        self.nodes[node.index()].is_whole
    }

    /// The step that leads to a node other than the root.
    pub(crate) fn step(&self, node: Node) -> &Named {
        self.nodes[node.index()].step.as_ref().expect("a step leads to each node but the root")
    }

    /// What that step is on the worker's machine, if that is known.
    #[inline]
    pub(crate) fn own(&self, node: Node) -> Option<Own> {
        self.nodes[node.index()].own
    }

    pub(crate) fn set_own(&mut self, node: Node, own: Own) {
        self.nodes[node.index()].own = Some(own);
    }

    /// The name of a process.
    pub(crate) fn name<M: Describe>(&mut self, machine: &M, process: ProcessId) -> &Arc<str> {
        if process.index() >= self.names.len() {
            self.names.resize(process.index() + 1, None);
        }
        self.names[process.index()].get_or_insert_with(|| machine.process_key(process).into())
    }

    /// A step by names; also what it uses, and whether it can sleep, if that is given.
    pub(crate) fn named<M: Describe>(
        &mut self,
        machine: &M,
        process: ProcessId,
        choice: ChoiceId,
        (names, uses): (&Names, Option<(Footprint, bool)>),
    ) -> Named {
        let mut values = names.choices.values(choice).peekable();
        let values = if values.peek().is_some() { values.collect() } else { Arc::clone(&self.nothing) };
        let known = uses.map(|(footprint, sleeps)| {
            let known = || Known {
                process,
                sleeps,
                choices: names.choices.list(choice).to_vec(),
                uses: names.footprints.list(footprint).collect(),
            };
            Arc::clone(self.known.entry((process, choice, footprint, sleeps)).or_insert_with(|| Arc::new(known())))
        });
        Named { process: Arc::clone(self.name(machine, process)), values, known }
    }
}
