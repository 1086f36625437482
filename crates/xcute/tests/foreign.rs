//! Programs that are linked with a library that is not instrumented: whatever it can see of an input keeps a search from being complete.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// What a search must say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Says {
    /// It is not complete, because of a call of this function.
    Lost(&'static str),
    /// The same, though the failure was found.
    FoundAndLost(&'static str),
    /// It is complete, and the failure was found.
    Found,
}

use Says::{Found, FoundAndLost, Lost};

/// The entries of `foreign/program.c`.
const PROGRAMS: &[(&str, Says)] = &[
    ("behind_pointer", Lost("first_letter")),
    ("behind_many", Lost("last_of")),
    ("remembered", Lost("kept")),
    ("remembered_inside", Lost("kept_next")),
    ("by_name", Lost("named")),
    ("of_library", Lost("buffered")),
    ("linked_to_library", Lost("anchored")),
    ("result_of_callback", Lost("ask")),
    ("result_by_name", Lost("ask_by_name")),
    ("memory_of_callback", Lost("fill")),
    ("number_as_address", Lost("at_address")),
    ("unknown_function", Lost("a function called through a pointer")),
    ("by_value", Lost("second_of")),
    ("thread_local_variable", Lost("at_address")),
    ("large", Lost("letter")),
    ("mapped", Lost("at_address")),
    ("overwritten", FoundAndLost("set_behind")),
    ("unseen", Found),
    ("gone", Found),
    ("filled", Found),
];

fn run(command: &mut Command) -> std::process::Output {
    let output = command.output().expect("it can be run");
    assert!(output.status.code().is_some_and(|code| code < 2), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    output
}

/// What a search of one entry says.
fn explored(sources: &Path, out: &Path, entry: &str, library: &Path) -> Value {
    let mut xcute = Command::new(env!("CARGO_BIN_EXE_xcute"));
    xcute.args(["c", "--format", "json", "--no-progress", "--time", "100s", "--entry", entry, "--out"]).arg(out);
    let output = run(xcute.arg(sources.join("program.c")).arg("--").arg(library));
    serde_json::from_slice(&output.stdout).expect("one JSON object")
}

fn check(library: &str, flags: &[&str]) {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/foreign");
    let dir = tempfile::tempdir().expect("a temporary directory");
    let library = dir.path().join(library);
    run(Command::new("clang-19").args(["-O1", "-fPIC"]).args(flags).arg(sources.join("library.c")).arg("-o").arg(&library));
    let mut wrong = Vec::new();
    for &(entry, says) in PROGRAMS {
        let json = explored(&sources, &dir.path().join("out"), entry, &library);
        let named = |function: &str| {
            json["limits"].as_array().into_iter().flatten().any(|limit| {
                let what = limit["what"].as_str().unwrap_or_default();
                limit["kind"] == "uninstrumented" && what.starts_with(&format!("{function} at ")) && what.contains("program.c:")
            })
        };
        let (found, complete) = (!json["failures"].as_array().is_none_or(Vec::is_empty), json["complete"] == true);
        let right = match says {
            Lost(function) => !found && !complete && named(function),
            FoundAndLost(function) => found && !complete && named(function),
            Found => found && complete,
        };
        if !right {
            wrong
                .push(format!("{entry}, expected {says:?}: failures {}, complete {complete}, limits {}", json["failures"], json["limits"]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn objects_that_are_linked_see_what_they_can_reach() {
    check("library.o", &["-c"]);
}

#[test]
fn shared_libraries_see_what_they_can_reach() {
    check("liblibrary.so", &["-shared"]);
}
