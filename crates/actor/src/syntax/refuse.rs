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

/// Words that begin a statement or an expression, with what they belong to.
const STATEMENTS: &[(&str, &str)] = &[
    ("duration", "timed ABS"),
    ("deadline", "timed ABS"),
    ("timeDifference", "timed ABS"),
    ("now", "timed ABS"),
    ("movecogto", "moving objects between deployment components"),
    ("original", "traits and deltas"),
    ("thisDC", "deployment components"),
    ("die", "objects that end themselves"),
    ("print", "printing without `println`"),
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
            let next = parser.peek_at(1);
            matches!(next, Token::LeftParen | Token::Lower | Token::This | Token::New) || parser.at_word("thisDC")
        })
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
