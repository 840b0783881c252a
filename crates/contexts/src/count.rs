//! Counting contexts without generating them.
//!
//! The contexts of a class with given totals are the partitions of a vector into non-zero vectors,
//! one for each location. Their numbers have the generating function `∏ 1/(1 - x^w)` over all
//! non-zero vectors `w`. Multiplying by one factor after the other is one pass over the table each.

use num_bigint::BigUint;

use crate::{Class, Interval};

/// So many vectors of a class are counted with: the time is the square of their number.
pub const MOST_VECTORS: usize = 20_000;

/// How many contexts there are: the product over the classes. None if a class has more than
/// [`MOST_VECTORS`] vectors.
pub fn count(classes: &[Class]) -> Option<BigUint> {
    let mut product = BigUint::from(1u32);
    for class in classes {
        product *= count_of_class(class)?;
    }
    Some(product)
}

/// How many contexts of one class there are. No location at all is one of them, if that is allowed.
pub fn count_of_class(class: &[Interval]) -> Option<BigUint> {
    let sizes = class.iter().map(|interval| usize::from(interval.most) + 1);
    let total = sizes.clone().try_fold(1usize, usize::checked_mul).filter(|&total| total <= MOST_VECTORS)?;
    let vectors: Vec<Vec<u8>> = vectors(class, total);
    let strides = strides(class);
    let small = partitions(&vectors, &strides, |sum: &mut u128, more| match sum.checked_add(*more) {
        Some(next) => {
            *sum = next;
            true
        }
        None => false,
    });
    let is_meant = |vector: &[u8]| vector.iter().zip(class).all(|(&number, interval)| number >= interval.least);
    let meant = (0..total).filter(|&at| is_meant(&vectors[at]));
    if let Some(table) = small {
        return Some(meant.map(|at| BigUint::from(table[at])).sum());
    }
    let large = partitions(&vectors, &strides, |sum: &mut BigUint, more| {
        *sum += more;
        true
    })?;
    Some(meant.map(|at| &large[at]).sum())
}

/// All vectors up to the largest totals, in the order of their indices.
fn vectors(class: &[Interval], total: usize) -> Vec<Vec<u8>> {
    let mut next = vec![0u8; class.len()];
    let mut all = Vec::with_capacity(total);
    for _ in 0..total {
        all.push(next.clone());
        for (number, interval) in next.iter_mut().zip(class).rev() {
            if *number < interval.most {
                *number += 1;
                break;
            }
            *number = 0;
        }
    }
    all
}

/// How much each method's number adds to the index of a vector.
fn strides(class: &[Interval]) -> Vec<usize> {
    let mut strides = vec![1; class.len()];
    for method in (1..class.len()).rev() {
        strides[method - 1] = strides[method] * (usize::from(class[method].most) + 1);
    }
    strides
}

/// For each vector, into how many collections of non-zero vectors it can be divided. None if a
/// number does not fit.
fn partitions<N: Clone + From<u8>>(
    vectors: &[Vec<u8>],
    strides: &[usize],
    add: impl Fn(&mut N, &N) -> bool,
) -> Option<Vec<N>> {
    let mut table = vec![N::from(0); vectors.len()];
    table[0] = N::from(1);
    for part in 1..vectors.len() {
        // In ascending order, so that a part can be taken several times.
        for whole in part..vectors.len() {
            let has_part = vectors[part].iter().zip(&vectors[whole]).all(|(part, whole)| part <= whole);
            if has_part {
                let rest: usize = strides
                    .iter()
                    .zip(vectors[part].iter().zip(&vectors[whole]))
                    .map(|(stride, (part, whole))| stride * usize::from(whole - part))
                    .sum();
                let more = table[rest].clone();
                if !add(&mut table[whole], &more) {
                    return None;
                }
            }
        }
    }
    Some(table)
}
