//! `./x setup`: installs what building and running xcute needs, and nothing that is already there.
//!
//! Each requirement is probed by what it gives (a program, a header), not by its package, so that any system that has it passes.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};

use crate::shell;

struct Requirement {
    /// The Debian package.
    package: &'static str,
    /// What it is for, in the message to people on other systems.
    purpose: &'static str,
    present: fn() -> bool,
}

const REQUIREMENTS: &[Requirement] = &[
    Requirement { package: "gcc", purpose: "linking, and the proof that standalone tests need no xcute", present: || has("gcc") },
    Requirement { package: "libc6-dev", purpose: "the C library's headers", present: || header("stdio.h") },
    Requirement { package: "g++", purpose: "the C++ library, and standalone tests in C++", present: || has("g++") },
    Requirement { package: "make", purpose: "build scripts of dependencies", present: || has("make") },
    Requirement { package: "pkg-config", purpose: "finding z3", present: || has("pkg-config") },
    Requirement { package: "clang-19", purpose: "compiling the programs under test", present: || has("clang-19") },
    Requirement {
        package: "llvm-19-dev",
        purpose: "instrumenting them",
        present: || has("llvm-config-19") && Path::new("/usr/lib/llvm-19/include/llvm-c/Core.h").exists(),
    },
    Requirement { package: "libclang-rt-19-dev", purpose: "replaying failures under AddressSanitizer", present: sanitizer },
    Requirement { package: "autoconf", purpose: "the test of \"xcute cc\" in configure scripts", present: || has("autoconf") },
    Requirement { package: "automake", purpose: "the same, with Makefile.am", present: || has("automake") },
    Requirement { package: "libtool", purpose: "the same, with libraries", present: || has("libtoolize") },
    Requirement { package: "cmake", purpose: "the test of \"xcute cc\" with CMake", present: || has("cmake") },
    Requirement { package: "swi-prolog-nox", purpose: "the tests of \"xcute clp\" (users can do without)", present: || has("swipl") },
    Requirement {
        package: "erlang-base",
        purpose: "the tests of \"xcute erl\" (users of other languages can do without)",
        present: || has("erl"),
    },
    Requirement { package: "erlang-eunit", purpose: "running the tests that \"xcute erl\" writes", present: eunit },
    Requirement { package: "libz3-dev", purpose: "the SMT solver, linked in", present: || header("z3.h") },
];

/// Installs what is missing; returns at once where nothing is.
pub fn run() -> Result<()> {
    let missing: Vec<&Requirement> = REQUIREMENTS.iter().filter(|requirement| !(requirement.present)()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let packages: Vec<&str> = missing.iter().map(|requirement| requirement.package).collect();
    if !has("apt-get") {
        let list: Vec<String> =
            missing.iter().map(|requirement| format!("  {:<20} {}", requirement.package, requirement.purpose)).collect();
        bail!(
            "cannot install packages: this is no Debian-like system (install these by hand, under the names they have here)\n{}",
            list.join("\n")
        );
    }
    shell::say(&format!("x: installing {}", packages.join(" ")));
    install(&packages)?;
    let still: Vec<&str> = missing.iter().filter(|requirement| !(requirement.present)()).map(|requirement| requirement.package).collect();
    if !still.is_empty() {
        bail!("installed {}, but what it should give is not found (is another version in the way?)", still.join(" "));
    }
    Ok(())
}

/// Adds a component of the Rust toolchain if `cargo SUBCOMMAND` does not work yet.
pub fn rust_component(subcommand: &str, component: &str) -> Result<()> {
    if shell::succeeds("cargo", &[subcommand, "--version"]) {
        return Ok(());
    }
    if !has("rustup") {
        bail!("cannot run `cargo {subcommand}` (install the Rust component `{component}`)");
    }
    shell::run(&mut shell::command("rustup", &["component", "add", component]))
}

/// Installs a program that only some measurement needs.
pub fn program(name: &str, package: &str) -> Result<()> {
    if has(name) {
        return Ok(());
    }
    if !has("apt-get") {
        bail!("cannot find {name} (install it)");
    }
    shell::say(&format!("x: installing {package}"));
    install(&[package])
}

fn install(packages: &[&str]) -> Result<()> {
    let privileged = shell::succeeds("sh", &["-c", "test \"$(id -u)\" = 0"]);
    if !privileged && !has("sudo") {
        bail!("cannot install packages without being root (run as root: apt-get install {})", packages.join(" "));
    }
    let apt = |arguments: &[&str]| {
        let mut command = if privileged { Command::new("apt-get") } else { Command::new("sudo") };
        if !privileged {
            command.arg("apt-get");
        }
        command.env("DEBIAN_FRONTEND", "noninteractive").args(arguments).args(["-qq", "-y"]);
        // Only results of ours go to stdout.
        command.stdout(std::io::stderr());
        command
    };
    let mut arguments = vec!["install", "--no-install-recommends"];
    arguments.extend_from_slice(packages);
    // A stale package list is the usual reason for a failure, so it is refreshed first.
    shell::run(&mut apt(&["update"]))?;
    shell::run(&mut apt(&arguments))
}

fn has(program: &str) -> bool {
    let Some(path) = std::env::var_os("PATH") else { return false };
    std::env::split_paths(&path).any(|directory| directory.join(program).is_file())
}

fn header(name: &str) -> bool {
    ["/usr/include", "/usr/local/include"].iter().any(|directory| Path::new(directory).join(name).exists())
}

fn eunit() -> bool {
    let roots = ["/usr/lib/erlang/lib", "/usr/local/lib/erlang/lib"];
    let named = |root: &&str| {
        std::fs::read_dir(root).into_iter().flatten().flatten().any(|entry| entry.file_name().to_string_lossy().starts_with("eunit-"))
    };
    roots.iter().any(named)
}

fn sanitizer() -> bool {
    let file = |target: &str| format!("/usr/lib/llvm-19/lib/clang/19/lib/linux/libclang_rt.asan-{target}.a");
    ["x86_64", "aarch64"].iter().any(|target| Path::new(&file(target)).exists())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_programs_that_are_there_and_no_others() {
        assert!(has("sh"));
        assert!(!has("a-program-nobody-has"));
    }
}
