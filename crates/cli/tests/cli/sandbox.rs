//! Running the program in a directory of its own.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A directory that is removed at the end.
pub(crate) struct Sandbox {
    path: PathBuf,
}

impl Sandbox {
    /// A fresh directory; `name` is the test's.
    pub(crate) fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("mazurka-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a directory can be made");
        Self { path }
    }

    /// Its path.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a file into it.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> &Self {
        std::fs::write(self.path.join(name), content).expect("a file can be written");
        self
    }

    /// The program, to be run in it.
    pub(crate) fn mazurka(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mazurka"));
        command.args(arguments).current_dir(&self.path).stdin(Stdio::null());
        command.env_remove("COLUMNS").env_remove("NO_COLOR").env_remove("RUST_BACKTRACE");
        command
    }

    /// Runs the program in it.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        Ran::from(self.mazurka(arguments).output().expect("the program can be started"))
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// What came of a run.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) status: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            status: output.status.code(),
            stdout: String::from_utf8(output.stdout).expect("stdout is text"),
            stderr: String::from_utf8(output.stderr).expect("stderr is text"),
        }
    }
}

impl Ran {
    /// The object on stdout.
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Checks that the input was refused with a message that has all these parts, and nothing else
    /// was printed.
    pub(crate) fn is_refused(&self, parts: &[&str]) {
        assert_eq!(self.status, Some(2), "{self:?}");
        assert_eq!(self.stdout, "", "{self:?}");
        assert!(self.stderr.starts_with("error: "), "{self:?}");
        for part in parts {
            assert!(self.stderr.contains(part), "`{part}` in {}", self.stderr);
        }
    }
}

/// Two increments of which one can be lost.
pub(crate) const LOST_UPDATE: &str = "\
// Two increments that are not atomic.
int x = 0;

process p {
  int t = x;
  x = t + 1;
}

process q {
  int t = x;
  x = t + 1;
}

finally { assert x == 2; }
";

/// Two increments that are.
pub(crate) const ATOMIC: &str =
    "int x = 0; process p { x = x + 1; } process q { x = x + 1; } finally { assert x == 2; }";

/// N! executions.
pub(crate) const LAST_WRITE: &str = "const N = 4; const LEAST = 0; int x = 0;\n\
    process w[N](i) { x = i; }\nfinally { assert x >= LEAST; }";
