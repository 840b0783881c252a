//! Progress on stderr while an exploration runs: one line, which is rewritten on a terminal.

use std::io::IsTerminal;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use mazurka::{Estimate, Reading, Watcher};
use mazurka_explore::Monitor;
use mazurka_report::{counted, duration, grouped};

use crate::args::{Colour, Format, Progress};
use crate::terminal::{self, Terminal};

/// Nothing is shown for an exploration that is over by then.
const DELAY: Duration = Duration::from_millis(300);

/// Time between two lines on a terminal.
const PERIOD: Duration = Duration::from_millis(100);

/// Time between two lines elsewhere.
const SLOW_PERIOD: Duration = Duration::from_secs(1);

/// Fewer dives say nothing.
const FEWEST_DIVES: u64 = 30;

/// Estimates with a smaller error, relative to the estimate, are shown with what they promise.
const GOOD: f64 = 0.2;

/// Estimates with a larger error are not shown.
const USELESS: f64 = 1.0;

/// How progress is shown.
#[derive(Debug)]
pub(crate) struct Display {
    /// Rewrite one line.
    rewrites: bool,
    width: usize,
    shown: bool,
}

/// How progress is to be shown, if it is.
pub(crate) fn wanted(progress: Progress, format: Format) -> Option<Display> {
    let rewrites = std::io::stderr().is_terminal();
    let wanted = match progress {
        Progress::Auto => rewrites && format == Format::Human,
        Progress::Always => true,
        Progress::Never => false,
    };
    wanted.then(|| Display { rewrites, width: Terminal::of_stderr(Colour::Never).width, shown: false })
}

impl Watcher for Display {
    fn period(&self) -> Duration {
        if self.rewrites { PERIOD } else { SLOW_PERIOD }
    }

    fn see(&mut self, reading: &Reading) {
        self.print(&line(reading));
    }

    fn end(&mut self) {
        if self.shown && self.rewrites {
            terminal::print_error("\r\x1b[K");
        }
    }
}

/// Does the work, and shows meanwhile how many states it has seen.
pub(crate) fn counting_states<R>(display: Option<Display>, monitor: &Monitor, work: impl FnOnce() -> R) -> R {
    let Some(mut display) = display else { return work() };
    std::thread::scope(|scope| {
        // Dropped when the work is done, or panics: then the thread ends.
        let (_working, done) = mpsc::channel::<()>();
        scope.spawn(move || {
            let started = Instant::now();
            let mut period = DELAY;
            while done.recv_timeout(period) == Err(RecvTimeoutError::Timeout) {
                display.print(&count_line(monitor, started.elapsed()));
                period = display.period();
            }
            display.end();
        });
        work()
    })
}

fn count_line(monitor: &Monitor, elapsed: Duration) -> String {
    let read = |counter: &std::sync::atomic::AtomicU64| counter.load(Ordering::Relaxed);
    let states = read(&monitor.events);
    let rate = states as f64 / elapsed.as_secs_f64().max(0.001);
    let mut parts = vec![counted(states, "state"), format!("{}/s", grouped(rate as u64))];
    parts.push(format!("{} pruned", grouped(read(&monitor.blocked))));
    parts.push(format!("depth {}", grouped(read(&monitor.depth))));
    parts.push(format!("{:.1} s", elapsed.as_secs_f64()));
    parts.join(" · ")
}

impl Display {
    fn print(&mut self, line: &str) {
        if self.rewrites {
            // The last column stays free: some terminals go on to the next line when it is written.
            let cut: String = line.chars().take(self.width - 1).collect();
            terminal::print_error(&format!("\r{cut}\x1b[K"));
        } else {
            terminal::print_error(&format!("{line}\n"));
        }
        self.shown = true;
    }
}

/// The line that is shown.
fn line(reading: &Reading) -> String {
    let rate = reading.executions as f64 / reading.elapsed.as_secs_f64().max(0.001);
    let mut parts = vec![counted(reading.executions, "execution"), format!("{}/s", grouped(rate as u64))];
    if reading.blocked > 0 {
        parts.push(format!("{} blocked", grouped(reading.blocked)));
    }
    parts.push(format!("depth {}", grouped(reading.depth)));
    parts.push(format!("{:.1} s", reading.elapsed.as_secs_f64()));
    parts.push(outlook(reading, rate));
    parts.join(" · ")
}

/// How much there is to come, as far as that can be said.
fn outlook(reading: &Reading, rate: f64) -> String {
    let unclear = "total not clear yet".to_owned();
    let Some(Estimate { dives, mean, error }) = reading.estimate else { return unclear };
    let relative = error / mean;
    if dives < FEWEST_DIVES || !relative.is_finite() || relative > USELESS {
        return unclear;
    }
    let done = reading.executions as f64 / mean;
    // Dives that missed the large branches are all too small, and close to each other.
    if done > 1.0 {
        return unclear;
    }
    if relative > GOOD {
        return format!("perhaps ~{} in all, or more", rounded(mean));
    }
    // Where the dives do not differ, all executions have the same shape, and the estimate is exact.
    let margin = if relative > 0.0 { format!(" ± {:.0}%", (relative * 100.0).ceil()) } else { String::new() };
    let total = format!("{:.0}% of ~{}{margin}", (done * 100.0).floor(), rounded(mean));
    let left = (mean - reading.executions as f64) / rate;
    if rate < 1.0 || !left.is_finite() { total } else { format!("{total}, {} left", left_text(left)) }
}

/// The first three digits of a number, or its power of ten where it is large.
fn rounded(number: f64) -> String {
    if number >= 1e12 {
        let exponent = number.log10().floor();
        return format!("{:.1}·10^{exponent:.0}", number / 10f64.powf(exponent));
    }
    let unit = 10f64.powf((number.max(1.0).log10().floor() - 2.0).max(0.0));
    grouped(((number / unit).round() * unit) as u64)
}

/// A time to come, roughly.
fn left_text(seconds: f64) -> String {
    const DAY: f64 = 86_400.0;
    const YEAR: f64 = 365.0 * DAY;
    if seconds < 120.0 {
        format!("{:.0} s", seconds.ceil())
    } else if seconds < 2.0 * DAY {
        duration(Duration::from_secs_f64(seconds))
    } else if seconds < 2.0 * YEAR {
        format!("{:.0} days", seconds / DAY)
    } else {
        format!("{} years", rounded(seconds / YEAR))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(executions: u64, estimate: Option<(f64, f64)>) -> Reading {
        let estimate = estimate.map(|(mean, error)| Estimate { dives: 100, mean, error });
        Reading { executions, blocked: 0, depth: 9, elapsed: Duration::from_secs(2), estimate }
    }

    #[test]
    fn the_line_promises_no_more_than_is_known() {
        let line = |executions, estimate| line(&reading(executions, estimate));
        assert_eq!(line(4000, None), "4,000 executions · 2,000/s · depth 9 · 2.0 s · total not clear yet");
        assert!(line(10_000, Some((40_320.0, 1500.0))).ends_with("24% of ~40,300 ± 4%, 7 s left"));
        assert!(line(10_000, Some((40_320.0, 20_000.0))).ends_with("perhaps ~40,300 in all, or more"));
        assert!(line(10_000, Some((40_320.0, 80_000.0))).ends_with("total not clear yet"));
        assert!(line(50_000, Some((40_320.0, 1500.0))).ends_with("total not clear yet"));
        assert!(line(1000, Some((5e15, 1e14))).ends_with("0% of ~5.0·10^15 ± 2%, 317,000 years left"));
    }
}
