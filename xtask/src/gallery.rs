//! `docs/gallery.md`: the programs in `subjects`, one line each, made from their first lines.
//!
//! **Invariant.** The page is what the subjects say: `./x docs` writes it, `./x check` compares it.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

const PAGE: &str = "docs/gallery.md";

/// Folder, heading, endings of files.
const LANGUAGES: &[(&str, &str, &[&str])] = &[
    ("c", "C", &["c"]),
    ("cpp", "C++", &["cpp"]),
    ("clp", "Prolog and CLP", &["pl"]),
    ("erl", "Erlang", &["erl"]),
    ("java", "Java", &["java"]),
    ("model", "Models", &["art", "uml"]),
    ("programs", "Whole programs", &["c", "cpp"]),
];

/// Writes the page.
pub fn write(root: &Path) -> Result<()> {
    fs::write(root.join(PAGE), page(root)?).with_context(|| format!("cannot write {PAGE}"))
}

/// A finding if the page is not what the subjects say.
pub fn check(root: &Path) -> Result<Option<String>> {
    let written = fs::read_to_string(root.join(PAGE)).unwrap_or_default();
    Ok((written != page(root)?).then(|| format!("{PAGE}:1: is not what the subjects say (run ./x docs)")))
}

fn page(root: &Path) -> Result<String> {
    let mut out = String::from(
        "# Gallery\n\nThe programs in [`subjects`](../subjects): each is run by the tests, and says in its first lines what must be found in it.\n",
    );
    for (folder, heading, endings) in LANGUAGES {
        let mut files = Vec::new();
        collect(&root.join("subjects").join(folder), endings, &mut files)?;
        files.sort();
        let _ = write!(out, "\n## {heading}\n\n| program | what it is | what is found |\n|---|---|---|\n");
        for file in files {
            let text = fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
            let path = file.strip_prefix(root.join("subjects")).unwrap_or(&file).display().to_string();
            let _ = writeln!(out, "| [`{path}`](../subjects/{path}) | {} | {} |", description(&text), found(&text));
        }
    }
    Ok(out)
}

fn collect(directory: &Path, endings: &[&str], into: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(directory).with_context(|| format!("cannot read {}", directory.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, endings, into)?;
        } else if path.extension().is_some_and(|ending| endings.iter().any(|one| ending == *one)) {
            into.push(path);
        }
    }
    Ok(())
}

/// The first sentence of the first comment that is not an announcement.
fn description(text: &str) -> String {
    let comment = |line: &str| {
        let line = line.trim();
        let body = ["//", "%%", "%", "/**", "/*", "<!--"].iter().find_map(|mark| line.strip_prefix(mark))?;
        Some(body.trim_end_matches("*/").trim_end_matches("-->").trim().to_owned()).filter(|body| !body.starts_with(['@', '!']))
    };
    let mut lines = text.lines().map(comment).skip_while(|body| body.as_ref().is_none_or(String::is_empty));
    let whole: Vec<String> = lines.by_ref().map_while(|body| body).collect();
    let whole = whole.join(" ");
    let ends = |(at, _): &(usize, &str)| !whole[..*at].ends_with("Fig");
    let end = whole.match_indices(". ").find(ends).map_or(whole.len(), |(at, _)| at + 1);
    whole[..end].replace('|', "\\|").replace('<', "&lt;").replace('[', "\\[")
}

/// The kinds of failures that are announced.
fn found(text: &str) -> String {
    let announced = |line: &str| {
        let at_the_line = line.split_once("//! ").map(|(_, kind)| kind);
        let in_the_head = line.split_once("@ failure: ").map(|(_, kind)| kind);
        at_the_line.or(in_the_head)?.split_whitespace().next().map(str::to_owned)
    };
    let kinds: BTreeSet<String> = text.lines().filter_map(announced).collect();
    if kinds.is_empty() { "no failure".to_owned() } else { kinds.into_iter().collect::<Vec<_>>().join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_comes_from_the_first_lines() {
        let c = "//@ args: --entry f\n//@ complete: yes\n// A list that points to itself. No hint.\n#include <stdlib.h>\nabort(); //! abort if X\n";
        assert_eq!((description(c).as_str(), found(c).as_str()), ("A list that points to itself.", "abort"));
        let erl = "%% Tuples, guards and\n%% arithmetic.\n%@ failure: badarith\n%@ failure: badarith\n";
        assert_eq!((description(erl).as_str(), found(erl).as_str()), ("Tuples, guards and arithmetic.", "badarith"));
        assert_eq!((description("int x;").as_str(), found("int x;").as_str()), ("", "no failure"));
    }

    #[test]
    fn the_page_is_up_to_date() {
        assert_eq!(check(&crate::shell::root()).unwrap(), None);
    }
}
