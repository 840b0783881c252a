//! What is said about wrong programs, word for word.
//!
//! Each file in `errors/` holds cases: a line `=== title`, the program, a line `---`, and what is
//! said about it. With `MAZURKA_BLESS=1` in the environment the files are rewritten to what is said
//! now; review the difference.

use std::fmt::Write;
use std::path::Path;

use mazurka_process::hir::Span;
use mazurka_process::{Diagnostic, LineIndex, compile};

struct Case<'t> {
    title: &'t str,
    source: &'t str,
    expected: &'t str,
}

fn cases(text: &str) -> Vec<Case<'_>> {
    let parts = text.split("=== ").filter(|part| !part.is_empty());
    parts
        .map(|part| {
            let (title, rest) = part.split_once('\n').expect("a title");
            let (source, expected) = rest.split_once("---\n").expect("a line ---");
            Case { title, source, expected }
        })
        .collect()
}

/// A case may begin with a line `// -D NAME=VALUE`.
fn overrides(source: &str) -> Vec<(String, i64)> {
    let line = source.lines().next().and_then(|line| line.strip_prefix("// -D ")).unwrap_or_default();
    let pairs = line.split_whitespace().filter_map(|pair| pair.split_once('='));
    pairs.map(|(name, value)| (name.to_string(), value.parse().expect("a number"))).collect()
}

fn place(source: &str, lines: &LineIndex, span: Option<Span>) -> String {
    let Some(span) = span else { return "nowhere".to_string() };
    let (line, column) = lines.line_column(span.start);
    let marked = &source[span.start as usize..span.end as usize];
    format!("{line}:{column} `{marked}`")
}

fn render(source: &str, diagnostics: &[Diagnostic]) -> String {
    let lines = LineIndex::new(source);
    let mut text = String::new();
    for diagnostic in diagnostics {
        writeln!(text, "{}: {}", place(source, &lines, diagnostic.span), diagnostic.message).unwrap();
        if !diagnostic.label.is_empty() {
            writeln!(text, "  {}", diagnostic.label).unwrap();
        }
        if let Some(help) = &diagnostic.help {
            writeln!(text, "  help: {help}").unwrap();
        }
        for note in &diagnostic.notes {
            writeln!(text, "  note: {}: {}", place(source, &lines, note.span), note.message).unwrap();
        }
    }
    text
}

fn said(source: &str) -> String {
    match compile("test.mzk", source, &overrides(source)) {
        Ok(_) => "nothing\n".to_string(),
        Err(diagnostics) => render(source, &diagnostics),
    }
}

fn check(file: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/errors").join(file);
    let text = std::fs::read_to_string(&path).expect("the file of cases");
    let mut found = String::new();
    for case in cases(&text) {
        write!(found, "=== {}\n{}---\n{}\n", case.title, case.source, said(case.source)).unwrap();
    }
    let found = found.trim_end().to_string() + "\n";
    if std::env::var_os("MAZURKA_BLESS").is_some() {
        std::fs::write(&path, found).expect("the file can be written");
        return;
    }
    for case in cases(&text) {
        assert_eq!(said(case.source).trim(), case.expected.trim(), "in {file}, case `{}`", case.title);
    }
    assert_eq!(found, text, "{file} is not in its normal form: bless it");
}

macro_rules! check_files {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            check(concat!(stringify!($name), ".txt"));
        })*

        #[test]
        fn every_file_is_checked() {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/errors");
            for file in std::fs::read_dir(folder).expect("the folder of cases") {
                let name = file.expect("an entry").file_name().into_string().expect("a name");
                assert!([$(concat!(stringify!($name), ".txt")),*].contains(&name.as_str()), "{name} is not checked");
            }
        }
    };
}

check_files! { constants foreign independence names recovery restrictions syntax types }
