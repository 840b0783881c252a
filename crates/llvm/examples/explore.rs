//! Explores a C program, and counts; for measurements without a command line around it.
//!
//! `explore FILE [ALGORITHM] [-DNAME=VALUE ...]`, where the file is C source or bitcode.

use std::path::Path;
use std::sync::Arc;

use mazurka_clang::{Clang, Language, Options as ClangOptions};
use mazurka_explore::{Algorithm, Monitor, Options, explore};
use mazurka_llvm::{CMachine, Settings, bitcode, compile};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().expect("a file");
    let (mut algorithm, mut options) = (Algorithm::Optimal, ClangOptions::default());
    let mut all = false;
    for argument in arguments {
        match argument.strip_prefix("-D") {
            Some(define) => options.defines.push(define.to_owned()),
            None if argument == "--all" => all = true,
            None => algorithm = argument.parse().expect("an algorithm"),
        }
    }
    let bytes = if file.ends_with(".bc") {
        std::fs::read(&file).expect("a file that can be read")
    } else {
        let clang = Clang::find(None).expect("clang");
        clang.compile(Path::new(&file), Language::C, &options).expect("a program that compiles").bitcode
    };
    let module = bitcode::decode(&bytes).expect("bitcode that can be decoded");
    let settings = Settings::default();
    let image = match compile(vec![module], &settings, &|file| std::fs::read_to_string(file).ok()) {
        Ok(image) => image,
        Err(problems) => {
            for problem in problems {
                eprintln!("{problem:?}");
            }
            std::process::exit(2);
        }
    };
    let mut machine = CMachine::new(Arc::new(image));
    let options = Options { algorithm, all, ..Options::default() };
    let outcome = explore(&mut machine, &options, &Monitor::default());
    println!(
        "{:?}: {} executions, {} blocked, {} events",
        outcome.verdict(),
        outcome.executions,
        outcome.blocked,
        outcome.events
    );
    println!("limits {:?}", outcome.limits);
    for violation in &outcome.violations {
        println!("{:?} in {} executions, waiting {:?}", violation.fault, violation.executions, violation.waiting);
    }
}
