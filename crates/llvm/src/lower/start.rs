//! What the first thread runs, and what it needs: constructors, `main` with its arguments, the end.

use crate::code::instruction::Instruction;
use crate::code::partition::Partition;
use crate::code::{Fixed, Global, Kind, Site, address};
use crate::ir::InstructionKind;
use crate::link::Symbol;
use crate::native::Native;

use super::draft::{Draft, End, Temp};
use super::{Lowering, Source, emit};

/// What `argv[0]` is.
const NAME: &str = "program";

impl Lowering<'_> {
    /// The function that the first thread runs, with everything that it needs lowered.
    pub(super) fn start(&mut self) -> u32 {
        let start = self.new_function("start".to_owned(), Source::Start);
        let site = self.sites.shared(Site { file: 0, line: 0, column: 0, function: start });
        self.functions[start as usize].site = site;
        let mut draft = Draft::default();
        draft.block();
        let main = self.main_function();
        let constructors = self.listed("llvm.global_ctors");
        let destructors = self.listed("llvm.global_dtors");
        self.drain();
        // Those that run last are registered first.
        for destructor in destructors.into_iter().rev() {
            self.register(&mut draft, destructor);
        }
        for constructor in constructors {
            self.put_call(&mut draft, constructor, Vec::new(), site);
        }
        if let Some(main) = main {
            let status = self.call_main(&mut draft, main, site);
            self.drain();
            if let Some(finish) = self.reached("__mazurka_process_finish") {
                self.put_call(&mut draft, finish, Vec::new(), site);
            }
            let end = self.end_of_main();
            self.exit(&mut draft, status, end.unwrap_or(site));
            draft.blocks[0].site = site;
        }
        emit::finish(self, start, draft, Vec::new());
        start
    }

    /// Where `main` returns.
    fn end_of_main(&mut self) -> Option<u32> {
        let Ok(Symbol::Function(module, id)) = self.resolve(self.program.named("main")?) else { return None };
        let number = self.function_number(module, id);
        let module = &self.program.modules[module];
        let blocks = module.functions[id.index()].blocks.iter();
        let mut returns = blocks
            .filter_map(|block| block.instructions.last())
            .filter(|last| matches!(last.kind, InstructionKind::Return(_)));
        let location = module.location(returns.next()?.location?);
        let site = self.sites.of_location(module, location, number);
        Some(self.sites.shared(site))
    }

    /// Whether there is a `main`.
    pub(super) fn main_function_is_there(&self) -> bool {
        self.program.named("main").is_some()
    }

    fn main_function(&mut self) -> Option<u32> {
        match self.program.named("main").map(|symbol| self.resolve(symbol)) {
            Some(Ok(Symbol::Function(module, id))) => Some(self.function_number(module, id)),
            _ => {
                self.problems.push(super::Unsupported {
                    what: "there is no `main`".to_owned(),
                    ..super::Unsupported::default()
                });
                None
            }
        }
    }

    /// The library's function that is called when a thread ends, if the program made it part of
    /// itself.
    pub(super) fn finish_of_threads(&mut self) -> Option<u32> {
        self.drain();
        self.reached("__mazurka_thread_finish")
    }

    /// A function of this name that is part of the program.
    fn reached(&self, name: &str) -> Option<u32> {
        match self.program.named(name) {
            Some(Symbol::Function(module, id)) => self.numbers.get(&(module, id)).copied(),
            _ => None,
        }
    }

    /// The functions of a list of constructors or destructors.
    fn listed(&mut self, list: &str) -> Vec<u32> {
        let mut found = Vec::new();
        for (_, module, function) in self.program.initialisers(list) {
            let known = self.number(module, function);
            match known.and_then(|address| self.objects.fixed.get((address >> 32) as usize)) {
                Some(Fixed::Function(number)) => found.push(*number),
                _ => {
                    let module = &self.program.modules[module];
                    self.refuse_module(module, "a constructor that is no function");
                }
            }
        }
        found
    }

    fn push(&mut self, draft: &mut Draft, op: super::draft::Op, site: u32) {
        draft.blocks[0].code.push((op, site));
    }

    fn put_constant(&mut self, draft: &mut Draft, value: u64, site: u32) -> Temp {
        let dst = draft.temp();
        self.push(draft, Instruction::Constant { dst, value }, site);
        dst
    }

    fn put_call(&mut self, draft: &mut Draft, function: u32, arguments: Vec<(Temp, Kind)>, site: u32) -> Temp {
        let (first, count, dst) = (draft.operands.len() as u32, arguments.len() as u16, draft.temp());
        draft.operands.extend(arguments);
        self.push(draft, Instruction::Call { function, first, count, dst }, site);
        dst
    }

    /// A destructor runs like a handler of `atexit` that was registered before everything else.
    fn register(&mut self, draft: &mut Draft, destructor: u32) {
        let Some(Symbol::Function(module, id)) = self.program.named("atexit") else {
            let site = self.sites.sites[self.functions[destructor as usize].site as usize];
            self.refuse(site, "a destructor, without the library's `atexit`");
            return;
        };
        let atexit = self.function_number(module, id);
        let site = self.functions[destructor as usize].site;
        let handler = self.put_constant(draft, self.functions[destructor as usize].address, site);
        self.put_call(draft, atexit, vec![(handler, Kind::Pointer)], site);
        self.drain();
    }

    /// Calls `main` with as many of its arguments as it takes.
    fn call_main(&mut self, draft: &mut Draft, main: u32, site: u32) -> Temp {
        let signature = self.functions[main as usize].signature.clone();
        let mut arguments = Vec::new();
        if !signature.parameters.is_empty() {
            let vector = self.argument_vector();
            let count = self.settings.arguments.len() as u64 + 1;
            let values = [count, vector, vector + count * 8, 0];
            for (&value, &kind) in values.iter().zip(&signature.parameters) {
                arguments.push((self.put_constant(draft, value, site), kind));
            }
        }
        if signature.parameters.len() > 3 || signature.variadic {
            let site = self.sites.sites[self.functions[main as usize].site as usize];
            self.refuse(site, "`main` with parameters of its own");
        }
        let status = self.put_call(draft, main, arguments, site);
        if signature.results.is_empty() { self.put_constant(draft, 0, site) } else { status }
    }

    /// The strings of `argv`, and the row of their addresses with a null at the end, which is the
    /// empty `envp` too.
    fn argument_vector(&mut self) -> u64 {
        self.drain();
        let arguments: Vec<String> =
            std::iter::once(NAME.to_owned()).chain(self.settings.arguments.iter().cloned()).collect();
        let mut row = Vec::new();
        for (at, argument) in arguments.iter().enumerate() {
            let mut bytes = argument.clone().into_bytes();
            bytes.push(0);
            let address = self.add_global(format!("argv[{at}]"), bytes, Partition::uniform(1));
            row.extend(address.to_le_bytes());
        }
        row.extend([0; 16]);
        self.add_global("argv".to_owned(), row, Partition::uniform(8))
    }

    /// A variable that no module has.
    fn add_global(&mut self, name: String, bytes: Vec<u8>, partition: Partition) -> u64 {
        let slot = self.objects.slot(Fixed::Global(self.globals.len() as u32));
        self.objects.synthetic(slot);
        self.push_global(name, slot, bytes, partition);
        address(slot, 0)
    }

    /// The same, while others are still to come.
    pub(super) fn add_table(&mut self, bytes: Vec<u8>) -> u64 {
        let number = self.objects.globals.len();
        let slot = self.objects.slot(Fixed::Global(number as u32));
        self.objects.synthetic(slot);
        self.tables.insert(number, bytes);
        address(slot, 0)
    }

    pub(super) fn push_global(&mut self, name: String, slot: u32, bytes: Vec<u8>, partition: Partition) {
        let site = self.sites.shared(Site { file: 0, line: 0, column: 0, function: u32::MAX });
        let partition = self.partition_number(partition.coarse_enough(bytes.len() as u64));
        self.globals.push(Global {
            name,
            slot,
            size: bytes.len() as u32,
            alignment: 8,
            partition,
            constant: false,
            thread_local: false,
            initial: bytes.into(),
            ty: None,
            site,
        });
    }

    fn exit(&mut self, draft: &mut Draft, status: Temp, site: u32) {
        let (first, dst) = (draft.operands.len() as u32, draft.temp());
        draft.operands.push((status, Kind::Integer(32)));
        let own = self.sites.own(self.sites.sites[site as usize]);
        self.push(draft, Instruction::Native { native: Native::Exit, count: 1, dst, first, shape: 0 }, own);
        draft.blocks[0].end = End::Stop(Instruction::Unreachable);
    }
}
