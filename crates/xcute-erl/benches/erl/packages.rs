//! Applications of Debian: their packages are fetched once, and unpacked below `target`; nothing is installed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The packages.
const PACKAGES: &[&str] = &["erlang-yaws", "erlang-lager", "erlang-p1-utils", "erlang-p1-stun", "erlang-p1-sip"];

/// Where the packages are unpacked.
fn directory() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target/erl-real")
}

/// The object files of each package.
///
/// # Errors
/// What went wrong with one.
pub fn all() -> Vec<(&'static str, Result<Vec<PathBuf>, String>)> {
    PACKAGES.iter().map(|name| (*name, unpacked(name))).collect()
}

fn unpacked(name: &str) -> Result<Vec<PathBuf>, String> {
    let place = directory().join(name);
    if !place.join("root").is_dir() {
        fs::create_dir_all(&place).map_err(|error| error.to_string())?;
        let script = format!("apt-get -qq download {name} && dpkg -x {name}_*.deb new && mv new root");
        let ran = Command::new("sh").args(["-c", &script]).current_dir(&place).output().map_err(|error| error.to_string())?;
        if !ran.status.success() {
            return Err(String::from_utf8_lossy(&ran.stderr).lines().last().unwrap_or("it says nothing").to_owned());
        }
    }
    Ok(beams(&place.join("root")))
}

/// The object files below a directory, sorted.
pub fn beams(directory: &Path) -> Vec<PathBuf> {
    let (mut found, mut pending) = (Vec::new(), vec![directory.to_owned()]);
    while let Some(next) = pending.pop() {
        for entry in fs::read_dir(next).into_iter().flatten().flatten() {
            let path = entry.path();
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                pending.push(path);
            } else if path.extension().is_some_and(|end| end == "beam") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
