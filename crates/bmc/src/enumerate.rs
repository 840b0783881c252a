//! The schedules that a reduction leaves, one by one. It is for tests of Theorems 1 and 2: every
//! schedule is a question.

use std::sync::Arc;

use mazurka_process::Image;
use mazurka_smt::{Settings, Sort, Term};
use mazurka_trace::{FaultKind, Scheduled};

use crate::replay::{Taken, run};
use crate::search::Search;
use crate::{Error, Options};

/// The schedules of complete executions (nobody can move any more, or the last step fails) that
/// satisfy the constraints of the reduction, with the values of their data choices; found one by
/// one and run on the machine. Nothing where there are more than `most`, or where executions have
/// more steps than the options allow, are cut, or fail in local code, which ends only its process,
/// or where the solver does not know.
///
/// # Errors
/// Where the solver fails, or contradicts the machine.
pub fn schedules(
    image: &Arc<Image>,
    options: &Options,
    settings: &Settings,
    most: usize,
) -> Result<Option<Vec<Vec<Scheduled>>>, Error> {
    let (mut search, mut added) = Search::new(image, options, settings)?;
    let mut schedules = Vec::new();
    for depth in 0..=options.steps {
        search.assert_depth(depth, &added);
        let bad = search.bad();
        search.name_terms();
        let mut left_out: Vec<Term> = bad.cuts.iter().map(|&(when, _)| when).collect();
        left_out.extend(&added.overcrowded);
        let ends = search.ends();
        left_out.extend(ends.iter().filter(|end| end.local).map(|end| end.when));
        let left_out = search.shop.arena.or(&left_out);
        if !search.shop.arena.is(left_out, false) && search.ask(Some(left_out))? != Some(false) {
            return Ok(None);
        }
        for End { step, when, .. } in ends.into_iter().filter(|end| !end.local) {
            // Others may go on where this one fails: what is forbidden is only that it is the one
            // that is taken.
            let this = search.shop.arena.fresh("fails", Sort::Bool);
            let fails = search.shop.arena.and(&[when, this]);
            loop {
                match search.ask(Some(fails))? {
                    Some(true) => {}
                    Some(false) => break,
                    None => return Ok(None),
                }
                let mut found = search.found(depth)?;
                let last = search.taken(depth, step)?;
                search.forbid(&found, Some((this, &last)));
                found.push(last);
                schedules.push(run(image, &search.unrolled.instances, &found, true).map_err(Error::Mismatch)?);
                if schedules.len() > most {
                    return Ok(None);
                }
            }
        }
        let stuck = search.shop.arena.not(bad.moves);
        while !search.shop.arena.is(stuck, false) {
            match search.ask(Some(stuck))? {
                Some(true) => {}
                Some(false) => break,
                None => return Ok(None),
            }
            let found = search.found(depth)?;
            schedules.push(run(image, &search.unrolled.instances, &found, false).map_err(Error::Mismatch)?);
            if schedules.len() > most {
                return Ok(None);
            }
            search.forbid(&found, None);
        }
        let selected = search.unrolled.last().selected.clone();
        let goes_on = search.shop.arena.or(&selected);
        search.solver.assert(&search.shop.arena, goes_on);
        match search.ask(None)? {
            Some(true) => {}
            Some(false) => return Ok(Some(schedules)),
            None => return Ok(None),
        }
        added = search.advance();
    }
    Ok(None)
}

/// A step that can fail so that the execution ends there.
struct End {
    /// Its number.
    step: usize,
    when: Term,
    /// It is one of local code.
    local: bool,
}

impl Search<'_> {
    /// The steps of the last frame that can end an execution. One that fails an assertion goes on.
    fn ends(&mut self) -> Vec<End> {
        let mut ends = Vec::new();
        let at_local = self.unrolled.last().steps.iter().filter(|step| step.at_local).map(|step| step.at);
        let at_local: Vec<Term> = at_local.collect();
        let at_local = self.shop.arena.or(&at_local);
        let calm = self.shop.arena.not(at_local);
        for (number, step) in self.unrolled.last().steps.iter().enumerate() {
            let faults = step.faults.iter().filter(|(_, kind, _)| *kind != FaultKind::Assertion);
            let faults: Vec<Term> = faults.map(|&(when, ..)| when).collect();
            let faults = self.shop.arena.or(&faults);
            let turn = if step.at_local { self.shop.arena.yes() } else { calm };
            let when = self.shop.arena.and(&[step.at, faults, turn]);
            if !self.shop.arena.is(when, false) {
                ends.push(End { step: number, when, local: step.at_local });
            }
        }
        ends
    }

    /// Forbids a schedule that was found, with the values that it chooses; with one more step that
    /// fails, if that is given by what stands for it.
    fn forbid(&mut self, found: &[Taken], last: Option<(Term, &Taken)>) {
        let mut others = Vec::new();
        for (depth, taken) in found.iter().enumerate() {
            let selected = self.unrolled.depths[depth].selected[taken.process];
            others.push(self.shop.arena.not(selected));
            self.chooses_otherwise(taken, &mut others);
        }
        if let Some((this, taken)) = last {
            others.push(self.shop.arena.not(this));
            self.chooses_otherwise(taken, &mut others);
        }
        let another = self.shop.arena.or(&others);
        self.solver.assert(&self.shop.arena, another);
    }

    fn chooses_otherwise(&mut self, taken: &Taken, others: &mut Vec<Term>) {
        for (&variable, &value) in taken.variables.iter().zip(&taken.choices) {
            let value = self.shop.arena.int(i128::from(value));
            let same = self.shop.arena.equal(variable, value);
            others.push(self.shop.arena.not(same));
        }
    }
}
