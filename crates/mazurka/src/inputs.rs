//! Inputs that are too many to be explored one by one.

use mazurka_process::hir::Input;
use mazurka_report::grouped;
use mazurka_source::Diagnostic;

use crate::load::Loaded;
use crate::program::Program;
use crate::refusal::Refusal;

/// So many values of an input are explored one by one.
const MOST_VALUES: u128 = 1_000;

/// So many initial states are explored one by one.
const MOST_STATES: u128 = 1_000_000;

/// Exploration runs every value of an input; for many of them there is a solver.
pub(crate) fn refuse_large(loaded: &Loaded) -> Result<(), Refusal> {
    let Program::Process { image, .. } = &loaded.program else { return Ok(()) };
    let problem = |input: &Input, message: String, label: String| Diagnostic {
        file: loaded.path.clone(),
        message,
        span: Some(input.span),
        label,
        help: Some(format!("`mazurka bmc {}` looks at all of them at once", loaded.path)),
        notes: Vec::new(),
    };
    let large = image.inputs().iter().filter(|input| input.values() > MOST_VALUES);
    let mut diagnostics: Vec<Diagnostic> = large
        .map(|input| {
            let message = format!("this input has {} values, and `check` runs every one", input.values());
            problem(input, message, format!("expected at most {MOST_VALUES} values"))
        })
        .collect();
    let states = image.initial_inputs().iter().fold(1, |states: u128, input| states.saturating_mul(input.values()));
    if let Some(first) = image.initial_inputs().first().filter(|_| diagnostics.is_empty() && states > MOST_STATES) {
        let states = u64::try_from(states).map_or_else(|_| "very many".to_owned(), grouped);
        let message = format!("the inputs make {states} initial states, and `check` explores every one");
        let label = format!("expected at most {} initial states", grouped(MOST_STATES as u64));
        diagnostics.push(problem(first, message, label));
    }
    if diagnostics.is_empty() {
        return Ok(());
    }
    Err(Refusal::Source { source: image.source().to_owned(), diagnostics })
}
