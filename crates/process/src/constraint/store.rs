//! Found constraints as text, to be kept.

use mazurka_trace::SiteId;

use crate::code::Image;
use crate::hir::{Binary, Expr, ExprId, ExprKind, GlobalId, LocalId, Span, Type, Unary};

use super::{Constraint, Synthesised};

/// The first line: what is written otherwise is not read.
const HEAD: &str = "mazurka constraints 1";

const BINARIES: [Binary; 13] = [
    Binary::Add,
    Binary::Subtract,
    Binary::Multiply,
    Binary::Divide,
    Binary::Remainder,
    Binary::Equal,
    Binary::NotEqual,
    Binary::Less,
    Binary::LessEqual,
    Binary::Greater,
    Binary::GreaterEqual,
    Binary::And,
    Binary::Or,
];

impl Image {
    /// A number that tells programs apart whose steps are not the same (FNV-1a, 64 bits). Not meant against malice.
    pub fn fingerprint(&self) -> u64 {
        let text = format!("{:?}{:?}{:?}{:?}", self.code, self.places, self.bodies, self.objects);
        let step = |digest: u64, byte: u8| (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        text.bytes().fold(0xcbf2_9ce4_8422_2325, step)
    }
}

/// Writes what was found.
pub fn write(found: &[Synthesised]) -> String {
    let mut text = format!("{HEAD}\n");
    for pair in found {
        let [left, right] = pair.sites.map(SiteId::index);
        let flags = [pair.conflict, pair.necessary, pair.texts.is_some()].map(u8::from);
        text += &format!("pair {left} {right} {} {} {flags:?}\n", pair.bodies[0], pair.bodies[1]);
        for (constraint, written) in pair.constraints.iter().zip(pair.texts.iter().flatten()) {
            let exprs: Vec<String> = constraint.exprs.iter().map(|expr| token(&expr.kind)).collect();
            text += &format!("when {written}\nis {} {}\n", constraint.condition.index(), exprs.join(" "));
        }
    }
    text
}

/// Reads what was written; nothing where it is something else.
pub fn read(text: &str) -> Option<Vec<Synthesised>> {
    let mut lines = text.lines();
    (lines.next()? == HEAD).then_some(())?;
    let mut found: Vec<Synthesised> = Vec::new();
    while let Some(line) = lines.next() {
        if let Some(pair) = line.strip_prefix("pair ") {
            let (words, flags) = pair.split_once('[')?;
            let words: Vec<&str> = words.split_whitespace().collect();
            let &[left, right, one, other] = &words[..] else { return None };
            let flags: Vec<bool> = flags.trim_end_matches(']').split(", ").map(|flag| flag == "1").collect();
            let &[conflict, necessary, known] = &flags[..] else { return None };
            found.push(Synthesised {
                sites: [SiteId::new(left.parse().ok()?), SiteId::new(right.parse().ok()?)],
                bodies: [one.to_owned(), other.to_owned()],
                conflict,
                texts: known.then(Vec::new),
                necessary,
                constraints: Vec::new(),
            });
        } else {
            let written = line.strip_prefix("when ")?.to_owned();
            let (condition, exprs) = lines.next()?.strip_prefix("is ")?.split_once(' ')?;
            let pair = found.last_mut()?;
            let exprs: Vec<Expr> =
                exprs.split(' ').enumerate().map(|(at, word)| expr(word, at)).collect::<Option<_>>()?;
            let condition = ExprId(condition.parse().ok()?);
            (condition.index() < exprs.len()).then_some(())?;
            pair.texts.as_mut()?.push(written);
            pair.constraints.push(Constraint { left: pair.sites[0], right: pair.sites[1], exprs, condition });
        }
    }
    Some(found)
}

fn token(kind: &ExprKind) -> String {
    match kind {
        ExprKind::Value(value) => format!("v:{value}"),
        ExprKind::Local(local) => format!("l:{}", local.0),
        ExprKind::Global(global) => format!("g:{}", global.0),
        ExprKind::Cell(global, index) => format!("c:{}:{}", global.0, index.0),
        ExprKind::Unary(Unary::Not, operand) => format!("n:{}", operand.0),
        ExprKind::Unary(Unary::Negate, operand) => format!("m:{}", operand.0),
        ExprKind::Binary(operator, left, right) => {
            let number = BINARIES.iter().position(|known| known == operator).unwrap_or(BINARIES.len());
            format!("b:{number}:{}:{}", left.0, right.0)
        }
        ExprKind::Conditional(..) | ExprKind::Choose(..) => "?".to_owned(),
    }
}

/// One expression; its operands come before it.
fn expr(word: &str, at: usize) -> Option<Expr> {
    let parts: Vec<&str> = word.split(':').collect();
    let number = |text: &str| text.parse::<u32>().ok();
    let operand = |text: &str| number(text).filter(|&id| (id as usize) < at).map(ExprId);
    let kind = match parts[..] {
        ["v", value] => ExprKind::Value(value.parse().ok()?),
        ["l", local] => ExprKind::Local(LocalId(number(local)?)),
        ["g", global] => ExprKind::Global(GlobalId(number(global)?)),
        ["c", global, index] => ExprKind::Cell(GlobalId(number(global)?), operand(index)?),
        ["n", inner] => ExprKind::Unary(Unary::Not, operand(inner)?),
        ["m", inner] => ExprKind::Unary(Unary::Negate, operand(inner)?),
        ["b", operator, left, right] => {
            let operator = *BINARIES.get(number(operator)? as usize)?;
            ExprKind::Binary(operator, operand(left)?, operand(right)?)
        }
        _ => return None,
    };
    Some(Expr { kind, ty: Type::Int, span: Span::default() })
}
