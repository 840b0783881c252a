//! Situations in which nothing is decided: contexts.

use rustc_hash::FxHashMap;

use super::{Call, Datum, Situation, Thing};
use crate::code::Image;
use crate::hir::{Input, Kind};

impl Situation {
    /// A context, for each location its class and the methods of its tasks: all fields that methods
    /// read and all arguments are free.
    pub fn free(image: &Image, locations: &[(u32, Vec<u32>)]) -> Situation {
        let mut situation = Situation::default();
        let mut numbers: FxHashMap<u32, usize> = FxHashMap::default();
        for (class, methods) in locations {
            let number = numbers.entry(*class).or_insert(0);
            *number += 1;
            let code = &image.classes[*class as usize];
            let mut name = format!("{}{number}", code.name.to_lowercase());
            // Classes can have names that differ in the case of their letters alone.
            while situation.objects.iter().any(|thing| thing.name == name) {
                name.push('_');
            }
            let free = |(field, input): (&String, &Input)| Datum::Free(format!("{name}.{field}"), input.ty.clone());
            let fields = code.fields.iter().zip(&code.inputs).map(free).collect();
            let object = situation.objects.len();
            let mut calls: FxHashMap<u32, usize> = FxHashMap::default();
            for &method in methods {
                let body = &image.bodies[method as usize];
                let nth = calls.entry(method).or_insert(0);
                *nth += 1;
                let nth = if *nth == 1 { String::new() } else { format!("#{nth}") };
                let parameters = body.kinds.iter().zip(&body.inputs);
                let free = |((parameter, _), input): (&(String, Kind), &Input)| {
                    Datum::Free(format!("{name}.{}{nth}.{parameter}", body.name), input.ty.clone())
                };
                let arguments = parameters.map(free).collect();
                situation.tasks.push(Call { object, method, arguments });
            }
            situation.objects.push(Thing { name, class: *class, fields });
        }
        situation
    }
}
