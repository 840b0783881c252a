//! Waits for a condition that nobody looks at again.
//!
//! `pthread_cond_wait` may return without a signal, so it belongs into a loop that looks at what is
//! waited for. A wait is taken to be in one if its call, or the call of a function that it is made
//! in, can come round to itself: the loop may well be the caller's. Loops that do something else
//! count as well, so that nothing is said of a wait that is right.
//!
//! Cost: for each wait, a look into a table for each frame of the thread.

use mazurka_trace::SiteId;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::code::Image;

use super::CMachine;
use super::call::Call;
use super::joins::own_site;
use super::waits::next;

/// What is known of the waits of a program. It is not taken back with the steps.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bare {
    /// Whether an instruction is in a loop of its function.
    in_loop: FxHashMap<u32, bool>,
    /// Where there are waits in no loop.
    sites: Vec<SiteId>,
}

impl Bare {
    /// The places of waits in no loop, in the order of the code.
    fn sites(&self) -> Vec<SiteId> {
        let mut sites = self.sites.clone();
        sites.sort_unstable();
        sites
    }

    fn is_in_loop(&mut self, image: &Image, pc: u32) -> bool {
        *self.in_loop.entry(pc).or_insert_with(|| comes_round(image, pc as usize))
    }
}

impl CMachine {
    /// The places of waits for a condition that are in no loop.
    pub(crate) fn bare_wait_sites(&self) -> Vec<SiteId> {
        self.state.bare.sites()
    }
}

impl Call<'_> {
    /// A wait for a condition begins: notes it if it is in no loop.
    pub(crate) fn note_wait(&mut self) {
        let me = self.place.thread;
        let (image, state) = (self.image, &mut *self.state);
        let frames = &state.threads[me.index()].frames;
        if frames.iter().rev().any(|frame| state.bare.is_in_loop(image, frame.pc)) {
            return;
        }
        let site = own_site(image, frames);
        if !state.bare.sites.contains(&site) {
            state.bare.sites.push(site);
        }
    }
}

/// Whether an instruction can be reached from itself within its function.
fn comes_round(image: &Image, pc: usize) -> bool {
    let (mut seen, mut todo) = (FxHashSet::default(), vec![pc]);
    while let Some(at) = todo.pop() {
        let mut found = false;
        next(image, at, |to| {
            found |= to == pc;
            if seen.insert(to) {
                todo.push(to);
            }
        });
        if found {
            return true;
        }
    }
    false
}
