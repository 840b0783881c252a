//! `mazurka test`.

use crate::sandbox::{Ran, Sandbox};

const ACCOUNT: &str = "module Bank;
interface Account { Int withdraw(Int n); Bool send(Account to, Int n); }
class Account(Int balance) implements Account {
  Int withdraw(Int n) {
    if (n <= 0) { return -1; }
    if (n > balance) { return 0; }
    balance = balance - n;
    assert balance != 7;
    return n;
  }
  Bool send(Account to, Int n) {
    Fut<Int> drawn = this!withdraw(n);
    await drawn?;
    Int got = drawn.get;
    if (got > 0) {
      Fut<Int> more = to!withdraw(0 - got);
      more.get;
    }
    return got > 0;
  }
  Int sum(List<Int> items) {
    Int total = 0;
    foreach (item in items) { total = total + item; }
    if (total == 10) { return 1; }
    return truncate(total / 2);
  }
  Int never(Int n) {
    if (n * n < 0) { return 1; }
    return 0;
  }
  Unit future(Fut<Int> f) { }
}
";

fn account(name: &str) -> Sandbox {
    let sandbox = Sandbox::new(name);
    sandbox.write("bank.abs", ACCOUNT);
    sandbox
}

/// A program of the paper, in a version of our own.
fn paper(name: &str) -> Sandbox {
    let path = format!("{}/../../bench/suites/lopstr17/{name}.abs", env!("CARGO_MANIFEST_DIR"));
    let sandbox = Sandbox::new(&format!("test-{name}"));
    sandbox.write("p.abs", std::fs::read_to_string(path).expect("a program of the paper"));
    sandbox
}

fn outcomes(ran: &Ran) -> Vec<String> {
    let json = ran.json();
    let tests = json["tests"].as_array().expect("tests");
    tests.iter().map(|test| test["outcome"].as_str().expect("an outcome").to_owned()).collect()
}

#[test]
fn branches_are_covered_by_few_tests() {
    let sandbox = account("test-branches");
    let ran = sandbox.run(&["test", "bank.abs", "Account.withdraw"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{ran:?}");
    assert!(ran.stdout.contains("3 tests for Account.withdraw: 4 of 4 ways of branches (4 paths)"), "{}", ran.stdout);
    assert!(ran.stdout.ends_with("complete: every path was explored\n"), "{}", ran.stdout);
    // One test throws: that is a failure where it is said to be one.
    assert_eq!(sandbox.run(&["test", "bank.abs", "Account.withdraw", "--fail"]).status, Some(1));
}

#[test]
fn references_alias() {
    let sandbox = account("test-alias");
    let words = ["test", "bank.abs", "Account.send", "--coverage", "paths", "--format", "json"];
    let ran = sandbox.run(&words);
    let mut found = outcomes(&ran);
    found.sort();
    assert_eq!(found, ["deadlock", "exception", "returns", "returns", "returns"], "{ran:?}");
    // An account that sends to itself waits for itself.
    assert_eq!(ran.status, Some(1), "{ran:?}");
    let deadlocks = sandbox.run(&["test", "bank.abs", "Account.send", "--coverage", "deadlocks"]);
    assert!(deadlocks.stdout.contains("send(to = account1, n = 1)"), "{}", deadlocks.stdout);
    let null = sandbox.run(&[&words[..], &["--null"]].concat());
    assert_eq!(outcomes(&null).len(), 6, "{null:?}");
}

#[test]
fn data_is_made_up_where_patterns_ask() {
    let sandbox = account("test-data");
    let ran = sandbox.run(&["test", "bank.abs", "Account.sum", "--coverage", "results", "--format", "json"]);
    assert_eq!(ran.status, Some(3), "{ran:?}");
    let json = ran.json();
    assert!(json["bounds"]["loops"].as_u64().is_some_and(|often| often > 0), "{json}");
    assert_eq!(json["complete"], false);
    let text = sandbox.run(&["test", "bank.abs", "Account.sum"]).stdout;
    assert!(text.contains("4 of 4 ways of branches") && text.contains("items = list[10]"), "{text}");
}

#[test]
fn what_is_not_covered_is_said_with_the_reason() {
    let sandbox = account("test-missed");
    let ran = sandbox.run(&["test", "bank.abs", "Account.never"]);
    if crate::bmc::has_solver() {
        assert!(ran.stdout.contains("unreachable: all paths were explored"), "{}", ran.stdout);
        assert_eq!(ran.status, Some(0), "{ran:?}");
    }
    let ran = sandbox.run(&["test", "bank.abs", "Account.never", "--no-solver"]);
    assert!(ran.stdout.contains("undecided conditions"), "{}", ran.stdout);
    assert_eq!(ran.status, Some(3), "{ran:?}");
}

#[test]
fn every_test_of_a_file_runs_again() {
    let sandbox = account("test-replay");
    for method in ["Account.send", "Account.sum", "Account.withdraw"] {
        let words = ["test", "bank.abs", method, "--coverage", "paths", "--format", "json", "-o", "tests.json"];
        let ran = sandbox.run(&words);
        assert_eq!(ran.stdout, "", "{ran:?}");
        let text = std::fs::read_to_string(sandbox.path().join("tests.json")).expect("a file of tests");
        let json: serde_json::Value = serde_json::from_str(&text).expect("an object");
        let count = json["tests"].as_array().expect("tests").len();
        assert!(count > 2, "{json}");
        for number in 1..=count {
            let ran = sandbox.run(&["replay", "bank.abs", &format!("tests.json#{number}")]);
            assert_eq!(ran.status, Some(0), "{ran:?}");
            assert!(ran.stdout.contains(": as before"), "{}", ran.stdout);
        }
        sandbox.run(&["replay", "bank.abs", "tests.json#99"]).is_refused(&["no test 99"]);
    }
    // A program that does something else is noticed.
    sandbox.write("bank.abs", ACCOUNT.replace("return n;", "return n + 1;"));
    let others: Vec<Option<i32>> =
        (1..=4).map(|number| sandbox.run(&["replay", "bank.abs", &format!("tests.json#{number}")]).status).collect();
    assert!(others.contains(&Some(1)), "{others:?}");
    sandbox.write("no.json", "{}");
    sandbox.run(&["replay", "bank.abs", "no.json#1"]).is_refused(&["is no file of tests"]);
}

#[test]
fn constraints_instead_of_values() {
    let sandbox = account("test-constraints");
    let ran = sandbox.run(&["test", "bank.abs", "Account.withdraw", "--constraints"]);
    assert!(ran.stdout.contains("  where    "), "{}", ran.stdout);
    assert!(!ran.stdout.contains("  before   "), "{}", ran.stdout);
}

/// The worked examples: the barber deadlocks exactly where the client is the one that wakes him up
/// and he the one that sleeps; whether the chairs are the same does not matter.
#[test]
fn the_barber() {
    let sandbox = paper("barber");
    let context = "barber1:[sleeps] client1:[wakesup]";
    let words = ["test", "p.abs", "--context", context, "--coverage", "paths", "--format", "json", "--no-solver"];
    let ran = sandbox.run(&words);
    let json = ran.json();
    assert_eq!(json["complete"], true, "{json}");
    let mut chairs = std::collections::BTreeSet::new();
    for test in json["tests"].as_array().expect("tests") {
        let argument = |task: usize, number: usize| test["tasks"][task]["arguments"][number]["value"].to_string();
        let aliased = argument(0, 0) == "\"client1\"" && argument(1, 0) == "\"barber1\"";
        let is_deadlock = test["outcome"] == "deadlock";
        assert!(aliased || !is_deadlock, "{test}");
        if is_deadlock {
            chairs.insert(argument(0, 1) == argument(1, 1));
        }
    }
    assert_eq!(chairs.len(), 2, "{json}");
    assert_eq!(ran.status, Some(1));
}

/// One task suffices for the second cycle: the exchange already has somebody.
#[test]
fn a_pair_that_waits_for_itself() {
    let sandbox = paper("pairing");
    let ran = sandbox.run(&["test", "p.abs", "Node.makePair", "--coverage", "paths", "--format", "json"]);
    let mut found = outcomes(&ran);
    found.sort();
    found.dedup();
    assert_eq!(found, ["deadlock", "returns"], "{ran:?}");
}

/// Registering deadlocks with a worker at work only where somebody connects to the same database.
#[test]
fn the_database_needs_a_connection() {
    let sandbox = paper("dbprot");
    let deadlocks = |context: &str| {
        let words = ["test", "p.abs", "--context", context, "--coverage", "deadlocks", "--format", "json"];
        sandbox.run(&[&words[..], &["--no-solver"]].concat()).json()["tests"].as_array().expect("tests").len()
    };
    assert!(deadlocks("db1:[register, connect] worker1:[work]") > 0);
    assert_eq!(deadlocks("db1:[register] worker1:[work]"), 0);
    assert_eq!(deadlocks("db1:[register] db2:[connect] worker1:[work]"), 0);
}

/// The other two programs of the paper, without a solver.
#[test]
fn circles_of_two_and_three() {
    for (program, context) in
        [("fact", "factor1:[show]"), ("fact", "factor1:[calculateFact]"), ("loop", "a1:[loopA] b1:[loopB] c1:[loopC]")]
    {
        let sandbox = paper(program);
        let words = ["test", "p.abs", "--context", context, "--coverage", "deadlocks", "--no-solver"];
        let ran = sandbox.run(&words);
        assert_eq!(ran.status, Some(1), "{program}: {ran:?}");
    }
}

/// Names of classes that differ in the case of their letters alone; choices of the program; a
/// reference that is asked for its class.
#[test]
fn names_and_choices() {
    let sandbox = Sandbox::new("test-names");
    sandbox.write(
        "p.abs",
        "module M;
interface I { Int m(I other); }
interface J { }
class Db(Int x) implements I, J {
  Int m(I other) { if (other implements J && x > 3) { return random(2); } return 5; }
}
class DB(Bool x) implements I { Int m(I other) { if (x) { return 1; } return 2; } }
",
    );
    sandbox.run(&["test", "p.abs", "--context=db1:[m]"]).is_refused(&["the class of `db1` can be Db, DB"]);
    let both = sandbox.run(&["test", "p.abs", "--context=Db1:[m] DB1:[m]", "--coverage", "results"]);
    assert_eq!((both.status, both.stderr.as_str()), (Some(0), ""), "{both:?}");
    assert!(both.stdout.contains("db1_.m("), "{}", both.stdout);
    let ran = sandbox.run(&["test", "p.abs", "Db.m", "--coverage", "results", "--format", "json", "-o", "t.json"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{ran:?}");
    let text = std::fs::read_to_string(sandbox.path().join("t.json")).expect("a file");
    let json: serde_json::Value = serde_json::from_str(&text).expect("an object");
    let results: std::collections::BTreeSet<String> = json["tests"]
        .as_array()
        .expect("tests")
        .iter()
        .flat_map(|test| test["results"].as_array().expect("results").clone())
        .filter(|result| result["task"] != "main")
        .map(|result| result["result"].as_str().expect("a result").to_owned())
        .collect();
    assert_eq!(results.into_iter().collect::<Vec<_>>(), ["0", "1", "5"]);
    for number in 1..=json["tests"].as_array().expect("tests").len() {
        assert_eq!(sandbox.run(&["replay", "p.abs", &format!("t.json#{number}")]).status, Some(0));
    }
}

#[test]
fn what_is_refused() {
    let sandbox = account("test-refused");
    sandbox.write("p.mzk", "int x = 0; process p { x = 1; }");
    for (arguments, parts) in [
        (&["bank.abs"][..], &["there is no method to test"][..]),
        (&["Account.send"], &["there is no program"]),
        (&["bank.abs", "Account.sends"], &["no method `sends`", "`send`"]),
        (&["bank.abs", "Accounts.send"], &["there is no class `Accounts`"]),
        (&["bank.abs", "Account.future"], &["takes a future"]),
        (&["bank.abs", "Account.sum", "Account.send"], &["one method is tested"]),
        (&["bank.abs", "Account.sum", "--context", "account1:[sum]"], &["exclude each other"]),
        (&["bank.abs", "--context", "account1"], &["expected `object:[method, …]`"]),
        (&["bank.abs", "--context", "account1:[]"], &["there are no tasks"]),
        (&["bank.abs", "--context", "account1:[work]"], &["no method `work`"]),
        (&["bank.abs", "--context", "a1:[sum] a1:[sum]"], &["two objects `a1`"]),
        (&["bank.abs", "--context", "bank1:[work]"], &["no class has the methods work"]),
        (&["bank.abs", "--context", "a = Account(1); a.sum()"], &["0 values, and 1 are expected"]),
        (&["bank.abs", "--context", "a = Account(true); a.sum(Nil)"], &["a.balance: `true` is of another type"]),
        (&["bank.abs", "--context", "a = Account(1); a.sum(Cons(1))"], &["`Cons`: 1 values, and 2 are expected"]),
        (&["bank.abs", "--context", "a = Account(\"x); a.sum(Nil)"], &["a string without its end"]),
        (&["p.mzk", "P.m"], &["has no methods"]),
        (&["missing.abs", "C.m"], &["missing.abs"]),
    ] {
        sandbox.run(&[&["test"], arguments].concat()).is_refused(parts);
    }
}
