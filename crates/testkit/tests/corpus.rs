//! The programs of the corpus find what stands in them. `BLESS=1 cargo test`, or `cargo xtask
//! bless`, rewrites it.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use mazurka_actor::ActorMachine;
use mazurka_sdn::{Barriers, NetworkMachine};
use mazurka_testkit::corpus::{self, Expectation};
use mazurka_testkit::network::load_network;
use mazurka_testkit::{Checks, check_image, check_machine, load};

fn files() -> Vec<PathBuf> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let mut files = corpus::files(&corpus).expect("the corpus is there");
    if mazurka_clang::Clang::find(None).is_err() {
        let needed = std::env::var_os("MAZURKA_NEED_CLANG").is_some_and(|value| value == "1");
        assert!(!needed, "clang is missing, and MAZURKA_NEED_CLANG is set");
        files.retain(|file| !corpus::is_c(file));
    }
    // `ONLY=sdn`: files whose paths have that.
    if let Ok(only) = std::env::var("ONLY") {
        files.retain(|file| file.display().to_string().contains(&only));
    }
    files
}

/// Runs a check on every program, on all processors; panics with all complaints.
fn on_every_program(check: impl Fn(&Path) -> Result<(), String> + Sync) {
    let files = files();
    assert!(files.len() >= 40 || std::env::var_os("ONLY").is_some(), "the corpus has {} programs", files.len());
    let (next, complaints) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(error) = check(file) {
                        let name = file.file_name().unwrap_or_default().display();
                        complaints.lock().expect("nobody panics with it").push(format!("{name}:\n{error}"));
                    }
                }
            });
        }
    });
    let mut complaints = complaints.into_inner().expect("nobody panics with it");
    complaints.sort();
    assert!(complaints.is_empty(), "{} programs disagree\n{}", complaints.len(), complaints.join("\n\n"));
}

#[test]
fn every_program_finds_what_stands_in_it() {
    let bless = std::env::var_os("BLESS").is_some_and(|value| value != "0");
    on_every_program(|file| if bless { corpus::bless_file(file).map(|_| ()) } else { corpus::check_file(file) });
}

/// Several workers find the same, however the work is divided.
#[test]
fn several_workers_find_what_one_does() {
    on_every_program(|file| {
        if corpus::is_actor(file) {
            return Ok(());
        }
        (1..=3).try_for_each(|seed| corpus::compare_workers(file, 2 * seed as usize - 1, seed))
    });
}

/// The programs that are small enough, against brute force.
#[test]
fn every_small_program_agrees_with_brute_force() {
    on_every_program(|file| {
        if corpus::is_c(file) {
            return Ok(());
        }
        let source = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
        let given = Expectation::parse(&source)?;
        if corpus::is_actor(file) {
            let image = corpus::load_actor(&file.display().to_string(), &source, &given)?;
            let checked = check_machine(ActorMachine::new(image), &Checks { workers: Vec::new(), ..Checks::default() });
            return checked.map(|_| ()).map_err(|disagreement| disagreement.to_string());
        }
        let name = file.display().to_string();
        if corpus::is_network(file) {
            let image = load_network(&name, &source, &given.definitions, Barriers::Scoped)?;
            let checked = check_machine(NetworkMachine::new(image), &Checks::default());
            return checked.map(|_| ()).map_err(|disagreement| disagreement.to_string());
        }
        let image = load(&name, &source, &given.definitions)?;
        check_image(image, &Checks::default()).map(|_| ()).map_err(|disagreement| disagreement.to_string())
    });
}
