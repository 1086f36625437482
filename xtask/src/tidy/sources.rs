//! The texts that the rules look at: every source, manifest and document of the workspace.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

const SKIPPED: &[&str] = &["target", ".git", "xcute-out"];
const EXTENSIONS: &[&str] = &["rs", "c", "h", "def", "md", "toml", "sh", "trycmd", "bib"];
const NAMES: &[&str] = &["x", "run"];

/// One file.
pub struct Source {
    /// Relative to the root, with `/`.
    pub path: String,
    pub text: String,
}

/// All files, sorted by path, and the paths of all others.
pub struct Sources {
    pub files: Vec<Source>,
    /// Every path there is, directories included; what links may point to.
    pub paths: Vec<String>,
}

impl Sources {
    /// Reads the tree below `root`.
    pub fn read(root: &Path) -> Result<Sources> {
        let mut sources = Sources { files: Vec::new(), paths: Vec::new() };
        sources.walk(root, "")?;
        sources.files.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(sources)
    }

    /// The file at this path, if it was read.
    pub fn get(&self, path: &str) -> Option<&Source> {
        self.files.iter().find(|source| source.path == path)
    }

    fn walk(&mut self, directory: &Path, prefix: &str) -> Result<()> {
        for entry in fs::read_dir(directory).with_context(|| format!("cannot read {}", directory.display()))? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if SKIPPED.contains(&name.as_str()) {
                continue;
            }
            let path = format!("{prefix}{name}");
            if entry.file_type()?.is_dir() {
                self.walk(&entry.path(), &format!("{path}/"))?;
            } else if NAMES.contains(&name.as_str()) || name.rsplit_once('.').is_some_and(|(_, end)| EXTENSIONS.contains(&end)) {
                let text = fs::read_to_string(entry.path()).with_context(|| format!("cannot read {path}"))?;
                self.files.push(Source { path: path.clone(), text });
            }
            self.paths.push(path);
        }
        Ok(())
    }
}

#[cfg(test)]
impl Sources {
    /// A made-up tree, for the tests of the rules.
    pub fn of(files: &[(&str, &str)]) -> Sources {
        let mut paths = Vec::new();
        for (path, _) in files {
            for (at, _) in path.match_indices('/') {
                paths.push(path[..at].to_owned());
            }
            paths.push((*path).to_owned());
        }
        let files = files.iter().map(|(path, text)| Source { path: (*path).into(), text: (*text).into() }).collect();
        Sources { files, paths }
    }
}
