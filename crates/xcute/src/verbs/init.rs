//! `xcute init`: looks at a project, and writes a first `xcute.toml`.

use std::fmt::Write as _;

use anyhow::{Context, Result, bail};

use crate::arguments::InitArguments;
use crate::exit::Exit;
use crate::front::Proposal;
use crate::project::{FILE, MOST, text};
use crate::{language, talk};

/// Writes the file, and says what it found and why.
pub fn run(low: &InitArguments) -> Result<Exit> {
    let root = low.dir.canonicalize().with_context(|| format!("cannot read {}", low.dir.display()))?;
    if !root.is_dir() {
        bail!("cannot look at {}: it is a file (give the directory of the project)", low.dir.display());
    }
    let (file, shown) = (root.join(FILE), low.dir.join(FILE));
    if file.exists() && !low.force {
        bail!("{} is there already (--force replaces it)", shown.display());
    }
    // Paths of the file begin there.
    std::env::set_current_dir(&root).with_context(|| format!("cannot go to {}", low.dir.display()))?;
    let mut found: Vec<(String, Proposal)> = Vec::new();
    for language in language::ALL {
        let name = language.command().get_name().to_owned();
        match language.propose(&root) {
            Ok(proposal) => found.extend(proposal.map(|proposal| (name, proposal))),
            Err(error) => talk::error(&error.context(format!("{name} is left out"))),
        }
    }
    found.iter().flat_map(|(_, proposal)| &proposal.notes).for_each(|note| talk::say(note));
    found.retain(|(_, proposal)| !proposal.entries.is_empty());
    if found.is_empty() {
        bail!("there is nothing to test in {} (docs/project.md says how to write {FILE} yourself)", low.dir.display());
    }
    std::fs::write(&file, text(&found)).with_context(|| format!("cannot write {}", shown.display()))?;
    let mut out = String::new();
    for (name, proposal) in &found {
        let (all, what) = (proposal.entries.len(), proposal.what);
        let many = if all == 1 { "" } else { "s" };
        let rest = if all > MOST { format!("; the first {MOST} of them are entries, add those that matter to you") } else { String::new() };
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{name}: {all} {what}{many}, from {}{rest}", proposal.because);
    }
    let entries: usize = found.iter().map(|(_, proposal)| proposal.entries.len().min(MOST)).sum();
    let many = if entries == 1 { "entry" } else { "entries" };
    let _ = writeln!(out, "wrote {} with {entries} {many} (xcute test searches all of them)", shown.display());
    talk::result(&out)?;
    Ok(Exit::NoFailure)
}
