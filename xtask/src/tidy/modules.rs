//! The modules of a crate use each other in one direction.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::shell::{Result, files, read, relative};

/// The crates whose modules are checked. `llvm` is not among them: its machine calls the functions
/// of the C library, which call the machine.
const CRATES: &[&str] = &[
    "crates/actor/src/",
    "crates/audit/src/",
    "crates/bmc/src/",
    "crates/clang/src/",
    "crates/cli/src/",
    "crates/contexts/src/",
    "crates/explore/src/",
    "crates/machine/src/",
    "crates/mazurka/src/",
    "crates/process/src/",
    "crates/relation/src/",
    "crates/report/src/",
    "crates/smt/src/",
    "crates/source/src/",
    "crates/testkit/src/",
    "crates/trace/src/",
    "crates/waits/src/",
];

/// For each module, the modules that it uses.
type Uses = BTreeMap<String, BTreeSet<String>>;

pub(super) fn check(complaints: &mut Vec<String>) -> Result {
    for folder in CRATES {
        let uses = uses_of(folder)?;
        complaints.extend(cycle(&uses).map(|cycle| format!("{folder}: modules in a circle: {}", cycle.join(" -> "))));
    }
    Ok(())
}

/// Who uses whom among the modules of a crate.
fn uses_of(folder: &str) -> Result<Uses> {
    let mut uses = Uses::new();
    let root =
        ["lib.rs", "main.rs"].map(|name| format!("{folder}{name}")).into_iter().find(|root| Path::new(root).exists());
    let root = root.ok_or_else(|| format!("{folder} has no root"))?;
    let exported = exported(&read(Path::new(&root))?);
    for file in files("rs")? {
        let name = relative(&file);
        let Some(path) = name.strip_prefix(folder).filter(|_| name != root) else { continue };
        let module = path.split(['/', '.']).next().unwrap_or_default().to_owned();
        let used = uses.entry(module.clone()).or_default();
        for word in paths(&read(&file)?) {
            let target = exported.get(&word).cloned().unwrap_or(word);
            if target != module {
                used.insert(target);
            }
        }
    }
    let modules: BTreeSet<String> = uses.keys().cloned().collect();
    uses.values_mut().for_each(|used| used.retain(|module| modules.contains(module)));
    Ok(uses)
}

/// The names that the root of a crate re-exports, each with its module.
fn exported(root: &str) -> BTreeMap<String, String> {
    let lines = root.lines().filter_map(|line| line.strip_prefix("pub use ")?.strip_suffix(';')?.split_once("::"));
    lines
        .flat_map(|(module, names)| {
            let names = names.trim_matches(['{', '}']).split(',');
            names.map(move |name| (name.trim().to_owned(), module.to_owned()))
        })
        .collect()
}

/// What follows `crate::` outside of comments and tests: a module, or a name of the crate's root.
fn paths(text: &str) -> Vec<String> {
    let code = text.lines().take_while(|line| !line.starts_with("#[cfg(test)]"));
    let code = code.filter(|line| !line.trim_start().starts_with("//"));
    let rest = code.flat_map(|line| line.split("crate::").skip(1));
    rest.flat_map(|rest| {
        let list = rest.strip_prefix('{').and_then(|list| list.split('}').next()).unwrap_or(rest);
        let names: Vec<&str> = if rest.starts_with('{') { list.split(',').collect() } else { vec![list] };
        names.into_iter().map(first_name).collect::<Vec<_>>()
    })
    .collect()
}

fn first_name(path: &str) -> String {
    path.trim().chars().take_while(|character| character.is_alphanumeric() || *character == '_').collect()
}

/// Some modules that use each other in a circle.
fn cycle(uses: &Uses) -> Option<Vec<String>> {
    let mut left = uses.clone();
    // Whoever uses nobody that is left is in no circle.
    while let Some(last) = left.iter().find(|(_, used)| used.is_empty()).map(|(module, _)| module.clone()) {
        left.remove(&last);
        left.values_mut().for_each(|used| _ = used.remove(&last));
    }
    let mut path = vec![left.keys().next()?.clone()];
    loop {
        let next = left[path.last()?].first()?.clone();
        if let Some(start) = path.iter().position(|module| *module == next) {
            return Some(path.split_off(start));
        }
        path.push(next);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uses(pairs: &[(&str, &[&str])]) -> Uses {
        let list = |used: &[&str]| used.iter().map(|&name| name.to_owned()).collect();
        pairs.iter().map(|&(module, used)| (module.to_owned(), list(used))).collect()
    }

    #[test]
    fn circles_are_found() {
        assert_eq!(cycle(&uses(&[("a", &["b", "c"]), ("b", &["c"]), ("c", &[])])), None);
        let circle = cycle(&uses(&[("a", &["b"]), ("b", &["c"]), ("c", &["b"]), ("d", &["a"])]));
        assert_eq!(circle, Some(vec!["b".to_owned(), "c".to_owned()]));
    }

    #[test]
    fn uses_are_found_outside_of_comments_and_tests() {
        let text = "use crate::one::Thing;\n// crate::two\nuse crate::{Three, four::Four};\nlet x = crate::five::six();\n\
                    #[cfg(test)]\nuse crate::seven;\n";
        assert_eq!(paths(text), ["one", "Three", "four", "five"]);
        let root = "pub use options::{Limits, Options};\npub use hunt::hunt;\n";
        assert_eq!(exported(root)["Options"], "options");
        assert_eq!(exported(root)["hunt"], "hunt");
    }
}
