//! From source files to a program that is ready to run.

use mazurka_source::{Diagnostic, LineIndex, Note, Sink, Span, suggest};

use crate::call::{self, Call};
use crate::code::{Image, SourceFile};
use crate::options::Options;
use crate::syntax::ast;
use crate::{check, hir, lower, syntax};

/// The standard library.
const LIBRARY: &str = include_str!("stdlib.abs");

/// The libraries for networks, with their modules: each is read where a source names its module.
const NETWORKS: [Source<'_>; 2] = [
    Source { name: "Mazurka.Sdn.Tables", text: include_str!("sdn_tables.abs") },
    Source { name: "Mazurka.Sdn", text: include_str!("sdn.abs") },
];

/// A file of a program.
#[derive(Clone, Copy, Debug)]
pub struct Source<'s> {
    /// Its name, for messages.
    pub name: &'s str,
    /// What it holds.
    pub text: &'s str,
}

/// Compiles a program.
///
/// # Errors
/// All that is wrong with it, in the order of files and places.
pub fn compile(sources: &[Source<'_>], options: &Options) -> Result<Image, Vec<Diagnostic>> {
    let mut sink = Sink::default();
    let call = options.call.as_deref().map(Call::new).transpose()?;
    let idle = options.methods.then(|| idle_module(sources));
    let idle_text = idle.as_ref().map(|name| format!("module {name}; {{ }}"));
    let files = place(sources, call.as_ref().map(Call::text).or(idle_text));
    let main = idle.or_else(|| options.main.clone());
    let options = &Options { main, ..options.clone() };
    if files.last().is_some_and(|file| u32::try_from(file.base as usize + file.text.len()).is_err()) {
        return Err(vec![Diagnostic::general("the program is too large: more than 4 GB")]);
    }
    let mut program = ast::Program::default();
    // The library comes first, as module 0; its text stands before that of the others.
    for file in &files {
        syntax::parse(&file.text, file.base, &mut program, &mut sink);
    }
    if let Some(call) = call.filter(|_| sink.is_empty()) {
        call.replace_main(&mut program)?;
    }
    let is_read = sink.is_empty();
    let dialect = options.dialect.unwrap_or_else(|| check::recognise(&program));
    let checked = check::check(&program, dialect, options, &mut sink);
    match checked {
        Some(checked) if is_read => {
            let property = find_property(&checked, options.property.as_deref())?;
            Ok(lower::lower(&checked, dialect, options.dependence, &property, files))
        }
        _ => Err(report(sink, &files)),
    }
}

/// A name that no source uses, for a module whose main block does nothing.
fn idle_module(sources: &[Source<'_>]) -> String {
    let mut name = "Methods".to_owned();
    while sources.iter().any(|source| source.text.contains(&name)) {
        name.push('_');
    }
    name
}

/// Whether a text has the name of a module, and not of one within it.
fn names_module(text: &str, module: &str) -> bool {
    text.match_indices(module).any(|(at, _)| !text[at + module.len()..].starts_with('.'))
}

/// The files with the library before them, each with the offset of its first byte.
/// The library for networks comes behind them, and the text of a call, or of the module that does
/// nothing, last.
fn place(sources: &[Source<'_>], call: Option<String>) -> Vec<SourceFile> {
    let library = Source { name: "ABS.StdLib", text: LIBRARY };
    let call = call.as_deref().map(|text| Source { name: call::NAME, text });
    let names = |module: &str| sources.iter().any(|source| names_module(source.text, module));
    let networks: Vec<Source<'_>> = NETWORKS.into_iter().filter(|library| names(library.name)).collect();
    let mut base = 0usize;
    let mut files = Vec::new();
    for Source { name, text } in [&library].into_iter().chain(sources).chain(&networks).chain(&call) {
        let lines = LineIndex::new(text);
        let start = u32::try_from(base).unwrap_or(u32::MAX);
        files.push(SourceFile { name: (*name).to_owned(), text: (*text).to_owned(), base: start, lines });
        // One apart, so that the end of a file is not the beginning of the next.
        base += text.len() + 1;
    }
    files
}

/// The diagnostics with places in their own files.
fn report(sink: Sink, files: &[SourceFile]) -> Vec<Diagnostic> {
    let first = files.get(1).map_or("", |file| file.name.as_str());
    let mut diagnostics = sink.finish(first);
    for diagnostic in &mut diagnostics {
        let Some(span) = diagnostic.span else { continue };
        let file = file_of(files, span);
        diagnostic.file.clone_from(&file.name);
        diagnostic.span = Some(within(file, span));
        if file.name == call::NAME {
            // The text is not the user's: the words have to do.
            diagnostic.span = None;
            diagnostic.message = format!("{}: {}", diagnostic.message, diagnostic.label);
        }
        for note in &mut diagnostic.notes {
            relocate(note, file, files);
        }
    }
    diagnostics
}

/// The file that a place is in.
fn file_of(files: &[SourceFile], span: Span) -> &SourceFile {
    files.iter().rev().find(|file| file.base <= span.start).unwrap_or(&files[0])
}

fn within(file: &SourceFile, span: Span) -> Span {
    Span { start: span.start - file.base, end: span.end.saturating_sub(file.base) }
}

/// A remark about another file names it.
fn relocate(note: &mut Note, file: &SourceFile, files: &[SourceFile]) {
    let Some(span) = note.span else { return };
    let other = file_of(files, span);
    let span = within(other, span);
    if other.base == file.base {
        note.span = Some(span);
    } else {
        let (line, column) = other.lines.line_column(span.start);
        note.message = format!("{} ({}:{line}:{column})", note.message, other.name);
        note.span = None;
    }
}

/// The methods whose calls are failures, by their numbers.
fn find_property(program: &hir::Program, property: Option<&str>) -> Result<Vec<usize>, Vec<Diagnostic>> {
    let Some(property) = property else { return Ok(Vec::new()) };
    let (class, method) = match property.split_once('.') {
        Some((class, method)) => (Some(class), method),
        None => (None, property),
    };
    let is_it = |of: &hir::Class| class.is_none_or(|class| class == of.name);
    let methods = program.classes.iter().filter(|of| is_it(of)).flat_map(|of| &of.methods);
    let found = methods.filter(|(selector, _)| program.selectors[selector.index()] == method);
    let found: Vec<usize> = found.map(|(_, method)| method.index()).collect();
    if found.is_empty() {
        let names = program.selectors.iter().map(String::as_str);
        let problem = Diagnostic::general(format!("there is no method `{property}` to look for"));
        let mut problem = problem.maybe_help(suggest(method, names));
        problem.file = "--property".to_owned();
        return Err(vec![problem]);
    }
    Ok(found)
}
