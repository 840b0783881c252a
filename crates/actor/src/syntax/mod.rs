//! From text to a tree: lexer and parser, with recovery after errors.

pub(crate) mod ast;
mod expression;
mod item;
pub(crate) mod lex;
mod parser;
mod refuse;
mod statement;
mod token;
mod types;

use mazurka_source::Sink;

/// Reads a file whose first byte has the offset `base`, and adds its modules to the program.
pub(crate) fn parse<'s>(source: &'s str, base: u32, program: &mut ast::Program<'s>, sink: &mut Sink) {
    let lexemes = lex::lex(source, base, sink);
    let mut parser = parser::Parser::new(source, base, lexemes, std::mem::take(&mut program.exprs), sink);
    let modules = parser.file();
    program.exprs = parser.finish();
    program.modules.extend(modules);
}
