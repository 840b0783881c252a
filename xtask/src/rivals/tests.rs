//! The whole comparison with tools that are scripts: each prints what the real one does, and the
//! arguments it was given say which row it is.

use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use super::compare::{Comparison, Ending};
use super::rows::{ROWS, Row};
use super::tools::{Kind, Mazurka, find_all};
use super::{Format, Session, committed};

/// A folder for scripts, removed at the end. One at a time: a script that another thread's child
/// still holds open for writing cannot be run.
struct Scripts {
    folder: PathBuf,
    _alone: MutexGuard<'static, ()>,
}

impl Scripts {
    fn new(name: &str) -> Self {
        static ALONE: Mutex<()> = Mutex::new(());
        let alone = ALONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let folder = std::env::temp_dir().join(format!("mazurka-fakes-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Self { folder, _alone: alone }
    }

    fn add(&self, name: &str, lines: &str) -> PathBuf {
        let path = self.folder.join(name);
        std::fs::write(&path, format!("#!/bin/sh\n{lines}")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    /// An environment whose PATH is this folder, with further variables.
    fn environment<'a>(&'a self, variables: &'a [(&str, &Path)]) -> impl Fn(&str) -> Option<OsString> + 'a {
        move |name| match name {
            "PATH" => Some(self.folder.clone().into_os_string()),
            _ => variables.iter().find(|(variable, _)| *variable == name).map(|(_, path)| path.into()),
        }
    }

    /// A session with what is in the folder.
    fn session(&self) -> Session {
        let (others, missing) = find_all(&self.environment(&[]));
        let ours = Mazurka { program: self.folder.join("mazurka") };
        let limit = Duration::from_secs(8);
        Session { ours, others, missing, root: crate::shell::root(), limit, repeat: 2 }
    }
}

impl Drop for Scripts {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Explores as many executions as every row of lastwrite.c expects, and one of anything else.
const MAZURKA: &str = r#"
case "$*" in
  *"-D N=8"*) count=40320 ;;
  *"-D N=9"*) count=362880 ;;
  *) count=1 ;;
esac
echo "{\"verdict\": \"verified\", \"executions\": $count, \"blocked\": 0, \"assume_blocked\": 0}"
"#;

/// GenMC 0.11 as it prints, with some processor time of its own.
const GENMC: &str = r#"
if [ "$1" = --version ]; then echo "GenMC v0.11.0 (LLVM 19.1.7)"; exit 0; fi
[ "$1 $2 $3" = "--sc --disable-estimation --" ] || exit 3
count=1
case "$4" in
  -DN=8) count=40320; i=0; while [ $i -lt 50000 ]; do i=$((i + 1)); done ;;
  -DN=9) count=362879 ;;
esac
echo "*** Compilation complete."
echo "*** Verification complete."
echo "No errors were detected."
echo "Number of complete executions explored: $count"
[ "$4" = -DN=8 ] && echo "Number of blocked executions seen: 12"
echo "Total wall-clock time: 0.03s"
"#;

/// Nidhugg 0.4: fine on the trivial program; otherwise it crashes, hangs, prints nothing or finds a
/// failure.
const NIDHUGG: &str = r#"
if [ "$1" = --version ]; then echo "Nidhugg 0.4 (abc, Release, with LLVM-14.0.6:Release)"; exit 0; fi
case "$*" in
  *lastwrite.c*N=8*|*N=8*lastwrite.c*) echo "PLEASE submit a bug report" >&2; kill -SEGV $$ ;;
  *N=9*) sleep 60 & wait ;;
  *N=7*) ;;
  *R=3*) echo "Trace count: 3"; echo " Error detected:"; echo "Assertion violation"; exit 42 ;;
  *) [ "$1 $2 $3" = "-- -sc -optimal" ] || exit 3; echo "Trace count: 1"; echo "No errors were detected." ;;
esac
"#;

fn named(program: &str, constants: &str) -> &'static Row {
    let found = ROWS.iter().find(|row| row.program.ends_with(program) && row.constants == constants);
    found.expect("a row of the table")
}

fn compare(session: &mut Session, rows: &[&Row]) -> Comparison {
    session.compare(rows).unwrap()
}

#[test]
fn both_tools_are_driven_and_marked() {
    let scripts = Scripts::new("both");
    scripts.add("mazurka", MAZURKA);
    scripts.add("genmc", GENMC);
    scripts.add("nidhuggc", NIDHUGG);
    let mut session = scripts.session();
    assert_eq!(session.missing, []);
    let versions: Vec<&str> = session.others.iter().map(|tool| tool.version.as_str()).collect();
    assert_eq!(versions, ["0.11.0", "0.4"]);

    let started = Instant::now();
    let rows = [named("c/lastwrite.c", "N=8"), named("c/lastwrite.c", "N=9"), named("c/floating-read.c", "N=7")];
    let comparison = compare(&mut session, &rows);
    // A tool that hangs is ended with all that it started, and not run again.
    assert!(started.elapsed() < Duration::from_secs(55), "{:?}", started.elapsed());

    let [eight, nine, floating] = &comparison.rows[..] else { panic!("three rows") };
    let genmc = eight.others[0].counts().unwrap();
    assert_eq!((genmc.executions, genmc.blocked), (40_320, 12));
    assert!(genmc.seconds > 0.01, "{genmc:?}");
    let Some(Ending::Failed(message)) = eight.others[1].ending() else { panic!("{:?}", eight.others[1]) };
    assert!(message.contains("bug report") && message.contains("signal 11"), "{message}");
    assert_eq!(nine.others[1].ending(), Some(&Ending::Timeout));
    let Some(Ending::Failed(message)) = floating.others[1].ending() else { panic!("{:?}", floating.others[1]) };
    assert_eq!(message, "nothing printed (status 0)");

    assert!(comparison.ratio(eight, 0).unwrap().best > 1.0);
    assert_eq!(comparison.marks(nine)[0], "more executions than GenMC");
    assert_eq!(comparison.marks(floating)[0], "40320 executions expected");
    assert!(comparison.failures().len() >= 2);

    let text = session.report(&comparison, Format::Markdown).unwrap();
    assert!(text.contains("GenMC 0.11.0 (`--sc --disable-estimation`) takes "), "{text}");
    assert!(text.contains("Nidhugg 0.4 (`-sc -optimal`): finished no row"), "{text}");
    assert!(text.contains("40320 + 12") && text.contains("**more executions than GenMC**"), "{text}");
    assert!(!text.contains("was not run"), "{text}");
}

#[test]
fn a_failure_that_another_tool_finds_is_no_count() {
    let scripts = Scripts::new("failure");
    scripts.add("mazurka", MAZURKA);
    scripts.add("nidhuggc", NIDHUGG);
    let mut session = scripts.session();
    let comparison = compare(&mut session, &[named("dispatcher.c", "R=3")]);
    assert!(matches!(comparison.rows[0].others[0].ending(), Some(Ending::Violation(_))));
}

#[test]
fn without_the_others_our_side_stands_with_the_committed_ratios() {
    let scripts = Scripts::new("alone");
    scripts.add("mazurka", MAZURKA);
    let mut session = scripts.session();
    let comparison = compare(&mut session, &[named("c/lastwrite.c", "N=8")]);
    assert_eq!(comparison.failures(), [""; 0]);
    let text = session.report(&comparison, Format::Markdown).unwrap();
    assert!(text.contains("| lastwrite.c | N=8"), "{text}");
    assert!(text.contains("GenMC was not run: `genmc` is not on the PATH, and GENMC does not name it."), "{text}");
    assert!(text.contains("- GenMC 0.11 took 11.5 times as long (2.0 to 86; 9.9 by the worse of our runs)"), "{text}");
    assert!(text.contains("took 74 times as long (30 to 197; 64 by the worse of our runs)"), "{text}");
    let csv = session.report(&comparison, Format::Csv).unwrap();
    assert!(csv.lines().nth(1).unwrap().starts_with("mazurka,"), "{csv}");
    assert!(csv.contains(",bench/c/lastwrite.c,N=8,optimal,finished,40320,0,"), "{csv}");
}

#[test]
fn a_tool_that_fails_on_the_trivial_program_is_left_out() {
    let scripts = Scripts::new("broken");
    scripts.add("mazurka", MAZURKA);
    scripts.add("genmc", "exit 1\n");
    let mut session = scripts.session();
    assert_eq!(session.others[0].version, "unknown");
    let comparison = compare(&mut session, &[named("c/lastwrite.c", "N=8")]);
    assert!(comparison.subjects.is_empty() && comparison.rows[0].others.is_empty());
    let (kind, reason) = session.missing.last().unwrap();
    assert_eq!(*kind, Kind::GenMc);
    assert!(reason.ends_with("fails on bench/rivals/trivial.c"), "{reason}");
}

#[test]
fn our_own_crash_is_a_failure() {
    let scripts = Scripts::new("ours");
    let crash_unless_trivial = format!("case \"$*\" in *trivial.c*) ;; *) exit 101 ;; esac\n{MAZURKA}");
    scripts.add("mazurka", &crash_unless_trivial);
    let mut session = scripts.session();
    let comparison = compare(&mut session, &[named("c/lastwrite.c", "N=8")]);
    let failures = comparison.failures();
    assert_eq!(failures, ["bench/c/lastwrite.c N=8: failed: nothing printed (status 101)"]);
}

#[test]
fn variables_name_tools() {
    let scripts = Scripts::new("variables");
    let genmc = scripts.add("my-genmc", GENMC);
    scripts.add("nidhuggc", NIDHUGG);
    // The interpreter is named; its driver stands beside it.
    let nidhugg = scripts.add("nidhugg", "");
    let (found, missing) = find_all(&scripts.environment(&[("GENMC", &genmc), ("NIDHUGG", &nidhugg)]));
    assert_eq!(missing, []);
    assert!(found[0].path.ends_with("my-genmc") && found[1].path.ends_with("nidhuggc"));
    let nowhere = scripts.folder.join("nowhere");
    let (_, missing) = find_all(&scripts.environment(&[("GENMC", &nowhere)]));
    assert!(missing.iter().any(|(kind, reason)| *kind == Kind::GenMc && reason.starts_with("GENMC=")), "{missing:?}");
}

#[test]
fn what_is_kept_is_shown_where_the_tool_is_missing() {
    let scripts = Scripts::new("kept");
    scripts.add("mazurka", MAZURKA);
    let genmc = scripts.add("genmc", GENMC);
    let rows = [named("c/lastwrite.c", "N=8")];
    let comparison = compare(&mut scripts.session(), &rows);
    let file = scripts.folder.join("rows.csv");
    committed::keep(&file, &comparison).unwrap();
    committed::keep(&file, &comparison).unwrap();
    let kept = committed::rows(&scripts.folder).unwrap();
    assert_eq!(kept.len(), 2);
    assert_eq!((kept[0].tool.as_str(), kept[0].version.as_str()), ("GenMC", "0.11.0"));
    assert_eq!(kept[0].executions, Some(40_320));

    std::fs::remove_file(genmc).unwrap();
    let mut session = scripts.session();
    let comparison = compare(&mut session, &rows);
    let text = super::table::text(&comparison, &session.missing, &[], &kept);
    assert!(text.contains("GenMC then: executions") && text.contains("- Rows: version 0.11.0, "), "{text}");
}
