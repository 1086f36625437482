//! Tidiness: rules about the sources that no compiler checks. Run by `./x check` and, as a test, by `./x test`.
//!
//! Each rule is one file with a `check` function that gets the sources and returns findings, one line each: `file:line: what`.

mod circles;
mod citations;
mod dependencies;
mod english;
mod layers;
mod links;
mod sources;
mod tests_run;
mod text;
mod words;

use std::path::Path;

use anyhow::Result;

pub use sources::Sources;

/// Applies all rules to the workspace at `root`. Empty means tidy.
pub fn check(root: &Path) -> Result<Vec<String>> {
    let sources = Sources::read(root)?;
    let mut findings = Vec::new();
    for rule in
        [layers::check, dependencies::check, text::check, links::check, english::check, citations::check, circles::check, tests_run::check]
    {
        findings.extend(rule(&sources));
    }
    Ok(findings)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_workspace_is_tidy() {
        let findings = super::check(&crate::shell::root()).unwrap();
        assert!(findings.is_empty(), "not tidy:\n{}", findings.join("\n"));
    }
}
