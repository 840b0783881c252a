//! What the front end has to say about a program it refuses: plain data, printed by others.

use crate::Span;

/// At most so many diagnostics are handed out; the last one says how many more there are.
const SHOWN: usize = 50;

/// One error in a program, or in the definitions given beside it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// The file, as the user named it.
    pub file: String,
    /// What is wrong.
    pub message: String,
    /// Where; `None` if it is not about a place in the file.
    pub span: Option<Span>,
    /// What was expected there: to be shown under the marked text. May be empty.
    pub label: String,
    /// How to put it right, if that can be guessed.
    pub help: Option<String>,
    /// What else belongs to it.
    pub notes: Vec<Note>,
}

/// A remark that belongs to a diagnostic.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// What it says.
    pub message: String,
    /// The place it is about, if it is about one.
    pub span: Option<Span>,
}

impl Diagnostic {
    /// An error at a place, with what was expected there.
    pub fn new(span: Span, message: impl Into<String>, label: impl Into<String>) -> Self {
        Diagnostic { span: Some(span), label: label.into(), ..Self::general(message) }
    }

    /// An error that has no place in the file.
    pub fn general(message: impl Into<String>) -> Self {
        Diagnostic {
            file: String::new(),
            message: message.into(),
            span: None,
            label: String::new(),
            help: None,
            notes: Vec::new(),
        }
    }

    /// Adds how to put it right.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds how to put it right, if there is a guess.
    pub fn maybe_help(mut self, help: Option<String>) -> Self {
        self.help = help.or(self.help);
        self
    }

    /// Adds a remark about another place.
    pub fn note(mut self, span: Span, message: impl Into<String>) -> Self {
        self.notes.push(Note { message: message.into(), span: Some(span) });
        self
    }
}

/// Collects diagnostics. Beyond the number that is shown it only counts, so that a file of garbage
/// costs no more than reading it.
#[derive(Default)]
pub struct Sink {
    found: Vec<Diagnostic>,
    more: usize,
}

impl Sink {
    /// Takes a diagnostic.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if self.is_full() { self.more += 1 } else { self.found.push(diagnostic) }
    }

    /// Whether nothing was found wrong.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Whether further diagnostics are only counted: then a search for hints is wasted.
    pub fn is_full(&self) -> bool {
        self.found.len() == SHOWN
    }

    /// The diagnostics in the order of their places, those without a place first.
    pub fn finish(mut self, file: &str) -> Vec<Diagnostic> {
        self.found.sort_by_key(|d| d.span.map(|s| (s.start, s.end)));
        self.found.iter_mut().for_each(|d| d.file = file.to_string());
        if let (1.., Some(last)) = (self.more, self.found.last_mut()) {
            let errors = if self.more == 1 { "error is" } else { "errors are" };
            last.notes.push(Note { message: format!("{} more {errors} not shown", self.more), span: None });
        }
        self.found
    }
}

/// The hint for a misspelt name: the candidate nearest to it, if one is near.
pub fn suggest<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<String> {
    // One letter in three may be wrong: enough for a slip of the fingers, and `x` is not a misspelt
    // `y`.
    let tolerance = name.len() / 3;
    if name.len() > 64 {
        return None;
    }
    let distance = |candidate: &str| match candidate.eq_ignore_ascii_case(name) {
        true => Some(0),
        false if name.len() >= 3 && candidate.starts_with(name) => Some(1),
        false if candidate.len().abs_diff(name.len()) > tolerance => None,
        false => Some(strsim::damerau_levenshtein(name, candidate)).filter(|&distance| distance <= tolerance),
    };
    let near = candidates.into_iter().filter_map(|candidate| Some((distance(candidate)?, candidate)));
    near.min().map(|(_, candidate)| format!("did you mean `{candidate}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_suggested() {
        let names = ["ready", "x", "y", "N", "worker"];
        let hint = |name| suggest(name, names);
        assert_eq!(hint("redy").as_deref(), Some("did you mean `ready`?"));
        assert_eq!(hint("wroker").as_deref(), Some("did you mean `worker`?"));
        assert_eq!(hint("work").as_deref(), Some("did you mean `worker`?"));
        assert_eq!(hint("n").as_deref(), Some("did you mean `N`?"));
        assert_eq!(hint("z"), None);
        assert_eq!(hint("something"), None);
    }

    #[test]
    fn diagnostics_are_sorted_and_capped() {
        let mut sink = Sink::default();
        for start in (0..60).rev() {
            sink.push(Diagnostic::new(Span { start, end: start }, "m", "l"));
        }
        let shown = sink.finish("f");
        assert_eq!(shown.len(), SHOWN);
        assert!(shown.windows(2).all(|w| w[0].span.map(|s| s.start) < w[1].span.map(|s| s.start)));
        assert_eq!(shown[SHOWN - 1].notes[0].message, "10 more errors are not shown");
    }
}
