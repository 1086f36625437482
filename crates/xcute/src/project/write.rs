//! A first `xcute.toml`, made of what languages found.
//!
//! What all entries of a language have in common is written once, as its defaults.
//!
//! **Invariant.** What is written can be read: names are unique, and names of directories.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::front::{Proposal, ProposedEntry};

/// No more entries are written for a language.
pub const MOST: usize = 60;

/// The time of each entry, to begin with.
const TIME: &str = "10s";

/// The text of the file, for languages by the names of their commands.
pub fn text(proposals: &[(String, Proposal)]) -> String {
    let mut out = format!("# What xcute tests in this project. `xcute test` searches all of it.\n\n[defaults]\ntime = \"{TIME}\"\n");
    let shared: Vec<Vec<&(&str, Vec<String>)>> = proposals.iter().map(|(_, proposal)| common(&proposal.entries)).collect();
    for ((language, _), shared) in proposals.iter().zip(&shared).filter(|(_, shared)| !shared.is_empty()) {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "\n[defaults.{language}]");
        shared.iter().for_each(|(key, words)| out += &setting(key, words));
    }
    let mut taken = BTreeSet::new();
    for ((language, proposal), shared) in proposals.iter().zip(&shared) {
        for entry in proposal.entries.iter().take(MOST) {
            let _ = write!(out, "\n[[entry]]\nname = {}\nlanguage = {}\n", quoted(&free(&entry.name, &mut taken)), quoted(language));
            let own = entry.settings.iter().filter(|setting| !shared.contains(setting));
            own.for_each(|(key, words)| out += &setting(key, words));
        }
    }
    out
}

/// What several entries all say.
fn common(entries: &[ProposedEntry]) -> Vec<&(&'static str, Vec<String>)> {
    let [first, others @ ..] = entries else { return Vec::new() };
    let everywhere = |setting: &&(&'static str, Vec<String>)| others.iter().all(|entry| entry.settings.contains(setting));
    first.settings.iter().filter(|_| !others.is_empty()).filter(everywhere).collect()
}

fn setting(key: &str, words: &[String]) -> String {
    match words {
        [word] => format!("{key} = {}\n", quoted(word)),
        words => format!("{key} = [{}]\n", words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(", ")),
    }
}

/// A name that no entry has, and that a directory can have.
fn free(name: &str, taken: &mut BTreeSet<String>) -> String {
    let plain: String = name.chars().map(|c| if c.is_alphanumeric() || "_.".contains(c) { c } else { '-' }).collect();
    let plain = plain.trim_start_matches(['.', '-']);
    let plain = if plain.is_empty() { "entry" } else { plain };
    let numbered = (2..).map(|number| format!("{plain}-{number}"));
    let free = std::iter::once(plain.to_owned()).chain(numbered).find(|name| !taken.contains(name)).expect("numbers do not end");
    taken.insert(free.clone());
    free
}

/// A text of TOML: what JSON escapes is escaped in the same way there.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::Manifest;

    fn entry(name: &str, file: &str) -> ProposedEntry {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        ProposedEntry { name: name.to_owned(), settings: vec![("file", words(&[file])), ("seed-case", words(&["a \"b\"\n", "c"]))] }
    }

    #[test]
    fn what_is_written_can_be_read() {
        let entries = vec![entry("a::b", "a.toy"), entry("a::b", "b.toy"), entry("..", "c.toy")];
        let proposals = [("toy".to_owned(), Proposal { because: "it".to_owned(), what: "toy", entries, notes: Vec::new() })];
        let text = text(&proposals);
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("xcute.toml");
        std::fs::write(&file, &text).unwrap();
        let manifest = Manifest::read(&file).unwrap();
        let names: Vec<&str> = manifest.entries.iter().map(|entry| entry.name.as_str()).collect();
        assert_eq!(names, ["a--b", "a--b-2", "entry"], "{text}");
        let words = manifest.entries[1].line.words(&[]);
        assert_eq!(words, ["toy", "--seed-case=a \"b\"\n", "--seed-case=c", "--time=10s", "b.toy"]);
        assert_eq!(text.matches("seed-case").count(), 1, "what all have in common is written once: {text}");
    }
}
