//! Expressions, with and without effects. Which of them may stand where is for the checker to say.

use mazurka_source::Span;

use super::ast::{Arm, Binary, ExprId, ExprKind, FunctionArgument, Name, Path, Unary};
use super::lex::{unescape, without_escapes};
use super::parser::{Parsed, Parser};
use super::token::Token;

/// The operator of a token, with how tightly it binds.
fn operator(token: Token) -> Option<(Binary, u8)> {
    Some(match token {
        Token::Both => (Binary::Both, 1),
        Token::Or => (Binary::Or, 2),
        Token::And => (Binary::And, 3),
        Token::Equal => (Binary::Equal, 4),
        Token::NotEqual => (Binary::NotEqual, 4),
        Token::Less => (Binary::Less, 5),
        Token::LessEqual => (Binary::LessEqual, 5),
        Token::Greater => (Binary::Greater, 5),
        Token::GreaterEqual => (Binary::GreaterEqual, 5),
        Token::Plus => (Binary::Add, 6),
        Token::Minus => (Binary::Subtract, 6),
        Token::Star => (Binary::Multiply, 7),
        Token::Slash => (Binary::Divide, 7),
        Token::Percent => (Binary::Remainder, 7),
        _ => return None,
    })
}

impl<'s> Parser<'s, '_> {
    pub(super) fn expression(&mut self) -> Parsed<ExprId> {
        self.deeper(|parser| parser.operators(0))
    }

    /// An expression of operators that bind more tightly than `loosest`. It recurses at most once
    /// for each tightness.
    fn operators(&mut self, loosest: u8) -> Parsed<ExprId> {
        let mut left = self.operand()?;
        loop {
            let start = self.expr(left).span.start;
            if let Some((operator, tightness)) = operator(self.peek()).filter(|&(_, tightness)| tightness > loosest) {
                self.bump();
                let right = self.operators(tightness)?;
                let span = Span { start, end: self.expr(right).span.end };
                left = self.add(ExprKind::Binary(operator, left, right), span);
            } else if loosest < 5 && self.at(Token::Implements) {
                self.bump();
                let ty = self.ty()?;
                let span = self.since(start);
                left = self.add(ExprKind::Implements(left, ty), span);
            } else if loosest < 5 && self.at(Token::As) {
                self.bump();
                let ty = self.ty()?;
                let span = self.since(start);
                left = self.add(ExprKind::As(left, ty), span);
            } else {
                return Ok(left);
            }
        }
    }

    /// An operand with what stands before and after it.
    fn operand(&mut self) -> Parsed<ExprId> {
        let start = self.span().start;
        let unary = match self.peek() {
            Token::Not | Token::Tilde => Unary::Not,
            Token::Minus => Unary::Negate,
            _ => return self.postfix(),
        };
        self.bump();
        let operand = self.deeper(Self::operand)?;
        let span = Span { start, end: self.expr(operand).span.end };
        Ok(self.add(ExprKind::Unary(unary, operand), span))
    }

    /// A primary expression and the `.get`, calls and `?` after it.
    fn postfix(&mut self) -> Parsed<ExprId> {
        let mut expr = self.primary()?;
        loop {
            let start = self.expr(expr).span.start;
            match self.peek() {
                Token::Question => {
                    self.bump();
                    let span = self.since(start);
                    expr = self.add(ExprKind::Ready(expr), span);
                }
                Token::Not if self.peek_at(1) == Token::Lower || self.is_call_of_keyword() => {
                    self.bump();
                    let (method, arguments) = self.call_rest()?;
                    let kind = ExprKind::Async { receiver: expr, method, arguments, awaited: false };
                    let span = self.since(start);
                    expr = self.add(kind, span);
                }
                Token::Dot => {
                    self.bump();
                    if self.at_word("get") && self.peek_at(1) != Token::LeftParen {
                        self.bump();
                        let span = self.since(start);
                        expr = self.add(ExprKind::Get(expr), span);
                        continue;
                    }
                    let (method, arguments) = self.call_rest()?;
                    let span = self.since(start);
                    expr = self.add(ExprKind::Sync { receiver: expr, method, arguments }, span);
                }
                _ => return Ok(expr),
            }
        }
    }

    /// `!data(`: a method that has a word of the language for a name. That is told of later.
    fn is_call_of_keyword(&self) -> bool {
        self.peek_at(1).is_keyword() && self.peek_at(2) == Token::LeftParen
    }

    fn call_rest(&mut self) -> Parsed<(Name<'s>, Vec<ExprId>)> {
        let method = self.lower("the name of a method")?;
        self.expect(Token::LeftParen)?;
        Ok((method, self.list(Token::RightParen, Self::expression)?))
    }

    fn primary(&mut self) -> Parsed<ExprId> {
        let start = self.span().start;
        let kind = match self.peek() {
            Token::Number => {
                let digits = self.text();
                self.bump();
                ExprKind::Int(digits)
            }
            Token::String => {
                let text = unescape(self.text());
                self.bump();
                ExprKind::String(text)
            }
            Token::LeftParen => {
                self.bump();
                let inner = self.expression()?;
                self.expect(Token::RightParen)?;
                return Ok(inner);
            }
            Token::This => {
                self.bump();
                if self.at(Token::Dot) && self.peek_at(1) == Token::Lower && self.peek_at(2) != Token::LeftParen {
                    self.bump();
                    ExprKind::Field(self.lower("the name of a field")?)
                } else {
                    ExprKind::This
                }
            }
            Token::Null => {
                self.bump();
                ExprKind::Null
            }
            Token::Float => {
                self.refused(self.span(), "a number with a decimal point (Float)");
                self.bump();
                ExprKind::Int("0")
            }
            Token::Template => return self.template(),
            Token::Lower => return self.named(),
            Token::Upper => return self.capital(),
            Token::If | Token::When => self.conditional()?,
            Token::Let => return self.binding(),
            Token::Case => self.case()?,
            Token::New => self.creation()?,
            Token::Await => return self.awaited_call(),
            _ => return Err(self.expected("an expression")),
        };
        let span = self.since(start);
        Ok(self.add(kind, span))
    }

    /// Something that begins with a small letter: a variable or a call of a function.
    fn named(&mut self) -> Parsed<ExprId> {
        let start = self.span().start;
        if self.refuse_statement() {
            self.bump();
            return self.expression();
        }
        let name = self.lower("a name")?;
        let kind = match self.peek() {
            Token::LeftParen | Token::LeftBracket => self.call(Path { module: None, name })?,
            _ => ExprKind::Variable(name),
        };
        let span = self.since(start);
        Ok(self.add(kind, span))
    }

    /// A template: text, and expressions between dollars, which stand for their texts.
    fn template(&mut self) -> Parsed<ExprId> {
        let span = self.bump();
        let inner = Span { start: span.start + 1, end: span.end - 1 };
        let dollars = self.dollars(inner);
        let mut whole = self.add(ExprKind::String(String::new()), span);
        let mut from = inner.start;
        for pair in dollars.chunks(2) {
            let &[open, close] = pair else {
                let odd = Span { start: pair[0], end: pair[0] + 1 };
                self.complain(odd, "this `$` has no partner", "expected another one after an expression, or `\\$`");
                break;
            };
            whole = self.append_text(whole, Span { start: from, end: open });
            let expr = self.expression_within(Span { start: open + 1, end: close })?;
            let place = self.expr(expr).span;
            let name = Name { text: "toString", span: place };
            let text = self.add(ExprKind::Call(Path { module: Some("ABS.StdLib"), name }, vec![expr]), place);
            whole = self.add(ExprKind::Binary(Binary::Add, whole, text), span);
            from = close + 1;
        }
        Ok(self.append_text(whole, Span { start: from, end: inner.end }))
    }

    fn append_text(&mut self, whole: ExprId, part: Span) -> ExprId {
        if part.start >= part.end {
            return whole;
        }
        let text = self.add(ExprKind::String(without_escapes(self.slice(part))), part);
        let span = self.expr(whole).span;
        self.add(ExprKind::Binary(Binary::Add, whole, text), span)
    }

    /// Where dollars stand that nothing escapes.
    fn dollars(&self, inner: Span) -> Vec<u32> {
        let mut is_escaped = false;
        let mut found = Vec::new();
        for (at, byte) in self.slice(inner).bytes().enumerate() {
            if byte == b'$' && !is_escaped {
                found.push(inner.start + at as u32);
            }
            is_escaped = byte == b'\\' && !is_escaped;
        }
        found
    }

    /// What comes after the name of a function.
    fn call(&mut self, path: Path<'s>) -> Parsed<ExprKind<'s>> {
        if self.eat(Token::LeftBracket) {
            return Ok(ExprKind::Sequence(path, self.list(Token::RightBracket, Self::expression)?));
        }
        self.expect(Token::LeftParen)?;
        if self.is_lambda() {
            let functions = self.list(Token::RightParen, Self::function_argument)?;
            self.expect(Token::LeftParen)?;
            return Ok(ExprKind::Higher(path, functions, self.list(Token::RightParen, Self::expression)?));
        }
        let arguments = self.list(Token::RightParen, Self::expression)?;
        if !self.eat(Token::LeftParen) {
            return Ok(ExprKind::Call(path, arguments));
        }
        let mut functions = Vec::new();
        for argument in arguments {
            match self.expr(argument).kind {
                ExprKind::Variable(name) => functions.push(FunctionArgument::Named(Path { module: None, name })),
                _ => {
                    let span = self.expr(argument).span;
                    self.complain(span, "this is no function", "expected the name of a function, or a lambda");
                }
            }
        }
        Ok(ExprKind::Higher(path, functions, self.list(Token::RightParen, Self::expression)?))
    }

    /// Whether some argument up to the closing parenthesis is a lambda: `(T x) => e`.
    fn is_lambda(&self) -> bool {
        let mut ahead = 0;
        while self.peek_at(ahead) == Token::Lower && self.peek_at(ahead + 1) == Token::Comma {
            ahead += 2;
        }
        if self.peek_at(ahead) != Token::LeftParen {
            return false;
        }
        let mut open = 0usize;
        loop {
            match self.peek_at(ahead) {
                Token::LeftParen => open += 1,
                Token::RightParen if open == 1 => return self.peek_at(ahead + 1) == Token::Arrow,
                Token::RightParen => open -= 1,
                Token::Upper | Token::Lower | Token::Comma | Token::Less | Token::Greater | Token::Dot => {}
                _ => return false,
            }
            ahead += 1;
        }
    }

    fn function_argument(&mut self) -> Parsed<FunctionArgument<'s>> {
        if self.at(Token::LeftParen) {
            let parameters = self.parameters()?;
            self.expect(Token::Arrow)?;
            return Ok(FunctionArgument::Lambda { parameters, body: self.expression()? });
        }
        Ok(FunctionArgument::Named(self.path(Token::Lower, "the name of a function, or a lambda")?))
    }

    /// Something that begins with a capital: a constructor, or a function of a module.
    fn capital(&mut self) -> Parsed<ExprId> {
        let start = self.span().start;
        let mut ahead = 0;
        while self.peek_at(ahead) == Token::Upper && self.peek_at(ahead + 1) == Token::Dot {
            ahead += 2;
        }
        let is_call = ahead > 0 && self.peek_at(ahead) == Token::Lower;
        let kind = if is_call && matches!(self.peek_at(ahead + 1), Token::LeftParen | Token::LeftBracket) {
            let path = self.path(Token::Lower, "a function")?;
            self.call(path)?
        } else {
            let path = self.path(Token::Upper, "a constructor")?;
            let arguments = match self.eat(Token::LeftParen) {
                true => self.list(Token::RightParen, Self::expression)?,
                false => Vec::new(),
            };
            ExprKind::Construct(path, arguments)
        };
        let span = self.since(start);
        Ok(self.add(kind, span))
    }

    fn conditional(&mut self) -> Parsed<ExprKind<'s>> {
        self.bump();
        let condition = self.expression()?;
        self.expect(Token::Then)?;
        let then = self.expression()?;
        self.expect(Token::Else)?;
        Ok(ExprKind::If(condition, then, self.expression()?))
    }

    /// `let T x = e, U y = f in g`; parentheses around `T x` are allowed.
    fn binding(&mut self) -> Parsed<ExprId> {
        let start = self.bump().start;
        let mut bindings = Vec::new();
        loop {
            let paren = self.eat(Token::LeftParen);
            let ty = self.ty()?;
            let name = self.lower("the name of a variable")?;
            if paren {
                self.expect(Token::RightParen)?;
            }
            self.expect(Token::Assign)?;
            bindings.push((ty, name, self.expression()?));
            if !self.eat(Token::Comma) {
                break;
            }
            if bindings.len() > 60 {
                return Err(self.expected("at most 60 variables in one `let`"));
            }
        }
        self.expect(Token::In)?;
        let mut body = self.expression()?;
        let span = self.since(start);
        for (ty, name, value) in bindings.into_iter().rev() {
            body = self.add(ExprKind::Let(ty, name, value, body), span);
        }
        Ok(body)
    }

    fn case(&mut self) -> Parsed<ExprKind<'s>> {
        self.bump();
        let value = self.expression()?;
        self.expect(Token::LeftBrace)?;
        let mut arms = Vec::new();
        while !self.eat(Token::RightBrace) {
            self.eat(Token::Bar);
            let pattern = self.pattern()?;
            self.expect(Token::Arrow)?;
            arms.push(Arm { pattern, body: self.expression()? });
            if !self.eat(Token::Semicolon) && !self.at(Token::Bar) && !self.at(Token::RightBrace) {
                return Err(self.expected("`;`, `|` or `}`"));
            }
        }
        Ok(ExprKind::Case(value, arms))
    }

    /// `new local C(...)`; the older dialect's `new cog C(...)` is `new C(...)`.
    fn creation(&mut self) -> Parsed<ExprKind<'s>> {
        self.bump();
        let (local, cog) = (self.at_word("local"), self.at_word("cog"));
        if local || cog {
            self.bump();
        }
        let class = self.path(Token::Upper, "the name of a class")?;
        let arguments = match self.eat(Token::LeftParen) {
            true => self.list(Token::RightParen, Self::expression)?,
            false => Vec::new(),
        };
        Ok(ExprKind::New { local, cog, class, arguments })
    }

    /// `await o!m(...)` as an expression.
    fn awaited_call(&mut self) -> Parsed<ExprId> {
        let start = self.bump().start;
        let call = self.postfix()?;
        let span = self.since(start);
        if let ExprKind::Async { awaited, .. } = &mut self.expr_mut(call).kind {
            *awaited = true;
            self.expr_mut(call).span = span;
        } else {
            self.complain(span, "only a call can be awaited in an expression", "expected `await o!m(...)`");
        }
        Ok(call)
    }
}
