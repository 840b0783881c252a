//! Random programs: small, valid, and full of trouble.
//!
//! The size is planned first: a number of steps for each process, so that their interleavings stay
//! below a few thousand (data choices and branches move the real number a little). Then each
//! process gets statements until its steps are used up; which ones, the profile's weights say.

mod expression;
mod profile;
mod statement;

pub use profile::Profile;

use crate::program::{Block, Body, BodyKind, Expr, Global, Mutex, Program, Statement, Type};
use crate::random::Random;
use profile::Weights;

/// The program of this seed, of the profile that the seed picks.
pub fn generate(seed: u64) -> Program {
    generate_with(Profile::of_seed(seed), seed)
}

/// The program of this profile and seed.
pub fn generate_with(profile: Profile, seed: u64) -> Program {
    let mut random = Random::new(seed);
    let weights = profile.weights();
    let mut steps = plan(&mut random, profile);
    let mut maker = Maker::new(random, weights);
    maker.declare();
    if profile == Profile::Spawn || maker.random.chance(weights.spawn.min(40)) {
        let count = maker.random.between(1, 2).min(steps.len() - 1);
        for _ in 0..count {
            let steps = steps.pop().expect("a process is left over").min(3);
            maker.proc(steps);
        }
    }
    maker.processes(&steps);
    maker.finally();
    let mut program = maker.program;
    // What a process has read in a block is told apart at its end only if it is kept.
    if seed % 7 < 5 {
        program.bodies.iter_mut().for_each(keep_locals);
    }
    program
}

/// Declares the variables of inner blocks where the body begins, so that they are there to its end.
fn keep_locals(body: &mut Body) {
    let mut kept = Block::new();
    let mut blocks: Vec<&mut Block> = body.block.iter_mut().flat_map(Statement::blocks).collect();
    while let Some(block) = blocks.pop() {
        for statement in block {
            if let Statement::Local(ty, name, value) = statement {
                let zero = if *ty == Type::Int { Expr::Int(0) } else { Expr::Bool(false) };
                kept.push(Statement::Local(*ty, name.clone(), zero));
                let value = std::mem::replace(value, Expr::Int(0));
                *statement = Statement::Assign(std::mem::take(name), None, value);
            }
            blocks.extend(statement.blocks());
        }
    }
    body.block.splice(0..0, kept);
}

/// The number of steps of each process.
fn plan(random: &mut Random, profile: Profile) -> Vec<usize> {
    let processes = match profile {
        Profile::Spawn => random.between(2, 4),
        Profile::Races | Profile::Writes | Profile::Blocks => random.weighted(&[(2, 2), (3, 3), (3, 4)]),
        _ => random.weighted(&[(4, 2), (4, 3), (1, 4)]),
    };
    let most = [0, 0, 7, 5, 4][processes];
    let mut steps: Vec<usize> = (0..processes).map(|_| random.between(1, most)).collect();
    // As many programs between 10 and 100 interleavings as between 100 and 1,000, or 1,000 and
    // 10,000.
    let allowed = 10f64.powf(1.0 + random.below(300) as f64 / 100.0);
    while interleavings(&steps) > allowed {
        let longest = (0..processes).max_by_key(|&p| steps[p]).expect("there are processes");
        steps[longest] -= 1;
    }
    random.shuffle(&mut steps);
    steps
}

/// The number of ways to interleave so many steps.
fn interleavings(steps: &[usize]) -> f64 {
    let (mut ways, mut total) = (1.0, 0);
    for &count in steps {
        for step in 1..=count {
            total += 1;
            ways *= f64::from(total) / step as f64;
        }
    }
    ways
}

/// A program in the making.
struct Maker {
    random: Random,
    weights: Weights,
    program: Program,
    scope: Scope,
    /// Names for locals are numbered.
    fresh: usize,
    /// Data choices and spawns multiply the executions: how many more there may be.
    choices_left: usize,
    spawns_left: usize,
    /// The procs that may be spawned, with the number of their parameters.
    procs: Vec<(String, usize)>,
    depth: usize,
    in_atomic: bool,
    /// A step does not wait once it has made a choice. Whether choices, and waiting, may come next.
    may_choose: bool,
    may_wait: bool,
}

/// The names that statements and expressions can use.
#[derive(Clone, Debug, Default)]
struct Scope {
    /// Global integers.
    ints: Vec<String>,
    /// Global booleans.
    bools: Vec<String>,
    /// Global arrays of integers, all of length [`LENGTH`].
    arrays: Vec<String>,
    /// Global integers that always are valid indices.
    indices: Vec<String>,
    /// Mutexes, with whether they are arrays of length [`LENGTH`].
    mutexes: Vec<(String, bool)>,
    /// Local integers.
    locals: Vec<String>,
    /// Local integers that are always valid indices, and never assigned.
    local_indices: Vec<String>,
}

/// The length of all arrays.
const LENGTH: usize = 2;

impl Maker {
    fn new(random: Random, weights: Weights) -> Self {
        Maker {
            random,
            weights,
            program: Program::default(),
            scope: Scope::default(),
            fresh: 0,
            choices_left: if weights.choose > 10 { 4 } else { 2 },
            spawns_left: 3,
            procs: Vec::new(),
            depth: 0,
            in_atomic: false,
            may_choose: true,
            may_wait: true,
        }
    }

    /// Declares global variables and mutexes.
    fn declare(&mut self) {
        let ints = self.random.weighted(&[(3, 1), (4, 2), (2, 3)]);
        for name in &["x", "y", "z"][..ints] {
            let initial = self.random.weighted(&[(6, 0), (2, 1), (1, 2), (1, -1)]);
            self.global(name, Type::Int, None, initial);
            self.scope.ints.push((*name).to_string());
        }
        if self.random.chance(25) {
            let initial = self.random.below(2) as i64;
            self.global("b", Type::Bool, None, initial);
            self.scope.bools.push("b".into());
        }
        if self.random.chance(35) {
            self.global("a", Type::Int, Some(LENGTH), 0);
            self.scope.arrays.push("a".into());
            if self.random.chance(50) {
                self.global("k", Type::Int, None, 0);
                self.scope.indices.push("k".into());
            }
        }
        let mutexes = if self.weights.lock + self.weights.misuse > 0 { self.random.between(1, 2) } else { 0 };
        for name in &["m", "n"][..mutexes] {
            let array = self.random.chance(15);
            self.program.mutexes.push(Mutex { name: (*name).to_string(), length: array.then_some(LENGTH) });
            self.scope.mutexes.push(((*name).to_string(), array));
        }
    }

    fn global(&mut self, name: &str, ty: Type, length: Option<usize>, initial: i64) {
        self.program.globals.push(Global { name: name.to_string(), ty, length, initial });
    }

    /// A proc, which processes and later procs can spawn.
    fn proc(&mut self, steps: usize) {
        let name = format!("w{}", self.procs.len());
        let parameters: Vec<_> = (0..self.random.below(3)).map(|number| format!("v{number}")).collect();
        let mut block = Vec::new();
        // One that spawns itself again, as long as its first argument is positive.
        if !parameters.is_empty() && self.random.chance(20) {
            let mut arguments = vec![Expr::Int(0); parameters.len()];
            arguments[0] = Expr::binary("-", Expr::name("v0"), Expr::Int(1));
            let again = Statement::Spawn(name.clone(), arguments);
            let condition = Expr::binary(">", Expr::name("v0"), Expr::Int(0));
            let bounded = Expr::binary("&&", condition, Expr::binary("<", Expr::name("v0"), Expr::Int(2)));
            block.push(Statement::If(bounded, vec![again], vec![]));
        }
        self.body(steps, &parameters, &mut block);
        let kind = BodyKind::Proc(parameters.clone());
        self.program.bodies.push(Body { name: name.clone(), kind, block });
        self.procs.push((name, parameters.len()));
    }

    fn processes(&mut self, steps: &[usize]) {
        let mut number = 0;
        while number < steps.len() {
            let name = format!("p{number}");
            let pair = number + 1 < steps.len() && self.random.chance(20);
            let mut block = Vec::new();
            if pair {
                let least = steps[number].min(steps[number + 1]).max(1);
                self.scope.local_indices.push("i".into());
                self.body(least, &["i".to_string()], &mut block);
                self.scope.local_indices.clear();
                self.program.bodies.push(Body { name, kind: BodyKind::Array(LENGTH), block });
                number += 2;
            } else {
                self.body(steps[number], &[], &mut block);
                self.program.bodies.push(Body { name, kind: BodyKind::Process, block });
                number += 1;
            }
        }
    }

    /// Statements for a body with these parameters, behind what it has already.
    fn body(&mut self, steps: usize, parameters: &[String], block: &mut Vec<Statement>) {
        self.fresh = 0;
        // An index that must stay valid is not to be assigned to.
        let kept = self.scope.local_indices.clone();
        self.scope.locals = parameters.iter().filter(|name| !kept.contains(name)).cloned().collect();
        block.extend(self.block(steps));
        self.scope.locals.clear();
    }

    fn finally(&mut self) {
        if self.random.chance(25) {
            let condition = self.condition(1);
            self.program.finally.push(Statement::Assert(condition));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interleavings_are_counted() {
        assert_eq!(interleavings(&[2, 2]), 6.0);
        assert_eq!(interleavings(&[3, 3, 3]), 1680.0);
    }

    #[test]
    fn equal_seeds_give_equal_programs() {
        for seed in 0..50 {
            assert_eq!(generate(seed), generate(seed));
        }
        assert_ne!(generate(1), generate(1 + Profile::ALL.len() as u64));
    }
}
