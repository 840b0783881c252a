//! What was found about two steps as text, to be kept under a key that says what the steps are.
//!
//! The key is made of the code of both steps, with the variables that they use and the locals of
//! their processes; where they stand in which program does not matter, nor what else is there. So
//! what was found about two steps is known wherever they occur again.

use std::fmt::Write;

use mazurka_smt::synthesis::known::key;
use mazurka_trace::SiteId;

use crate::code::{Cells, Image, Instruction};
use crate::hir::{Binary, Expr, ExprId, ExprKind, GlobalId, Independence, LocalId, Program, Span, Type, Unary};
use crate::symbolic::Place;

use super::{Constraint, Synthesised};

/// The first line, and the beginning of each key: what is written or found out otherwise is not
/// read. To be changed whenever something else is found out.
const HEAD: &str = "mazurka constraints 3";

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

/// Two steps, as far as it matters to what is found about them.
pub(super) struct Steps<'a> {
    image: &'a Image,
    text: String,
    /// The variables, arrays and mutexes that they use, as they are met, and where their first
    /// cells would be if there were no others.
    used: Vec<(usize, u32)>,
    /// Which of them each step uses and changes.
    uses: [Uses; 2],
    /// Those that the instruction uses which is being written.
    met: Vec<usize>,
}

/// What one step uses: variables, arrays and mutexes.
#[derive(Default)]
struct Uses {
    used: Vec<usize>,
    changed: Vec<usize>,
}

impl<'a> Steps<'a> {
    /// The steps from two places, each of this body.
    pub(super) fn new(image: &'a Image, steps: [(usize, Place); 2]) -> Steps<'a> {
        let mut both =
            Steps { image, text: String::from(HEAD), used: Vec::new(), uses: Default::default(), met: Vec::new() };
        let _ = write!(both.text, "\n{}", steps[0].0 == steps[1].0);
        for (side, (body, place)) in steps.into_iter().enumerate() {
            let body = &image.bodies[body];
            let _ = write!(both.text, "\nstep {:?} {:?} {:?}", body.kind, body.locals, body.types);
            both.uses[side] = both.add_step(place.index());
        }
        for at in 0..both.used.len() {
            let object = &image.objects[both.used[at].0];
            let _ = write!(both.text, "\n{} {:?} {:?}", object.name, object.kind, object.length);
        }
        both
    }

    /// Whether one of them may change what the other one uses.
    pub(super) fn conflict(&self) -> bool {
        let [left, right] = &self.uses;
        let meet = |one: &Uses, other: &Uses| one.changed.iter().any(|object| other.used.contains(object));
        meet(left, right) || meet(right, left)
    }

    /// What to keep under what is found about them.
    pub(super) fn key(&self) -> String {
        key(&self.text)
    }

    /// What to keep under that a declared constraint is right for them.
    pub(super) fn key_of_proof(&self, program: &Program, declared: &Independence) -> String {
        let mut text = format!("{}\ndeclared {}", self.text, declared.left.parameters.len());
        let mut todo = vec![declared.condition];
        while let Some(id) = todo.pop() {
            let Expr { kind, ty, .. } = &program.exprs[id.index()];
            // An expression by its operator; its operands follow.
            let _ = match kind {
                ExprKind::Value(value) => write!(text, "\n{value} {ty:?}"),
                ExprKind::Local(local) => write!(text, "\nlocal {}", local.0),
                ExprKind::Global(global) | ExprKind::Cell(global, _) => {
                    let global = &program.globals[global.index()];
                    write!(text, "\nglobal {} {:?} {:?}", global.name, global.ty, global.length)
                }
                ExprKind::Unary(operator, _) => write!(text, "\n{operator:?}"),
                ExprKind::Binary(operator, ..) => write!(text, "\n{operator:?}"),
                ExprKind::Conditional(..) => write!(text, "\n?"),
                ExprKind::Choose(..) => write!(text, "\nchoose"),
            };
            match *kind {
                ExprKind::Value(_) | ExprKind::Local(_) | ExprKind::Global(_) => {}
                ExprKind::Cell(_, operand) | ExprKind::Unary(_, operand) => todo.push(operand),
                ExprKind::Binary(_, left, right) | ExprKind::Choose(left, right) => todo.extend([right, left]),
                ExprKind::Conditional(when, yes, no) => todo.extend([no, yes, when]),
            }
        }
        key(&text)
    }

    /// The code from a place to the next ones; tells what it uses.
    fn add_step(&mut self, place: usize) -> Uses {
        let code = &self.image.code;
        let (mut seen, mut todo) = (vec![place], vec![place + 1]);
        while let Some(pc) = todo.pop() {
            if seen.contains(&pc) {
                continue;
            }
            seen.push(pc);
            match code[pc] {
                Instruction::Stop(_) | Instruction::End { .. } | Instruction::Nowhere => {}
                Instruction::Jump(to) | Instruction::Loop(to) => todo.push(to as usize),
                Instruction::JumpIfFalse(to) | Instruction::JumpIfTrue(to) => todo.extend([to as usize, pc + 1]),
                _ => todo.push(pc + 1),
            }
        }
        seen.sort_unstable();
        let mut uses = Uses::default();
        for pc in seen {
            self.met.clear();
            let instruction = self.written(code[pc], place);
            let _ = write!(self.text, "\n{} {instruction}", pc as i64 - place as i64);
            uses.used.extend(&self.met);
            if code[pc].variables_changed().is_some() || code[pc].uses_mutex() {
                uses.changed.extend(&self.met);
            }
        }
        uses
    }

    /// An instruction without where it stands.
    fn written(&mut self, instruction: Instruction, place: usize) -> String {
        let from_here = |to: u32| i64::from(to) - place as i64;
        let here = match instruction {
            Instruction::Stop(stop) => return format!("Stop {:?} {}", stop.guard, stop.is_local),
            Instruction::End { locks } => {
                for at in 0..self.image.objects.len() {
                    // Which mutexes are kept at the end depends on all of them.
                    if locks && self.image.objects[at].first >= self.image.mutexes {
                        self.cell(self.image.objects[at].first as u32);
                    }
                }
                return format!("End {locks}");
            }
            Instruction::Jump(to) => return format!("Jump {}", from_here(to)),
            Instruction::Loop(to) => return format!("Loop {}", from_here(to)),
            Instruction::JumpIfFalse(to) => return format!("JumpIfFalse {}", from_here(to)),
            Instruction::JumpIfTrue(to) => return format!("JumpIfTrue {}", from_here(to)),
            Instruction::Spawn { body } => {
                let body = &self.image.bodies[body as usize];
                return format!("Spawn {} {}", body.name, body.parameters);
            }
            Instruction::Global(slot) => Instruction::Global(self.cell(slot)),
            Instruction::GlobalBinaryConstant(operator, slot, value) => {
                Instruction::GlobalBinaryConstant(operator, self.cell(slot), value)
            }
            Instruction::BinaryGlobal(operator, slot) => Instruction::BinaryGlobal(operator, self.cell(slot)),
            Instruction::SetGlobal(slot) => Instruction::SetGlobal(self.cell(slot)),
            Instruction::ConstantToGlobal(slot, value) => Instruction::ConstantToGlobal(self.cell(slot), value),
            Instruction::AddToGlobal(slot, value) => Instruction::AddToGlobal(self.cell(slot), value),
            Instruction::LocalToGlobal { global, local } => {
                Instruction::LocalToGlobal { global: self.cell(global), local }
            }
            Instruction::GlobalToLocal { local, global } => {
                Instruction::GlobalToLocal { local, global: self.cell(global) }
            }
            Instruction::Lock(slot) => Instruction::Lock(self.cell(slot)),
            Instruction::Unlock(slot) => Instruction::Unlock(self.cell(slot)),
            Instruction::Cell(cells) => Instruction::Cell(self.cells(cells)),
            Instruction::CellLocal(cells, local) => Instruction::CellLocal(self.cells(cells), local),
            Instruction::SetCell(cells) => Instruction::SetCell(self.cells(cells)),
            Instruction::SetCellLocal(cells, local) => Instruction::SetCellLocal(self.cells(cells), local),
            Instruction::LockCell(cells) => Instruction::LockCell(self.cells(cells)),
            Instruction::UnlockCell(cells) => Instruction::UnlockCell(self.cells(cells)),
            Instruction::Nowhere
            | Instruction::Constant(_)
            | Instruction::Local(_)
            | Instruction::Push
            | Instruction::Binary(_)
            | Instruction::BinaryConstant(..)
            | Instruction::LocalBinaryConstant(..)
            | Instruction::BinaryLocal(..)
            | Instruction::Negate
            | Instruction::Not
            | Instruction::Choose
            | Instruction::SetLocal(_)
            | Instruction::ConstantToLocal(..)
            | Instruction::Await
            | Instruction::Assume
            | Instruction::Assert => instruction,
        };
        format!("{here:?}")
    }

    fn cells(&mut self, cells: Cells) -> Cells {
        Cells { first: self.cell(cells.first), ..cells }
    }

    /// Where a cell would be if there were nothing but what is used.
    fn cell(&mut self, slot: u32) -> u32 {
        let objects = &self.image.objects;
        let at = objects.partition_point(|object| object.first <= slot as usize) - 1;
        let length = |at: usize| objects[at].length.unwrap_or(1) as u32;
        self.met.push(at);
        let first = match self.used.iter().find(|(known, _)| *known == at) {
            Some(&(_, first)) => first,
            None => {
                let first = self.used.last().map_or(0, |&(last, first)| first + length(last));
                self.used.push((at, first));
                first
            }
        };
        first + slot - objects[at].first as u32
    }

    /// Writes what was found. Nothing where it speaks of something that the steps do not use.
    pub(super) fn write(&self, pair: &Synthesised) -> Option<String> {
        let flags = [pair.conflict, pair.necessary, pair.texts.is_some()].map(u8::from);
        let mut text = format!("{HEAD}\n{flags:?}\n");
        for (constraint, written) in pair.constraints.iter().zip(pair.texts.iter().flatten()) {
            let exprs: Option<Vec<String>> = constraint.exprs.iter().map(|expr| self.token(&expr.kind)).collect();
            let word = if constraint.wild { "wild" } else { "when" };
            let _ = writeln!(text, "{word} {written}\nis {} {}", constraint.condition.index(), exprs?.join(" "));
        }
        let sum = key(&text);
        Some(text + &sum)
    }

    /// Reads what was written into `pair`, about which nothing is known; nothing where it is
    /// something else.
    pub(super) fn read(&self, text: &str, mut pair: Synthesised) -> Option<Synthesised> {
        // What was cut short or changed by accident is not read.
        let (text, sum) = text.rsplit_once('\n')?;
        (key(&format!("{text}\n")) == sum).then_some(())?;
        let mut lines = text.lines();
        (lines.next()? == HEAD).then_some(())?;
        let flags = lines.next()?.strip_prefix('[')?.strip_suffix(']')?;
        let flags: Vec<bool> = flags.split(", ").map(|flag| flag == "1").collect();
        let &[conflict, necessary, known] = &flags[..] else { return None };
        pair = Synthesised { conflict, necessary, texts: known.then(Vec::new), ..pair };
        while let Some(line) = lines.next() {
            let (word, written) = line.split_once(' ')?;
            (word == "when" || word == "wild").then_some(())?;
            let (wild, written) = (word == "wild", written.to_owned());
            let (condition, exprs) = lines.next()?.strip_prefix("is ")?.split_once(' ')?;
            let exprs = exprs.split(' ').enumerate().map(|(at, word)| self.expr(word, at));
            let exprs: Vec<Expr> = exprs.collect::<Option<_>>()?;
            let condition = ExprId(condition.parse().ok()?);
            (condition.index() < exprs.len()).then_some(())?;
            let [left, right] = pair.sites;
            pair.texts.as_mut()?.push(written);
            pair.constraints.push(Constraint { left, right, exprs, condition, wild });
        }
        Some(pair)
    }

    fn global(&self, global: GlobalId) -> Option<usize> {
        self.used.iter().position(|(object, _)| *object == global.index())
    }

    fn token(&self, kind: &ExprKind) -> Option<String> {
        Some(match kind {
            ExprKind::Value(value) => format!("v:{value}"),
            ExprKind::Local(local) => format!("l:{}", local.0),
            ExprKind::Global(global) => format!("g:{}", self.global(*global)?),
            ExprKind::Cell(global, index) => format!("c:{}:{}", self.global(*global)?, index.0),
            ExprKind::Unary(Unary::Not, operand) => format!("n:{}", operand.0),
            ExprKind::Unary(Unary::Negate, operand) => format!("m:{}", operand.0),
            ExprKind::Binary(operator, left, right) => {
                let number = BINARIES.iter().position(|known| known == operator)?;
                format!("b:{number}:{}:{}", left.0, right.0)
            }
            ExprKind::Conditional(..) | ExprKind::Choose(..) => return None,
        })
    }

    /// One expression; its operands come before it.
    fn expr(&self, word: &str, at: usize) -> Option<Expr> {
        let parts: Vec<&str> = word.split(':').collect();
        let number = |text: &str| text.parse::<u32>().ok();
        let operand = |text: &str| number(text).filter(|&id| (id as usize) < at).map(ExprId);
        let global = |text: &str| {
            let &(object, _) = self.used.get(number(text)? as usize)?;
            Some(GlobalId(object as u32))
        };
        let kind = match parts[..] {
            ["v", value] => ExprKind::Value(value.parse().ok()?),
            ["l", local] => ExprKind::Local(LocalId(number(local)?)),
            ["g", name] => ExprKind::Global(global(name)?),
            ["c", name, index] => ExprKind::Cell(global(name)?, operand(index)?),
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
}

/// A pair of steps about which nothing is known.
pub(super) fn unknown(sites: [SiteId; 2], bodies: [String; 2]) -> Synthesised {
    Synthesised { sites, bodies, conflict: true, texts: None, necessary: false, constraints: Vec::new() }
}
