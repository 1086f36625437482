//! The page of a campaign of each language, clicked through in a real browser: Chromium without a window.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// What a person does with the page.
const CLICKS: &str = include_str!("page/click.js");

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The browser; `./x setup` installs one of these.
fn browser() -> Command {
    let name = ["chromium-headless-shell", "chromium"].into_iter().find(|name| Command::new(name).arg("--version").output().is_ok());
    // A browser under load may hang as it starts.
    let mut command = Command::new("timeout");
    command.args(["--kill-after=5", "60", name.expect("a browser (./x setup installs it)")]).args([
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--virtual-time-budget=15000",
        "--dump-dom",
    ]);
    command
}

/// Clicks through a page in a window of this width, and says what was seen.
fn clicked(page: &Path, width: u32) -> Value {
    looked(page, width, false)
}

/// The same in the colours of a system that is dark.
fn looked(page: &Path, width: u32, dark: bool) -> Value {
    let copy = page.with_file_name("clicked.html");
    let text = fs::read_to_string(page).unwrap().replace("</body>", &format!("<script>{CLICKS}</script></body>"));
    fs::write(&copy, text).unwrap();
    let visit = || {
        let profile = tempfile::tempdir().unwrap();
        let mut browser = browser();
        browser.arg(format!("--user-data-dir={}", profile.path().display())).arg(format!("--window-size={width},900"));
        browser.arg(format!("--blink-settings=preferredColorScheme={}", if dark { 0 } else { 1 }));
        browser.arg(format!("file://{}", copy.display())).output().unwrap()
    };
    let first = visit();
    // One that has much to do may lose a page.
    let whole = |output: &Output| output.status.success() && String::from_utf8_lossy(&output.stdout).contains("<pre id=\"seen\">");
    let output = if whole(&first) { first } else { visit() };
    let dom = String::from_utf8(output.stdout).unwrap();
    let seen = dom.rsplit_once("<pre id=\"seen\">").and_then(|(_, rest)| rest.split_once("</pre>")).map(|(seen, _)| seen);
    let seen = seen.unwrap_or_else(|| panic!("{}\n{}", String::from_utf8_lossy(&output.stderr), &dom[dom.len().saturating_sub(2000)..]));
    let plain = seen.replace("&lt;", "<").replace("&gt;", ">").replace("&nbsp;", "\u{a0}").replace("&amp;", "&");
    serde_json::from_str(&plain).unwrap()
}

/// Searches, and clicks through the page; what every page must do.
fn campaign(words: &[&str]) -> Value {
    let place = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(root().join("subjects"), place.path().join("subjects")).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_xcute"))
        .current_dir(place.path())
        .args(words)
        .args(["--out", "out", "-q", "--profile"])
        .output()
        .unwrap();
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}", String::from_utf8_lossy(&output.stderr));
    let out = place.path().join("out");
    let seen = clicked(&out.join("index.html"), 1200);
    assert_eq!(seen["errors"], Value::Array(Vec::new()), "{seen:#}");
    assert_eq!(seen["dead"], Value::Array(Vec::new()), "links lead somewhere: {seen:#}");
    let files: Vec<&str> = seen["files"]
        .as_array()
        .unwrap()
        .iter()
        .chain(seen["cases"].as_array().into_iter().flatten())
        .map(|file| file.as_str().unwrap())
        .collect();
    let missing: Vec<&&str> = files.iter().filter(|file| !out.join(file).is_file()).collect();
    assert!(missing.is_empty(), "{missing:?} are linked and not there");
    profile(&out);
    assert!(seen["footer"].as_str().unwrap().contains(&format!("xcute {}", words[0])), "{seen:#}");
    let failures = seen["failures"].as_u64().unwrap();
    if failures > 0 {
        assert_eq!((&seen["folded"], &seen["unfolded"], &seen["copied"]), (&true.into(), &true.into(), &"copied".into()), "{seen:#}");
        assert!(seen["command"].as_str().unwrap().starts_with("xcute replay "), "{seen:#}");
        assert!(seen["colour"].as_str().unwrap().contains("bad"), "{seen:#}");
    }
    if !seen["arms"].is_null() {
        assert!(
            seen["closed"] == true && seen["arrived"] == true && seen["explain"].as_str().unwrap().starts_with("xcute explain "),
            "{seen:#}"
        );
        assert!(!seen["cases"].as_array().unwrap().is_empty(), "the case of an arm is one click away: {seen:#}");
    }
    assert_eq!(seen["caseless"], Value::Array(Vec::new()), "every line that ran has its case: {seen:#}");
    assert!(seen["sorted"].is_null() || seen["sorted"] == true, "{seen:#}");
    assert!(seen["shut"].as_u64() == Some(1) && seen["again"].as_u64() > Some(1) && seen["nothing"] == "nothing", "{seen:#}");
    works(&seen);
    let narrow = looked(&out.join("index.html"), 500, true);
    works(&narrow);
    assert_eq!((&seen["dark"], &narrow["dark"]), (&false.into(), &true.into()));
    assert_eq!((&narrow["parts"], &narrow["verdict"]), (&seen["parts"], &seen["verdict"]), "narrow or wide, light or dark: {narrow:#}");
    seen
}

/// What was clicked did what it is for, wherever it was; nothing is wider than the window, and all of it can be read.
fn works(seen: &Value) {
    for what in ["errors", "dead", "unsorted", "lost", "uncopied", "zeros", "faint"] {
        assert_eq!(seen[what], Value::Array(Vec::new()), "{what}: {seen:#}");
    }
    for what in ["back", "slash", "left"] {
        assert_eq!(seen[what], true, "{what}: {seen:#}");
    }
    assert_eq!((&seen["closedStill"], &seen["overflow"]), (&0.into(), &false.into()), "{seen:#}");
}

/// What a page of this campaign has to show: these parts, besides those of all pages, and no others.
fn shows(seen: &Value, own: &[&[&str]]) {
    let parts: BTreeSet<&str> = seen["parts"].as_array().unwrap().iter().map(|part| part.as_str().unwrap()).collect();
    let all = EVERYWHERE.iter().chain(own.iter().copied().flatten()).copied().collect::<BTreeSet<&str>>();
    let (missing, others): (Vec<_>, Vec<_>) = (all.difference(&parts).collect(), parts.difference(&all).collect());
    assert!(missing.is_empty() && others.is_empty(), "missing {missing:?}, not expected {others:?}");
}

/// What is on each page of a search that ran something.
const EVERYWHERE: &[&str] = &[
    "verdict",
    "contents",
    "coverage",
    "figures",
    "time",
    "profile",
    "timeline",
    "tree",
    "find",
    "legend",
    "ran",
    "provenance",
    "command",
];

/// What each failure has, in every language.
const FAILURE: &[&str] = &["failure", "excerpt", "stack", "replay", "case", "test", "fails", "functions"];

/// The profile has all phases, and its picture is one that a browser shows.
fn profile(out: &Path) {
    let stacks = fs::read_to_string(out.join("profile.folded")).unwrap();
    for phase in ["building", "searching;subject;program", "searching;tree", "writing"] {
        assert!(stacks.lines().any(|line| line.starts_with(phase)), "{phase}: {stacks}");
    }
    let summary: Value = serde_json::from_str(&fs::read_to_string(out.join("summary.json")).unwrap()).unwrap();
    if summary["solver"]["queries"].as_u64() > Some(0) {
        assert!(stacks.contains("searching;solver;opt1"), "{stacks}");
    }
    let picture = fs::read_to_string(out.join("profile.svg")).unwrap();
    let drawn = roxmltree::Document::parse(&picture).unwrap();
    let named =
        |name: &str| drawn.descendants().any(|node| node.has_tag_name("title") && node.text().is_some_and(|text| text.starts_with(name)));
    assert!(named("searching: ") && named("building: "), "{picture}");
    assert!(!picture.contains("href") && !picture.contains("url("), "it loads nothing");
}

/// How many of something there are.
fn count(seen: &Value, what: &str) -> u64 {
    seen[what].as_u64().unwrap_or_else(|| panic!("{what}: {seen:#}"))
}

/// What variables held where it failed.
fn held(seen: &Value) -> &str {
    seen["held"].as_str().unwrap_or_else(|| panic!("{seen:#}"))
}

#[test]
fn c_with_pointers() {
    let seen = campaign(&["c", "subjects/c/testme.c", "--entry", "testme"]);
    shows(&seen, &[FAILURE, &["values", "inputs", "memory", "layers", "arms", "reached by"]]);
    assert_eq!(seen["verdict"], "1 failure; every feasible path was run.");
    assert!(count(&seen, "memory") >= 2 && seen["excerpt"] == true, "{seen:#}");
    assert!(seen["held"].as_str().unwrap().contains("x=") || seen["held"].as_str().unwrap().contains("p="), "{seen:#}");
    assert!(seen["found"].as_str().unwrap().contains("1 decision") && seen["revealed"] == true, "{seen:#}");
    assert!(seen["colours"].as_str().unwrap().contains('k'), "{seen:#}");
    assert!(seen["files"].as_array().unwrap().contains(&"failures/f1.c".into()), "{seen:#}");
}

/// Of a long source only what is looked at is made, and a link to any line makes it; without scripts all of it is there.
#[test]
fn long_sources_are_made_when_they_are_looked_at() {
    let place = tempfile::tempdir().unwrap();
    let head = "int f(int x) {\n  if (x == 7)\n    return 1;\n  return 0;\n}\n";
    let text = (0..6000).map(|at| format!("// line {at} <b>\n")).collect::<String>() + "int g(int x) {\n  return 7 / x;\n}\n";
    fs::write(place.path().join("long.c"), format!("{head}{text}int h(int x) {{ return f(x) + g(x); }}\n")).unwrap();
    let words = ["c", "long.c", "--entry", "h", "-q"];
    let output = Command::new(env!("CARGO_BIN_EXE_xcute")).current_dir(place.path()).args(words).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let page = place.path().join("xcute-out/index.html");
    let seen = clicked(&page, 1200);
    assert_eq!((&seen["errors"], &seen["excerpt"]), (&Value::Array(Vec::new()), &true.into()), "{seen:#}");
    let (first, jumped, all) = (count(&seen, "made"), count(&seen, "jumped"), count(&seen, "whole"));
    assert!(first < 1000 && first < jumped && jumped < 1500 && all == 6009, "{seen:#}");
    assert_eq!(seen["line"], "6007", "{seen:#}");
    let text = fs::read_to_string(&page).unwrap();
    assert!(text.contains("<noscript>") && text.contains("// line 5999 &lt;b&gt;"));
}

/// Of many functions the first hundred are shown; a search and a button show the others.
#[test]
fn long_tables_are_shown_when_they_are_asked_for() {
    let place = tempfile::tempdir().unwrap();
    let functions: String = (0..400).map(|at| format!("int f{at}x(int x) {{ return x > {at}; }}\n")).collect();
    fs::write(place.path().join("many.c"), functions).unwrap();
    let words = ["c", "many.c", "--entry", "f7x", "-q"];
    let output = Command::new(env!("CARGO_BIN_EXE_xcute")).current_dir(place.path()).args(words).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let seen = clicked(&place.path().join("xcute-out/index.html"), 1200);
    assert_eq!(seen["errors"], Value::Array(Vec::new()), "{seen:#}");
    let counts = ["few", "filtered", "unfiltered", "rows"].map(|what| count(&seen, what));
    assert_eq!((counts, &seen["dropped"]), ([100, 1, 100, 400], &true.into()), "{seen:#}");
}

#[test]
fn a_search_that_is_not_complete() {
    let seen = campaign(&["c", "subjects/c/binary_search.c", "--runs", "3"]);
    shows(&seen, &[&["next step", "functions", "layers", "partly", "missed", "arms", "reached by"]]);
    assert!(seen["colour"].as_str().unwrap().contains("open"), "{seen:#}");
    assert!(seen["next"].as_str().unwrap().contains("xcute resume out --runs 6"), "{seen:#}");
    assert!(count(&seen, "partly") > 0 && seen["missed"].as_str().unwrap().contains("here"), "{seen:#}");
}

#[test]
fn failures_that_are_reached_in_several_ways() {
    let seen = campaign(&["c", "subjects/c/callers.c", "--entry", "f"]);
    shows(&seen, &[FAILURE, &["values", "inputs", "other way", "layers", "arms", "reached by"]]);
    assert_eq!(seen["verdict"], "3 failures (reached in 8 ways); every feasible path was run.");
}

/// What was cut is listed, with what it means and what to do.
#[test]
fn a_search_of_which_something_was_cut() {
    let seen = campaign(&["c", "subjects/c/callers.c", "--entry", "f", "--depth", "1", "--stop-at", "first-failure"]);
    let parts = seen["parts"].as_array().unwrap();
    assert!(["limits", "advice", "next step"].iter().all(|part| parts.contains(&(*part).into())), "{parts:?}");
}

#[test]
fn a_search_that_is_complete() {
    let seen = campaign(&["c", "subjects/c/binary_search.c"]);
    shows(&seen, &[&["functions", "layers", "arms", "reached by"]]);
    assert!(seen["colour"].as_str().unwrap().contains("good") && seen["next"] == "" && count(&seen, "partly") == 0, "{seen:#}");
}

#[test]
fn threads() {
    let seen = campaign(&["c", "subjects/c/threads/fail_data_race.c"]);
    shows(&seen, &[FAILURE, &["lanes", "marked step", "end", "arms", "reached by"]]);
    assert!(count(&seen, "lanes") >= 2 && count(&seen, "end") == 1, "{seen:#}");
}

#[test]
fn prolog() {
    let seen = campaign(&["clp", "subjects/clp/average.pl", "--goal", "average/2", "--ground", "1", "--term-depth", "2"]);
    shows(&seen, &[FAILURE, &["values", "inputs", "layers", "choices", "reached by"]]);
    assert_eq!(seen["verdict"], "1 failure; every feasible path was run for terms of depth up to 2.");
    assert_eq!((held(&seen), &seen["excerpt"]), ("Xs=[] A=_ S=0 N=0", &true.into()), "{seen:#}");
}

#[test]
fn erlang() {
    let seen = campaign(&["erl", "subjects/erl/shapes.erl", "area/1"]);
    shows(&seen, &[FAILURE, &["values", "inputs", "layers", "arms"]]);
    assert_eq!((count(&seen, "failures"), seen["open"][0].clone()), (2, true.into()));
    assert!(!held(&seen).is_empty() && seen["excerpt"] == true, "{seen:#}");
}

#[test]
fn java() {
    let seen = campaign(&["java", "subjects/java/Paper.java", "--method", "Paper.testme"]);
    shows(&seen, &[FAILURE, &["values", "inputs", "memory", "layers", "unreachable", "arms", "reached by"]]);
    assert!(count(&seen, "memory") >= 2 && count(&seen, "functions") > 0, "{seen:#}");
    assert!(held(&seen).starts_with("p=Paper$Cell x=") && seen["excerpt"] == true, "{seen:#}");
}

#[test]
fn cpp() {
    let seen = campaign(&["c", "subjects/cpp/vector.cpp", "--entry", "median"]);
    shows(&seen, &[FAILURE, &["values", "inputs", "layers", "unreachable", "arms", "reached by"]]);
    assert!(count(&seen, "failures") == 1 && held(&seen).contains("checked=") && seen["excerpt"] == true, "{seen:#}");
}

#[test]
fn models() {
    let seen = campaign(&["model", "subjects/model/ca.art", "--capsule", "CAController"]);
    let own = ["values", "inputs", "failure drawing", "machine", "layers", "unreachable", "arms", "reached by"];
    shows(&seen, &[FAILURE, &own]);
    assert!(count(&seen, "drawings") == 3, "the way to the failure, its messages, and what was covered: {seen:#}");
}

/// The first program of the README, with the name of its file.
fn first_example(readme: &str) -> (String, String) {
    let (_, rest) = readme.split_once("/* file: ").unwrap();
    let (name, rest) = rest.split_once(" */\n").unwrap();
    (name.to_owned(), rest.split_once("```").unwrap().0.to_owned())
}

/// A newcomer who has only the README: runs the demo, opens its page, changes the example, finds the bug, and runs the test that is written for it.
#[test]
fn a_newcomer_follows_the_readme() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    assert!(readme.starts_with("# xcute\n\n```sh\n./x demo "), "the README begins with the command");
    let demo = Command::new(root().join("x")).args(["demo", "--binary", env!("CARGO_BIN_EXE_xcute")]).output().unwrap();
    let told = String::from_utf8_lossy(&demo.stdout).into_owned() + &String::from_utf8_lossy(&demo.stderr);
    assert!(demo.status.success(), "{told}");
    let page = told.lines().rev().find_map(|line| line.split_once("look at ")).unwrap().1.trim_end_matches('.').to_owned();
    let seen = clicked(&root().join(page), 1200);
    assert_eq!((&seen["verdict"], count(&seen, "memory") >= 2), (&"1 failure; every feasible path was run.".into(), true), "{seen:#}");
    let (name, text) = first_example(&readme);
    let place = tempfile::tempdir().unwrap();
    assert!(text.contains("2 * x + 1"), "{text}");
    fs::write(place.path().join(&name), text.replace("2 * x + 1", "5 * x - 3")).unwrap();
    let path = format!("{}:{}", Path::new(env!("CARGO_BIN_EXE_xcute")).parent().unwrap().display(), std::env::var("PATH").unwrap());
    let shell = |line: &str| {
        let output = Command::new("sh").args(["-c", line]).current_dir(place.path()).env("PATH", &path).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr))
    };
    let command = readme.lines().find_map(|line| line.strip_prefix("$ xcute c ")).unwrap();
    let (exit, text) = shell(&format!("xcute c {command}"));
    assert!(exit == Some(1) && text.contains("p->next  = p"), "{text}");
    let word = |name: &str| -> i64 {
        let line = text.lines().find_map(|line| line.trim().trim_start_matches("with ").trim().strip_prefix(name)).unwrap();
        line.trim().trim_start_matches("= ").parse().unwrap()
    };
    // The machine's arithmetic, as C has it with -fwrapv.
    assert_eq!((5 * word("x") - 3) as i32, word("p->value") as i32, "{text}");
    let replay = text.lines().find_map(|line| line.trim().strip_prefix("replay: ")).unwrap().to_owned();
    assert!(shell(&replay).1.contains("abort was called"), "{}", shell(&replay).1);
    let (_, test) = shell("grep -o 'gcc .*' xcute-out/failures/f1.c");
    let (exit, said) = shell(&test);
    assert_eq!(exit, Some(134), "{test}{said}");
}
