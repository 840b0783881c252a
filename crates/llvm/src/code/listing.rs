//! An image in words, for those who work on the front end.

use std::fmt;

use super::instruction::Register;
use super::{Function, Image, Site};

impl fmt::Display for Image {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for global in &self.globals {
            let place = self.sites.get(global.site as usize).map(|site| self.place_text(site)).unwrap_or_default();
            let kind = match (global.constant, global.thread_local) {
                (true, _) => "constant",
                (false, true) => "thread-local",
                (false, false) => "variable",
            };
            let cells = self.partitions[global.partition as usize].cells(global.size);
            writeln!(f, "{kind} {} = slot {} ({place})", global.name, global.slot)?;
            writeln!(f, "    {} bytes, aligned to {}, {cells} cells", global.size, global.alignment)?;
        }
        for (number, function) in self.functions.iter().enumerate() {
            self.function(f, number as u32, function)?;
        }
        Ok(())
    }
}

impl Image {
    fn place_text(&self, site: &Site) -> String {
        let file = self.files.get(site.file as usize).map_or("", |file| &file.name);
        if site.column == 0 { format!("{file}:{}", site.line) } else { format!("{file}:{}:{}", site.line, site.column) }
    }

    fn function(&self, f: &mut fmt::Formatter<'_>, number: u32, function: &Function) -> fmt::Result {
        let place = self.sites.get(function.site as usize).map(|site| self.place_text(site)).unwrap_or_default();
        writeln!(f, "function {number} {}, {} registers ({place})", function.name, function.registers)?;
        for variable in &function.variables {
            let Register(register) = variable.register;
            let ty = variable.ty.map_or_else(String::new, |ty| format!(": {:?}", self.types[ty.0 as usize]));
            writeln!(f, "    {} in register {register}{ty}", variable.name)?;
        }
        for (at, local) in self.locals.iter().enumerate().filter(|(_, local)| local.function == number) {
            let name = if local.name.is_empty() { "(nameless)" } else { &local.name };
            writeln!(f, "    {name} in memory: local {at}, {} bytes, aligned to {}", local.size, local.alignment)?;
        }
        for pc in self.code_of(function) {
            let place = self.places.get(pc).and_then(|&site| self.sites.get(site as usize));
            let place = place.map(|site| self.place_text(site)).unwrap_or_default();
            writeln!(f, "    {pc}: {:?} ({place})", self.code[pc])?;
        }
        Ok(())
    }

    /// Where the code of a function lies.
    pub(crate) fn code_of(&self, function: &Function) -> std::ops::Range<usize> {
        let start = function.entry as usize;
        let later = self.functions.iter().map(|other| other.entry as usize).filter(|&other| other > start);
        start..later.min().unwrap_or(self.code.len())
    }
}
