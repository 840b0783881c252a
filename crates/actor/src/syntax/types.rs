//! Types, parameters and patterns.

use super::ast::{Name, Parameter, Pattern, PatternKind, TypeExpr};
use super::lex::unescape;
use super::parser::{Parsed, Parser};
use super::token::Token;

impl<'s> Parser<'s, '_> {
    pub(super) fn ty(&mut self) -> Parsed<TypeExpr<'s>> {
        self.deeper(|parser| {
            parser.annotations();
            let start = parser.span().start;
            let path = parser.path(Token::Upper, "a type")?;
            let arguments = match parser.eat(Token::Less) {
                true => parser.list(Token::Greater, Self::ty)?,
                false => Vec::new(),
            };
            Ok(TypeExpr { path, arguments, span: parser.since(start) })
        })
    }

    /// `(T x, U y)`, from its opening parenthesis on.
    pub(super) fn parameters(&mut self) -> Parsed<Vec<Parameter<'s>>> {
        self.expect(Token::LeftParen)?;
        self.list(Token::RightParen, |parser| {
            Ok(Parameter { ty: parser.ty()?, name: parser.lower("the name of a parameter")? })
        })
    }

    /// `<A, B>`, if there is one.
    pub(super) fn generics(&mut self) -> Parsed<Vec<Name<'s>>> {
        match self.eat(Token::Less) {
            true => self.list(Token::Greater, |parser| parser.upper("the name of a type parameter")),
            false => Ok(Vec::new()),
        }
    }

    pub(super) fn pattern(&mut self) -> Parsed<Pattern<'s>> {
        self.deeper(Self::pattern_inside)
    }

    fn pattern_inside(&mut self) -> Parsed<Pattern<'s>> {
        let start = self.span().start;
        let kind = match self.peek() {
            Token::Lower if self.text() == "_" => {
                self.bump();
                PatternKind::Any
            }
            Token::Lower => PatternKind::Variable(self.lower("a name")?),
            Token::Number => {
                let digits = self.text();
                self.bump();
                PatternKind::Int { negative: false, digits }
            }
            Token::Minus if self.peek_at(1) == Token::Number => {
                self.bump();
                let digits = self.text();
                self.bump();
                PatternKind::Int { negative: true, digits }
            }
            Token::String => {
                let text = unescape(self.text());
                self.bump();
                PatternKind::String(text)
            }
            Token::Upper => {
                let path = self.path(Token::Upper, "a constructor")?;
                let inner = match self.eat(Token::LeftParen) {
                    true => self.list(Token::RightParen, Self::pattern)?,
                    false => Vec::new(),
                };
                PatternKind::Construct(path, inner)
            }
            _ => return Err(self.expected("a pattern: a name, `_`, a number, a string or a constructor")),
        };
        Ok(Pattern { kind, span: self.since(start) })
    }
}
