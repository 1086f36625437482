//! Applications as rebar3 and erlang.mk lay them out: a directory with `src`, and what it needs of `include`, `_build` and `deps`.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// Where the parts of an application are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Application {
    /// The modules, sorted.
    pub sources: Vec<PathBuf>,
    /// Directories with header files.
    pub include: Vec<PathBuf>,
    /// Directories with object files, its own and those of what it depends on.
    pub paths: Vec<PathBuf>,
    /// Configurations of rebar3: that of the project first.
    pub configs: Vec<PathBuf>,
}

impl Application {
    /// The application in a directory.
    pub fn find(directory: &Path) -> Result<Application> {
        let source = directory.join("src");
        let mut sources = Vec::new();
        if source.is_dir() {
            collect(&source, &mut sources)?;
        }
        if sources.is_empty() {
            let apps = directory.join("apps");
            let hint = if apps.is_dir() { "give one of apps/" } else { "give a file, or a directory with src/*.erl" };
            bail!("cannot test {}: it has no modules in src ({hint})", directory.display());
        }
        sources.sort();
        let is_dir = |path: &PathBuf| path.is_dir();
        // Other applications of a project share their headers with it.
        let together = directory.parent().filter(|parent| parent.ends_with("apps") || parent.ends_with("lib"));
        let own = ["include", "src", ""].map(|name| directory.join(name));
        let include = own.into_iter().chain(together.into_iter().flat_map(|apps| below(apps, "include"))).filter(is_dir).collect();
        let mut configs: Vec<PathBuf> =
            directory.ancestors().take(3).map(|above| above.join("rebar.config")).filter(|file| file.is_file()).collect();
        configs.reverse();
        // rebar3 builds into the project, which may be some directories above.
        let mut paths: Vec<PathBuf> = vec![directory.join("ebin")];
        for above in directory.ancestors().take(3) {
            paths.extend(below(&above.join("_build/default/lib"), "ebin"));
            paths.extend(below(&above.join("deps"), "ebin"));
        }
        paths.retain(is_dir);
        paths.dedup();
        Ok(Application { sources, include, paths, configs })
    }
}

/// The directories of this name of all applications in a directory.
fn below(libraries: &Path, name: &str) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(libraries) else { return Vec::new() };
    let mut found: Vec<PathBuf> = entries.flatten().map(|entry| entry.path().join(name)).filter(|path| path.is_dir()).collect();
    found.sort();
    found
}

/// All modules below a directory.
fn collect(directory: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    let entries = std::fs::read_dir(directory).with_context(|| format!("cannot read {}", directory.display()))?;
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, found)?;
        } else if path.extension().is_some_and(|extension| extension == "erl") {
            found.push(path);
        }
    }
    Ok(())
}
