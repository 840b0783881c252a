//! Calls in their three forms, and operand bundles.

use crate::ir::{
    AttributesId, Bundle, Call, CallTarget, ConstantKind, FastMath, InstructionKind, Invoke, Operand, TailCall, Type,
    TypeId,
};

use super::error::Result;
use super::function::{Body, Take};
use super::globals::function_type;
use super::instruction::Read;
use super::metadata::Numbers;
use super::operators;
use super::record::Record;

/// The bits of a call's flags.
mod flag {
    pub(super) const TAIL: u64 = 1;
    pub(super) const MUST_TAIL: u64 = 1 << 14;
    pub(super) const EXPLICIT_TYPE: u64 = 1 << 15;
    pub(super) const NO_TAIL: u64 = 1 << 16;
    pub(super) const FAST_MATH: u64 = 1 << 17;
    pub(super) const INVOKE_EXPLICIT_TYPE: u64 = 1 << 13;
}

/// `call`
pub(super) fn call(body: &mut Body<'_, '_>, take: &mut Take<'_>) -> Read {
    let attributes = attributes(body, take)?;
    let flags = take.number()?;
    let fast = match flags & flag::FAST_MATH != 0 {
        true => operators::fast_math(take.number()?),
        false => FastMath::default(),
    };
    let tail = match flags {
        flags if flags & flag::MUST_TAIL != 0 => TailCall::MustTail,
        flags if flags & flag::NO_TAIL != 0 => TailCall::NoTail,
        flags if flags & flag::TAIL != 0 => TailCall::Tail,
        _ => TailCall::None,
    };
    let (call, ty) = rest(body, take, flags & flag::EXPLICIT_TYPE != 0)?;
    let call = Call { attributes, convention: convention(flags), tail, fast, ..call };
    Ok((InstructionKind::Call(Box::new(call)), ty))
}

/// `invoke`
pub(super) fn invoke(body: &mut Body<'_, '_>, take: &mut Take<'_>) -> Read {
    let attributes = attributes(body, take)?;
    let flags = take.number()?;
    let (normal, unwind) = (take.block(body)?, take.block(body)?);
    let (call, ty) = rest(body, take, flags & flag::INVOKE_EXPLICIT_TYPE != 0)?;
    let convention = (flags & (flag::INVOKE_EXPLICIT_TYPE - 1)) as u32;
    let call = Call { attributes, convention, ..call };
    Ok((InstructionKind::Invoke(Box::new(Invoke { call, normal, unwind })), ty))
}

/// `callbr`
pub(super) fn call_branch(body: &mut Body<'_, '_>, take: &mut Take<'_>) -> Read {
    let attributes = attributes(body, take)?;
    let flags = take.number()?;
    let fallthrough = take.block(body)?;
    let count = take.number()?;
    let mut indirect = Vec::new();
    for _ in 0..count {
        indirect.push(take.block(body)?);
    }
    let (call, ty) = rest(body, take, flags & flag::EXPLICIT_TYPE != 0)?;
    let call = Call { attributes, convention: convention(flags), ..call };
    Ok((InstructionKind::CallBranch { call: Box::new(call), fallthrough, indirect }, ty))
}

/// Operands for the call that follows.
pub(super) fn bundle(body: &mut Body<'_, '_>, record: &Record<'_>) -> Result<()> {
    /// Says that metadata follows instead of a value.
    const METADATA: u64 = 0x8000_0000;
    let take = &mut Take { record, next: 0 };
    let tag = take.number()?;
    if tag >= body.decoder.module.bundle_tags.len() as u64 {
        return record.error(format!("the tag {tag} of operand bundles is not there"));
    }
    let mut operands = Vec::new();
    while take.more() {
        operands.push(match record.get(take.next)? == METADATA {
            false => take.value_and_type(body)?.0,
            true => {
                take.next += 1;
                let distance = take.number()? as u32;
                let number = (body.decoder.values.len() as u32).wrapping_sub(distance);
                Operand::Metadata(Numbers::new(body.decoder, &body.metadata).get(record, u64::from(number))?)
            }
        });
    }
    body.bundles.push(Bundle { tag: tag as u32, operands });
    Ok(())
}

fn convention(flags: u64) -> u32 {
    ((flags & 0x7ff) >> 1) as u32
}

fn attributes(body: &Body<'_, '_>, take: &mut Take<'_>) -> Result<Option<AttributesId>> {
    let number = take.number()?;
    body.decoder.attributes(take.record, number)
}

/// What all calls have in common: the type, what is called, and the arguments.
fn rest(body: &mut Body<'_, '_>, take: &mut Take<'_>, explicit: bool) -> Result<(Call, TypeId)> {
    if !explicit {
        return take.record.error("a call in a form older than LLVM 4");
    }
    let (ty, _) = function_type(body.decoder, take.record, take.number()?)?;
    let (callee, _) = take.value_and_type(body)?;
    let Type::Function { result, parameters, variadic } = body.decoder.kind(ty).clone() else {
        return take.record.error("a call of something that is not a function");
    };
    let mut arguments = Vec::with_capacity(parameters.len());
    for parameter in parameters {
        if matches!(body.decoder.kind(parameter), Type::Label) {
            return take.record.error("a label as an argument is not supported");
        }
        arguments.push(take.value(body, parameter)?);
    }
    if !variadic {
        take.end()?;
    }
    while take.more() {
        arguments.push(take.value_and_type(body)?.0);
    }
    let call = Call {
        target: target(body, callee),
        ty,
        arguments,
        attributes: None,
        convention: 0,
        tail: TailCall::None,
        fast: FastMath::default(),
        bundles: std::mem::take(&mut body.bundles),
    };
    Ok((call, result))
}

fn target(body: &Body<'_, '_>, callee: Operand) -> CallTarget {
    let Operand::Constant(id) = callee else { return CallTarget::Pointer(callee) };
    match body.decoder.module.constants[id.index()].kind {
        ConstantKind::Function(function) => CallTarget::Function(function),
        ConstantKind::Assembly(_) => CallTarget::Assembly(id),
        _ => CallTarget::Pointer(callee),
    }
}
