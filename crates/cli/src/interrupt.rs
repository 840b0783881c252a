//! Ctrl-C.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a shell reports for a program that Ctrl-C killed.
const KILLED: i32 = 130;

/// Lets the first Ctrl-C set a flag, so that what was found so far is reported, and the second one
/// kill.
pub(crate) fn install(flag: &Arc<AtomicBool>) {
    let flag = Arc::clone(flag);
    let handler = move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(KILLED);
        }
    };
    // Where the system refuses, Ctrl-C kills at once, as it would have without us.
    let _ = ctrlc::set_handler(handler);
}
