//! `./x install [PREFIX]`: the release binary with its man pages, completions and header, below a prefix (`~/.local` if none is given).

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::{setup, shell};

/// Files for shells: which completions go where, below the prefix.
const COMPLETIONS: &[(&str, &str)] = &[
    ("bash", "share/bash-completion/completions/xcute"),
    ("zsh", "share/zsh/vendor-completions/_xcute"),
    ("fish", "share/fish/vendor_completions.d/xcute.fish"),
];

/// What is installed beside the binary, below the prefix: documents and the header.
const FILES: &[(&str, &str)] = &[
    ("runtimes/c/xcute.h", "include/xcute.h"),
    ("README.md", "share/doc/xcute/README.md"),
    ("CHANGELOG.md", "share/doc/xcute/CHANGELOG.md"),
    ("LICENSE-MIT", "share/doc/xcute/LICENSE-MIT"),
    ("LICENSE-APACHE", "share/doc/xcute/LICENSE-APACHE"),
];

/// Builds and installs.
pub fn run(arguments: &[String]) -> Result<()> {
    let prefix = match arguments {
        [] => PathBuf::from(std::env::var_os("HOME").context("cannot find your home directory (name a prefix: ./x install /usr/local)")?)
            .join(".local"),
        [prefix] if !prefix.starts_with('-') => std::path::absolute(prefix)?,
        _ => bail!("./x install takes one prefix at most: ./x install /usr/local"),
    };
    setup::to_run()?;
    let binary = built()?;
    below(&prefix, &binary)?;
    let bin = prefix.join("bin");
    shell::say(&format!("x: installed {}", bin.join("xcute").display()));
    let path = std::env::var_os("PATH").unwrap_or_default();
    if !std::env::split_paths(&path).any(|part| part == bin) {
        shell::say(&format!("x: {} is not in your PATH (add it: export PATH={}:$PATH)", bin.display(), bin.display()));
    }
    shell::say("x: xcute doctor says what each language needs");
    Ok(())
}

/// The release binary, built.
pub fn built() -> Result<PathBuf> {
    shell::run(&mut shell::cargo(&["build", "--release", "--package", "xcute"]))?;
    Ok(shell::release("xcute").into())
}

/// Puts a binary and all that belongs to it below a prefix.
pub fn below(prefix: &Path, binary: &Path) -> Result<()> {
    let place = |name: &str| -> Result<PathBuf> {
        let file = prefix.join(name);
        let directory = file.parent().context("a file has a directory")?;
        fs::create_dir_all(directory).with_context(|| format!("cannot create {} (name another prefix)", directory.display()))?;
        Ok(file)
    };
    let copy = |from: &Path, to: &Path| fs::copy(from, to).with_context(|| format!("cannot write {}", to.display()));
    let own = place("bin/xcute")?;
    // A binary that runs cannot be overwritten, but replaced.
    let new = own.with_extension("new");
    copy(binary, &new)?;
    fs::rename(&new, &own)?;
    for (from, to) in FILES {
        copy(&shell::root().join(from), &place(to)?)?;
    }
    for (name, to) in COMPLETIONS {
        fs::write(place(to)?, printed(binary, &["completions", name])?)?;
    }
    let pages = prefix.join("share/man/man1");
    printed(binary, &["man", "--out", &pages.display().to_string()])?;
    Ok(())
}

/// What the binary prints.
pub fn printed(binary: &Path, arguments: &[&str]) -> Result<Vec<u8>> {
    let output = shell::command(&binary.display().to_string(), arguments).output();
    let output = output.with_context(|| format!("cannot run {}", binary.display()))?;
    if !output.status.success() {
        bail!("cannot run xcute {}: {}", arguments.join(" "), String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(output.stdout)
}
