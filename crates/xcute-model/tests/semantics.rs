//! The models of `subjects/model`: both formats give the expected traces, and what is printed as Art is read as the same model.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

use std::path::{Path, PathBuf};

use xcute_model::flat::Flat;
use xcute_model::ir::Model;
use xcute_model::lower::lower;
use xcute_model::run::{End, Program, RunError};
use xcute_model::sequence::Sequence;
use xcute_model::{art, load};

fn subjects() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects/model")
}

fn clang() -> PathBuf {
    std::env::var_os("XCUTE_CLANG").map_or_else(|| "clang-19".into(), PathBuf::from)
}

fn models(directory: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let mut models: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|end| end == "art" || end == "uml")).collect();
    models.sort();
    models
}

#[test]
fn both_formats_give_the_expected_traces() {
    let directory = subjects().join("semantics");
    let sequences: Vec<Sequence> = serde_json::from_str(&std::fs::read_to_string(directory.join("sequences.json")).unwrap()).unwrap();
    let expected = std::fs::read_to_string(directory.join("traces.txt")).unwrap();
    let models = models(&directory);
    assert_eq!(models.len(), 2);
    for model in models {
        let build = tempfile::tempdir().unwrap();
        let flat = load::load(std::slice::from_ref(&model)).unwrap();
        let program = Program::build(&lower(&flat), build.path(), &clang(), &[]).unwrap();
        let traces = sequences.iter().map(|sequence| {
            let run = program.run(sequence).unwrap();
            assert_eq!(run.end, End::Ended, "{}", run.errors);
            // Parameters of Art have no names.
            run.trace.to_string().replace("(n=", "(")
        });
        assert_eq!(traces.collect::<Vec<_>>().join("\n"), expected, "{}", model.display());
    }
}

#[test]
fn what_is_printed_is_read_as_the_same_model() {
    let all = [models(&subjects()), models(&subjects().join("semantics"))].concat();
    assert!(all.len() >= 6, "{all:?}");
    for path in all {
        let model = load::read(std::slice::from_ref(&path)).unwrap();
        let printed = art::print(&model);
        let mut again = Model::default();
        art::read(&mut again, "printed.art", &printed).unwrap_or_else(|error| panic!("{}: {error}\n{printed}", path.display()));
        assert_eq!(again, model, "{}", path.display());
        assert_eq!(art::print(&again), printed);
    }
}

#[test]
fn action_code_that_does_not_compile_is_reported_at_its_element() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("m.art");
    let text = "capsule C {\n    statemachine {\n        state A;\n        begin: initial -> A `\n            int x = 1;\n            y++;\n        `;\n    };\n};\n";
    std::fs::write(&file, text).unwrap();
    let flat = load::load(std::slice::from_ref(&file)).unwrap();
    let refused = Program::build(&lower(&flat), &directory.path().join("build"), &clang(), &[]).unwrap_err();
    let RunError::Refused(errors) = &refused else { panic!("{refused}") };
    assert_eq!((errors[0].line, errors[0].column), (6, 13), "{refused}");
    assert!(refused.to_string().contains("m.art:6:13: use of undeclared identifier 'y' (line 3 of the effect of C.begin)"), "{refused}");
}

#[test]
fn what_has_no_meaning_is_refused_with_its_place() {
    let refused = |name: &str, text: &str| {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join(name);
        std::fs::write(&file, text).unwrap();
        let error = load::read(std::slice::from_ref(&file)).and_then(Flat::new).unwrap_err().to_string();
        error.replace(&format!("{}/", directory.path().display()), "")
    };
    for (text, expected) in [
        ("capsule C {\n    port p : Nowhere;\n};\n", "m.art:2:"),
        ("capsule A : B {};\ncapsule B : A {};\n", "inherits from itself"),
        ("capsule C {\n  statemachine {\n    state A;\n    initial -> B;\n  };\n};\n", "m.art:4:"),
        ("capsule C {\n  statemachine {\n    state A `;\n", "m.art:3:"),
        ("", "there is nothing in this model"),
    ] {
        let error = refused("m.art", text);
        assert!(error.starts_with("m.art") && error.contains(expected), "{error}");
    }
    let laughs = "<!DOCTYPE x [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;\">]>\n<xmi:XMI xmlns:xmi=\"http://www.omg.org/spec/XMI/20131001\">&b;</xmi:XMI>\n";
    for text in ["<xmi:XMI>", laughs, "<a/>"] {
        let error = refused("m.uml", text);
        assert!(error.starts_with("m.uml"), "{error}");
    }
}
