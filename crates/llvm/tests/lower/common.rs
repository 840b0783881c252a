//! Running a program natively and in the machine.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use mazurka_clang::{Clang, Language, Options};
use mazurka_llvm::{CMachine, Settings, bitcode, compile};
use mazurka_machine::{Describe, Run};
use mazurka_trace::{Ending, Event, ProcessId};

/// A program of these tests.
pub(crate) fn program(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lower/programs").join(name)
}

/// A compiler, as the name of a program and as the front end finds it.
pub(crate) fn compilers() -> Option<(String, Clang)> {
    Some((compiler()?, Clang::find(None).ok()?))
}

fn compiler() -> Option<String> {
    let names = ["clang", "clang-19", "clang-18", "clang-17", "clang-16"];
    let runs = |name: &&str| Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success());
    names.iter().find(|name| runs(name)).map(|&name| name.to_owned())
}

/// What a program prints when it is compiled for this machine.
pub(crate) fn natively(clang: &str, source: &Path) -> String {
    let name = source.file_stem().expect("a file has a name").to_string_lossy().into_owned();
    let binary = std::env::temp_dir().join(format!("mazurka-lower-{}-{name}", std::process::id()));
    let compiled = Command::new(clang)
        .args(["-O0", "-w", "-o"])
        .arg(&binary)
        .arg(source)
        .args(["-lm", "-latomic", "-pthread", "-lstdc++"])
        .status()
        .expect("clang runs");
    assert!(compiled.success());
    let output = Command::new(&binary).output().expect("the program runs");
    std::fs::remove_file(&binary).expect("the program can be removed");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// What a program prints in the machine. It has one thread.
pub(crate) fn in_machine(bytes: &[u8]) -> String {
    let module = bitcode::decode(bytes).expect("clang writes bitcode");
    let settings = Settings { any_exit_status: true, ..Settings::default() };
    let image = compile(vec![module], &settings, &|_| None)
        .unwrap_or_else(|list| panic!("{}", list.iter().map(|one| format!("{one}\n")).collect::<String>()));
    let mut machine = CMachine::new(Arc::new(image));
    machine.set_fuel(u64::MAX);
    let mut event = Event::default();
    while machine.live().contains(ProcessId::new(0)) {
        machine.step(ProcessId::new(0), &[], &mut event);
        if let Some(fault) = event.faults.first() {
            panic!("{} at {:?}\n{}", machine.fault_text(fault), machine.place(fault.site), machine.output());
        }
        if event.ending != Ending::Continues {
            break;
        }
    }
    machine.output()
}

fn language(source: &Path) -> Language {
    if source.extension().is_some_and(|ending| ending == "cpp") { Language::Cpp } else { Language::C }
}

/// The bitcode of a program as it is checked, and as it is optimised at these levels: that has
/// other instructions in it.
pub(crate) fn bitcodes(clang: &Clang, compiler: &str, source: &Path, levels: &[&str]) -> Vec<Vec<u8>> {
    let options = Options::default();
    let mut found = vec![clang.compile(source, language(source), &options).expect("the program compiles").bitcode];
    for level in levels {
        let output = Command::new(compiler)
            .args([level, "-g", "-w", "-fwrapv", "-fno-exceptions", "-emit-llvm", "-c", "-o", "-"])
            .arg(source)
            .output()
            .expect("clang runs");
        assert!(output.status.success());
        found.push(output.stdout);
    }
    found
}
