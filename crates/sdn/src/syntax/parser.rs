//! The parser's hands: looking at tokens, taking them, saying what was expected, and finding a
//! place to go on from.

use mazurka_source::{Diagnostic, Sink, Span};

use super::ast::Name;
use super::token::{Lexeme, Token};

/// How deep parentheses, operators and blocks may nest. All that works on the tree by recursion is
/// bounded by it.
pub(crate) const DEEPEST: u32 = 200;

/// Something could not be read; it has been reported.
#[derive(Debug)]
pub(crate) struct Failed;

/// What was read, or that it could not be.
pub(crate) type Parsed<T> = Result<T, Failed>;

/// Words that cannot be names.
const WORDS: [&str; 34] = [
    "const",
    "header",
    "switch",
    "host",
    "link",
    "table",
    "controller",
    "traffic",
    "check",
    "int",
    "bool",
    "map",
    "set",
    "if",
    "else",
    "for",
    "in",
    "on",
    "at",
    "true",
    "false",
    "any",
    "drop",
    "out",
    "flood",
    "send",
    "times",
    "then",
    "await",
    "barrier",
    "assert",
    "return",
    "never",
    "when",
];

/// Reads tokens from left to right.
pub(crate) struct Parser<'s, 'd> {
    source: &'s str,
    lexemes: Vec<Lexeme>,
    position: usize,
    pub(crate) depth: u32,
    /// The position of the last token that was complained about: one complaint is enough.
    blamed: Option<usize>,
    pub(crate) sink: &'d mut Sink,
}

impl<'s, 'd> Parser<'s, 'd> {
    /// A parser before the first token. The last one is [`Token::End`].
    pub(crate) fn new(source: &'s str, lexemes: Vec<Lexeme>, sink: &'d mut Sink) -> Self {
        Parser { source, lexemes, position: 0, depth: 0, blamed: None, sink }
    }

    pub(crate) fn peek(&self) -> Token {
        self.lexemes[self.position].token
    }

    pub(crate) fn position(&self) -> usize {
        self.position
    }

    /// The place of the next token.
    pub(crate) fn span(&self) -> Span {
        self.lexemes[self.position].span
    }

    /// The text of the next token.
    pub(crate) fn text(&self) -> &'s str {
        let Span { start, end } = self.span();
        &self.source[start as usize..end as usize]
    }

    /// The text of the token after the next.
    pub(crate) fn second(&self) -> &'s str {
        let Some(next) = self.lexemes.get(self.position + 1) else { return "" };
        &self.source[next.span.start as usize..next.span.end as usize]
    }

    /// From an offset to the end of the last token that was taken.
    pub(crate) fn since(&self, start: u32) -> Span {
        let end = self.position.checked_sub(1).map_or(0, |last| self.lexemes[last].span.end);
        Span { start, end: end.max(start) }
    }

    /// Takes the next token. The end of the file is never taken.
    pub(crate) fn bump(&mut self) -> Span {
        let span = self.span();
        self.position = (self.position + 1).min(self.lexemes.len() - 1);
        span
    }

    /// Whether the next token is this word or sign.
    pub(crate) fn at(&self, text: &str) -> bool {
        matches!(self.peek(), Token::Name | Token::Sign) && self.text() == text
    }

    /// Takes the next token if it is this word or sign.
    pub(crate) fn eat(&mut self, text: &str) -> bool {
        let found = self.at(text);
        if found {
            self.bump();
        }
        found
    }

    /// Takes the next token, which must be this word or sign.
    pub(crate) fn expect(&mut self, text: &str) -> Parsed<Span> {
        if self.at(text) { Ok(self.bump()) } else { Err(self.expected(&format!("`{text}`"))) }
    }

    /// Takes a name.
    pub(crate) fn name(&mut self, what: &str) -> Parsed<Name> {
        let text = self.text();
        if self.peek() != Token::Name {
            return Err(self.expected(what));
        }
        if WORDS.contains(&text) {
            let span = self.span();
            let message = format!("`{text}` is a word of the notation and cannot be a name");
            return Err(self.blame(Diagnostic::new(span, message, format!("expected {what}"))));
        }
        Ok(Name { text: text.to_owned(), span: self.bump() })
    }

    /// Takes a word that has a meaning here only.
    pub(crate) fn word(&mut self, what: &str) -> Parsed<Name> {
        if self.peek() == Token::Name {
            return Ok(Name { text: self.text().to_owned(), span: self.bump() });
        }
        Err(self.expected(what))
    }

    /// Reads items separated by commas, at least one.
    pub(crate) fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut items = vec![item(self)?];
        while self.eat(",") {
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// Reads something one level deeper.
    pub(crate) fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth == DEEPEST {
            return Err(self.too_deep());
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Reports that the next token stands too deep, and gives the rest of the file up.
    pub(crate) fn too_deep(&mut self) -> Failed {
        let problem = Diagnostic::new(self.span(), "this is nested too deeply", "expected less nesting");
        let failed = self.blame(problem.help(format!("up to {DEEPEST} levels are read")));
        self.position = self.lexemes.len() - 1;
        self.blamed = Some(self.position);
        failed
    }

    /// Reports that something else was expected here.
    pub(crate) fn expected(&mut self, what: &str) -> Failed {
        let found = match self.peek() {
            Token::End => "the file ends here".to_owned(),
            _ => format!("unexpected `{}`", self.text()),
        };
        self.blame(Diagnostic::new(self.span(), found, format!("expected {what}")))
    }

    fn blame(&mut self, problem: Diagnostic) -> Failed {
        // What the lexer could not read has been reported.
        if self.blamed != Some(self.position) && self.peek() != Token::Unknown {
            self.sink.push(problem);
        }
        self.blamed = Some(self.position);
        Failed
    }

    /// Skips to the end of a statement or declaration: behind its `;`, or behind the block that it
    /// ends with, or before a `}` that closes what it stands in.
    pub(crate) fn recover(&mut self) {
        let mut open = 0usize;
        while self.peek() != Token::End {
            match self.text() {
                ";" if open == 0 => {
                    self.bump();
                    return;
                }
                "{" => open += 1,
                "}" if open == 0 => return,
                "}" => {
                    open -= 1;
                    if open == 0 {
                        self.bump();
                        self.eat(";");
                        return;
                    }
                }
                _ => {}
            }
            self.bump();
        }
    }
}
