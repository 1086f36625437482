//! From the settings of an entry to the command line of its language.
//!
//! A key is the name of an option without its dashes, or the name of an operand (`file`, `files`, `flags`). What the command does not know is refused, with the line
//! of the file and the nearest name.

use std::path::Path;

use clap::{Arg, Args as _, Command};

use anyhow::Result;
use serde::{Deserialize, Serialize};

use super::source::{Place, Setting, Value};
use crate::arguments::SearchArguments;
use crate::front::{Language, ProposedEntry};
use crate::language;

/// A command line that further options can be added to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandLine {
    pub language: String,
    options: Vec<String>,
    operands: Vec<String>,
}

impl CommandLine {
    /// All words without the name of the tool, with these options more; they take the place of its own.
    pub fn words(&self, more: &[String]) -> Vec<String> {
        let name = |word: &String| word.split('=').next().unwrap_or_default().to_owned();
        let own = self.options.iter().filter(|own| more.iter().all(|other| name(other) != name(own))).cloned().collect::<Vec<_>>();
        [std::slice::from_ref(&self.language), &own, more, &self.operands].concat()
    }
}

impl CommandLine {
    /// Whether it chooses this in this file of the project in this directory: by the word for it, and by naming the file or a directory above it.
    pub fn chooses(&self, word: &str, root: &Path, file: &Path) -> bool {
        let place = |operand: &String| root.join(operand).canonicalize().is_ok_and(|place| file.starts_with(place));
        self.options.iter().chain(&self.operands).any(|own| own == word) && self.operands.iter().any(place)
    }
}

/// The command line of something that a language proposed.
pub fn proposed(language: &dyn Language, entry: &ProposedEntry) -> Result<CommandLine> {
    let setting = |(key, words): &(&str, Vec<String>)| Setting {
        key: (*key).to_owned(),
        value: Value::Words(words.clone()),
        place: Place::default(),
    };
    command_line(language, &entry.settings.iter().map(setting).collect::<Vec<_>>())
}

/// The language of this name.
pub fn language(name: &str, place: &Place) -> Result<&'static dyn Language> {
    let all: Vec<String> = language::ALL.iter().map(|language| language.command().get_name().to_owned()).collect();
    let at = all.iter().position(|known| known == name);
    at.map(|at| language::ALL[at]).ok_or_else(|| place.error(format_args!("there is no language {name:?} (there are {})", all.join(", "))))
}

/// The options that an entry of every language may have.
pub fn common() -> Vec<Arg> {
    SearchArguments::augment_args(Command::new("search")).get_arguments().cloned().collect()
}

/// The options and operands of a language alone.
pub fn own(language: &dyn Language) -> Vec<Arg> {
    language.command().get_arguments().cloned().collect()
}

/// Refuses a key that none of these has.
pub fn check(setting: &Setting, known: &[Arg], of: &str) -> Result<()> {
    let names: Vec<&str> = known.iter().map(name).collect();
    if names.contains(&setting.key.as_str()) {
        return Ok(());
    }
    let meant = xcute_suggest::meant(&setting.key, names);
    Err(setting.place.error(format_args!("there is no key {:?} for {of}{meant}", setting.key)))
}

/// The command line of an entry.
pub fn command_line(language: &dyn Language, settings: &[Setting]) -> Result<CommandLine> {
    let known = [own(language), common()].concat();
    let name_of = language.command().get_name().to_owned();
    let mut options = Vec::new();
    for setting in settings {
        check(setting, &known, &format!("an entry of {name_of}"))?;
    }
    let named = |arg: &Arg| settings.iter().find(|setting| setting.key == name(arg));
    for (arg, setting) in known.iter().filter(|arg| !arg.is_positional()).filter_map(|arg| Some((arg, named(arg)?))) {
        let takes_values = arg.get_action().takes_values();
        match &setting.value {
            Value::Flag(on) if !takes_values => options.extend(on.then(|| format!("--{}", setting.key))),
            Value::Flag(_) => return Err(setting.place.error(format_args!("{} is a text or a number, not true or false", setting.key))),
            _ if !takes_values => return Err(setting.place.error(format_args!("{} is true or false", setting.key))),
            _ => options.extend(setting.words()?.iter().map(|word| format!("--{}={word}", setting.key))),
        }
    }
    let mut operands = Vec::new();
    for (arg, setting) in known.iter().filter(|arg| arg.is_positional()).filter_map(|arg| Some((arg, named(arg)?))) {
        operands.extend(arg.is_last_set().then(|| "--".to_owned()));
        operands.extend_from_slice(setting.words()?);
    }
    Ok(CommandLine { language: name_of, options, operands })
}

/// What an option or operand is called in the file.
fn name(arg: &Arg) -> &str {
    arg.get_long().unwrap_or_else(|| arg.get_id().as_str())
}
