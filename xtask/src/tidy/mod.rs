//! `cargo xtask tidy`: what a compiler does not check.

mod expectations;
mod layers;
mod links;
mod modules;
mod names;
mod sources;

use crate::shell::Result;

pub(crate) fn run() -> Result {
    let mut complaints = Vec::new();
    layers::check(&mut complaints)?;
    links::check(&mut complaints)?;
    modules::check(&mut complaints)?;
    expectations::check(&mut complaints)?;
    names::check(&mut complaints)?;
    sources::check(&mut complaints)?;
    if complaints.is_empty() {
        eprintln!("tidy: nothing to complain about");
        return Ok(());
    }
    for complaint in &complaints {
        eprintln!("tidy: {complaint}");
    }
    Err(format!("tidy has {} complaints", complaints.len()))
}
