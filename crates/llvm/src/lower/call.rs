//! Calls: of functions of the program, through pointers, of natives; and of inline assembly that
//! does nothing.

use crate::code::instruction::Instruction;
use crate::code::{Fixed, Kind, Signature};
use crate::ir::{self, Call, CallTarget, ConstantKind, FunctionId, Operand};
use crate::link::Symbol;
use crate::native::Native;

use super::body::{Body, Refusal};
use super::draft::{Draft, End, Temp, Value};
use super::idle::Idle;
use super::{Lowering, emit, unknown_function};

/// An argument: a scalar and what it is.
type Argument = (Value, Kind);

impl<'a> Body<'_, 'a> {
    /// A call, whatever is called.
    pub(super) fn call(&mut self, instruction: &'a ir::Instruction, call: &'a Call) -> Result<(), Refusal> {
        match call.target {
            CallTarget::Function(id) => {
                let name = &self.module.functions[id.index()].name;
                if let Some(intrinsic) = name.strip_prefix("llvm.") {
                    return self.intrinsic(instruction, call, intrinsic);
                }
                let symbol = self.lowering.program.function(self.at, id);
                let symbol = self.lowering.resolve(symbol)?;
                self.call_symbol(instruction, call, symbol, name)
            }
            CallTarget::Pointer(callee) => self.call_pointer(instruction, call, callee),
            CallTarget::Assembly(id) => self.assembly(instruction, id),
        }
    }

    fn call_symbol(
        &mut self,
        instruction: &'a ir::Instruction,
        call: &'a Call,
        symbol: Symbol,
        name: &str,
    ) -> Result<(), Refusal> {
        match symbol {
            Symbol::Function(module, id) => self.call_function(instruction, call, module, id),
            Symbol::Native(native) => self.call_native(instruction, call, native, name),
            Symbol::Unknown if self.lowering.settings.analysed => self.call_foreign(instruction, call, name),
            Symbol::Unknown => Err(unknown_function(name, "").into()),
            // Nobody defines it: a program asks first whether somebody does.
            Symbol::Null => self.call_address(instruction, call, Value::Number(0)),
            Symbol::Global(..) | Symbol::Alias(..) => Err(format!("a call of `{name}`, which is no function").into()),
        }
    }

    /// All arguments, scalar by scalar; and how many scalars the first `fixed` of them have.
    fn arguments(&mut self, call: &Call, fixed: usize) -> Result<(Vec<Argument>, usize), Refusal> {
        let mut arguments = Vec::new();
        let mut fixed_scalars = 0;
        for (index, &argument) in call.arguments.iter().enumerate() {
            if index == fixed {
                fixed_scalars = arguments.len();
            }
            let parts = self.parts(self.type_of(argument))?;
            let values = self.scalars(argument)?;
            arguments.extend(values.into_iter().zip(parts.iter().map(|part| part.scalar.kind())));
        }
        if call.arguments.len() <= fixed {
            fixed_scalars = arguments.len();
        }
        Ok((arguments, fixed_scalars))
    }

    fn call_function(
        &mut self,
        instruction: &ir::Instruction,
        call: &Call,
        module: usize,
        id: FunctionId,
    ) -> Result<(), Refusal> {
        if let Some(idle) = self.lowering.idle_call(self.at, call) {
            let values = match idle {
                Idle::Nothing => Vec::new(),
                Idle::Zero => vec![Value::Number(0)],
                Idle::Constant(module, id) => self.lowering.constant(module, id)?.to_vec(),
            };
            self.result(instruction, &values);
            return Ok(());
        }
        let function = self.lowering.function_number(module, id);
        let signature = self.lowering.functions[function as usize].signature.clone();
        let fixed = self.lowering.program.modules[module].functions[id.index()].parameters;
        let (mut arguments, count) = self.arguments(call, fixed)?;
        if signature.variadic {
            arguments.truncate(count);
            arguments.resize(signature.parameters.len(), (Value::Undefined, Kind::Integer(64)));
            let area = self.variable_area(call, fixed)?;
            arguments.push((area, Kind::Pointer));
        } else {
            // Calls without prototype may pass too much, or too little.
            arguments.resize(signature.parameters.len(), (Value::Undefined, Kind::Integer(64)));
        }
        let results = signature.results;
        self.emit_call(instruction, &arguments, &results, |first, count, dst| Instruction::Call {
            function,
            first,
            count,
            dst,
        })
    }

    /// Appends a call: its operands, and its result or results.
    fn emit_call(
        &mut self,
        instruction: &ir::Instruction,
        arguments: &[Argument],
        results: &[Kind],
        op: impl FnOnce(u32, u16, Temp) -> super::draft::Op,
    ) -> Result<(), Refusal> {
        let count = u16::try_from(arguments.len()).map_err(|_| "a call with too many arguments")?;
        let operands: Vec<(Temp, Kind)> = arguments.iter().map(|&(value, kind)| (self.temp(value), kind)).collect();
        let first = self.draft.operands.len() as u32;
        self.draft.operands.extend(operands);
        let dst = self.draft.temp();
        let mut values = vec![Value::Temp(dst); results.len().min(1)];
        if results.len() > 1 {
            let temps: Vec<Temp> = results.iter().map(|_| self.draft.temp()).collect();
            self.draft.operands.extend(temps.iter().copied().zip(results.iter().copied()));
            self.draft.results.insert(first, results.len() as u16);
            values = temps.into_iter().map(Value::Temp).collect();
        }
        self.emit(op(first, count, dst));
        let wanted = self.parts(instruction.ty)?.len();
        values.resize(wanted, Value::Undefined);
        self.result(instruction, &values);
        Ok(())
    }

    fn call_pointer(
        &mut self,
        instruction: &'a ir::Instruction,
        call: &'a Call,
        callee: Operand,
    ) -> Result<(), Refusal> {
        let callee = self.scalar(callee)?;
        self.call_address(instruction, call, callee)
    }

    fn call_address(&mut self, instruction: &'a ir::Instruction, call: &'a Call, callee: Value) -> Result<(), Refusal> {
        let signature = self.lowering.signature(self.at, call.ty)?;
        if let Value::Number(address) = callee
            && let Some(function) = self.known_function(address)
        {
            return self.call_known(instruction, call, function);
        }
        let fixed = match self.module.ty(call.ty) {
            ir::Type::Function { parameters, .. } => parameters.len(),
            _ => 0,
        };
        let (arguments, count) = self.arguments(call, fixed)?;
        let mut passed = arguments[..count.min(arguments.len())].to_vec();
        if signature.variadic {
            let variable = &arguments[passed.len()..];
            let area = self.variable_area(call, fixed)?;
            // Without prototype, it may be a function that is not variadic at all.
            if signature.parameters.is_empty() {
                passed.extend_from_slice(variable);
            }
            passed.push((area, Kind::Pointer));
        }
        let callee = self.temp(callee);
        let results = signature.results.clone();
        let signature = self.lowering.signature_number(signature);
        self.emit_call(instruction, &passed, &results, |first, count, dst| Instruction::CallIndirect {
            callee,
            signature,
            first,
            count,
            dst,
        })
    }

    /// The function at a fixed address.
    fn known_function(&self, address: u64) -> Option<u32> {
        match self.lowering.objects.fixed.get((address >> 32) as usize) {
            Some(Fixed::Function(function)) if address as u32 == 0 => Some(*function),
            _ => None,
        }
    }

    fn call_known(&mut self, instruction: &'a ir::Instruction, call: &'a Call, number: u32) -> Result<(), Refusal> {
        match self.lowering.sources[number as usize] {
            super::Source::Body(module, id) => self.call_function(instruction, call, module, id),
            super::Source::Thunk(native, ..) => {
                let name = self.lowering.functions[number as usize].name.clone();
                self.call_native(instruction, call, native, &name)
            }
            super::Source::Start => Err("a call of the beginning of the program".into()),
        }
    }

    /// A call of a function that nobody defines. Each part of its result is the same.
    fn call_foreign(&mut self, instruction: &ir::Instruction, call: &Call, name: &str) -> Result<(), Refusal> {
        let (arguments, _) = self.arguments(call, 0)?;
        let count = u16::try_from(arguments.len()).map_err(|_| "a call with too many arguments")?;
        let operands: Vec<(Temp, Kind)> = arguments.iter().map(|&(value, kind)| (self.temp(value), kind)).collect();
        let first = self.draft.operands.len() as u32;
        self.draft.operands.extend(operands);
        let (dst, shape) = (self.draft.temp(), self.lowering.foreign(name));
        self.emit(Instruction::Native { native: Native::Foreign, count, dst, first, shape });
        let parts = self.parts(instruction.ty)?.len();
        self.result(instruction, &vec![Value::Temp(dst); parts]);
        Ok(())
    }

    fn call_native(
        &mut self,
        instruction: &ir::Instruction,
        call: &Call,
        native: Native,
        name: &str,
    ) -> Result<(), Refusal> {
        match native {
            Native::AtomicBegin => {
                self.emit(Instruction::AtomicBegin);
                return Ok(());
            }
            Native::AtomicEnd => {
                self.emit(Instruction::AtomicEnd);
                return Ok(());
            }
            _ => {}
        }
        if native.integer_range().is_some() && self.lowering.settings.nondet.is_none() {
            return Err(format!("`{name}` has no range: give one with --nondet LOW..HIGH").into());
        }
        if !native.takes(call.arguments.len()) {
            return Err(format!("a call of `{name}` with too few arguments").into());
        }
        let (arguments, _) = self.arguments(call, 0)?;
        let parts = self.parts(instruction.ty)?;
        let results: Vec<Kind> = parts.iter().map(|part| part.scalar.kind()).collect();
        if results.len() > 1 {
            return Err(format!("a call of `{name}` with a result of another type").into());
        }
        let shape = if native.allocates() { self.shape_of(instruction) } else { 0 };
        self.emit_call(instruction, &arguments, &results, |first, count, dst| Instruction::Native {
            native,
            count,
            dst,
            first,
            shape,
        })?;
        // Whatever the machine gives, here it is a value of this width.
        if let (Some(result), [part]) = (instruction.result, &parts[..])
            && self.uses[result.index()] > 0
            && part.scalar.bits() < 64
        {
            let value = self.scalar(Operand::Local(result))?;
            let value = self.wrapped(value, part.scalar.bits());
            self.define(result, &[value]);
        }
        Ok(())
    }

    /// Assembly is refused unless it is empty: then it only keeps the compiler from moving things,
    /// and its results are its operands tied to them, which is rare enough to refuse.
    fn assembly(&mut self, instruction: &ir::Instruction, id: ir::ConstantId) -> Result<(), Refusal> {
        let ConstantKind::Assembly(assembly) = &self.module.constant(id).kind else {
            return Err("inline assembly".into());
        };
        let text = assembly.text.trim();
        let idles =
            matches!(text, "" | "nop" | "pause" | "rep; nop" | "rep nop" | "mfence" | "lfence" | "sfence" | "yield");
        if idles && self.module.types.is_void(instruction.ty) {
            return Ok(());
        }
        Err(format!("inline assembly `{}`", text.replace(['\n', '\t'], " ")).into())
    }
}

impl Lowering<'_> {
    /// A function that calls a native with its parameters: what a pointer to the native points to.
    pub(super) fn lower_thunk(&mut self, number: u32, native: Native, module: usize, id: FunctionId) {
        let program = self.program;
        let function = &program.modules[module].functions[id.index()];
        let signature = match self.signature(module, function.ty) {
            Ok(signature) if signature.results.len() <= 1 && native.takes(signature.parameters.len()) => signature,
            _ => Signature { parameters: Vec::new(), variadic: false, results: Vec::new() },
        };
        let mut draft = Draft::default();
        draft.block();
        draft.parameters = signature.parameters.iter().map(|_| draft.temp()).collect();
        draft.operands = draft.parameters.iter().copied().zip(signature.parameters.iter().copied()).collect();
        let (count, dst) = (draft.parameters.len() as u16, draft.temp());
        let op = match native {
            Native::AtomicBegin => Instruction::AtomicBegin,
            Native::AtomicEnd => Instruction::AtomicEnd,
            Native::Foreign => {
                let shape = self.foreign(&function.name);
                Instruction::Native { native, count, dst, first: 0, shape }
            }
            native => Instruction::Native { native, count, dst, first: 0, shape: 0 },
        };
        let site = self.sites.sites[self.functions[number as usize].site as usize];
        let site = self.sites.own(crate::code::Site { function: number, ..site });
        let end = match signature.results[..] {
            [] => Instruction::Return,
            _ => Instruction::ReturnValue { src: dst },
        };
        let block = &mut draft.blocks[0];
        block.code.push((op, site));
        block.end = End::Stop(end);
        block.site = site;
        self.functions[number as usize].signature = signature;
        emit::finish(self, number, draft, Vec::new());
    }
}
