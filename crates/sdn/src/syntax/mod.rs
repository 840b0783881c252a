//! From text to a tree.

pub(crate) mod ast;
mod expression;
mod item;
mod parser;
mod statement;
mod token;

use mazurka_source::Sink;

/// Reads a file; what cannot be read is reported and left out.
pub(crate) fn parse(source: &str, sink: &mut Sink) -> ast::File {
    let lexemes = token::lex(source, sink);
    item::file(parser::Parser::new(source, lexemes, sink))
}
