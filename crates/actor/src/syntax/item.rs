//! Modules and declarations.

use mazurka_source::{Diagnostic, Span, suggest};

use super::ast::{
    Class, Constructor, Declaration, Function, Import, Independence, Method, Module, Name, Parameter, Path, Side,
    Signature,
};
use super::parser::{Failed, Parsed, Parser};
use super::token::Token;

/// What a declaration can begin with, for hints.
const WORDS: &[&str] = &["module", "export", "import", "data", "type", "def", "interface", "class", "exception"];

impl<'s> Parser<'s, '_> {
    /// All modules of the file. What stands before the first `module` is a module called `Main`.
    pub(crate) fn file(&mut self) -> Vec<Module<'s>> {
        let mut modules: Vec<Module<'s>> = Vec::new();
        while !self.at(Token::End) {
            if self.at(Token::Module) {
                self.bump();
                match self.module_name() {
                    Ok(name) => modules.push(module(name)),
                    Err(_) => self.skip_declaration(),
                }
                continue;
            }
            if modules.is_empty() {
                let Span { start, .. } = self.span();
                modules.push(module(Name { text: "Main", span: Span { start, end: start } }));
            }
            let before = self.position();
            if let Some(module) = modules.last_mut()
                && self.declaration(module).is_err()
            {
                if self.position() == before {
                    self.skip_declaration();
                } else if !self.peek().begins_declaration() {
                    self.skip_to_declaration();
                }
            }
        }
        modules
    }

    fn skip_to_declaration(&mut self) {
        if !self.at(Token::End) {
            self.skip_declaration();
        }
    }

    /// `A.B.C;` after `module`.
    fn module_name(&mut self) -> Parsed<Name<'s>> {
        let name = self.qualified("the name of the module")?;
        self.expect(Token::Semicolon)?;
        Ok(name)
    }

    /// `A.B.C` as one name.
    fn qualified(&mut self, what: &str) -> Parsed<Name<'s>> {
        let start = self.span().start;
        self.path(Token::Upper, what)?;
        let span = self.since(start);
        Ok(Name { text: self.slice(span), span })
    }

    fn declaration(&mut self, module: &mut Module<'s>) -> Parsed<()> {
        let independences = self.independences(2)?;
        if let (Some(first), false) = (independences.first(), self.at(Token::Class)) {
            self.misplaced(first);
        }
        let declaration = match self.peek() {
            Token::Export | Token::Import => return self.import(module),
            Token::LeftBrace => return self.main(module),
            Token::Data => self.data()?,
            Token::Type => self.synonym()?,
            Token::Exception => self.exception()?,
            Token::Def => self.function()?,
            Token::Interface => self.interface()?,
            Token::Class => self.class(independences)?,
            Token::Semicolon => {
                self.bump();
                return Ok(());
            }
            _ => {
                if self.refuse_declaration() {
                    return Err(Failed);
                }
                let help = if self.at(Token::Lower) { suggest(self.text(), WORDS.iter().copied()) } else { None };
                return Err(self.expected_with("a declaration or the main block", help));
            }
        };
        module.declarations.push(declaration);
        Ok(())
    }

    fn main(&mut self, module: &mut Module<'s>) -> Parsed<()> {
        let place = self.bump();
        let block = self.block_rest();
        if module.main.is_some() {
            let problem = Diagnostic::new(place, "this module has two main blocks", "expected no second one");
            self.sink.push(problem.note(module.main_place, "the first one is here"));
            return Ok(());
        }
        module.main_place = place;
        module.main = Some(block);
        Ok(())
    }

    fn import(&mut self, module: &mut Module<'s>) -> Parsed<()> {
        let is_export = self.at(Token::Export);
        self.bump();
        let names = if self.eat(Token::Star) {
            None
        } else {
            let mut names = vec![self.any_path()?];
            while self.eat(Token::Comma) {
                names.push(self.any_path()?);
            }
            Some(names)
        };
        let from = match self.eat(Token::From) {
            true => Some(self.qualified("the name of a module")?),
            false => None,
        };
        self.expect(Token::Semicolon)?;
        let import = Import { names, from };
        if is_export {
            module.exports.push(import)
        } else {
            module.imports.push(import)
        }
        Ok(())
    }

    /// A name of any kind.
    fn any_path(&mut self) -> Parsed<Path<'s>> {
        let mut ahead = 0;
        while self.peek_at(ahead) == Token::Upper && self.peek_at(ahead + 1) == Token::Dot {
            ahead += 2;
        }
        let last = if self.peek_at(ahead) == Token::Lower { Token::Lower } else { Token::Upper };
        self.path(last, "a name")
    }

    fn data(&mut self) -> Parsed<Declaration<'s>> {
        self.bump();
        let name = self.upper("the name of a type")?;
        let generics = self.generics()?;
        let mut constructors = Vec::new();
        if self.eat(Token::Assign) {
            self.eat(Token::Bar);
            constructors.push(self.constructor()?);
            while self.eat(Token::Bar) {
                constructors.push(self.constructor()?);
            }
        }
        self.expect(Token::Semicolon)?;
        Ok(Declaration::Data { name, generics, constructors })
    }

    fn constructor(&mut self) -> Parsed<Constructor<'s>> {
        self.annotations();
        let name = self.upper("the name of a constructor")?;
        let fields = match self.eat(Token::LeftParen) {
            true => self.list(Token::RightParen, |parser| {
                let ty = parser.ty()?;
                let named = parser.at(Token::Lower);
                Ok((ty, if named { Some(parser.lower("a name")?) } else { None }))
            })?,
            false => Vec::new(),
        };
        Ok(Constructor { name, fields })
    }

    fn synonym(&mut self) -> Parsed<Declaration<'s>> {
        self.bump();
        let name = self.upper("the name of a type")?;
        self.expect(Token::Assign)?;
        let ty = self.ty()?;
        self.expect(Token::Semicolon)?;
        Ok(Declaration::Synonym { name, ty })
    }

    fn exception(&mut self) -> Parsed<Declaration<'s>> {
        self.bump();
        let constructor = self.constructor()?;
        self.expect(Token::Semicolon)?;
        Ok(Declaration::Exception(constructor))
    }

    fn function(&mut self) -> Parsed<Declaration<'s>> {
        self.bump();
        let result = self.ty()?;
        let name = self.lower("the name of a function")?;
        let generics = self.generics()?;
        let mut functions = Vec::new();
        if self.at(Token::LeftParen) && matches!(self.peek_at(1), Token::Lower) {
            self.bump();
            functions = self.list(Token::RightParen, |parser| parser.lower("the name of a function"))?;
        }
        let parameters = self.parameters()?;
        self.expect(Token::Assign)?;
        let body = if self.at_word("builtin") {
            self.bump();
            if self.eat(Token::LeftParen) {
                self.list(Token::RightParen, Self::expression)?;
            }
            None
        } else {
            Some(self.expression()?)
        };
        self.expect(Token::Semicolon)?;
        Ok(Declaration::Function(Function { name, generics, functions, parameters, result, body }))
    }

    fn signature(&mut self) -> Parsed<Signature<'s>> {
        self.annotations();
        let result = self.ty()?;
        let name = self.lower("the name of a method")?;
        Ok(Signature { result, name, parameters: self.parameters()? })
    }

    fn paths(&mut self) -> Parsed<Vec<Path<'s>>> {
        let mut paths = vec![self.path(Token::Upper, "the name of an interface")?];
        while self.eat(Token::Comma) {
            paths.push(self.path(Token::Upper, "the name of an interface")?);
        }
        Ok(paths)
    }

    fn interface(&mut self) -> Parsed<Declaration<'s>> {
        self.bump();
        let name = self.upper("the name of an interface")?;
        let extends = if self.eat(Token::Extends) { self.paths()? } else { Vec::new() };
        self.expect(Token::LeftBrace)?;
        let mut methods = Vec::new();
        while !self.eat(Token::RightBrace) {
            match self.signature().and_then(|signature| self.expect(Token::Semicolon).map(|_| signature)) {
                Ok(signature) => methods.push(signature),
                Err(failed) if self.at(Token::End) || self.peek().begins_declaration() => return Err(failed),
                Err(_) => self.skip_statement(),
            }
        }
        Ok(Declaration::Interface { name, extends, methods })
    }

    /// Annotations. Those that declare when methods commute, so many of which they name, are read;
    /// others are skipped.
    fn independences(&mut self, named: usize) -> Parsed<Vec<Independence<'s>>> {
        let mut found = Vec::new();
        while self.at(Token::LeftBracket) {
            if !self.at_independence() {
                self.skip_annotation();
                continue;
            }
            let start = self.span().start;
            self.bump();
            self.bump();
            self.bump();
            let mut sides = vec![self.side()?];
            while sides.len() < named {
                self.expect(Token::Comma)?;
                sides.push(self.side()?);
            }
            let condition = if self.eat(Token::Comma) { Some(self.expression()?) } else { None };
            self.expect(Token::RightParen)?;
            self.expect(Token::RightBracket)?;
            found.push(Independence { sides, condition, span: self.since(start) });
        }
        Ok(found)
    }

    /// `m(x, y)`, or `m`.
    fn side(&mut self) -> Parsed<Side<'s>> {
        let method = self.lower("the name of a method")?;
        let parameters = match self.eat(Token::LeftParen) {
            true => Some(self.list(Token::RightParen, |parser| parser.lower("a name for a parameter"))?),
            false => None,
        };
        Ok(Side { method, parameters })
    }

    fn misplaced(&mut self, independence: &Independence<'s>) {
        let message = "`indep` declares when methods commute";
        self.complain(independence.span, message, "expected it before a class or a method");
    }

    fn class(&mut self, independences: Vec<Independence<'s>>) -> Parsed<Declaration<'s>> {
        self.bump();
        let name = self.upper("the name of a class")?;
        let parameters = if self.at(Token::LeftParen) { self.parameters()? } else { Vec::new() };
        let implements = if self.eat(Token::Implements) { self.paths()? } else { Vec::new() };
        self.expect(Token::LeftBrace)?;
        let (fields, init, recover, methods) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut class = Class { independences, name, parameters, implements, fields, init, recover, methods };
        while !self.eat(Token::RightBrace) {
            match self.member(&mut class) {
                Ok(()) => {}
                Err(failed) if self.at(Token::End) || self.peek().begins_declaration() => return Err(failed),
                Err(_) => self.skip_member(),
            }
        }
        Ok(Declaration::Class(class))
    }

    fn skip_member(&mut self) {
        let before = self.position();
        self.skip_statement();
        if self.position() == before && !self.at(Token::RightBrace) {
            self.bump();
        }
    }

    fn member(&mut self, class: &mut Class<'s>) -> Parsed<()> {
        let independences = self.independences(1)?;
        if let (Some(first), Token::LeftBrace | Token::Recover) = (independences.first(), self.peek()) {
            self.misplaced(first);
        }
        match self.peek() {
            Token::LeftBrace => {
                self.bump();
                class.init.extend(self.block_rest().0);
                return Ok(());
            }
            Token::Recover => {
                self.bump();
                self.expect(Token::LeftBrace)?;
                class.recover.extend(self.arms()?);
                return Ok(());
            }
            _ => {}
        }
        let ty = self.ty()?;
        let name = self.lower("the name of a field or a method")?;
        if self.at(Token::LeftParen) {
            let parameters = self.parameters()?;
            self.expect(Token::LeftBrace)?;
            let (body, end) = self.block_rest();
            let signature = Signature { result: ty, name, parameters };
            class.methods.push(Method { independences, signature, body, end });
            return Ok(());
        }
        if let Some(first) = independences.first() {
            self.misplaced(first);
        }
        let value = match self.eat(Token::Assign) {
            true => Some(self.expression()?),
            false => None,
        };
        self.expect(Token::Semicolon)?;
        class.fields.push((Parameter { ty, name }, value));
        Ok(())
    }
}

fn module(name: Name<'_>) -> Module<'_> {
    Module {
        name,
        exports: Vec::new(),
        imports: Vec::new(),
        declarations: Vec::new(),
        main: None,
        main_place: name.span,
    }
}
