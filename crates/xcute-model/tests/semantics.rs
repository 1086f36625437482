//! What a model must not hold is refused, with the place in the model.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

use std::path::PathBuf;

use xcute_model::flat::Flat;
use xcute_model::load;
use xcute_model::lower::lower;
use xcute_model::run::{Program, RunError};

fn clang() -> PathBuf {
    std::env::var_os("XCUTE_CLANG").map_or_else(|| "clang-19".into(), PathBuf::from)
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
