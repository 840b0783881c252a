//! Situations as texts: `db1 = DB(1, null, 0); db1.register(worker1)`.

use mazurka_source::suggest;

use super::{Call, Datum, Situation, Thing};
use crate::code::Image;
use crate::methods::Refused;

impl Situation {
    /// The situation in words, which can be read again.
    pub fn text(&self, image: &Image) -> String {
        let value = |value: &Datum| match *value {
            Datum::Int(number) => number.to_string(),
            Datum::Bool(holds) => holds.to_string(),
            Datum::Null => "null".to_owned(),
            Datum::Object(object) => self.objects[object].name.clone(),
        };
        let objects = self.objects.iter().map(|thing| {
            let class = &image.classes[thing.class as usize];
            let fields = class.fields.iter().zip(&thing.fields);
            let fields: Vec<String> = fields.map(|(name, field)| format!("{name} = {}", value(field))).collect();
            format!("{} = {}({})", thing.name, class.name, fields.join(", "))
        });
        let tasks = self.tasks.iter().map(|call| {
            let arguments: Vec<String> = call.arguments.iter().map(value).collect();
            let method = &image.bodies[call.method as usize].name;
            format!("{}.{method}({})", self.objects[call.object].name, arguments.join(", "))
        });
        objects.chain(tasks).collect::<Vec<String>>().join("; ")
    }

    /// Reads a situation.
    ///
    /// # Errors
    /// What is wrong first.
    pub fn read(text: &str, image: &Image) -> Result<Situation, Refused> {
        let mut situation = Situation::default();
        for statement in text.split(';').map(str::trim).filter(|statement| !statement.is_empty()) {
            situation.take(statement, image)?;
        }
        if situation.tasks.is_empty() {
            return Err(refused("the context has no tasks: `db1 = DB(…); db1.register(…)`".to_owned()));
        }
        Ok(situation)
    }

    /// Takes `name = Class(…)` or `name.method(…)`.
    fn take(&mut self, statement: &str, image: &Image) -> Result<(), Refused> {
        let misshapen = || refused(format!("`{statement}` is neither `name = Class(…)` nor `name.method(…)`"));
        let (head, values) = statement.split_once('(').ok_or_else(misshapen)?;
        let values = values.trim_end().strip_suffix(')').ok_or_else(misshapen)?;
        let values = self.values(values)?;
        if let Some((name, class)) = head.split_once('=') {
            return self.add_object(name.trim(), class.trim(), values, image);
        }
        let (name, method) = head.split_once('.').ok_or_else(misshapen)?;
        let object = self.find(name.trim())?;
        let class = &image.classes[self.objects[object].class as usize].name;
        let (_, method) = image.find_method(&format!("{class}.{}", method.trim()))?;
        let expected = image.bodies[method as usize].parameters as usize;
        check_count(statement, values.len(), expected)?;
        self.tasks.push(Call { object, method, arguments: values });
        Ok(())
    }

    fn add_object(&mut self, name: &str, class: &str, fields: Vec<Datum>, image: &Image) -> Result<(), Refused> {
        let Some(number) = image.classes.iter().position(|known| known.name == class) else {
            let help = suggest(class, image.classes.iter().map(|class| class.name.as_str()));
            return Err(Refused { message: format!("there is no class `{class}`"), help });
        };
        if self.objects.iter().any(|known| known.name == name) {
            return Err(refused(format!("there are two objects `{name}`")));
        }
        check_count(name, fields.len(), image.classes[number].fields.len())?;
        self.objects.push(Thing { name: name.to_owned(), class: number as u32, fields });
        Ok(())
    }

    /// Values with commas between; before each there may be a name.
    fn values(&self, text: &str) -> Result<Vec<Datum>, Refused> {
        let all = text.split(',').map(|one| one.rsplit('=').next().unwrap_or(one).trim());
        let all = all.filter(|_| !text.trim().is_empty());
        all.map(|one| match one {
            "null" => Ok(Datum::Null),
            "true" => Ok(Datum::Bool(true)),
            "false" => Ok(Datum::Bool(false)),
            _ if one.starts_with(|c: char| c == '-' || c.is_ascii_digit()) => {
                one.parse().map(Datum::Int).map_err(|_| refused(format!("`{one}` is no integer of 64 bits")))
            }
            _ => self.find(one).map(Datum::Object),
        })
        .collect()
    }

    fn find(&self, name: &str) -> Result<usize, Refused> {
        self.objects.iter().position(|thing| thing.name == name).ok_or_else(|| {
            let help = suggest(name, self.objects.iter().map(|thing| thing.name.as_str()));
            Refused { message: format!("there is no object `{name}` before this"), help }
        })
    }
}

fn check_count(what: &str, given: usize, expected: usize) -> Result<(), Refused> {
    if given == expected {
        return Ok(());
    }
    Err(refused(format!("`{what}`: {given} values, and {expected} are expected")))
}

fn refused(message: String) -> Refused {
    Refused { message, help: None }
}
