//! Wakeup trees: the engines whose nodes hold the sequences that are to be explored from them.
//!
//! # Paper
//! Abdulla, Aronis, Jonsson, Sagonas, *Optimal dynamic partial order reduction*, POPL 2014,
//! Algorithm 2, in the formulation with sleep sets; Albert and others, *Optimal context-sensitive
//! dynamic partial order reduction with observers*, JSS 2023.
//!
//! - [`wakeups`]: `optimal`, `observers`. What a tree holds is explored to its end.
//! - [`pruned`]: `optimal-cs`, `optimal-cs-observers`, `optimal-constrained`,
//!   `optimal-constrained-observers`. What leads to a state that was reached is left out.
//! - [`cones`]: `optimal`, by several workers.
//!
//! They share the [`tree`], the [`sequence`]s in it, and the sleep sets; which events are ordered
//! is the [order](crate::order)'s. They differ in what an explored step stands for: all that
//! commutes with it, or only what it is part of.
//!
//! # Names
//! *wut(E)* is the forest that begins at a node's branch, see [`tree`]; *sleep(E)* is
//! [`Sleep`](crate::sleep::Sleep); *v = notdep(e, E).e'* is [`sequence::Sequence`]; *WI(v)* is
//! [`sequence::Sequence::weak_initial`]; *pre(E, e)* is node number `e`; *dnd(E)* is
//! `Contextual::dont`.
//!
//! # Cost
//! A race costs the length of the execution after its first event, times the sleepers and branches
//! that the sequence is compared with (mostly decided by the first comparison). Trees live in one
//! pool with a free list.
//!
//! # Tests
//! Random programs, corpus, mutations: crate `testkit`.

pub(crate) mod cones;
pub(crate) mod pruned;
mod sequence;
mod tree;
pub(crate) mod wakeups;
