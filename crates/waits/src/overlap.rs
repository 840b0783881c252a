//! Which waits can be at the same time, by who creates whom and who has been joined.

use crate::held::{Behaviour, Wait};
use crate::mutation::{self, Mutation};
use crate::skeleton::{Skeleton, ThreadId};

/// Whether two waits, of different threads or of two with one description, can be at the same
/// time.
pub fn can_overlap(skeleton: &Skeleton, behaviour: &Behaviour, one: &Wait, other: &Wait) -> bool {
    let (first, second) = (one.thread, other.thread);
    if first == second {
        return behaviour.many.contains(&first);
    }
    // Where somebody in common exists several times, the two can come from different ones.
    let shared = skeleton.origins(first).filter(|&thread| skeleton.is_origin(thread, second));
    let mut shared = shared.filter(|thread| behaviour.many.contains(thread));
    if shared.next().is_some() {
        return true;
    }
    let is_family = skeleton.is_origin(first, second) || skeleton.is_origin(second, first);
    if is_family && mutation::on(Mutation::CreatedLater) {
        return false;
    }
    if skeleton.is_origin(first, second) {
        return one.alive.contains(&second);
    }
    if skeleton.is_origin(second, first) {
        return other.alive.contains(&first);
    }
    let is_together = |one: ThreadId, other: ThreadId| behaviour.together.contains(&(one, other));
    let have_one_origin = skeleton.origins(first).any(|thread| skeleton.is_origin(thread, second));
    !have_one_origin || is_together(first, second) || is_together(second, first)
}
