//! What there is to test in a project of Prolog: its files, all exported predicates of each.

use std::path::Path;

use anyhow::Result;

use super::plan::{exported, read, stem};
use crate::front::{Proposal, ProposedEntry, first, sources, within};

/// The programs of a project.
pub fn propose(root: &Path) -> Result<Option<Proposal>> {
    let pack = first(root, &["pack.pl"]).filter(|_| root.join("prolog").is_dir());
    let files = if pack.is_some() { sources(&root.join("prolog"), &["pl", "prolog"]) } else { sources(root, &["pl", "prolog"]) };
    if files.is_empty() {
        return Ok(None);
    }
    let (mut entries, mut notes) = (Vec::new(), Vec::new());
    for file in &files {
        match read(file) {
            Ok(program) if exported(&program).is_empty() => notes.push(format!("{} has no predicate to test", within(root, file))),
            Ok(_) => entries.push(ProposedEntry { name: stem(file), settings: vec![("file", vec![within(root, file)])] }),
            // Programs in Perl have the same ending.
            Err(error) => notes.push(format!("{error:#}")),
        }
    }
    Ok(Some(Proposal { because: pack.unwrap_or("the sources").to_owned(), what: "program", entries, notes }))
}
