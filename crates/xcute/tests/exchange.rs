//! What `xcute report --format …` writes for other tools is valid, and says what `summary.json` says: a campaign of each language, and several together.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// A campaign of each language: its name, and the command line after `--out NAME`.
const CAMPAIGNS: &[(&str, &[&str])] = &[
    ("c", &["c", "subjects/c/callers.c", "--entry", "f"]),
    ("cpp", &["c", "subjects/cpp/exceptions.cpp", "--entry", "account"]),
    ("threads", &["c", "subjects/c/threads/fail_data_race.c"]),
    ("clp", &["clp", "subjects/clp/average.pl", "--runs", "20"]),
    ("erl", &["erl", "subjects/erl/shapes.erl"]),
    ("java", &["java", "subjects/java/Arithmetic.java", "--method", "Arithmetic.division"]),
    ("model", &["model", "subjects/model/lift.art", "--capsule", "Lift", "--length", "3", "--monitor", "Watch"]),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn schema(name: &str) -> PathBuf {
    root().join("crates/xcute/tests/schemas").join(name)
}

/// A directory that sees `subjects/`.
fn place() -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(root().join("subjects"), place.path().join("subjects")).unwrap();
    place
}

fn xcute(place: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_xcute")).current_dir(place).args(words).output().unwrap()
}

/// Runs a campaign into a directory of its name.
fn searched(place: &Path, (name, words): (&str, &[&str])) {
    let output = xcute(place, &[words, &["--out", name, "-q"]].concat());
    assert_eq!(output.status.code(), Some(1), "{name}: {}", String::from_utf8_lossy(&output.stderr));
}

/// The report of directories in this form.
fn report(place: &Path, dirs: &[&str], form: &str, more: &[&str]) -> String {
    let output = xcute(place, &[&["report"], dirs, &["--format", form], more].concat());
    assert_eq!(output.status.code(), Some(1), "{dirs:?} as {form}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The summaries below a directory.
fn summaries(path: &Path) -> Vec<Value> {
    if let Ok(text) = fs::read_to_string(path.join("summary.json")) {
        return vec![serde_json::from_str(&text).unwrap()];
    }
    let mut inner: Vec<PathBuf> = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect();
    inner.sort();
    inner.iter().flat_map(|path| summaries(path)).collect()
}

fn list<'a>(summaries: &'a [Value], what: &str) -> Vec<&'a Value> {
    summaries.iter().flat_map(|summary| summary[what].as_array().unwrap()).collect()
}

/// `xmllint` finds nothing wrong.
fn lint(words: &[&str], text: &str) {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), text).unwrap();
    let output = Command::new("xmllint").args(["--noout", "--nonet"]).args(words).arg(file.path()).output();
    let output = output.expect("xmllint is there (./x setup installs libxml2-utils)");
    assert!(output.status.success(), "{}\n{text}", String::from_utf8_lossy(&output.stderr));
}

fn valid(schema: &Value, document: &Value) {
    let validator = jsonschema::validator_for(schema).unwrap();
    let errors: Vec<String> = validator.iter_errors(document).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:#?}\n{document:#}");
}

fn json(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// The schema of SARIF. The pattern that it has for languages is not a regular expression; no document of ours has these fields.
fn sarif_schema() -> Value {
    let mut schema = json(&schema("sarif-2.1.0.json"));
    for object in ["run", "toolComponent"] {
        let language = &mut schema["definitions"][object]["properties"]["language"];
        assert!(language.as_object_mut().unwrap().remove("pattern").is_some());
    }
    schema
}

/// What of a failure other tools must know.
fn sarif_says(log: &Value, summaries: &[Value]) {
    let run = &log["runs"][0];
    let (results, failures, open) = (run["results"].as_array().unwrap(), list(summaries, "failures"), list(summaries, "unconfirmed"));
    assert_eq!(results.len(), failures.len() + open.len());
    assert_eq!(results.iter().filter(|result| result["level"] == "error").count(), failures.len());
    assert_eq!(results.iter().filter(|result| result["level"] == "warning").count(), open.len());
    for failure in failures.iter().chain(&open) {
        let same = |result: &&Value| result["properties"]["replay"] == failure["replay"];
        let result = results.iter().find(same).unwrap_or_else(|| panic!("no result for {failure}"));
        assert_eq!(result["ruleId"], failure["kind"]);
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(run["tool"]["driver"]["rules"][index]["id"], failure["kind"]);
        assert!(result["message"]["text"].as_str().unwrap().len() >= failure["message"].as_str().unwrap().len());
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["region"]["startLine"], failure["line"]);
        let (uri, file) = (place["artifactLocation"]["uri"].as_str().unwrap(), failure["file"].as_str().unwrap());
        assert!(uri.ends_with(file), "{uri} is not {file}");
        assert_eq!(place["artifactLocation"]["uriBaseId"] == "%SRCROOT%", !file.starts_with('/'), "{place}");
        let steps = failure["interleaving"].as_array().map_or(0, Vec::len);
        let flows = result["codeFlows"][0]["threadFlows"].as_array().cloned().unwrap_or_default();
        let shown: usize = flows.iter().map(|flow| flow["locations"].as_array().unwrap().len()).sum();
        let calls = failure["stack"].as_array().unwrap().len();
        assert_eq!(
            shown,
            if steps > 0 {
                steps
            } else if calls > 1 {
                calls
            } else {
                0
            }
        );
    }
    let prints: std::collections::BTreeSet<String> = results.iter().map(|result| result["partialFingerprints"].to_string()).collect();
    assert_eq!(prints.len(), results.len(), "each failure has a fingerprint of its own");
    let invocations = run["invocations"].as_array().unwrap();
    assert_eq!(invocations.len(), summaries.len());
    for (invocation, summary) in invocations.iter().zip(summaries) {
        assert_eq!(invocation["properties"]["complete"], summary["complete"]);
        assert_eq!(invocation["exitCode"], 1);
        assert_eq!(invocation["toolExecutionNotifications"].as_array().unwrap().is_empty(), summary["complete"] == true);
    }
}

fn junit_says(text: &str, summaries: &[Value], kept: usize) {
    let document = roxmltree::Document::parse(text).unwrap();
    let count = |name: &str| document.descendants().filter(|node| node.has_tag_name(name)).count();
    let (failures, open) = (list(summaries, "failures"), list(summaries, "unconfirmed"));
    assert_eq!((count("failure"), count("error"), count("testsuite")), (failures.len(), open.len(), summaries.len()));
    assert_eq!(count("testcase"), failures.len() + open.len() + kept);
    assert_eq!(document.root_element().attribute("tests"), Some(count("testcase").to_string().as_str()));
    for failure in failures {
        let (kind, replay) = (failure["kind"].as_str().unwrap(), failure["replay"].as_str().unwrap());
        let is =
            |node: &roxmltree::Node<'_, '_>| node.attribute("type") == Some(kind) && node.text().is_some_and(|text| text.contains(replay));
        assert!(document.descendants().any(|node| node.has_tag_name("failure") && is(&node)), "{replay}");
    }
    let incomplete = summaries.iter().filter(|summary| summary["complete"] == false).count();
    let said = document.descendants().filter(|node| node.attribute("name") == Some("complete") && node.attribute("value") == Some("false"));
    assert_eq!(said.count(), incomplete);
}

fn cobertura_says(text: &str, summaries: &[Value]) {
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    let document = roxmltree::Document::parse_with_options(text, options).unwrap();
    let number = |name: &str| document.root_element().attribute(name).unwrap().parse::<u64>().unwrap();
    if let [summary] = summaries {
        let coverage = &summary["coverage"];
        assert_eq!(number("lines-covered"), coverage["lines"]["covered"]);
        assert_eq!(number("lines-valid"), coverage["lines"]["total"]);
        let arms: u64 = document.descendants().filter(|node| node.has_tag_name("condition")).count() as u64;
        assert!(number("branches-valid") >= arms && number("branches-covered") <= number("branches-valid"));
    }
}

fn github_says(text: &str, summaries: &[Value]) {
    let count = |command: &str| text.lines().filter(|line| line.starts_with(&format!("::{command} "))).count();
    assert_eq!((count("error"), count("warning")), (list(summaries, "failures").len(), list(summaries, "unconfirmed").len()));
    assert_eq!(count("notice"), summaries.iter().filter(|summary| summary["complete"] == false).count());
    for failure in list(summaries, "failures") {
        assert!(text.contains(&format!(",line={}", failure["line"])), "{text}");
    }
    assert!(text.lines().all(|line| line.starts_with("::")), "{text}");
}

/// A summary is as its schema says, and has no field that the schema does not describe, but for what only its language counts.
fn described(summary: &Value) {
    let schema = json(&root().join("docs/summary.schema.json"));
    valid(&schema, summary);
    let known = |properties: &Value, name: &str| properties.get(name).is_some();
    for (name, value) in summary.as_object().unwrap() {
        assert!(known(&schema["properties"], name) || value.is_object(), "{name}");
    }
    for failure in list(std::slice::from_ref(summary), "failures") {
        let unknown = failure.as_object().unwrap().keys().find(|name| !known(&schema["$defs"]["failure"]["properties"], name));
        assert_eq!(unknown, None);
    }
}

/// The kept cases that passed, below a directory.
fn kept(path: &Path) -> usize {
    let files = |path: &Path| -> Vec<PathBuf> { fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect() };
    let passed = |path: &PathBuf| path.extension().is_some_and(|end| end == "json") && json(path)["outcome"] == "passed";
    let inner = files(path).into_iter().filter(|path| path.is_dir());
    inner.map(|path| if path.ends_with("cases") { files(&path).iter().filter(|path| passed(path)).count() } else { kept(&path) }).sum()
}

fn all_forms(place: &Path, dirs: &[&str]) {
    let summaries: Vec<Value> = dirs.iter().flat_map(|dir| summaries(&place.join(dir))).collect();
    assert!(!list(&summaries, "failures").is_empty());
    summaries.iter().for_each(described);
    let log: Value = serde_json::from_str(&report(place, dirs, "sarif", &[])).unwrap();
    valid(&sarif_schema(), &log);
    sarif_says(&log, &summaries);
    let junit = report(place, dirs, "junit", &[]);
    lint(&["--schema", schema("junit-10.xsd").to_str().unwrap()], &junit);
    junit_says(&junit, &summaries, dirs.iter().map(|dir| kept(&place.join(dir))).sum());
    let cobertura = report(place, dirs, "cobertura", &[]);
    lint(&["--dtdvalid", schema("coverage-04.dtd").to_str().unwrap()], &cobertura);
    cobertura_says(&cobertura, &summaries);
    github_says(&report(place, dirs, "github", &[]), &summaries);
    let lcov = report(place, dirs, "lcov", &[]);
    let lines = |text: &str| text.lines().filter(|line| line.starts_with("DA:")).count();
    if let [summary] = &summaries[..] {
        assert_eq!(lines(&lcov) as u64, summary["coverage"]["lines"]["total"]);
    }
}

fn of_language(name: &str) {
    let place = place();
    let campaign = CAMPAIGNS.iter().find(|(known, _)| *known == name).unwrap();
    searched(place.path(), *campaign);
    all_forms(place.path(), &[name]);
}

#[test]
fn c() {
    of_language("c");
}

#[test]
fn cpp() {
    of_language("cpp");
}

#[test]
fn threads() {
    of_language("threads");
}

#[test]
fn prolog() {
    of_language("clp");
}

#[test]
fn erlang() {
    of_language("erl");
}

#[test]
fn java() {
    of_language("java");
}

#[test]
fn models() {
    of_language("model");
}

#[test]
fn several_campaigns_are_one_document() {
    let place = place();
    for name in ["c", "threads", "erl"] {
        searched(place.path(), *CAMPAIGNS.iter().find(|(known, _)| *known == name).unwrap());
    }
    all_forms(place.path(), &["c", "threads", "erl"]);
    // A directory that holds them is the same.
    for name in ["c", "threads", "erl"] {
        fs::create_dir_all(place.path().join("all")).unwrap();
        fs::rename(place.path().join(name), place.path().join("all").join(name)).unwrap();
    }
    all_forms(place.path(), &["all"]);
    // A campaign that did not end is not passed over.
    fs::remove_file(place.path().join("all/threads/summary.json")).unwrap();
    let output = xcute(place.path(), &["report", "all", "--format", "sarif"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("xcute resume all/threads"));
}

/// A function that fails for one input, with this many lines before it.
fn program(place: &Path, lines: usize) {
    let text = "#include <assert.h>\nvoid f(int x, int y) {\n  assert(x != 77);\n  if (y > 5 && y < 3) x = 1;\n  assert(x != 79);\n}\n";
    fs::write(place.join("f.c"), "\n".repeat(lines) + text).unwrap();
}

fn prints(place: &Path) -> Vec<String> {
    let output = xcute(place, &["c", "f.c", "--entry", "f", "-q", "--report", "sarif=f.sarif", "--report", "cobertura=f.xml"]);
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let log = json(&place.join("f.sarif"));
    let mut prints: Vec<String> =
        log["runs"][0]["results"].as_array().unwrap().iter().map(|result| result["partialFingerprints"].to_string()).collect();
    prints.sort();
    prints
}

#[test]
fn the_schema_is_printed_and_refuses_what_is_wrong() {
    let place = place();
    let output = xcute(place.path(), &["report", "--schema"]);
    let schema: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), &schema), (Some(0), &json(&root().join("docs/summary.schema.json"))));
    program(place.path(), 0);
    prints(place.path());
    let file = place.path().join("xcute-out/summary.json");
    let good = json(&file);
    let validator = jsonschema::validator_for(&schema).unwrap();
    assert!(validator.is_valid(&good));
    for (path, wrong) in [("/version", 2.into()), ("/complete", "yes".into()), ("/failures/0/line", (-1).into()), ("/arms", Value::Null)] {
        let mut bad = good.clone();
        *bad.pointer_mut(path).unwrap() = wrong;
        assert!(!validator.is_valid(&bad), "{path}");
    }
    // A summary of a later xcute is not read as if it were one of this.
    let mut later = good.clone();
    later["version"] = 2.into();
    fs::write(&file, later.to_string()).unwrap();
    let output = xcute(place.path(), &["report"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("it has version 2 of the format, this xcute knows 1"));
}

#[test]
fn fingerprints_do_not_depend_on_lines_above() {
    let place = place();
    program(place.path(), 0);
    let first = prints(place.path());
    assert_eq!((first.len(), &first), (2, &prints(place.path())), "the same campaign again");
    program(place.path(), 3);
    assert_eq!(first, prints(place.path()));
}

#[test]
fn infeasible_arms_are_not_missed() {
    let place = place();
    program(place.path(), 0);
    prints(place.path());
    let summary = json(&place.path().join("xcute-out/summary.json"));
    assert!(summary["coverage"]["infeasible"].as_u64().unwrap() > 0);
    let text = fs::read_to_string(place.path().join("f.xml")).unwrap();
    assert!(text.contains("branch-rate=\"1.0000\""), "{text}");
}

#[test]
fn paths_are_relative_to_the_repository() {
    let place = place();
    fs::create_dir_all(place.path().join(".git")).unwrap();
    fs::create_dir_all(place.path().join("src/in ner")).unwrap();
    program(&place.path().join("src/in ner"), 0);
    xcute(&place.path().join("src/in ner"), &["c", "f.c", "--entry", "f", "-q", "--out", "../../out"]);
    assert!(report(place.path(), &["out"], "sarif", &[]).contains("\"uri\": \"src/in%20ner/f.c\""));
    assert!(report(place.path(), &["out"], "github", &[]).starts_with("::error file=src/in ner/f.c,line="));
    assert!(report(place.path(), &["out"], "github", &["--root", "src"]).starts_with("::error file=in ner/f.c,line="));
}
