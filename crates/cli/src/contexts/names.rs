//! Contexts in words: `db1:[register, connect] worker1:[work]`.

use std::fmt::Write;

use mazurka_contexts::{BigUint, Location};

use super::tasks::Tasks;

/// Larger numbers are told as a power.
const MOST_DIGITS: usize = 38;

/// The locations with their tasks, in a line.
pub(super) fn context<'c>(tasks: &Tasks, locations: impl Iterator<Item = Location<'c>>, line: &mut String) {
    let (mut class, mut number) = (usize::MAX, 0);
    for location in locations {
        number = if location.class == class { number + 1 } else { 1 };
        class = location.class;
        let of = &tasks.0[class];
        let space = if line.is_empty() { "" } else { " " };
        let _ = write!(line, "{space}{}:[", object(&of.name, number));
        let mut comma = "";
        for (task, &many) in of.tasks.iter().zip(location.tasks) {
            for _ in 0..many {
                let _ = write!(line, "{comma}{}", task.name);
                comma = ", ";
            }
        }
        line.push(']');
    }
}

/// The name of an object: its class in lower case, and a number.
pub(super) fn object(class: &str, number: usize) -> String {
    format!("{}{number}", class.to_lowercase())
}

/// A number of any size.
pub(super) fn number(number: &BigUint) -> String {
    let digits = number.to_string();
    if digits.len() <= MOST_DIGITS {
        return digits;
    }
    format!("about {}.{} * 10^{}", &digits[..1], &digits[1..3], digits.len() - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_are_powers() {
        assert_eq!(number(&BigUint::from(10u32).pow(37)), format!("1{}", "0".repeat(37)));
        assert_eq!(number(&(BigUint::from(10u32).pow(38) * 123u32)), "about 1.23 * 10^40");
    }
}
