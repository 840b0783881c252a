//! Text to tokens.

use logos::Logos;
use mazurka_source::{Diagnostic, Sink, Span};

use super::token::Token;

/// A token and its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lexeme {
    /// Which token.
    pub(crate) token: Token,
    /// Where it stands.
    pub(crate) span: Span,
}

/// The tokens of a text whose first byte has the offset `base`; the last one is [`Token::End`].
/// Characters that begin no token become one [`Token::Unknown`] and one diagnostic.
pub(crate) fn lex(source: &str, base: u32, sink: &mut Sink) -> Vec<Lexeme> {
    let mut lexemes: Vec<Lexeme> = Vec::new();
    let mut lexer = Token::lexer(source);
    // A byte order mark says nothing in UTF-8, yet editors write it.
    if source.starts_with('\u{FEFF}') {
        lexer.bump('\u{FEFF}'.len_utf8());
    }
    while let Some(token) = lexer.next() {
        let span = Span { start: base + lexer.span().start as u32, end: base + lexer.span().end as u32 };
        match lexemes.last_mut() {
            Some(last) if token.is_err() && last.token == Token::Unknown && last.span.end == span.start => {
                last.span.end = span.end;
            }
            _ => lexemes.push(Lexeme { token: token.unwrap_or(Token::Unknown), span }),
        }
    }
    for lexeme in lexemes.iter().filter(|lexeme| lexeme.token == Token::Unknown) {
        let Span { start, end } = lexeme.span;
        sink.push(unknown(&source[(start - base) as usize..(end - base) as usize], lexeme.span));
    }
    let end = base + source.len() as u32;
    lexemes.push(Lexeme { token: Token::End, span: Span { start: end, end } });
    name_as(&mut lexemes);
    lexemes
}

/// `as` was no word of the language once, and old programs have variables of that name. It is the
/// operator where a type follows, or where it stands behind what has a value.
fn name_as(lexemes: &mut [Lexeme]) {
    for at in 0..lexemes.len() {
        if lexemes[at].token != Token::As {
            continue;
        }
        let is_type = lexemes.get(at + 1).is_some_and(|next| next.token == Token::Upper);
        let before = at.checked_sub(1).map(|before| lexemes[before].token);
        let is_behind = matches!(before, Some(Token::Lower | Token::This | Token::Null | Token::RightBracket));
        if !is_type && !is_behind {
            lexemes[at].token = Token::Lower;
        }
    }
}

fn unknown(text: &str, span: Span) -> Diagnostic {
    if text.starts_with("/*") {
        let open = Span { start: span.start, end: span.start + 2 };
        return Diagnostic::new(open, "this comment has no end", "expected a `*/` after it");
    }
    if text.starts_with('"') {
        let open = Span { start: span.start, end: span.start + 1 };
        return Diagnostic::new(open, "this string has no end", "expected a `\"` on the same line");
    }
    if text.starts_with('`') {
        let open = Span { start: span.start, end: span.start + 1 };
        return Diagnostic::new(open, "this template has no end", "expected a second backtick");
    }
    let shown: String = text.chars().take(10).flat_map(char::escape_debug).collect();
    let more = if text.chars().nth(10).is_some() { "…" } else { "" };
    let characters = if text.chars().nth(1).is_some() { "characters" } else { "character" };
    let message = format!("the {characters} `{shown}{more}` cannot stand in a program");
    Diagnostic::new(span, message, "expected a name, a number, a string or an operator")
}

/// The characters that a string stands for; the quotes are part of `text`.
pub(crate) fn unescape(text: &str) -> String {
    let inner = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(text);
    without_escapes(inner)
}

/// A text with the characters that its escapes stand for.
pub(crate) fn without_escapes(text: &str) -> String {
    let mut characters = text.chars();
    let mut result = String::with_capacity(text.len());
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some('n') => result.push('\n'),
                Some('t') => result.push('\t'),
                Some('r') => result.push('\r'),
                Some(other) => result.push(other),
                None => {}
            },
            other => result.push(other),
        }
    }
    result
}
