//! Lowering what clang makes of small programs: the code, and what is refused. Without a clang
//! these tests test nothing.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::code::instruction::{Flags, Instruction, Partial};
use crate::code::{Image, Settings, Waiting};
use crate::ir::Module;

use super::{Unsupported, compile};

/// A C program as clang reads it; none where there is no clang.
fn module(source: &str) -> Option<Module> {
    let names = ["clang", "clang-19", "clang-18", "clang-17", "clang-16"];
    let mut clang = names.iter().find_map(|name| {
        Command::new(name)
            .args(["-x", "c", "-O0", "-g", "-emit-llvm", "-c", "-Xclang", "-disable-O0-optnone", "-w", "-o", "-", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .ok()
    })?;
    clang.stdin.take()?.write_all(source.as_bytes()).ok()?;
    let output = clang.wait_with_output().ok()?;
    assert!(output.status.success(), "clang refuses the test program");
    Some(crate::bitcode::decode(&output.stdout).expect("clang writes bitcode"))
}

fn image_of(source: &str, settings: &Settings) -> Option<Image> {
    let image = compile(vec![module(source)?], settings, &|_| None);
    Some(image.unwrap_or_else(|list| panic!("{list:?}")))
}

/// What is refused, one line each, with line and column.
fn refused(source: &str) -> Option<Vec<String>> {
    let list = compile(vec![module(source)?], &Settings::default(), &|_| None).err().unwrap_or_default();
    Some(list.iter().map(|one| format!("{}:{} {}", one.line, one.column, one.what)).collect())
}

/// The code of a function.
fn code<'i>(image: &'i Image, name: &str) -> &'i [Instruction] {
    let function = image.functions.iter().find(|function| function.name == name).expect("there is such a function");
    &image.code[image.code_of(function)]
}

macro_rules! test_image {
    ($image:ident = $source:expr) => {
        test_image!($image = $source, Settings::default());
    };
    ($image:ident = $source:expr, $settings:expr) => {
        let Some($image) = image_of($source, &$settings) else { return };
    };
}

#[test]
fn a_loop_over_locals_is_a_handful_of_instructions() {
    test_image!(
        image = "int f(int n) { int sum = 0; for (int i = 0; i < n; i++) sum += i; return sum; } int main() { return f(3); }"
    );
    let code = code(&image, "f");
    let expected = ["Constant", "Constant", "Head", "JumpIfLess", "ReturnValue", "Add32", "Add32By", "Jump"];
    let names: Vec<String> =
        code.iter().map(|op| format!("{op:?}").split_once(' ').map_or("", |(name, _)| name).to_owned()).collect();
    assert_eq!(names, expected, "{code:?}");
    assert_eq!(image.loops[0].waiting, Waiting::Never);
    assert_eq!(
        image.functions.iter().find(|function| function.name == "f").map(|function| function.registers),
        Some(3)
    );
}

#[test]
fn globals_have_fixed_addresses() {
    test_image!(
        image = "struct { int a; struct { char b; short c[4]; } d[3]; } x; int main() { x.d[2].c[1] = 7; return x.d[2].c[1]; }"
    );
    let code = code(&image, "main");
    let address = crate::code::address(image.globals[0].slot, 4 + 2 * 10 + 2 + 2);
    assert!(matches!(code[0], Instruction::StoreValueAt { value: 7, address: at, .. } if at == address), "{code:?}");
    assert!(matches!(code[1], Instruction::LoadAt { address: at, .. } if at == address), "{code:?}");
    assert!(matches!(code[2], Instruction::ReturnValue { .. }), "{code:?}");
}

#[test]
fn fields_are_offsets_of_accesses() {
    test_image!(
        image = "struct node { int v; struct node *next; }; int f(struct node *p) { return p->next->v; } int main() { return f(0); }"
    );
    let code = code(&image, "f");
    assert!(matches!(code[0], Instruction::Load { offset: 8, .. }), "{code:?}");
    assert!(matches!(code[1], Instruction::Load { offset: 0, .. }), "{code:?}");
    assert_eq!(code.len(), 3);
}

#[test]
fn a_local_whose_address_is_known_to_others_stays_in_memory() {
    test_image!(
        image = "void g(int *); int *kept; void g(int *p) { kept = p; } int main() { int x = 1, y = 2; g(&x); return x + y; }"
    );
    let allocas = code(&image, "main").iter().filter(|op| matches!(op, Instruction::Alloca { .. })).count();
    assert_eq!(allocas, 1);
    assert_eq!(image.locals[0].name, "x");
}

#[test]
fn what_may_be_read_before_it_is_written_is_undefined() {
    let source = "int c; int main() { int x, y; if (c) x = 1; y = 2; if (c > 1) return x; return y; }";
    test_image!(image = source);
    let undefined = code(&image, "main").iter().filter(|op| matches!(op, Instruction::Undefined { .. })).count();
    assert_eq!(undefined, 1);
}

#[test]
fn loops_that_wait() {
    let source = "#include <stdatomic.h>\n#include <sched.h>\n
        atomic_int x; int y; int a[4];
        void one() { while (!x); }
        void two() { while (atomic_load(&x) != 3) sched_yield(); }
        void three() { int r; do { r = y; } while (r < 7); a[0] = r; }
        void four() { while (!x) y++; }
        void five() { while (a[0] && a[1]); }
        void six() { for (int i = 0; !x; i++); }
        int main() { one(); two(); three(); four(); five(); six(); return 0; }";
    test_image!(image = source);
    let waiting = |name: &str| {
        let entry = image.functions.iter().find(|function| function.name == name).map_or(0, |function| function.entry);
        image.loops.iter().filter(|found| found.head >= entry).min_by_key(|found| found.head).map(|found| found.waiting)
    };
    for name in ["one", "two", "three"] {
        assert_eq!(waiting(name), Some(Waiting::Awaits), "{name} {:?}", code(&image, name));
        let marked = code(&image, name)
            .iter()
            .any(|op| matches!(op, Instruction::LoadAt { flags, .. } if flags.has(Flags::AWAIT)));
        assert!(marked, "{name}");
    }
    assert_eq!(waiting("four"), Some(Waiting::Possible));
    assert_eq!(waiting("five"), Some(Waiting::Possible));
    // Nobody looks at the counter.
    assert_eq!(waiting("six"), Some(Waiting::Awaits));
}

#[test]
fn delays_are_faint() {
    let source = "#include <stdatomic.h>\n#include <time.h>\n#include <unistd.h>\n
        atomic_int x; int y;
        void one() { unsigned d = 1; while (!x) { usleep(d); d *= 2; } }
        void two() { long d = 1; while (!x) { struct timespec t = {0, d}; nanosleep(&t, 0); if (d < 99) d *= 2; } }
        void three() { int d = 1; while (!x) if (d < 99) { usleep(d); if (d & 1) d += 3; else d <<= 1; } }
        void undefined() { int d; while (!x) { usleep(d); if (d < 99) d *= 2; } }
        void writes() { int d = 1; while (!x) { d *= 2; if (d > 99) y = 1; } }
        void gives_up() { int d = 1; while (!x) { usleep(d); d *= 2; if (d > 99) return; } }
        void given(int d) { while (!x) { usleep(d); if (d < 99) d *= 2; } }
        int main() { one(); two(); three(); undefined(); writes(); gives_up(); given(1); return 0; }";
    test_image!(image = source);
    let waiting = |name: &str| {
        let entry = image.functions.iter().find(|function| function.name == name).map_or(0, |function| function.entry);
        image.loops.iter().filter(|found| found.head >= entry).min_by_key(|found| found.head).map(|found| found.waiting)
    };
    for name in ["one", "two", "three"] {
        assert_eq!(waiting(name), Some(Waiting::Awaits), "{name} {:?}", code(&image, name));
    }
    // What decides something, or may be undefined where it decides, stays.
    for name in ["undefined", "writes", "gives_up", "given"] {
        assert_ne!(waiting(name), Some(Waiting::Awaits), "{name} {:?}", code(&image, name));
    }
}

#[test]
fn iterations_are_counted_only_where_they_are_bounded() {
    let source = "int f(int n) { int s = 0; while (n) { for (int i = 0; i < n; i++) s++; n--; } return s; } int main() { return f(2); }";
    test_image!(plain = source);
    test_image!(counted = source, Settings { unroll: Some(3), ..Settings::default() });
    let registers =
        |image: &Image| image.functions.iter().find(|function| function.name == "f").map(|function| function.registers);
    assert_eq!(registers(&counted), registers(&plain).map(|count| count + 2));
    for found in &counted.loops {
        let Instruction::Head { counter, .. } = counted.code[found.head as usize] else { panic!("a head") };
        assert!(!found.carried.contains(&counter));
    }
}

#[test]
fn overflow_is_checked_where_asked_for() {
    let source = "int f(int a, unsigned b) { return a * 3 + (int)(b + 1); } int main() { return f(1, 2); }";
    test_image!(plain = source);
    test_image!(checked = source, Settings { overflow: true, ..Settings::default() });
    let count = |image: &Image| {
        let is_checked = |op: &&Instruction| {
            matches!(op, Instruction::Partial { op: Partial::AddSigned | Partial::MultiplySigned, .. })
        };
        code(image, "f").iter().filter(is_checked).count()
    };
    assert_eq!((count(&plain), count(&checked)), (0, 2));
}

#[test]
fn cells_are_the_scalars_of_the_type() {
    let source = "#include <stdlib.h>\nstruct node { char c; int v; struct node *next; } *list; char text[8];
        int main() { list = malloc(sizeof *list); struct node *p = malloc(8); list->next = malloc(16); return text[0]; }";
    test_image!(image = source);
    let text = image.globals.iter().find(|global| global.name == "text").expect("there is such a variable");
    assert_eq!(image.partitions[text.partition as usize].cells(8), 8);
    let shapes: Vec<u32> = image
        .code
        .iter()
        .filter_map(|op| match op {
            Instruction::Native { native: crate::native::Native::Malloc, shape, .. } => Some(*shape),
            _ => None,
        })
        .collect();
    assert_eq!(shapes, [1, 1, 1]);
    let partition = &image.partitions[image.shapes[1].partition as usize];
    assert_eq!((partition.period(), partition.cell(4), partition.cell(8)), (16, 1, 2));
}

#[test]
fn all_that_is_unsupported_is_listed_with_its_places() {
    let source = "int unknown(int); _BitInt(200) l; extern int variable;
void never(void) { unknown(0); }
int f(void) { return unknown(1)
  + unknown(2); }
int main() {
  __asm__(\"cpuid\");
  __asm__ volatile(\"\" ::: \"memory\");
  l = l * 2;
  int __VERIFIER_nondet_int(void);
  struct large { long a[5]; } large;
  int g(int, ...);
  return f() + variable + __VERIFIER_nondet_int() + g(1, large);
}
int g(int n, ...) { return n; }";
    let Some(list) = refused(source) else { return };
    let expected = [
        "3:22 unknown external function `unknown`",
        "4:5 unknown external function `unknown`",
        "6:3 inline assembly `cpuid`",
        "8:7 integers of 256 bits",
        "12:16 unknown external variable `variable`",
        "12:27 `__VERIFIER_nondet_int` has no range: give one with --nondet LOW..HIGH",
    ];
    for line in expected {
        assert!(list.iter().any(|found| found == line), "{line} is not in {list:#?}");
    }
    assert!(!list.iter().any(|found| found.starts_with("2:")), "{list:#?}");
}

#[test]
fn a_program_without_main() {
    let Some(list) = refused("int f(void) { return 1; }") else { return };
    assert_eq!(list, ["0:0 there is no `main`"]);
}

#[test]
fn several_modules() {
    let one = "int f(void); extern int shared; static int hidden = 1; __attribute__((weak)) int g(void) { return 1; }
        int tentative; int main() { return f() + shared + hidden + g() + tentative; }";
    let two = "int shared = 5; static int hidden = 2; int g(void) { return shared; } int f(void) { return hidden; }";
    let (Some(first), Some(second)) = (module(one), module(two)) else { return };
    let image = compile(vec![first, second], &Settings::default(), &|_| None).expect("it links");
    assert_eq!(image.globals.iter().filter(|global| global.name == "hidden").count(), 2);
    assert_eq!(image.globals.iter().filter(|global| global.name == "shared").count(), 1);
    assert_eq!(image.functions.iter().filter(|function| function.name == "g").count(), 1);
}

#[test]
fn a_name_that_two_modules_define() {
    let (Some(first), Some(second)) = (module("int x = 1; int main() { return x; }"), module("int x = 2;")) else {
        return;
    };
    let list = compile(vec![first, second], &Settings::default(), &|_| None).expect_err("it does not link");
    assert_eq!(list, [Unsupported { what: "`x` is defined several times".to_owned(), ..Unsupported::default() }]);
}

#[test]
fn arguments_of_main() {
    let settings = Settings { arguments: vec!["one".to_owned(), "two".to_owned()], ..Settings::default() };
    test_image!(image = "int main(int argc, char **argv) { return argv[1][0]; }", settings);
    let argv = image.globals.iter().find(|global| global.name == "argv").expect("there is a row of addresses");
    let second = u64::from_le_bytes(argv.initial[8..16].try_into().expect("eight bytes"));
    let text = image.globals.iter().find(|global| global.slot == (second >> 32) as u32).expect("there is a string");
    assert_eq!(&text.initial[..], b"one\0");
    assert_eq!(&argv.initial[24..32], [0; 8]);
}

#[test]
fn constants_and_their_addresses() {
    let source = "int a[4] = {1, 2}; int *p = &a[3]; void f(void); void (*q)(void) = f; void f(void) {}
        struct { char c; double d; int *e[2]; } s = {'x', 1.5, {a, &a[1]}}; const char *t = \"text\";
        int main() { q(); return *p + s.c + *t; }";
    test_image!(image = source);
    let global =
        |name: &str| image.globals.iter().find(|global| global.name == name).expect("there is such a variable");
    let word = |name: &str, at: usize| {
        let bytes = global(name).initial.iter().copied().chain(std::iter::repeat(0)).skip(at).take(8);
        bytes.enumerate().fold(0, |word, (place, byte)| word | u64::from(byte) << (8 * place))
    };
    assert_eq!(word("p", 0), crate::code::address(global("a").slot, 12));
    assert_eq!(word("s", 24), crate::code::address(global("a").slot, 4));
    assert_eq!(word("s", 8), 1.5f64.to_bits());
    assert_eq!(&global("a").initial[..], [1, 0, 0, 0, 2]);
    assert_eq!(word("t", 0), crate::code::address(global("\"text\"").slot, 0));
    let f = image.functions.iter().find(|function| function.name == "f").expect("there is such a function");
    assert_eq!(word("q", 0), f.address);
}

#[test]
fn addresses_that_arithmetic_hides_are_known_to_others() {
    let source = "#include <stdint.h>\nint x; uintptr_t f(int *p, int *q) { uintptr_t a = (uintptr_t)p; return a ^ (uintptr_t)q; }
        long g(int *p, int *q) { uintptr_t a = (uintptr_t)p; return (p - q) + ((a & 7) == 0); }
        int main() { return f(&x, 0) + g(&x, &x); }";
    test_image!(image = source);
    let count = |name| code(&image, name).iter().filter(|op| matches!(op, Instruction::Expose { .. })).count();
    assert_eq!((count("f"), count("g")), (2, 0));
}

#[test]
fn a_listing_names_what_there_is() {
    test_image!(image = "int x[3]; int f(int *p) { int y; f(&y); return *p; } int main() { return f(x); }");
    let text = image.to_string();
    for expected in
        ["variable x = slot", "12 bytes, aligned to", "3 cells", "y in memory", "p in register 0", "<stdin>:1:"]
    {
        assert!(text.contains(expected), "{expected} is not in {text}");
    }
}

#[test]
fn natives_through_pointers() {
    test_image!(image = "#include <stdlib.h>\nvoid (*f)(void *) = free; int main() { f(0); return 0; }");
    let thunk = image.functions.iter().find(|function| function.name == "free").expect("there is such a function");
    assert!(matches!(image.code[thunk.entry as usize], Instruction::Native { .. }));
}
