//! Global variables, aliases, comdats, and the properties of symbols.

use super::{ComdatId, ConstantId, MetadataId, TypeId};

/// A global variable.
#[derive(Clone, Debug)]
pub struct Global {
    /// Its symbol; empty for the rare one without.
    pub name: String,
    /// The type of its contents (as an operand it is a pointer to them).
    pub ty: TypeId,
    /// What it holds at the beginning; `None` for a declaration.
    pub initial: Option<ConstantId>,
    /// It cannot be written.
    pub constant: bool,
    /// How the linker treats the symbol.
    pub linkage: Linkage,
    /// Who sees the symbol.
    pub visibility: Visibility,
    /// Whether each thread has its own.
    pub thread_local: Option<ThreadLocal>,
    /// Whether its address may be shared with others of equal contents.
    pub unnamed_address: UnnamedAddress,
    /// The alignment in bytes, where one is given.
    pub alignment: Option<u64>,
    /// The address space, 0 for nearly all.
    pub address_space: u32,
    /// The section that it must be in.
    pub section: Option<String>,
    /// The group that it belongs to.
    pub comdat: Option<ComdatId>,
    /// Initialised by something outside of the module.
    pub externally_initialised: bool,
    /// Resolved within the same shared object.
    pub dso_local: bool,
    /// What the source calls it: `DIGlobalVariableExpression` nodes.
    pub debug: Vec<MetadataId>,
}

/// Another name for an object, or a function that resolves to one.
#[derive(Clone, Debug)]
pub struct Alias {
    /// Its symbol.
    pub name: String,
    /// Alias or ifunc.
    pub kind: AliasKind,
    /// The type of what it stands for.
    pub ty: TypeId,
    /// What it stands for; for an ifunc the function that finds it out.
    pub target: ConstantId,
    /// How the linker treats the symbol.
    pub linkage: Linkage,
    /// Who sees the symbol.
    pub visibility: Visibility,
    /// Whether each thread has its own.
    pub thread_local: Option<ThreadLocal>,
    /// Whether its address may be shared with others of equal contents.
    pub unnamed_address: UnnamedAddress,
    /// The address space.
    pub address_space: u32,
    /// Resolved within the same shared object.
    pub dso_local: bool,
}

/// The two kinds of indirect symbols.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AliasKind {
    /// A second name.
    Alias,
    /// A function called by the loader says what the name means.
    IFunc,
}

/// A group of symbols that the linker takes or leaves together.
#[derive(Clone, Debug)]
pub struct Comdat {
    /// Its name.
    pub name: String,
    /// How one of several is selected: the number of the bitcode format (1 any, 2 exact match, 3
    /// largest, 4 no duplicates, 5 same size).
    pub selection: u64,
}

/// How the linker treats a symbol.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Linkage {
    /// Visible; a definition is the only one.
    External,
    /// Visible, for inlining only: the definition is elsewhere.
    AvailableExternally,
    /// One of several equivalent ones is kept; may be dropped if unused.
    LinkOnceAny,
    /// Like `LinkOnceAny`, and all are known to be equivalent (C++ inline functions).
    LinkOnceOdr,
    /// One of several is kept.
    WeakAny,
    /// Like `WeakAny`, and all are known to be equivalent (C++ templates).
    WeakOdr,
    /// Arrays that are concatenated, such as `llvm.global_ctors`.
    Appending,
    /// Not visible outside of the module, but in its symbol table (`static`).
    Internal,
    /// Not visible outside of the module.
    Private,
    /// A declaration that may stay unresolved (its address is then null).
    ExternalWeak,
    /// C's tentative definition: `int x;` with `-fcommon`.
    Common,
}

impl Linkage {
    /// Whether the symbol is unknown outside of its module.
    pub fn is_local(self) -> bool {
        matches!(self, Linkage::Internal | Linkage::Private)
    }

    /// Whether another module's definition may take the place of this one.
    pub fn is_weak(self) -> bool {
        matches!(
            self,
            Linkage::LinkOnceAny
                | Linkage::LinkOnceOdr
                | Linkage::WeakAny
                | Linkage::WeakOdr
                | Linkage::Common
                | Linkage::ExternalWeak
                | Linkage::AvailableExternally
        )
    }
}

/// Who sees a symbol.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Visibility {
    /// Everybody.
    #[default]
    Default,
    /// The same shared object.
    Hidden,
    /// Everybody, but it cannot be overridden.
    Protected,
}

/// The model of a thread-local variable. They differ in how the address is found, not in what it
/// means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ThreadLocal {
    /// The general case.
    GeneralDynamic,
    /// Of the same shared object.
    LocalDynamic,
    /// Of an object that is loaded at the beginning.
    InitialExec,
    /// Of the program itself.
    LocalExec,
}

/// Whether the address of a symbol matters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum UnnamedAddress {
    /// It does.
    #[default]
    Significant,
    /// Not within the module.
    Local,
    /// Not at all.
    Global,
}
