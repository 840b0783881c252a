//! What is part of ABS, or was, and not read here: refused by its name.

use mazurka_source::Span;

use super::parser::Parser;
use super::token::Token;

/// Words that begin a declaration, with what they belong to.
const DECLARATIONS: &[(&str, &str)] = &[
    ("delta", "deltas"),
    ("uses", "deltas"),
    ("modifies", "deltas"),
    ("adds", "deltas"),
    ("removes", "deltas"),
    ("productline", "product lines"),
    ("product", "product lines"),
    ("features", "product lines"),
    ("core", "product lines"),
    ("root", "feature models"),
    ("extension", "feature models"),
    ("trait", "traits"),
];

/// Words that begin a statement, with what they belong to.
const STATEMENTS: &[(&str, &str)] =
    &[("movecogto", "moving objects between deployment components"), ("die", "objects that end themselves")];

/// Annotations that change what a program does, with what they belong to.
const ANNOTATIONS: &[(&str, &str)] = &[
    ("Scheduler", "schedulers of object groups"),
    ("HTTPName", "the HTTP interface"),
    ("HTTPCallable", "the HTTP interface"),
    ("Foreign", "the foreign interface"),
];

impl Parser<'_, '_> {
    /// Refuses a declaration that is out of scope, if the next word begins one. The word is not
    /// taken.
    pub(super) fn refuse_declaration(&mut self) -> bool {
        self.refuse(DECLARATIONS, |_| true)
    }

    /// Refuses a statement that is out of scope, if the next word begins one. The word is not
    /// taken.
    pub(super) fn refuse_statement(&mut self) -> bool {
        self.refuse(STATEMENTS, |parser| {
            matches!(parser.peek_at(1), Token::Lower | Token::Upper | Token::This | Token::New)
        })
    }

    /// Refuses an annotation that is out of scope, if one comes next. Others say nothing here.
    pub(super) fn refuse_annotation(&mut self) {
        if self.peek_at(1) != Token::Upper {
            return;
        }
        let (word, span) = self.word_at(1);
        if let Some((word, what)) = ANNOTATIONS.iter().find(|(annotation, _)| *annotation == word) {
            self.refused(span, &format!("`{word}` ({what})"));
        }
    }

    fn refuse(&mut self, words: &[(&str, &str)], fits: impl Fn(&Self) -> bool) -> bool {
        if !self.at(Token::Lower) || !fits(self) {
            return false;
        }
        let text = self.text();
        let Some((word, what)) = words.iter().find(|(word, _)| *word == text) else { return false };
        self.refused(self.span(), &format!("`{word}` ({what})"));
        true
    }

    /// Says that something is not read here.
    pub(super) fn refused(&mut self, span: Span, what: &str) {
        self.complain(span, format!("{what} cannot be checked"), "this is outside of what Mazurka reads of ABS");
    }
}
