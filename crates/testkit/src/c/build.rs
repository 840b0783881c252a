//! Compiling random C programs, many at a time.

use std::path::Path;
use std::sync::Arc;

use mazurka_clang::{Clang, Language, Options, Scratch};
use mazurka_llvm::ir::Module;
use mazurka_llvm::{Image, Settings};

use super::program::CProgram;

/// Compiles programs. Starting clang takes longer than compiling a small program, so many are
/// compiled as one file, and of that module each image takes what its own main function refers to.
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
        let file = Scratch::new("c");
        let write = std::fs::write(file.path(), CProgram::together(programs));
        write.map_err(|error| format!("{}: {error}", file.path().display()))?;
        let mains: Vec<String> = (0..programs.len()).map(|number| format!("p{number}_main")).collect();
        self.compile_as(file.path(), &Options::default(), &mains)
    }

    /// Compiles a program that stands in a file of its own.
    ///
    /// # Errors
    /// What clang says.
    pub fn compile_file(&self, path: &Path, defines: &[String]) -> Result<Compiled, String> {
        let options = Options { defines: defines.to_vec(), ..Options::default() };
        self.compile_as(path, &options, &["main".to_owned()])
    }

    fn compile_as(&self, path: &Path, options: &Options, mains: &[String]) -> Result<Compiled, String> {
        let compiled = self.clang.compile(path, Language::C, options);
        let bitcode = compiled.map_err(|error| error.to_string())?.bitcode;
        let module = mazurka_llvm::bitcode::decode(&bitcode).map_err(|error| error.to_string())?;
        let main = |name: &String| module.functions.iter().position(|function| function.name == *name);
        let mains: Option<Vec<usize>> = mains.iter().map(main).collect();
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
