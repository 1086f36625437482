//! `./x setup`: installs what building and running xcute needs, and nothing that is already there.
//!
//! Each requirement is probed by what it gives (a program, a header), not by its package, so that any system that has it passes.
//!
//! **Invariant.** Packages are named before they are installed, and a person at the terminal is asked.

use std::io::{BufRead as _, IsTerminal as _};
use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};

use crate::shell;

struct Requirement {
    /// The Debian package.
    package: &'static str,
    /// What it is for.
    purpose: &'static str,
    /// Only the tests need it.
    tests: bool,
    present: fn() -> bool,
}

const REQUIREMENTS: &[Requirement] = &[
    Requirement {
        package: "gcc",
        purpose: "linking, and the proof that standalone tests need no xcute",
        tests: false,
        present: || has("gcc"),
    },
    Requirement { package: "libc6-dev", purpose: "the C library's headers", tests: false, present: || header("stdio.h") },
    Requirement { package: "g++", purpose: "the C++ library, and standalone tests in C++", tests: false, present: || has("g++") },
    Requirement { package: "make", purpose: "build scripts of dependencies", tests: false, present: || has("make") },
    Requirement { package: "pkg-config", purpose: "finding z3", tests: false, present: || has("pkg-config") },
    Requirement { package: "clang-19", purpose: "compiling the programs under test", tests: false, present: || has("clang-19") },
    Requirement {
        package: "llvm-19-dev",
        purpose: "instrumenting them",
        tests: false,
        present: || has("llvm-config-19") && Path::new("/usr/lib/llvm-19/include/llvm-c/Core.h").exists(),
    },
    Requirement { package: "libclang-rt-19-dev", purpose: "replaying failures under AddressSanitizer", tests: false, present: sanitizer },
    Requirement { package: "autoconf", purpose: "the test of \"xcute cc\" in configure scripts", tests: true, present: || has("autoconf") },
    Requirement { package: "automake", purpose: "the same, with Makefile.am", tests: true, present: || has("automake") },
    Requirement { package: "libtool", purpose: "the same, with libraries", tests: true, present: || has("libtoolize") },
    Requirement { package: "cmake", purpose: "the test of \"xcute cc\" with CMake", tests: true, present: || has("cmake") },
    Requirement { package: "dpkg-dev", purpose: "the test of the Debian package", tests: true, present: || has("dpkg-shlibdeps") },
    Requirement { package: "swi-prolog-nox", purpose: "testing Prolog: xcute clp", tests: false, present: || has("swipl") },
    Requirement { package: "erlang-base", purpose: "testing Erlang: xcute erl", tests: false, present: || has("erl") },
    Requirement { package: "erlang-eunit", purpose: "running the tests that \"xcute erl\" writes", tests: true, present: eunit },
    Requirement { package: "openjdk-17-jdk-headless", purpose: "testing Java: xcute java", tests: false, present: || has("javac") },
    Requirement {
        package: "chromium-headless-shell",
        purpose: "clicking through the page of results",
        tests: true,
        present: || has("chromium-headless-shell") || has("chromium"),
    },
    Requirement {
        package: "libxml2-utils",
        purpose: "checking the XML that \"xcute report\" writes",
        tests: true,
        present: || has("xmllint"),
    },
    Requirement { package: "nodejs", purpose: "running the extension of VS Code", tests: true, present: || has("node") },
    Requirement { package: "libz3-dev", purpose: "the SMT solver, linked in", tests: false, present: || header("z3.h") },
];

/// Installs what building, running and testing xcute need; returns at once where nothing is missing.
pub fn run() -> Result<()> {
    supply(&REQUIREMENTS.iter().collect::<Vec<_>>())
}

/// Installs what building and running xcute need.
pub fn to_run() -> Result<()> {
    supply(&REQUIREMENTS.iter().filter(|requirement| !requirement.tests).collect::<Vec<_>>())
}

fn supply(requirements: &[&Requirement]) -> Result<()> {
    let missing: Vec<&Requirement> = requirements.iter().copied().filter(|requirement| !(requirement.present)()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let list: Vec<String> = missing.iter().map(|requirement| format!("  {:<24} {}", requirement.package, requirement.purpose)).collect();
    let list = list.join("\n");
    if !has("apt-get") {
        bail!("cannot install packages: this is not a Debian-like system (install these by hand, under the names they have here)\n{list}");
    }
    shell::say(&format!("x: these packages are missing:\n{list}"));
    if !agreed("x: install them with apt-get? [Y/n] ") {
        bail!("nothing was installed (install the packages above, then run this command again)");
    }
    install(&missing.iter().map(|requirement| requirement.package).collect::<Vec<_>>())?;
    let still: Vec<&str> = missing.iter().filter(|requirement| !(requirement.present)()).map(|requirement| requirement.package).collect();
    if !still.is_empty() {
        bail!("installed {}, but what it should give is not found (is another version in the way?)", still.join(" "));
    }
    Ok(())
}

/// Asks the person at the terminal; where there is none, the answer is yes.
fn agreed(question: &str) -> bool {
    if !std::io::stdin().is_terminal() || !std::io::stderr().is_terminal() || std::env::var_os("CI").is_some() {
        return true;
    }
    shell::ask(question);
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer).is_ok() && means_yes(&answer)
}

/// An empty line means yes; the end of the input does not.
fn means_yes(answer: &str) -> bool {
    matches!(answer.trim(), "" | "y" | "Y" | "yes" | "Yes") && answer.ends_with('\n')
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
    shell::say(&format!("x: the package {package} is missing; this command needs it"));
    if !agreed("x: install it with apt-get? [Y/n] ") {
        bail!("cannot find {name} (install it)");
    }
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

    #[test]
    fn only_a_clear_answer_installs() {
        assert!(["\n", "y\n", "Yes\n", " y \n"].iter().all(|answer| means_yes(answer)));
        assert!(!["", "n\n", "no\n", "what?\n", "y"].iter().any(|answer| means_yes(answer)));
    }

    #[test]
    fn running_needs_less_than_testing() {
        assert!(REQUIREMENTS.iter().any(|requirement| requirement.tests));
        assert!(REQUIREMENTS.iter().all(|requirement| !requirement.tests || requirement.package != "clang-19"));
    }
}
