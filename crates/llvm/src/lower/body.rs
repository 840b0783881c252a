//! The draft of a function: its instructions one after the other, each value as a row of scalars.
//!
//! A result of an instruction is never written twice, so that a value that is only another name for
//! a value costs nothing. Phi nodes have a register of their own that the blocks before write and
//! their own block copies, so the copies of one block do not get in each other's way;
//! [`clean`](super::clean) removes nearly all of them.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::code::instruction::{Instruction, Register};
use crate::code::{Site, Variable};
use crate::ir::{self, BlockId, FunctionId, InstructionKind, LocalId, MetadataId, Module, Operand, TypeId};

use super::control::LazyTest;
use super::draft::{Draft, End, Op, Temp, Value};
use super::promote::Promotion;
use super::{Lowering, emit};

/// Why something cannot be lowered.
pub(super) type Refusal = Rc<str>;

/// The draft of a function as it grows.
pub(super) struct Body<'l, 'a> {
    pub(super) lowering: &'l mut Lowering<'a>,
    /// The module's index.
    pub(super) at: usize,
    pub(super) module: &'a Module,
    pub(super) function: &'a ir::Function,
    /// The function's number in the image.
    pub(super) number: u32,
    pub(super) draft: Draft,
    /// The block being written.
    pub(super) current: usize,
    /// The place of the instruction being lowered.
    pub(super) site: Site,
    /// Its number, for what may share it.
    pub(super) shared: u32,
    /// The values of the locals: ranges of `arena`.
    values: Vec<Option<(u32, u32)>>,
    arena: Vec<Value>,
    /// Addresses that are only computed where they are needed: a base and an offset.
    addresses: Vec<Option<(Value, u64)>>,
    /// Comparisons that only a branch needs.
    pub(super) tests: Vec<Option<LazyTest>>,
    pub(super) promotion: Promotion,
    /// How often each local is used.
    pub(super) uses: Vec<u32>,
    /// The registers of phi nodes.
    pub(super) phis: Vec<Vec<Temp>>,
    /// The variables that live in `alloca`s.
    pub(super) variables: FxHashMap<LocalId, MetadataId>,
    /// The address of the variable arguments.
    pub(super) variable_arguments: Option<Temp>,
    /// What the function does is one step.
    pub(super) atomic: bool,
}

/// Lowers a function of a module.
pub(super) fn lower(lowering: &mut Lowering<'_>, number: u32, at: usize, id: FunctionId) {
    let program = lowering.program;
    let module = &program.modules[at];
    let function = &module.functions[id.index()];
    let promotion = super::promote::promote(lowering, at, function);
    let site = lowering.sites.sites[lowering.functions[number as usize].site as usize];
    let count = function.locals.len();
    let mut body = Body {
        at,
        module,
        function,
        number,
        draft: Draft::default(),
        current: 0,
        site,
        shared: lowering.functions[number as usize].site,
        values: vec![None; count],
        arena: Vec::with_capacity(count),
        addresses: vec![None; count],
        tests: vec![None; count],
        uses: promotion.uses.clone(),
        promotion,
        phis: vec![Vec::new(); count],
        variables: variables(module, function),
        variable_arguments: None,
        atomic: function.name.starts_with("__VERIFIER_atomic_"),
        lowering,
    };
    body.run();
    let names = body.names();
    let draft = body.draft;
    emit::finish(lowering, number, draft, names);
}

/// The variables of the source that debug information ties to `alloca`s.
fn variables(module: &Module, function: &ir::Function) -> FxHashMap<LocalId, MetadataId> {
    let records = function.blocks.iter().flat_map(|block| &block.records);
    let declared = records.filter_map(|record| match record.kind {
        ir::DebugRecordKind::Declare { variable, address, .. } => match module.wrapped(address)? {
            Operand::Local(local) => Some((local, variable)),
            _ => None,
        },
        _ => None,
    });
    declared.collect()
}

impl<'a> Body<'_, 'a> {
    fn run(&mut self) {
        for _ in &self.function.blocks {
            self.draft.block();
        }
        self.parameters();
        for block in super::order::of_blocks(self.function) {
            self.current = block.index();
            self.block(block);
        }
    }

    fn parameters(&mut self) {
        for index in 0..self.function.parameters {
            let local = LocalId(index as u32);
            // A type that has no scalars has been refused with the signature.
            let count = self.parts(self.function.locals[index].ty).map_or(0, |parts| parts.len());
            let temps: Vec<Value> = (0..count).map(|_| Value::Temp(self.draft.temp())).collect();
            self.define(local, &temps);
        }
        self.draft.parameters = (0..self.draft.temps).map(Temp).collect();
        if self.lowering.functions[self.number as usize].signature.variadic {
            let area = self.draft.temp();
            self.draft.parameters.push(area);
            self.variable_arguments = Some(area);
        }
        if self.atomic {
            self.emit(Instruction::AtomicBegin);
        }
        for index in 0..self.function.parameters {
            self.by_value(index);
        }
    }

    /// A parameter that is the address of what the function gets its own copy of.
    fn by_value(&mut self, index: usize) {
        let attributes = self.function.attributes.map(|id| &self.module.attributes[id.index()]);
        let Some(ty) = attributes.and_then(|list| list.by_value(index)) else { return };
        let alignment = attributes.and_then(|list| list.alignment(index));
        let name = self.function.local_name(LocalId(index as u32)).unwrap_or_default().to_owned();
        let Ok(from) = self.scalar(Operand::Local(LocalId(index as u32))) else { return };
        match self.new_local(name, ty, alignment, 1, None) {
            Ok((local, size)) => {
                let (dst, from) = (self.draft.temp(), self.temp(from));
                self.emit(Instruction::Alloca { dst, local });
                if size > 0 {
                    self.emit(Instruction::CopyBytes { to: dst, from, length: size, overlap: false });
                }
                self.define(LocalId(index as u32), &[Value::Temp(dst)]);
            }
            Err(reason) => self.refuse(&reason),
        }
    }

    fn block(&mut self, id: BlockId) {
        let block = &self.function.blocks[id.index()];
        for (index, instruction) in block.instructions.iter().enumerate() {
            self.locate(instruction);
            // The result of an invoke is there only after it.
            let invoke = matches!(instruction.kind, InstructionKind::Invoke(_));
            if index + 1 == block.instructions.len() && !invoke {
                self.phi_moves(id);
            }
            if let Err(reason) = self.instruction(instruction) {
                self.refuse(&reason);
                if let Some(result) = instruction.result {
                    let count = self.parts(instruction.ty).map_or(0, |parts| parts.len());
                    self.define(result, &vec![Value::Undefined; count]);
                }
                if instruction.kind.is_terminator() {
                    self.end(End::Stop(Instruction::Unreachable));
                }
            }
            if invoke {
                self.phi_moves(id);
            }
        }
    }

    /// The place of an instruction; one without stays where the one before it is.
    fn locate(&mut self, instruction: &ir::Instruction) {
        let Some(location) = instruction.location else { return };
        let mut location = self.module.location(location);
        // What was inlined is shown where the source has it; a place that is unknown, where the
        // call is.
        if location.line == 0
            && let Some(outer) = self.module.inlined_at(location)
        {
            location = outer;
        }
        if location.line == 0 && self.site.line != 0 {
            return;
        }
        self.site = self.lowering.sites.of_location(self.module, location, self.number);
        self.shared = self.lowering.sites.shared(self.site);
    }

    fn instruction(&mut self, instruction: &'a ir::Instruction) -> Result<(), Refusal> {
        use InstructionKind::*;
        match &instruction.kind {
            Unary(..)
            | Binary { .. }
            | Cast { .. }
            | ICmp { .. }
            | FCmp { .. }
            | Select { .. }
            | Freeze(_)
            | ExtractValue(..)
            | InsertValue { .. }
            | ExtractElement(..)
            | InsertElement { .. }
            | ShuffleVector { .. } => self.operation(instruction),
            Alloca { .. }
            | Load { .. }
            | Store { .. }
            | Fence(_)
            | CompareExchange { .. }
            | AtomicRmw { .. }
            | GetElementPtr { .. } => self.memory(instruction),
            Call(call) => self.call(instruction, call),
            VaArg(_) => Err("`va_arg` as an instruction".into()),
            Phi(..) => self.phi(instruction),
            LandingPad { .. } | FuncletPad { .. } => Err("exception handling".into()),
            Return(_)
            | Branch(_)
            | ConditionalBranch { .. }
            | Switch { .. }
            | IndirectBranch(..)
            | Invoke(_)
            | CallBranch { .. }
            | Resume(_)
            | Unreachable
            | CatchSwitch { .. }
            | CatchReturn { .. }
            | CleanupReturn { .. } => self.terminator(instruction),
        }
    }

    /// The variables of the source that live in registers.
    fn names(&mut self) -> Vec<(Temp, Variable)> {
        let mut names = Vec::new();
        for (root, leaves) in &self.promotion.leaves {
            let variable = self.variables.get(root).and_then(|&variable| self.module.local_variable(variable));
            let Some(variable) = variable else { continue };
            let ty = self.lowering.types.of(self.at, self.module, variable.ty);
            for leaf in leaves {
                let Some(temp) = leaf.temp else { continue };
                let part = crate::code::debug::leaf(&self.lowering.types.types, ty, leaf.offset, false);
                let name = format!("{}{}", variable.name, part.path);
                names.push((temp, Variable { name, register: Register(0), ty: part.ty }));
            }
        }
        names.sort_unstable_by_key(|name| name.0);
        names
    }

    /// Notes what is not supported, at the current place.
    pub(super) fn refuse(&mut self, reason: &str) {
        self.lowering.refuse(self.site, reason);
    }

    /// The scalars of a type.
    pub(super) fn parts(&mut self, ty: TypeId) -> super::scalar::Parts {
        self.lowering.parts(self.at, ty)
    }

    /// The type of an operand.
    pub(super) fn type_of(&self, operand: Operand) -> TypeId {
        self.module.type_of(self.function, operand)
    }

    /// Appends an instruction.
    pub(super) fn emit(&mut self, op: Op) {
        let site = if op.may_be_visible() { self.lowering.sites.own(self.site) } else { self.shared };
        self.draft.blocks[self.current].code.push((op, site));
    }

    /// Appends an instruction that writes a new register.
    pub(super) fn emit_value(&mut self, op: impl FnOnce(Temp) -> Op) -> Value {
        let dst = self.draft.temp();
        self.emit(op(dst));
        Value::Temp(dst)
    }

    /// Ends the block.
    pub(super) fn end(&mut self, end: End) {
        let block = &mut self.draft.blocks[self.current];
        block.end = end;
        block.site = self.shared;
    }

    /// Says what a local is.
    pub(super) fn define(&mut self, local: LocalId, values: &[Value]) {
        self.values[local.index()] = Some((self.arena.len() as u32, values.len() as u32));
        self.arena.extend_from_slice(values);
    }

    /// Says what the result of an instruction is, if it has one.
    pub(super) fn result(&mut self, instruction: &ir::Instruction, values: &[Value]) {
        let Some(local) = instruction.result else { return };
        let wanted = self.parts(instruction.ty).map_or(0, |parts| parts.len());
        if wanted == values.len() {
            self.define(local, values);
        } else {
            // Operands of other types than the instruction's: no compiler does that.
            let mut values = values.to_vec();
            values.resize(wanted, Value::Undefined);
            self.define(local, &values);
        }
    }

    /// Says that a local is an address, to be computed where it is needed.
    pub(super) fn define_address(&mut self, local: LocalId, base: Value, offset: u64) {
        match base {
            Value::Number(base) => self.define(local, &[Value::Number(base.wrapping_add(offset))]),
            Value::ThreadLocal(global, base) => {
                self.define(local, &[Value::ThreadLocal(global, base.wrapping_add(offset))])
            }
            _ if offset == 0 => self.define(local, &[base]),
            _ => self.addresses[local.index()] = Some((base, offset)),
        }
    }

    /// The scalars of an operand.
    pub(super) fn scalars(&mut self, operand: Operand) -> Result<Vec<Value>, Refusal> {
        match operand {
            Operand::Constant(id) => Ok(self.lowering.constant(self.at, id)?.to_vec()),
            Operand::Metadata(_) => Err("metadata as a value".into()),
            Operand::Local(local) => match self.values[local.index()] {
                Some((start, count)) => Ok(self.arena[start as usize..(start + count) as usize].to_vec()),
                None => Ok(vec![self.scalar(operand)?]),
            },
        }
    }

    /// An operand that is one scalar.
    pub(super) fn scalar(&mut self, operand: Operand) -> Result<Value, Refusal> {
        match operand {
            Operand::Constant(id) => match self.lowering.constant(self.at, id)?[..] {
                [value] => Ok(value),
                _ => Err("an operand of several parts".into()),
            },
            Operand::Metadata(_) => Err("metadata as a value".into()),
            Operand::Local(local) => {
                if let Some((start, count)) = self.values[local.index()] {
                    return if count == 1 {
                        Ok(self.arena[start as usize])
                    } else {
                        Err("an operand of several parts".into())
                    };
                }
                match self.addresses[local.index()] {
                    Some((base, offset)) => Ok(self.add(base, offset)),
                    None => Err("a value that is used before it is computed".into()),
                }
            }
        }
    }

    /// An operand that is an address, as a base and an offset.
    pub(super) fn address(&mut self, operand: Operand) -> Result<(Value, u64), Refusal> {
        if let Operand::Local(local) = operand
            && let Some(address) = self.addresses[local.index()]
        {
            return Ok(address);
        }
        Ok((self.scalar(operand)?, 0))
    }

    /// An address plus a constant.
    pub(super) fn add(&mut self, base: Value, offset: u64) -> Value {
        match base {
            Value::Number(base) => Value::Number(base.wrapping_add(offset)),
            Value::ThreadLocal(global, base) => Value::ThreadLocal(global, base.wrapping_add(offset)),
            base if offset == 0 => base,
            base => {
                let a = self.temp(base);
                match i32::try_from(offset as i64) {
                    Ok(value) => self.emit_value(|dst| Instruction::Add64By { dst, a, value }),
                    Err(_) => {
                        let b = self.temp(Value::Number(offset));
                        self.emit_value(|dst| Instruction::Add64 { dst, a, b })
                    }
                }
            }
        }
    }

    /// A value in a register.
    pub(super) fn temp(&mut self, value: Value) -> Temp {
        if let Value::Temp(temp) = value {
            return temp;
        }
        let dst = self.draft.temp();
        self.load_value(dst, value);
        dst
    }

    /// Puts a value into a register.
    pub(super) fn load_value(&mut self, dst: Temp, value: Value) {
        match value {
            Value::Temp(src) => self.emit(Instruction::Move { dst, src }),
            Value::Number(value) => self.emit(Instruction::Constant { dst, value }),
            Value::Undefined => self.emit(Instruction::Undefined { dst }),
            Value::ThreadLocal(global, offset) => {
                self.emit(Instruction::ThreadLocal { dst, global });
                if offset != 0 {
                    let b = self.temp(Value::Number(offset));
                    self.emit(Instruction::Add64 { dst, a: dst, b });
                }
            }
        }
    }

    /// Whether this is the only use of a local.
    pub(super) fn used_once(&self, local: LocalId) -> bool {
        self.uses[local.index()] == 1
    }
}
