//! Circles of files: modules of a crate that use each other, directly or through others. Parents and their children do not count.
//!
//! A use is a path, in an import or within code. A name that a module hands on from a child (`pub use child::Name`) leads to that child.
//!
//! **Invariant.** There are none, and no list of exceptions.

use std::collections::{BTreeMap, BTreeSet};

use super::Sources;

/// Below `src`, without the ending; `mod`, `lib` and `main` are their folders.
type Module = Vec<String>;
type Graph = BTreeMap<Module, BTreeSet<Module>>;
/// Where the names come from that modules hand on from their children.
type HandedOn = BTreeMap<Module, Module>;

/// Checks every crate.
pub fn check(sources: &Sources) -> Vec<String> {
    let mut crates: BTreeMap<&str, BTreeMap<Module, String>> = BTreeMap::new();
    for source in &sources.files {
        if let Some((name, module)) = module(&source.path) {
            crates.entry(name).or_default().insert(module, without_tests(&source.text));
        }
    }
    crates.iter().filter_map(|(name, modules)| finding(name, modules)).collect()
}

fn finding(name: &str, modules: &BTreeMap<Module, String>) -> Option<String> {
    let graph = graph(modules);
    let found: Vec<String> = in_circles(&graph).iter().map(|module| module.join("/")).collect();
    (!found.is_empty()).then(|| format!("crates/{name}: {} files use each other in circles: {}", found.len(), found.join(", ")))
}

/// The crate and the module of a file; `None` for tests and for what is not a module of a crate.
fn module(path: &str) -> Option<(&str, Module)> {
    let (name, file) = path.strip_prefix("crates/")?.split_once("/src/")?;
    let mut parts: Module = file.strip_suffix(".rs")?.split('/').map(str::to_owned).collect();
    if parts.iter().any(|part| part == "tests") {
        return None;
    }
    if parts.last().is_some_and(|last| ["mod", "lib", "main"].contains(&last.as_str())) {
        parts.pop();
    }
    Some((name, parts))
}

/// The text up to the tests at its end, without comments.
fn without_tests(text: &str) -> String {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    code.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join(" ")
}

fn graph(modules: &BTreeMap<Module, String>) -> Graph {
    let names = modules.iter().flat_map(|(from, text)| handed_on(from, text).into_iter().map(|(name, to)| (from.len(), name, to)));
    let of_children = names.filter(|(depth, _, to)| modules.contains_key(&to[..=*depth]));
    let handed_on = of_children.map(|(_, name, to)| (name, to)).collect();
    let uses = |(from, text): (&Module, &String)| {
        let targets = paths(text).into_iter().filter_map(|path| target(from, &path, modules, &handed_on));
        (from.clone(), targets.filter(|to| !to.starts_with(from) && !from.starts_with(to)).collect())
    };
    modules.iter().map(uses).collect()
}

/// All paths of a text: of its imports, and those within its code.
fn paths(text: &str) -> Vec<String> {
    let mut parts = text.split("use ");
    let mut found = Vec::new();
    found.extend(parts.next().into_iter().flat_map(within));
    for (import, code) in parts.filter_map(|part| part.split_once(';')) {
        found.extend(expanded(import));
        found.extend(within(code));
    }
    found
}

/// The paths within code that begin at the crate or at a parent.
fn within(code: &str) -> impl Iterator<Item = String> {
    let of_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    code.split(move |c| !of_path(c)).filter(|word| word.starts_with("crate::") || word.starts_with("super::")).map(str::to_owned)
}

/// The names that a module hands on from its children, as paths, and where they come from.
fn handed_on(from: &Module, text: &str) -> Vec<(Module, Module)> {
    let imports = ["pub use ", "pub(crate) use ", "pub(super) use "].iter().flat_map(|start| text.split(start).skip(1));
    let names = imports.filter_map(|rest| rest.split_once(';')).flat_map(|(path, _)| expanded(path));
    let child = names.filter(|path| !["crate", "super"].contains(&path.split("::").next().unwrap_or_default()));
    let below = |names: Vec<&str>| from.iter().cloned().chain(names.into_iter().map(str::to_owned)).collect::<Module>();
    child
        .map(|path| {
            let (path, name) = path.split_once(" as ").unwrap_or((&path, path.rsplit("::").next().unwrap_or_default()));
            (below(vec![name.trim()]), below(path.trim_start_matches("self::").split("::").map(str::trim).collect()))
        })
        .collect()
}

/// `a::{b, c::{d, e}}` as `a::b`, `a::c::d`, `a::c::e`.
fn expanded(path: &str) -> Vec<String> {
    let Some((before, rest)) = path.split_once('{') else { return vec![path.trim().to_owned()] };
    let inside = rest.rsplit_once('}').map_or(rest, |(inside, _)| inside);
    let (mut parts, mut depth) = (vec![String::new()], 0);
    for c in inside.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        parts.last_mut().expect("there is one").push(c);
    }
    let parts = parts.iter().filter(|part| !part.trim().is_empty());
    parts.flat_map(|part| expanded(&format!("{}{}", before.trim(), part.trim()))).collect()
}

/// The module of this crate that a path leads to; `None` for paths to elsewhere, and to the crate itself.
fn target(from: &Module, path: &str, modules: &BTreeMap<Module, String>, handed_on: &HandedOn) -> Option<Module> {
    let mut parts = path.split("::").map(str::trim).peekable();
    let mut at = match parts.next()? {
        "crate" => Module::new(),
        "self" => from.clone(),
        "super" => from[..from.len().checked_sub(1)?].to_vec(),
        _ => return None,
    };
    while parts.next_if_eq(&"super").is_some() {
        at.pop()?;
    }
    at.extend(parts.map(|part| part.split(" as ").next().unwrap_or_default().to_owned()));
    Some(home(at, modules, handed_on)).filter(|at| !at.is_empty())
}

/// The module that holds what a path from the crate on names.
fn home(mut path: Module, modules: &BTreeMap<Module, String>, handed_on: &HandedOn) -> Module {
    let mut rest = Vec::new();
    while !path.is_empty() && !modules.contains_key(&path) {
        if let Some(from) = handed_on.get(&path) {
            rest.reverse();
            return home(from.iter().cloned().chain(rest).collect(), modules, handed_on);
        }
        rest.extend(path.pop());
    }
    path
}

/// The modules that lead back to themselves.
fn in_circles(graph: &Graph) -> Vec<&Module> {
    let leads_back = |start: &&Module| {
        let mut seen = BTreeSet::new();
        let mut open: Vec<&Module> = graph[*start].iter().collect();
        while let Some(next) = open.pop() {
            if seen.insert(next) {
                open.extend(graph.get(next).into_iter().flatten());
            }
        }
        seen.contains(*start)
    };
    graph.keys().filter(leads_back).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(files: &[(&str, &str)]) -> Vec<String> {
        check(&Sources::of(files))
    }

    #[test]
    fn circles_are_found() {
        let one = ("crates/a/src/b.rs", "use crate::c::{d, E};\n");
        assert_eq!(findings(&[one, ("crates/a/src/c.rs", "use crate::e::f;\n"), ("crates/a/src/e.rs", "use super::b::G;\n")]).len(), 1);
        assert!(findings(&[one, ("crates/a/src/c.rs", "use crate::e::f;\n"), ("crates/a/src/e.rs", "use std::fmt;\n")]).is_empty());
    }

    #[test]
    fn parents_tests_and_comments_do_not_count() {
        let parent = ("crates/a/src/b/mod.rs", "use self::c::D;\n");
        assert!(findings(&[parent, ("crates/a/src/b/c.rs", "use super::E;\n")]).is_empty());
        let one = ("crates/a/src/b.rs", "use crate::c::d;\n");
        assert!(findings(&[one, ("crates/a/src/c.rs", "// use crate::b::x;\n")]).is_empty());
        assert!(findings(&[one, ("crates/a/src/c.rs", "fn f() {}\n#[cfg(test)]\nmod tests {\n use crate::b::x;\n}\n")]).is_empty());
    }

    #[test]
    fn paths_within_code_and_names_handed_on_count() {
        let one = ("crates/a/src/b.rs", "use crate::c::d;\n");
        assert_eq!(findings(&[one, ("crates/a/src/c.rs", "fn f() { crate::b::g() }\n")]).len(), 1);
        let lib = ("crates/a/src/lib.rs", "mod b;\nmod c;\npub use b::{G as H, I};\n");
        assert_eq!(findings(&[lib, one, ("crates/a/src/c.rs", "use crate::H;\n")]).len(), 1);
        assert_eq!(findings(&[lib, one, ("crates/a/src/c.rs", "fn f() -> super::I { todo() }\n")]).len(), 1);
        assert!(findings(&[lib, one, ("crates/a/src/c.rs", "use crate::J;\n")]).is_empty());
    }

    #[test]
    fn nested_lists_are_expanded() {
        assert_eq!(expanded("a::{b, c::{d, e}}"), ["a::b", "a::c::d", "a::c::e"]);
        assert_eq!(expanded("a::b"), ["a::b"]);
    }
}
