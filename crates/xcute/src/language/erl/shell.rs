//! `xcute replay --debugger` for Erlang: a shell of Erlang with the original modules, where `again()` makes the call.
//!
//! The shell looks for functions without a module in `user_default`: that is where the call is.

use std::fmt::Write as _;
use std::process::Command;

use anyhow::{Context, Result};
use xcute_erl::vm::FEATURES;

use super::case::ErlCase;
use super::quoted::quoted;
use super::suite;
use crate::exit::Exit;
use crate::talk;

/// The module that the shell asks for functions without a module.
const LOCAL: &str = "user_default";

/// Hands the terminal to a shell of Erlang.
pub fn open(case: &ErlCase) -> Result<Exit> {
    let modules = case.origin.load()?;
    let build = suite::built(&modules)?;
    // It cannot be compiled where an input has no form as text.
    let file = format!("{LOCAL}.erl");
    std::fs::write(build.path().join(&file), text(case))?;
    let ready = modules.home.compile(build.path(), &file).context("cannot start erl")?;
    let mut said = format!("{}\n", case.call());
    if let Some(failure) = &case.failure {
        let _ = writeln!(said, "  {}", failure.message);
    }
    said += if ready { "again(). makes the call; q(). ends the shell\n" } else { "q(). ends the shell\n" };
    talk::result(&said)?;
    let mut shell = Command::new(modules.home.erl());
    shell.args(FEATURES).arg("-pa").arg(build.path());
    for path in &case.origin.paths {
        shell.arg("-pa").arg(path);
    }
    let status = shell.status().context("cannot start erl")?;
    Ok(if status.success() { Exit::NoFailure } else { Exit::CouldNot })
}

/// The module with the call.
fn text(case: &ErlCase) -> String {
    let (module, function, arguments) = (quoted(&case.module), quoted(&case.function), case.arguments.join(", "));
    format!("-module({LOCAL}).\n-export([again/0]).\nagain() -> {module}:{function}({arguments}).\n")
}
