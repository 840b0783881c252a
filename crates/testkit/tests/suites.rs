//! The programs of the benchmark suites find what stands in them, as those of the corpus do.
//! `BLESS=1 cargo test` rewrites it.
//!
//! Their sizes here are small; what they count in the papers' sizes is compared by `mazurka bench`.

use std::path::{Path, PathBuf};

use mazurka_testkit::corpus::{self, Expectation};
use mazurka_testkit::{Checks, check_image, load};

/// All programs of all suites, in the order of their names.
fn files() -> Vec<PathBuf> {
    let suites = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/suites");
    let list = |folder: &Path| {
        let entries = std::fs::read_dir(folder).expect("a folder can be listed");
        entries.map(|entry| entry.expect("a folder can be listed").path()).collect::<Vec<_>>()
    };
    // Suites of bounded model checking are in `bmc.rs`.
    let explored = |path: &PathBuf| read(&path.join("suite.csv")).is_ok_and(|table| !table.contains("# command: bmc"));
    let folders = list(&suites).into_iter().filter(|path| path.is_dir() && explored(path));
    let mut files: Vec<PathBuf> = folders.flat_map(|folder| list(&folder)).collect();
    let clang = mazurka_clang::Clang::find(None).is_ok();
    let needed = std::env::var_os("MAZURKA_NEED_CLANG").is_some_and(|value| value == "1");
    assert!(clang || !needed, "clang is missing, and MAZURKA_NEED_CLANG is set");
    let is_notation = |file: &PathBuf| file.extension().is_some_and(|extension| extension == "mzk");
    // Of the programs in C, those that say what they count.
    let says = |file: &PathBuf| read(file).is_ok_and(|source| source.contains("//~"));
    files.retain(|file| is_notation(file) || (clang && corpus::is_c(file) && says(file)));
    files.sort();
    files
}

fn read(file: &Path) -> Result<String, String> {
    std::fs::read_to_string(file).map_err(|error| error.to_string())
}

/// Runs a check on every program; panics with all complaints.
fn on_every_program(check: impl Fn(&Path) -> Result<(), String>) {
    let files = files();
    assert!(files.len() >= 17, "there are {} programs", files.len());
    let complaint = |file: &PathBuf| check(file).err().map(|error| format!("{}:\n{error}", file.display()));
    let complaints: Vec<String> = files.iter().filter_map(complaint).collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n\n"));
}

/// What stands in a program is found, and it does not fail. Nothing need be said about every
/// algorithm.
fn check_file(file: &Path) -> Result<(), String> {
    let source = read(file)?;
    let (expected, found) = (Expectation::parse(&source)?, corpus::measure(file, &source)?);
    if !found.violations.is_empty() {
        return Err(format!("it fails: {}", found.violations.join("; ")));
    }
    for &(algorithm, counted) in &expected.counts {
        match found.counted(algorithm) {
            Some(found) if found == counted => {}
            Some(found) => return Err(format!("- {algorithm}: {counted}\n+ {algorithm}: {found}")),
            None => return Err(format!("{algorithm} is skipped, and yet something is said about it")),
        }
    }
    if expected.counts.is_empty() { Err("nothing is said about any algorithm".into()) } else { Ok(()) }
}

/// Rewrites what stands in a program.
fn bless_file(file: &Path) -> Result<(), String> {
    let source = read(file)?;
    let found = corpus::measure(file, &source)?;
    std::fs::write(file, found.write_into(&source)).map_err(|error| error.to_string())
}

#[test]
fn every_program_finds_what_stands_in_it() {
    let bless = std::env::var_os("BLESS").is_some_and(|value| value != "0");
    on_every_program(|file| if bless { bless_file(file) } else { check_file(file) });
}

/// Those that are small enough, against brute force.
#[test]
fn every_small_program_agrees_with_brute_force() {
    on_every_program(|file| {
        if corpus::is_c(file) {
            return Ok(());
        }
        let source = read(file)?;
        let given = Expectation::parse(&source)?;
        let image = load(&file.display().to_string(), &source, &given.definitions)?;
        check_image(image, &Checks::default()).map(|_| ()).map_err(|disagreement| disagreement.to_string())
    });
}

/// Programs whose threads add to a counter by an atomic operation and do not use what it finds. In
/// C such additions commute; in the notation they are assignments, which do not.
const COUNTING: &[&str] = &["mergesort.c", "pi.c", "quicksort.c"];

/// A program in C counts what the same program counts in the notation.
#[test]
fn programs_in_c_count_as_those_in_the_notation() {
    let optimal = |file: &Path| {
        let counts = Expectation::parse(&read(file).ok()?).ok()?.counts;
        counts.into_iter().find(|(algorithm, _)| algorithm.name() == "optimal").map(|(_, counted)| counted.executions)
    };
    for file in files().into_iter().filter(|file| corpus::is_c(file)) {
        let (in_c, in_notation) = (optimal(&file), optimal(&file.with_extension("mzk")));
        assert!(in_c.is_some(), "{} says what it counts", file.display());
        let counts = file.file_name().is_some_and(|name| COUNTING.iter().any(|counting| name == *counting));
        if counts {
            assert!(in_c < in_notation, "{}: {in_c:?}, {in_notation:?}", file.display());
        } else {
            assert_eq!(in_c, in_notation, "{}", file.display());
        }
    }
}
