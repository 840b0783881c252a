//! The body of a function: its values, blocks and names. What the records of instructions say is
//! read by the modules that [`Body::instruction`] names.

use crate::ir::{
    Block, BlockId, Bundle, DebugRecord, FunctionId, Instruction, InstructionKind, Local, LocalId, LocationId,
    MetadataId, Operand, Type, TypeId,
};

use super::codes::{block, function as code};
use super::error::{Result, error};
use super::metadata::Numbers;
use super::module::Decoder;
use super::record::Record;
use super::stream::{Item, Stream};
use super::{call, constants, control, debug, instruction, memory, metadata};

/// A function that is being read.
pub(super) struct Body<'d, 'a> {
    /// The module around it.
    pub(super) decoder: &'d mut Decoder<'a>,
    /// Its metadata, by their numbers after those of the module.
    pub(super) metadata: Vec<MetadataId>,
    /// Its blocks so far.
    pub(super) blocks: Vec<Block>,
    /// Its parameters and results so far.
    pub(super) locals: Vec<Local>,
    /// Operand bundles for the next call.
    pub(super) bundles: Vec<Bundle>,
    /// What the next place belongs to.
    pub(super) last: Last,
    /// The place that was named last.
    pub(super) location: Option<LocationId>,
    /// The number of blocks that it says it has.
    declared: u32,
    /// Whether the last of the blocks has no terminator yet.
    open: bool,
    /// Uses of results before their instructions, with the types that they say.
    forward: Vec<(LocalId, Option<TypeId>)>,
}

/// What was read last.
#[derive(Clone, Copy, Debug)]
pub(super) enum Last {
    Nothing,
    /// The last instruction of a block.
    Instruction(BlockId),
    /// The last debug record of a block.
    Record(BlockId),
}

/// Reads the body of a function.
pub(super) fn read(stream: &mut Stream<'_>, decoder: &mut Decoder<'_>, id: FunctionId) -> Result<()> {
    let outside = decoder.values.len();
    let mut scope = stream.enter(block::FUNCTION)?;
    let parameters = decoder.module.functions[id.index()].parameters;
    decoder.spend(parameters, stream.byte())?;
    let mut body = Body::new(decoder, id);
    let mut subprogram = None;
    loop {
        match stream.next(&mut scope)? {
            Item::End => break,
            Item::Block(block::CONSTANTS) => {
                if !body.blocks.is_empty() {
                    return error(stream.byte(), "constants after instructions");
                }
                constants::read(stream, body.decoder)?;
            }
            Item::Block(block::METADATA) => {
                let forward = body.first_result();
                metadata::read_function(stream, body.decoder, &mut body.metadata, forward)?;
            }
            Item::Block(block::METADATA_ATTACHMENT) => {
                let found = metadata::read_attachments(stream, body.decoder, &body.metadata)?;
                subprogram = found.or(subprogram);
            }
            Item::Block(block::VALUE_SYMBOLS) => body.names(stream)?,
            Item::Block(id) => stream.skip(id)?,
            Item::Record(code) => {
                let record = Record { code, operands: stream.operands(), byte: stream.byte(), block: "function" };
                body.record(&record)?;
            }
        }
    }
    body.finish(stream.byte(), id, outside, subprogram)
}

impl<'d, 'a> Body<'d, 'a> {
    fn new(decoder: &'d mut Decoder<'a>, id: FunctionId) -> Self {
        let ty = decoder.module.functions[id.index()].ty;
        let parameters = match decoder.kind(ty) {
            Type::Function { parameters, .. } => parameters.clone(),
            _ => Vec::new(),
        };
        let mut body = Body {
            decoder,
            metadata: Vec::new(),
            blocks: Vec::new(),
            locals: Vec::new(),
            bundles: Vec::new(),
            last: Last::Nothing,
            location: None,
            declared: 0,
            open: false,
            forward: Vec::new(),
        };
        for ty in parameters {
            body.local(ty);
        }
        body
    }

    fn record(&mut self, record: &Record<'_>) -> Result<()> {
        match record.code {
            code::BLOCKS => {
                self.declared = record.small(0)?;
                Ok(())
            }
            code::LOCATION => debug::location(self, record),
            code::LOCATION_AGAIN => debug::same_location(self, record),
            code::RECORD_VALUE..=code::RECORD_DECLARE_VALUE => debug::record(self, record),
            code::BUNDLE => call::bundle(self, record),
            code::BLOCK_ADDRESS_USERS => Ok(()),
            _ => {
                let (kind, ty) = self.instruction(record)?;
                if !self.bundles.is_empty() {
                    return record.error("operand bundles before something that is not a call");
                }
                match debug::from_call(self, &kind) {
                    Some(debug_record) => self.push_record(record, debug_record),
                    None => self.push(record, kind, ty),
                }
            }
        }
    }

    fn instruction(&mut self, record: &Record<'_>) -> Result<(InstructionKind, TypeId)> {
        let take = &mut Take { record, next: 0 };
        match record.code {
            code::BINARY | code::UNARY => instruction::arithmetic(self, take),
            code::CAST => instruction::cast(self, take),
            code::COMPARE | code::COMPARE_OLD => instruction::compare(self, take),
            code::SELECT => instruction::select(self, take),
            code::FREEZE => instruction::freeze(self, take),
            code::EXTRACT_VALUE => instruction::extract_value(self, take),
            code::INSERT_VALUE => instruction::insert_value(self, take),
            code::EXTRACT_ELEMENT => instruction::extract_element(self, take),
            code::INSERT_ELEMENT => instruction::insert_element(self, take),
            code::SHUFFLE => instruction::shuffle(self, take),
            code::ALLOCA => memory::alloca(self, take),
            code::LOAD | code::LOAD_ATOMIC => memory::load(self, take),
            code::STORE | code::STORE_ATOMIC => memory::store(self, take),
            code::FENCE => memory::fence(self, take),
            code::COMPARE_EXCHANGE => memory::compare_exchange(self, take),
            code::ATOMIC_RMW => memory::atomic_rmw(self, take),
            code::GEP => memory::get_element_ptr(self, take),
            code::VA_ARG => memory::va_arg(self, take),
            code::PHI => control::phi(self, take),
            code::RETURN => control::ret(self, take),
            code::BRANCH => control::branch(self, take),
            code::SWITCH => control::switch(self, take),
            code::INDIRECT_BRANCH => control::indirect_branch(self, take),
            code::UNREACHABLE => Ok((InstructionKind::Unreachable, self.void(record)?)),
            code::RESUME => control::resume(self, take),
            code::LANDING_PAD => control::landing_pad(self, take),
            code::CATCH_PAD | code::CLEANUP_PAD => control::funclet_pad(self, take),
            code::CATCH_SWITCH => control::catch_switch(self, take),
            code::CATCH_RETURN => control::catch_return(self, take),
            code::CLEANUP_RETURN => control::cleanup_return(self, take),
            code::CALL => call::call(self, take),
            code::INVOKE => call::invoke(self, take),
            code::CALL_BRANCH => call::call_branch(self, take),
            code => record.error(format!("the instruction code {code} is not known")),
        }
    }

    /// Adds an instruction to the current block, or to a new one.
    fn push(&mut self, record: &Record<'_>, kind: InstructionKind, ty: TypeId) -> Result<()> {
        let id = self.current_block(record)?;
        let result = match self.decoder.kind(ty) {
            Type::Void => None,
            _ => Some(self.local(ty)),
        };
        let block = &mut self.blocks[id.index()];
        let is_phi = |kind: &InstructionKind| matches!(kind, InstructionKind::Phi(..));
        if is_phi(&kind) && block.instructions.last().is_some_and(|before| !is_phi(&before.kind)) {
            return record.error("a phi node after other instructions");
        }
        self.open = !kind.is_terminator();
        block.instructions.push(Instruction { kind, ty, result, location: None });
        self.last = Last::Instruction(id);
        Ok(())
    }

    /// Adds a debug record before the next instruction.
    fn push_record(&mut self, record: &Record<'_>, debug_record: DebugRecord) -> Result<()> {
        let id = self.current_block(record)?;
        let block = &mut self.blocks[id.index()];
        block.records.push(DebugRecord { before: block.instructions.len() as u32, ..debug_record });
        self.last = Last::Record(id);
        Ok(())
    }

    /// The block that the next instruction belongs to.
    fn current_block(&mut self, record: &Record<'_>) -> Result<BlockId> {
        if !self.open {
            if self.blocks.len() >= self.declared as usize {
                return record.error("an instruction after the last block");
            }
            self.blocks.push(Block::default());
            self.open = true;
        }
        Ok(BlockId(self.blocks.len() as u32 - 1))
    }

    /// A new parameter or result.
    fn local(&mut self, ty: TypeId) -> LocalId {
        let id = LocalId(self.locals.len() as u32);
        self.locals.push(Local { ty, name: None });
        self.decoder.values.push(Operand::Local(id));
        id
    }

    /// The number that the first local would have, if all locals came after all constants: a result
    /// that comes later has its [`LocalId`] plus this as its number.
    fn first_result(&self) -> usize {
        self.decoder.values.len() - self.locals.len()
    }

    /// Reads the names of values and blocks.
    fn names(&mut self, stream: &mut Stream<'_>) -> Result<()> {
        const VALUE: u32 = 1;
        const BLOCK: u32 = 2;
        let mut scope = stream.enter(block::VALUE_SYMBOLS)?;
        loop {
            match stream.next(&mut scope)? {
                Item::End => return Ok(()),
                Item::Block(id) => stream.skip(id)?,
                Item::Record(code) => {
                    let record = Record { code, operands: stream.operands(), byte: stream.byte(), block: "symbol" };
                    let number = record.small(0)? as usize;
                    let name = record.text(1).into_boxed_str();
                    match code {
                        VALUE => match self.decoder.values.get(number) {
                            Some(Operand::Local(local)) => self.locals[local.index()].name = Some(name),
                            _ => return record.error(format!("a name for the value {number}, which there is not")),
                        },
                        BLOCK => match self.blocks.get_mut(number) {
                            Some(block) => block.name = Some(name),
                            None => return record.error(format!("a name for the block {number}, which there is not")),
                        },
                        _ => {}
                    }
                }
            }
        }
    }

    /// Checks that what was used before it was there is there, and puts the body into the module.
    fn finish(self, byte: usize, id: FunctionId, outside: usize, subprogram: Option<MetadataId>) -> Result<()> {
        if self.open || self.blocks.len() != self.declared as usize || self.blocks.is_empty() {
            return error(byte, "a function does not have the blocks that it says");
        }
        for (local, ty) in self.forward {
            match self.locals.get(local.index()) {
                Some(found) if ty.is_none_or(|ty| ty == found.ty) => {}
                Some(_) => return error(byte, "a value is used with another type than it has"),
                None => return error(byte, "a function uses a value that it does not have"),
            }
        }
        for metadata in &self.metadata {
            use crate::ir::MetadataKind::Value;
            if let Value(_, Operand::Local(local)) = self.decoder.module.metadata[metadata.index()].kind
                && local.index() >= self.locals.len()
            {
                return error(byte, "debug information names a value that the function does not have");
            }
        }
        self.decoder.values.truncate(outside);
        let function = &mut self.decoder.module.functions[id.index()];
        function.locals = self.locals;
        function.blocks = self.blocks;
        function.subprogram = subprogram.or(function.subprogram);
        Ok(())
    }

    /// The type `void`.
    pub(super) fn void(&self, record: &Record<'_>) -> Result<TypeId> {
        self.decoder.find_type(record, Type::Void)
    }

    /// The type of an operand.
    pub(super) fn type_of(&self, operand: Operand) -> Option<TypeId> {
        match operand {
            Operand::Local(local) => self.locals.get(local.index()).map(|local| local.ty),
            Operand::Constant(constant) => Some(self.decoder.module.constants[constant.index()].ty),
            Operand::Metadata(_) => None,
        }
    }

    /// A block with a number.
    pub(super) fn block(&self, record: &Record<'_>, number: u64) -> Result<BlockId> {
        if number < u64::from(self.declared) {
            return Ok(BlockId(number as u32));
        }
        record.error(format!("block {number} is not there"))
    }

    /// The value with a number; of a type, if it comes later.
    fn operand(&mut self, record: &Record<'_>, number: u32, ty: Option<TypeId>) -> Result<Operand> {
        let number = number as usize;
        if let Some(&operand) = self.decoder.values.get(number) {
            return Ok(operand);
        }
        // Every result takes a record, so a number far beyond is a lie; the end of the body finds
        // the others.
        let local = LocalId((number - self.first_result()) as u32);
        if local.0 == u32::MAX {
            return record.error(format!("value {number} is not there"));
        }
        self.forward.push((local, ty));
        Ok(Operand::Local(local))
    }
}

/// The operands of a record, one after the other.
pub(super) struct Take<'r> {
    /// The record.
    pub(super) record: &'r Record<'r>,
    /// Which operand comes next.
    pub(super) next: usize,
}

impl Take<'_> {
    /// Whether there are operands left.
    pub(super) fn more(&self) -> bool {
        self.next < self.record.len()
    }

    /// The next operand as it is.
    pub(super) fn number(&mut self) -> Result<u64> {
        self.next += 1;
        self.record.get(self.next - 1)
    }

    /// The next operand, 0 if there is none.
    pub(super) fn optional(&mut self) -> u64 {
        self.next += 1;
        self.record.optional(self.next - 1)
    }

    /// A type.
    pub(super) fn ty(&mut self, body: &Body<'_, '_>) -> Result<TypeId> {
        let number = self.number()?;
        body.decoder.ty(self.record, number)
    }

    /// A block.
    pub(super) fn block(&mut self, body: &Body<'_, '_>) -> Result<BlockId> {
        let number = self.number()?;
        body.block(self.record, number)
    }

    /// A value counted back from here; if it comes later its type follows.
    pub(super) fn value_and_type(&mut self, body: &mut Body<'_, '_>) -> Result<(Operand, TypeId)> {
        let number = self.relative(body)?;
        let ty = match (number as usize) < body.decoder.values.len() {
            true => None,
            false => Some(self.ty(body)?),
        };
        let operand = body.operand(self.record, number, ty)?;
        match ty.or_else(|| body.type_of(operand)) {
            Some(ty) => Ok((operand, ty)),
            None => self.record.error("a value without a type"),
        }
    }

    /// A value of a known type, counted back from here.
    pub(super) fn value(&mut self, body: &mut Body<'_, '_>, ty: TypeId) -> Result<Operand> {
        let number = self.relative(body)?;
        if matches!(body.decoder.kind(ty), Type::Metadata) {
            let numbers = Numbers::new(body.decoder, &body.metadata);
            return numbers.get(self.record, u64::from(number)).map(Operand::Metadata);
        }
        body.operand(self.record, number, Some(ty))
    }

    /// A value of a known type, counted back or forth from here.
    pub(super) fn signed_value(&mut self, body: &mut Body<'_, '_>, ty: TypeId) -> Result<Operand> {
        let distance = super::record::signed(self.number()?) as u32;
        let number = (body.decoder.values.len() as u32).wrapping_sub(distance);
        body.operand(self.record, number, Some(ty))
    }

    /// A value by its number.
    pub(super) fn absolute_value(&mut self, body: &mut Body<'_, '_>) -> Result<Operand> {
        self.next += 1;
        let number = self.record.small(self.next - 1)?;
        body.operand(self.record, number, None)
    }

    fn relative(&mut self, body: &Body<'_, '_>) -> Result<u32> {
        let distance = self.number()? as u32;
        Ok((body.decoder.values.len() as u32).wrapping_sub(distance))
    }

    /// An alignment in bytes.
    pub(super) fn alignment(&mut self) -> Result<Option<u64>> {
        let encoded = self.optional();
        super::record::alignment(encoded).map_or_else(|| self.record.error("an alignment is too large"), Ok)
    }

    /// Refuses operands that nobody requested.
    pub(super) fn end(&self) -> Result<()> {
        match self.more() {
            false => Ok(()),
            true => self.record.error("there are more operands than the instruction has"),
        }
    }
}
