//! Ctrl-C.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use mazurka_explore::Monitor;

/// What a shell reports for a program that Ctrl-C killed.
const KILLED: i32 = 130;

/// Lets the first Ctrl-C end the exploration, so that what was found so far is reported, and the second one kill.
pub(crate) fn install(monitor: &Arc<Monitor>) {
    let monitor = Arc::clone(monitor);
    install_with(move || monitor.cancel());
}

/// As `install`, for whoever looks at a flag.
pub(crate) fn install_flag(flag: &Arc<AtomicBool>) {
    let flag = Arc::clone(flag);
    install_with(move || flag.store(true, Ordering::Relaxed));
}

fn install_with(stop: impl Fn() + Send + 'static) {
    let pressed = AtomicBool::new(false);
    let handler = move || {
        if pressed.swap(true, Ordering::Relaxed) {
            std::process::exit(KILLED);
        }
        stop();
    };
    // Where the system refuses, Ctrl-C kills at once, as it would have without us.
    let _ = ctrlc::set_handler(handler);
}
