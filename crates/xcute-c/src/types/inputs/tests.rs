//! Tables of the features file: kinds, lengths, candidates, names.

use std::process::Command;

use super::*;
use crate::types::dwarf::Program;

fn program() -> Program {
    let dir = tempfile::tempdir().unwrap();
    let object = dir.path().join("features.o");
    let clang = std::env::var("XCUTE_CLANG").unwrap_or_else(|_| "clang-19".to_owned());
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/features.c");
    assert!(Command::new(clang).args(["-g", "-w", "-c", "-o"]).arg(&object).arg(source).status().unwrap().success());
    Program::read(&[object]).unwrap()
}

fn table(program: &Program, function: &str, lengths: &Lengths) -> TypeTable {
    let excluded = [function];
    let mut builder = Builder::new(program, lengths, &excluded);
    for parameter in &program.function(function).unwrap().params {
        builder.input(call(parameter.name.as_deref().unwrap(), 1), parameter.of);
    }
    builder.finish()
}

fn call(name: &str, line: u32) -> InputCall<'_> {
    InputCall { name, function: "f", number: 0, line }
}

fn lengths(arrays: &[(&str, u32)]) -> Lengths {
    Lengths { arrays: arrays.iter().map(|(name, n)| ((*name).to_owned(), ArrayLength::Fixed(*n))).collect(), ..Lengths::default() }
}

#[test]
fn scalars_have_kind_size_and_sign() {
    let program = program();
    let table = table(&program, "scalars", &Lengths::default());
    let got: Vec<_> = table.inputs.iter().map(|&i| (table.get(i).kind, table.get(i).size, table.get(i).flags)).collect();
    let int = |size, signed| (XC_TY_INT, size, signed);
    let expected = [
        int(1, 1),
        int(1, 1),
        int(1, 0),
        int(2, 1),
        int(2, 0),
        int(4, 1),
        int(4, 0),
        int(8, 1),
        int(8, 0),
        int(8, 1),
        int(8, 0),
        (XC_TY_BOOL, 1, 0),
    ];
    assert_eq!(got, expected);
}

#[test]
fn long_double_is_listed() {
    let program = program();
    let table = table(&program, "floats", &Lengths::default());
    assert_eq!(table.get(table.inputs[2]), XcType { kind: XC_TY_FLOAT, size: 16, ..XcType::default() });
    assert_eq!(table.limits.len(), 1);
    assert!(table.limits[0].what.contains("long double"), "{:?}", table.limits);
}

#[test]
fn recursive_structs_close_on_themselves() {
    let program = program();
    let table = table(&program, "pointers", &Lengths::default());
    let p = table.get(table.inputs[0]);
    assert_eq!((p.kind, p.count), (XC_TY_POINTER, 1));
    let fields: Vec<_> = table.fields_of(p.elem).collect();
    assert_eq!(fields[1].1, Some("next"));
    assert_eq!(table.get(fields[1].0.of), p, "next is the same pointer type");
    // const struct cell *restrict c may alias p.
    assert_eq!(table.get(table.inputs[6]).elem, p.elem);
    let s = table.get(table.inputs[1]);
    assert_eq!((s.flags, s.count), (XC_PTR_STRING, 9));
    let any = table.get(table.get(table.inputs[4]).elem);
    assert_eq!((any.kind, any.size), (XC_TY_OPAQUE, 16));
}

#[test]
fn array_options_make_longer_objects() {
    let program = program();
    let table = table(&program, "pointers", &lengths(&[("q", 5), ("s", 3), ("next", 2)]));
    assert_eq!(table.get(table.inputs[3]).count, 5);
    let s = table.get(table.inputs[1]);
    assert_eq!((s.flags, s.count), (XC_PTR_NONNULL, 3));
    let next = table.fields_of(table.get(table.inputs[0]).elem).nth(1).unwrap().0;
    assert_eq!((table.get(next.of).count, table.get(next.of).flags), (2, 0), "a field may be NULL");
    assert_eq!(table.name_in_object("q", table.inputs[3], 8, 0), "q[2]");
    assert_eq!(table.name_in_object("p->next", next.of, 24, 0), "p->next[1].next");
}

#[test]
fn unions_take_the_largest_member_and_flexible_arrays_nothing() {
    let program = program();
    let records = table(&program, "records", &Lengths::default());
    let number: Vec<_> = records.fields_of(records.inputs[1]).map(|(_, name)| name).collect();
    assert_eq!(number, [Some("l")]);
    let arrays = table(&program, "arrays", &Lengths::default());
    let packet = arrays.get(arrays.inputs[3]).elem;
    assert_eq!(arrays.fields_of(packet).map(|(_, name)| name).collect::<Vec<_>>(), [Some("length")]);
}

#[test]
fn function_pointers_get_functions_of_their_signature() {
    let program = program();
    let mut table = table(&program, "callbacks", &Lengths::default());
    let names = |table: &TypeTable, i: usize| -> Vec<String> {
        table.fields_of(table.get(table.inputs[i]).elem).map(|(_, name)| name.unwrap().to_owned()).collect()
    };
    assert_eq!(names(&table, 0), ["by_value"]);
    assert_eq!(names(&table, 1), ["twice", "thrice"]);
    assert!(names(&table, 2).is_empty());
    assert!(table.limits.iter().any(|l| l.what.contains("struct opaque")), "{:?}", table.limits);
    let before = table.clone();
    table.bind(|name| (name != "by_value").then_some(name.len() as u64));
    assert_eq!(names(&table, 0), Vec::<String>::new());
    assert_eq!(names(&table, 1), ["twice", "thrice"]);
    assert_eq!(table.function_at(5), Some("twice"));
    // The fields of records are where they were, by content.
    let h = table.get(table.inputs[4]).elem;
    assert_eq!(table.fields_of(h).collect::<Vec<_>>(), before.fields_of(h).collect::<Vec<_>>());
}

#[test]
fn leaves_have_names() {
    let program = program();
    let records = table(&program, "records", &Lengths::default());
    assert_eq!(records.name_of_root(0, 0, 4, 0), "p.y");
    assert_eq!(records.name_of_root(2, 0, 0, 0), "s.tag");
    assert_eq!(records.name_of_root(2, 0, 8, 0), "s.d");
    assert_eq!(records.name_of_root(2, 0, 18, 0), "s.pair.hi");
    assert_eq!(records.name_of_root(3, 1, 0, 3), "f#2.b");
    let arrays = table(&program, "arrays", &Lengths::default());
    assert_eq!(arrays.name_in_object("a", arrays.inputs[0], 0, 0), "*a");
    assert_eq!(arrays.name_in_object("rows", arrays.inputs[1], 8, 0), "(*rows)[2]");
    assert_eq!(arrays.name_in_object("grid", arrays.inputs[2], 16, 0), "(*grid)[1][1]");
    let pointers = table(&program, "pointers", &Lengths::default());
    assert_eq!(pointers.name_in_object("p->next", pointers.inputs[0], 8, 0), "p->next->next");
    assert_eq!(pointers.name_in_object("s", pointers.inputs[1], 3, 0), "s[3]");
    assert_eq!(pointers.name_in_object("any", pointers.inputs[4], 3, 0), "any[3]");
    assert_eq!(pointers.name_in_object("names", pointers.inputs[2], 0, 0), "*names");
    assert_eq!(pointers.name_in_object("*names", pointers.get(pointers.inputs[2]).elem, 2, 0), "(*names)[2]");
}

#[test]
fn inputs_of_one_name_stay_apart() {
    let program = program();
    let int = program.function("twice").unwrap().params[0].of;
    let lengths = Lengths::default();
    let mut builder = Builder::new(&program, &lengths, &[]);
    builder.input(call("x", 10), int);
    builder.input(call("x", 20), int);
    builder.input(call("a[]", 30), int);
    assert_eq!(builder.unmet(), None);
    let table = builder.finish();
    assert_eq!(table.name_of_root(0, 0, 0, 0), "x");
    assert_eq!(table.name_of_root(0, 2, 0, 0), "x#3");
    assert_eq!(table.name_of_root(1, 0, 0, 0), "x@20");
    assert_eq!(table.name_of_root(2, 0, 4, 0), "a[1]");
    assert_eq!(table.name_of_root(2, 0, 0, 0), "a[0]");
}

#[test]
fn a_128_bit_integer_is_two_words() {
    let program = program();
    let table = table(&program, "odd", &Lengths::default());
    let wide = table.get(table.inputs[3]);
    assert_eq!((wide.kind, wide.count, wide.size, table.get(wide.elem).size), (XC_TY_ARRAY, 2, 16, 8));
}
