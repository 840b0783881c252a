//! Lowering what clang makes of small programs.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::code::{Image, Settings};

use super::{Unsupported, compile};

/// The bitcode of a C program, by the clang of this machine; none where there is none.
fn bitcode(source: &str, flags: &[&str]) -> Option<Vec<u8>> {
    let mut clang = Command::new("clang-19")
        .args(["-x", "c", "-O0", "-g", "-emit-llvm", "-c", "-Xclang", "-disable-O0-optnone", "-w"])
        .args(flags)
        .args(["-o", "-", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    clang.stdin.take()?.write_all(source.as_bytes()).ok()?;
    let output = clang.wait_with_output().ok()?;
    assert!(output.status.success(), "clang refuses the test program");
    Some(output.stdout)
}

fn lower(source: &str, settings: &Settings) -> Option<Result<Image, Vec<Unsupported>>> {
    let module = crate::bitcode::decode(&bitcode(source, &[])?).expect("clang writes bitcode");
    Some(compile(vec![module], settings, &|_| None))
}

/// The code of a function, one instruction a line.
fn listing(image: &Image, name: &str) -> String {
    let number = image.functions.iter().position(|function| function.name == name).expect("there is such a function");
    let entry = image.functions[number].entry as usize;
    let later = image.functions.iter().map(|function| function.entry as usize).filter(|&other| other > entry).min();
    let end = later.unwrap_or(image.code.len());
    let lines = (entry..end).map(|pc| format!("{pc}: {:?}\n", image.code[pc]));
    lines.collect()
}

#[test]
fn dump() {
    let source = std::env::var("MZ_SOURCE").unwrap_or_default();
    if source.is_empty() {
        return;
    }
    let bytes = if source.ends_with(".bc") {
        std::fs::read(&source).unwrap()
    } else {
        bitcode(&std::fs::read_to_string(&source).unwrap(), &[]).unwrap()
    };
    let t = std::time::Instant::now();
    let module = crate::bitcode::decode(&bytes).unwrap();
    println!("decoded {:?}", t.elapsed());
    let t = std::time::Instant::now();
    let _library = crate::bitcode::decode(super::LIBRARY).unwrap();
    println!("library {:?}", t.elapsed());
    let t = std::time::Instant::now();
    let result = compile(vec![module], &Settings::default(), &|_| None);
    println!("lowered {:?}", t.elapsed());
    match result {
        Ok(image) => {
            println!("functions {} code {} globals {}", image.functions.len(), image.code.len(), image.globals.len());
            if std::env::var("MZ_CODE").is_ok() {
                for f in &image.functions {
                    println!(
                        "{} regs {} params {} {:?}\n{}",
                        f.name,
                        f.registers,
                        f.parameters,
                        f.variables,
                        listing(&image, &f.name)
                    );
                }
                println!("{:?}", image.loops);
                println!("{:?}", image.globals);
                println!("{:?}", image.shapes);
            }
        }
        Err(e) => {
            for p in e {
                println!("{p}");
            }
        }
    }
}
