//! What an allocated block will hold, as far as debug information tells: the type that the first
//! variable points to that its address is stored to.

use rustc_hash::FxHashMap;

use crate::code::Shape;
use crate::code::debug::{SourceType, TypeId};
use crate::ir::metadata::MetadataKind;
use crate::ir::{self, ConstantKind, InstructionKind, LocalId, MetadataId, Operand, Type};

use super::body::Body;

impl Body<'_, '_> {
    /// The shape of the block whose address an instruction gives.
    pub(super) fn shape_of(&mut self, instruction: &ir::Instruction) -> u32 {
        let Some(result) = instruction.result else { return 0 };
        let Some(pointer) = self.first_variable(result) else { return 0 };
        let pointer = self.lowering.types.of(self.at, self.module, Some(pointer));
        let ty = match pointer.and_then(|ty| self.lowering.types.types.get(ty.0 as usize)) {
            Some(SourceType::Pointer { to: Some(to) }) => *to,
            _ => return 0,
        };
        self.shape_number(ty)
    }

    fn shape_number(&mut self, ty: TypeId) -> u32 {
        if let Some(&known) = self.lowering.shape_numbers.get(&Some(ty)) {
            return known;
        }
        let Some(partition) = self.lowering.types.partition(Some(ty)) else { return 0 };
        let partition = self.lowering.partition_number(partition);
        self.lowering.shapes.push(Shape { partition, ty: Some(ty) });
        let number = self.lowering.shapes.len() as u32 - 1;
        self.lowering.shape_numbers.insert(Some(ty), number);
        number
    }

    /// The type of the variable, field or result that an address first goes to.
    fn first_variable(&mut self, address: LocalId) -> Option<MetadataId> {
        let (function, module) = (self.function, self.module);
        let mut address = address;
        for instruction in function.blocks.iter().flat_map(|block| &block.instructions) {
            match &instruction.kind {
                InstructionKind::Cast { operand: Operand::Local(operand), .. } if *operand == address => {
                    address = instruction.result?;
                }
                InstructionKind::Store { value: Operand::Local(value), pointer, .. } if *value == address => {
                    return self.stored_type(*pointer);
                }
                InstructionKind::Return(Some(Operand::Local(value))) if *value == address => {
                    let MetadataKind::Subprogram(subprogram) = module.metadata_kind(function.subprogram?) else {
                        return None;
                    };
                    let MetadataKind::SubroutineType(types) = module.metadata_kind(subprogram.ty?) else { return None };
                    return *module.node(*types).first()?;
                }
                _ => {}
            }
        }
        None
    }

    /// The type of what lies at an address: a variable, or a field.
    fn stored_type(&mut self, pointer: Operand) -> Option<MetadataId> {
        let module = self.module;
        match pointer {
            Operand::Constant(id) => match module.constant(id).kind {
                ConstantKind::Global(global) => module.global_variable(&module.globals[global.index()])?.ty,
                _ => None,
            },
            Operand::Local(local) => {
                if let Some(&variable) = self.variables.get(&local) {
                    return module.local_variable(variable)?.ty;
                }
                let blocks = self.function.blocks.iter().flat_map(|block| &block.instructions);
                let made = blocks.into_iter().find(|instruction| instruction.result == Some(local))?;
                match &made.kind {
                    InstructionKind::GetElementPtr { source, indices, .. } => self.field_type(*source, indices),
                    _ => None,
                }
            }
            Operand::Metadata(_) => None,
        }
    }

    /// The type of a field, by the names of its structure and its number.
    fn field_type(&mut self, source: ir::TypeId, indices: &[Operand]) -> Option<MetadataId> {
        let module = self.module;
        let Type::Struct(structure) = module.ty(source) else { return None };
        let name = structure.name.as_deref()?;
        let name = name.strip_prefix("struct.").or_else(|| name.strip_prefix("class."))?;
        let [_, Operand::Constant(field)] = indices else { return None };
        let ConstantKind::Integer(field) = module.constant(*field).kind else { return None };
        let offset = module.types.offsets(source).get(field as usize)? * 8;
        let structures = self.lowering.structures[self.at].get_or_insert_with(|| structures(module));
        match module.shape(structures.get(name).copied()) {
            ir::debug::Shape::Record(members) => members.iter().find(|member| member.offset == offset)?.ty,
            _ => None,
        }
    }
}

/// The structures and classes that debug information describes, by name.
fn structures(module: &ir::Module) -> FxHashMap<&str, MetadataId> {
    let mut found = FxHashMap::default();
    for (at, metadata) in module.metadata.iter().enumerate() {
        if let MetadataKind::CompositeType(composite) = &metadata.kind
            && composite.elements.is_some()
            && let Some(name) = composite.name.and_then(|id| module.string(id))
        {
            found.entry(name).or_insert(MetadataId(at as u32));
        }
    }
    found
}
