//! Declarations.

use mazurka_source::Diagnostic;

use super::ast::{
    Controller, Event, Expression, File, Group, Handler, Link, Name, Property, PropertyKind, Repeat, Rule, Send,
    Topology, Variable, Who,
};
use super::parser::{Failed, Parsed, Parser};
use super::token::Token;

/// Reads all declarations.
pub(crate) fn file(mut parser: Parser<'_, '_>) -> File {
    let mut file = File::default();
    while parser.peek() != Token::End {
        let before = parser.position();
        if parser.item(&mut file).is_err() {
            parser.recover();
            if parser.position() == before {
                parser.bump();
            }
        }
    }
    file
}

impl Parser<'_, '_> {
    fn item(&mut self, file: &mut File) -> Parsed<()> {
        match self.text() {
            "const" => self.constant(file),
            "header" => self.header(file),
            "topology" => {
                self.bump();
                let name = self.word("the name of a topology")?;
                self.expect("(")?;
                let sizes = self.list(Self::expression)?;
                self.expect(")")?;
                file.topologies.push(Topology { name, sizes });
                self.end()
            }
            "switch" => {
                self.bump();
                file.switches.extend(self.list(|parser| parser.group(false))?);
                self.end()
            }
            "host" => {
                self.bump();
                file.hosts.extend(self.list(|parser| parser.group(true))?);
                self.end()
            }
            "link" => self.links(file),
            "table" => self.table(file),
            "routes" => {
                self.bump();
                let priority = self.expression()?;
                self.expect(":")?;
                let field = self.word("the field that names the host where a packet goes")?;
                file.routes.push((priority, field));
                self.end()
            }
            "miss" => {
                self.bump();
                file.misses_dropped = self.either("drop", "controller")?;
                self.end()
            }
            "overlap" => {
                self.bump();
                file.overlaps_chosen = self.either("choose", "error")?;
                self.end()
            }
            "controller" => {
                let controller = self.controller()?;
                file.controllers.push(controller);
                Ok(())
            }
            "traffic" => self.traffic(file),
            "check" => self.check(file),
            _ => Err(self.expected(
                "a declaration: `const`, `header`, `topology`, `switch`, `host`, `link`, `table`, `routes`, `miss`, \
                 `overlap`, `controller`, `traffic` or `check`",
            )),
        }
    }

    fn end(&mut self) -> Parsed<()> {
        self.expect(";").map(|_| ())
    }

    /// Takes one of two words; whether it is the first.
    fn either(&mut self, first: &str, second: &str) -> Parsed<bool> {
        if self.eat(first) {
            return Ok(true);
        }
        if self.eat(second) { Ok(false) } else { Err(self.expected(&format!("`{first}` or `{second}`"))) }
    }

    fn constant(&mut self, file: &mut File) -> Parsed<()> {
        self.bump();
        let name = self.name("the name of a constant")?;
        self.expect("=")?;
        let value = self.expression()?;
        file.constants.push((name, value));
        self.end()
    }

    /// Reads what stands in braces; what cannot be read is left out.
    fn block(&mut self, mut read: impl FnMut(&mut Self) -> Parsed<()>) -> Parsed<()> {
        self.expect("{")?;
        while !self.at("}") {
            if self.peek() == Token::End {
                return Err(self.expected("`}`"));
            }
            let before = self.position();
            if let Err(Failed) = read(self) {
                self.recover();
                if self.position() == before {
                    self.bump();
                }
            }
        }
        self.bump();
        Ok(())
    }

    fn header(&mut self, file: &mut File) -> Parsed<()> {
        self.bump();
        self.block(|parser| {
            let name = parser.name("the name of a field")?;
            parser.expect(":")?;
            let of = parser.of_type()?;
            file.header.push((name, of));
            parser.end()
        })
    }

    /// `h[P] at s1:0`
    fn group(&mut self, is_host: bool) -> Parsed<Group> {
        let name = self.name("a name")?;
        let size = if self.eat("[") {
            let size = self.expression()?;
            self.expect("]")?;
            Some(size)
        } else {
            None
        };
        let at = if is_host && (self.at("at") || size.is_none()) {
            self.expect("at")?;
            let switch = self.postfixed()?;
            let port = if self.eat(":") { Some(self.expression()?) } else { None };
            Some((switch, port))
        } else if is_host {
            return Err(self.expected("`at` and a switch"));
        } else {
            None
        };
        Ok(Group { name, size, at })
    }

    fn links(&mut self, file: &mut File) -> Parsed<()> {
        self.bump();
        let links = self.list(|parser| {
            let start = parser.span().start;
            let one = parser.end_of_link()?;
            parser.expect("-")?;
            let other = parser.end_of_link()?;
            Ok(Link { ends: [one, other], repeat: parser.repeat()?, span: parser.since(start) })
        })?;
        file.links.extend(links);
        self.end()
    }

    fn end_of_link(&mut self) -> Parsed<(Expression, Expression)> {
        let switch = self.postfixed()?;
        self.expect(":")?;
        Ok((switch, self.postfixed()?))
    }

    /// `for i in 0..P-1`, if it is there
    fn repeat(&mut self) -> Parsed<Option<Repeat>> {
        if !self.eat("for") {
            return Ok(None);
        }
        let name = self.name("the name of a number")?;
        self.expect("in")?;
        let first = self.expression()?;
        self.expect("..")?;
        Ok(Some(Repeat { name, first, last: self.expression()? }))
    }

    fn table(&mut self, file: &mut File) -> Parsed<()> {
        self.bump();
        let switch = self.postfixed()?;
        let mut rules = Vec::new();
        self.block(|parser| {
            let start = parser.span().start;
            let priority = parser.expression()?;
            parser.expect(":")?;
            let matches = parser.matches("->")?;
            parser.expect("->")?;
            let action = parser.action()?;
            rules.push(Rule { priority, matches, action, span: parser.since(start) });
            parser.end()
        })?;
        file.tables.push((switch, rules));
        Ok(())
    }

    fn controller(&mut self) -> Parsed<Controller> {
        let span = self.bump();
        let mut controller = Controller { variables: Vec::new(), handlers: Vec::new(), span };
        self.block(|parser| {
            if parser.at("on") {
                let handler = parser.handler()?;
                controller.handlers.push(handler);
                return Ok(());
            }
            let of = parser.of_type()?;
            let name = parser.name("the name of a variable")?;
            let value = if parser.eat("=") { Some(parser.expression()?) } else { None };
            controller.variables.push(Variable { of, name, value });
            parser.end()
        })?;
        Ok(controller)
    }

    fn handler(&mut self) -> Parsed<Handler> {
        let start = self.bump().start;
        let event = self.word("`packet_in` or `start`")?;
        self.expect("(")?;
        let event = match event.text.as_str() {
            "packet_in" => {
                let switch = self.name("a name for the switch")?;
                self.expect(",")?;
                let port = self.name("a name for the port")?;
                self.expect(",")?;
                Event::PacketIn(switch, port, self.name("a name for the packet")?)
            }
            "start" => Event::Start(self.name("a name for the switch")?),
            other => {
                let message = format!("there is no event `{other}`");
                let problem = Diagnostic::new(event.span, message, "expected `packet_in` or `start`");
                self.sink.push(problem);
                return Err(Failed);
            }
        };
        self.expect(")")?;
        let span = self.since(start);
        Ok(Handler { event, body: self.statements()?, span })
    }

    fn traffic(&mut self, file: &mut File) -> Parsed<()> {
        self.bump();
        self.block(|parser| {
            let mut chain = vec![vec![parser.send()?]];
            while parser.eat("then") {
                chain.push(vec![parser.send()?]);
            }
            file.traffic.push(chain);
            parser.end()
        })
    }

    fn send(&mut self) -> Parsed<Send> {
        let start = self.expect("send")?.start;
        let host = self.postfixed()?;
        self.expect("{")?;
        let fields = if self.at("}") { Vec::new() } else { self.list(Self::field)? };
        self.expect("}")?;
        let span = self.since(start);
        let times = if self.eat("times") { Some(self.expression()?) } else { None };
        Ok(Send { host, fields, times, repeat: self.repeat()?, span })
    }

    /// `dst = r1`
    pub(crate) fn field(&mut self) -> Parsed<(Name, Expression)> {
        let name = self.word("the name of a field")?;
        self.expect("=")?;
        Ok((name, self.expression()?))
    }

    fn check(&mut self, file: &mut File) -> Parsed<()> {
        self.bump();
        self.block(|parser| {
            let start = parser.span().start;
            let kind = parser.property()?;
            let span = parser.since(start);
            file.properties.push(Property { kind, span });
            parser.end()
        })
    }

    fn property(&mut self) -> Parsed<PropertyKind> {
        let word = self.word("a property")?;
        Ok(match word.text.as_str() {
            "no_loop" => PropertyKind::NoLoop,
            "no_revisit" => PropertyKind::NoRevisit,
            "no_blackhole" => PropertyKind::NoBlackhole,
            "consistent_tables" => PropertyKind::ConsistentTables,
            "delivered" => PropertyKind::Delivered(self.exception()?),
            "hops" => {
                self.expect("<=")?;
                PropertyKind::Hops(self.expression()?)
            }
            "balanced" => {
                self.expect("(")?;
                let arguments = self.list(Self::expression)?;
                self.expect(")")?;
                PropertyKind::Balanced(arguments)
            }
            "waypoint" => {
                self.expect("(")?;
                let mut arguments = self.list(Self::expression)?;
                self.expect(")")?;
                let Some(switch) = arguments.pop().filter(|_| arguments.len() < 2) else {
                    return Err(self.expected("a packet's name and a switch, or a switch alone, in `waypoint`"));
                };
                PropertyKind::Waypoint(switch)
            }
            "never" => self.never()?,
            other => {
                let names = "no_loop, no_revisit, no_blackhole, delivered, consistent_tables, balanced, hops, \
                             waypoint, never deliver, never forward";
                let problem =
                    Diagnostic::new(word.span, format!("there is no property `{other}`"), "expected a property");
                self.sink.push(problem.help(format!("there are {names}")));
                return Err(Failed);
            }
        })
    }

    /// `unless p: p.proto == ssh`
    fn exception(&mut self) -> Parsed<Option<(Name, Expression)>> {
        if !self.eat("unless") {
            return Ok(None);
        }
        // Without a name of its own, the packet is `p`.
        let name = match self.second() {
            ":" => {
                let name = self.name("a name for the packet")?;
                self.expect(":")?;
                name
            }
            _ => Name { text: "p".to_owned(), span: self.span() },
        };
        Ok(Some((name, self.expression()?)))
    }

    fn never(&mut self) -> Parsed<PropertyKind> {
        let deliver = self.either("deliver", "forward")?;
        self.expect("(")?;
        let packet = self.name("a name for the packet")?;
        self.expect(")")?;
        let who = if self.eat("at") { self.who()? } else { Who::Anybody };
        let when = if self.eat("when") { Some(self.expression()?) } else { None };
        Ok(match deliver {
            true => PropertyKind::NeverDeliver(packet, who, when),
            false => PropertyKind::NeverForward(packet, who, when),
        })
    }

    /// `r1`, `h[2]`, `h[_]`
    fn who(&mut self) -> Parsed<Who> {
        if self.second() == "[" {
            let name = self.name("a host or a switch")?;
            let start = self.bump().start;
            if self.eat("_") {
                self.expect("]")?;
                return Ok(Who::Group(name));
            }
            let index = self.expression()?;
            self.expect("]")?;
            let (depth, span) = (index.depth + 1, name.span.to(self.since(start)));
            let group = Expression { kind: super::ast::ExpressionKind::Name(name.text), span: name.span, depth: 1 };
            let kind = super::ast::ExpressionKind::Index(Box::new(group), Box::new(index));
            return Ok(Who::One(Expression { kind, span, depth }));
        }
        Ok(Who::One(self.expression()?))
    }
}
