//! What is tested: a method, or a context.

use std::path::{Path, PathBuf};

use mazurka::Refusal;
use mazurka_actor::{ClassMethods, Image, Refused, Situation};

use super::Test;

/// The files, and the method.
pub(super) fn words(arguments: &Test) -> Result<(Vec<PathBuf>, Option<&str>), Refusal> {
    let is_file = |word: &&String| {
        Path::new(word.as_str()).extension().is_some_and(|ending| ending.len() < 4) && !is_method(word)
    };
    let programs: Vec<PathBuf> = arguments.words.iter().filter(is_file).map(PathBuf::from).collect();
    let methods: Vec<&str> = arguments.words.iter().filter(|word| !is_file(word)).map(String::as_str).collect();
    let help = "`mazurka test FILE.abs C.m`, or `mazurka test FILE.abs --context 'c1:[m]'`";
    match (&programs[..], &methods[..], &arguments.context) {
        ([], ..) => Err(Refusal::with_help("there is no program among the arguments", help)),
        (_, [], None) => Err(Refusal::with_help("there is no method to test", help)),
        (_, [_], Some(_)) => Err(Refusal::with_help("a method and --context exclude each other", help)),
        (_, [], Some(_)) => Ok((programs, None)),
        (_, [method], None) => Ok((programs, Some(method))),
        (_, [_, second, ..], _) => Err(Refusal::with_help(format!("`{second}`: one method is tested"), help)),
    }
}

/// `C.m`: a class begins with an upper case letter, and what follows the point is no ending.
fn is_method(word: &str) -> bool {
    let parts = word.split_once('.').filter(|(class, _)| class.chars().all(|c| c.is_alphanumeric() || c == '_'));
    parts.is_some_and(|(class, method)| {
        let is_ending = ["abs", "mzk", "c", "cc", "cpp", "ll", "bc"].contains(&method);
        class.starts_with(char::is_uppercase) && !is_ending
    })
}

/// What to begin with, how it is called, and the method's body.
pub(super) fn target(
    arguments: &Test,
    method: Option<&str>,
    image: &Image,
) -> Result<(Situation, String, Option<u32>), Refusal> {
    if let Some(method) = method {
        let (class, body) = image.find_method(method).map_err(refusal)?;
        return Ok((Situation::free(image, &[(class, vec![body])]), method.to_owned(), Some(body)));
    }
    let text = arguments.context.as_deref().unwrap_or_default();
    let text = match std::fs::read_to_string(text) {
        Ok(read) => read,
        Err(_) => text.to_owned(),
    };
    let text = text.trim();
    if text.contains('(') {
        return Ok((Situation::read(text, image).map_err(refusal)?, text.to_owned(), None));
    }
    let locations = locations(text, image)?;
    Ok((Situation::free(image, &locations), text.to_owned(), None))
}

fn refusal(wrong: Refused) -> Refusal {
    match wrong.help {
        Some(help) => Refusal::with_help(wrong.message, help),
        None => Refusal::new(wrong.message),
    }
}

/// `db1:[register, connect] worker1:[work]`
fn locations(text: &str, image: &Image) -> Result<Vec<(u32, Vec<u32>)>, Refusal> {
    let misshapen = |rest: &str| {
        let help = "`db1:[register, connect] worker1:[work]`: objects with the methods of their tasks";
        Refusal::with_help(format!("--context: expected `object:[method, …]` before `{}`", rest.trim()), help)
    };
    let (mut rest, mut all, mut names) = (text, Vec::new(), Vec::new());
    while !rest.trim().is_empty() {
        let (name, after) = rest.split_once(':').ok_or_else(|| misshapen(rest))?;
        let inside = after.trim_start().strip_prefix('[').ok_or_else(|| misshapen(rest))?;
        let (methods, after) = inside.split_once(']').ok_or_else(|| misshapen(rest))?;
        let name = name.trim();
        let methods: Vec<&str> = methods.split(',').map(str::trim).filter(|method| !method.is_empty()).collect();
        if names.contains(&name) {
            return Err(Refusal::new(format!("--context: there are two objects `{name}`")));
        }
        names.push(name);
        all.push(location(name, &methods, image)?);
        rest = after;
    }
    if all.iter().all(|(_, methods): &(u32, Vec<u32>)| methods.is_empty()) {
        return Err(Refusal::new("--context: there are no tasks"));
    }
    Ok(all)
}

/// The class of an object: the one that it is named after, or else the only one with such methods.
fn location(name: &str, methods: &[&str], image: &Image) -> Result<(u32, Vec<u32>), Refusal> {
    let classes = image.methods();
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let exact = classes.iter().filter(|class| class.name == stem);
    let named: Vec<&ClassMethods<'_>> = match exact.clone().count() {
        0 => classes.iter().filter(|class| class.name.to_lowercase() == stem.to_lowercase()).collect(),
        _ => exact.collect(),
    };
    let has_all =
        |class: &&ClassMethods<'_>| methods.iter().all(|method| class.methods.iter().any(|(_, known)| known == method));
    let fitting: Vec<&ClassMethods<'_>> = classes.iter().filter(has_all).collect();
    let class = match (&named[..], &fitting[..]) {
        ([one], _) => one,
        (_, [one]) if !methods.is_empty() => one,
        (_, []) => return Err(no_class(name, methods, image)),
        (_, several) => {
            let names: Vec<&str> = several.iter().map(|class| class.name).collect();
            let message = format!("--context: the class of `{name}` can be {}", names.join(", "));
            return Err(Refusal::with_help(message, "name the object after its class: `db1` for a class `DB`"));
        }
    };
    let found = methods.iter().map(|method| {
        let found = image.find_method(&format!("{}.{method}", class.name));
        found.map(|(_, body)| body).map_err(refusal)
    });
    Ok((class.class, found.collect::<Result<_, _>>()?))
}

fn no_class(name: &str, methods: &[&str], image: &Image) -> Refusal {
    let first = methods.first().copied().unwrap_or_default();
    let of: Vec<&str> = image
        .methods()
        .iter()
        .filter(|class| class.methods.iter().any(|(_, known)| *known == first))
        .map(|class| class.name)
        .collect();
    let message = format!("--context: no class has the methods {} of `{name}`", methods.join(", "));
    match of.is_empty() {
        true => Refusal::new(message),
        false => Refusal::with_help(message, format!("`{first}` is a method of {}", of.join(", "))),
    }
}
