//! What the library computes and prints is what glibc does.
//!
//! Beside each program stands what it printed when clang compiled it for x86-64 Linux:
//! `clang -w -D_GNU_SOURCE NAME.c -lm && ./a.out >NAME.out`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use mazurka_clang::{Clang, Options, build};
use mazurka_llvm::{CMachine, Settings};
use mazurka_machine::{Describe, Machine, Run};
use mazurka_trace::{Ending, Event, ProcessId};

fn program(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/library").join(name)
}

/// What a program of one thread prints in the machine; and that it can be taken back.
fn modelled(source: &Path) -> String {
    let options = Options { flags: vec!["-D_GNU_SOURCE".to_owned()], ..Options::default() };
    let built = build(&[source.to_path_buf()], None, &options, &Settings::default())
        .unwrap_or_else(|error| panic!("{}: {error}", source.display()));
    let mut machine = CMachine::new(Arc::new(built.image));
    machine.set_fuel(u64::MAX);
    let (main, before) = (ProcessId::new(0), machine.digest());
    let mut event = Event::default();
    while machine.live().contains(main) {
        machine.step(main, &[], &mut event);
        if let Some(fault) = event.faults.first() {
            panic!("{} at {:?}\n{}", machine.fault_text(fault), machine.place(fault.site), machine.output());
        }
        if event.ending != Ending::Continues {
            break;
        }
    }
    let output = machine.output();
    machine.rewind(0);
    assert_eq!(machine.digest(), before, "taking everything back restores the beginning");
    output
}

fn compare(name: &str) {
    if Clang::find(None).is_err() {
        eprintln!("there is no clang: nothing is compared");
        return;
    }
    let source = program(name);
    let expected = std::fs::read_to_string(source.with_extension("out")).expect("what was printed is known");
    let found = modelled(&source);
    for (at, (expected, found)) in expected.lines().zip(found.lines()).enumerate() {
        assert_eq!(found, expected, "line {} of {name}", at + 1);
    }
    assert_eq!(found, expected);
}

#[test]
fn print() {
    compare("print.c");
}

#[test]
fn strings() {
    compare("strings.c");
}

#[test]
fn numbers() {
    compare("numbers.c");
}
