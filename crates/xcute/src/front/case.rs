//! Case files, read once, whatever language they are of.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use xcute_report::InputValue;
use xcute_trace::Failure;

use super::Text;
use crate::exit::Exit;

/// A case that can be repeated.
pub trait Case {
    /// Repeats it on the uninstrumented program and prints what happens, or hands the terminal to a debugger.
    fn replay(&self, debugger: bool) -> Result<Exit>;

    /// Its inputs for people.
    fn inputs(&self) -> Vec<InputValue>;
}

/// A case as a file.
pub fn case_file(case: &impl Serialize) -> Text {
    Text { extension: "json", text: serde_json::to_string_pretty(case).expect("nothing fails to serialise") + "\n" }
}

/// How a run ended, in the word of case files.
pub fn outcome(failure: Option<&Failure>) -> String {
    if failure.is_some() { "failed" } else { "passed" }.to_owned()
}

/// What a replay says of the failure that a case was recorded with.
pub fn recorded(failure: &Failure, again: bool) -> String {
    let but = if again { "" } else { "but the case was recorded with " };
    format!("{but}{}: {}\n", failure.kind.name(), failure.message)
}

/// A case file that was read.
pub struct CaseText {
    pub path: PathBuf,
    /// How careful a replay of it has to be.
    pub care: Care,
    value: Value,
}

/// How careful a replay has to be with a case: somebody else may have written it.
#[derive(Clone, Copy, Debug)]
pub struct Care {
    /// Whether the program is confined.
    pub confined: bool,
    /// Whether nothing may be run or written because the case asks for it, besides the program it names.
    pub checked: bool,
}

impl CaseText {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<CaseText> {
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        let value = serde_json::from_str(&text).with_context(|| format!("{} is not a case of xcute", path.display()))?;
        Ok(CaseText { path: path.to_owned(), care: Care { confined: true, checked: true }, value })
    }

    /// What the file says it is a case of.
    pub fn language(&self) -> &str {
        self.value["language"].as_str().unwrap_or_default()
    }

    /// How its run ended: `passed`, `failed`.
    pub fn outcome(&self) -> &str {
        self.value["outcome"].as_str().unwrap_or_default()
    }

    /// The case, in this version of its format.
    pub fn parse<T: DeserializeOwned>(&self, version: u32) -> Result<T> {
        let cannot = || format!("{} is not a case of xcute", self.path.display());
        if self.value["xcute"] != version {
            bail!("{}: it has version {} of the format, this xcute knows {version}", cannot(), self.value["xcute"]);
        }
        T::deserialize(&self.value).with_context(cannot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_and_forms_are_checked() {
        #[derive(Debug, serde::Deserialize)]
        struct Toy {
            x: u32,
        }
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("a.json");
        let read = |text: &str| {
            std::fs::write(&file, text).unwrap();
            CaseText::read(&file)
        };
        let case = read(r#"{"xcute": 1, "language": "toy", "x": 7}"#).unwrap();
        assert_eq!((case.language(), case.parse::<Toy>(1).unwrap().x), ("toy", 7));
        assert!(case.parse::<Toy>(2).unwrap_err().to_string().contains("it has version 1 of the format, this xcute knows 2"));
        assert!(read(r#"{"xcute": 1}"#).unwrap().parse::<Toy>(1).is_err());
        assert!(read("{").is_err() && CaseText::read(Path::new("no-such-file")).is_err());
    }
}
