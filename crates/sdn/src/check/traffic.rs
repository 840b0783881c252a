//! The packets that are sent.

use super::Checker;
use crate::hir::{Ex, FieldValue, Sent, Stage, Ty};
use crate::syntax::ast::{self, ExpressionKind};

/// More packets than this are refused.
const MOST_PACKETS: usize = 1_000_000;
/// A field that may have any value has at most so many.
const MOST_VALUES: i64 = 1_000;

impl Checker<'_> {
    pub(super) fn traffic(&mut self, file: &ast::File) {
        for chain in &file.traffic {
            let mut before: Option<usize> = None;
            for (position, sends) in chain.iter().enumerate() {
                let first = self.network.sent.len();
                let stage = (position + 1 < chain.len()).then_some(self.network.stages.len());
                for send in sends {
                    self.send(send, stage);
                }
                let sent = first..self.network.sent.len();
                match before {
                    Some(before) => self.network.stages[before].next.extend(sent.clone()),
                    None => self.network.first.extend(sent.clone()),
                }
                if stage.is_some() {
                    self.network.stages.push(Stage { packets: sent.len() as i64, next: Vec::new() });
                    if sent.is_empty() && self.sink.is_empty() {
                        self.wrong(sends[0].span, "nothing is sent before `then`", "expected at least one packet");
                    }
                }
                before = stage;
            }
        }
    }

    fn send(&mut self, send: &ast::Send, stage: Option<usize>) {
        match &send.repeat {
            None => self.send_all(send, stage),
            Some(repeat) => self.repeated(repeat, |checker| checker.send_all(send, stage)),
        }
    }

    fn send_all(&mut self, send: &ast::Send, stage: Option<usize>) {
        let (host, of) = self.expression(&send.host);
        if of == Ty::Switch {
            return self.wrong(send.host.span, "switches do not send by themselves", "expected a host");
        }
        if !matches!(of, Ty::Host | Ty::Wrong) {
            return self.wrong(send.host.span, "this sends nothing", "expected a host");
        }
        let host = if of == Ty::Host { self.fold(&host, send.host.span) } else { None };
        let times = send.times.as_ref().map_or(Some(1), |times| self.constant(times, Ty::Int));
        if times.is_some_and(|times| times < 0) {
            self.wrong(send.span, "there is no such number of packets", "expected `times` and a number from 0 on");
        }
        let fields = self.fields(send, host);
        let site = self.site(send.span);
        let (Some(host), Some(times), Some(fields)) = (host, times, fields) else { return };
        for _ in 0..times {
            if self.network.sent.len() == MOST_PACKETS {
                return self.wrong(send.span, format!("more than {MOST_PACKETS} packets are sent"), "expected fewer");
            }
            self.network.sent.push(Sent { host: host as usize, fields: fields.clone(), site, stage });
        }
    }

    /// The header: `src` is the sender unless it says something else.
    fn fields(&mut self, send: &ast::Send, host: Option<i64>) -> Option<Vec<FieldValue>> {
        let mut values: Vec<Option<FieldValue>> = vec![None; self.network.fields.len()];
        for (name, value) in &send.fields {
            let Some(at) = self.network.fields.iter().position(|(known, _)| *known == name.text) else {
                self.wrong(name.span, format!("there is no field `{}` in `header`", name.text), "expected a field");
                continue;
            };
            let of = self.network.fields[at].1;
            let value = if matches!(value.kind, ExpressionKind::Any) {
                self.any(of, value)
            } else {
                let ex: Ex = self.typed(value, of);
                self.fold(&ex, value.span).map(FieldValue::Fixed)
            };
            if values[at].is_some() {
                self.wrong(name.span, format!("`{}` stands here twice", name.text), "expected each field once");
            }
            values[at] = value.or(Some(FieldValue::Fixed(0)));
        }
        for (at, value) in values.iter_mut().enumerate() {
            let (name, of) = self.network.fields[at].clone();
            if value.is_none() && name == "src" && of == Ty::Host {
                *value = host.map(FieldValue::Fixed);
            }
            if value.is_none() {
                self.wrong(send.span, format!("the packet has no `{name}`"), &format!("expected `{name} = …`"));
            }
        }
        values.into_iter().collect()
    }

    fn any(&mut self, of: Ty, value: &ast::Expression) -> Option<FieldValue> {
        let (low, high) = match of {
            Ty::Bool => (0, 1),
            Ty::Host => (0, self.network.hosts.len() as i64 - 1),
            Ty::Switch => (0, self.network.switches.len() as i64 - 1),
            Ty::Named(list) => (0, self.network.values[list].len() as i64 - 1),
            Ty::Range(low, high) => (low, high),
            Ty::Int | Ty::Wrong => return None,
        };
        if high - low >= MOST_VALUES {
            self.wrong(value.span, "this has too many values to try each", &format!("expected at most {MOST_VALUES}"));
            return None;
        }
        Some(FieldValue::Any(low, high))
    }
}
