//! What is known to fail: the failures that a pipeline puts up with, by fingerprint.
//!
//! **Invariant.** A failure is known only if its entry and its fingerprint are recorded. One that was not found again is fixed only if the search was complete.

use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

/// The version of the format.
const VERSION: u32 = 1;

/// The file.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Baseline {
    /// [`VERSION`].
    version: u32,
    /// Sorted.
    pub failures: Vec<KnownFailure>,
}

/// A failure, as it is recorded. All but the first two fields are for people.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct KnownFailure {
    pub entry: String,
    pub fingerprint: String,
    pub kind: String,
    pub message: String,
    pub file: String,
    pub line: u32,
    pub function: String,
}

/// How far an entry was searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// All of it.
    Complete,
    /// A part.
    Partly,
    /// It could not be tested.
    Nothing,
}

impl KnownFailure {
    fn is(&self, other: &KnownFailure) -> bool {
        self.entry == other.entry && self.fingerprint == other.fingerprint
    }

    /// In a line.
    pub fn text(&self) -> String {
        let KnownFailure { kind, message, file, line, function, .. } = self;
        let place = if file.is_empty() { String::new() } else { format!(", at {file}:{line} in {function}") };
        format!("{kind}: {}{place}", message.lines().next().unwrap_or_default())
    }
}

impl Default for Baseline {
    fn default() -> Baseline {
        Baseline { version: VERSION, failures: Vec::new() }
    }
}

impl Baseline {
    /// Reads the file; where there is none, nothing is known.
    pub fn read(path: &Path) -> Result<Baseline> {
        let text = match std::fs::read_to_string(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Baseline::default()),
            other => other.with_context(|| format!("cannot read {}", path.display()))?,
        };
        let baseline: Baseline = serde_json::from_str(&text).with_context(|| format!("{} is not a baseline of xcute", path.display()))?;
        if baseline.version != VERSION {
            bail!("{} has version {} of the format, this xcute knows {VERSION}", path.display(), baseline.version);
        }
        Ok(baseline)
    }

    /// Writes the file.
    pub fn write(&self, path: &Path) -> Result<()> {
        let text = serde_json::to_string_pretty(self)? + "\n";
        std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
    }

    /// Whether a failure is known.
    pub fn knows(&self, failure: &KnownFailure) -> bool {
        self.failures.iter().any(|known| known.is(failure))
    }

    /// The known failures of an entry that are not among those that were found.
    pub fn gone(&self, entry: &str, found: &[KnownFailure]) -> Vec<&KnownFailure> {
        self.failures.iter().filter(|known| known.entry == entry && !found.iter().any(|found| found.is(known))).collect()
    }

    /// Takes over what a search of an entry found. What was known stays unless the search was complete.
    pub fn update(&mut self, entry: &str, found: &[KnownFailure], reach: Reach) {
        self.failures.retain(|known| known.entry != entry || (reach != Reach::Complete && !found.iter().any(|found| found.is(known))));
        self.failures.extend_from_slice(found);
        self.failures.sort();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(entry: &str, fingerprint: &str) -> KnownFailure {
        let text = |text: &str| text.to_owned();
        let (kind, message, file, function) = (text("assertion"), text("x > 0\nmore"), text("a.c"), text("f"));
        KnownFailure { entry: text(entry), fingerprint: text(fingerprint), kind, message, file, line: 3, function }
    }

    #[test]
    fn known_new_and_gone() {
        let mut baseline = Baseline::default();
        baseline.update("a", &[failure("a", "1"), failure("a", "2")], Reach::Partly);
        baseline.update("b", &[failure("b", "3")], Reach::Partly);
        assert!(baseline.knows(&failure("a", "2")) && !baseline.knows(&failure("b", "2")));
        let found = [failure("a", "2"), failure("a", "4")];
        assert_eq!(baseline.gone("a", &found), [&failure("a", "1")]);
        baseline.update("a", &found, Reach::Partly);
        let prints = |baseline: &Baseline| baseline.failures.iter().map(|known| known.fingerprint.clone()).collect::<Vec<_>>().concat();
        assert_eq!(prints(&baseline), "1243", "what was not found again may be there still");
        baseline.update("a", &found, Reach::Complete);
        assert_eq!(prints(&baseline), "243");
        baseline.update("b", &[], Reach::Nothing);
        assert_eq!(prints(&baseline), "243");
        assert_eq!(failure("a", "1").text(), "assertion: x > 0, at a.c:3 in f");
    }

    #[test]
    fn files() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("baseline.json");
        assert_eq!(Baseline::read(&path).unwrap(), Baseline::default());
        let mut baseline = Baseline::default();
        baseline.update("a", &[failure("a", "1")], Reach::Complete);
        baseline.write(&path).unwrap();
        assert_eq!(Baseline::read(&path).unwrap(), baseline);
        for (text, message) in [("{", "is not a baseline of xcute"), (r#"{"version": 2, "failures": []}"#, "has version 2 of the format")] {
            std::fs::write(&path, text).unwrap();
            assert!(Baseline::read(&path).unwrap_err().to_string().contains(message), "{text}");
        }
    }
}
