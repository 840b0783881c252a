//! Prints the decoder's IR the way `llvm-dis` does, without attributes and without metadata other
//! than lines and variables.

use std::fmt::Write;

use mazurka_llvm::ir::*;

use crate::words::*;

/// Prints parts of a module.
pub(crate) struct Printer<'m> {
    module: &'m Module,
    /// Names of globals, functions and aliases, numbers for those without.
    globals: Vec<String>,
    functions: Vec<String>,
    aliases: Vec<String>,
}

/// The names of what is local to a function.
struct Names {
    locals: Vec<String>,
    blocks: Vec<String>,
}

/// One line of a function: an instruction or a debug record, or the name of a block.
pub(crate) type Line = String;

impl<'m> Printer<'m> {
    pub(crate) fn new(module: &'m Module) -> Self {
        let mut next = 0;
        let mut name = |text: &str| match text {
            "" => {
                next += 1;
                format!("@{}", next - 1)
            }
            text => quoted('@', text),
        };
        let globals = module.globals.iter().map(|global| name(&global.name)).collect();
        let aliases = module.aliases.iter().map(|alias| name(&alias.name)).collect();
        let functions = module.functions.iter().map(|function| name(&function.name)).collect();
        Printer { module, globals, functions, aliases }
    }

    /// A global variable as one line.
    pub(crate) fn global(&self, index: usize) -> Line {
        let global = &self.module.globals[index];
        let mut out = format!("{} =", self.globals[index]);
        let linkage = linkage(global.linkage, global.initial.is_none());
        push(&mut out, linkage);
        push(&mut out, thread_local(global.thread_local));
        push(&mut out, if global.constant { "constant" } else { "global" });
        push(&mut out, &self.ty(global.ty));
        if let Some(initial) = global.initial {
            push(&mut out, &self.constant(initial));
        }
        out + &alignment(global.alignment)
    }

    /// An alias as one line.
    pub(crate) fn alias(&self, index: usize) -> Line {
        let alias = &self.module.aliases[index];
        let mut out = format!("{} =", self.aliases[index]);
        push(&mut out, linkage(alias.linkage, false));
        push(&mut out, thread_local(alias.thread_local));
        push(&mut out, if alias.kind == AliasKind::Alias { "alias" } else { "ifunc" });
        push(&mut out, &self.ty(alias.ty));
        out + ", " + &self.typed_constant(alias.target)
    }

    /// The head of a function.
    pub(crate) fn head(&self, index: usize) -> Line {
        let function = &self.module.functions[index];
        let Type::Function { result, parameters, variadic } = self.module.ty(function.ty) else { unreachable!() };
        let names = self.names(function);
        let mut list: Vec<String> = parameters
            .iter()
            .enumerate()
            .map(|(index, ty)| match names.locals.get(index) {
                Some(name) => format!("{} {name}", self.ty(*ty)),
                None => self.ty(*ty),
            })
            .collect();
        if *variadic {
            list.push("...".to_string());
        }
        let mut out = if function.is_declaration() { "declare" } else { "define" }.to_string();
        push(&mut out, linkage(function.linkage, false));
        push(&mut out, &convention(function.convention));
        push(&mut out, &self.ty(*result));
        format!("{out} {}({})", self.functions[index], list.join(", "))
    }

    /// The name of a function.
    pub(crate) fn function_name(&self, index: usize) -> &str {
        &self.functions[index]
    }

    /// The lines of a function's body.
    pub(crate) fn body(&self, index: usize) -> Vec<Line> {
        let function = &self.module.functions[index];
        let names = self.names(function);
        let mut lines = Vec::new();
        for (number, block) in function.blocks.iter().enumerate() {
            // llvm-dis gives no label to an entry block without a name.
            if number > 0 || block.name.is_some() {
                lines.push(format!("label {}", names.blocks[number]));
            }
            let mut records = block.records.iter().peekable();
            for (position, instruction) in block.instructions.iter().enumerate() {
                while let Some(record) = records.next_if(|record| record.before as usize <= position) {
                    lines.push(self.record(&names, record));
                }
                lines.push(self.instruction(function, &names, instruction));
            }
        }
        lines
    }

    fn names(&self, function: &Function) -> Names {
        let mut next = 0;
        let mut name = |text: &Option<Box<str>>| match text {
            Some(text) => quoted('%', text),
            None => {
                next += 1;
                format!("%{}", next - 1)
            }
        };
        let mut locals: Vec<String> =
            function.locals.iter().take(function.parameters).map(|local| name(&local.name)).collect();
        let mut blocks = Vec::new();
        for block in &function.blocks {
            blocks.push(name(&block.name));
            for instruction in &block.instructions {
                if let Some(result) = instruction.result {
                    assert_eq!(result.index(), locals.len());
                    locals.push(name(&function.locals[result.index()].name));
                }
            }
        }
        Names { locals, blocks }
    }

    fn record(&self, names: &Names, record: &DebugRecord) -> Line {
        let variable = |id| self.module.local_variable(id).map_or("", |variable| variable.name);
        let line = record.location.map_or(0, |id| self.module.location(id).line);
        match record.kind {
            DebugRecordKind::Declare { variable: id, address, .. } => {
                format!("#dbg_declare({}, {}, {line})", self.metadata(names, address), variable(id))
            }
            DebugRecordKind::Value { variable: id, value, .. } => {
                format!("#dbg_value({}, {}, {line})", self.metadata(names, value), variable(id))
            }
            DebugRecordKind::Assign { variable: id, value, .. } => {
                format!("#dbg_assign({}, {}, {line})", self.metadata(names, value), variable(id))
            }
            DebugRecordKind::DeclareValue { variable: id, value, .. } => {
                format!("#dbg_declare_value({}, {}, {line})", self.metadata(names, value), variable(id))
            }
            DebugRecordKind::Label(id) => match self.module.metadata_kind(id) {
                MetadataKind::Label { name: Some(name), .. } => {
                    format!("#dbg_label({}, {line})", self.module.string(*name).unwrap_or("?"))
                }
                _ => "#dbg_label(?)".to_string(),
            },
        }
    }

    /// Metadata as an operand: values are compared, nodes are not.
    fn metadata(&self, names: &Names, id: MetadataId) -> String {
        match self.module.metadata_kind(id) {
            MetadataKind::Value(ty, operand) => format!("{} {}", self.ty(*ty), self.operand(names, *operand)),
            MetadataKind::ArgumentList(list) => {
                let list: Vec<String> = list.iter().map(|&id| self.metadata(names, id)).collect();
                format!("!DIArgList({})", list.join(", "))
            }
            _ => "!".to_string(),
        }
    }

    fn instruction(&self, function: &Function, names: &Names, instruction: &Instruction) -> Line {
        let mut out = match instruction.result {
            Some(result) => format!("{} = ", names.locals[result.index()]),
            None => String::new(),
        };
        out += &self.kind(function, names, instruction);
        if let Some(location) = instruction.location {
            let location = self.module.location(location);
            write!(out, " !line {}:{}", location.line, location.column).unwrap();
        }
        out
    }

    fn kind(&self, function: &Function, names: &Names, instruction: &Instruction) -> String {
        use InstructionKind as Kind;
        let value = |operand| self.operand(names, operand);
        let typed = |operand| self.typed(function, names, operand);
        let label = |block: BlockId| format!("label {}", names.blocks[block.index()]);
        let ty = || self.ty(instruction.ty);
        match &instruction.kind {
            Kind::Unary(_, fast, operand) => format!("fneg{} {}", fast_math(*fast), typed(*operand)),
            Kind::Binary { operator, flags, fast, left, right } => {
                let name = format!("{operator:?}").to_lowercase();
                format!("{name}{}{} {}, {}", flag_words(*flags), fast_math(*fast), typed(*left), value(*right))
            }
            Kind::Cast { operator, flags, fast, operand } => {
                let name = format!("{operator:?}").to_lowercase();
                format!("{name}{}{} {} to {}", flag_words(*flags), fast_math(*fast), typed(*operand), ty())
            }
            Kind::ICmp { predicate, same_sign, left, right } => {
                let same_sign = if *same_sign { " samesign" } else { "" };
                format!("icmp{same_sign} {} {}, {}", integer_predicate(*predicate), typed(*left), value(*right))
            }
            Kind::FCmp { predicate, fast, left, right } => {
                format!("fcmp{} {} {}, {}", fast_math(*fast), float_predicate(*predicate), typed(*left), value(*right))
            }
            Kind::Select { condition, yes, no, fast } => {
                format!("select{} {}, {}, {}", fast_math(*fast), typed(*condition), typed(*yes), typed(*no))
            }
            Kind::Freeze(operand) => format!("freeze {}", typed(*operand)),
            Kind::Alloca { ty, count, alignment: align, in_alloca, swift_error } => {
                let mut out = "alloca".to_string();
                push(&mut out, if *in_alloca { "inalloca" } else { "" });
                push(&mut out, if *swift_error { "swifterror" } else { "" });
                push(&mut out, &self.ty(*ty));
                if typed(*count) != "i32 1" {
                    write!(out, ", {}", typed(*count)).unwrap();
                }
                out + &alignment(*align)
            }
            Kind::Load { pointer, alignment: align, volatile, atomic } => {
                let (before, after) = self.access(*volatile, *atomic);
                format!("load{before} {}, {}{after}{}", ty(), typed(*pointer), alignment(*align))
            }
            Kind::Store { value, pointer, alignment: align, volatile, atomic } => {
                let (before, after) = self.access(*volatile, *atomic);
                format!("store{before} {}, {}{after}{}", typed(*value), typed(*pointer), alignment(*align))
            }
            Kind::Fence(atomic) => format!("fence{}", self.access(false, Some(*atomic)).1),
            Kind::CompareExchange { pointer, expected, new, success, failure, weak, volatile, alignment: align } => {
                let weak = if *weak { " weak" } else { "" };
                let volatile = if *volatile { " volatile" } else { "" };
                format!(
                    "cmpxchg{weak}{volatile} {}, {}, {}{} {}{}",
                    typed(*pointer),
                    typed(*expected),
                    typed(*new),
                    self.access(false, Some(*success)).1,
                    ordering(*failure),
                    alignment(*align)
                )
            }
            Kind::AtomicRmw { operator, pointer, value, atomic, volatile, alignment: align } => {
                let volatile = if *volatile { " volatile" } else { "" };
                format!(
                    "atomicrmw{volatile} {} {}, {}{}{}",
                    atomic_operator(*operator),
                    typed(*pointer),
                    typed(*value),
                    self.access(false, Some(*atomic)).1,
                    alignment(*align)
                )
            }
            Kind::GetElementPtr { source, base, indices, flags } => {
                let mut out = format!("getelementptr{} {}, {}", pointer_flags(*flags), self.ty(*source), typed(*base));
                for index in indices {
                    write!(out, ", {}", typed(*index)).unwrap();
                }
                out
            }
            Kind::ExtractValue(aggregate, indices) => {
                format!("extractvalue {}{}", typed(*aggregate), listed(indices))
            }
            Kind::InsertValue { aggregate, value, indices } => {
                format!("insertvalue {}, {}{}", typed(*aggregate), typed(*value), listed(indices))
            }
            Kind::ExtractElement(vector, index) => format!("extractelement {}, {}", typed(*vector), typed(*index)),
            Kind::InsertElement { vector, value, index } => {
                format!("insertelement {}, {}, {}", typed(*vector), typed(*value), typed(*index))
            }
            Kind::ShuffleVector { left, right, mask } => {
                format!("shufflevector {}, {}, {}", typed(*left), typed(*right), shuffle_mask(mask))
            }
            Kind::Phi(fast, incoming) => {
                let pairs: Vec<String> = incoming
                    .iter()
                    .map(|(operand, block)| format!("[ {}, {} ]", value(*operand), names.blocks[block.index()]))
                    .collect();
                format!("phi{} {} {}", fast_math(*fast), ty(), pairs.join(", "))
            }
            Kind::Call(call) => {
                let tail = match call.tail {
                    TailCall::None => "",
                    TailCall::Tail => "tail ",
                    TailCall::MustTail => "musttail ",
                    TailCall::NoTail => "notail ",
                };
                format!("{tail}call{}{}", fast_math(call.fast), self.call(function, names, call))
            }
            Kind::VaArg(list) => format!("va_arg {}, {}", typed(*list), ty()),
            Kind::LandingPad { cleanup, clauses } => {
                let mut out = format!("landingpad {}", ty());
                push(&mut out, if *cleanup { "cleanup" } else { "" });
                for clause in clauses {
                    match clause {
                        Clause::Catch(operand) => write!(out, " catch {}", typed(*operand)).unwrap(),
                        Clause::Filter(operand) => write!(out, " filter {}", typed(*operand)).unwrap(),
                    }
                }
                out
            }
            Kind::Return(None) => "ret void".to_string(),
            Kind::Return(Some(operand)) => format!("ret {}", typed(*operand)),
            Kind::Branch(block) => format!("br {}", label(*block)),
            Kind::ConditionalBranch { condition, yes, no } => {
                format!("br {}, {}, {}", typed(*condition), label(*yes), label(*no))
            }
            Kind::Switch { value, default, cases } => {
                let mut out = format!("switch {}, {} [", typed(*value), label(*default));
                for (case, block) in cases {
                    write!(out, " {}, {}", self.typed_constant(*case), label(*block)).unwrap();
                }
                out + " ]"
            }
            Kind::IndirectBranch(address, targets) => {
                let targets: Vec<String> = targets.iter().map(|&block| label(block)).collect();
                format!("indirectbr {}, [{}]", typed(*address), targets.join(", "))
            }
            Kind::Invoke(invoke) => format!(
                "invoke{} to {} unwind {}",
                self.call(function, names, &invoke.call),
                label(invoke.normal),
                label(invoke.unwind)
            ),
            Kind::CallBranch { call, fallthrough, indirect } => {
                let targets: Vec<String> = indirect.iter().map(|&block| label(block)).collect();
                format!(
                    "callbr{} to {} [{}]",
                    self.call(function, names, call),
                    label(*fallthrough),
                    targets.join(", ")
                )
            }
            Kind::Resume(operand) => format!("resume {}", typed(*operand)),
            Kind::Unreachable => "unreachable".to_string(),
            Kind::FuncletPad { catch, parent, arguments } => {
                let name = if *catch { "catchpad" } else { "cleanuppad" };
                let arguments: Vec<String> = arguments.iter().map(|operand| typed(*operand)).collect();
                format!("{name} within {} [{}]", value(*parent), arguments.join(", "))
            }
            Kind::CatchSwitch { parent, handlers, unwind } => {
                let handlers: Vec<String> = handlers.iter().map(|&block| label(block)).collect();
                let unwind = unwind.map_or("to caller".to_string(), label);
                format!("catchswitch within {} [{}] unwind {unwind}", value(*parent), handlers.join(", "))
            }
            Kind::CatchReturn { pad, target } => format!("catchret from {} to {}", value(*pad), label(*target)),
            Kind::CleanupReturn { pad, unwind } => {
                format!("cleanupret from {} unwind {}", value(*pad), unwind.map_or("to caller".to_string(), label))
            }
        }
    }

    fn call(&self, function: &Function, names: &Names, call: &Call) -> String {
        let Type::Function { result, parameters, variadic } = self.module.ty(call.ty) else { unreachable!() };
        let mut out = String::new();
        push(&mut out, &convention(call.convention));
        push(&mut out, &if *variadic { self.ty(call.ty) } else { self.ty(*result) });
        push(
            &mut out,
            &match call.target {
                CallTarget::Function(id) => self.functions[id.index()].clone(),
                CallTarget::Pointer(operand) => self.operand(names, operand),
                CallTarget::Assembly(id) => self.constant(id),
            },
        );
        let arguments: Vec<String> = call
            .arguments
            .iter()
            .enumerate()
            .map(|(index, argument)| match (argument, parameters.get(index)) {
                (Operand::Metadata(id), _) => format!("metadata {}", self.metadata(names, *id)),
                (operand, Some(ty)) => format!("{} {}", self.ty(*ty), self.operand(names, *operand)),
                (operand, None) => self.typed(function, names, *operand),
            })
            .collect();
        write!(out, "({})", arguments.join(", ")).unwrap();
        if !call.bundles.is_empty() {
            let bundles: Vec<String> = call
                .bundles
                .iter()
                .map(|bundle| {
                    let operands: Vec<String> =
                        bundle.operands.iter().map(|operand| self.typed(function, names, *operand)).collect();
                    format!("\"{}\"({})", self.module.bundle_tags[bundle.tag as usize], operands.join(", "))
                })
                .collect();
            write!(out, " [ {} ]", bundles.join(", ")).unwrap();
        }
        out
    }

    fn access(&self, volatile: bool, atomic: Option<Atomic>) -> (String, String) {
        let mut before = String::new();
        push(&mut before, if atomic.is_some() { "atomic" } else { "" });
        push(&mut before, if volatile { "volatile" } else { "" });
        let mut after = String::new();
        if let Some(atomic) = atomic {
            let scope = &self.module.sync_scopes[atomic.scope.index()];
            if !scope.is_empty() {
                push(&mut after, &format!("syncscope(\"{scope}\")"));
            }
            push(&mut after, ordering(atomic.ordering));
        }
        (before, after)
    }

    fn typed(&self, function: &Function, names: &Names, operand: Operand) -> String {
        format!("{} {}", self.ty(self.module.type_of(function, operand)), self.operand(names, operand))
    }

    fn operand(&self, names: &Names, operand: Operand) -> String {
        match operand {
            Operand::Local(local) => names.locals[local.index()].clone(),
            Operand::Constant(constant) => self.constant(constant),
            Operand::Metadata(id) => self.metadata(names, id),
        }
    }

    fn typed_constant(&self, id: ConstantId) -> String {
        format!("{} {}", self.ty(self.module.constant(id).ty), self.constant(id))
    }

    fn constant(&self, id: ConstantId) -> String {
        let constant = self.module.constant(id);
        let ty = self.module.ty(constant.ty);
        let typed = |id: &ConstantId| self.typed_constant(*id);
        match &constant.kind {
            ConstantKind::Undef => "undef".to_string(),
            ConstantKind::Poison => "poison".to_string(),
            ConstantKind::Null => match ty {
                Type::Pointer(_) => "null",
                Type::Token => "none",
                _ => "zeroinitializer",
            }
            .to_string(),
            ConstantKind::Integer(value) => integer(*value, self.module.types.integer_bits(constant.ty).unwrap()),
            ConstantKind::WideInteger(words) => {
                wide_integer(words, self.module.types.integer_bits(constant.ty).unwrap())
            }
            ConstantKind::Float(bits) => float(ty, *bits),
            ConstantKind::Global(id) => self.globals[id.index()].clone(),
            ConstantKind::Function(id) => self.functions[id.index()].clone(),
            ConstantKind::Alias(id) => self.aliases[id.index()].clone(),
            ConstantKind::Aggregate(parts) => {
                let parts: Vec<String> = parts.iter().map(typed).collect();
                surrounded(ty, parts.join(", "))
            }
            ConstantKind::Data(bytes) => self.data(ty, bytes),
            ConstantKind::Splat(element) => {
                let Type::Vector { length, .. } = ty else { unreachable!() };
                surrounded(ty, vec![typed(element); *length as usize].join(", "))
            }
            ConstantKind::BlockAddress(function, block) => {
                let names = self.names(&self.module.functions[function.index()]);
                format!("blockaddress({}, {})", self.functions[function.index()], names.blocks[block.index()])
            }
            ConstantKind::DsoLocalEquivalent(inner) => format!("dso_local_equivalent {}", self.constant(*inner)),
            ConstantKind::NoCfi(inner) => format!("no_cfi {}", self.constant(*inner)),
            ConstantKind::PointerAuthentication(parts) => {
                let parts: Vec<String> = parts.iter().map(typed).collect();
                format!("ptrauth ({})", parts.join(", "))
            }
            ConstantKind::Assembly(assembly) => {
                let mut out = "asm".to_string();
                push(&mut out, if assembly.side_effects { "sideeffect" } else { "" });
                push(&mut out, if assembly.align_stack { "alignstack" } else { "" });
                push(&mut out, if assembly.intel { "inteldialect" } else { "" });
                push(&mut out, if assembly.unwinds { "unwind" } else { "" });
                format!("{out} \"{}\", \"{}\"", escaped(&assembly.text), escaped(&assembly.constraints))
            }
            ConstantKind::Binary(operator, flags, left, right) => {
                let name = format!("{operator:?}").to_lowercase();
                format!("{name}{} ({}, {})", flag_words(*flags), typed(left), typed(right))
            }
            ConstantKind::Unary(_, operand) => format!("fneg ({})", typed(operand)),
            ConstantKind::Cast(operator, operand) => {
                let name = format!("{operator:?}").to_lowercase();
                format!("{name} ({} to {})", typed(operand), self.ty(constant.ty))
            }
            // LLVM folds this away when it reads a file with typed pointers.
            ConstantKind::GetElementPtr { base, indices, .. } if indices.iter().all(|index| self.is_zero(*index)) => {
                self.constant(*base)
            }
            ConstantKind::GetElementPtr { source, base, indices, flags } => {
                let mut out = format!("getelementptr{} ({}, {}", pointer_flags(*flags), self.ty(*source), typed(base));
                for index in indices {
                    write!(out, ", {}", typed(index)).unwrap();
                }
                out + ")"
            }
            ConstantKind::Select(one, two, three) => {
                format!("select ({}, {}, {})", typed(one), typed(two), typed(three))
            }
            ConstantKind::ICmp(predicate, left, right) => {
                format!("icmp {} ({}, {})", integer_predicate(*predicate), typed(left), typed(right))
            }
            ConstantKind::FCmp(predicate, left, right) => {
                format!("fcmp {} ({}, {})", float_predicate(*predicate), typed(left), typed(right))
            }
            ConstantKind::ExtractElement(vector, index) => {
                format!("extractelement ({}, {})", typed(vector), typed(index))
            }
            ConstantKind::InsertElement(vector, element, index) => {
                format!("insertelement ({}, {}, {})", typed(vector), typed(element), typed(index))
            }
            ConstantKind::ShuffleVector(left, right, mask) => {
                format!("shufflevector ({}, {}, {})", typed(left), typed(right), typed(mask))
            }
        }
    }

    fn is_zero(&self, id: ConstantId) -> bool {
        self.module.constant(id).kind == ConstantKind::Integer(0)
    }

    fn data(&self, ty: &Type, bytes: &[u8]) -> String {
        let (element, is_array) = match ty {
            Type::Array(element, _) => (*element, true),
            Type::Vector { element, .. } => (*element, false),
            _ => unreachable!(),
        };
        let kind = self.module.ty(element);
        if is_array && *kind == Type::Integer(8) {
            return format!("c\"{}\"", escaped_bytes(bytes));
        }
        let size = self.module.types.size(element).unwrap() as usize;
        let name = self.ty(element);
        let parts: Vec<String> = bytes
            .chunks_exact(size)
            .map(|bytes| {
                let bits = bytes.iter().rev().fold(0u64, |word, &byte| word << 8 | u64::from(byte));
                let value = match kind {
                    Type::Integer(width) => integer(bits, *width),
                    kind => float(kind, u128::from(bits)),
                };
                format!("{name} {value}")
            })
            .collect();
        surrounded(ty, parts.join(", "))
    }

    /// A type.
    fn ty(&self, id: TypeId) -> String {
        let list = |types: &[TypeId]| types.iter().map(|&ty| self.ty(ty)).collect::<Vec<_>>().join(", ");
        match self.module.ty(id) {
            Type::Void => "void".to_string(),
            Type::Integer(bits) => format!("i{bits}"),
            Type::Half => "half".to_string(),
            Type::BFloat => "bfloat".to_string(),
            Type::Float => "float".to_string(),
            Type::Double => "double".to_string(),
            Type::X86Fp80 => "x86_fp80".to_string(),
            Type::Fp128 => "fp128".to_string(),
            Type::PpcFp128 => "ppc_fp128".to_string(),
            Type::Pointer(0) => "ptr".to_string(),
            Type::Pointer(space) => format!("ptr addrspace({space})"),
            Type::Array(element, length) => format!("[{length} x {}]", self.ty(*element)),
            Type::Vector { element, length, scalable } => {
                let vscale = if *scalable { "vscale x " } else { "" };
                format!("<{vscale}{length} x {}>", self.ty(*element))
            }
            Type::Struct(StructType { name: Some(name), .. }) => quoted('%', name),
            Type::Struct(structure) => match (structure.fields.is_empty(), structure.packed) {
                (true, false) => "{}".to_string(),
                (true, true) => "<{}>".to_string(),
                (false, false) => format!("{{ {} }}", list(&structure.fields)),
                (false, true) => format!("<{{ {} }}>", list(&structure.fields)),
            },
            Type::Function { result, parameters, variadic } => {
                let mut out = format!("{} ({}", self.ty(*result), list(parameters));
                if *variadic {
                    out += if parameters.is_empty() { "..." } else { ", ..." };
                }
                out + ")"
            }
            Type::Label => "label".to_string(),
            Type::Metadata => "metadata".to_string(),
            Type::Token => "token".to_string(),
            Type::X86Mmx => "x86_mmx".to_string(),
            Type::X86Amx => "x86_amx".to_string(),
            Type::Target(name) => format!("target(\"{name}\")"),
        }
    }
}
