//! Waiting for the ends of threads.
//!
//! What comes after a join whose result nobody wants does not depend on what the other thread did,
//! up to the next operation that is not plain local code. So a thread that comes to such a join
//! goes on, and on past further ones, as far as it can know what it will do; there it rests until
//! all of those threads have ended. That is one step, and the local code between is not run again
//! for each order of what the others do.
//!
//! How far it goes depends on its own past alone: not on who has ended, nor on who has detached
//! itself in the meantime. Only a thread's creator does so, as long as it has given the handle to
//! nobody, and only in programs in which no thread asks for its own handle: otherwise the thread
//! itself could give it to somebody, whose join or detachment would race with each of the joins,
//! not with all of them together.

use mazurka_trace::{AccessKind, FaultKind, LocationId, ProcessId, SiteId};

use crate::code::Image;
use crate::code::instruction::{Instruction, Register};
use crate::library::misuse::Misuse;
use crate::native::Native;

use super::call::{Grant, Stop};
use super::event::touch;
use super::interpreter::run;
use super::state::State;
use super::thread::{Frame, Rest, state, word};
use super::turn::{Exit, Turn};

/// A join that a thread has gone past, and still has to wait for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Join {
    pub(crate) thread: ProcessId,
    /// Where it stands, in the user's own code.
    pub(crate) site: SiteId,
}

/// How a thread stands with those whose ends it waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ends {
    /// All have ended.
    Reached,
    /// This one has not ended.
    Awaited(Join),
    /// This one cannot be joined.
    Wrong(Join),
}

impl State {
    /// What a thread waits for: the joins that it has gone past.
    #[inline]
    pub(crate) fn pending_joins(&self, thread: ProcessId) -> &[Join] {
        &self.threads[thread.index()].joins[self.word(thread, word::JOINS) as usize..]
    }

    /// Whether a thread has been joined: by whoever did nothing else, or by its creator, who has
    /// waited for the ends of all threads whose joins it went past.
    pub(crate) fn is_joined(&self, thread: ProcessId) -> bool {
        let waits =
            |(creator, _): (ProcessId, u32)| self.pending_joins(creator).iter().any(|join| join.thread == thread);
        let claimed = || self.is(thread, state::CLAIMED) && !self.threads[thread.index()].origin.is_some_and(waits);
        self.is(thread, state::JOINED) || claimed()
    }

    /// Looks at what a thread waits for, in order.
    #[inline]
    pub(super) fn ends(&self, thread: ProcessId) -> Ends {
        for &join in self.pending_joins(thread) {
            let wanted = self.word(join.thread, word::STATE) & (state::ENDED | state::DETACHED | state::JOINED);
            if wanted != state::ENDED {
                return if wanted == 0 { Ends::Awaited(join) } else { Ends::Wrong(join) };
            }
        }
        Ends::Reached
    }

    /// Whether a thread has to wait for an end. Mostly the next live thread is one that it waits
    /// for, or there is none.
    #[inline(never)]
    pub(super) fn awaits_end(&self, thread: ProcessId) -> bool {
        if !self.loses_ends {
            match self.live.next_from(thread.index() + 1) {
                None if thread.index() == 0 => return false,
                Some(other) if self.is(other, state::CLAIMED) && self.is_child(thread, other) => {
                    return true;
                }
                _ => {}
            }
        }
        matches!(self.ends(thread), Ends::Awaited(_))
    }

    /// Where the join stands that keeps a thread waiting, or is wrong; the first one, where there
    /// is none.
    pub(crate) fn join_site(&self, thread: ProcessId) -> Option<SiteId> {
        match self.ends(thread) {
            Ends::Reached => self.pending_joins(thread).first().map(|join| join.site),
            Ends::Awaited(join) | Ends::Wrong(join) => Some(join.site),
        }
    }

    /// The location of a thread's handle, where others than its creator and the thread itself can
    /// have it.
    #[inline]
    pub(crate) fn handle_location(&self, thread: ProcessId) -> Option<LocationId> {
        let handle = &self.memory.objects[self.threads[thread.index()].handle as usize];
        handle.shared.then(|| LocationId::new(handle.first as usize))
    }
}

/// Where a thread stands in the user's own code, or at all.
pub(super) fn own_site(image: &Image, frames: &[Frame]) -> SiteId {
    let own = |frame: &&Frame| !image.functions[frame.function as usize].library;
    let frame = frames.iter().rev().find(own).or(frames.last());
    SiteId::new(frame.map_or(0, |frame| image.places[frame.pc as usize] as usize))
}

impl Turn<'_> {
    /// A thread rests before a call: goes past it, where it is a join that can be waited for later.
    pub(super) fn go_past_joins(&mut self) -> Exit {
        let mut rest = Rest::Native;
        while let Some((thread, dst)) = self.next_join() {
            let site = own_site(self.image, &self.state.threads[self.thread.index()].frames);
            self.state.push_join(self.thread, Join { thread, site });
            self.state.mark(thread, state::CLAIMED);
            self.set(dst, 0, 0);
            self.next();
            rest = Rest::Join;
            if run::<false>(self) != Exit::Rests(Rest::Native) {
                break;
            }
        }
        self.rest(rest)
    }

    /// The thread whose end the thread is about to wait for, if it can go past that, with where the
    /// result of the call goes.
    fn next_join(&self) -> Option<(ProcessId, Register)> {
        let frame = self.frame();
        let Instruction::Native { native: Native::ThreadJoin, dst, first, .. } = self.image.code[frame.pc as usize]
        else {
            return None;
        };
        let registers = &self.state.threads[self.thread.index()].registers[frame.base as usize..];
        let operand = |number: usize| registers[self.image.operands[first as usize + number].register.index()];
        let thread = self.state.by_handle(operand(0)).filter(|&thread| thread != self.thread)?;
        let plain = self.state.goes_past_joins
            && operand(1) == 0
            && self.atomic == 0
            && !self.state.is(self.thread, state::CAREFUL);
        // Nobody else can join it, nor detach it but itself.
        let handle = self.state.threads[thread.index()].handle as usize;
        let own = self.state.is_child(self.thread, thread)
            && !self.state.memory.objects[handle].shared
            && !self.state.is(thread, state::CLAIMED);
        (plain && own).then_some((thread, dst))
    }

    /// The step of a thread that waits for ends: they have been reached.
    pub(super) fn reach_ends(&mut self) -> Result<(), Exit> {
        if self.state.shares_handles {
            self.touch_shared_handles();
        }
        if !self.note_ends() {
            return Err(self.miss_ends());
        }
        self.frame_mut().rest = Rest::Ready;
        self.grant = Grant::Nothing;
        Ok(())
    }

    /// Some end has not been reached, or cannot be.
    #[cold]
    fn miss_ends(&mut self) -> Exit {
        self.event.joined.clear();
        if matches!(self.state.ends(self.thread), Ends::Awaited(_)) {
            return Exit::Blocked;
        }
        match Misuse::NotJoinable.fault() {
            Stop::Fault(kind, detail) => Exit::Fault(kind, detail),
            _ => Exit::Fault(FaultKind::Misuse, [0; 2]),
        }
    }

    /// The handles that others have come to know of since.
    #[cold]
    fn touch_shared_handles(&mut self) {
        for number in 0..self.state.pending_joins(self.thread).len() {
            let join = self.state.pending_joins(self.thread)[number];
            if let Some(location) = self.state.handle_location(join.thread) {
                touch(self.state, self.event, location, AccessKind::Update, 0);
            }
        }
    }

    /// If all have ended, the thread knows of all that they knew of. Otherwise nothing is changed
    /// but the event.
    #[inline]
    fn note_ends(&mut self) -> bool {
        const FACTS: u64 = state::ENDED | state::DETACHED | state::JOINED;
        let State { words, threads, .. } = &*self.state;
        let joins = &threads[self.thread.index()].joins;
        let (words, _) = words.as_chunks::<{ word::COUNT }>();
        let own = &words[self.thread.index()];
        let pending = &joins[own[word::JOINS] as usize..];
        let mut balance = own[word::BALANCE].wrapping_sub(pending.len() as u64);
        for join in pending {
            let theirs = &words[join.thread.index()];
            if theirs[word::STATE] & FACTS != state::ENDED {
                return false;
            }
            balance = balance.wrapping_add(theirs[word::BALANCE]);
        }
        self.event.joined.extend(pending.iter().map(|join| join.thread));
        let all = joins.len() as u64;
        self.state.set_word(self.thread, word::BALANCE, balance);
        self.state.set_word(self.thread, word::JOINS, all);
        true
    }
}
