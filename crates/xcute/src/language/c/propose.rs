//! What there is to test in a project of C or C++.

use std::path::{Path, PathBuf};

use anyhow::Result;
use xcute_c::survey::survey;

use super::commands;
use crate::front::{Proposal, ProposedEntry, first, sources, within};

/// Databases of compilations, as build systems write them.
const DATABASES: &[&str] = &["compile_commands.json", "build/compile_commands.json", "builddir/compile_commands.json"];
/// Files of build systems.
const BUILDS: &[&str] = &["CMakeLists.txt", "meson.build", "configure.ac", "Makefile", "makefile", "GNUmakefile"];
const ENDINGS: &[&str] = &["c", "cc", "cpp", "cxx"];
/// No more sources are looked at.
const MOST: usize = 400;

/// The functions of a project.
pub fn propose(root: &Path) -> Result<Option<Proposal>> {
    let (because, mut files) = match first(root, DATABASES) {
        Some(database) => (database.to_owned(), commands::read(&root.join(database), root)?),
        None => {
            let found = sources(root, ENDINGS);
            let flags: Vec<String> = Some("-Iinclude".to_owned()).filter(|_| root.join("include").is_dir()).into_iter().collect();
            let because = first(root, BUILDS).map_or_else(|| "the sources".to_owned(), str::to_owned);
            (because, found.iter().map(|file| (PathBuf::from(within(root, file)), flags.clone())).collect())
        }
    };
    if files.is_empty() {
        return Ok(None);
    }
    let mut notes = Vec::new();
    if files.len() > MOST {
        notes.push(format!("only the first {MOST} of {} sources were looked at", files.len()));
        files.truncate(MOST);
    }
    let mut entries = Vec::new();
    let surveyed = survey(&files)?;
    for ((file, flags), of) in files.iter().zip(&surveyed) {
        if let Some(why) = &of.refused {
            notes.push(why.lines().next().unwrap_or_default().to_owned());
        }
        let needed = of.needs.iter().map(|at| &files[*at]);
        let names: Vec<String> =
            [file].into_iter().chain(needed.clone().map(|(file, _)| file)).map(|file| file.display().to_string()).collect();
        let mut all = flags.clone();
        needed.for_each(|(_, more)| all.extend(more.iter().filter(|flag| !flags.contains(flag)).cloned()));
        for function in &of.functions {
            let mut settings = vec![("files", names.clone()), ("entry", vec![function.clone()])];
            settings.extend((!all.is_empty()).then(|| ("flags", all.clone())));
            entries.push(ProposedEntry { name: function.clone(), settings });
        }
    }
    Ok(Some(Proposal { because, what: "function", entries, notes }))
}
