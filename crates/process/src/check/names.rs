//! What the names of declarations mean.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use super::Checker;
use crate::hir::{BodyId, GlobalId, MutexId, Span};
use crate::syntax::ast::{BodyKind, Item, Name};
use mazurka_source::{Diagnostic, suggest};

/// What a name that is declared outside of bodies stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Meaning {
    /// A constant: index into the checker's table.
    Constant(usize),
    /// A global variable or array.
    Global(GlobalId),
    /// A mutex or array of mutexes.
    Mutex(MutexId),
    /// A process (`true`) or a proc (`false`).
    Body(BodyId, bool),
}

impl Meaning {
    /// What it is, with its article.
    pub(super) fn describe(self) -> &'static str {
        match self {
            Meaning::Constant(_) => "a constant",
            Meaning::Global(_) => "a global variable",
            Meaning::Mutex(_) => "a mutex",
            Meaning::Body(_, true) => "a process",
            Meaning::Body(_, false) => "a proc",
        }
    }
}

/// The names declared outside of bodies. They share one space: a reader never has to ask which `p`
/// is meant.
#[derive(Default)]
pub(super) struct Names<'s> {
    /// `None` means that it is poisoned.
    meanings: FxHashMap<&'s str, (Option<Meaning>, Span)>,
}

impl<'s> Names<'s> {
    /// What a name means, and where it is declared.
    pub(super) fn get(&self, name: &str) -> Option<(Meaning, Span)> {
        let &(meaning, span) = self.meanings.get(name)?;
        Some((meaning?, span))
    }

    /// Whether a name was reported where it is declared, so that nothing more is to be said about
    /// it.
    pub(super) fn is_poisoned(&self, name: &str) -> bool {
        self.meanings.get(name).is_some_and(|(meaning, _)| meaning.is_none())
    }

    /// The names whose meaning passes a test.
    pub(super) fn those(&self, test: impl Fn(Meaning) -> bool) -> impl Iterator<Item = &'s str> {
        self.meanings.iter().filter(move |(_, (meaning, _))| meaning.is_some_and(&test)).map(|(name, _)| *name)
    }
}

impl<'s> Checker<'_, 's> {
    /// Enters all declared names. The ids count as [`Checker::constants`], [`Checker::variables`]
    /// and [`Checker::signatures`] later do: by the order of the declarations of a kind.
    pub(super) fn collect_names(&mut self) {
        let (mut constants, mut globals, mut mutexes, mut bodies) = (0, 0, 0, 0);
        let mut finally = None;
        for item in &self.file.items {
            match item {
                Item::Const(name, ..) => {
                    self.declare(*name, Meaning::Constant(constants));
                    constants += 1;
                }
                Item::Globals(_, declarators) => {
                    for (id, declarator) in (globals..).zip(declarators) {
                        self.declare(declarator.name, Meaning::Global(GlobalId(id)));
                    }
                    globals += declarators.len() as u32;
                }
                Item::Mutexes(declarators) => {
                    for (id, declarator) in (mutexes..).zip(declarators) {
                        self.declare(declarator.name, Meaning::Mutex(MutexId(id)));
                    }
                    mutexes += declarators.len() as u32;
                }
                Item::Body(body) => {
                    match body.kind {
                        BodyKind::Finally => self.declare_finally(&mut finally, body.name.span),
                        BodyKind::Process | BodyKind::ProcessArray(..) => {
                            self.declare(body.name, Meaning::Body(BodyId(bodies), true));
                        }
                        BodyKind::Proc(_) => self.declare(body.name, Meaning::Body(BodyId(bodies), false)),
                    }
                    bodies += 1;
                }
                Item::Independent(_) => {}
            }
        }
        for name in &self.file.lost {
            self.names.meanings.entry(name).or_insert((None, Span::default()));
        }
    }

    fn declare(&mut self, name: Name<'s>, meaning: Meaning) {
        match self.names.meanings.entry(name.text) {
            Entry::Vacant(entry) => {
                entry.insert((Some(meaning), name.span));
            }
            // Which of them is meant elsewhere nobody knows.
            Entry::Occupied(mut entry) => {
                let first = entry.get().1;
                entry.get_mut().0 = None;
                self.duplicate(name, first);
            }
        }
    }

    fn declare_finally(&mut self, first: &mut Option<Span>, span: Span) {
        if let Some(first) = *first {
            let problem = Diagnostic::new(span, "there is a second `finally`", "expected at most one `finally`");
            self.sink.push(problem.note(first, "the first one is here"));
        }
        first.get_or_insert(span);
    }

    /// Reports a name that is declared a second time.
    pub(super) fn duplicate(&mut self, name: Name<'s>, first: Span) {
        let message = format!("`{}` is declared twice", name.text);
        let problem = Diagnostic::new(name.span, message, "expected a name that is not taken");
        self.sink.push(problem.note(first, "it is first declared here"));
    }

    /// Reports an unknown name, once in a body.
    pub(super) fn unknown(&mut self, name: Name<'s>, expected: &str, wanted: impl Fn(Meaning) -> bool) {
        if self.names.is_poisoned(name.text) || !self.reported.insert(name.text) {
            return;
        }
        let message = format!("unknown name `{}`", name.text);
        let problem = Diagnostic::new(name.span, message, format!("expected {expected}"));
        self.sink.push(problem.maybe_help(self.suggestion(name.text, wanted)));
    }

    /// The hint for a misspelt name. Local variables are candidates where variables are.
    pub(super) fn suggestion(&self, name: &str, wanted: impl Fn(Meaning) -> bool) -> Option<String> {
        if self.sink.is_full() {
            return None;
        }
        let locals = self.locals.visible().filter(|_| wanted(Meaning::Global(GlobalId(0))));
        suggest(name, self.names.those(&wanted).chain(locals))
    }
}
