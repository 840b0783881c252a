//! Clang and LLVM's tools, which the tests of the C front end need: installed where they are
//! missing and that is possible.

use mazurka_clang::Clang;

use crate::packages::{answers, install};
use crate::shell::Result;

/// The packages of Debian and Ubuntu.
const PACKAGES: [&str; 3] = ["clang-19", "llvm-19", "libc6-dev"];

/// With this variable set to 1, tests fail where clang is missing; otherwise they leave out what
/// needs it.
pub(crate) const NEED: &str = "MAZURKA_NEED_CLANG";

/// Sees to it that clang is there, unless the variable says that it is not needed; what to set the
/// variable to.
pub(crate) fn ensure() -> Result<&'static str> {
    if std::env::var_os(NEED).is_some_and(|value| value == "0") {
        eprintln!("{NEED}=0: what needs clang is left out");
        return Ok("0");
    }
    if is_there() {
        return Ok("1");
    }
    eprintln!("clang or llvm-dis is missing; the tests of C programs need them");
    match install(&PACKAGES) {
        Ok(()) if is_there() => Ok("1"),
        Ok(()) => Err(failure("it was installed and is still not on the path")),
        Err(error) => Err(failure(&error)),
    }
}

fn failure(why: &str) -> String {
    format!(
        "the tests need clang, and it could not be installed: {why}\n\
         install it yourself (`apt-get install {}`), or leave out what needs it: {NEED}=0 cargo xtask test",
        PACKAGES.join(" ")
    )
}

fn is_there() -> bool {
    Clang::find(None).is_ok() && ["llvm-dis", "llvm-dis-19"].iter().any(|name| answers(name, &["--version"]))
}
