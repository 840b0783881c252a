//! `mazurka deadlocks`.

use crate::sandbox::Sandbox;

/// A program of the benchmark suite.
fn suite(name: &str) -> String {
    let path = format!("{}/../../bench/suites/ifm16/{name}.abs", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).expect("a program of the suite")
}

/// Two objects of which the first awaits the second before it asks again.
const AWAITED: &str = "module M;
interface A { Unit go(B b); Unit answer(); }
interface B { Unit ask(A a); Unit quick(); }
class A implements A {
  Unit go(B b) { Fut<Unit> f = b!ask(this); await f?; Fut<Unit> g = b!quick(); g.get; }
  Unit answer() { }
}
class B implements B { Unit ask(A a) { Fut<Unit> h = a!answer(); h.get; } Unit quick() { } }
{ A a = new A(); B b = new B(); a!go(b); }
";

#[test]
fn a_deadlock_is_confirmed_and_can_be_replayed() {
    let sandbox = Sandbox::new("deadlocks");
    sandbox.write("barber.abs", suite("sleeping-barber"));
    let ran = sandbox.run(&["deadlocks", "barber.abs", "--save-trace", "traces", "--dot", "waits.dot"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(1), ""), "{ran:?}");
    for part in ["deadlock: 1 of 1 cycle confirmed", "CONFIRMED after ", "is blocked at line ", "not covered: "] {
        assert!(ran.stdout.contains(part), "`{part}` in {}", ran.stdout);
    }
    let dot = std::fs::read_to_string(sandbox.path().join("waits.dot")).expect("it was drawn");
    assert!(dot.starts_with("digraph") && dot.contains("style=bold"));
    let again = sandbox.run(&["replay", "barber.abs", "traces/cycle-1.json"]);
    assert_eq!(again.status, Some(1), "{again:?}");
    assert!(again.stdout.contains("violation shows again: deadlock"), "{}", again.stdout);
}

#[test]
fn answers_for_programs() {
    let sandbox = Sandbox::new("deadlocks-json");
    for (name, status, verdict, proof, cycles) in [
        ("sleeping-barber", 1, "deadlock", None, &["confirmed"][..]),
        ("making-water", 1, "deadlock", None, &["confirmed", "refuted"]),
        ("free-pairing", 0, "free", Some("exploration"), &["refuted", "refuted"]),
        ("free-unfold-loop", 0, "free", Some("exploration"), &["refuted"]),
    ] {
        sandbox.write("p.abs", suite(name));
        let ran = sandbox.run(&["deadlocks", "p.abs", "--format", "json"]);
        assert_eq!(ran.status, Some(status), "{name}: {ran:?}");
        let json = ran.json();
        assert_eq!((&json["tool"], &json["verdict"]), (&"mazurka".into(), &verdict.into()), "{name}");
        assert_eq!(json["proof"], proof.map_or(serde_json::Value::Null, Into::into), "{name}");
        let statuses: Vec<&str> =
            json["cycles"].as_array().expect("a list").iter().filter_map(|cycle| cycle["status"].as_str()).collect();
        assert_eq!(statuses, cycles, "{name}");
        assert!(json["cycles"][0]["edges"][0]["point"].as_str().is_some_and(|point| point.starts_with("p.abs:")));
        for field in ["stuck", "uncovered", "states", "pruned", "deadlocks", "time_s", "analysis_time_s", "limits_hit"]
        {
            assert!(!json[field].is_null(), "{name}: {field}");
        }
    }
}

#[test]
fn a_proof_says_why() {
    let sandbox = Sandbox::new("deadlocks-proof");
    sandbox.write("p.abs", AWAITED);
    let ran = sandbox.run(&["deadlocks", "p.abs"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    for part in ["deadlock-free: proved by analysis (1 cycle, ", "cannot happen: `ask` of B ", "awaited at line 5"] {
        assert!(ran.stdout.contains(part), "`{part}` in {}", ran.stdout);
    }
    let ran = sandbox.run(&["deadlocks", "p.abs", "--no-mhp"]);
    assert!(ran.status == Some(0) && ran.stdout.contains("1 cycle, refuted"), "{ran:?}");
    let ran = sandbox.run(&["deadlocks", "p.abs", "--no-mhp", "--static"]);
    assert!(ran.status == Some(3) && ran.stdout.contains("unknown: 1 cycle left by the analysis"), "{ran:?}");
}

#[test]
fn limits_and_refusals() {
    let sandbox = Sandbox::new("deadlocks-limits");
    sandbox.write("p.abs", suite("free-pairing"));
    let ran = sandbox.run(&["deadlocks", "p.abs", "--max-states", "5"]);
    assert!(ran.status == Some(3) && ran.stdout.starts_with("unknown: 2 cycles neither"), "{ran:?}");
    sandbox.write("p.mzk", "int x = 0; process p { x = 1; }");
    let ran = sandbox.run(&["deadlocks", "p.mzk", "--no-mhp"]);
    assert!(ran.status == Some(2) && ran.stderr.contains("--no-mhp is for programs of actors"), "{ran:?}");
    sandbox.write("wrong.abs", "module M; { Int x = y; Int z = w; }");
    let ran = sandbox.run(&["deadlocks", "wrong.abs"]);
    assert!(ran.status == Some(2) && ran.stderr.contains("`y`") && ran.stderr.contains("`w`"), "{ran:?}");
}

/// Philosophers who take their forks in the order of `LOW`, `HIGH`.
const PHILOSOPHERS: &str = "const N = 3;
mutex f[N];
process p[N](i) {
  lock(f[LOW]);
  lock(f[HIGH]);
  unlock(f[HIGH]);
  unlock(f[LOW]);
}
";

#[test]
fn mutexes_of_the_process_notation() {
    let sandbox = Sandbox::new("deadlocks-mutexes");
    sandbox.write("p.mzk", PHILOSOPHERS.replace("LOW", "i").replace("HIGH", "(i + 1) % N"));
    let ran = sandbox.run(&["deadlocks", "p.mzk", "-D", "N=4", "--save-trace", "traces", "--dot", "waits.dot"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(1), ""), "{ran:?}");
    for part in ["deadlock: 1 of 1 cycle confirmed", "p[0] waits at line 5 for `f[1]`, held by p[1]"] {
        assert!(ran.stdout.contains(part), "`{part}` in {}", ran.stdout);
    }
    let dot = std::fs::read_to_string(sandbox.path().join("waits.dot")).expect("it was drawn");
    assert!(dot.contains("`f[0]`") && dot.contains("p[0], line 5") && dot.contains("style=bold"), "{dot}");
    let again = sandbox.run(&["replay", "p.mzk", "traces/cycle-1.json"]);
    assert!(again.stdout.contains("violation shows again: deadlock"), "{again:?}");

    let low_first = PHILOSOPHERS.replace("LOW", "(i < N - 1 ? i : 0)").replace("HIGH", "(i < N - 1 ? i + 1 : i)");
    sandbox.write("p.mzk", low_first);
    let ran = sandbox.run(&["deadlocks", "p.mzk", "--format", "json"]);
    let json = ran.json();
    let said = (ran.status, &json["verdict"], &json["proof"], json["cycles"].as_array().map(Vec::len));
    assert_eq!(said, (Some(0), &"free".into(), &"analysis".into(), Some(0)), "{ran:?}");
}

#[test]
fn a_gate_lock_excludes_a_cycle() {
    let sandbox = Sandbox::new("deadlocks-gate");
    let program = "mutex g; mutex a; mutex b;
process p { lock(g); lock(a); lock(b); unlock(b); unlock(a); unlock(g); }
process q { lock(g); lock(b); lock(a); unlock(a); unlock(b); unlock(g); }
";
    sandbox.write("p.mzk", program);
    let ran = sandbox.run(&["deadlocks", "p.mzk"]);
    assert!(ran.status == Some(0) && ran.stdout.contains("cannot happen: `p` and `q` both hold `g` there"), "{ran:?}");
    sandbox.write("p.mzk", program.replacen("lock(g); ", "", 1).replacen("unlock(g); ", "", 1));
    let ran = sandbox.run(&["deadlocks", "p.mzk", "--static"]);
    assert!(ran.status == Some(3) && ran.stdout.contains("unknown: 1 cycle left"), "{ran:?}");
    let ran = sandbox.run(&["deadlocks", "p.mzk"]);
    assert!(ran.status == Some(1) && ran.stdout.contains("1 of 1 cycle confirmed"), "{ran:?}");
}

#[test]
fn a_condition_is_left_to_the_exploration() {
    let sandbox = Sandbox::new("deadlocks-await");
    let program = "mutex a; bool ready = false;
process p { lock(a); await ready; unlock(a); }
process q { lock(a); ready = true; unlock(a); }
";
    sandbox.write("p.mzk", program);
    let ran = sandbox.run(&["deadlocks", "p.mzk"]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    for part in
        ["deadlock: found by exploring the schedules", "q waits at line 3 for `a`, held by p", "waits at line 2"]
    {
        assert!(ran.stdout.contains(part), "`{part}` in {}", ran.stdout);
    }
    sandbox.write("p.mzk", program.replace("lock(a); await ready;", "await ready; lock(a);"));
    let ran = sandbox.run(&["deadlocks", "p.mzk", "--format", "json"]);
    let json = ran.json();
    assert_eq!((ran.status, &json["proof"]), (Some(0), &"exploration".into()), "{ran:?}");
}

#[test]
fn other_failures_are_said() {
    let sandbox = Sandbox::new("deadlocks-failures");
    sandbox.write("p.mzk", "int x = 0; process p { await x == 0; assert x == 1; } process q { x = 0; }");
    let ran = sandbox.run(&["deadlocks", "p.mzk"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    for part in ["besides, the program fails", "assertion failed: x == 1 (p.mzk:1)"] {
        assert!(ran.stdout.contains(part), "`{part}` in {}", ran.stdout);
    }
}

#[test]
fn locks_of_c() {
    let sandbox = Sandbox::new("deadlocks-c");
    let program = "#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *f(void *unused) {
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_mutex_lock(&FIRST);
  pthread_mutex_lock(&SECOND);
  pthread_mutex_unlock(&SECOND);
  pthread_mutex_unlock(&FIRST);
  pthread_join(t, 0);
  return 0;
}
";
    sandbox.write("p.c", program);
    let ran = sandbox.run(&["deadlocks", "p.c", "-D", "FIRST=a", "-D", "SECOND=b", "--save-trace", "traces"]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    let again = sandbox.run(&["replay", "p.c", "traces/cycle-1.json"]);
    assert!(again.stdout.contains("violation shows again: deadlock"), "{again:?}");
    for part in ["1 of 1 cycle confirmed", "main waits at line 14 for `b`, held by f#1", "f#1 waits at line 5 for `a`"]
    {
        assert!(ran.stdout.contains(part), "`{part}` in {}", ran.stdout);
    }
    let ran = sandbox.run(&["deadlocks", "p.c", "-D", "FIRST=b", "-D", "SECOND=a"]);
    assert!(ran.status == Some(0) && ran.stdout.contains("proved by analysis (no cycle)"), "{ran:?}");
    let ran = sandbox.run(&["deadlocks", "p.c", "-D", "FIRST=a", "-D", "SECOND=b", "--static", "--format", "json"]);
    let edge = &ran.json()["cycles"][0]["edges"][0];
    assert_eq!((ran.status, &edge["from"], &edge["task"]), (Some(3), &"`a`".into(), &"main".into()), "{ran:?}");
}

fn locks(name: &str) -> String {
    format!("{}/../testkit/tests/lock_order_programs/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// Whatever the execution comes to otherwise: a livelock, a failed assertion, the program's end;
/// and whoever else hangs.
#[test]
fn a_circle_is_confirmed_wherever_executions_end() {
    let sandbox = Sandbox::new("deadlocks-circles");
    for name in [
        "circle-beside-a-loop.c",
        "circle-beside-an-assertion.c",
        "circle-beside-the-end.c",
        "join-while-others-hang.c",
        "once-while-holding.c",
        "writer-behind-two-readers.c",
    ] {
        for goal in ["cycle", "all"] {
            let ran = sandbox.run(&["deadlocks", &locks(name), "--goal", goal]);
            let is_said = ran.stdout.contains("deadlock: 1 of 1 cycle confirmed");
            assert!(ran.status == Some(1) && is_said, "{name}, {goal}: {ran:?}");
        }
    }
    let ran = sandbox.run(&["deadlocks", &locks("tried-again-and-again.c")]);
    let is_said = ran.stdout.contains("found by exploring the schedules");
    assert!(ran.status == Some(1) && is_said, "{ran:?}");
    // A place that the failures speak of is looked up in the state that they left.
    let corpus = format!("{}/../../corpus/violation/c/pinned-cache-evicts.c", env!("CARGO_MANIFEST_DIR"));
    let ran = sandbox.run(&["deadlocks", &corpus]);
    assert!(ran.status == Some(0) && ran.stdout.contains("use after free"), "{ran:?}");
    let program = "mutex a; mutex b; int done = 0;
process f { lock(a); lock(b); unlock(b); unlock(a); done = done + 1; }
process g { lock(b); lock(a); unlock(a); unlock(b); done = done + 1; }
process h { while (true) { done = 0 - done; } }
";
    sandbox.write("p.mzk", program);
    let ran = sandbox.run(&["deadlocks", "p.mzk"]);
    assert!(ran.status == Some(1) && ran.stdout.contains("1 of 1 cycle confirmed"), "{ran:?}");
}

/// Nine threads have far too many schedules, and only two of them are on a circle.
#[test]
fn cycles_are_aimed_at() {
    let sandbox = Sandbox::new("deadlocks-aimed");
    let program = "#include <pthread.h>
static pthread_mutex_t m[8], a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int count[8];
static void *work(void *number) {
  long n = (long)number;
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 8; j++) {
      pthread_mutex_lock(&m[j]);
      count[j] += n;
      pthread_mutex_unlock(&m[j]);
    }
  if (n == 3) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
  }
  if (n == 5 && count[2] > 100) {
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
  }
  return 0;
}
int main(void) {
  pthread_t t[8];
  for (int i = 0; i < 8; i++)
    pthread_mutex_init(&m[i], 0);
  for (long i = 0; i < 8; i++)
    pthread_create(&t[i], 0, work, (void *)i);
  for (int i = 0; i < 8; i++)
    pthread_join(t[i], 0);
  return 0;
}
";
    sandbox.write("p.c", program);
    let ran = sandbox.run(&["deadlocks", "p.c", "--timeout", "60", "--format", "json"]);
    let json = ran.json();
    let statuses: Vec<&str> =
        json["cycles"].as_array().into_iter().flatten().filter_map(|c| c["status"].as_str()).collect();
    assert!(ran.status == Some(1) && statuses.contains(&"confirmed"), "{ran:?}");
}

#[test]
fn what_is_not_there_is_said() {
    let sandbox = Sandbox::new("deadlocks-foreign");
    let program = "#include <pthread.h>
#include <fcntl.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
void every_second(void (*action)(void));
static void tick(void) {
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
}
int main(void) {
  ACTION;
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  open(\"f\", 0);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return 0;
}
";
    sandbox.write("p.c", program);
    let ran = sandbox.run(&["deadlocks", "p.c", "-D", "ACTION=tick()", "--static"]);
    assert!(ran.status == Some(0) && ran.stdout.contains("call nobody back: open"), "{ran:?}");
    let ran = sandbox.run(&["deadlocks", "p.c", "-D", "ACTION=every_second(tick)", "--static"]);
    assert!(ran.status == Some(3) && ran.stdout.contains("tick@callback holds `b`"), "{ran:?}");
    let ran = sandbox.run(&["deadlocks", "p.c", "-D", "ACTION=tick()"]);
    assert!(ran.status == Some(2) && ran.stderr.contains("`open`"), "{ran:?}");
}

/// The whole answer for programs, but for its times.
#[test]
fn every_field_of_the_answer() {
    let sandbox = Sandbox::new("deadlocks-fields");
    sandbox.write("p.abs", AWAITED.replace("await f?; ", ""));
    let mut json = sandbox.run(&["deadlocks", "p.abs", "--format", "json"]).json();
    for time in ["time_s", "analysis_time_s", "frontend_time_s"] {
        assert!(json[time].take().as_f64().is_some_and(|time| time >= 0.0), "{time}");
    }
    let edge = |from: &str, to: &str, point: &str, task: &str, kind: &str| serde_json::json!({ "from": from, "to": to, "point": point, "task": task, "kind": kind });
    let [a, b] = ["A (line 9)", "B (line 9)"];
    let [go, answer, ask, quick] =
        ["`go` of A (line 9)", "`answer` of A (line 9)", "`ask` of B (line 9)", "`quick` of B (line 9)"];
    let expected = serde_json::json!({
        "tool": "mazurka", "version": env!("CARGO_PKG_VERSION"), "program": "p.abs",
        "verdict": "deadlock", "proof": null,
        "cycles": [{
            "id": 1, "kind": "deadlock",
            "edges": [
                edge(a, quick, "p.abs:5:70", go, "get"),
                edge(quick, b, "p.abs:8:80", quick, "lock"),
                edge(b, answer, "p.abs:8:66", ask, "get"),
                edge(answer, a, "p.abs:6:8", answer, "lock"),
            ],
            "status": "confirmed", "reason": null, "states": 3,
            "schedule": ["main", "A.go#1", "B.ask#1.1"],
            "chain": [
                "B.quick#1.2, which needs",
                "B#2 is blocked at line 8 by B.ask#1.1, which waits for",
                "A.answer#1.1.1, which needs",
                "A#1 is blocked at line 5 by A.go#1, which waits for",
            ],
            "searched": null,
        }],
        "more_cycles": false, "stuck": [], "failures": [],
        "uncovered": [
            "tasks that wait for a condition that nobody makes true",
            "executions that do not end",
            "tasks that an exception ended",
        ],
        "undecided": [], "others": [], "unforeseen": [],
        "states": 3, "pruned": 0, "deadlocks": 1,
        "time_s": null, "analysis_time_s": null, "frontend_time_s": null,
        "limits_hit": [],
    });
    assert_eq!(json, expected, "{json:#}");
}

#[test]
fn the_papers_searches() {
    let sandbox = Sandbox::new("deadlocks-paper");
    sandbox.write("p.abs", suite("pairing"));
    let ran = sandbox.run(&["deadlocks", "p.abs", "--guide", "paper"]);
    let parts = [
        "deadlock: 1 of 2 cycles confirmed, 1 not decided",
        "meet its constraints, and their circle is another one",
        "its own search: 6 states, 0 pruned states, 1 deadlock, 1 of which meet its constraints",
    ];
    assert_eq!(ran.status, Some(1), "{ran:?}");
    parts.iter().for_each(|part| assert!(ran.stdout.contains(part), "`{part}` in {}", ran.stdout));
    sandbox.write("p.abs", suite("free-unfold-loop"));
    let json = sandbox.run(&["deadlocks", "p.abs", "--guide", "paper", "--format", "json"]).json();
    assert_eq!((&json["verdict"], &json["states"], &json["pruned"]), (&"free".into(), &236.into(), &328.into()));
    let searched = serde_json::json!({ "states": 236, "pruned": 328, "deadlocks": 0, "matches": 0 });
    assert_eq!((&json["cycles"][0]["searched"], &json["cycles"][0]["status"]), (&searched, &"refuted".into()));
    sandbox.write("p.abs", suite("sleeping-barber"));
    let states = |arguments: &[&str]| {
        let all = [&["deadlocks", "p.abs", "--goal", "all", "--format", "json"], arguments].concat();
        let json = sandbox.run(&all).json();
        (json["states"].as_u64(), json["pruned"].as_u64(), json["deadlocks"].as_u64())
    };
    assert_eq!(states(&["--guide", "paper"]), (Some(16), Some(3), Some(6)));
    assert_eq!(states(&["--guide", "paper", "--late"]), (Some(19), Some(3), Some(6)));
    assert_eq!(states(&["--reduction", "none"]), (Some(19), Some(3), Some(6)));
    assert_eq!(states(&["--reduction", "sleep"]).0, Some(10));
    for wrong in [&["--late"][..], &["--guide", "paper", "--reduction", "sleep"]] {
        let ran = sandbox.run(&[&["deadlocks", "p.abs"], wrong].concat());
        assert!(ran.status == Some(2) && ran.stderr.contains("paper"), "{ran:?}");
    }
}

#[test]
fn drawings_and_progress() {
    let sandbox = Sandbox::new("deadlocks-page");
    sandbox.write("p.abs", suite("sleeping-barber"));
    let ran = sandbox.run(&["deadlocks", "p.abs", "--html", "page.html"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(1), ""), "{ran:?}");
    let page = std::fs::read_to_string(sandbox.path().join("page.html")).expect("it was drawn");
    assert!(page.contains("cycle 1") && page.contains("<svg"), "{page}");
    sandbox.write("p.abs", suite("pairing"));
    let arguments = ["deadlocks", "p.abs", "--goal", "all", "--reduction", "none", "--timeout", "1.5"];
    let ran = sandbox.run(&[&arguments[..], &["--progress", "always"]].concat());
    assert!(ran.stderr.contains(" states · ") && ran.stderr.contains(" pruned · depth "), "{ran:?}");
    let ran = sandbox.run(&[&arguments[..], &["--progress", "never"]].concat());
    assert!(ran.status == Some(1) && ran.stderr.is_empty() && ran.stdout.contains("not decided"), "{ran:?}");
}
