//! Harnesses of the features file compile with both compilers; entries are chosen and refused.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::*;
use crate::types::inputs::ArrayLength;

struct Built {
    dir: tempfile::TempDir,
    source: PathBuf,
    program: Program,
}

fn text(program: &Program, entry: &Function, lengths: &Lengths) -> Result<String, HarnessError> {
    text_with(program, entry, lengths, None)
}

fn build(text: &str) -> Built {
    let dir = tempfile::tempdir().unwrap();
    let source = dir.path().join("subject.c");
    std::fs::write(&source, text).unwrap();
    let object = dir.path().join("subject.o");
    compiled("clang-19", &dir, &source, &["-g", "-femit-all-decls", "-o", object.to_str().unwrap()]);
    let program = Program::read(&[object]).unwrap();
    Built { dir, source, program }
}

fn compiled(compiler: &str, dir: &tempfile::TempDir, file: &Path, flags: &[&str]) {
    let mut command = Command::new(compiler);
    command.args(["-w", "-std=gnu11", "-DXCUTE=1", "-c", "-I"]).arg(dir.path()).args(flags).arg(file);
    let output = command.output().unwrap();
    let text = std::fs::read_to_string(file).unwrap();
    assert!(output.status.success(), "{compiler}: {}\n{text}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn harnesses_of_all_features_compile() {
    let built = build(include_str!("../../../tests/data/features.c"));
    let sources = [built.source.clone()];
    let names = ["scalars", "floats", "enums", "records", "pointers", "arrays", "callbacks", "odd", "hidden", "visible"];
    for name in names {
        let entry = choose(&built.program, &sources, Some(name)).unwrap();
        let text = text(&built.program, entry, &Lengths::default()).unwrap();
        let file = built.dir.path().join("harness.c");
        std::fs::write(&file, text).unwrap();
        for compiler in ["clang-19", "gcc"] {
            compiled(compiler, &built.dir, &file, &["-Werror=incompatible-pointer-types", "-o", "/dev/null"]);
        }
    }
}

#[test]
fn the_entry_is_main_or_the_only_visible_function() {
    let only = build("static int help(int x) { return x; } int visible(int x) { return help(x); }");
    assert_eq!(choose(&only.program, std::slice::from_ref(&only.source), None).unwrap().name, "visible");
    let main = build("int f(int x) { return x; } int main(int argc, char **argv) { return f(argc) + !argv; }");
    let entry = choose(&main.program, std::slice::from_ref(&main.source), None).unwrap();
    assert_eq!(entry.name, MAIN);
    let text = text(&main.program, entry, &Lengths::default()).unwrap();
    assert!(text.contains("xcute_callee_0(1, xcute_argv);") && text.contains("__asm__(\"xcute_subject_main\")"), "{text}");
    let file = main.dir.path().join("harness.c");
    std::fs::write(&file, text).unwrap();
    compiled("gcc", &main.dir, &file, &["-o", "/dev/null"]);
    let generated = build("void fail(void) {}\n#line 7 \"model.y\"\nint step(int x) { return x; }\nint main(void) { return step(1); }");
    assert_eq!(choose(&generated.program, std::slice::from_ref(&generated.source), None).unwrap().name, MAIN);
    let alone = build("static int unused(int x) { return x; }");
    assert_eq!(choose(&alone.program, std::slice::from_ref(&alone.source), None).unwrap().name, "unused");
}

#[test]
fn an_unclear_or_wrong_entry_is_told_with_what_there_is() {
    let built = build("int insert(int x) { return x; } int erase(int x) { return x; } int log_it(char *f, ...) { return !f; }");
    let sources = [built.source.clone()];
    let message = |wanted| choose(&built.program, &sources, wanted).unwrap_err().to_string();
    assert_eq!(message(None), "there is no main: say --entry with one of insert, erase, log_it");
    assert_eq!(message(Some("insret")), "no function is called insret (did you mean insert?)");
    assert_eq!(message(Some("zzzzzz")), "no function is called zzzzzz (there are insert, erase, log_it)");
    let variadic = choose(&built.program, &sources, Some("log_it")).unwrap();
    let error = text(&built.program, variadic, &Lengths::default()).unwrap_err();
    assert!(matches!(error, HarnessError::Variadic { .. }), "{error}");
    let empty = build("int x;");
    assert_eq!(choose(&empty.program, std::slice::from_ref(&empty.source), None), Err(HarnessError::Empty));
}

#[test]
fn lengths_in_parameters_are_assumed() {
    let built = build("int sum(int *a, int n, unsigned char m) { return a && n > m; }");
    let entry = built.program.function("sum").unwrap();
    let mut lengths = Lengths::default();
    lengths.arrays.insert("a".to_owned(), ArrayLength::Parameter("n".to_owned()));
    let harness = text(&built.program, entry, &lengths).unwrap();
    assert!(harness.contains("__xcute_assume((unsigned long)xcute_arg_1 <= 8ul);"), "{harness}");
    lengths.arrays.insert("a".to_owned(), ArrayLength::Parameter("count".to_owned()));
    let error = text(&built.program, entry, &lengths).unwrap_err().to_string();
    assert_eq!(error, "--array a=count: count is not an integer parameter of sum");
}

#[test]
fn functions_that_pointers_may_lead_to_are_kept() {
    let built = build("static int twice(int x) { return 2 * x; }\nint apply(int (*f)(int), int x) { return f ? f(x) : twice(x); }");
    let text = text(&built.program, built.program.function("apply").unwrap(), &Lengths::default()).unwrap();
    assert!(text.contains("xcute_candidates[] = {(void *)xcute_callee_1, 0};"), "{text}");
    assert!(text.contains("xcute_callee_1(void) __asm__(\"xcute_static_0_twice\");"), "{text}");
}

#[test]
fn a_parameter_may_be_called_like_the_function() {
    let built = build("int f(int f) { return f; }");
    let text = text(&built.program, built.program.function("f").unwrap(), &Lengths::default()).unwrap();
    let file = built.dir.path().join("harness.c");
    std::fs::write(&file, text).unwrap();
    compiled("gcc", &built.dir, &file, &["-o", "/dev/null"]);
}

#[test]
fn strings_are_escaped() {
    assert_eq!(c_string(b"a\"b\\c\n\x01??="), r#""a\"b\\c\n\001?\?=""#);
}

#[test]
fn arguments_of_functions_without_a_prototype_are_promoted() {
    let built = build("int f(a, b, c, d) char a; float b; short c; double d; { return a + b + c + d > 3; }");
    let text = text(&built.program, built.program.function("f").unwrap(), &Lengths::default()).unwrap();
    assert!(text.contains("int xcute_callee_0(int, double, int, double) __asm__(\"f\");"), "{text}");
    assert!(text.contains("  char xcute_arg_0;\n  float xcute_arg_1;\n"), "{text}");
}
