//! The local variables of a body, and which of them are visible.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Checker;
use super::names::Meaning;
use crate::hir::{Local, LocalId, Type};
use crate::syntax::ast::Name;
use mazurka_source::Diagnostic;

/// What [`Checker::declare_local`] declares.
pub(super) const VARIABLE: &str = "a local variable";
/// What [`Checker::declare_local`] declares.
pub(super) const PARAMETER: &str = "a parameter";

/// The local variables of a body. An inner block may declare a name of an outer one again, which
/// hides it there.
#[derive(Default)]
pub(super) struct Locals<'s> {
    /// All that were declared, visible or not.
    declared: Vec<Local>,
    /// Those about which something was reported where they are declared: nothing more is said about
    /// them.
    poisoned: FxHashSet<LocalId>,
    /// The visible meanings of each name, the innermost last, each with the depth of its block.
    meanings: FxHashMap<&'s str, Vec<(LocalId, usize)>>,
    /// The names declared in each open block.
    blocks: Vec<Vec<&'s str>>,
}

impl<'s> Locals<'s> {
    /// Begins a body.
    pub(super) fn reset(&mut self) {
        *self = Locals::default();
        self.open();
    }

    /// Ends a body: its locals.
    pub(super) fn take(&mut self) -> Vec<Local> {
        std::mem::take(self).declared
    }

    /// Begins a block.
    pub(super) fn open(&mut self) {
        self.blocks.push(Vec::new());
    }

    /// Ends a block.
    pub(super) fn close(&mut self) {
        for name in self.blocks.pop().unwrap_or_default() {
            if let Some(meanings) = self.meanings.get_mut(name) {
                meanings.pop();
            }
        }
    }

    /// The innermost visible meaning of a name.
    pub(super) fn get(&self, name: &str) -> Option<LocalId> {
        self.meanings.get(name)?.last().map(|&(id, _)| id)
    }

    /// The type of a local; `None` if it is poisoned.
    pub(super) fn ty(&self, id: LocalId) -> Option<Type> {
        (!self.poisoned.contains(&id)).then(|| self.declared[id.index()].ty)
    }

    /// Poisons a local.
    pub(super) fn poison(&mut self, id: LocalId) {
        self.poisoned.insert(id);
    }

    /// The visible names.
    pub(super) fn visible(&self) -> impl Iterator<Item = &'s str> {
        self.meanings.iter().filter(|(_, meanings)| !meanings.is_empty()).map(|(name, _)| *name)
    }

    /// Declares a local in the innermost block.
    fn declare(&mut self, name: Name<'s>, ty: Type) -> LocalId {
        let id = LocalId(self.declared.len() as u32);
        self.declared.push(Local { name: name.text.to_string(), ty, span: name.span });
        self.meanings.entry(name.text).or_default().push((id, self.blocks.len()));
        if let Some(block) = self.blocks.last_mut() {
            block.push(name.text);
        }
        id
    }

    /// The local that the innermost block declares by a name, if it does.
    fn in_this_block(&self, name: &str) -> Option<LocalId> {
        let &(id, depth) = self.meanings.get(name)?.last()?;
        (depth == self.blocks.len()).then_some(id)
    }
}

impl<'s> Checker<'_, 's> {
    /// Declares a local variable or a parameter. Whatever is wrong with its name, it is declared,
    /// so that its uses are not reported.
    pub(super) fn declare_local(&mut self, name: Name<'s>, ty: Type, what: &str) -> LocalId {
        let first = self.locals.in_this_block(name.text);
        let global = self.names.get(name.text).filter(|(meaning, _)| !matches!(meaning, Meaning::Body(..)));
        let local = self.locals.declare(name, ty);
        if let Some(first) = first {
            self.duplicate(name, self.locals.declared[first.index()].span);
            // Which of the two is meant elsewhere nobody knows.
            self.locals.poison(local);
        } else if let Some((meaning, first)) = global {
            let message = format!("`{}` is already {}", name.text, meaning.describe());
            let problem = Diagnostic::new(name.span, message, "expected a name that is not taken");
            let help = match meaning {
                // Most often the global is meant, and the type in front of its name is too much.
                Meaning::Global(_) if what == VARIABLE => {
                    "to assign to it, leave the type out; a local variable needs a name of its own".to_string()
                }
                Meaning::Global(_) | Meaning::Constant(_) | Meaning::Mutex(_) | Meaning::Body(..) => {
                    format!("{what} needs a name of its own")
                }
            };
            self.sink.push(problem.help(help).note(first, "it is declared here"));
            self.locals.poison(local);
        }
        local
    }
}
