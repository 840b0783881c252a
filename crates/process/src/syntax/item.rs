//! Declarations: what a file consists of.

use super::ast::{Body, BodyKind, Declarator, Expression, Independent, Initial, Item, Name, Side};
use super::parser::{Failed, Parsed, Parser};
use super::token::Token;
use crate::hir::{Span, Type};
use mazurka_source::suggest;

/// The words a declaration begins with, for hints.
const WORDS: [&str; 8] = ["const", "int", "bool", "mutex", "process", "proc", "independent", "finally"];

impl<'s> Parser<'s, '_> {
    /// Reads a file. A declaration that cannot be read is left out, and reading goes on after it.
    pub(crate) fn items(&mut self) -> Vec<Item<'s>> {
        let mut items = Vec::new();
        while !self.at(Token::End) {
            let start = self.position();
            if self.item(&mut items).is_err() {
                self.skip_item(start);
                // The end of what was skipped.
                while self.at(Token::RightBrace) {
                    self.bump();
                }
            }
        }
        items
    }

    /// Goes to where the next declaration may begin.
    fn skip_item(&mut self, start: usize) {
        if self.position() == start && !self.at(Token::LeftBrace) {
            self.bump();
        }
        loop {
            match self.peek() {
                Token::End => return,
                Token::Semicolon => {
                    self.bump();
                    return;
                }
                Token::LeftBrace => {
                    self.skip_braces();
                    return;
                }
                token if token.begins_item() => return,
                _ => {
                    self.bump();
                }
            }
        }
    }

    fn item(&mut self, items: &mut Vec<Item<'s>>) -> Parsed<()> {
        match self.peek() {
            Token::Const => self.constant_item(items),
            Token::Int | Token::Bool => {
                let ty = self.type_name()?;
                let mut variables = Vec::new();
                let result = self.declarators(|variable| variables.push(variable));
                items.push(Item::Globals(ty, variables));
                result
            }
            Token::Mutex => {
                self.bump();
                let mut mutexes = Vec::new();
                let result = self.declarators(|mutex| mutexes.push(mutex));
                items.push(Item::Mutexes(mutexes));
                result
            }
            Token::Process => self.process(items),
            Token::Proc => self.procedure(items),
            Token::Finally => {
                let name = Name { text: "finally", span: self.bump() };
                self.body(items, name, BodyKind::Finally)
            }
            Token::Independent => self.independent(items),
            _ => Err(self.no_item()),
        }
    }

    fn no_item(&mut self) -> Failed {
        let mut problem = self.expectation("a declaration");
        problem.label =
            "expected `const`, `int`, `bool`, `mutex`, `process`, `proc`, `independent` or `finally`".into();
        let guess = if self.at(Token::Name) { suggest(self.text(), WORDS) } else { None };
        let statement = self.peek().begins_statement() || self.at(Token::Name);
        let help = guess.or_else(|| statement.then(|| "statements stand inside a `process` or `proc`".to_string()));
        let failed = self.blame(problem.maybe_help(help));
        // What follows a misspelt word is the name that it declares.
        if self.at(Token::Name) && self.peek_second() == Token::Name {
            self.bump();
            self.lose_next();
        }
        failed
    }

    /// `const N = 3;`
    fn constant_item(&mut self, items: &mut Vec<Item<'s>>) -> Parsed<()> {
        let start = self.bump().start;
        let name = self.name("the name of the constant")?;
        let value = self.expect(Token::Assign).and_then(|_| self.expression());
        let (value, result) = self.or_poison(value);
        items.push(Item::Const(name, value, self.since(start)));
        result?;
        self.semicolon()
    }

    /// An expression that stands for one that may not have been read, and whether it was: what it
    /// belongs to is declared all the same, and uses of it are not reported.
    fn or_poison(&mut self, expression: Parsed<Expression>) -> (Expression, Parsed<()>) {
        match expression {
            Ok(expression) => (expression, Ok(())),
            Err(Failed) => (self.poison(self.span()), Err(Failed)),
        }
    }

    /// `x = 0, a[3] = {1, 2, 3};`: hands over every one whose name could be read.
    pub(crate) fn declarators(&mut self, mut take: impl FnMut(Declarator<'s>)) -> Parsed<()> {
        let mut result = Ok(());
        loop {
            let (declarator, read) = self.declarator()?;
            take(declarator);
            if read.is_err() {
                result = read;
                self.skip_declarator();
            }
            if !self.eat(Token::Comma) {
                break;
            }
        }
        result.and_then(|()| self.semicolon())
    }

    /// Goes to the next name of a list, or to where the list must have ended.
    fn skip_declarator(&mut self) {
        let next = |parser: &Self| parser.at(Token::Comma) && parser.peek_second() == Token::Name;
        let stop = [Token::Semicolon, Token::LeftBrace, Token::RightBrace, Token::End];
        while !next(self) && !stop.contains(&self.peek()) && !self.peek().begins_item() {
            self.bump();
        }
    }

    /// `x`, `x = 0`, `a[3] = {1, 2, 3}`: what follows the name may not have been read, which the
    /// second part says.
    fn declarator(&mut self) -> Parsed<(Declarator<'s>, Parsed<()>)> {
        let name = self.name("a name")?;
        let mut declarator = Declarator { name, length: None, initial: None, span: name.span };
        let result = self.rest_of_declarator(&mut declarator);
        if result.is_err() {
            let poison = self.poison(name.span);
            declarator.initial = Some(Initial::Value(poison));
        }
        declarator.span = self.since(name.span.start);
        Ok((declarator, result))
    }

    fn rest_of_declarator(&mut self, declarator: &mut Declarator<'s>) -> Parsed<()> {
        if self.at(Token::LeftBracket) {
            // Set first: if the length cannot be read, it is still an array.
            declarator.length = Some(self.poison(self.span()));
            let start = self.next_node();
            declarator.length = Some(Expression { start, root: self.index()? });
        }
        if self.eat(Token::Assign) {
            declarator.initial = Some(self.initial()?);
        }
        Ok(())
    }

    /// `0`, `{1, 2, 3}`
    fn initial(&mut self) -> Parsed<Initial> {
        if !self.at(Token::LeftBrace) {
            return Ok(Initial::Value(self.expression()?));
        }
        let start = self.bump().start;
        let values = if self.at(Token::RightBrace) { Vec::new() } else { self.list(Self::expression)? };
        self.expect(Token::RightBrace)?;
        Ok(Initial::List(values, self.since(start)))
    }

    /// `process p { … }`, `process q[3](i) { … }`
    fn process(&mut self, items: &mut Vec<Item<'s>>) -> Parsed<()> {
        self.bump();
        let name = self.name("the name of the process")?;
        match self.process_kind() {
            Ok(kind) => self.body(items, name, kind),
            Err(failed) => {
                self.lose(name);
                Err(failed)
            }
        }
    }

    fn process_kind(&mut self) -> Parsed<BodyKind<'s>> {
        match self.peek() {
            Token::LeftBracket => self.process_index(),
            Token::LeftParen => {
                let problem = self.expectation("`{` or `[`");
                let help = "only an array of processes has a parameter, its index: `process q[3](i) { … }`";
                Err(self.blame(problem.help(help)))
            }
            _ => Ok(BodyKind::Process),
        }
    }

    /// `[3](i)`
    fn process_index(&mut self) -> Parsed<BodyKind<'s>> {
        let start = self.next_node();
        let count = Expression { start, root: self.index()? };
        if !self.at(Token::LeftParen) {
            let problem = self.expectation("`(`").help("name the index of the instance: `process q[3](i) { … }`");
            return Err(self.blame(problem));
        }
        self.bump();
        let index = self.name("a name for the index")?;
        self.expect(Token::RightParen)?;
        Ok(BodyKind::ProcessArray(count, index))
    }

    /// `proc w(int v, bool b) { … }`
    fn procedure(&mut self, items: &mut Vec<Item<'s>>) -> Parsed<()> {
        self.bump();
        let name = self.name("the name of the proc")?;
        match self.parameters() {
            Ok(parameters) => self.body(items, name, BodyKind::Proc(parameters)),
            Err(failed) => {
                self.lose(name);
                Err(failed)
            }
        }
    }

    /// `(int v, bool b)`
    fn parameters(&mut self) -> Parsed<Vec<(Type, Name<'s>)>> {
        self.expect(Token::LeftParen)?;
        let parameters = if self.at(Token::RightParen) { Vec::new() } else { self.list(Self::parameter)? };
        self.expect(Token::RightParen)?;
        Ok(parameters)
    }

    fn parameter(&mut self) -> Parsed<(Type, Name<'s>)> {
        Ok((self.type_name()?, self.name("the name of the parameter")?))
    }

    fn body(&mut self, items: &mut Vec<Item<'s>>, name: Name<'s>, kind: BodyKind<'s>) -> Parsed<()> {
        let block = self.block();
        let result = block.as_ref().map(|_| ()).map_err(|_| Failed);
        items.push(Item::Body(Body { name, kind, block: block.unwrap_or_default() }));
        result
    }

    /// `independent a(v), b when v == 0;`
    fn independent(&mut self, items: &mut Vec<Item<'s>>) -> Parsed<()> {
        let start = self.bump().start;
        let left = self.side()?;
        self.expect(Token::Comma)?;
        let right = self.side()?;
        self.expect(Token::When)?;
        let condition = self.expression()?;
        let span: Span = self.since(start);
        items.push(Item::Independent(Independent { left, right, condition, span }));
        self.semicolon()
    }

    /// `a`, `a(v, w)`
    fn side(&mut self) -> Parsed<Side<'s>> {
        let name = self.name("the name of a process, a proc or an atomic block")?;
        let mut parameters = Vec::new();
        if self.eat(Token::LeftParen) {
            parameters = self.list(|parser| parser.name("the name of a parameter"))?;
            self.expect(Token::RightParen)?;
        }
        Ok(Side { name, parameters })
    }
}
