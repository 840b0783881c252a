//! Making a failing program small.

use crate::program::{Program, nth_edit};

/// Simplifies a program as long as it still fails: takes the first simplification that does, again
/// and again, until none is left (or `attempts` have been made).
pub fn shrink(program: &Program, attempts: usize, mut fails: impl FnMut(&Program) -> bool) -> Program {
    let mut smallest = program.clone();
    let (mut next, mut since_success) = (0, 0);
    for _ in 0..attempts {
        let Some(candidate) = nth_edit(&smallest, next) else {
            if since_success == 0 && next > 0 || next == 0 {
                break;
            }
            (next, since_success) = (0, 0);
            continue;
        };
        if fails(&candidate) {
            // What stood at this number is gone; another simplification has it now.
            smallest = candidate;
            since_success += 1;
        } else {
            next += 1;
        }
    }
    smallest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Body, BodyKind, Expr, Statement};

    #[test]
    fn what_matters_stays() {
        let assert = Statement::Assert(Expr::binary("<", Expr::name("x"), Expr::Int(7)));
        let noise = Statement::Await(Expr::Bool(true));
        let block = vec![noise.clone(), Statement::Atomic(vec![noise.clone(), assert]), noise];
        let body = |name: &str| Body { name: name.into(), kind: BodyKind::Process, block: block.clone() };
        let program = Program { bodies: vec![body("p"), body("q")], ..Program::default() };
        let small = shrink(&program, 10_000, |candidate| candidate.to_string().contains("assert"));
        assert_eq!(small.to_string(), "process q {\n  assert 0;\n}\n");
    }
}
