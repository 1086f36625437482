//! Standalone tests of the features file compile with both compilers and pass on the values.

use std::path::{Path, PathBuf};
use std::process::Command;

use xcute_trace::Frame;

use super::*;
use crate::build::harness::{HARNESS, choose};
use crate::build::unit::{self, Unit};
use crate::cases::example;
use crate::tools::headers::XCUTE_H;
use crate::types::inputs::{Builder, InputCall, Lengths};

struct Built {
    dir: tempfile::TempDir,
    source: PathBuf,
    program: Program,
    spoken: Spoken,
}

fn build(text: &str) -> Built {
    let dir = tempfile::tempdir().unwrap();
    let source = dir.path().join("subject.c");
    std::fs::write(&source, text).unwrap();
    std::fs::write(dir.path().join("xcute.h"), XCUTE_H).unwrap();
    let object = dir.path().join("subject.o");
    let mut clang = Command::new("clang-19");
    clang.args(["-g", "-w", "-std=gnu11", "-DXCUTE=1", "-femit-all-decls", "-MD", "-c", "-I"]);
    let output = clang.arg(dir.path()).arg("-o").arg(&object).arg(&source).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let spoken = Spoken::of(std::slice::from_ref(&object), dir.path());
    let program = Program::read(&[object]).unwrap();
    Built { dir, source, program, spoken }
}

fn table(program: &Program, entry: &Function, calls: &[(&str, &str, u32)]) -> TypeTable {
    let lengths = Lengths::default();
    let excluded = [entry.name.as_str()];
    let mut builder = Builder::new(program, &lengths, &excluded);
    for (number, argument) in (0..).zip(harness::arguments(program, entry).unwrap()) {
        builder.input(InputCall { name: &argument.name, function: HARNESS, number, line: 0 }, argument.of);
    }
    for &(name, function, number) in calls {
        builder.input(InputCall { name, function, number, line: number }, program.input(function, u64::from(number)).unwrap().of);
    }
    let mut table = builder.finish();
    table.bind(|name| Some(name.bytes().fold(0x40_0000, |a, b| a * 31 + u64::from(b))));
    table
}

impl Built {
    /// The files of a test, in a directory of their own: the test itself, and what stands next to it.
    fn test(&self, entry: &str, calls: &[(&str, &str, u32)], value: impl Fn(usize, u16) -> u64) -> (tempfile::TempDir, String) {
        let entry = choose(&self.program, std::slice::from_ref(&self.source), Some(entry)).unwrap();
        let table = table(&self.program, entry, calls);
        let graph = example::graph(&table, value);
        let mut units = vec![Unit::of(self.source.clone())];
        unit::export(&mut units, harness::called(&self.program, entry, None, None));
        let (away, words) = (tempfile::tempdir().unwrap(), Words::default());
        let file = away.path().join("test.c");
        let test = Standalone {
            program: &self.program,
            table: &table,
            graph: &graph,
            entry,
            sequence: None,
            units: &units,
            words: &words,
            spoken: &self.spoken,
            flags: &[],
            inline: &[],
            directory: self.dir.path(),
            failure: None,
            file: &file,
        };
        for beside in test.beside() {
            std::fs::write(away.path().join(beside.name), beside.contents).unwrap();
        }
        let (text, values) = test.text();
        std::fs::write(&file, &text).unwrap();
        if let Some(values) = values {
            std::fs::write(file.with_extension("inputs"), values).unwrap();
        }
        (away, text)
    }

    /// Compiles with both compilers by the command in the test, and runs; the status must be as expected.
    fn runs(&self, (away, text): &(tempfile::TempDir, String), status: i32) {
        let command = text.lines().find_map(|line| line.strip_prefix(" *   ")).unwrap();
        let strict = "gcc -w -std=gnu11 -Werror=incompatible-pointer-types -Werror=int-conversion";
        for compiler in [strict.to_owned(), strict.replace("gcc", "clang-19")] {
            let exe = away.path().join("t");
            let command = command.replace("gcc", &compiler).replace("-o t ", &format!("-o {} ", exe.display())).replace(" && ./t", "");
            let output = Command::new("sh").arg("-c").arg(&command).current_dir(self.dir.path()).output().unwrap();
            assert!(output.status.success(), "{command}: {}\n{text}", String::from_utf8_lossy(&output.stderr));
            let output = Command::new(&exe).output().unwrap();
            let tail = &text[text.find("int main(void) {\n").unwrap()..];
            assert_eq!(output.status.code(), Some(status), "{compiler}: {}\n{tail}", String::from_utf8_lossy(&output.stderr));
        }
    }
}

/// Different values for the leaves, small enough to be read.
fn mixed(index: usize, bits: u16) -> u64 {
    let word = (index as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 7;
    if bits >= 64 { word } else { word & ((1 << bits) - 1) }
}

#[test]
fn tests_of_all_features_compile_and_run() {
    let built = build(include_str!("../../../tests/data/features.c"));
    for entry in ["scalars", "floats", "enums", "records", "pointers", "arrays", "callbacks", "odd", "visible"] {
        for value in [mixed as fn(usize, u16) -> u64, |_, _| 0] {
            built.runs(&built.test(entry, &[], value), 0);
        }
    }
}

#[test]
fn the_list_of_the_paper_is_readable() {
    let built = build(
        "#include <stdlib.h>\ntypedef struct cell { int v; struct cell *next; } cell;\nint f(int v) { return 2 * v + 1; }\n\
         int testme(cell *p, int x) {\n  if (x > 0) if (p != NULL) if (f(x) == p->v) if (p->next->next->next == p) exit(42);\n  return 0;\n}\n",
    );
    let test = built.test("testme", &[], |_, bits| if bits == 32 { 3 } else { 0 });
    let text = &test.1;
    let main = &text[text.find("int main(void) {").unwrap()..];
    let expected = "int main(void) {\n  cell *p = calloc(1, sizeof *p);\n  cell *p_next = calloc(1, sizeof *p_next);\n  p->v = 3;\n  \
                    p->next = p_next;\n  p_next->v = 3;\n  p_next->next = p;\n  testme(p, 3);\n  return 0;\n}\n";
    assert_eq!(main, expected);
    assert!(!text.contains("xcute_records") && text.contains("int testme(cell *p, int x);\n"), "{text}");
    built.runs(&test, 0);
}

#[test]
fn values_arrive_as_they_are() {
    let built = build(
        "#include <stdlib.h>\n#include <string.h>\n\
         struct deep { const int fixed; union { char c; unsigned long u; }; struct { short s[3]; } in; unsigned a : 3, b : 7; };\n\
         int check(struct deep d, struct deep *p, char *s, unsigned char *t, float f, double g, long l, __int128 w, _Bool b, void *any) {\n\
         unsigned char *bytes = any;\n\
         if (d.fixed == 1 && d.u == 2 && d.in.s[1] == 4 && d.a == 6 && d.b == 7 && p->fixed && p->in.s[2] && p->b) {\n\
         if (strlen(s) == 8 && t[7] && !t[8] && f > 0 && g > 0 && l && (w >> 64) && (unsigned long)w && b && bytes[15]) exit(42); exit(2);\n\
         } exit(1); }\n",
    );
    let value = |index: usize, bits: u16| match (index, bits) {
        (0..8, _) => index as u64 + 1,
        (_, 32) => u64::from(1.5f32.to_bits()),
        (_, 64) => 2.5f64.to_bits(),
        (_, 16) => 3,
        (_, 8) => 65 + index as u64 % 20,
        _ => 1,
    };
    built.runs(&built.test("check", &[], value), 42);
}

#[test]
fn wrap_around_is_what_the_machine_does() {
    let built = build("#include <stdlib.h>\nvoid f(int b) { if (b + 1 < b) exit(42); }\n");
    built.runs(&built.test("f", &[], |_, _| 0x7fff_ffff), 42);
}

#[test]
fn inputs_inside_the_code_are_recorded() {
    let header = "#ifndef EXTRA\n#define EXTRA\n# include <xcute.h>\nstruct node { int v; struct node *next; };\n#endif\n";
    let text = "#include <stdlib.h>\n#include \"extra.h\"\nint main(void) {\n  int x; struct node *list; int a[2];\n  xcute_input(x);\n  \
                xcute_input(list);\n  xcute_input_array(a, 1);\n  xcute_assume(x == 7);\n  if (list->next->next && list->v == 7 && a[0] == 7) exit(42);\n  \
                xcute_assert(x == 8);\n  return 1;\n}\n";
    let dir = tempfile::tempdir().unwrap();
    let source = dir.path().join("subject.c");
    std::fs::write(dir.path().join("extra.h"), header).unwrap();
    std::fs::write(dir.path().join("xcute.h"), XCUTE_H).unwrap();
    std::fs::write(&source, text).unwrap();
    let object = dir.path().join("subject.o");
    let mut clang = Command::new("clang-19");
    clang.args(["-g", "-w", "-DXCUTE=1", "-MD", "-c", "-I"]).arg(dir.path()).arg("-o").arg(&object).arg(&source);
    assert!(clang.status().unwrap().success());
    let spoken = Spoken::of(std::slice::from_ref(&object), dir.path());
    assert!(spoken.calls && spoken.headers.len() == 1);
    let built = Built { program: Program::read(&[object]).unwrap(), dir, source, spoken };
    let calls = [("x", harness::MAIN, 0), ("list", harness::MAIN, 1), ("a[]", harness::MAIN, 2)];
    let test = built.test("main", &calls, |_, _| 7);
    assert!(test.1.contains("-Wl,--wrap=main"), "{}", test.1);
    built.runs(&test, 42);
    // The same without the assumption's value: rejected.
    built.runs(&built.test("main", &calls, |_, _| 6), 3);
}

#[test]
fn programs_may_redefine_every_word() {
    let text = "#include <stdlib.h>\ntypedef unsigned int my_size;\n#define size_t my_size\n#define extern static\n#define __typeof__(x) nothing\n\
                #define __attribute__(x)\n#define calloc(a, b) 0\n#define f_of_x f_of_y\n#define check f_of_x\n#define main other\n\
                struct pair { size_t a; char b; };\nstatic int check(struct pair *p, size_t n) { if (p->a == 7 && n == 7) exit(42); return 0; }\n\
                int main(void) { return 3; }\n#define int char\n#define void char\n#define char double\n#define return\n#define NULL 1\n";
    let built = build(text);
    built.runs(&built.test("f_of_y", &[], |_, _| 7), 42);
}

#[test]
fn many_values_are_a_file_of_their_own() {
    let text = "#include <stdlib.h>\n#include <xcute.h>\nint main(void) {\n  char a[40000];\n  xcute_input(a);\n  long sum = 0;\n  \
                for (int i = 0; i < 40000; i++) sum += a[i];\n  exit(sum == 7 * 40000l && a[39999] == 7 ? 42 : 1);\n}\n";
    let built = build(text);
    let test = built.test("main", &[("a", harness::MAIN, 0)], |_, _| 7);
    assert!(test.1.len() < 5000, "{}", test.1.len());
    built.runs(&test, 42);
}

#[test]
fn the_header_says_what_and_how() {
    let built = build("int f(int x) { return 1 / x; }\n");
    let entry = built.program.function("f").unwrap();
    let table = table(&built.program, entry, &[]);
    let graph = example::graph(&table, |_, _| 0);
    let stack = vec![Frame { function: "f".into(), file: "subject.c".into(), line: 1, ..Frame::default() }];
    let failure = Failure {
        kind: FailureKind::DivisionByZero,
        message: "division by zero */".into(),
        stack,
        notes: Vec::new(),
        interleaving: Vec::new(),
        values: Vec::new(),
    };
    let units = ["/home/me/a.c", "/tmp/other.c"].map(|file| Unit::of(file.into()));
    let header = |flags: &[&str]| {
        let flags: Vec<String> = flags.iter().map(|&flag| flag.to_owned()).collect();
        let test = Standalone {
            sequence: None,
            program: &built.program,
            table: &table,
            graph: &graph,
            entry,
            units: &units,
            words: &Words::default(),
            spoken: &Spoken::default(),
            flags: &flags,
            inline: &[],
            directory: Path::new("/home/me"),
            failure: Some(&failure),
            file: Path::new("out/failures/f1.c"),
        };
        test.text().0.lines().take(5).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(
        header(&["-Iinclude", "-lm"]),
        [
            "/* division-by-zero in f (subject.c:1): division by zero * /",
            " *",
            " * Made by xcute. Compile and run, where xcute was started:",
            " *   gcc -g -fwrapv -o t out/failures/f1.c a.c /tmp/other.c -Iinclude -lm && ./t",
            " * It ends with signal 8, SIGFPE. */"
        ]
    );
    // What would change the test is for the program alone.
    assert_eq!(
        header(&["-DNAME=\"a b\"", "-lm"])[3],
        " *   gcc -g -fwrapv -r -o program.o a.c /tmp/other.c '-DNAME=\"a b\"' && gcc -g -fwrapv -o t out/failures/f1.c program.o -lm && ./t"
    );
}
