//! Small programs that fail in every way are confirmed, and are not taken for each other.

use xcute_sandbox::Sandbox;

use super::*;
use crate::build::unit::Unit;
use crate::cases::graph::InputGraph;
use crate::tools::toolchain::Toolchain;
use crate::types::inputs::TypeTable;
use xcute_term::Interrupt;

/// A program whose `main` is called.
pub(super) fn program(dir: &Path, text: &str) -> NativeProgram {
    let (file, harness) = (dir.join("test.c"), dir.join("harness.c"));
    std::fs::write(&file, text).unwrap();
    std::fs::write(&harness, "int xcute_subject_main(void);\nvoid xcute_harness(void) { xcute_subject_main(); }\n").unwrap();
    NativeProgram {
        units: vec![Unit::of(file)],
        harness,
        words: None,
        flags: Vec::new(),
        calls_main: true,
        tools: Toolchain::find().unwrap(),
        dir: dir.to_owned(),
        built: Built::default(),
    }
}

/// A program without inputs, to be run again and again.
pub(super) fn with<T>(text: &str, then: impl FnOnce(&Again<'_>) -> T) -> T {
    let dir = tempfile::tempdir().unwrap();
    let program = program(dir.path(), text);
    let empty = |symbols: &data::Symbols, placement| {
        data::file(&crate::types::dwarf::Program::default(), &TypeTable::default(), &InputGraph::default(), false, symbols, placement)
    };
    then(&Again {
        program: &program,
        data: &empty,
        files: &[],
        hang: Duration::from_millis(300),
        stop: Interrupt::never(),
        sandbox: &Sandbox::new(),
    })
}

fn confirm(text: &str, kind: FailureKind) -> Repetition {
    let failure =
        Failure { kind, message: String::new(), stack: Vec::new(), notes: Vec::new(), interleaving: Vec::new(), values: Vec::new() };
    with(text, |again| again.confirm(&failure).unwrap())
}

const ABORT: &str = "#include <stdlib.h>\nint main(void) { abort(); }";
const ASSERT: &str = "#include <assert.h>\nint main(void) { int x = 1; assert(x == 2); }";
const SEGV: &str = "int main(void) { int *volatile p = 0; return *p; }";
const DIVIDE: &str = "int main(void) { volatile int zero = 0; return 1 / zero; }";
const HANGS: &str = "int main(void) { for (volatile int i = 0;; i = 0) if (i == -1) return 1; }";
const TRAP: &str = "int main(void) { __builtin_trap(); }";
const UNREACHABLE: &str = "int f(int x) { switch (x) { case 1: return 2; default: __builtin_unreachable(); } }\nint main(void) { volatile int x = 3; return f(x) * 0; }";
const DEEP: &str = "int f(int x) { volatile char a[4096]; a[0] = x; return f(x + 1) + a[0]; }\nint main(void) { return f(0); }";
const OUTSIDE: &str = "#include <stdlib.h>\nint main(void) { int *a = calloc(4, 4); volatile int i = 4; return a[i] * 0; }";
const FREED: &str = "#include <stdlib.h>\nint main(void) { int *volatile p = calloc(4, 4); free(p); return *p * 0; }";
const LEFT: &str = "int *f(void) { int x = 0; int *volatile p = &x; return p; }\nint main(void) { return *f() * 0; }";
const TWICE: &str = "#include <stdlib.h>\nint main(void) { char *volatile p = malloc(4); free(p); free(p); return 0; }";
const INTERIOR: &str = "#include <stdlib.h>\nint main(void) { char *volatile p = malloc(64); free(p + 16); return 0; }";
const BLANK: &str = "int main(void) { int x, *volatile p = &x; if (*p) return 0; return 0; }";
const LOST: &str = "#include <stdlib.h>\nint main(void) { char *volatile p = malloc(64); p = 0; return 0; }";
const FINE: &str = "int main(void) { return 0; }";

#[test]
fn every_kind_is_confirmed() {
    let cases = [
        (ABORT, FailureKind::Abort),
        (ASSERT, FailureKind::Assertion),
        (SEGV, FailureKind::NullAccess),
        (DIVIDE, FailureKind::DivisionByZero),
        (HANGS, FailureKind::Hang),
        (TRAP, FailureKind::Trap),
        (UNREACHABLE, FailureKind::Trap),
        (DEEP, FailureKind::StackOverflow),
        (OUTSIDE, FailureKind::OutOfBounds),
        (SEGV, FailureKind::Signal),
        (FREED, FailureKind::UseAfterFree),
        (LEFT, FailureKind::UseAfterReturn),
        (TWICE, FailureKind::DoubleFree),
        (INTERIOR, FailureKind::InvalidFree),
        (BLANK, FailureKind::Uninitialised),
        (LOST, FailureKind::Leak),
    ];
    for (text, kind) in cases {
        let seen = confirm(text, kind);
        assert!(matches!(seen, Repetition::Same { .. }), "{}: {seen:?}", kind.name());
    }
}

#[test]
fn another_failure_is_told_as_what_it_is() {
    let cases = [
        (ABORT, FailureKind::Assertion, FailureKind::Abort),
        (ABORT, FailureKind::Hang, FailureKind::Abort),
        (ASSERT, FailureKind::Hang, FailureKind::Assertion),
        (SEGV, FailureKind::DivisionByZero, FailureKind::NullAccess),
        (DEEP, FailureKind::Hang, FailureKind::StackOverflow),
        (TWICE, FailureKind::UseAfterFree, FailureKind::Abort),
        (HANGS, FailureKind::Abort, FailureKind::Hang),
    ];
    for (text, expected, kind) in cases {
        let Repetition::Other { failure, .. } = confirm(text, expected) else { panic!("{}: no other failure", kind.name()) };
        assert_eq!(failure.kind, kind, "{failure:?}");
        let place = failure.stack.first().map(|frame| (frame.file.ends_with("test.c"), frame.line > 0));
        assert_eq!(place, Some((true, true)), "{failure:?}");
    }
}

#[test]
fn no_failure_is_not_a_confirmation() {
    let cases = [
        (FINE, FailureKind::Abort),
        (FINE, FailureKind::OutOfBounds),
        (FINE, FailureKind::Hang),
        (FREED, FailureKind::Leak),
        (OUTSIDE, FailureKind::UseAfterFree),
        (LOST, FailureKind::Uninitialised),
    ];
    for (text, kind) in cases {
        let seen = confirm(text, kind);
        assert!(matches!(&seen, Repetition::Not { how } if how.ends_with("instead")), "{}: {seen:?}", kind.name());
    }
}

#[test]
fn the_same_kind_elsewhere_is_another_failure() {
    let text = "#include <stdlib.h>\nvoid f(void) {}\nvoid g(void) { abort(); }\nint main(void) { f(); g(); }";
    let at = |function: &str| {
        let stack = vec![Frame { function: function.into(), file: "test.c".into(), line: 2, ..Frame::default() }];
        Failure { kind: FailureKind::Abort, message: String::new(), stack, notes: Vec::new(), interleaving: Vec::new(), values: Vec::new() }
    };
    with(text, |again| {
        assert!(matches!(again.confirm(&at("g")).unwrap(), Repetition::Same { .. }));
        let Repetition::Other { failure, .. } = again.confirm(&at("f")).unwrap() else { panic!("it fails in g") };
        assert_eq!(failure.stack.iter().map(|frame| frame.function.as_str()).collect::<Vec<_>>(), ["g", "main"]);
    });
}

#[test]
fn a_talkative_program_with_children_ends() {
    let text = "#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\nint main(void) { if (fork() == 0) for (;;) pause(); for (int i = 0; i < 200000; i++) puts(\"and on and on\"); exit(3); }";
    with(text, |again| {
        let (_, seen) = again.plain(None).unwrap();
        assert_eq!(seen.run.end, End::Exited(3));
        assert!(seen.run.output.starts_with("and on"));
        assert_eq!(kind_of(&seen.run, None), None);
    });
}

#[test]
fn waiting_is_not_hanging_and_whoever_has_no_time_stops() {
    let failure = Failure {
        kind: FailureKind::Hang,
        message: String::new(),
        stack: Vec::new(),
        notes: Vec::new(),
        interleaving: Vec::new(),
        values: Vec::new(),
    };
    let waits = "#include <unistd.h>\nint main(void) { char c; int p[2]; pipe(p); return read(p[0], &c, 1); }";
    with(waits, |again| {
        let seen = again.confirm(&failure).unwrap();
        assert!(matches!(&seen, Repetition::Not { how } if how.contains("waits for something")), "{seen:?}");
    });
    with(HANGS, |again| {
        let raised = Interrupt::new();
        raised.raise();
        let stopped = Again { stop: &raised, ..*again };
        let seen = stopped.confirm(&failure);
        assert!(matches!(seen, Ok(Repetition::Stopped) | Err(CompileError::Toolchain(_))), "{seen:?}");
        again.program.plain(Interrupt::never()).unwrap();
        assert_eq!(stopped.confirm(&failure).unwrap(), Repetition::Stopped);
    });
}
