//! Which locals live in registers, and other facts about a function that one look at all its
//! instructions shows.
//!
//! An `alloca` is promoted where all that is done with its address is to load and store scalars at
//! fixed offsets, the same ones everywhere. Such a local is private to its thread; volatile and
//! atomic accesses to it are like others.

use rustc_hash::FxHashMap;

use crate::ir::{
    BinaryOperator, CallTarget, CastOperator, Function, InstructionKind, LocalId, Module, Operand, TypeId,
};

use super::Lowering;
use super::constant::GepWalk;
use super::draft::Temp;
use super::scalar::Scalar;

/// A local of more bytes than this stays in memory.
const MOST_BYTES: u64 = 256;

/// What is known of a function's locals.
#[derive(Clone, Debug, Default)]
pub(super) struct Promotion {
    /// For each local that is an address within a promoted `alloca`: which, and the offset.
    pub(super) roots: Vec<Option<(LocalId, u64)>>,
    /// The registers of promoted `alloca`s: offset and scalar. Registers are given out when they
    /// are first used.
    pub(super) leaves: FxHashMap<LocalId, Vec<Leaf>>,
    /// How often each local is used as an operand.
    pub(super) uses: Vec<u32>,
    /// The results of `ptrtoint` that arithmetic may hide.
    pub(super) exposed: Vec<bool>,
}

/// A scalar of a promoted `alloca`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaf {
    /// Where it lies.
    pub(super) offset: u64,
    /// What it is.
    pub(super) scalar: Scalar,
    /// Its register.
    pub(super) temp: Option<Temp>,
}

/// Looks at a function.
pub(super) fn promote(lowering: &mut Lowering<'_>, at: usize, function: &Function) -> Promotion {
    let module = &lowering.program.modules[at];
    let count = function.locals.len();
    let mut scan = Scan {
        lowering,
        at,
        module,
        function,
        promotion: Promotion {
            roots: vec![None; count],
            leaves: FxHashMap::default(),
            uses: vec![0; count],
            exposed: vec![false; count],
        },
        hidden: vec![false; count],
    };
    scan.find_roots();
    scan.check_uses();
    scan.find_exposed();
    scan.promotion
}

struct Scan<'l, 'a, 'f> {
    lowering: &'l mut Lowering<'a>,
    at: usize,
    module: &'a Module,
    function: &'f Function,
    promotion: Promotion,
    /// `alloca`s and locals that hold an address as an integer.
    hidden: Vec<bool>,
}

impl Scan<'_, '_, '_> {
    /// The `alloca`s that are small enough, and the addresses at fixed offsets from them.
    fn find_roots(&mut self) {
        let function = self.function;
        for block in super::order::of_blocks(function) {
            for instruction in &function.blocks[block.index()].instructions {
                let Some(result) = instruction.result else { continue };
                let root = match &instruction.kind {
                    InstructionKind::Alloca { ty, count, in_alloca: false, .. } => {
                        if self.is_small(*ty, *count) {
                            self.promotion.leaves.insert(result, Vec::new());
                            Some((result, 0))
                        } else {
                            None
                        }
                    }
                    InstructionKind::GetElementPtr { source, base, indices, .. } => {
                        self.root(*base).and_then(|(root, offset)| {
                            Some((root, offset.wrapping_add(self.fixed_offset(*source, indices)?)))
                        })
                    }
                    InstructionKind::Cast { operator: CastOperator::BitCast, operand, .. } => self.root(*operand),
                    _ => None,
                };
                self.promotion.roots[result.index()] = root;
            }
        }
    }

    fn root(&self, operand: Operand) -> Option<(LocalId, u64)> {
        match operand {
            Operand::Local(local) => self.promotion.roots[local.index()],
            _ => None,
        }
    }

    fn is_small(&mut self, ty: TypeId, count: Operand) -> bool {
        let Operand::Constant(count) = count else { return false };
        self.lowering.number(self.at, count) == Some(1)
            && self.module.types.size(ty).is_some_and(|bytes| bytes <= MOST_BYTES)
    }

    fn fixed_offset(&mut self, source: TypeId, indices: &[Operand]) -> Option<u64> {
        let mut walk = GepWalk::new(source);
        let mut offset = 0u64;
        for index in indices {
            let Operand::Constant(index) = index else { return None };
            let index = self.lowering.number(self.at, *index)?;
            offset = offset.wrapping_add(walk.step(self.module, index as i64).ok()?);
        }
        Some(offset)
    }

    /// Counts uses, and drops the `alloca`s that are used in other ways.
    fn check_uses(&mut self) {
        for block in &self.function.blocks {
            for instruction in &block.instructions {
                match &instruction.kind {
                    InstructionKind::Load { pointer, .. } => {
                        self.access(*pointer, instruction.ty);
                        self.count(*pointer);
                    }
                    InstructionKind::Store { value, pointer, .. } => {
                        self.access(*pointer, self.module.type_of(self.function, *value));
                        self.count(*pointer);
                        self.lose(*value);
                        self.count(*value);
                    }
                    // An address within the same local: its own uses count.
                    InstructionKind::GetElementPtr { .. } | InstructionKind::Cast { .. }
                        if instruction.result.is_some_and(|result| self.promotion.roots[result.index()].is_some()) =>
                    {
                        instruction.kind.operands(&mut |operand| self.count(operand));
                    }
                    InstructionKind::Call(call)
                        if self.is_lifetime(call.target) || self.lowering.idle_call(self.at, call).is_some() =>
                    {
                        instruction.kind.operands(&mut |operand| self.count(operand));
                    }
                    kind => kind.operands(&mut |operand| {
                        self.lose(operand);
                        self.count(operand);
                    }),
                }
            }
        }
    }

    fn is_lifetime(&self, target: CallTarget) -> bool {
        let CallTarget::Function(function) = target else { return false };
        self.module.functions[function.index()].name.starts_with("llvm.lifetime.")
    }

    fn count(&mut self, operand: Operand) {
        if let Operand::Local(local) = operand {
            self.promotion.uses[local.index()] += 1;
        }
    }

    /// The address goes somewhere where nobody knows what is done with it.
    fn lose(&mut self, operand: Operand) {
        if let Some((root, _)) = self.root(operand) {
            self.promotion.leaves.remove(&root);
        }
    }

    /// A load or store of a type.
    fn access(&mut self, pointer: Operand, ty: TypeId) {
        let Some((root, offset)) = self.root(pointer) else { return };
        let parts = self.lowering.parts(self.at, ty);
        let Some(leaves) = self.promotion.leaves.get_mut(&root) else { return };
        let fits = parts.is_ok_and(|parts| {
            parts.iter().all(|part| {
                part.scalar.width().is_some() && add_leaf(leaves, offset.wrapping_add(part.offset), part.scalar)
            })
        });
        if !fits {
            self.promotion.leaves.remove(&root);
        }
    }

    /// Addresses as integers are followed through arithmetic that keeps the upper half, and through
    /// promoted locals; where they get into other arithmetic, others could learn the address
    /// without our noticing.
    fn find_exposed(&mut self) {
        let mut sources = Vec::new();
        let mut escapes = false;
        // Twice, for what goes through locals and loops; a third time could find more only in code
        // that nobody writes.
        for _ in 0..2 {
            for instruction in self.function.blocks.iter().flat_map(|block| &block.instructions) {
                let hidden = |operand: &Operand| match operand {
                    Operand::Local(local) => self.hidden[local.index()],
                    _ => false,
                };
                let carries = match &instruction.kind {
                    InstructionKind::Cast { operator: CastOperator::PtrToInt | CastOperator::PtrToAddr, .. } => {
                        sources.extend(instruction.result);
                        true
                    }
                    InstructionKind::Cast { operand, .. } | InstructionKind::Freeze(operand) => hidden(operand),
                    InstructionKind::Binary { operator, left, right, .. } => match operator {
                        BinaryOperator::Add | BinaryOperator::And | BinaryOperator::Or => hidden(left) || hidden(right),
                        BinaryOperator::Sub => hidden(left) != hidden(right),
                        BinaryOperator::Xor
                        | BinaryOperator::Shl
                        | BinaryOperator::LShr
                        | BinaryOperator::AShr
                        | BinaryOperator::Mul
                        | BinaryOperator::UDiv
                        | BinaryOperator::SDiv => {
                            escapes |= hidden(left) || hidden(right);
                            false
                        }
                        _ => false,
                    },
                    // What the function that is called does with it is not followed.
                    InstructionKind::Call(call) => {
                        escapes |= call.arguments.iter().any(hidden);
                        false
                    }
                    InstructionKind::Phi(_, incoming) => incoming.iter().any(|(operand, _)| hidden(operand)),
                    InstructionKind::Select { yes, no, .. } => hidden(yes) || hidden(no),
                    InstructionKind::Load { pointer, .. } => {
                        self.root(*pointer).is_some_and(|(root, _)| self.hidden[root.index()])
                    }
                    InstructionKind::Store { value, pointer, .. } => {
                        if hidden(value)
                            && let Some((root, _)) = self.root(*pointer)
                        {
                            self.hidden[root.index()] = true;
                        }
                        false
                    }
                    _ => false,
                };
                if let Some(result) = instruction.result
                    && carries
                {
                    self.hidden[result.index()] = true;
                }
            }
        }
        if escapes {
            sources.into_iter().for_each(|source| self.promotion.exposed[source.index()] = true);
        }
    }
}

/// Adds a scalar to those of a local; false where it overlaps another one, or lies outside.
fn add_leaf(leaves: &mut Vec<Leaf>, offset: u64, scalar: Scalar) -> bool {
    if offset > MOST_BYTES {
        return false;
    }
    for leaf in &*leaves {
        let overlaps = offset < leaf.offset + leaf.scalar.bytes() && leaf.offset < offset + scalar.bytes();
        if overlaps {
            return leaf.offset == offset && leaf.scalar.bits() == scalar.bits();
        }
    }
    leaves.push(Leaf { offset, scalar, temp: None });
    true
}
