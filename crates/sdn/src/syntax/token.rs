//! The tokens of the notation.

use logos::{Lexer, Logos};
use mazurka_source::{Diagnostic, Sink, Span};

/// A token. Words are names to the lexer; the parser knows those that mean something.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
#[logos(skip r"[ \t\r\n\f]+")]
#[logos(skip(r"//[^\n]*", allow_greedy = true))]
#[logos(skip("/\\*", block_comment))]
pub(crate) enum Token {
    /// A name, or a word of the notation.
    #[regex("[A-Za-z_][A-Za-z0-9_]*")]
    Name,
    /// A number, or what begins like one.
    #[regex("[0-9][A-Za-z0-9_]*")]
    Number,
    /// Punctuation or an operator.
    #[token("..")]
    #[token("->")]
    #[token("==")]
    #[token("!=")]
    #[token("<=")]
    #[token(">=")]
    #[token("&&")]
    #[token("||")]
    #[regex(r"[(){}\[\],;:.?=<>+\-*/%!]")]
    Sign,
    /// What is no token; the lexer has reported it.
    Unknown,
    /// The end of the file.
    End,
}

/// A token and its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lexeme {
    pub(crate) token: Token,
    pub(crate) span: Span,
}

/// The tokens of a text; the last one is [`Token::End`]. A run of characters that begin no token
/// becomes one [`Token::Unknown`] and one diagnostic.
pub(crate) fn lex(source: &str, sink: &mut Sink) -> Vec<Lexeme> {
    let mut lexemes: Vec<Lexeme> = Vec::new();
    let mut lexer = Token::lexer(source);
    if source.starts_with('\u{FEFF}') {
        lexer.bump('\u{FEFF}'.len_utf8());
    }
    while let Some(token) = lexer.next() {
        let span = Span { start: lexer.span().start as u32, end: lexer.span().end as u32 };
        match lexemes.last_mut() {
            Some(last) if token.is_err() && last.token == Token::Unknown && last.span.end == span.start => {
                last.span.end = span.end;
            }
            _ => lexemes.push(Lexeme { token: token.unwrap_or(Token::Unknown), span }),
        }
    }
    for lexeme in lexemes.iter().filter(|lexeme| lexeme.token == Token::Unknown) {
        sink.push(unknown(source, lexeme.span));
    }
    let end = source.len() as u32;
    lexemes.push(Lexeme { token: Token::End, span: Span { start: end, end } });
    lexemes
}

fn unknown(source: &str, span: Span) -> Diagnostic {
    let text = &source[span.start as usize..span.end as usize];
    if text.starts_with("/*") {
        let open = Span { start: span.start, end: span.start + 2 };
        return Diagnostic::new(open, "this comment has no end", "expected a `*/` after it");
    }
    let shown: String = text.chars().take(10).flat_map(char::escape_debug).collect();
    let message = format!("`{shown}` cannot stand in a network");
    Diagnostic::new(span, message, "expected a name, a number, an operator or a comment")
}

/// Skips to the end of a comment; one without an end is an error that reaches to the end of the
/// file.
fn block_comment(lexer: &mut Lexer<'_, Token>) -> Result<(), ()> {
    let rest = lexer.remainder();
    match rest.find("*/") {
        Some(length) => {
            lexer.bump(length + 2);
            Ok(())
        }
        None => {
            lexer.bump(rest.len());
            Err(())
        }
    }
}
