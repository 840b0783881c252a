//! The machine's words for people: names of threads and memory, values, places, failures.

mod faults;
mod names;

use mazurka_machine::{Describe, Place, Run};
use mazurka_trace::{Fault, FaultKind, LocationId, ProcessId, SiteId, Value};

use crate::code::instruction::Instruction;
use crate::machine::CMachine;
use crate::machine::object::{Kind, Life, Object};
use crate::machine::thread::Rest;
use crate::native::Native;
use names::Words;

pub(crate) use names::without_reserved;

impl Describe for CMachine {
    fn remarks(&self) -> Vec<String> {
        self.bare_waits()
    }

    fn process_name(&self, process: ProcessId) -> String {
        self.words().thread(process)
    }

    fn process_key(&self, process: ProcessId) -> String {
        let name = self.words().thread(process);
        name.find('#').map_or(name.clone(), |function| name[function..].to_owned())
    }

    fn find_process(&self, name: &str) -> Option<ProcessId> {
        self.words().find_thread(name)
    }

    fn location_name(&self, location: LocationId) -> String {
        self.words().location(self.counters().counter(location).unwrap_or(location)).name
    }

    fn tells_value(&self, location: LocationId) -> bool {
        !self.counters().is_counted(location)
    }

    fn value_text(&self, location: LocationId, value: Value) -> String {
        let (location, value) = self.counted(location, value).unwrap_or((location, value));
        let words = self.words();
        match words.handle(location) {
            Some(thread) => self.condition(thread).to_owned(),
            None => words.value(words.location(location).ty, value),
        }
    }

    fn left_text(&self, location: LocationId, value: Value) -> String {
        let slot = self.state.locations.get(location.index()).copied();
        let object = slot.and_then(|slot| self.state.memory.objects.get(slot as usize));
        match object {
            Some(Object { life: Life::Dead, kind: Kind::Heap(_), .. }) => "freed".to_owned(),
            Some(Object { life: Life::Dead, .. }) => "gone".to_owned(),
            _ => self.value_text(location, value),
        }
    }

    fn place(&self, site: SiteId) -> Place {
        self.place_of(site)
    }

    fn standing(&self, process: ProcessId) -> Option<Place> {
        self.own_site(process).map(|site| self.place_of(site))
    }

    fn fault_place(&self, fault: &Fault) -> Place {
        let is_library = |site: &crate::code::Site| {
            self.image.functions.get(site.function as usize).is_some_and(|function| function.library)
        };
        let site = match self.image.sites.get(fault.site.index()) {
            Some(site) if is_library(site) => self.own_site(fault.process).unwrap_or(fault.site),
            _ => fault.site,
        };
        self.place_of(site)
    }

    fn fault_text(&self, fault: &Fault) -> String {
        if fault.kind == FaultKind::DataRace { self.race_text(fault) } else { self.words().fault(fault) }
    }

    fn output(&self) -> String {
        String::from_utf8_lossy(&self.state.output).into_owned()
    }
}

impl CMachine {
    fn words(&self) -> Words<'_> {
        Words { image: &self.image, state: &self.state }
    }

    /// How a thread is.
    fn condition(&self, thread: ProcessId) -> &'static str {
        let frame = self.state.threads[thread.index()].frames.last().filter(|_| self.state.live.contains(thread));
        let Some(frame) = frame else { return "ended" };
        match self.image.code.get(frame.pc as usize) {
            Some(Instruction::Native {
                native: Native::ConditionWait | Native::ConditionTimedWait | Native::ConditionClockWait,
                ..
            }) if frame.phase > 0 => "asleep",
            _ => "running",
        }
    }

    /// Where a thread that runs stands.
    fn stands_at(&self, process: ProcessId) -> Option<SiteId> {
        self.state.live.contains(process).then(|| self.pending(process))
    }

    /// Where a thread stands in the user's own code, if that is not where it stands.
    fn own_site(&self, process: ProcessId) -> Option<SiteId> {
        let frames = &self.state.threads.get(process.index())?.frames;
        let is_own = |function: u32| !self.image.functions[function as usize].library;
        if frames.last()?.rest == Rest::Join {
            return self.state.join_site(process);
        }
        if frames.last().is_none_or(|frame| is_own(frame.function)) {
            return None;
        }
        let own = frames.iter().rev().find(|frame| is_own(frame.function))?;
        Some(SiteId::new(self.image.places[own.pc as usize] as usize))
    }

    /// The source of a site; the function's name where the program has no debug information.
    fn place_of(&self, site: SiteId) -> Place {
        let image = &self.image;
        let Some(site) = image.sites.get(site.index()) else {
            return Place { file: "?".to_owned(), line: 0, column: 0, text: String::new() };
        };
        let file = &image.files[site.file as usize];
        let line = (site.line as usize).checked_sub(1).and_then(|line| file.lines.get(line));
        let text = match line {
            Some(line) => line.split_whitespace().collect::<Vec<_>>().join(" "),
            None => image.functions.get(site.function as usize).map_or_else(String::new, |f| f.name.clone()),
        };
        let name = if file.name.is_empty() { "?" } else { &file.name };
        Place { file: name.to_owned(), line: site.line as usize, column: site.column as usize, text }
    }
}
