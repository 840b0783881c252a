//! Several modules made into one program: what each name means.
//!
//! The library's module is the last resort: a definition of the program itself comes before a
//! native, and a native before the library. Nothing is copied: a symbol is a module and an index
//! into it.

use rustc_hash::FxHashMap;

use crate::ir::{AliasId, ConstantId, ConstantKind, FunctionId, GlobalId, Linkage, Module};
use crate::native::Native;

/// What a name means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Symbol {
    /// A function with a body.
    Function(usize, FunctionId),
    /// A variable with an initial value.
    Global(usize, GlobalId),
    /// Another name for something.
    Alias(usize, AliasId),
    /// A function that the machine models.
    Native(Native),
    /// A weak symbol that nobody defines: its address is null.
    Null,
    /// Nobody defines it.
    Unknown,
}

/// How firmly a module defines a name. The firmest definition counts; of equals the first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Firmness {
    /// The library's: only where nobody else defines it.
    Library,
    /// A copy for inlining.
    Copy,
    /// `int x;` with `-fcommon`; the largest counts.
    Common(u64),
    /// One of several that are as good.
    Weak,
    /// The only one.
    Strong,
}

/// Modules with what their names mean.
#[derive(Debug)]
pub(crate) struct Program {
    /// The modules; the library, if there is one, is the last.
    pub(crate) modules: Vec<Module>,
    names: FxHashMap<String, (Firmness, Symbol)>,
}

/// Names that several modules define for good.
pub(crate) type Duplicates = Vec<String>;

impl Program {
    /// Links modules, and a library for what they lack.
    pub(crate) fn new(modules: Vec<Module>, library: Option<Module>) -> Result<Program, Duplicates> {
        let own = modules.len();
        let mut program = Program { modules, names: FxHashMap::default() };
        program.modules.extend(library);
        let mut duplicates = Vec::new();
        for at in 0..program.modules.len() {
            program.define_all(at, at >= own, &mut duplicates);
        }
        if duplicates.is_empty() { Ok(program) } else { Err(duplicates) }
    }

    fn define_all(&mut self, at: usize, library: bool, duplicates: &mut Duplicates) {
        let module = &self.modules[at];
        let names = &mut self.names;
        let mut define = |name: &str, linkage: Linkage, size: u64, symbol: Symbol| {
            let Some(firmness) = firmness(linkage, library, size) else { return };
            match names.get_mut(name) {
                Some((Firmness::Strong, _)) if firmness == Firmness::Strong => duplicates.push(name.to_owned()),
                Some(known) if known.0 >= firmness => {}
                Some(known) => *known = (firmness, symbol),
                None => {
                    names.insert(name.to_owned(), (firmness, symbol));
                }
            }
        };
        for (index, function) in module.functions.iter().enumerate().filter(|(_, function)| !function.is_declaration())
        {
            define(&function.name, function.linkage, 0, Symbol::Function(at, FunctionId(index as u32)));
        }
        for (index, global) in module.globals.iter().enumerate().filter(|(_, global)| global.initial.is_some()) {
            let size = module.types.size(global.ty).unwrap_or(0);
            define(&global.name, global.linkage, size, Symbol::Global(at, GlobalId(index as u32)));
        }
        for (index, alias) in module.aliases.iter().enumerate() {
            define(&alias.name, alias.linkage, 0, Symbol::Alias(at, AliasId(index as u32)));
        }
    }

    /// What a name means to the outside.
    pub(crate) fn named(&self, name: &str) -> Option<Symbol> {
        self.names.get(name).map(|known| known.1)
    }

    fn lookup(&self, name: &str, linkage: Linkage, otherwise: Option<Symbol>) -> Symbol {
        match self.names.get(name) {
            Some((Firmness::Library, symbol)) => otherwise.unwrap_or(*symbol),
            Some((_, symbol)) => *symbol,
            None => otherwise.unwrap_or(if linkage == Linkage::ExternalWeak { Symbol::Null } else { Symbol::Unknown }),
        }
    }

    /// What a function of a module means.
    pub(crate) fn function(&self, module: usize, id: FunctionId) -> Symbol {
        let function = &self.modules[module].functions[id.index()];
        if function.linkage.is_local() {
            return Symbol::Function(module, id);
        }
        self.lookup(&function.name, function.linkage, Native::named(&function.name).map(Symbol::Native))
    }

    /// What a variable of a module means.
    pub(crate) fn global(&self, module: usize, id: GlobalId) -> Symbol {
        let global = &self.modules[module].globals[id.index()];
        if global.linkage.is_local() || global.linkage == Linkage::Appending {
            return Symbol::Global(module, id);
        }
        self.lookup(&global.name, global.linkage, None)
    }

    /// What an alias of a module means; perhaps another alias.
    pub(crate) fn alias(&self, module: usize, id: AliasId) -> Symbol {
        let alias = &self.modules[module].aliases[id.index()];
        if alias.linkage.is_local() {
            return Symbol::Alias(module, id);
        }
        self.lookup(&alias.name, alias.linkage, None)
    }

    /// The functions of `llvm.global_ctors` or `llvm.global_dtors` of all modules, with their
    /// priorities, in the order of these.
    pub(crate) fn initialisers(&self, list: &str) -> Vec<(u64, usize, ConstantId)> {
        let mut found = Vec::new();
        for (at, module) in self.modules.iter().enumerate() {
            let lists = module.globals.iter().filter(|global| global.name == list);
            for entry in lists.filter_map(|global| global.initial).flat_map(|initial| parts(module, initial)) {
                if let [priority, function, ..] = parts(module, *entry)
                    && let ConstantKind::Integer(priority) = module.constant(*priority).kind
                    && module.constant(*function).kind != ConstantKind::Null
                {
                    found.push((priority, at, *function));
                }
            }
        }
        found.sort_by_key(|entry| entry.0);
        found
    }
}

fn parts(module: &Module, id: ConstantId) -> &[ConstantId] {
    match &module.constant(id).kind {
        ConstantKind::Aggregate(parts) => parts,
        _ => &[],
    }
}

/// None where the name is not known outside of its module.
fn firmness(linkage: Linkage, library: bool, size: u64) -> Option<Firmness> {
    if library {
        return (!linkage.is_local() && linkage != Linkage::Appending).then_some(Firmness::Library);
    }
    match linkage {
        Linkage::Internal | Linkage::Private | Linkage::Appending => None,
        Linkage::External => Some(Firmness::Strong),
        Linkage::AvailableExternally => Some(Firmness::Copy),
        Linkage::Common => Some(Firmness::Common(size)),
        Linkage::LinkOnceAny | Linkage::LinkOnceOdr | Linkage::WeakAny | Linkage::WeakOdr | Linkage::ExternalWeak => {
            Some(Firmness::Weak)
        }
    }
}
