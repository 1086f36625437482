//! Every dependency of the workspace has one line saying why it is here, and a crate uses only those.

use super::Sources;

/// Checks the root manifest and the manifests of the crates.
pub fn check(sources: &Sources) -> Vec<String> {
    let mut findings = Vec::new();
    for manifest in sources.files.iter().filter(|source| source.path.ends_with("Cargo.toml")) {
        let mut section = "";
        for (number, line) in manifest.text.lines().enumerate() {
            let line = line.trim();
            if line.starts_with('[') {
                section = line;
            }
            if line.is_empty() || line.starts_with('#') || line.starts_with('[') || !section.trim_end_matches(']').ends_with("dependencies")
            {
                continue;
            }
            let place = format!("{}:{}", manifest.path, number + 1);
            if section == "[workspace.dependencies]" {
                if !line.contains("path = ") && !line.contains(" # ") {
                    findings.push(format!("{place}: dependency without a reason (add `# why` at the end of the line)"));
                }
            } else if !line.contains("workspace = true") {
                findings.push(format!("{place}: dependency that is not in the root manifest (add it there, with its reason)"));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_asked_for() {
        let root = "[workspace.dependencies]\nown = { path = \"own\" }\na = \"1\" # reason\nb = \"1\"\n";
        assert_eq!(check(&Sources::of(&[("Cargo.toml", root)])).len(), 1);
    }

    #[test]
    fn crates_take_versions_from_the_root() {
        let own = "[package]\nname = \"x\"\n[dependencies]\na.workspace = true\nb = \"1\"\n";
        assert_eq!(check(&Sources::of(&[("crates/x/Cargo.toml", own)])).len(), 1);
    }
}
