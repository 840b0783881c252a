//! Files that lie: about lengths, about what contains what, about how much there is. All are
//! refused, quickly and in little memory.

use mazurka_llvm::bitcode::decode;
use mazurka_llvm::ir::Module;

/// Writes bitcode, without abbreviations.
#[derive(Default)]
struct Writer {
    bits: Vec<bool>,
    /// For each open block where its length stands, and the width of the abbreviation numbers
    /// around it.
    open: Vec<(usize, u32)>,
    width: u32,
}

impl Writer {
    fn new() -> Self {
        let mut writer = Writer { width: 2, ..Writer::default() };
        b"BC\xC0\xDE".iter().for_each(|&byte| writer.fixed(u64::from(byte), 8));
        writer
    }

    fn fixed(&mut self, value: u64, width: u32) {
        self.bits.extend((0..width).map(|bit| value >> bit & 1 != 0));
    }

    fn variable(&mut self, mut value: u64, width: u32) {
        let more = 1 << (width - 1);
        while value >= more {
            self.fixed(value & (more - 1) | more, width);
            value >>= width - 1;
        }
        self.fixed(value, width);
    }

    fn align(&mut self) {
        self.bits.resize(self.bits.len().next_multiple_of(32), false);
    }

    fn enter(&mut self, id: u64) {
        self.fixed(1, self.width);
        self.variable(id, 8);
        self.variable(6, 4);
        self.align();
        self.open.push((self.bits.len(), self.width));
        self.fixed(0, 32);
        self.width = 6;
    }

    fn end(&mut self) {
        self.fixed(0, self.width);
        self.align();
        let (start, width) = self.open.pop().expect("a block is open");
        let words = (self.bits.len() - start) / 32 - 1;
        (0..32).for_each(|bit| self.bits[start + bit] = words >> bit & 1 != 0);
        self.width = width;
    }

    fn record(&mut self, code: u64, operands: &[u64]) {
        self.fixed(3, self.width);
        self.variable(code, 6);
        self.variable(operands.len() as u64, 6);
        operands.iter().for_each(|&operand| self.variable(operand, 6));
    }

    fn bytes(&self) -> Vec<u8> {
        self.bits.chunks(8).map(|bits| bits.iter().rev().fold(0, |byte, &bit| byte << 1 | u8::from(bit))).collect()
    }

    /// A table of strings: the one record with bytes, so the one that needs an abbreviation.
    fn strings(&mut self, text: &[u8]) {
        self.enter(23);
        self.fixed(2, self.width);
        self.variable(2, 5);
        self.fixed(1, 1);
        self.variable(1, 8);
        self.fixed(0, 1);
        self.fixed(5, 3);
        self.fixed(4, self.width);
        self.variable(text.len() as u64, 6);
        self.align();
        text.iter().for_each(|&byte| self.fixed(u64::from(byte), 8));
        self.align();
        self.end();
    }
}

const MODULE: u64 = 8;
const CONSTANTS: u64 = 11;
const FUNCTION: u64 = 12;
const TYPES: u64 = 17;

/// A module with the types i32 (0), ptr (1), void (2), void () (3) and more, then what `write`
/// adds.
fn module(more: &[(u64, &[u64])], text: &[u8], write: impl FnOnce(&mut Writer)) -> Result<Module, String> {
    let mut writer = Writer::new();
    writer.enter(MODULE);
    writer.record(1, &[2]);
    writer.enter(TYPES);
    writer.record(7, &[32]);
    writer.record(25, &[0]);
    writer.record(2, &[]);
    writer.record(21, &[0, 2]);
    more.iter().for_each(|(code, operands)| writer.record(*code, operands));
    writer.end();
    write(&mut writer);
    writer.end();
    writer.strings(text);
    decode(&writer.bytes()).map_err(|error| error.what)
}

/// The record of a function: name, type, whether it has a body.
fn function(writer: &mut Writer, name: (u64, u64), ty: u64, body: bool) {
    writer.record(8, &[name.0, name.1, ty, 0, u64::from(!body), 0, 0, 0, 0]);
}

/// A body that returns at once.
fn body(writer: &mut Writer) {
    writer.enter(FUNCTION);
    writer.record(1, &[1]);
    writer.record(10, &[]);
    writer.end();
}

#[track_caller]
fn refused(result: Result<Module, String>, why: &str) {
    match result {
        Ok(_) => panic!("this was read: {why}"),
        Err(error) => assert!(error.contains(why), "refused because {error}, not because {why}"),
    }
}

#[test]
fn a_small_module_is_read() {
    let module = module(&[], b"main", |writer| {
        function(writer, (0, 4), 3, true);
        body(writer);
    });
    let module = module.expect("it is sound");
    assert_eq!(module.functions[0].name, "main");
    assert_eq!(module.functions[0].blocks.len(), 1);
}

#[test]
fn a_header_around_the_bitcode_is_skipped() {
    let mut inner = Writer::new();
    inner.enter(MODULE);
    inner.record(1, &[2]);
    inner.end();
    let inner = inner.bytes();
    let mut wrapped = Vec::new();
    for word in [0x0B17_C0DE, 0, 20, inner.len() as u32, 7] {
        wrapped.extend(u32::to_le_bytes(word));
    }
    wrapped.extend(&inner);
    assert!(decode(&wrapped).is_ok());
    wrapped[8] = 200;
    assert!(decode(&wrapped).is_err());
    assert!(decode(&wrapped[..12]).is_err());
    assert!(decode(b"\x7FELF").is_err());
    assert!(decode(b"").is_err());
}

#[test]
fn lengths_beyond_the_file() {
    refused(module(&[(7, &[]), (1, &[])], b"", |_| {}), "missing");
    let mut writer = Writer::new();
    writer.enter(MODULE);
    writer.fixed(3, 6);
    writer.variable(1, 6);
    writer.variable(u64::MAX, 6);
    writer.end();
    refused(decode(&writer.bytes()).map_err(|error| error.what), "longer than the file");
    let mut writer = Writer::new();
    writer.enter(MODULE);
    writer.end();
    let mut bytes = writer.bytes();
    bytes[8..12].copy_from_slice(&[0xff; 4]);
    refused(decode(&bytes).map_err(|error| error.what), "longer than the file");
}

#[test]
fn abbreviations_whose_elements_take_no_bits() {
    let mut writer = Writer::new();
    writer.enter(MODULE);
    writer.fixed(2, 6);
    writer.variable(3, 5);
    writer.fixed(1, 1);
    writer.variable(2, 8);
    writer.fixed(0, 1);
    writer.fixed(3, 3);
    writer.fixed(1, 1);
    writer.variable(0, 8);
    writer.end();
    refused(decode(&writer.bytes()).map_err(|error| error.what), "take no bits");
}

#[test]
fn types_and_constants_that_contain_themselves() {
    refused(module(&[(18, &[0, 5]), (11, &[2, 4])], b"", |_| {}), "contains itself");
    let cycle = |writer: &mut Writer| {
        writer.enter(CONSTANTS);
        writer.record(1, &[4]);
        writer.record(7, &[1]);
        writer.record(7, &[0]);
        writer.end();
    };
    refused(module(&[(18, &[0, 0])], b"", cycle), "contains itself");
}

#[test]
fn types_values_and_blocks_that_are_not_there() {
    refused(module(&[(11, &[2, 77])], b"", |_| {}), "not in the table");
    let constant = |writer: &mut Writer| {
        writer.enter(CONSTANTS);
        writer.record(1, &[0]);
        writer.record(10, &[0, 5, 6]);
        writer.end();
    };
    refused(module(&[], b"", constant), "which there is not");
    let jump = |writer: &mut Writer| {
        function(writer, (0, 1), 3, true);
        writer.enter(FUNCTION);
        writer.record(1, &[1]);
        writer.record(11, &[9]);
        writer.end();
    };
    refused(module(&[], b"f", jump), "block 9 is not there");
    refused(module(&[], b"f", |writer| function(writer, (0, 1), 3, true)), "have no body");
    refused(module(&[], b"f", body), "a body without a function");
    refused(module(&[], b"f", |writer| function(writer, (0, 2), 3, false)), "not in the string table");
    refused(module(&[], b"\xff", |writer| function(writer, (0, 1), 3, false)), "not UTF-8");
}

#[test]
fn blocks_without_an_end() {
    let open = |writer: &mut Writer| {
        function(writer, (0, 1), 3, true);
        writer.enter(FUNCTION);
        writer.record(1, &[u64::from(u32::MAX)]);
        writer.record(10, &[]);
        writer.end();
    };
    refused(module(&[], b"f", open), "does not have the blocks");
}

/// Few bits that stand for very much: every function has the name of all letters.
#[test]
fn names_that_overlap() {
    let text = vec![b'x'; 1 << 20];
    let names = |writer: &mut Writer| (0..5_000).for_each(|_| function(writer, (0, 1 << 20), 3, false));
    refused(module(&[], &text, names), "far more than it holds");
}

/// Few bits that stand for very much: every function has a hundred thousand parameters.
#[test]
fn parameters_without_end() {
    let mut ty = vec![0, 2];
    ty.extend([0; 100_000]);
    let functions = |writer: &mut Writer| {
        (0..500).for_each(|_| function(writer, (0, 1), 4, true));
        (0..500).for_each(|_| body(writer));
    };
    refused(module(&[(21, &ty)], b"f", functions), "far more than it holds");
}

/// Few bits that stand for very much: zeros of eight million bits.
#[test]
fn zeros_without_end() {
    let zeros = |writer: &mut Writer| {
        writer.enter(CONSTANTS);
        writer.record(1, &[4]);
        (0..1_000).for_each(|_| writer.record(2, &[]));
        writer.end();
    };
    refused(module(&[(7, &[1 << 23])], b"", zeros), "far more than it holds");
}
