//! Multisets of which each element is a term, or several.

use crate::term::{Arena, Term};

/// That the elements of two multisets of the same size can be matched. `equal` says when the
/// element of one, and that of the other, are the same.
///
/// Costs the factorial of the size.
pub fn matched(arena: &mut Arena, count: usize, mut equal: impl FnMut(&mut Arena, usize, usize) -> Term) -> Term {
    let mut same = Vec::new();
    for one in 0..count {
        same.push((0..count).map(|other| equal(arena, one, other)).collect::<Vec<Term>>());
    }
    let way = |arena: &mut Arena, order: &[usize]| {
        let pairs: Vec<Term> = order.iter().enumerate().map(|(one, &other)| same[one][other]).collect();
        arena.and(&pairs)
    };
    // Each way to match them, one after the other (Heap's algorithm).
    let (mut order, mut stack, mut at) = ((0..count).collect::<Vec<usize>>(), vec![0; count], 0);
    let mut ways = vec![way(arena, &order)];
    while at < count {
        if stack[at] < at {
            order.swap(if at % 2 == 0 { 0 } else { stack[at] }, at);
            ways.push(way(arena, &order));
            stack[at] += 1;
            at = 0;
        } else {
            stack[at] = 0;
            at += 1;
        }
    }
    arena.or(&ways)
}
