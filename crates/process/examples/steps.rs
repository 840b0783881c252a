//! Every interleaving of eight writers, by brute force: what a step, its rewinding and the
//! conclusion cost.
//!
//! `cargo build --release -p mazurka-process --example steps`, then `valgrind --tool=callgrind` on
//! it, with a program if it is to be another one.

use std::sync::Arc;
use std::time::Instant;

use mazurka_machine::{Machine, Run};
use mazurka_process::{Image, ProcessMachine, compile};
use mazurka_trace::{Event, ProcessId};

const WRITERS: &str = "int x = 0; process writer[8](i) { x = i; } finally { assert x >= 0; }";

fn main() {
    let source =
        std::env::args().nth(1).map_or(WRITERS.to_owned(), |file| std::fs::read_to_string(file).expect("a file"));
    let program = compile("steps.mzk", &source, &[]).expect("a correct program");
    let mut machine = ProcessMachine::new(Arc::new(Image::new(&program, "steps.mzk", &source)));
    let mut event = Event::default();
    let mut count = Count::default();
    let start = Instant::now();
    explore(&mut machine, &mut event, &mut count);
    let time = start.elapsed();
    println!("{} executions, {} steps, {time:?}", count.executions, count.steps);
    println!("{:.1} ns for a step", time.as_nanos() as f64 / count.steps as f64);
}

#[derive(Default)]
struct Count {
    executions: u64,
    steps: u64,
}

/// Depth first, without recursion: the stack holds the process that was stepped at each depth.
fn explore(machine: &mut ProcessMachine, event: &mut Event, count: &mut Count) {
    let mut stack: Vec<ProcessId> = Vec::new();
    let mut from = 0;
    loop {
        if let Some(process) = next_enabled(machine, from) {
            step(machine, process, event);
            count.steps += 1;
            stack.push(process);
            from = 0;
        } else {
            if from == 0 {
                count.executions += 1;
                conclude(machine, event, stack.len());
            }
            let Some(process) = stack.pop() else { return };
            rewind(machine, stack.len());
            from = process.index() + 1;
        }
    }
}

#[inline(never)]
fn step(machine: &mut ProcessMachine, process: ProcessId, event: &mut Event) {
    machine.step(process, &[], event);
}

#[inline(never)]
fn conclude(machine: &mut ProcessMachine, event: &mut Event, steps: usize) {
    if machine.conclude(event) {
        machine.rewind(steps);
    }
}

#[inline(never)]
fn rewind(machine: &mut ProcessMachine, steps: usize) {
    machine.rewind(steps);
}

#[inline(never)]
fn next_enabled(machine: &mut ProcessMachine, mut from: usize) -> Option<ProcessId> {
    loop {
        let process = machine.live().next_from(from)?;
        if machine.is_enabled(process) {
            return Some(process);
        }
        from = process.index() + 1;
    }
}
