//! The parser's hands: looking at tokens, taking them, saying what was expected, and finding a
//! place to go on from.

use mazurka_source::{Diagnostic, Sink, Span};

use super::ast::{Expr, ExprId, ExprKind, Name, Path};
use super::lex::{Lexeme, lex};
use super::token::Token;

/// How deep parentheses, blocks, patterns and types may nest. What the parser and the checker do by
/// recursion is bounded by it, and with it the stack they need.
const DEEPEST: usize = 128;

/// Something could not be read; it has been reported.
#[derive(Debug)]
pub(crate) struct Failed;

/// What was read, or that it could not be.
pub(crate) type Parsed<T> = Result<T, Failed>;

/// Reads tokens from left to right.
pub(crate) struct Parser<'s, 'd> {
    source: &'s str,
    base: u32,
    lexemes: Vec<Lexeme>,
    position: usize,
    depth: usize,
    /// The position of the last token that was complained about. One complaint about a token is
    /// enough.
    blamed: Option<usize>,
    /// Whether the rest of the file was given up.
    pub(super) stopped: bool,
    exprs: Vec<Expr<'s>>,
    pub(super) sink: &'d mut Sink,
}

impl<'s, 'd> Parser<'s, 'd> {
    /// A parser before the first token. The last one is [`Token::End`].
    pub(crate) fn new(
        source: &'s str,
        base: u32,
        lexemes: Vec<Lexeme>,
        exprs: Vec<Expr<'s>>,
        sink: &'d mut Sink,
    ) -> Self {
        Parser { source, base, lexemes, position: 0, depth: 0, blamed: None, stopped: false, exprs, sink }
    }

    /// The expressions that were read.
    pub(crate) fn finish(self) -> Vec<Expr<'s>> {
        self.exprs
    }

    /// Puts an expression into the arena.
    pub(super) fn add(&mut self, kind: ExprKind<'s>, span: Span) -> ExprId {
        self.exprs.push(Expr { kind, span });
        ExprId(self.exprs.len() as u32 - 1)
    }

    pub(super) fn expr(&self, id: ExprId) -> &Expr<'s> {
        &self.exprs[id.0 as usize]
    }

    pub(super) fn expr_mut(&mut self, id: ExprId) -> &mut Expr<'s> {
        &mut self.exprs[id.0 as usize]
    }

    pub(super) fn peek(&self) -> Token {
        self.lexemes[self.position].token
    }

    /// The token `ahead` places after the next one.
    pub(super) fn peek_at(&self, ahead: usize) -> Token {
        self.lexemes.get(self.position + ahead).map_or(Token::End, |lexeme| lexeme.token)
    }

    pub(super) fn span(&self) -> Span {
        self.lexemes[self.position].span
    }

    /// The text of the next token.
    pub(super) fn text(&self) -> &'s str {
        self.slice(self.span())
    }

    /// The text and the place of the token `ahead` places after the next one.
    pub(super) fn word_at(&self, ahead: usize) -> (&'s str, Span) {
        (self.text_at(ahead), self.lexemes.get(self.position + ahead).map_or(self.span(), |lexeme| lexeme.span))
    }

    fn text_at(&self, ahead: usize) -> &'s str {
        self.lexemes.get(self.position + ahead).map_or("", |lexeme| self.slice(lexeme.span))
    }

    pub(super) fn slice(&self, Span { start, end }: Span) -> &'s str {
        &self.source[(start - self.base) as usize..(end - self.base) as usize]
    }

    pub(super) fn position(&self) -> usize {
        self.position
    }

    /// The span from an offset to the end of the last token that was taken.
    pub(super) fn since(&self, start: u32) -> Span {
        let end = self.position.checked_sub(1).map_or(start, |last| self.lexemes[last].span.end);
        Span { start, end: end.max(start) }
    }

    /// Takes the next token. The end of the file is never taken.
    pub(super) fn bump(&mut self) -> Span {
        let span = self.span();
        self.position = (self.position + 1).min(self.lexemes.len() - 1);
        span
    }

    pub(super) fn at(&self, token: Token) -> bool {
        self.peek() == token
    }

    /// Whether the next token is this word, which is a keyword only here.
    pub(super) fn at_word(&self, word: &str) -> bool {
        self.at(Token::Lower) && self.text() == word
    }

    pub(super) fn eat(&mut self, token: Token) -> bool {
        let found = self.at(token);
        if found {
            self.bump();
        }
        found
    }

    pub(super) fn expect(&mut self, token: Token) -> Parsed<Span> {
        if self.at(token) {
            return Ok(self.bump());
        }
        let text = token.text().unwrap_or("a token");
        Err(self.expected(&format!("`{text}`")))
    }

    pub(super) fn lower(&mut self, what: &str) -> Parsed<Name<'s>> {
        self.name_of(Token::Lower, what)
    }

    pub(super) fn upper(&mut self, what: &str) -> Parsed<Name<'s>> {
        self.name_of(Token::Upper, what)
    }

    fn name_of(&mut self, token: Token, what: &str) -> Parsed<Name<'s>> {
        if self.at(token) {
            let text = self.text();
            return Ok(Name { text, span: self.bump() });
        }
        let wrong_case = matches!(self.peek(), Token::Lower | Token::Upper);
        let help = match () {
            () if wrong_case && token == Token::Lower => Some("such a name begins with a small letter".to_owned()),
            () if wrong_case => Some("such a name begins with a capital letter".to_owned()),
            () if self.peek().is_keyword() => Some(format!("`{}` is a word of the language", self.text())),
            () => None,
        };
        let failed = self.expected_with(what, help);
        // A word of the language as a name: what follows can be read.
        if token == Token::Lower && self.peek().is_keyword() && self.follows_a_name() {
            let text = self.text();
            return Ok(Name { text, span: self.bump() });
        }
        Err(failed)
    }

    /// Whether the next token but one is what follows the name of a variable, a field or a method.
    fn follows_a_name(&self) -> bool {
        use Token::{Assign, Comma, LeftParen, RightParen, Semicolon};
        matches!(self.peek_at(1), LeftParen | Assign | Semicolon | Comma | RightParen)
    }

    /// An expression that is part of a token.
    pub(super) fn expression_within(&mut self, inner: Span) -> Parsed<ExprId> {
        let lexemes = lex(self.slice(inner), inner.start, self.sink);
        let outer = std::mem::replace(&mut self.lexemes, lexemes);
        let (position, blamed) = (std::mem::take(&mut self.position), self.blamed.take());
        let read = self.expression().and_then(|expr| match self.at(Token::End) {
            true => Ok(expr),
            false => Err(self.expected("the end of the expression")),
        });
        self.lexemes = outer;
        self.blamed = blamed;
        self.position = if self.stopped { self.lexemes.len() - 1 } else { position };
        read
    }

    /// `A.B.Name` or `A.B.name`: the last part of the kind that is wanted.
    pub(super) fn path(&mut self, last: Token, what: &str) -> Parsed<Path<'s>> {
        let start = self.span().start;
        let mut module = None;
        while self.at(Token::Upper) && self.peek_at(1) == Token::Dot && self.follows_in_path(last) {
            let end = self.bump().end;
            self.bump();
            module = Some(self.slice(Span { start, end }));
        }
        Ok(Path { module, name: self.name_of(last, what)? })
    }

    /// Whether what comes after `Name .` can still be part of a path that ends with such a token.
    fn follows_in_path(&self, last: Token) -> bool {
        match self.peek_at(2) {
            Token::Upper => true,
            Token::Lower => last == Token::Lower,
            _ => false,
        }
    }

    /// One level deeper; an error where that is too deep.
    pub(super) fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth == DEEPEST {
            if !self.stopped {
                let message = format!("this is nested more than {DEEPEST} levels deep");
                self.sink.push(Diagnostic::new(self.span(), message, "expected less nesting here"));
            }
            self.stopped = true;
            self.position = self.lexemes.len() - 1;
            return Err(Failed);
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Complains that something else was expected.
    pub(super) fn expected(&mut self, what: &str) -> Failed {
        self.expected_with(what, None)
    }

    pub(super) fn expected_with(&mut self, what: &str, help: Option<String>) -> Failed {
        if self.blamed != Some(self.position) && !self.at(Token::Unknown) && !self.stopped {
            self.blamed = Some(self.position);
            let found = match self.peek() {
                Token::End => "the end of the file".to_owned(),
                _ => format!("`{}`", self.text().chars().take(30).collect::<String>()),
            };
            let problem = Diagnostic::new(self.span(), format!("unexpected {found}"), format!("expected {what}"));
            self.sink.push(problem.maybe_help(help));
        }
        Failed
    }

    /// Complains about what was read already.
    pub(super) fn complain(&mut self, span: Span, message: impl Into<String>, label: impl Into<String>) {
        self.sink.push(Diagnostic::new(span, message, label));
    }

    /// Skips to the end of a statement: after the next `;`, or before a `}` that closes what is
    /// around it.
    pub(super) fn skip_statement(&mut self) {
        let mut open = 0usize;
        loop {
            match self.peek() {
                Token::End => return,
                Token::Semicolon if open == 0 => {
                    self.bump();
                    return;
                }
                Token::LeftBrace => open += 1,
                Token::RightBrace if open == 0 => return,
                Token::RightBrace => open -= 1,
                token if token.begins_declaration() && open == 0 => return,
                _ => {}
            }
            self.bump();
        }
    }

    /// Skips to the closing brace of what is around, and takes it. Tells whether there is one
    /// before the next declaration.
    pub(super) fn skip_block(&mut self) -> bool {
        let mut open = 0usize;
        loop {
            match self.peek() {
                Token::End => return false,
                Token::LeftBrace => open += 1,
                Token::RightBrace if open == 0 => {
                    self.bump();
                    return true;
                }
                Token::RightBrace => open -= 1,
                token if token.begins_declaration() && open == 0 => return false,
                _ => {}
            }
            self.bump();
        }
    }

    /// Skips to the end of a declaration, at least one token: after a `;` or a closing brace, or
    /// before another one begins.
    pub(super) fn skip_declaration(&mut self) {
        let mut open = 0usize;
        loop {
            match self.bump_token() {
                Token::LeftBrace => open += 1,
                Token::RightBrace if open <= 1 => return,
                Token::RightBrace => open -= 1,
                Token::Semicolon if open == 0 => return,
                _ => {}
            }
            if self.at(Token::End) || (open == 0 && self.peek().begins_declaration()) {
                return;
            }
        }
    }

    fn bump_token(&mut self) -> Token {
        let token = self.peek();
        self.bump();
        token
    }

    /// Skips annotations: `[ ... ]`, with whatever is in them, but for those that declare
    /// independence, which have no meaning here.
    pub(super) fn annotations(&mut self) {
        while self.at(Token::LeftBracket) {
            if self.at_independence() {
                let message = "`indep` declares when methods commute";
                self.complain(self.span(), message, "expected it before a class or a method");
            }
            self.skip_annotation();
        }
    }

    /// Whether an annotation that declares independence comes next: `[indep( ... )]`.
    pub(super) fn at_independence(&self) -> bool {
        self.at(Token::LeftBracket)
            && self.peek_at(1) == Token::Lower
            && self.text_at(1) == "indep"
            && self.peek_at(2) == Token::LeftParen
    }

    pub(super) fn skip_annotation(&mut self) {
        self.refuse_annotation();
        let start = self.span();
        let mut open = 0usize;
        loop {
            match self.peek() {
                Token::LeftBracket => open += 1,
                Token::RightBracket => open -= 1,
                Token::End => {
                    self.complain(start, "this annotation has no end", "expected a `]` after it");
                    return;
                }
                _ => {}
            }
            self.bump();
            if open == 0 {
                return;
            }
        }
    }

    /// A list with commas, up to a closing token, which is taken.
    pub(super) fn list<T>(&mut self, close: Token, mut read: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut items = Vec::new();
        if self.eat(close) {
            return Ok(items);
        }
        loop {
            items.push(read(self)?);
            if self.eat(close) {
                return Ok(items);
            }
            if !self.eat(Token::Comma) {
                let text = close.text().unwrap_or_default();
                return Err(self.expected(&format!("`,` or `{text}`")));
            }
        }
    }
}
