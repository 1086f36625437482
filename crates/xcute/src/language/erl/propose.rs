//! What there is to test in a project of Erlang: its modules, all exported functions of each.

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::application::Application;
use super::erlang_mk;
use crate::front::{Proposal, ProposedEntry, first, sources, within};

/// The modules of a project.
pub fn propose(root: &Path) -> Result<Option<Proposal>> {
    let makefile = || Some("Makefile").filter(|name| erlang_mk::is_one(&root.join(name)));
    let build = first(root, &["rebar.config", "rebar.config.script"]).or_else(makefile);
    let modules: Vec<PathBuf> = match Application::find(root) {
        Ok(application) => application.sources,
        Err(error) if build.is_some() => return Err(error),
        Err(_) => sources(root, &["erl"]),
    };
    if modules.is_empty() {
        return Ok(None);
    }
    let entries = modules.iter().map(|file| {
        let name = file.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        ProposedEntry { name, settings: vec![("file", vec![within(root, file)])] }
    });
    Ok(Some(Proposal { because: build.unwrap_or("the sources").to_owned(), what: "module", entries: entries.collect(), notes: Vec::new() }))
}
