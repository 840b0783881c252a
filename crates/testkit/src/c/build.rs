//! Compiling random C programs, many at a time.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use mazurka_clang::{Clang, Language, Options};
use mazurka_llvm::ir::Module;
use mazurka_llvm::{Image, Settings};

use super::program::CProgram;

/// Compiles programs. Starting clang takes longer than compiling a small program, so many are compiled as one file, and
/// of that module each image takes what its own main function refers to.
#[derive(Debug)]
pub struct Compiler {
    clang: Clang,
}

/// Programs that were compiled together.
#[derive(Debug)]
pub struct Compiled {
    module: Module,
    /// The functions that they begin with: indices of the module's functions.
    mains: Vec<usize>,
}

impl Compiler {
    /// With the clang of this system.
    ///
    /// # Errors
    /// Where there is none.
    pub fn new() -> Result<Self, String> {
        Ok(Compiler { clang: Clang::find(None).map_err(|error| error.to_string())? })
    }

    /// Compiles programs together.
    ///
    /// # Errors
    /// What clang says.
    pub fn compile(&self, programs: &[CProgram]) -> Result<Compiled, String> {
        let file = Source::new(&CProgram::together(programs))?;
        let compiled = self.clang.compile(&file.0, Language::C, &Options::default());
        let bitcode = compiled.map_err(|error| error.to_string())?.bitcode;
        let module = mazurka_llvm::bitcode::decode(&bitcode).map_err(|error| error.to_string())?;
        let main = |number: usize| {
            let name = format!("p{number}_main");
            module.functions.iter().position(|function| function.name == name)
        };
        let mains: Option<Vec<usize>> = (0..programs.len()).map(main).collect();
        Ok(Compiled { mains: mains.ok_or("a main function is missing")?, module })
    }
}

impl Compiled {
    /// One of the programs.
    ///
    /// # Errors
    /// What is not supported.
    pub fn image(&self, number: usize, settings: &Settings) -> Result<Arc<Image>, String> {
        let mut module = self.module.clone();
        module.functions[self.mains[number]].name = "main".to_owned();
        let image = mazurka_llvm::compile(vec![module], settings, &|_| None);
        image.map(Arc::new).map_err(|list| list.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
    }
}

/// A file of source text; removed at the end.
struct Source(PathBuf);

impl Source {
    fn new(text: &str) -> Result<Self, String> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("mazurka-random-{}-{number}.c", std::process::id()));
        let write = |path: &Path| std::fs::write(path, text);
        write(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Source(path))
    }
}

impl Drop for Source {
    fn drop(&mut self) {
        // Nothing depends on it any more.
        let _ = std::fs::remove_file(&self.0);
    }
}
