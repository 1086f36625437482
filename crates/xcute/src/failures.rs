//! The failures of a campaign: each gets its name and its files the moment it is confirmed.
//!
//! **Invariant.** What is listed is on disk: whatever ends the campaign later, the case and its test are there.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use anyhow::Result;
use xcute_engine::Found;
use xcute_report::{Flipped, InputValue};
use xcute_term::Terms;
use xcute_trace::{Failure, TestCase};

use crate::front::FrontEnd;
use crate::results::Directory;

/// What was found so far, in the order it was confirmed.
#[derive(Debug, Default)]
pub struct Failures {
    pub list: Vec<xcute_report::Failure>,
    /// The inputs of each, by its name.
    pub inputs: BTreeMap<String, Vec<InputValue>>,
    /// Each as the engine knows it, in the same order.
    known: Vec<Failure>,
}

impl Failures {
    /// Writes the files of a confirmed failure and takes note of it.
    pub fn add<F: FrontEnd>(&mut self, front: &F, terms: &Terms, failure: &Failure, case: &TestCase, directory: &Directory) -> Result<()> {
        let id = format!("f{}", self.list.len() + 1);
        let known = failure;
        let mut failure = failure.clone();
        let notes = failure.notes.iter_mut().map(|note| &mut note.at);
        let steps = failure.interleaving.iter_mut().map(|step| &mut step.at);
        failure.stack.iter_mut().chain(notes).chain(steps).for_each(|frame| frame.file = front.file(&frame.file));
        let path = directory.failure(&id, &front.case_file(terms, case, Some(&failure)))?;
        if let Some(test) = front.standalone(terms, case, &failure, &id) {
            directory.failure(&id, &test)?;
        }
        front.export(case, Some(&failure))?;
        for (name, text) in front.beside() {
            directory.beside(name, text)?;
        }
        self.inputs.insert(id.clone(), front.inputs(terms, case));
        let place = failure.stack.first();
        self.list.push(xcute_report::Failure {
            id,
            kind: failure.kind,
            message: failure.message.clone(),
            file: place.map_or_else(String::new, |frame| frame.file.clone()),
            line: place.map_or(0, |frame| frame.line),
            function: place.map_or_else(String::new, |frame| frame.function.clone()),
            stack: failure.stack.clone(),
            notes: failure.notes.clone(),
            interleaving: failure.interleaving.clone(),
            flipped: None,
            case: path.display().to_string(),
            replay: format!("xcute replay {}", quoted(&path)),
            replayed: true,
        });
        self.known.push(known.clone());
        Ok(())
    }

    /// Takes over what the engine knows at the end only: what came of data races whose accesses were run in the other order.
    pub fn conclude(&mut self, found: &[Found]) {
        let by_key: HashMap<_, _> = found.iter().rev().map(|found| (found.failure.key(), found)).collect();
        for (failure, known) in self.list.iter_mut().zip(&self.known) {
            let found = by_key.get(&known.key());
            failure.flipped = found.and_then(|found| found.flipped.clone()).map(|flipped| match flipped {
                xcute_engine::Flipped::Passed => Flipped::Passed,
                xcute_engine::Flipped::Failed { kind, message } => Flipped::Failed { kind, message },
            });
        }
    }
}

/// A path as a shell needs it.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || "/._-+,:@%".contains(c));
    if plain { text } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_survive_the_shell() {
        assert_eq!(quoted(Path::new("xcute-out/failures/f1.json")), "xcute-out/failures/f1.json");
        assert_eq!(quoted(Path::new("my out/f1.json")), "'my out/f1.json'");
        assert_eq!(quoted(Path::new("it's")), "'it'\\''s'");
    }
}
