//! Types, and their sizes on the target.

use super::{DataLayout, TypeId};

/// A type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// No value.
    Void,
    /// An integer of so many bits.
    Integer(u32),
    /// 16-bit IEEE floating point.
    Half,
    /// 16-bit "brain" floating point.
    BFloat,
    /// 32-bit IEEE floating point.
    Float,
    /// 64-bit IEEE floating point.
    Double,
    /// 80-bit x87 floating point: `long double` on x86-64.
    X86Fp80,
    /// 128-bit IEEE floating point.
    Fp128,
    /// Two doubles: `long double` on PowerPC.
    PpcFp128,
    /// A pointer into an address space. What it points to is not said, also where old bitcode says
    /// it.
    Pointer(u32),
    /// An array of so many elements.
    Array(TypeId, u64),
    /// A vector of so many elements; of a multiple known only to the target if scalable.
    Vector {
        /// The type of an element.
        element: TypeId,
        /// How many (at least).
        length: u32,
        /// Whether the real number is a multiple of `length`.
        scalable: bool,
    },
    /// A structure.
    Struct(StructType),
    /// The type of a function.
    Function {
        /// What it returns.
        result: TypeId,
        /// What it takes.
        parameters: Vec<TypeId>,
        /// Whether it takes more (`...`).
        variadic: bool,
    },
    /// A basic block.
    Label,
    /// Metadata as an argument of an intrinsic.
    Metadata,
    /// A token of the exception handling and coroutine intrinsics.
    Token,
    /// A 64-bit MMX register (before LLVM 20).
    X86Mmx,
    /// A tile of AMX.
    X86Amx,
    /// A type that only a target knows, by its name.
    Target(String),
}

/// A structure type.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct StructType {
    /// Its name (`struct.node`); a literal structure has none.
    pub name: Option<String>,
    /// No padding between the fields.
    pub packed: bool,
    /// Declared, but never defined; has no fields.
    pub opaque: bool,
    /// The types of the fields.
    pub fields: Vec<TypeId>,
}

/// Size and alignment of a type in memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Layout {
    /// Bits that a value has.
    pub(super) bits: u64,
    /// Bytes that it takes in an array: its size in bytes rounded up to the alignment.
    pub(super) allocation: u64,
    /// The alignment that the target asks for, in bytes.
    pub(super) alignment: u64,
    /// For a structure, the offset of each field in bytes.
    pub(super) offsets: Vec<u64>,
}

/// The types of a module with their sizes.
#[derive(Clone, Debug, Default)]
pub struct Types {
    types: Vec<Type>,
    layouts: Vec<Option<Layout>>,
    void: Option<TypeId>,
    metadata: Option<TypeId>,
}

impl Types {
    /// A table of types. Adds `void` and `metadata` where they are missing. Fails with the id of a
    /// type that contains itself by value; every id in `types` must be within it.
    pub fn new(mut types: Vec<Type>, layout: &DataLayout) -> Result<Types, TypeId> {
        let mut place = |wanted: Type| {
            let found = types.iter().position(|ty| *ty == wanted).unwrap_or(types.len());
            if found == types.len() {
                types.push(wanted);
            }
            Some(TypeId(found as u32))
        };
        let (void, metadata) = (place(Type::Void), place(Type::Metadata));
        let layouts = super::layout::layouts(&types, layout)?;
        Ok(Types { types, layouts, void, metadata })
    }

    /// The type with an id.
    pub fn get(&self, id: TypeId) -> &Type {
        &self.types[id.index()]
    }

    /// How many types there are.
    pub fn len(&self) -> usize {
        self.types.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    /// All types in the order of their ids.
    pub fn iter(&self) -> impl Iterator<Item = (TypeId, &Type)> {
        self.types.iter().enumerate().map(|(index, ty)| (TypeId(index as u32), ty))
    }

    /// The id of `void`. Only for a table made by [`Types::new`].
    pub fn void(&self) -> TypeId {
        self.void.expect("the table was made by Types::new")
    }

    /// The id of `metadata`. Only for a table made by [`Types::new`].
    pub fn metadata(&self) -> TypeId {
        self.metadata.expect("the table was made by Types::new")
    }

    /// The id of a type that equals `wanted`, if there is one.
    pub fn find(&self, wanted: &Type) -> Option<TypeId> {
        self.types.iter().position(|ty| ty == wanted).map(|index| TypeId(index as u32))
    }

    /// The number of bits of a value, if it has a size: 1 for `i1`, 80 for `x86_fp80`.
    pub fn bits(&self, id: TypeId) -> Option<u64> {
        self.layout(id).map(|layout| layout.bits)
    }

    /// The number of bytes that a load or store of the type touches: 1 for `i1`, 10 for `x86_fp80`.
    pub fn store_size(&self, id: TypeId) -> Option<u64> {
        self.layout(id).map(|layout| layout.bits.div_ceil(8))
    }

    /// The number of bytes from one element of an array to the next, what `sizeof` says: 1 for
    /// `i1`, 16 for `x86_fp80`. None for types without a size: functions, labels, opaque
    /// structures, scalable vectors, and those larger than the address space.
    pub fn size(&self, id: TypeId) -> Option<u64> {
        self.layout(id).map(|layout| layout.allocation)
    }

    /// The alignment in bytes that the target asks for (ABI alignment), for types with a size.
    pub fn alignment(&self, id: TypeId) -> Option<u64> {
        self.layout(id).map(|layout| layout.alignment)
    }

    /// The offsets in bytes of the fields of a structure that has a size; empty for other types.
    pub fn offsets(&self, id: TypeId) -> &[u64] {
        self.layout(id).map_or(&[], |layout| &layout.offsets)
    }

    /// The type of an element or field at `index` of an array, vector or structure.
    pub fn part(&self, id: TypeId, index: u64) -> Option<TypeId> {
        match self.get(id) {
            Type::Array(element, _) => Some(*element),
            Type::Vector { element, .. } => Some(*element),
            Type::Struct(structure) => structure.fields.get(usize::try_from(index).ok()?).copied(),
            _ => None,
        }
    }

    /// The width of an integer type.
    pub fn integer_bits(&self, id: TypeId) -> Option<u32> {
        match self.get(id) {
            Type::Integer(bits) => Some(*bits),
            _ => None,
        }
    }

    /// Whether it is a pointer.
    pub fn is_pointer(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Pointer(_))
    }

    /// Whether it is `void`.
    pub fn is_void(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Void)
    }

    fn layout(&self, id: TypeId) -> Option<&Layout> {
        self.layouts[id.index()].as_ref()
    }
}
