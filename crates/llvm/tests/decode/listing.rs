//! Reads what `llvm-dis` prints: functions and globals as lists of tokens, without what the decoder
//! does not keep.

use std::collections::HashMap;

/// A listing.
#[derive(Default)]
pub(crate) struct Listing {
    /// Functions in order: head, then lines.
    pub(crate) functions: Vec<(Vec<String>, Vec<Vec<String>>)>,
    /// Globals and aliases by name.
    pub(crate) globals: HashMap<String, Vec<String>>,
}

/// Words that are attributes of parameters, results, functions or symbols.
const WORDS: &[&str] = &[
    "zeroext",
    "signext",
    "noext",
    "inreg",
    "noalias",
    "noundef",
    "nonnull",
    "readonly",
    "readnone",
    "writeonly",
    "writable",
    "nocapture",
    "nofree",
    "immarg",
    "returned",
    "nest",
    "swiftself",
    "swiftasync",
    "allocalign",
    "allocptr",
    "dead_on_unwind",
    "dso_local",
    "dso_preemptable",
    "unnamed_addr",
    "local_unnamed_addr",
    "hidden",
    "protected",
    "externally_initialized",
];

/// Words that are attributes with something in parentheses.
const CALLS: &[&str] = &[
    "dereferenceable",
    "dereferenceable_or_null",
    "byval",
    "sret",
    "byref",
    "preallocated",
    "inalloca",
    "elementtype",
    "range",
    "captures",
    "nofpclass",
    "initializes",
    "inrange",
    "comdat",
];

/// Reads a listing.
pub(crate) fn read(text: &str) -> Listing {
    let metadata = Metadata::read(text);
    let mut listing = Listing::default();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if line.starts_with('@') {
            let tokens = normal(&tokens(line), &metadata, true);
            listing.globals.insert(tokens[0].clone(), tokens);
        } else if line.starts_with("declare ") {
            listing.functions.push((head(line), Vec::new()));
        } else if line.starts_with("define ") {
            let mut body: Vec<String> = Vec::new();
            for line in lines.by_ref() {
                let inner = line.trim_start();
                let indent = line.len() - inner.len();
                match inner {
                    "}" if indent == 0 => break,
                    "" => {}
                    _ if inner.starts_with("; uselistorder") || inner.starts_with("uselistorder") => {}
                    _ if inner.starts_with(';') => {}
                    _ if inner.starts_with("#dbg") => body.push(inner.to_string()),
                    _ if indent == 0 => {
                        let (label, _) = line.rsplit_once(':').map_or((line, ""), |_| split_label(line));
                        body.push(format!("label %{label}"));
                    }
                    _ if indent == 2 && !inner.starts_with(']') => body.push(inner.to_string()),
                    _ => {
                        let last = body.last_mut().expect("a line that goes on follows another");
                        last.push(' ');
                        last.push_str(inner);
                    }
                }
            }
            let body = body.iter().map(|line| match line.starts_with("#dbg") {
                true => metadata.record(&tokens(line)),
                false => normal(&tokens(line), &metadata, false),
            });
            listing.functions.push((head(line), body.collect()));
        }
    }
    listing
}

/// The label of a line, which may be in quotes, and what follows it.
fn split_label(line: &str) -> (&str, &str) {
    match line.starts_with('"') {
        true => {
            let end = line[1..].find('"').map_or(line.len(), |end| end + 2);
            line.split_at(end)
        }
        false => line.split_once(':').unwrap_or((line, "")),
    }
}

/// The head of a function up to the end of its parameters.
fn head(line: &str) -> Vec<String> {
    let all = tokens(line);
    let all = normal(&all, &Metadata::default(), false);
    let name = all.iter().position(|token| token.starts_with('@')).expect("a function has a name");
    let mut depth = 0;
    let end = all[name..].iter().position(|token| {
        depth += i32::from(token == "(") - i32::from(token == ")");
        depth == 0 && token == ")"
    });
    all[..=name + end.expect("parameters end")].to_vec()
}

/// What the debug metadata says, by its numbers.
#[derive(Default)]
struct Metadata {
    /// Line and column of places.
    lines: HashMap<String, (String, String)>,
    /// Names of variables and labels.
    names: HashMap<String, String>,
}

impl Metadata {
    fn read(text: &str) -> Self {
        let mut metadata = Metadata::default();
        for line in text.lines().filter(|line| line.starts_with('!')) {
            let Some((id, rest)) = line.split_once(" = ") else { continue };
            let rest = rest.trim_start_matches("distinct ");
            let tokens = tokens(rest);
            let field = |name: &str| {
                let at = tokens.windows(2).position(|pair| pair[0] == name && pair[1] == ":")?;
                tokens.get(at + 2).cloned()
            };
            if rest.starts_with("!DILocation(") {
                let line = field("line").unwrap_or("0".to_string());
                metadata.lines.insert(id.to_string(), (line, field("column").unwrap_or("0".to_string())));
            } else if rest.starts_with("!DILocalVariable(") || rest.starts_with("!DILabel(") {
                let name = field("name").unwrap_or_default();
                metadata.names.insert(id.to_string(), name.trim_matches('"').to_string());
            }
        }
        metadata
    }

    /// A debug record: its kind, its value, the name of its variable, and its line.
    fn record(&self, tokens: &[String]) -> Vec<String> {
        let mut parts: Vec<Vec<String>> = vec![Vec::new()];
        let mut depth = 0;
        for token in &tokens[2..tokens.len() - 1] {
            match token.as_str() {
                "(" | "{" | "[" | "<" => depth += 1,
                ")" | "}" | "]" | ">" => depth -= 1,
                _ => {}
            }
            match token == "," && depth == 0 {
                true => parts.push(Vec::new()),
                false => parts.last_mut().expect("there is a first part").push(token.clone()),
            }
        }
        let line =
            parts.last().and_then(|part| self.lines.get(&part[0])).map_or("0".to_string(), |(line, _)| line.clone());
        let mut out = vec![tokens[0].clone(), "(".to_string()];
        let variable = if tokens[0] == "#dbg_label" { 0 } else { 1 };
        if variable == 1 {
            let value = normal(&parts[0], self, false);
            out.extend(if value.first().is_some_and(|token| token.starts_with('!') && token != "!DIArgList") {
                vec!["!".to_string()]
            } else {
                value
            });
            out.push(",".to_string());
        }
        out.extend(
            self.names
                .get(&parts[variable][0])
                .map(|name| name.split_whitespace().map(str::to_string))
                .into_iter()
                .flatten(),
        );
        out.extend([",".to_string(), line, ")".to_string()]);
        out
    }
}

/// Tokens without what is not compared, and numbers in one form.
fn normal(tokens: &[String], metadata: &Metadata, global: bool) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut location = None;
    let mut next = 0;
    while next < tokens.len() {
        let token = tokens[next].as_str();
        let follows = |text: &str| tokens.get(next + 1).is_some_and(|token| token == text);
        if WORDS.contains(&token) {
            next += 1;
        } else if CALLS.contains(&token) && follows("(") {
            next = after_parentheses(tokens, next + 1);
            drop_comma(&mut out, token == "comdat");
        } else if token == "comdat" {
            next += 1;
            drop_comma(&mut out, true);
        } else if matches!(token, "section" | "partition" | "code_model") && global {
            next += 2;
            drop_comma(&mut out, true);
        } else if token == "align" && out.last().is_none_or(|last| last != ",") {
            next += 2;
        } else if token == "addrspace" && global {
            next = after_parentheses(tokens, next + 1);
        } else if token.starts_with('#') && token[1..].starts_with(|letter: char| letter.is_ascii_digit()) {
            next += 1;
        } else if token.starts_with('!') && out.last().is_some_and(|last| last == ",") && is_attachment(&tokens[next..])
        {
            if token == "!dbg" {
                location = metadata.lines.get(&tokens[next + 1]).cloned();
            }
            out.pop();
            next += 2;
        } else if token == "metadata" && tokens.get(next + 1).is_some_and(|token| token.starts_with('!')) {
            out.extend(["metadata".to_string(), "!".to_string()]);
            next += 2;
            if tokens.get(next).is_some_and(|token| token == "(" || token == "{") {
                next = after_parentheses(tokens, next);
            }
        } else {
            out.push(number(token));
            next += 1;
        }
    }
    if let Some((line, column)) = location {
        out.extend(["!line".to_string(), line, ":".to_string(), column]);
    }
    out
}

fn drop_comma(out: &mut Vec<String>, wanted: bool) {
    if wanted && out.last().is_some_and(|last| last == ",") {
        out.pop();
    }
}

/// Whether `!name !value` is here.
fn is_attachment(tokens: &[String]) -> bool {
    tokens[0][1..].starts_with(|letter: char| letter.is_ascii_alphabetic())
        && tokens.get(1).is_some_and(|token| token.starts_with('!'))
}

/// The token after the parenthesis that closes the one at `next`.
fn after_parentheses(tokens: &[String], mut next: usize) -> usize {
    let mut depth = 0;
    while let Some(token) = tokens.get(next) {
        depth += i32::from(matches!(token.as_str(), "(" | "{")) - i32::from(matches!(token.as_str(), ")" | "}"));
        next += 1;
        if depth == 0 {
            break;
        }
    }
    next
}

/// A floating-point number by its bits.
fn number(token: &str) -> String {
    let is_decimal = token.contains('.')
        && token.starts_with(|letter: char| letter.is_ascii_digit() || letter == '-')
        && token != "...";
    match token.parse::<f64>() {
        Ok(value) if is_decimal => format!("0x{:016X}", value.to_bits()),
        _ => token.to_string(),
    }
}

/// The tokens of a line.
pub(crate) fn tokens(line: &str) -> Vec<String> {
    let letters: Vec<char> = line.chars().collect();
    let mut tokens = Vec::new();
    let mut next = 0;
    let word = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '$' | '.' | '_' | '+');
    while next < letters.len() {
        let start = next;
        match letters[next] {
            letter if letter.is_whitespace() => {
                next += 1;
                continue;
            }
            ';' => break,
            letter => {
                next += 1;
                let sigil = matches!(letter, '%' | '@' | '!' | '#' | '$');
                if letter == '"' || (letters.get(next) == Some(&'"') && (sigil || letter == 'c')) {
                    next += usize::from(letter != '"');
                    while next < letters.len() && letters[next] != '"' {
                        next += 1;
                    }
                    next += 1;
                } else if sigil || word(letter) {
                    while next < letters.len() && word(letters[next]) {
                        next += 1;
                    }
                }
            }
        }
        tokens.push(letters[start..next.min(letters.len())].iter().collect());
    }
    tokens
}
