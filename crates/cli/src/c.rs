//! C and C++: from source files to a program that is ready to run.

use std::path::PathBuf;
use std::sync::Arc;

use mazurka_clang::{BuildError, Error, Options, build};

use crate::diagnostics::Refusal;
use crate::frontend::{Compiled, Program, Settings};
use crate::terminal;

/// Compiles a program of one or more files.
pub(crate) fn compile(files: &[PathBuf], settings: &Settings) -> Result<Compiled, Refusal> {
    settings.actor.refuse("C and C++")?;
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
    };
    let built = build(files, settings.c.clang.as_deref(), &options, &machine).map_err(refusal)?;
    terminal::print_error(&built.warnings);
    Ok(Compiled {
        program: Program::C { image: Arc::new(built.image), fuel: settings.max_instructions },
        sources: built.sources,
        compiler_time: built.compiler_time,
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
