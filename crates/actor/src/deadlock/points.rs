//! Sets of abstract values.

use super::world::{ObjectId, TaskId};

/// A value, as far as the analysis tells values apart.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Atom {
    /// No object, no future.
    Null,
    /// Exactly the object whose method runs. Only in variables.
    This,
    Object(ObjectId),
    /// The future of such a task.
    Future(TaskId),
}

/// What a variable, a field or a result can hold: a sorted list.
///
/// What a constructor or a function was given stands for what it comes to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Points(Vec<Atom>);

impl Points {
    pub(super) const NONE: Points = Points(Vec::new());

    pub(super) fn of(atom: Atom) -> Self {
        Points(vec![atom])
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Atom> + '_ {
        self.0.iter().copied()
    }

    pub(super) fn contains(&self, atom: Atom) -> bool {
        self.0.binary_search(&atom).is_ok()
    }

    pub(super) fn insert(&mut self, atom: Atom) -> bool {
        match self.0.binary_search(&atom) {
            Ok(_) => false,
            Err(at) => {
                self.0.insert(at, atom);
                true
            }
        }
    }

    /// Takes in the others. Tells whether that changed anything.
    pub(super) fn join(&mut self, others: &Points) -> bool {
        let mut changed = false;
        for &atom in &others.0 {
            changed |= self.insert(atom);
        }
        changed
    }

    /// Only this one.
    pub(super) fn is_only(&self, atom: Atom) -> bool {
        self.0 == [atom]
    }

    /// The tasks whose futures are among them.
    pub(super) fn futures(&self) -> impl Iterator<Item = TaskId> + '_ {
        self.iter().filter_map(|atom| match atom {
            Atom::Future(task) => Some(task),
            Atom::Null | Atom::This | Atom::Object(_) => None,
        })
    }

    /// The same for whoever is not `this` object.
    pub(super) fn resolved(&self, this: ObjectId) -> Points {
        let mut points = Points::default();
        for atom in self.iter() {
            points.insert(if atom == Atom::This { Atom::Object(this) } else { atom });
        }
        points
    }
}
