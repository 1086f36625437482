//! `xcute run`: whole programs that were built with `xcute cc`, as the binary needs them.

pub mod arguments;
pub mod plan;
pub mod replay;

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result};
use clap::{ArgMatches, Args as _, Command, FromArgMatches as _};
use tempfile::TempDir;
use xcute_c::casefile::VERSION;
use xcute_c::graph::InputGraph;
use xcute_c::inputs::{TypeTable, Variables};
use xcute_c::subject::{CSubject, RunOptions};
use xcute_c::whole::build::{Whole, WholeOptions, prepare};
use xcute_c::whole::case::{LANGUAGE, ProgramCase};
use xcute_c::whole::confirm::Repeater;
use xcute_c::whole::launch::Launch;
use xcute_c::whole::world::World;
use xcute_c::whole::{driver, script};
use xcute_engine::{Confirmation, Seed};
use xcute_report::{InputValue, LimitKind, SourceCoverage, Summary};
use xcute_term::{Interrupt, Terms};
use xcute_trace::{Bound, Failure, Limit, TestCase};

use super::c::{coverage, files::Files, isolation_advice, readable::readable, repeated};
use super::corpus;
use super::orders::Orders;
use crate::exit::Exit;
use crate::front::{Case, CaseText, FrontEnd, Language, Need, Opened, Opening, Ready, Text, Tool, case_file, outcome};
use crate::plan::SearchPlan;
use crate::talk;
use crate::temporary;
use arguments::{CompilerArguments, RunArguments};
use plan::RunPlan;
use replay::Launched;

/// Whole programs in C and C++.
pub struct Program;

impl Language for Program {
    fn command(&self) -> Command {
        RunArguments::augment_args(Command::new("run")).about("Explore a program that was built with `xcute cc`")
    }

    fn example(&self) -> &'static str {
        "run --sym-args 1x8 ./tool"
    }

    fn limits(&self) -> &'static [LimitKind] {
        super::c::LIMITS
    }

    fn needs(&self) -> Vec<Need> {
        super::c::needs::needs()
    }

    fn cases(&self) -> &'static str {
        LANGUAGE
    }

    fn open(&self, matches: &ArgMatches) -> Result<Opening> {
        let plan = plan::run(RunArguments::from_arg_matches(matches)?)?;
        Ok(Opening::one(move |search, _| open(&plan, search)))
    }

    fn case(&self, text: &CaseText) -> Result<Box<dyn Case>> {
        Ok(Box::new(Launched { case: text.parse(VERSION)?, care: text.care }))
    }

    fn tools(&self) -> Vec<Tool> {
        let command = |name, about| CompilerArguments::augment_args(Command::new(name)).about(about);
        vec![
            Tool {
                example: Some("cc tool.c -o tool"),
                command: command("cc", "Compile C as clang does; what is built can be explored with `xcute run`"),
                run: |matches| compile(false, matches),
            },
            Tool { example: None, command: command("c++", "Compile C++ in the same way"), run: |matches| compile(true, matches) },
        ]
    }
}

/// Stands in for the compiler; ends as it does.
fn compile(cxx: bool, matches: &ArgMatches) -> u8 {
    let arguments = CompilerArguments::from_arg_matches(matches).map_err(anyhow::Error::from);
    match arguments.and_then(|arguments| Ok(driver::run(cxx, &arguments.words)?)) {
        Ok(code) => u8::try_from(code).unwrap_or(1),
        Err(error) => {
            talk::error(&error);
            Exit::CouldNot.code()
        }
    }
}

/// Makes a program ready.
fn open(plan: &RunPlan, search: &SearchPlan) -> Result<Box<dyn Opened>> {
    let build = temporary::directory()?;
    let files = Files::new(&[], build.path())?;
    let copied = (!plan.in_place).then(|| files.directory().to_owned());
    let writable = if plan.in_place { vec![files.directory().to_owned()] } else { Vec::new() };
    let run = RunOptions { copied: copied.clone(), writable, ..plan.run.options(search) };
    let options = WholeOptions { program: plan.program.clone(), world: plan.world.clone(), run, dir: build.path().to_owned() };
    let Whole { subject, parts, tools } = prepare(&options).with_context(|| format!("cannot explore {}", plan.program.display()))?;
    if !parts.foreign.is_empty() {
        let list: Vec<String> = parts.foreign.iter().map(|path| path.display().to_string()).collect();
        talk::say(&format!("these parts carry no bitcode and run as they are: {}", list.join(", ")));
    }
    let name = plan.program.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let (table, variables) = (subject.types().clone(), subject.variables());
    let (orders, subjects) =
        Orders::with(subject.compiled().threads, search.jobs, |count| subject.knowing(&plan.run.dictionary).times(count))?;
    let mut repeater = Repeater::new(plan.program.clone(), Some(parts), tools, build.path().to_owned(), copied.clone(), plan.run.hang);
    repeater.sandbox = plan.run.sandbox.clone();
    let front = ProgramFront {
        name,
        table,
        variables,
        orders,
        files,
        copied,
        export: plan.export.clone(),
        there: plan::there(&plan.world, plan.corpus.as_deref())?,
        world: plan.world.clone(),
        isolated: plan.run.isolated,
        program: plan.program.clone(),
        repeater: Mutex::new(repeater),
        _build: build,
    };
    Ok(Box::new(Ready { front, subjects }))
}

fn values(shown: Vec<(String, String)>) -> Vec<InputValue> {
    shown.into_iter().map(|(name, value)| InputValue { name, value }).collect()
}

/// A program made ready.
struct ProgramFront {
    /// Where it was built.
    _build: TempDir,
    name: String,
    table: TypeTable,
    variables: Variables,
    orders: Orders<CSubject>,
    files: Files,
    /// The directory whose copy it runs in.
    copied: Option<PathBuf>,
    /// A corpus to add to.
    export: Option<PathBuf>,
    /// Contents that the symbolic files really have.
    there: Vec<Vec<Option<Vec<u8>>>>,
    world: World,
    isolated: bool,
    program: PathBuf,
    /// Builds what it needs when it is needed first.
    repeater: Mutex<Repeater>,
}

impl ProgramFront {
    fn launch(&self, case: &TestCase) -> Launch {
        self.world.launch(&self.table, &InputGraph::of_known(&self.table, &self.variables, &case.input))
    }
}

impl FrontEnd for ProgramFront {
    type Subject = CSubject;

    fn language(&self) -> &'static str {
        "c"
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn file(&self, path: &str) -> String {
        self.files.shown(Path::new(path))
    }

    fn readable(&self, condition: &str) -> String {
        readable(condition)
    }

    fn bounds(&self) -> Vec<Bound> {
        self.world.bounds()
    }

    fn random_inputs(&self) -> bool {
        true
    }

    fn no_input(&self) -> Option<Limit> {
        let what = "the program asked for none (say more with --sym-args, --sym-stdin, --sym-file or --sym-env)";
        Some(Limit { kind: Limit::NO_INPUT.to_owned(), what: what.to_owned(), incomplete: false })
    }

    fn seeds(&self) -> Vec<Seed> {
        let samples = self.world.samples(&self.table, &self.there);
        let seed = |values: Vec<(String, u32, u64)>| {
            let mut seed = Seed::new();
            values.into_iter().for_each(|(name, bits, word)| seed.set(name, bits, word));
            seed
        };
        samples.into_iter().map(seed).collect()
    }

    fn confirm(&self, _terms: &Terms, failure: &Failure, case: &TestCase, stop: &Interrupt) -> Confirmation {
        let launch = self.launch(case);
        let order = self.orders.order(case, Some(failure));
        let mut repeater = self.repeater.lock().unwrap_or_else(PoisonError::into_inner);
        let tried = match &order {
            Some(order) => repeater.confirm_ordered(&launch, failure, order, stop),
            None => repeater.confirm(&launch, failure, stop),
        };
        repeated(tried.map(|(_, repetition)| repetition), stop)
    }

    fn inputs(&self, _terms: &Terms, case: &TestCase) -> Vec<InputValue> {
        values(self.launch(case).shown(self.world.arguments.len()))
    }

    fn case_file(&self, _terms: &Terms, case: &TestCase, failure: Option<&Failure>) -> Text {
        let file = ProgramCase {
            xcute: VERSION,
            language: LANGUAGE.into(),
            program: self.program.clone(),
            directory: self.copied.clone(),
            given: self.world.arguments.len(),
            launch: self.launch(case),
            outcome: outcome(failure),
            failure: failure.cloned(),
            schedule: self.orders.order(case, failure),
        };
        case_file(&file)
    }

    fn standalone(&self, _terms: &Terms, case: &TestCase, failure: &Failure, name: &str) -> Vec<Text> {
        let what = format!("{name}: {}: {}", failure.kind.name(), failure.message);
        vec![Text { extension: "sh", text: script::text(&self.program, &self.launch(case), self.copied.as_deref(), &what) }]
    }

    fn export(&self, _terms: &Terms, case: &TestCase, failure: Option<&Failure>) -> Result<()> {
        let Some(directory) = self.export.as_deref().filter(|_| failure.is_none()) else { return Ok(()) };
        let Launch { stdin, files, .. } = self.launch(case);
        corpus::add(directory, files.first().map_or(&stdin, |(_, bytes)| bytes))
    }

    fn advice(&self, summary: &Summary) -> Option<String> {
        isolation_advice(self.isolated, summary)
    }

    fn variables(&self, known: usize) -> Option<(usize, Vec<u8>)> {
        self.variables.since(known)
    }

    fn recall(&self, variables: &[u8]) -> Result<()> {
        self.variables.recall(variables).context("its variables cannot be read")
    }

    fn coverage(&self, subjects: &[CSubject]) -> SourceCoverage {
        coverage::of_all(subjects, |path| self.files.own(Path::new(path)))
    }
}
