//! The local variables of a body, and which of them are visible.

use rustc_hash::FxHashMap;

use super::Checker;
use crate::diagnostic::Diagnostic;
use crate::hir::{Local, LocalId, Span, Type};
use crate::syntax::ast::Name;

/// The local variables of a body. An inner block may declare a name of an outer one again, which hides it there.
#[derive(Default)]
pub(super) struct Locals<'s> {
    /// All that were declared, visible or not.
    declared: Vec<Local>,
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

    /// A local.
    pub(super) fn local(&self, id: LocalId) -> &Local {
        &self.declared[id.index()]
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

    /// Where the innermost block declares a name, if it does.
    fn in_this_block(&self, name: &str) -> Option<Span> {
        let &(id, depth) = self.meanings.get(name)?.last()?;
        (depth == self.blocks.len()).then(|| self.local(id).span)
    }
}

impl<'s> Checker<'_, 's> {
    /// Declares a local. Whatever is wrong with its name, it is declared, so that its uses are not reported.
    pub(super) fn declare_local(&mut self, name: Name<'s>, ty: Type) -> LocalId {
        use super::names::Meaning;
        if let Some(first) = self.locals.in_this_block(name.text) {
            self.duplicate(name, first);
        } else if let Some((meaning, first)) = self.names.get(name.text)
            && !matches!(meaning, Meaning::Body(..))
        {
            // Most often the global was meant, and the type in front of its name is too much.
            let message = format!("`{}` is already {}", name.text, meaning.describe());
            let problem = Diagnostic::new(name.span, message, "expected a name that is not taken");
            let help = match meaning {
                Meaning::Global(_) => format!("to assign to it, write `{} = …`; a local needs another name", name.text),
                Meaning::Constant(_) | Meaning::Mutex(_) | Meaning::Body(..) => {
                    "a local needs another name".to_string()
                }
            };
            self.sink.push(problem.help(help).note(first, "it is declared here"));
        }
        self.locals.declare(name, ty)
    }
}
