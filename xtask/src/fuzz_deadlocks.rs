//! `cargo xtask fuzz --deadlocks`: random ABS programs that wait in circles. The analysis of
//! deadlocks, and the explorations that it guides, against brute force.

use std::time::{Duration, Instant};

use mazurka_testkit::actor::{Waits, fuzz_deadlocks};

use crate::fuzz::save_as;
use crate::shell::Result;

/// Which programs.
pub(crate) struct Campaign {
    pub(crate) first: u64,
    pub(crate) count: u64,
    pub(crate) deadline: Option<Instant>,
    /// It goes on until so many programs disagree.
    pub(crate) allowed: usize,
}

/// How it goes.
#[derive(Default)]
struct Tally {
    agreed: u64,
    too_large: u64,
    /// With cycles of the analysis.
    cyclic: u64,
    /// With cycles, all of them discharged.
    discharged: u64,
    /// With a circle of waits in some state.
    deadlocking: u64,
    /// With cycles that are left, and no circle of waits.
    refuted: u64,
    failures: usize,
}

impl Tally {
    fn add(&mut self, waits: &Waits) {
        let is_open = waits.discharged < waits.cycles;
        self.agreed += 1;
        self.cyclic += u64::from(waits.cycles > 0);
        self.discharged += u64::from(waits.cycles > 0 && !is_open);
        self.deadlocking += u64::from(waits.circles > 0);
        self.refuted += u64::from(is_open && waits.circles == 0);
    }

    fn line(&self, campaign: &Campaign, start: Instant) -> String {
        let Tally { agreed, too_large, cyclic, discharged, deadlocking, refuted, failures } = self;
        let seconds = start.elapsed().as_secs_f64();
        format!(
            "seed {}, {agreed} programs agree ({cyclic} have cycles, {discharged} of them all discharged; \
             {deadlocking} deadlock; {refuted} refuted by exploring), {too_large} skipped as too large, \
             {failures} disagree, {seconds:.1} s ({:.0} programs/s)",
            campaign.first,
            (agreed + too_large) as f64 / seconds,
        )
    }
}

pub(crate) fn run(campaign: &Campaign) -> Result {
    let (mut tally, start) = (Tally::default(), Instant::now());
    let mut last = start;
    // A panic is caught, made small and reported as a disagreement.
    std::panic::set_hook(Box::new(|_| {}));
    for number in 0..campaign.count {
        let is_late = campaign.deadline.is_some_and(|deadline| Instant::now() > deadline);
        if is_late || tally.failures >= campaign.allowed {
            break;
        }
        match fuzz_deadlocks(campaign.first.wrapping_add(number)) {
            Ok(Some(waits)) => tally.add(&waits),
            Ok(None) => tally.too_large += 1,
            Err(failure) => {
                println!("{failure}");
                let file = save_as(&format!("deadlocks-{}.abs", failure.seed), &failure.to_string())?;
                println!("the program, made small, is in {file}");
                tally.failures += 1;
            }
        }
        if last.elapsed() > Duration::from_secs(10) {
            last = Instant::now();
            eprintln!("{}", tally.line(campaign, start));
        }
    }
    let _ = std::panic::take_hook();
    println!("{}", tally.line(campaign, start));
    if tally.failures == 0 { Ok(()) } else { Err(format!("{} programs disagree", tally.failures)) }
}
