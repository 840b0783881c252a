//! A crate depends only on those above it.

use crate::shell::{Result, read, root};

/// The crates from the top to the bottom, as in ARCHITECTURE.md. Those of one row stand beside each
/// other and do not know each other.
const LAYERS: &[&[&str]] = &[
    &["trace"],
    &["machine"],
    &["relation"],
    &["explore"],
    &["smt"],
    &["source", "waits", "contexts"],
    &["process", "llvm", "actor", "sdn", "inproc"],
    &["bmc"],
    &["clang"],
    &["report"],
    &["mazurka"],
    &["cli", "web"],
    &["audit"],
    &["testkit"],
];

/// What must not be imported, although it stands above: who checks does not use what it checks.
const FORBIDDEN: &[(&str, &str)] = &[
    ("audit", "explore"),
    ("audit", "relation"),
    ("process", "explore"),
    ("llvm", "explore"),
    ("actor", "explore"),
    ("sdn", "explore"),
    ("bmc", "explore"),
    ("audit", "cli"),
    ("testkit", "cli"),
];

pub(super) fn check(complaints: &mut Vec<String>) -> Result {
    let folder = root().join("crates");
    let entries = std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for entry in entries {
        let path = entry.map_err(|error| error.to_string())?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let manifest = path.join("Cargo.toml");
        if manifest.is_file() {
            check_crate(&name, &read(&manifest)?, complaints);
        }
    }
    Ok(())
}

fn check_crate(name: &str, manifest: &str, complaints: &mut Vec<String>) {
    let Some(own) = layer(name) else {
        complaints.push(format!("crates/{name}: has no layer in xtask/src/tidy/layers.rs"));
        return;
    };
    for (section, dependency) in dependencies(manifest) {
        let Some(other) = layer(&dependency) else {
            complaints.push(format!("crates/{name}: depends on `{dependency}`, which has no layer"));
            continue;
        };
        // What only tests use may come from anywhere.
        if section != "dev-dependencies" && other >= own {
            complaints.push(format!("crates/{name}: depends on `{dependency}`, which is not above it"));
        }
        // Tests of a front end may explore; nothing of the audit may.
        let only_tested = section == "dev-dependencies" && name != "audit";
        if FORBIDDEN.contains(&(name, &dependency)) && !only_tested {
            complaints.push(format!("crates/{name}: must not know `{dependency}`"));
        }
    }
}

fn layer(name: &str) -> Option<usize> {
    LAYERS.iter().position(|row| row.contains(&name))
}

/// The crates of this workspace that a manifest names, each with the section it stands in.
fn dependencies(manifest: &str) -> Vec<(String, String)> {
    let mut section = String::new();
    let mut found = Vec::new();
    for line in manifest.lines().map(str::trim) {
        if let Some(header) = line.strip_prefix('[') {
            section = header.trim_end_matches(']').to_string();
        } else if section.ends_with("dependencies") {
            let key = line.split(['.', '=', ' ']).next().unwrap_or_default().trim_matches('"');
            if let Some(name) = key.strip_prefix("mazurka-").or((key == "mazurka").then_some(key)) {
                found.push((section.clone(), name.to_string()));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaints(name: &str, manifest: &str) -> Vec<String> {
        let mut complaints = Vec::new();
        check_crate(name, manifest, &mut complaints);
        complaints
    }

    #[test]
    fn upwards_is_fine_and_downwards_is_not() {
        assert!(complaints("explore", "[dependencies]\nmazurka-trace.workspace = true\nserde = \"1\"").is_empty());
        assert_eq!(complaints("trace", "[dependencies]\nmazurka-explore = { path = \"..\" }").len(), 1);
        assert_eq!(complaints("process", "[dependencies]\nmazurka-llvm.workspace = true").len(), 1);
        assert!(complaints("explore", "[dev-dependencies]\nmazurka-process.workspace = true").is_empty());
    }

    #[test]
    fn tests_of_front_ends_explore() {
        assert!(complaints("llvm", "[dev-dependencies]\nmazurka-explore.workspace = true").is_empty());
        assert_eq!(complaints("llvm", "[dependencies]\nmazurka-explore.workspace = true").len(), 1);
    }

    #[test]
    fn the_audit_never_imports_the_explorer() {
        assert_eq!(complaints("audit", "[dependencies]\nmazurka-explore.workspace = true").len(), 1);
        assert_eq!(complaints("audit", "[dev-dependencies]\nmazurka-explore.workspace = true").len(), 1);
    }
}
