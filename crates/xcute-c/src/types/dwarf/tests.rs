//! The features file, read in both versions of the format and from objects, and odd input.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;

use super::*;

const FEATURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/features.c");

fn build(source: &str, flags: &[&str]) -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let object = dir.path().join("out.o");
    let clang = std::env::var("XCUTE_CLANG").unwrap_or_else(|_| "clang-19".to_owned());
    let output = Command::new(clang).args(["-g", "-O0", "-w", "-c", "-o"]).arg(&object).args(flags).arg(source).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    (dir, object)
}

fn features(flags: &[&str]) -> Program {
    let (_dir, object) = build(FEATURES, flags);
    Program::read(&[object]).unwrap()
}

fn signature(program: &Program, name: &str) -> Vec<String> {
    let function = program.function(name).unwrap_or_else(|| panic!("{name} is not there"));
    function.params.iter().map(|p| program.declare(p.of, p.name.as_deref().unwrap_or("")).unwrap()).collect()
}

#[test]
fn signatures_are_read_in_every_version() {
    for version in ["-gdwarf-5", "-gdwarf-4", "-gdwarf-3"] {
        let program = features(&[version]);
        let scalars = signature(&program, "scalars");
        let expected = [
            "char c",
            "signed char sc",
            "unsigned char uc",
            "short s",
            "unsigned short us",
            "int i",
            "unsigned int u",
            "long l",
            "unsigned long ul",
            "long long ll",
            "unsigned long long ull",
            "_Bool b",
        ];
        assert_eq!(scalars, expected, "{version}");
        assert_eq!(signature(&program, "floats"), ["float f", "double d", "long double ld"]);
        assert_eq!(signature(&program, "enums"), ["enum color c", "magnitude m"]);
        assert_eq!(signature(&program, "records"), ["point p", "union number n", "struct nested s", "struct flags f"]);
        let pointers = ["struct cell *p", "const char *s", "char **names", "int *const q", "void *any", "point_ref r"];
        assert_eq!(signature(&program, "pointers")[..6], pointers);
        assert_eq!(signature(&program, "arrays"), ["int *a", "row *rows", "int (*grid)[2][3]", "struct packet *packet"]);
        let callbacks = ["compare order", "int (*apply)(int)", "void (*nothing)(void)", "int (*(*maker)(char))(int)", "struct handlers *h"];
        assert_eq!(signature(&program, "callbacks"), callbacks);
        assert!(program.function("variadic").unwrap().variadic);
        assert!(!program.function("hidden").unwrap().external);
        assert!(program.function("visible").unwrap().external);
    }
}

#[test]
fn odd_parameters_can_be_declared() {
    let odd = signature(&features(&[]), "odd");
    let expected = ["volatile int v", "fixed k", "struct opaque *unknown", "__int128 wide", "struct { int inner; } *anonymous"];
    assert_eq!(odd[..5], expected);
    assert_eq!(odd[5], "_Atomic int atomic");
}

fn record<'a>(program: &'a Program, function: &str, parameter: usize) -> &'a Record {
    let mut id = program.strip(program.function(function).unwrap().params[parameter].of);
    if let Type::Pointer { to } = program.get(id) {
        id = program.strip(*to);
    }
    match program.get(id) {
        Type::Record(record) => record,
        other => panic!("{other:?}"),
    }
}

#[test]
fn bit_fields_have_byte_and_bit() {
    for version in ["-gdwarf-5", "-gdwarf-4", "-gdwarf-3"] {
        let program = features(&[version]);
        let members = &record(&program, "records", 3).members;
        let places: Vec<_> = members.iter().map(|m| (m.name.as_deref().unwrap(), m.offset, m.bits.unwrap())).collect();
        assert_eq!(places, [("a", 0, (0, 3)), ("b", 0, (3, 5)), ("wide", 1, (0, 40)), ("on", 6, (0, 1))], "{version}");
    }
}

#[test]
fn records_are_nested_recursive_incomplete_and_flexible() {
    let program = features(&[]);
    let nested = record(&program, "records", 2);
    assert_eq!(nested.members[1].name, None);
    assert!(matches!(program.get(nested.members[1].of), Type::Record(Record { union: true, name: None, .. })));
    let cell = record(&program, "pointers", 0);
    let Type::Pointer { to } = program.get(cell.members[1].of) else { panic!() };
    assert_eq!(program.get(*to), &Type::Record(cell.clone()));
    assert!(record(&program, "odd", 2).incomplete);
    let data = &record(&program, "arrays", 3).members[1];
    assert!(matches!(program.get(data.of), Type::Array { count: None, .. }));
    assert_eq!((data.offset, program.size(data.of)), (4, 0));
}

#[test]
fn enumerators_globals_and_sizes() {
    let program = features(&[]);
    let Type::Enum { signed, enumerators, .. } = program.get(program.strip(program.function("enums").unwrap().params[0].of)) else {
        panic!()
    };
    assert!(*signed);
    assert_eq!(enumerators[..], [("RED".to_owned(), -1), ("GREEN".to_owned(), 0), ("BLUE".to_owned(), 5)]);
    let globals: Vec<_> = program.globals.iter().map(|g| (g.name.as_str(), program.size(g.of), g.external)).collect();
    assert_eq!(globals, [("global_counter", 4, true), ("matrix", 24, true), ("global_list", 8, false)]);
    let file = &program.function("twice").unwrap().file;
    assert_eq!(file, FEATURES);
}

#[test]
fn input_variables_are_found_in_inner_blocks() {
    let program = features(&[]);
    let input = program.input("hidden", 12).unwrap();
    assert_eq!(program.declare(input.of, "cells").unwrap(), "struct cell cells[2]");
    assert_eq!(program.input("hidden", 7).unwrap().of, TypeId::VOID);
}

#[test]
fn units_share_types_and_complete_each_other() {
    let dir = tempfile::tempdir().unwrap();
    let (a, b) = (dir.path().join("a.c"), dir.path().join("b.c"));
    std::fs::write(&a, "struct s { int x; struct s *n; }; int f(struct s *p) { return p->x; }").unwrap();
    std::fs::write(&b, "struct s; struct t { struct s *s; }; int g(struct s *p, struct t *t) { return p == t->s; }").unwrap();
    let (_keep_a, a) = build(a.to_str().unwrap(), &[]);
    let (_keep_b, b) = build(b.to_str().unwrap(), &[]);
    for files in [[&a, &b], [&b, &a]] {
        let program = Program::read(&files).unwrap();
        let of = |name: &str| program.function(name).unwrap().params[0].of;
        assert_eq!(of("f"), of("g"));
        assert!(!record(&program, "g", 0).incomplete);
    }
}

#[test]
fn broken_files_are_errors() {
    let dir = tempfile::tempdir().unwrap();
    let junk = dir.path().join("junk");
    std::fs::write(&junk, b"not an object").unwrap();
    assert!(matches!(Program::read(&[&junk]), Err(DwarfError::Object { .. })));
    assert!(matches!(Program::read(&[dir.path().join("missing")]), Err(DwarfError::Io { .. })));
    let (_keep, object) = build(FEATURES, &["-g0"]);
    assert!(matches!(Program::read(&[object]), Err(DwarfError::Dwarf { .. })));
    // Damaged in many places: anything but a panic.
    let (_keep, object) = build(FEATURES, &[]);
    let bytes = std::fs::read(&object).unwrap();
    for step in 0..400usize {
        let mut damaged = bytes.clone();
        for k in 0..16 {
            let at = (step * 7919 + k * 104_729) % damaged.len();
            damaged[at] = damaged[at].wrapping_add(step as u8 | 1);
        }
        std::fs::write(&junk, &damaged).unwrap();
        if let Ok(program) = Program::read(&[&junk]) {
            for id in 0..program.len() {
                let _ = (program.size(TypeId(id as u32)), program.declare(TypeId(id as u32), "x"));
            }
        }
    }
}

/// Types whose layout is not what the compiler would choose by itself, too.
const LAYOUTS: &str = "
typedef unsigned int size_t;
typedef struct { char a; short b; } pair;
struct __attribute__((packed)) packed { char a; int b; struct packed *next; double c; };
struct __attribute__((aligned(32))) wide { int a; pair pairs[3]; };
struct bits { unsigned a : 3; unsigned : 5; unsigned b : 20; long long c : 40; unsigned : 0; char d; signed char e : 2; };
struct __attribute__((packed)) tight { unsigned a : 3; unsigned long b : 37; short c; unsigned d : 1; };
struct hidden { int a; union { long b; struct { char c, d; }; }; struct { short e; struct { char f; }; }; };
struct member { char a; int b __attribute__((aligned(16))); char c; };
typedef enum { RED, GREEN = 7 } color;
enum __attribute__((packed)) small { TINY = 1 };
typedef float quad __attribute__((vector_size(16)));
struct mixed { color c; enum small s; size_t n; _Bool yes; long double x; float _Complex z; quad q; __int128 w; int (*f)(struct bits); char flexible[]; };
struct nested { struct packed p; struct wide w[2]; pair *last; _Atomic int counter; _Atomic(pair) both; };
union words { char bytes[6]; struct { int low; short high; }; double d; };
struct odd { int linux_; int inline_; };
typedef pair (*maker)(struct nested *, union words, ...);
struct all { struct bits a; struct tight b; struct hidden c; struct member d; struct mixed *e; struct nested f; union words g; maker h; };
int f(struct all *p, struct mixed *m, struct odd o) { return p && m && o.inline_; }
";

#[test]
fn what_is_defined_has_the_layout_of_the_program() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("layouts.c");
    std::fs::write(&file, LAYOUTS).unwrap();
    let (_keep, object) = build(file.to_str().unwrap(), &[]);
    let program = &Program::read(&[object]).unwrap();
    for opaque in [false, true] {
        let mut definitions = if opaque { Definitions::opaque(program) } else { Definitions::new(program, BTreeSet::new()) };
        let mut checks = String::new();
        let mut offsets = 0;
        for (n, id) in (0..program.len() as u32).map(TypeId).enumerate() {
            let Type::Record(record) = program.get(id) else { continue };
            let Ok(declared) = definitions.declare(id, &format!("x{n}")) else { panic!("{record:?}") };
            checks += &format!("{declared};\n_Static_assert(sizeof x{n} == {}, \"size\");\n", record.size);
            for member in record.members.iter().filter(|m| m.bits.is_none()) {
                let Some(name) = &member.name else { continue };
                offsets += 1;
                let name = identifier(name);
                checks += &format!("_Static_assert(__builtin_offsetof(__typeof__(x{n}), {name}) == {}, \"{name}\");\n", member.offset);
            }
        }
        assert!(offsets > 40, "{offsets}");
        let text = format!("{}{checks}", definitions.text());
        let test = dir.path().join("test.c");
        std::fs::write(&test, &text).unwrap();
        for compiler in ["clang-19", "gcc"] {
            let output = std::process::Command::new(compiler).args(["-w", "-fsyntax-only"]).arg(&test).output().unwrap();
            assert!(output.status.success(), "{compiler}: {}\n{text}", String::from_utf8_lossy(&output.stderr));
        }
        if !opaque {
            assert!(text.contains("typedef unsigned int size_t;\n") && text.contains("GREEN = 7"), "{text}");
        }
    }
}
