//! Networks: one file.

use std::path::PathBuf;
use std::time::Duration;

use mazurka_sdn::Image;

use super::{Compiled, constants};
use crate::files;
use crate::program::Program;
use crate::refusal::Refusal;
use crate::settings::Settings;

pub(super) fn compile(files: &[PathBuf], settings: &Settings) -> Result<Compiled, Refusal> {
    let [file] = files else {
        return Err(Refusal::new("a network is one file"));
    };
    let name = file.display().to_string();
    let source = files::read(file, &name)?;
    from_text(&name, source, settings)
}

/// From the text of a network.
pub(super) fn from_text(name: &str, source: String, settings: &Settings) -> Result<Compiled, Refusal> {
    if !settings.arguments.is_empty() {
        let help = "to give a `const` another value, use -D NAME=VALUE";
        return Err(Refusal::with_help("a network takes no arguments", help));
    }
    let defines = constants(&settings.defines, "-D NAME=VALUE gives a `const` another value")?;
    if source.trim().is_empty() {
        return Err(Refusal::with_help(
            format!("`{name}` is empty: there is no network"),
            "a network has `switch`, `host`, `controller`, `traffic` and `check`; see corpus/verified/sdn",
        ));
    }
    let network = mazurka_sdn::compile(name, &source, &defines)
        .map_err(|diagnostics| Refusal::Source { source: source.clone(), diagnostics })?;
    let image = Image::new(network, settings.network.barriers.into());
    Ok(Compiled {
        program: Program::Network { image, fuel: settings.max_instructions, traces: settings.actor.traces },
        sources: vec![source.into_bytes()],
        compiler_time: Duration::ZERO,
        warnings: String::new(),
    })
}
