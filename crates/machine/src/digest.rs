//! Digests of states.

/// A 128-bit digest of a state, kept incrementally: the sum (exclusive or) of a hash for each slot
/// and its value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, PartialOrd, Ord)]
pub struct Digest(u128);

const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

/// A mixing step with full avalanche (the finaliser of SplitMix64).
#[inline]
fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

impl Digest {
    /// A name for the thing called `word` within the thing named `self`: the digest of a slot, of a
    /// child process.
    #[inline]
    #[must_use]
    pub fn name(self, word: u64) -> Digest {
        let low = mix(self.0 as u64 ^ word.wrapping_mul(MULTIPLIER));
        let high = mix((self.0 >> 64) as u64 ^ word.wrapping_add(MULTIPLIER).rotate_left(32) ^ low);
        Digest(u128::from(low) | u128::from(high) << 64)
    }

    /// Adds a part of the state by its own digest; the same again takes it out.
    #[inline]
    pub fn combine(&mut self, part: Digest) {
        self.0 ^= part.0;
    }

    /// Adds the slot named `slot` with this value to the state's digest; the same again takes it
    /// out.
    #[inline]
    pub fn toggle(&mut self, slot: Digest, value: i64) {
        self.0 ^= slot.name(value as u64).0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn toggling_twice_restores() {
        let (x, y) = (Digest::default().name(1), Digest::default().name(2));
        let mut digest = Digest::default();
        digest.toggle(x, 5);
        let one = digest;
        digest.toggle(y, 5);
        assert_ne!(digest, one);
        digest.toggle(y, 5);
        assert_eq!(digest, one);
        digest.toggle(x, 5);
        assert_eq!(digest, Digest::default());
    }

    #[test]
    fn slots_and_values_do_not_trade_places() {
        let slot = |n| Digest::default().name(n);
        let mut seen = std::collections::HashSet::new();
        for a in 0..300 {
            for b in 0..300 {
                let mut digest = Digest::default();
                digest.toggle(slot(1), a);
                digest.toggle(slot(2), b);
                assert!(seen.insert(digest));
            }
        }
    }
}
