//! `llvm.load.relative`: tables of how far away something is, in 32 bits.
//!
//! Objects here are further apart than that. So where such a table is known, there is another one
//! beside it, of addresses.

use crate::code::instruction::{Flags, LoadKind};
use crate::ir::{BinaryOperator, CastOperator, ConstantId, ConstantKind, Module, Operand};

use super::Lowering;
use super::body::{Body, Refusal};
use super::draft::Value;

impl Body<'_, '_> {
    /// What lies as far from the table as it says at this offset.
    pub(super) fn load_relative(&mut self, table: Operand, offset: Operand) -> Result<Value, Refusal> {
        let Operand::Constant(table) = table else { return Err("a relative table that is not known".into()) };
        let base = self.lowering.relative_table(self.at, table).ok_or("a relative table of another kind")?;
        let offset = self.scalar(offset)?;
        let (base, offset) = self.index(Value::Number(base), 0, offset, 2);
        Ok(self.load_at(LoadKind::W64, base, offset, Flags::default()))
    }
}

impl Lowering<'_> {
    /// A table of addresses for one of differences.
    fn relative_table(&mut self, at: usize, table: ConstantId) -> Option<u64> {
        let program = self.program;
        let module = &program.modules[at];
        let ConstantKind::Global(global) = module.constant(table).kind else { return None };
        let ConstantKind::Aggregate(entries) = &module.constant(module.globals[global.index()].initial?).kind else {
            return None;
        };
        let mut bytes = Vec::with_capacity(entries.len() * 8);
        for &entry in entries {
            let address = self.number(at, target(module, entry)?)?;
            bytes.extend(address.to_le_bytes());
        }
        Some(self.add_table(bytes))
    }
}

/// What an entry `trunc (ptrtoint TARGET - ptrtoint TABLE)` is the distance to.
fn target(module: &Module, entry: ConstantId) -> Option<ConstantId> {
    let ConstantKind::Cast(CastOperator::Trunc, difference) = module.constant(entry).kind else { return None };
    let ConstantKind::Binary(BinaryOperator::Sub, _, address, _) = module.constant(difference).kind else {
        return None;
    };
    match module.constant(address).kind {
        ConstantKind::Cast(CastOperator::PtrToInt, target) => Some(target),
        _ => None,
    }
}
