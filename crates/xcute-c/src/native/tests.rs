//! Small programs that fail in every way are confirmed, and are not taken for each other.

use xcute_trace::Failure;

use super::*;

fn confirm(text: &str, kind: FailureKind) -> Verdict {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("test.c");
    std::fs::write(&file, text).unwrap();
    let failure = Failure { kind, message: String::new(), stack: Vec::new(), notes: Vec::new(), interleaving: Vec::new() };
    let test = Test { file: &file, others: &[], flags: &[], include: dir.path(), dir: dir.path() };
    test.confirm(&Toolchain::find().unwrap(), &failure).unwrap()
}

const ABORT: &str = "#include <stdlib.h>\nint main(void) { abort(); }";
const ASSERT: &str = "#include <assert.h>\nint main(void) { int x = 1; assert(x == 2); }";
const SEGV: &str = "int main(void) { int *volatile p = 0; return *p; }";
const DIVIDE: &str = "int main(void) { volatile int zero = 0; return 1 / zero; }";
const HANGS: &str = "int main(void) { for (volatile int i = 0;; i++) if (i == -1) return 1; }";
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
        let verdict = confirm(text, kind);
        assert!(verdict.reproduced, "{}: {}", kind.name(), verdict.how);
    }
}

#[test]
fn another_end_is_not_a_confirmation() {
    let cases = [
        (ABORT, FailureKind::Assertion),
        (ABORT, FailureKind::Hang),
        (FINE, FailureKind::Abort),
        (FINE, FailureKind::OutOfBounds),
        (FINE, FailureKind::Hang),
        (SEGV, FailureKind::DivisionByZero),
        (TWICE, FailureKind::UseAfterFree),
        (FREED, FailureKind::Leak),
        (OUTSIDE, FailureKind::UseAfterFree),
        (LOST, FailureKind::Uninitialised),
    ];
    for (text, kind) in cases {
        let verdict = confirm(text, kind);
        assert!(!verdict.reproduced, "{}: {}", kind.name(), verdict.how);
        assert!(verdict.how.ends_with("instead"), "{}", verdict.how);
    }
}

#[test]
fn a_talkative_program_with_children_ends() {
    let text = "#include <stdio.h>\n#include <unistd.h>\nint main(void) { if (fork() == 0) for (;;) pause(); for (int i = 0; i < 200000; i++) puts(\"and on and on\"); return 3; }";
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("test.c");
    std::fs::write(&file, text).unwrap();
    let exe = dir.path().join("exe");
    let test = Test { file: &file, others: &[], flags: &[], include: dir.path(), dir: dir.path() };
    test.build(&Toolchain::find().unwrap(), &exe, &[]).unwrap();
    let seen = run(&exe, &Limits { time: PATIENCE, memory: None, leaks: false, stuck: false }).unwrap();
    assert_eq!(seen.end, End::Exited(3));
    assert!(seen.output.starts_with("and on"));
    assert_eq!(kind_of(&seen, None), None);
}
