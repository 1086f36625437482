//! The names of files: as the user gave them, whatever the compiler made of them.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use xcute_c::standalone::relative;
use xcute_c::system::is_system;

/// The sources of a campaign and the directory it runs in.
pub struct Files {
    directory: PathBuf,
    build: PathBuf,
    given: Vec<PathBuf>,
    absolute: Vec<PathBuf>,
}

impl Files {
    /// Takes note of the sources; what lies in `build` is generated.
    pub fn new(given: &[PathBuf], build: &Path) -> Result<Files> {
        let directory = std::env::current_dir().context("cannot find the current directory")?;
        let absolute = given.iter().map(|path| path.canonicalize().with_context(|| format!("cannot read {}", path.display())));
        let build = build.canonicalize().with_context(|| format!("cannot read {}", build.display()))?;
        Ok(Files { directory, build, given: given.to_vec(), absolute: absolute.collect::<Result<_>>()? })
    }

    /// The directory that relative paths are meant in.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The same, as it is seen from another one, which is given in it: results can be moved together with the sources.
    pub fn seen_from(&self, other: &Path) -> PathBuf {
        let other = self.directory.join(other);
        relative(&other.canonicalize().unwrap_or(other), &self.directory)
    }

    /// The sources as they were given.
    pub fn given(&self) -> &[PathBuf] {
        &self.given
    }

    /// A path for people: a source as it was given, another file relative to the directory if it is below it.
    pub fn shown(&self, path: &Path) -> String {
        let given = self.absolute.iter().position(|absolute| absolute == path).map(|at| self.given[at].as_path());
        given.or_else(|| path.strip_prefix(&self.directory).ok()).unwrap_or(path).display().to_string()
    }

    /// The same for a file that belongs to the subject; `None` for the system's and for what xcute generated.
    pub fn own(&self, path: &Path) -> Option<String> {
        let source = self.absolute.iter().any(|source| source == path);
        let foreign = path.as_os_str().is_empty() || path.starts_with(&self.build) || is_system(&path.to_string_lossy());
        (source || !foreign).then(|| self.shown(path))
    }
}

/// Paths for a message.
pub fn list(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_the_users() {
        let here = std::env::current_dir().unwrap();
        let build = tempfile::tempdir().unwrap();
        let files = Files::new(&[PathBuf::from("src/../src/main.rs")], build.path()).unwrap();
        assert_eq!(files.shown(&here.join("src/main.rs")), "src/../src/main.rs");
        assert_eq!(files.shown(&here.join("src/plan.rs")), "src/plan.rs");
        assert_eq!(files.shown(Path::new("/elsewhere/a.h")), "/elsewhere/a.h");
        assert_eq!(files.own(Path::new("/usr/include/stdio.h")), None);
        assert_eq!(files.own(Path::new("/usr/src/app/list.c")).as_deref(), Some("/usr/src/app/list.c"));
        assert_eq!(files.own(&build.path().join("harness.c")), None);
        assert!(files.own(&build.path().with_file_name("own.h")).is_some());
    }
}
