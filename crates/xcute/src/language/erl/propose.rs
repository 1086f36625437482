//! What there is to test in a project of Erlang: its modules, all exported functions of each; and in a file.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::{Args as _, Command, FromArgMatches as _};

use super::application::Application;
use super::arguments::ErlArguments;
use super::erlang_mk;
use super::plan;
use crate::front::{Proposal, ProposedEntry, Testable, first, sources, within};

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

/// The exported functions of a file that have parameters.
pub fn in_file(root: &Path, file: &Path) -> Result<Option<Vec<Testable>>> {
    if file.extension().is_none_or(|end| end != "erl") {
        return Ok(None);
    }
    let words = [std::ffi::OsStr::new("erl"), file.as_os_str()];
    let matches = ErlArguments::augment_args(Command::new("erl")).try_get_matches_from(words)?;
    let plan = plan::erl(ErlArguments::from_arg_matches(&matches)?)?;
    let functions = &plan.modules.followed[0].normal.module.functions;
    let mut all = Vec::new();
    for tested in plan.functions.iter().filter(|tested| tested.arity > 0) {
        let is = |name: &str, arity: u32| name == tested.function && arity == tested.arity;
        let defined = functions.iter().find(|function| is(plan.modules.atoms.name(function.name), function.arity));
        let name = format!("{}/{}", tested.function, tested.arity);
        let settings = vec![("file", vec![within(root, file)]), ("function", vec![name.clone()])];
        let places = defined.map(|function| [function.anno.location().line, function.fun.anno().location().line]);
        let line = places.into_iter().flatten().find(|line| *line > 0).unwrap_or(1);
        all.push(Testable { line, chosen: name.clone(), entry: ProposedEntry { name, settings } });
    }
    all.sort_by_key(|function| function.line);
    Ok(Some(all))
}
