//! Memory: locals, loads and stores, atomic operations, addresses.

use crate::code::Local;
use crate::code::debug::TypeId as SourceTypeId;
use crate::code::instruction::{Flags, Instruction, LoadKind, Modify, Order, Width};
use crate::ir::{
    self, Atomic, AtomicOperator, BinaryOperator, InstructionKind, LocalId, Operand, Ordering, ScopeId, Type, TypeId,
};

use super::body::{Body, Refusal};
use super::constant::GepWalk;
use super::draft::{Temp, Value};
use super::operation::small;
use super::scalar::{Part, Scalar};
use super::source_type::partition_of;
use super::wide_atomic::takes_several;

/// A stack object larger than this is refused; a whole stack has 8 megabytes.
const MOST_BYTES: u64 = 1 << 30;

/// What to say of an access, which synchronises with others where it is ordered as `side` says.
fn flags(atomic: Option<Atomic>, side: Order, volatile: bool) -> Flags {
    let atomic = match atomic {
        None => Flags::default(),
        Some(atomic) if order(atomic.ordering).has(side) => Flags::ATOMIC,
        Some(_) => Flags::ATOMIC.with(Flags::RELAXED),
    };
    if volatile { atomic.with(Flags::VOLATILE) } else { atomic }
}

/// What an operation of this ordering synchronises.
fn order(ordering: Ordering) -> Order {
    match ordering {
        Ordering::Unordered | Ordering::Monotonic => Order::default(),
        Ordering::Acquire => Order::ACQUIRES,
        Ordering::Release => Order::RELEASES,
        Ordering::AcquireRelease | Ordering::SequentiallyConsistent => Order::ACQUIRES.with(Order::RELEASES),
    }
}

impl<'a> Body<'_, 'a> {
    /// An instruction that has to do with memory.
    pub(super) fn memory(&mut self, instruction: &'a ir::Instruction) -> Result<(), Refusal> {
        match &instruction.kind {
            InstructionKind::Alloca { ty, count, alignment, in_alloca, swift_error } => {
                if *in_alloca || *swift_error {
                    return Err("an `alloca` of a foreign calling convention".into());
                }
                self.alloca(instruction, *ty, *count, *alignment)
            }
            InstructionKind::Load { pointer, volatile, atomic, .. } => {
                let values = self.load(instruction.ty, *pointer, flags(*atomic, Order::ACQUIRES, *volatile))?;
                self.result(instruction, &values);
                Ok(())
            }
            InstructionKind::Store { value, pointer, volatile, atomic, .. } => {
                self.store(*value, *pointer, flags(*atomic, Order::RELEASES, *volatile))
            }
            InstructionKind::Fence(atomic) => {
                if self.lowering.settings.data_races && atomic.scope != ScopeId::SINGLE_THREAD {
                    self.emit(Instruction::Fence { order: order(atomic.ordering) });
                }
                Ok(())
            }
            InstructionKind::CompareExchange { pointer, expected, new, success, failure, .. } => {
                let failing = order(*failure).has(Order::ACQUIRES);
                let failing = if failing { Order::FAILS_ACQUIRING } else { Order::default() };
                let order = order(success.ordering).with(failing);
                self.compare_exchange(instruction, order, *pointer, [*expected, *new])
            }
            InstructionKind::AtomicRmw { operator, pointer, value, atomic, .. } => {
                self.modify(instruction, order(atomic.ordering), *operator, (*pointer, *value))
            }
            InstructionKind::GetElementPtr { source, base, indices, .. } => {
                self.element_pointer(instruction, *source, *base, indices)
            }
            _ => Err("an instruction that has nothing to do with memory".into()),
        }
    }

    /// A new stack object for so many values of a type: its number and size.
    pub(super) fn new_local(
        &mut self,
        name: String,
        ty: TypeId,
        alignment: Option<u64>,
        count: u64,
        source: Option<SourceTypeId>,
    ) -> Result<(u32, u32), Refusal> {
        let types = &self.module.types;
        let element = types.size(ty).ok_or("a local of a type without size")?;
        let size = element.checked_mul(count).filter(|&size| size <= MOST_BYTES).ok_or("a local that is too large")?;
        let alignment = alignment.or(types.alignment(ty)).unwrap_or(1).clamp(1, 1 << 20) as u32;
        let partition = partition_of(self.module, ty, size);
        Ok((self.add_local(name, size as u32, alignment, partition, source), size as u32))
    }

    pub(super) fn add_local(
        &mut self,
        name: String,
        size: u32,
        alignment: u32,
        partition: crate::code::partition::Partition,
        ty: Option<SourceTypeId>,
    ) -> u32 {
        let partition = self.lowering.partition_number(partition);
        let function = self.number;
        self.lowering.locals.push(Local { name, size, alignment, partition, ty, function });
        self.lowering.locals.len() as u32 - 1
    }

    fn alloca(
        &mut self,
        instruction: &ir::Instruction,
        ty: TypeId,
        count: Operand,
        alignment: Option<u64>,
    ) -> Result<(), Refusal> {
        let Some(result) = instruction.result else { return Ok(()) };
        if self.promotion.leaves.contains_key(&result) {
            return Ok(());
        }
        let (name, source) = self.source_variable(result);
        let count = self.scalar(count)?;
        let dst = self.draft.temp();
        if let Value::Number(count) = count {
            let (local, _) = self.new_local(name, ty, alignment, count, source)?;
            self.emit(Instruction::Alloca { dst, local });
        } else {
            let (local, _) = self.new_local(name, ty, alignment, 1, source)?;
            let count = self.temp(count);
            self.emit(Instruction::AllocaMany { dst, local, count });
        }
        self.define(result, &[Value::Temp(dst)]);
        Ok(())
    }

    /// The name and type of the variable that lives in an `alloca`.
    fn source_variable(&mut self, local: LocalId) -> (String, Option<SourceTypeId>) {
        let module = self.module;
        match self.variables.get(&local).and_then(|&variable| module.local_variable(variable)) {
            Some(variable) => {
                let ty = self.lowering.types.of(self.at, module, variable.ty);
                (variable.name.to_owned(), ty)
            }
            None => (self.function.local_name(local).unwrap_or_default().to_owned(), None),
        }
    }

    /// The register of a scalar of a promoted local.
    fn leaf(&mut self, pointer: Operand, part: Part) -> Option<Temp> {
        let Operand::Local(pointer) = pointer else { return None };
        let (root, offset) = self.promotion.roots[pointer.index()]?;
        let leaves = self.promotion.leaves.get_mut(&root)?;
        let leaf = leaves.iter_mut().find(|leaf| leaf.offset == offset.wrapping_add(part.offset))?;
        let draft = &mut self.draft;
        Some(*leaf.temp.get_or_insert_with(|| draft.temp()))
    }

    fn is_promoted(&self, pointer: Operand) -> bool {
        let Operand::Local(pointer) = pointer else { return false };
        self.promotion.roots[pointer.index()].is_some_and(|(root, _)| self.promotion.leaves.contains_key(&root))
    }

    /// Refuses what lies in memory in another way than in registers.
    fn check_layout(&self, ty: TypeId) -> Result<(), Refusal> {
        match self.module.ty(ty) {
            Type::Vector { element, .. } if self.module.types.bits(*element).is_some_and(|bits| bits % 8 != 0) => {
                Err("a vector of bits in memory".into())
            }
            _ => Ok(()),
        }
    }

    fn load(&mut self, ty: TypeId, pointer: Operand, flags: Flags) -> Result<Vec<Value>, Refusal> {
        let parts = self.parts(ty)?;
        self.check_layout(ty)?;
        if self.is_promoted(pointer) {
            let moved = |part: &Part| {
                let src = self.leaf(pointer, *part)?;
                Some(self.emit_value(|dst| Instruction::Move { dst, src }))
            };
            return parts
                .iter()
                .map(moved)
                .collect::<Option<Vec<_>>>()
                .ok_or_else(|| "a local of several sizes".into());
        }
        let (base, offset) = self.address(pointer)?;
        self.in_one_step(flags.has(Flags::ATOMIC) && takes_several(&parts), |body| {
            let load = |part: &Part| body.load_scalar(part.scalar, base, offset.wrapping_add(part.offset), flags);
            parts.iter().map(load).collect()
        })
    }

    pub(super) fn load_scalar(
        &mut self,
        scalar: Scalar,
        base: Value,
        offset: u64,
        flags: Flags,
    ) -> Result<Value, Refusal> {
        if let Some(kind) = scalar.load() {
            let value = self.load_at(kind, base, offset, flags);
            return Ok(if scalar == Scalar::High(1) { self.signed_rest(1, value) } else { value });
        }
        // A width that is none of the machine's: piece by piece.
        let mut gathered = Value::Number(0);
        for (start, width) in pieces(scalar.bytes()) {
            let kind = match width {
                Width::W8 => LoadKind::U8,
                Width::W16 => LoadKind::U16,
                Width::W32 => LoadKind::U32,
                Width::W64 => LoadKind::W64,
            };
            let piece = self.load_at(kind, base, offset.wrapping_add(start), flags);
            let moved = match start {
                0 => piece,
                _ => self.shift(BinaryOperator::Shl, 64, piece, Value::Number(start * 8)),
            };
            gathered = match gathered {
                Value::Number(0) => moved,
                gathered => self.bitwise(BinaryOperator::Or, gathered, moved),
            };
        }
        Ok(self.wrapped(gathered, scalar.bits()))
    }

    /// One load.
    pub(super) fn load_at(&mut self, kind: LoadKind, base: Value, offset: u64, flags: Flags) -> Value {
        let dst = self.draft.temp();
        match self.place(base, offset, kind.width().bytes()) {
            Place::Fixed(address) => self.emit(Instruction::LoadAt { dst, address, kind, flags }),
            Place::Based(base, offset) => self.emit(Instruction::Load { dst, base, offset, kind, flags }),
        }
        Value::Temp(dst)
    }

    fn store(&mut self, value: Operand, pointer: Operand, flags: Flags) -> Result<(), Refusal> {
        let ty = self.type_of(value);
        let parts = self.parts(ty)?;
        self.check_layout(ty)?;
        let values = self.scalars(value)?;
        if self.is_promoted(pointer) {
            for (part, value) in parts.iter().zip(values) {
                let leaf = self.leaf(pointer, *part).ok_or("a local of several sizes")?;
                self.load_value(leaf, value);
            }
            return Ok(());
        }
        let (base, offset) = self.address(pointer)?;
        self.in_one_step(flags.has(Flags::ATOMIC) && takes_several(&parts), |body| {
            for (part, value) in parts.iter().zip(values) {
                body.store_scalar(part.scalar, value, base, offset.wrapping_add(part.offset), flags);
            }
            Ok(())
        })
    }

    pub(super) fn store_scalar(&mut self, scalar: Scalar, value: Value, base: Value, offset: u64, flags: Flags) {
        if let Some(width) = scalar.width() {
            self.store_at(width, value, base, offset, flags);
            return;
        }
        let value = self.zero_extended(value, scalar.bits());
        for (start, width) in pieces(scalar.bytes()) {
            let piece = match start {
                0 => value,
                _ => self.shift(BinaryOperator::LShr, 64, value, Value::Number(start * 8)),
            };
            self.store_at(width, piece, base, offset.wrapping_add(start), flags);
        }
    }

    /// One store.
    pub(super) fn store_at(&mut self, width: Width, value: Value, base: Value, offset: u64, flags: Flags) {
        let place = self.place(base, offset, width.bytes());
        match (place, small(value)) {
            (Place::Fixed(address), Some(value)) => {
                self.emit(Instruction::StoreValueAt { value, address, width, flags });
            }
            (Place::Based(base, offset), Some(value)) => {
                self.emit(Instruction::StoreValue { value, base, offset, width, flags });
            }
            (Place::Fixed(address), None) => {
                let src = self.temp(value);
                self.emit(Instruction::StoreAt { src, address, width, flags });
            }
            (Place::Based(base, offset), None) => {
                let src = self.temp(value);
                self.emit(Instruction::Store { src, base, offset, width, flags });
            }
        }
    }

    /// An address as instructions take it. Notes the size of accesses through pointers of the
    /// user's own code.
    fn place(&mut self, base: Value, offset: u64, bytes: u32) -> Place {
        if let Value::Number(base) = base {
            return Place::Fixed(base.wrapping_add(offset));
        }
        if self.at < self.lowering.own {
            self.lowering.smallest = self.lowering.smallest.min(bytes);
        }
        match i32::try_from(offset as i64) {
            Ok(offset) => Place::Based(self.temp(base), offset),
            Err(_) => {
                let address = self.add(base, offset);
                Place::Based(self.temp(address), 0)
            }
        }
    }

    fn compare_exchange(
        &mut self,
        instruction: &ir::Instruction,
        order: Order,
        pointer: Operand,
        [expected, new]: [Operand; 2],
    ) -> Result<(), Refusal> {
        let Some(width) = self.atomic_width(self.type_of(expected))? else {
            return self.wide_compare_exchange(instruction, pointer, expected, new);
        };
        let (base, offset) = self.address(pointer)?;
        let (expected, new) = (self.scalar(expected)?, self.scalar(new)?);
        let (expected, new) = (self.temp(expected), self.temp(new));
        let (base, offset) = match self.place(base, offset, width.bytes()) {
            Place::Fixed(address) => (self.temp(Value::Number(address)), 0),
            Place::Based(base, offset) => match i16::try_from(offset) {
                Ok(offset) => (base, offset),
                Err(_) => {
                    let address = self.add(Value::Temp(base), offset as u64);
                    (self.temp(address), 0)
                }
            },
        };
        let (dst, success) = (self.draft.temp(), self.draft.temp());
        self.emit(Instruction::CompareExchange { width, order, dst, success, base, expected, new, offset });
        self.result(instruction, &[Value::Temp(dst), Value::Temp(success)]);
        Ok(())
    }

    fn modify(
        &mut self,
        instruction: &ir::Instruction,
        order: Order,
        operator: AtomicOperator,
        (pointer, value): (Operand, Operand),
    ) -> Result<(), Refusal> {
        let Some(width) = self.atomic_width(self.type_of(value))? else {
            return self.wide_modify(instruction, operator, pointer, value);
        };
        let op = modify(operator)?;
        let (base, offset) = self.address(pointer)?;
        let src = self.scalar(value)?;
        let src = self.temp(src);
        let dst = self.draft.temp();
        match self.place(base, offset, width.bytes()) {
            Place::Fixed(address) => self.emit(Instruction::ModifyAt { op, width, order, dst, src, address }),
            Place::Based(base, offset) => self.emit(Instruction::Modify { op, width, order, dst, base, src, offset }),
        }
        self.result(instruction, &[Value::Temp(dst)]);
        Ok(())
    }

    /// How wide the one access of an atomic operation is; none where it takes several.
    fn atomic_width(&mut self, ty: TypeId) -> Result<Option<Width>, Refusal> {
        Ok(match self.parts(ty)?[..] {
            [part] if part.scalar.bits() > 1 => part.scalar.width(),
            _ => None,
        })
    }

    fn element_pointer(
        &mut self,
        instruction: &ir::Instruction,
        source: TypeId,
        base: Operand,
        indices: &[Operand],
    ) -> Result<(), Refusal> {
        let Some(result) = instruction.result else { return Ok(()) };
        if self.promotion.roots[result.index()].is_some_and(|(root, _)| self.promotion.leaves.contains_key(&root)) {
            return Ok(());
        }
        if !self.module.types.is_pointer(instruction.ty) {
            return Err("addresses in vectors".into());
        }
        let (mut base, mut offset) = self.address(base)?;
        let mut walk = GepWalk::new(source);
        for &index in indices {
            match self.scalar(index)? {
                Value::Number(index) => offset = offset.wrapping_add(walk.step(self.module, index as i64)?),
                index => {
                    let scale = walk.scale(self.module).ok_or("an address computed through a type without size")?;
                    walk.skip(self.module);
                    (base, offset) = self.index(base, offset, index, scale);
                }
            }
        }
        self.define_address(result, base, offset);
        Ok(())
    }

    /// `base + offset + index * scale`.
    pub(super) fn index(&mut self, base: Value, offset: u64, index: Value, scale: u64) -> (Value, u64) {
        if scale == 0 {
            return (base, offset);
        }
        if let (Value::Number(base), Ok(scale)) = (base, u16::try_from(scale)) {
            let (index, address) = (self.temp(index), base.wrapping_add(offset));
            return (self.emit_value(|dst| Instruction::IndexAt { dst, index, scale, address }), 0);
        }
        let (index, scale) = match i32::try_from(scale) {
            Ok(scale) => (self.temp(index), scale),
            Err(_) => {
                let (a, b) = (self.temp(index), self.temp(Value::Number(scale)));
                let product = self.emit_value(|dst| Instruction::Multiply64 { dst, a, b });
                (self.temp(product), 1)
            }
        };
        let base = self.temp(base);
        let indexed = self.emit_value(|dst| Instruction::Index { dst, base, index, scale, offset: 0 });
        (indexed, offset)
    }
}

/// Where an access goes.
enum Place {
    /// To a fixed address.
    Fixed(u64),
    /// To the address in a register, plus an offset.
    Based(Temp, i32),
}

/// So many bytes as accesses of the machine's widths: offset and width.
fn pieces(bytes: u64) -> impl Iterator<Item = (u64, Width)> {
    let mut start = 0;
    [Width::W64, Width::W32, Width::W16, Width::W8].into_iter().filter_map(move |width| {
        let size = u64::from(width.bytes());
        (bytes & size != 0).then(|| {
            start += size;
            (start - size, width)
        })
    })
}

fn modify(operator: AtomicOperator) -> Result<Modify, Refusal> {
    Ok(match operator {
        AtomicOperator::Exchange => Modify::Exchange,
        AtomicOperator::Add => Modify::Add,
        AtomicOperator::Sub => Modify::Subtract,
        AtomicOperator::And => Modify::And,
        AtomicOperator::Nand => Modify::Nand,
        AtomicOperator::Or => Modify::Or,
        AtomicOperator::Xor => Modify::Xor,
        AtomicOperator::Max => Modify::MaxSigned,
        AtomicOperator::Min => Modify::MinSigned,
        AtomicOperator::UMax => Modify::Max,
        AtomicOperator::UMin => Modify::Min,
        AtomicOperator::FAdd => Modify::FloatAdd,
        AtomicOperator::FSub => Modify::FloatSubtract,
        AtomicOperator::FMax => Modify::FloatMax,
        AtomicOperator::FMin => Modify::FloatMin,
        AtomicOperator::UIncWrap => Modify::IncrementWrap,
        AtomicOperator::UDecWrap => Modify::DecrementWrap,
        AtomicOperator::USubCond => Modify::SubtractCondition,
        AtomicOperator::USubSat => Modify::SubtractSaturating,
        AtomicOperator::FMaximum | AtomicOperator::FMinimum => {
            return Err("the atomic maximum of floating-point numbers with NaN as the largest".into());
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_sizes_in_pieces() {
        assert_eq!(pieces(3).collect::<Vec<_>>(), [(0, Width::W16), (2, Width::W8)]);
        assert_eq!(pieces(7).collect::<Vec<_>>(), [(0, Width::W32), (4, Width::W16), (6, Width::W8)]);
        assert_eq!(pieces(8).collect::<Vec<_>>(), [(0, Width::W64)]);
    }
}
