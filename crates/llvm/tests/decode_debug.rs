//! What the debug information of a program says, in every version that is supported: places,
//! variables, types.

use std::path::Path;

use mazurka_llvm::bitcode::decode;
use mazurka_llvm::ir::debug::Shape;
use mazurka_llvm::ir::{DebugRecordKind, Function, Module};

fn module(name: &str) -> Module {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/decode/seeds").join(name);
    decode(&std::fs::read(path).expect("the seed is there")).expect("the seed is sound")
}

fn function<'m>(module: &'m Module, name: &str) -> &'m Function {
    module.functions.iter().find(|function| function.name == name).expect("the function is there")
}

/// The variables that a function declares, with their types.
fn variables(module: &Module, function: &Function) -> Vec<(String, String)> {
    let records = function.blocks.iter().flat_map(|block| &block.records);
    let variables = records.filter_map(|record| match record.kind {
        DebugRecordKind::Declare { variable, .. } => module.local_variable(variable),
        _ => None,
    });
    variables.map(|variable| (variable.name.to_string(), format!("{:?}", module.shape(variable.ty)))).collect()
}

#[test]
fn typed_pointers_and_calls_of_llvm_14() {
    let module = module("old-14.bc");
    let head = module.globals.iter().find(|global| global.name == "head").expect("the global is there");
    let variable = module.global_variable(head).expect("it has debug information");
    assert_eq!((variable.name, variable.file, variable.line), ("head", Some("old.c"), 4));
    let Shape::Record(members) = module.shape(variable.ty) else { panic!("it is a structure") };
    let members: Vec<_> = members.iter().map(|member| (member.name, member.offset, member.size)).collect();
    assert_eq!(members, [(Some("next"), 0, 64), (Some("value"), 64, 32)]);

    let first = function(&module, "first");
    assert_eq!(module.source_name(first), Some("first"));
    let names: Vec<_> = variables(&module, first).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["n", "x"]);
    let last = first.blocks[0].instructions.last().and_then(|last| last.location).expect("it has a place");
    let place = module.location(last);
    assert_eq!((place.line, place.column), (8, 3));
    assert_eq!(module.function_of(place), Some("first"));
    assert_eq!((module.file_of(place), module.directory_of(place)), (Some("old.c"), Some("/tmp")));
}

#[test]
fn records_of_llvm_19() {
    let module = module("control-19.bc");
    let loops = function(&module, "loops");
    let found = variables(&module, loops);
    let names: Vec<_> = found.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["n", "t", "i"]);
    assert!(found.iter().all(|(_, shape)| shape == "Basic(32, 5)"));
    let machine = variables(&module, function(&module, "machine"));
    assert!(machine.iter().any(|(name, shape)| name == "code" && shape.starts_with("Pointer")));
    assert!(module.flag("Debug Info Version").and_then(|id| module.integer(id)).is_some_and(|version| version == 3));
}

#[test]
fn sizes_of_llvm_22() {
    let module = module("rust-22.bc");
    assert!(module.producer.starts_with("LLVM22"));
    let find = function(&module, "find");
    let location = find.blocks[0].instructions[0].location.expect("it has a place");
    assert!(module.file_of(module.location(location)).is_some());
    let mut sizes: Vec<_> = (0..module.metadata.len() as u32)
        .map(mazurka_llvm::ir::MetadataId)
        .filter_map(|id| Some((module.type_name(id)?, module.type_bits(Some(id)))))
        .filter(|(name, _)| ["u8", "u16", "f32", "usize", "u32"].contains(name))
        .collect();
    sizes.sort_unstable();
    sizes.dedup();
    assert_eq!(sizes, [("f32", 32), ("u16", 16), ("u32", 32), ("u8", 8), ("usize", 64)]);
}
