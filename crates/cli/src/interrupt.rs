//! Ctrl-C.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use mazurka_explore::Monitor;

/// What a shell reports for a program that Ctrl-C killed.
const KILLED: i32 = 130;

/// Lets the first Ctrl-C end the exploration, so that what was found so far is reported, and the second one kill.
pub(crate) fn install(monitor: &Arc<Monitor>) {
    let monitor = Arc::clone(monitor);
    let pressed = AtomicBool::new(false);
    let handler = move || {
        if pressed.swap(true, Ordering::Relaxed) {
            std::process::exit(KILLED);
        }
        monitor.cancel();
    };
    // Where the system refuses, Ctrl-C kills at once, as it would have without us.
    let _ = ctrlc::set_handler(handler);
}
