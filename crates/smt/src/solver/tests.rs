use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use super::*;

/// A shell script that plays the solver.
struct Fake(PathBuf);

impl Fake {
    fn new(script: &str) -> Fake {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("mazurka-fake-solver-{}-{number}", std::process::id()));
        // By way of the shell, since a file that was just written cannot always be run at once.
        fs::write(&path, script).expect("the temporary folder can be written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("its files are ours");
        Fake(path)
    }

    fn settings(&self) -> Settings {
        let time_limit = Some(Duration::from_millis(200));
        Settings { program: format!("sh {}", self.0.display()), time_limit, ..Settings::default() }
    }

    fn start(&self) -> Solver {
        Solver::start(self.settings()).expect("it tells its name")
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// Tells its name, then does what the test wants at `(check-sat)`; marks are echoed.
fn playing(at_check: &str) -> Fake {
    Fake::new(&format!(
        "while read -r line; do case \"$line\" in\n\
         '(get-info :name)') echo '(:name \"fake\")' ;;\n\
         '(check-sat)') {at_check} ;;\n\
         '(echo '*) echo \"$line\" | sed 's/(echo //; s/)//' ;;\n\
         esac; done"
    ))
}

fn took_less_than(seconds: u64, begin: Instant) {
    assert!(begin.elapsed() < Duration::from_secs(seconds), "took {:?}", begin.elapsed());
}

#[test]
fn a_sensible_answer_is_believed() {
    assert_eq!(playing("echo unsat").start().check(), Ok(Answer::Unsat));
}

#[test]
fn one_that_hangs_is_ended() {
    let (begin, fake) = (Instant::now(), playing("exec sleep 1000"));
    let mut solver = fake.start();
    assert_eq!(solver.check(), Ok(Answer::Unknown(Reason::TimeLimit)));
    assert_eq!(solver.check(), Err(Error::Gone));
    took_less_than(20, begin);
}

#[test]
fn one_that_does_not_read_is_ended() {
    let begin = Instant::now();
    let fake = Fake::new("echo '(:name \"fake\")'; exec sleep 1000");
    let mut solver = fake.start();
    let mut arena = Arena::new();
    for number in 0..20_000 {
        let variable = arena.variable(&format!("a_rather_long_name_{number}"), Sort::Bool);
        solver.assert(&arena, variable);
    }
    assert_eq!(solver.check(), Ok(Answer::Unknown(Reason::TimeLimit)));
    took_less_than(20, begin);
}

#[test]
fn one_that_dies_is_an_error_with_its_last_words() {
    let mut solver = playing("echo 'out of cheese' >&2; exit 3").start();
    assert_eq!(solver.check(), Err(Error::Died { last: "out of cheese".to_owned() }));
    assert_eq!(solver.check(), Err(Error::Gone));
}

#[test]
fn nonsense_is_an_error() {
    for answer in [
        "echo maybe",
        "echo '(error \"no\")'",
        "echo sat; echo unsat",
        ":",
        "echo ')'",
        "echo '(sat'",
        "echo sat unsat",
    ] {
        let mut solver = playing(answer).start();
        match solver.check() {
            Err(Error::Nonsense { .. }) | Ok(Answer::Unknown(_)) => {}
            other => panic!("{answer}: {other:?}"),
        }
    }
}

#[test]
fn an_error_before_the_question_is_an_error() {
    let fake = playing("echo sat");
    let text = fs::read_to_string(&fake.0).expect("it was written");
    fs::write(&fake.0, text.replace("'(check-sat)')", "'(push 1)') echo '(error \"what\")' ;;\n'(check-sat)')"))
        .expect("it is written again");
    let mut solver = fake.start();
    solver.push();
    assert!(matches!(solver.check(), Err(Error::Nonsense { .. })));
}

#[test]
fn a_flag_stops_a_question() {
    let (begin, fake) = (Instant::now(), playing("exec sleep 1000"));
    let stop = Arc::new(AtomicBool::new(true));
    let settings = Settings { time_limit: None, stop: Some(stop), ..fake.settings() };
    let mut solver = Solver::start(settings).expect("it tells its name");
    assert_eq!(solver.check(), Ok(Answer::Unknown(Reason::Stopped)));
    took_less_than(20, begin);
}

#[test]
fn a_program_that_is_no_solver_is_said_so() {
    let error = Solver::start(Settings { program: "true".to_owned(), ..Settings::default() }).expect_err("no solver");
    assert!(matches!(error, Error::Died { .. }), "{error}");
    let error = Solver::start(Settings { program: "echo hello".to_owned(), ..Settings::default() }).expect_err("no");
    assert!(error.to_string().contains("hello"), "{error}");
}

#[test]
fn a_missing_one_is_an_error_that_helps() {
    let settings =
        Settings { program: "no-such-solver".to_owned(), named_by: "MAZURKA_SOLVER".to_owned(), ..Settings::default() };
    let error = Solver::start(settings).expect_err("there is none").to_string();
    for part in ["no-such-solver", "(MAZURKA_SOLVER)", "apt install z3", "z3-solver"] {
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn wrong_values_are_errors() {
    let fake = playing("echo sat");
    let text = fs::read_to_string(&fake.0).expect("it was written");
    for answer in ["((x 5) (y 6))", "((x five))", "x", "((x))", "((x true))", "((x (- -5)))", "(error \"no\")"] {
        let at_value = format!("'(get-value '*) echo '{answer}' ;;\n'(check-sat)')");
        fs::write(&fake.0, text.replace("'(check-sat)')", &at_value)).expect("it is written again");
        let mut solver = fake.start();
        let mut arena = Arena::new();
        let x = arena.variable("x", Sort::Int);
        assert_eq!(solver.check(), Ok(Answer::Sat));
        assert!(matches!(solver.values(&arena, &[x]), Err(Error::Nonsense { .. })), "{answer}");
    }
}

/// A supply begins with a new solver where the one before was ended, and is not asked twice where a
/// new one cannot do it either.
#[test]
fn a_supply_goes_on_with_another_solver() {
    let (hangs, answers) = (playing("sleep 100"), playing("echo unsat"));
    let mut started = 0;
    let mut supply = Supply::new(|| {
        started += 1;
        Ok(if started == 1 { hangs.start() } else { answers.start() })
    });
    // It does not know, and is ended.
    assert_eq!(supply.ask(Solver::check), Ok(Answer::Unknown(Reason::TimeLimit)));
    assert_eq!(supply.ask(Solver::check), Ok(Answer::Unsat));
    assert_eq!(supply.ask(Solver::check), Ok(Answer::Unsat));
    assert!(supply.time() >= Duration::from_millis(200), "what the first one took counts");
    drop(supply);
    assert_eq!(started, 2);

    let dies = playing("exit 1");
    let mut tries = 0;
    let mut supply = Supply::new(|| {
        tries += 1;
        Ok(dies.start())
    });
    assert!(matches!(supply.ask(Solver::check), Err(Error::Died { .. })));
    drop(supply);
    assert_eq!(tries, 1);
}
