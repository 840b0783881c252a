//! Actors: from ABS files to an image.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use mazurka_actor::{Options, Source, compile as compile_abs};
use mazurka_source::Diagnostic;

use super::{Compiled, constants};
use crate::files;
use crate::program::{Program, Watched};
use crate::refusal::Refusal;
use crate::settings::{ActorSettings, Settings};

/// Compiles a program of one or more files.
pub(super) fn compile(files: &[PathBuf], settings: &Settings) -> Result<Compiled, Refusal> {
    let names: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    let mut texts = Vec::new();
    for (file, name) in files.iter().zip(&names) {
        texts.push(files::read(file, name)?);
    }
    from_texts(&names, texts, settings)
}

/// From the texts of files of these names.
pub(super) fn from_texts(names: &[String], texts: Vec<String>, settings: &Settings) -> Result<Compiled, Refusal> {
    let help = "-D n=3 gives the function `def Int n() = …;` another value";
    let defines = constants(&settings.defines, help)?;
    if !settings.arguments.is_empty() {
        return Err(Refusal::new("a program in ABS takes no arguments"));
    }
    let sources: Vec<Source<'_>> =
        names.iter().zip(&texts).map(|(name, text)| Source { name: name.as_str(), text: text.as_str() }).collect();
    let options = Options { defines, ..options(&settings.actor) };
    let image = compile_abs(&sources, &options).map_err(|diagnostics| refusal(&sources, diagnostics))?;
    Ok(Compiled {
        program: Program::Actor {
            image: Arc::new(image),
            fuel: settings.max_instructions,
            watched: watched(&settings.actor),
        },
        sources: texts.into_iter().map(String::into_bytes).collect(),
        compiler_time: Duration::ZERO,
        warnings: String::new(),
    })
}

/// The errors of each file, in the order of the files.
fn refusal(sources: &[Source<'_>], diagnostics: Vec<Diagnostic>) -> Refusal {
    let mut files = Vec::new();
    for source in sources {
        let own: Vec<Diagnostic> =
            diagnostics.iter().filter(|diagnostic| diagnostic.file == source.name).cloned().collect();
        if !own.is_empty() {
            files.push((source.text.to_owned(), own));
        }
    }
    let elsewhere: Vec<Diagnostic> = diagnostics
        .into_iter()
        .filter(|diagnostic| sources.iter().all(|source| source.name != diagnostic.file))
        .collect();
    if !elsewhere.is_empty() {
        files.push((String::new(), elsewhere));
    }
    Refusal::Sources(files)
}

fn watched(settings: &ActorSettings) -> Watched {
    Watched { traces: settings.traces, objects: settings.objects, tasks: settings.tasks }
}

fn options(settings: &ActorSettings) -> Options {
    Options {
        dialect: settings.dialect.map(Into::into),
        dependence: settings.dependence.map_or_else(Default::default, Into::into),
        main: settings.main.clone(),
        call: settings.call.clone(),
        defines: Vec::new(),
        methods: settings.methods,
        property: settings.property.clone(),
    }
}
