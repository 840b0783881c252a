//! The typed indices of a module.

macro_rules! index {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub u32);

        impl $name {
            /// The index, to address a table with.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

index! {
    /// A type: index into [`Types`](super::Types). Two ids may stand for equal types: pointers that
    /// were written with a pointee type are all [`Type::Pointer`](super::Type::Pointer).
    TypeId
}
index! {
    /// A global variable: index into [`Module::globals`](super::Module::globals).
    GlobalId
}
index! {
    /// A function: index into [`Module::functions`](super::Module::functions).
    FunctionId
}
index! {
    /// An alias or ifunc: index into [`Module::aliases`](super::Module::aliases).
    AliasId
}
index! {
    /// A comdat: index into [`Module::comdats`](super::Module::comdats).
    ComdatId
}
index! {
    /// A constant: index into [`Module::constants`](super::Module::constants).
    ConstantId
}
index! {
    /// An attribute list: index into [`Module::attributes`](super::Module::attributes).
    AttributesId
}
index! {
    /// A piece of metadata: index into [`Module::metadata`](super::Module::metadata).
    MetadataId
}
index! {
    /// The place of an instruction: index into [`Module::locations`](super::Module::locations).
    LocationId
}
index! {
    /// A synchronisation scope: index into [`Module::sync_scopes`](super::Module::sync_scopes).
    ScopeId
}
index! {
    /// A basic block: index into [`Function::blocks`](super::Function::blocks).
    BlockId
}
index! {
    /// A parameter or the result of an instruction: index into
    /// [`Function::locals`](super::Function::locals).
    LocalId
}

impl ScopeId {
    /// Synchronises only with the same thread (signal handlers).
    pub const SINGLE_THREAD: ScopeId = ScopeId(0);
    /// Synchronises with all threads: what C and C++ mean.
    pub const SYSTEM: ScopeId = ScopeId(1);
}

impl BlockId {
    /// The block that a function begins with.
    pub const ENTRY: BlockId = BlockId(0);
}
