//! C programs of the corpus: their flags, and how they are compiled.

use std::path::Path;
use std::sync::Arc;

use mazurka_clang::{Options, build};
use mazurka_llvm::{Image, Settings};

use super::Expectation;

/// Compiles a program.
pub(super) fn load(file: &Path, given: &Expectation) -> Result<Arc<Image>, String> {
    let (options, settings) = flags(&given.flags)?;
    let folder = file.parent().unwrap_or(Path::new("."));
    let mut files = vec![file.to_path_buf()];
    files.extend(given.files.iter().map(|other| folder.join(other)));
    let built = build(&files, None, &options, &settings).map_err(|error| error.to_string())?;
    Ok(Arc::new(built.image))
}

/// Compiles a program with the flags that stand in it.
///
/// # Errors
/// Where it cannot be read or compiled.
pub fn load_file(file: &Path) -> Result<Arc<Image>, String> {
    let source = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    load(file, &Expectation::parse(&source)?)
}

/// Options as they stand on the command line.
fn flags(words: &[String]) -> Result<(Options, Settings), String> {
    let (mut options, mut settings) = (Options::default(), Settings::default());
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().cloned().ok_or_else(|| format!("`{word}` lacks a value"));
        match word.as_str() {
            "-D" => options.defines.push(value()?),
            "-I" => options.includes.push(root().join(value()?)),
            "--cflags" => options.flags.push(value()?),
            "--no-data-races" => settings.data_races = false,
            "--leaks" => settings.leaks = true,
            "--any-exit-status" => settings.any_exit_status = true,
            "--overflow" => settings.overflow = true,
            "--no-shortcuts" => settings.shortcuts = false,
            "--unroll" => settings.unroll = Some(value()?.parse().map_err(|_| "--unroll needs a number")?),
            "--spurious-wakeups" => {
                settings.spurious_wakeups = value()?.parse().map_err(|_| "--spurious-wakeups needs a number")?;
            }
            "--nondet" => settings.nondet = Some(range(&value()?)?),
            "--" => settings.arguments = words.by_ref().cloned().collect(),
            _ => return Err(format!("`{word}` is not a flag")),
        }
    }
    Ok((options, settings))
}

/// The root of the repository: what folders are relative to.
fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn range(text: &str) -> Result<(i64, i64), String> {
    let wrong = || format!("`{text}` is not LO..HI");
    let (low, high) = text.split_once("..").ok_or_else(wrong)?;
    let number = |text: &str| text.parse::<i64>().map_err(|_| wrong());
    Ok((number(low)?, number(high)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_those_of_the_command_line() {
        let words = |text: &str| text.split_whitespace().map(str::to_string).collect::<Vec<_>>();
        let (options, settings) = flags(&words("-D N=3 --leaks --nondet -2..2 -- 3 word")).expect("they are known");
        assert_eq!(options.defines, ["N=3"]);
        assert!(settings.leaks && settings.data_races && settings.nondet == Some((-2, 2)));
        assert_eq!(settings.arguments, ["3", "word"]);
        assert!(flags(&words("--fast")).is_err() && flags(&words("-D")).is_err());
    }
}
