//! `./x dist vscode`: the extension for VS Code as `target/dist/xcute-VERSION.vsix`, made by npm and VS Code's own tool.
//!
//! It is apart from the Debian package, because it needs the network.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::{setup, shell};

/// VS Code's tool for packages.
const PACKER: &str = "@vscode/vsce@3";

/// What is copied: all but what npm makes.
const FILES: &[&str] = &["package.json", "package-lock.json", "extension.js", "README.md", ".vscodeignore"];

/// Makes the package and says where it is.
pub fn run() -> Result<()> {
    setup::program("npm", "npm")?;
    let dist = shell::target().join("dist");
    let package = package(&shell::root().join("editors/vscode"), &dist)?;
    shell::say(&format!("x: {}", package.display()));
    shell::say(&format!("x: install it with: code --install-extension {}", package.display()));
    Ok(())
}

fn package(from: &Path, dist: &Path) -> Result<PathBuf> {
    let place = dist.join("vscode");
    if place.exists() {
        fs::remove_dir_all(&place).with_context(|| format!("cannot clear {}", place.display()))?;
    }
    fs::create_dir_all(&place).with_context(|| format!("cannot create {}", place.display()))?;
    for name in FILES {
        fs::copy(from.join(name), place.join(name)).with_context(|| format!("cannot copy {name}"))?;
    }
    let version = version(&fs::read_to_string(place.join("package.json"))?)?;
    let file = dist.join(format!("xcute-{version}.vsix"));
    let npm = |words: &[&str]| shell::run(shell::command("npm", words).current_dir(&place).stdout(std::io::stderr()));
    npm(&["ci", "--omit=dev", "--no-audit", "--no-fund"])?;
    let out = file.display().to_string();
    npm(&["exec", "--yes", "--package", PACKER, "--", "vsce", "package", "--skip-license", "--allow-missing-repository", "--out", &out])?;
    Ok(file)
}

/// The version that the package names.
fn version(package: &str) -> Result<String> {
    let line = package.lines().find_map(|line| line.trim().strip_prefix("\"version\":"));
    match line.map(|rest| rest.trim().trim_matches(['"', ','])) {
        Some(version) if !version.is_empty() => Ok(version.to_owned()),
        _ => bail!("package.json of the extension names no version"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extension_has_the_version_of_xcute() {
        let root = shell::root();
        let own = version(&fs::read_to_string(root.join("editors/vscode/package.json")).unwrap()).unwrap();
        let manifest = fs::read_to_string(root.join("Cargo.toml")).unwrap();
        assert!(manifest.contains(&format!("version = \"{own}\"")), "{own}");
        assert!(FILES.iter().all(|name| root.join("editors/vscode").join(name).is_file()));
        assert!(version("{}").is_err());
    }
}
