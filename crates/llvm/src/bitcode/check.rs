//! What can be checked only when all of a module is there.

use crate::ir::{Attribute, ConstantKind, Module};

use super::attributes::Groups;
use super::error::{Result, error};

/// Checks that constants name blocks, and attributes types, that there are.
pub(super) fn module(module: &Module, groups: &Groups, byte: usize) -> Result<()> {
    for constant in &module.constants {
        if let ConstantKind::BlockAddress(function, block) = constant.kind
            && block.index() >= module.functions[function.index()].blocks.len()
        {
            return error(byte, "the address of a block that there is not");
        }
    }
    for attribute in groups.values().flat_map(|group| &group.attributes) {
        if let Attribute::Type(_, Some(ty)) = attribute
            && ty.index() >= module.types.len()
        {
            return error(byte, format!("an attribute has the type {}, which there is not", ty.0));
        }
    }
    Ok(())
}
