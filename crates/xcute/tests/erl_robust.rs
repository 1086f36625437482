//! `xcute erl` on programs that misbehave: what was found is kept, what happened is said, and no emulator is left behind.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

use std::fs;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{left, marked};
use serde_json::Value;
use tempfile::TempDir;

/// One path of each function misbehaves, another one fails as usual.
const RUDE: &str = "-module(rude).
-compile([export_all, nowarn_export_all]).
-spec halts(boolean()) -> term().
halts(true) -> halt();
halts(false) -> error(found).
-spec stops(boolean()) -> term().
stops(true) -> apply(init, stop, []), receive after infinity -> ok end;
stops(false) -> error(found).
-spec kills(boolean()) -> term().
kills(true) -> [exit(P, kill) || P <- processes(), P =/= self()], receive after infinity -> ok end;
kills(false) -> error(found).
-spec huge(boolean()) -> term().
huge(true) -> length(lists:seq(1, 100000000));
huge(false) -> error(found).
-spec wide(boolean()) -> term().
wide(true) -> byte_size(binary:copy(<<0>>, 1 bsl 50));
wide(false) -> error(found).
-spec noise(boolean()) -> term().
noise(true) -> io:put_chars(<<255, 254>>), file:write(standard_error, <<200, 10>>), erlang:display(<<255>>), error(<<255, 254, \"x\">>);
noise(false) -> error(found).
-spec native(boolean()) -> term().
native(true) -> erlang:nif_error(not_loaded);
native(false) -> error(found).
-spec mute(boolean()) -> term().
mute(true) -> spawn(fun() -> receive never -> ok end end), receive answer -> ok end;
mute(false) -> error(found).
-spec loops(boolean()) -> term().
loops(true) -> loops(true);
loops(false) -> error(found).
-spec endless([integer()]) -> term().
endless([]) -> error(found);
endless(L) -> sum(L, 0).
sum([], S) -> S;
sum([X | T], S) when X > S -> sum(T, X);
sum([_ | T], S) -> sum(T, S).
";

fn place() -> TempDir {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("rude.erl"), RUDE).unwrap();
    place
}

/// The command, for one of them.
fn command(place: &TempDir, function: &str) -> Command {
    let mut command = marked(place.path());
    command.args(["erl", "rude.erl", function, "--run-time", "2s", "--format", "json"]);
    command
}

/// Whether the usual failure was found, and what else the summary says.
fn run(function: &str) -> (Value, String) {
    let place = place();
    let output = command(&place, function).args(["--runs", "20"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{function}: {error}: {said}"));
    let found = summary["failures"].as_array().unwrap().iter().any(|failure| failure["message"] == "exception error: found");
    assert!(found && output.status.code() == Some(1), "{function}: {summary} {said}");
    assert!(!left(place.path()), "{function} leaves an emulator behind");
    let text = summary.to_string();
    (summary, text)
}

#[test]
fn ends_of_the_emulator_lose_nothing() {
    assert_eq!(run("halts/1").0["complete"], true);
    for function in ["stops/1", "kills/1"] {
        let (_, text) = run(function);
        // A failure, or a limit: what the emulator had not written yet is lost.
        assert!(text.contains("ended the emulator") || text.contains("a run that ends its emulator"), "{function}: {text}");
    }
}

#[test]
fn memory_is_bounded() {
    let (summary, text) = run("huge/1");
    assert!(summary["complete"] == false && text.contains("memory"), "{text}");
    let (_, text) = run("wide/1");
    assert!(text.contains("system_limit") || text.contains("system limit") || text.contains("emulator"), "{text}");
}

#[test]
fn output_may_be_anything() {
    let (summary, text) = run("noise/1");
    assert_eq!(summary["failures"].as_array().unwrap().len(), 2, "{text}");
}

#[test]
fn native_functions_that_are_not_loaded_fail_as_they_do() {
    let (_, text) = run("native/1");
    assert!(text.contains("not_loaded"), "{text}");
}

#[test]
fn waiting_and_running_for_ever_are_failures() {
    let (_, text) = run("mute/1");
    assert!(text.contains("waits for ever"), "{text}");
    let (_, text) = run("loops/1");
    assert!(text.contains("did not end within"), "{text}");
}

/// A search that does not end by itself, and has found something.
fn started(place: &TempDir) -> Child {
    let child = command(place, "endless/1").args(["--time", "10m"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let begun = place.path().join("xcute-out/failures/f1.json");
    let start = Instant::now();
    while !begun.exists() {
        assert!(start.elapsed().as_secs() < 120, "nothing is found");
        std::thread::sleep(Duration::from_millis(10));
    }
    child
}

#[test]
fn no_emulator_outlives_a_signal() {
    for signal in ["-INT", "-KILL"] {
        let place = place();
        let mut child = started(&place);
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        child.wait().unwrap();
        assert!(!left(place.path()), "an emulator is left after {signal}");
        assert!(place.path().join("xcute-out/failures/f1.json").exists());
    }
}
