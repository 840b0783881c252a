//! Numbers, durations and sentences.

use std::time::Duration;

/// A number with its digits in groups of three: `40,320`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of things: `1 execution`, `40,320 executions`.
pub fn counted(number: u64, thing: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {thing}{plural}", grouped(number))
}

/// A duration for people: `0.4 ms`, `12 ms`, `5 s`, `2.5 s`, `3 min 20 s`, `4 h 10 min`.
pub fn duration(duration: Duration) -> String {
    let seconds = duration.as_secs_f64();
    if seconds < 0.000_95 {
        format!("{:.0} µs", seconds * 1e6)
    } else if seconds < 0.0095 {
        format!("{:.1} ms", seconds * 1e3)
    } else if seconds < 0.9995 {
        format!("{:.0} ms", seconds * 1e3)
    } else if seconds < 119.95 {
        format!("{seconds:.1} s").replace(".0 s", " s")
    } else {
        let whole = seconds.round() as u64;
        match (whole / 3600, whole / 60 % 60, whole % 60) {
            (0, minutes, seconds) => format!("{minutes} min {seconds} s"),
            (hours, minutes, _) => format!("{hours} h {minutes} min"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(["0", "999", "1,000", "40,320", "3,628,800"], [0, 999, 1000, 40_320, 3_628_800].map(grouped)[..]);
        assert_eq!(counted(1, "execution"), "1 execution");
        assert_eq!(counted(0, "execution"), "0 executions");
    }

    #[test]
    fn durations_read_well() {
        let text = |seconds| duration(Duration::from_secs_f64(seconds));
        assert_eq!(text(0.000_04), "40 µs");
        assert_eq!(text(0.0042), "4.2 ms");
        assert_eq!(text(0.25), "250 ms");
        assert_eq!(text(5.0), "5 s");
        assert_eq!(text(2.54), "2.5 s");
        assert_eq!(text(200.0), "3 min 20 s");
        assert_eq!(text(15_000.0), "4 h 10 min");
    }
}
