//! Cases of two-file programs are written, read, and repeated natively.

use xcute_trace::Frame;

use super::*;
use crate::cases::casefile::{CaseInput, CasePlace, Holder, VERSION};

fn input(name: &str, value: &str, holder: Holder, offset: u64, bits: u16) -> CaseInput {
    CaseInput { name: name.into(), of: String::new(), value: value.into(), at: CasePlace { holder, offset, bit: 0, bits } }
}

fn case(dir: &Path, entry: &str, kind: FailureKind, inputs: Vec<CaseInput>) -> CaseFile {
    let stack = vec![Frame { function: entry.into(), file: "main.c".into(), line: 1, ..Frame::default() }];
    CaseFile {
        xcute: VERSION,
        language: "c".into(),
        directory: dir.to_owned(),
        sources: vec!["main.c".into(), "other.c".into()],
        entry: entry.into(),
        calls: None,
        pre: None,
        sequence: Vec::new(),
        flags: vec!["-Iinclude".into()],
        lengths: Lengths::default(),
        outcome: "failed".into(),
        failure: Some(Failure { kind, message: "found".into(), stack, notes: Vec::new(), interleaving: Vec::new(), values: Vec::new() }),
        inputs,
        schedule: None,
    }
}

fn subject() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("include")).unwrap();
    let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).unwrap();
    write("include/list.h", "struct cell { int v; struct cell *next; };\nint weigh(struct cell *p, int (*by)(int));\n");
    write(
        "main.c",
        "#include <stdlib.h>\n#include <xcute.h>\n#include \"list.h\"\n\
         static int start(struct cell *p, int x, int (*by)(int)) { if (p && p->next == p && weigh(p, by) == x) abort(); return 0; }\n\
         int main(void) { int a[3]; xcute_input(a); xcute_assert(a[2] != 5); return start(0, 0, 0); }\n",
    );
    write(
        "other.c",
        "#include <xcute.h>\n#include \"list.h\"\nint twice(int x) { return 2 * x; }\n\
         int weigh(struct cell *p, int (*by)(int)) { xcute_assume(p != 0); return by(p->v); }\n",
    );
    dir
}

#[test]
fn a_case_with_pointers_aborts_again() {
    let dir = subject();
    let argument = |argument| Holder::Argument { argument };
    let cell = || Holder::Object { object: "p".into() };
    let inputs = vec![
        input("p", "new", argument(0), 0, 64),
        input("x", "14", argument(1), 0, 32),
        input("by", "function twice", argument(2), 0, 64),
        input("p->v", "7", cell(), 0, 32),
        input("p->next", "= p", cell(), 8, 64),
    ];
    let case = case(dir.path(), "start", FailureKind::Abort, inputs);
    let build = tempfile::tempdir().unwrap();
    let (replayer, graph) = Replayer::of_case(&case, dir.path(), build.path(), false).unwrap();
    let replayed = replayer.run(&graph, case.failure.as_ref(), None).unwrap();
    assert_eq!(replayed.failure, Some(FailureKind::Abort), "{}", replayed.how);
    let seen = replayer.confirm(&graph, case.failure.as_ref().unwrap(), None, Interrupt::never()).unwrap();
    assert!(matches!(seen, Repetition::Same { .. }), "{seen:?}");
    let beside = replayer.standalone(&graph, None, Path::new("f.c")).beside();
    assert_eq!(beside.iter().map(|file| file.name.as_str()).collect::<Vec<_>>(), ["xcute.h", "unit-0.c"]);
}

#[test]
fn an_input_inside_main_fails_its_assertion_again() {
    let dir = subject();
    let call = Holder::Call { function: harness::MAIN.into(), number: 0, passed: "a".into(), turn: 0 };
    let good = case(dir.path(), "main", FailureKind::Assertion, vec![input("a[2]", "5", call.clone(), 8, 32)]);
    let build = tempfile::tempdir().unwrap();
    let (replayer, graph) = Replayer::of_case(&good, dir.path(), build.path(), false).unwrap();
    let replayed = replayer.run(&graph, good.failure.as_ref(), None).unwrap();
    assert_eq!(replayed.failure, Some(FailureKind::Assertion), "{}", replayed.how);
    assert!(replayed.run.errors.contains("main.c:5: xcute_assert(a[2] != 5) failed"), "{}", replayed.run.errors);
    let passes = case(dir.path(), "main", FailureKind::Assertion, vec![input("a[2]", "6", call, 8, 32)]);
    let (replayer, graph) = Replayer::of_case(&passes, dir.path(), build.path(), false).unwrap();
    assert_eq!(replayer.run(&graph, passes.failure.as_ref(), None).unwrap().failure, None);
}

#[test]
fn a_case_that_does_not_fit_is_told() {
    let dir = subject();
    let gone = Holder::Call { function: "gone".into(), number: 0, passed: "a".into(), turn: 0 };
    let case = case(dir.path(), "main", FailureKind::Abort, vec![input("a", "5", gone, 0, 32)]);
    let build = tempfile::tempdir().unwrap();
    let error = Replayer::of_case(&case, dir.path(), build.path(), false).unwrap_err().to_string();
    assert!(error.contains("no xcute_input of a in gone"), "{error}");
}
