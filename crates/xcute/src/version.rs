//! What `xcute --version` says: the build, and the tools that it would use.

use crate::front::Language;

/// The version alone.
pub const SHORT: &str = env!("CARGO_PKG_VERSION");

/// The commit, if the build was told.
const COMMIT: Option<&str> = option_env!("XCUTE_COMMIT");

/// The version, the build, and the tools of all languages that were found, each once.
pub fn long(languages: &[&dyn Language]) -> String {
    let build = if cfg!(debug_assertions) { "debug" } else { "release" };
    let (system, machine) = (std::env::consts::OS, std::env::consts::ARCH);
    let commit = COMMIT.map_or_else(String::new, |commit| format!(", commit {commit}"));
    let mut lines = vec![format!("{SHORT} ({build} build for {machine} {system}{commit})")];
    let mut seen = Vec::new();
    for need in languages.iter().flat_map(|language| language.needs()) {
        if !seen.contains(&need.name) {
            lines.push(format!("{}: {}", need.name, need.found.unwrap_or_else(|_| "not found (see xcute doctor)".to_owned())));
            seen.push(need.name);
        }
    }
    lines.join("\n")
}
