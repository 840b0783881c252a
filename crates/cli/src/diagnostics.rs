//! Messages about input that is refused.

use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};
use mazurka_process::hir::Span;
use mazurka_process::{Diagnostic, LineIndex};

use crate::terminal::{self, Terminal};

/// Why the input or the call was refused.
#[derive(Debug)]
pub(crate) enum Refusal {
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
}

impl Refusal {
    /// In words.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Refusal::Plain { message: message.into(), help: None }
    }

    /// In words, with what to do about it.
    pub(crate) fn with_help(message: impl Into<String>, help: impl Into<String>) -> Self {
        Refusal::Plain { message: message.into(), help: Some(help.into()) }
    }
}

/// Prints a refusal on stderr.
pub(crate) fn print(refusal: &Refusal, terminal: &Terminal) {
    terminal::print_error(&render(refusal, terminal));
}

fn render(refusal: &Refusal, terminal: &Terminal) -> String {
    let renderer = if terminal.colour { Renderer::styled() } else { Renderer::plain() };
    let renderer = renderer.term_width(terminal.width);
    match refusal {
        Refusal::Plain { message, help } => {
            let group = Group::with_title(Level::ERROR.primary_title(message.as_str()));
            let help = help.as_ref().map(|help| Level::HELP.message(help.as_str()));
            renderer.render(&[group.elements(help)]) + "\n"
        }
        Refusal::Source { source, diagnostics } => {
            let lines = LineIndex::new(source);
            let mut text: String =
                diagnostics.iter().map(|diagnostic| render_one(diagnostic, source, &lines, &renderer)).collect();
            if diagnostics.len() > 1 {
                let count = format!("{} errors in {}", diagnostics.len(), diagnostics[0].file);
                text.push_str(&renderer.render(&[Group::with_title(Level::ERROR.primary_title(count))]));
                text.push('\n');
            }
            text
        }
    }
}

fn render_one(diagnostic: &Diagnostic, source: &str, lines: &LineIndex, renderer: &Renderer) -> String {
    let mut group = Group::with_title(Level::ERROR.primary_title(diagnostic.message.as_str()));
    if let Some(span) = diagnostic.span {
        let window = Window::around(source, span, diagnostic);
        let start = lines.line_column(window.range.start as u32).0;
        let primary = AnnotationKind::Primary.span(window.local(span)).label(diagnostic.label.as_str());
        let snippet = Snippet::source(&source[window.range.clone()])
            .line_start(start)
            .path(diagnostic.file.as_str())
            .annotation(primary)
            .annotations(window.notes(diagnostic));
        group = group.element(snippet);
    }
    let loose = diagnostic.notes.iter().filter(|note| note.span.is_none());
    group = group.elements(loose.map(|note| Level::NOTE.message(note.message.as_str())));
    group = group.elements(diagnostic.help.as_ref().map(|help| Level::HELP.message(help.as_str())));
    renderer.render(&[group]) + "\n\n"
}

/// The lines of a source that a diagnostic speaks of: a message about a huge file need not look at all of it.
struct Window {
    range: Range<usize>,
}

impl Window {
    fn around(source: &str, span: Span, diagnostic: &Diagnostic) -> Self {
        let spans = || diagnostic.notes.iter().filter_map(|note| note.span).chain([span]);
        let first = spans().map(|span| span.start as usize).min().unwrap_or(0).min(source.len());
        let last = spans().map(|span| span.end as usize).max().unwrap_or(0).clamp(first, source.len());
        let start = source[..first].rfind('\n').map_or(0, |newline| newline + 1);
        let end = source[last..].find('\n').map_or(source.len(), |newline| last + newline);
        Self { range: start..end }
    }

    fn local(&self, span: Span) -> Range<usize> {
        let within = |offset: u32| (offset as usize).clamp(self.range.start, self.range.end) - self.range.start;
        within(span.start)..within(span.end)
    }

    fn notes<'a>(&self, diagnostic: &'a Diagnostic) -> Vec<Annotation<'a>> {
        let placed = diagnostic.notes.iter().filter_map(|note| Some((note.span?, note.message.as_str())));
        placed.map(|(span, message)| AnnotationKind::Context.span(self.local(span)).label(message)).collect()
    }
}
