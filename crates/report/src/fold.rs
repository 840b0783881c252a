//! Which rows a timeline has: steps, switches between processes, and stretches of steps that are
//! left out.

use std::collections::HashMap;

use crate::view::{Switch, Timeline};

/// Timelines with at most so many steps are shown whole.
const SHORT: usize = 24;

/// Stretches of fewer steps are not worth leaving out.
const SHORTEST_FOLD: usize = 3;

/// Of timelines with more rows than both together, only so many at the beginning and at the end are
/// shown.
const BEGINNING: usize = 40;
const END: usize = 80;

/// One row of a timeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Row {
    /// The step with this index.
    Step(usize),
    /// The process of this column stops, and another goes on.
    Switch(usize, Switch),
    /// So many steps of the process of this column that nobody else notices.
    Folded(usize, usize),
    /// So many steps of several processes, from the middle of a timeline that would be too long.
    Skipped(usize),
}

impl Row {
    /// The number of steps that it stands for.
    fn steps(&self) -> usize {
        match *self {
            Row::Step(_) => 1,
            Row::Switch(..) => 0,
            Row::Folded(_, count) | Row::Skipped(count) => count,
        }
    }

    /// The number of steps that it leaves out.
    pub(crate) fn left_out(&self) -> usize {
        if let Row::Step(_) = self { 0 } else { self.steps() }
    }
}

/// The rows of a timeline; with `full`, none is left out.
pub(crate) fn rows(timeline: &Timeline, full: bool) -> Vec<Row> {
    let order = reading_order(timeline);
    let keep = if full || order.len() <= SHORT { vec![true; order.len()] } else { kept(timeline, &order) };
    let mut rows = Vec::new();
    let mut position = 0;
    let mut previous = None;
    while position < order.len() {
        let column = timeline.steps[order[position]].column;
        let run = order[position..].iter().take_while(|&&step| timeline.steps[step].column == column).count();
        rows.extend(switch_row(timeline, previous, &order[position..position + run]));
        push_run(&mut rows, column, &order[position..position + run], &keep[position..position + run]);
        previous = column.or(previous);
        position += run;
    }
    if full { rows } else { without_middle(rows) }
}

/// The beginning and the end of many rows.
fn without_middle(mut rows: Vec<Row>) -> Vec<Row> {
    if rows.len() <= BEGINNING + END {
        return rows;
    }
    let end = rows.split_off(rows.len() - END);
    let middle = rows.split_off(BEGINNING);
    rows.push(Row::Skipped(middle.iter().map(Row::steps).sum()));
    rows.extend(end);
    rows
}

/// The switch before a run of steps of one process, if there is one.
fn switch_row(timeline: &Timeline, previous: Option<usize>, run: &[usize]) -> Option<Row> {
    let event = run.iter().map(|&step| &timeline.steps[step]).find(|step| !step.is_local())?;
    if event.switch == Switch::Stays { None } else { Some(Row::Switch(previous?, event.switch)) }
}

/// Adds the steps of one run, stretches of steps that are not kept as one row.
fn push_run(rows: &mut Vec<Row>, column: Option<usize>, run: &[usize], keep: &[bool]) {
    let mut position = 0;
    while position < run.len() {
        let hidden = keep[position..].iter().take_while(|&&kept| !kept).count();
        match column {
            Some(column) if hidden >= SHORTEST_FOLD => rows.push(Row::Folded(column, hidden)),
            _ => rows.extend(run[position..position + hidden].iter().map(|&step| Row::Step(step))),
        }
        position += hidden;
        if let Some(&step) = run.get(position) {
            rows.push(Row::Step(step));
            position += 1;
        }
    }
}

/// The steps in the order in which they are best read: local code that makes a choice of data
/// stands directly before its process's next event. (It commutes with the steps between.) Where it
/// came to no choice it is left out. The inputs of the initial state stay first.
fn reading_order(timeline: &Timeline) -> Vec<usize> {
    let mut order = Vec::with_capacity(timeline.steps.len());
    let mut deferred: HashMap<Option<usize>, Vec<usize>> = HashMap::new();
    for (index, step) in timeline.steps.iter().enumerate() {
        if step.is_local() && step.failures.is_empty() && !step.chooses_inputs() {
            if step.choices.is_empty() && !step.discards {
                continue;
            }
            deferred.entry(step.column).or_default().push(index);
        } else {
            order.extend(deferred.remove(&step.column).unwrap_or_default());
            order.push(index);
        }
    }
    let mut left: Vec<usize> = deferred.into_values().flatten().collect();
    left.sort_unstable();
    // What is left belongs to processes that make no further step: it goes before the last one,
    // which may be the failure, or to the end of a deadlock.
    let last = if timeline.waiting.is_empty() { order.pop() } else { None };
    order.extend(left);
    order.extend(last);
    order
}

/// For each position of the order, whether the step there is shown.
fn kept(timeline: &Timeline, order: &[usize]) -> Vec<bool> {
    let noticed = noticed(timeline);
    let column = |position: usize| order.get(position).map(|&step| timeline.steps[step].column);
    let keep = |position: usize| {
        let step = &timeline.steps[order[position]];
        let inside =
            position > 0 && column(position - 1) == column(position) && column(position + 1) == column(position);
        !inside
            || noticed[order[position]]
            || !step.failures.is_empty()
            || !step.spawned.is_empty()
            || !step.choices.is_empty()
            || step.discards
    };
    (0..order.len()).map(keep).collect()
}

/// Who used a location since its last write, and who wrote it last.
#[derive(Default)]
struct Uses {
    writer: Option<usize>,
    readers: Vec<usize>,
}

/// For each step, whether it reads what another process wrote, or another process notices what it
/// wrote.
fn noticed(timeline: &Timeline) -> Vec<bool> {
    let mut noticed = vec![false; timeline.steps.len()];
    let mut uses: HashMap<&str, Uses> = HashMap::new();
    let foreign = |a: usize, b: usize| timeline.steps[a].column != timeline.steps[b].column;
    for (index, step) in timeline.steps.iter().enumerate() {
        for effect in &step.effects {
            let uses = uses.entry(effect.name()).or_default();
            let others = if effect.only_reads() { &[] } else { uses.readers.as_slice() };
            for &other in others.iter().chain(&uses.writer).filter(|&&other| foreign(other, index)) {
                noticed[other] = true;
                noticed[index] = true;
            }
            if effect.only_reads() {
                uses.readers.push(index);
            } else {
                *uses = Uses { writer: Some(index), readers: Vec::new() };
            }
        }
    }
    let awaited = timeline.waiting.iter().flat_map(|waiter| &waiter.waits_for);
    for writer in awaited.filter_map(|(name, _)| uses.get(name.as_str())?.writer) {
        noticed[writer] = true;
    }
    noticed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn steps_that_nobody_notices_are_folded() {
        let timeline = samples::long();
        let rows = rows(&timeline, false);
        assert_eq!(
            rows,
            [
                Row::Step(0),
                Row::Folded(0, 38),
                Row::Step(39),
                Row::Switch(0, Switch::Preempted),
                Row::Step(40),
                Row::Switch(1, Switch::Ended),
                Row::Step(41),
            ]
        );
        assert_eq!(super::rows(&timeline, true).len(), 44);
    }

    #[test]
    fn the_middle_of_a_very_long_timeline_is_left_out() {
        let rows = without_middle((0..500).map(Row::Step).collect());
        assert_eq!(rows.len(), BEGINNING + 1 + END);
        assert_eq!(rows[BEGINNING], Row::Skipped(500 - BEGINNING - END));
        assert_eq!(rows.iter().map(Row::steps).sum::<usize>(), 500);
    }

    #[test]
    fn a_choice_stands_before_the_event_that_follows_it() {
        let mut timeline = samples::lost_update();
        let mut choice = timeline.steps[1].clone();
        choice.number = None;
        choice.choices = vec![3];
        choice.switch = Switch::Stays;
        let effects = std::mem::take(&mut choice.effects);
        timeline.steps.insert(0, choice);
        let shown = rows(&timeline, false);
        assert_eq!(shown[..4], [Row::Step(1), Row::Switch(0, Switch::Preempted), Row::Step(0), Row::Step(2)]);
        // Inputs, which others read, stay where they are.
        timeline.steps[0].effects = effects;
        assert_eq!(rows(&timeline, false)[..2], [Row::Step(0), Row::Step(1)]);
    }
}
