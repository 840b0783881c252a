//! Instructions on memory: accesses, atomic ones too, and the arithmetic of addresses.

use crate::ir::{Atomic, InstructionKind, Ordering, ScopeId, Type};

use super::codes::function as code;
use super::error::Result;
use super::function::{Body, Take};
use super::instruction::Read;
use super::operators;
use super::record;

/// `alloca`
pub(super) fn alloca(body: &mut Body<'_, '_>, take: &mut Take<'_>) -> Read {
    let ty = take.ty(body)?;
    take.ty(body)?;
    let count = take.absolute_value(body)?;
    let flags = take.number()?;
    if flags & 1 << 6 == 0 {
        return take.record.error("an alloca in a form older than LLVM 4");
    }
    let encoded = flags & 31 | (flags >> 8 & 7) << 5;
    let alignment = record::alignment(encoded).map_or_else(|| take.record.error("an alignment is too large"), Ok)?;
    let space = match take.more() {
        true => take.number()? as u32,
        false => body.decoder.module.data_layout.alloca_space,
    };
    let pointer = body.decoder.find_type(take.record, Type::Pointer(space))?;
    let kind = InstructionKind::Alloca {
        ty,
        count,
        alignment,
        in_alloca: flags & 1 << 5 != 0,
        swift_error: flags & 1 << 7 != 0,
    };
    Ok((kind, pointer))
}

/// `load`
pub(super) fn load(body: &mut Body<'_, '_>, take: &mut Take<'_>) -> Read {
    let (pointer, _) = take.value_and_type(body)?;
    let ty = take.ty(body)?;
    let alignment = take.alignment()?;
    let volatile = take.number()? != 0;
    let atomic = match take.record.code {
        code::LOAD_ATOMIC => Some(atomic(body, take)?),
        _ => None,
    };
    Ok((InstructionKind::Load { pointer, alignment, volatile, atomic }, ty))
}

/// `store`
pub(super) fn store(body: &mut Body<'_, '_>, take: &mut Take<'_>) -> Read {
    let (pointer, _) = take.value_and_type(body)?;
    let (value, _) = take.value_and_type(body)?;
    let alignment = take.alignment()?;
    let volatile = take.number()? != 0;
    let atomic = match take.record.code {
        code::STORE_ATOMIC => Some(atomic(body, take)?),
        _ => None,
    };
    Ok((InstructionKind::Store { value, pointer, alignment, volatile, atomic }, body.void(take.record)?))
}

/// `fence`
pub(super) fn fence(body: &mut Body<'_, '_>, take: &mut Take<'_>) -> Read {
    let atomic = atomic(body, take)?;
    Ok((InstructionKind::Fence(atomic), body.void(take.record)?))
}

/// `cmpxchg`
pub(super) fn compare_exchange(body: &mut Body<'_, '_>, take: &mut Take<'_>) -> Read {
    let (pointer, _) = take.value_and_type(body)?;
    let (expected, ty) = take.value_and_type(body)?;
    let new = take.value(body, ty)?;
    let volatile = take.number()? != 0;
    let success = atomic(body, take)?;
    let failure = ordering(take)?;
    let weak = take.number()? != 0;
    let alignment = take.alignment()?;
    let truth = body.decoder.find_type(take.record, Type::Integer(1))?;
    let structure = crate::ir::StructType { fields: vec![ty, truth], ..Default::default() };
    let result = body.decoder.find_type(take.record, Type::Struct(structure))?;
    let kind = InstructionKind::CompareExchange { pointer, expected, new, success, failure, weak, volatile, alignment };
    Ok((kind, result))
}

/// `atomicrmw`
pub(super) fn atomic_rmw(body: &mut Body<'_, '_>, take: &mut Take<'_>) -> Read {
    let (pointer, _) = take.value_and_type(body)?;
    let (value, ty) = take.value_and_type(body)?;
    let operator = operators::atomic(take.record, take.number()?)?;
    let volatile = take.number()? != 0;
    let atomic = atomic(body, take)?;
    let alignment = take.alignment()?;
    Ok((InstructionKind::AtomicRmw { operator, pointer, value, atomic, volatile, alignment }, ty))
}

/// `getelementptr`
pub(super) fn get_element_ptr(body: &mut Body<'_, '_>, take: &mut Take<'_>) -> Read {
    let flags = operators::pointer_flags(take.number()?);
    let source = take.ty(body)?;
    let (base, base_ty) = take.value_and_type(body)?;
    let mut result = base_ty;
    let mut indices = Vec::new();
    while take.more() {
        let (index, ty) = take.value_and_type(body)?;
        indices.push(index);
        if let (Type::Vector { length, scalable, .. }, Type::Pointer(_)) =
            (body.decoder.kind(ty), body.decoder.kind(result))
        {
            let wanted = Type::Vector { element: result, length: *length, scalable: *scalable };
            result = body.decoder.find_type(take.record, wanted)?;
        }
    }
    Ok((InstructionKind::GetElementPtr { source, base, indices, flags }, result))
}

/// `va_arg`
pub(super) fn va_arg(body: &mut Body<'_, '_>, take: &mut Take<'_>) -> Read {
    let list_ty = take.ty(body)?;
    let list = take.value(body, list_ty)?;
    let ty = take.ty(body)?;
    Ok((InstructionKind::VaArg(list), ty))
}

/// An ordering and a scope.
fn atomic(body: &Body<'_, '_>, take: &mut Take<'_>) -> Result<Atomic> {
    let ordering = ordering(take)?;
    let scope = take.number()?;
    // Two scopes there always are.
    if scope >= body.decoder.module.sync_scopes.len().max(2) as u64 {
        return take.record.error(format!("synchronisation scope {scope} is not there"));
    }
    Ok(Atomic { ordering, scope: ScopeId(scope as u32) })
}

fn ordering(take: &mut Take<'_>) -> Result<Ordering> {
    let number = take.number()?;
    match operators::ordering(take.record, number)? {
        Some(ordering) => Ok(ordering),
        None => take.record.error("an atomic access without an ordering"),
    }
}
