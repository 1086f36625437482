//! Every error message of the sources is shown by a test.
//!
//! A message is a text of two words or more in `bail!`, `anyhow!`, `#[error]`, `context`, `with_context`, what makes the errors of a parser, and what is said to the user. It is shown where a test, a page of the book or a subject has a piece of it
//! that is long enough to be no accident.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// What comes before a message.
const MARKS: &[&str] =
    &["bail!(", "anyhow!(", "#[error(", ".context(", "with_context(||", "with_context(|| format!(", "with_context(|| {", "|| format!("];
/// What takes a message as one of its arguments.
const CALLS: &[&str] = &["ModelError::new(", ".error(", "Err(format!(", "fail(", "Refused(", "talk::say(", "map_err(|error| format!("];
/// A message is among the first characters of a call.
const NEAR: usize = 160;
/// Messages that no test can bring about, and why.
const NEVER: &[(&str, &str)] = &[
    ("{} is read and not initialised", "a reason of pruning, which is counted and never said"),
    ("budgets: the run is an error: {error}", "said to those who write a front end, by the conformance suite"),
    ("cannot load {name}: {}", "the emulator refuses a module that it has compiled itself"),
    ("SWI-Prolog says: {message}", "the message is SWI-Prolog's"),
    ("the protocol has no container", "an element of XML has one"),
];
/// A piece of a message with this many characters is not there by accident.
const PIECE: usize = 14;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn files(below: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(below).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() { files(&path, found) } else { found.push(path) }
    }
}

/// The literal at the beginning of a text, after white space.
fn literal(text: &str) -> Option<String> {
    let mut rest = text.trim_start().strip_prefix('"')?.chars();
    let mut out = String::new();
    while let Some(c) = rest.next() {
        match c {
            '"' => return Some(out),
            '\\' => match rest.next()? {
                // The rest of a line that goes on.
                '\n' => {
                    let left = rest.as_str().trim_start();
                    rest = left.chars();
                }
                'n' => out.push('\n'),
                other => out.push(other),
            },
            other => out.push(other),
        }
    }
    None
}

/// The messages of a source.
fn messages(text: &str, all: &mut BTreeSet<String>) {
    for mark in MARKS {
        for (at, _) in text.match_indices(mark) {
            let message = literal(&text[at + mark.len()..]).filter(|message| message.contains(' '));
            all.extend(message.filter(|message| pieces(message).iter().any(|piece| piece.len() >= 3)));
        }
    }
    for call in CALLS {
        for (at, _) in text.match_indices(call) {
            let rest = &text[at + call.len()..];
            let end = rest.char_indices().map(|(at, _)| at).nth(NEAR).unwrap_or(rest.len());
            let end = [";", "{\n"].iter().filter_map(|stop| rest[..end].find(stop)).min().unwrap_or(end);
            let message = rest[..end].find('"').and_then(|quote| literal(&rest[quote..])).filter(|message| message.contains(' '));
            all.extend(message.filter(|message| pieces(message).iter().any(|piece| piece.len() >= 3)));
        }
    }
}

/// What is always the same in a message.
fn pieces(message: &str) -> Vec<String> {
    let (mut all, mut piece, mut inside) = (Vec::new(), String::new(), false);
    for c in message.chars() {
        match c {
            '{' | '\n' => {
                inside = c == '{';
                all.push(std::mem::take(&mut piece).trim().to_owned());
            }
            '}' if inside => inside = false,
            c if !inside => piece.push(c),
            _ => {}
        }
    }
    all.push(piece.trim().to_owned());
    all.retain(|piece| !piece.is_empty());
    all
}

/// Whether a piece of the message, some words of it, is among the texts of tests.
fn is_shown(message: &str, tests: &str) -> bool {
    pieces(message).iter().any(|piece| {
        let words: Vec<&str> = piece.split(' ').collect();
        let long = |part: &str| part.len() >= PIECE.min(piece.len()) && part.len() >= 3;
        // What begins with a word and is just long enough: where more is there, this is.
        let shortest = |from: usize| (from + 1..=words.len()).map(|to| words[from..to].join(" ")).find(|part| long(part));
        let parts = (0..words.len()).filter_map(shortest).filter(|part| part.len() < PIECE + 24);
        parts.into_iter().any(|part| tests.contains(&part) || part.contains('"') && tests.contains(&part.replace('"', "\\\"")))
    })
}

#[test]
fn every_message_is_shown_by_a_test() {
    let (root, mut all) = (root(), Vec::new());
    files(&root.join("crates"), &mut all);
    // The oracle and the measurements are not for users.
    let own = |path: &PathBuf| {
        !path.starts_with(root.join("crates/xcute-oracle")) && !path.components().any(|part| part.as_os_str() == "benches")
    };
    let (mut found, mut tests) = (BTreeSet::new(), String::new());
    for path in all.iter().filter(|path| own(path)) {
        let Ok(text) = fs::read_to_string(path) else { continue };
        let of_tests = path.components().any(|part| part.as_os_str() == "tests") || path.ends_with("tests.rs");
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        match (path.extension().is_some_and(|end| end == "rs"), of_tests) {
            (_, true) => tests += &text,
            (true, false) => {
                messages(code, &mut found);
                tests += &text[code.len()..];
            }
            (false, false) => {}
        }
    }
    let mut book = vec![root.join("README.md")];
    files(&root.join("docs"), &mut book);
    files(&root.join("subjects"), &mut book);
    book.iter().filter_map(|path| fs::read_to_string(path).ok()).for_each(|text| tests += &text);
    let tests = tests.replace("\\\n", " ").split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(found.len() > 400, "{}", found.len());
    let never = |message: &String| NEVER.iter().any(|(never, _)| never == message);
    assert!(NEVER.iter().all(|(never, _)| found.contains(*never)), "a message is gone that no test could show");
    let unshown: Vec<String> =
        found.iter().filter(|message| !never(message) && !is_shown(message, &tests)).map(|message| message.replace('\n', "\\n")).collect();
    assert!(unshown.is_empty(), "no test shows these messages: write one\n{}", unshown.join("\n"));
}
