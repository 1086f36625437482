//! What `./x` does: one file per command.
//!
//! **Invariant.** This crate builds on a machine that has only Rust: it depends on `anyhow` and the standard library, because
//! `./x setup` is what installs the rest.

mod bench;
mod book;
mod check;
mod demo;
mod dist;
mod docs;
mod fuzz;
mod gallery;
mod install;
mod recordings;
mod setup;
mod shell;
mod slowest;
mod stopwatch;
mod suite;
mod tidy;
mod vscode;

use std::process::ExitCode;

use anyhow::{Result, bail};

const USAGE: &str = "\
usage: ./x COMMAND

  setup   install what is missing (Debian packages, as root or with sudo)
  demo    build xcute and watch it find bugs
  test    run all tests
  check   formatting, lints, documentation, tidiness
  tidy    the fast part of check: layers, circles, headers, words; needs no build
  install install the binary, man pages and completions: ./x install [PREFIX]
  dist    make a Debian package in target/dist; ./x dist vscode: the extension for VS Code
  bench   measure: ./x bench c, ./x bench table5, ./x bench sat, ./x bench sglib --header PATH
  docs    build the documentation
  gallery write the gallery page from the subjects
  fuzz    run generated programs against brute force: ./x fuzz c|prune|threads|truth|clp|java|model|erl|sat [COUNT] [SEED]

demo, test, check, bench, docs and fuzz run setup first.";

fn main() -> ExitCode {
    match run(&std::env::args().skip(1).collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            shell::say(&format!("x: {error:#}"));
            ExitCode::from(if error.is::<shell::CommandFailed>() { 1 } else { 2 })
        }
    }
}

fn run(arguments: &[String]) -> Result<()> {
    let Some((command, rest)) = arguments.split_first() else { bail!("which command?\n\n{USAGE}") };
    if matches!(command.as_str(), "help" | "-h" | "--help") {
        shell::say(USAGE);
        return Ok(());
    }
    std::env::set_current_dir(shell::root())?;
    match command.as_str() {
        "setup" => setup::run(),
        "demo" => demo::run(rest),
        "test" => suite::run(rest),
        "check" => check::run(),
        "tidy" => check::tidy(),
        "gallery" => gallery::write(&shell::root()),
        "bench" => bench::run(rest),
        "docs" => docs::run(),
        "install" => install::run(rest),
        "dist" if rest == ["vscode"] => vscode::run(),
        "dist" => dist::run(rest),
        "fuzz" => fuzz::run(rest),
        other => bail!("there is no command `{other}`\n\n{USAGE}"),
    }
}
