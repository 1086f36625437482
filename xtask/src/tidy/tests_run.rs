//! Every file of tests is run: where a crate does not let cargo find them, each is named by `tests/all.rs` or by the manifest.

use super::Sources;

/// Checks the crates that turn `autotests` off.
pub fn check(sources: &Sources) -> Vec<String> {
    let mut findings = Vec::new();
    for manifest in sources.files.iter().filter(|source| source.path.ends_with("/Cargo.toml")) {
        if !manifest.text.lines().any(|line| line == "autotests = false") {
            continue;
        }
        let directory = manifest.path.replace("Cargo.toml", "tests/");
        let all = sources.get(&format!("{directory}all.rs")).map_or("", |all| all.text.as_str());
        for file in &sources.files {
            let Some(name) = file.path.strip_prefix(&directory).and_then(|rest| rest.strip_suffix(".rs")) else { continue };
            let name = name.strip_suffix("/mod").or(name.strip_suffix("/main")).unwrap_or(name);
            let by_all = || all.lines().any(|line| line == format!("mod {name};"));
            let by_manifest = || manifest.text.lines().any(|line| line == format!("name = \"{name}\""));
            if !name.contains('/') && !by_all() && !by_manifest() {
                findings.push(format!("{}:1: tests that nothing runs (add `mod {name};` to {directory}all.rs)", file.path));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_nothing_names_is_found() {
        let files = |all: &str, manifest: &str| {
            let files = [
                ("crates/x/Cargo.toml", manifest),
                ("crates/x/tests/all.rs", all),
                ("crates/x/tests/one.rs", ""),
                ("crates/x/tests/many/mod.rs", ""),
                ("crates/x/tests/many/part.rs", ""),
            ];
            check(&Sources::of(&files)).len()
        };
        let manifest = "[package]\nautotests = false\n[[test]]\nname = \"all\"\n";
        assert_eq!(files("mod many;\nmod one;\n", manifest), 0);
        assert_eq!(files("mod one;\n", manifest), 1);
        assert_eq!(files("mod many;\n", &format!("{manifest}[[test]]\nname = \"one\"\n")), 0);
        assert_eq!(files("", "[package]\n"), 0);
    }
}
