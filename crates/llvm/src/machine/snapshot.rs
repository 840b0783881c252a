//! The whole state in words, to compare states exactly.

use mazurka_trace::ProcessId;

use super::CMachine;
use super::memory::split;
use super::object::{Kind, Life, Object};
use super::state::Origin;
use super::thread::{Watch, state, word};

impl CMachine {
    /// The state, readable: a line for each object and each thread, sorted. Equal for equal states,
    /// also of different machines of one program. Costs the whole state; for tests.
    pub fn snapshot(&self) -> Vec<String> {
        let objects = self.state.memory.objects.iter().enumerate();
        let mut lines: Vec<String> = objects.filter_map(|(slot, object)| self.object_line(slot, object)).collect();
        let threads = (0..self.state.threads.len()).map(ProcessId::new);
        lines.extend(threads.filter(|&t| self.state.is(t, state::STARTED)).map(|thread| self.thread_line(thread)));
        lines.sort();
        lines
    }

    /// A thread's name: the path of creations that leads to it.
    fn path(&self, thread: ProcessId) -> String {
        let (mut path, mut at) = (String::new(), thread);
        while let Some((creator, nth)) = self.state.threads[at.index()].origin {
            path = format!(".{nth}{path}");
            at = creator;
        }
        format!("main{path}")
    }

    /// A slot's name.
    fn slot_text(&self, slot: usize) -> String {
        match self.state.slots[slot].origin {
            Origin::Fixed => format!("#{slot}"),
            Origin::Heap(thread, nth) => format!("heap {}:{nth}", self.path(thread)),
            Origin::Stack(thread, position, generation) => {
                format!("stack {}:{position}:{generation}", self.path(thread))
            }
            Origin::ThreadLocal(thread, global) => format!("local {}:{global}", self.path(thread)),
            Origin::Handle(thread) => format!("thread {}", self.path(thread)),
        }
    }

    /// A word; by name where it looks like an address.
    fn word_text(&self, word: u64) -> String {
        let (slot, offset) = split(word);
        if slot >= self.state.fixed && slot < self.state.slots.len() {
            format!("&({})+{offset}", self.slot_text(slot))
        } else {
            format!("{word:x}")
        }
    }

    fn object_line(&self, slot: usize, object: &Object) -> Option<String> {
        if object.life == Life::Unborn
            || matches!(object.kind, Kind::Function(_) | Kind::Thread | Kind::Constant(_) | Kind::Library)
        {
            return None;
        }
        let mut line =
            format!("{} {:?} shared {} size {}:", self.slot_text(slot), object.life, object.shared, object.size);
        if object.life == Life::Live {
            let range = object.base as usize..(object.base + object.size) as usize;
            for chunk in self.state.memory.bytes[range.clone()].chunks(8) {
                let mut word = [0; 8];
                word[..chunk.len()].copy_from_slice(chunk);
                line += &format!(" {}", self.word_text(u64::from_le_bytes(word)));
            }
            if object.undefined > 0 {
                line += &format!(" undefined {:?}", &self.state.memory.shadow[range]);
            }
        }
        Some(line)
    }

    fn thread_line(&self, process: ProcessId) -> String {
        let thread = &self.state.threads[process.index()];
        let mut line = format!("{} live {}:", self.path(process), self.state.live.contains(process));
        for number in 0..word::JOINS {
            line += &format!(" {}", self.word_text(self.state.word(process, number)));
        }
        for join in self.state.pending_joins(process) {
            line += &format!(" join {}", self.path(join.thread));
        }
        for watch in &thread.watches {
            let Watch { depth, repeat, clock, reads, anchor, .. } = watch;
            line += &format!(" watch {depth}:{repeat} {clock} {reads} {} {}", anchor.reads, anchor.age);
        }
        for frame in &thread.frames {
            line += &format!(
                " | f{} pc {} phase {} stack {} {:?}",
                frame.function, frame.pc, frame.phase, frame.stack, frame.rest
            );
            for at in frame.base as usize..(frame.base + frame.size) as usize {
                line += &format!(" {}", self.word_text(thread.registers[at]));
                if let Some(taint) = thread.taints.get(at).filter(|&&taint| taint != 0) {
                    line += &format!("?{taint:x}");
                }
            }
        }
        line
    }

    /// Whether two machines of one program are in the same state, whatever they went through.
    pub fn state_eq(&self, other: &Self) -> bool {
        self.snapshot() == other.snapshot()
    }
}
