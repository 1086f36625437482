//! What all languages together say of limits is complete, and is what the documentation says.

use std::fs;
use std::path::Path;

use xcute_report::{LIMIT_KINDS, LimitKind};

use super::ALL;

/// The kinds of limits that are known: those of all languages, and of each.
fn known() -> impl Iterator<Item = &'static LimitKind> {
    LIMIT_KINDS.iter().chain(ALL.iter().flat_map(|language| language.limits()))
}

/// The texts that follow a marker, up to the next quotation mark.
fn quoted<'a>(text: &'a str, marker: &str) -> Vec<&'a str> {
    text.split(marker).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

/// The text of all source files below a directory.
fn sources(directory: &Path, text: &mut String) {
    for entry in fs::read_dir(directory).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, text);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            text.push_str(&fs::read_to_string(path).unwrap());
        }
    }
}

#[test]
fn every_reason_for_a_search_that_is_not_complete_is_explained() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut text = String::new();
    for entry in fs::read_dir(root.join("crates")).unwrap().flatten() {
        sources(&entry.path().join("src"), &mut text);
    }
    // A call may go over several lines.
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ").replace("( ", "(");
    let markers = [
        "let kind = if found.failure.kind == FailureKind::Hang { \"steps\" } else { \"",
        "limit(\"",
        "Scheduling::Random { .. } => (\"",
        "limit(limits, \"",
        "limit(&mut story.limits, \"",
        "Limit { kind: \"",
    ];
    let mut kinds: Vec<&str> = markers.iter().flat_map(|marker| quoted(&text, marker)).collect();
    kinds.sort_unstable();
    kinds.dedup();
    assert!(["concretised", "cut", "sandbox", "trace"].iter().all(|kind| kinds.contains(kind)), "{kinds:?}");
    let page = fs::read_to_string(root.join("docs/not-complete.md")).unwrap();
    let missing: Vec<&&str> = kinds.iter().filter(|kind| !page.contains(&format!("`{kind}`"))).collect();
    assert!(missing.is_empty(), "docs/not-complete.md does not explain {missing:?}");
    // The page of results says the same in plain words.
    let words = |text: &str| -> Vec<String> {
        let plain: String = text.chars().filter(|c| !"`[]".contains(*c)).collect();
        plain.split_whitespace().map(|word| word.split("(").next().unwrap_or(word).to_owned()).collect()
    };
    for kind in known() {
        let row = page.lines().find(|line| {
            line.matches(" | ").count() == 2 && line.split('|').nth(1).is_some_and(|names| names.contains(&format!("`{}`", kind.name)))
        });
        let row = row.unwrap_or_else(|| panic!("docs/not-complete.md has no row for {}", kind.name));
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").collect();
        assert_eq!((words(cells[1]), words(cells[2].trim_end_matches(" |"))), (words(kind.meaning), words(kind.advice)), "{}", kind.name);
    }
    assert!(kinds.iter().all(|kind| known().any(|known| known.name == *kind)), "{kinds:?}");
}

#[test]
fn a_language_has_no_kind_of_limit_that_all_have() {
    for language in ALL {
        let own = language.limits();
        assert!(own.iter().all(|kind| LIMIT_KINDS.iter().all(|common| common.name != kind.name)), "{own:?}");
        assert!(own.is_sorted_by_key(|kind| kind.name), "{own:?}");
    }
}
