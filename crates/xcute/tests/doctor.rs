//! What xcute says of the system it runs on: `xcute doctor`, `xcute --version`, completions and man pages.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

use std::process::{Command, Output};

use serde_json::Value;

/// Runs xcute, with or without the tools of this system.
fn xcute(words: &[&str], tools: bool) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xcute"));
    command.args(words);
    if !tools {
        let gone = "/nonexistent/tool";
        command.env("PATH", "/nonexistent").env("XCUTE_CLANG", gone).env("XCUTE_SWIPL", gone).env("XCUTE_ERL", gone).env("JAVA_HOME", gone);
    }
    command.output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn languages(output: &Output) -> Vec<Value> {
    let said: Value = serde_json::from_slice(&output.stdout).unwrap();
    said["languages"].as_array().unwrap().clone()
}

#[test]
fn what_is_there_has_a_version() {
    let output = xcute(&["doctor", "--format", "json"], true);
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    for language in languages(&output) {
        assert_eq!(language["ready"], true, "{language}");
        for need in language["needs"].as_array().unwrap().iter().filter(|need| need["optional"] == false) {
            assert!(need["version"].as_str().is_some_and(|version| !version.is_empty()), "{need}");
        }
    }
    assert!(stdout(&xcute(&["doctor"], true)).contains("clang version 19"));
}

#[test]
fn what_is_missing_has_a_command_and_the_words_of_the_error() {
    let output = xcute(&["doctor", "--format", "json"], false);
    assert_eq!(output.status.code(), Some(1));
    let all = languages(&output);
    for (name, tool, install) in [
        ("c", "clang-19", "clang-19"),
        ("clp", "swipl", "swi-prolog"),
        ("erl", "erl", "erlang-base"),
        ("java", "java", "openjdk"),
        ("model", "clang-19", "clang-19"),
    ] {
        let language = all.iter().find(|language| language["language"] == name).unwrap();
        let need = language["needs"].as_array().unwrap().iter().find(|need| need["name"] == tool).unwrap();
        assert_eq!((&need["found"], &language["ready"]), (&Value::Bool(false), &Value::Bool(false)), "{need}");
        assert!(need["install"].as_str().unwrap().contains(install), "{need}");
    }
    // A search ends with the same words.
    let place = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = place.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let (c, erl) = (file("a.c", "int f(int x) { return x; }\n"), file("a.erl", "-module(a).\n-export([f/1]).\nf(X) -> X.\n"));
    for (name, tool, words) in [("c", "clang-19", vec!["c", c.as_str(), "--entry", "f"]), ("erl", "erl", vec!["erl", erl.as_str(), "f/1"])]
    {
        let language = all.iter().find(|language| language["language"] == name).unwrap();
        let need = language["needs"].as_array().unwrap().iter().find(|need| need["name"] == tool).unwrap();
        let out = place.path().join(name).display().to_string();
        let ended = xcute(&[&words[..], &["--out", &out]].concat(), false);
        let said = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert_eq!(ended.status.code(), Some(2), "{said}");
        assert!(said.contains(need["missing"].as_str().unwrap()), "{said} does not say {need}");
    }
}

#[test]
fn one_language_is_looked_at_alone() {
    let output = xcute(&["doctor", "java"], true);
    assert!(stdout(&output).starts_with("java: ready\n") && !stdout(&output).contains("clang"), "{}", stdout(&output));
    let unknown = xcute(&["doctor", "cobol"], true);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("there is no language `cobol`"));
}

#[test]
fn versions() {
    let short = stdout(&xcute(&["-V"], true));
    assert_eq!(short.trim(), concat!("xcute ", env!("CARGO_PKG_VERSION")));
    let long = stdout(&xcute(&["--version"], true));
    assert!(long.starts_with(short.trim()) && long.contains("build for") && long.contains("clang version 19"), "{long}");
    assert!(stdout(&xcute(&["--version"], false)).contains("swipl: not found (see xcute doctor)"));
}

#[test]
fn completions_know_the_commands_and_options() {
    for shell in ["bash", "zsh", "fish"] {
        let output = xcute(&["completions", shell], true);
        assert_eq!(output.status.code(), Some(0));
        let text = stdout(&output);
        assert!(text.contains("doctor") && text.contains("keep-cases"), "{shell}");
        if shell == "bash" {
            let checked = Command::new("bash").args(["-n", "-c", &text]).output().unwrap();
            assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
        }
    }
}

#[test]
fn man_pages() {
    let text = stdout(&xcute(&["man"], true));
    assert!(text.contains(".TH xcute 1") && text.contains("doctor"), "{text}");
}

#[test]
fn the_help_of_new_commands_fits_a_screen_and_has_an_example() {
    for name in ["report", "doctor", "lsp", "completions", "man"] {
        let text = stdout(&xcute(&[name, "-h"], true));
        assert!(text.lines().count() <= 40 && text.contains("Example"), "{name} has {} lines:\n{text}", text.lines().count());
    }
}
