//! The module block: its own records, and which reader each of its blocks goes to.

use rustc_hash::FxHashMap;

use crate::ir::{
    AliasId, AttributesId, ConstantId, DataLayout, FunctionId, GlobalId, MetadataId, Module, Operand, Type, TypeId,
    Types,
};

use super::attributes::{self, Groups};
use super::codes::{block, module as code};
use super::error::{Result, error};
use super::reach::{self, Wanted};
use super::record::Record;
use super::stream::{Item, Stream};
use super::types::TypeTable;
use super::{check, constants, function, globals, metadata};

/// What files may refer to in any case, beyond what their size allows.
const BUDGET: usize = 1 << 22;

/// A module that is being read.
#[derive(Debug)]
pub(super) struct Decoder<'a> {
    /// What has been read. Its types come last.
    pub(super) module: Module,
    /// The types.
    pub(super) types: TypeTable,
    /// Types by what they are.
    by_type: FxHashMap<Type, TypeId>,
    /// The string table.
    pub(super) strings: &'a [u8],
    /// The values by their numbers: those of the module, and then those of the function that is
    /// being read.
    pub(super) values: Vec<Operand>,
    /// The number of pieces of metadata outside of functions.
    pub(super) metadata: usize,
    /// The number that says that an attachment is a `!dbg`.
    pub(super) debug_kind: u64,
    /// The names of sections.
    pub(super) sections: Vec<String>,
    /// The values that globals, functions and aliases name by numbers, to be looked up when all are
    /// known.
    pub(super) pending: Vec<(Pending, u64)>,
    /// The functions whose bodies follow, in order.
    pub(super) bodies: std::collections::VecDeque<FunctionId>,
    /// Whether bodies are only read once they are known to be needed.
    postpones: bool,
    /// The bodies that were not read yet, by function: the bit where each begins.
    postponed: FxHashMap<FunctionId, usize>,
    groups: Groups,
    /// How much more may be made of things that the file only refers to: names, sections,
    /// parameters, zeros. What they take in a file that tells no lies is far less.
    budget: usize,
}

/// Which property of a symbol is a value that comes later in the file.
#[derive(Clone, Copy, Debug)]
pub(super) enum Pending {
    Initial(GlobalId),
    Target(AliasId),
    Personality(FunctionId),
    Prefix(FunctionId),
    Prologue(FunctionId),
}

/// Reads the module block. Where `wanted` is given, only those bodies are read that symbols of
/// these names need.
pub(super) fn read(stream: &mut Stream<'_>, strings: &[u8], wanted: Option<Wanted<'_>>) -> Result<Module> {
    let mut decoder = Decoder {
        module: Module::default(),
        types: TypeTable::default(),
        by_type: FxHashMap::default(),
        strings,
        values: Vec::new(),
        metadata: 0,
        debug_kind: 0,
        sections: Vec::new(),
        pending: Vec::new(),
        bodies: Default::default(),
        postpones: wanted.is_some(),
        postponed: FxHashMap::default(),
        groups: Groups::default(),
        budget: BUDGET + stream.size() * 8,
    };
    let mut scope = stream.enter(block::MODULE)?;
    loop {
        match stream.next(&mut scope)? {
            Item::End => break,
            Item::Block(id) => decoder.block(stream, id)?,
            Item::Record(code) => {
                let record = Record { code, operands: stream.operands(), byte: stream.byte(), block: "module" };
                decoder.record(&record)?;
            }
        }
    }
    let end = stream.byte();
    decoder.resolve(end)?;
    if let Some(wanted) = wanted {
        reach::read_bodies(stream, &mut decoder, wanted)?;
    }
    decoder.finish(end)
}

impl Decoder<'_> {
    fn block(&mut self, stream: &mut Stream<'_>, id: u32) -> Result<()> {
        match id {
            block::TYPES => {
                if !self.types.types.is_empty() {
                    return error(stream.byte(), "a second table of types");
                }
                self.types = super::types::read(stream)?;
                for (index, ty) in self.types.types.iter().enumerate() {
                    self.by_type.entry(ty.clone()).or_insert(TypeId(index as u32));
                }
                Ok(())
            }
            block::ATTRIBUTE_GROUPS => attributes::read_groups(stream, &mut self.groups),
            block::ATTRIBUTES => attributes::read(stream, &self.groups, &mut self.module.attributes),
            block::CONSTANTS => constants::read(stream, self),
            block::METADATA => metadata::read_module(stream, self),
            block::METADATA_KINDS => metadata::read_kinds(stream, self),
            block::FUNCTION => self.body(stream),
            block::BUNDLE_TAGS => read_names(stream, id, &mut self.module.bundle_tags),
            block::SYNC_SCOPES => read_names(stream, id, &mut self.module.sync_scopes),
            // Symbols are named by the string table; what else there is (orders of uses, summaries)
            // changes nothing.
            id => stream.skip(id),
        }
    }

    /// The body of the next function that has one.
    fn body(&mut self, stream: &mut Stream<'_>) -> Result<()> {
        let Some(id) = self.bodies.pop_front() else { return error(stream.byte(), "a body without a function") };
        if !self.postpones {
            return function::read(stream, self, id);
        }
        self.postponed.insert(id, stream.position());
        stream.skip(block::FUNCTION)
    }

    /// Reads the body of a function that was left out so far, if there is one.
    pub(super) fn postponed_body(&mut self, stream: &mut Stream<'_>, id: FunctionId) -> Result<()> {
        let Some(position) = self.postponed.remove(&id) else { return Ok(()) };
        stream.seek(position)?;
        function::read(stream, self, id)
    }

    fn record(&mut self, record: &Record<'_>) -> Result<()> {
        match record.code {
            code::VERSION => match record.get(0)? {
                2 => {}
                version => return record.error(format!("bitcode of version {version} is older than LLVM 5")),
            },
            code::TRIPLE => self.module.target = record.text(0),
            code::DATA_LAYOUT => match DataLayout::parse(&record.text(0)) {
                Ok(layout) => self.module.data_layout = layout,
                Err(part) => return record.error(format!("the data layout has an unknown part: {part}")),
            },
            code::ASSEMBLY => self.module.assembly = record.text(0),
            code::SECTION => self.sections.push(record.text(0)),
            code::SOURCE_FILE => self.module.source_file = record.text(0),
            code::GLOBAL => globals::global(self, record)?,
            code::FUNCTION => globals::function(self, record)?,
            code::ALIAS | code::IFUNC => globals::alias(self, record)?,
            code::COMDAT => globals::comdat(self, record)?,
            code::COLLECTOR | code::SYMBOLS_OFFSET | code::HASH => {}
            // Newer properties of the module, and deprecated ones that LLVM 14 and later do not
            // write.
            _ => {}
        }
        Ok(())
    }

    /// Looks up what was named before it was known.
    fn resolve(&mut self, byte: usize) -> Result<()> {
        if !self.bodies.is_empty() {
            return error(byte, format!("{} functions have no body", self.bodies.len()));
        }
        for (pending, number) in std::mem::take(&mut self.pending) {
            let Some(id) = self.constant(number) else {
                return error(byte, format!("a symbol needs the value {number}, which there is not"));
            };
            match pending {
                Pending::Initial(global) => self.module.globals[global.index()].initial = Some(id),
                Pending::Target(alias) => self.module.aliases[alias.index()].target = id,
                Pending::Personality(function) => self.module.functions[function.index()].personality = Some(id),
                Pending::Prefix(function) => self.module.functions[function.index()].prefix = Some(id),
                Pending::Prologue(function) => self.module.functions[function.index()].prologue = Some(id),
            }
        }
        Ok(())
    }

    /// Completes the module, and checks what could not be checked earlier.
    fn finish(mut self, byte: usize) -> Result<Module> {
        if self.module.sync_scopes.len() < 2 {
            self.module.sync_scopes = vec!["singlethread".to_string(), String::new()];
        }
        let types = std::mem::take(&mut self.types.types);
        self.module.types = match Types::new(types, &self.module.data_layout) {
            Ok(types) => types,
            Err(ty) => return error(byte, format!("type {} contains itself", ty.0)),
        };
        check::module(&self.module, &self.groups, byte)?;
        Ok(self.module)
    }

    /// Takes note that so many bytes or elements are made of something that the file only refers
    /// to.
    pub(super) fn spend(&mut self, amount: usize, byte: usize) -> Result<()> {
        match self.budget.checked_sub(amount) {
            Some(left) => {
                self.budget = left;
                Ok(())
            }
            None => error(byte, "the file stands for far more than it holds"),
        }
    }

    /// The type with a number.
    pub(super) fn ty(&self, record: &Record<'_>, number: u64) -> Result<TypeId> {
        match self.types.find(number) {
            Some(id) => Ok(id),
            None => record.error(format!("type {number} is not in the table of types")),
        }
    }

    /// What a type is.
    pub(super) fn kind(&self, id: TypeId) -> &Type {
        &self.types.types[id.index()]
    }

    /// The type that equals `wanted`. Files have all types of their values in the table.
    pub(super) fn find_type(&self, record: &Record<'_>, wanted: Type) -> Result<TypeId> {
        match self.by_type.get(&wanted) {
            Some(&id) => Ok(id),
            None => record.error(format!("the result has a type that is not in the table of types: {wanted:?}")),
        }
    }

    /// The constant with a number, if that is one.
    pub(super) fn constant(&self, number: u64) -> Option<ConstantId> {
        match self.values.get(usize::try_from(number).ok()?)? {
            Operand::Constant(id) => Some(*id),
            Operand::Local(_) | Operand::Metadata(_) => None,
        }
    }

    /// The metadata outside of functions with a number.
    pub(super) fn module_metadata(&self, number: u64) -> Option<MetadataId> {
        (number < self.metadata as u64).then_some(MetadataId(number as u32))
    }

    /// An attribute list, by its number plus one.
    pub(super) fn attributes(&self, record: &Record<'_>, number: u64) -> Result<Option<AttributesId>> {
        match number {
            0 => Ok(None),
            number if number <= self.module.attributes.len() as u64 => Ok(Some(AttributesId(number as u32 - 1))),
            number => record.error(format!("attribute list {number} is not there")),
        }
    }
}

/// Reads a block whose records are names.
fn read_names(stream: &mut Stream<'_>, id: u32, names: &mut Vec<String>) -> Result<()> {
    let mut scope = stream.enter(id)?;
    loop {
        match stream.next(&mut scope)? {
            Item::End => return Ok(()),
            Item::Block(id) => stream.skip(id)?,
            Item::Record(_) => names.push(super::record::text(stream.operands())),
        }
    }
}
