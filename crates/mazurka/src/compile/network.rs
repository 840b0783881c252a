//! Networks: one file.

use std::path::{Path, PathBuf};
use std::time::Duration;

use mazurka_sdn::{Image, Network};

use super::{Compiled, constants};
use crate::files;
use crate::program::Program;
use crate::refusal::Refusal;
use crate::settings::{ActorSettings, Barriers, Dependence, Settings};

pub(super) fn compile(files: &[PathBuf], settings: &Settings) -> Result<Compiled, Refusal> {
    let [file] = files else {
        return Err(Refusal::new("a network is one file"));
    };
    let name = file.display().to_string();
    let source = files::read(file, &name)?;
    from_text(&name, source, settings)
}

/// From the text of a network.
pub(super) fn from_text(name: &str, source: String, settings: &Settings) -> Result<Compiled, Refusal> {
    if !settings.arguments.is_empty() {
        let help = "to give a `const` another value, use -D NAME=VALUE";
        return Err(Refusal::with_help("a network takes no arguments", help));
    }
    let (network, source) = network_of(name, source, &settings.defines)?;
    if settings.network.barriers == Barriers::Futures {
        return as_actors(name, &network, source, settings);
    }
    let image = Image::new(network, settings.network.barriers.into());
    Ok(Compiled {
        program: Program::Network { image, fuel: settings.max_instructions, traces: settings.actor.traces },
        sources: vec![source.into_bytes()],
        compiler_time: Duration::ZERO,
        warnings: String::new(),
    })
}

/// The network as actors, for barriers that are made of futures.
fn as_actors(name: &str, network: &Network, source: String, settings: &Settings) -> Result<Compiled, Refusal> {
    let refused = |reason: String| Refusal::new(format!("--barriers futures runs a network as actors: {reason}"));
    let text = network.to_abs().map_err(refused)?;
    let unsaid = network.unsaid_in_abs();
    if !unsaid.is_empty() {
        return Err(refused(format!("nobody would look for `{}` there", unsaid.join("`, `"))));
    }
    let property = Some("SwitchC.broken".to_owned());
    let actor = ActorSettings { dependence: Some(Dependence::Entry), property, ..settings.actor.clone() };
    let settings = Settings { defines: Vec::new(), actor, ..settings.clone() };
    let compiled = super::actor::from_texts(&[format!("{name} as actors")], vec![text], &settings)?;
    Ok(Compiled { sources: vec![source.into_bytes()], ..compiled })
}

/// Reads a network, to look at it without running it. `defines` are `NAME=VALUE`.
///
/// # Errors
/// All that is wrong with it.
pub fn read_network(file: &Path, defines: &[String]) -> Result<Network, Refusal> {
    let name = file.display().to_string();
    let source = files::read(file, &name)?;
    Ok(network_of(&name, source, defines)?.0)
}

/// The network of a text, with the text.
fn network_of(name: &str, source: String, defines: &[String]) -> Result<(Network, String), Refusal> {
    let defines = constants(defines, "-D NAME=VALUE gives a `const` another value")?;
    if source.trim().is_empty() {
        return Err(Refusal::with_help(
            format!("`{name}` is empty: there is no network"),
            "a network has `switch`, `host`, `controller`, `traffic` and `check`; see corpus/verified/sdn",
        ));
    }
    match mazurka_sdn::compile(name, &source, &defines) {
        Ok(network) => Ok((network, source)),
        Err(diagnostics) => Err(Refusal::Source { source, diagnostics }),
    }
}
