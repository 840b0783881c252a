//! The final code of a function.

use crate::code::instruction::{Condition, Instruction, Register};
use crate::code::{Loop, Operand, Switch, Variable, Waiting};

use super::allocate::{Allocation, allocate};
use super::draft::{Draft, End, Op, Right, Temp, Test};
use super::live::Liveness;
use super::{Lowering, clean, loops};

/// A table of jumps may have so many entries for each case of its switch.
const SPARSEST: u64 = 4;

/// Cleans a draft and appends its code to the image, as that of a function.
pub(super) fn finish(lowering: &mut Lowering<'_>, number: u32, mut draft: Draft, variables: Vec<(Temp, Variable)>) {
    let counts = lowering.settings.unroll.is_some();
    clean::clean(&mut draft, !counts);
    loops::mark(&mut draft, counts);
    let liveness = define_all(&mut draft);
    let Some(allocation) = allocate(&draft, &liveness) else {
        let site = lowering.sites.sites[lowering.functions[number as usize].site as usize];
        lowering.refuse(site, "a function with more than 65,535 values at a time");
        return;
    };
    let entry = lowering.code.len() as u32;
    let register = |temp: Temp| Register(allocation.of(temp));
    let kept = variables.into_iter().map(|(temp, variable)| Variable { register: register(temp), ..variable });
    let function = &mut lowering.functions[number as usize];
    function.entry = entry;
    function.registers = allocation.count;
    function.parameters = draft.parameters.len() as u16;
    function.variables = kept.collect();
    Emitter { lowering, draft: &draft, liveness: &liveness, allocation: &allocation, starts: Vec::new() }.run();
}

/// Says of registers that may be read before they are written that they are undefined.
fn define_all(draft: &mut Draft) -> Liveness {
    let liveness = Liveness::of(draft);
    let unwritten: Vec<Temp> = liveness.ins(0).filter(|temp| temp.index() >= draft.parameters.len()).collect();
    if unwritten.is_empty() {
        return liveness;
    }
    let entry = &mut draft.blocks[0];
    let site = entry.code.first().map_or(entry.site, |first| first.1);
    let undefined = unwritten.into_iter().map(|dst| (Instruction::Undefined { dst }, site));
    entry.code.splice(0..0, undefined);
    Liveness::of(draft)
}

struct Emitter<'e, 'a> {
    lowering: &'e mut Lowering<'a>,
    draft: &'e Draft,
    liveness: &'e Liveness,
    allocation: &'e Allocation,
    /// Where the code of each block begins.
    starts: Vec<u32>,
}

impl Emitter<'_, '_> {
    fn run(mut self) {
        let (first, switches) = (self.lowering.code.len(), self.lowering.switches.len());
        let draft = self.draft;
        for (at, block) in draft.blocks.iter().enumerate() {
            self.starts.push(self.lowering.code.len() as u32);
            if block.head.is_some() {
                self.head(at);
            }
            for (op, site) in &block.code {
                let op = self.place(op);
                self.push(op, *site);
            }
            self.end(&block.end, at, block.site);
        }
        // Targets are blocks up to here.
        let starts = self.starts;
        for op in &mut self.lowering.code[first..] {
            if let Some(target) = op.target_mut() {
                *target = starts[*target as usize];
            }
        }
        for table in &mut self.lowering.switches[switches..] {
            table.dense.iter_mut().for_each(|target| *target = starts[*target as usize]);
            table.sparse.iter_mut().for_each(|entry| entry.1 = starts[entry.1 as usize]);
            table.otherwise = starts[table.otherwise as usize];
        }
    }

    fn push(&mut self, op: Instruction, site: u32) {
        if matches!(op, Instruction::Move { dst, src } if dst == src) {
            return;
        }
        self.lowering.code.push(op);
        self.lowering.places.push(site);
    }

    fn register(&self, temp: Temp) -> Register {
        Register(self.allocation.of(temp))
    }

    /// An instruction with registers of the frame, and its operands in the image's table.
    fn place(&mut self, op: &Op) -> Instruction {
        let (arguments, results) = self.draft.lists(op);
        let first = self.lowering.operands.len() as u32;
        for (temp, kind) in self.draft.operands[arguments].iter().chain(&self.draft.operands[results]) {
            let register = self.register(*temp);
            self.lowering.operands.push(Operand { register, kind: *kind });
        }
        let allocation = self.allocation;
        let register = |temp| Register(allocation.of(temp));
        let mut op = op.map(&mut { register }, &mut { register });
        if let Instruction::Call { first: at, .. }
        | Instruction::CallIndirect { first: at, .. }
        | Instruction::Native { first: at, .. }
        | Instruction::ReturnMany { first: at, .. } = &mut op
        {
            *at = first;
        }
        op
    }

    fn head(&mut self, at: usize) {
        let block = &self.draft.blocks[at];
        let Some(mark) = block.head else { return };
        let carried = self.liveness.ins(at).filter(|&temp| Some(temp) != mark.counter);
        let mut carried: Vec<Register> = carried.map(|temp| self.register(temp)).collect();
        carried.sort_unstable();
        let waiting = match (mark.changes, mark.awaits) {
            (true, _) => Waiting::Never,
            (false, true) => Waiting::Awaits,
            (false, false) => Waiting::Possible,
        };
        let head = self.lowering.code.len() as u32;
        self.lowering.loops.push(Loop { head, carried: carried.into(), waiting });
        let counter = mark.counter.map_or(Register(0), |counter| self.register(counter));
        let repeat = self.lowering.loops.len() as u32 - 1;
        let site = block.code.first().map_or(block.site, |first| first.1);
        self.push(Instruction::Head { repeat, counter }, site);
    }

    fn end(&mut self, end: &End, at: usize, site: u32) {
        match end {
            End::Jump(to) => self.jump(*to, at, site),
            End::Branch(_, yes, no) if yes == no => self.jump(*yes, at, site),
            End::Branch(test, yes, no) if *yes == at + 1 => {
                let negated = Test { condition: test.condition.negated(), ..*test };
                let op = self.branch(negated, *no);
                self.push(op, site);
            }
            End::Branch(test, yes, no) => {
                let op = self.branch(*test, *yes);
                self.push(op, site);
                self.jump(*no, at, site);
            }
            End::Switch(temp, cases, otherwise) => {
                self.lowering.switches.push(switch(cases, *otherwise));
                let table = self.lowering.switches.len() as u32 - 1;
                let src = self.register(*temp);
                self.push(Instruction::Switch { src, table }, site);
            }
            End::Stop(op) => {
                let op = self.place(op);
                self.push(op, site);
            }
        }
    }

    fn jump(&mut self, to: usize, at: usize, site: u32) {
        if to != at + 1 {
            self.push(Instruction::Jump { target: to as u32 }, site);
        }
    }

    fn branch(&self, test: Test, to: usize) -> Instruction {
        let (a, target) = (self.register(test.left), to as u32);
        match test.right {
            Right::Temp(right) => {
                let b = self.register(right);
                match test.condition {
                    Condition::Equal => Instruction::JumpIfEqual { a, b, target },
                    Condition::NotEqual => Instruction::JumpIfNotEqual { a, b, target },
                    Condition::Less => Instruction::JumpIfLess { a, b, target },
                    Condition::NotLess => Instruction::JumpIfNotLess { a, b, target },
                    Condition::Below => Instruction::JumpIfBelow { a, b, target },
                    Condition::NotBelow => Instruction::JumpIfNotBelow { a, b, target },
                }
            }
            Right::Number(value) => match test.condition {
                Condition::Equal => Instruction::JumpIfEqualTo { a, value, target },
                Condition::NotEqual => Instruction::JumpIfNotEqualTo { a, value, target },
                Condition::Less => Instruction::JumpIfLessThan { a, value, target },
                Condition::NotLess => Instruction::JumpIfNotLessThan { a, value, target },
                Condition::Below => Instruction::JumpIfBelowThan { a, value, target },
                Condition::NotBelow => Instruction::JumpIfNotBelowThan { a, value, target },
            },
        }
    }
}

/// A table for a switch: dense where that is not much larger than the list of cases.
fn switch(cases: &[(i64, usize)], otherwise: usize) -> Switch {
    let mut sparse: Vec<(i64, u32)> = cases.iter().map(|case| (case.0, case.1 as u32)).collect();
    sparse.sort_by_key(|case| case.0);
    sparse.dedup_by_key(|case| case.0);
    let otherwise = otherwise as u32;
    let (Some(&(low, _)), Some(&(high, _))) = (sparse.first(), sparse.last()) else {
        return Switch { low: 0, dense: Vec::new(), sparse, otherwise };
    };
    let span = high.abs_diff(low);
    if span >= SPARSEST * sparse.len() as u64 {
        return Switch { low, dense: Vec::new(), sparse, otherwise };
    }
    let mut dense = vec![otherwise; span as usize + 1];
    for (value, target) in sparse {
        dense[value.abs_diff(low) as usize] = target;
    }
    Switch { low, dense, sparse: Vec::new(), otherwise }
}

#[cfg(test)]
mod tests {
    use super::switch;

    #[test]
    fn tables() {
        let dense = switch(&[(3, 1), (1, 2), (i64::from(-1), 3)], 9);
        assert_eq!((dense.low, dense.dense), (-1, vec![3, 9, 2, 9, 1]));
        let sparse = switch(&[(i64::MAX, 1), (i64::MIN, 2)], 9);
        assert_eq!(sparse.sparse, [(i64::MIN, 2), (i64::MAX, 1)]);
        assert!(sparse.dense.is_empty());
        assert_eq!(switch(&[], 4).target(0), 4);
    }
}
