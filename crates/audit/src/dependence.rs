//! When two events are dependent, and the order that follows.

use mazurka_trace::{Access, AccessKind, Ending, Event};

/// Whether two events of one execution are dependent: their order matters.
///
/// - Events of one process are.
/// - The creation of a process and that process's events are.
/// - The events of a process and one that waited for its end are.
/// - An event that ends the whole execution and any other are.
/// - Two uses of one memory location are, unless both only read it.
/// - Any two uses of one mutex are.
pub fn dependent(a: &Event, b: &Event) -> bool {
    dependent_by_cause(a, b) || a.accesses.iter().any(|mine| b.accesses.iter().any(|other| conflict(mine, other)))
}

/// Whether two events are dependent whatever they use.
pub(crate) fn dependent_by_cause(a: &Event, b: &Event) -> bool {
    a.process == b.process
        || a.spawned.contains(&b.process)
        || b.spawned.contains(&a.process)
        || a.joined.contains(&b.process)
        || b.joined.contains(&a.process)
        || ends_execution(a)
        || ends_execution(b)
}

pub(crate) fn conflict(a: &Access, b: &Access) -> bool {
    a.location == b.location && !(a.kind == AccessKind::Read && b.kind == AccessKind::Read)
}

fn ends_execution(event: &Event) -> bool {
    matches!(event.ending, Ending::Halts | Ending::OutOfFuel)
        || event.accesses.iter().any(|access| access.kind == AccessKind::Halt)
}

/// The happens-before order of an execution: entry `[a][b]` tells whether event `a` happens before
/// event `b`.
///
/// It is the transitive closure of dependence in the order of the execution, computed as just that,
/// in cubic time.
pub fn happens_before(events: &[Event]) -> Vec<Vec<bool>> {
    let count = events.len();
    let mut before = vec![vec![false; count]; count];
    for a in 0..count {
        for b in a + 1..count {
            before[a][b] = dependent(&events[a], &events[b]);
        }
    }
    for middle in 0..count {
        for a in 0..middle {
            for b in middle + 1..count {
                before[a][b] |= before[a][middle] && before[middle][b];
            }
        }
    }
    before
}

#[cfg(test)]
mod tests {
    use super::*;
    use mazurka_trace::{LocationId, ProcessId};

    fn event(process: usize, accesses: &[(usize, AccessKind)]) -> Event {
        let access = |&(location, kind)| Access { location: LocationId::new(location), kind, before: 0, after: 0 };
        Event { process: ProcessId::new(process), accesses: accesses.iter().map(access).collect(), ..Event::default() }
    }

    #[test]
    fn memory_conflicts_unless_both_read() {
        use AccessKind::{Read, Update, Write};
        for (a, b, expected) in [(Read, Read, false), (Read, Write, true), (Write, Write, true), (Update, Read, true)] {
            assert_eq!(dependent(&event(0, &[(7, a)]), &event(1, &[(7, b)])), expected, "{a:?} {b:?}");
            assert!(!dependent(&event(0, &[(7, a)]), &event(1, &[(8, b)])), "different places");
            assert!(dependent(&event(0, &[(7, a)]), &event(0, &[(8, b)])), "one process");
        }
    }

    #[test]
    fn mutexes_creation_and_endings() {
        use AccessKind::{Acquire, Cycle, Halt, Release};
        for a in [Acquire, Release, Cycle] {
            for b in [Acquire, Release, Cycle] {
                assert!(dependent(&event(0, &[(1, a)]), &event(1, &[(1, b)])));
                assert!(!dependent(&event(0, &[(1, a)]), &event(1, &[(2, b)])));
            }
        }
        let parent = Event { spawned: vec![ProcessId::new(1)], ..event(0, &[]) };
        assert!(dependent(&parent, &event(1, &[])) && dependent(&event(1, &[]), &parent));
        assert!(!dependent(&parent, &event(2, &[])));
        let joiner = Event { joined: vec![ProcessId::new(1)], ..event(0, &[]) };
        assert!(dependent(&event(1, &[]), &joiner) && !dependent(&event(2, &[]), &joiner));
        assert!(dependent(&event(0, &[(1, Halt)]), &event(1, &[])));
        assert!(dependent(&event(0, &[]), &Event { ending: Ending::Halts, ..event(1, &[]) }));
        assert!(!dependent(&event(0, &[]), &Event { ending: Ending::Discards, ..event(1, &[]) }));
    }

    #[test]
    fn the_order_is_transitive_and_nothing_more() {
        use AccessKind::{Read, Write};
        // P0 writes 0; P1 reads 0 and writes 1; P2 reads 1; P3 reads 2.
        let events = [
            event(0, &[(0, Write)]),
            event(1, &[(0, Read), (1, Write)]),
            event(3, &[(2, Read)]),
            event(2, &[(1, Read)]),
        ];
        let before = happens_before(&events);
        assert!(before[0][1] && before[1][3] && before[0][3]);
        assert!(!before[0][2] && !before[2][3] && !before[3][0]);
    }
}
