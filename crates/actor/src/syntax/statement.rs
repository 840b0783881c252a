//! Statements.

use mazurka_source::Span;

use super::ast::{Arm, Block, ExprKind, Statement, StatementKind};
use super::parser::{Parsed, Parser};
use super::token::Token;

impl<'s> Parser<'s, '_> {
    /// Statements up to the closing brace, which is taken and returned; the opening one has been
    /// taken.
    pub(super) fn block_rest(&mut self) -> (Block<'s>, Span) {
        let mut statements = Vec::new();
        loop {
            match self.peek() {
                Token::RightBrace => return (statements, self.bump()),
                Token::End => {
                    self.expected("`}`");
                    return (statements, self.span());
                }
                token if token.begins_declaration() => {
                    self.expected("`}` before the next declaration");
                    return (statements, self.span());
                }
                _ => {}
            }
            let before = self.position();
            match self.deeper(Self::statement) {
                Ok(statement) => statements.push(statement),
                Err(_) => self.skip_statement(),
            }
            if self.position() == before {
                self.bump();
            }
        }
    }

    /// One statement.
    fn statement(&mut self) -> Parsed<Statement<'s>> {
        self.annotations();
        let start = self.span().start;
        let kind = match self.peek() {
            Token::LeftBrace => {
                self.bump();
                StatementKind::Block(self.block_rest().0)
            }
            Token::Semicolon => {
                self.bump();
                StatementKind::Skip
            }
            Token::Skip => self.simple(StatementKind::Skip)?,
            Token::Suspend => self.simple(StatementKind::Suspend)?,
            Token::Return => self.with_value(StatementKind::Return)?,
            Token::Assert => self.with_value(StatementKind::Assert)?,
            Token::Throw => self.with_value(StatementKind::Throw)?,
            Token::Await => self.await_statement()?,
            Token::If => self.if_statement()?,
            Token::While => self.while_statement()?,
            Token::Foreach => self.foreach_statement()?,
            Token::Switch | Token::Case => self.switch_statement()?,
            Token::Try => self.try_statement()?,
            _ => self.plain_statement()?,
        };
        Ok(Statement { kind, span: self.since(start) })
    }

    /// A keyword and a semicolon.
    fn simple(&mut self, kind: StatementKind<'s>) -> Parsed<StatementKind<'s>> {
        self.bump();
        self.expect(Token::Semicolon)?;
        Ok(kind)
    }

    /// A keyword, an expression and a semicolon.
    fn with_value(&mut self, make: impl FnOnce(super::ast::ExprId) -> StatementKind<'s>) -> Parsed<StatementKind<'s>> {
        self.bump();
        let value = self.expression()?;
        self.expect(Token::Semicolon)?;
        Ok(make(value))
    }

    fn await_statement(&mut self) -> Parsed<StatementKind<'s>> {
        self.bump();
        let guard = self.expression()?;
        self.expect(Token::Semicolon)?;
        if let ExprKind::Async { awaited, .. } = &mut self.expr_mut(guard).kind {
            *awaited = true;
            return Ok(StatementKind::Expression(guard));
        }
        Ok(StatementKind::Await(guard))
    }

    fn condition(&mut self) -> Parsed<super::ast::ExprId> {
        self.bump();
        self.expect(Token::LeftParen)?;
        let condition = self.expression()?;
        self.expect(Token::RightParen)?;
        Ok(condition)
    }

    fn if_statement(&mut self) -> Parsed<StatementKind<'s>> {
        let condition = self.condition()?;
        let then = Box::new(self.deeper(Self::statement)?);
        let otherwise = match self.eat(Token::Else) {
            true => Some(Box::new(self.deeper(Self::statement)?)),
            false => None,
        };
        Ok(StatementKind::If(condition, then, otherwise))
    }

    fn while_statement(&mut self) -> Parsed<StatementKind<'s>> {
        let condition = self.condition()?;
        Ok(StatementKind::While(condition, Box::new(self.deeper(Self::statement)?)))
    }

    fn foreach_statement(&mut self) -> Parsed<StatementKind<'s>> {
        self.bump();
        self.expect(Token::LeftParen)?;
        let element = self.lower("the name of a variable")?;
        let index = match self.eat(Token::Comma) {
            true => Some(self.lower("the name of the index")?),
            false => None,
        };
        self.expect(Token::In)?;
        let list = self.expression()?;
        self.expect(Token::RightParen)?;
        Ok(StatementKind::Foreach(element, index, list, Box::new(self.deeper(Self::statement)?)))
    }

    fn switch_statement(&mut self) -> Parsed<StatementKind<'s>> {
        self.bump();
        let value = self.expression()?;
        self.expect(Token::LeftBrace)?;
        Ok(StatementKind::Switch(value, self.arms()?))
    }

    /// `pattern => statement` up to the closing brace, which is taken.
    pub(super) fn arms(&mut self) -> Parsed<Vec<Arm<'s, Statement<'s>>>> {
        let mut arms = Vec::new();
        while !self.eat(Token::RightBrace) {
            match self.arm() {
                Ok(arm) => arms.push(arm),
                Err(_) if self.skip_block() => break,
                Err(failed) => return Err(failed),
            }
        }
        Ok(arms)
    }

    fn arm(&mut self) -> Parsed<Arm<'s, Statement<'s>>> {
        self.eat(Token::Bar);
        let pattern = self.pattern()?;
        self.expect(Token::Arrow)?;
        Ok(Arm { pattern, body: self.deeper(Self::statement)? })
    }

    fn try_statement(&mut self) -> Parsed<StatementKind<'s>> {
        self.bump();
        let body = Box::new(self.deeper(Self::statement)?);
        let mut arms = Vec::new();
        if self.eat(Token::Catch) {
            if self.eat(Token::LeftBrace) {
                arms = self.arms()?;
            } else {
                let pattern = self.pattern()?;
                self.expect(Token::Arrow)?;
                arms.push(Arm { pattern, body: self.deeper(Self::statement)? });
            }
        } else if !self.at(Token::Finally) {
            return Err(self.expected("`catch` or `finally`"));
        }
        let finally = match self.eat(Token::Finally) {
            true => Some(Box::new(self.deeper(Self::statement)?)),
            false => None,
        };
        Ok(StatementKind::Try { body, arms, finally })
    }

    /// A declaration, an assignment, or an expression for its effect.
    fn plain_statement(&mut self) -> Parsed<StatementKind<'s>> {
        if self.at(Token::Upper) && self.is_declaration() {
            let ty = self.ty()?;
            let name = self.lower("the name of a variable")?;
            let value = match self.eat(Token::Assign) {
                true => Some(self.expression()?),
                false => None,
            };
            self.expect(Token::Semicolon)?;
            return Ok(StatementKind::Declare(ty, name, value));
        }
        let expr = self.expression()?;
        if self.at(Token::Assign) {
            let (field, name) = match self.expr(expr).kind {
                ExprKind::Variable(name) => (false, name),
                ExprKind::Field(name) => (true, name),
                _ => return Err(self.expected("`;`, since only a variable or a field can be assigned to")),
            };
            self.bump();
            let value = self.expression()?;
            self.expect(Token::Semicolon)?;
            return Ok(StatementKind::Assign { field, name, value });
        }
        self.expect(Token::Semicolon)?;
        Ok(StatementKind::Expression(expr))
    }

    /// Whether a type and a name come next. Looks ahead over the type without reading it.
    fn is_declaration(&self) -> bool {
        let (mut ahead, mut open) = (0, 0usize);
        loop {
            match self.peek_at(ahead) {
                Token::Upper => {}
                Token::Dot if self.peek_at(ahead + 1) == Token::Upper => {}
                Token::Less => open += 1,
                Token::Greater if open > 0 => open -= 1,
                Token::Comma if open > 0 => {}
                Token::LeftBracket | Token::RightBracket if open > 0 => {}
                Token::Lower => return open == 0 && self.peek_at(ahead - 1) != Token::Dot,
                _ => return false,
            }
            ahead += 1;
        }
    }
}
