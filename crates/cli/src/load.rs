//! From a path to a program that is ready to run, with what the user is told about that.

use std::path::{Path, PathBuf};

use mazurka::{Kind, Loaded, Refusal, Settings, kind_of};

use crate::terminal;

/// Options that were given and that only one kind of program knows: one of each kind.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Given {
    pub(crate) c: Option<&'static str>,
    pub(crate) actor: Option<&'static str>,
    pub(crate) network: Option<&'static str>,
}

impl Given {
    /// Refuses an option that has no meaning for this kind of program.
    fn refuse(self, kind: Kind, first: &Path) -> Result<(), Refusal> {
        let for_c = |option| format!("{option} is for C and C++ programs, and `{}` is none", first.display());
        let for_actors = |option, kind| format!("{option} is for actors (`.abs`), not for {kind}");
        let message = match kind {
            Kind::Process => self.c.map(for_c).or(self.actor.map(|option| for_actors(option, "the process notation"))),
            Kind::C => self.actor.map(|option| for_actors(option, "C and C++")),
            Kind::Actor => self.c.map(for_c),
            Kind::Network => self.c.map(for_c).or(self.actor.map(|option| for_actors(option, "networks"))),
        };
        let for_networks = |option| format!("{option} is for networks (`.sdn`), and `{}` is none", first.display());
        let other = self.network.filter(|_| kind != Kind::Network).map(for_networks);
        let message = message.or(other);
        message.map_or(Ok(()), |message| Err(Refusal::new(message)))
    }
}

/// Reads and compiles a program of one or more files. A compiler's warnings are shown.
pub(crate) fn load(paths: &[PathBuf], settings: &Settings, given: Given) -> Result<Loaded, Refusal> {
    given.refuse(kind_of(paths)?, &paths[0])?;
    let loaded = Loaded::from_files(paths, settings)?;
    terminal::print_error(&loaded.warnings);
    Ok(loaded)
}

/// Shows what is no error.
pub(crate) fn note(text: &str) {
    terminal::print_error(&format!("note: {text}\n"));
}
