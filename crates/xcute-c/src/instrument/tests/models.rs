//! Models of library functions: they do what the library does, they are there only when called, and they are not part of the program.

use std::path::{Path, PathBuf};
use std::process::Command;

use xcute_trace::SiteKind;

use super::probe::Probe;
use crate::wire::event;

/// Programs that call models and the library's own functions, and compare what they do.
const COMPARED: [&str; 5] = ["models", "formats", "options", "streams", "wide"];

/// Compiles files with one call of the compiler. Nothing is symbolic, so models need nothing of the runtime but what replays have.
fn compile(dir: &Path, files: &[PathBuf], more: &[&str]) {
    let flags = ["-O1", "-fwrapv", "-fno-builtin", "-w", "-DXCUTE_FILES=1"];
    let ran = Command::new("clang-19").current_dir(dir).args(flags).args(more).args(files).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
}

#[test]
fn models_agree_with_the_library_on_random_inputs() {
    let dir = tempfile::tempdir().unwrap();
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let runtime = here.join("../../runtimes/c");
    let mut files = vec![runtime.join("replay/beyond.c")];
    for directory in ["models", "models/files", "models/streams"] {
        let inside = std::fs::read_dir(runtime.join(directory)).unwrap().map(|e| e.unwrap().path());
        // Those of C++ need its library.
        files.extend(inside.filter(|p| p.extension().is_some_and(|x| x == "c") && p.file_name().is_some_and(|n| n != "new.c")));
    }
    compile(dir.path(), &files, &["-c"]);
    let models: Vec<PathBuf> = std::fs::read_dir(dir.path()).unwrap().map(|e| e.unwrap().path()).collect();
    for program in COMPARED {
        let (exe, place) = (dir.path().join(program), dir.path().join(format!("{program}.dir")));
        let source = [here.join(format!("src/instrument/tests/{program}.c"))];
        compile(dir.path(), &[&source[..], &models].concat(), &["-lm", "-o", program]);
        std::fs::create_dir(&place).unwrap();
        let ran = Command::new(exe).current_dir(place).output().unwrap();
        assert!(ran.status.success(), "{program}: {:?}: {}", ran.status, String::from_utf8_lossy(&ran.stdout));
    }
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
    let functions: Vec<&str> = rows
        .filter_map(|row| row.split('|').nth(2))
        .flat_map(|named| named.split('`').skip(1).step_by(2))
        .flat_map(str::split_whitespace)
        .collect();
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
