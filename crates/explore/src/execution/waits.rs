//! What a waiting event depends on: its rivals, and who gave a location the value that it reads.

use mazurka_relation::Footprint;
use mazurka_trace::{EventId, LocationId};

use super::dependence::latest_visible;
use super::{Execution, NONE};

impl Execution {
    /// Whether `event` is of another process than `waiting`, and the latter's process had not heard
    /// of it before.
    pub(crate) fn is_news(&self, event: EventId, waiting: EventId) -> bool {
        let record = self.record(waiting);
        self.record(event).process != record.process
            && record.previous().is_none_or(|previous| !self.happens_before(event, previous))
    }

    /// The newest events of others that a waiting event conflicts with.
    pub(crate) fn rivals(&self, waiting: EventId, rivals: &mut Vec<EventId>) {
        rivals.clear();
        for link in self.links_of(waiting) {
            let mut read = if link.kind.is_read() { NONE } else { link.read };
            while read != NONE {
                rivals.push(EventId::new(self.links[read as usize].event as usize));
                read = self.links[read as usize].read;
            }
            if link.write != NONE {
                rivals.push(EventId::new(self.links[link.write as usize].event as usize));
            }
        }
        if self.record(waiting).footprint == Footprint::HALT {
            let latest = self.tracks.iter().filter_map(|track| latest_visible(&self.records, track.last));
            rivals.extend(latest.map(|event| EventId::new(event as usize)));
        }
        // They stand in the order of the waiting events.
        let own = self.rivals.partition_point(|(event, _)| *event < waiting);
        let own = self.rivals[own..].iter().take_while(|(event, _)| *event == waiting);
        rivals.extend(own.map(|(_, rival)| *rival));
        // What it does not know of is independent after all.
        let known = |rival| self.happens_before(rival, waiting);
        rivals.retain(|&rival| rival < waiting && known(rival) && self.is_news(rival, waiting));
        rivals.sort_unstable_by(|one, other| other.cmp(one));
        rivals.dedup();
    }

    /// Who gave a location the value that a disabled step at the waiting event reads, if the events
    /// that happen after one of `removed` had not run: the newest other event that changed it, if
    /// that is news.
    pub(crate) fn source(&self, location: LocationId, waiting: EventId, removed: &[EventId]) -> Option<EventId> {
        let mut write = self.heads.get(location.index())?.write;
        while write != NONE {
            let link = &self.links[write as usize];
            let event = EventId::new(link.event as usize);
            if !self.happens_before(waiting, event) && !self.is_removed(event, removed) {
                return self.is_news(event, waiting).then_some(event);
            }
            write = link.write;
        }
        None
    }
}
