//! Connectives as clauses.
//!
//! A solver that is told `name = (and a b)` has two variables for one truth value, and goes through
//! an equation between them whenever one of them changes. Told the clauses, it has one: on formulas
//! of bounded model checking Z3 is twice as fast.

use crate::term::Op;

/// The clauses by which a name means a connective of these literals; nothing for what is no
/// connective of truth values.
pub(super) fn gate(op: Op, name: &str, operands: &[String]) -> Option<Vec<Vec<String>>> {
    let not_name = opposite(name);
    match (op, operands) {
        (Op::And, _) => {
            let mut all: Vec<String> = operands.iter().map(|operand| opposite(operand)).collect();
            all.push(name.to_owned());
            Some(with_each(all, &not_name, operands.iter().cloned()))
        }
        (Op::Or, _) => {
            let mut all = operands.to_vec();
            all.push(not_name);
            Some(with_each(all, name, operands.iter().map(|operand| opposite(operand))))
        }
        (Op::Equal, [one, other]) => Some(choice(name, one, other, &opposite(other))),
        (Op::Ite, [condition, yes, no]) => {
            let mut clauses = choice(name, condition, yes, no);
            // What follows whatever the condition is.
            clauses.push(vec![not_name, yes.clone(), no.clone()]);
            clauses.push(vec![name.to_owned(), opposite(yes), opposite(no)]);
            Some(clauses)
        }
        _ => None,
    }
}

/// A clause, and one of two literals for each of these.
fn with_each(clause: Vec<String>, name: &str, others: impl Iterator<Item = String>) -> Vec<Vec<String>> {
    let mut clauses = vec![clause];
    clauses.extend(others.map(|other| vec![name.to_owned(), other]));
    clauses
}

/// `name = (condition ? yes : no)`
fn choice(name: &str, condition: &str, yes: &str, no: &str) -> Vec<Vec<String>> {
    let (is, is_not) = (condition.to_owned(), opposite(condition));
    let (named, not_named) = (name.to_owned(), opposite(name));
    vec![
        vec![not_named.clone(), is_not.clone(), yes.to_owned()],
        vec![not_named, is.clone(), no.to_owned()],
        vec![named.clone(), is_not, opposite(yes)],
        vec![named, is, opposite(no)],
    ]
}

/// The negation of a literal.
pub(super) fn opposite(literal: &str) -> String {
    match literal.strip_prefix("(not ").and_then(|rest| rest.strip_suffix(')')) {
        Some(inner) => inner.to_owned(),
        None => format!("(not {literal})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a name with these clauses is exactly the connective, for all values of three
    /// operands and of the name.
    fn means(op: Op, operands: &[&str], truth: fn(bool, bool, bool) -> bool) {
        let operands: Vec<String> = operands.iter().map(|&operand| operand.to_owned()).collect();
        let clauses = gate(op, "n", &operands).expect("it is a connective");
        for bits in 0..16 {
            let [a, b, c, n] = [1, 2, 4, 8].map(|bit| bits & bit != 0);
            let value = |literal: &str| match literal.trim_start_matches("(not ").trim_end_matches(')') {
                "a" => a,
                "b" => b,
                "c" => c,
                _ => n,
            };
            let holds = |literal: &String| value(literal) != literal.starts_with("(not ");
            assert_eq!(clauses.iter().all(|clause| clause.iter().any(holds)), n == truth(a, b, c), "{op:?} {bits:04b}");
        }
    }

    #[test]
    fn clauses_mean_their_connective() {
        means(Op::And, &["a", "(not b)", "c"], |a, b, c| a && !b && c);
        means(Op::Or, &["a", "(not b)", "c"], |a, b, c| a || !b || c);
        means(Op::Equal, &["(not a)", "b"], |a, b, _| a != b);
        means(Op::Ite, &["a", "b", "(not c)"], |a, b, c| if a { b } else { !c });
    }
}
