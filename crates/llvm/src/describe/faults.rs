//! Failures in sentences.

use mazurka_trace::{Fault, FaultKind, LocationId, ProcessId, SiteId, Value};

use crate::code::instruction::Instruction;
use crate::library::misuse;
use crate::machine::object::{Kind, Life, Object};
use crate::machine::synchronisation::{Unordered, Verb};
use crate::native::Family;

use super::names::Words;
use crate::machine::CMachine;

/// What was done to memory.
fn past(verb: Verb) -> &'static str {
    match verb {
        Verb::Read => "read",
        Verb::Written => "written",
        Verb::ReadAtomically => "read atomically",
        Verb::WrittenAtomically => "written atomically",
        Verb::Initialised => "initialised, after its allocation",
        Verb::Freed => "freed",
    }
}

/// Longer texts of the program are cut.
const LONGEST_TEXT: usize = 200;

impl Words<'_> {
    /// The failure in a sentence, without its place.
    pub(super) fn fault(self, fault: &Fault) -> String {
        let [first, second] = fault.detail;
        match fault.kind {
            FaultKind::Assertion => match self.text_at(first) {
                Some(text) => format!("assertion failed: {text}"),
                None => "the program says that this must not be reached".to_owned(),
            },
            FaultKind::Abort => "the program gives up: abort".to_owned(),
            FaultKind::ExitStatus => format!("the program ends with exit status {first}"),
            FaultKind::Deadlock => "deadlock".to_owned(),
            FaultKind::Livelock => "livelock".to_owned(),
            FaultKind::Lock => self.lock(fault),
            FaultKind::Misuse => self.misuse(first),
            // What has a second number is no text, but the place that was used: see
            // `Memory::examine`.
            FaultKind::Unmodelled => match self.text_at(first).filter(|_| second == 0) {
                Some(text) => format!("not modelled: {text}"),
                None => format!("not modelled: this use of {}", self.pointer(first as u64)),
            },
            FaultKind::DivisionByZero => format!("division by zero: {first} / {second}"),
            // See `wide_checked`.
            FaultKind::Overflow if fault.detail == [1, 1] => {
                "signed integer overflow of a number of more than 64 bits".to_owned()
            }
            FaultKind::Overflow => format!("signed integer overflow, with operands {first} and {second}"),
            FaultKind::Shift => format!("shift of {first} by {second} bits, which is out of range"),
            FaultKind::EmptyChoice => format!("there is nothing to choose from {first} to {second}"),
            FaultKind::StackOverflow => format!("stack overflow: {first} calls deep"),
            FaultKind::DataRace => "data race".to_owned(),
            // These are failures of actors.
            FaultKind::Exception => "unhandled exception".to_owned(),
            FaultKind::AwaitCycle | FaultKind::Stuck => "deadlock".to_owned(),
            // No C program is a network.
            FaultKind::Loop | FaultKind::Blackhole | FaultKind::Policy => "unmodelled".to_owned(),
            FaultKind::Bounds
            | FaultKind::NullPointer
            | FaultKind::UseAfterFree
            | FaultKind::DoubleFree
            | FaultKind::InvalidFree
            | FaultKind::InvalidPointer
            | FaultKind::Uninitialised
            | FaultKind::ReadOnly
            | FaultKind::Leak => self.memory_fault(fault.kind, first as u64, second),
        }
    }

    fn misuse(self, number: Value) -> String {
        let said = misuse::text(number).map(str::to_owned).or_else(|| self.text_at(number));
        said.unwrap_or_else(|| "this call or this code has no meaning".to_owned())
    }

    fn lock(self, fault: &Fault) -> String {
        let (address, text, owner) = misuse::lock_detail(fault.detail);
        let name = self.thing((address >> 32) as usize, address as u32).name;
        match self.state.tags.get(&owner) {
            Some(&owner) if owner == fault.process => format!("{text}: `{name}`, which it holds"),
            Some(&owner) => format!("{text}: `{name}`, held by {}", self.thread(owner)),
            None => format!("{text}: `{name}`, which is free"),
        }
    }

    fn memory_fault(self, kind: FaultKind, address: u64, second: Value) -> String {
        let (slot, offset) = ((address >> 32) as usize, address as u32);
        // What lies in front of an object looks like what is far behind the one before it.
        let slot = slot + usize::from(kind == FaultKind::Bounds && (offset as i32) < 0);
        let object = self.state.memory.objects.get(slot).copied().unwrap_or(Object::NONE);
        let whole = self.object(slot);
        let bytes = |count: Value| if count == 1 { "1 byte".to_owned() } else { format!("{count} bytes") };
        match kind {
            FaultKind::NullPointer if address == 0 => "null pointer: access to address 0".to_owned(),
            FaultKind::NullPointer => format!("null pointer: access to address 0 + {offset}"),
            FaultKind::Bounds => {
                let at = offset as i32;
                let (access, size) = (bytes(second), bytes(Value::from(object.size)));
                let block = match object.kind {
                    Kind::Heap(_) => format!(" ({})", self.allocation(&object)),
                    _ => String::new(),
                };
                format!("out of bounds: access to {access} at offset {at} of `{whole}`, which has {size}{block}")
            }
            FaultKind::UseAfterFree => {
                let thing = if offset < object.size { self.thing(slot, offset).name } else { whole };
                match object.kind {
                    Kind::Stack(_) => format!("use after scope: `{thing}` is gone, its block or function was left"),
                    _ => format!("use after free: `{thing}` was freed before ({})", self.allocation(&object)),
                }
            }
            FaultKind::DoubleFree => {
                format!("double free: `{whole}` was freed before ({})", self.allocation(&object))
            }
            FaultKind::InvalidFree if second > 0 => {
                let by = Family::numbered(second - 1).map_or("free", Family::frees);
                let (made, right) = (object.family.makes(), object.family.frees());
                format!(
                    "invalid free: `{whole}` was made by `{made}` and is given back by `{by}` instead of `{right}` ({})",
                    self.allocation(&object)
                )
            }
            FaultKind::InvalidFree if object.life == Life::Live && offset != 0 => {
                format!("invalid free: the pointer leads into `{whole}`, {} from its beginning", bytes(offset.into()))
            }
            FaultKind::InvalidFree => format!("invalid free: {} was not allocated by malloc", self.pointer(address)),
            FaultKind::InvalidPointer => format!("invalid pointer: {} is no address of memory", self.pointer(address)),
            FaultKind::Uninitialised if address == 0 => {
                "a decision or an address depends on uninitialised memory".into()
            }
            FaultKind::Uninitialised => format!("use of uninitialised memory: `{}`", self.thing(slot, offset).name),
            FaultKind::ReadOnly => format!("write to `{whole}`, which is constant"),
            _ => format!("leak: `{whole}` ({}) is never freed", bytes(Value::from(object.size))),
        }
    }

    /// Who allocated a block, and where.
    fn allocation(self, object: &Object) -> String {
        let maker = self.thread(ProcessId::new(object.maker as usize));
        match self.image.sites.get(object.site as usize) {
            Some(site) if site.line > 0 => {
                let file = &self.image.files[site.file as usize].name;
                format!("allocated by {maker} at {file}:{}", site.line)
            }
            _ => format!("allocated by {maker}"),
        }
    }

    /// The text at an address, if there is one.
    fn text_at(self, address: Value) -> Option<String> {
        let (slot, offset) = ((address as u64 >> 32) as usize, address as u32);
        let object = self.state.memory.objects.get(slot).filter(|object| object.life == Life::Live)?;
        let start = object.base as usize + offset as usize;
        let bytes = self.state.memory.bytes.get(start..object.base as usize + object.size as usize)?;
        let text = bytes.split(|&byte| byte == 0).next().filter(|_| slot != 0 && offset < object.size)?;
        let text = String::from_utf8_lossy(&text[..text.len().min(LONGEST_TEXT)]);
        Some(text.split_whitespace().collect::<Vec<_>>().join(" "))
    }
}

impl CMachine {
    /// The waits for a condition that are in no loop, each in a sentence; none where the user has
    /// them woken without a signal.
    pub(super) fn bare_waits(&self) -> Vec<String> {
        if self.image().settings.spurious_wakeups > 0 {
            return Vec::new();
        }
        let told = |site| {
            let place = self.place_of(site);
            format!(
                "the wait at {}:{}:{} is in no loop: it may return without a signal, which `--spurious-wakeups 1` checks",
                place.file, place.line, place.column
            )
        };
        self.bare_wait_sites().into_iter().map(told).collect()
    }

    /// A data race in a sentence, with both sides, if the machine stands before it.
    pub(super) fn race_text(&self, fault: &Fault) -> String {
        let words = self.words();
        let [site, location] = fault.detail;
        let name = usize::try_from(location).map(|location| words.location(LocationId::new(location)).name);
        let name = name.unwrap_or_else(|_| "memory".to_owned());
        if let Some(other) = Unordered::unpack(site) {
            let side = |process, site, verb| {
                let place = self.place_of(site);
                format!("{} at {}:{} by {}", past(verb), place.file, place.line, words.thread(process))
            };
            let (ours, theirs) =
                (side(fault.process, fault.site, other.own), side(other.process, other.site, other.did));
            return format!(
                "data race on `{name}`: {ours}, {theirs}, ordered by nothing that synchronises (what is relaxed, or tried in vain, does not)"
            );
        }
        let other_site = SiteId::new(usize::try_from(site).unwrap_or(0));
        let is_other = |&process: &ProcessId| process != fault.process && self.stands_at(process) == Some(other_site);
        let other = words.state.live.iter().find(is_other);
        let side = |process: Option<ProcessId>, site| {
            // Where the library does it, the user's own call is meant.
            let place = self.place_of(process.and_then(|process| self.own_site(process)).unwrap_or(site));
            let who = process.map_or_else(|| "another thread".to_owned(), |process| words.thread(process));
            let verb = process.map_or("used", |process| self.verb(process));
            format!("{verb} at {}:{} by {who}", place.file, place.line)
        };
        let one = Some(fault.process).filter(|&one| self.stands_at(one) == Some(fault.site));
        let first = side(one.or(Some(fault.process)), fault.site);
        format!("data race on `{name}`: {first}, {}, unordered", side(other, other_site))
    }

    /// What a thread is about to do to memory.
    fn verb(&self, process: ProcessId) -> &'static str {
        use Instruction as I;
        let frame = self.state.threads.get(process.index()).and_then(|thread| thread.frames.last());
        match frame.and_then(|frame| self.image.code.get(frame.pc as usize)) {
            Some(I::Load { .. } | I::LoadAt { .. }) => "read",
            Some(I::Store { .. } | I::StoreAt { .. } | I::StoreValue { .. } | I::StoreValueAt { .. }) => "written",
            Some(I::Fill { .. } | I::FillBytes { .. }) => "written",
            Some(I::Modify { .. } | I::ModifyAt { .. } | I::CompareExchange { .. }) => "updated",
            Some(I::Copy { .. } | I::CopyBytes { .. }) => "copied",
            Some(I::AtomicBegin) => "used atomically",
            _ => "used",
        }
    }
}
