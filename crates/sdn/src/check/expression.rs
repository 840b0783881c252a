//! Names and types of expressions.

use mazurka_source::{Diagnostic, Span, suggest};

use super::{Checker, Meaning};
use crate::hir::{Binary, Entry, Ex, Ty, Unary};
use crate::syntax::ast::{Expression, ExpressionKind, Name};

/// Functions of the notation.
const FUNCTIONS: [&str; 5] = ["towards", "switch_of", "port_of", "index", "path_length"];

fn is_number(of: Ty) -> bool {
    matches!(of, Ty::Int | Ty::Range(..) | Ty::Wrong)
}

fn fits(of: Ty, wanted: Ty) -> bool {
    of == wanted || of == Ty::Wrong || wanted == Ty::Wrong || (is_number(of) && is_number(wanted))
}

impl Checker<'_> {
    /// A type in the user's words.
    pub(crate) fn type_name(&self, of: Ty) -> String {
        match of {
            Ty::Int => "a number".to_owned(),
            Ty::Bool => "a truth value".to_owned(),
            Ty::Host => "a host".to_owned(),
            Ty::Switch => "a switch".to_owned(),
            Ty::Named(list) => format!("one of {{ {} }}", self.network.values[list].join(", ")),
            Ty::Range(low, high) => format!("a number of {low}..{high}"),
            Ty::Wrong => "something else".to_owned(),
        }
    }

    /// An expression of this type; a number that may be out of range is looked at.
    pub(crate) fn typed(&mut self, expression: &Expression, wanted: Ty) -> Ex {
        let (ex, of) = self.expression(expression);
        if !fits(of, wanted) {
            let (found, expected) = (self.type_name(of), self.type_name(wanted));
            self.wrong(expression.span, format!("this is {found}"), &format!("expected {expected}"));
            return Ex::Const(0);
        }
        let Ty::Range(low, high) = wanted else { return ex };
        match (of, &ex) {
            (_, Ex::Const(value)) if !(low..=high).contains(value) => {
                let expected = self.type_name(wanted);
                self.wrong(expression.span, format!("{value} is out of range"), &format!("expected {expected}"));
                ex
            }
            (_, Ex::Const(_)) => ex,
            (Ty::Range(from, to), _) if from >= low && to <= high => ex,
            _ => {
                let site = self.site(expression.span);
                Ex::Within(Box::new(ex), low, high, site)
            }
        }
    }

    /// An expression and its type.
    pub(crate) fn expression(&mut self, expression: &Expression) -> (Ex, Ty) {
        let span = expression.span;
        match &expression.kind {
            ExpressionKind::Int(value) => (Ex::Const(*value), Ty::Int),
            ExpressionKind::Bool(value) => (Ex::Const(i64::from(*value)), Ty::Bool),
            ExpressionKind::Any => {
                self.wrong(span, "`any` cannot stand here", "expected it as the whole value of a field that is sent");
                (Ex::Const(0), Ty::Wrong)
            }
            ExpressionKind::Name(name) => self.name(name, span),
            ExpressionKind::Index(..) => self.indexed(expression),
            ExpressionKind::Field(inner, field) => self.field(inner, field, span),
            ExpressionKind::Call(name, arguments) => self.call(name, arguments, span),
            ExpressionKind::Unary(operator, inner) => {
                let of = if *operator == Unary::Not { Ty::Bool } else { Ty::Int };
                let inner = self.typed(inner, of);
                let site = self.site(span);
                (Ex::Unary(*operator, Box::new(inner), site), of)
            }
            ExpressionKind::Binary(operator, left, right) => self.binary(*operator, left, right, span),
            ExpressionKind::Conditional(parts) => {
                let condition = self.typed(&parts[0], Ty::Bool);
                let (then, of) = self.expression(&parts[1]);
                let of = if is_number(of) { Ty::Int } else { of };
                let otherwise = self.typed(&parts[2], of);
                (Ex::Conditional(Box::new([condition, then, otherwise])), of)
            }
        }
    }

    fn name(&mut self, name: &str, span: Span) -> (Ex, Ty) {
        match self.find(name, span) {
            Meaning::Constant(value, of) => (Ex::Const(value), of),
            Meaning::Local(slot, of) => (Ex::Local(slot), of),
            Meaning::Variable(number) => self.variable_use(number, Vec::new(), span),
            Meaning::Wrong => (Ex::Const(0), Ty::Wrong),
            Meaning::Group(..) => {
                self.wrong(span, format!("`{name}` is a group"), &format!("expected one of it: `{name}[0]`"));
                (Ex::Const(0), Ty::Wrong)
            }
            Meaning::Hop(_) => {
                self.wrong(span, format!("`{name}` is a hop"), &format!("expected `{name}.switch` or `{name}.port`"));
                (Ex::Const(0), Ty::Wrong)
            }
            Meaning::Packet => {
                self.wrong(span, format!("`{name}` is a packet"), &format!("expected a field of it: `{name}.…`"));
                (Ex::Const(0), Ty::Wrong)
            }
        }
    }

    /// A variable with its keys.
    fn variable_use(&mut self, number: usize, keys: Vec<Ex>, span: Span) -> (Ex, Ty) {
        let variable = &self.network.variables[number];
        let (of, wanted) = (variable.value, variable.keys.len());
        if keys.len() != wanted {
            let message = format!("`{}` has {wanted} keys, not {}", variable.name, keys.len());
            self.wrong(span, message, "expected a key in brackets for each");
            return (Ex::Const(0), Ty::Wrong);
        }
        if self.is_constant {
            self.wrong(span, "a variable of the controller is not known here", "expected a constant");
            return (Ex::Const(0), Ty::Wrong);
        }
        let site = self.site(span);
        (Ex::Get(Entry { variable: number, keys, site }), of)
    }

    /// `learned[s][p.dst]`, `h[2]`
    fn indexed(&mut self, expression: &Expression) -> (Ex, Ty) {
        let (name, indices) = indices(expression);
        let Some((name, at)) = name else {
            self.wrong(expression.span, "this has no entries", "expected the name of a map or of a group");
            return (Ex::Const(0), Ty::Wrong);
        };
        match self.find(name, at) {
            Meaning::Group(first, count, of) if indices.len() == 1 => {
                let index = self.typed(indices[0], Ty::Int);
                let site = self.site(expression.span);
                let element = Ex::Element(first, count, Box::new(index), site);
                (self.element(element, count, expression.span), of)
            }
            Meaning::Variable(number) => {
                let keys = self.keys(number, &indices);
                self.variable_use(number, keys, expression.span)
            }
            Meaning::Wrong => (Ex::Const(0), Ty::Wrong),
            _ => {
                self.wrong(expression.span, format!("`{name}` has no such entries"), "expected a map or a group");
                (Ex::Const(0), Ty::Wrong)
            }
        }
    }

    /// An element with a constant index is known, or wrong.
    fn element(&mut self, element: Ex, count: i64, span: Span) -> Ex {
        match &element {
            Ex::Element(first, _, index, _) => match **index {
                Ex::Const(at) if (0..count).contains(&at) => Ex::Const(first + at),
                Ex::Const(at) => {
                    self.wrong(span, format!("there is no {at} of {count}"), &format!("expected 0..{}", count - 1));
                    Ex::Const(*first)
                }
                _ => element,
            },
            _ => element,
        }
    }

    fn keys(&mut self, variable: usize, indices: &[&Expression]) -> Vec<Ex> {
        let types = self.network.variables[variable].keys.clone();
        let wanted = types.into_iter().chain(std::iter::repeat(Ty::Wrong));
        indices.iter().zip(wanted).map(|(index, of)| self.typed(index, of)).collect()
    }

    /// An entry of a map or set, to be written, or to be looked for; `key` is one more key.
    pub(crate) fn entry(&mut self, expression: &Expression, key: Option<&Expression>) -> Option<(Entry, Ty)> {
        let (name, mut indices) = indices(expression);
        indices.extend(key);
        let found = name.map(|(name, at)| self.find(name, at));
        let number = match found {
            Some(Meaning::Variable(number)) => number,
            Some(Meaning::Wrong) => return None,
            _ => {
                self.wrong(expression.span, "this is no variable of the controller", "expected one");
                return None;
            }
        };
        let keys = self.keys(number, &indices);
        let (ex, of) = self.variable_use(number, keys, expression.span);
        match ex {
            Ex::Get(entry) => Some((entry, of)),
            _ => None,
        }
    }

    fn field(&mut self, inner: &Expression, field: &Name, span: Span) -> (Ex, Ty) {
        let ExpressionKind::Name(name) = &inner.kind else {
            self.wrong(span, "this has no fields", "expected a packet, or a hop of a path");
            return (Ex::Const(0), Ty::Wrong);
        };
        match self.find(name, inner.span) {
            Meaning::Packet => match self.network.fields.iter().position(|(known, _)| *known == field.text) {
                Some(at) => (Ex::Field(at), self.network.fields[at].1),
                None => {
                    let fields: Vec<String> = self.network.fields.iter().map(|(name, _)| name.clone()).collect();
                    let hint = suggest(&field.text, fields.iter().map(String::as_str));
                    let message = format!("there is no field `{}` in `header`", field.text);
                    let problem = Diagnostic::new(field.span, message, "expected a field of the header");
                    self.sink.push(problem.maybe_help(hint));
                    (Ex::Const(0), Ty::Wrong)
                }
            },
            Meaning::Hop(slots) if field.text == "switch" => (Ex::HopSwitch(slots), Ty::Switch),
            Meaning::Hop(slots) if field.text == "port" => {
                let site = self.site(span);
                let sides = Box::new([Ex::HopSwitch(slots), Ex::Local(slots[1])]);
                (Ex::Towards(sides, site), Ty::Int)
            }
            Meaning::Wrong => (Ex::Const(0), Ty::Wrong),
            _ => {
                self.wrong(span, format!("`{name}` has no field `{}`", field.text), "expected a packet, or a hop");
                (Ex::Const(0), Ty::Wrong)
            }
        }
    }

    fn call(&mut self, name: &Name, arguments: &[Expression], span: Span) -> (Ex, Ty) {
        let count = if matches!(name.text.as_str(), "towards" | "path_length") { 2 } else { 1 };
        if !FUNCTIONS.contains(&name.text.as_str()) {
            let problem =
                Diagnostic::new(name.span, format!("there is no function `{}`", name.text), "expected a function");
            let help = suggest(&name.text, FUNCTIONS).unwrap_or_else(|| format!("there are {}", FUNCTIONS.join(", ")));
            self.sink.push(problem.help(help));
            return (Ex::Const(0), Ty::Wrong);
        }
        if arguments.len() != count {
            let message = format!("`{}` takes {count} arguments, not {}", name.text, arguments.len());
            self.wrong(span, message, "expected as many as it takes");
            return (Ex::Const(0), Ty::Wrong);
        }
        let site = self.site(span);
        match name.text.as_str() {
            "towards" | "path_length" => {
                let sides = Box::new([self.typed(&arguments[0], Ty::Switch), self.typed(&arguments[1], Ty::Host)]);
                let is_port = name.text == "towards";
                (if is_port { Ex::Towards(sides, site) } else { Ex::PathLength(sides, site) }, Ty::Int)
            }
            "switch_of" => (Ex::SwitchOf(Box::new(self.typed(&arguments[0], Ty::Host))), Ty::Switch),
            "port_of" => (Ex::PortOf(Box::new(self.typed(&arguments[0], Ty::Host))), Ty::Int),
            _ => match self.expression(&arguments[0]) {
                (ex, Ty::Switch) => (Ex::SwitchIndex(Box::new(ex)), Ty::Int),
                (ex, Ty::Host) => (Ex::HostIndex(Box::new(ex)), Ty::Int),
                (_, of) => {
                    let found = self.type_name(of);
                    self.wrong(arguments[0].span, format!("this is {found}"), "expected a host or a switch");
                    (Ex::Const(0), Ty::Wrong)
                }
            },
        }
    }

    fn binary(&mut self, operator: Binary, left: &Expression, right: &Expression, span: Span) -> (Ex, Ty) {
        let site = self.site(span);
        if operator == Binary::In {
            return match self.entry(right, Some(left)) {
                Some((entry, _)) => (Ex::Has(entry), Ty::Bool),
                None => (Ex::Const(0), Ty::Bool),
            };
        }
        let (operands, of) = match operator {
            Binary::And | Binary::Or => (Some(Ty::Bool), Ty::Bool),
            Binary::Equal | Binary::NotEqual => (None, Ty::Bool),
            Binary::Less | Binary::LessEqual | Binary::Greater | Binary::GreaterEqual => (Some(Ty::Int), Ty::Bool),
            _ => (Some(Ty::Int), Ty::Int),
        };
        let (left, right) = match operands {
            Some(of) => (self.typed(left, of), self.typed(right, of)),
            None => {
                let (ex, of) = self.expression(left);
                let of = if is_number(of) { Ty::Int } else { of };
                (ex, self.typed(right, of))
            }
        };
        let ex = Ex::Binary(operator, Box::new([left, right]), site);
        let is_known = matches!(&ex, Ex::Binary(_, sides, _) if matches!(**sides, [Ex::Const(_), Ex::Const(_)]));
        match crate::eval::value_of(&ex, &mut crate::eval::Nothing) {
            Ok(value) if is_known => (Ex::Const(value), of),
            _ => (ex, of),
        }
    }
}

/// The name that indices stand behind, and the indices.
fn indices(expression: &Expression) -> (Option<(&str, Span)>, Vec<&Expression>) {
    let (mut at, mut indices) = (expression, Vec::new());
    while let ExpressionKind::Index(inner, index) = &at.kind {
        indices.push(&**index);
        at = inner;
    }
    indices.reverse();
    match &at.kind {
        ExpressionKind::Name(name) => (Some((name, at.span)), indices),
        _ => (None, indices),
    }
}
