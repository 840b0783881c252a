//! The decoder against LLVM: programs are compiled by clang, and what the decoder reads from the
//! bitcode is compared with what `llvm-dis` prints, instruction by instruction: opcodes, types,
//! operands, flags, orderings, constants, lines, and the variables of debug information.
//!
//! Without clang and `llvm-dis` of the same version the test is skipped with a message; with
//! `MAZURKA_NEED_CLANG=1` that is a failure.

mod listing;
mod print;
mod words;

use std::path::{Path, PathBuf};
use std::process::Command;

use mazurka_llvm::bitcode::decode;
use mazurka_llvm::ir::Module;

use listing::Listing;
use print::Printer;

/// clang and llvm-dis of one version.
struct Tools {
    clang: String,
    dis: String,
}

impl Tools {
    fn find() -> Option<Tools> {
        let suffixes = ["-19", "-20", "-21", "-22", "-18", "-17", "-16", "-15", "-14", ""];
        let tools = suffixes
            .iter()
            .map(|suffix| Tools { clang: format!("clang{suffix}"), dis: format!("llvm-dis{suffix}") })
            .find(|tools| runs(&tools.clang) && runs(&tools.dis));
        if tools.is_none() {
            absent("clang and llvm-dis of the same version");
        }
        tools
    }
}

/// Says that a test is skipped, or fails if nothing may be skipped.
fn absent(what: &str) {
    let needed = std::env::var("MAZURKA_NEED_CLANG").is_ok_and(|value| value == "1");
    assert!(!needed, "{what} not found, but MAZURKA_NEED_CLANG=1");
    eprintln!("skipped: {what} not found");
}

fn runs(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

fn run(program: &str, arguments: &[&str]) -> Result<(), String> {
    let output = Command::new(program).args(arguments).output().map_err(|error| format!("{program}: {error}"))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("{program} {arguments:?}:\n{}", String::from_utf8_lossy(&output.stderr))),
    }
}

/// The files under a folder with one of these endings, in order.
fn files(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if endings.iter().any(|ending| path.extension().is_some_and(|found| found == *ending)) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn scratch(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("mazurka-decode-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a scratch folder can be made");
    folder
}

fn inputs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/decode/inputs")
}

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus")
}

/// Compiles every file in each way, and compares.
fn compare_all(name: &str, files: &[PathBuf], ways: &[&[&str]], must_compile: bool) {
    let Some(tools) = Tools::find() else { return };
    let scratch = scratch(name);
    let jobs: Vec<(usize, &PathBuf, &[&str])> = files
        .iter()
        .flat_map(|file| ways.iter().map(move |way| (file, *way)))
        .enumerate()
        .map(|(index, (file, way))| (index, file, way))
        .collect();
    let compared = std::sync::atomic::AtomicUsize::new(0);
    let check = |(index, file, way): &(usize, &PathBuf, &[&str])| {
        let bitcode = scratch.join(format!("{index}.bc"));
        let mut arguments = way.to_vec();
        let (source, target) = (file.to_string_lossy(), bitcode.to_string_lossy().into_owned());
        arguments.extend(["-w", "-emit-llvm", "-c", &source, "-o", &target]);
        match run(&tools.clang, &arguments) {
            Ok(()) => {}
            // Programs of the corpus may be wrong on purpose.
            Err(_) if !must_compile => return Vec::new(),
            Err(error) => return vec![error],
        }
        let place = format!("{} {way:?}", file.display());
        let (differences, lines) = compare(&tools.dis, &bitcode);
        compared.fetch_add(lines, std::sync::atomic::Ordering::Relaxed);
        differences.into_iter().map(|difference| format!("{place}: {difference}")).collect::<Vec<_>>()
    };
    let differences: Vec<String> = std::thread::scope(|scope| {
        let (left, right) = jobs.split_at(jobs.len() / 2);
        let other = scope.spawn(|| left.iter().flat_map(&check).collect::<Vec<_>>());
        let mut all: Vec<String> = right.iter().flat_map(&check).collect();
        all.extend(other.join().expect("comparing does not panic"));
        all
    });
    std::fs::remove_dir_all(&scratch).ok();
    let shown: Vec<&str> = differences.iter().take(20).map(String::as_str).collect();
    assert!(differences.is_empty(), "{} differences:\n{}", differences.len(), shown.join("\n"));
    eprintln!("{name}: {} lines compared", compared.into_inner());
}

/// The differences between what the decoder and what `llvm-dis` say of a file, and how many lines
/// were compared.
fn compare(dis: &str, bitcode: &Path) -> (Vec<String>, usize) {
    let bytes = std::fs::read(bitcode).expect("the bitcode is there");
    let module = match decode(&bytes) {
        Ok(module) => module,
        Err(error) => return (vec![error.to_string()], 0),
    };
    let text = bitcode.with_extension("txt");
    if let Err(error) = run(dis, &[&bitcode.to_string_lossy(), "-o", &text.to_string_lossy()]) {
        // Some optimisations give atomic accesses to single bits, which llvm-dis then refuses.
        return (if error.contains("must be byte-sized") { Vec::new() } else { vec![error] }, 0);
    }
    let listing = listing::read(&String::from_utf8_lossy(&std::fs::read(&text).expect("the listing is there")));
    let lines = listing.functions.iter().map(|(_, body)| body.len()).sum();
    (differences(&module, &listing), lines)
}

fn differences(module: &Module, listing: &Listing) -> Vec<String> {
    let printer = Printer::new(module);
    let mut differences = Vec::new();
    let mut same = |place: &str, ours: &[String], theirs: &[String]| {
        // Newer versions rename the intrinsics of files with typed pointers.
        let name = |token: &String| match token.starts_with("@llvm.") {
            true => token.replace(".p0i8", ".p0"),
            false => token.clone(),
        };
        if !ours.iter().map(name).eq(theirs.iter().cloned()) {
            differences.push(format!("{place}\n  decoder:  {}\n  llvm-dis: {}", ours.join(" "), theirs.join(" ")));
        }
    };
    let lines = (0..module.globals.len()).map(|index| printer.global(index));
    for line in lines.chain((0..module.aliases.len()).map(|index| printer.alias(index))) {
        let ours = listing::tokens(&line);
        same("global", &ours, listing.globals.get(&ours[0]).map_or(&[], Vec::as_slice));
    }
    let defined = listing.functions.iter().filter(|(head, _)| head[0] == "define");
    let ours = module.functions.iter().enumerate().filter(|(_, function)| !function.is_declaration());
    let counts = [ours.clone().count().to_string(), defined.clone().count().to_string()];
    same("number of functions", &counts[..1], &counts[1..]);
    for ((index, _), (head, body)) in ours.zip(defined) {
        let place = printer.function_name(index);
        same(place, &listing::tokens(&printer.head(index)), head);
        let lines = printer.body(index);
        let counts = [lines.len().to_string(), body.len().to_string()];
        same(&format!("{place}: number of lines"), &counts[..1], &counts[1..]);
        for (ours, theirs) in lines.iter().zip(body) {
            same(place, &listing::tokens(ours), theirs);
        }
    }
    differences
}

#[test]
fn programs_that_use_much_of_the_language() {
    let files = files(&inputs(), &["c", "cpp"]);
    assert!(files.len() >= 6);
    let ways: [&[&str]; 4] = [
        &["-O0", "-g", "-fno-discard-value-names"],
        &["-O0"],
        &["-O2", "-g"],
        &["-O3", "-ffast-math", "-march=x86-64-v3", "-g"],
    ];
    compare_all("inputs", &files, &ways, true);
}

/// The exception handling of Windows has instructions of its own.
#[test]
fn programs_for_windows() {
    let way: &[&str] = &["--target=x86_64-pc-windows-msvc", "-O1", "-g", "-fexceptions", "-fcxx-exceptions"];
    compare_all("windows", &[inputs().join("exceptions.cpp")], &[way], true);
}

#[test]
fn the_corpus() {
    let ways: [&[&str]; 2] = [&["-O0", "-g", "-pthread"], &["-O2", "-g", "-pthread"]];
    compare_all("corpus", &files(&corpus(), &["c"]), &ways, false);
}

/// Bitcode of the oldest supported version, with typed pointers: `inputs/old.ll` as the assembler
/// of LLVM 14 wrote it.
#[test]
fn bitcode_of_llvm_14() {
    let Some(tools) = Tools::find() else { return };
    let scratch = scratch("old");
    let copy = scratch.join("old-14.bc");
    let seed = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/decode/seeds/old-14.bc");
    std::fs::copy(seed, &copy).expect("the seed can be copied");
    let (differences, lines) = compare(&tools.dis, &copy);
    std::fs::remove_dir_all(&scratch).ok();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    assert!(lines > 60, "{lines} lines");
}

/// Files that somebody wants compared: all in the folder that `MAZURKA_BITCODE` names.
#[test]
fn bitcode_from_elsewhere() {
    let (Ok(folder), Some(tools)) = (std::env::var("MAZURKA_BITCODE"), Tools::find()) else { return };
    let scratch = scratch("elsewhere");
    let mut lines = 0;
    let mut all = Vec::new();
    for file in files(Path::new(&folder), &["bc"]) {
        let copy = scratch.join("copy.bc");
        std::fs::copy(&file, &copy).expect("the file can be copied");
        let (differences, compared) = compare(&tools.dis, &copy);
        lines += compared;
        all.extend(differences.into_iter().map(|difference| format!("{}: {difference}", file.display())));
    }
    std::fs::remove_dir_all(&scratch).ok();
    assert!(all.is_empty(), "{} differences in {lines} lines:\n{}", all.len(), all.join("\n"));
    eprintln!("{lines} lines compared");
}

/// A whole Rust program with its standard library, as the LLVM of the installed Rust compiler
/// writes it.
#[test]
fn a_rust_program() {
    let scratch = scratch("rust");
    let source = inputs().join("threads.rs");
    let target = scratch.join("threads");
    let arguments = ["-C", "lto=fat", "-C", "codegen-units=1", "-C", "panic=abort", "-g", "--emit=llvm-bc,link"];
    let mut all = arguments.to_vec();
    let (source, target) = (source.to_string_lossy(), target.to_string_lossy().into_owned());
    all.extend([&*source, "-o", &target]);
    run("rustc", &all).unwrap();
    let bytes = std::fs::read(scratch.join("threads.bc")).expect("rustc wrote bitcode");
    std::fs::remove_dir_all(&scratch).ok();
    let module = decode(&bytes).unwrap();
    let defined = module.functions.iter().filter(|function| !function.is_declaration()).count();
    assert!(defined > 300, "{defined} functions");
    // Printing meets every instruction, constant and name.
    let printer = Printer::new(&module);
    let lines: usize = (0..module.functions.len()).map(|index| printer.body(index).len()).sum();
    assert!(lines > 10_000, "{lines} lines");
    eprintln!("{}: {defined} functions, {lines} lines", module.producer);
}
