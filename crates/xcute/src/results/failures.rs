//! The failures of a campaign: each gets its name and its files the moment it is confirmed, or cannot be.
//!
//! **Invariant.** What is listed is on disk, unless that cannot be written: whatever ends the campaign later, the case and its test are there. What cannot be written is
//! listed all the same. A failure is either confirmed or not, never both.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;
use xcute_engine::Found;
use xcute_report::{Flipped, InputValue, Unconfirmed};
use xcute_term::Terms;
use xcute_trace::{Failure, FailureKey, TestCase};

use super::directory::Directory;
use crate::front::FrontEnd;

/// What was found so far, in the order it was confirmed.
#[derive(Debug, Default)]
pub struct Failures {
    pub list: Vec<xcute_report::Failure>,
    /// Those that could not be repeated on the uninstrumented program, so far.
    unconfirmed: BTreeMap<FailureKey, (u32, Unconfirmed)>,
    /// How many there ever were.
    doubts: u32,
    /// The inputs of each, by its name.
    pub inputs: BTreeMap<String, Vec<InputValue>>,
    /// Each as the engine knows it, in the same order.
    known: Vec<FailureKey>,
}

impl Failures {
    /// Takes note of a confirmed failure and writes its files.
    pub fn add<F: FrontEnd>(&mut self, front: &F, terms: &Terms, failure: &Failure, case: &TestCase, directory: &Directory) -> Result<()> {
        self.clear(failure, directory);
        let id = self.next();
        let told = told(front, failure);
        self.inputs.insert(id.clone(), front.inputs(terms, case));
        self.list.push(listed(id.clone(), &told, directory, true));
        self.known.push(failure.key());
        write(front, terms, &told, case, directory, &id)?;
        front.export(terms, case, Some(&told))
    }

    /// The name of the next failure that is confirmed.
    pub fn next(&self) -> String {
        format!("f{}", self.list.len() + 1)
    }

    /// Takes note of a failure that could not be repeated, and writes its files.
    pub fn doubt<F: FrontEnd>(
        &mut self,
        front: &F,
        terms: &Terms,
        (failure, why): (&Failure, &str),
        case: &TestCase,
        directory: &Directory,
    ) -> Result<()> {
        let key = failure.key();
        if let Some((_, known)) = self.unconfirmed.get_mut(&key) {
            why.clone_into(&mut known.why);
            return Ok(());
        }
        self.doubts += 1;
        let id = format!("u{}", self.doubts);
        let told = told(front, failure);
        self.inputs.insert(id.clone(), front.inputs(terms, case));
        let failure = listed(id.clone(), &told, directory, false);
        self.unconfirmed.insert(key, (self.doubts, Unconfirmed { failure, why: why.to_owned() }));
        write(front, terms, &told, case, directory, &id)
    }

    /// Forgets that a failure could not be repeated.
    pub fn clear(&mut self, failure: &Failure, directory: &Directory) {
        if let Some((_, Unconfirmed { failure, .. })) = self.unconfirmed.remove(&failure.key()) {
            self.inputs.remove(&failure.id);
            directory.forget(&failure.id);
        }
    }

    /// Those that are not confirmed, in the order in which they were met.
    pub fn unconfirmed(&self) -> Vec<Unconfirmed> {
        let mut all: Vec<_> = self.unconfirmed.values().cloned().collect();
        all.sort_by_key(|(number, _)| *number);
        all.into_iter().map(|(_, unconfirmed)| unconfirmed).collect()
    }

    /// Takes over what the engine knows at the end only: what came of data races whose accesses were run in the other order.
    pub fn conclude(&mut self, found: &[Found]) {
        let flipped: BTreeMap<FailureKey, _> =
            found.iter().filter_map(|found| Some((found.failure.key(), found.flipped.clone()?))).collect();
        for (failure, key) in self.list.iter_mut().zip(&self.known) {
            failure.flipped = flipped.get(key).cloned().map(|flipped| match flipped {
                xcute_engine::Flipped::Passed => Flipped::Passed,
                xcute_engine::Flipped::Failed { kind, message } => Flipped::Failed { kind, message },
            });
        }
    }
}

/// The failure with its files and functions as people name them.
fn told<F: FrontEnd>(front: &F, failure: &Failure) -> Failure {
    let mut failure = failure.clone();
    let notes = failure.notes.iter_mut().map(|note| &mut note.at);
    let steps = failure.interleaving.iter_mut().map(|step| &mut step.at);
    failure.stack.iter_mut().chain(notes).chain(steps).for_each(|frame| {
        frame.file = front.file(&frame.file);
        frame.function = front.function(&frame.function);
    });
    failure
}

/// The failure as it is reported.
fn listed(id: String, failure: &Failure, directory: &Directory, replayed: bool) -> xcute_report::Failure {
    let place = failure.stack.first();
    let path = directory.failure_path(&id);
    xcute_report::Failure {
        id,
        kind: failure.kind,
        message: failure.message.clone(),
        file: place.map_or_else(String::new, |frame| frame.file.clone()),
        line: place.map_or(0, |frame| frame.line),
        column: place.map_or(0, |frame| frame.column),
        function: place.map_or_else(String::new, |frame| frame.function.clone()),
        stack: failure.stack.clone(),
        notes: failure.notes.clone(),
        interleaving: failure.interleaving.clone(),
        values: failure.values.clone(),
        flipped: None,
        case: path.display().to_string(),
        replay: format!("xcute replay {}", quoted(&path)),
        replayed,
    }
}

/// Writes the case, the test, and what tests need.
fn write<F: FrontEnd>(front: &F, terms: &Terms, failure: &Failure, case: &TestCase, directory: &Directory, id: &str) -> Result<()> {
    directory.failure(id, &front.case_file(terms, case, Some(failure)))?;
    for test in front.standalone(terms, case, failure, id) {
        directory.failure(id, &test)?;
    }
    for beside in front.beside() {
        directory.beside(&beside.name, &beside.contents)?;
    }
    Ok(())
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
