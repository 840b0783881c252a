//! From a tree to a network: names, types, constants, the topology.

mod code;
mod expression;
mod property;
mod shape;
mod topology;
mod traffic;
mod warn;

use std::collections::HashMap;

use mazurka_source::{Diagnostic, LineIndex, Sink, Span, suggest};

use crate::hir::{Ex, Network, Ty, Variable};
use crate::syntax::{self, ast};

/// Compiles a network. `defines` are other values for its constants.
///
/// # Errors
/// All that is wrong with it, in the order of places.
pub fn compile(file: &str, source: &str, defines: &[(String, i64)]) -> Result<Network, Vec<Diagnostic>> {
    if u32::try_from(source.len()).is_err() {
        return Err(vec![Diagnostic::general("the network is too large: more than 4 GB")]);
    }
    let mut sink = Sink::default();
    let tree = syntax::parse(source, &mut sink);
    if !sink.is_empty() {
        return Err(sink.finish(file));
    }
    let mut checker = Checker::new(file, source, &mut sink);
    checker.file(&tree, defines);
    let network = checker.network;
    if sink.is_empty() { Ok(network) } else { Err(sink.finish(file)) }
}

/// What a name means.
#[derive(Clone, Debug)]
pub(crate) enum Meaning {
    /// A value: a constant, a named value, a host, a switch.
    Constant(i64, Ty),
    /// A group of hosts or switches: the first, and how many.
    Group(i64, i64, Ty),
    Local(usize, Ty),
    /// A hop of a path: its switch, its host and its index are locals.
    Hop([usize; 3]),
    Packet,
    Variable(usize),
    /// It was declared wrongly, and that was reported.
    Wrong,
}

pub(crate) struct Checker<'d> {
    pub(crate) network: Network,
    pub(crate) sink: &'d mut Sink,
    /// What names of the whole file mean, and where they were declared.
    pub(crate) names: HashMap<String, (Meaning, Span)>,
    /// Names of blocks, innermost last.
    pub(crate) scopes: Vec<(String, Meaning)>,
    /// A variable of the controller is a constant here, or not there at all.
    pub(crate) is_constant: bool,
    /// How many locals are in use.
    pub(crate) locals: usize,
    /// Where a topology is named.
    pub(crate) shaped: Option<Span>,
}

/// More cells than this, a map may not have.
const MOST_CELLS: i64 = 1 << 20;

impl<'d> Checker<'d> {
    fn new(file: &str, source: &str, sink: &'d mut Sink) -> Self {
        let network = Network {
            file: file.to_owned(),
            source: source.to_owned(),
            lines: LineIndex::new(source),
            sites: vec![Span::default()],
            hosts: Vec::new(),
            switches: Vec::new(),
            fields: Vec::new(),
            values: Vec::new(),
            variables: Vec::new(),
            code: Vec::new(),
            packet_in: None,
            start: None,
            locals: 0,
            rules: Vec::new(),
            misses_dropped: false,
            overlaps_chosen: false,
            sent: Vec::new(),
            first: Vec::new(),
            stages: Vec::new(),
            properties: Vec::new(),
            towards: Vec::new(),
            warnings: Vec::new(),
        };
        Checker { network, sink, names: HashMap::new(), scopes: Vec::new(), is_constant: true, locals: 0, shaped: None }
    }

    fn file(&mut self, file: &ast::File, defines: &[(String, i64)]) {
        self.constants(file, defines);
        self.network.misses_dropped = file.misses_dropped;
        self.network.overlaps_chosen = file.overlaps_chosen;
        self.shape(file);
        self.groups(file);
        self.header(file);
        self.topology(file);
        self.tables(file);
        self.routes(file);
        self.controllers(file);
        self.traffic(file);
        self.properties(file);
        self.warn(file);
    }

    /// A place, as a number.
    pub(crate) fn site(&mut self, span: Span) -> u32 {
        self.network.sites.push(span);
        (self.network.sites.len() - 1) as u32
    }

    /// Reports what is wrong.
    pub(crate) fn wrong(&mut self, span: Span, message: impl Into<String>, expected: &str) {
        self.sink.push(Diagnostic::new(span, message, expected));
    }

    /// Declares a name of the whole file.
    pub(crate) fn declare(&mut self, name: &ast::Name, meaning: Meaning) {
        if let Some((_, before)) = self.names.get(&name.text) {
            let problem =
                Diagnostic::new(name.span, format!("`{}` is declared twice", name.text), "expected a new name");
            let problem = problem.note(*before, "it is declared here");
            self.sink.push(problem);
            return;
        }
        self.names.insert(name.text.clone(), (meaning, name.span));
    }

    /// What a name means here.
    pub(crate) fn find(&mut self, name: &str, span: Span) -> Meaning {
        if let Some((_, meaning)) = self.scopes.iter().rev().find(|(known, _)| known == name) {
            return meaning.clone();
        }
        if let Some((meaning, _)) = self.names.get(name) {
            return meaning.clone();
        }
        let known = self.names.keys().map(String::as_str).chain(self.scopes.iter().map(|(name, _)| name.as_str()));
        let mut known: Vec<&str> = known.collect();
        known.sort_unstable();
        let hint = suggest(name, known);
        let problem = Diagnostic::new(span, format!("there is no `{name}`"), "expected a name that is declared");
        self.sink.push(problem.maybe_help(hint));
        Meaning::Wrong
    }

    fn constants(&mut self, file: &ast::File, defines: &[(String, i64)]) {
        for (name, value) in &file.constants {
            let own = self.constant(value, Ty::Int);
            let defined = defines.iter().rev().find(|(known, _)| *known == name.text);
            let value = defined.map(|&(_, value)| value).or(own);
            let meaning = value.map_or(Meaning::Wrong, |value| Meaning::Constant(value, Ty::Int));
            self.declare(name, meaning);
        }
        for (name, _) in defines {
            if file.constants.iter().all(|(known, _)| known.text != *name) {
                let names = file.constants.iter().map(|(known, _)| known.text.as_str());
                let problem = Diagnostic::general(format!("there is no constant `{name}` to give another value"));
                self.sink.push(problem.maybe_help(suggest(name, names)));
            }
        }
    }

    /// The fields of the header, and the names of their values.
    fn header(&mut self, file: &ast::File) {
        for (name, of) in &file.header {
            let of = self.of_type(of);
            if of == Ty::Int {
                self.wrong(
                    name.span,
                    format!("`{}` has too many values", name.text),
                    "expected a range such as `0..15`",
                );
            }
            if self.network.fields.iter().any(|(known, _)| *known == name.text) || name.text == "in_port" {
                self.wrong(name.span, format!("there are two fields `{}`", name.text), "expected a new name");
                continue;
            }
            self.network.fields.push((name.text.clone(), of));
        }
    }

    /// The type of a simple value.
    pub(crate) fn of_type(&mut self, of: &ast::Type) -> Ty {
        match of {
            ast::Type::Int => Ty::Int,
            ast::Type::Bool => Ty::Bool,
            ast::Type::Host => Ty::Host,
            ast::Type::Switch => Ty::Switch,
            ast::Type::Range(first, last) => match (self.constant(first, Ty::Int), self.constant(last, Ty::Int)) {
                (Some(low), Some(high)) if low <= high && high.checked_sub(low).is_some_and(|n| n < i64::MAX) => {
                    Ty::Range(low, high)
                }
                (Some(_), Some(_)) => {
                    self.wrong(first.span.to(last.span), "this range is empty", "expected the smaller number first");
                    Ty::Wrong
                }
                _ => Ty::Wrong,
            },
            ast::Type::Values(names) => self.named_values(names),
            ast::Type::OfField(name) => match self.network.fields.iter().find(|(known, _)| *known == name.text) {
                Some(&(_, of)) => of,
                None => {
                    let fields: Vec<String> = self.network.fields.iter().map(|(name, _)| name.clone()).collect();
                    let hint = suggest(&name.text, fields.iter().map(String::as_str));
                    let label =
                        "expected a type: int, bool, host, switch, a range, a list of values, or a field's name";
                    let problem = Diagnostic::new(name.span, format!("there is no type `{}`", name.text), label);
                    self.sink.push(problem.maybe_help(hint));
                    Ty::Wrong
                }
            },
            ast::Type::Map(..) | ast::Type::Set(_) => Ty::Wrong,
        }
    }

    fn named_values(&mut self, names: &[ast::Name]) -> Ty {
        let list: Vec<String> = names.iter().map(|name| name.text.clone()).collect();
        if let Some(known) = self.network.values.iter().position(|known| *known == list) {
            return Ty::Named(known);
        }
        let number = self.network.values.len();
        for (value, name) in names.iter().enumerate() {
            self.declare(name, Meaning::Constant(value as i64, Ty::Named(number)));
        }
        self.network.values.push(list);
        Ty::Named(number)
    }

    /// How many values a type has, to be keys of a map.
    fn keys_of(&mut self, of: Ty, span: Span) -> i64 {
        match of {
            Ty::Bool => 2,
            Ty::Host => self.network.hosts.len() as i64,
            Ty::Switch => self.network.switches.len() as i64,
            Ty::Named(list) => self.network.values[list].len() as i64,
            Ty::Range(low, high) => high - low + 1,
            Ty::Int => {
                self.wrong(span, "integers cannot be keys", "expected keys of few values: hosts, switches, `0..15`");
                0
            }
            Ty::Wrong => 0,
        }
    }

    /// Declares a variable of the controller.
    pub(crate) fn variable(&mut self, variable: &ast::Variable) {
        let (mut keys, mut cells) = (Vec::new(), 1i64);
        let mut of = &variable.of;
        let value = loop {
            match of {
                ast::Type::Map(key, inner) => {
                    keys.push(self.of_type(key));
                    of = inner;
                }
                ast::Type::Set(key) => {
                    keys.push(self.of_type(key));
                    break Ty::Bool;
                }
                simple => break self.of_type(simple),
            }
        };
        for &key in &keys {
            cells = cells.saturating_mul(self.keys_of(key, variable.name.span));
        }
        if cells > MOST_CELLS {
            self.wrong(
                variable.name.span,
                format!("`{}` has too many entries: {cells}", variable.name.text),
                "expected fewer",
            );
            cells = 0;
        }
        let initial = self.initial(variable, !keys.is_empty(), value);
        let first = self.network.variables.last().map_or(0, |last| last.first + last.cells);
        let name = variable.name.text.clone();
        self.network.variables.push(Variable { name, keys, value, first, cells: cells as usize, initial });
        let number = self.network.variables.len() - 1;
        self.declare(&variable.name, Meaning::Variable(number));
    }

    fn initial(&mut self, variable: &ast::Variable, is_map: bool, of: Ty) -> i64 {
        match &variable.value {
            Some(value) if is_map => {
                self.wrong(value.span, "maps and sets are empty at first", "expected no value here");
                crate::hir::ABSENT
            }
            None if is_map => crate::hir::ABSENT,
            Some(value) => self.constant(value, of).unwrap_or(0),
            None if matches!(of, Ty::Host | Ty::Switch) => {
                let message = format!("`{}` has no value at first", variable.name.text);
                self.wrong(variable.name.span, message, "expected `= …`");
                0
            }
            None => match of {
                Ty::Range(low, high) => 0i64.clamp(low, high),
                _ => 0,
            },
        }
    }

    /// The value of a constant expression of this type.
    pub(crate) fn constant(&mut self, expression: &ast::Expression, of: Ty) -> Option<i64> {
        let ex = self.typed(expression, of);
        let value = self.fold(&ex, expression.span)?;
        // What was reported as wrong has no element to stand for.
        let count = match of {
            Ty::Host => self.network.hosts.len(),
            Ty::Switch => self.network.switches.len(),
            _ => return Some(value),
        };
        usize::try_from(value).is_ok_and(|at| at < count).then_some(value)
    }

    /// The value of an expression without variables.
    pub(crate) fn fold(&mut self, ex: &Ex, span: Span) -> Option<i64> {
        struct Fixed<'n>(&'n Network);
        impl crate::eval::Scope for Fixed<'_> {
            fn network(&self) -> Option<&Network> {
                Some(self.0)
            }
            fn local(&self, _: usize) -> Option<i64> {
                None
            }
            fn field(&self, _: usize) -> Option<i64> {
                None
            }
            fn cell(&mut self, _: usize) -> Option<i64> {
                None
            }
        }
        match crate::eval::value_of(ex, &mut Fixed(&self.network)) {
            Ok(value) => Some(value),
            Err(crate::eval::Trouble::Unknown) => {
                self.wrong(span, "this is not known before the network runs", "expected a constant");
                None
            }
            Err(_) => {
                self.wrong(span, "this constant has no value", "expected numbers within 64 bits, in their ranges");
                None
            }
        }
    }
}
