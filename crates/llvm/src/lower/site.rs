//! Places in the source.

use rustc_hash::FxHashMap;

use crate::code::{File, Site};
use crate::ir::{Location, MetadataKind, Module};

/// The places met so far.
pub(super) struct Sites<'a> {
    /// Points of the source.
    pub(super) sites: Vec<Site>,
    /// The files they are in.
    pub(super) files: Vec<File>,
    by_name: FxHashMap<String, u32>,
    shared: FxHashMap<Site, u32>,
    read: &'a dyn Fn(&str) -> Option<String>,
}

impl<'a> Sites<'a> {
    /// No places yet; `read` gives the text of a file.
    pub(super) fn new(read: &'a dyn Fn(&str) -> Option<String>) -> Sites<'a> {
        let mut sites = Sites {
            sites: Vec::new(),
            files: Vec::new(),
            by_name: FxHashMap::default(),
            shared: FxHashMap::default(),
            read,
        };
        sites.file("", None);
        sites
    }

    /// The file of this name, relative to a directory or not.
    pub(super) fn file(&mut self, name: &str, directory: Option<&str>) -> u32 {
        if let Some(&known) = self.by_name.get(name) {
            return known;
        }
        let mut text = if name.is_empty() { None } else { (self.read)(name) };
        if text.is_none()
            && let Some(directory) = directory.filter(|_| !name.starts_with('/'))
        {
            text = (self.read)(&format!("{directory}/{name}"));
        }
        let lines = text.map(|text| text.lines().map(str::to_owned).collect()).unwrap_or_default();
        self.files.push(File { name: name.to_owned(), lines });
        let id = (self.files.len() - 1) as u32;
        self.by_name.insert(name.to_owned(), id);
        id
    }

    /// The point that a place of the debug information stands for, in a function (by its number in
    /// the image).
    pub(super) fn of_location(&mut self, module: &Module, location: &Location, function: u32) -> Site {
        let name = module.file_of(location).unwrap_or("");
        let file = match self.by_name.get(name) {
            Some(&known) => known,
            None => self.file(name, module.directory_of(location)),
        };
        Site { file, line: location.line, column: location.column, function }
    }

    /// The point where a function is defined.
    pub(super) fn of_function(&mut self, module: &Module, function: &crate::ir::Function, number: u32) -> Site {
        let nowhere = Site { file: 0, line: 0, column: 0, function: number };
        let Some(id) = function.subprogram else { return nowhere };
        let MetadataKind::Subprogram(subprogram) = module.metadata_kind(id) else { return nowhere };
        let location =
            Location { line: subprogram.line, column: 0, scope: Some(id), inlined_at: None, implicit: false };
        Site { line: subprogram.line, ..self.of_location(module, &location, number) }
    }

    /// A site for an instruction that shares it with others at the same point.
    pub(super) fn shared(&mut self, site: Site) -> u32 {
        let sites = &mut self.sites;
        *self.shared.entry(site).or_insert_with(|| {
            sites.push(site);
            (sites.len() - 1) as u32
        })
    }

    /// A site of its own.
    pub(super) fn own(&mut self, site: Site) -> u32 {
        self.sites.push(site);
        (self.sites.len() - 1) as u32
    }
}
