//! Types of the source from debug information, and how objects are divided into cells by their
//! types.

use rustc_hash::FxHashMap;

use crate::code::debug::{Encoding, Member, SourceType, TypeId};
use crate::code::partition::{MOST_CELLS, Partition};
use crate::ir::debug::Shape;
use crate::ir::metadata::tag;
use crate::ir::{self, MetadataId, MetadataKind, Module, Type};

/// The types met so far.
#[derive(Debug, Default)]
pub(super) struct SourceTypes {
    /// The types.
    pub(super) types: Vec<SourceType>,
    known: FxHashMap<(usize, MetadataId), TypeId>,
    waiting: Vec<(TypeId, MetadataId)>,
}

impl SourceTypes {
    /// The type that debug information describes, without qualifiers and typedefs; `None` is
    /// `void`.
    pub(super) fn of(&mut self, at: usize, module: &Module, ty: Option<MetadataId>) -> Option<TypeId> {
        let id = self.place(at, module, ty);
        while let Some((id, metadata)) = self.waiting.pop() {
            let ty = self.convert(at, module, metadata);
            self.types[id.0 as usize] = ty;
        }
        id
    }

    /// A number for a type, which is filled in later: types refer to each other in circles.
    fn place(&mut self, at: usize, module: &Module, ty: Option<MetadataId>) -> Option<TypeId> {
        let metadata = module.stripped(ty)?;
        let (types, waiting) = (&mut self.types, &mut self.waiting);
        Some(*self.known.entry((at, metadata)).or_insert_with(|| {
            types.push(SourceType::Other { name: String::new(), bytes: 0 });
            let id = TypeId(types.len() as u32 - 1);
            waiting.push((id, metadata));
            id
        }))
    }

    fn convert(&mut self, at: usize, module: &Module, metadata: MetadataId) -> SourceType {
        let name = module.type_name(metadata).unwrap_or_default().to_owned();
        let bytes = module.type_bits(Some(metadata)) / 8;
        match module.shape(Some(metadata)) {
            Shape::Void | Shape::Other => SourceType::Other { name, bytes },
            Shape::Basic(bits, encoding) => {
                SourceType::Scalar { name, bytes: (bits / 8) as u32, encoding: self::encoding(encoding) }
            }
            Shape::Pointer(to) => SourceType::Pointer { to: self.place(at, module, to) },
            Shape::Array(element, counts) => {
                let counts = counts.into_iter().map(|count| count.unwrap_or(0)).collect();
                SourceType::Array { element: self.place(at, module, element), counts, bytes }
            }
            Shape::Enumeration(bits, values) => SourceType::Enumeration {
                name,
                bytes: (bits / 8) as u32,
                values: values.into_iter().map(|(value, name)| (name.to_owned(), value as i64)).collect(),
            },
            Shape::Record(members) => {
                let members = members.into_iter().map(|member| Member {
                    name: member.name.unwrap_or_default().to_owned(),
                    offset: member.offset,
                    size: member.size,
                    ty: self.place(at, module, member.ty),
                });
                let members = members.collect();
                match module.metadata_kind(metadata) {
                    MetadataKind::CompositeType(composite) if composite.tag == tag::UNION => {
                        SourceType::Union { name, bytes, members }
                    }
                    _ => SourceType::Struct { name, bytes, members },
                }
            }
        }
    }

    /// The cells of values of a type in a row: one for each scalar. None where nothing is known of
    /// the type.
    pub(super) fn partition(&self, ty: Option<TypeId>) -> Option<Partition> {
        let of = |ty: Option<TypeId>| self.types.get(ty?.0 as usize);
        let mut ty = ty;
        // Of an array, the cells of an element repeat themselves.
        for _ in 0..64 {
            match of(ty) {
                Some(SourceType::Array { element, .. }) => ty = *element,
                _ => break,
            }
        }
        let period = u32::try_from(of(ty)?.bytes()).ok().filter(|&bytes| bytes > 0)?;
        let mut starts = Vec::new();
        let mut stack = vec![(ty, 0u64)];
        while let Some((ty, offset)) = stack.pop() {
            if starts.len() + stack.len() > MOST_CELLS as usize {
                return Some(Partition::uniform(8));
            }
            match of(ty) {
                Some(SourceType::Struct { members, .. }) => {
                    stack.extend(members.iter().map(|member| (member.ty, offset.wrapping_add(member.offset / 8))));
                }
                Some(SourceType::Union { members, .. }) => {
                    let largest = members.iter().max_by_key(|member| member.size);
                    stack.extend(largest.map(|member| (member.ty, offset.wrapping_add(member.offset / 8))));
                }
                Some(SourceType::Array { element, counts, .. }) => {
                    let count = counts.iter().fold(1u64, |product, &count| product.saturating_mul(count));
                    let step = of(*element).map_or(0, SourceType::bytes);
                    if step > 0 && count <= u64::from(MOST_CELLS) {
                        stack.extend((0..count).map(|index| (*element, index.wrapping_mul(step).wrapping_add(offset))));
                    }
                }
                _ => {}
            }
            starts.push(offset.min(u64::from(u32::MAX)) as u32);
        }
        Some(Partition::new(period, starts))
    }
}

/// From DWARF's numbers.
fn encoding(number: u32) -> Encoding {
    match number {
        0x02 => Encoding::Boolean,
        0x04 => Encoding::Float,
        0x06 | 0x08 | 0x10 => Encoding::Character,
        0x07 => Encoding::Unsigned,
        _ => Encoding::Signed,
    }
}

/// The cells of an object of an LLVM type: one for each scalar.
pub(super) fn partition_of(module: &Module, ty: ir::TypeId, size: u64) -> Partition {
    let mut ty = ty;
    while let Type::Array(element, _) = module.ty(ty) {
        ty = *element;
    }
    let period = u32::try_from(module.types.size(ty).unwrap_or(1)).unwrap_or(u32::MAX);
    let mut starts = Vec::new();
    let mut stack = vec![(ty, 0u64)];
    while let Some((ty, offset)) = stack.pop() {
        if starts.len() + stack.len() > MOST_CELLS as usize {
            return Partition::uniform(8).coarse_enough(size);
        }
        match module.ty(ty) {
            Type::Array(element, length) => {
                let step = module.types.size(*element).unwrap_or(0);
                if step > 0 && *length <= u64::from(MOST_CELLS) {
                    stack.extend((0..*length).map(|index| (*element, index.wrapping_mul(step).wrapping_add(offset))));
                }
            }
            Type::Vector { element, length, scalable: false } => {
                let step = super::scalar::vector_step(module, *element).unwrap_or(0);
                stack.extend(
                    (0..u64::from(*length))
                        .filter(|_| step > 0)
                        .map(|index| (*element, offset.wrapping_add(index.wrapping_mul(step)))),
                );
            }
            Type::Struct(structure) => {
                stack.extend(
                    structure.fields.iter().zip(module.types.offsets(ty)).map(|(f, at)| (*f, at.wrapping_add(offset))),
                );
            }
            Type::Integer(65..=128) | Type::X86Fp80 | Type::Fp128 => {
                starts.push(offset.saturating_add(8).min(u64::from(u32::MAX)) as u32)
            }
            _ => {}
        }
        starts.push(offset.min(u64::from(u32::MAX)) as u32);
    }
    Partition::new(period, starts).coarse_enough(size)
}
