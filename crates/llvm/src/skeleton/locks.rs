//! The abstract locks of a program: which addresses mean the same lock, what they are called, and
//! what happens when their holder takes them again.

use std::collections::BTreeMap;

use mazurka_waits::{Lock, LockId, Reentry};

use crate::code::instruction::Instruction;
use crate::code::{Image, debug};
use crate::native::Native;

use super::counts::Counts;
use super::flow::successors;
use super::mutation::{self, Mutation};
use super::objects::Object;
use super::solve::Solution;
use super::targets::{NUMBER, ObjectId, Target, Targets};

/// What a native does with a lock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Deed {
    Take {
        is_shared: bool,
    },
    Try {
        is_shared: bool,
    },
    Give,
    Begin,
    End,
    /// Gives it back, waits for a signal (or for time to run out), and takes it.
    Sleep {
        is_timed: bool,
    },
}

/// What a native does with a lock, and which operand that is.
pub(super) fn deed(native: Native) -> Option<(Deed, usize)> {
    use Native as N;
    Some(match native {
        N::MutexLock | N::SpinLock | N::RwLockWrite => (Deed::Take { is_shared: false }, 0),
        N::RwLockRead => (Deed::Take { is_shared: true }, 0),
        N::MutexTryLock | N::MutexTimedLock | N::SpinTryLock | N::RwLockTryWrite | N::RwLockTimedWrite => {
            (Deed::Try { is_shared: false }, 0)
        }
        N::RwLockTryRead | N::RwLockTimedRead => (Deed::Try { is_shared: true }, 0),
        N::MutexUnlock | N::SpinUnlock | N::RwLockUnlock => (Deed::Give, 0),
        N::OnceBegin => (Deed::Begin, 0),
        N::OnceEnd | N::OnceAbort => (Deed::End, 0),
        N::ConditionWait => (Deed::Sleep { is_timed: false }, 1),
        N::ConditionTimedWait | N::ConditionClockWait => (Deed::Sleep { is_timed: true }, 1),
        _ => return None,
    })
}

/// A lock, as addresses that can be the same.
struct Group {
    keys: Vec<Target>,
    /// It is taken as something else than a mutex.
    is_rwlock: bool,
    is_mutex: bool,
}

/// The abstract locks of a program.
pub(super) struct Locks {
    groups: Vec<Group>,
    by_key: BTreeMap<Target, usize>,
    pub(super) descriptions: Vec<Lock>,
}

impl Locks {
    pub(super) fn of(solution: &Solution<'_>, counts: &mut Counts) -> Self {
        let mut locks = Locks { groups: Vec::new(), by_key: BTreeMap::new(), descriptions: Vec::new() };
        let mut keys: BTreeMap<ObjectId, Vec<(Target, Native)>> = BTreeMap::new();
        for (instance, pc, native) in natives(solution) {
            let Some((_, number)) = deed(native) else { continue };
            for target in solution.operand(instance, pc, number).into_iter().flat_map(Targets::iter) {
                if can_be_lock(solution, target) {
                    keys.entry(target.object).or_default().push((target, native));
                }
            }
        }
        for keys in keys.into_values() {
            locks.group(keys);
        }
        let kinds = Kinds::of(solution);
        let describe = |group: &Group| describe(solution, counts, &kinds, group);
        locks.descriptions = locks.groups.iter().map(describe).collect();
        locks
    }

    /// Puts together what can be the same.
    fn group(&mut self, keys: Vec<(Target, Native)>) {
        let first = self.groups.len();
        for (key, native) in keys {
            let is_rwlock = matches!(
                native,
                Native::RwLockRead
                    | Native::RwLockWrite
                    | Native::RwLockTryRead
                    | Native::RwLockTryWrite
                    | Native::RwLockTimedRead
                    | Native::RwLockTimedWrite
                    | Native::RwLockUnlock
            );
            let is_mutex = matches!(
                native,
                Native::MutexLock | Native::MutexTryLock | Native::MutexTimedLock | Native::MutexUnlock
            );
            let mut new = Group { keys: vec![key], is_rwlock, is_mutex };
            let mut at = first;
            while at < self.groups.len() {
                if self.groups[at].keys.iter().any(|known| known.meets(key)) {
                    let old = self.groups.remove(at);
                    new.keys.extend(old.keys.into_iter().filter(|known| *known != key));
                    new.is_rwlock |= old.is_rwlock;
                    new.is_mutex |= old.is_mutex;
                } else {
                    at += 1;
                }
            }
            self.groups.push(new);
        }
        for at in first..self.groups.len() {
            self.by_key.extend(self.groups[at].keys.iter().map(|&key| (key, at)));
        }
    }

    /// Whether nobody who takes a lock can get an error instead.
    pub(super) fn is_plain(&self, lock: LockId) -> bool {
        self.descriptions[lock.index()].again != Reentry::Unknown
    }

    /// The locks that an operand can mean.
    pub(super) fn meant(&self, targets: &Targets) -> Vec<LockId> {
        let mut locks: Vec<LockId> =
            targets.iter().filter_map(|target| self.by_key.get(&target)).map(|&group| LockId(group as u32)).collect();
        locks.sort_unstable();
        locks.dedup();
        if mutation::on(Mutation::FirstTarget) {
            locks.truncate(1);
        }
        locks
    }
}

/// What the machine models, where instances call it.
pub(super) fn natives<'a>(solution: &'a Solution<'_>) -> impl Iterator<Item = (u32, u32, Native)> + 'a {
    let image = solution.image;
    (0..solution.instances.len() as u32).flat_map(move |instance| {
        let function = solution.instances[instance as usize].function;
        let entry = image.functions[function as usize].entry;
        (entry..solution.end(function)).filter_map(move |pc| match image.code[pc as usize] {
            Instruction::Native { native, .. } => Some((instance, pc, native)),
            _ => None,
        })
    })
}

/// Whether there can be a lock at an address: where it is out of bounds, the program fails.
fn can_be_lock(solution: &Solution<'_>, target: Target) -> bool {
    let image = solution.image;
    let size = match solution.objects.object(target.object) {
        Object::Number | Object::Function(_) | Object::Handle { .. } | Object::Oneself => return false,
        Object::Global(global) | Object::Own(global) => Some(i64::from(image.globals[global as usize].size)),
        Object::Stack { .. } | Object::Heap { .. } => None,
    };
    target.stride != 0 || (target.offset >= 0 && size.is_none_or(|size| target.offset < size))
}

fn describe(solution: &Solution<'_>, counts: &mut Counts, kinds: &Kinds, group: &Group) -> Lock {
    let key = group.keys[0];
    let object = solution.objects.object(key.object);
    let is_one = group.keys.len() == 1 && key.stride == 0 && counts.is_one(solution, object);
    let again = match (group.is_rwlock, group.is_mutex) {
        (true, _) => Reentry::Unknown,
        (false, true) => {
            group.keys.iter().map(|&key| kinds.kind(solution, key)).reduce(both).unwrap_or(Reentry::Unknown)
        }
        (false, false) => Reentry::Waits,
    };
    Lock { name: name(solution, group), is_one, again }
}

fn both(one: Reentry, other: Reentry) -> Reentry {
    if one == other { one } else { Reentry::Unknown }
}

/// How a lock is called.
fn name(solution: &Solution<'_>, group: &Group) -> String {
    let image = solution.image;
    let key = group.keys[0];
    let line = |pc: u32| image.sites[image.places[pc as usize] as usize].line;
    let (name, ty, repeats) = match solution.objects.object(key.object) {
        Object::Global(global) => {
            (image.globals[global as usize].name.clone(), image.globals[global as usize].ty, false)
        }
        Object::Own(global) => {
            (format!("{}@thread", image.globals[global as usize].name), image.globals[global as usize].ty, false)
        }
        Object::Stack { local, instance, .. } => {
            let local = &image.locals[local as usize];
            let function = &image.functions[solution.instances[instance as usize].function as usize].name;
            let name = if local.name.is_empty() { "temporary" } else { &local.name };
            (format!("{name} of {function}"), local.ty, false)
        }
        Object::Heap { pc, shape, .. } => {
            let ty = image.shapes.get(shape as usize).and_then(|shape| shape.ty);
            (format!("{}@{}", type_name(image, ty), line(pc)), ty, true)
        }
        _ => ("lock".to_owned(), None, false),
    };
    let offset = u64::try_from(key.offset).unwrap_or(0);
    let leaf = image.leaf(&name, ty, offset, repeats);
    let path = crate::describe::without_reserved(&leaf.path);
    let is_many = group.keys.len() > 1 || key.stride != 0;
    if is_many {
        without_indices(&name, path)
    } else {
        path.replacen("[0].", "->", usize::from(repeats)).replace("[0]", if repeats { "" } else { "[0]" })
    }
}

/// A path in which indices stand for all of them.
fn without_indices(name: &str, path: &str) -> String {
    let rest = path.strip_prefix(name).unwrap_or(path);
    let mut text = name.to_owned();
    let mut inside = false;
    for letter in rest.chars() {
        match letter {
            '[' => {
                inside = true;
                text.push('[');
            }
            ']' => {
                inside = false;
                text.push_str("…]");
            }
            _ if inside => {}
            letter => text.push(letter),
        }
    }
    if text == name { format!("{name}[…]") } else { text }
}

fn type_name(image: &Image, ty: Option<debug::TypeId>) -> String {
    use debug::SourceType as T;
    match image.source_type(ty) {
        Some(T::Scalar { name, .. } | T::Struct { name, .. } | T::Union { name, .. } | T::Other { name, .. })
            if !name.is_empty() =>
        {
            name.clone()
        }
        Some(T::Array { element, .. }) => type_name(image, *element),
        _ => "block".to_owned(),
    }
}

/// Where the kind of a mutex stands, as the machine has it.
const KIND: i64 = 16;

/// Kinds of mutexes, as C has them.
fn reentry(kind: i64) -> Reentry {
    match kind {
        0 | 3 => Reentry::Waits,
        1 => Reentry::Again,
        _ => Reentry::Unknown,
    }
}

/// What is known of the kinds of mutexes.
struct Kinds {
    /// What is initialised, and of which kind.
    initialised: Vec<(Target, Reentry)>,
}

impl Kinds {
    fn of(solution: &Solution<'_>) -> Self {
        let mut initialised = Vec::new();
        for (instance, pc, native) in natives(solution) {
            if native == Native::MutexInit
                && let Some(mutexes) = solution.operand(instance, pc, 0)
            {
                let kind = initial_kind(solution, instance, pc);
                initialised.extend(mutexes.iter().map(|mutex| (mutex, kind)));
            }
        }
        Kinds { initialised }
    }

    fn kind(&self, solution: &Solution<'_>, mutex: Target) -> Reentry {
        let mut kinds = self.initialised.iter().filter(|(known, _)| known.meets(mutex)).map(|known| known.1);
        let Object::Global(global) = solution.objects.object(mutex.object) else {
            return kinds.reduce(both).unwrap_or(Reentry::Unknown);
        };
        let initial = &solution.image.globals[global as usize].initial;
        let byte = |at: i64| usize::try_from(at).ok().and_then(|at| initial.get(at)).copied().unwrap_or(0);
        let is_zero = initial.iter().all(|&byte| byte == 0);
        let known = match mutex.stride {
            0 => {
                let bytes = [0, 1, 2, 3].map(|at| byte(mutex.offset + KIND + at));
                reentry(i64::from(u32::from_le_bytes(bytes)))
            }
            _ if is_zero => Reentry::Waits,
            _ => Reentry::Unknown,
        };
        if kinds.all(|kind| kind == known) { known } else { Reentry::Unknown }
    }
}

/// The kind that a call of `pthread_mutex_init` gives a mutex.
fn initial_kind(solution: &Solution<'_>, instance: u32, pc: u32) -> Reentry {
    let image = solution.image;
    let function = &image.functions[solution.instances[instance as usize].function as usize];
    if function.library && function.name == "mtx_init" {
        let kinds = solution.parameter(instance, 1).numbers().unwrap_or_default();
        return kinds.into_iter().map(|kind| reentry(kind & 1)).reduce(both).unwrap_or(Reentry::Unknown);
    }
    let Some(attributes) = solution.operand(instance, pc, 1) else { return Reentry::Unknown };
    if attributes.iter().all(|target| target == Target::new(NUMBER, 0)) {
        return Reentry::Waits;
    }
    let is_setter = |callee: u32| {
        let function = &image.functions[solution.instances[callee as usize].function as usize];
        function.library && function.name == "pthread_mutexattr_settype"
    };
    let setters = || (0..solution.instances.len() as u32).filter(|&callee| is_setter(callee));
    if setters().next().is_none() {
        return Reentry::Waits;
    }
    let meets = |callee: u32| {
        solution.parameter(callee, 0).iter().any(|target| attributes.iter().any(|known| known.meets(target)))
    };
    let kinds = setters().filter(|&callee| meets(callee)).map(|callee| match solution.parameter(callee, 1).numbers() {
        Some(numbers) => numbers.into_iter().map(reentry).reduce(both).unwrap_or(Reentry::Unknown),
        None => Reentry::Unknown,
    });
    let own: Vec<u32> = (solution.image.functions[solution.instances[instance as usize].function as usize].entry..pc)
        .filter(|&at| {
            solution
                .calls
                .get(&(instance, at))
                .is_some_and(|callees| callees.iter().all(|&callee| is_setter(callee) && meets(callee)))
        })
        .collect();
    let kind = kinds.reduce(both).unwrap_or(Reentry::Unknown);
    if is_avoidable(solution, instance, pc, &own) { both(kind, Reentry::Waits) } else { kind }
}

/// Whether an instruction can be reached within its function without one of others.
fn is_avoidable(solution: &Solution<'_>, instance: u32, pc: u32, others: &[u32]) -> bool {
    let entry = solution.image.functions[solution.instances[instance as usize].function as usize].entry;
    let (mut seen, mut todo) = (std::collections::BTreeSet::new(), vec![entry]);
    while let Some(at) = todo.pop() {
        if at == pc {
            return true;
        }
        if !others.contains(&at) && seen.insert(at) {
            todo.extend(successors(solution.image, at));
        }
    }
    false
}
