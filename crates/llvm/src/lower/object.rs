//! The fixed slots of the address space: functions and variables, in the order in which the program
//! refers to them.

use rustc_hash::FxHashMap;

use crate::code::{Fixed, address};
use crate::ir::GlobalId;
use crate::link::Program;

use super::draft::Value;

/// The slots given out so far.
#[derive(Debug)]
pub(super) struct Objects {
    /// What each slot is.
    pub(super) fixed: Vec<Fixed>,
    /// Variables in the order of their numbers, as modules and indices; those that no module has
    /// are none.
    pub(super) globals: Vec<Option<(usize, GlobalId)>>,
    /// The slot of each variable.
    pub(super) slots: Vec<u32>,
    numbers: FxHashMap<(usize, GlobalId), u32>,
}

impl Objects {
    /// Only null.
    pub(super) fn new() -> Objects {
        Objects { fixed: vec![Fixed::Null], globals: Vec::new(), slots: Vec::new(), numbers: FxHashMap::default() }
    }

    /// A slot for something.
    pub(super) fn slot(&mut self, fixed: Fixed) -> u32 {
        self.fixed.push(fixed);
        (self.fixed.len() - 1) as u32
    }

    /// The next variable is one that no module has.
    pub(super) fn synthetic(&mut self, slot: u32) {
        self.globals.push(None);
        self.slots.push(slot);
    }

    /// The address of a variable, which now is part of the program.
    pub(super) fn global(&mut self, program: &Program, module: usize, id: GlobalId) -> Value {
        let number = match self.numbers.get(&(module, id)) {
            Some(&number) => number,
            None => {
                let number = self.globals.len() as u32;
                let slot = self.slot(Fixed::Global(number));
                self.globals.push(Some((module, id)));
                self.slots.push(slot);
                self.numbers.insert((module, id), number);
                number
            }
        };
        if program.modules[module].globals[id.index()].thread_local.is_some() {
            Value::ThreadLocal(number, 0)
        } else {
            Value::Number(address(self.slots[number as usize], 0))
        }
    }
}
