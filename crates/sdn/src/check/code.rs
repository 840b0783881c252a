//! The controller: from statements to straight code with jumps.

use mazurka_source::Span;

use super::{Checker, Meaning};
use crate::hir::{Binary, Ex, Op, Targets, Ty};
use crate::syntax::ast::{self, Barrier, Event, Over, Statement, StatementKind};

impl Checker<'_> {
    /// The controller, if there is one.
    pub(super) fn controllers(&mut self, file: &ast::File) {
        for other in file.controllers.iter().skip(1) {
            self.wrong(other.span, "there are two controllers", "expected one");
        }
        let Some(controller) = file.controllers.first() else { return };
        for variable in &controller.variables {
            self.variable(variable);
        }
        self.is_constant = false;
        for handler in &controller.handlers {
            self.handler(handler);
        }
        self.is_constant = true;
    }

    fn handler(&mut self, handler: &ast::Handler) {
        let entry = self.network.code.len();
        let site = self.site(handler.span);
        let slot = match &handler.event {
            Event::PacketIn(..) => &mut self.network.packet_in,
            Event::Start(_) => &mut self.network.start,
        };
        if slot.replace((entry, site)).is_some() {
            self.wrong(handler.span, "there are two handlers for this event", "expected one");
        }
        self.scopes.clear();
        match &handler.event {
            Event::PacketIn(switch, port, packet) => {
                self.scopes.push((switch.text.clone(), Meaning::Local(0, Ty::Switch)));
                self.scopes.push((port.text.clone(), Meaning::Local(1, Ty::Int)));
                self.scopes.push((packet.text.clone(), Meaning::Packet));
            }
            Event::Start(switch) => self.scopes.push((switch.text.clone(), Meaning::Local(0, Ty::Switch))),
        }
        self.locals = 2;
        self.statements(&handler.body);
        self.network.code.push(Op::Return);
        self.scopes.clear();
    }

    fn statements(&mut self, statements: &[Statement]) {
        let (scopes, locals) = (self.scopes.len(), self.locals);
        for statement in statements {
            self.statement(statement);
        }
        self.scopes.truncate(scopes);
        self.locals = locals;
    }

    fn push(&mut self, op: Op) -> usize {
        self.network.code.push(op);
        self.network.code.len() - 1
    }

    /// A local of its own.
    fn fresh(&mut self) -> usize {
        self.locals += 1;
        self.network.locals = self.network.locals.max(self.locals);
        self.locals - 1
    }

    fn statement(&mut self, statement: &Statement) {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Local(of, name, value) => {
                let of = self.of_type(of);
                let value = self.typed(value, of);
                let slot = self.fresh();
                self.push(Op::Set(slot, value));
                self.scopes.push((name.text.clone(), Meaning::Local(slot, of)));
            }
            StatementKind::Assign(target, value) => self.assign(target, value),
            StatementKind::If(condition, then, otherwise) => self.branch(condition, then, otherwise),
            StatementKind::For(name, over, body) => self.repetition(name, over, body, span),
            StatementKind::Install(switch, priority, matches, action) => {
                let (switch, priority) = (self.typed(switch, Ty::Switch), self.typed(priority, Ty::Int));
                let (matches, action) = (self.matches(matches), self.action(action));
                let site = self.site(span);
                self.push(Op::Install { switch, priority, matches, action, site });
            }
            StatementKind::Remove(switch, priority, matches) => {
                let switch = self.typed(switch, Ty::Switch);
                let priority = priority.as_ref().map(|priority| self.typed(priority, Ty::Int));
                let matches = self.matches(matches);
                let site = self.site(span);
                self.push(Op::Remove { switch, priority, matches, site });
            }
            StatementKind::PacketOut(switch, packet, action) => {
                let switch = self.typed(switch, Ty::Switch);
                if !matches!(self.find(&packet.text, packet.span), Meaning::Packet | Meaning::Wrong) {
                    self.wrong(packet.span, "this is no packet", "expected the packet of this handler");
                }
                let action = action.as_ref().map(|action| self.action(action));
                let site = self.site(span);
                self.push(Op::PacketOut { switch, action, site });
            }
            StatementKind::Barrier(waits, barrier) => {
                let targets = self.targets(barrier);
                let site = self.site(span);
                self.push(Op::Barrier { targets, waits: *waits, site });
            }
            StatementKind::Insert(set, element) => {
                if let Some((entry, _)) = self.entry(set, Some(element)) {
                    self.push(Op::Store(entry, Ex::Const(1)));
                }
            }
            StatementKind::Erase(entry) => {
                if let Some((entry, _)) = self.entry(entry, None) {
                    self.push(Op::Erase(entry));
                }
            }
            StatementKind::Assert(condition) => {
                let condition = self.typed(condition, Ty::Bool);
                let site = self.site(span);
                self.push(Op::Assert(condition, site));
            }
            StatementKind::Return => {
                self.push(Op::Return);
            }
        }
    }

    fn targets(&mut self, barrier: &Barrier) -> Targets {
        match barrier {
            Barrier::All => Targets::All,
            Barrier::Switch(switch) => Targets::Switch(self.typed(switch, Ty::Switch)),
            Barrier::Path(switch, host) => Targets::Path(self.typed(switch, Ty::Switch), self.typed(host, Ty::Host)),
        }
    }

    fn assign(&mut self, target: &ast::Expression, value: &ast::Expression) {
        if let ast::ExpressionKind::Name(name) = &target.kind
            && let Some((_, Meaning::Local(slot, of))) = self.scopes.iter().rev().find(|(known, _)| known == name)
        {
            let (slot, of) = (*slot, *of);
            let value = self.typed(value, of);
            self.push(Op::Set(slot, value));
            return;
        }
        if let Some((entry, of)) = self.entry(target, None) {
            let value = self.typed(value, of);
            self.push(Op::Store(entry, value));
        }
    }

    fn branch(&mut self, condition: &ast::Expression, then: &[Statement], otherwise: &[Statement]) {
        let condition = self.typed(condition, Ty::Bool);
        let test = self.push(Op::Unless(condition, 0));
        self.statements(then);
        if otherwise.is_empty() {
            return self.land(test);
        }
        let skip = self.push(Op::Jump(0));
        self.land(test);
        self.statements(otherwise);
        self.land(skip);
    }

    /// A jump leads here.
    fn land(&mut self, at: usize) {
        let here = self.network.code.len();
        match &mut self.network.code[at] {
            Op::Jump(to) | Op::Unless(_, to) => *to = here,
            _ => unreachable!("only jumps lead somewhere"),
        }
    }

    fn repetition(&mut self, name: &ast::Name, over: &Over, body: &[Statement], span: Span) {
        let (scopes, locals) = (self.scopes.len(), self.locals);
        let (index, last) = (self.fresh(), self.fresh());
        let meaning = match over {
            Over::Range(first, end) => {
                let (first, end) = (self.typed(first, Ty::Int), self.typed(end, Ty::Int));
                self.push(Op::Set(index, first));
                self.push(Op::Set(last, end));
                Meaning::Local(index, Ty::Int)
            }
            Over::Switches => self.count_to(index, last, self.network.switches.len(), Ty::Switch),
            Over::Hosts => self.count_to(index, last, self.network.hosts.len(), Ty::Host),
            Over::Path(switch, host) => {
                let (from, to) = (self.fresh(), self.fresh());
                let (switch, host) = (self.typed(switch, Ty::Switch), self.typed(host, Ty::Host));
                let site = self.site(span);
                self.push(Op::Set(from, switch));
                self.push(Op::Set(to, host));
                let length = Ex::PathLength(Box::new([Ex::Local(from), Ex::Local(to)]), site);
                let end = Ex::Binary(Binary::Subtract, Box::new([length, Ex::Const(1)]), site);
                self.push(Op::Set(index, Ex::Const(0)));
                self.push(Op::Set(last, end));
                Meaning::Hop([from, to, index])
            }
        };
        self.scopes.push((name.text.clone(), meaning));
        let site = self.site(span);
        let goes_on = Ex::Binary(Binary::LessEqual, Box::new([Ex::Local(index), Ex::Local(last)]), site);
        let test = self.push(Op::Unless(goes_on, 0));
        self.statements(body);
        let next = Ex::Binary(Binary::Add, Box::new([Ex::Local(index), Ex::Const(1)]), site);
        self.push(Op::Set(index, next));
        self.push(Op::Jump(test));
        self.land(test);
        self.scopes.truncate(scopes);
        self.locals = locals;
    }

    fn count_to(&mut self, index: usize, last: usize, count: usize, of: Ty) -> Meaning {
        self.push(Op::Set(index, Ex::Const(0)));
        self.push(Op::Set(last, Ex::Const(count as i64 - 1)));
        Meaning::Local(index, of)
    }
}
