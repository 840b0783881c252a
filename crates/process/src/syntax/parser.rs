//! The parser's hands: looking at tokens, taking them, saying what was expected, and finding a
//! place to go on from.

use super::ast::{Expression, File, Item, Name, Node, NodeId, NodeKind};
use super::lex::Lexeme;
use super::token::Token;
use crate::hir::Span;
use mazurka_source::{Diagnostic, Sink};

/// How deep parentheses, operators with one operand and blocks may nest. What the parser and the
/// checker do by recursion is bounded by it, and with it the stack they need.
const DEEPEST: usize = 256;

/// Something could not be read; it has been reported.
#[derive(Debug)]
pub(crate) struct Failed;

/// What was read, or that it could not be.
pub(crate) type Parsed<T> = Result<T, Failed>;

/// Reads tokens from left to right.
pub(crate) struct Parser<'s, 'd> {
    source: &'s str,
    lexemes: Vec<Lexeme>,
    position: usize,
    depth: usize,
    /// The position of the last token that was complained about. One complaint about a token is
    /// enough: the others come from trying to go on there.
    blamed: Option<usize>,
    /// Whether the rest of the file was given up.
    stopped: bool,
    nodes: Vec<Node<'s>>,
    /// The names of declarations that could not be read: uses of them are not to be reported.
    lost: Vec<&'s str>,
    sink: &'d mut Sink,
}

impl<'s, 'd> Parser<'s, 'd> {
    /// A parser before the first token. The last one is [`Token::End`].
    pub(crate) fn new(source: &'s str, lexemes: Vec<Lexeme>, sink: &'d mut Sink) -> Self {
        Parser {
            source,
            lexemes,
            position: 0,
            depth: 0,
            blamed: None,
            stopped: false,
            nodes: Vec::new(),
            lost: Vec::new(),
            sink,
        }
    }

    /// The file that consists of these declarations; `None` if it was not read to its end.
    pub(crate) fn finish(self, items: Vec<Item<'s>>) -> Option<File<'s>> {
        (!self.stopped).then_some(File { items, nodes: self.nodes, lost: self.lost })
    }

    /// Remembers the name of a declaration that could not be read.
    pub(crate) fn lose(&mut self, name: Name<'s>) {
        self.lost.push(name.text);
    }

    /// Remembers the next token, if it is a name, as that of a declaration that could not be read.
    pub(crate) fn lose_next(&mut self) {
        if self.at(Token::Name) {
            self.lost.push(self.text());
        }
    }

    /// The next token.
    pub(crate) fn peek(&self) -> Token {
        self.lexemes[self.position].token
    }

    /// The token after the next.
    pub(crate) fn peek_second(&self) -> Token {
        self.lexemes.get(self.position + 1).map_or(Token::End, |lexeme| lexeme.token)
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

    /// How many tokens were taken.
    pub(crate) fn position(&self) -> usize {
        self.position
    }

    /// The end of the last token that was taken.
    pub(crate) fn end(&self) -> u32 {
        self.position.checked_sub(1).map_or(0, |last| self.lexemes[last].span.end)
    }

    /// The span from an offset to the end of the last token that was taken.
    pub(crate) fn since(&self, start: u32) -> Span {
        Span { start, end: self.end().max(start) }
    }

    /// Takes the next token. The end of the file is never taken.
    pub(crate) fn bump(&mut self) -> Span {
        let span = self.span();
        self.position = (self.position + 1).min(self.lexemes.len() - 1);
        span
    }

    /// Whether the next token is this one.
    pub(crate) fn at(&self, token: Token) -> bool {
        self.peek() == token
    }

    /// Takes the next token if it is this one.
    pub(crate) fn eat(&mut self, token: Token) -> bool {
        let found = self.at(token);
        if found {
            self.bump();
        }
        found
    }

    /// Takes the next token, which must be this one.
    pub(crate) fn expect(&mut self, token: Token) -> Parsed<Span> {
        if self.at(token) { Ok(self.bump()) } else { Err(self.expected(&quoted(token))) }
    }

    /// Takes a name.
    pub(crate) fn name(&mut self, what: &str) -> Parsed<Name<'s>> {
        if self.at(Token::Name) {
            return Ok(Name { text: self.text(), span: self.bump() });
        }
        let mut problem = self.expectation(what);
        let word = self.peek().is_keyword();
        if word && problem.help.is_none() {
            problem = problem.help(format!("`{}` is a word of the notation and cannot be a name", self.text()));
        }
        let failed = self.blame(problem);
        // On this line it was meant as a name; on the next one it may begin what it always begins.
        if word && !self.at_new_line() {
            self.bump();
        }
        Err(failed)
    }

    /// Takes the `;` after a statement or declaration. Where one is missing at the end of a line,
    /// what stands on the next line can be read all the same.
    pub(crate) fn semicolon(&mut self) -> Parsed<()> {
        if self.eat(Token::Semicolon) {
            return Ok(());
        }
        let new_line = self.at_new_line() && !self.at(Token::Unknown);
        let failed = self.expected("`;`");
        if new_line { Ok(()) } else { Err(failed) }
    }

    /// Whether the next token stands on another line than the last one.
    fn at_new_line(&self) -> bool {
        self.source[self.end() as usize..self.span().start as usize].contains('\n')
    }

    /// Reads items separated by commas, at least one.
    pub(crate) fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut items = vec![item(self)?];
        while self.eat(Token::Comma) {
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// Reads something one level deeper.
    pub(crate) fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.deeper(1)?;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Goes some levels deeper, if the next token may stand there.
    pub(crate) fn deeper(&mut self, levels: usize) -> Parsed<()> {
        if self.depth + levels > DEEPEST {
            return Err(self.too_deep());
        }
        self.depth += levels;
        Ok(())
    }

    /// Comes back from some levels.
    pub(crate) fn shallower(&mut self, levels: usize) {
        self.depth -= levels;
    }

    /// How many levels deeper it may go.
    pub(crate) fn levels_left(&self) -> usize {
        DEEPEST - self.depth
    }

    /// Reports that the next token stands too deep, and gives the rest of the file up: going on
    /// would complain about every level on the way out.
    fn too_deep(&mut self) -> Failed {
        let message = format!("this is nested more than {DEEPEST} levels deep");
        let help = "name a part of it: a variable for an expression, a `proc` for a block";
        let label = format!("expected at most {DEEPEST} levels");
        self.blame(Diagnostic::new(self.span(), message, label).help(help));
        self.stopped = true;
        self.position = self.lexemes.len() - 1;
        Failed
    }

    /// Reports that the next token is not what was expected.
    pub(crate) fn expected(&mut self, what: &str) -> Failed {
        let problem = self.expectation(what);
        self.blame(problem)
    }

    /// The diagnostic that says that the next token is not what was expected.
    pub(crate) fn expectation(&self, what: &str) -> Diagnostic {
        // A missing `;` is missing after the last token, not at the next one, which may stand lines
        // below.
        let span = if what == "`;`" { Span { start: self.end(), end: self.end() } } else { self.span() };
        let label = format!("expected {what}");
        if let Some((message, help)) = foreign(self.peek()) {
            return Diagnostic::new(self.span(), message, label).help(help);
        }
        let problem = Diagnostic::new(span, format!("expected {what}, found {}", self.found()), label);
        let compare = self.at(Token::Assign) && matches!(what, "`;`" | "`)`");
        problem.maybe_help(compare.then(|| "to compare, write `==`".to_string()))
    }

    /// Reports a problem at the next token, unless that token has been complained about.
    pub(crate) fn blame(&mut self, problem: Diagnostic) -> Failed {
        let silent = self.stopped || self.blamed == Some(self.position) || self.at(Token::Unknown);
        self.blamed = Some(self.position);
        if !silent {
            self.sink.push(problem);
        }
        Failed
    }

    /// Reports a problem that does not stand in the way of reading on.
    pub(crate) fn report(&mut self, problem: Diagnostic) {
        if !self.stopped {
            self.sink.push(problem);
        }
    }

    /// The next token, for a message.
    fn found(&self) -> String {
        match self.peek() {
            Token::End => "the end of the file".to_string(),
            _ if self.text().len() > 40 => "this".to_string(),
            _ => format!("`{}`", self.text()),
        }
    }

    /// Takes the stretch from an opening brace to its closing one.
    pub(crate) fn skip_braces(&mut self) {
        self.skip_pairs(Token::LeftBrace, Token::RightBrace);
    }

    /// Takes the stretch from an opening token to its closing one.
    pub(crate) fn skip_pairs(&mut self, open: Token, close: Token) {
        let mut depth = 0usize;
        while !self.at(Token::End) {
            let token = self.peek();
            self.bump();
            depth = if token == open { depth + 1 } else { depth - usize::from(token == close) };
            if depth == 0 {
                return;
            }
        }
    }

    /// Adds a node.
    pub(crate) fn node(&mut self, kind: NodeKind<'s>, span: Span) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(Node { kind, span });
        id
    }

    /// Where a node stands.
    pub(crate) fn node_span(&self, node: NodeId) -> Span {
        self.nodes[node.0 as usize].span
    }

    /// Puts the parentheses around a node into its span.
    pub(crate) fn widen(&mut self, node: NodeId, span: Span) {
        self.nodes[node.0 as usize].span = span;
    }

    /// The number the next node will get.
    pub(crate) fn next_node(&self) -> u32 {
        self.nodes.len() as u32
    }

    /// An expression in place of one that could not be read.
    pub(crate) fn poison(&mut self, span: Span) -> Expression {
        let start = self.next_node();
        Expression { start, root: self.node(NodeKind::Error, span) }
    }
}

/// A token as messages show it.
pub(crate) fn quoted(token: Token) -> String {
    format!("`{}`", token.text().unwrap_or("?"))
}

/// What is wrong with a token that is not in the notation, and what to write instead.
fn foreign(token: Token) -> Option<(String, String)> {
    let help = match token {
        Token::Any => {
            let help = "use another name; as an expression, `any` and `any(low, high)` are inputs".to_string();
            return Some(("`any` is no name".to_string(), help));
        }
        Token::For => "write a `while` loop",
        Token::Return => "a body ends where its block ends",
        Token::Break => "put the test into the condition of the `while`",
        Token::Continue => "put the rest of the loop's block under an `if`",
        Token::Increment => "write `x = x + 1`",
        Token::PlusAssign => "write `x = x + …`",
        Token::MinusAssign => "write `x = x - …`",
        Token::StarAssign => "write `x = x * …`",
        Token::SlashAssign => "write `x = x / …`",
        Token::PercentAssign => "write `x = x % …`",
        Token::SingleAnd => "did you mean `&&`?",
        Token::SingleOr => "did you mean `||`?",
        _ => return None,
    };
    Some((format!("there is no {} in the notation", quoted(token)), help.to_string()))
}
