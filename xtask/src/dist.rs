//! `./x dist [--binary FILE]`: a Debian package of xcute in `target/dist`, with man pages, completions and the header.
//!
//! The package depends on the libraries that the binary is linked with, and recommends what each language needs: without one of these xcute says which is missing.
//!
//! **Invariant.** Nothing in the package refers to this checkout, and nothing but the binary has to be built.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::{install, setup, shell};

/// What languages need at run time.
const RECOMMENDS: &str = "clang-19, libclang-rt-19-dev, gcc, libc6-dev, g++";
const SUGGESTS: &str = "swi-prolog-nox, erlang-base, erlang-eunit, openjdk-17-jdk-headless";

/// Builds the package and says where it is.
pub fn run(arguments: &[String]) -> Result<()> {
    let binary = match arguments {
        [] => {
            setup::to_run()?;
            install::built()?
        }
        [flag, file] if flag == "--binary" => std::path::absolute(file)?,
        _ => bail!("./x dist takes no arguments but --binary FILE, or vscode"),
    };
    setup::program("dpkg-shlibdeps", "dpkg-dev")?;
    let package = package(&binary, &shell::target().join("dist"))?;
    shell::say(&format!("x: {}", package.display()));
    shell::say(&format!("x: install it with: apt-get install {}", package.display()));
    Ok(())
}

/// The package of a binary, in a directory.
fn package(binary: &Path, directory: &Path) -> Result<PathBuf> {
    let root = directory.join("root");
    if root.exists() {
        fs::remove_dir_all(&root).with_context(|| format!("cannot clear {}", root.display()))?;
    }
    install::below(&root.join("usr"), binary)?;
    let own = root.join("usr/bin/xcute");
    // Debug information is for those who build it.
    shell::run(&mut shell::command("strip", &["--strip-debug", &own.display().to_string()]))?;
    let pages = root.join("usr/share/man/man1");
    for page in fs::read_dir(&pages)? {
        shell::run(shell::command("gzip", &["-9", "-n"]).arg(page?.path()))?;
    }
    let version = version(binary)?;
    let architecture = text("dpkg", &["--print-architecture"])?;
    fs::create_dir_all(root.join("DEBIAN"))?;
    let control = control(&version, architecture.trim(), &depends(&own, directory)?);
    fs::write(root.join("DEBIAN/control"), control)?;
    let file = directory.join(format!("xcute_{version}_{}.deb", architecture.trim()));
    let mut build = shell::command("dpkg-deb", &["--root-owner-group", "--build"]);
    build.stdout(std::io::stderr());
    shell::run(build.arg(&root).arg(&file))?;
    Ok(file)
}

/// The version that the binary prints: `xcute 0.1.0`.
fn version(binary: &Path) -> Result<String> {
    let printed = String::from_utf8_lossy(&install::printed(binary, &["-V"])?).into_owned();
    let version = printed.split_whitespace().nth(1).with_context(|| format!("cannot read a version in {printed:?}"))?;
    Ok(version.to_owned())
}

/// The packages of the libraries that a binary is linked with.
fn depends(binary: &Path, directory: &Path) -> Result<String> {
    // The tool wants a source package around it.
    fs::create_dir_all(directory.join("debian"))?;
    fs::write(directory.join("debian/control"), "Source: xcute\n\nPackage: xcute\nArchitecture: any\n")?;
    let mut tool = shell::command("dpkg-shlibdeps", &["-O"]);
    let output = tool.arg(binary).current_dir(directory).output().context("cannot run dpkg-shlibdeps")?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let depends = text.lines().find_map(|line| line.strip_prefix("shlibs:Depends="));
    let why = || format!("dpkg-shlibdeps names no packages: {}", String::from_utf8_lossy(&output.stderr).trim());
    Ok(depends.with_context(why)?.to_owned())
}

fn control(version: &str, architecture: &str, depends: &str) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "Package: xcute\nVersion: {version}\nArchitecture: {architecture}\nMaintainer: the maintainers of xcute");
    let _ = writeln!(text, "Section: devel\nPriority: optional\nDepends: {depends}\nRecommends: {RECOMMENDS}\nSuggests: {SUGGESTS}");
    text + "Description: concolic unit testing engine\n \
            Give it a function in C, C++, Java, Erlang or Prolog, or a state machine,\n \
            and it finds the inputs and thread schedules that break it, with a\n replayable test for each path.\n"
}

fn text(program: &str, arguments: &[&str]) -> Result<String> {
    let output = shell::command(program, arguments).output().with_context(|| format!("cannot run {program}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_says_what_it_is() {
        let text = control("0.1.0", "amd64", "libc6 (>= 2.36)");
        for line in ["Package: xcute", "Version: 0.1.0", "Architecture: amd64", "Depends: libc6 (>= 2.36)"] {
            assert!(text.lines().any(|own| own == line), "{text}");
        }
        // Further lines of a description begin with a blank.
        let description = text.lines().skip_while(|line| !line.starts_with("Description:")).skip(1);
        assert!(description.clone().count() == 3 && description.into_iter().all(|line| line.starts_with(' ')), "{text}");
    }
}
