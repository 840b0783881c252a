//! The data layout of a target, and what it makes of the sizes and alignments of types.

use super::types::Layout;
use super::{Type, TypeId};

/// Sizes and alignments of the target, from a layout string such as that of x86-64,
/// `e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataLayout {
    /// The string itself.
    pub text: String,
    /// Whether the lowest byte comes first.
    pub little_endian: bool,
    /// Address spaces with the sizes and alignments of their pointers, in bits.
    pub pointers: Vec<(u32, u32, u32)>,
    /// Widths of integers and their alignments, in bits.
    pub integers: Vec<(u32, u32)>,
    /// Widths of floating-point numbers and their alignments, in bits.
    pub floats: Vec<(u32, u32)>,
    /// Widths of vectors and their alignments, in bits.
    pub vectors: Vec<(u32, u32)>,
    /// The alignment that every structure has at least, in bits.
    pub aggregate: u32,
    /// The address space of `alloca`.
    pub alloca_space: u32,
    /// The address space of functions.
    pub program_space: u32,
    /// The address space that globals are in by default.
    pub global_space: u32,
}

impl Default for DataLayout {
    fn default() -> Self {
        DataLayout {
            text: String::new(),
            little_endian: true,
            pointers: vec![(0, 64, 64)],
            integers: vec![(1, 8), (8, 8), (16, 16), (32, 32), (64, 32)],
            floats: vec![(16, 16), (32, 32), (64, 64), (128, 128)],
            vectors: vec![(64, 64), (128, 128)],
            aggregate: 0,
            alloca_space: 0,
            program_space: 0,
            global_space: 0,
        }
    }
}

impl DataLayout {
    /// Reads a layout string. Fails with the part that cannot be understood.
    pub fn parse(text: &str) -> Result<DataLayout, String> {
        let mut layout = DataLayout { text: text.to_string(), ..DataLayout::default() };
        for part in text.split('-').filter(|part| !part.is_empty()) {
            layout.part(part).ok_or_else(|| part.to_string())?;
        }
        Ok(layout)
    }

    fn part(&mut self, part: &str) -> Option<()> {
        let head = part.chars().next()?;
        let rest = &part[head.len_utf8()..];
        let mut fields = rest.split(':');
        let mut number =
            || fields.next().map(|field| if field.is_empty() { Some(0) } else { field.parse::<u32>().ok() });
        match head {
            'e' => self.little_endian = true,
            'E' => self.little_endian = false,
            'p' => {
                let rest = rest.trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
                let fields: Option<Vec<u32>> =
                    rest.split(':').map(|field| if field.is_empty() { Some(0) } else { field.parse().ok() }).collect();
                let fields = fields?;
                let (space, size, alignment) = (fields[0], *fields.get(1)?, fields.get(2).copied());
                let alignment = alignment.unwrap_or(size);
                self.pointers.retain(|pointer| pointer.0 != space);
                (size % 8 == 0 && valid(size) && valid(alignment))
                    .then(|| self.pointers.push((space, size, alignment)))?;
            }
            'i' | 'f' | 'v' => {
                let (width, alignment) = (number()??, number()??);
                let table = match head {
                    'i' => &mut self.integers,
                    'f' => &mut self.floats,
                    _ => &mut self.vectors,
                };
                table.retain(|entry| entry.0 != width);
                valid(alignment).then(|| table.push((width, alignment)))?;
                table.sort_unstable();
            }
            'a' => {
                number()?;
                self.aggregate = number()??;
                valid(self.aggregate).then_some(())?;
            }
            'A' => self.alloca_space = number()??,
            'P' => self.program_space = number()??,
            'G' => self.global_space = number()??,
            // Name mangling, native integers, stack alignment, function pointers, non-integral
            // spaces: nothing depends on them here.
            'm' | 'n' | 'S' | 'F' => {}
            _ => return None,
        }
        Some(())
    }

    /// Bytes of a pointer into an address space.
    pub fn pointer_size(&self, space: u32) -> u64 {
        u64::from(self.pointer(space).1 / 8)
    }

    fn pointer(&self, space: u32) -> (u32, u32, u32) {
        let find = |space| self.pointers.iter().find(|pointer| pointer.0 == space).copied();
        find(space).or_else(|| find(0)).unwrap_or((0, 64, 64))
    }

    /// Alignment in bytes of an integer: that of its width, or of the next larger one, or of the
    /// largest.
    fn integer_alignment(&self, bits: u32) -> u64 {
        let entry = self.integers.iter().find(|entry| entry.0 >= bits).or(self.integers.last());
        bytes(entry.map_or(8, |entry| entry.1))
    }

    fn float_alignment(&self, bits: u32) -> u64 {
        match self.floats.iter().find(|entry| entry.0 == bits) {
            Some(entry) => bytes(entry.1),
            None => u64::from(bits.div_ceil(8)).next_power_of_two(),
        }
    }

    fn vector_alignment(&self, bits: u64, size: u64) -> Option<u64> {
        match self.vectors.iter().find(|entry| u64::from(entry.0) == bits) {
            Some(entry) => Some(bytes(entry.1)),
            None => size.max(1).checked_next_power_of_two(),
        }
    }
}

/// Whether a number of bits can be an alignment or the size of a pointer.
fn valid(bits: u32) -> bool {
    bits <= 1 << 16 && (bits.is_power_of_two() || bits.is_multiple_of(8))
}

/// The alignment in bytes that so many bits are: a power of two, at least one.
fn bytes(bits: u32) -> u64 {
    u64::from(bits / 8).max(1).next_power_of_two()
}

/// A size, of those types that have one and fit into the address space.
type MaybeLayout = Option<Layout>;

/// The layouts of types; fails with a type that contains itself. Without recursion: a type is
/// entered when it is first met and finished when the types that it contains are.
pub(super) fn layouts(types: &[Type], target: &DataLayout) -> Result<Vec<MaybeLayout>, TypeId> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Entered,
        Done,
    }
    let mut states = vec![State::New; types.len()];
    let mut layouts: Vec<MaybeLayout> = vec![None; types.len()];
    let mut stack = Vec::new();
    for root in 0..types.len() {
        stack.push(root);
        while let Some(&top) = stack.last() {
            match states[top] {
                State::New => {
                    states[top] = State::Entered;
                    for part in parts(&types[top]) {
                        match states[part.index()] {
                            State::New => stack.push(part.index()),
                            State::Entered => return Err(*part),
                            State::Done => {}
                        }
                    }
                }
                State::Entered => {
                    layouts[top] = layout(&types[top], &layouts, target);
                    states[top] = State::Done;
                    stack.pop();
                }
                State::Done => {
                    stack.pop();
                }
            }
        }
    }
    Ok(layouts)
}

/// The types that a type contains by value.
fn parts(ty: &Type) -> &[TypeId] {
    match ty {
        Type::Array(element, _) | Type::Vector { element, .. } => std::slice::from_ref(element),
        Type::Struct(structure) => &structure.fields,
        _ => &[],
    }
}

/// The layout of a type, given those of the types that it contains.
fn layout(ty: &Type, layouts: &[MaybeLayout], target: &DataLayout) -> MaybeLayout {
    match ty {
        Type::Integer(bits) => scalar(*bits, target.integer_alignment(*bits)),
        Type::Half | Type::BFloat => scalar(16, target.float_alignment(16)),
        Type::Float => scalar(32, target.float_alignment(32)),
        Type::Double => scalar(64, target.float_alignment(64)),
        Type::X86Fp80 => scalar(80, target.float_alignment(80)),
        Type::Fp128 | Type::PpcFp128 => scalar(128, target.float_alignment(128)),
        Type::X86Mmx => scalar(64, 8),
        Type::X86Amx => scalar(8192, 64),
        Type::Pointer(space) => {
            let (_, size, alignment) = target.pointer(*space);
            scalar(size, bytes(alignment))
        }
        Type::Array(element, length) => {
            let element = layouts[element.index()].as_ref()?;
            let size = element.allocation.checked_mul(*length)?;
            sized(size.checked_mul(8)?, element.alignment)
        }
        Type::Vector { element, length, scalable: false } => {
            let element = layouts[element.index()].as_ref()?;
            let bits = element.bits.checked_mul(u64::from(*length))?;
            sized(bits, target.vector_alignment(bits, bits.div_ceil(8))?)
        }
        Type::Struct(structure) if !structure.opaque => {
            struct_layout(&structure.fields, structure.packed, layouts, target)
        }
        Type::Void
        | Type::Vector { .. }
        | Type::Struct(_)
        | Type::Function { .. }
        | Type::Label
        | Type::Metadata
        | Type::Token
        | Type::Target(_) => None,
    }
}

fn scalar(bits: u32, alignment: u64) -> MaybeLayout {
    sized(u64::from(bits), alignment)
}

fn sized(bits: u64, alignment: u64) -> MaybeLayout {
    let allocation = bits.div_ceil(8).checked_next_multiple_of(alignment)?;
    Some(Layout { bits, allocation, alignment, offsets: Vec::new() })
}

fn struct_layout(fields: &[TypeId], packed: bool, layouts: &[MaybeLayout], target: &DataLayout) -> MaybeLayout {
    let mut offsets = Vec::with_capacity(fields.len());
    let mut end: u64 = 0;
    let mut alignment = if packed { 1 } else { bytes(target.aggregate) };
    for field in fields {
        let field = layouts[field.index()].as_ref()?;
        if !packed {
            alignment = alignment.max(field.alignment);
            end = end.checked_next_multiple_of(field.alignment)?;
        }
        offsets.push(end);
        end = end.checked_add(field.allocation)?;
    }
    end = end.checked_next_multiple_of(alignment)?;
    Some(Layout { bits: end.checked_mul(8)?, allocation: end, alignment, offsets })
}

#[cfg(test)]
mod tests {
    use super::super::{StructType, Types};
    use super::*;

    const X86: &str = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128";

    #[test]
    fn sizes_on_x86_64() {
        let structure = |fields: &[u32], packed| {
            Type::Struct(StructType {
                fields: fields.iter().map(|&id| TypeId(id)).collect(),
                packed,
                ..Default::default()
            })
        };
        let types = vec![
            Type::Integer(8),
            Type::Integer(32),
            Type::Pointer(0),
            Type::X86Fp80,
            structure(&[0, 2, 0, 1], false),
            structure(&[0, 2, 0, 1], true),
            Type::Array(TypeId(4), 3),
            Type::Integer(128),
            Type::Vector { element: TypeId(1), length: 3, scalable: false },
            Type::Integer(1),
            Type::Integer(37),
        ];
        let types = Types::new(types, &DataLayout::parse(X86).unwrap()).unwrap();
        let sizes: Vec<_> = (0..11).map(|id| (types.size(TypeId(id)), types.alignment(TypeId(id)))).collect();
        let expected =
            [(1, 1), (4, 4), (8, 8), (16, 16), (24, 8), (14, 1), (72, 8), (16, 16), (16, 16), (1, 1), (8, 8)];
        assert_eq!(sizes, expected.map(|(size, alignment)| (Some(size), Some(alignment))));
        assert_eq!(types.offsets(TypeId(4)), [0, 8, 16, 20]);
        assert_eq!(types.store_size(TypeId(3)), Some(10));
        assert_eq!(types.store_size(TypeId(10)), Some(5));
    }

    #[test]
    fn a_type_that_contains_itself_is_an_error() {
        let types =
            vec![Type::Struct(StructType { fields: vec![TypeId(1)], ..Default::default() }), Type::Array(TypeId(0), 2)];
        assert!(Types::new(types, &DataLayout::default()).is_err());
    }

    #[test]
    fn a_type_larger_than_memory_has_no_size() {
        let types = vec![Type::Integer(64), Type::Array(TypeId(0), u64::MAX)];
        let types = Types::new(types, &DataLayout::default()).unwrap();
        assert_eq!(types.size(TypeId(1)), None);
    }
}
