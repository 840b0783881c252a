//! Programs of actors in the corpus: their flags, and how they are compiled.

use std::sync::Arc;

use mazurka_actor::{Dependence, Dialect, Image, Options, Source, compile};

use super::Expectation;
use crate::actor::MethodFinder;

/// Compiles a program.
///
/// # Errors
/// What is wrong with it, or with its flags.
pub fn load(name: &str, source: &str, given: &Expectation) -> Result<Arc<Image>, String> {
    let (words, constrained) = without_constraints(&given.flags);
    let options = Options { defines: given.definitions.clone(), ..flags(&words)? };
    let image = compile(&[Source { name, text: source }], &options);
    let problem = |diagnostics: Vec<_>| match diagnostics.first() {
        Some(first) => format!("is refused: {first:?}"),
        None => "is refused".to_owned(),
    };
    let mut image = image.map_err(problem)?;
    if constrained {
        MethodFinder::patient().constrain(&mut image)?;
    }
    Ok(Arc::new(image))
}

/// Whether a program is run with the constraints between methods that a solver finds and proves.
pub(super) fn is_constrained(given: &Expectation) -> bool {
    without_constraints(&given.flags).1
}

/// The flags but for `--constraints found`, and whether that is among them.
fn without_constraints(words: &[String]) -> (Vec<String>, bool) {
    let at = words.windows(2).position(|pair| pair == ["--constraints", "found"]);
    let mut words = words.to_vec();
    if let Some(at) = at {
        words.drain(at..at + 2);
    }
    (words, at.is_some())
}

/// Options as they stand on the command line.
fn flags(words: &[String]) -> Result<Options, String> {
    let mut options = Options::default();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let value = words.next().map(String::as_str).ok_or_else(|| format!("`{word}` lacks a value"))?;
        match (word.as_str(), value) {
            ("--dialect", "abs") => options.dialect = Some(Dialect::Abs),
            ("--dialect", "syco") => options.dialect = Some(Dialect::Syco),
            ("--dependence", "object") => options.dependence = Dependence::Object,
            ("--dependence", "field") => options.dependence = Dependence::Field,
            ("--dependence", "entry") => options.dependence = Dependence::Entry,
            ("--property", method) => options.property = Some(method.to_owned()),
            ("--main", module) => options.main = Some(module.to_owned()),
            _ => return Err(format!("`{word} {value}` is not a flag")),
        }
    }
    Ok(options)
}
