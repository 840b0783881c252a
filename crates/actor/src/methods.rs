//! The methods of a program, for whoever begins with tasks of them instead of a main block.

use mazurka_source::suggest;

use crate::code::{ClassCode, Image};

/// A class and its methods, in the order of the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClassMethods<'i> {
    /// The number of the class.
    pub class: u32,
    /// Its name.
    pub name: &'i str,
    /// The numbers and names of its methods.
    pub methods: Vec<(u32, &'i str)>,
}

/// A method that there is not, or of which there can be no tasks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refused {
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
}

impl Image {
    /// The classes with their methods.
    pub fn methods(&self) -> Vec<ClassMethods<'_>> {
        let of = |class: &ClassCode| {
            let mut bodies: Vec<u32> = class.methods.iter().copied().flatten().collect();
            bodies.sort_unstable();
            bodies.into_iter().map(|body| (body, self.bodies[body as usize].name.as_str())).collect()
        };
        let classes = self.classes.iter().enumerate();
        classes
            .map(|(number, class)| ClassMethods { class: number as u32, name: &class.name, methods: of(class) })
            .collect()
    }

    /// The class and the method that `C.m` names.
    ///
    /// # Errors
    /// If there is no such method, or more than one.
    pub fn find_method(&self, name: &str) -> Result<(u32, u32), Refused> {
        let refused = |message: String, help: Option<String>| Refused { message, help };
        let Some((class, method)) = name.split_once('.') else {
            let message = format!("`{name}` names no method of a class");
            return Err(refused(message, Some("a method is named with its class: `C.m`".to_owned())));
        };
        let classes = self.methods();
        let named: Vec<&ClassMethods<'_>> = classes.iter().filter(|one| one.name == class).collect();
        match named[..] {
            [one] => match one.methods.iter().find(|(_, name)| *name == method) {
                Some(&(body, _)) if self.bodies[body as usize].inputs.iter().any(|input| input.has_future) => {
                    let help = "nobody would resolve it; begin with the method that makes the call";
                    Err(refused(format!("`{name}` takes a future, which is no input"), Some(help.to_owned())))
                }
                Some(&(body, _)) => Ok((one.class, body)),
                None => {
                    let hint = suggest(method, one.methods.iter().map(|&(_, name)| name));
                    Err(refused(format!("the class `{class}` has no method `{method}`"), hint))
                }
            },
            [] if self.interfaces.iter().any(|interface| interface == class) => {
                let message = format!("`{class}` is an interface: tasks run in objects of a class");
                Err(refused(message, Some("name a class that implements it".to_owned())))
            }
            [] => {
                let hint = suggest(class, classes.iter().map(|one| one.name));
                Err(refused(format!("there is no class `{class}`"), hint))
            }
            _ => Err(refused(format!("{} classes are called `{class}`", named.len()), None)),
        }
    }

    /// The name of a method, with its class.
    pub fn method_name(&self, body: u32) -> String {
        let body = &self.bodies[body as usize];
        body.class
            .map_or_else(|| body.name.clone(), |class| format!("{}.{}", self.classes[class as usize].name, body.name))
    }
}
