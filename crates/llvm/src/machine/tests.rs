//! Tests of the machine alone, with programs in register code.

use std::sync::Arc;

use mazurka_explore::{Monitor, Options, explore};
use mazurka_machine::{Machine, Run};
use mazurka_trace::{Event, ProcessId};

use crate::code::instruction::{Instruction as I, Register};
use crate::code::operator::{Flags, Width};
use crate::code::partition::Partition;
use crate::code::{
    Fixed, Function, Global, Image, Kind, Local, Loop, Operand, Settings, Shape, Signature, Site, Waiting, address,
};
use crate::native::Native;

use super::CMachine;

const fn r(number: u16) -> Register {
    Register(number)
}

fn function(name: &str, entry: usize, registers: u16, parameters: u16, slot: u32) -> Function {
    Function {
        name: name.to_owned(),
        entry: entry as u32,
        registers,
        parameters,
        signature: Signature { parameters: vec![Kind::Pointer; parameters.into()], variadic: false, results: vec![] },
        site: 0,
        address: address(slot, 0),
        variables: Vec::new(),
        library: false,
    }
}

/// `threads` threads that write one variable once each; the first thread creates and joins them.
fn last_write(threads: i32) -> Image {
    let operand = |register| Operand { register, kind: Kind::Pointer };
    let operands = [2, 3, 4, 5, 2, 3, 3].map(|number| operand(r(number))).to_vec();
    let mut code = vec![
        I::Alloca { dst: r(0), local: 0 },
        I::Constant { dst: r(1), value: 0 },
        I::Constant { dst: r(3), value: 0 },
        I::Constant { dst: r(4), value: address(2, 0) },
        I::Head { repeat: 0, counter: r(7) },
        I::JumpIfNotLessThan { a: r(1), value: threads, target: 11 },
        I::Index { dst: r(2), base: r(0), index: r(1), scale: 8, offset: 0 },
        I::Add64By { dst: r(5), a: r(1), value: 1 },
        I::Native { native: Native::ThreadCreate, count: 4, dst: r(6), first: 0, shape: 0 },
        I::Add64By { dst: r(1), a: r(1), value: 1 },
        I::Jump { target: 4 },
        I::Constant { dst: r(1), value: 0 },
        I::Head { repeat: 1, counter: r(7) },
        I::JumpIfNotLessThan { a: r(1), value: threads, target: 19 },
        I::Index { dst: r(2), base: r(0), index: r(1), scale: 8, offset: 0 },
        I::Load {
            dst: r(2),
            base: r(2),
            offset: 0,
            kind: crate::code::operator::LoadKind::W64,
            flags: Flags::default(),
        },
        I::Native { native: Native::ThreadJoin, count: 2, dst: r(6), first: 4, shape: 0 },
        I::Add64By { dst: r(1), a: r(1), value: 1 },
        I::Jump { target: 12 },
        I::Native { native: Native::Exit, count: 1, dst: r(6), first: 6, shape: 0 },
    ];
    let writer = code.len();
    code.push(I::StoreAt { src: r(0), address: address(3, 0), width: Width::W32, flags: Flags::ATOMIC });
    code.push(I::ReturnValue { src: r(0) });
    let partitions = vec![Partition::uniform(8), Partition::uniform(4)];
    let repeat = |head| Loop { head, carried: Box::new([r(1)]), waiting: Waiting::Never };
    Image {
        places: (0..code.len() as u32).collect(),
        sites: vec![Site { file: 0, line: 0, column: 0, function: 0 }; code.len()],
        code,
        files: Vec::new(),
        functions: vec![function("start", 0, 8, 0, 1), function("writer", writer, 1, 1, 2)],
        fixed: vec![Fixed::Null, Fixed::Function(0), Fixed::Function(1), Fixed::Global(0)],
        globals: vec![Global {
            name: "x".to_owned(),
            slot: 3,
            size: 4,
            alignment: 4,
            partition: 1,
            constant: false,
            thread_local: false,
            initial: Box::new([]),
            ty: None,
            site: 0,
        }],
        locals: vec![Local {
            name: "threads".to_owned(),
            size: 8 * threads as u32,
            alignment: 8,
            partition: 0,
            ty: None,
            function: 0,
        }],
        operands,
        signatures: Vec::new(),
        switches: Vec::new(),
        loops: vec![repeat(4), repeat(12)],
        partitions,
        shapes: vec![Shape { partition: 0, ty: None }],
        types: Vec::new(),
        start: 0,
        thread_finish: None,
        foreign: Vec::new(),
        left_out: Vec::new(),
        settings: Settings::default(),
    }
}

#[test]
fn the_last_write_wins() {
    let mut machine = CMachine::new(Arc::new(last_write(5)));
    let outcome = explore(&mut machine, &Options::default(), &Monitor::default());
    assert_eq!((outcome.executions, outcome.blocked), (120, 0));
    assert!(outcome.violations.is_empty());
}

#[test]
fn rewinding_restores() {
    let mut machine = CMachine::new(Arc::new(last_write(3)));
    let mut event = Event::default();
    let mut moments = vec![(machine.digest(), machine.snapshot())];
    while let Some(process) = {
        let live: Vec<ProcessId> = machine.live().iter().collect();
        live.into_iter().rev().find(|&process| machine.is_enabled(process))
    } {
        machine.step(process, &[], &mut event);
        moments.push((machine.digest(), machine.snapshot()));
    }
    // Three creations, three writes, one step for all joins.
    assert_eq!(machine.steps(), 7);
    for steps in (0..machine.steps()).rev() {
        machine.rewind(steps);
        assert_eq!((machine.digest(), machine.snapshot()), moments[steps]);
    }
}

#[test]
fn the_last_of_eight_writes() {
    let mut machine = CMachine::new(Arc::new(last_write(8)));
    let outcome = explore(&mut machine, &Options::default(), &Monitor::default());
    assert_eq!(outcome.executions, 40_320);
}
