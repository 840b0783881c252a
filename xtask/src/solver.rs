//! Z3, which the tests of what asks a solver need: installed where it is missing and that is
//! possible.

use crate::packages::{answers, install};
use crate::shell::Result;

/// The package of Debian and Ubuntu.
const PACKAGES: [&str; 1] = ["z3"];

/// With this variable set to 1, tests fail where Z3 is missing; otherwise they leave out what needs
/// it.
pub(crate) const NEED: &str = "MAZURKA_NEED_Z3";

/// Sees to it that Z3 is there, unless the variable says that it is not needed; what to set the
/// variable to.
pub(crate) fn ensure() -> Result<&'static str> {
    if std::env::var_os(NEED).is_some_and(|value| value == "0") {
        eprintln!("{NEED}=0: what needs Z3 is left out");
        return Ok("0");
    }
    if is_there() {
        return Ok("1");
    }
    eprintln!("Z3 is missing; the tests of what asks a solver need it");
    match install(&PACKAGES) {
        Ok(()) if is_there() => Ok("1"),
        Ok(()) => Err(failure("it was installed and is still not on the path")),
        Err(error) => Err(failure(&error)),
    }
}

fn failure(why: &str) -> String {
    format!(
        "the tests need Z3, and it could not be installed: {why}\n\
         install it yourself (`apt-get install z3`, or `pip install z3-solver`), or leave out what needs it: \
         {NEED}=0 cargo xtask test"
    )
}

fn is_there() -> bool {
    answers("z3", &["--version"])
}
