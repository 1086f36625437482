//! Models of library functions: they do what the library does, they are there only when called, and they are no part of the program.

use std::path::{Path, PathBuf};
use std::process::Command;

use xcute_trace::SiteKind;

use super::probe::Probe;
use crate::toolchain::Toolchain;
use crate::wire::event;

/// The models of functions that depend on nothing but their arguments.
const COMPARED: [&str; 7] = ["ctype.c", "floats.c", "format.c", "scan.c", "stdlib.c", "string.c", "strings.c"];

/// Runs one of the programs that call model and library and compare.
fn compare(program: &str) {
    let dir = tempfile::tempdir().unwrap();
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let models = here.join("../../runtimes/c/models");
    let mut files: Vec<PathBuf> = COMPARED.iter().map(|name| models.join(name)).collect();
    files.push(here.join("src/instrument/tests").join(program));
    let exe = dir.path().join("models");
    let mut args: Vec<PathBuf> = ["-O1", "-fwrapv", "-fno-builtin", "-w", "-o"].map(PathBuf::from).into();
    args.push(exe.clone());
    args.extend(files);
    Toolchain::find().unwrap().run("the models", args).unwrap();
    let ran = Command::new(exe).output().unwrap();
    assert!(ran.status.success(), "{:?}: {}", ran.status, String::from_utf8_lossy(&ran.stdout));
}

#[test]
fn models_agree_with_the_library_on_random_inputs() {
    compare("models.c");
}

#[test]
fn models_of_formatted_text_agree_with_the_library() {
    compare("formats.c");
}

#[test]
fn every_documented_function_has_a_subject() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("docs/libraries.md")).unwrap();
    let mut subjects = String::new();
    for entry in std::fs::read_dir(root.join("subjects/c")).unwrap().map(|e| e.unwrap().path()) {
        if entry.file_name().is_some_and(|n| n.to_string_lossy().starts_with("library_")) {
            subjects += &std::fs::read_to_string(entry).unwrap();
        }
    }
    let words: std::collections::BTreeSet<&str> =
        subjects.split('(').filter_map(|before| before.rsplit(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).next()).collect();
    let rows = page.lines().filter(|l| l.starts_with("| `") && l.contains(".h` |") && !l.contains("math.h"));
    let functions: Vec<&str> = rows.flat_map(|row| row.split('`').skip(3).step_by(2)).flat_map(str::split_whitespace).collect();
    assert!(functions.len() > 70, "{functions:?}");
    let missing: Vec<&&str> = functions.iter().filter(|f| !words.contains(**f)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn models_of_one_file_may_be_called_from_several() {
    let source = "#include <xcute.h>
        #include <stdio.h>
        #include <stdlib.h>
        void xcute_harness(void) {
          float f = 0;
          sscanf(\"1.5\", \"%f\", &f);
          if (strtod(\"2\", NULL) != 2 || f != 1.5f) abort();
        }";
    Probe::new(source, &[]).passes(&[]);
}

#[test]
fn only_called_models_are_linked_and_none_counts() {
    let source = "#include <xcute.h>
        #include <ctype.h>
        #include <string.h>
        volatile int sink;
        int strncmp(const char *a, const char *b, size_t n) { return 7; }
        static void look(char *c) {
          if (strlen(c) > 1) sink++;
          if (isdigit(c[0])) sink++;
          if (strncmp(c, c, 1) != 7) sink++;
        }
        void xcute_harness(void) {
          char c[4] = {0}; xcute_input(c[0]);
          look(c);
        }";
    let mut probe = Probe::new(source, &["i1"]);
    probe.passes(&[]);
    assert_eq!(probe.named(event::FOREIGN), [0; 0]);
    let sites = &probe.compiled.sites.sites;
    let models: Vec<&str> = sites.iter().filter(|s| s.kind == SiteKind::Library).map(|s| s.function.as_str()).collect();
    assert_eq!(models, ["xcm_strlen"]);
    assert_eq!(sites.iter().filter(|s| s.counts()).count(), 3);
    let names: Vec<&str> = probe.compiled.functions.iter().map(|f| f.name.as_str()).collect();
    assert_eq!(names, ["strncmp", "look"]);
    assert!(probe.compiled.files.iter().all(|f| !f.contains("models")));
    // The program's own strncmp, which has no decision, was called.
    let branches: Vec<u32> = probe.decisions().iter().filter(|d| d.kind == event::BRANCH).map(|d| d.site).collect();
    let places: Vec<&str> = branches.iter().map(|&s| probe.compiled.sites.sites[s as usize].function.as_str()).collect();
    assert_eq!(places, ["xcm_strlen", "look"], "{branches:?}");
}
