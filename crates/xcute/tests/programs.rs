//! Whole programs: built by `xcute cc` as a build system would call it, explored by `xcute run`, repeated without xcute.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

const XCUTE: &str = env!("CARGO_BIN_EXE_xcute");

/// A directory with these files.
fn place(files: &[(&str, &str)]) -> TempDir {
    let place = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(place.path().join(name), text).unwrap();
    }
    place
}

fn sh(place: &Path, command: &str) -> Output {
    let path = format!("{}:{}", Path::new(XCUTE).parent().unwrap().display(), std::env::var("PATH").unwrap_or_default());
    let cache = place.join(".cache");
    Command::new("sh").args(["-c", command]).current_dir(place).env("PATH", path).env("XCUTE_CACHE", cache).output().unwrap()
}

/// A command that must end with this code; what it printed.
fn must(place: &Path, code: i32, command: &str) -> String {
    let ran = sh(place, command);
    let talk = format!("{}{}", String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    assert_eq!(ran.status.code(), Some(code), "{command}: {talk}");
    talk
}

/// The kinds and lines of the failures that `xcute run` with these words finds, each repeated by its script and by `xcute replay`.
fn failures(place: &Path, words: &str) -> Vec<(String, u64)> {
    let ran = sh(place, &format!("xcute run --format json --no-progress --time 60s {words}"));
    let json: Value = serde_json::from_slice(&ran.stdout).unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(&ran.stderr)));
    let mut found = Vec::new();
    for failure in json["failures"].as_array().unwrap() {
        assert_eq!(failure["replayed"], true);
        let id = failure["id"].as_str().unwrap();
        must(place, 1, &format!("xcute replay xcute-out/failures/{id}.json"));
        if !["out-of-bounds", "hang"].contains(&failure["kind"].as_str().unwrap()) {
            assert!(!sh(place, &format!("sh xcute-out/failures/{id}.sh")).status.success(), "{id}.sh does not fail");
        }
        found.push((failure["kind"].as_str().unwrap().to_owned(), failure["line"].as_u64().unwrap()));
    }
    found.sort();
    found
}

const DIVIDE: &str = r#"#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
  if (argc < 2) return 2;
  if (strncmp(argv[1], "-n", 2) == 0) {
    int d = atoi(argv[1] + 2);
    printf("%d\n", 100 / (d - 42));
  }
  return 1;
}
"#;

#[test]
fn a_program_is_built_explored_and_repeated() {
    let place = place(&[("divide.c", DIVIDE)]);
    let place = place.path();
    must(place, 0, "xcute cc -O2 divide.c -o divide");
    assert_eq!(must(place, 1, "./divide -n44"), "50\n");
    assert_eq!(failures(place, "--sym-args 1x6 ./divide"), [("division-by-zero".to_owned(), 8)]);
    assert!(must(place, 1, "xcute report").contains("with argv[1] = \"-n"), "the report shows the argument");
    // A second search needs no second build, and finds the same.
    let kept = || fs::read_dir(place.join(".cache")).unwrap().flatten().filter(|e| e.path().join("subject").is_file()).count();
    assert_eq!(kept(), 1);
    assert_eq!(failures(place, "--sym-args 1x6 ./divide"), [("division-by-zero".to_owned(), 8)]);
    assert_eq!(kept(), 1);
    // An argument that is given is not an input; without a second one nothing can fail.
    assert_eq!(failures(place, "--sym-args 0-1x6 ./divide -n7"), []);
}

#[test]
fn the_compiler_ends_and_talks_as_clang_does() {
    let place = place(&[
        ("bad.c", "int f( {\n"),
        ("good.c", "int f(void) { return 1; }\nint main(void) { return f() - 1; }\n"),
        ("s.s", ".globl g\ng: ret\n"),
    ]);
    let place = place.path();
    for words in [
        "-c bad.c",
        "--version",
        "-E good.c",
        "-S good.c -o -",
        "",
        "-c nowhere.c",
        "-print-prog-name=ld",
        "-MM good.c",
        "good.c -lnowhere",
    ] {
        let (ours, clangs) = (sh(place, &format!("xcute cc {words}")), sh(place, &format!("clang-19 {words}")));
        assert_eq!(ours.status, clangs.status, "{words}");
        assert_eq!(String::from_utf8_lossy(&ours.stdout), String::from_utf8_lossy(&clangs.stdout), "{words}");
        // The linker names temporary files, clang itself.
        let tidy = |o: &Output| String::from_utf8_lossy(&o.stderr).lines().filter(|l| !l.contains("/tmp/")).count();
        assert_eq!(tidy(&ours), tidy(&clangs), "{words}");
    }
    must(place, 0, "xcute cc -MD -c good.c s.s && test -s good.o && test -s s.o && grep -q '^good.o: good.c' good.d");
    must(place, 0, "echo '-c good.c -o \"a b.o\"' > rsp && xcute cc @rsp && xcute cc -r 'a b.o' s.o -o r.o && xcute cc r.o -o r && ./r");
    must(place, 0, "cp good.c conftest.c && xcute cc -o conftest conftest.c && ./conftest");
    must(place, 2, "xcute run --sym-args 1x1 ./conftest 2>&1 | grep -q 'carries no bitcode' && exit 2");
}

#[test]
fn our_headers_are_found() {
    let main = "#include <xcute.h>\n#include <crest.h>\nint main(int argc, char **argv) {\n  int x = argc;\n  CREST_int(x);\n  xcute_assume(x);\n  return x - 1;\n}\n";
    let place = place(&[("main.c", main)]);
    must(
        place.path(),
        0,
        "xcute cc -Wall -Werror -MD -c main.c && test -f $(grep -o '[^ ]*xcute.h' main.d) && xcute cc -Werror main.o -o main && ./main",
    );
    must(place.path(), 0, "XCUTE_CACHE= xcute cc main.c -o other && ./other");
}

#[test]
fn a_program_with_checks_of_undefined_behaviour() {
    let main = "#include <stdlib.h>\nint main(int argc, char **argv) {\n  int n = argc > 1 ? atoi(argv[1]) : 0;\n  return n > 0 && n + 1 < 0 ? 3 : 0;\n}\n";
    let place = place(&[("main.c", main)]);
    let place = place.path();
    must(place, 0, "xcute cc main.c -o plain && xcute cc -fsanitize=undefined main.c -o checked");
    assert_eq!(failures(place, "--sym-args 1x10 ./plain"), []);
    assert_eq!(failures(place, "--sym-args 1x10 ./checked"), [("signed-overflow".to_owned(), 4)]);
}

#[test]
fn what_cannot_be_explored_is_told_in_one_line() {
    let place = place(&[("lib.c", "int f(void) { return 1; }\n"), ("main.c", "int main(void) { return 0; }\n")]);
    let place = place.path();
    must(place, 0, "xcute cc -shared -fPIC lib.c -o lib.so && clang-19 main.c -o plain && xcute cc main.c -o ours");
    for (words, told) in [
        ("--sym-args 1x1 ./lib.so", "no main"),
        ("--sym-args 1x1 ./plain", "xcute cc"),
        ("--sym-args 1x1 ./nowhere", "cannot read"),
        ("--sym-args 1x1 ./main.c", "not a program"),
        ("./ours", "nothing is symbolic"),
        ("--sym-args 1 ./ours", "--sym-args"),
    ] {
        let talk = must(place, 2, &format!("xcute run {words}"));
        assert!(talk.contains(told) && talk.lines().count() == 1, "{words}: {talk}");
    }
}

/// Copies a program of ours and builds it.
fn subject(name: &str) -> TempDir {
    built(name, "-O1")
}

/// The same, with these flags.
fn built(name: &str, flags: &str) -> TempDir {
    let place = tempfile::tempdir().unwrap();
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects/programs").join(format!("{name}.c"));
    fs::copy(from, place.path().join(format!("{name}.c"))).unwrap();
    must(place.path(), 0, &format!("xcute cc {flags} {name}.c -o {name}"));
    place
}

#[test]
fn every_way_to_read_is_symbolic() {
    let place = subject("readers");
    let text = fs::read_to_string(place.path().join("readers.c")).unwrap();
    for words in [
        "--sym-stdin 4 ./readers getchar",
        "--sym-stdin 6 ./readers fgets",
        "--sym-stdin 5 ./readers getline",
        "--sym-file in.bin:6 ./readers seek",
        "--sym-file in.bin:6 ./readers read",
        "--sym-stdin 6 ./readers scanf",
        "--sym-env MODE:4 ./readers env",
    ] {
        let found = failures(place.path(), words);
        let [(kind, line)] = &found[..] else { panic!("{words}: {found:?}") };
        let mark = text.lines().nth(*line as usize - 1).unwrap();
        assert!(kind == "assertion" && mark.contains("assert("), "{words}: {kind} at {mark}");
    }
}

#[test]
fn files_that_a_run_leaves_are_gone_and_the_users_are_kept() {
    let place = subject("writers");
    fs::write(place.path().join("kept"), "k").unwrap();
    assert_eq!(failures(place.path(), "--sym-args 1x3 ./writers"), [("assertion".to_owned(), 20)]);
    assert_eq!(fs::read_to_string(place.path().join("kept")).unwrap(), "k");
    assert!(!place.path().join("left").exists() && !place.path().join("made").exists());
}

#[test]
fn a_search_begins_with_what_is_there() {
    let source = "#include <stdio.h>\n#include <stdlib.h>\nint main(void) {\n  unsigned h = 0;\n  for (int c; (c = getchar()) != EOF;) h = h * 31 + (unsigned)c;\n  if (h == 3556498u) abort();\n  return 0;\n}\n";
    let place = place(&[("sum.c", source), ("sample", "test")]);
    let place = place.path();
    must(place, 0, "xcute cc sum.c -o sum && mkdir corpus && cp sample corpus/");
    for words in ["--runs 2 --sym-stdin 6 ./sum < sample", "--runs 2 --sym-stdin 6 --corpus corpus ./sum"] {
        assert_eq!(failures(place, words), [("abort".to_owned(), 6)], "{words}");
    }
}

/// What a search finds goes back to a fuzzer where it is the bytes of one file; a search without the solver begins with it, and needs no more.
#[test]
fn a_corpus_comes_out() {
    let source = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\nint main(void) {\n  char text[9] = {0};\n  if (fread(text, 1, 8, stdin) < 4) return 1;\n  if (!memcmp(text, \"PNG\", 3)) { if (text[3] == 'x') abort(); return 2; }\n  return 0;\n}\n";
    let place = place(&[("head.c", source)]);
    let place = place.path();
    must(place, 0, "xcute cc head.c -o head");
    assert_eq!(failures(place, "--sym-stdin 8 --export-corpus out ./head"), [("abort".to_owned(), 7)]);
    let files: Vec<Vec<u8>> = fs::read_dir(place.join("out")).unwrap().map(|entry| fs::read(entry.unwrap().path()).unwrap()).collect();
    assert!(files.iter().any(|file| file.len() < 4) && files.iter().any(|file| file.starts_with(b"PNG") && file.get(3) != Some(&b'x')));
    for more in ["--sym-args 1x2", "--sym-env A:3", "--sym-file a:3"] {
        let ran = sh(place, &format!("xcute run --sym-stdin 8 {more} --export-corpus out ./head"));
        let said = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert!(
            ran.status.code() == Some(2) && said.contains("cannot use --export-corpus: an input is more than the bytes of one file"),
            "{said}"
        );
    }
}

#[test]
fn a_program_in_cpp() {
    let place = tempfile::tempdir().unwrap();
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects/programs/names.cpp");
    fs::copy(from, place.path().join("names.cpp")).unwrap();
    let place = place.path();
    must(place, 0, "xcute c++ -O1 -c names.cpp && xcute c++ names.o -o names");
    assert_eq!(must(place, 0, "./names two"), "2\n");
    assert_eq!(failures(place, "--sym-args 1x6 ./names"), [("uncaught-exception".to_owned(), 9)]);
}

/// What variables held where a program fails is known if it was built for a debugger, and shown by the replay as well. Places in optimised code are not trusted.
#[test]
fn what_variables_held_where_it_failed() {
    for (flags, known) in [("-g", true), ("-g -O2 -fno-omit-frame-pointer", false)] {
        let place = built("share", flags);
        let place = place.path();
        assert_eq!(failures(place, "--sym-args 1x2 ./share"), [("division-by-zero".to_owned(), 10)]);
        let summary: Value = serde_json::from_str(&fs::read_to_string(place.join("xcute-out/summary.json")).unwrap()).unwrap();
        let failure = &summary["failures"][0];
        let value = |name: &str| {
            let all = failure["values"].as_array().into_iter().flatten();
            all.filter(|held| held["name"] == name).find_map(|held| held["value"].as_str()).unwrap_or_default()
        };
        let replayed = must(place, 1, "xcute replay xcute-out/failures/f1.json");
        assert_eq!(replayed.contains("  values there: order = {.pieces = "), known, "{flags}: {replayed}");
        if known {
            assert_eq!((value("boxes"), value("rest")), ("5", "{5, 5}"), "{flags}: {failure}");
            assert!(value("order").ends_with(".size = LARGE, .mark = \"ab\"}"), "{flags}: {failure}");
        } else {
            assert!(failure["values"].as_array().is_none_or(Vec::is_empty), "{flags}: {failure}");
        }
    }
}

/// Variables of a function that calls no other are below the stack pointer, and may be on another page of memory than it.
#[test]
fn what_variables_held_below_the_stack_pointer() {
    let text = r"#include <alloca.h>
#include <stdint.h>
#include <stdlib.h>
static int share(int pieces, int boxes) {
  int rest = boxes - pieces;
  return pieces / rest;
}
int main(int argc, char **argv) {
  if (argc < 2) return 2;
  uintptr_t top = (uintptr_t)alloca(16);
  alloca((top - 32) % 4096);
  return share(atoi(argv[1]), 5);
}
";
    let place = place(&[("page.c", text)]);
    let place = place.path();
    must(place, 0, "xcute cc -g page.c -o page");
    assert_eq!(failures(place, "--sym-args 1x2 ./page"), [("division-by-zero".to_owned(), 6)]);
    let replayed = must(place, 1, "xcute replay xcute-out/failures/f1.json");
    assert!(replayed.contains("  values there: pieces = 5, boxes = 5, rest = 0\n"), "{replayed}");
}

/// Arguments and input are followed as well: the same failure, and of a program that cannot fail it is said that it cannot.
#[test]
fn whole_programs_are_pruned() {
    let text = r"#include <assert.h>
#include <stdio.h>
int s;
int main(int argc, char **argv) {
  if (argc > 1 && argv[1][0] == 'a') s++;
  if (getchar() == 'x') s++;
  if (getchar() == 'y') s++;
  assert(s <= LIMIT);
  return 0;
}
";
    let place = place(&[("steps.c", text)]);
    let place = place.path();
    must(place, 0, "xcute cc -DLIMIT=3 steps.c -o safe && xcute cc -DLIMIT=2 steps.c -o unsafe");
    // Once built, once from the cache.
    for _ in 0..2 {
        let talk = must(place, 0, "xcute run --no-progress --prune interpolation --sym-args 1x2 --sym-stdin 2 ./safe");
        assert!(talk.contains("complete: no failure is reachable") && !talk.contains("could be followed"), "{talk}");
    }
    let (plain, pruned) = ("--sym-args 1x2 --sym-stdin 2 ./unsafe", "--prune interpolation --sym-args 1x2 --sym-stdin 2 ./unsafe");
    assert_eq!(failures(place, plain).len(), 1);
    assert_eq!(failures(place, plain), failures(place, pruned));
}
