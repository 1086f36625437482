//! What there is to test in a project of C or C++.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use xcute_c::survey::{Callable, Surveyed, survey};

use super::commands;
use crate::front::{Proposal, ProposedEntry, Testable, ends_with, first, sources, within};

/// Databases of compilations, as build systems write them.
const DATABASES: &[&str] = &["compile_commands.json", "build/compile_commands.json", "builddir/compile_commands.json"];
/// Files of build systems.
const BUILDS: &[&str] = &["CMakeLists.txt", "meson.build", "configure.ac", "Makefile", "makefile", "GNUmakefile"];
const ENDINGS: &[&str] = &["c", "cc", "cpp", "cxx"];
/// No more sources are looked at.
const MOST: usize = 400;

/// With more sources than these, one is looked at alone.
const FEW: usize = 40;

/// A source, as the project names it, and its flags.
type Source = (PathBuf, Vec<String>);

/// The functions of a project.
pub fn propose(root: &Path) -> Result<Option<Proposal>> {
    let (because, mut files) = known(root, || sources(root, ENDINGS))?;
    if files.is_empty() {
        return Ok(None);
    }
    let mut notes = Vec::new();
    if files.len() > MOST {
        notes.push(format!("only the first {MOST} of {} sources were looked at", files.len()));
        files.truncate(MOST);
    }
    let mut entries = Vec::new();
    for (at, of) in survey(&files)?.iter().enumerate() {
        if let Some(why) = &of.refused {
            notes.push(why.lines().next().unwrap_or_default().to_owned());
        }
        // What is static is called by others of its file, and methods are called by functions.
        entries.extend(
            of.functions.iter().filter(|function| function.external && !function.method).map(|function| entry(&files, at, of, function)),
        );
    }
    Ok(Some(Proposal { because, what: "function", entries, notes }))
}

/// The functions of a file.
pub fn in_file(root: &Path, file: &Path) -> Result<Option<Vec<Testable>>> {
    if !ends_with(file, ENDINGS) {
        return Ok(None);
    }
    let own = PathBuf::from(within(root, file));
    // Without a build system, what belongs to a file is next to it.
    let (_, mut files) = known(root, || beside(file))?;
    let at = files.iter().position(|(known, _)| *known == own).unwrap_or_else(|| {
        files.push((own, flags(root)));
        files.len() - 1
    });
    let (files, at) = if files.len() > FEW { (vec![files.swap_remove(at)], 0) } else { (files, at) };
    let surveyed = survey(&files)?;
    let of = &surveyed[at];
    if let Some(why) = &of.refused {
        bail!("{why}");
    }
    let placed = |function: &Callable| Testable {
        entry: entry(&files, at, of, function),
        line: function.line,
        chosen: format!("--entry={}", function.name),
    };
    Ok(Some(of.functions.iter().map(placed).collect()))
}

/// The sources of a project, and what says so; `found` looks for them where nothing lists them.
fn known(root: &Path, found: impl FnOnce() -> Vec<PathBuf>) -> Result<(String, Vec<Source>)> {
    if let Some(database) = first(root, DATABASES) {
        return Ok((database.to_owned(), commands::read(&root.join(database), root)?));
    }
    let build = first(root, BUILDS);
    let files = if build.is_some() { sources(root, ENDINGS) } else { found() };
    let flags = flags(root);
    let files = files.iter().map(|file| (PathBuf::from(within(root, file)), flags.clone())).collect();
    Ok((build.unwrap_or("the sources").to_owned(), files))
}

/// The flags of a project that says nothing about them.
fn flags(root: &Path) -> Vec<String> {
    Some("-Iinclude".to_owned()).filter(|_| root.join("include").is_dir()).into_iter().collect()
}

/// The sources in the directory of a file.
fn beside(file: &Path) -> Vec<PathBuf> {
    let entries = file.parent().and_then(|directory| std::fs::read_dir(directory).ok()).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| path.extension() == file.extension()).collect();
    found.sort();
    found
}

/// A function of one of these sources.
fn entry(files: &[Source], at: usize, of: &Surveyed, function: &Callable) -> ProposedEntry {
    let (file, flags) = &files[at];
    let needed = of.needs.iter().map(|at| &files[*at]);
    let names = [file].into_iter().chain(needed.clone().map(|(file, _)| file)).map(|file| file.display().to_string()).collect();
    let mut all = flags.clone();
    needed.for_each(|(_, more)| all.extend(more.iter().filter(|flag| !flags.contains(flag)).cloned()));
    let mut settings = vec![("files", names), ("entry", vec![function.name.clone()])];
    settings.extend((!all.is_empty()).then_some(("flags", all)));
    ProposedEntry { name: function.name.clone(), settings }
}
