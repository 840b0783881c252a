//! Names of threads, objects and places in them; values in the words of their types.

use std::fmt::Write;

use mazurka_trace::{LocationId, ProcessId, Value};

use crate::code::Image;
use crate::code::debug::{Encoding, Leaf, SourceType, TypeId};
use crate::machine::object::{Kind, Object};
use crate::machine::state::{Origin, State};
use crate::machine::thread::word;

/// A program and the state it is in, to be spoken of.
#[derive(Clone, Copy)]
pub(super) struct Words<'a> {
    pub(super) image: &'a Image,
    pub(super) state: &'a State,
}

/// Something that has a name and, perhaps, a type.
pub(super) struct Thing {
    pub(super) name: String,
    pub(super) ty: Option<TypeId>,
}

impl<'a> Words<'a> {
    /// `main`, or the function that the thread began with and which of the creations of its creator
    /// it is: `worker#2`; the third that this one creates is `helper#2.3`.
    pub(super) fn thread(self, thread: ProcessId) -> String {
        let mut path: Vec<u32> = Vec::new();
        let mut at = thread;
        while let Some((creator, nth)) = self.state.threads.get(at.index()).and_then(|thread| thread.origin) {
            path.push(nth + 1);
            at = creator;
        }
        if path.is_empty() {
            return "main".to_owned();
        }
        let words = &self.state.words[thread.index() * word::COUNT..];
        // Of a thread that has not been started in this execution, what it began with the last time
        // is known.
        let last = self.state.threads[thread.index()].function;
        let number = if words[word::STATE] == 0 { u64::from(last) } else { words[word::FUNCTION] };
        let function = self.image.functions.get(number as usize).map_or("thread", |function| &function.name);
        let path: Vec<String> = path.iter().rev().map(ToString::to_string).collect();
        format!("{function}#{}", path.join("."))
    }

    /// The thread of this name, with or without its function, if the machine has met it.
    pub(super) fn find_thread(self, name: &str) -> Option<ProcessId> {
        if name == "main" {
            return (!self.state.threads.is_empty()).then(|| ProcessId::new(0));
        }
        let mut at = ProcessId::new(0);
        for number in name.rsplit_once('#')?.1.split('.') {
            let nth = number.parse::<usize>().ok()?.checked_sub(1)?;
            at = *self.state.threads.get(at.index())?.children.get(nth)?;
        }
        (name.starts_with('#') || self.thread(at) == name).then_some(at)
    }

    /// What lies at an offset of a slot's object.
    pub(super) fn thing(self, slot: usize, offset: u32) -> Thing {
        let object = self.state.memory.objects.get(slot).copied().unwrap_or(Object::NONE);
        let origin = self.state.slots.get(slot).map(|slot| slot.origin);
        let image = self.image;
        let leaf = |name: &str, ty, repeats| named(image.leaf(name, ty, u64::from(offset), repeats));
        match (object.kind, origin) {
            (Kind::Null, Some(Origin::Handle(thread))) | (Kind::Thread, Some(Origin::Handle(thread))) => {
                Thing { name: format!("thread {}", self.thread(thread)), ty: None }
            }
            (Kind::Null, _) if slot == 0 => Thing { name: "null".to_owned(), ty: None },
            (Kind::Null, _) => Thing { name: format!("object {slot}"), ty: None },
            (Kind::Global(index) | Kind::Constant(index), _) => {
                let global = &image.globals[index as usize];
                leaf(&global.name, global.ty, false)
            }
            (Kind::ThreadLocal(index), _) => {
                let global = &image.globals[index as usize];
                leaf(&format!("{}@{}", global.name, self.maker(&object)), global.ty, false)
            }
            (Kind::Function(index), _) => Thing { name: image.functions[index as usize].name.clone(), ty: None },
            (Kind::Heap(shape), origin) => {
                let number = if let Some(Origin::Heap(_, number)) = origin { number + 1 } else { 0 };
                let ty = image.shapes.get(shape as usize).and_then(|shape| shape.ty);
                let base = format!("{}@{}.{number}", self.type_name(ty), self.maker(&object));
                let thing = leaf(&base, ty, true);
                Thing { name: arrow(&base, &thing.name), ty: thing.ty }
            }
            (Kind::Stack(index), _) => {
                let local = &image.locals[index as usize];
                let name = if local.name.is_empty() { "temporary" } else { &local.name };
                leaf(&format!("{name}@{}", self.maker(&object)), local.ty, false)
            }
            (Kind::Thread, _) => Thing { name: "thread".to_owned(), ty: None },
            (Kind::Library, _) => Thing { name: "the library's own".to_owned(), ty: None },
        }
    }

    /// The name of a whole object.
    pub(super) fn object(self, slot: usize) -> String {
        let object = self.state.memory.objects.get(slot).copied().unwrap_or(Object::NONE);
        let image = self.image;
        match object.kind {
            Kind::Global(index) | Kind::Constant(index) => image.globals[index as usize].name.clone(),
            Kind::ThreadLocal(index) => format!("{}@{}", image.globals[index as usize].name, self.maker(&object)),
            Kind::Stack(index) if !image.locals[index as usize].name.is_empty() => {
                format!("{}@{}", image.locals[index as usize].name, self.maker(&object))
            }
            Kind::Heap(_) => {
                let name = self.thing(slot, 0).name;
                name.split(['[', '-', '+']).next().unwrap_or(&name).to_owned()
            }
            _ => self.thing(slot, 0).name,
        }
    }

    fn maker(self, object: &Object) -> String {
        self.thread(ProcessId::new(object.maker as usize))
    }

    /// The name of a type, as part of a name.
    fn type_name(self, ty: Option<TypeId>) -> String {
        match self.image.source_type(ty) {
            Some(
                SourceType::Scalar { name, .. }
                | SourceType::Struct { name, .. }
                | SourceType::Union { name, .. }
                | SourceType::Enumeration { name, .. }
                | SourceType::Other { name, .. },
            ) if !name.is_empty() => name.clone(),
            Some(SourceType::Pointer { .. }) => "pointer".to_owned(),
            Some(SourceType::Array { element, .. }) => self.type_name(*element),
            _ => "block".to_owned(),
        }
    }

    /// The thread whose handle a location is.
    pub(super) fn handle(self, location: LocationId) -> Option<ProcessId> {
        let &slot = self.state.locations.get(location.index())?;
        match self.state.slots.get(slot as usize)?.origin {
            Origin::Handle(thread) => Some(thread),
            _ => None,
        }
    }

    /// What a location is.
    pub(super) fn location(self, location: LocationId) -> Thing {
        let Some(&slot) = self.state.locations.get(location.index()) else {
            return Thing { name: format!("{location:?}"), ty: None };
        };
        let object = &self.state.memory.objects[slot as usize];
        let cell = (location.index() as u32).wrapping_sub(object.first);
        let offset = match self.state.cells.get(object.partition as usize) {
            Some(cells) if object.kind != Kind::Null => cells.partition.start(cell),
            _ => 0,
        };
        self.thing(slot as usize, offset)
    }

    /// A value of a type.
    pub(super) fn value(self, ty: Option<TypeId>, value: Value) -> String {
        let image = self.image;
        match image.source_type(ty) {
            Some(&SourceType::Scalar { bytes, encoding, .. }) => scalar(encoding, bytes, value),
            Some(SourceType::Pointer { .. }) => self.pointer(value as u64),
            Some(SourceType::Enumeration { bytes, values, .. }) => {
                let number = signed(*bytes, value);
                let name = values.iter().find(|(_, known)| *known == number);
                name.map_or_else(|| number.to_string(), |(name, _)| name.clone())
            }
            _ if self.is_address(value as u64) => self.pointer(value as u64),
            _ => value.to_string(),
        }
    }

    /// Whether a word is the address of something.
    fn is_address(self, word: u64) -> bool {
        let slot = (word >> 32) as usize;
        slot != 0 && self.state.memory.objects.get(slot).is_some_and(|object| object.kind != Kind::Null)
    }

    /// A pointer: `null`, `&x`, `&node@main.2->next`, or a number where it points nowhere.
    pub(super) fn pointer(self, word: u64) -> String {
        let (slot, offset) = ((word >> 32) as usize, word as u32);
        if word == 0 {
            return "null".to_owned();
        }
        let Some(object) = self.state.memory.objects.get(slot).filter(|_| self.is_address(word)) else {
            return format!("{word:#x}");
        };
        match object.kind {
            Kind::Function(_) if offset == 0 => self.thing(slot, 0).name,
            Kind::Thread => self.thing(slot, 0).name,
            Kind::Constant(_) if offset == 0 => self.object(slot),
            _ if offset == 0 => format!("&{}", self.object(slot)),
            _ if offset < object.size => format!("&{}", self.thing(slot, offset).name),
            _ => format!("&{}+{offset}", self.object(slot)),
        }
    }
}

fn named(leaf: Leaf) -> Thing {
    Thing { name: without_reserved(&leaf.path).to_owned(), ty: leaf.ty }
}

/// A path down to where it enters what is the implementation's own: `m.__data.__lock` is `m`.
pub(crate) fn without_reserved(path: &str) -> &str {
    let reserved = |at: &usize| {
        let mut rest = path[at + 1..].chars();
        rest.next() == Some('_') && rest.next().is_some_and(|second| second == '_' || second.is_ascii_uppercase())
    };
    let end = path.match_indices('.').map(|(at, _)| at).find(reserved);
    &path[..end.unwrap_or(path.len())]
}

/// `node@main.2[0].next` is `node@main.2->next`, and `int@main.2[0]` is `*int@main.2`... which is
/// the block itself.
fn arrow(base: &str, path: &str) -> String {
    let Some(rest) = path.strip_prefix(base) else { return path.to_owned() };
    match rest.strip_prefix("[0]") {
        Some("") => base.to_owned(),
        Some(rest) if rest.starts_with('.') => format!("{base}->{}", &rest[1..]),
        Some(rest) => format!("{base}{rest}"),
        None => path.to_owned(),
    }
}

/// The lowest bytes of a number as a signed one.
fn signed(bytes: u32, value: Value) -> Value {
    let unused = 64 - 8 * bytes.clamp(1, 8);
    value << unused >> unused
}

fn scalar(encoding: Encoding, bytes: u32, value: Value) -> String {
    let unsigned = (value as u64) & (u64::MAX >> (64 - 8 * bytes.clamp(1, 8)));
    match encoding {
        Encoding::Signed => signed(bytes, value).to_string(),
        Encoding::Unsigned => unsigned.to_string(),
        Encoding::Boolean => if unsigned == 0 { "false" } else { "true" }.to_owned(),
        Encoding::Character => match u8::try_from(unsigned) {
            Ok(byte) if byte.is_ascii_graphic() || byte == b' ' => format!("'{}'", char::from(byte)),
            _ => signed(bytes, value).to_string(),
        },
        // A part of a `long double`: its mantissa, or its sign and exponent; or a number of 16
        // bits.
        Encoding::Float if !matches!(bytes, 4 | 8) => format!("{:#x}", value as u64),
        Encoding::Float => {
            let number = if bytes == 4 { f64::from(f32::from_bits(unsigned as u32)) } else { f64::from_bits(unsigned) };
            let mut text = String::new();
            let _ = write!(text, "{number:?}");
            text
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserved_names_are_left_out() {
        assert_eq!(without_reserved("m.__data.__lock"), "m");
        assert_eq!(without_reserved("queue.items[3].lock._Value"), "queue.items[3].lock");
        assert_eq!(without_reserved("s._private"), "s._private");
    }

    #[test]
    fn blocks_of_one_element_are_pointed_to() {
        assert_eq!(arrow("node@main.2", "node@main.2[0].next"), "node@main.2->next");
        assert_eq!(arrow("int@main.1", "int@main.1[0]"), "int@main.1");
        assert_eq!(arrow("node@main.2", "node@main.2[1].next"), "node@main.2[1].next");
    }

    #[test]
    fn scalars_are_shown_as_their_types_say() {
        assert_eq!(scalar(Encoding::Signed, 4, 0xffff_fffe), "-2");
        assert_eq!(scalar(Encoding::Unsigned, 1, -1), "255");
        assert_eq!(scalar(Encoding::Character, 1, 97), "'a'");
        assert_eq!(scalar(Encoding::Character, 1, 10), "10");
        assert_eq!(scalar(Encoding::Boolean, 1, 1), "true");
        assert_eq!(scalar(Encoding::Float, 16, i64::MIN), "0x8000000000000000");
        assert_eq!(scalar(Encoding::Float, 8, 1.5f64.to_bits() as i64), "1.5");
    }
}
