//! What can be tested in a file: `xcute lsp --entries FILE`, which the server runs in the directory of the project.
//!
//! Languages look at a file by their compilers: that may take time or crash, and depends on the working directory. So it is a process of its own.

use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use crate::exit::Exit;
use crate::project::{CommandLine, FILE, Manifest, proposed};
use crate::{language, talk};

/// Something that can be tested.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedEntry {
    pub name: String,
    /// Where it begins, from 1.
    pub line: u32,
    /// How it is tested, in the directory of the project.
    pub command: CommandLine,
}

/// Prints the list. An entry of `xcute.toml` says how it is tested, where there is one.
pub fn run(file: &Path) -> Result<Exit> {
    let file = file.canonicalize().with_context(|| format!("cannot read {}", file.display()))?;
    let root = std::env::current_dir().context("cannot find out the current directory")?.canonicalize()?;
    let mut found = None;
    for language in language::ALL {
        if let Some(testable) = language.testable(&root, &file)? {
            found = Some((language, testable));
            break;
        }
    }
    let Some((language, testable)) = found else { bail!("cannot test {}: it is of no language that xcute knows", file.display()) };
    let manifest = root.join(FILE);
    let manifest = manifest.is_file().then(|| Manifest::read(&manifest)).transpose()?;
    let mut listed = Vec::new();
    for one in testable {
        let same = |line: &CommandLine| line.language == language.command().get_name() && line.chooses(&one.chosen, &root, &file);
        let known = manifest.iter().flat_map(|manifest| &manifest.entries).find(|entry| same(&entry.line));
        let command = known.map_or_else(|| proposed(*language, &one.entry), |entry| Ok(entry.line.clone()))?;
        listed.push(ListedEntry { name: one.entry.name, line: one.line, command });
    }
    talk::result(&(serde_json::to_string_pretty(&listed)? + "\n"))?;
    Ok(Exit::NoFailure)
}
