//! What lowered programs compute is what the same programs compute when clang compiles them for
//! this machine.

mod common;
mod mutated;
mod random;
mod rust;

use common::{bitcodes, compilers, in_machine, natively, program};

fn compare(name: &str, levels: &[&str]) {
    let Some((compiler, clang)) = compilers() else {
        eprintln!("there is no clang: nothing is compared");
        return;
    };
    let source = program(name);
    let expected = natively(&compiler, &source);
    for bytes in bitcodes(&clang, &compiler, &source, levels) {
        let found = in_machine(&bytes);
        for (at, (expected, found)) in expected.lines().zip(found.lines()).enumerate() {
            assert_eq!(found, expected, "line {} of {name}", at + 1);
        }
        assert_eq!(found, expected);
    }
}

#[test]
fn integers() {
    compare("integers.c", &["-O1", "-O2"]);
}

#[test]
fn floats() {
    compare("floats.c", &["-O1", "-O2"]);
}

#[test]
fn long_doubles() {
    compare("longdoubles.c", &["-O1", "-O2"]);
}

#[test]
fn wide_integers() {
    compare("wide.c", &["-O1", "-O2"]);
}

#[test]
fn functions_of_the_compiler() {
    for program in ["builtins.c", "builtins_memory.c", "vectors.c", "atomic_types.c"] {
        compare(program, &["-O1", "-O2"]);
    }
}

#[test]
fn rest_of_the_language() {
    compare("language.c", &["-O1", "-O2"]);
}

#[test]
fn corners_of_the_language() {
    compare("corners.c", &["-O1", "-O2"]);
}

#[test]
fn atomics() {
    compare("atomics.c", &["-O1", "-O2"]);
}

#[test]
fn cpp() {
    compare("objects.cpp", &["-O1"]);
}
