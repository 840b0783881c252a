//! One module knows algorithms by their names.

use crate::shell::{Result, files, read, relative};

/// Where algorithms are told apart.
const PLAN: &str = "crates/explore/src/plan.rs";

/// Where nobody else is to do so. Tests name what they test.
const FOLDERS: &[&str] = &["crates/explore/src/", "crates/cli/src/", "crates/report/src/"];

pub(super) fn check(complaints: &mut Vec<String>) -> Result {
    for file in files("rs")? {
        let name = relative(&file);
        if name != PLAN && FOLDERS.iter().any(|folder| name.starts_with(folder)) {
            complaints.extend(
                variants(&read(&file)?)
                    .map(|line| format!("{name}:{line}: names an algorithm: decide by the plan, see {PLAN}")),
            );
        }
    }
    Ok(())
}

/// The lines that name a variant of `Algorithm`, outside of comments and tests.
fn variants(text: &str) -> impl Iterator<Item = usize> + '_ {
    let code = text.lines().enumerate().take_while(|(_, line)| !line.starts_with("#[cfg(test)]"));
    let code = code.filter(|(_, line)| !line.trim_start().starts_with("//"));
    code.filter(|(_, line)| line.split("Algorithm::").skip(1).any(is_variant)).map(|(number, _)| number + 1)
}

/// Variants are in camel case; constants and functions of the type may be used by anybody.
fn is_variant(rest: &str) -> bool {
    let mut characters = rest.chars();
    let [first, second] = [characters.next(), characters.next()];
    first.is_some_and(char::is_uppercase) && second.is_some_and(char::is_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_are_found_and_constants_are_not() {
        let text = "let a = Algorithm::Dpor;\n// Algorithm::Cs\nAlgorithm::ALL.iter();\nAlgorithm::auto(a, b);\n\
                    match (Algorithm::ALL, Algorithm::None) {}\n#[cfg(test)]\nAlgorithm::Source\n";
        assert_eq!(variants(text).collect::<Vec<_>>(), [1, 5]);
    }
}
