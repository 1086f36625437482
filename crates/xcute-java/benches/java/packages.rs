//! Libraries of Debian: their packages are fetched once and unpacked below `target`; nothing is installed.

use std::path::PathBuf;
use std::process::Command;

/// The jar of a package.
///
/// # Errors
/// What went wrong.
pub fn jar(package: &str, name: &str) -> Result<PathBuf, String> {
    let place = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target/java-real").join(package);
    if !place.join("root").is_dir() {
        std::fs::create_dir_all(&place).map_err(|error| error.to_string())?;
        let script = format!("apt-get -qq download {package} && dpkg -x {package}_*.deb new && mv new root");
        let ran = Command::new("sh").args(["-c", &script]).current_dir(&place).output().map_err(|error| error.to_string())?;
        if !ran.status.success() {
            return Err(String::from_utf8_lossy(&ran.stderr).lines().last().unwrap_or("it says nothing").to_owned());
        }
    }
    Ok(place.join("root/usr/share/java").join(format!("{name}.jar")))
}
