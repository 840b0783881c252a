//! From LLVM IR to register code.
//!
//! Lowering begins at `main` and follows what is referred to: functions and variables become part
//! of the image when something that is part of it names them. Each function goes through the same
//! stages, one file each:
//!
//! 1. [`promote`]: which locals live in registers;
//! 2. [`body`] with [`operation`], [`convert`], [`wide`], [`soft`], [`part`], [`memory`], [`call`],
//!    [`variadic`], [`intrinsic`], [`control`]: instructions to a [`draft`], scalar by scalar;
//! 3. [`order`], [`loops`]: the order of the blocks, and their loops;
//! 4. [`clean`]: copies and what nobody needs are removed;
//! 5. [`allocate`]: few registers;
//! 6. [`emit`]: the final code.
//!
//! What is not supported is noted with its place, and lowering goes on, so that all of it is listed
//! at once.

mod allocate;
mod arithmetic;
mod body;
mod call;
mod clean;
mod constant;
mod control;
mod convert;
mod draft;
mod emit;
mod faint;
mod global;
mod idle;
mod intrinsic;
mod live;
mod loops;
mod memory;
mod object;
mod operation;
mod order;
mod part;
mod problem;
mod promote;
mod relative;
mod scalar;
mod shape;
mod site;
mod soft;
mod source_type;
mod start;
mod unpeel;
mod variadic;
mod wide;
mod wide_atomic;

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::code::instruction::Instruction;
use crate::code::partition::Partition;
use crate::code::{
    Fixed, Function, Global, Image, Local, Loop, Operand, Settings, Shape, Signature, Site, Switch, address,
};
use crate::ir::{self, ConstantId, FunctionId, Module, Type, TypeId};
use crate::link::{Program, Symbol};
use crate::native::Native;

use constant::Known;
use draft::Value;
use object::Objects;
use scalar::{Parts, Scalars};
use site::Sites;
use source_type::SourceTypes;

pub use problem::Unsupported;

/// The part of the C library that is written in C.
const LIBRARY: &[u8] = include_bytes!("../../runtime/runtime.bc");

/// Links and lowers modules, with the library for what they do not define. `read` gives the text of
/// a source file, for reports. Fails with everything that is not supported, in the order of the
/// places.
///
/// # Panics
/// If the library that is part of this crate cannot be read.
pub fn compile(
    modules: Vec<Module>,
    settings: &Settings,
    read: &dyn Fn(&str) -> Option<String>,
) -> Result<Image, Vec<Unsupported>> {
    let names = lacking(&modules);
    let library = (!names.is_empty()).then(|| {
        crate::bitcode::decode_reached(LIBRARY, &|name| names.contains(name))
            .expect("the library was written by the compiler that `cargo xtask runtime` ran")
    });
    compile_with(modules, library, settings, read)
}

/// The names that modules use and do not define, and that are no natives: what the library is for.
fn lacking(modules: &[Module]) -> FxHashSet<String> {
    let functions = || modules.iter().flat_map(|module| &module.functions);
    let globals = || modules.iter().flat_map(|module| &module.globals);
    let aliases = modules.iter().flat_map(|module| &module.aliases);
    let defined: FxHashSet<&str> = functions()
        .filter(|function| !function.is_declaration())
        .map(|function| function.name.as_str())
        .chain(globals().filter(|global| global.initial.is_some()).map(|global| global.name.as_str()))
        .chain(aliases.map(|alias| alias.name.as_str()))
        .collect();
    let lacks_function = |name: &&str| !name.starts_with("llvm.") && Native::named(name).is_none();
    let declared = functions().filter(|function| function.is_declaration()).map(|function| function.name.as_str());
    let variables = globals().filter(|global| global.initial.is_none()).map(|global| global.name.as_str());
    let mut names: FxHashSet<String> = declared
        .filter(lacks_function)
        .chain(variables)
        .filter(|name| !defined.contains(name))
        .map(str::to_owned)
        .collect();
    // Destructors are registered with a function of the library.
    if globals().any(|global| global.name == "llvm.global_dtors") {
        names.insert("atexit".to_owned());
    }
    names
}

/// The same with another library, or none.
fn compile_with(
    modules: Vec<Module>,
    library: Option<Module>,
    settings: &Settings,
    read: &dyn Fn(&str) -> Option<String>,
) -> Result<Image, Vec<Unsupported>> {
    let nowhere = |what: String| Unsupported { what, ..Unsupported::default() };
    let own = modules.len();
    let program = Program::new(modules, library).map_err(|names| {
        names.iter().map(|name| nowhere(format!("`{name}` is defined several times"))).collect::<Vec<_>>()
    })?;
    let mut lowering = Lowering::new(&program, own, settings, read);
    lowering.check_targets();
    let start = lowering.start();
    let finish = lowering.finish_of_threads();
    lowering.drain();
    if lowering.problems.is_empty() || settings.analysed && start_is_there(&lowering, start) {
        return Ok(lowering.into_image(start, finish));
    }
    let mut problems = std::mem::take(&mut lowering.problems);
    problems.sort();
    problems.dedup();
    Err(problems)
}

/// Whether the program has a beginning that something follows.
fn start_is_there(lowering: &Lowering<'_>, start: u32) -> bool {
    lowering.code.len() > lowering.functions[start as usize].entry as usize && lowering.main_function_is_there()
}

/// What a function of the image is made from.
#[derive(Clone, Copy, Debug)]
enum Source {
    /// A function of a module.
    Body(usize, FunctionId),
    /// A native whose address is taken: its declaration.
    Thunk(Native, usize, FunctionId),
    /// What the first thread runs.
    Start,
}

/// The image as it grows.
struct Lowering<'a> {
    program: &'a Program,
    /// How many of the modules are the user's own.
    own: usize,
    settings: &'a Settings,
    problems: Vec<Unsupported>,
    sites: Sites<'a>,
    types: SourceTypes,
    objects: Objects,
    scalars: Vec<Scalars>,
    constants: Vec<Vec<Option<Known>>>,
    functions: Vec<Function>,
    sources: Vec<Source>,
    numbers: FxHashMap<(usize, FunctionId), u32>,
    thunks: FxHashMap<Native, u32>,
    /// How many functions have code.
    lowered: usize,
    globals: Vec<Global>,
    /// What the variables hold that no module has, by number, until their turn comes.
    tables: FxHashMap<usize, Vec<u8>>,
    code: Vec<Instruction>,
    places: Vec<u32>,
    operands: Vec<Operand>,
    switches: Vec<Switch>,
    loops: Vec<Loop>,
    locals: Vec<Local>,
    signatures: Vec<Signature>,
    signature_numbers: FxHashMap<Signature, u32>,
    partitions: Vec<Partition>,
    partition_numbers: FxHashMap<Partition, u32>,
    shapes: Vec<Shape>,
    shape_numbers: FxHashMap<Option<crate::code::debug::TypeId>, u32>,
    /// The structures of each module that debug information describes, by name; made when first
    /// requested.
    structures: Vec<Option<FxHashMap<&'a str, ir::MetadataId>>>,
    /// The bytes of the smallest access through a pointer.
    smallest: u32,
    foreign: Vec<String>,
}

impl<'a> Lowering<'a> {
    fn new(
        program: &'a Program,
        own: usize,
        settings: &'a Settings,
        read: &'a dyn Fn(&str) -> Option<String>,
    ) -> Lowering<'a> {
        let modules = &program.modules;
        Lowering {
            program,
            own,
            settings,
            problems: Vec::new(),
            sites: Sites::new(read),
            types: SourceTypes::default(),
            objects: Objects::new(),
            scalars: modules.iter().map(Scalars::new).collect(),
            constants: modules.iter().map(|module| vec![None; module.constants.len()]).collect(),
            functions: Vec::new(),
            sources: Vec::new(),
            numbers: FxHashMap::default(),
            thunks: FxHashMap::default(),
            lowered: 0,
            globals: Vec::new(),
            tables: FxHashMap::default(),
            code: Vec::new(),
            places: Vec::new(),
            operands: Vec::new(),
            switches: Vec::new(),
            loops: Vec::new(),
            locals: Vec::new(),
            signatures: Vec::new(),
            signature_numbers: FxHashMap::default(),
            partitions: Vec::new(),
            partition_numbers: FxHashMap::default(),
            shapes: vec![Shape { partition: 0, ty: None }],
            shape_numbers: FxHashMap::default(),
            structures: modules.iter().map(|_| None).collect(),
            smallest: 8,
            foreign: Vec::new(),
        }
    }

    /// Notes what is not supported.
    fn refuse(&mut self, site: Site, what: impl Into<String>) {
        let function = self.functions.get(site.function as usize).map(|function| function.name.clone());
        self.problems.push(Unsupported {
            file: self.sites.files[site.file as usize].name.clone(),
            line: site.line,
            column: site.column,
            function: function.unwrap_or_default(),
            what: what.into(),
        });
    }

    fn refuse_module(&mut self, module: &Module, what: impl Into<String>) {
        let file = module.source_file.clone();
        self.problems.push(Unsupported { file, what: what.into(), ..Unsupported::default() });
    }

    /// The address space is that of 64-bit machines with the lowest byte first.
    fn check_targets(&mut self) {
        let program = self.program;
        for module in &program.modules {
            let pointer = module.data_layout.pointers.iter().find(|pointer| pointer.0 == 0);
            if !module.data_layout.little_endian || pointer.is_some_and(|pointer| pointer.1 != 64) {
                self.refuse_module(
                    module,
                    format!("the target `{}`: only little-endian machines of 64 bits are modelled", module.target),
                );
            }
            if !module.assembly.is_empty() {
                self.refuse_module(module, "assembly outside of functions");
            }
        }
    }

    /// Lowers what has been referred to and is not lowered yet.
    fn drain(&mut self) {
        loop {
            if self.lowered < self.sources.len() {
                let number = self.lowered;
                self.lowered += 1;
                self.lower_function(number as u32);
            } else if self.globals.len() < self.objects.globals.len() {
                self.lower_global(self.globals.len());
            } else {
                return;
            }
        }
    }

    fn lower_function(&mut self, number: u32) {
        match self.sources[number as usize] {
            Source::Body(module, id) => body::lower(self, number, module, id),
            Source::Thunk(native, module, id) => self.lower_thunk(number, native, module, id),
            Source::Start => {}
        }
    }

    /// The scalars of a type.
    fn parts(&mut self, module: usize, ty: TypeId) -> Parts {
        self.scalars[module].of(&self.program.modules[module], ty)
    }

    /// What a function of this type takes and gives.
    fn signature(&mut self, module: usize, ty: TypeId) -> Result<Signature, Rc<str>> {
        let program = self.program;
        let Type::Function { result, parameters, variadic } = program.modules[module].ty(ty) else {
            return Err("a call of what is no function".into());
        };
        let mut kinds = Vec::new();
        for parameter in parameters {
            kinds.extend(self.parts(module, *parameter)?.iter().map(|part| part.scalar.kind()));
        }
        let results = self.parts(module, *result)?.iter().map(|part| part.scalar.kind()).collect();
        Ok(Signature { parameters: kinds, variadic: *variadic, results })
    }

    fn signature_number(&mut self, signature: Signature) -> u32 {
        let signatures = &mut self.signatures;
        *self.signature_numbers.entry(signature).or_insert_with_key(|signature| {
            signatures.push(signature.clone());
            signatures.len() as u32 - 1
        })
    }

    fn partition_number(&mut self, partition: Partition) -> u32 {
        let partitions = &mut self.partitions;
        *self.partition_numbers.entry(partition).or_insert_with_key(|partition| {
            partitions.push(partition.clone());
            partitions.len() as u32 - 1
        })
    }

    /// The number of a function, which now is part of the program.
    fn function_number(&mut self, module: usize, id: FunctionId) -> u32 {
        if let Some(&number) = self.numbers.get(&(module, id)) {
            return number;
        }
        let program = self.program;
        let function = &program.modules[module].functions[id.index()];
        let name = program.modules[module].source_name(function).unwrap_or(&function.name).to_owned();
        let number = self.new_function(name, Source::Body(module, id));
        self.numbers.insert((module, id), number);
        let site = self.sites.of_function(&program.modules[module], function, number);
        let shared = self.sites.shared(site);
        self.functions[number as usize].site = shared;
        match self.signature(module, function.ty) {
            Ok(signature) => self.functions[number as usize].signature = signature,
            Err(reason) => self.refuse(site, format!("a function with {reason}")),
        }
        number
    }

    fn new_function(&mut self, name: String, source: Source) -> u32 {
        let number = self.functions.len() as u32;
        let slot = self.objects.slot(Fixed::Function(number));
        let signature = Signature { parameters: Vec::new(), variadic: false, results: Vec::new() };
        self.functions.push(Function {
            name,
            entry: 0,
            registers: 0,
            parameters: 0,
            signature,
            site: 0,
            address: address(slot, 0),
            variables: Vec::new(),
            library: !matches!(source, Source::Body(module, _) if module < self.own),
        });
        self.sources.push(source);
        number
    }

    /// The address of a function.
    fn function_address(&mut self, module: usize, id: FunctionId) -> Result<Value, Rc<str>> {
        let program = self.program;
        let function = &program.modules[module].functions[id.index()];
        let symbol = self.resolve(program.function(module, id))?;
        let number = match symbol {
            Symbol::Function(module, id) => self.function_number(module, id),
            Symbol::Native(_) if is_variadic(&program.modules[module], function) => {
                return Err(format!("the address of `{}`, which takes any number of arguments", function.name).into());
            }
            Symbol::Native(native) => self.thunk_number(native, module, id),
            Symbol::Unknown if self.settings.analysed => self.foreign_function(module, id),
            Symbol::Unknown => return Err(unknown_function(&function.name, "the address of ").into()),
            other => return self.symbol_address(other, &function.name),
        };
        Ok(Value::Number(self.functions[number as usize].address))
    }

    /// The function that calls one that nobody defines.
    fn foreign_function(&mut self, module: usize, id: FunctionId) -> u32 {
        if let Some(&number) = self.numbers.get(&(module, id)) {
            return number;
        }
        let program = self.program;
        let function: &ir::Function = &program.modules[module].functions[id.index()];
        let number = self.new_function(function.name.clone(), Source::Thunk(Native::Foreign, module, id));
        self.numbers.insert((module, id), number);
        if let Ok(signature) = self.signature(module, function.ty) {
            self.functions[number as usize].signature = signature;
        }
        number
    }

    /// The number of a function that nobody defines.
    fn foreign(&mut self, name: &str) -> u32 {
        if let Some(known) = self.foreign.iter().position(|known| known == name) {
            return known as u32;
        }
        self.foreign.push(name.to_owned());
        self.foreign.len() as u32 - 1
    }

    fn thunk_number(&mut self, native: Native, module: usize, id: FunctionId) -> u32 {
        if let Some(&number) = self.thunks.get(&native) {
            return number;
        }
        let program = self.program;
        let function: &ir::Function = &program.modules[module].functions[id.index()];
        let number = self.new_function(function.name.clone(), Source::Thunk(native, module, id));
        self.thunks.insert(native, number);
        if let Ok(signature) = self.signature(module, function.ty) {
            self.functions[number as usize].signature = signature;
        }
        number
    }

    /// A constant that is one number.
    fn number(&mut self, module: usize, id: ConstantId) -> Option<u64> {
        match self.constant(module, id).ok()?[..] {
            [Value::Number(number)] => Some(number),
            _ => None,
        }
    }

    fn into_image(mut self, start: u32, thread_finish: Option<u32>) -> Image {
        let smallest = self.smallest;
        self.shapes[0].partition = self.partition_number(Partition::uniform(smallest));
        Image {
            code: self.code,
            places: self.places,
            sites: self.sites.sites,
            files: self.sites.files,
            functions: self.functions,
            fixed: self.objects.fixed,
            globals: self.globals,
            locals: self.locals,
            operands: self.operands,
            signatures: self.signatures,
            switches: self.switches,
            loops: self.loops,
            partitions: self.partitions,
            shapes: self.shapes,
            types: self.types.types,
            start,
            thread_finish,
            foreign: self.foreign,
            left_out: self.problems.iter().map(ToString::to_string).collect(),
            settings: self.settings.clone(),
        }
    }
}

/// Whether a function takes more arguments than it names.
fn is_variadic(module: &Module, function: &ir::Function) -> bool {
    matches!(module.ty(function.ty), Type::Function { variadic: true, .. })
}

/// That nobody defines a function, and why, where that is known.
fn unknown_function(name: &str, before: &str) -> String {
    match crate::native::refusal(name) {
        Some(reason) => format!("{before}`{name}`: {reason}"),
        None => format!("{before}unknown external function `{name}`"),
    }
}

#[cfg(test)]
mod tests;
