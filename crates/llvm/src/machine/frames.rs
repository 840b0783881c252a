//! Frames: entering and leaving functions, and the copies that restore them.
//!
//! Registers are not logged one by one. A step keeps a copy of the frame that its thread stands in,
//! and of every frame below that it returns into; calls made within the step need no copy.

use mazurka_trace::ProcessId;

use crate::code::Image;

use super::state::State;
use super::thread::{Frame, Rest, Thread, state, word};

/// The most registers that the frames of a thread can have in all, and the most frames.
const MOST_REGISTERS: usize = 1 << 22;
const MOST_FRAMES: usize = 1 << 16;

/// A frame as it was.
#[derive(Clone, Copy, Debug)]
struct Saved {
    frame: Frame,
    depth: u32,
    careful: bool,
}

/// The copies that steps have made.
#[derive(Clone, Debug, Default)]
pub(crate) struct Copies {
    saved: Vec<Saved>,
    registers: Vec<u64>,
    taints: Vec<u64>,
}

impl Copies {
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.saved.len()
    }

    /// Keeps a copy of a thread's topmost frame.
    #[inline(always)]
    pub(crate) fn save(&mut self, thread: &Thread) {
        let depth = thread.frames.len() - 1;
        self.save_frame(thread, thread.frames[depth], depth);
    }

    /// The same for a frame that is at hand.
    #[inline(always)]
    pub(crate) fn save_frame(&mut self, thread: &Thread, frame: Frame, depth: usize) {
        let careful = !thread.taints.is_empty();
        self.saved.push(Saved { frame, depth: depth as u32, careful });
        let range = frame.base as usize..(frame.base + frame.size) as usize;
        self.registers.extend_from_slice(&thread.registers[range.clone()]);
        if careful {
            self.taints.extend_from_slice(&thread.taints[range]);
        }
    }

    /// Restores a thread's frames from all copies but the first `length`.
    #[inline(always)]
    pub(crate) fn restore(&mut self, thread: &mut Thread, length: usize) {
        let mut first = true;
        while self.saved.len() > length {
            let Some(Saved { frame, depth, careful }) = self.saved.pop() else { return };
            if first {
                thread.frames.truncate(depth as usize);
                first = false;
            }
            thread.frames.push(frame);
            let (base, size) = (frame.base as usize, frame.size as usize);
            let from = self.registers.len() - size;
            thread.registers[base..base + size].copy_from_slice(&self.registers[from..]);
            self.registers.truncate(from);
            if careful {
                let from = self.taints.len() - size;
                thread.taints[base..base + size].copy_from_slice(&self.taints[from..]);
                self.taints.truncate(from);
            } else if !thread.taints.is_empty() {
                thread.taints[base..base + size].fill(0);
            }
        }
    }
}

/// Enters a function: its registers are zero. False where the stack is full.
#[inline(always)]
pub(crate) fn enter(thread: &mut Thread, image: &Image, function: u32, stack: u32) -> bool {
    let size = usize::from(image.functions[function as usize].registers);
    let base = thread.frames.last().map_or(0, |frame| (frame.base + frame.size) as usize);
    if thread.registers.len() < base + size && !grow(thread, base + size) || thread.frames.len() >= MOST_FRAMES {
        return false;
    }
    thread.registers[base..base + size].fill(0);
    if !thread.taints.is_empty() {
        thread.taints[base..base + size].fill(0);
    }
    thread.frames.push(Frame {
        function,
        pc: image.functions[function as usize].entry,
        base: base as u32,
        size: size as u32,
        phase: 0,
        stack,
        rest: Rest::Ready,
    });
    true
}

#[cold]
fn grow(thread: &mut Thread, length: usize) -> bool {
    if length > MOST_REGISTERS {
        return false;
    }
    let length = length.next_power_of_two().max(64);
    thread.registers.resize(length, 0);
    if !thread.taints.is_empty() {
        thread.taints.resize(length, 0);
    }
    true
}

/// Makes a thread keep account of what is undefined in its registers.
#[cold]
pub(crate) fn be_careful(thread: &mut Thread) {
    thread.taints.resize(thread.registers.len(), 0);
}

impl State {
    /// Starts a thread: it stands at the entry of a function.
    pub(crate) fn begin_thread(&mut self, image: &Image, thread: ProcessId, function: u32, arguments: &[u64]) {
        self.set_word(thread, word::STATE, state::STARTED);
        self.set_word(thread, word::FUNCTION, u64::from(function));
        let this = &mut self.threads[thread.index()];
        this.frames.clear();
        this.taints.clear();
        this.function = function;
        this.arguments.clear();
        this.arguments.extend_from_slice(arguments);
        enter(this, image, function, 0);
        this.registers[..arguments.len()].copy_from_slice(arguments);
        self.live.insert(thread);
    }
}
