//! Terms as people write them.

use super::{Arena, Op, Term};

/// How tightly an operator binds; an operand that binds less tightly stands in brackets.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Tightness {
    Choice,
    Or,
    And,
    Comparison,
    Sum,
    Product,
    Unary,
    Atom,
}

enum Part {
    Text(String),
    Term(Term, Tightness),
}

impl Arena {
    /// The term as the process notation writes it, cut with `…` after about so many characters (a
    /// term is a graph, and can be very long as a text).
    pub fn infix(&self, root: Term, limit: usize) -> String {
        let mut text = String::new();
        let mut parts = vec![Part::Term(root, Tightness::Choice)];
        while let Some(part) = parts.pop() {
            if text.len() >= limit {
                text.push('…');
                break;
            }
            match part {
                Part::Text(piece) => text += &piece,
                Part::Term(term, around) => {
                    let (own, mut inner) = self.pieces(term);
                    if own < around {
                        inner.insert(0, Part::Text("(".to_owned()));
                        inner.push(Part::Text(")".to_owned()));
                    }
                    parts.extend(inner.into_iter().rev());
                }
            }
        }
        text
    }

    fn pieces(&self, term: Term) -> (Tightness, Vec<Part>) {
        use Tightness::{And, Atom, Choice, Comparison, Or, Product, Sum, Unary};
        let operands = self.operands(term);
        let word = |text: String| (Atom, vec![Part::Text(text)]);
        let text = |text: &str| Part::Text(text.to_owned());
        let chain = |sign: &str, own: Tightness, operand: Tightness| {
            let mut parts = Vec::new();
            for (index, &term) in operands.iter().enumerate() {
                if index > 0 {
                    parts.push(Part::Text(sign.to_owned()));
                }
                parts.push(Part::Term(term, operand));
            }
            (own, parts)
        };
        match self.op(term) {
            Op::Bool(value) => word(value.to_string()),
            Op::Int(value) if value < 0 => (Unary, vec![Part::Text(value.to_string())]),
            Op::Int(value) => word(value.to_string()),
            Op::Variable(_) => word(self.name(term).unwrap_or_default().to_owned()),
            // A function whose name begins with a space is an operator.
            Op::Apply(function) if self.function_name(function).starts_with(' ') => {
                chain(self.function_name(function), Product, Unary)
            }
            Op::Apply(function) => {
                let mut parts = vec![text(self.function_name(function)), text("(")];
                parts.extend(chain(", ", Choice, Choice).1);
                parts.push(text(")"));
                (Atom, parts)
            }
            Op::Not => match (self.op(operands[0]), self.operands(operands[0])) {
                (Op::Equal, &[left, right]) => {
                    (Comparison, vec![Part::Term(left, Sum), text(" != "), Part::Term(right, Sum)])
                }
                _ => (Unary, vec![text("!"), Part::Term(operands[0], Unary)]),
            },
            Op::And => chain(" && ", And, Comparison),
            Op::Or => chain(" || ", Or, And),
            Op::Ite if let Some((sign, left, right)) = self.to_zero(term) => {
                (Product, vec![Part::Term(left, Product), text(sign), Part::Term(right, Unary)])
            }
            Op::Ite => (
                Choice,
                vec![
                    Part::Term(operands[0], Or),
                    text(" ? "),
                    Part::Term(operands[1], Or),
                    text(" : "),
                    Part::Term(operands[2], Choice),
                ],
            ),
            Op::Equal => chain(" == ", Comparison, Sum),
            Op::Less => chain(" < ", Comparison, Sum),
            Op::LessEqual => chain(" <= ", Comparison, Sum),
            Op::Add => (Sum, self.sum_parts(operands)),
            Op::Multiply => match self.constant(operands[0]) {
                Some(-1) => (Unary, vec![text("-"), Part::Term(operands[1], Unary)]),
                _ => chain(" * ", Product, Unary),
            },
            Op::Divide => chain(" div ", Product, Unary),
            Op::Modulo => chain(" mod ", Product, Unary),
            Op::Select => {
                (Atom, vec![Part::Term(operands[0], Atom), text("["), Part::Term(operands[1], Choice), text("]")])
            }
            Op::Store => (
                Atom,
                vec![
                    Part::Term(operands[0], Atom),
                    text("["),
                    Part::Term(operands[1], Choice),
                    text(" := "),
                    Part::Term(operands[2], Choice),
                    text("]"),
                ],
            ),
            Op::Constant => (Atom, vec![text("["), Part::Term(operands[0], Choice), text("…]")]),
        }
    }

    /// The operands of what [`Arena::divide_to_zero`] or [`Arena::remainder_to_zero`] made, with
    /// their sign.
    fn to_zero(&self, term: Term) -> Option<(&'static str, Term, Term)> {
        let &[condition, plain, turned] = self.operands(term) else { return None };
        let sign = match self.op(plain) {
            Op::Divide => " / ",
            Op::Modulo => " % ",
            _ => return None,
        };
        let &[left, right] = self.operands(plain) else { return None };
        let (Op::LessEqual, &[zero, tested]) = (self.op(condition), self.operands(condition)) else { return None };
        let (Op::Multiply, &[minus, inner]) = (self.op(turned), self.operands(turned)) else { return None };
        let opposite = self.op(inner) == self.op(plain) && self.operands(inner)[1] == right;
        let signs = self.constant(zero) == Some(0) && self.constant(minus) == Some(-1);
        (opposite && signs && tested == left).then_some((sign, left, right))
    }

    /// `x - y + 3` rather than `x + -1 * y + 3`; positive summands first.
    fn sum_parts(&self, operands: &[Term]) -> Vec<Part> {
        let negative = |term: Term| match (self.op(term), self.operands(term)) {
            (Op::Int(value), _) => value < 0,
            (Op::Multiply, &[first, _]) => self.constant(first).is_some_and(|factor| factor < 0),
            _ => false,
        };
        let (behind, ahead): (Vec<Term>, Vec<Term>) = operands.iter().partition(|&&term| negative(term));
        let mut parts = Vec::new();
        for &term in ahead.iter().chain(&behind) {
            let minus = !parts.is_empty() && negative(term);
            if !parts.is_empty() {
                parts.push(Part::Text(if minus { " - " } else { " + " }.to_owned()));
            }
            match (self.op(term), self.operands(term)) {
                (Op::Int(value), _) if minus => parts.push(Part::Text(value.unsigned_abs().to_string())),
                (Op::Multiply, &[first, second]) if minus => {
                    let factor = self.constant(first).map_or(1, i128::unsigned_abs);
                    if factor != 1 {
                        parts.push(Part::Text(format!("{factor} * ")));
                    }
                    parts.push(Part::Term(second, Tightness::Unary));
                }
                _ => parts.push(Part::Term(term, Tightness::Product)),
            }
        }
        parts
    }
}
