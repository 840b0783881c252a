//! Instructions that say where control goes or came from: branches, phi nodes, exception handling.

use crate::ir::{Clause, InstructionKind, Operand, Type};

use super::codes::function as code;
use super::error::Result;
use super::function::{Body, Take};
use super::instruction::Read;
use super::operators;

/// `phi`
pub(super) fn phi(body: &mut Body<'_, '_>, take: &mut Take<'_>) -> Read {
    let ty = take.ty(body)?;
    let mut incoming = Vec::new();
    while take.next + 2 <= take.record.len() {
        let value = take.signed_value(body, ty)?;
        incoming.push((value, take.block(body)?));
    }
    let fast = operators::fast_math(take.optional());
    Ok((InstructionKind::Phi(fast, incoming), ty))
}

/// `ret`
pub(super) fn ret(body: &mut Body<'_, '_>, take: &mut Take<'_>) -> Read {
    let value = match take.more() {
        true => Some(take.value_and_type(body)?.0),
        false => None,
    };
    take.end()?;
    Ok((InstructionKind::Return(value), body.void(take.record)?))
}

/// `br`
pub(super) fn branch(body: &mut Body<'_, '_>, take: &mut Take<'_>) -> Read {
    let yes = take.block(body)?;
    let void = body.void(take.record)?;
    if !take.more() {
        return Ok((InstructionKind::Branch(yes), void));
    }
    let no = take.block(body)?;
    let truth = body.decoder.find_type(take.record, Type::Integer(1))?;
    let condition = take.value(body, truth)?;
    Ok((InstructionKind::ConditionalBranch { condition, yes, no }, void))
}

/// `switch`
pub(super) fn switch(body: &mut Body<'_, '_>, take: &mut Take<'_>) -> Read {
    /// What a form of `switch` began with that LLVM wrote for a short time before LLVM 3.4.
    const EXPERIMENT: u64 = 0x4B5;
    let number = take.number()?;
    if number >> 16 == EXPERIMENT {
        return take.record.error("a switch in an experimental form");
    }
    let ty = body.decoder.ty(take.record, number)?;
    let value = take.value(body, ty)?;
    let default = take.block(body)?;
    let mut cases = Vec::new();
    while take.more() {
        let case = take.number()?;
        let Some(case) = body.decoder.constant(case) else {
            return take.record.error("a case of a switch is not a constant");
        };
        cases.push((case, take.block(body)?));
    }
    Ok((InstructionKind::Switch { value, default, cases }, body.void(take.record)?))
}

/// `indirectbr`
pub(super) fn indirect_branch(body: &mut Body<'_, '_>, take: &mut Take<'_>) -> Read {
    let ty = take.ty(body)?;
    let address = take.value(body, ty)?;
    let mut targets = Vec::new();
    while take.more() {
        targets.push(take.block(body)?);
    }
    Ok((InstructionKind::IndirectBranch(address, targets), body.void(take.record)?))
}

/// `resume`
pub(super) fn resume(body: &mut Body<'_, '_>, take: &mut Take<'_>) -> Read {
    let (value, _) = take.value_and_type(body)?;
    Ok((InstructionKind::Resume(value), body.void(take.record)?))
}

/// `landingpad`
pub(super) fn landing_pad(body: &mut Body<'_, '_>, take: &mut Take<'_>) -> Read {
    let ty = take.ty(body)?;
    let cleanup = take.number()? != 0;
    let count = take.number()?;
    let mut clauses = Vec::new();
    for _ in 0..count {
        let kind = take.number()?;
        let (value, _) = take.value_and_type(body)?;
        clauses.push(match kind {
            0 => Clause::Catch(value),
            1 => Clause::Filter(value),
            kind => return take.record.error(format!("a clause of the kind {kind}")),
        });
    }
    Ok((InstructionKind::LandingPad { cleanup, clauses }, ty))
}

/// `catchpad` and `cleanuppad`
pub(super) fn funclet_pad(body: &mut Body<'_, '_>, take: &mut Take<'_>) -> Read {
    let token = body.decoder.find_type(take.record, Type::Token)?;
    let parent = take.value(body, token)?;
    let count = take.number()?;
    let mut arguments = Vec::new();
    for _ in 0..count {
        arguments.push(take.value_and_type(body)?.0);
    }
    let catch = take.record.code == code::CATCH_PAD;
    Ok((InstructionKind::FuncletPad { catch, parent, arguments }, token))
}

/// `catchswitch`
pub(super) fn catch_switch(body: &mut Body<'_, '_>, take: &mut Take<'_>) -> Read {
    let token = body.decoder.find_type(take.record, Type::Token)?;
    let parent = take.value(body, token)?;
    let count = take.number()?;
    let mut handlers = Vec::new();
    for _ in 0..count {
        handlers.push(take.block(body)?);
    }
    let unwind = match take.more() {
        true => Some(take.block(body)?),
        false => None,
    };
    Ok((InstructionKind::CatchSwitch { parent, handlers, unwind }, token))
}

/// `catchret`
pub(super) fn catch_return(body: &mut Body<'_, '_>, take: &mut Take<'_>) -> Read {
    let pad = pad(body, take)?;
    let target = take.block(body)?;
    Ok((InstructionKind::CatchReturn { pad, target }, body.void(take.record)?))
}

/// `cleanupret`
pub(super) fn cleanup_return(body: &mut Body<'_, '_>, take: &mut Take<'_>) -> Read {
    let pad = pad(body, take)?;
    let unwind = match take.more() {
        true => Some(take.block(body)?),
        false => None,
    };
    Ok((InstructionKind::CleanupReturn { pad, unwind }, body.void(take.record)?))
}

fn pad(body: &mut Body<'_, '_>, take: &mut Take<'_>) -> Result<Operand> {
    let token = body.decoder.find_type(take.record, Type::Token)?;
    take.value(body, token)
}
