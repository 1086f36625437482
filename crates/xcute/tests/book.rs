//! The book runs: every `console` block of README.md and docs/ is executed and must print what it shows. Each page is a test of its own.
//!
//! A block is commands (`$ …`) and their output, stdout before stderr. `? 1` is an exit code other than 0, `...` stands for any lines,
//! `[..]` for any text within a line. The blocks of a page run one after the other in one directory that sees `subjects/`; a block
//! `c` or `text` whose first line is `/* file: NAME` or `# file: NAME` is written there first.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use libtest_mimic::{Arguments, Failed, Trial};

/// One command of a page with what the page shows for it.
struct Step {
    line: usize,
    command: String,
    exit: i32,
    output: Vec<String>,
}

enum Block {
    File { name: String, text: String },
    Console(Vec<Step>),
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn blocks(page: &str) -> Vec<Block> {
    let mut found = Vec::new();
    let mut lines = page.lines().enumerate();
    while let Some((_, line)) = lines.next() {
        let Some(language) = line.strip_prefix("```") else { continue };
        let body: Vec<(usize, &str)> = lines.by_ref().take_while(|(_, line)| *line != "```").collect();
        let first = body.first().map_or("", |(_, line)| *line);
        if language == "console" {
            found.push(Block::Console(steps(&body)));
        } else if let Some((_, rest)) = first.split_once(" file: ") {
            let name = rest.split_whitespace().next().unwrap().to_owned();
            let text = body.iter().map(|(_, line)| format!("{line}\n")).collect();
            found.push(Block::File { name, text });
        }
    }
    found
}

fn steps(body: &[(usize, &str)]) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for (number, line) in body {
        if let Some(command) = line.strip_prefix("$ ") {
            steps.push(Step { line: number + 1, command: command.to_owned(), exit: 0, output: Vec::new() });
            continue;
        }
        let step = steps.last_mut().expect("a console block begins with a command");
        match line.strip_prefix("? ").and_then(|code| code.parse().ok()) {
            Some(code) => step.exit = code,
            None => step.output.push((*line).to_owned()),
        }
    }
    steps
}

/// Whether a shown line with `[..]` in it fits a printed one.
fn fits(shown: &str, printed: &str) -> bool {
    let mut parts = shown.trim_end().split("[..]");
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = printed.trim_end().strip_prefix(first) else { return false };
    let mut last = None;
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
        last = Some(part);
    }
    rest.is_empty() || last.is_some_and(|part| part.is_empty() || rest.ends_with(part))
}

/// Whether shown lines, with `...` among them, fit the printed ones.
fn all_fit(shown: &[String], printed: &[&str]) -> bool {
    match shown.split_first() {
        None => printed.is_empty(),
        Some((dots, rest)) if dots.trim() == "..." => (0..=printed.len()).any(|skipped| all_fit(rest, &printed[skipped..])),
        Some((line, rest)) => printed.split_first().is_some_and(|(first, others)| fits(line, first) && all_fit(rest, others)),
    }
}

fn run(page: &str) -> Vec<String> {
    let text = fs::read_to_string(root().join(page)).unwrap();
    let place = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(root().join("subjects"), place.path().join("subjects")).unwrap();
    let binary = Path::new(env!("CARGO_BIN_EXE_xcute")).parent().unwrap();
    let path = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap_or_default());
    let mut wrong = Vec::new();
    for block in blocks(&text) {
        match block {
            Block::File { name, text } => fs::write(place.path().join(name), text).unwrap(),
            Block::Console(steps) => {
                for step in steps {
                    let ran = Command::new("sh").args(["-c", &step.command]).current_dir(place.path()).env("PATH", &path).output().unwrap();
                    let printed = format!("{}{}", String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
                    let lines: Vec<&str> = printed.lines().collect();
                    if ran.status.code() != Some(step.exit) || !all_fit(&step.output, &lines) {
                        let Step { line, command, exit, .. } = &step;
                        wrong.push(format!(
                            "{page}:{line}: `{command}` should end with {exit}; it ended with {} and\n{printed}",
                            ran.status
                        ));
                    }
                }
            }
        }
    }
    wrong
}

/// All pages, by their path.
fn pages() -> Vec<String> {
    let docs = fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    docs.filter(|name| name.ends_with(".md")).map(|name| format!("docs/{name}")).chain(["README.md".to_owned()]).collect()
}

fn wildcards() -> Result<(), Failed> {
    assert!(fits("a [..] c", "a b c"));
    assert!(fits("a[..]", "a b c"));
    assert!(fits("[..]c", "a c b c"));
    assert!(!fits("a [..] c", "a b d"));
    assert!(!fits("a", "ab"));
    let shown = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>();
    assert!(all_fit(&shown(&["a", "...", "d"]), &["a", "b", "c", "d"]));
    assert!(!all_fit(&shown(&["a", "...", "e"]), &["a", "b", "c", "d"]));
    assert!(all_fit(&shown(&["..."]), &[]));
    Ok(())
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let examples = |page: String| {
        let wrong = run(&page);
        if wrong.is_empty() { Ok(()) } else { Err(Failed::from(wrong.join("\n"))) }
    };
    let mut tests: Vec<Trial> = pages().into_iter().map(|page| Trial::test(page.clone(), move || examples(page))).collect();
    tests.push(Trial::test("wildcards", wildcards));
    libtest_mimic::run(&arguments, tests).exit_code()
}
