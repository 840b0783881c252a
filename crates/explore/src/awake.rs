//! Who is awake at a node, and can step.

use mazurka_machine::Machine;
use mazurka_trace::ProcessId;

use crate::choices::{ChoiceId, Script, Step};
use crate::execution::Leaf;
use crate::order::Order;
use crate::search::Search;
use crate::sleep::Sleep;

impl Sleep {
    /// Picks somebody who is awake at the newest node, where the machine is, and the first step
    /// that is awake.
    #[inline(always)]
    pub(crate) fn pick_awake<M: Machine, O: Order<M>>(&self, search: &mut Search<'_, M, O>) -> Result<Step, Leaf> {
        if self.has_choices() {
            return self.pick_awake_variant(search);
        }
        let sleepers = self.top();
        let (picked, any_enabled) = search.pick(|process| sleepers.iter().all(|sleeper| sleeper.process != process));
        picked.map(|process| (process, Script::First)).ok_or(end(any_enabled))
    }

    /// The same where steps sleep with some of their data choices: preferably somebody who is wide
    /// awake.
    #[cold]
    fn pick_awake_variant<M: Machine, O: Order<M>>(&self, search: &mut Search<'_, M, O>) -> Result<Step, Leaf> {
        if let (Some(process), _) = search.pick(|process| !self.is_drowsy(process)) {
            return Ok((process, Script::First));
        }
        let mut exhausted: Vec<ProcessId> = Vec::new();
        loop {
            let (picked, any_enabled) = search.pick(|process| !exhausted.contains(&process));
            let process = picked.ok_or(end(any_enabled))?;
            match self.first_awake(search, process, Script::First) {
                Some(script) => return Ok((process, script)),
                None => exhausted.push(process),
            }
        }
    }

    /// The first variant of `process`'s step, from `script` on, that is awake at the newest node.
    #[inline]
    pub(crate) fn first_awake<M: Machine, O: Order<M>>(
        &self,
        search: &mut Search<'_, M, O>,
        process: ProcessId,
        script: Script,
    ) -> Option<Script> {
        if self.top().iter().all(|sleeper| sleeper.process != process) {
            return Some(script);
        }
        if self.has_choices() { self.first_awake_variant(search, process, script) } else { None }
    }

    #[cold]
    fn first_awake_variant<M: Machine, O: Order<M>>(
        &self,
        search: &mut Search<'_, M, O>,
        process: ProcessId,
        script: Script,
    ) -> Option<Script> {
        let sleeps = |choice: ChoiceId| self.top().iter().any(|s| s.process == process && s.choice == choice);
        if sleeps(ChoiceId::NONE) {
            return None;
        }
        search.seek(self.depth());
        search.cursor.first_variant(process, script, |choice| !sleeps(choice)).map(Script::Exactly)
    }
}

/// Why nobody can be picked.
fn end(any_enabled: bool) -> Leaf {
    if any_enabled { Leaf::Blocked } else { Leaf::Complete }
}
