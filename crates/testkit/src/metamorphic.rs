//! Changes of a program that must not change what is found.

use std::collections::BTreeSet;

use mazurka_audit::{Claim, Final, Finding, Watch};
use mazurka_explore::{Algorithm, Limits, Monitor, Options, explore};
use mazurka_machine::Describe;

use crate::check::{Culprit, Disagreement, catch};
use crate::load::{load, machine};
use crate::program::{Block, Program, Statement};
use crate::random::Random;

/// What an exploration found, without numbers or places that a change of the text would move.
#[derive(PartialEq, Eq, Debug)]
struct Summary {
    executions: u64,
    assume_blocked: u64,
    finals: BTreeSet<Final>,
    violations: BTreeSet<String>,
}

/// Puts the processes in another order and gives them other names: counts, final states and, up to
/// the names, violations are the same, under those of these algorithms whose counts are functions
/// of the program (`none` and `optimal`). `None` where there are more than `limit` interleavings.
///
/// # Errors
/// Where they are not.
pub fn check_renamed(
    program: &Program,
    seed: u64,
    algorithms: &[Algorithm],
    limit: u64,
) -> Result<Option<u64>, Disagreement> {
    let (renamed, old_names) = rename(program, seed);
    let (one, other) = (program.to_string(), renamed.to_string());
    catch(|| {
        let mut executions = 0;
        let exact = |algorithm: &&Algorithm| {
            matches!(algorithm, Algorithm::None | Algorithm::Optimal | Algorithm::QuasiOptimal)
        };
        for &algorithm in algorithms.iter().filter(exact) {
            let Some(before) = summarise(&one, algorithm, limit, &[])? else { return Ok(None) };
            let Some(after) = summarise(&other, algorithm, limit, &old_names)? else { return Ok(None) };
            if before != after {
                let what = format!("renamed and permuted:\n{other}\nbefore {before:?}\nafter {after:?}");
                return Err(Disagreement::new(Culprit::Algorithm(algorithm), what));
            }
            executions += before.executions + after.executions;
        }
        Ok(Some(executions))
    })
}

fn summarise(
    source: &str,
    algorithm: Algorithm,
    limit: u64,
    old_names: &[(String, String)],
) -> Result<Option<Summary>, Disagreement> {
    let image = load("random.mzk", source, &[]).map_err(Disagreement::refused)?;
    let limits = Limits { executions: Some(limit), ..Limits::default() };
    let options = Options { algorithm, all: true, limits, ..Options::default() };
    let mut watch = Watch::new(machine(&image));
    let outcome = explore(&mut watch, &options, &Monitor::default());
    if !outcome.limits.is_empty() {
        return Ok(None);
    }
    let (census, machine) = watch.finish();
    let claims = outcome.violations.iter().map(|violation| Claim::new(violation, &machine).finding);
    Ok(Some(Summary {
        executions: outcome.executions,
        assume_blocked: outcome.assume_blocked,
        finals: census.finals,
        violations: claims.map(|finding| text(&finding, &machine, old_names)).collect(),
    }))
}

/// A finding by the text of the place where it happens, and the old names of processes.
fn text(finding: &Finding, describe: &impl Describe, old_names: &[(String, String)]) -> String {
    let at = |process: &str, site| {
        format!("{} at {}", old_name(process, old_names), old_name(&describe.place(site).text, old_names))
    };
    match finding {
        Finding::Fault { kind, process, site } => format!("{kind:?} {}", at(process, *site)),
        Finding::Deadlock(waiters) => {
            let mut waiters: Vec<_> = waiters.iter().map(|waiter| at(&waiter.process, waiter.site)).collect();
            waiters.sort();
            format!("deadlock {}", waiters.join(", "))
        }
    }
}

/// The text with every new name replaced by the old one.
fn old_name(text: &str, old_names: &[(String, String)]) -> String {
    let mut result = text.to_string();
    for (new, old) in old_names {
        result = result.replace(new.as_str(), old);
    }
    result
}

/// The program with its bodies in another order and under other names, and the old name of each new
/// one.
fn rename(program: &Program, seed: u64) -> (Program, Vec<(String, String)>) {
    let mut random = Random::new(seed);
    let mut renamed = program.clone();
    random.shuffle(&mut renamed.bodies);
    let mut names = Vec::new();
    for (number, body) in renamed.bodies.iter_mut().enumerate() {
        let new = format!("renamed_{number}_");
        names.push((new.clone(), std::mem::replace(&mut body.name, new)));
    }
    for body in &mut renamed.bodies {
        rename_spawns(&mut body.block, &names);
    }
    (renamed, names)
}

fn rename_spawns(block: &mut Block, names: &[(String, String)]) {
    for statement in block {
        if let Statement::Spawn(name, _) = statement
            && let Some((new, _)) = names.iter().find(|(_, old)| old == name)
        {
            name.clone_from(new);
        }
        statement.blocks().for_each(|block| rename_spawns(block, names));
    }
}
