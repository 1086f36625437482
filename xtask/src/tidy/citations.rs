//! Papers are cited by key (`docs/papers.bib`), so that "section 5.3" always says of what: `[sen-marinov-agha-2006 §5.3]`.
//!
//! **Invariant.** A number of a section or figure in a comment stands in the same line as the key of its paper, or as the name of a standard.

use super::Sources;
use super::sources::Source;

const BIBLIOGRAPHY: &str = "docs/papers.bib";

/// What has numbered sections and is not a paper.
const STANDARDS: &[&str] = &["IEEE", "ISO", "JVMS", "C11", "Abstract Format", "Programming\""];

/// Words that a number of a place in a paper follows.
const PLACES: &[&str] = &["Fig. ", "Figs. ", "Figure ", "figure ", "figures ", "section ", "Section ", "Theorem ", "theorem "];

/// Checks the comments of all code that is not a test.
pub fn check(sources: &Sources) -> Vec<String> {
    let Some(bibliography) = sources.get(BIBLIOGRAPHY) else { return vec![format!("{BIBLIOGRAPHY}: is missing")] };
    let keys: Vec<&str> = bibliography.text.lines().filter_map(key).collect();
    let code = sources.files.iter().filter(|source| is_code(&source.path));
    code.flat_map(|source| file(source, &keys)).collect()
}

/// The key of an entry: `@article{KEY,`.
fn key(line: &str) -> Option<&str> {
    line.strip_prefix('@')?.split_once('{')?.1.strip_suffix(',')
}

fn is_code(path: &str) -> bool {
    let place = path.contains("/src/") || path.starts_with("runtimes/");
    place
        && (path.ends_with(".rs") || path.ends_with(".c") || path.ends_with(".h"))
        && !path.contains("tests")
        && !path.starts_with("xtask/")
}

fn file(source: &Source, keys: &[&str]) -> Vec<String> {
    let mut findings = Vec::new();
    for (number, line) in (1..).zip(source.text.lines()) {
        let mut finding = |what: String| findings.push(format!("{}:{number}: {what}", source.path));
        let comment = ["//", "/*", " *"].iter().any(|mark| line.trim_end().contains(mark));
        let cited: Vec<&str> = line.split('[').skip(1).filter_map(citation).collect();
        for unknown in cited.iter().filter(|key| !keys.contains(key)) {
            finding(format!("`{unknown}` is not a key of {BIBLIOGRAPHY}"));
        }
        if comment && cited.is_empty() && names_a_place(line) && !STANDARDS.iter().any(|name| line.contains(name)) {
            finding(format!("which paper? cite it by its key of {BIBLIOGRAPHY}, as in [sen-marinov-agha-2006 §5.3]"));
        }
    }
    findings
}

/// The key that a bracket begins with: names and a year, with hyphens.
fn citation(rest: &str) -> Option<&str> {
    let key = rest.split([' ', ']']).next()?;
    let (names, year) = key.rsplit_once('-')?;
    let is_name = |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase());
    (year.len() == 4 && year.bytes().all(|byte| byte.is_ascii_digit()) && names.split('-').all(is_name)).then_some(key)
}

fn names_a_place(line: &str) -> bool {
    PLACES.iter().any(|word| line.match_indices(word).any(|(at, _)| line[at + word.len()..].starts_with(|c: char| c.is_ascii_digit())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(path: &str, text: &str) -> usize {
        check(&Sources::of(&[(BIBLIOGRAPHY, "@article{a-bc-2006,\n}\n"), (path, text)])).len()
    }

    #[test]
    fn places_need_a_paper() {
        assert_eq!(findings("crates/a/src/b.rs", "//! The algorithm of section 5.3.\n"), 1);
        assert_eq!(findings("crates/a/src/b.rs", "//! The algorithm [a-bc-2006 §5.3].\n"), 0);
        assert_eq!(findings("crates/a/src/b.rs", "//! As IEEE 754, section 5.3, has it.\n"), 0);
        assert_eq!(findings("crates/a/src/b.rs", "//! The atomic section that began.\n"), 0);
        assert_eq!(findings("crates/a/tests/b.rs", "//! Fig. 3\n"), 0);
        assert_eq!(findings("runtimes/c/a.c", "/* Fig. 3 */\n"), 1);
    }

    #[test]
    fn keys_are_known() {
        assert_eq!(findings("crates/a/src/b.rs", "//! The algorithm [a-bd-2006 §5.3].\n"), 1);
        assert_eq!(findings("crates/a/src/b.rs", "let x = y[i-2006];\n"), 1);
        assert_eq!(findings("crates/a/src/b.rs", "let x = y[2006 - i];\n"), 0);
        assert_eq!(check(&Sources::of(&[("docs/a.md", "")])).len(), 1, "there must be a list");
    }
}
