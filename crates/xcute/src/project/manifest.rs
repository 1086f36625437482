//! What `xcute.toml` says, checked: entries with their command lines, what holds for all of them, and how a pipeline judges them.
//!
//! **Invariant.** A file that was read has no unknown key, and every entry has a command line that its parser accepts.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};

use super::settings::{self, CommandLine};
use super::source::{self, Place, Setting, Value};
use crate::{command, duration, usage};

/// A project.
#[derive(Debug)]
pub struct Manifest {
    /// Where all paths of the file begin: its directory, absolute.
    pub root: PathBuf,
    /// Where results go.
    pub out: PathBuf,
    pub entries: Vec<Entry>,
    pub ci: Ci,
}

/// How a pipeline judges the project.
#[derive(Debug)]
pub struct Ci {
    /// How long it may take, all entries together.
    pub time: Option<Duration>,
    /// The file with the failures that are known.
    pub baseline: PathBuf,
    /// The directory with the cases that are kept.
    pub cases: PathBuf,
    pub complete: Complete,
}

/// Which searches have to be complete.
#[derive(Debug, PartialEq, Eq)]
pub enum Complete {
    None,
    All,
    These(Vec<String>),
}

impl Complete {
    /// Whether that of this entry has to be.
    pub fn includes(&self, entry: &str) -> bool {
        match self {
            Complete::None => false,
            Complete::All => true,
            Complete::These(names) => names.iter().any(|name| name == entry),
        }
    }
}

impl Default for Ci {
    fn default() -> Ci {
        Ci { time: None, baseline: "xcute-baseline.json".into(), cases: "xcute-cases".into(), complete: Complete::None }
    }
}

/// What one campaign, or those of one command line, are about.
#[derive(Debug)]
pub struct Entry {
    pub name: String,
    pub line: CommandLine,
    /// How long it may be searched, if the file says so.
    pub time: Option<Duration>,
}

/// What holds for entries that do not say otherwise.
#[derive(Debug, Default)]
struct Defaults {
    common: Vec<Setting>,
    /// For entries of one language.
    own: Vec<(String, Vec<Setting>)>,
}

/// Where results go if nobody says.
pub const OUT: &str = "xcute-out";

impl Manifest {
    /// Reads the file.
    pub fn read(file: &Path) -> Result<Manifest> {
        let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        let root = file.parent().unwrap_or(Path::new("/")).to_owned();
        let (mut out, mut defaults, mut tables, mut ci) = (PathBuf::from(OUT), Defaults::default(), Vec::new(), None);
        for setting in source::read(file, &text)? {
            match (setting.key.as_str(), setting.value) {
                ("defaults", Value::Table(table)) => (out, defaults) = read_defaults(table)?,
                ("entry", Value::Tables(all)) => tables = all,
                ("ci", Value::Table(table)) => ci = Some(table),
                ("entry", _) => return Err(setting.place.error("entries are tables of a list (write [[entry]])")),
                ("defaults" | "ci", _) => return Err(setting.place.error(format_args!("{0} is a table (write [{0}])", setting.key))),
                _ => {
                    let meant = xcute_suggest::meant(&setting.key, ["defaults", "entry", "ci"]);
                    return Err(setting.place.error(format_args!("there is no table {:?}{meant}", setting.key)));
                }
            }
        }
        let mut entries: Vec<Entry> = Vec::new();
        for (place, table) in tables {
            let entry = read_entry(&place, table, &defaults)?;
            if entries.iter().any(|other| other.name == entry.name) {
                return Err(place.error(format_args!("there are two entries of the name {:?}", entry.name)));
            }
            entries.push(entry);
        }
        if entries.is_empty() {
            anyhow::bail!("{} has no entry to test (add one with [[entry]])", file.display());
        }
        let ci = read_ci(ci.unwrap_or_default(), &entries)?;
        Ok(Manifest { root, out, entries, ci })
    }
}

fn read_defaults(table: Vec<Setting>) -> Result<(PathBuf, Defaults)> {
    let (mut out, mut defaults) = (PathBuf::from(OUT), Defaults::default());
    for setting in table {
        if setting.key == "out" {
            out = setting.word()?.into();
        } else if let Value::Table(own) = setting.value {
            let language = settings::language(&setting.key, &setting.place)?;
            for setting in &own {
                settings::check(setting, &[settings::own(language), settings::common()].concat(), &format!("defaults of {}", setting.key))?;
            }
            defaults.own.push((setting.key, own));
        } else {
            settings::check(&setting, &settings::common(), "defaults of all languages")?;
            defaults.common.push(setting);
        }
    }
    Ok((out, defaults))
}

fn read_ci(table: Vec<Setting>, entries: &[Entry]) -> Result<Ci> {
    let mut ci = Ci::default();
    for setting in table {
        match (setting.key.as_str(), &setting.value) {
            ("time", _) => ci.time = Some(duration::parse(setting.word()?).map_err(|why| setting.place.error(why))?),
            ("baseline", _) => ci.baseline = setting.word()?.into(),
            ("cases", _) => ci.cases = setting.word()?.into(),
            ("complete", Value::Flag(all)) => ci.complete = if *all { Complete::All } else { Complete::None },
            ("complete", _) => {
                let names = setting.words()?;
                if let Some(unknown) = names.iter().find(|name| entries.iter().all(|entry| entry.name != **name)) {
                    let meant = xcute_suggest::meant(unknown, entries.iter().map(|entry| entry.name.as_str()));
                    return Err(setting.place.error(format_args!("there is no entry {unknown:?}{meant}")));
                }
                ci.complete = Complete::These(names.to_vec());
            }
            (key, _) => {
                let meant = xcute_suggest::meant(key, ["time", "baseline", "cases", "complete"]);
                return Err(setting.place.error(format_args!("there is no key {key:?} for ci{meant}")));
            }
        }
    }
    Ok(ci)
}

fn read_entry(place: &Place, table: Vec<Setting>, defaults: &Defaults) -> Result<Entry> {
    let (mut name, mut language, mut own) = (None, None, Vec::new());
    for setting in table {
        match setting.key.as_str() {
            "name" => name = Some(setting.word()?.to_owned()),
            "language" => language = Some(settings::language(setting.word()?, &setting.place)?),
            _ => own.push(setting),
        }
    }
    let name = name.ok_or_else(|| place.error("the entry has no name (add name = \"…\")"))?;
    let plain = |c: char| c.is_alphanumeric() || "-_.".contains(c);
    if name.is_empty() || name.starts_with(['.', '-']) || !name.chars().all(plain) {
        return Err(place.error(format_args!("{name:?} cannot be the name of a directory (use letters, digits, `-`, `_` and `.`)")));
    }
    let language = language.ok_or_else(|| place.error(format_args!("the entry {name} has no language (add language = \"…\")")))?;
    let of_language = defaults.own.iter().filter(|(of, _)| of == language.command().get_name()).flat_map(|(_, settings)| settings);
    for default in of_language.chain(&defaults.common) {
        if !own.iter().any(|setting| setting.key == default.key) {
            own.push(default.clone());
        }
    }
    let line = settings::command_line(language, &own)?;
    let refused = |error: &anyhow::Error| match error.downcast_ref::<clap::Error>() {
        Some(error) => usage::complaint(error),
        None => format!("{error:#}"),
    };
    let chosen = command::parse(&line.words(&[])).map_err(|error| place.error(format_args!("the entry {name}: {}", refused(&error))))?;
    let chosen = chosen.ok_or_else(|| place.error(format_args!("the entry {name} is not a search")))?;
    Ok(Entry { name, line, time: chosen.search.time })
}

#[cfg(test)]
mod tests;
