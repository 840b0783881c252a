//! Bounded model checking: a violation within so many steps, searched for by a solver over all
//! schedules and all data at once.
//!
//! *Paper.* C. Wang, Z. Yang, V. Kahlon, A. Gupta, "Peephole Partial Order Reduction", TACAS 2008:
//! the encoding of Section 3.1, the guarded independence relation of Section 2.2, the peephole
//! constraints of Section 3.2, and both encodings of Section 4 that make them fewer.
//!
//! *Guarantee.* A violation that is reported happens: it was run on the machine. `verified` is said
//! only where no execution has more steps than were looked at, no loop was cut and no process left
//! out. The constraints leave out only schedules that swapping neighbours turns into one that is
//! left in (Theorem 1); for two processes one of each class is left (Theorem 2).
//!
//! *Names.* `sel` → `unroll`'s `selected`; `pc_i = loc` → `frame`'s `at`; `c_G` → the negation of
//! `independence::dependent`; `trans_i^C` → the steps that are not free, in `peephole`.
//!
//! *Deviations.* (1) `sel` and the program counters are truth values, one for each process and
//! place, and so is every integer with few values (`domain`). (2) A place has one step, branches
//! and all; what the paper writes as several guarded transitions is in its conditions. (3) The
//! antecedent says where both processes are, not that both are enabled: a step that is taken next
//! to one that it is independent of was enabled before it, too. (4) A step that is free of
//! dependences with the other process is ordered against all its steps, also those that are not
//! free; Section 4 leaves those pairs out. (5) Local code with a data choice is taken before all
//! else, as by the machine; other local code is no step (`rest`). It stands between steps that the
//! paper sees as neighbours, so Theorem 2 does not speak of programs that have such choices. (6) A
//! frame's violations are requested before the step from it, so depths are looked at one after the
//! other with one solver. (7) States of a process are told apart by the values of its variables, so
//! `static` knows indices that the paper's does not. (8) Guards of rule 4 are told value by value
//! where values are few, and say nothing where the steps are not taken one after the other anyway
//! (`cases`). (9) A constraint names the places where a process is not, rather than those where it
//! is, which makes it one clause (`peephole`). (10) Beyond the paper: guards that a solver finds
//! (`guards`), and schedules of which one is left for each trace (`monotonic`).
//!
//! *Cost.* Terms in the square of the places of two processes for each frame, and whatever the
//! solver takes.
//!
//! *Tests.* `testkit/tests/bmc.rs`: agreement with brute force under every reduction, Theorem 2 by
//! enumeration, `corpus/bounded`; `cargo xtask fuzz --bmc` for as long as you like.

mod domain;
mod enumerate;
mod frame;
mod guards;
mod independence;
mod monotonic;
mod options;
mod peephole;
mod prune;
mod replay;
mod rest;
mod rewrite;
mod search;
mod template;
mod unroll;

pub use enumerate::schedules;
pub use options::{Cutoff, DepthStatistics, Encoding, Error, Options, Reduction, Report};
pub use search::check;
