//! Harnesses that people already have: corpora of fuzzers go in and out, Test-Comp's test suites come out.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn xcute(place: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_xcute"))
        .current_dir(place)
        .args(["c", "subject.c", "--format", "json", "--no-progress"])
        .args(arguments)
        .output()
        .unwrap()
}

fn summary(output: &Output) -> Value {
    let told = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("no JSON object ({error}): {told}"))
}

/// The names of the files in a directory.
fn names(directory: &Path) -> BTreeSet<String> {
    fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// Three bytes decide nothing that a solver could not find; their place behind a checksum does.
const FUZZED: &str = r#"#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 20) return 0;
  if (data[0] == 'a' && data[19] == 'z') {
    if (data[7] > 200) abort();
    if (data[8] == 3) return 1;
  }
  return 0;
}
"#;

#[test]
fn a_corpus_goes_in() {
    let place = tempfile::tempdir().unwrap();
    let place = place.path();
    fs::write(place.join("subject.c"), FUZZED).unwrap();
    fs::create_dir_all(place.join("seeds/more")).unwrap();
    fs::write(place.join("seeds/one"), b"short").unwrap();
    fs::write(place.join("seeds/more/two"), b"a234567890123456789z").unwrap();
    // The default case and the two files; the second file is the first that is long enough.
    let told = summary(&xcute(place, &["--corpus", "seeds", "--runs", "3", "--keep-cases", "all"]));
    assert_eq!((&told["runs"], &told["coverage"]["branches"]["covered"]), (&3.into(), &6.into()), "{told}");
    let case: Value = serde_json::from_str(&fs::read_to_string(place.join("xcute-out/cases/000002.json")).unwrap()).unwrap();
    let inputs = case["inputs"].as_array().unwrap();
    assert!(inputs.iter().any(|i| i["name"] == "data[19]" && i["value"].as_str().unwrap().contains("122")), "{case}");
    assert!(inputs.iter().any(|i| i["name"] == "size" && i["value"] == "20"), "{case}");
    // Without it the entry gets too few bytes.
    let told = summary(&xcute(place, &[]));
    assert_eq!((&told["complete"], &told["failures"].as_array().unwrap().len()), (&true.into(), &0), "{told}");
    // With it the search goes on from there.
    let told = summary(&xcute(place, &["--corpus", "seeds"]));
    assert_eq!((&told["complete"], &told["failures"].as_array().unwrap().len()), (&true.into(), &1), "{told}");
    let cut = xcute(place, &["--corpus", "seeds", "--bytes", "4"]);
    assert_eq!(cut.status.code(), Some(0));
    let said = String::from_utf8_lossy(&cut.stderr).into_owned();
    assert!(said.contains("only the first 4 bytes of 2 of the corpus's files"), "{said}");
}

#[test]
fn a_corpus_comes_out() {
    let place = tempfile::tempdir().unwrap();
    let place = place.path();
    fs::write(place.join("subject.c"), FUZZED).unwrap();
    let told = summary(&xcute(place, &["--bytes", "20", "--export-corpus", "corpus"]));
    assert_eq!(told["complete"], true, "{told}");
    let first = names(&place.join("corpus"));
    assert!(first.iter().all(|name| name.len() == 40 && name.chars().all(|c| c.is_ascii_hexdigit())), "{first:?}");
    assert!(first.contains("da39a3ee5e6b4b0d3255bfef95601890afd80709"), "the empty input covers something: {first:?}");
    // As inputs of a campaign that goes no further, they cover what the first one covered with cases that pass.
    let runs = (first.len() + 1).to_string();
    let again = summary(&xcute(place, &["--corpus", "corpus", "--runs", &runs, "--export-corpus", "corpus"]));
    assert_eq!(again["coverage"]["branches"]["covered"], told["coverage"]["branches"]["total"].as_u64().unwrap() - 1, "{again}");
    assert_eq!(names(&place.join("corpus")), first);
}

#[test]
fn corpora_are_for_entries_of_fuzzers() {
    let place = tempfile::tempdir().unwrap();
    let place = place.path();
    fs::write(place.join("subject.c"), "int f(int x) { return x > 3; }\n").unwrap();
    fs::create_dir(place.join("seeds")).unwrap();
    for (arguments, words) in [
        (["--corpus", "seeds"], ["--corpus", "the entry is f", "LLVMFuzzerTestOneInput"]),
        (["--export-corpus", "seeds"], ["--export-corpus", "the entry is f", "LLVMFuzzerTestOneInput"]),
        (["--corpus", "nowhere"], ["cannot read the corpus nowhere", "", ""]),
    ] {
        let output = xcute(place, &arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), said.lines().count()), (Some(2), 1), "{said}");
        assert!(words.iter().all(|word| said.contains(word)), "{said}");
    }
}

/// Three types in turns; the error needs the right value at the right place.
const VERIFIED: &str = r#"extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern double __VERIFIER_nondet_double(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int sum = 0;
  for (int i = 0; i < 2; i++) {
    if (__VERIFIER_nondet_bool()) sum += __VERIFIER_nondet_int();
    else sum += __VERIFIER_nondet_uchar();
  }
  if (sum == -70 && __VERIFIER_nondet_uchar() == 9 && __VERIFIER_nondet_double() < -1.5) reach_error();
  return 0;
}
"#;

/// Gives the numbers of its arguments in turn, whatever type is asked for.
const SERVER: &str = r#"#include <stdlib.h>
extern char **environ;
static char **next;
static double value(void) {
  if (!next) { for (next = environ; *next && (*next)[0] != 'V'; next++) {} }
  return *next ? strtod(*next++ + 5, 0) : 0;
}
int __VERIFIER_nondet_int(void) { return (int)value(); }
unsigned char __VERIFIER_nondet_uchar(void) { return (unsigned char)value(); }
double __VERIFIER_nondet_double(void) { return value(); }
_Bool __VERIFIER_nondet_bool(void) { return value() != 0; }
"#;

/// Whether a file is as the document type definition of the format says.
fn valid(file: &Path, root: &str) -> bool {
    let definition = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/schemas/{root}-1.1.dtd"));
    let lint = Command::new("xmllint").args(["--noout", "--nonet", "--dtdvalid"]).arg(definition).arg(file).output();
    lint.expect("xmllint is there (./x setup installs libxml2-utils)").status.success()
}

#[test]
fn a_test_suite_comes_out() {
    let place = tempfile::tempdir().unwrap();
    let place = place.path();
    fs::write(place.join("subject.c"), VERIFIED).unwrap();
    fs::write(place.join("server.c"), SERVER).unwrap();
    for _ in 0..2 {
        let told = summary(&xcute(place, &["--testcomp", "suite"]));
        assert_eq!((&told["complete"], told["failures"].as_array().unwrap().len()), (&true.into(), 1), "{told}");
    }
    let metadata = fs::read_to_string(place.join("suite/metadata.xml")).unwrap();
    let order =
        ["sourcecodelang", "producer", "specification", "programfile", "programhash", "entryfunction", "architecture", "creationtime"];
    let places: Vec<usize> = order.iter().map(|name| metadata.find(&format!("<{name}>")).unwrap()).collect();
    assert!(places.is_sorted(), "{metadata}");
    assert!(
        metadata.contains("<!DOCTYPE test-metadata PUBLIC \"+//IDN sosy-lab.org//DTD test-format test-metadata 1.1//EN\""),
        "{metadata}"
    );
    let hash = Command::new("sha256sum").arg(place.join("subject.c")).output().unwrap();
    assert!(metadata.contains(&String::from_utf8_lossy(&hash.stdout)[..64]), "{metadata}");

    for name in names(&place.join("suite")) {
        let root = if name == "metadata.xml" { "test-metadata" } else { "testcase" };
        let file = place.join("suite").join(&name);
        assert!(valid(&file, root), "{name}");
        // The definitions refuse what is not of this form.
        let (from, to) = if root == "testcase" { ("</testcase>", "<output>1</output></testcase>") } else { ("programhash>", "hash>") };
        fs::write(place.join("wrong.xml"), fs::read_to_string(&file).unwrap().replace(from, to)).unwrap();
        assert!(!valid(&place.join("wrong.xml"), root), "{name}");
    }
    let built = Command::new("gcc").current_dir(place).args(["subject.c", "server.c", "-o", "native"]).status().unwrap();
    assert!(built.success());
    let mut errors = 0;
    for name in names(&place.join("suite")).iter().filter(|name| *name != "metadata.xml") {
        let text = fs::read_to_string(place.join("suite").join(name)).unwrap();
        let covers = text.contains("<testcase coversError=\"true\">");
        let values: Vec<String> = text
            .lines()
            .filter_map(|line| Some(line.trim().strip_prefix("<input type=")?.split_once('>')?.1.strip_suffix("</input>")?.to_owned()))
            .collect();
        // Tests are judged by a program that knows nothing of xcute: the inputs in this order must reach the error, or not.
        let mut native = Command::new(place.join("native"));
        native.env_clear().envs(values.iter().enumerate().map(|(at, value)| (format!("V{at:03}"), value)));
        assert_eq!(native.status().unwrap().success(), !covers, "{text}");
        errors += u32::from(covers);
    }
    assert_eq!(errors, 1);
}

#[test]
fn test_suites_are_for_programs_of_sv_comp() {
    let place = tempfile::tempdir().unwrap();
    let place = place.path();
    fs::write(place.join("subject.c"), "int f(int x) { return x > 3; }\n").unwrap();
    let refused = |arguments: &[&str], word: &str| {
        let output = xcute(place, arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), said.lines().count()), (Some(2), 1), "{said}");
        assert!(said.contains(word), "{said}");
    };
    refused(&["--testcomp", "suite"], "the input x does not come from __VERIFIER_nondet_");
    fs::write(place.join("subject.c"), VERIFIED).unwrap();
    fs::create_dir(place.join("precious")).unwrap();
    fs::write(place.join("precious/data"), "kept").unwrap();
    refused(&["--testcomp", "precious"], "not xcute's");
    assert!(place.join("precious/data").exists());
}
