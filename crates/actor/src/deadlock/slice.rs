//! Backward slices: which fields decide whether, and how, an instruction of a method is executed?
//!
//! A field counts if what it holds can reach the instruction: by data (the future, the receiver,
//! the arguments), or by the conditions that decide whether it is reached. An instruction that can
//! throw, or wait for ever, is such a condition.

use std::collections::{BTreeSet, VecDeque};

use crate::code::{FRAME, Image, Instruction, Pc, Slot};
use crate::hir::{Builtin, Operator};

/// The instructions of a method that load a field, or call others that may, on which an instruction
/// depends.
pub(super) struct Slice {
    /// The instructions on which it depends.
    pub(super) relevant: BTreeSet<Pc>,
}

/// The slice of an instruction within its method.
pub(super) fn slice(image: &Image, target: Pc) -> Slice {
    let mut slicing = Slicing::new(image, target);
    while slicing.round() {}
    let relevant = slicing.relevant.iter().zip(slicing.first..).filter(|(relevant, _)| **relevant);
    Slice { relevant: relevant.map(|(_, pc)| pc).collect() }
}

/// The instructions from which an instruction of the same method can be reached, by at least one
/// step.
pub(super) fn before(image: &Image, target: Pc) -> BTreeSet<Pc> {
    let graph = Graph::of(image, target);
    let reaching = graph.reaching(target, None);
    reaching.iter().zip(graph.first..).filter(|(reaches, _)| **reaches).map(|(_, pc)| pc).collect()
}

/// The control flow of a method.
struct Graph {
    first: Pc,
    successors: Vec<Vec<Pc>>,
    predecessors: Vec<Vec<Pc>>,
    /// The method can end, or hang for ever, at the instruction.
    ends: Vec<bool>,
}

impl Graph {
    /// Of the method that an instruction belongs to.
    fn of(image: &Image, within: Pc) -> Self {
        let owner = image.owners[within as usize];
        let is_own = |pc: &Pc| image.owners.get(*pc as usize) == Some(&owner);
        let first = (0..=within).rev().take_while(is_own).last().unwrap_or(within);
        let end = (within..).take_while(is_own).last().unwrap_or(within) + 1;
        let mut graph = Graph { first, successors: Vec::new(), predecessors: Vec::new(), ends: Vec::new() };
        graph.predecessors = vec![Vec::new(); (end - first) as usize];
        for pc in first..end {
            let (mut successors, ends) = successors(image, pc);
            let handlers = &image.bodies[owner as usize].handlers;
            let caught = handlers.iter().filter(|handler| (handler.from..handler.to).contains(&pc));
            successors.extend(caught.map(|handler| handler.target));
            successors.retain(|to| (first..end).contains(to));
            successors.sort_unstable();
            successors.dedup();
            for &to in &successors {
                graph.predecessors[(to - first) as usize].push(pc);
            }
            graph.successors.push(successors);
            graph.ends.push(ends);
        }
        graph
    }

    fn at(&self, pc: Pc) -> usize {
        (pc - self.first) as usize
    }

    /// From where an instruction can be reached, without passing another one.
    fn reaching(&self, target: Pc, without: Option<Pc>) -> Vec<bool> {
        let mut reaches = vec![false; self.successors.len()];
        let mut left = vec![target];
        while let Some(pc) = left.pop() {
            for &from in &self.predecessors[self.at(pc)] {
                if Some(from) != without && !reaches[self.at(from)] {
                    reaches[self.at(from)] = true;
                    left.push(from);
                }
            }
        }
        reaches
    }

    /// From where the method can end, or the target be reached, without passing an instruction.
    fn avoiding(&self, avoided: Pc, target: Pc) -> Vec<bool> {
        let mut avoids = vec![false; self.successors.len()];
        let ends = (self.first..).zip(&self.ends).filter(|(_, ends)| **ends).map(|(pc, _)| pc);
        let mut left: VecDeque<Pc> = ends.chain([target]).filter(|&pc| pc != avoided).collect();
        left.iter().for_each(|&pc| avoids[self.at(pc)] = true);
        while let Some(pc) = left.pop_front() {
            for &from in &self.predecessors[self.at(pc)] {
                if from != avoided && !avoids[self.at(from)] {
                    avoids[self.at(from)] = true;
                    left.push_back(from);
                }
            }
        }
        avoids
    }
}

struct Slicing<'i> {
    image: &'i Image,
    graph: Graph,
    first: Pc,
    target: Pc,
    /// It comes before the target.
    earlier: Vec<bool>,
    relevant: Vec<bool>,
    /// The words whose values count before an instruction.
    words: Vec<BTreeSet<Slot>>,
    /// The fields whose values count.
    fields: BTreeSet<u32>,
    /// The instructions whose conditions have been looked for.
    controlled: BTreeSet<Pc>,
}

impl<'i> Slicing<'i> {
    fn new(image: &'i Image, target: Pc) -> Self {
        let graph = Graph::of(image, target);
        let count = graph.successors.len();
        let (first, earlier) = (graph.first, graph.reaching(target, None));
        let (relevant, words) = (vec![false; count], vec![BTreeSet::new(); count]);
        let (fields, controlled) = Default::default();
        let mut slicing = Slicing { image, graph, first, target, earlier, relevant, words, fields, controlled };
        slicing.take(target);
        slicing
    }

    /// An instruction counts, and so does all that it uses.
    fn take(&mut self, pc: Pc) -> bool {
        let at = self.graph.at(pc);
        let is_new = !self.relevant[at];
        self.relevant[at] = true;
        self.words[at].extend(uses(self.image, pc));
        if let Instruction::Load { field, .. } = self.image.code[pc as usize] {
            self.fields.insert(field);
        }
        is_new
    }

    /// One round; whether anything was new.
    fn round(&mut self) -> bool {
        let mut changed = false;
        for pc in (self.first..self.first + self.words.len() as Pc).rev() {
            let at = self.graph.at(pc);
            if !self.earlier[at] && pc != self.target {
                continue;
            }
            let instruction = self.image.code[pc as usize];
            let after: BTreeSet<Slot> = self.graph.successors[at]
                .iter()
                .filter(|&&to| self.earlier[self.graph.at(to)] || to == self.target)
                .flat_map(|&to| self.words[self.graph.at(to)].iter().copied())
                .collect();
            let defined = defines(&instruction);
            let stores = matches!(instruction, Instruction::Store { field, .. } if self.fields.contains(&field));
            // The result of a call within the group, or the future of a task: neither is certain.
            let may_define = matches!(instruction, Instruction::Sync { to, first, .. }
                if after.contains(&to) || after.contains(&first));
            if stores || may_define || defined.is_some_and(|word| after.contains(&word)) {
                changed |= self.take(pc);
            }
            let kept = after.into_iter().filter(|&word| Some(word) != defined);
            let before = self.words[at].len();
            self.words[at].extend(kept);
            changed |= self.words[at].len() > before;
        }
        changed | self.add_conditions()
    }

    /// The instructions that decide whether those that count are executed.
    fn add_conditions(&mut self) -> bool {
        let relevant = (self.first..).zip(&self.relevant).filter(|(_, relevant)| **relevant).map(|(pc, _)| pc);
        let new: Vec<Pc> = relevant.filter(|pc| !self.controlled.contains(pc)).collect();
        let mut changed = false;
        for pc in new {
            self.controlled.insert(pc);
            let (reaches, avoids) = (self.graph.reaching(pc, None), self.graph.avoiding(pc, self.target));
            for from in self.first..self.first + self.words.len() as Pc {
                let at = self.graph.at(from);
                let decides = self.graph.ends[at] || self.graph.successors[at].len() > 1;
                let avoids = self.graph.ends[at]
                    || self.graph.successors[at].iter().any(|&to| to != pc && avoids[self.graph.at(to)]);
                if decides && reaches[at] && avoids {
                    changed |= self.take(from);
                }
            }
        }
        changed
    }
}

/// Where an instruction goes on in its method, and whether the method can end or hang there.
fn successors(image: &Image, pc: Pc) -> (Vec<Pc>, bool) {
    let next = pc + 1;
    match image.code[pc as usize] {
        Instruction::Jump { to } => (vec![to], false),
        Instruction::Unless { to, .. }
        | Instruction::When { to, .. }
        | Instruction::Unmatched { to, .. }
        | Instruction::Unequal { to, .. } => (vec![next, to], false),
        Instruction::Return { .. }
        | Instruction::ReturnThis
        | Instruction::Throw { .. }
        | Instruction::NoMatch { .. } => (Vec::new(), true),
        Instruction::Sync { .. } => (vec![next, pc + 2], true),
        Instruction::EndGuard { guard, .. } => (vec![next, guard], true),
        Instruction::AwaitFuture { .. }
        | Instruction::Get { .. }
        | Instruction::Ready { .. }
        | Instruction::Async { .. }
        | Instruction::Assert { .. }
        | Instruction::Call { .. }
        | Instruction::CallLocal { .. } => (vec![next], true),
        Instruction::Builtin { builtin, .. } => (vec![next], matches!(builtin, Builtin::Random | Builtin::Substring)),
        Instruction::Binary { operator, .. } => {
            (vec![next], matches!(operator, Operator::Divide | Operator::Remainder))
        }
        _ => (vec![next], false),
    }
}

/// The word that an instruction writes.
fn defines(instruction: &Instruction) -> Option<Slot> {
    Some(match *instruction {
        Instruction::Constant { to, .. }
        | Instruction::Null { to }
        | Instruction::Copy { to, .. }
        | Instruction::This { to }
        | Instruction::Load { to, .. }
        | Instruction::Construct { to, .. }
        | Instruction::List { to, .. }
        | Instruction::Closure { to, .. }
        | Instruction::Call { to, .. }
        | Instruction::CallLocal { to, .. }
        | Instruction::Builtin { to, .. }
        | Instruction::Not { to, .. }
        | Instruction::Negate { to, .. }
        | Instruction::Binary { to, .. }
        | Instruction::Project { to, .. }
        | Instruction::Implements { to, .. }
        | Instruction::As { to, .. }
        | Instruction::Ready { to, .. }
        | Instruction::Get { to, .. }
        | Instruction::Async { to, .. }
        | Instruction::New { to, .. } => to,
        _ => return None,
    })
}

/// The words that an instruction reads.
fn uses(image: &Image, pc: Pc) -> Vec<Slot> {
    let several = |first: Slot, count: u32| (first..first + count).collect::<Vec<Slot>>();
    match image.code[pc as usize] {
        Instruction::Copy { from, .. }
        | Instruction::Store { from, .. }
        | Instruction::Not { from, .. }
        | Instruction::Negate { from, .. }
        | Instruction::Return { from }
        | Instruction::Throw { from, .. } => vec![from],
        Instruction::Entry { key, .. } => vec![key],
        Instruction::Construct { first, count, .. }
        | Instruction::List { first, count, .. }
        | Instruction::Closure { first, count, .. } => several(first, count),
        Instruction::Call { function, first, .. } => several(first + FRAME, image.bodies[function as usize].parameters),
        Instruction::CallLocal { closure, first, count, .. } => [vec![closure], several(first + FRAME, count)].concat(),
        Instruction::Builtin { builtin, first, .. } => {
            several(first, if builtin == Builtin::Substring { 3 } else { 1 })
        }
        Instruction::Binary { left, right, .. } | Instruction::Unequal { left, right, .. } => vec![left, right],
        Instruction::Unless { condition, .. }
        | Instruction::When { condition, .. }
        | Instruction::EndGuard { condition, .. }
        | Instruction::Assert { condition } => vec![condition],
        Instruction::Unmatched { value, .. } | Instruction::Project { value, .. } => vec![value],
        Instruction::Implements { object, .. } | Instruction::As { object, .. } => vec![object],
        Instruction::Ready { future, .. }
        | Instruction::AwaitFuture { future, .. }
        | Instruction::Get { future, .. } => vec![future],
        Instruction::Async { receiver, first, count, .. } | Instruction::Sync { receiver, first, count, .. } => {
            [vec![receiver], several(first + FRAME, count)].concat()
        }
        Instruction::New { first, count, .. } => several(first + FRAME, count),
        _ => Vec::new(),
    }
}
