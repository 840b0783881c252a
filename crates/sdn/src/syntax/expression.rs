//! Expressions and types.

use mazurka_source::{Diagnostic, Span};

use super::ast::{Binary, Expression, ExpressionKind, Type, Unary};
use super::parser::{DEEPEST, Parsed, Parser};
use super::token::Token;

/// The operator that a token stands for, and how tightly it binds.
fn binary(text: &str) -> Option<(Binary, u8)> {
    Some(match text {
        "||" => (Binary::Or, 1),
        "&&" => (Binary::And, 2),
        "==" => (Binary::Equal, 3),
        "!=" => (Binary::NotEqual, 3),
        "<" => (Binary::Less, 4),
        "<=" => (Binary::LessEqual, 4),
        ">" => (Binary::Greater, 4),
        ">=" => (Binary::GreaterEqual, 4),
        "in" => (Binary::In, 4),
        "+" => (Binary::Add, 5),
        "-" => (Binary::Subtract, 5),
        "*" => (Binary::Multiply, 6),
        "/" => (Binary::Divide, 6),
        "%" => (Binary::Remainder, 6),
        _ => return None,
    })
}

impl Parser<'_, '_> {
    /// An expression of these parts; too long a chain of operators is refused.
    fn node(&mut self, kind: ExpressionKind, span: Span, deepest: u32) -> Parsed<Expression> {
        if deepest >= DEEPEST {
            return Err(self.too_deep());
        }
        Ok(Expression { kind, span, depth: deepest + 1 })
    }

    /// Reads an expression.
    pub(crate) fn expression(&mut self) -> Parsed<Expression> {
        self.nested(Self::conditional)
    }

    fn conditional(&mut self) -> Parsed<Expression> {
        let condition = self.operators(1)?;
        if !self.eat("?") {
            return Ok(condition);
        }
        let then = self.expression()?;
        self.expect(":")?;
        let otherwise = self.expression()?;
        let span = condition.span.to(otherwise.span);
        let deepest = condition.depth.max(then.depth).max(otherwise.depth);
        self.node(ExpressionKind::Conditional(Box::new([condition, then, otherwise])), span, deepest)
    }

    /// Operators that bind at least so tightly.
    fn operators(&mut self, least: u8) -> Parsed<Expression> {
        let mut left = self.prefixed()?;
        while let Some((operator, level)) = binary(self.text()).filter(|&(_, level)| level >= least) {
            self.bump();
            let right = self.operators(level + 1)?;
            let (span, deepest) = (left.span.to(right.span), left.depth.max(right.depth));
            left = self.node(ExpressionKind::Binary(operator, Box::new(left), Box::new(right)), span, deepest)?;
        }
        Ok(left)
    }

    fn prefixed(&mut self) -> Parsed<Expression> {
        let start = self.span().start;
        let operator = match self.text() {
            "-" => Unary::Negate,
            "!" => Unary::Not,
            _ => return self.postfixed(),
        };
        self.bump();
        let operand = self.nested(Self::prefixed)?;
        let (span, deepest) = (self.since(start), operand.depth);
        self.node(ExpressionKind::Unary(operator, Box::new(operand)), span, deepest)
    }

    /// `learned[s][p.dst]`
    pub(crate) fn postfixed(&mut self) -> Parsed<Expression> {
        let start = self.span().start;
        let mut inner = self.primary()?;
        loop {
            if self.eat("[") {
                let index = self.expression()?;
                self.expect("]")?;
                let (span, deepest) = (self.since(start), inner.depth.max(index.depth));
                inner = self.node(ExpressionKind::Index(Box::new(inner), Box::new(index)), span, deepest)?;
            } else if self.eat(".") {
                let field = self.word("the name of a field")?;
                let (span, deepest) = (self.since(start), inner.depth);
                inner = self.node(ExpressionKind::Field(Box::new(inner), field), span, deepest)?;
            } else {
                return Ok(inner);
            }
        }
    }

    fn primary(&mut self) -> Parsed<Expression> {
        let span = self.span();
        match (self.peek(), self.text()) {
            (Token::Number, _) => {
                let value = self.number()?;
                self.node(ExpressionKind::Int(value), span, 0)
            }
            (_, "true" | "false") => {
                let value = self.text() == "true";
                self.bump();
                self.node(ExpressionKind::Bool(value), span, 0)
            }
            (_, "any") => {
                self.bump();
                self.node(ExpressionKind::Any, span, 0)
            }
            (_, "(") => {
                self.bump();
                let inner = self.expression()?;
                self.expect(")")?;
                Ok(inner)
            }
            (Token::Name, _) => self.named(span),
            _ => Err(self.expected("an expression")),
        }
    }

    fn named(&mut self, span: Span) -> Parsed<Expression> {
        let name = self.name("an expression")?;
        if !self.eat("(") {
            return self.node(ExpressionKind::Name(name.text), span, 0);
        }
        let arguments = if self.at(")") { Vec::new() } else { self.list(Self::expression)? };
        self.expect(")")?;
        let (span, deepest) = (self.since(span.start), arguments.iter().map(|one| one.depth).max().unwrap_or(0));
        self.node(ExpressionKind::Call(name, arguments), span, deepest)
    }

    fn number(&mut self) -> Parsed<i64> {
        let text = self.text().replace('_', "");
        match text.parse() {
            Ok(value) => {
                self.bump();
                Ok(value)
            }
            Err(_) => {
                let message = format!("`{}` is not a number that fits 64 bits", self.text());
                let span = self.bump();
                self.sink.push(Diagnostic::new(span, message, "expected a number in decimal digits"));
                Ok(0)
            }
        }
    }

    /// Reads a type.
    pub(crate) fn of_type(&mut self) -> Parsed<Type> {
        self.nested(Self::any_type)
    }

    fn any_type(&mut self) -> Parsed<Type> {
        if self.eat("{") {
            let values = self.list(|parser| parser.name("the name of a value"))?;
            self.expect("}")?;
            return Ok(Type::Values(values));
        }
        if self.peek() == Token::Number {
            let first = self.operators(5)?;
            self.expect("..")?;
            return Ok(Type::Range(first, self.operators(5)?));
        }
        match self.text() {
            "int" => self.simple(Type::Int),
            "bool" => self.simple(Type::Bool),
            "host" => self.simple(Type::Host),
            "switch" => self.simple(Type::Switch),
            "port" => self.simple(Type::Int),
            "map" => {
                self.bump();
                self.expect("<")?;
                let key = self.of_type()?;
                self.expect(",")?;
                let value = self.of_type()?;
                self.expect(">")?;
                Ok(Type::Map(Box::new(key), Box::new(value)))
            }
            "set" => {
                self.bump();
                self.expect("<")?;
                let key = self.of_type()?;
                self.expect(">")?;
                Ok(Type::Set(Box::new(key)))
            }
            _ => Ok(Type::OfField(self.name("a type")?)),
        }
    }

    fn simple(&mut self, of: Type) -> Parsed<Type> {
        self.bump();
        Ok(of)
    }
}
