//! Which cycles can happen, and why the others cannot.
//!
//! A deadlock has all its waits at the same time, by different tasks. So a cycle is infeasible if
//! two of its points cannot coincide. A task that hangs in front of its location may do so at its
//! beginning or at any of its awaits: one choice for each such edge has to suit all others.

use super::calls::{Made, Site, Status, Summary};
use super::flow::Flow;
use super::graph::Edge;
use super::names::Names;
use super::parallel::{Parallel, Rest};
use super::single::{Single, pc_of};
use super::world::TaskId;
use crate::code::Pc;
use crate::machine::Wait;

/// Decides whether cycles can happen.
pub(super) struct Judge<'a, 'i> {
    pub(super) flow: &'a Flow<'i>,
    pub(super) summaries: &'a [Summary],
    pub(super) parallel: &'a Parallel,
    pub(super) single: &'a Single,
    pub(super) names: &'a Names,
}

impl Judge<'_, '_> {
    /// Why a cycle cannot happen, if it cannot.
    pub(super) fn discharge(&self, cycle: &[&Edge]) -> Option<String> {
        for (number, one) in cycle.iter().enumerate() {
            for other in &cycle[..number] {
                if !self.can_be_together(other, one) {
                    return Some(self.reason(other, one));
                }
            }
        }
        if self.has_choice(cycle) {
            return None;
        }
        Some("its waits can happen together two by two, but not all at the same time".to_owned())
    }

    /// Whether some points of two edges can coincide.
    fn can_be_together(&self, one: &Edge, other: &Edge) -> bool {
        one.points.iter().any(|&p| other.points.iter().any(|&q| self.fits(one, p, other, q)))
    }

    fn fits(&self, one: &Edge, p: Rest, other: &Edge, q: Rest) -> bool {
        !self.blocks_twice(one, other) && self.parallel.may_coincide(p, q)
    }

    /// Both block a location, and it is the same one.
    fn blocks_twice(&self, one: &Edge, other: &Edge) -> bool {
        let location = self.flow.world.location_of(one.task);
        one.wait == Wait::Get
            && other.wait == Wait::Get
            && self.flow.world.location_of(other.task) == location
            && self.single.is_location(location)
    }

    /// Whether points of all edges can be chosen that fit each other.
    fn has_choice(&self, cycle: &[&Edge]) -> bool {
        // The number of the point that is tried for each edge so far.
        let mut chosen: Vec<usize> = vec![0];
        while let Some(&last) = chosen.last() {
            let at = chosen.len() - 1;
            if last == cycle[at].points.len() {
                chosen.pop();
                if let Some(before) = chosen.last_mut() {
                    *before += 1;
                }
                continue;
            }
            let point = |edge: usize| cycle[edge].points[chosen[edge]];
            if (0..at).all(|edge| self.fits(cycle[edge], point(edge), cycle[at], point(at))) {
                if chosen.len() == cycle.len() {
                    return true;
                }
                chosen.push(0);
            } else {
                chosen[at] += 1;
            }
        }
        false
    }

    /// Why two waits cannot happen at the same time.
    fn reason(&self, one: &Edge, other: &Edge) -> String {
        if self.blocks_twice(one, other) {
            let location = self.names.location(self.flow.world.location_of(one.task));
            return format!("only one task at a time can block {location}");
        }
        if one.task == other.task && self.single.is_task(one.task) {
            return format!("there is only one {}", self.names.task(one.task));
        }
        let direct = self.called(one, other.task).or_else(|| self.called(other, one.task));
        direct.or_else(|| self.called_by_one(one.task, other.task)).unwrap_or_else(|| {
            let (p, q) = (self.at(one), self.at(other));
            format!("no task can be {p} while another is {q}")
        })
    }

    fn at(&self, edge: &Edge) -> String {
        let line = self.names.line(edge.points[0].pc);
        match edge.wait {
            Wait::Lock => format!("about to run {}", self.names.task(edge.task)),
            Wait::Get | Wait::Await => format!("at {line} in {}", self.names.task(edge.task)),
        }
    }

    /// What has become of a task that the other one calls, where that stands.
    fn called(&self, caller: &Edge, task: TaskId) -> Option<String> {
        let [Rest { method, pc }] = caller.points[..] else { return None };
        let mut sites = self.flow.calls.range((method, 0)..=(method, Pc::MAX)).filter(|(_, made)| made.contains(&task));
        let ((_, call), _) = sites.next().filter(|_| sites.next().is_none())?;
        let name = self.names.task(task);
        let line = self.names.line(pc);
        match self.summaries[method.index()].rests.get(&pc)?.sites.get(&Site::Task(*call)) {
            None => Some(format!("{name} is not called before {line} is passed")),
            Some(Made { latest: Status::Finished, awaited, .. }) => {
                let awaited = awaited.map_or(String::new(), |at| format!(": awaited at {}", self.names.line(at)));
                Some(format!("{name} has finished before {line} is reached{awaited}"))
            }
            Some(Made { latest: Status::Pending, .. }) => {
                Some(format!("{name} cannot begin before {line} is passed: its caller keeps the lock"))
            }
            Some(Made { latest: Status::Active, .. }) => None,
        }
    }

    /// Two tasks that a third one calls, the second after it has waited for the first.
    fn called_by_one(&self, one: TaskId, other: TaskId) -> Option<String> {
        (0..self.summaries.len()).find_map(|number| {
            let caller = TaskId(number as u32);
            let site = |task: TaskId| {
                let mut all =
                    self.flow.calls.range((caller, 0)..=(caller, Pc::MAX)).filter(|(_, made)| made.contains(&task));
                all.next().filter(|_| all.next().is_none()).map(|(&(_, pc), _)| Site::Task(pc))
            };
            let (first, second) = (site(one)?, site(other)?);
            self.after(caller, (one, first), (other, second))
                .or_else(|| self.after(caller, (other, second), (one, first)))
        })
    }

    /// Wherever the second has been called, the first has finished.
    fn after(&self, caller: TaskId, (one, first): (TaskId, Site), (other, second): (TaskId, Site)) -> Option<String> {
        let mut awaited = None;
        for calls in self.summaries[caller.index()].rests.values() {
            if !calls.sites.contains_key(&second) {
                continue;
            }
            match calls.sites.get(&first) {
                Some(Made { latest: Status::Finished, awaited: at, .. }) => awaited = awaited.or(*at),
                _ => return None,
            }
        }
        let (one, other) = (self.names.task(one), self.names.task(other));
        let call = self.names.line(pc_of(second)?);
        Some(format!("{one} has finished before {other} is called at {call}: awaited at {}", self.names.line(awaited?)))
    }
}
