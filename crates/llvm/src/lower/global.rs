//! Variables of static storage: their bytes, cells and names.

use crate::code::Global;
use crate::code::partition::Partition;
use crate::ir::metadata::MetadataKind;
use crate::ir::{self, ConstantId, ConstantKind, Module, Type, TypeId};

use super::Lowering;
use super::draft::Value;
use super::source_type::partition_of;

/// A variable larger than this is refused.
const MOST_BYTES: u64 = 1 << 28;

impl Lowering<'_> {
    /// Adds the next variable to the image.
    pub(super) fn lower_global(&mut self, number: usize) {
        let Some((at, id)) = self.objects.globals[number] else {
            let (slot, bytes) = (self.objects.slots[number], self.tables.remove(&number).unwrap_or_default());
            return self.push_global(String::new(), slot, bytes, Partition::uniform(8));
        };
        let program = self.program;
        let module = &program.modules[at];
        let global = &module.globals[id.index()];
        let slot = self.objects.slots[number];
        let size = module.types.size(global.ty).unwrap_or(0);
        let (name, site, ty) = self.describe_global(at, module, global);
        let mut initial = Vec::new();
        if size > MOST_BYTES {
            self.refuse_module(module, format!("the variable `{name}` of {size} bytes is too large"));
        } else if let Some(value) = global.initial
            && let Err(reason) = self.write(at, value, size, &mut initial)
        {
            self.refuse_module(module, format!("the initial value of `{name}`: {reason}"));
        }
        let name = if is_text(module, global) { quoted(&initial) } else { name };
        initial.truncate(initial.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1));
        let partition = self.partition_number(partition_of(module, global.ty, size.min(MOST_BYTES)));
        let alignment = global.alignment.or(module.types.alignment(global.ty)).unwrap_or(1).clamp(1, 1 << 20) as u32;
        self.globals.push(Global {
            name,
            slot,
            size: size.min(MOST_BYTES) as u32,
            alignment,
            partition,
            constant: global.constant,
            thread_local: global.thread_local.is_some(),
            initial: initial.into(),
            ty,
            site,
        });
    }

    /// The name of a variable, where it is declared, and its type.
    fn describe_global(
        &mut self,
        at: usize,
        module: &Module,
        global: &ir::Global,
    ) -> (String, u32, Option<crate::code::debug::TypeId>) {
        let nowhere = crate::code::Site { file: 0, line: 0, column: 0, function: u32::MAX };
        let Some(variable) = module.global_variable(global) else {
            return (global.name.clone(), self.sites.shared(nowhere), None);
        };
        let file = self.sites.file(variable.file.unwrap_or(""), None);
        let site = self.sites.shared(crate::code::Site { file, line: variable.line, ..nowhere });
        let ty = self.types.of(at, module, variable.ty);
        let name = match function_around(module, global) {
            Some(function) => format!("{function}.{}", variable.name),
            None => variable.name.to_owned(),
        };
        (name, site, ty)
    }

    /// Writes a constant as bytes; what is zero at the end may be left out.
    fn write(&mut self, at: usize, value: ConstantId, size: u64, bytes: &mut Vec<u8>) -> Result<(), std::rc::Rc<str>> {
        let program = self.program;
        let module = &program.modules[at];
        let mut stack = vec![(value, 0u64)];
        while let Some((id, offset)) = stack.pop() {
            let constant = module.constant(id);
            match &constant.kind {
                ConstantKind::Null | ConstantKind::Undef | ConstantKind::Poison | ConstantKind::Integer(0) => {}
                ConstantKind::Aggregate(list) => {
                    let step = step(module, constant.ty);
                    let offsets = module.types.offsets(constant.ty);
                    for (index, &part) in list.iter().enumerate() {
                        let start = match step {
                            Some(step) => step.wrapping_mul(index as u64),
                            None => offsets.get(index).copied().ok_or("a structure with too many parts")?,
                        };
                        stack.push((part, offset.wrapping_add(start)));
                    }
                }
                ConstantKind::Data(data) => put(bytes, offset, data, size),
                ConstantKind::Splat(element) => {
                    let step = step(module, constant.ty).ok_or("a repeated part")?;
                    let count = module.types.size(constant.ty).unwrap_or(0).checked_div(step).unwrap_or(0);
                    let parts =
                        (0..count.min(size)).map(|index| (*element, index.wrapping_mul(step).wrapping_add(offset)));
                    stack.extend(parts);
                }
                _ => self.write_scalars(at, id, constant.ty, offset, size, bytes)?,
            }
        }
        Ok(())
    }

    fn write_scalars(
        &mut self,
        at: usize,
        id: ConstantId,
        ty: TypeId,
        offset: u64,
        size: u64,
        bytes: &mut Vec<u8>,
    ) -> Result<(), std::rc::Rc<str>> {
        let (parts, values) = (self.parts(at, ty)?, self.constant(at, id)?);
        for (part, value) in parts.iter().zip(values.iter()) {
            let number = match value {
                Value::Number(number) => super::scalar::zero_extend(*number, part.scalar.bits()),
                Value::Undefined => 0,
                _ => return Err("the address of a variable that every thread has its own of".into()),
            };
            put(bytes, offset.wrapping_add(part.offset), &number.to_le_bytes()[..part.scalar.bytes() as usize], size);
        }
        Ok(())
    }
}

/// How far the elements of an array or vector are apart.
fn step(module: &Module, ty: TypeId) -> Option<u64> {
    match module.ty(ty) {
        Type::Array(element, _) => module.types.size(*element),
        Type::Vector { element, .. } => module.types.store_size(*element),
        _ => None,
    }
}

fn put(bytes: &mut Vec<u8>, offset: u64, data: &[u8], size: u64) {
    let Some(end) = offset.checked_add(data.len() as u64).filter(|&end| end <= size) else { return };
    if data.iter().all(|&byte| byte == 0) {
        return;
    }
    let end = end as usize;
    if bytes.len() < end {
        bytes.resize(end, 0);
    }
    bytes[offset as usize..end].copy_from_slice(data);
}

/// The function that a static local belongs to.
fn function_around<'m>(module: &'m Module, global: &ir::Global) -> Option<&'m str> {
    let expression = global.debug.first()?;
    let MetadataKind::GlobalVariableExpression { variable: Some(variable), .. } = *module.metadata_kind(*expression)
    else {
        return None;
    };
    let MetadataKind::GlobalVariable(variable) = module.metadata_kind(variable) else { return None };
    let scope = ir::Location { line: 0, column: 0, scope: variable.scope, inlined_at: None, implicit: false };
    module.function_of(&scope)
}

/// Whether a variable is a string of the program text.
fn is_text(module: &Module, global: &ir::Global) -> bool {
    let bytes = match module.ty(global.ty) {
        Type::Array(element, _) => module.types.integer_bits(*element) == Some(8),
        _ => false,
    };
    global.constant && bytes && global.linkage == ir::Linkage::Private
}

/// A string as the source has it, if it is not too long.
fn quoted(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes.split(|&byte| byte == 0).next().unwrap_or_default()).into_owned();
    if text.chars().count() > 40 {
        let start: String = text.chars().take(37).collect();
        return format!("{:?}", format!("{start}..."));
    }
    format!("{text:?}")
}
