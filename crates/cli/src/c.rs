//! C and C++: from source files to a program that is ready to run.

use std::path::{Path, PathBuf};

use mazurka_clang::{Clang, Error, Language, Options};

use crate::diagnostics::Refusal;
use crate::frontend::{Compiled, Settings};

/// Compiles a program of one or more files.
pub(crate) fn compile(files: &[PathBuf], settings: &Settings) -> Result<Compiled, Refusal> {
    for file in files {
        let _bitcode = bitcode(file, settings)?;
    }
    Err(Refusal::new(format!("{}: C and C++ programs cannot be checked yet", files[0].display())))
}

/// The bitcode of a file.
fn bitcode(file: &Path, settings: &Settings) -> Result<Vec<u8>, Refusal> {
    let language = match file.extension().and_then(|ending| ending.to_str()) {
        Some("bc") => {
            let name = file.display().to_string();
            return std::fs::read(file).map_err(|error| crate::load::unreadable(&name, &error));
        }
        Some("ll") => Language::Assembly,
        Some("cc" | "cpp") => Language::Cpp,
        _ => Language::C,
    };
    let options = Options {
        defines: settings.defines.clone(),
        includes: settings.c.includes.clone(),
        flags: settings.c.flags.clone(),
        warnings: settings.c.warnings,
    };
    let clang = Clang::find(settings.c.clang.as_deref()).map_err(refusal)?;
    let compiled = clang.compile(file, language, &options).map_err(refusal)?;
    crate::terminal::print_error(&compiled.warnings);
    Ok(compiled.bitcode)
}

fn refusal(error: Error) -> Refusal {
    match error {
        Error::Missing { message } => Refusal::with_help(message, mazurka_clang::HELP),
        Error::System { message } => Refusal::new(message),
        Error::Refused { file, diagnostics } => Refusal::Compiler { file, diagnostics },
    }
}
