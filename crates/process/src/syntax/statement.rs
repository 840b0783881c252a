//! Statements and blocks.

use super::ast::{Arm, Block, Expression, Place, Statement, StatementKind};
use super::parser::{Failed, Parsed, Parser};
use super::token::Token;
use crate::hir::{Span, Type};
use mazurka_source::suggest;

/// The words a statement begins with, for hints.
const WORDS: [&str; 11] =
    ["int", "bool", "atomic", "if", "while", "lock", "unlock", "await", "assume", "assert", "spawn"];

impl<'s> Parser<'s, '_> {
    /// `{ … }`. A statement that cannot be read is left out, and reading goes on after it.
    pub(crate) fn block(&mut self) -> Parsed<Block<'s>> {
        let open = self.span();
        self.nested(|parser| {
            parser.expect(Token::LeftBrace)?;
            let mut block = Vec::new();
            while !parser.at(Token::RightBrace) && !parser.at(Token::End) && !parser.peek().begins_body() {
                let start = parser.position();
                if parser.statement(&mut block).is_err() {
                    parser.skip_statement(start);
                }
            }
            parser.close_block(open);
            Ok(block)
        })
    }

    /// The block of `if`, `else` and `while`. In place of one, a statement is read as in C, so that
    /// what follows it is not misunderstood.
    fn branch(&mut self) -> Parsed<Block<'s>> {
        if self.at(Token::LeftBrace) || !(self.at(Token::Name) || self.peek().begins_statement()) {
            return self.block();
        }
        let problem = self.expectation("`{`").help("the statements of `if`, `else` and `while` stand in braces");
        self.blame(problem);
        let mut block = Vec::new();
        self.nested(|parser| parser.statement(&mut block))?;
        Ok(block)
    }

    /// Takes a `}`. A missing one is reported, and the block ends all the same.
    fn close_block(&mut self, open: Span) {
        if !self.eat(Token::RightBrace) {
            let problem = self.expectation("`}`").note(open, "it would close this `{`");
            self.blame(problem);
        }
    }

    /// Goes to where the next statement may begin.
    fn skip_statement(&mut self, start: usize) {
        if self.position() == start && !self.at(Token::LeftBrace) {
            self.bump();
        }
        loop {
            match self.peek() {
                Token::End | Token::RightBrace => return,
                Token::Semicolon => {
                    self.bump();
                    return;
                }
                Token::LeftBrace => {
                    self.skip_braces();
                    if !self.at(Token::Else) {
                        return;
                    }
                }
                token if token.begins_statement() || token.begins_body() => return,
                _ => {
                    self.bump();
                }
            }
        }
    }

    /// Reads a statement into a block.
    fn statement(&mut self, block: &mut Block<'s>) -> Parsed<()> {
        let start = self.span().start;
        match self.peek() {
            Token::Int | Token::Bool => self.declaration(block),
            Token::Name => self.assignment(block),
            Token::Atomic => self.atomic(block),
            Token::If => self.conditional_statement(block),
            Token::While => {
                self.bump();
                let condition = self.condition();
                let span = self.since(start);
                let kind = StatementKind::While(condition, self.branch()?);
                block.push(Statement { kind, span });
                Ok(())
            }
            Token::Lock => self.simple(block, |p| Ok(StatementKind::Lock(p.mutex()?))),
            Token::Unlock => self.simple(block, |p| Ok(StatementKind::Unlock(p.mutex()?))),
            Token::Await => self.simple(block, |p| Ok(StatementKind::Await(p.expression()?))),
            Token::Assume => self.simple(block, |p| Ok(StatementKind::Assume(p.expression()?))),
            Token::Assert => self.simple(block, |p| Ok(StatementKind::Assert(p.expression()?))),
            Token::Spawn => self.simple(block, Self::spawn),
            _ => Err(self.no_statement()),
        }
    }

    /// Reads a statement of a keyword, what follows it, and a `;`.
    fn simple(
        &mut self,
        block: &mut Block<'s>,
        rest: impl FnOnce(&mut Self) -> Parsed<StatementKind<'s>>,
    ) -> Parsed<()> {
        let start = self.bump().start;
        let kind = rest(self)?;
        let span = self.since(start);
        // What goes on without a `;` is not what was meant: it is not worth a check.
        self.semicolon()?;
        block.push(Statement { kind, span });
        Ok(())
    }

    /// `int t = 0, u;`
    fn declaration(&mut self, block: &mut Block<'s>) -> Parsed<()> {
        let mut keyword = Some(self.span().start);
        let ty = self.type_name()?;
        self.declarators(|declarator| {
            let start = keyword.take().unwrap_or(declarator.span.start);
            let span = Span { start, end: declarator.span.end };
            block.push(Statement { kind: StatementKind::Declare(ty, declarator), span });
        })
    }

    /// `int`, `bool`
    pub(crate) fn type_name(&mut self) -> Parsed<Type> {
        let ty = match self.peek() {
            Token::Int => Type::Int,
            Token::Bool => Type::Bool,
            _ => return Err(self.expected("`int` or `bool`")),
        };
        self.bump();
        Ok(ty)
    }

    /// `x = 1;`, `a[i] = 1;`
    fn assignment(&mut self, block: &mut Block<'s>) -> Parsed<()> {
        let place = self.place("a name")?;
        if !self.eat(Token::Assign) {
            return Err(self.no_assignment(place));
        }
        let value = self.expression()?;
        let span = self.since(place.span.start);
        self.semicolon()?;
        block.push(Statement { kind: StatementKind::Assign(place, value), span });
        Ok(())
    }

    fn no_assignment(&mut self, place: Place<'s>) -> Failed {
        let name = place.name.text;
        let problem = self.expectation("`=`");
        let guess = suggest(name, WORDS);
        let help = match self.peek() {
            Token::Minus if self.peek_second() == Token::Minus => {
                Some(format!("there is no `--` in the notation: write `{name} = {name} - 1`"))
            }
            _ if guess.is_some() => guess,
            Token::Equal => Some("to assign, write `=`".to_string()),
            Token::LeftParen => Some(format!("to start a proc, write `spawn {name}(…);`")),
            _ => None,
        };
        self.blame(problem.maybe_help(help))
    }

    /// `x`, `a[i]`
    fn place(&mut self, what: &str) -> Parsed<Place<'s>> {
        let name = self.name(what)?;
        let start = self.next_node();
        let index = match self.at(Token::LeftBracket) {
            true => Some(Expression { start, root: self.index()? }),
            false => None,
        };
        Ok(Place { name, index, span: self.since(name.span.start) })
    }

    /// `(m)`, `(f[i])`
    fn mutex(&mut self) -> Parsed<Place<'s>> {
        self.expect(Token::LeftParen)?;
        let place = self.place("the name of a mutex")?;
        self.expect(Token::RightParen)?;
        Ok(place)
    }

    /// `atomic { … }`, `atomic name { … }`
    fn atomic(&mut self, block: &mut Block<'s>) -> Parsed<()> {
        let start = self.bump().start;
        let name = match self.at(Token::LeftBrace) {
            true => None,
            false => Some(self.name("`{` or a name")?),
        };
        let span = self.since(start);
        let kind = StatementKind::Atomic(name, self.block()?);
        block.push(Statement { kind, span });
        Ok(())
    }

    /// `if (…) { … } else if (…) { … } else { … }`
    fn conditional_statement(&mut self, block: &mut Block<'s>) -> Parsed<()> {
        let mut arms = vec![self.arm()?];
        let mut otherwise = Vec::new();
        while self.eat(Token::Else) {
            if self.at(Token::If) {
                arms.push(self.arm()?);
            } else {
                otherwise = self.branch()?;
                break;
            }
        }
        let span = arms[0].head;
        block.push(Statement { kind: StatementKind::If(arms, otherwise), span });
        Ok(())
    }

    /// `if (…) { … }`
    fn arm(&mut self) -> Parsed<Arm<'s>> {
        let start = self.bump().start;
        let condition = self.condition();
        let head = self.since(start);
        Ok(Arm { head, condition, block: self.branch()? })
    }

    /// `(…)` before a block. If it cannot be read, reading goes on at the block.
    fn condition(&mut self) -> Expression {
        let start = self.span();
        self.parenthesised_condition().unwrap_or_else(|Failed| {
            let stop = [Token::LeftBrace, Token::RightBrace, Token::Semicolon, Token::End];
            while !stop.contains(&self.peek()) && !self.peek().begins_body() && !self.peek().begins_statement() {
                self.bump();
            }
            self.poison(start)
        })
    }

    fn parenthesised_condition(&mut self) -> Parsed<Expression> {
        self.expect(Token::LeftParen)?;
        let condition = self.expression()?;
        self.expect(Token::RightParen)?;
        Ok(condition)
    }

    /// `w(a, b)` after `spawn`
    fn spawn(&mut self) -> Parsed<StatementKind<'s>> {
        let name = self.name("the name of a proc")?;
        self.expect(Token::LeftParen)?;
        let arguments = if self.at(Token::RightParen) { Vec::new() } else { self.list(Self::expression)? };
        self.expect(Token::RightParen)?;
        Ok(StatementKind::Spawn(name, arguments))
    }

    /// Reports that no statement begins here; takes what certainly belongs to it.
    fn no_statement(&mut self) -> Failed {
        let token = self.peek();
        let problem = self.expectation("a statement");
        let help = match token {
            Token::LeftBrace => Some("a block stands after `if`, `else`, `while` or `atomic`"),
            Token::Else => Some("an `else` stands directly after the block of an `if`"),
            Token::Semicolon => Some("leave the extra `;` out"),
            Token::Const => Some("constants are declared outside of processes and procs"),
            Token::Mutex => Some("mutexes are declared outside of processes and procs"),
            Token::Minus if self.peek_second() == Token::Minus => Some("to count down, write `x = x - 1`"),
            _ => None,
        };
        let failed = self.blame(problem.maybe_help(help.map(str::to_string)));
        match token {
            Token::For if self.peek_second() == Token::LeftParen => {
                self.bump();
                self.skip_pairs(Token::LeftParen, Token::RightParen);
            }
            Token::Const | Token::Mutex => {
                self.bump();
                self.lose_next();
            }
            _ => {}
        }
        failed
    }
}
