//! Waiting for the ends of processes: an event that did comes after all that they have done.

use mazurka_trace::{EventId, ProcessId};

use super::record::UNSTARTED;
use super::{Execution, NONE};

impl Execution {
    /// Puts the newest event behind all that some processes have done: by cause, so there is no
    /// race.
    pub(super) fn follow_ends(&mut self, ended: &[ProcessId]) {
        self.joined.extend_from_slice(ended);
        self.join_ends(ended);
    }

    pub(super) fn join_ends(&mut self, ended: &[ProcessId]) {
        // Mostly the event before is the last of them, and knows of the others.
        let newest = self.clocks.len() - 1;
        if newest > 0 {
            let latest = EventId::new(newest - 1);
            let last = self.records[newest - 1].process;
            let row = self.clocks.row(latest);
            // Where it is the last of everybody, and knows of all events, there is no need to look
            // at each of the processes.
            let knows_all = row.iter().fold(0, |sum: u32, &count| sum.wrapping_add(count)) as usize == newest;
            let is_known = |process: &ProcessId| match (self.tracks.get(process.index()), row.get(process.index())) {
                (Some(track), Some(&known)) => track.count > 0 && known >= track.count,
                _ => false,
            };
            if ended.contains(&last) && (knows_all || ended.iter().all(is_known)) {
                return self.clocks.join(latest);
            }
        }
        self.join_unknown_ends(ended);
    }

    /// The same for those that the latest does not know of.
    fn join_unknown_ends(&mut self, ended: &[ProcessId]) {
        // The latest first: it often knows of the others.
        let mut latest = 0;
        for track in ended.iter().filter_map(|process| self.tracks.get(process.index())) {
            latest = latest.max(track.last.wrapping_add(1));
        }
        if latest > 0 {
            self.clocks.join(EventId::new(latest as usize - 1));
        }
        for process in ended {
            let track = self.tracks.get(process.index()).copied().unwrap_or(UNSTARTED);
            let known = self.clocks.newest_row().get(process.index()).copied().unwrap_or(0);
            let end = if track.count == 0 { track.birth } else { track.last };
            if (track.count == 0 || known < track.count) && end != NONE {
                self.clocks.join(EventId::new(end as usize));
            }
        }
    }
}
