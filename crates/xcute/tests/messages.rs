//! What xcute says where a program is unusual: one clear line, the user's names and places, and figures that mean what they say.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

#[path = "messages/broken.rs"]
mod broken;
#[path = "messages/every.rs"]
mod every;
#[path = "messages/refused.rs"]
mod refused;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

/// A directory with one file.
fn place(name: &str, source: &str) -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join(name), source).unwrap();
    place
}

fn xcute(place: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_xcute")).current_dir(place).args(words).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn json(place: &Path, words: &[&str]) -> Value {
    let ran = xcute(place, &[&words[..1], &["--format", "json", "--no-progress"], &words[1..]].concat());
    serde_json::from_slice(&ran.stdout).unwrap_or_else(|error| panic!("no JSON ({error}): {}", stderr(&ran)))
}

/// It must end with 2 and say one line that holds the words.
fn refuses(output: &Output, words: &[&str]) {
    let told = stderr(output);
    assert_eq!((output.status.code(), told.lines().count()), (Some(2), 1), "{:?}: {told}", output.status);
    assert!(words.iter().all(|word| told.contains(word)), "{told}");
}

#[test]
fn programs_for_other_machines() {
    let place = place("a.c", "int f(int x) { return x > 3; }\n");
    for flag in ["-m32", "-mx32", "--target=aarch64-linux-gnu"] {
        refuses(&xcute(place.path(), &["c", "a.c", "--entry", "f", "--", flag]), &["only programs for x86_64", "leave out -m32"]);
    }
}

#[test]
fn more_static_data_than_there_is_room_for() {
    for bytes in ["300000000", "3000000000ul", "60000000000ul"] {
        let source =
            format!("static char small[9];\nstatic char table[{bytes}];\nint f(int x) {{ return table[x & 7] + small[x & 3]; }}\n");
        let place = place("a.c", &source);
        refuses(&xcute(place.path(), &["c", "a.c", "--entry", "f"]), &["MiB of static data", "make table smaller"]);
    }
    let place = place("a.c", "static char table[200000000];\nint f(int x) { return table[x & 1]; }\n");
    assert_eq!(json(place.path(), &["c", "a.c", "--entry", "f"])["complete"], true);
}

#[test]
fn little_address_space() {
    let place = place("a.c", "int f(int x) { return x > 3; }\n");
    for kilobytes in ["2000000", "20000000"] {
        let script = format!("ulimit -v {kilobytes}; exec \"$0\" c a.c --entry f");
        let ran = Command::new("sh").current_dir(place.path()).args(["-c", &script, env!("CARGO_BIN_EXE_xcute")]).output().unwrap();
        refuses(&ran, &["cannot map its memory", "ulimit -v"]);
    }
}

#[test]
fn numbers_of_any_width() {
    let source = "#include <stdlib.h>\nvoid f(int x) {\n  _BitInt(37) wide = x;\n  if (wide * wide == (_BitInt(37))1521) abort();\n}\nint g(_BitInt(20) x) { return x > 3; }\n";
    let place = place("a.c", source);
    let found = json(place.path(), &["c", "a.c", "--entry", "f"]);
    assert_eq!((&found["failures"][0]["line"], &found["complete"]), (&4.into(), &true.into()), "{found:#}");
    refuses(&xcute(place.path(), &["c", "a.c", "--entry", "g"]), &["parameter x of g", "_BitInt", "let the entry take another type"]);
}

#[test]
fn a_program_that_ends_before_its_entry() {
    let place = place(
        "a.c",
        "#include <stdlib.h>\n__attribute__((constructor)) static void ends(void) { exit(9); }\nint f(int x) { return x > 3; }\n",
    );
    refuses(&xcute(place.path(), &["c", "a.c", "--entry", "f"]), &["exit code 9", "constructor"]);
}

/// Arms that no input takes are not called missed once the search is complete.
#[test]
fn infeasible_arms_are_not_missed() {
    let source = "int f(int x, int y) {\n  if (y > 3) y = 4;\n  if (x > 5)\n    if (x < 3)\n      return 1;\n  return y;\n}\nint g(int x) { return x ? 1 : 2; }\n";
    let place = place("a.c", source);
    let summary = json(place.path(), &["c", "a.c", "--entry", "f"]);
    let branches = &summary["coverage"]["branches"];
    assert_eq!((&branches["covered"], &branches["total"], &summary["coverage"]["infeasible"]), (&5.into(), &8.into(), &1.into()));
    let text = String::from_utf8(xcute(place.path(), &["report"]).stdout).unwrap();
    assert!(text.contains("branches 5/8 (1 infeasible, 71 % of the others)"), "{text}");
    let page = fs::read_to_string(place.path().join("xcute-out/index.html")).unwrap();
    assert!(page.contains("5 of 7 feasible branches; 1 proved unreachable"));
    let cut = json(place.path(), &["c", "a.c", "--entry", "f", "--runs", "2"]);
    assert_eq!((&cut["complete"], &cut["coverage"]["infeasible"]), (&false.into(), &Value::Null));
    let page = fs::read_to_string(place.path().join("xcute-out/index.html")).unwrap();
    assert!(
        page.contains("<p class=\"verdict open\">No failure; the search is not complete: it stopped after 2 runs"),
        "what is not complete is not shown as good"
    );
}

/// Limits name the user's functions and places, also where a model of the library met them.
#[test]
fn every_limit_has_a_place_and_no_name_of_ours() {
    let source = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\nint f(char *s, long double d) {\n  if (!s) return 0;\n  if (strtold(s, 0) == 7)\n    return 1;\n  char t[8];\n  snprintf(t, sizeof t, \"%Lf\", d);\n  long double n;\n  if (sscanf(s, \"%Lf\", &n) == 1 && n == 3)\n    return 2;\n  strfmon(t, sizeof t, \"%n\", atof(s));\n  return 3;\n}\n";
    let place = place("a.c", &source.replace("#include <stdio.h>", "#include <monetary.h>\n#include <stdio.h>"));
    let summary = json(place.path(), &["c", "a.c", "--entry", "f", "--string", "2"]);
    let limits = summary["limits"].as_array().unwrap();
    assert!(
        limits.iter().any(|limit| limit["what"].as_str().is_some_and(|what| what.starts_with("strtold at ") && what.ends_with("a.c:7"))),
        "{limits:#?}"
    );
    for limit in limits {
        let (kind, what) = (limit["kind"].as_str().unwrap(), limit["what"].as_str().unwrap());
        assert!(!what.contains(":0") && !what.contains("xcm_") && !what.contains("xcute_") && !what.contains("xch_"), "{kind}: {what}");
        assert!(kind != "uninstrumented" || what.contains(" at "), "{kind}: {what}");
    }
}

/// What cannot be said is not said; the exit code is what it would have been.
#[test]
fn a_full_disk_behind_stderr() {
    let place = place("a.c", "int f(int x) { return x > 3; }\n");
    for (words, code) in [(&["c", "gone.c"][..], 2), (&["c", "a.c", "--entry", "f"], 0)] {
        let full = fs::File::create("/dev/full").unwrap();
        let ran = Command::new(env!("CARGO_BIN_EXE_xcute")).current_dir(place.path()).args(words).stderr(full).output().unwrap();
        assert_eq!(ran.status.code(), Some(code), "{words:?}");
    }
}

/// The texts that follow a marker, up to the next quotation mark.
fn quoted<'a>(text: &'a str, marker: &str) -> Vec<&'a str> {
    text.split(marker).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

/// The text of all source files below a directory.
fn sources(directory: &Path, text: &mut String) {
    for entry in fs::read_dir(directory).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, text);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            text.push_str(&fs::read_to_string(path).unwrap());
        }
    }
}

#[test]
fn every_reason_for_a_search_that_is_not_complete_is_explained() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut text = String::new();
    for entry in fs::read_dir(root.join("crates")).unwrap().flatten() {
        sources(&entry.path().join("src"), &mut text);
    }
    let markers = ["limit(\"", "limit(limits, \"", "limit(&mut story.limits, \"", "Limit { kind: \""];
    let mut kinds: Vec<&str> = markers.iter().flat_map(|marker| quoted(&text, marker)).collect();
    kinds.sort_unstable();
    kinds.dedup();
    assert!(["concretised", "cut", "sandbox", "trace"].iter().all(|kind| kinds.contains(kind)), "{kinds:?}");
    let page = fs::read_to_string(root.join("docs/not-complete.md")).unwrap();
    let missing: Vec<&&str> = kinds.iter().filter(|kind| !page.contains(&format!("`{kind}`"))).collect();
    assert!(missing.is_empty(), "docs/not-complete.md does not explain {missing:?}");
    // The page of results says the same in plain words.
    let words = |text: &str| -> Vec<String> {
        let plain: String = text.chars().filter(|c| !"`[]".contains(*c)).collect();
        plain.split_whitespace().map(|word| word.split("(").next().unwrap_or(word).to_owned()).collect()
    };
    for kind in xcute_report::LIMIT_KINDS {
        let row = page.lines().find(|line| {
            line.matches(" | ").count() == 2 && line.split('|').nth(1).is_some_and(|names| names.contains(&format!("`{}`", kind.name)))
        });
        let row = row.unwrap_or_else(|| panic!("docs/not-complete.md has no row for {}", kind.name));
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").collect();
        assert_eq!((words(cells[1]), words(cells[2].trim_end_matches(" |"))), (words(kind.meaning), words(kind.advice)), "{}", kind.name);
    }
    assert!(kinds.iter().all(|kind| xcute_report::LIMIT_KINDS.iter().any(|known| known.name == *kind)), "{kinds:?}");
}
