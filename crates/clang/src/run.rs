//! Compiling one file.

use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::{Clang, Error};

/// What keeps the program as it is written. No pass of LLVM runs: not even functions that ask for
/// it are inlined. The last one is for AddressSanitizer, and does nothing here but say where the
/// scopes of locals begin and end.
const FAITHFUL: &[&str] = &[
    "-O0",
    "-Xclang",
    "-disable-llvm-passes",
    "-Xclang",
    "-disable-O0-optnone",
    "-Xclang",
    "-fsanitize-address-use-after-scope",
];

/// What is asked of every compilation: bitcode with places and names, and nothing added that the
/// source does not say.
const ALWAYS: &[&str] = &[
    "-g",
    "-emit-llvm",
    "-c",
    "-pthread",
    "-fno-discard-value-names",
    "-fno-stack-protector",
    "-fno-sanitize=undefined",
    "-ffp-contract=off",
    "-fno-color-diagnostics",
    "-U_FORTIFY_SOURCE",
];

/// A language that clang reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// C.
    C,
    /// C++, without exceptions.
    Cpp,
    /// LLVM assembly.
    Assembly,
}

/// What a compilation is told besides the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Macros: `NAME` or `NAME=anything`.
    pub defines: Vec<String>,
    /// Folders of header files.
    pub includes: Vec<PathBuf>,
    /// Further words for clang, behind all others.
    pub flags: Vec<String>,
    /// Whether clang's warnings are wanted.
    pub warnings: bool,
}

/// A file that was compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compiled {
    /// LLVM bitcode.
    pub bitcode: Vec<u8>,
    /// What clang had to say all the same.
    pub warnings: String,
    /// The files that were read, those of the system left out.
    pub sources: Vec<PathBuf>,
}

impl Clang {
    /// Compiles a file.
    ///
    /// # Errors
    /// Where clang cannot be run or refuses the file.
    pub fn compile(&self, file: &Path, language: Language, options: &Options) -> Result<Compiled, Error> {
        // Some drivers (`zig cc`) write either the bitcode or the list of what was read.
        let wants_list = language != Language::Assembly;
        match self.run(file, language, options, wants_list)? {
            Some(compiled) => Ok(compiled),
            None => self
                .run(file, language, options, false)?
                .ok_or_else(|| Error::System { message: format!("clang left no bitcode for `{}`", file.display()) }),
        }
    }

    /// Compiles a file, with or without a list of what was read; none where no bitcode was left.
    fn run(&self, file: &Path, language: Language, options: &Options, list: bool) -> Result<Option<Compiled>, Error> {
        let (output, listed) = (Scratch::new("bc"), Scratch::new("d"));
        let mut command = self.command(file, language, options);
        command.arg("-o").arg(&output.path).stdin(Stdio::null());
        if list {
            command.arg("-MMD").arg("-MF").arg(&listed.path);
        }
        let name = command.get_program().to_string_lossy().into_owned();
        let system = |what: String| Error::System { message: what };
        let ran = command.output().map_err(|error| system(format!("`{name}` cannot be run: {error}")))?;
        let said = String::from_utf8_lossy(&ran.stderr).into_owned();
        if !ran.status.success() {
            let diagnostics = if said.trim().is_empty() { format!("`{name}` ended with {}", ran.status) } else { said };
            return Err(Error::Refused { file: file.display().to_string(), diagnostics });
        }
        let bitcode = match std::fs::read(&output.path) {
            Ok(bitcode) => bitcode,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(system(format!("`{}` cannot be read: {error}", output.path.display()))),
        };
        let sources = std::fs::read_to_string(&listed.path).map(|rule| prerequisites(&rule)).unwrap_or_default();
        Ok(Some(Compiled { bitcode, warnings: said, sources }))
    }

    fn command(&self, file: &Path, language: Language, options: &Options) -> Command {
        let (program, words) = self.words();
        let mut command = Command::new(program);
        command.args(words).args(["-x", language.name()]);
        command.args(arguments(language, options)).arg(file);
        command
    }
}

impl Language {
    fn name(self) -> &'static str {
        match self {
            Language::C => "c",
            Language::Cpp => "c++",
            Language::Assembly => "ir",
        }
    }
}

/// The words of a compilation, but for the names of files.
fn arguments(language: Language, options: &Options) -> Vec<OsString> {
    let mut words: Vec<OsString> = Vec::new();
    // Who asks for another level of optimisation wants it to be done.
    if !options.flags.iter().any(|flag| flag.starts_with("-O")) {
        words.extend(FAITHFUL.iter().map(Into::into));
    }
    words.extend(ALWAYS.iter().map(Into::into));
    if language == Language::Cpp {
        words.push("-fno-exceptions".into());
        // The standard library checks indices, and has all its code in its headers.
        words.push("-D_GLIBCXX_ASSERTIONS".into());
    }
    if !options.warnings {
        words.push("-w".into());
    }
    words.extend(options.defines.iter().map(|define| format!("-D{define}").into()));
    for folder in &options.includes {
        words.push("-I".into());
        words.push(folder.into());
    }
    words.extend(options.flags.iter().map(Into::into));
    words
}

/// The files that a rule for `make` says something is made from.
fn prerequisites(rule: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut name = String::new();
    let mut letters = rule.split_once(": ").map_or("", |(_, rest)| rest).chars().peekable();
    while let Some(letter) = letters.next() {
        match (letter, letters.peek()) {
            ('\\', Some(&(' ' | '#' | '\\'))) | ('$', Some('$')) => name.extend(letters.next()),
            ('\\', Some('\n')) => {}
            (space, _) if space.is_whitespace() => {
                files.extend((!name.is_empty()).then(|| PathBuf::from(std::mem::take(&mut name))));
            }
            _ => name.push(letter),
        }
    }
    files.extend((!name.is_empty()).then(|| PathBuf::from(name)));
    files
}

/// The name of a file for a while; what is there is removed at the end.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
}

impl Scratch {
    /// A name that nobody else has, with an ending.
    pub fn new(ending: &str) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("mazurka-{}-{number}.{ending}", std::process::id());
        Self { path: std::env::temp_dir().join(name) }
    }

    /// The name.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Nobody may have written it.
        let _ = std::fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(flags: &[&str], language: Language) -> Vec<String> {
        let flags = flags.iter().map(ToString::to_string).collect();
        let options = Options { defines: vec!["N=3".to_owned()], flags, ..Options::default() };
        arguments(language, &options).iter().map(|word| word.to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn rules_for_make_are_read() {
        let rule = "/tmp/x.bc: main.c \\\n  inc/shared.h \\\n a\\ b.h\n";
        assert_eq!(prerequisites(rule), ["main.c", "inc/shared.h", "a b.h"].map(PathBuf::from));
        assert!(prerequisites("").is_empty());
    }

    #[test]
    fn what_the_user_asks_for_comes_last() {
        let plain = words(&[], Language::C);
        assert!(plain.contains(&"-O0".to_owned()) && plain.contains(&"-disable-llvm-passes".to_owned()));
        assert!(plain.contains(&"-DN=3".to_owned()) && !plain.contains(&"-fno-exceptions".to_owned()));
        let optimised = words(&["-O1"], Language::Cpp);
        assert!(!optimised.contains(&"-disable-llvm-passes".to_owned()));
        assert_eq!(optimised.last().map(String::as_str), Some("-O1"));
        assert!(optimised.contains(&"-fno-exceptions".to_owned()));
    }
}
