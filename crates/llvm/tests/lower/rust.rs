//! A Rust program with all of the standard library in one module is lowered as far as that goes:
//! what is missing is listed.

use std::process::Command;

use mazurka_llvm::{Settings, bitcode, compile};

const PROGRAM: &str = "use std::sync::{Arc, Mutex, atomic::{AtomicUsize, Ordering}, mpsc};
fn main() {
    let (sum, count) = (Arc::new(Mutex::new(0u64)), Arc::new(AtomicUsize::new(0)));
    let threads: Vec<_> = (0..3).map(|number| {
        let (sum, count) = (sum.clone(), count.clone());
        std::thread::spawn(move || { *sum.lock().unwrap() += number; count.fetch_add(1, Ordering::SeqCst); })
    }).collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || sender.send(5).unwrap());
    println!(\"{} {} {}\", sum.lock().unwrap(), count.load(Ordering::SeqCst), receiver.recv().unwrap());
}
";

#[test]
fn a_rust_program_is_lowered_as_far_as_that_goes() {
    let folder = std::env::temp_dir().join(format!("mazurka-lower-rust-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let (source, bytes) = (folder.join("program.rs"), folder.join("program.bc"));
    std::fs::write(&source, PROGRAM).expect("a file can be written");
    let compiler = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let compiled = Command::new(compiler)
        .args(["--edition", "2024", "-O", "-C", "lto=fat", "-C", "codegen-units=1", "-C", "panic=abort"])
        .args(["--emit=llvm-bc,link", "-o"])
        .arg(folder.join("program"))
        .arg(&source)
        .status()
        .expect("rustc runs");
    assert!(compiled.success());
    let module = bitcode::decode(&std::fs::read(&bytes).expect("rustc writes bitcode")).expect("it can be read");
    std::fs::remove_dir_all(&folder).expect("the folder can be removed");
    let list = compile(vec![module], &Settings::default(), &|_| None).expect_err("it asks for files and signals");
    let known = |what: &str| {
        ["unknown external", "not modelled", "the intrinsic `llvm.load.relative"].iter().any(|part| what.contains(part))
    };
    let other: Vec<_> = list.iter().filter(|one| !known(&one.what)).collect();
    assert!(other.is_empty(), "{other:#?}");
}
