//! The text of `xcute.toml` as tables of settings, each with the place it comes from.

use std::path::Path;

use anyhow::{Error, Result, anyhow};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Where a setting is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    file: String,
    line: usize,
}

impl Place {
    /// What is wrong there, in one line.
    pub fn error(&self, message: impl std::fmt::Display) -> Error {
        anyhow!("{}:{}: {message}", self.file, self.line)
    }
}

/// A key and what it is set to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    pub key: String,
    pub value: Value,
    pub place: Place,
}

/// What a key is set to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    Flag(bool),
    /// A text, or a number as it is written.
    Word(String),
    Words(Vec<String>),
    Table(Vec<Setting>),
    Tables(Vec<(Place, Vec<Setting>)>),
}

impl Setting {
    /// The text that it has to be.
    pub fn word(&self) -> Result<&str> {
        match &self.value {
            Value::Word(word) => Ok(word),
            _ => Err(self.place.error(format_args!("{} is a text in quotes", self.key))),
        }
    }

    /// The texts that it has to be; one needs no brackets.
    pub fn words(&self) -> Result<&[String]> {
        match &self.value {
            Value::Word(word) => Ok(std::slice::from_ref(word)),
            Value::Words(words) => Ok(words),
            _ => Err(self.place.error(format_args!("{} is a text in quotes, or a list of them", self.key))),
        }
    }
}

/// Reads the text of a file.
pub fn read(file: &Path, text: &str) -> Result<Vec<Setting>> {
    let source = Source { file: file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned()), text };
    match DeTable::parse(text) {
        Ok(table) => source.table(table.get_ref()),
        Err(error) => Err(source.place(error.span().map_or(0, |span| span.start)).error(one_line(error.message()))),
    }
}

/// The parser's message may take several lines.
fn one_line(message: &str) -> String {
    message.lines().map(str::trim).collect::<Vec<_>>().join(", ")
}

struct Source<'a> {
    file: String,
    text: &'a str,
}

impl Source<'_> {
    fn place(&self, at: usize) -> Place {
        let line = self.text.as_bytes()[..at.min(self.text.len())].iter().filter(|byte| **byte == b'\n').count() + 1;
        Place { file: self.file.clone(), line }
    }

    /// The settings of a table, in the order of their lines.
    fn table(&self, table: &DeTable<'_>) -> Result<Vec<Setting>> {
        let mut all = Vec::new();
        for (key, value) in table {
            let place = self.place(key.span().start);
            all.push(Setting { key: key.get_ref().to_string(), value: self.value(value, key.get_ref())?, place });
        }
        all.sort_by_key(|setting| setting.place.line);
        Ok(all)
    }

    fn value(&self, value: &Spanned<DeValue<'_>>, key: &str) -> Result<Value> {
        Ok(match value.get_ref() {
            DeValue::Boolean(flag) => Value::Flag(*flag),
            DeValue::Table(table) => Value::Table(self.table(table)?),
            DeValue::Array(values) if !values.is_empty() && values.iter().all(|value| value.get_ref().is_table()) => {
                let tables = values.iter().filter_map(|value| Some((self.place(value.span().start), value.get_ref().as_table()?)));
                Value::Tables(tables.map(|(place, table)| Ok((place, self.table(table)?))).collect::<Result<_>>()?)
            }
            DeValue::Array(values) => Value::Words(values.iter().map(|value| self.word(value, key)).collect::<Result<_>>()?),
            _ => Value::Word(self.word(value, key)?),
        })
    }

    fn word(&self, value: &Spanned<DeValue<'_>>, key: &str) -> Result<String> {
        match value.get_ref() {
            DeValue::String(text) => Ok(text.to_string()),
            DeValue::Integer(number) if number.radix() == 10 => Ok(number.as_str().to_owned()),
            DeValue::Float(number) => Ok(number.as_str().to_owned()),
            _ => Err(self.place(value.span().start).error(format_args!("{key} holds something that is not a text or a number"))),
        }
    }
}
