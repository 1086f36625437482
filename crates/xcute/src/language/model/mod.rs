//! `xcute model`: state machines with action code in C++, lowered to C++ and searched by the front end of C.
//!
//! **Invariant.** Everything that runs is the C front end's: [`ModelFront`] owns one and says the same things in the words of the model.

mod arguments;
mod case;
mod compare;
mod coverage;
mod front;
mod junit;
mod plan;
mod program;
mod propose;

use std::path::Path;
use std::sync::Mutex;

use anyhow::Result;
use clap::{ArgMatches, Args as _, Command, FromArgMatches as _};
use xcute_model::lower::{ENTRY, explored};
use xcute_report::exchange::Rule;
use xcute_report::{LimitKind, Picture, Summary, Words};
use xcute_strategy::StrategyName;

use super::c;
use super::c::plan::CPlan;
use crate::front::{Case, CaseText, Files, Language, Need, Opened, Opening, Proposal, Ready, Testable};
use crate::plan::{OutputPlan, SearchPlan};
use crate::talk;
use crate::temporary;
use arguments::ModelArguments;
use case::{LANGUAGE, ModelReplay, VERSION};
use compare::{Compared, DIFFERENCE};
use front::{ModelFront, PICTURE, PICTURES, WAY};
use plan::{Asked, ModelPlan};
use program::{PLAIN, SEARCHED, Written};

/// UML-RT.
pub struct Model;

impl Language for Model {
    fn command(&self) -> Command {
        ModelArguments::augment_args(Command::new("model")).about("Test a capsule of a UML-RT model: a state machine with code in C++")
    }

    fn example(&self) -> &'static str {
        "model lift.art --capsule Cabin"
    }

    fn kinds(&self) -> &'static [Rule] {
        &[Rule {
            kind: DIFFERENCE,
            about: "The program of another tool does something else than the model.",
            help: "Compare the two sequences of messages, and correct the generator, the program or the model.",
        }]
    }

    fn propose(&self, root: &Path) -> Result<Option<Proposal>> {
        propose::propose(root)
    }

    fn testable(&self, root: &Path, file: &Path) -> Result<Option<Vec<Testable>>> {
        propose::in_file(root, file)
    }

    fn limits(&self) -> &'static [LimitKind] {
        c::LIMITS
    }

    fn needs(&self) -> Vec<Need> {
        c::needs::needs()
    }

    fn cases(&self) -> &'static str {
        LANGUAGE
    }

    fn open(&self, matches: &ArgMatches) -> Result<Opening> {
        match plan::model(ModelArguments::from_arg_matches(matches)?)? {
            Asked::Search(plan) => Ok(Opening::one(move |search, output| open(*plan, search, output))),
            Asked::Show(text) => {
                talk::result(&text)?;
                Ok(Opening { parts: Vec::new(), several: None })
            }
        }
    }

    fn words(&self, summary: &Summary, files: Files<'_>) -> Result<Words> {
        Ok(Words { pictures: pictures(summary, files), ..coverage::words(summary) })
    }

    fn case(&self, text: &CaseText) -> Result<Box<dyn Case>> {
        Ok(Box::new(ModelReplay::new(text.parse(VERSION)?, text.path.clone(), text.care)))
    }
}

/// The pictures of the machines, and of the failures.
fn pictures(summary: &Summary, files: Files<'_>) -> Vec<Picture> {
    let machines = files(PICTURES).unwrap_or_else(|| format!("{PICTURE}.svg"));
    let machine = |name: &str| {
        let title = format!("The state machine {}", name.strip_suffix(".machine.svg").unwrap_or(&summary.subject));
        Some(Picture { of: None, title, svg: files(name)? })
    };
    let unconfirmed = summary.unconfirmed.iter().map(|unconfirmed| &unconfirmed.failure);
    let failure = |failure: &xcute_report::Failure| {
        let both = [(WAY, "The states and transitions that lead there"), ("svg", "The messages that lead there")];
        both.map(|(end, title)| {
            let svg = files(&format!("failures/{}.{end}", failure.id))?;
            Some(Picture { of: Some(failure.id.clone()), title: title.to_owned(), svg })
        })
    };
    let failures: Vec<Picture> = summary.failures.iter().chain(unconfirmed).flat_map(failure).flatten().collect();
    machines.lines().filter_map(machine).chain(failures).collect()
}

/// Makes a capsule ready.
fn open(plan: ModelPlan, search: &SearchPlan, output: &OutputPlan) -> Result<Box<dyn Opened>> {
    let ModelPlan { mut origin, flat, mut options, run, compare, iexec } = plan;
    let compared = compare.as_deref().map(|program| Compared::new(program, &output.dir)).transpose()?;
    // With these, inputs that nobody asked about are random.
    let random = matches!(search.strategy, StrategyName::Random | StrategyName::Testing);
    (origin.random, options.random) = (random, random);
    let build = temporary::directory()?;
    let written = Written::new(&flat, &options, &origin, Path::new(""), build.path())?;
    let strings = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<String>>();
    let c = CPlan {
        files: vec![written.source.clone()],
        entry: Some(ENTRY.to_owned()),
        calls: None,
        pre: None,
        arrays: Vec::new(),
        elements: origin.text,
        string: origin.text,
        bytes: None,
        corpus: None,
        export_corpus: None,
        testcomp: None,
        run,
        undefined: false,
        flags: written.flags.clone(),
        searched: strings(&SEARCHED),
        plain: strings(&PLAIN),
    };
    let Ready { front, subjects } = match c::ready(&c, search, output, build) {
        Ok(ready) => ready,
        // What the compiler says is about code that nobody wrote; of the model it says the same once more, in its words.
        Err(error) => {
            let build = temporary::directory()?;
            let written = Written::new(&flat, &options, &origin, Path::new(""), build.path())?;
            return Err(written.refused(&origin.flags).map_or(error, Into::into));
        }
    };
    let capsules = explored(&flat, options.capsule, options.system);
    let given = origin.files.iter().filter_map(|file| Some((file.canonicalize().ok()?, file.display().to_string())));
    let front = ModelFront {
        c: front,
        given: given.collect(),
        flat,
        capsules,
        bodies: written.bodies,
        fixed: written.fixed,
        elements: Mutex::default(),
        shown: Mutex::default(),
        complete: Mutex::default(),
        traced: Mutex::default(),
        compared: Mutex::new(compared),
        iexec,
        origin,
    };
    Ok(Box::new(Ready { front, subjects }))
}

#[cfg(test)]
mod tests {
    #[test]
    fn generated_files_are_those_that_nobody_wrote() {
        assert_eq!(xcute_model::lower::GENERATED, xcute_c::system::GENERATED);
    }
}
