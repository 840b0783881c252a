//! C and C++: from source files to an image.

use std::path::PathBuf;
use std::sync::Arc;

use mazurka_clang::{BuildError, Error, Options, build};

use super::Compiled;
use crate::program::Program;
use crate::refusal::Refusal;
use crate::settings::Settings;

/// Compiles a program of one or more files.
pub(super) fn compile(files: &[PathBuf], settings: &Settings) -> Result<Compiled, Refusal> {
    let options = Options {
        defines: settings.defines.clone(),
        includes: settings.c.includes.clone(),
        flags: settings.c.flags.clone(),
        warnings: settings.c.warnings,
    };
    let machine = mazurka_llvm::Settings {
        unroll: settings.c.unroll.map(|rounds| u32::try_from(rounds).unwrap_or(u32::MAX)),
        nondet: settings.c.nondet,
        overflow: settings.c.overflow,
        data_races: settings.c.data_races,
        leaks: settings.c.leaks,
        any_exit_status: settings.c.any_exit_status,
        spurious_wakeups: settings.c.spurious_wakeups,
        shortcuts: !settings.c.no_shortcuts,
        arguments: settings.arguments.clone(),
        analysed: settings.c.analysed,
    };
    let built = build(files, settings.c.clang.as_deref(), &options, &machine).map_err(refusal)?;
    Ok(Compiled {
        program: Program::C { image: Arc::new(built.image), fuel: settings.max_instructions },
        sources: built.sources,
        compiler_time: built.compiler_time,
        warnings: built.warnings,
    })
}

fn refusal(error: BuildError) -> Refusal {
    match error {
        BuildError::Clang(Error::Missing { message }) => Refusal::with_help(message, mazurka_clang::HELP),
        BuildError::Clang(Error::System { message }) => Refusal::new(message),
        BuildError::Clang(Error::Refused { file, diagnostics }) => Refusal::Compiler { file, diagnostics },
        BuildError::File { file, message } => Refusal::new(format!("`{file}` cannot be used: {message}")),
        BuildError::Unsupported(list) => Refusal::Unsupported(list),
    }
}
