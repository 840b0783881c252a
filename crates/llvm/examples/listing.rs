//! Prints what a C program is lowered to: `listing FILE`, where the file is C source or bitcode.

use std::path::Path;
use std::time::Instant;

use mazurka_clang::{Clang, Language, Options};
use mazurka_llvm::{Settings, bitcode, compile};

fn main() {
    let file = std::env::args().nth(1).expect("a file");
    let bytes = if file.ends_with(".bc") {
        std::fs::read(&file).expect("a file that can be read")
    } else {
        let clang = Clang::find(None).expect("clang");
        clang.compile(Path::new(&file), Language::C, &Options::default()).expect("a program that compiles").bitcode
    };
    let started = Instant::now();
    let module = bitcode::decode(&bytes).expect("bitcode that can be decoded");
    let decoded = started.elapsed();
    let image = compile(vec![module], &Settings::default(), &|file| std::fs::read_to_string(file).ok());
    let lowered = started.elapsed() - decoded;
    match image {
        Ok(image) => println!("{image}"),
        Err(problems) => problems.iter().for_each(|problem| println!("{problem}")),
    }
    eprintln!("decoded in {decoded:?}, lowered in {lowered:?}");
}
