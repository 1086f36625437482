//! Running other programs and talking to the person at the terminal.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

/// The directory of the workspace.
pub fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest).to_path_buf()
}

/// A command that ran and ended with an exit code other than 0.
#[derive(Debug)]
pub struct CommandFailed {
    line: String,
    code: Option<i32>,
}

impl fmt::Display for CommandFailed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.code {
            Some(code) => write!(out, "`{}` ended with exit code {code}", self.line),
            None => write!(out, "`{}` was killed by a signal", self.line),
        }
    }
}

impl std::error::Error for CommandFailed {}

/// Writes one line to stderr, which is where all talk goes.
#[expect(clippy::print_stderr, reason = "xtask is a program for people; this is its one way of talking")]
pub fn say(line: &str) {
    eprintln!("{line}");
}

/// Writes a question to stderr; the answer follows on the same line.
#[expect(clippy::print_stderr, reason = "as for `say`")]
pub fn ask(question: &str) {
    eprint!("{question}");
}

/// A command in the workspace's directory.
pub fn command(program: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root());
    command
}

/// The cargo that runs us.
pub fn cargo(arguments: &[&str]) -> Command {
    command(&std::env::var("CARGO").unwrap_or_else(|_| "cargo".into()), arguments)
}

/// Where cargo puts what it builds.
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// The path of a program of ours, built for release.
pub fn release(name: &str) -> String {
    target().join("release").join(name).display().to_string()
}

/// Runs a command and fails if it fails. What it prints goes to our own stdout and stderr.
pub fn run(command: &mut Command) -> Result<()> {
    let line = render(command);
    let status = command.status().with_context(|| format!("cannot run `{line}`"))?;
    if status.success() { Ok(()) } else { Err(CommandFailed { line, code: status.code() }.into()) }
}

/// Whether a command runs and succeeds; prints nothing.
pub fn succeeds(program: &str, arguments: &[&str]) -> bool {
    let status = command(program, arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

fn render(command: &Command) -> String {
    let mut line = Path::new(command.get_program()).file_name().unwrap_or_default().to_string_lossy().into_owned();
    for argument in command.get_args() {
        line.push(' ');
        line.push_str(&argument.to_string_lossy());
    }
    line
}
