//! What there is to test in a project of Java.

use std::path::Path;

use anyhow::{Context, Result};
use xcute_java::{Jdk, Opened, Testable as Method, testable};

use crate::front::{Proposal, ProposedEntry, Testable, first, sources, within};

/// Files of build systems.
const BUILDS: &[&str] = &["pom.xml", "build.gradle", "build.gradle.kts", "build.xml"];

/// The methods of a project that have parameters.
pub fn propose(root: &Path) -> Result<Option<Proposal>> {
    let because = match first(root, BUILDS) {
        Some(build) => build,
        None if sources(root, &["java"]).is_empty() => return Ok(None),
        None => "the sources",
    };
    let jdk = Jdk::find()?;
    let opened = Opened::open(&[root.to_owned()], &[], &jdk).context("build the project first")?;
    let entries = testable(&opened, &jdk)?.into_iter().filter(is_entry).map(|method| entry(&method, ".")).collect();
    Ok(Some(Proposal { because: because.to_owned(), what: "method", entries, notes: Vec::new() }))
}

/// The methods of a file that have parameters.
pub fn in_file(root: &Path, file: &Path) -> Result<Option<Vec<Testable>>> {
    if file.extension().is_none_or(|end| end != "java") {
        return Ok(None);
    }
    let jdk = Jdk::find()?;
    // A file that needs others is compiled with all of the project.
    let alone = Opened::open(&[file.to_owned()], &[], &jdk).map(|opened| (within(root, file), opened));
    let (path, opened) = alone.or_else(|_| Opened::open(&[root.to_owned()], &[], &jdk).map(|opened| (".".to_owned(), opened)))?;
    let text = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    let text = String::from_utf8_lossy(&text);
    let here = |method: &Method| {
        let package = method.class.rsplit_once('.').map_or_else(String::new, |(package, _)| package.replace('.', "/") + "/");
        let source = opened.source(&format!("{package}{}", method.file)).and_then(|source| source.canonicalize().ok());
        source.is_some_and(|source| source == file)
    };
    let placed = |method: Method| {
        let entry = entry(&method, &path);
        Testable {
            line: declaration(&text, &method),
            chosen: format!("--method={}", method.text()),
            entry: ProposedEntry { name: method.text(), ..entry },
        }
    };
    let mut all: Vec<Testable> = testable(&opened, &jdk)?.into_iter().filter(is_entry).filter(here).map(placed).collect();
    all.sort_by_key(|method| method.line);
    Ok(Some(all))
}

/// Whether a method is one to test: neither a lambda nor the entry of a program.
fn is_entry(method: &Method) -> bool {
    method.open && !method.descriptor.starts_with("()") && !method.name.contains('$') && method.name != "main"
}

fn entry(method: &Method, path: &str) -> ProposedEntry {
    let class = method.class.rsplit('.').next().unwrap_or_default();
    let settings = vec![("paths", vec![path.to_owned()]), ("method", vec![method.text()])];
    ProposedEntry { name: format!("{class}.{}", method.name), settings }
}

/// The line where a method is declared: the last one with its name that is not after its code.
fn declaration(text: &str, method: &Method) -> u32 {
    let names = |line: &str| line.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$').any(|word| word == method.name);
    let before = text.lines().zip(1..).take_while(|(_, number)| *number <= method.line.max(1));
    before.filter(|(line, _)| names(line)).last().map_or(method.line.max(1), |(_, number)| number)
}
