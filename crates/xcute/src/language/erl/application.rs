//! Applications as rebar3 and erlang.mk lay them out: a directory with `src`, and what it needs of `include`, `_build` and `deps`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::erlang_mk;

/// Where the parts of an application are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Application {
    /// The modules, sorted.
    pub sources: Vec<PathBuf>,
    /// Directories with header files.
    pub include: Vec<PathBuf>,
    /// Directories with object files, its own and those of what it depends on.
    pub paths: Vec<PathBuf>,
    /// Configurations of rebar3, that of the project first, and makefiles of erlang.mk. Each is for the files below its directory.
    pub configs: Vec<PathBuf>,
}

impl Application {
    /// The application in a directory, or all applications of a project: its own, and those in `apps` and `lib`.
    pub fn find(directory: &Path) -> Result<Application> {
        let parts = ["apps", "lib"].into_iter().flat_map(|name| below(&directory.join(name), "src"));
        let own = Some(directory.join("src")).filter(|source| source.is_dir());
        let mut all = Application::default();
        for source in own.into_iter().chain(parts) {
            all.add(&source, directory)?;
        }
        if all.sources.is_empty() {
            bail!(
                "cannot test {}: it has no modules in src (give a file, or a directory with src/*.erl or apps/*/src/*.erl)",
                directory.display()
            );
        }
        Ok(all)
    }

    /// What one source file needs: of its application, if it has one, headers, configurations and object files, and the modules next to it that it calls or
    /// starts servers with.
    pub fn of_file(file: &Path) -> Application {
        if file.extension().is_none_or(|extension| extension != "erl") {
            return Application { sources: vec![file.to_owned()], ..Application::default() };
        }
        let whole = directory_of(file).and_then(|directory| Application::find(directory).ok()).unwrap_or_else(|| {
            let mut sources: Vec<PathBuf> = file.parent().and_then(|here| std::fs::read_dir(here).ok()).map_or_else(Vec::new, |entries| {
                entries.flatten().map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|of| of == "erl")).collect()
            });
            sources.sort();
            Application { sources, ..Application::default() }
        });
        let mut needed = vec![file.to_owned()];
        let mut left: Vec<PathBuf> = whole.sources.iter().filter(|source| *source != file).cloned().collect();
        let mut at = 0;
        while let Some(next) = needed.get(at) {
            let text = std::fs::read(next).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
            let named = named(&text);
            let is_named = |other: &PathBuf| other.file_stem().and_then(|stem| stem.to_str()).is_some_and(|module| named.contains(module));
            let (new, others) = left.into_iter().partition(is_named);
            left = others;
            needed.extend::<Vec<PathBuf>>(new);
            at += 1;
        }
        Application { sources: needed, ..whole }
    }

    /// Adds the application with these sources.
    fn add(&mut self, source: &Path, project: &Path) -> Result<()> {
        let Some(directory) = source.parent() else { return Ok(()) };
        let mut sources = Vec::new();
        collect(source, &mut sources)?;
        sources.sort();
        self.sources.extend(sources);
        // Other applications of a project share their headers with it.
        let together = directory.parent().filter(|parent| parent.ends_with("apps") || parent.ends_with("lib"));
        let own = ["include", "src", ""].map(|name| directory.join(name));
        add(&mut self.include, own.into_iter().chain(together.into_iter().flat_map(|apps| below(apps, "include"))));
        let above: Vec<&Path> = project.ancestors().take(3).collect();
        let places = above.iter().rev().copied().chain([directory]);
        let configured = |place: &Path| place.join("rebar.config").is_file() || place.join("rebar.config.script").is_file();
        for place in places {
            let config = place.join("rebar.config");
            if configured(place) && !self.configs.contains(&config) {
                self.configs.push(config);
            }
        }
        let makefile = directory.join("Makefile");
        if erlang_mk::is_one(&makefile) {
            self.configs.push(makefile);
        }
        // rebar3 builds into the project, which may be some directories above.
        add(&mut self.paths, [directory.join("ebin")]);
        for above in above {
            add(&mut self.paths, below(&above.join("_build/default/lib"), "ebin"));
            add(&mut self.paths, below(&above.join("deps"), "ebin"));
        }
        Ok(())
    }
}

/// The modules that a text may call functions of, or start servers with: words before a colon, and arguments of functions that start something.
fn named(text: &str) -> BTreeSet<&str> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '@' | '?');
    let mut found = BTreeSet::new();
    for line in text.lines().map(|line| line.split('%').next().unwrap_or_default()) {
        let (mut rest, mut starts) = (line, false);
        while let Some(at) = rest.find(is_word) {
            let word = &rest[at..];
            let (word, after) = word.split_at(word.find(|c| !is_word(c)).unwrap_or(word.len()));
            if (after.starts_with(':') && !after.starts_with("::")) || (starts && after.starts_with([',', ')'])) {
                found.insert(word);
            }
            starts |= word.contains("start");
            rest = after;
        }
    }
    found
}

/// Adds directories that are there and not in the list.
fn add(list: &mut Vec<PathBuf>, found: impl IntoIterator<Item = PathBuf>) {
    for path in found {
        if path.is_dir() && !list.contains(&path) {
            list.push(path);
        }
    }
}

/// The directory of the application that a source file belongs to: the one above `src`.
pub fn directory_of(file: &Path) -> Option<&Path> {
    file.ancestors().find(|path| path.ends_with("src")).and_then(Path::parent)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_brings_the_modules_that_it_names() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = |name: &str| directory.path().join(name);
        for (name, text) in [
            ("shop.erl", "-module(shop).\nf(X) -> cart:add(X). % stock:take(X)\ng() -> gen_server:start_link(till, [], []).\n"),
            ("cart.erl", "-module(cart).\nadd(X) -> price:of(X).\n"),
            ("price.erl", "-module(price).\n-type cart() :: {stock, other::atom()}.\n"),
            ("till.erl", "-module(till).\n"),
            ("stock.erl", "-module(stock).\n"),
            ("other.erl", "-module(other).\n"),
        ] {
            std::fs::write(path(name), text).expect("a file");
        }
        let all = |names: &[&str]| names.iter().map(|name| path(name)).collect::<Vec<_>>();
        assert_eq!(Application::of_file(&path("shop.erl")).sources, all(&["shop.erl", "cart.erl", "till.erl", "price.erl"]));
        assert_eq!(Application::of_file(&path("price.erl")).sources, all(&["price.erl"]));
    }

    #[test]
    fn a_file_of_an_application_has_its_headers() {
        let directory = tempfile::tempdir().expect("a directory");
        for name in ["src", "include"] {
            std::fs::create_dir(directory.path().join(name)).expect("a directory");
        }
        let file = directory.path().join("src/shop.erl");
        std::fs::write(&file, "-module(shop).\n-include(\"shop.hrl\").\n").expect("a file");
        let found = Application::of_file(&file);
        assert_eq!(found.sources, [file]);
        assert!(found.include.contains(&directory.path().join("include")), "{found:?}");
    }
}
