//! Rules about single files and lines: headers, length, forgotten marks, printing, paths of one machine.

use super::sources::Source;
use super::{Sources, words};

const LONGEST: usize = 800;

/// What must not stand in a line. Written in two parts, so that this file passes its own rule.
const FORBIDDEN: &[(&str, &str)] = &[
    (concat!("TO", "DO"), "unfinished work is not left in the sources"),
    (concat!("FIX", "ME"), "unfinished work is not left in the sources"),
    (concat!("XX", "X:"), "unfinished work is not left in the sources"),
    (concat!("#[ig", "nore"), "a test that does not run is not a test"),
    (concat!("../", "shared"), "the project needs nothing outside its own tree"),
    (concat!("/ro", "ot/"), "a path of one machine"),
    (concat!("/wo", "rk/"), "a path of one machine"),
];

const PRINTING: &[&str] = &["println!", "eprintln!", "print!", "eprint!"];

/// Checks every file.
pub fn check(sources: &Sources) -> Vec<String> {
    sources.files.iter().flat_map(file).collect()
}

fn file(source: &Source) -> Vec<String> {
    let mut findings = Vec::new();
    let path = &source.path;
    let code = !path.ends_with(".md") && !path.ends_with(".toml");
    let in_src = path.contains("/src/");
    let rust = path.ends_with(".rs");
    let library = rust && path.starts_with("crates/") && in_src && !path.starts_with("crates/xcute/") && !path.ends_with("/main.rs");
    if rust && in_src && !source.text.starts_with("//!") {
        findings.push(format!("{path}:1: does not open with `//!`, saying what the file is"));
    }
    let length = source.text.lines().count();
    if code && length > LONGEST {
        findings.push(format!("{path}:{length}: longer than {LONGEST} lines (split it)"));
    }
    for (number, line) in source.text.lines().enumerate() {
        for (word, why) in FORBIDDEN {
            if words::find(line, word).next().is_some() {
                findings.push(format!("{path}:{}: `{word}`: {why}", number + 1));
            }
        }
        if library && let Some(word) = PRINTING.iter().find(|word| prints(line, word)) {
            findings.push(format!("{path}:{}: `{word}`: only binaries print", number + 1));
        }
    }
    findings
}

fn prints(line: &str, word: &str) -> bool {
    !line.trim_start().starts_with("//") && words::find(line, word).next().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(path: &str, text: &str) -> usize {
        check(&Sources::of(&[(path, text)])).len()
    }

    #[test]
    fn headers() {
        assert_eq!(findings("crates/a/src/b.rs", "//! Says what it is.\n"), 0);
        assert_eq!(findings("crates/a/src/b.rs", "fn main() {}\n"), 1);
        assert_eq!(findings("crates/a/tests/b.rs", "fn main() {}\n"), 0);
    }

    #[test]
    fn length() {
        assert_eq!(findings("runtimes/c/a.c", &"x\n".repeat(LONGEST)), 0);
        assert_eq!(findings("runtimes/c/a.c", &"x\n".repeat(LONGEST + 1)), 1);
        assert_eq!(findings("docs/a.md", &"x\n".repeat(LONGEST + 1)), 0);
    }

    #[test]
    fn forbidden_words() {
        assert_eq!(findings("runtimes/c/a.c", concat!("// TO", "DO: later")), 1);
        assert_eq!(findings("runtimes/c/a.c", concat!("MASTO", "DON")), 0);
        assert_eq!(findings("docs/a.md", concat!("see /wo", "rk/notes")), 1);
        assert_eq!(findings("docs/a.md", concat!("a/wo", "rk/notes")), 0);
    }

    #[test]
    fn printing() {
        assert_eq!(findings("crates/a/src/b.rs", "//! x\nprintln!()"), 1);
        assert_eq!(findings("crates/a/src/b.rs", "//! x\n// println!()"), 0);
        assert_eq!(findings("crates/a/build.rs", "println!()"), 0);
        assert_eq!(findings("crates/a/src/main.rs", "//! x\nprintln!()"), 0);
        assert_eq!(findings("crates/xcute/src/b.rs", "//! x\nprintln!()"), 0);
    }
}
