//! What xcute says where something around it is broken: a compiler, an emulator, a directory, a program that does not do what such programs do.
//!
//! Nothing is pretended: the programs that xcute starts are replaced by scripts that do what is wrong, and directories are really not writable.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::{place, refuses, stderr, xcute};

const F: &str = "int f(int x) { return x > 3; }\n";

/// A script in place of a program.
fn script(place: &Path, name: &str, text: &str) -> PathBuf {
    let path = place.join(name);
    fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// Where a program is.
fn real(name: &str) -> String {
    let found = Command::new("sh").args(["-c", &format!("command -v {name}")]).output().unwrap();
    String::from_utf8_lossy(&found.stdout).trim().to_owned()
}

fn with(place: &Path, variables: &[(&str, &Path)], words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_xcute")).current_dir(place).envs(variables.iter().copied()).args(words).output().unwrap()
}

/// What it says must hold the words; it may be more than a line.
fn says(output: &Output, words: &[&str]) {
    let told = stderr(output);
    assert!(words.iter().all(|word| told.contains(word)), "{:?}: {told}", output.status);
}

#[test]
fn a_compiler_that_does_not_do_its_work() {
    let place = place("a.c", F);
    let words = ["c", "a.c", "--entry", "f"];
    let clang = real("clang-19");
    // A kept result must not hide it.
    let cache = place.path().join("cache");
    let run = |text: &str| {
        let compiler = script(place.path(), "compiler", text);
        with(place.path(), &[("XCUTE_CLANG", &compiler), ("XCUTE_CACHE", &cache), ("XDG_CACHE_HOME", &cache)], &words)
    };
    fs::write(place.path().join("b.c"), "int f(int x) { return x +; }\n").unwrap();
    refuses(&xcute(place.path(), &["c", "b.c", "--entry", "f"]), &["b.c does not compile: ", "expected expression"]);
    let garbage = format!(
        "{clang} \"$@\" || exit 1\nfor word; do case $last in -o) case $word in *.o) echo no object > $word;; esac;; esac; last=$word; done"
    );
    refuses(&run(&garbage), &["is not an object file"]);
    let compiler = place.path().join("compiler");
    fs::write(&compiler, "no program, and no #! in its first line").unwrap();
    refuses(&with(place.path(), &[("XCUTE_CLANG", &compiler), ("XDG_CACHE_HOME", &cache)], &words), &["cannot start ", "compiler"]);
}

#[test]
fn a_program_that_is_not_ready() {
    let source = "#include <unistd.h>\n__attribute__((constructor)) static void waits(void) { pause(); }\nint f(int x) { return x > 3; }\n";
    let place = place("a.c", source);
    refuses(
        &xcute(place.path(), &["c", "a.c", "--entry", "f"]),
        &["cannot start the subject: ", "the subject was not ready after 20s: a constructor does not return?"],
    );
}

#[test]
fn a_library_that_the_loader_does_not_find() {
    let place = place("a.c", "int own(int x);\nint f(int x) { return own(x) > 3; }\n");
    fs::write(place.path().join("own.c"), "int own(int x) { return x; }\n").unwrap();
    let words = ["-shared", "-fPIC", "own.c", "-o", "libown.so"];
    assert!(Command::new("clang-19").current_dir(place.path()).args(words).status().unwrap().success());
    let here = format!("-L{}", place.path().display());
    refuses(
        &xcute(place.path(), &["c", "a.c", "--entry", "f", "--", &here, "-lown"]),
        &["the loader does not find libown.so (name its directory in LD_LIBRARY_PATH, or link with -Wl,-rpath,DIRECTORY)"],
    );
}

#[test]
fn directories_that_cannot_be_written() {
    let place = place("a.c", F);
    let nowhere = place.path().join("nowhere");
    let lost: &[(&str, &Path)] = &[("TMPDIR", &nowhere)];
    refuses(&with(place.path(), lost, &["c", "a.c", "--entry", "f"]), &["cannot make a build directory", "is TMPDIR writable?"]);
    fs::write(place.path().join("a.pl"), "p(X) :- X > 3.\n").unwrap();
    says(&with(place.path(), lost, &["clp", "a.pl", "--goal", "p/1"]), &["cannot use SWI-Prolog: cannot write a file for SWI-Prolog: "]);
    fs::write(place.path().join("a.erl"), "-module(a).\n-export([f/1]).\nf(X) -> X + 1.\n").unwrap();
    let blocked = place.path().join("a.c");
    refuses(&with(place.path(), &[lost[0], ("XDG_CACHE_HOME", &blocked)], &["erl", "a.erl", "f/1"]), &["cannot keep compiled code: "]);
}

/// A name may be as long as the system allows where the program is, and too long where its copy is to be.
#[test]
fn a_directory_that_cannot_be_copied() {
    let place = place("a.c", "int main(int argc, char **argv) { return argc > 1 && argv[1][0] == 'x'; }\n");
    assert!(xcute(place.path(), &["cc", "-o", "program", "a.c"]).status.success());
    fs::create_dir(place.path().join("d".repeat(200))).unwrap();
    // Each step is short; the whole has nearly all of the 4,095 characters that a path may have.
    let deep = "cd \"$1\" && mkdir deep && cd deep && while [ ${#PWD} -lt 3680 ]; do d=$(printf '%0200d' 0); mkdir $d && cd $d; done; \
                d=$(printf \"%0$((3889 - ${#PWD}))d\" 0); mkdir $d && cd $d && TMPDIR=$PWD && export TMPDIR && cd \"$1\" && exec \"$0\" run --sym-args 1x2 ./program";
    let ran = Command::new("bash").args(["-c", deep, env!("CARGO_BIN_EXE_xcute")]).arg(place.path()).output().unwrap();
    refuses(&ran, &["cannot start the subject: cannot copy ", "File name too long"]);
}

#[test]
fn too_few_descriptors_to_go_on() {
    let place = place("xcute.toml", "[[entry]]\nname = \"f\"\nlanguage = \"c\"\nfiles = [\"a.c\"]\nentry = \"f\"\n");
    fs::write(place.path().join("a.c"), F).unwrap();
    let said: Vec<String> = (4..12)
        .map(|count| {
            let script = format!("ulimit -n {count}; exec \"$0\" test");
            let ran = Command::new("sh").current_dir(place.path()).args(["-c", &script, env!("CARGO_BIN_EXE_xcute")]).output().unwrap();
            assert!(!stderr(&ran).contains("panicked"), "{}", stderr(&ran));
            stderr(&ran)
        })
        .collect();
    assert!(said.iter().any(|said| said.contains("cannot run xcute again")), "{said:#?}");
}

#[test]
fn emulators_that_do_not_do_their_work() {
    let killed = "-module(a).\n-export([f/1]).\nf(X) when X > 3 -> os:cmd(\"kill -9 \" ++ os:getpid()), X;\nf(X) -> X + 1.\n";
    let place = place("a.erl", killed);
    let words = ["erl", "a.erl", "f/1"];
    let real = real("erl");
    // The emulator is one file, whatever it does, so that our modules are compiled for it once.
    let emulator = place.path().join("emulator");
    let run = |text: &str, words: &[&str]| {
        if !emulator.exists() {
            script(place.path(), "emulator", ". \"${0%/*}/does\"");
        }
        fs::write(place.path().join("does"), text).unwrap();
        with(place.path(), &[("XCUTE_ERL", &emulator)], words)
    };
    refuses(&run("exit 7", &words), &["cannot start ", "emulator: "]);
    fs::write(place.path().join("b.erl"), "-module(b).\n-export([f/1]).\n-on_load(stops/0).\nstops() -> halt(3).\nf(X) -> X.\n").unwrap();
    refuses(&xcute(place.path(), &["erl", "b.erl", "f/1"]), &["Erlang does not answer: "]);
    // It starts this many times, then no more.
    let some = |most: u32, then: &str| format!("echo >> starts; [ $(wc -l < starts) -gt {most} ] && {then}; exec {real} \"$@\"");
    let again = |text: &str, words: &[&str]| {
        let _ = fs::remove_file(place.path().join("starts"));
        run(text, words)
    };
    let lost: Vec<String> = (2..4).map(|most| stderr(&again(&some(most, "exit 7"), &words))).collect();
    assert!(
        lost.iter().any(|said| said.contains("cannot start the subject: ") && said.contains("(the results so far are in xcute-out)")),
        "{lost:#?}"
    );
    // The program itself is gone when it is needed once more.
    fs::write(place.path().join("c.erl"), "-module(c).\n-export([f/1]).\nf(X) when X > 3 -> X;\nf(X) -> X + 1.\n").unwrap();
    let gone: Vec<String> = (1..3).map(|most| stderr(&again(&some(most, "rm -f \"$0\""), &["erl", "c.erl", "f/1"]))).collect();
    assert!(gone.iter().any(|said| said.contains("cannot start erl")), "{gone:#?}");
}

#[test]
fn cases_that_are_no_inputs() {
    let place = place("a.erl", "-module(a).\n-export([f/1]).\nf(X) when X > 3 -> X;\nf(X) -> X + 1.\n");
    let at = place.path();
    assert_eq!(xcute(at, &["erl", "a.erl", "f/1", "-q"]).status.code(), Some(0));
    let mut case: serde_json::Value = serde_json::from_slice(&fs::read(at.join("xcute-out/cases/000001.json")).unwrap()).unwrap();
    // A list of one process: nobody can make that an input.
    case["external"] = "836c000000015877 0d6e6f6e6f6465406e6f686f7374 00000064 00000000 00000000 6a".replace(' ', "").into();
    fs::write(at.join("pid.json"), case.to_string()).unwrap();
    refuses(
        &xcute(at, &["erl", "a.erl", "f/1", "--seed-case", "pid.json"]),
        &["cannot begin with pid.json: an argument cannot be an input"],
    );
}

#[test]
fn prolog_that_does_not_load() {
    let place = place("a.pl", "p(X) :- X > 3.\n");
    let swipl = script(place.path(), "prolog", "exit 0");
    let ran = with(place.path(), &[("XCUTE_SWIPL", &swipl)], &["clp", "a.pl", "--goal", "p/1"]);
    says(&ran, &["cannot use SWI-Prolog: SWI-Prolog did not load ", "it ended"]);
}

#[test]
fn methods_that_are_too_long_with_what_is_inserted() {
    let turns = "    x += a[x & 7];\n";
    let long = format!("public class A {{\n  static int f(int x, int[] a) {{\n{}    return x;\n  }}\n}}\n", turns.repeat(6500));
    let place = place("A.java", &long);
    refuses(
        &xcute(place.path(), &["java", "A.java", "--method", "A.f"]),
        &["A.f is too long: what xcute inserts makes it longer than the 65535"],
    );
    let far = format!(
        "public class A {{\n  static int f(int x, int[] a) {{\n    if (x > 3) {{\n{}    }}\n    return x;\n  }}\n}}\n",
        turns.repeat(3400)
    );
    fs::write(place.path().join("A.java"), far).unwrap();
    refuses(&xcute(place.path(), &["java", "A.java", "--method", "A.f"]), &["A.f is too long: ", "test the methods that it calls"]);
}

#[test]
fn classes_that_cannot_be_used() {
    let abstracts = "public abstract class A {\n  int f(int x) { return x; }\n}\n";
    let place = place("A.java", abstracts);
    refuses(&xcute(place.path(), &["java", "A.java", "--calls", "A.f"]), &["cannot make an object of A: it is abstract"]);
    let mut nested = "import java.lang.annotation.*;\npublic class B {\n".to_owned();
    for at in 0..19 {
        let value = if at == 0 { "int value() default 0;".to_owned() } else { format!("N{} value();", at - 1) };
        nested += &format!("  @Retention(RetentionPolicy.RUNTIME) @interface N{at} {{ {value} }}\n");
    }
    let annotation = (0..19).fold(String::new(), |inner, at| if at == 0 { "@N0".to_owned() } else { format!("@N{at}({inner})") });
    nested += &format!("  static int f({annotation} int x) {{ return x; }}\n}}\n");
    fs::write(place.path().join("B.java"), nested).unwrap();
    refuses(&xcute(place.path(), &["java", "B.java", "--method", "B.f"]), &["its annotations are nested too deeply"]);
    fs::write(place.path().join("pom.xml"), "<project/>\n").unwrap();
    fs::write(place.path().join("C.java"), "public class C { int f( }\n").unwrap();
    says(&xcute(place.path(), &["init"]), &["build the project first"]);
}

#[test]
fn suites_and_cases_that_are_in_the_way() {
    let source = "extern int __VERIFIER_nondet_int(void);\nint main(void) { return __VERIFIER_nondet_int() == 7; }\n";
    let place = place("a.c", source);
    let at = place.path();
    let suite = ["c", "a.c", "--testcomp", "suite"];
    assert_eq!(xcute(at, &suite).status.code(), Some(0));
    fs::create_dir(at.join("suite/testcase-99.xml")).unwrap();
    refuses(&xcute(at, &suite), &["cannot clear suite/testcase-99.xml"]);
    fs::write(at.join("b.c"), F).unwrap();
    refuses(&xcute(at, &["c", "b.c", "--entry", "f", "--testcomp", "other"]), &["cannot use --testcomp: the input x does not come from"]);
    assert_eq!(xcute(at, &["c", "b.c", "--entry", "f", "-q"]).status.code(), Some(0));
    fs::write(at.join("b.c"), "int g(int x) { return x; }\n").unwrap();
    refuses(&xcute(at, &["replay", "xcute-out/cases/000001.json"]), &["cannot replay xcute-out/cases/000001.json"]);
}

#[test]
fn parts_that_carry_no_bitcode() {
    let place = place("main.c", "int f(int x);\nint main(int argc, char **argv) { (void)argv; return f(argc); }\n");
    fs::write(place.path().join("f.c"), F).unwrap();
    let built = Command::new("clang-19").current_dir(place.path()).args(["-c", "main.c"]).status().unwrap();
    assert!(built.success() && xcute(place.path(), &["cc", "-c", "f.c"]).status.success());
    assert!(xcute(place.path(), &["cc", "-o", "program", "main.o", "f.o"]).status.success());
    refuses(
        &xcute(place.path(), &["run", "--sym-args", "1x2", "./program"]),
        &["program has no main that carries bitcode", "was the file with main built with \"xcute cc\"?"],
    );
    assert!(xcute(place.path(), &["cc", "-o", "whole", "main.c", "f.c"]).status.success());
    fs::create_dir(place.path().join("seeds")).unwrap();
    refuses(
        &xcute(place.path(), &["run", "--sym-args", "1x2", "--corpus", "seeds", "./whole"]),
        &["--corpus gives contents of files, but none is symbolic", "--sym-stdin or --sym-file"],
    );
}

/// A JDK whose JVM does nothing but say where it is.
#[test]
fn a_jvm_that_is_not_ready() {
    let place = place("A.java", "public class A {\n  static int f(int x) { return x > 3 ? 1 : 2; }\n}\n");
    let java = fs::canonicalize(real("java")).unwrap();
    let (home, jdk) = (place.path().join("jdk"), java.parent().unwrap().parent().unwrap());
    fs::create_dir_all(home.join("bin")).unwrap();
    for name in ["lib", "release", "conf", "bin/javac"] {
        std::os::unix::fs::symlink(jdk.join(name), home.join(name)).unwrap();
    }
    let text = format!("case \"$*\" in *-XshowSettings*) exec {} \"$@\";; esac\nexec sleep 100", java.display());
    script(&home.join("bin"), "java", &text);
    refuses(
        &with(place.path(), &[("JAVA_HOME", &home)], &["java", "A.java", "--method", "A.f"]),
        &["cannot start the subject: ", "was not ready after 30s"],
    );
}

#[test]
fn kept_cases_that_cannot_be_replaced() {
    let place = place("xcute.toml", "[[entry]]\nname = \"f\"\nlanguage = \"c\"\nfiles = [\"a.c\"]\nentry = \"f\"\n");
    fs::write(place.path().join("a.c"), F).unwrap();
    let update = ["ci", "--update-baseline", "-q"];
    assert_eq!(xcute(place.path(), &update).status.code(), Some(0));
    fs::create_dir(place.path().join("xcute-cases/f/passed/x.json")).unwrap();
    says(&xcute(place.path(), &update), &["cannot remove xcute-cases/f/passed/x.json"]);
}

#[test]
fn models_that_cannot_be_run() {
    let text =
        "protocol P { in ask(); };\ncapsule C { behavior port p : P; statemachine { state A; initial -> A; t: A -> A on p.ask; }; };\n";
    let place = place("lamp.art", text);
    refuses(&xcute(place.path(), &["model", "lamp.art", "--system"]), &["the model names no top capsule (choose one with --capsule)"]);
    fs::write(place.path().join("other"), "no program").unwrap();
    let ran = xcute(place.path(), &["model", "lamp.art", "--capsule", "C", "--length", "2", "--compare", "./other", "-q"]);
    says(&ran, &["cannot start ", "other: Permission denied", "compared 0 of "]);
}
