//! A function's code while it is being made: blocks of instructions over any number of registers.

use crate::code::Kind;
use crate::code::instruction::{Condition, Instruction};

/// A register of a draft.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Temp(pub(super) u32);

impl Temp {
    /// As an index into tables by register.
    #[inline]
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A value of one register's size, known or not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Value {
    /// In a register.
    Temp(Temp),
    /// Known: as a register would hold it.
    Number(u64),
    /// The address of the running thread's copy of a global, and an offset.
    ThreadLocal(u32, u64),
    /// None in particular.
    Undefined,
}

/// The instruction of a draft.
pub(super) type Op = Instruction<Temp>;

/// The right side of a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Right {
    /// A register.
    Temp(Temp),
    /// A number.
    Number(i32),
}

/// What a branch depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Test {
    /// The comparison.
    pub(super) condition: Condition,
    /// Its left side.
    pub(super) left: Temp,
    /// Its right side.
    pub(super) right: Right,
}

/// How a block ends. Blocks are named by their index.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// On to another block.
    Jump(usize),
    /// To the first where the test holds, else to the second.
    Branch(Test, usize, usize),
    /// To the block of the value, or to the last one.
    Switch(Temp, Vec<(i64, usize)>, usize),
    /// This instruction, which does not go on to another block.
    Stop(Op),
}

impl End {
    /// The blocks it leads to.
    pub(super) fn successors(&self) -> impl DoubleEndedIterator<Item = usize> + '_ {
        let (few, many): ([Option<usize>; 2], &[(i64, usize)]) = match self {
            End::Jump(to) => ([Some(*to), None], &[]),
            End::Branch(_, yes, no) => ([Some(*yes), Some(*no)], &[]),
            End::Switch(_, cases, otherwise) => ([Some(*otherwise), None], cases),
            End::Stop(_) => ([None, None], &[]),
        };
        few.into_iter().flatten().chain(many.iter().map(|case| case.1))
    }

    /// Changes the blocks it leads to.
    pub(super) fn redirect(&mut self, mut to: impl FnMut(usize) -> usize) {
        match self {
            End::Jump(target) => *target = to(*target),
            End::Branch(_, yes, no) => {
                *yes = to(*yes);
                *no = to(*no);
            }
            End::Switch(_, cases, otherwise) => {
                cases.iter_mut().for_each(|case| case.1 = to(case.1));
                *otherwise = to(*otherwise);
            }
            End::Stop(_) => {}
        }
    }
}

/// The mark of a block that is the head of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct HeadMark {
    /// Counts the iterations, where somebody wants to know.
    pub(super) counter: Option<Temp>,
    /// Each iteration changes a register that it begins with.
    pub(super) changes: bool,
    /// Each iteration makes one load, and does nothing else that matters.
    pub(super) awaits: bool,
}

/// A block: instructions with their sites, and its end.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// Instructions and their sites.
    pub(super) code: Vec<(Op, u32)>,
    /// How it ends.
    pub(super) end: End,
    /// The site of the end.
    pub(super) site: u32,
    /// Whether it is the head of a loop.
    pub(super) head: Option<HeadMark>,
}

/// A function's draft. Its first block is its entry.
#[derive(Clone, Debug, Default)]
pub(super) struct Draft {
    /// The blocks.
    pub(super) blocks: Vec<Block>,
    /// Arguments and results of calls.
    pub(super) operands: Vec<(Temp, Kind)>,
    /// For calls with several results, how many: by the index of the first argument in `operands`.
    pub(super) results: rustc_hash::FxHashMap<u32, u16>,
    /// The parameters: the first registers.
    pub(super) parameters: Vec<Temp>,
    /// How many registers there are.
    pub(super) temps: u32,
}

impl Draft {
    /// A new register.
    pub(super) fn temp(&mut self) -> Temp {
        self.temps += 1;
        Temp(self.temps - 1)
    }

    /// A new block that nothing leads to yet.
    pub(super) fn block(&mut self) -> usize {
        self.blocks.push(Block { code: Vec::new(), end: End::Stop(Instruction::Unreachable), site: 0, head: None });
        self.blocks.len() - 1
    }

    /// The operands that an instruction reads, and those that it writes.
    pub(super) fn lists(&self, op: &Op) -> (std::ops::Range<usize>, std::ops::Range<usize>) {
        let (first, count) = match *op {
            Instruction::Call { first, count, .. }
            | Instruction::CallIndirect { first, count, .. }
            | Instruction::Native { first, count, .. }
            | Instruction::ReturnMany { first, count } => (first, count),
            _ => return (0..0, 0..0),
        };
        let results = self.results.get(&first).copied().unwrap_or(0);
        let (start, end) = (first as usize, first as usize + usize::from(count));
        (start..end, end..end + usize::from(results))
    }

    /// The registers that an instruction reads, then those that it writes.
    pub(super) fn visit(&self, op: &Op, mut reads: impl FnMut(Temp), mut writes: impl FnMut(Temp)) {
        let (arguments, results) = self.lists(op);
        op.map(
            &mut |temp| {
                reads(temp);
                temp
            },
            &mut |temp| {
                writes(temp);
                temp
            },
        );
        self.operands[arguments].iter().for_each(|operand| reads(operand.0));
        self.operands[results].iter().for_each(|operand| writes(operand.0));
    }

    /// The registers that a block's end reads.
    pub(super) fn visit_end(&self, end: &End, mut reads: impl FnMut(Temp)) {
        match end {
            End::Jump(_) => {}
            End::Branch(test, ..) => {
                reads(test.left);
                if let Right::Temp(right) = test.right {
                    reads(right);
                }
            }
            End::Switch(temp, ..) => reads(*temp),
            End::Stop(op) => self.visit(op, reads, |_| {}),
        }
    }

    /// Changes the registers that an instruction reads.
    pub(super) fn replace_reads(&mut self, op: Op, mut with: impl FnMut(Temp) -> Temp) -> Op {
        let (arguments, _) = self.lists(&op);
        self.operands[arguments].iter_mut().for_each(|operand| operand.0 = with(operand.0));
        op.map(&mut with, &mut |temp| temp)
    }

    /// Changes the registers that a block's end reads.
    pub(super) fn replace_end_reads(&mut self, end: End, mut with: impl FnMut(Temp) -> Temp) -> End {
        match end {
            End::Jump(_) => end,
            End::Branch(test, yes, no) => {
                let right = match test.right {
                    Right::Temp(right) => Right::Temp(with(right)),
                    number => number,
                };
                End::Branch(Test { left: with(test.left), right, ..test }, yes, no)
            }
            End::Switch(temp, cases, otherwise) => End::Switch(with(temp), cases, otherwise),
            End::Stop(op) => End::Stop(self.replace_reads(op, with)),
        }
    }
}
