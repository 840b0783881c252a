//! Clang and LLVM's tools, which the tests of the C front end need: installed where they are missing and that is possible.

use std::process::{Command, Stdio};

use mazurka_clang::Clang;

use crate::shell::{self, Result};

/// The packages of Debian and Ubuntu.
const PACKAGES: [&str; 3] = ["clang-19", "llvm-19", "libc6-dev"];

/// With this variable set to 1, tests fail where clang is missing; otherwise they leave out what needs it.
pub(crate) const NEED: &str = "MAZURKA_NEED_CLANG";

/// Sees to it that clang is there, unless the variable says that it is not needed; what to set the variable to.
pub(crate) fn ensure() -> Result<&'static str> {
    if std::env::var_os(NEED).is_some_and(|value| value == "0") {
        eprintln!("{NEED}=0: what needs clang is left out");
        return Ok("0");
    }
    if is_there() {
        return Ok("1");
    }
    eprintln!("clang or llvm-dis is missing; the tests of C programs need them");
    let installed = install();
    match installed {
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

/// Installs the packages, as root or with sudo, once more after an update of the lists if need be.
fn install() -> Result {
    if !answers("apt-get", &["--version"]) {
        return Err("there is no apt-get here".to_string());
    }
    if apt("install").is_ok() {
        return Ok(());
    }
    apt("update")?;
    apt("install")
}

fn apt(what: &str) -> Result {
    let root = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0");
    let mut command = Command::new(if root { "apt-get" } else { "sudo" });
    if !root {
        command.args(["-n", "apt-get"]);
    }
    command.env("DEBIAN_FRONTEND", "noninteractive").args([what, "-y", "-q"]);
    if what == "install" {
        command.arg("--no-install-recommends").args(PACKAGES);
    }
    shell::run(command.stdin(Stdio::null()))
}

/// Whether a program can be run.
fn answers(program: &str, arguments: &[&str]) -> bool {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}
