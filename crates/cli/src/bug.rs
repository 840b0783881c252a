//! Our own bugs: a panic becomes a message that says what to report.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::panic::PanicHookInfo;

use crate::terminal;

/// Lets panics say what to report instead of showing a backtrace alone.
pub(crate) fn install_hook() {
    std::panic::set_hook(Box::new(|panic| terminal::print_error(&message(panic))));
}

fn message(panic: &PanicHookInfo<'_>) -> String {
    let payload = panic.payload();
    let words = payload.downcast_ref::<&str>().copied();
    let words = words.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("(no message)");
    let place = panic.location().map_or_else(|| "(unknown)".to_owned(), ToString::to_string);
    let command: Vec<String> = std::env::args_os().map(|word| quoted(&word.to_string_lossy())).collect();
    let trusts = std::env::args_os().any(|word| word == "--trust");
    let or_else = if trusts { ", unless a constraint that it was told to trust is wrong" } else { "" };
    let mut text = format!(
        "\nThis is a bug in Mazurka, not in your program{or_else}. There is no verdict.\n\
         Please report it with the lines below and, if you can, the program:\n\n  \
         version  mazurka {}\n  command  {}\n  panic    {words}\n  place    {place}\n",
        env!("CARGO_PKG_VERSION"),
        command.join(" "),
    );
    let backtrace = Backtrace::capture();
    if backtrace.status() == BacktraceStatus::Captured {
        text.push_str(&format!("\n{backtrace}"));
    } else {
        text.push_str("\nWith RUST_BACKTRACE=1 the message shows where it came from.\n");
    }
    text
}

/// A word of the command line as a shell would need it.
fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_alphanumeric() || "-_=./:,+@%".contains(letter);
    if !word.is_empty() && word.chars().all(plain) { word.to_owned() } else { format!("{word:?}") }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::message;

    #[test]
    fn a_panic_says_what_to_report() {
        static SAID: Mutex<String> = Mutex::new(String::new());
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(|panic| *SAID.lock().expect("nobody panics here") = message(panic)));
        let ended = std::panic::catch_unwind(|| panic!("the {} is wrong", "clock"));
        std::panic::set_hook(before);
        assert!(ended.is_err());
        let said = SAID.lock().expect("nobody panics here").clone();
        for part in ["bug in Mazurka", env!("CARGO_PKG_VERSION"), "the clock is wrong", "bug.rs:"] {
            assert!(said.contains(part), "{part} in {said}");
        }
    }
}
