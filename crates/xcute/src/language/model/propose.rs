//! What there is to test in a project with models: their capsules.

use std::path::Path;

use anyhow::Result;
use xcute_model::load;

use crate::front::{Proposal, ProposedEntry, sources, within};

/// The capsules of a project. A file is a model.
pub fn propose(root: &Path) -> Result<Option<Proposal>> {
    let files = sources(root, &["art", "uml"]);
    if files.is_empty() {
        return Ok(None);
    }
    let (mut entries, mut notes) = (Vec::new(), Vec::new());
    for file in &files {
        let flat = match load::load(std::slice::from_ref(file)) {
            Ok(flat) => flat,
            Err(error) => {
                notes.push(error.to_string());
                continue;
            }
        };
        let with_machine =
            flat.capsules.iter().zip(&flat.model.capsules).filter(|(capsule, declared)| capsule.machine.is_some() && !declared.is_abstract);
        entries.extend(with_machine.map(|(capsule, _)| ProposedEntry {
            name: capsule.name.to_string(),
            settings: vec![("files", vec![within(root, file)]), ("capsule", vec![capsule.name.to_string()])],
        }));
    }
    Ok(Some(Proposal { because: "the models".to_owned(), what: "capsule", entries, notes }))
}
