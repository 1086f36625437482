//! Circles of files: modules of a crate that import each other, directly or through others. Parents and their children do not count.
//!
//! **Invariant.** The list of crates that have circles only gets shorter: a new circle is a finding, and so is an entry that is too high.

use std::collections::{BTreeMap, BTreeSet};

use super::Sources;

/// How many files of a crate are part of a circle today.
const KNOWN: &[(&str, usize)] = &[("xcute-clp", 18), ("xcute-erl", 2), ("xcute-java", 6), ("xcute-model", 4), ("xcute-term", 12)];

/// Below `src`, without the ending; `mod`, `lib` and `main` are their folders.
type Module = Vec<String>;
type Graph = BTreeMap<Module, BTreeSet<Module>>;

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
    let found = in_circles(&graph);
    let known = KNOWN.iter().find(|(known, _)| *known == name).map_or(0, |(_, count)| *count);
    let list: Vec<String> = found.iter().map(|module| module.join("/")).collect();
    match found.len() {
        count if count > known => {
            Some(format!("crates/{name}: {count} files import each other in circles, {known} did: {}", list.join(", ")))
        }
        count if count < known => {
            Some(format!("crates/{name}: only {count} files are in circles now (lower the number in xtask/src/tidy/circles.rs)"))
        }
        _ => None,
    }
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
    let imports = |(from, text): (&Module, &String)| {
        let paths = text.split("use ").skip(1).filter_map(|rest| rest.split_once(';')).flat_map(|(path, _)| expanded(path));
        let targets = paths.filter_map(|path| target(from, &path, modules));
        (from.clone(), targets.filter(|to| !to.starts_with(from) && !from.starts_with(to)).collect())
    };
    modules.iter().map(imports).collect()
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

/// The module of this crate that an import leads to; `None` for imports from elsewhere, and of the crate itself.
fn target(from: &Module, path: &str, modules: &BTreeMap<Module, String>) -> Option<Module> {
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
    at.extend(parts.map(str::to_owned));
    while !at.is_empty() && !modules.contains_key(&at) {
        at.pop();
    }
    Some(at).filter(|at| !at.is_empty())
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
    fn nested_lists_are_expanded() {
        assert_eq!(expanded("a::{b, c::{d, e}}"), ["a::b", "a::c::d", "a::c::e"]);
        assert_eq!(expanded("a::b"), ["a::b"]);
    }
}
