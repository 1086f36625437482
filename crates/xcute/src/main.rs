//! The binary: arguments, exit codes, progress line. The only crate that prints.
//!
//! The way of a command through the files: [`arguments`] reads the command line, [`plan`] checks it and decides everything that can be
//! decided before work begins ([`memory`] how much of it may be used), [`c`] makes a C subject ready, [`program`] a whole program, [`clp`] a logic program, [`erl`] an Erlang function, [`campaign`] searches with the [`solvers`] chained as asked for, [`until`] it has to end,
//! [`results`] writes the results directory with its [`journal`], from which [`resume`] goes on and [`explain`] answers, [`summary`] makes the summary of it.
//!
//! **Invariant.** stdout carries results and nothing else; everything else is stderr's. With `--format json`, stdout is exactly one
//! JSON object.

mod arguments;
mod c;
mod campaign;
mod clp;
mod duration;
mod erl;
mod exit;
mod explain;
mod failures;
mod front;
mod hash;
mod interrupt;
mod journal;
mod memory;
mod observer;
mod plan;
mod program;
mod progress;
mod readable;
mod replay;
mod report;
mod results;
mod resume;
mod size;
mod solvers;
mod summary;
mod talk;
mod until;

use anyhow::Result;
use clap::Parser;

use arguments::{Arguments, Command};

fn main() -> ! {
    let code = match Arguments::try_parse() {
        Err(error) => talk::usage(&error),
        Ok(arguments) => run(arguments).unwrap_or_else(|error| {
            talk::error(&error);
            exit::Exit::CouldNot.code()
        }),
    };
    exit::leave(code)
}

/// What the process ends with.
fn run(arguments: Arguments) -> Result<u8> {
    let exit = match arguments.command {
        // What a compiler ends with is not ours to say.
        Command::Cc(low) => return Ok(program::compile(false, &low.words)),
        Command::Cxx(low) => return Ok(program::compile(true, &low.words)),
        Command::Run(low) => program::run(&program::plan::run(low)?),
        Command::C(low) => match resume::asked(&low) {
            Some(asked) => resume::run(asked),
            None => c::run(&plan::c(low)?),
        },
        Command::Clp(low) => clp::run(&clp::plan::clp(low)?),
        Command::Erl(low) => erl::run(erl::plan::erl(low)?),
        Command::Resume(low) => resume::run(low),
        Command::Explain(low) => explain::run(low),
        Command::Replay(low) => replay::run(&low),
        Command::Report(low) => report::run(&low),
    };
    exit.map(exit::Exit::code)
}
