//! The process notation: one file.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use mazurka_process::Image;

use super::{Compiled, constants};
use crate::files;
use crate::program::Program;
use crate::refusal::Refusal;
use crate::settings::Settings;

pub(super) fn compile(files: &[PathBuf], settings: &Settings) -> Result<Compiled, Refusal> {
    let [file] = files else {
        return Err(Refusal::new("a program in the process notation is one file"));
    };
    let name = file.display().to_string();
    let source = files::read(file, &name)?;
    from_text(&name, source, settings)
}

/// From the text of a program.
pub(super) fn from_text(name: &str, source: String, settings: &Settings) -> Result<Compiled, Refusal> {
    if !settings.arguments.is_empty() {
        return Err(Refusal::with_help(
            "a program in the process notation takes no arguments",
            "to give a `const` another value, use -D NAME=VALUE",
        ));
    }
    let defines = constants(&settings.defines, "-D NAME=VALUE gives a `const` another value")?;
    if source.trim().is_empty() {
        return Err(Refusal::with_help(
            format!("`{name}` is empty: there is no process to run"),
            "a smallest program is `int x = 0; process p { x = 1; }`",
        ));
    }
    let program = mazurka_process::compile(name, &source, &defines)
        .map_err(|diagnostics| Refusal::Source { source: source.clone(), diagnostics })?;
    let image = Arc::new(Image::new(&program, name, &source));
    Ok(Compiled {
        program: Program::Process { image, checked: Arc::new(program), fuel: settings.max_instructions },
        sources: vec![source.into_bytes()],
        compiler_time: Duration::ZERO,
        warnings: String::new(),
    })
}
