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
