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

    /// The lanes of a vector, each one scalar or, of 128 bits, two.
    fn lanes(&mut self, vector: Operand) -> Result<Vec<Vec<Value>>, Refusal> {
        let scalars = self.scalars(vector)?;
        match self.module.ty(self.type_of(vector)) {
            Type::Vector { length, .. } if *length > 0 && scalars.len().is_multiple_of(*length as usize) => {
                let width = (scalars.len() / *length as usize).max(1);
                Ok(scalars.chunks(width).map(<[Value]>::to_vec).collect())
            }
            _ => Err("a vector whose elements do not fit registers".into()),
        }
    }

    pub(super) fn extract_element(&mut self, vector: Operand, index: Operand) -> Result<Vec<Value>, Refusal> {
        let (lanes, index) = (self.lanes(vector)?, self.scalar(index)?);
        let width = lanes.first().map_or(1, Vec::len);
        if let Value::Number(index) = index {
            return Ok(lanes.get(index as usize).cloned().unwrap_or_else(|| vec![Value::Undefined; width]));
        }
        let mut found = vec![Value::Undefined; width];
        for (at, lane) in lanes.into_iter().enumerate() {
            let here = self.scalar_compare(IntegerPredicate::Equal, 64, index, Value::Number(at as u64));
            found = match at {
                0 => lane,
                _ => lane.into_iter().zip(found).map(|(lane, found)| self.pick(here, lane, found)).collect(),
            };
        }
        Ok(found)
    }

    pub(super) fn insert_element(
        &mut self,
        vector: Operand,
        value: Operand,
        index: Operand,
    ) -> Result<Vec<Value>, Refusal> {
        let mut lanes = self.lanes(vector)?;
        let (value, index) = (self.scalars(value)?, self.scalar(index)?);
        for (at, lane) in lanes.iter_mut().enumerate() {
            let here = self.scalar_compare(IntegerPredicate::Equal, 64, index, Value::Number(at as u64));
            for (part, value) in lane.iter_mut().zip(&value) {
                *part = self.pick(here, *value, *part);
            }
        }
        Ok(lanes.concat())
    }
}
