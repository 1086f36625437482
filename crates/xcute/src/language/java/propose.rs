//! What there is to test in a project of Java.

use std::path::Path;

use anyhow::{Context, Result};
use xcute_java::{Jdk, Opened, testable};

use crate::front::{Proposal, ProposedEntry, first, sources};

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
    let methods = testable(&opened, &jdk)?.into_iter().filter(|method| method.open && !method.descriptor.starts_with("()"));
    // Neither lambdas nor the entry of a program.
    let methods = methods.filter(|method| !method.name.contains('$') && method.name != "main");
    let entries = methods.map(|method| {
        let text = method.text();
        let class = method.class.rsplit('.').next().unwrap_or_default();
        let settings = vec![("paths", vec![".".to_owned()]), ("method", vec![text])];
        ProposedEntry { name: format!("{class}.{}", method.name), settings }
    });
    Ok(Some(Proposal { because: because.to_owned(), what: "method", entries: entries.collect(), notes: Vec::new() }))
}
