//! Memory that nobody gave back.
//!
//! At the end, a block of the heap is lost if it was not given back and no global variable leads to
//! it.

use mazurka_trace::{Access, AccessKind, Event, Fault, FaultKind, LocationId, ProcessId, SiteId, Value};

use super::memory::join;
use super::object::{Kind, Life};
use super::pasts::Past;
use super::{CMachine, Record, notes};

impl CMachine {
    /// See `Run::conclude`: a look for lost blocks, where that is requested.
    pub(super) fn check_leaks(&mut self, event: &mut Event) -> bool {
        let concluded = self.records.last().is_some_and(|record| record.notes & notes::CONCLUSION != 0);
        if !self.image.settings.leaks || concluded {
            return false;
        }
        let main = ProcessId::new(0);
        let (log, copies) = (self.state.memory.log.len() as u32, self.copies.len() as u32);
        self.records.push(Record { process: main, log, copies, notes: notes::CONCLUSION, past: Past::default() });
        event.begin(main, SiteId::new(0));
        // It looks at everything.
        event.accesses.push(Access { location: LocationId::new(0), kind: AccessKind::Halt, before: 0, after: 0 });
        let lost = self.lost_blocks();
        if let Some(&slot) = lost.first() {
            let object = self.state.memory.objects[slot];
            let site = SiteId::new(object.site as usize);
            let process = ProcessId::new(object.maker as usize);
            let detail = [join(slot, 0) as Value, lost.len() as Value];
            event.site = site;
            event.faults.push(Fault { kind: FaultKind::Leak, process, site, detail });
        }
        true
    }

    /// The blocks that were not given back, and that nothing leads to.
    fn lost_blocks(&self) -> Vec<usize> {
        let objects = &self.state.memory.objects;
        let mut reached = vec![false; objects.len()];
        let roots = objects.iter().enumerate().filter(|(_, object)| matches!(object.kind, Kind::Global(_)));
        let mut pending: Vec<usize> = roots.map(|(slot, _)| slot).collect();
        while let Some(slot) = pending.pop() {
            let (base, size) = (objects[slot].base as usize, objects[slot].size as usize);
            for word in self.state.memory.bytes[base..base + size].chunks_exact(8) {
                let target = (u64::from_le_bytes(word.try_into().expect("eight bytes")) >> 32) as usize;
                if target < objects.len() && !reached[target] && objects[target].life == Life::Live {
                    reached[target] = true;
                    pending.push(target);
                }
            }
        }
        let is_lost = |&slot: &usize| {
            matches!(objects[slot].kind, Kind::Heap(_)) && objects[slot].life == Life::Live && !reached[slot]
        };
        (0..objects.len()).filter(is_lost).collect()
    }
}
