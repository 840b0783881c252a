//! Reading: text to tokens to the program as it is written.
//!
//! Errors do not end the reading: what cannot be read is reported and skipped, up to the next
//! statement or declaration. Nothing recurses over the length of the program or of an expression,
//! and what nests is limited.

pub(crate) mod ast;
mod expression;
mod item;
mod lex;
mod parser;
mod statement;
mod token;

use mazurka_source::{Diagnostic, Sink};

/// Reads a file; `None` if it was given up on the way, so that what was read is not worth a check.
pub(crate) fn parse<'s>(source: &'s str, sink: &mut Sink) -> Option<ast::File<'s>> {
    // Places are 32 bits wide.
    if u32::try_from(source.len()).is_err() {
        sink.push(Diagnostic::general("the file is too large: expected less than 4 GiB"));
        return None;
    }
    let lexemes = lex::lex(source, sink);
    let mut parser = parser::Parser::new(source, lexemes, sink);
    let items = parser.items();
    parser.finish(items)
}
