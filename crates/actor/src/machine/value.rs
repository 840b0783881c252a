//! Values: one word each. Equal values are equal words, since what does not fit a word is kept
//! once.

/// A value, or nothing. The lowest three bits tell what it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Value(pub(crate) u64);

/// What a value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Nothing: no field, a future without its value, a lock that is free.
    Absent,
    /// An integer that fits.
    Int(i64),
    /// A constructor with arguments, or a function: a node of the heap.
    Node(u32),
    /// A constructor without arguments.
    Plain(u32),
    Object(u32),
    /// The future of a task.
    Future(u32),
    /// A large number, a fraction or a string: a box of the heap.
    Boxed(u32),
    /// Not a value but what is known of one: see `symbolic`.
    Symbolic(u32),
    Null,
}

impl Value {
    pub(crate) const ABSENT: Value = Value(0);
    pub(crate) const NULL: Value = Value(7);

    /// The integer, if it fits.
    pub(crate) fn int(number: i64) -> Option<Value> {
        let shifted = number << 3;
        (shifted >> 3 == number).then_some(Value(shifted as u64 | 1))
    }

    /// A number that is not large: a place in the code, a count.
    pub(crate) fn count(number: u32) -> Value {
        Value(u64::from(number) << 3 | 1)
    }

    pub(crate) fn node(number: u32) -> Value {
        Value(u64::from(number) << 3 | 2)
    }

    pub(crate) fn plain(constructor: u32) -> Value {
        Value(u64::from(constructor) << 3 | 3)
    }

    pub(crate) fn object(number: u32) -> Value {
        Value(u64::from(number) << 3 | 4)
    }

    pub(crate) fn future(task: u32) -> Value {
        Value(u64::from(task) << 3 | 5)
    }

    /// What stands for a value that is not decided. It shares the tag of null.
    pub(crate) fn symbolic(number: u32) -> Value {
        Value((u64::from(number) + 1) << 3 | 7)
    }

    pub(crate) fn boxed(number: u32) -> Value {
        Value(u64::from(number) << 3 | 6)
    }

    #[inline]
    pub(crate) fn kind(self) -> Kind {
        let number = (self.0 >> 3) as u32;
        match self.0 & 7 {
            0 => Kind::Absent,
            1 => Kind::Int(self.0 as i64 >> 3),
            2 => Kind::Node(number),
            3 => Kind::Plain(number),
            4 => Kind::Object(number),
            5 => Kind::Future(number),
            6 => Kind::Boxed(number),
            _ if self == Value::NULL => Kind::Null,
            _ => Kind::Symbolic(number - 1),
        }
    }

    /// A place in the code, or a count.
    #[inline]
    pub(crate) fn as_count(self) -> u32 {
        (self.0 >> 3) as u32
    }
}
