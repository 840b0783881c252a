//! Statements of the controller.

use super::ast::{Action, Barrier, Expression, Match, Over, Statement, StatementKind, Type};
use super::parser::{Failed, Parsed, Parser};
use super::token::Token;

impl Parser<'_, '_> {
    /// `{ … }`
    pub(crate) fn statements(&mut self) -> Parsed<Vec<Statement>> {
        self.expect("{")?;
        let mut statements = Vec::new();
        while !self.at("}") {
            if self.peek() == Token::End {
                return Err(self.expected("`}`"));
            }
            let before = self.position();
            match self.nested(Self::statement) {
                Ok(statement) => statements.push(statement),
                Err(Failed) => {
                    self.recover();
                    if self.position() == before {
                        self.bump();
                    }
                }
            }
        }
        self.bump();
        Ok(statements)
    }

    /// A block, or a single statement.
    fn body(&mut self) -> Parsed<Vec<Statement>> {
        if self.at("{") { self.statements() } else { Ok(vec![self.nested(Self::statement)?]) }
    }

    fn statement(&mut self) -> Parsed<Statement> {
        let start = self.span().start;
        let (kind, ends) = match (self.text(), self.second()) {
            ("if", _) => (self.branch()?, false),
            ("for", _) => (self.repetition()?, false),
            ("return", _) => {
                self.bump();
                (StatementKind::Return, true)
            }
            ("assert", _) => {
                self.bump();
                (StatementKind::Assert(self.expression()?), true)
            }
            ("await", _) => {
                self.bump();
                (StatementKind::Barrier(true, self.barrier()?), true)
            }
            ("barrier", _) => (StatementKind::Barrier(false, self.barrier()?), true),
            ("install", "(") => (self.install()?, true),
            ("remove", "(") => (self.remove()?, true),
            ("packet_out", "(") => (self.packet_out()?, true),
            ("insert", "(") => (self.insert()?, true),
            ("erase", "(") => {
                self.bump();
                self.bump();
                let entry = self.expression()?;
                self.expect(")")?;
                (StatementKind::Erase(entry), true)
            }
            ("int" | "bool" | "host" | "switch" | "port", _) => (self.local()?, true),
            _ => {
                let target = self.postfixed()?;
                self.expect("=")?;
                (StatementKind::Assign(target, self.expression()?), true)
            }
        };
        let span = self.since(start);
        if ends {
            self.expect(";")?;
        }
        Ok(Statement { kind, span })
    }

    fn local(&mut self) -> Parsed<StatementKind> {
        let of: Type = self.of_type()?;
        let name = self.name("the name of a variable")?;
        self.expect("=")?;
        Ok(StatementKind::Local(of, name, self.expression()?))
    }

    fn branch(&mut self) -> Parsed<StatementKind> {
        self.bump();
        self.expect("(")?;
        let condition = self.expression()?;
        self.expect(")")?;
        let then = self.body()?;
        let otherwise = if self.eat("else") { self.body()? } else { Vec::new() };
        Ok(StatementKind::If(condition, then, otherwise))
    }

    fn repetition(&mut self) -> Parsed<StatementKind> {
        self.bump();
        self.expect("(")?;
        let name = self.name("a name")?;
        self.expect("in")?;
        let over = match (self.text(), self.second()) {
            ("path", "(") => {
                let (switch, host) = self.path()?;
                Over::Path(switch, host)
            }
            ("switches", ")") => {
                self.bump();
                Over::Switches
            }
            ("hosts", ")") => {
                self.bump();
                Over::Hosts
            }
            _ => {
                let first = self.expression()?;
                self.expect("..")?;
                Over::Range(first, self.expression()?)
            }
        };
        self.expect(")")?;
        Ok(StatementKind::For(name, over, self.body()?))
    }

    /// `path(s, h)`
    fn path(&mut self) -> Parsed<(Expression, Expression)> {
        self.bump();
        self.expect("(")?;
        let switch = self.expression()?;
        self.expect(",")?;
        let host = self.expression()?;
        self.expect(")")?;
        Ok((switch, host))
    }

    /// `barrier()`, `barrier(s)`, `barrier(path(s, h))`
    fn barrier(&mut self) -> Parsed<Barrier> {
        self.expect("barrier")?;
        self.expect("(")?;
        let barrier = if self.at(")") {
            Barrier::All
        } else if self.at("path") && self.second() == "(" {
            let (switch, host) = self.path()?;
            Barrier::Path(switch, host)
        } else {
            Barrier::Switch(self.expression()?)
        };
        self.expect(")")?;
        Ok(barrier)
    }

    /// Takes a word, `(`, and the first argument with the comma behind it.
    fn first_argument(&mut self) -> Parsed<Expression> {
        self.bump();
        self.expect("(")?;
        let first = self.expression()?;
        self.expect(",")?;
        Ok(first)
    }

    fn install(&mut self) -> Parsed<StatementKind> {
        let switch = self.first_argument()?;
        let priority = self.expression()?;
        self.expect(",")?;
        let matches = self.matches("}")?;
        self.expect(",")?;
        let action = self.action()?;
        self.expect(")")?;
        Ok(StatementKind::Install(switch, priority, matches, action))
    }

    fn remove(&mut self) -> Parsed<StatementKind> {
        let switch = self.first_argument()?;
        let priority = if self.at("{") {
            None
        } else {
            let priority = self.expression()?;
            self.expect(",")?;
            Some(priority)
        };
        let matches = self.matches("}")?;
        self.expect(")")?;
        Ok(StatementKind::Remove(switch, priority, matches))
    }

    fn packet_out(&mut self) -> Parsed<StatementKind> {
        let switch = self.first_argument()?;
        let packet = self.name("the packet of this handler")?;
        let action = if self.eat(",") { Some(self.action()?) } else { None };
        self.expect(")")?;
        Ok(StatementKind::PacketOut(switch, packet, action))
    }

    fn insert(&mut self) -> Parsed<StatementKind> {
        let set = self.first_argument()?;
        let element = self.expression()?;
        self.expect(")")?;
        Ok(StatementKind::Insert(set, element))
    }

    /// A match: `{ in_port = 1, src = p.src }`; in tables without the braces, and `*` for none.
    pub(crate) fn matches(&mut self, end: &str) -> Parsed<Match> {
        let braces = end == "}";
        if braces {
            self.expect("{")?;
        }
        let fields = match self.eat("*") || self.at(end) {
            true => Vec::new(),
            false => self.list(Self::field)?,
        };
        if braces {
            self.expect("}")?;
        }
        Ok(Match { fields })
    }

    /// `drop`, `flood`, `controller`, `out 2`, `out(1, 2)`
    pub(crate) fn action(&mut self) -> Parsed<Action> {
        for (word, action) in [("drop", Action::Drop), ("flood", Action::Flood), ("controller", Action::Controller)] {
            if self.eat(word) {
                return Ok(action);
            }
        }
        if !self.eat("out") {
            return Err(self.expected("`out`, `drop`, `flood` or `controller`"));
        }
        if !self.at("(") {
            return Ok(Action::Out(vec![self.expression()?]));
        }
        self.bump();
        let ports = self.list(Self::expression)?;
        self.expect(")")?;
        Ok(Action::Out(ports))
    }
}
