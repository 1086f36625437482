//! What can be done, in any language: search, go on, explain, repeat a case, show results again; and all of it for a project.
//!
//! **Invariant.** No verb names a language.

mod campaign;
mod changeover;
mod ci;
mod doctor;
mod entries;
mod exchange;
mod explain;
mod init;
mod lsp;
mod pages;
mod profile;
mod progress;
mod provenance;
mod replay;
mod report;
mod reread;
mod resume;
mod search;
mod show;
mod test_project;
mod watch;

use anyhow::Result;
use clap::{ArgMatches, FromArgMatches as _};

use crate::arguments::Verb;
use crate::command;
use crate::exit::Exit;
use crate::front::{FrontEnd, Opened, Ready};
use crate::language;
use crate::plan::{OutputPlan, SearchPlan};

/// Does what was asked for; what the process ends with.
pub fn run(matches: &ArgMatches) -> Result<u8> {
    let Some((name, own)) = matches.subcommand() else { return Ok(Exit::CouldNot.code()) };
    if let Some(tool) = language::ALL.iter().flat_map(|language| language.tools()).find(|tool| tool.command.get_name() == name) {
        // What a compiler ends with is not ours to say.
        return Ok((tool.run)(own));
    }
    if let Some(chosen) = command::chosen(name, own)? {
        let exit = match chosen.output.resume.clone().filter(|_| !chosen.program) {
            Some(dir) => resume::run(resume::asked(&chosen, dir)),
            None => search::run(chosen),
        };
        return exit.map(Exit::code);
    }
    let exit = match Verb::from_arg_matches(matches)? {
        Verb::Init(low) => init::run(&low),
        Verb::Ci(low) => ci::run(&low),
        Verb::Test(low) => test_project::run(&low),
        Verb::Resume(low) => resume::run(low),
        Verb::Explain(low) => explain::run(&low),
        Verb::Replay(low) => replay::run(&low),
        Verb::Report(low) => report::run(&low),
        Verb::Doctor(low) => doctor::run(&low),
        Verb::Lsp(low) => return lsp::run(&low),
        Verb::Completions(low) => pages::completions(&low),
        Verb::Man(low) => pages::man(&low),
    };
    exit.map(Exit::code)
}

impl<F: FrontEnd> Opened for Ready<F> {
    fn search(mut self: Box<Self>, search: &SearchPlan, output: &OutputPlan) -> Result<Exit> {
        campaign::run(&self.front, &mut self.subjects, search, output)
    }

    fn explain(mut self: Box<Self>, search: &SearchPlan, output: &OutputPlan, arm: &str) -> Result<Exit> {
        explain::answer(&self.front, &mut self.subjects[0], search, output, arm)
    }
}

#[cfg(test)]
mod tests;
