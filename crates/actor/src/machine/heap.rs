//! Data: each value is kept once, so that equal values are equal words, and has its digest.
//!
//! Nothing is ever given back: executions of one program make the same values again and again. What
//! things cost: making a value, a look into a table; comparing two for equality, nothing; for
//! order, what they have in common.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use hashbrown::HashTable;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive};
use rustc_hash::FxHasher;

use super::value::{Kind, Value};

/// 128 bits that stand for a value.
pub(crate) type Print = (u64, u64);

/// What does not fit a word and is no constructor.
#[derive(Clone, Debug)]
pub(crate) enum Boxed {
    /// An integer that is too large for a word.
    Int(BigInt),
    /// A fraction, in lowest terms, that is no integer.
    Rat(BigRational),
    String(String),
}

// Fractions are in lowest terms, so both of their parts tell them apart. The crate's own comparison
// and hash go down the continued fraction, one call for each of its terms.
impl PartialEq for Boxed {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Boxed::Int(one), Boxed::Int(other)) => one == other,
            (Boxed::Rat(one), Boxed::Rat(other)) => one.numer() == other.numer() && one.denom() == other.denom(),
            (Boxed::String(one), Boxed::String(other)) => one == other,
            (Boxed::Int(_) | Boxed::Rat(_) | Boxed::String(_), _) => false,
        }
    }
}

impl Eq for Boxed {}

impl Hash for Boxed {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        match self {
            Boxed::Int(number) => number.hash(hasher),
            Boxed::Rat(number) => (number.numer(), number.denom()).hash(hasher),
            Boxed::String(text) => text.hash(hasher),
        }
    }
}

/// A constructor with its arguments.
#[derive(Clone, Copy, Debug)]
struct Node {
    constructor: u32,
    start: u32,
    count: u32,
}

/// Of values with more parts that are told as a text, nobody looks whether their names last.
const MOST_TOLD: usize = 10_000;

/// All values that a machine has made.
#[derive(Clone, Debug, Default)]
pub(crate) struct Heap {
    nodes: Vec<Node>,
    arguments: Vec<Value>,
    prints: Vec<Print>,
    /// Whether something in a node is not decided.
    open: Vec<bool>,
    table: HashTable<u32>,
    boxes: Vec<Boxed>,
    box_prints: Vec<Print>,
    box_table: HashTable<u32>,
    /// The digests of the names of objects and of tasks.
    pub(crate) objects: Vec<Print>,
    pub(crate) tasks: Vec<Print>,
    /// Whether states that are taken for equal have the same name for an object, or a task. Not so
    /// for tasks whose futures nobody has, and for what they make and call.
    pub(crate) lasting_objects: Vec<bool>,
    pub(crate) lasting_tasks: Vec<bool>,
    /// A name that does not last has decided something.
    pub(crate) names_matter: bool,
}

/// A mixing step with full avalanche.
fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// The digest of something within something else, by a number.
pub(crate) fn print((low, high): Print, word: u64) -> Print {
    let one = mix(low ^ word.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let other = mix(high.rotate_left(17) ^ word.wrapping_add(0x2545_f491_4f6c_dd1d) ^ one);
    (one, other)
}

/// The digest of two digests.
pub(crate) fn combine(one: Print, other: Print) -> Print {
    print(print(one, other.0), other.1)
}

fn hash_node(constructor: u32, arguments: &[Value]) -> u64 {
    let mut hasher = FxHasher::default();
    constructor.hash(&mut hasher);
    arguments.hash(&mut hasher);
    hasher.finish()
}

fn hash_box(boxed: &Boxed) -> u64 {
    let mut hasher = FxHasher::default();
    boxed.hash(&mut hasher);
    hasher.finish()
}

impl Heap {
    /// The value of a constructor with arguments.
    pub(crate) fn construct(&mut self, constructor: u32, arguments: &[Value]) -> Value {
        if arguments.is_empty() {
            return Value::plain(constructor);
        }
        let hash = hash_node(constructor, arguments);
        let Heap { nodes, arguments: all, table, .. } = self;
        let found = table.find(hash, |&number| {
            let node = nodes[number as usize];
            node.constructor == constructor
                && all[node.start as usize..(node.start + node.count) as usize] == *arguments
        });
        if let Some(&number) = found {
            return Value::node(number);
        }
        let fingerprint = arguments
            .iter()
            .fold(print((3, 5), u64::from(constructor)), |print, &argument| combine(print, self.print_of(argument)));
        let number = self.nodes.len() as u32;
        let node = Node { constructor, start: self.arguments.len() as u32, count: arguments.len() as u32 };
        self.arguments.extend_from_slice(arguments);
        self.nodes.push(node);
        self.prints.push(fingerprint);
        let is_open = |&argument: &Value| matches!(argument.kind(), Kind::Symbolic(_)) || self.is_open(argument);
        let open = arguments.iter().any(is_open);
        self.open.push(open);
        let Heap { nodes, arguments: all, table, .. } = self;
        table.insert_unique(hash, number, |&number| {
            let node = nodes[number as usize];
            hash_node(node.constructor, &all[node.start as usize..(node.start + node.count) as usize])
        });
        Value::node(number)
    }

    /// Whether something in a value is not decided.
    pub(crate) fn is_open(&self, value: Value) -> bool {
        matches!(value.kind(), Kind::Node(number) if self.open[number as usize])
    }

    fn boxed(&mut self, boxed: Boxed) -> Value {
        let hash = hash_box(&boxed);
        if let Some(&number) = self.box_table.find(hash, |&number| self.boxes[number as usize] == boxed) {
            return Value::boxed(number);
        }
        let number = self.boxes.len() as u32;
        let text = match &boxed {
            Boxed::Int(number) => format!("i{number}"),
            Boxed::Rat(number) => format!("r{number}"),
            Boxed::String(text) => format!("s{text}"),
        };
        let seed = print((7, 11), text.len() as u64);
        self.box_prints.push(text.bytes().fold(seed, |seed, byte| print(seed, u64::from(byte))));
        self.boxes.push(boxed);
        let boxes = &self.boxes;
        self.box_table.insert_unique(hash, number, |&number| hash_box(&boxes[number as usize]));
        Value::boxed(number)
    }

    /// An integer of any size.
    pub(crate) fn int(&mut self, number: BigInt) -> Value {
        match number.to_i64().and_then(Value::int) {
            Some(value) => value,
            None => self.boxed(Boxed::Int(number)),
        }
    }

    /// An exact number.
    pub(crate) fn rat(&mut self, number: BigRational) -> Value {
        if number.denom().is_one() { self.int(number.to_integer()) } else { self.boxed(Boxed::Rat(number)) }
    }

    pub(crate) fn string(&mut self, text: String) -> Value {
        self.boxed(Boxed::String(text))
    }

    pub(crate) fn get_box(&self, number: u32) -> &Boxed {
        &self.boxes[number as usize]
    }

    /// The constructor of a value that has one.
    #[inline]
    pub(crate) fn constructor(&self, value: Value) -> Option<u32> {
        match value.kind() {
            Kind::Plain(constructor) => Some(constructor),
            Kind::Node(number) => Some(self.nodes[number as usize].constructor),
            _ => None,
        }
    }

    /// The arguments of a value's constructor.
    #[inline]
    pub(crate) fn arguments(&self, value: Value) -> &[Value] {
        match value.kind() {
            Kind::Node(number) => {
                let Node { start, count, .. } = self.nodes[number as usize];
                &self.arguments[start as usize..(start + count) as usize]
            }
            _ => &[],
        }
    }

    /// The digest of a value: the same in every execution, and on every machine for the program.
    pub(crate) fn print_of(&self, value: Value) -> Print {
        match value.kind() {
            Kind::Absent => (0, 0),
            Kind::Int(number) => print((1, 2), number as u64),
            Kind::Node(number) => self.prints[number as usize],
            Kind::Plain(constructor) => print((3, 5), u64::from(constructor)),
            Kind::Object(number) => self.objects[number as usize],
            Kind::Future(task) => combine((13, 17), self.tasks[task as usize]),
            Kind::Boxed(number) => self.box_prints[number as usize],
            Kind::Null => (19, 23),
            Kind::Symbolic(number) => print((29, 31), u64::from(number)),
        }
    }

    /// A number as an exact one.
    pub(crate) fn number(&self, value: Value) -> Option<BigRational> {
        match value.kind() {
            Kind::Int(number) => Some(BigRational::from_integer(number.into())),
            Kind::Boxed(number) => match self.get_box(number) {
                Boxed::Int(number) => Some(BigRational::from_integer(number.clone())),
                Boxed::Rat(number) => Some(number.clone()),
                Boxed::String(_) => None,
            },
            _ => None,
        }
    }

    pub(crate) fn text(&self, value: Value) -> Option<&str> {
        match value.kind() {
            Kind::Boxed(number) => match self.get_box(number) {
                Boxed::String(text) => Some(text),
                Boxed::Int(_) | Boxed::Rat(_) => None,
            },
            _ => None,
        }
    }

    /// The order of all values: numbers by size, text by its letters, data by the names of
    /// constructors and then by arguments, objects and futures by their names' digests.
    pub(crate) fn compare(&mut self, one: Value, other: Value, name: impl Fn(u32) -> usize) -> Ordering {
        let mut pending = vec![(one, other)];
        while let Some((one, other)) = pending.pop() {
            if one == other {
                continue;
            }
            let order = self.compare_heads(one, other, &name);
            if order != Ordering::Equal {
                return order;
            }
            let arguments = self.arguments(one).iter().copied().zip(self.arguments(other).iter().copied());
            let start = pending.len();
            pending.extend(arguments);
            pending[start..].reverse();
        }
        Ordering::Equal
    }

    fn compare_heads(&mut self, one: Value, other: Value, name: &impl Fn(u32) -> usize) -> Ordering {
        if let (Kind::Int(one), Kind::Int(other)) = (one.kind(), other.kind()) {
            return one.cmp(&other);
        }
        if let (Some(one), Some(other)) = (self.constructor(one), self.constructor(other)) {
            return name(one).cmp(&name(other));
        }
        if let (Some(one), Some(other)) = (self.number(one), self.number(other)) {
            return (one.numer() * other.denom()).cmp(&(other.numer() * one.denom()));
        }
        if let (Some(one), Some(other)) = (self.text(one), self.text(other)) {
            return one.cmp(other);
        }
        self.names_matter |= !self.lasts(one) || !self.lasts(other);
        self.print_of(one).cmp(&self.print_of(other))
    }

    /// Whether states that are taken for equal have the same name for this object or future.
    fn lasts(&self, value: Value) -> bool {
        match value.kind() {
            Kind::Object(object) => self.lasting_objects[object as usize],
            Kind::Future(task) => self.lasting_tasks[task as usize],
            _ => true,
        }
    }

    /// A value is told as a text: its names matter, if it holds any that do not last.
    pub(crate) fn tell(&mut self, value: Value) {
        let mut pending = vec![value];
        let mut met = 0;
        while let Some(value) = pending.pop().filter(|_| !self.names_matter) {
            met += 1;
            self.names_matter = met > MOST_TOLD || !self.lasts(value);
            pending.extend_from_slice(self.arguments(value));
        }
    }
}
