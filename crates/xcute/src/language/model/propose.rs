//! What there is to test in a project with models: their capsules.

use std::path::Path;

use anyhow::Result;
use xcute_model::load;

use crate::front::{Proposal, ProposedEntry, Testable, ends_with, sources, within};

const ENDINGS: &[&str] = &["art", "uml"];

/// The capsules of a project. A file is a model.
pub fn propose(root: &Path) -> Result<Option<Proposal>> {
    let files = sources(root, ENDINGS);
    if files.is_empty() {
        return Ok(None);
    }
    let (mut entries, mut notes) = (Vec::new(), Vec::new());
    for file in &files {
        match capsules(root, file) {
            Ok(own) => entries.extend(own),
            Err(error) => notes.push(error.to_string()),
        }
    }
    Ok(Some(Proposal { because: "the models".to_owned(), what: "capsule", entries, notes }))
}

/// The capsules of a file, all at its top: a model is looked at as a whole.
pub fn in_file(root: &Path, file: &Path) -> Result<Option<Vec<Testable>>> {
    if !ends_with(file, ENDINGS) {
        return Ok(None);
    }
    let placed = |entry: ProposedEntry| Testable { line: 1, chosen: format!("--capsule={}", entry.name), entry };
    Ok(Some(capsules(root, file)?.into_iter().map(placed).collect()))
}

/// The capsules of a model with a state machine.
fn capsules(root: &Path, file: &Path) -> Result<Vec<ProposedEntry>> {
    let flat = load::load(&[file.to_owned()])?;
    let with_machine =
        flat.capsules.iter().zip(&flat.model.capsules).filter(|(capsule, declared)| capsule.machine.is_some() && !declared.is_abstract);
    let entry = |name: String| ProposedEntry { settings: vec![("files", vec![within(root, file)]), ("capsule", vec![name.clone()])], name };
    Ok(with_machine.map(|(capsule, _)| entry(capsule.name.to_string())).collect())
}
