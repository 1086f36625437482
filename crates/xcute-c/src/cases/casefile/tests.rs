//! Case files are written and read back, and refused where they do not fit.

use std::process::Command;

use xcute_term::{Model, Sort, Terms};
use xcute_trace::{FailureKind, Frame};

use super::*;
use crate::types::inputs::{Builder, InputCall, Variable, XC_ROOT, XC_TY_OPAQUE};

fn file(inputs: Vec<CaseInput>) -> CaseFile {
    let frame = Frame { function: "callbacks".into(), file: "features.c".into(), line: 80, ..Frame::default() };
    CaseFile {
        xcute: VERSION,
        language: "c".into(),
        directory: "/tmp".into(),
        sources: vec!["features.c".into()],
        entry: "callbacks".into(),
        calls: None,
        pre: None,
        sequence: Vec::new(),
        flags: vec!["-DN=3".into()],
        lengths: Lengths::default(),
        outcome: "failed".into(),
        failure: Some(Failure {
            kind: FailureKind::NullAccess,
            message: "NULL is read".into(),
            stack: vec![frame],
            notes: Vec::new(),
            interleaving: Vec::new(),
            values: Vec::new(),
        }),
        inputs,
        schedule: None,
    }
}

fn program() -> Program {
    let dir = tempfile::tempdir().unwrap();
    let object = dir.path().join("features.o");
    let clang = std::env::var("XCUTE_CLANG").unwrap_or_else(|_| "clang-19".to_owned());
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/features.c");
    assert!(Command::new(clang).args(["-g", "-w", "-c", "-o"]).arg(&object).arg(source).status().unwrap().success());
    Program::read(&[object]).unwrap()
}

/// A table of the arguments of `pointers` and of one call in `hidden`.
fn table(program: &Program) -> TypeTable {
    let lengths = Lengths::default();
    let mut builder = Builder::new(program, &lengths, &[]);
    for (number, parameter) in (0..).zip(&program.function("pointers").unwrap().params) {
        builder.input(InputCall { name: parameter.name.as_deref().unwrap(), function: HARNESS, number, line: 0 }, parameter.of);
    }
    builder.input(InputCall { name: "cells", function: "hidden", number: 12, line: 90 }, program.input("hidden", 12).unwrap().of);
    builder.input(InputCall { name: "apply", function: HARNESS, number: 7, line: 0 }, program.function("callbacks").unwrap().params[1].of);
    let mut table = builder.finish();
    table.bind(|name| Some(0x40_0000 + name.len() as u64));
    table
}

/// `p = new {v = -3, next = p}`, `s = "hi"`, `any = new`, `c = p`, the second turn of `cells` pointing to `p`, `apply = twice`.
fn graph(table: &TypeTable) -> InputGraph {
    let mut terms = Terms::new();
    let mut variables = Vec::new();
    let mut model = Model::new();
    let mut add = |parent: u32, nth, offset, own, value: u64| {
        let (of, name) = if parent & XC_ROOT != 0 {
            let key = parent & !XC_ROOT;
            (table.leaf_at(table.inputs[key as usize], offset, 0).unwrap(), table.name_of_root(key, nth, offset, 0))
        } else {
            let (_, owner): &(_, Variable) = &variables[parent as usize];
            let elem = table.get(owner.of).elem;
            (table.leaf_at(elem, offset, 0).unwrap(), table.name_in_object(&owner.name, owner.of, offset, 0))
        };
        let bits = match table.get(of).kind {
            XC_TY_OPAQUE => 8,
            _ => table.get(of).size as u16 * 8,
        };
        let term = terms.var(&name, Sort::BitVec(u32::from(bits)));
        let var = terms.vars(term).first().expect("a variable");
        model.set_word(var, value);
        variables.push((var, Variable { parent, nth, of, offset, bits, own, name, ..Variable::default() }));
    };
    add(XC_ROOT, 0, 0, 0x1000, 0x1000); // 0: p
    add(XC_ROOT | 1, 0, 0, 0x2000, 0x2000); // 1: s
    add(XC_ROOT | 2, 0, 0, 0x3000, 0); // 2: names
    add(XC_ROOT | 4, 0, 0, 0x4000, 0x4000); // 3: any
    add(XC_ROOT | 6, 0, 0, 0x5000, 0x1000); // 4: c
    add(0, 0, 0, 0, 0xffff_fffd); // p->v
    add(0, 0, 8, 0x6000, 0x1000); // p->next
    add(1, 0, 0, 0, u64::from(b'h'));
    add(1, 0, 1, 0, u64::from(b'i'));
    add(3, 0, 5, 0, 200); // any[5]
    add(XC_ROOT | 7, 1, 16, 0, 9); // cells#2[1].v
    add(XC_ROOT | 7, 1, 24, 0x7000, 0x1000); // cells#2[1].next
    let twice = table.fields_of(table.get(table.inputs[8]).elem).find(|(_, n)| *n == Some("twice")).unwrap().0.offset;
    add(XC_ROOT | 8, 0, 0, 0, twice);
    InputGraph::of_model(table, &variables, &model)
}

#[test]
fn a_case_is_read_back_as_it_was_written() {
    let program = program();
    let table = table(&program);
    let graph = graph(&table);
    let case = file(CaseFile::inputs_of(&program, &table, &graph));
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("case.json");
    std::fs::write(&path, case.text()).unwrap();
    let read = CaseFile::read(&path).unwrap();
    assert_eq!(read, case);
    assert_eq!(read.calls(), [("hidden", 12, "cells")]);
    let mut again = read.graph(&table).unwrap();
    // Roots without a leaf (the first turn of `cells`) are not in the file; nobody misses them.
    let mut graph = graph;
    graph.roots.retain(|r| !r.leaves.is_empty());
    again.roots.retain(|r| !r.leaves.is_empty());
    graph.roots.sort_by_key(|r| (r.key, r.nth));
    again.roots.sort_by_key(|r| (r.key, r.nth));
    assert_eq!(again, graph);
}

#[test]
fn values_are_readable() {
    let program = program();
    let table = table(&program);
    let graph = graph(&table);
    let inputs = CaseFile::inputs_of(&program, &table, &graph);
    let got: Vec<String> = inputs.iter().map(|i| format!("{} | {} | {}", i.of, i.name, i.value)).collect();
    let expected = [
        "struct cell * | p | new",
        "const char * | s | new",
        "char ** | names | null",
        "void * | any | new",
        "struct cell * | c | = p",
        "int | cells#2[1].v | 9",
        "struct cell * | cells#2[1].next | = p",
        "int (*)(int) | apply | function twice",
        "int | p->v | -3",
        "struct cell * | p->next | = p",
        "char | s[0] | 104 'h'",
        "char | s[1] | 105 'i'",
        "unsigned char | any[5] | 200",
    ];
    assert_eq!(got, expected);
    let readable = crate::cases::readable::inputs(&program, &table, &graph);
    let readable: Vec<String> = readable.into_iter().map(|(name, value)| format!("{name} = {value}")).collect();
    assert_eq!(
        readable,
        [
            "p = new struct cell",
            "s = \"hi\"",
            "names = NULL",
            "any = new 16 bytes",
            "c = p",
            "cells#2[1].v = 9",
            "cells#2[1].next = p",
            "apply = twice",
            "p->v = -3",
            "p->next = p",
            "any[5] = 200"
        ]
    );
}

#[test]
fn what_is_not_a_case_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("case.json");
    assert!(matches!(CaseFile::read(&path), Err(CaseError::Io { .. })));
    std::fs::write(&path, "{}").unwrap();
    assert!(matches!(CaseFile::read(&path), Err(CaseError::Format { .. })));
    std::fs::write(&path, CaseFile { xcute: 99, ..file(Vec::new()) }.text()).unwrap();
    assert!(CaseFile::read(&path).unwrap_err().to_string().contains("version 99"));
}

#[test]
fn a_case_of_another_program_is_told() {
    let program = program();
    let table = table(&program);
    let mut inputs = CaseFile::inputs_of(&program, &table, &graph(&table));
    inputs[0].at.holder = Holder::Argument { argument: 40 };
    let error = file(inputs).graph(&table).unwrap_err().to_string();
    assert!(error.contains("there is no input p"), "{error}");
}
