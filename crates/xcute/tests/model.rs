//! `xcute model` from the command line: the gallery, replay, resume, explain, and what is said when something is wrong.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};
use tempfile::TempDir;

/// A lamp that breaks when it is switched on a third time.
const LAMP: &str = "protocol Switch {\n    in set(`bool`);\n    in hit(`int`);\n};\ncapsule Lamp {\n    service behavior port s : Switch;\n    [[rt::decl]]\n    `int times = 0;`\n    statemachine {\n        state Off;\n        state On {\n            hot: on s.hit when `*rtdata > 100` `times += 2;`;\n            cold: on s.hit;\n        };\n        initial -> Off;\n        on: Off -> On on s.set when `*rtdata`\n        `\n            times++;\n            if (times == 3)\n                throw times;\n        `;\n        off: On -> Off on s.set;\n    };\n};\n";

/// One of its messages has six paths, the other two.
const MANY: &str = "protocol Data {\n    in first(`int`);\n    in other(`int`);\n};\ncapsule Many {\n    service behavior port p : Data;\n    [[rt::decl]]\n    `int seen = 0;`\n    statemachine {\n        state A;\n        initial -> A;\n        other: A -> A on p.other\n        `\n            if (*rtdata > 1) seen++;\n            if (*rtdata > 2) seen++;\n            if (*rtdata > 3) seen++;\n            if (*rtdata > 4) seen++;\n            if (*rtdata > 5) seen++;\n        `;\n        first: A -> A on p.first\n        `\n            if (*rtdata == 9) seen--;\n        `;\n    };\n};\n";

fn gallery() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects/model")
}

/// A directory with one model.
fn place(name: &str, text: &str) -> TempDir {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join(name), text).unwrap();
    place
}

fn xcute(place: &TempDir, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_xcute")).current_dir(place.path()).args(arguments).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A model of the gallery gives what it announces, and each of its failures is replayed.
fn announced(name: &str) {
    let text = fs::read_to_string(gallery().join(name)).unwrap();
    let said: Vec<(&str, &str)> = text.lines().filter_map(|line| line.strip_prefix("//@ ")?.split_once(": ")).collect();
    let options = said.iter().find(|(what, _)| *what == "args").unwrap().1;
    let place = place(name, &text);
    let properties = said.iter().filter(|(what, _)| *what == "property").flat_map(|(_, text)| ["--property", text]);
    let arguments: Vec<&str> =
        ["model", name, "--format", "json"].into_iter().chain(options.split_whitespace()).chain(properties).collect();
    let output = xcute(&place, &arguments);
    let told = format!("{name} {options}: {} {}", stderr(&output), stdout(&output));
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {told}"));
    let mut failures = summary["failures"].as_array().unwrap().clone();
    let mut kinds: Vec<&str> = failures.iter().map(|failure| failure["kind"].as_str().unwrap()).collect();
    let mut wanted: Vec<&str> = said.iter().filter(|(what, _)| *what == "failure").map(|(_, kind)| *kind).collect();
    kinds.sort_unstable();
    wanted.sort_unstable();
    assert_eq!(kinds, wanted, "{told}");
    assert_eq!(summary["unconfirmed"].as_array().map_or(0, Vec::len), 0, "{told}");
    let complete = said.contains(&("complete", "yes"));
    assert_eq!(summary["complete"], complete, "{told}");
    let machine = &summary["coverage"]["machine"];
    for element in ["states", "transitions", "guards"] {
        assert!(machine[element]["total"].is_u64() && machine[element]["covered"] == machine[element]["total"], "{told}");
    }
    // One of each kind: replaying compiles the program.
    failures.sort_by_key(|failure| failure["kind"].to_string());
    failures.dedup_by_key(|failure| failure["kind"].to_string());
    for failure in &failures {
        let replayed = xcute(&place, &["replay", failure["case"].as_str().unwrap()]);
        assert_eq!(replayed.status.code(), Some(1), "{}{}", stdout(&replayed), stderr(&replayed));
        assert!(stdout(&replayed).contains(failure["message"].as_str().unwrap()), "{}", stdout(&replayed));
    }
}

#[test]
fn the_collision_avoidance_of_the_paper() {
    announced("ca.art");
}

#[test]
fn the_same_for_papyrus() {
    announced("ca.uml");
}

#[test]
fn the_fabric_dyeing_machine() {
    announced("fdm.art");
}

#[test]
fn a_cruise_control_with_timers() {
    announced("acc.art");
}

#[test]
fn a_lift_with_properties_and_a_monitor() {
    announced("lift.art");
}

#[test]
fn a_rover_of_several_capsules() {
    announced("rover.art");
}

#[test]
fn an_exchange_with_phones_and_a_meter() {
    announced("pbx.art");
}

#[test]
fn data_of_all_types() {
    announced("types.art");
}

/// The transitions that all sequences of a length take, and how those that fail end, by running them one by one.
fn brute_force(place: &TempDir, length: usize) -> (BTreeSet<String>, BTreeSet<String>) {
    assert!(xcute(place, &["model", "brute.art", "--cpp", "gen"]).status.success());
    let clang = ["-std=c++17", "-w", "-I", "gen", "gen/model.cpp", "-o", "gen/model"];
    assert!(Command::new("clang++-19").current_dir(place.path()).args(clang).status().unwrap().success());
    let toggles = [true, false].map(|on| json!({"send": "p.toggle", "args": [on]}));
    let levels = ["LOW", "MID", "HIGH"].map(|level| json!({"send": "p.level", "args": [level]}));
    let steps: Vec<Value> = toggles.into_iter().chain(levels).collect();
    let (mut taken, mut failed) = (BTreeSet::new(), BTreeSet::new());
    for number in 0..steps.len().pow(u32::try_from(length).unwrap()) {
        let digits = (0..length).map(|at| number / steps.len().pow(u32::try_from(at).unwrap()) % steps.len());
        let sequence = json!({"capsule": "Small", "steps": digits.map(|digit| steps[digit].clone()).collect::<Vec<_>>()});
        fs::write(place.path().join("s.json"), sequence.to_string()).unwrap();
        let run = Command::new(place.path().join("gen/model")).current_dir(place.path()).arg("s.json").output().unwrap();
        let mut unexpected = false;
        for event in stdout(&run).lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
            if event["event"] == "unexpected" {
                let text = |key: &str| event[key].as_str().unwrap().to_owned();
                failed.insert(format!("assertion failed: p.{} is not expected in state {}", text("message"), text("state")));
                unexpected = true;
                break;
            }
            taken.extend(event["name"].as_str().map(str::to_owned));
        }
        if !unexpected && run.status.signal() == Some(8) {
            failed.insert("division by zero".to_owned());
        }
    }
    (taken, failed)
}

/// The campaign is broken off and goes on, is shown again and explained.
#[test]
fn brute_force_agrees() {
    let place = place("brute.art", &fs::read_to_string(gallery().join("brute.art")).unwrap());
    let (taken, failed) = brute_force(&place, 3);
    assert!(taken.len() >= 6 && failed.contains("division by zero"), "{taken:?} {failed:?}");
    let begun = xcute(&place, &["model", "brute.art", "--capsule", "Small", "--length", "3", "--runs", "6"]);
    assert!(stdout(&begun).contains("the search is not complete"), "{}{}", stdout(&begun), stderr(&begun));
    let output = xcute(&place, &["resume", "xcute-out", "--runs", "100000", "--format", "json"]);
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", stderr(&output)));
    let found: BTreeSet<String> =
        summary["failures"].as_array().unwrap().iter().map(|failure| failure["message"].as_str().unwrap().to_owned()).collect();
    assert_eq!(found, failed);
    let covered = &summary["coverage"]["machine"]["transitions"]["covered"];
    assert_eq!((&summary["complete"], covered), (&json!(true), &json!(taken.len())), "{taken:?}");
    // What is shown is a sequence of messages; a message that a state has no transition for is a failure at the state.
    let told = stdout(&xcute(&place, &["report", "xcute-out"]));
    for wanted in [
        "every feasible path was run for sequences of up to 3 messages",
        "p.toggle(true): Off -> On.Weak",
        " in Small\n",
        "in exit of Small.On.Strong",
    ] {
        assert!(told.contains(wanted), "{wanted}: {told}");
    }
    let drawn = fs::read_to_string(place.path().join("xcute-out/machine.mermaid")).unwrap();
    assert!(drawn.starts_with("stateDiagram-v2"), "{drawn}");
    let read = |name: &str| fs::read_to_string(place.path().join("xcute-out").join(name)).unwrap();
    let drawn = read("machine.svg");
    assert!(drawn.starts_with("<svg ") && ["Strong", "Where", ">off<"].iter().all(|name| drawn.contains(name)), "{drawn}");
    assert!(read("failures/f1.svg").contains("Small") && read("failures/f1.plantuml").ends_with("@enduml\n"));
    let way = read("failures/f1.machine.svg");
    assert!(way.matches("class=\"last\"").count() == 1 && way.contains("class=\"edge taken\"") && !way.contains("untaken\""), "{way}");
    let junit = read("junit.xml");
    let counted = format!("<testsuite name=\"Small\" tests=\"{}\" failures=\"{}\"", 9 + failed.len(), failed.len());
    assert!(junit.contains(&counted) && junit.contains("<failure type=\"division-by-zero\""), "{junit}");
    let explained = xcute(&place, &["explain", "xcute-out"]);
    assert_eq!(explained.status.code(), Some(0), "{}", stderr(&explained));
}

#[test]
fn models_are_listed_printed_and_written() {
    let place = place("lamp.art", LAMP);
    assert_eq!(stdout(&xcute(&place, &["model", "lamp.art"])), "Lamp: 2 states, 5 transitions\n");
    let printed = stdout(&xcute(&place, &["model", "lamp.art", "--print"]));
    fs::write(place.path().join("again.art"), &printed).unwrap();
    assert_eq!(stdout(&xcute(&place, &["model", "again.art", "--print"])), printed);
    let written = xcute(&place, &["model", "lamp.art", "--cpp", "gen"]);
    assert_eq!(written.status.code(), Some(0), "{}", stderr(&written));
    assert!(place.path().join("gen/model.cpp").is_file() && place.path().join("gen/xm/driver.h").is_file());
}

#[test]
fn mistakes_are_named() {
    let place = place("lamp.art", LAMP);
    fs::write(place.path().join("bad.art"), LAMP.replace("times++;", "tmes++;")).unwrap();
    // Headers beside the model are found, and what is wrong in them is said of them.
    fs::write(place.path().join("own.h"), "int broken = ;\n").unwrap();
    fs::write(place.path().join("header.art"), LAMP.replace("`int times = 0;`", "`\n#include \"own.h\"\nint times = 0;`")).unwrap();
    fs::write(place.path().join("cut.art"), "capsule X {\n    port p : P;\n").unwrap();
    fs::write(place.path().join("cut.uml"), "<a><b></a>\n").unwrap();
    fs::write(place.path().join("empty.art"), "capsule X {\n};\nabstract capsule Y {\n};\n").unwrap();
    for (arguments, wanted) in [
        (&["model", "none.art"][..], "none.art: cannot be read"),
        (&["model", "cut.art"], "cut.art:3:1: expected"),
        (&["model", "cut.uml"], "cut.uml:1:"),
        (&["model", "lamp.art", "--capsule", "Lamb"], "there is no capsule \"Lamb\" (did you mean \"Lamp\"?)"),
        (&["model", "empty.art", "--capsule", "X"], "empty.art:1:1: capsule X has no state machine"),
        (&["model", "lamp.art", "--capsule", "Lamp", "--never", "s.set"], "no message set is sent through port s"),
        (&["model", "lamp.art", "--capsule", "Lamp", "--never", "set"], "cannot understand --never set"),
        (&["model", "lamp.art", "--capsule", "Lamp", "--property", "s.set leads to s.hit within 3 weeks"], "\"3 weeks\" is not a time"),
        (&["model", "lamp.art", "--capsule", "Lamp", "--monitor", "Lamb"], "there is no capsule \"Lamb\""),
        (&["model", "bad.art", "--capsule", "Lamp"], "bad.art:18:13: use of undeclared identifier 'tmes'"),
        (&["model", "header.art", "--capsule", "Lamp"], "own.h:1:14: expected expression"),
        (&["model", "bad.art", "--capsule", "Lamp"], "(line 2 of the effect of Lamp.on)"),
    ] {
        let output = xcute(&place, arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(wanted), "{arguments:?}: {}", stderr(&output));
    }
}

/// A server that answers large and small questions.
const ECHO: &str = "protocol Ask {\n    in ask(`int`);\n    out answer(`int`);\n};\ncapsule Echo {\n    service behavior port p : Ask;\n    statemachine {\n        state Ready;\n        initial -> Ready;\n        t: Ready -> Ready on p.ask `p.answer(*rtdata > 1000 ? 1 : 2).send();`;\n    };\n};\n";

/// Compiles a model as another tool would; the program.
fn generated(place: &TempDir, model: &str, name: &str) -> String {
    let (file, program) = (format!("{name}.art"), format!("{name}/model"));
    fs::write(place.path().join(&file), model).unwrap();
    assert!(xcute(place, &["model", &file, "--cpp", name]).status.success());
    let clang = ["-std=c++17", "-w", "-I", name, &format!("{name}/model.cpp"), "-o", &program];
    assert!(Command::new("clang++-19").current_dir(place.path()).args(clang).status().unwrap().success());
    program
}

#[test]
fn code_of_another_generator_is_compared() {
    let place = place("echo.art", ECHO);
    let search = ["model", "echo.art", "--capsule", "Echo", "--length", "2", "--compare"];
    let good = xcute(&place, &[&search[..], &[&generated(&place, ECHO, "good")]].concat());
    assert_eq!(good.status.code(), Some(0), "{}{}", stdout(&good), stderr(&good));
    assert!(stderr(&good).contains("sequences with good/model: 0 differ in kind"), "{}", stderr(&good));
    let bad = xcute(&place, &[&search[..], &[&generated(&place, &ECHO.replace("1 : 2", "3 : 2"), "bad")]].concat());
    assert_eq!(bad.status.code(), Some(1), "{}{}", stdout(&bad), stderr(&bad));
    let told = stdout(&bad);
    let wanted = r#"d1 difference: the model does "Echo: send p.answer(1)", the other program "Echo: send p.answer(3)""#;
    assert!(told.contains(wanted) && told.contains("replay: bad/model xcute-out/failures/d1.sequence"), "{told}");
    assert!(place.path().join("xcute-out/failures/d1.sequence").exists());
    let none = xcute(&place, &[&search[..], &["nowhere"]].concat());
    assert_eq!(none.status.code(), Some(2));
    assert!(stderr(&none).contains("cannot find nowhere"), "{}", stderr(&none));
}

/// The search finds all three in 54,000 runs ([`the_collision_avoidance_of_the_paper`]).
#[test]
fn random_testing_does_not_find_the_bugs_of_the_paper() {
    let place = place("ca.art", &fs::read_to_string(gallery().join("ca.art")).unwrap());
    let options = ["model", "ca.art", "--capsule", "CAController", "--length", "7", "--never", "steer.vibrate,steer.reverse"];
    let testing = ["--allow-unexpected", "--any-message", "--strategy", "testing", "--runs", "60000", "--format", "json"];
    let output = xcute(&place, &[&options[..], &testing].concat());
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", stderr(&output)));
    assert_eq!((&summary["failures"], &summary["runs"], &summary["complete"]), (&json!([]), &json!(60_000), &json!(false)));
}

#[test]
fn what_no_run_came_to_is_named() {
    let place = place("ca.art", &fs::read_to_string(gallery().join("ca.art")).unwrap());
    let told = stderr(&xcute(&place, &["model", "ca.art", "--capsule", "CAController", "--length", "2", "--runs", "2"]));
    let missing = told.lines().find(|line| line.contains("not covered: ")).unwrap_or_else(|| panic!("{told}"));
    assert!(
        missing.contains("state Mitigate (ca.art:64)") && missing.contains(" more (no run reached it before the search ended)"),
        "{told}"
    );
}

#[test]
fn a_set_of_transitions_is_left_after_some_runs() {
    let place = place("many.art", MANY);
    let way = |words: &[&str]| {
        let options = ["model", "many.art", "--capsule", "Many", "--length", "1", "--strategy", "dfs"];
        let text = stdout(&xcute(&place, &[&options[..], words].concat()));
        text.lines().find(|line| line.starts_with("machine")).unwrap_or_else(|| panic!("{text}")).to_owned()
    };
    // The first run sends nothing, the second a message with six paths; the other message comes when its set is left.
    for (runs, iexec, all) in [("3", "1", true), ("3", "2", false), ("4", "2", true)] {
        let seen = way(&["--runs", runs, "--iexec", iexec]);
        assert_eq!(seen.contains("transitions 3/3"), all, "{runs} runs, --iexec {iexec}: {seen}");
    }
}

#[test]
fn random_testing_finds_and_covers_less() {
    let place = place("lamp.art", LAMP);
    let way = |words: &[&str]| -> Value {
        let options =
            ["model", "lamp.art", "--capsule", "Lamp", "--length", "5", "--allow-unexpected", "--runs", "300", "--format", "json"];
        let output = xcute(&place, &[&options[..], words].concat());
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", stderr(&output)))
    };
    for words in [&["--strategy", "testing"][..], &["--strategy", "testing", "--any-message"]] {
        let (summary, again) = (way(words), way(words));
        assert_eq!((&summary["complete"], &summary["stop"], &summary["runs"]), (&json!(false), &json!("runs"), &json!(300)), "{words:?}");
        assert_eq!(summary["solver"]["queries"], json!(0), "no solver is asked");
        assert_eq!((&summary["paths"], &summary["coverage"]), (&again["paths"], &again["coverage"]), "the same seed does the same");
        let moments = summary["timeline"].as_array().unwrap();
        assert_eq!(moments.last().unwrap()["branches"], summary["coverage"]["branches"]["covered"]);
    }
    let page = fs::read_to_string(place.path().join("xcute-out/index.html")).unwrap();
    assert!(
        page.contains("Coverage and paths over time") && page.contains("The state machine Lamp") && page.contains("data:image/svg+xml,")
    );
}
