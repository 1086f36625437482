//! Every subject in `subjects/c`, `subjects/cpp` and below: xcute must find what its first lines announce, and nothing else. Each is a test
//! of its own, named by its path: `cargo nextest run --test subjects c/threads/bank`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;

#[derive(Clone, Default)]
struct Expected {
    args: Vec<String>,
    paths: Option<u64>,
    runs: Option<u64>,
    complete: Option<bool>,
    limits: Vec<String>,
    /// How many failures there are: several may be at one line.
    ways: Option<usize>,
    bounds: Vec<String>,
    /// Whether there may be failures that could not be confirmed.
    unconfirmed: bool,
    failures: BTreeSet<(String, u64)>,
}

/// A failure is announced for all `//@ args`, or for those that contain one of several texts, or that do not: `KIND if A or B unless C`.
struct Announced<'a> {
    kind: &'a str,
    line: u64,
    when: Vec<&'a str>,
    unless: Option<&'a str>,
}

impl<'a> Announced<'a> {
    fn new(text: &'a str, line: u64) -> Announced<'a> {
        let (text, unless) = text.split_once(" unless ").map_or((text, None), |(text, unless)| (text, Some(unless.trim())));
        let (kind, when) = text.split_once(" if ").unwrap_or((text, ""));
        Announced { kind: kind.trim(), line, when: when.split(" or ").map(str::trim).collect(), unless }
    }

    fn holds(&self, args: &str) -> bool {
        self.when.iter().any(|text| args.contains(text)) && self.unless.is_none_or(|text| !args.contains(text))
    }
}

/// What is announced for each `//@ args`.
fn expected(source: &str) -> Vec<Expected> {
    let (mut all, mut failures) = (Vec::new(), Vec::new());
    for (line, text) in (1..).zip(source.lines()) {
        if let Some((_, text)) = text.split_once("//! ") {
            failures.push(Announced::new(text, line));
        }
        let Some((key, value)) = text.strip_prefix("//@ ").and_then(|t| t.split_once(": ")) else { continue };
        if key == "args" || all.is_empty() {
            all.push(Expected::default());
        }
        let e = all.last_mut().expect("one was added");
        match key {
            "args" => e.args = value.split_whitespace().map(str::to_owned).collect(),
            "paths" => e.paths = Some(value.parse().expect("paths is a number")),
            "runs" => e.runs = Some(value.parse().expect("runs is a number")),
            "complete" => e.complete = Some(value == "yes"),
            "failures" => e.ways = Some(value.parse().expect("failures is a number")),
            "unconfirmed" => e.unconfirmed = value == "yes",
            "limit" => e.limits.push(value.to_owned()),
            "bound" => e.bounds.push(value.to_owned()),
            other => panic!("what is //@ {other}?"),
        }
    }
    if all.is_empty() {
        all.push(Expected::default());
    }
    let of = |e: &Expected| {
        let args = e.args.join(" ");
        failures.iter().filter(|f| f.holds(&args)).map(|f| (f.kind.to_owned(), f.line)).collect()
    };
    all.into_iter().map(|e| Expected { failures: of(&e), ..e }).collect()
}

/// Runs one subject in one way; gives back what is wrong.
fn run_once(file: &Path, e: &Expected) -> Result<(), String> {
    let out = tempfile::tempdir().expect("a temporary directory");
    let ran = Command::new(env!("CARGO_BIN_EXE_xcute"))
        .args(["c", "--format", "json", "--no-progress", "--time", "300s", "--out"])
        .arg(out.path())
        .arg(file)
        .args(&e.args)
        .output()
        .expect("xcute can be run");
    let talk = String::from_utf8_lossy(&ran.stderr).into_owned();
    let json: Value = serde_json::from_slice(&ran.stdout).map_err(|x| format!("no JSON object ({x}): {talk}"))?;
    let mut wrong = String::new();
    let mut must = |holds: bool, what: String| {
        if !holds {
            wrong += &format!("\n    {what}");
        }
    };
    let failures: BTreeSet<(String, u64)> = json["failures"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|f| (f["kind"].as_str().unwrap_or("?").to_owned(), f["line"].as_u64().unwrap_or(0)))
        .collect();
    must(failures == e.failures, format!("failures {failures:?}, expected {:?}", e.failures));
    let ways = json["failures"].as_array().map_or(0, Vec::len);
    must(e.ways.is_none_or(|n| ways == n), format!("{ways} failures, expected {:?}", e.ways));
    must(e.unconfirmed || json["unconfirmed"] == Value::Array(Vec::new()), format!("unconfirmed {:#}", json["unconfirmed"]));
    must(e.paths.is_none_or(|n| json["paths"] == n), format!("paths {}, expected {:?}", json["paths"], e.paths));
    must(e.runs.is_none_or(|n| json["runs"].as_u64().is_some_and(|r| r <= n)), format!("runs {}, at most {:?}", json["runs"], e.runs));
    must(e.complete.is_none_or(|c| json["complete"] == c), format!("complete {}, expected {:?}", json["complete"], e.complete));
    for kind in &e.limits {
        let met = json["limits"].as_array().into_iter().flatten().any(|l| l["kind"] == kind.as_str());
        must(met, format!("no limit {kind}"));
    }
    for text in &e.bounds {
        let met = json["bounds"].as_array().into_iter().flatten().any(|b| b["text"] == text.as_str());
        must(met, format!("no bound {text} in {}", json["bounds"]));
    }
    for failure in json["failures"].as_array().into_iter().flatten() {
        let id = failure["id"].as_str().unwrap_or("?");
        must(failure["replayed"] == true, format!("{id} was not replayed"));
        // The order of its threads is kept by `xcute replay` only, which has been done.
        if failure["interleaving"].as_array().is_some_and(|steps| !steps.is_empty()) {
            continue;
        }
        if let Err(what) = fails_alone(&out.path().join(format!("failures/{id}.c")), failure["kind"].as_str().unwrap_or("?")) {
            must(false, format!("{id}: {what}"));
        }
    }
    let code = i32::from(!failures.is_empty());
    must(ran.status.code() == Some(code), format!("exit {:?}, expected {code}", ran.status.code()));
    if wrong.is_empty() {
        return Ok(());
    }
    Err(format!("{wrong}\n    stop {} arms {} limits {}", json["stop"], json["arms"], json["limits"]))
}

/// Whether the standalone test of a failure compiles with the command in it, without xcute, and fails. Only clang knows uninitialised values.
fn fails_alone(test: &Path, kind: &str) -> Result<(), String> {
    let text = std::fs::read_to_string(test).map_err(|why| format!("{}: {why}", test.display()))?;
    let command = text.lines().find_map(|line| line.strip_prefix(" *   ")).ok_or("it names no command")?;
    let command = command.strip_suffix(" && ./t").ok_or("it does not say how to run it")?;
    let (exe, object) = (test.with_extension("exe"), test.with_extension("o"));
    let command = command.replace("-o t ", &format!("-o {} ", exe.display())).replace("program.o", &object.display().to_string());
    let command = if kind == "uninitialised" { command.replace("gcc ", "clang-19 -fsanitize=memory ") } else { command };
    compile_alone(&command, test, &exe).map_err(|why| format!("{command}: {why:#}"))?;
    let mut run = Command::new("timeout");
    // One that hangs fails by being ended.
    let patience = if kind == "hang" { "1" } else { "5" };
    let run = run
        .arg(patience)
        .arg(&exe)
        .env("ASAN_OPTIONS", "detect_stack_use_after_return=1:symbolize=0")
        .output()
        .expect("timeout can be run");
    if run.status.success() { Err(format!("{} does not fail: {command}", test.display())) } else { Ok(()) }
}

/// Runs the command that compiles a test, unless all that goes into it is as it was: the command and the files it names, with the headers beside them.
fn compile_alone(command: &str, test: &Path, exe: &Path) -> anyhow::Result<()> {
    let read = |path: &Path| std::fs::read(path).unwrap_or_default();
    let words: Vec<&str> = command.split_whitespace().collect();
    let directory = test.parent().expect("a test is in a directory").display().to_string();
    let mut parts =
        vec![command.replace(&directory, "").into_bytes(), read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtimes/c/xcute.h"))];
    for path in words.iter().map(Path::new).filter(|path| path.is_file() && *path != exe) {
        parts.push(read(path));
        let beside =
            path.parent().and_then(|parent| std::fs::read_dir(parent).ok()).into_iter().flatten().flatten().map(|entry| entry.path());
        let mut headers: Vec<PathBuf> = beside.filter(|path| path.extension().is_some_and(|extension| extension == "h")).collect();
        headers.sort();
        parts.extend(headers.iter().map(|path| read(path)));
    }
    let parts: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
    xcute_oracle::made(words[0], &parts, exe, || {
        let built = Command::new("sh").arg("-c").arg(command).output()?;
        anyhow::ensure!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        Ok(())
    })
}

/// The subjects of a language, each with its path below `subjects`.
fn subjects(language: &str) -> Vec<(String, PathBuf)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects");
    let inside = |dir: &Path| -> Vec<PathBuf> {
        std::fs::read_dir(dir).expect("a directory of subjects").map(|entry| entry.expect("an entry").path()).collect()
    };
    let files = inside(&root.join(language)).into_iter().flat_map(|path| if path.is_dir() { inside(&path) } else { vec![path] });
    let files = files.filter(|path| path.extension().is_some_and(|extension| extension == language));
    files.map(|path| (path.strip_prefix(&root).expect("it is below").with_extension("").display().to_string(), path)).collect()
}

/// The tests of a subject: one for each of its `args`, numbered from 1.
fn tests((name, file): (String, PathBuf)) -> impl Iterator<Item = Trial> {
    let ways = expected(&std::fs::read_to_string(&file).expect("a readable subject"));
    let several = ways.len() > 1;
    (1..).zip(ways).map(move |(number, way)| {
        let (name, file) = (if several { format!("{name}/{number}") } else { name.clone() }, file.clone());
        let run = move || run_once(&file, &way).map_err(|what| Failed::from(format!("{} {what}", way.args.join(" "))));
        Trial::test(name, run)
    })
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let tests: Vec<Trial> = ["c", "cpp"].into_iter().flat_map(subjects).flat_map(tests).collect();
    assert!(!tests.is_empty(), "there are no subjects");
    libtest_mimic::run(&arguments, tests).exit_code()
}
