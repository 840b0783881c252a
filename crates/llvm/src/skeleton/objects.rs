//! Abstract objects: what memory is made of, and the cells in which addresses are kept.

use rustc_hash::FxHashMap;

use crate::code::{Fixed, Image};

use super::targets::{ObjectId, Target, gcd};

/// What an abstract object stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Object {
    /// All numbers.
    Number,
    /// A function.
    Function(u32),
    /// A variable of static storage.
    Global(u32),
    /// The copies of a global that threads have.
    Own(u32),
    /// A local of an instance, made by an instruction.
    Stack { instance: u32, pc: u32, local: u32 },
    /// The blocks that an instruction of an instance makes.
    Heap { instance: u32, pc: u32, shape: u32 },
    /// The handles of the threads that an instruction of an instance creates.
    Handle { instance: u32, pc: u32 },
    /// The handle of whoever wants to know their own.
    Oneself,
}

/// A cell: nodes for what is written to it, and for what is read there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub(super) key: Target,
    pub(super) written: u32,
    pub(super) read: u32,
}

/// All abstract objects.
#[derive(Default, Debug)]
pub(super) struct Objects {
    pub(super) all: Vec<Object>,
    /// The cells of each.
    pub(super) cells: Vec<Vec<Cell>>,
    numbers: FxHashMap<Object, ObjectId>,
}

/// Addresses are kept in cells of so many bytes, at multiples of that.
const CELL: i64 = 8;

impl Objects {
    pub(super) fn new() -> Self {
        let mut objects = Objects::default();
        objects.number(Object::Number);
        objects
    }

    pub(super) fn number(&mut self, object: Object) -> ObjectId {
        if let Some(&known) = self.numbers.get(&object) {
            return known;
        }
        let number = ObjectId(self.all.len() as u32);
        self.all.push(object);
        self.cells.push(Vec::new());
        self.numbers.insert(object, number);
        number
    }

    pub(super) fn object(&self, number: ObjectId) -> Object {
        self.all[number.0 as usize]
    }

    /// What a constant means: a number, or the address of what is there from the beginning.
    pub(super) fn constant(&mut self, image: &Image, value: u64) -> Target {
        // A negative offset borrows from the slot.
        let offset = i64::from(value as u32 as i32);
        let slot = (value.wrapping_sub(offset as u64) >> 32) as usize;
        let object = match image.fixed.get(slot) {
            Some(&Fixed::Function(function)) => Object::Function(function),
            Some(&Fixed::Global(global)) => Object::Global(global),
            Some(Fixed::Null) | None => return Target::new(super::targets::NUMBER, value as i64),
        };
        Target::new(self.number(object), offset)
    }
}

/// The cells that an access of so many bytes can use.
pub(super) fn cells_of(target: Target, width: u32) -> impl Iterator<Item = Target> {
    let whole = |offset: i64| offset.div_euclid(CELL) * CELL;
    let (first, last) = (whole(target.offset), whole(target.offset.saturating_add(i64::from(width.max(1)) - 1)));
    let stride = u64::from(target.stride);
    let stride = if stride.is_multiple_of(CELL as u64) { stride } else { gcd(stride, CELL as u64).max(CELL as u64) };
    let stride = u32::try_from(stride).unwrap_or(CELL as u32);
    let cell = move |offset| {
        if stride == 0 { Target { offset, ..target } } else { Target { offset, ..target }.repeated(stride.into()) }
    };
    (0..=(last - first) / CELL).map(move |number| {
        let offset = first + number * CELL;
        let is_any = target.stride != 0 && i64::from(target.stride) % CELL != 0;
        if is_any { Target { offset: 0, stride: CELL as u32, ..target } } else { cell(offset) }
    })
}
