//! Sources from Debian, and the builds of a package: one for each tool.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::packages::Package;

/// Runs a shell command in a directory; what it printed if it fails.
pub fn shell(dir: &Path, compiler: &str, command: &str) -> Result<(), String> {
    let ran = Command::new("sh").arg("-c").arg(command).current_dir(dir).env("CC", compiler).output().map_err(|e| e.to_string())?;
    if ran.status.success() {
        return Ok(());
    }
    let talk = String::from_utf8_lossy(&ran.stderr).into_owned();
    Err(talk.lines().rev().take(3).collect::<Vec<_>>().into_iter().rev().collect::<Vec<_>>().join("; "))
}

/// The archive with the original source of a package; it is fetched once, with package lists of its own.
pub fn fetch(name: &str, into: &Path) -> Result<PathBuf, String> {
    fs::create_dir_all(into).map_err(|e| e.to_string())?;
    let found = || {
        let files = fs::read_dir(into).into_iter().flatten().flatten().map(|entry| entry.path());
        files.into_iter().find(|p| p.file_name().is_some_and(|n| is_original(&n.to_string_lossy(), name)))
    };
    if let Some(archive) = found() {
        return Ok(archive);
    }
    let apt = into.join("apt");
    let at = apt.display();
    let release = "$(. /etc/os-release; echo ${VERSION_CODENAME:-stable})";
    let options = format!(
        "-qq -o Dir::Etc::SourceList={at}/list -o Dir::Etc::SourceParts=/dev/null -o Dir::State::Lists={at}/lists -o Dir::Cache={at}/cache"
    );
    let lists = format!(
        "mkdir -p {at}/lists/partial {at}/cache/archives/partial && {{ test -s {at}/list || {{ echo \"deb-src http://deb.debian.org/debian {release} main\" > {at}/list && apt-get {options} update; }}; }}"
    );
    shell(into, "", &lists)?;
    // The archive is what counts: without dpkg-dev apt complains, but has fetched it.
    let told = shell(into, "", &format!("apt-get {options} --download-only source {name}"));
    found().ok_or_else(|| format!("the source of {name} cannot be fetched: {}", told.err().unwrap_or_default()))
}

fn is_original(file: &str, name: &str) -> bool {
    file.starts_with(&format!("{name}_")) && file.contains(".orig.tar") && !file.ends_with(".asc")
}

/// Unpacks and builds a package and its program with a compiler; the program.
pub fn build(package: &Package, archive: &Path, into: &Path, compiler: &str) -> Result<PathBuf, String> {
    let program = into.join("program");
    if program.exists() {
        return Ok(program);
    }
    fs::create_dir_all(into).map_err(|e| e.to_string())?;
    let at = into.display();
    shell(into, compiler, &format!("rm -rf source && mkdir source && tar -xf {} -C source --strip-components=1", archive.display()))?;
    let source = into.join("source");
    shell(&source, compiler, package.build)?;
    let driver = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/real").join(package.driver);
    shell(&source, compiler, &format!("$CC -g -O1 -w {} {} -o {at}/program", driver.display(), package.flags))?;
    Ok(program)
}
