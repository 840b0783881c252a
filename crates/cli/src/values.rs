//! The values of options: numbers, times, ranges.

use std::time::Duration;

/// `LO..HI`, both ends included.
pub(crate) fn range(text: &str) -> Result<(i64, i64), String> {
    let expected = || "expected two whole numbers, such as 0..3 or -1..1".to_owned();
    let (low, high) = text.split_once("..").ok_or_else(expected)?;
    let number = |text: &str| text.trim().parse::<i64>().map_err(|_| expected());
    let (low, high) = (number(low)?, number(high.trim_start_matches('='))?);
    if low > high {
        return Err(format!("there is no number from {low} to {high}"));
    }
    Ok((low, high))
}

/// A number of seconds, with or without a fraction.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "expected a number of seconds, such as 60 or 0.5".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|_| "expected a number of seconds that is not negative".to_owned())
}

/// A number; `1_000_000` is fine.
pub(crate) fn count(text: &str) -> Result<u64, String> {
    text.replace('_', "").parse().map_err(|_| "expected a whole number, such as 1000 or 1_000_000".to_owned())
}

/// A number of rounds: at least one.
pub(crate) fn rounds(text: &str) -> Result<u64, String> {
    match count(text)? {
        0 => Err("a loop has at least one round".to_owned()),
        rounds => Ok(rounds),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges() {
        assert_eq!(range("0..3"), Ok((0, 3)));
        assert_eq!(range("-1..=1"), Ok((-1, 1)));
        for wrong in ["", "3", "3..1", "a..b", "1...", ".."] {
            assert!(range(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn numbers() {
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        assert!(seconds("-1").is_err() && seconds("nan").is_err() && seconds("soon").is_err());
        assert_eq!(count("1_000"), Ok(1000));
        assert!(count("-1").is_err());
    }
}
