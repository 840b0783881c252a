//! Expressions.
//!
//! Operators of every level are read in one loop with a stack of its own, so a long expression
//! needs no more of the machine's stack than a short one; only what nests (parentheses, indices,
//! operators with one operand) recurses, and that is limited.

use super::ast::{Expression, Name, NodeId, NodeKind};
use super::parser::{Failed, Parsed, Parser};
use super::token::Token;
use crate::hir::{Binary, Span, Unary};
use mazurka_source::Diagnostic;

/// The operator that a token stands for, and how tightly it binds.
fn binary(token: Token) -> Option<(Binary, u8)> {
    Some(match token {
        Token::Or => (Binary::Or, 1),
        Token::And => (Binary::And, 2),
        Token::Equal => (Binary::Equal, 3),
        Token::NotEqual => (Binary::NotEqual, 3),
        Token::Less => (Binary::Less, 4),
        Token::LessEqual => (Binary::LessEqual, 4),
        Token::Greater => (Binary::Greater, 4),
        Token::GreaterEqual => (Binary::GreaterEqual, 4),
        Token::Plus => (Binary::Add, 5),
        Token::Minus => (Binary::Subtract, 5),
        Token::Star => (Binary::Multiply, 6),
        Token::Slash => (Binary::Divide, 6),
        Token::Percent => (Binary::Remainder, 6),
        _ => return None,
    })
}

fn unary(token: Token) -> Option<Unary> {
    match token {
        Token::Minus => Some(Unary::Negate),
        Token::Not => Some(Unary::Not),
        _ => None,
    }
}

impl<'s> Parser<'s, '_> {
    /// Reads an expression.
    pub(crate) fn expression(&mut self) -> Parsed<Expression> {
        let start = self.next_node();
        let root = self.conditional()?;
        Ok(Expression { start, root })
    }

    /// `c ? a : d ? b : e`: a chain to the right is read in a loop and put together from its end.
    fn conditional(&mut self) -> Parsed<NodeId> {
        let mut links = Vec::new();
        let mut last = self.operators()?;
        while self.eat(Token::Question) {
            let then = self.nested(Self::conditional)?;
            self.expect(Token::Colon)?;
            links.push((last, then));
            last = self.operators()?;
        }
        for (condition, then) in links.into_iter().rev() {
            let span = self.between(condition, last);
            last = self.node(NodeKind::Conditional(condition, then, last), span);
        }
        Ok(last)
    }

    /// `a + b * c`: on the stack wait left operands whose operator binds less tightly than what
    /// follows, so never more than there are levels.
    fn operators(&mut self) -> Parsed<NodeId> {
        let mut waiting: Vec<(NodeId, Binary, u8)> = Vec::new();
        let mut operand = self.prefixed()?;
        loop {
            let next = binary(self.peek());
            let level = next.map_or(0, |(_, level)| level);
            while let Some((left, operator, _)) = waiting.pop_if(|waiting| waiting.2 >= level) {
                let span = self.between(left, operand);
                operand = self.node(NodeKind::Binary(operator, left, operand), span);
            }
            let Some((operator, level)) = next else { return Ok(operand) };
            self.bump();
            waiting.push((operand, operator, level));
            operand = self.prefixed()?;
        }
    }

    /// `-a`, `!a`
    fn prefixed(&mut self) -> Parsed<NodeId> {
        let mut operators: Vec<(Unary, u32)> = Vec::new();
        while let Some(operator) = unary(self.peek()) {
            if operators.len() == self.levels_left() {
                self.deeper(operators.len() + 1)?;
            }
            operators.push((operator, self.bump().start));
        }
        let levels = operators.len();
        self.deeper(levels)?;
        // The sign belongs to the number: the smallest integer has no positive twin.
        let sign = operators.pop_if(|last| last.0 == Unary::Negate && self.at(Token::Number));
        let operand = match sign {
            Some((_, start)) => Ok(self.number(Some(start))),
            None => self.primary(),
        };
        self.shallower(levels);
        let mut operand = operand?;
        for (operator, start) in operators.into_iter().rev() {
            let span = Span { start, end: self.node_span(operand).end };
            operand = self.node(NodeKind::Unary(operator, operand), span);
        }
        Ok(operand)
    }

    fn primary(&mut self) -> Parsed<NodeId> {
        match self.peek() {
            Token::Number => Ok(self.number(None)),
            Token::True => Ok(self.constant(true)),
            Token::False => Ok(self.constant(false)),
            Token::Name => self.variable(),
            Token::Choose => self.choose(),
            Token::Any => self.any(),
            Token::LeftParen => self.parenthesised(),
            _ => Err(self.expected("an expression")),
        }
    }

    fn constant(&mut self, value: bool) -> NodeId {
        let span = self.bump();
        self.node(NodeKind::Bool(value), span)
    }

    /// `12`; with the place of its sign, `-12`. A number that is not one is reported and stands as
    /// an error.
    fn number(&mut self, sign: Option<u32>) -> NodeId {
        let text = self.text();
        let number = self.span();
        let span = Span { start: sign.unwrap_or(number.start), end: number.end };
        self.bump();
        if !text.bytes().all(|byte| byte.is_ascii_digit()) {
            let message = format!("`{}` is not a number", excerpt(text));
            let problem = Diagnostic::new(number, message, "expected a number");
            self.report(problem.help("numbers are written in decimal digits, names begin with a letter or `_`"));
            return self.node(NodeKind::Error, span);
        }
        let magnitude: Option<i128> = text.parse().ok();
        let value = magnitude.map(|value| if sign.is_some() { -value } else { value });
        match value.and_then(|value| i64::try_from(value).ok()) {
            Some(value) => self.node(NodeKind::Int(value), span),
            None => {
                let label = "expected a number within -9223372036854775808 .. 9223372036854775807";
                let message = format!("the number `{}` is too large", excerpt(text));
                self.report(Diagnostic::new(number, message, label));
                self.node(NodeKind::Error, span)
            }
        }
    }

    /// `x`, `a[i]`
    fn variable(&mut self) -> Parsed<NodeId> {
        let name = self.name("a name")?;
        match self.peek() {
            Token::LeftBracket => {
                let index = self.index()?;
                let span = self.since(name.span.start);
                Ok(self.node(NodeKind::Index(name, index), span))
            }
            Token::LeftParen => Err(self.call(name)),
            _ => Ok(self.node(NodeKind::Name(name.text), name.span)),
        }
    }

    /// `[i]`
    pub(crate) fn index(&mut self) -> Parsed<NodeId> {
        self.nested(|parser| {
            parser.expect(Token::LeftBracket)?;
            parser.conditional()
        })
        .and_then(|index| self.close_index(index))
    }

    fn close_index(&mut self, index: NodeId) -> Parsed<NodeId> {
        self.expect(Token::RightBracket)?;
        if self.at(Token::LeftBracket) {
            let problem = Diagnostic::new(self.span(), "arrays have one dimension", "expected no second index");
            return Err(self.blame(problem));
        }
        Ok(index)
    }

    fn call(&mut self, name: Name<'s>) -> Failed {
        let label = "expected a variable, a cell of an array or `choose`";
        let problem = Diagnostic::new(name.span, "there are no calls in the notation", label);
        self.blame(problem.help(format!("a proc is started by the statement `spawn {}(…);`", name.text)))
    }

    /// `choose(low, high)`
    fn choose(&mut self) -> Parsed<NodeId> {
        let start = self.bump().start;
        let (low, high) = self.range()?;
        let span = self.since(start);
        Ok(self.node(NodeKind::Choose(low, high), span))
    }

    /// `any`, `any(low, high)`
    fn any(&mut self) -> Parsed<NodeId> {
        let word = self.bump();
        let (low, high) = if self.at(Token::LeftParen) {
            self.range()?
        } else {
            (self.node(NodeKind::Int(i64::MIN), word), self.node(NodeKind::Int(i64::MAX), word))
        };
        let span = self.since(word.start);
        Ok(self.node(NodeKind::Any(low, high), span))
    }

    /// `(low, high)`
    fn range(&mut self) -> Parsed<(NodeId, NodeId)> {
        let bounds = self.nested(|parser| {
            parser.expect(Token::LeftParen)?;
            let low = parser.conditional()?;
            parser.expect(Token::Comma)?;
            Ok((low, parser.conditional()?))
        })?;
        self.expect(Token::RightParen)?;
        Ok(bounds)
    }

    /// `(a)`
    fn parenthesised(&mut self) -> Parsed<NodeId> {
        let start = self.span().start;
        let inner = self.nested(|parser| {
            parser.bump();
            parser.conditional()
        })?;
        self.expect(Token::RightParen)?;
        let span = self.since(start);
        self.widen(inner, span);
        Ok(inner)
    }

    fn between(&self, first: NodeId, last: NodeId) -> Span {
        Span { start: self.node_span(first).start, end: self.node_span(last).end }
    }
}

fn excerpt(text: &str) -> String {
    if text.len() > 40 { format!("{}…", &text[..40]) } else { text.to_string() }
}
