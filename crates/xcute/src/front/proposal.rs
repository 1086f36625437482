//! What a language finds to test: in a project, for `xcute init`, and in a file, for editors.

use std::path::{Path, PathBuf};

use xcute_report::exchange::Project;

/// What was found.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Proposal {
    /// What says that there is something: `compile_commands.json`.
    pub because: String,
    /// What each entry is: `function`.
    pub what: &'static str,
    pub entries: Vec<ProposedEntry>,
    /// What cannot be tested, and why, in a line each.
    pub notes: Vec<String>,
}

/// An entry of `xcute.toml`.
#[derive(Debug, PartialEq, Eq)]
pub struct ProposedEntry {
    /// What people call it.
    pub name: String,
    /// Options and operands of the command, and their values.
    pub settings: Vec<(&'static str, Vec<String>)>,
}

/// Something that can be tested in a file.
#[derive(Debug, PartialEq, Eq)]
pub struct Testable {
    pub entry: ProposedEntry,
    /// The line where it begins, from 1.
    pub line: u32,
    /// The word of the command line that chooses it among others of the file.
    pub chosen: String,
}

/// Whether a file has one of these endings.
pub fn ends_with(file: &Path, endings: &[&str]) -> bool {
    file.extension().is_some_and(|end| endings.iter().any(|known| end == *known))
}

/// Directories that hold what tools made, or what tests a program.
const OTHERS: &[&str] =
    &["build", "target", "out", "dist", "node_modules", "_build", "deps", "test", "tests", "vendor", "third_party", "CMakeFiles"];

/// The files below a directory whose names end so, sorted, without those of builds, tests and results.
pub fn sources(directory: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let (mut found, mut pending) = (Vec::new(), vec![directory.to_owned()]);
    while let Some(directory) = pending.pop() {
        for entry in std::fs::read_dir(&directory).into_iter().flatten().flatten() {
            let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
            let own = !name.starts_with(['.', '_']) && !OTHERS.contains(&name.as_str()) && !name.starts_with("xcute-");
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && own => pending.push(path),
                Ok(kind) if kind.is_file() && ends_with(&path, endings) => found.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    found
}

/// The first of these files that a directory has.
pub fn first<'a>(directory: &Path, names: &[&'a str]) -> Option<&'a str> {
    names.iter().copied().find(|name| directory.join(name).is_file())
}

/// A path as the file says it: relative to the project, where it is below it.
pub fn within(root: &Path, path: &Path) -> String {
    let root = root.display().to_string();
    match (Project { root: root.clone() }).path("/", &path.display().to_string()) {
        itself if itself == root => ".".to_owned(),
        other => other,
    }
}
