//! Programs that do not know xcute are compiled once: what a compiler made of the same text stays in the cache.
//!
//! **Invariant.** Only tests and `./x fuzz` use this, on files whose headers are of the system: a new C library or compiler makes everything new.

use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use tempfile::TempDir;
use xcute_cache::{Key, Store};

/// All programs take at most this much room.
const ROOM: u64 = 2 << 30;
/// What changes when the system does.
const SYSTEM: &[&str] = &["/lib/x86_64-linux-gnu/libc.so.6", "/usr/include/stdio.h", "/usr/bin/ld", "/usr/bin/as"];

/// How often a program is tried that somebody still writes to.
const TRIES: u32 = 500;

/// The program at `exe`: as it was when all these parts were the same, or as `make` makes it now.
///
/// # Errors
/// If it cannot be made.
pub fn made(compiler: &str, parts: &[&[u8]], exe: &Path, make: impl FnOnce() -> Result<()>) -> Result<()> {
    let mut key = Key::new("program of a test");
    let compiler = which::which(compiler).ok().and_then(|path| path.canonicalize().ok());
    for path in compiler.into_iter().chain(SYSTEM.iter().map(PathBuf::from)) {
        key.add_file(&path);
    }
    parts.iter().for_each(|part| key.add(part));
    let store = Store::new("tests", ROOM);
    if let Some(bytes) = store.as_ref().and_then(|store| store.find(&key.name())) {
        std::fs::write(exe, bytes)?;
        std::fs::set_permissions(exe, std::fs::Permissions::from_mode(0o755))?;
        return Ok(());
    }
    make()?;
    if let (Some(store), Ok(bytes)) = (store, std::fs::read(exe)) {
        store.keep(&key.name(), &bytes);
    }
    Ok(())
}

/// Runs a program that was made just now. Another thread may be starting a process at the moment in which it is written: that process has the file open until it
/// begins, and the system refuses to run what somebody writes to.
pub(crate) fn output(command: &mut Command) -> std::io::Result<Output> {
    let mut tries = 0;
    loop {
        match command.output() {
            Err(error) if error.kind() == ErrorKind::ExecutableFileBusy && tries < TRIES => {
                tries += 1;
                std::thread::sleep(Duration::from_millis(10));
            }
            other => return other,
        }
    }
}

/// Compiles a file that includes headers of the system only.
pub(crate) fn compile(cc: &Path, words: &[&str], source: &Path, exe: &Path) -> Result<()> {
    let text = std::fs::read(source)?;
    let mut parts: Vec<&[u8]> = words.iter().map(|word| word.as_bytes()).collect();
    parts.push(&text);
    made(&cc.to_string_lossy(), &parts, exe, || {
        let built = Command::new(cc).args(words).arg("-o").arg(exe).arg(source).arg("-lm").output().context("cannot run the C compiler")?;
        if !built.status.success() {
            bail!("{} does not compile: {}", source.display(), String::from_utf8_lossy(&built.stderr));
        }
        Ok(())
    })
}

/// A directory for one check. It has the same name each time, so that xcute finds what it compiled before: where a source is, is part of what is compiled.
pub(crate) fn directory(kind: &str, seed: u64, arguments: &[String]) -> Result<TempDir> {
    let mut key = Key::new(kind);
    arguments.iter().for_each(|word| key.add(word.as_bytes()));
    let name = format!("xcute-{kind}-{seed}-{}", &key.name()[..8]);
    let same = tempfile::Builder::new().prefix(&name).rand_bytes(0).tempdir();
    // Somebody else may be at it, or have left it behind.
    Ok(same.or_else(|_| tempfile::tempdir())?)
}
