//! What a step is said to have done: cells named, with their values.

use mazurka_trace::{Access, AccessKind, Event, LocationId, Value};

use super::memory::{MASKS, Memory, window};
use super::object::{Kind, Object};
use super::state::State;

/// Adds a use of a location to the event; uses of one location become one access.
#[inline]
pub(crate) fn touch(state: &mut State, event: &mut Event, location: LocationId, kind: AccessKind, value: Value) {
    let seat = &mut state.seats[location.index()];
    match event.accesses.get_mut(*seat as usize) {
        Some(access) if access.location == location => {
            access.kind = access.kind.then(kind);
            access.after = value;
        }
        _ => {
            *seat = event.accesses.len() as u32;
            event.accesses.push(Access { location, kind, before: value, after: value });
        }
    }
}

/// Adds a use of all cells that a stretch of a shared object overlaps; before it is used.
#[inline]
pub(crate) fn touch_range(state: &mut State, event: &mut Event, slot: usize, offset: u32, size: u32, kind: AccessKind) {
    let object = state.memory.objects[slot];
    let cells = &state.cells[object.partition as usize];
    let first = cells.cell(offset);
    let last = if size == 1 { first } else { cells.cell(offset + (size - 1)) };
    for cell in first..=last {
        let value = cell_value(state, &object, cell);
        touch(state, event, LocationId::new((object.first + cell) as usize), kind, value);
    }
}

/// The value of a cell: its bytes as a number, or a hash of them where they are more than eight.
#[inline]
pub(crate) fn cell_value(state: &State, object: &Object, cell: u32) -> Value {
    if object.shift <= 3 && (cell + 1) << object.shift <= object.size {
        let at = (object.base + (cell << object.shift)) as usize;
        return (window(&state.memory.bytes, at) & MASKS[usize::from(object.shift)]) as Value;
    }
    if object.size == 0 { 0 } else { uneven_value(state, object, cell) }
}

#[inline]
fn uneven_value(state: &State, object: &Object, cell: u32) -> Value {
    let range = state.cells[object.partition as usize].range(cell, object.size);
    bytes_value(&state.memory, (object.base + range.start) as usize, range.len())
}

fn bytes_value(memory: &Memory, at: usize, length: usize) -> Value {
    match length {
        0 => 0,
        1..8 => (window(&memory.bytes, at) & ((1 << (8 * length)) - 1)) as Value,
        8 => window(&memory.bytes, at) as Value,
        _ => {
            let mix = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            memory.bytes[at..at + length].iter().fold(0xcbf2_9ce4_8422_2325, mix) as Value
        }
    }
}

/// Fills in what the cells named hold now.
pub(crate) fn settle(state: &State, event: &mut Event) {
    for access in event.accesses.iter_mut().filter(|access| !access.kind.is_read()) {
        if let Some(value) = location_value(state, access.location) {
            access.after = value;
        }
    }
}

/// The value of a location now.
pub(crate) fn location_value(state: &State, location: LocationId) -> Option<Value> {
    let slot = *state.locations.get(location.index())? as usize;
    let object = &state.memory.objects[slot];
    let cell = (location.index() as u32).checked_sub(object.first)?;
    if let Kind::Thread = object.kind {
        return Some(state.handle_value(slot));
    }
    Some(cell_value(state, object, cell))
}
