//! What a value can be: addresses in abstract objects, and small numbers.

use rustc_hash::FxHashMap;

/// An abstract object, by number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct ObjectId(pub(super) u32);

/// What numbers are offsets of.
pub(super) const NUMBER: ObjectId = ObjectId(0);

/// So many offsets in one object are told apart; then what they have in common is kept.
const MOST_OFFSETS: usize = 8;

/// So many numbers are told apart.
const MOST_NUMBERS: usize = 4;

/// An address, or a set of them: `offset`, or everything that differs from it by a multiple of
/// `stride`, where that is not 0. Of the object of numbers, the number itself.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Target {
    pub(super) object: ObjectId,
    pub(super) offset: i64,
    pub(super) stride: u32,
}

impl Target {
    /// Any number.
    pub(super) const ANY: Target = Target { object: NUMBER, offset: 0, stride: 1 };

    pub(super) fn new(object: ObjectId, offset: i64) -> Target {
        Target { object, offset, stride: 0 }
    }

    /// Anywhere in the same object.
    pub(super) fn anywhere(self) -> Target {
        Target { offset: 0, stride: 1, ..self }
    }

    pub(super) fn is_number(self) -> bool {
        self.object == NUMBER
    }

    /// Further by so much.
    pub(super) fn shifted(self, by: i64) -> Target {
        Target { offset: self.offset.wrapping_add(by), ..self }.normal()
    }

    /// Further by any multiple of so much.
    pub(super) fn repeated(self, stride: u64) -> Target {
        let stride = gcd(u64::from(self.stride), stride);
        let stride = u32::try_from(stride).unwrap_or(1);
        Target { stride, ..self }.normal()
    }

    fn normal(self) -> Target {
        let offset = if self.stride == 0 { self.offset } else { self.offset.rem_euclid(i64::from(self.stride)) };
        Target { offset, ..self }
    }

    /// Whether all that the other can be is in this.
    fn covers(self, other: Target) -> bool {
        if self.object != other.object {
            return false;
        }
        if self.stride == 0 {
            return self == other;
        }
        let same = (other.offset.wrapping_sub(self.offset)).rem_euclid(i64::from(self.stride)) == 0;
        same && u64::from(other.stride).is_multiple_of(u64::from(self.stride))
    }

    /// Whether both can be the same.
    pub(super) fn meets(self, other: Target) -> bool {
        let common = gcd(u64::from(self.stride), u64::from(other.stride));
        let apart = self.offset.wrapping_sub(other.offset);
        self.object == other.object
            && match i64::try_from(common) {
                Ok(0) | Err(_) => apart == 0,
                Ok(common) => apart.rem_euclid(common) == 0,
            }
    }
}

pub(super) fn gcd(mut one: u64, mut other: u64) -> u64 {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}

/// The numbers, if these are nothing else and all are known.
pub(super) fn numbers(targets: &[Target]) -> Option<Vec<i64>> {
    let number = |target: &Target| (target.is_number() && target.stride == 0).then_some(target.offset);
    targets.iter().map(number).collect()
}

/// Longer lists are looked up by object.
const SHORT: usize = 16;

/// All that a value can be. It only grows.
#[derive(Clone, Default, Debug)]
pub(super) struct Targets {
    list: Vec<Target>,
    by_object: Option<Box<FxHashMap<ObjectId, Vec<Target>>>>,
}

impl Targets {
    pub(super) fn iter(&self) -> impl Iterator<Item = Target> + '_ {
        self.list.iter().copied()
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// Those from the given one on, in the order in which they came.
    pub(super) fn since(&self, first: usize) -> &[Target] {
        &self.list[first..]
    }

    /// The numbers, if they are few and all known.
    pub(super) fn numbers(&self) -> Option<Vec<i64>> {
        let numbers = self.list.iter().filter(|target| target.is_number());
        numbers.map(|target| (target.stride == 0).then_some(target.offset)).collect()
    }

    /// Adds one; false where nothing is new.
    pub(super) fn insert(&mut self, target: Target) -> bool {
        let known = match &self.by_object {
            Some(known) => known.get(&target.object).map_or(&[][..], Vec::as_slice),
            None => &self.list,
        };
        let alike = || known.iter().filter(|known| known.object == target.object);
        if alike().any(|known| known.covers(target)) {
            return false;
        }
        let most = if target.is_number() { MOST_NUMBERS } else { MOST_OFFSETS };
        let new = if alike().count() < most {
            target
        } else if target.is_number() {
            Target::ANY
        } else {
            let apart = |known: &Target| gcd(u64::from(known.stride), known.offset.abs_diff(target.offset));
            let stride = alike().map(apart).fold(u64::from(target.stride), gcd);
            target.repeated(stride.max(1))
        };
        self.list.push(new);
        match &mut self.by_object {
            Some(known) => known.entry(new.object).or_default().push(new),
            None if self.list.len() > SHORT => {
                let mut known: FxHashMap<ObjectId, Vec<Target>> = FxHashMap::default();
                self.list.iter().for_each(|&target| known.entry(target.object).or_default().push(target));
                self.by_object = Some(Box::new(known));
            }
            None => {}
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(offset: i64, stride: u32) -> Target {
        Target { object: ObjectId(1), offset, stride }
    }

    #[test]
    fn many_offsets_become_what_they_have_in_common() {
        let mut targets = Targets::default();
        assert!((0..9).all(|at_| targets.insert(at(16 + 40 * at_, 0))));
        assert!(!targets.insert(at(16 + 40 * 100, 0)) && targets.insert(at(24, 0)));
        assert_eq!(targets.since(8)[0], at(16, 40));
        let mut numbers = Targets::default();
        (0..5).for_each(|number| assert!(numbers.insert(Target::new(NUMBER, number))));
        assert!(numbers.numbers().is_none() && !numbers.insert(Target::new(NUMBER, 77)));
    }

    #[test]
    fn what_can_be_the_same() {
        assert!(at(8, 0).meets(at(8, 0)) && !at(8, 0).meets(at(16, 0)));
        assert!(at(48, 0).meets(at(8, 40)) && !at(56, 0).meets(at(8, 40)));
        assert!(at(4, 8).meets(at(0, 12)) && !at(1, 8).meets(at(0, 12)));
        assert_eq!(at(100, 0).repeated(40), at(20, 40));
        assert_eq!(at(20, 40).shifted(-28), at(32, 40));
    }
}
