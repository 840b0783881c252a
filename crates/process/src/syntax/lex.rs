//! Text to tokens.

use logos::Logos;

use super::token::Token;
use crate::hir::Span;
use mazurka_source::{Diagnostic, Sink};

/// A token and its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lexeme {
    /// Which token.
    pub(crate) token: Token,
    /// Where it stands.
    pub(crate) span: Span,
}

/// The tokens of a text; the last one is [`Token::End`]. A run of characters that begin no token
/// becomes one [`Token::Unknown`] and one diagnostic. The text has fewer than 2³² bytes.
pub(crate) fn lex(source: &str, sink: &mut Sink) -> Vec<Lexeme> {
    let mut lexemes: Vec<Lexeme> = Vec::new();
    let mut lexer = Token::lexer(source);
    // A byte order mark says nothing in UTF-8, yet editors write it.
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
    let characters = if text.chars().nth(1).is_some() { "characters" } else { "character" };
    let message = format!("the {characters} `{}` cannot stand in a program", shown(text));
    Diagnostic::new(span, message, "expected a name, a number, an operator or a comment")
}

/// The first few characters, in a form that a terminal shows.
fn shown(text: &str) -> String {
    const FEW: usize = 10;
    let mut shown = String::new();
    for character in text.chars().take(FEW) {
        match character {
            '"' | '\'' | '\\' => shown.push(character),
            _ => shown.extend(character.escape_debug()),
        }
    }
    if text.chars().nth(FEW).is_some() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(source: &str) -> (Vec<Token>, Vec<String>) {
        let mut sink = Sink::default();
        let tokens = lex(source, &mut sink).into_iter().map(|lexeme| lexeme.token).collect();
        (tokens, sink.finish("").into_iter().map(|d| d.message).collect())
    }

    #[test]
    fn comments_and_space_are_skipped() {
        let (tokens, errors) = tokens("\u{FEFF}a/* b * / **/ // c\n\t<=/**/12 // d");
        assert_eq!(tokens, [Token::Name, Token::LessEqual, Token::Number, Token::End]);
        assert!(errors.is_empty());
    }

    #[test]
    fn an_open_comment_reaches_to_the_end() {
        let (tokens, errors) = tokens("a /*/ process");
        assert_eq!(tokens, [Token::Name, Token::Unknown, Token::End]);
        assert_eq!(errors, ["this comment has no end"]);
    }

    #[test]
    fn a_run_of_strange_characters_is_one_error() {
        let (tokens, errors) = tokens("a \0\0\0 ßß@#$ b \"");
        assert_eq!(tokens, [Token::Name, Token::Unknown, Token::Unknown, Token::Name, Token::Unknown, Token::End]);
        assert_eq!(
            errors,
            [
                "the characters `\\0\\0\\0` cannot stand in a program",
                "the characters `ßß@#$` cannot stand in a program",
                "the character `\"` cannot stand in a program"
            ]
        );
    }

    #[test]
    fn words_are_names_unless_they_are_keywords() {
        let (tokens, _) = tokens("process processes any _any 1x");
        assert_eq!(tokens, [Token::Process, Token::Name, Token::Any, Token::Name, Token::Number, Token::End]);
    }
}
