//! Case files, read once, whatever language they are of.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use xcute_report::InputValue;
use xcute_trace::{Failure, Held};

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

/// What a replay says of the failure that a case was recorded with, and what variables held there, if it is the same again.
pub fn recorded(failure: &Failure, again: bool) -> String {
    let (but, values) = if again { ("", held(&failure.values)) } else { ("but the case was recorded with ", String::new()) };
    format!("{but}{}: {}\n{values}", failure.kind.name(), failure.message)
}

/// The values at a failing line, in a line of their own.
pub fn held(values: &[Held]) -> String {
    if values.is_empty() {
        return String::new();
    }
    let all: Vec<String> = values.iter().map(|Held { name, value }| format!("{name} = {value}")).collect();
    format!("  values there: {}\n", all.join(", "))
}

/// What stands for the directory of the project in a case that is kept with it.
const PROJECT: &str = "${project}";

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
        CaseText::of(path, &text)
    }

    /// The same, of a text that stands for this file.
    pub fn of(path: &Path, text: &str) -> Result<CaseText> {
        let value = serde_json::from_str(text).with_context(|| format!("{} is not a case of xcute", path.display()))?;
        Ok(CaseText { path: path.to_owned(), care: Care { confined: true, checked: true }, value })
    }

    /// The case as a text that means the same wherever the project is and the file lies: paths below the project begin with [`PROJECT`]. The field `directory`, where
    /// there is one, is where relative paths begin, as it is seen from the file.
    pub fn portable(&self, root: &Path) -> Result<String> {
        let mut value = self.value.clone();
        if let Some(directory) = value.get("directory").and_then(Value::as_str) {
            let place = self.path.parent().unwrap_or(Path::new(".")).join(directory);
            let whole = place.canonicalize().with_context(|| format!("cannot read {}", place.display()))?;
            value["directory"] = whole.display().to_string().into();
        }
        let root = root.display().to_string();
        change(&mut value, &|text| {
            if *text == root { PROJECT.to_owned() } else { text.replace(&format!("{root}/"), &format!("{PROJECT}/")) }
        });
        Ok(serde_json::to_string_pretty(&value)? + "\n")
    }

    /// The text of such a case in the project at this place.
    pub fn placed(&self, root: &Path) -> Result<String> {
        let (mut value, root) = (self.value.clone(), root.display().to_string());
        change(&mut value, &|text| text.replace(PROJECT, &root));
        Ok(serde_json::to_string_pretty(&value)? + "\n")
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

/// Changes all texts of a document.
fn change(value: &mut Value, to: &dyn Fn(&str) -> String) {
    match value {
        Value::String(text) => *text = to(text),
        Value::Array(values) => values.iter_mut().for_each(|value| change(value, to)),
        Value::Object(fields) => fields.values_mut().for_each(|value| change(value, to)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_move_with_their_project() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().canonicalize().unwrap();
        std::fs::create_dir_all(root.join("out/f/failures")).unwrap();
        let text = serde_json::json!({"directory": "../../..", "paths": [root.join("a.java"), "/usr"], "flags": [format!("-I{}/i", root.display())]});
        let case = CaseText::of(&root.join("out/f/failures/f1.json"), &text.to_string()).unwrap();
        let portable = CaseText::of(Path::new("kept.json"), &case.portable(&root).unwrap()).unwrap();
        assert_eq!(
            portable.value,
            serde_json::json!({"directory": PROJECT, "paths": ["${project}/a.java", "/usr"], "flags": ["-I${project}/i"]})
        );
        let elsewhere = CaseText::of(Path::new("x"), &portable.placed(Path::new("/else")).unwrap()).unwrap();
        assert_eq!(elsewhere.value, serde_json::json!({"directory": "/else", "paths": ["/else/a.java", "/usr"], "flags": ["-I/else/i"]}));
    }

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
