//! Packages of Debian and Ubuntu that tests need: installed where they are missing and that is
//! possible.

use std::process::{Command, Stdio};

use crate::shell::{self, Result};

/// Installs packages, as root or with sudo, once more after an update of the lists if need be.
pub(crate) fn install(packages: &[&str]) -> Result {
    if !answers("apt-get", &["--version"]) {
        return Err("there is no apt-get here".to_string());
    }
    if apt("install", packages).is_ok() {
        return Ok(());
    }
    apt("update", &[])?;
    apt("install", packages)
}

fn apt(what: &str, packages: &[&str]) -> Result {
    let root = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0");
    let mut command = Command::new(if root { "apt-get" } else { "sudo" });
    if !root {
        command.args(["-n", "apt-get"]);
    }
    command.env("DEBIAN_FRONTEND", "noninteractive").args([what, "-y", "-q"]);
    if what == "install" {
        command.arg("--no-install-recommends").args(packages);
    }
    shell::run(command.stdin(Stdio::null()))
}

/// Whether a program can be run.
pub(crate) fn answers(program: &str, arguments: &[&str]) -> bool {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}
