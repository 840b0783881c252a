//! The results, for people to read and to commit.

use std::fmt::Write;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use super::suite::{Measure, PROMISES, PROMISING, Promise, Results, SUITE};
use crate::shell::{self, root};

/// The promises that do not hold.
pub(super) fn broken_promises(results: &Results) -> Vec<String> {
    let mut broken = Vec::new();
    for case in SUITE {
        let result = results.get(&(case.program, case.definitions, case.algorithm));
        let instructions = result.and_then(|result| result.instructions);
        if let (Some(instructions), Some(allowed)) = (instructions, case.allowed) {
            let each = instructions / case.executions;
            if each > allowed {
                broken.push(format!(
                    "{} {}: {each} instructions for each execution, not {allowed}",
                    case.program, case.algorithm
                ));
            }
        }
    }
    for (promise, algorithm, ratio) in ratios(results) {
        if ratio > promise.factor {
            broken.push(format!(
                "{algorithm}: not kept: {} (factor {ratio:.2}, not {:.2})",
                promise.what, promise.factor
            ));
        }
    }
    broken
}

/// For each promise and algorithm, how many times the small measurement the large one is.
fn ratios(results: &Results) -> Vec<(&'static Promise, &'static str, f64)> {
    let mut ratios = Vec::new();
    for promise in PROMISES {
        for algorithm in PROMISING {
            let value = |(program, definitions)| {
                let result = results.get(&(program, definitions, algorithm))?;
                match promise.measure {
                    Measure::InstructionsPerExecution => Some(result.instructions? as f64 / result.executions as f64),
                    Measure::Instructions => Some(result.instructions? as f64),
                    Measure::PeakMemory => Some(result.peak_memory as f64),
                }
            };
            if let (Some(small), Some(large)) = (value(promise.small), value(promise.large)) {
                ratios.push((promise, algorithm, large / small));
            }
        }
    }
    ratios
}

/// Writes `bench/results/speed.md`.
pub(super) fn write(results: &Results) -> shell::Result<PathBuf> {
    let folder = root().join("bench/results");
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let date = today();
    let file = folder.join("speed.md");
    std::fs::write(&file, text(results, &date)).map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(file)
}

fn text(results: &Results, date: &str) -> String {
    let mut text = format!("# Speed suite, {date}\n\n`cargo xtask bench` on {}, {}.\n", processor(), compiler());
    text += "\nInstructions are counted by callgrind, from the start of the program to its end, and divided by the number of\n";
    text += "complete executions; the time is that of the exploration, the memory the peak of the whole process.\n\n";
    text += "| program | constants | algorithm | executions | instructions | per execution | time | ns per execution | peak memory |\n";
    text += "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |\n";
    for case in SUITE {
        let Some(result) = results.get(&(case.program, case.definitions, case.algorithm)) else { continue };
        let name = case.program.rsplit('/').next().unwrap_or(case.program);
        let instructions = result.instructions.map_or("".into(), |count| count.to_string());
        let each = result.instructions.map_or("".into(), |count| (count / result.executions).to_string());
        let nanoseconds = result.seconds * 1e9 / result.executions as f64;
        let megabytes = result.peak_memory as f64 / f64::from(1 << 20);
        let _ = writeln!(
            text,
            "| {name} | {} | {} | {} | {instructions} | {each} | {:.3} s | {nanoseconds:.0} | {megabytes:.1} MiB |",
            case.definitions, case.algorithm, result.executions, result.seconds,
        );
    }
    text += "\n| promise | algorithm | measured | allowed |\n| --- | --- | ---: | ---: |\n";
    for (promise, algorithm, ratio) in ratios(results) {
        let _ = writeln!(text, "| {} | {algorithm} | {ratio:.2} | {:.2} |", promise.what, promise.factor);
    }
    text
}

/// The processor, in words.
pub(crate) fn processor() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = info.lines().find_map(|line| line.strip_prefix("model name")?.split(':').nth(1));
    let count = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{} ({count} processors)", name.map_or("an unknown processor", str::trim))
}

fn compiler() -> String {
    let output = std::process::Command::new("rustc").arg("--version").output();
    output.map_or_else(|_| "rustc".into(), |output| String::from_utf8_lossy(&output.stdout).trim().to_string())
}

/// Today's date, by the calendar of Gregory (Hinnant's algorithm for days since 1970).
pub(crate) fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |passed| passed.as_secs());
    date(seconds / 86_400)
}

fn date(days_since_1970: u64) -> String {
    let days = days_since_1970 + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    #[test]
    fn days_are_dates() {
        assert_eq!(super::date(0), "1970-01-01");
        assert_eq!(super::date(11_016), "2000-02-29");
        assert_eq!(super::date(20_772), "2026-11-15");
    }
}
