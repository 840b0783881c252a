//! The end of the program comes last.
//!
//! A thread that ends the program (it returns from `main`, or `exit` has run its handlers) rests
//! before that as long as any other thread can be stepped. An execution in which the program ends
//! early is a prefix of one in which the others go on as far as they can, and then it ends.
//! Whatever fails in the shorter one fails in the longer one: a fault belongs to an event, a data
//! race to two, and both are there. What comes after the early end in the longer execution could
//! have happened as well, with the thread that ends the program a little slower. A deadlock or
//! livelock of the others is none, since the program can still end. So one execution stands for all
//! the moments at which the program could have ended.
//!
//! A status that is a failure is one at once, like any other fault of local code: see
//! `library::end_program`. No other status makes a difference, so where several threads are about
//! to end the program, one of them does. The end is dependent with everything, as always, so nobody
//! comes after it, and no engine moves it to an earlier place.
//!
//! Inside of an atomic section, which cannot rest, the program ends at once. Without the machine's
//! shortcuts it may end at any time.

use mazurka_machine::Run;
use mazurka_trace::ProcessId;

use crate::mutation::{self, Mutation};

use super::CMachine;
use super::call::Grant;
use super::thread::{Rest, word};
use super::turn::{Exit, Turn};

impl Turn<'_> {
    /// The program ends. Where every other thread was joined, that is the end of the last thread;
    /// otherwise it waits for its time.
    pub(super) fn end_program(&mut self) -> Exit {
        let main = self.thread == ProcessId::new(0);
        if main && self.state.word(self.thread, word::BALANCE) as u32 == 0 {
            return Exit::Ended(0);
        }
        if self.grant != Grant::Step { self.rest(Rest::Exit) } else { Exit::Halted }
    }
}

impl CMachine {
    /// Whether a thread that is about to end the program may do so.
    #[cold]
    pub(super) fn can_exit(&mut self, process: ProcessId) -> bool {
        if !self.image.settings.shortcuts || mutation::on(Mutation::ExitAtOnce) {
            return true;
        }
        let mut from = 0;
        while let Some(other) = self.state.live.next_from(from) {
            from = other.index() + 1;
            if other == process {
                continue;
            }
            let first = if self.is_before_end(other) { other < process } else { self.is_enabled(other) };
            if first {
                return false;
            }
        }
        true
    }

    fn is_before_end(&self, process: ProcessId) -> bool {
        self.state.threads[process.index()].frames.last().is_some_and(|frame| frame.rest == Rest::Exit)
    }
}
