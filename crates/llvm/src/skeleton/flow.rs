//! What a function does with values, whoever calls it.
//!
//! A register has as many values as there are instructions that write it, and one for the beginning
//! of each block in which it is read before it is written: so what is known of a value depends on
//! the path, as far as copies can tell.

use rustc_hash::FxHashMap;

use crate::code::instruction::{Instruction, Register};
use crate::code::{Function, Image, Operand};
use crate::native::Native;

/// A value of a function, by number. The parameters come first.
pub(super) type ValueId = u32;

/// How values come from others.
#[derive(Clone, Debug)]
pub(super) enum Rule {
    /// The same.
    Copy { from: ValueId, to: ValueId },
    /// So much more. Of a number, only the lowest 32 bits, if it is short.
    Shift { from: ValueId, to: ValueId, by: i64, is_short: bool },
    /// Computed from it in a way that is not followed.
    Smear { from: ValueId, to: ValueId },
    /// Any number.
    Any { to: ValueId },
    /// A constant; possibly an address.
    Constant { to: ValueId, value: u64 },
    /// The sum.
    Sum { a: ValueId, b: ValueId, to: ValueId },
    /// An element of what lies at the base.
    Index { base: ValueId, index: ValueId, scale: i64, offset: i64, to: ValueId },
    /// Read from memory.
    Load { base: ValueId, offset: i64, width: u32, to: ValueId },
    /// Written to memory.
    Store { base: ValueId, offset: i64, width: u32, from: ValueId },
    /// Copied in memory; so many bytes, if that is known.
    Transfer { to: ValueId, from: ValueId, length: Option<u32> },
    /// The address of a new object of the stack.
    Stack { to: ValueId, pc: u32, local: u32 },
    /// The address of a new block.
    Heap { to: ValueId, pc: u32, shape: u32 },
    /// The address of the thread's own copy of a global.
    Own { to: ValueId, global: u32 },
    /// The thread's own handle.
    Oneself { to: ValueId },
    /// A call of a function that is known.
    Call { pc: u32, function: u32, arguments: Box<[ValueId]>, results: Box<[ValueId]> },
    /// A call through a pointer.
    CallIndirect { pc: u32, callee: ValueId, signature: u32, arguments: Box<[ValueId]>, results: Box<[ValueId]> },
    /// A thread is created.
    Create { pc: u32, handle: ValueId, function: ValueId, argument: ValueId },
    /// What a thread leaves behind is written.
    Joined { place: ValueId },
    /// What a thread leaves behind.
    Left { from: ValueId },
    /// A call of a function that nobody defines.
    Foreign { pc: u32, name: u32, arguments: Box<[ValueId]>, to: ValueId },
    /// A result of the function.
    Return { number: u32, from: ValueId },
}

/// What a function does with values.
#[derive(Clone, Default, Debug)]
pub(super) struct Flow {
    pub(super) rules: Vec<Rule>,
    /// How many values there are.
    pub(super) values: u32,
    pub(super) parameters: u32,
    /// How many results.
    pub(super) results: u32,
    /// The values of the operands of what the machine models, by instruction.
    pub(super) operands: FxHashMap<u32, Box<[ValueId]>>,
}

/// Where the code of each function ends, by function.
pub(super) fn ends(image: &Image) -> Vec<u32> {
    let mut entries: Vec<u32> = image.functions.iter().map(|function| function.entry).collect();
    entries.push(image.code.len() as u32);
    entries.sort_unstable();
    let end = |function: &Function| match entries.binary_search(&function.entry) {
        Ok(_) => entries[entries.partition_point(|&entry| entry <= function.entry).min(entries.len() - 1)],
        Err(_) => function.entry,
    };
    image.functions.iter().map(end).collect()
}

/// Where an instruction leads within its function; nowhere where that is left.
pub(super) fn successors(image: &Image, pc: u32) -> Vec<u32> {
    use Instruction as I;
    let mut instruction = image.code[pc as usize];
    match instruction {
        I::Return | I::ReturnValue { .. } | I::ReturnMany { .. } | I::Trap | I::Unreachable => Vec::new(),
        I::Native { native, .. } if never_returns(native) => Vec::new(),
        I::Jump { target } => vec![target],
        I::Switch { table, .. } => {
            let table = &image.switches[table as usize];
            let mut targets: Vec<u32> = table.dense.clone();
            targets.extend(table.sparse.iter().map(|entry| entry.1));
            targets.push(table.otherwise);
            targets.sort_unstable();
            targets.dedup();
            targets
        }
        _ => match instruction.target_mut() {
            Some(&mut target) if target == pc + 1 => vec![target],
            Some(&mut target) => vec![pc + 1, target],
            None => vec![pc + 1],
        },
    }
}

/// Whether a thread that calls it does not come back.
pub(super) fn never_returns(native: Native) -> bool {
    matches!(
        native,
        Native::ThreadEnd
            | Native::Exit
            | Native::Abort
            | Native::AssertFail
            | Native::Error
            | Native::Misuse
            | Native::Unmodelled
    )
}

/// Follows the values of a function.
pub(super) fn flow(image: &Image, number: u32, end: u32) -> Flow {
    let function = &image.functions[number as usize];
    let mut builder = Builder::new(image, function, end);
    for block in 0..builder.blocks.len() {
        builder.block(block);
    }
    builder.join();
    builder.flow
}

/// Instructions without a jump in between.
struct Block {
    start: u32,
    end: u32,
    before: Vec<usize>,
    /// The values of registers at its end, as far as it writes them.
    last: FxHashMap<Register, ValueId>,
}

struct Builder<'a> {
    image: &'a Image,
    flow: Flow,
    blocks: Vec<Block>,
    /// The values of registers at the beginnings of blocks, where somebody wants to know.
    first: FxHashMap<(usize, Register), ValueId>,
    todo: Vec<(usize, Register, ValueId)>,
    /// The block that is followed.
    current: usize,
}

impl<'a> Builder<'a> {
    fn new(image: &'a Image, function: &Function, end: u32) -> Self {
        let blocks = blocks(image, function.entry, end);
        let parameters = u32::from(function.parameters);
        let results = function.signature.results.len() as u32;
        let flow = Flow { parameters, results, values: parameters, ..Flow::default() };
        Builder { image, flow, blocks, first: FxHashMap::default(), todo: Vec::new(), current: 0 }
    }

    fn value(&mut self) -> ValueId {
        self.flow.values += 1;
        self.flow.values - 1
    }

    fn rule(&mut self, rule: Rule) {
        self.flow.rules.push(rule);
    }

    /// The value of a register at the beginning of a block.
    fn at_first(&mut self, block: usize, register: Register) -> ValueId {
        if let Some(&value) = self.first.get(&(block, register)) {
            return value;
        }
        let value = self.value();
        self.first.insert((block, register), value);
        self.todo.push((block, register, value));
        value
    }

    /// Says where the values at the beginnings of blocks come from.
    fn join(&mut self) {
        while let Some((block, register, to)) = self.todo.pop() {
            if block == 0 && u32::from(register.0) < self.flow.parameters {
                self.rule(Rule::Copy { from: u32::from(register.0), to });
            }
            for before in self.blocks[block].before.clone() {
                let from = match self.blocks[before].last.get(&register) {
                    Some(&value) => value,
                    None => self.at_first(before, register),
                };
                if from != to {
                    self.rule(Rule::Copy { from, to });
                }
            }
        }
    }

    fn read(&mut self, register: Register) -> ValueId {
        match self.blocks[self.current].last.get(&register) {
            Some(&value) => value,
            None => self.at_first(self.current, register),
        }
    }

    fn write(&mut self, register: Register) -> ValueId {
        let value = self.value();
        self.blocks[self.current].last.insert(register, value);
        value
    }

    fn read_all(&mut self, first: u32, count: u16) -> Box<[ValueId]> {
        let image = self.image;
        let operands = &image.operands[first as usize..][..usize::from(count)];
        operands.iter().map(|operand: &Operand| self.read(operand.register)).collect()
    }

    fn block(&mut self, block: usize) {
        self.current = block;
        for pc in self.blocks[block].start..self.blocks[block].end {
            self.instruction(pc);
        }
    }

    fn instruction(&mut self, pc: u32) {
        use Instruction as I;
        match self.image.code[pc as usize] {
            I::Move { dst, src } => self.copy(&[src], dst),
            I::Select { dst, yes, no, .. } => self.copy(&[yes, no], dst),
            I::Constant { dst, value } => {
                let to = self.write(dst);
                self.rule(Rule::Constant { to, value });
            }
            I::Add64By { dst, a, value } => self.shift(a, dst, value, false),
            I::Add32By { dst, a, value } => self.shift(a, dst, value, true),
            I::Wrap { dst, src, bits: 32 } => self.shift(src, dst, 0, true),
            I::Add64 { dst, a, b } => {
                let (a, b) = (self.read(a), self.read(b));
                let to = self.write(dst);
                self.rule(Rule::Sum { a, b, to });
            }
            I::Index { dst, base, index, scale, offset } => {
                let (base, index) = (self.read(base), self.read(index));
                let to = self.write(dst);
                self.rule(Rule::Index { base, index, scale: scale.into(), offset: offset.into(), to });
            }
            I::IndexAt { dst, index, scale, address } => {
                let (base, index) = (self.constant(address), self.read(index));
                let to = self.write(dst);
                self.rule(Rule::Index { base, index, scale: scale.into(), offset: 0, to });
            }
            I::ThreadLocal { dst, global } => {
                let to = self.write(dst);
                self.rule(Rule::Own { to, global });
            }
            I::Alloca { dst, local } | I::AllocaMany { dst, local, .. } => {
                let to = self.write(dst);
                self.rule(Rule::Stack { to, pc, local });
            }
            I::Call { .. } | I::CallIndirect { .. } | I::Native { .. } => self.call(pc),
            I::ReturnValue { src } => {
                let from = self.read(src);
                self.rule(Rule::Return { number: 0, from });
            }
            I::ReturnMany { first, count } => {
                for (number, from) in self.read_all(first, count).into_iter().enumerate() {
                    self.rule(Rule::Return { number: number as u32, from });
                }
            }
            instruction => self.memory(instruction),
        }
    }

    fn constant(&mut self, value: u64) -> ValueId {
        let to = self.value();
        self.rule(Rule::Constant { to, value });
        to
    }

    fn copy(&mut self, from: &[Register], to: Register) {
        let from: Vec<ValueId> = from.iter().map(|&from| self.read(from)).collect();
        let to = self.write(to);
        from.into_iter().for_each(|from| self.rule(Rule::Copy { from, to }));
    }

    fn shift(&mut self, from: Register, to: Register, by: i32, is_short: bool) {
        let from = self.read(from);
        let to = self.write(to);
        self.rule(Rule::Shift { from, to, by: by.into(), is_short });
    }

    fn memory(&mut self, instruction: Instruction) {
        use Instruction as I;
        match instruction {
            I::Load { dst, base, offset, kind, .. } => {
                let base = self.read(base);
                self.load(base, offset.into(), kind.width().bytes(), dst);
            }
            I::LoadAt { dst, address, kind, .. } => {
                let base = self.constant(address);
                self.load(base, 0, kind.width().bytes(), dst);
            }
            I::Store { src, base, offset, width, .. } => {
                let (base, from) = (self.read(base), self.read(src));
                self.rule(Rule::Store { base, offset: offset.into(), width: width.bytes(), from });
            }
            I::StoreAt { src, address, width, .. } => {
                let (base, from) = (self.constant(address), self.read(src));
                self.rule(Rule::Store { base, offset: 0, width: width.bytes(), from });
            }
            // A number of so few bits is no address.
            I::StoreValue { .. } | I::StoreValueAt { .. } => {}
            I::Modify { width, dst, base, src, offset, .. } => {
                let (base, from) = (self.read(base), self.read(src));
                self.exchange(base, offset.into(), width.bytes(), from, dst);
            }
            I::ModifyAt { width, dst, src, address, .. } => {
                let (base, from) = (self.constant(address), self.read(src));
                self.exchange(base, 0, width.bytes(), from, dst);
            }
            I::CompareExchange { width, dst, success, base, new, offset, .. } => {
                let (base, from) = (self.read(base), self.read(new));
                self.rule(Rule::Store { base, offset: offset.into(), width: width.bytes(), from });
                self.load(base, offset.into(), width.bytes(), dst);
                let to = self.write(success);
                self.rule(Rule::Any { to });
            }
            I::Copy { to, from, .. } => self.transfer(to, from, None),
            I::CopyBytes { to, from, length, .. } => self.transfer(to, from, Some(length)),
            other => self.compute(other),
        }
    }

    fn load(&mut self, base: ValueId, offset: i64, width: u32, dst: Register) {
        let to = self.write(dst);
        self.rule(Rule::Load { base, offset, width, to });
        self.rule(Rule::Any { to });
    }

    /// What is there is read, and what is computed from that and another value is written.
    fn exchange(&mut self, base: ValueId, offset: i64, width: u32, from: ValueId, dst: Register) {
        let both = self.value();
        self.load(base, offset, width, dst);
        let old = self.read(dst);
        self.rule(Rule::Copy { from, to: both });
        self.rule(Rule::Smear { from, to: both });
        self.rule(Rule::Smear { from: old, to: both });
        self.rule(Rule::Store { base, offset, width, from: both });
    }

    fn transfer(&mut self, to: Register, from: Register, length: Option<u32>) {
        let (to, from) = (self.read(to), self.read(from));
        self.rule(Rule::Transfer { to, from, length });
    }

    /// Everything else: what it writes can be computed from all that it reads.
    fn compute(&mut self, instruction: Instruction) {
        use Instruction as I;
        let (mut sources, mut targets) = (Vec::new(), Vec::new());
        instruction.map(
            &mut |register| {
                sources.push(register);
                register
            },
            &mut |register| {
                targets.push(register);
                register
            },
        );
        let is_condition = matches!(
            instruction,
            I::Compare { .. } | I::CompareWith { .. } | I::FloatCompare { .. } | I::SoftCompare { .. }
        );
        let sources: Vec<ValueId> = if targets.is_empty() || is_condition {
            Vec::new()
        } else {
            sources.into_iter().map(|register| self.read(register)).collect()
        };
        for register in targets {
            let to = self.write(register);
            self.rule(Rule::Any { to });
            sources.iter().for_each(|&from| self.rule(Rule::Smear { from, to }));
        }
    }

    fn call(&mut self, pc: u32) {
        use Instruction as I;
        let image = self.image;
        match image.code[pc as usize] {
            I::Call { function, first, count, dst } => {
                let arguments = self.read_all(first, count);
                let results = image.functions[function as usize].signature.results.len();
                let results = self.results(results, first, count, dst);
                self.rule(Rule::Call { pc, function, arguments, results });
            }
            I::CallIndirect { callee, signature, first, count, dst } => {
                let (callee, arguments) = (self.read(callee), self.read_all(first, count));
                let results = image.signatures[signature as usize].results.len();
                let results = self.results(results, first, count, dst);
                self.rule(Rule::CallIndirect { pc, callee, signature, arguments, results });
            }
            I::Native { native, first, count, dst, shape } => {
                let operands = self.read_all(first, count);
                let to = self.write(dst);
                self.native(native, pc, shape, &operands, to);
                self.flow.operands.insert(pc, operands);
            }
            _ => {}
        }
    }

    /// Where the results of a call go.
    fn results(&mut self, results: usize, first: u32, count: u16, dst: Register) -> Box<[ValueId]> {
        if results < 2 {
            return Box::new([self.write(dst)]);
        }
        let operands = &self.image.operands[first as usize + usize::from(count)..][..results];
        operands.iter().map(|operand| self.write(operand.register)).collect()
    }

    fn native(&mut self, native: Native, pc: u32, shape: u32, operands: &[ValueId], to: ValueId) {
        match (native, operands) {
            (Native::ThreadCreate, &[handle, _, function, argument, ..]) => {
                self.rule(Rule::Create { pc, handle, function, argument });
            }
            (Native::ThreadJoin, &[_, place, ..]) => self.rule(Rule::Joined { place }),
            (Native::ThreadEnd, &[from, ..]) => self.rule(Rule::Left { from }),
            (Native::Foreign, _) => self.rule(Rule::Foreign { pc, name: shape, arguments: operands.into(), to }),
            (Native::ThreadSelf, _) => self.rule(Rule::Oneself { to }),
            _ if native.allocates() => self.rule(Rule::Heap { to, pc, shape }),
            _ => {}
        }
        self.rule(Rule::Any { to });
    }
}

fn blocks(image: &Image, entry: u32, end: u32) -> Vec<Block> {
    let mut starts: Vec<u32> = vec![entry];
    for pc in entry..end {
        let next = successors(image, pc);
        if next != [pc + 1] {
            starts.extend(next);
            starts.push(pc + 1);
        }
    }
    starts.retain(|&start| start < end);
    starts.sort_unstable();
    starts.dedup();
    let mut blocks: Vec<Block> = Vec::new();
    for (at, &start) in starts.iter().enumerate() {
        let end = starts.get(at + 1).copied().unwrap_or(end);
        blocks.push(Block { start, end, before: Vec::new(), last: FxHashMap::default() });
    }
    for at in 0..blocks.len() {
        for next in successors(image, blocks[at].end - 1) {
            if let Ok(next) = starts.binary_search(&next) {
                blocks[next].before.push(at);
            }
        }
    }
    blocks
}
