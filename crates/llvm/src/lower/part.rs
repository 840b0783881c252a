//! The parts of aggregates and vectors.

use crate::ir::{IntegerPredicate, Operand, Type, TypeId};

use super::body::{Body, Refusal};
use super::draft::Value;

impl Body<'_, '_> {
    /// Where a part of an aggregate lies among its scalars.
    pub(super) fn range(&mut self, ty: TypeId, indices: &[u32]) -> Result<std::ops::Range<usize>, Refusal> {
        let (mut ty, mut start) = (ty, 0);
        for &index in indices {
            let part = match self.module.ty(ty) {
                Type::Array(element, length) if u64::from(index) < *length => {
                    start += self.parts(*element)?.len() * index as usize;
                    *element
                }
                Type::Struct(structure) if (index as usize) < structure.fields.len() => {
                    for field in &structure.fields[..index as usize] {
                        start += self.parts(*field)?.len();
                    }
                    structure.fields[index as usize]
                }
                _ => return Err("a part that the aggregate does not have".into()),
            };
            ty = part;
        }
        Ok(start..start + self.parts(ty)?.len())
    }

    /// The lanes of a vector, each one scalar.
    fn lanes(&mut self, vector: Operand) -> Result<Vec<Value>, Refusal> {
        let lanes = self.scalars(vector)?;
        match self.module.ty(self.type_of(vector)) {
            Type::Vector { length, .. } if *length as usize == lanes.len() => Ok(lanes),
            _ => Err("a vector whose elements do not fit registers".into()),
        }
    }

    pub(super) fn extract_element(&mut self, vector: Operand, index: Operand) -> Result<Vec<Value>, Refusal> {
        let (lanes, index) = (self.lanes(vector)?, self.scalar(index)?);
        if let Value::Number(index) = index {
            return Ok(vec![lanes.get(index as usize).copied().unwrap_or(Value::Undefined)]);
        }
        let mut found = Value::Undefined;
        for (at, lane) in lanes.into_iter().enumerate() {
            let here = self.scalar_compare(IntegerPredicate::Equal, 64, index, Value::Number(at as u64));
            found = if at == 0 { lane } else { self.pick(here, lane, found) };
        }
        Ok(vec![found])
    }

    pub(super) fn insert_element(
        &mut self,
        vector: Operand,
        value: Operand,
        index: Operand,
    ) -> Result<Vec<Value>, Refusal> {
        let mut lanes = self.lanes(vector)?;
        let (value, index) = (self.scalar(value)?, self.scalar(index)?);
        for (at, lane) in lanes.iter_mut().enumerate() {
            let here = self.scalar_compare(IntegerPredicate::Equal, 64, index, Value::Number(at as u64));
            *lane = self.pick(here, value, *lane);
        }
        Ok(lanes)
    }
}
