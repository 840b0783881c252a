//! Contexts against their definition, and the paper's figures.

use std::collections::BTreeSet;

use mazurka_contexts::{BigUint, Class, Contexts, Interval, Location, count, count_of_class, embeds};

fn class(intervals: &[(u8, u8)]) -> Class {
    intervals.iter().map(|&(least, most)| Interval::new(least, most).expect("an interval")).collect()
}

/// The locations of a context, in an order that does not matter.
type Plain = Vec<(usize, Vec<u8>)>;

fn generated(classes: &[Class]) -> Vec<Plain> {
    let mut contexts = Contexts::new(classes);
    let mut all = Vec::new();
    while contexts.advance() {
        all.push(contexts.locations().map(|Location { class, tasks }| (class, tasks.to_vec())).collect());
    }
    assert!(!contexts.advance(), "a stream that has ended stays so");
    all
}

fn sorted(context: &Plain) -> Plain {
    let mut context = context.clone();
    context.sort();
    context
}

/// Definition 1: names for as many locations as there can be tasks, and a number for each name and
/// method. Definition 2: names do not matter. Without the context that has no location.
fn by_definition(classes: &[Class]) -> (usize, BTreeSet<Plain>) {
    let mut solutions = vec![Plain::new()];
    for (number, class) in classes.iter().enumerate() {
        let names: usize = class.iter().map(|interval| usize::from(interval.most)).sum();
        let mut own: Vec<Vec<Vec<u8>>> = vec![vec![vec![0; class.len()]; names]];
        for (method, interval) in class.iter().enumerate() {
            own = own.iter().flat_map(|context| spread(context, method, interval)).collect();
        }
        let joined = solutions.iter().flat_map(|context| {
            own.iter().map(move |more| {
                let locations = more.iter().filter(|tasks| tasks.iter().any(|&many| many > 0));
                context.iter().cloned().chain(locations.map(|tasks| (number, tasks.clone()))).collect::<Plain>()
            })
        });
        solutions = joined.collect();
    }
    (solutions.len(), solutions.iter().filter(|one| !one.is_empty()).map(sorted).collect())
}

/// All ways to put tasks of a method into named locations.
fn spread(context: &[Vec<u8>], method: usize, interval: &Interval) -> Vec<Vec<Vec<u8>>> {
    let mut partial = vec![(context.to_vec(), 0u8)];
    for name in 0..context.len() {
        partial = partial
            .iter()
            .flat_map(|(context, used)| {
                (0..=interval.most - used).map(move |many| {
                    let mut next = context.clone();
                    next[name][method] = many;
                    (next, used + many)
                })
            })
            .collect();
    }
    partial.into_iter().filter(|(_, used)| *used >= interval.least).map(|(context, _)| context).collect()
}

#[test]
fn the_examples_of_the_paper() {
    assert_eq!(generated(&[class(&[(1, 1), (0, 1)])]).len(), 3);
    let (solutions, distinct) = by_definition(&[class(&[(0, 1), (1, 1)])]);
    assert_eq!((solutions, distinct.len()), (6, 3));
    let both = [class(&[(1, 1), (1, 1)]), class(&[(1, 1)])];
    assert_eq!(
        generated(&both),
        [vec![(0, vec![1, 1]), (1, vec![1])], vec![(0, vec![1, 0]), (0, vec![0, 1]), (1, vec![1])],]
    );
}

#[test]
fn every_context_of_the_definition_is_generated_once() {
    let intervals = [(0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2), (2, 3)];
    let mut looked_at = 0;
    let mut check = |classes: &[Class]| {
        let all = generated(classes);
        let distinct: BTreeSet<Plain> = all.iter().map(sorted).collect();
        assert_eq!(distinct.len(), all.len(), "{classes:?}: one was generated twice");
        assert_eq!(distinct, by_definition(classes).1, "{classes:?}");
        let empty = usize::from(classes.iter().flatten().all(|interval| interval.least == 0));
        assert_eq!(count(classes), Some(BigUint::from(all.len() + empty)), "{classes:?}");
        let sizes =
            all.iter().map(|one| (one.iter().flat_map(|(_, tasks)| tasks).map(|&n| u32::from(n)).sum(), one.len()));
        let sizes: Vec<(u32, usize)> = sizes.collect();
        assert!(sizes.is_sorted(), "{classes:?}: small ones come first");
        looked_at += 1;
    };
    for &one in &intervals {
        check(&[class(&[one])]);
        for &two in &intervals {
            check(&[class(&[one, two])]);
            check(&[class(&[one]), class(&[two])]);
            for &three in &intervals[..5] {
                check(&[class(&[one]), class(&[two]), class(&[three])]);
                check(&[class(&[three, one]), class(&[two])]);
                if one.1 + two.1 + three.1 <= 5 {
                    check(&[class(&[one, two, three])]);
                }
            }
        }
    }
    assert!(looked_at > 400, "{looked_at}");
    assert!(generated(&[]).is_empty());
}

#[test]
fn the_counts_of_one_class() {
    let table: [(usize, [u32; 3]); 4] =
        [(1, [1, 3, 6]), (2, [2, 19, 96]), (3, [5, 182, 2881]), (4, [15, 2419, 142_311])];
    for (methods, counts) in table {
        for (most, expected) in (1..).zip(counts) {
            let class = class(&vec![(1, most); methods]);
            assert_eq!(count_of_class(&class), Some(BigUint::from(expected)));
            let mut contexts = Contexts::new(&[class]);
            let mut generated = 0;
            while contexts.advance() {
                generated += 1;
            }
            assert_eq!(generated, expected);
        }
    }
    let with_empty = [1, 2, 3].map(|most| count_of_class(&class(&[(0, most), (0, most)])));
    assert_eq!(with_empty, [5u32, 26, 109].map(|expected| Some(BigUint::from(expected))));
}

/// The column Syst of Table 1, with the true values where the paper's tool ran out of time.
#[test]
fn all_contexts_of_the_benchmarks() {
    let of = |methods: &[usize], most: u8| -> BigUint {
        let classes: Vec<Class> = methods.iter().map(|&methods| class(&vec![(1, most); methods])).collect();
        count(&classes).expect("few vectors")
    };
    let table: [(&[usize], [u64; 3]); 5] = [
        (&[4, 2], [30, 45_961, 13_661_856]),
        (&[2, 2, 2], [8, 6859, 884_736]),
        (&[4], [15, 2419, 142_311]),
        (&[4, 4, 4], [3375, 14_154_926_059, 142_311 * 142_311 * 142_311]),
        (&[2, 1], [2, 57, 576]),
    ];
    for (methods, counts) in table {
        for (most, expected) in (1..).zip(counts) {
            assert_eq!(of(methods, most), BigUint::from(expected), "{methods:?} {most}");
        }
    }
}

#[test]
fn numbers_of_any_size_and_a_bound_on_the_work() {
    // The partitions of the number 64.
    let one = count_of_class(&class(&[(64, 64)]));
    assert_eq!(one, Some(BigUint::from(1_741_630u32)));
    let many = vec![class(&[(1, 9), (1, 9), (1, 9)]); 12];
    let product = count(&many).expect("a thousand vectors");
    let one = count_of_class(&many[0]).expect("a thousand vectors");
    assert_eq!(product, one.pow(12));
    assert!(product > BigUint::from(u128::MAX));
    assert_eq!(count_of_class(&class(&[(0, 64), (0, 64), (0, 64)])), None);
}

/// Embedding is a matching: against trying all of them.
#[test]
fn embedding_is_a_matching() {
    fn by_trying(small: &[Location<'_>], large: &[Location<'_>]) -> bool {
        let Some((first, others)) = small.split_first() else { return true };
        (0..large.len()).any(|at| {
            let mut rest = large.to_vec();
            let taken = rest.remove(at);
            let is_within = first.tasks.iter().zip(taken.tasks).all(|(few, many)| few <= many);
            first.class == taken.class && is_within && by_trying(others, &rest)
        })
    }
    let all = generated(&[class(&[(0, 2), (0, 2)]), class(&[(0, 1)])]);
    let views: Vec<Vec<Location<'_>>> =
        all.iter().map(|one| one.iter().map(|(class, tasks)| Location { class: *class, tasks }).collect()).collect();
    let mut found = [0, 0];
    for small in &views {
        for large in &views {
            let expected = by_trying(small, large);
            assert_eq!(embeds(small, large), expected, "{small:?} {large:?}");
            found[usize::from(expected)] += 1;
        }
    }
    assert!(found.iter().all(|&many| many > 400), "{found:?}");
}
