//! From source text to a machine.

use std::sync::Arc;

use mazurka_process::{Diagnostic, Image, ProcessMachine};

/// Compiles a program, with values for its constants.
///
/// # Errors
/// What the front end says, one line for each error.
pub fn load(file: &str, source: &str, definitions: &[(String, i64)]) -> Result<Arc<Image>, String> {
    let program = mazurka_process::compile(file, source, definitions)
        .map_err(|errors| errors.iter().map(|error| line(error, source)).collect::<Vec<_>>().join("\n"))?;
    Ok(Arc::new(Image::new(&program, file, source)))
}

/// A machine in the program's initial state.
pub fn machine(image: &Arc<Image>) -> ProcessMachine {
    ProcessMachine::new(Arc::clone(image))
}

fn line(error: &Diagnostic, source: &str) -> String {
    let place = error.span.map(|span| {
        let before = source.get(..span.start as usize).unwrap_or("");
        let line = before.matches('\n').count() + 1;
        format!("{}:{line}: ", error.file)
    });
    format!("{}{} {}", place.unwrap_or_default(), error.message, error.label)
}
