//! What a language needs of the system it runs on, and how to get it.
//!
//! **Invariant.** What is missing is said in the words of the error that a search would end with, so that a reader finds the one by the other.

use std::path::Path;
use std::process::{Command, Stdio};

/// Something that a language needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Need {
    /// What it is called.
    pub name: &'static str,
    /// What it is for.
    pub purpose: &'static str,
    /// Its version, or why it cannot be used.
    pub found: Result<String, String>,
    /// The command that installs it.
    pub install: &'static str,
    /// Whether the language works without it, with less.
    pub optional: bool,
}

impl Need {
    /// Something that has to be there.
    pub fn new(name: &'static str, purpose: &'static str, install: &'static str, found: Result<String, String>) -> Need {
        Need { name, purpose, found, install, optional: false }
    }

    /// The same, where a language works without it.
    pub fn optional(self) -> Need {
        Need { optional: true, ..self }
    }

    /// Whether a search has to end because of it.
    pub fn is_missing(&self) -> bool {
        self.found.is_err() && !self.optional
    }
}

/// What a program says when it is asked for its version: the first line that is not empty.
pub fn version(program: &Path, words: &[&str]) -> Result<String, String> {
    let cannot = |why: &dyn std::fmt::Display| format!("cannot run {}: {why}", program.display());
    let output = Command::new(program).args(words).stdin(Stdio::null()).output().map_err(|error| cannot(&error))?;
    if !output.status.success() {
        return Err(cannot(&output.status));
    }
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said).lines().map(str::trim).find(|line| !line.is_empty()).map(str::to_owned);
    Ok(said.unwrap_or_else(|| "found".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_one_line() {
        assert_eq!(version(Path::new("sh"), &["-c", "echo; echo 'tool 1'; echo more"]), Ok("tool 1".to_owned()));
        assert!(version(Path::new("a-program-nobody-has"), &[]).unwrap_err().contains("a-program-nobody-has"));
        assert!(version(Path::new("sh"), &["-c", "exit 3"]).is_err());
    }

    #[test]
    fn only_what_has_to_be_there_is_missing() {
        let need = Need::new("x", "y", "z", Err("gone".to_owned()));
        assert!(need.is_missing() && !need.optional().is_missing());
    }
}
