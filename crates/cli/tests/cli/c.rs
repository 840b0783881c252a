//! C programs, good and bad.

use crate::sandbox::{Ran, Sandbox};

/// Whether clang is there; where it has to be and is not, the test fails.
pub(crate) fn clang() -> bool {
    let found = mazurka_clang::Clang::find(None).is_ok();
    let needed = std::env::var_os("MAZURKA_NEED_CLANG").is_some_and(|value| value == "1");
    assert!(found || !needed, "clang is missing, and MAZURKA_NEED_CLANG is set");
    found
}

/// Runs a program of one file.
fn check(name: &str, program: &str, options: &[&str]) -> Option<Ran> {
    clang().then(|| {
        let sandbox = Sandbox::new(name);
        sandbox.write("program.c", program);
        sandbox.run(&[&["check", "program.c"], options].concat())
    })
}

const RACE: &str = "#include <pthread.h>
#include <stdio.h>
int x;
static void *worker(void *unused) {
    (void)unused;
    x = 1;
    return NULL;
}
int main(void) {
    pthread_t thread;
    puts(\"begin\");
    pthread_create(&thread, NULL, worker, NULL);
    int seen = x;
    pthread_join(thread, NULL);
    return seen > 1;
}
";

#[test]
fn a_data_race_shows_both_places() {
    let Some(ran) = check("c-race", RACE, &[]) else { return };
    assert_eq!(ran.status, Some(1), "{ran:?}");
    for part in ["data race on `x`", "program.c:6 by worker#1", "program.c:13 by main", "printed so far:", "begin"] {
        assert!(ran.stdout.contains(part), "`{part}` in {}", ran.stdout);
    }
    let Some(ran) = check("c-race-off", RACE, &["--no-data-races"]) else { return };
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(
        ran.stdout.starts_with("verified: no schedule fails under sequential consistency (2 executions"),
        "{ran:?}"
    );
}

/// One thread counts under a mutex, the other too; with `UNLOCKED` the second does not.
const COUNT: &str = "#include <pthread.h>
#include <assert.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int count;
static void *worker(void *unused) {
    pthread_mutex_lock(&m);
    count++;
    pthread_mutex_unlock(&m);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
#ifndef UNLOCKED
    pthread_mutex_lock(&m);
#endif
    count++;
#ifndef UNLOCKED
    pthread_mutex_unlock(&m);
#endif
    pthread_join(thread, NULL);
#ifdef WRONG
    assert(count == 3);
#endif
    return 0;
}
";

#[test]
fn lock_races_only() {
    let only = ["-a", "quasi:optimal", "--lock-races-only", "--format", "json"];
    let run = |name, more: &[&str]| check(name, COUNT, &[&only[..], more].concat());
    let Some(ran) = run("c-locks", &[]) else { return };
    let json = ran.json();
    assert_eq!((&json["verdict"], &json["executions"]), (&"verified".into(), &2.into()), "{ran:?}");
    // A data race is reported, and not reversed.
    let Some(ran) = run("c-locks-race", &["-D", "UNLOCKED", "--all"]) else { return };
    let json = ran.json();
    assert_eq!((&json["verdict"], &json["executions"]), (&"violation".into(), &1.into()), "{ran:?}");
    assert_eq!(json["violations"][0]["kind"], "data-race", "{ran:?}");
    // Where it is not looked for, nobody claims that there is none.
    let Some(ran) = run("c-locks-share", &["-D", "UNLOCKED", "--data-race-share", "0"]) else { return };
    assert_eq!((ran.status, &ran.json()["limits"][0]), (Some(3), &"data-race-share".into()), "{ran:?}");
    let Some(ran) = run("c-locks-half", &["--data-race-share", "50"]) else { return };
    assert_eq!((ran.status, &ran.json()["executions"]), (Some(3), &2.into()), "{ran:?}");
    // Other failures are found as ever.
    let Some(ran) = run("c-locks-wrong", &["-D", "WRONG"]) else { return };
    assert_eq!(ran.json()["violations"][0]["kind"], "assertion", "{ran:?}");
}

#[test]
fn lock_races_only_is_for_the_unfolding() {
    let refused = |name, options: &[&str]| check(name, COUNT, options).map(|ran| ran.status);
    let Some(status) = refused("c-locks-optimal", &["--lock-races-only"]) else { return };
    assert_eq!(status, Some(2));
    assert_eq!(refused("c-locks-alone", &["--data-race-share", "10"]), Some(Some(2)));
    let both = ["-a", "quasi:1", "--lock-races-only", "--no-data-races"];
    assert_eq!(refused("c-locks-both", &both), Some(Some(2)));
    assert_eq!(refused("c-step", &["--skip-step", "2"]), Some(Some(2)));
    assert_eq!(refused("c-step-one", &["-a", "quasi:1", "--skip-step", "1"]), Some(Some(2)));
    assert_eq!(refused("c-step-two", &["-a", "quasi:1", "--skip-step", "2"]), Some(Some(0)));
}

/// Every program of the corpus that fails does so where only synchronisation is interference.
#[test]
fn the_corpus_fails_with_lock_races_only() {
    if !clang() {
        return;
    }
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/violation/c");
    let sandbox = Sandbox::new("c-locks-corpus");
    let entries = std::fs::read_dir(folder).expect("the corpus is there");
    let files = entries.map(|entry| entry.expect("a folder can be listed").path());
    let mut count = 0;
    for file in files.filter(|file| file.extension().is_some_and(|ending| ending == "c")) {
        let path = file.to_str().expect("a path is text");
        let plain = sandbox.run(&["check", path, "-a", "quasi:optimal"]);
        let only = sandbox.run(&["check", path, "-a", "quasi:optimal", "--lock-races-only"]);
        assert_eq!(only.status, plain.status, "{path}: {only:?}");
        let drawn = ["check", path, "-a", "quasi:optimal", "--lock-races-only", "--dot", "unfolding.dot"];
        assert_eq!(sandbox.run(&drawn).status, plain.status, "{path}: drawn");
        count += 1;
    }
    assert!(count > 20, "{count} programs");
}

#[test]
fn json_tells_the_same() {
    let Some(ran) = check("c-json", RACE, &["--format", "json", "--all"]) else { return };
    let json = ran.json();
    assert_eq!((&json["verdict"], &json["memory_model"]), (&"violation".into(), &"sequential consistency".into()));
    // Which races there are is told by all orders.
    assert_eq!(json["algorithm"], "optimal");
    let violation = &json["violations"][0];
    assert_eq!((&violation["kind"], &violation["fault"]), (&"data-race".into(), &"data-race".into()));
    assert_eq!(violation["racing"].as_array().map(Vec::len), Some(2), "{json}");
    assert_eq!(violation["output"], "begin\n");
    assert!(json["compile_time_s"].as_f64() <= json["frontend_time_s"].as_f64() && json["compile_time_s"] != 0.0);
}

#[test]
fn saved_schedules_of_c_programs_run_again() {
    if !clang() {
        return;
    }
    let sandbox = Sandbox::new("c-replay");
    sandbox.write("worker.c", "#include \"shared.h\"\nvoid work(void) { if (LIMIT > 1) x = LIMIT; }\n");
    std::fs::create_dir(sandbox.path().join("inc")).expect("a directory can be made");
    sandbox.write("inc/shared.h", "#include <stdatomic.h>\nextern atomic_int x;\nvoid work(void);\n");
    sandbox.write(
        "main.c",
        "#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\n#include \"shared.h\"\natomic_int x;\n\
         static void *run(void *unused) { work(); return unused; }\n\
         int main(int argc, char **argv) {\n  pthread_t t;\n  pthread_create(&t, NULL, run, NULL);\n\
         \x20 int wanted = argc > 1 ? atoi(argv[1]) : 0;\n  assert(x != wanted);\n  pthread_join(t, NULL);\n  return 0;\n}\n",
    );
    let ran = sandbox.run(&[
        "check",
        "main.c",
        "worker.c",
        "-I",
        "inc",
        "-D",
        "LIMIT=7",
        "--save-trace",
        "t.json",
        "--",
        "7",
    ]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.stdout.contains("assertion failed: x != wanted"), "{ran:?}");
    let ran = sandbox.run(&["replay", "main.c", "worker.c", "t.json"]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.stdout.starts_with("violation shows again: assertion failed: x != wanted"), "{ran:?}");
    // A changed header is a changed program.
    sandbox.write("inc/shared.h", "#include <stdatomic.h>\nextern atomic_int x;\nvoid work(void); // changed\n");
    sandbox.run(&["replay", "main.c", "worker.c", "t.json"]).is_refused(&["has changed"]);
}

#[test]
fn a_data_race_and_a_livelock_come_back() {
    if !clang() {
        return;
    }
    let sandbox = Sandbox::new("c-replay-kinds");
    sandbox.write("race.c", RACE);
    sandbox.write(
        "livelock.c",
        "#include <stdatomic.h>\natomic_int flag;\nint main(void) {\n  while (!flag)\n    ;\n  return 0;\n}\n",
    );
    for (program, words) in [("race.c", "data race on `x`"), ("livelock.c", "livelock: main cannot move")] {
        let ran = sandbox.run(&["check", program, "--save-trace", "t.json"]);
        assert_eq!(ran.status, Some(1), "{ran:?}");
        let ran = sandbox.run(&["replay", program, "t.json"]);
        assert!(ran.stdout.starts_with(&format!("violation shows again: {words}")), "{ran:?}");
    }
}

#[test]
fn clang_errors_are_passed_on() {
    let Some(ran) = check("c-error", "int main(void) { return x; }\n", &[]) else { return };
    ran.is_refused(&["program.c:1:25: error: use of undeclared identifier 'x'", "clang does not compile `program.c`"]);
    let warned = "int main(void) { int unused; return 0; }\n";
    let Some(ran) = check("c-quiet", warned, &["--cflags", "-Wall"]) else { return };
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{ran:?}");
    let Some(ran) = check("c-warned", warned, &["--cflags", "-Wall", "--warnings"]) else { return };
    assert!(ran.status == Some(0) && ran.stderr.contains("unused variable"), "{ran:?}");
}

#[test]
fn a_missing_clang_says_how_to_get_one() {
    let sandbox = Sandbox::new("c-missing");
    sandbox.write("program.c", "int main(void) { return 0; }\n");
    let ran = sandbox.run(&["check", "program.c", "--clang", "no-such-clang"]);
    ran.is_refused(&["no-such-clang", "apt install clang-19", "ziglang", "MAZURKA_CLANG"]);
    let mut command = sandbox.mazurka(&["check", "program.c"]);
    let output = command.env("PATH", "/nowhere").env_remove("MAZURKA_CLANG").output().expect("it runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("there is none on the path"), "{output:?}");
}

#[test]
fn what_is_missing_or_not_supported_is_listed_at_once() {
    let Some(ran) = check("c-main", "int helper(void) { return 0; }\n", &[]) else { return };
    ran.is_refused(&["main"]);
    let program = "int unknown(int);\nvoid other(void);\nint main(void) {\n  unknown(1);\n  int y;\n  __asm__(\"movl $1, %0\" : \"=r\"(y));\n\
                   \x20 other();\n  return unknown(2);\n}\n";
    let Some(ran) = check("c-unknown", program, &[]) else { return };
    ran.is_refused(&["`unknown`", "program.c:4:3", "program.c:6:3", "`other`", "program.c:7:3", "program.c:8:10"]);
    let nondet = "int __VERIFIER_nondet_int(void);\nint main(void) { return __VERIFIER_nondet_int(); }\n";
    let Some(ran) = check("c-nondet", nondet, &[]) else { return };
    ran.is_refused(&["program.c:2", "--nondet"]);
}

#[test]
fn endless_loops_are_cut() {
    let endless = "int main(void) { unsigned x = 1; for (;;) x = x * 3 + 1; }\n";
    let Some(ran) = check("c-endless", endless, &["--max-instructions", "100_000"]) else { return };
    assert_eq!(ran.status, Some(3), "{ran:?}");
    assert!(ran.stdout.contains("incomplete: ") && ran.stdout.contains("100,000 instructions"), "{ran:?}");
    let shared = "#include <stdatomic.h>\natomic_uint x;\nint main(void) { for (;;) x++; }\n";
    let Some(ran) = check("c-endless-shared", shared, &["--unroll", "5"]) else { return };
    assert_eq!(ran.status, Some(3), "{ran:?}");
    assert!(ran.stdout.contains("limit of 5 rounds"), "{ran:?}");
    let Some(ran) = check("c-endless-deep", shared, &["--max-depth", "1000"]) else { return };
    assert_eq!(ran.status, Some(3), "{ran:?}");
}

#[test]
fn an_endless_thread_does_not_hide_the_others() {
    let program = "#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static void *endless(void *a) { for (;;) x++; return a; }
static void *other(void *a) { y = 1; assert(y == 0); return a; }
int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, endless, NULL);
    pthread_create(&two, NULL, other, NULL);
    pthread_join(one, NULL);
    return 0;
}
";
    for algorithm in ["dpor", "source", "optimal"] {
        let Some(ran) = check("c-endless-beside", program, &["-a", algorithm, "--max-depth", "3000"]) else { return };
        assert_eq!(ran.status, Some(1), "{ran:?}");
        assert!(ran.stdout.contains("assertion failed: y == 0"), "{ran:?}");
    }
}

#[test]
fn context_sensitive_engines_say_what_they_do_about_data_races() {
    let Some(ran) = check("c-cs", RACE, &["-a", "optimal-cs", "--no-data-races"]) else { return };
    assert!(ran.stdout.contains("(optimal-cs;"), "{ran:?}");
    let quiet = RACE.replace("int x;", "#include <stdatomic.h>\natomic_int x;");
    let Some(ran) = check("c-cs-races", &quiet, &["-a", "optimal-cs"]) else { return };
    assert!(ran.stdout.contains("optimal-cs, as optimal:"), "{ran:?}");
}

#[test]
fn errors_are_an_object_too() {
    let Some(ran) = check("c-json-error", "int main(void) { return missing(); }", &["--format", "json"]) else {
        return;
    };
    assert_eq!(ran.status, Some(2), "{ran:?}");
    let object: serde_json::Value = serde_json::from_str(&ran.stdout).expect("one object");
    assert!(object["error"].as_str().is_some_and(|error| error.contains("missing")), "{ran:?}");
    assert!(ran.stderr.contains("missing"), "{ran:?}");
}

#[test]
fn recursion_without_an_end_is_the_programs_failure() {
    let program = "int down(int n) { return down(n + 1) + 1; }\nint main(void) { return down(0); }\n";
    let Some(ran) = check("c-recursion", program, &[]) else { return };
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.stdout.contains("stack overflow"), "{ran:?}");
}

#[test]
fn a_thousand_threads() {
    let program = "#include <pthread.h>\n#include <stdatomic.h>\n#define N 1000\nstatic atomic_int own[N];\n\
        static void *worker(void *mine) { ++*(atomic_int *)mine; return NULL; }\n\
        int main(void) {\n  static pthread_t threads[N];\n\
        \x20 for (int i = 0; i < N; i++) pthread_create(&threads[i], NULL, worker, &own[i]);\n\
        \x20 for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);\n  return 0;\n}\n";
    let Some(ran) = check("c-thousand", program, &["-a", "source"]) else { return };
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(ran.stdout.contains("(1 execution,"), "{ran:?}");
}

#[test]
fn bitcode_that_is_none() {
    let sandbox = Sandbox::new("c-garbage");
    sandbox.write("empty.bc", "").write("garbage.bc", [7u8; 1000]).write("half.bc", b"BC\xC0\xDE\x35\x14\x00");
    for file in ["empty.bc", "garbage.bc", "half.bc"] {
        sandbox.run(&["check", file]).is_refused(&[file, "bitcode"]);
    }
}

#[test]
fn files_of_two_kinds_make_no_program() {
    let sandbox = Sandbox::new("c-mixed");
    sandbox.write("a.c", "int main(void) { return 0; }\n").write("b.mzk", "int x = 0; process p { x = 1; }");
    sandbox.run(&["check", "a.c", "b.mzk"]).is_refused(&["are not of one kind"]);
}

/// Each failing C program of the corpus shows its failure once more when its schedule is run again.
#[test]
fn failures_of_the_corpus_come_back() {
    if !clang() {
        return;
    }
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/violation/c");
    let entries = std::fs::read_dir(folder).expect("the corpus is there");
    let sandbox = Sandbox::new("c-corpus");
    for path in entries.map(|entry| entry.expect("a folder can be read").path()) {
        let source = std::fs::read_to_string(&path).expect("it is text");
        let flags = source.lines().find_map(|line| line.strip_prefix("//~ flags: ")).unwrap_or_default();
        let program = path.to_str().expect("its name is text");
        let mut arguments = vec!["check", program, "--save-trace", "t.json"];
        arguments.extend(flags.split_whitespace());
        assert_eq!(sandbox.run(&arguments).status, Some(1), "{program}");
        let ran = sandbox.run(&["replay", program, "t.json", "--format", "json"]);
        assert!(ran.status == Some(1) && ran.json()["reproduced"] == true, "{program}: {ran:?}");
    }
}

/// Loops of exactly three rounds, decided before each round and after it.
#[test]
fn unrolling_lets_as_many_rounds_run() {
    let program = "int main(void) {
    int sum = 0, round = 0;
    for (int i = 0; i < 3; i++) sum += i;
    do sum++; while (++round < 3);
    while (round > 0) { if (round == 7) continue; round--; }
    return sum - 6;
}
";
    for (rounds, status) in [("2", 3), ("3", 0), ("4", 0)] {
        let Some(ran) = check("c-unroll-rounds", program, &["--unroll", rounds]) else { return };
        assert_eq!(ran.status, Some(status), "{rounds}: {ran:?}");
    }
    let once = "int main(void) { int round = 0; do round++; while (round < 4); return 0; }";
    let Some(ran) = check("c-unroll-once", once, &["--unroll", "3"]) else { return };
    assert_eq!(ran.status, Some(3), "{ran:?}");
    assert!(ran.stdout.contains("note: main was cut in a loop at program.c:1:"), "{ran:?}");
    assert!(ran.stdout.contains("`--unroll N` with N above 3 allows for more rounds"), "{ran:?}");
}

#[test]
fn an_exit_status_other_than_zero_is_a_failure() {
    let ends = [("return 3;", 3), ("exit(259);", 3), ("quick_exit(1);", 1), ("_Exit(255);", 255), ("exit(-1);", 255)];
    for (end, status) in ends {
        let program = format!("#include <stdlib.h>\nint main(void) {{ {end} }}\n");
        let Some(ran) = check("c-exit-status", &program, &["--format", "json"]) else { return };
        assert_eq!(ran.status, Some(1), "{end}: {ran:?}");
        let report: serde_json::Value = serde_json::from_str(&ran.stdout).expect("it is JSON");
        let violation = &report["violations"][0];
        assert_eq!(violation["kind"], "exit-status", "{end}");
        assert_eq!(violation["message"], format!("the program ends with exit status {status}"), "{end}");
        assert!(violation["location"].as_str().is_some_and(|at| at.starts_with("program.c:2:")), "{violation}");
        let Some(ran) = check("c-any-exit-status", &program, &["--any-exit-status"]) else { return };
        assert_eq!(ran.status, Some(0), "{end}: {ran:?}");
    }
    for end in ["exit(256);", "exit(0);", "return 512;"] {
        let program = format!("#include <stdlib.h>\nint main(void) {{ {end} }}\n");
        let Some(ran) = check("c-exit-status-zero", &program, &[]) else { return };
        assert_eq!(ran.status, Some(0), "{end}: {ran:?}");
    }
}

/// A wait for a condition: `LOOK` is how it is looked at.
const WAIT: &str = "#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;
static void pause(void) { pthread_cond_wait(&c, &m); }
static void (*const pauses)(void) = pause;
static void *waiter(void *unused) {
    pthread_mutex_lock(&m);
    LOOK;
    pthread_mutex_unlock(&m);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waiter, NULL);
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_join(thread, NULL);
    return 0;
}
";

#[test]
fn a_wait_in_no_loop_is_noted() {
    let look = |look: &str, options: &[&str]| {
        check("c-bare-wait", WAIT, &[&["-D", &format!("LOOK={look}"), "--format", "json"], options].concat())
    };
    let notes = |ran: &Ran| {
        assert_eq!(ran.status, Some(0), "{ran:?}");
        let report: serde_json::Value = serde_json::from_str(&ran.stdout).expect("it is JSON");
        report["notes"].as_array().expect("there are notes").clone()
    };
    for (bare, line) in [("if (!ready) pthread_cond_wait(&c, &m)", 9), ("if (!ready) pause()", 5)] {
        let Some(ran) = look(bare, &[]) else { return };
        let notes = notes(&ran);
        assert_eq!(notes.len(), 1, "{bare}: {notes:?}");
        let note = notes[0].as_str().expect("it is a text");
        assert!(note.starts_with(&format!("the wait at program.c:{line}:")), "{note}");
        assert!(note.contains("`--spurious-wakeups 1`"), "{note}");
    }
    for right in ["while (!ready) pthread_cond_wait(&c, &m)", "while (!ready) pause()", "while (!ready) pauses()"] {
        let Some(ran) = look(right, &[]) else { return };
        assert!(notes(&ran).is_empty(), "{right}: {ran:?}");
    }
    let Some(ran) = look("if (!ready) pause()", &["--spurious-wakeups", "1"]) else { return };
    assert!(notes(&ran).is_empty(), "{ran:?}");
}

#[test]
fn who_makes_an_execution_too_long_is_told() {
    let program = "#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *worker(void *unused) {
    for (;;)
        x++;
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    return 0;
}
";
    let Some(ran) = check("c-endless", program, &["--max-depth", "1000"]) else { return };
    assert_eq!(ran.status, Some(3), "{ran:?}");
    let note = "note: worker#1 took 999 of the 1,000 events of an execution that was cut, most of them at program.c:6:";
    assert!(ran.stdout.contains(note), "{}", ran.stdout);
    assert!(ran.stdout.contains("`--max-depth N` allows for longer executions, `--unroll N` cuts loops"), "{ran:?}");
    let local = "int main(void) { volatile int x = 1; while (x) x++; return 0; }";
    let Some(ran) = check("c-endless-step", local, &["--max-instructions", "1000"]) else { return };
    assert_eq!(ran.status, Some(3), "{ran:?}");
    assert!(ran.stdout.contains("note: main was cut in a loop at program.c:1:"), "{}", ran.stdout);
    assert!(ran.stdout.contains("`--max-instructions N` allows for longer steps"), "{}", ran.stdout);
}
