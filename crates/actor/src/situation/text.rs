//! Situations as texts: `db1 = DB(1, null, 0); db1.register(worker1)`.

use std::fmt::Write;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero;

use mazurka_source::suggest;

use super::{Call, Datum, Situation, Thing};
use crate::code::Image;
use crate::hir::InputType;
use crate::methods::Refused;

/// Values nest at most so deep.
const DEEPEST: usize = 200;

impl Situation {
    /// The situation in words, which can be read again.
    pub fn text(&self, image: &Image) -> String {
        let objects = self.objects.iter().map(|thing| {
            let class = &image.classes[thing.class as usize];
            let fields = class.fields.iter().zip(&thing.fields);
            let fields: Vec<String> =
                fields.map(|(name, field)| format!("{name} = {}", self.value_text(image, field))).collect();
            format!("{} = {}({})", thing.name, class.name, fields.join(", "))
        });
        let tasks = self.tasks.iter().map(|call| {
            let arguments: Vec<String> = call.arguments.iter().map(|value| self.value_text(image, value)).collect();
            let method = &image.bodies[call.method as usize].name;
            format!("{}.{method}({})", self.objects[call.object].name, arguments.join(", "))
        });
        objects.chain(tasks).collect::<Vec<String>>().join("; ")
    }

    /// A value in words.
    pub fn value_text(&self, image: &Image, value: &Datum) -> String {
        let mut text = String::new();
        self.write_value(image, value, &mut text);
        text
    }

    /// Lists are written as lists, so that values nest no deeper than they are read, or made up.
    fn write_value(&self, image: &Image, value: &Datum, text: &mut String) {
        let _ = match value {
            Datum::Int(number) => write!(text, "{number}"),
            Datum::Rat(number) => write!(text, "{number}"),
            Datum::Bool(holds) => write!(text, "{holds}"),
            Datum::String(string) => {
                quote(string, text);
                Ok(())
            }
            Datum::Null => write!(text, "null"),
            Datum::Object(object) => write!(text, "{}", self.objects[*object].name),
            Datum::Free(..) => write!(text, "_"),
            Datum::Data(constructor, arguments) => {
                let items = items(image, value);
                let (name, end, parts) = match &items {
                    Some(items) => ("list[", "]", items.clone()),
                    None => ("(", ")", arguments.iter().collect()),
                };
                if items.is_none() {
                    text.push_str(&image.constructors[*constructor as usize].name);
                    if parts.is_empty() {
                        return;
                    }
                }
                text.push_str(name);
                for (number, part) in parts.into_iter().enumerate() {
                    if number > 0 {
                        text.push_str(", ");
                    }
                    self.write_value(image, part, text);
                }
                text.push_str(end);
                Ok(())
            }
        };
    }

    /// Reads a situation.
    ///
    /// # Errors
    /// What is wrong first.
    pub fn read(text: &str, image: &Image) -> Result<Situation, Refused> {
        let mut reader = Reader { image, situation: Situation::default(), rest: text };
        // Objects can refer to others that come later: their names are collected first.
        for statement in statements(text) {
            reader.declare(statement)?;
        }
        let mut next = 0;
        for statement in statements(text) {
            reader.take(statement, &mut next)?;
        }
        if reader.situation.tasks.is_empty() {
            return Err(refused("the context has no tasks: `db1 = DB(…); db1.register(…)`".to_owned()));
        }
        Ok(reader.situation)
    }

    fn find(&self, name: &str) -> Result<usize, Refused> {
        self.objects.iter().position(|thing| thing.name == name).ok_or_else(|| {
            let help = suggest(name, self.objects.iter().map(|thing| thing.name.as_str()));
            Refused { message: format!("there is no object `{name}`"), help }
        })
    }
}

/// A text in quotes.
fn quote(string: &str, text: &mut String) {
    text.push('"');
    for c in string.chars() {
        match c {
            '"' | '\\' => text.extend(['\\', c]),
            '\n' => text.push_str("\\n"),
            '\t' => text.push_str("\\t"),
            '\r' => text.push_str("\\r"),
            other => text.push(other),
        }
    }
    text.push('"');
}

/// Whether a value is one of a type. Values nest no deeper than they are read.
fn is_of(image: &Image, objects: &[Thing], value: &Datum, ty: &InputType) -> bool {
    match (ty, value) {
        (InputType::Int | InputType::Rat, Datum::Int(_)) | (InputType::Rat, Datum::Rat(_)) => true,
        (InputType::Bool, Datum::Bool(_)) | (InputType::String, Datum::String(_)) => true,
        // Also where nobody looks.
        (_, Datum::Null) => true,
        (InputType::Object(interface), Datum::Object(object)) => {
            image.classes[objects[*object].class as usize].interfaces.contains(&interface.0)
        }
        (InputType::Data(data, types), Datum::Data(number, arguments)) => {
            let constructor = &image.constructors[*number as usize];
            let mut parts = arguments.iter().zip(&constructor.types);
            constructor.data == *data && parts.all(|(part, ty)| is_of(image, objects, part, &ty.over(types)))
        }
        (InputType::Unknown | InputType::Parameter(_), _) => true,
        _ => false,
    }
}

/// The items of a list.
fn items<'v>(image: &Image, value: &'v Datum) -> Option<Vec<&'v Datum>> {
    let (mut items, mut rest) = (Vec::new(), value);
    loop {
        match rest {
            Datum::Data(constructor, arguments) => match &arguments[..] {
                [head, tail] if *constructor == image.known.cons.0 => {
                    items.push(head);
                    rest = tail;
                }
                [] if *constructor == image.known.nil.0 && !items.is_empty() => return Some(items),
                _ => return None,
            },
            _ => return None,
        }
    }
}

/// The statements of a text, which are parted by `;` outside of strings.
fn statements(text: &str) -> impl Iterator<Item = &str> {
    let (mut in_string, mut escaped) = (false, false);
    let parts = text.split(move |c| {
        let ends = c == ';' && !in_string;
        in_string ^= c == '"' && !escaped;
        escaped = c == '\\' && in_string && !escaped;
        ends
    });
    parts.map(str::trim).filter(|statement| !statement.is_empty())
}

/// A text that is read.
struct Reader<'a> {
    image: &'a Image,
    situation: Situation,
    rest: &'a str,
}

/// `name = Class(…`: the name, the class and what follows.
fn object_of(statement: &str) -> Option<(&str, &str, &str)> {
    let (head, values) = statement.split_once('(')?;
    let (name, class) = head.split_once('=')?;
    Some((name.trim(), class.trim(), values))
}

impl<'a> Reader<'a> {
    /// Enters the name of an object.
    fn declare(&mut self, statement: &str) -> Result<(), Refused> {
        let Some((name, class, _)) = object_of(statement) else { return Ok(()) };
        let Some(number) = self.image.classes.iter().position(|known| known.name == class) else {
            let help = suggest(class, self.image.classes.iter().map(|class| class.name.as_str()));
            return Err(Refused { message: format!("there is no class `{class}`"), help });
        };
        if self.situation.objects.iter().any(|known| known.name == name) {
            return Err(refused(format!("there are two objects `{name}`")));
        }
        self.situation.objects.push(Thing { name: name.to_owned(), class: number as u32, fields: Vec::new() });
        Ok(())
    }

    /// Takes `name = Class(…)` or `name.method(…)`.
    fn take(&mut self, statement: &'a str, next: &mut usize) -> Result<(), Refused> {
        if let Some((name, _, values)) = object_of(statement) {
            let fields = self.values(statement, values)?;
            let class = &self.image.classes[self.situation.objects[*next].class as usize];
            check_count(name, fields.len(), class.fields.len())?;
            for ((field, value), input) in class.fields.iter().zip(&fields).zip(&class.inputs) {
                self.check_type(&format!("{name}.{field}"), value, &input.ty)?;
            }
            self.situation.objects[*next].fields = fields;
            *next += 1;
            return Ok(());
        }
        let (head, values) = statement.split_once('(').ok_or_else(|| misshapen(statement))?;
        let (name, method) = head.split_once('.').ok_or_else(|| misshapen(statement))?;
        let object = self.situation.find(name.trim())?;
        let class = &self.image.classes[self.situation.objects[object].class as usize].name;
        let (_, method) = self.image.find_method(&format!("{class}.{}", method.trim()))?;
        let arguments = self.values(statement, values)?;
        let body = &self.image.bodies[method as usize];
        check_count(statement, arguments.len(), body.parameters as usize)?;
        for (((parameter, _), value), input) in body.kinds.iter().zip(&arguments).zip(&body.inputs) {
            self.check_type(&format!("{parameter} of `{statement}`"), value, &input.ty)?;
        }
        self.situation.tasks.push(Call { object, method, arguments });
        Ok(())
    }

    fn check_type(&self, what: &str, value: &Datum, ty: &InputType) -> Result<(), Refused> {
        if is_of(self.image, &self.situation.objects, value, ty) {
            return Ok(());
        }
        let value = self.situation.value_text(self.image, value);
        Err(refused(format!("{what}: `{value}` is of another type")))
    }

    /// Values with commas between, up to the parenthesis at the end.
    fn values(&mut self, statement: &str, text: &'a str) -> Result<Vec<Datum>, Refused> {
        self.rest = text;
        let values = self.row(')', 0)?;
        if self.rest.trim().is_empty() { Ok(values) } else { Err(misshapen(statement)) }
    }

    /// Values with commas between; before each there may be a name.
    fn row(&mut self, end: char, depth: usize) -> Result<Vec<Datum>, Refused> {
        let mut values = Vec::new();
        if self.eat(end) {
            return Ok(values);
        }
        loop {
            values.push(self.value(depth)?);
            if self.eat(end) {
                return Ok(values);
            }
            if !self.eat(',') {
                return Err(refused(format!("expected `,` or `{end}` before `{}`", self.rest.trim())));
            }
        }
    }

    fn eat(&mut self, wanted: char) -> bool {
        let rest = self.rest.trim_start();
        let after = rest.strip_prefix(wanted);
        self.rest = after.unwrap_or(rest);
        after.is_some()
    }

    fn value(&mut self, depth: usize) -> Result<Datum, Refused> {
        if depth > DEEPEST {
            return Err(refused(format!("values nest deeper than {DEEPEST}")));
        }
        let rest = self.rest.trim_start();
        if rest.starts_with('"') {
            return self.string();
        }
        let end = rest.find(|c: char| !(c.is_alphanumeric() || "_-/#".contains(c))).unwrap_or(rest.len());
        let word = &rest[..end];
        self.rest = &rest[end..];
        if self.eat('=') {
            return self.value(depth + 1);
        }
        if word.starts_with(|c: char| c == '-' || c.is_ascii_digit()) {
            return number(word);
        }
        match word {
            "null" => Ok(Datum::Null),
            "true" | "True" => Ok(Datum::Bool(true)),
            "false" | "False" => Ok(Datum::Bool(false)),
            "list" if self.eat('[') => {
                let items = self.row(']', depth + 1)?;
                let nil = Datum::Data(self.image.known.nil.0, Vec::new());
                let cons = |rest, item| Datum::Data(self.image.known.cons.0, vec![item, rest]);
                Ok(items.into_iter().rev().fold(nil, cons))
            }
            _ if word.starts_with(char::is_uppercase) => self.data(word, depth),
            _ => self.situation.find(word).map(Datum::Object),
        }
    }

    fn data(&mut self, name: &str, depth: usize) -> Result<Datum, Refused> {
        let constructors = &self.image.constructors;
        let Some(number) = constructors.iter().position(|known| known.name == name) else {
            let help = suggest(name, constructors.iter().map(|known| known.name.as_str()));
            return Err(Refused { message: format!("there is no constructor `{name}`"), help });
        };
        let expected = constructors[number].arguments;
        let arguments = if self.eat('(') { self.row(')', depth + 1)? } else { Vec::new() };
        check_count(name, arguments.len(), expected)?;
        Ok(Datum::Data(number as u32, arguments))
    }

    fn string(&mut self) -> Result<Datum, Refused> {
        let rest = self.rest.trim_start();
        let mut text = String::new();
        let mut characters = rest.char_indices().skip(1);
        while let Some((at, c)) = characters.next() {
            match c {
                '"' => {
                    self.rest = &rest[at + 1..];
                    return Ok(Datum::String(text));
                }
                '\\' => match characters.next() {
                    Some((_, 'n')) => text.push('\n'),
                    Some((_, 't')) => text.push('\t'),
                    Some((_, 'r')) => text.push('\r'),
                    Some((_, other)) => text.push(other),
                    None => break,
                },
                other => text.push(other),
            }
        }
        Err(refused(format!("a string without its end: {rest}")))
    }
}

/// `5`, `-5`, `1/3`
fn number(word: &str) -> Result<Datum, Refused> {
    let wrong = || refused(format!("`{word}` is no number"));
    let integer = |text: &str| text.parse::<BigInt>().map_err(|_| wrong());
    let Some((above, below)) = word.split_once('/') else { return Ok(Datum::Int(integer(word)?)) };
    let (above, below) = (integer(above)?, integer(below)?);
    if below.is_zero() {
        return Err(wrong());
    }
    let number = BigRational::new(above, below);
    Ok(if number.is_integer() { Datum::Int(number.to_integer()) } else { Datum::Rat(number) })
}

fn check_count(what: &str, given: usize, expected: usize) -> Result<(), Refused> {
    if given == expected {
        return Ok(());
    }
    Err(refused(format!("`{what}`: {given} values, and {expected} are expected")))
}

fn misshapen(statement: &str) -> Refused {
    refused(format!("`{statement}` is neither `name = Class(…)` nor `name.method(…)`"))
}

fn refused(message: String) -> Refused {
    Refused { message, help: None }
}
