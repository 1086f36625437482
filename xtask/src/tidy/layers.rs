//! The direction of dependencies: a crate knows only crates of lower layers.
//!
//! The layers are read from the table in `docs/ARCHITECTURE.md`, so the page cannot become untrue. Tests (dev-dependencies) may
//! also use crates of the same layer.

use std::collections::BTreeMap;

use super::Sources;

const PAGE: &str = "docs/ARCHITECTURE.md";

/// Crates outside the project that only the named crates may use; `*` stands for any ending.
const RESERVED: &[(&str, &[&str])] = &[
    ("z3", &["xcute-solver-*"]),
    ("z3-sys", &["xcute-solver-*"]),
    ("inkwell", &["xcute-c"]),
    ("clap", &["xcute"]),
    ("indicatif", &["xcute"]),
    ("anyhow", &["xcute", "xcute-oracle"]),
];

/// Checks the manifests of all crates.
pub fn check(sources: &Sources) -> Vec<String> {
    let Some(page) = sources.get(PAGE) else { return vec![format!("{PAGE}: missing, it holds the table of layers")] };
    let layers = table(&page.text);
    let mut findings = Vec::new();
    if layers.is_empty() {
        findings.push(format!("{PAGE}: no table of layers found"));
    }
    for manifest in sources.files.iter().filter(|source| source.path.ends_with("/Cargo.toml")) {
        let Some(name) = manifest.path.strip_prefix("crates/").and_then(|rest| rest.strip_suffix("/Cargo.toml")) else { continue };
        let Some(own) = layer(&layers, name) else {
            findings.push(format!("{}: crate {name} has no layer in {PAGE}", manifest.path));
            continue;
        };
        for dependency in dependencies(&manifest.text) {
            let place = format!("{}:{}", manifest.path, dependency.line);
            if let Some(other) = layer(&layers, &dependency.name) {
                let allowed = if dependency.dev { other <= own } else { other < own };
                if !allowed {
                    findings.push(format!("{place}: {name} (layer {own}) must not know {} (layer {other})", dependency.name));
                }
            }
            if let Some((_, users)) = RESERVED.iter().find(|(reserved, _)| *reserved == dependency.name)
                && !dependency.dev
                && !users.iter().any(|pattern| matches(pattern, name))
            {
                findings.push(format!("{place}: only {} may use {}", users.join(", "), dependency.name));
            }
        }
    }
    findings
}

/// The rows `| number | `crate`, … | … |` of the page.
fn table(page: &str) -> BTreeMap<String, u32> {
    let mut layers = BTreeMap::new();
    for line in page.lines() {
        let mut cells = line.split('|').map(str::trim).skip(1);
        let (Some(number), Some(crates)) = (cells.next(), cells.next()) else { continue };
        let Ok(number) = number.parse() else { continue };
        for name in crates.split('`').skip(1).step_by(2) {
            layers.insert(name.to_owned(), number);
        }
    }
    layers
}

/// The layer of a crate: by its own row, or else by a row that ends in `*`.
fn layer(layers: &BTreeMap<String, u32>, name: &str) -> Option<u32> {
    let by_pattern = || layers.iter().find(|(pattern, _)| pattern.ends_with('*') && matches(pattern, name)).map(|(_, layer)| *layer);
    layers.get(name).copied().or_else(by_pattern)
}

fn matches(pattern: &str, name: &str) -> bool {
    pattern.strip_suffix('*').map_or(pattern == name, |prefix| name.starts_with(prefix))
}

struct Dependency {
    name: String,
    line: usize,
    dev: bool,
}

fn dependencies(manifest: &str) -> Vec<Dependency> {
    let mut found = Vec::new();
    let mut section = "";
    for (number, line) in manifest.lines().enumerate() {
        let line = line.trim();
        if line.starts_with('[') {
            section = line.trim_matches(['[', ']']);
            // `[dependencies.name]` names the dependency in the header.
            if let Some((kind, name)) = section.split_once("dependencies.") {
                found.push(Dependency { name: name.into(), line: number + 1, dev: kind.ends_with("dev-") });
            }
        } else if section.ends_with("dependencies") && !line.starts_with('#') {
            let name: String = line.chars().take_while(|c| c.is_alphanumeric() || "-_".contains(*c)).collect();
            if !name.is_empty() {
                found.push(Dependency { name, line: number + 1, dev: section.ends_with("dev-dependencies") });
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "| layer | crate | holds |\n|---|---|---|\n| 0 | `xcute-term` | |\n| 1 | `xcute-solver`, `xcute-trace` | |\n| 2 | `xcute-solver-*` | |\n";

    fn findings(name: &str, manifest: &str) -> Vec<String> {
        check(&Sources::of(&[(PAGE, TABLE), (&format!("crates/{name}/Cargo.toml"), manifest)]))
    }

    #[test]
    fn downwards_is_fine() {
        assert!(findings("xcute-solver-z3", "[dependencies]\nxcute-solver.workspace = true\nz3.workspace = true\n").is_empty());
    }

    #[test]
    fn upwards_and_sideways_are_found() {
        assert_eq!(findings("xcute-term", "[dependencies]\nxcute-trace.workspace = true\n").len(), 1);
        assert_eq!(findings("xcute-trace", "[dependencies]\nxcute-solver = { workspace = true }\n").len(), 1);
        assert_eq!(findings("xcute-trace", "[dependencies.xcute-solver]\nworkspace = true\n").len(), 1);
        assert_eq!(findings("xcute-trace", "[build-dependencies]\nxcute-solver = { workspace = true }\n").len(), 1);
    }

    #[test]
    fn tests_may_use_equals() {
        assert!(findings("xcute-trace", "[dev-dependencies]\nxcute-solver.workspace = true\n").is_empty());
        assert_eq!(findings("xcute-term", "[dev-dependencies]\nxcute-solver.workspace = true\n").len(), 1);
    }

    #[test]
    fn a_crate_without_a_layer_is_found() {
        assert_eq!(findings("xcute-new", "[dependencies]\n").len(), 1);
    }

    #[test]
    fn real_solvers_stay_behind_their_adapters() {
        assert_eq!(findings("xcute-trace", "[dependencies]\nz3 = \"1\"\n").len(), 1);
    }
}
