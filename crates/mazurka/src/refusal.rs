//! Why input is refused, and how that is told.

use std::fmt;
use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};
use mazurka_llvm::Unsupported;
use mazurka_process::hir::Span;
use mazurka_process::{Diagnostic, LineIndex};

/// Why the input or the call was refused.
#[derive(Debug)]
pub enum Refusal {
    /// In words, with what to do about it.
    Plain {
        /// What is wrong.
        message: String,
        /// What to do.
        help: Option<String>,
    },
    /// Errors in a program.
    Source {
        /// The program.
        source: String,
        /// The errors, at least one.
        diagnostics: Vec<Diagnostic>,
    },
    /// Errors in a program of several files: each file with its errors.
    Sources(Vec<(String, Vec<Diagnostic>)>),
    /// What a compiler says.
    Compiler {
        /// The file that it does not compile.
        file: String,
        /// Its messages.
        diagnostics: String,
    },
    /// What a C program needs and there is not.
    Unsupported(Vec<Unsupported>),
}

impl Refusal {
    /// In words.
    pub fn new(message: impl Into<String>) -> Self {
        Refusal::Plain { message: message.into(), help: None }
    }

    /// In words, with what to do about it.
    pub fn with_help(message: impl Into<String>, help: impl Into<String>) -> Self {
        Refusal::Plain { message: message.into(), help: Some(help.into()) }
    }
}

/// How wide plain text is.
const PLAIN_WIDTH: usize = 120;

impl fmt::Display for Refusal {
    /// In plain text, with the lines of the source that it speaks of.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&render(self, false, PLAIN_WIDTH))
    }
}

impl std::error::Error for Refusal {}

/// A refusal as a text of this width, with or without colours for a terminal.
pub fn render(refusal: &Refusal, colour: bool, width: usize) -> String {
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    let renderer = renderer.term_width(width);
    match refusal {
        Refusal::Plain { message, help } => {
            let group = Group::with_title(Level::ERROR.primary_title(message.as_str()));
            let help = help.as_ref().map(|help| Level::HELP.message(help.as_str()));
            renderer.render(&[group.elements(help)]) + "\n"
        }
        Refusal::Compiler { file, diagnostics } => {
            let title = format!("clang does not compile `{file}`");
            let title = renderer.render(&[Group::with_title(Level::ERROR.primary_title(title))]);
            format!("{title}\n\n{}\n", diagnostics.trim_end())
        }
        Refusal::Unsupported(list) => unsupported(list, &renderer),
        Refusal::Source { source, diagnostics } => errors(source, diagnostics, &renderer),
        Refusal::Sources(files) => {
            let texts: Vec<String> =
                files.iter().map(|(source, diagnostics)| errors(source, diagnostics, &renderer)).collect();
            texts.join("\n")
        }
    }
}

/// The errors of a file.
fn errors(source: &str, diagnostics: &[Diagnostic], renderer: &Renderer) -> String {
    let lines = LineIndex::new(source);
    let mut texts: Vec<String> =
        diagnostics.iter().map(|diagnostic| render_one(diagnostic, source, &lines, renderer)).collect();
    if diagnostics.len() > 1 {
        let count = format!("`{}` has {} errors", diagnostics[0].file, diagnostics.len());
        texts.push(renderer.render(&[Group::with_title(Level::ERROR.primary_title(count))]));
    }
    texts.join("\n\n") + "\n"
}

/// Each thing once, with all its places.
fn unsupported(list: &[Unsupported], renderer: &Renderer) -> String {
    let mut things: Vec<&str> = Vec::new();
    for one in list {
        if !things.contains(&one.what.as_str()) {
            things.push(&one.what);
        }
    }
    let mut texts: Vec<String> = Vec::new();
    for thing in &things {
        let mut text = renderer.render(&[Group::with_title(Level::ERROR.primary_title(*thing))]);
        for place in list.iter().filter(|one| one.what == *thing && !one.file.is_empty()) {
            text += &format!("\n  --> {}:{}:{}", place.file, place.line, place.column);
            if !place.function.is_empty() {
                text += &format!(" in `{}`", place.function);
            }
        }
        texts.push(text);
    }
    if things.len() > 1 {
        let count = format!("the program cannot be run for {} reasons", things.len());
        texts.push(renderer.render(&[Group::with_title(Level::ERROR.primary_title(count))]));
    }
    texts.join("\n\n") + "\n"
}

fn render_one(diagnostic: &Diagnostic, source: &str, lines: &LineIndex, renderer: &Renderer) -> String {
    let title = match diagnostic.span {
        Some(_) => diagnostic.message.clone(),
        None => format!("{}: {}", diagnostic.file, diagnostic.message),
    };
    let mut group = Group::with_title(Level::ERROR.primary_title(title));
    group = group.elements(snippet(diagnostic, source, lines));
    let loose = diagnostic.notes.iter().filter(|note| note.span.is_none());
    group = group.elements(loose.map(|note| Level::NOTE.message(note.message.as_str())));
    group = group.elements(diagnostic.help.as_ref().map(|help| Level::HELP.message(help.as_str())));
    renderer.render(&[group])
}

/// The lines of the source that a diagnostic speaks of, marked; none if it speaks of no place. A
/// message about a huge file does not look at all of it.
fn snippet<'a>(diagnostic: &'a Diagnostic, source: &'a str, lines: &LineIndex) -> Option<Snippet<'a, Annotation<'a>>> {
    let notes = diagnostic.notes.iter().filter_map(|note| Some((AnnotationKind::Context, note.span?, &note.message)));
    let primary = diagnostic.span.map(|span| (AnnotationKind::Primary, span, &diagnostic.label));
    let marks: Vec<(AnnotationKind, Span, &String)> = primary.into_iter().chain(notes).collect();
    let window = window(source, marks.iter().map(|(_, span, _)| *span))?;
    let local = |offset: u32| (offset as usize).clamp(window.start, window.end) - window.start;
    let annotations = marks
        .into_iter()
        .map(|(kind, span, label)| kind.span(local(span.start)..local(span.end)).label(label.as_str()));
    let snippet = Snippet::source(&source[window.clone()])
        .line_start(lines.line_column(window.start as u32).0)
        .path(diagnostic.file.as_str());
    Some(snippet.annotations(annotations))
}

/// The whole lines from the first of these places to the last.
fn window(source: &str, spans: impl Iterator<Item = Span> + Clone) -> Option<Range<usize>> {
    let first = (spans.clone().map(|span| span.start).min()? as usize).min(source.len());
    let last = (spans.map(|span| span.end).max()? as usize).clamp(first, source.len());
    let start = source[..first].rfind('\n').map_or(0, |newline| newline + 1);
    let end = source[last..].find('\n').map_or(source.len(), |newline| last + newline);
    Some(start..end)
}
