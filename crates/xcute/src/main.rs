//! The binary: arguments, exit codes, progress line. The only crate that prints.
//!
//! [`front`] says what a language is; [`language`] holds all of them, and only there are they named. [`verbs`] does what is asked for in any of them: the
//! [`plan`] is made of the [`arguments`], a program is opened, a campaign searches with the [`solvers`] chained as asked for, [`until`] it has to end, and
//! [`results`] writes the results directory with its journal, from which a campaign goes on and is explained. [`project`] reads `xcute.toml`, whose entries are
//! command lines of these searches.
//!
//! **Invariant.** stdout carries results and nothing else; everything else is stderr's. With `--format json`, stdout is exactly one
//! JSON object. Files depend on each other in this order, and in no circle: front, results, language, command, project, verbs.

mod arguments;
mod bug;
mod command;
mod duration;
mod exit;
mod front;
mod hash;
mod here;
mod interrupt;
mod language;
mod memory;
mod plan;
mod project;
mod query_log;
mod report_form;
mod results;
mod sandbox;
mod size;
mod solvers;
mod talk;
mod temporary;
mod until;
mod usage;
mod verbs;
mod version;

fn main() -> ! {
    bug::listen();
    let command = command::command();
    // To ask all tools for their versions takes time, which no other command has to spend.
    if std::env::args_os().skip(1).eq(["--version"]) {
        let said = talk::result(&format!("xcute {}\n", version::long(language::ALL)));
        exit::leave(said.map_or(exit::Exit::CouldNot, |()| exit::Exit::NoFailure).code());
    }
    let names: Vec<String> = command.get_subcommands().map(|own| own.get_name().to_owned()).collect();
    let code = match command.try_get_matches() {
        Err(error) => talk::usage(&error, &names),
        Ok(matches) => bug::caught(|| verbs::run(&matches)).and_then(|done| done).unwrap_or_else(|error| {
            talk::error(&error);
            exit::Exit::CouldNot.code()
        }),
    };
    exit::leave(code)
}
