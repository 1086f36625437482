//! What there is to test in a project of Prolog: its files, all exported predicates of each; and in a file.

use std::path::Path;

use anyhow::Result;

use super::plan::{exported, read, stem};
use crate::front::{Proposal, ProposedEntry, Testable, ends_with, first, sources, within};

const ENDINGS: &[&str] = &["pl", "prolog"];

/// The programs of a project.
pub fn propose(root: &Path) -> Result<Option<Proposal>> {
    let pack = first(root, &["pack.pl"]).filter(|_| root.join("prolog").is_dir());
    let files = if pack.is_some() { sources(&root.join("prolog"), ENDINGS) } else { sources(root, ENDINGS) };
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

/// The predicates of a file.
pub fn in_file(root: &Path, file: &Path) -> Result<Option<Vec<Testable>>> {
    if !ends_with(file, ENDINGS) {
        return Ok(None);
    }
    let program = read(file)?;
    let tested = exported(&program);
    let mut all = Vec::new();
    for predicate in program.predicates.iter().filter(|predicate| tested.contains(&predicate.indicator)) {
        let Some(span) = predicate.clauses.first().map(|clause| clause.span) else { continue };
        let source = program.source(span.source);
        // What the file includes stands elsewhere.
        if Path::new(&source.path).canonicalize().is_ok_and(|path| path == file) {
            let name = program.show(predicate.indicator);
            let settings = vec![("file", vec![within(root, file)]), ("goal", vec![name.clone()])];
            all.push(Testable {
                line: source.position(span.start).0,
                chosen: format!("--goal={name}"),
                entry: ProposedEntry { name, settings },
            });
        }
    }
    all.sort_by_key(|predicate| predicate.line);
    Ok(Some(all))
}
