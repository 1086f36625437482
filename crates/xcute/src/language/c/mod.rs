//! `xcute c`: the C front end as the binary needs it.

pub mod arguments;
mod commands;
mod corpus;
pub mod coverage;
pub mod files;
pub mod needs;
pub mod plan;
mod propose;
pub mod readable;
pub mod replay;
mod testcomp;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result, bail};
use clap::{ArgMatches, Args as _, Command, FromArgMatches as _};
use tempfile::TempDir;
use xcute_c::casefile::{CaseFile, CaseSchedule, VERSION};
use xcute_c::fuzzed;
use xcute_c::graph::InputGraph;
use xcute_c::harness::{FUZZED, MAIN, Sequence};
use xcute_c::inputs::{Lengths, Variables};
use xcute_c::native::Repetition;
use xcute_c::prepare::{COptions, Prepared, prepare};
use xcute_c::replay::{Parts, Replayer};
use xcute_c::subject::{CSubject, Patience, RunOptions};
use xcute_engine::{Confirmation, Seed};
use xcute_report::{InputValue, LimitKind, SourceCoverage, Summary, Unconfirmed};
use xcute_term::{Interrupt, Model, Terms};
use xcute_trace::{Bound, Failure, FailureKind, Limit, TestCase};

use super::orders::{Ordering, Orders};
use crate::front::{
    Beside, Case, CaseText, FrontEnd, Language, NO_TIME, Need, Opening, Proposal, Ready, Testable, Text, case_file, outcome,
};
use crate::plan::{OutputPlan, SearchPlan};
use crate::talk;
use crate::temporary;
use arguments::CArguments;
use files::Files;
use plan::CPlan;
use readable::readable;
use replay::CCase;
use testcomp::TestSuite;

/// What the field `language` of a case holds.
const LANGUAGE: &str = "c";

/// The bytes that a fuzzer's entry gets, at most, if nobody says.
const BYTES: u32 = 16;

/// What limits mean that only programs with the runtime of C have.
pub const LIMITS: &[LimitKind] = &[LimitKind {
    name: "memory-order",
    meaning: "Atomic operations with weak orders run in sequentially consistent interleavings only. The search can be complete for these.",
    advice: "Nothing. Bugs of weak memory need another tool.",
}];

/// Functions in C and C++.
pub struct C;

impl Language for C {
    fn command(&self) -> Command {
        CArguments::augment_args(Command::new("c")).about("Test a function of C or C++")
    }

    fn example(&self) -> &'static str {
        "c list.c --entry insert"
    }

    fn propose(&self, root: &Path) -> Result<Option<Proposal>> {
        propose::propose(root)
    }

    fn testable(&self, root: &Path, file: &Path) -> Result<Option<Vec<Testable>>> {
        propose::in_file(root, file)
    }

    fn limits(&self) -> &'static [LimitKind] {
        LIMITS
    }

    fn needs(&self) -> Vec<Need> {
        needs::needs()
    }

    fn cases(&self) -> &'static str {
        LANGUAGE
    }

    fn open(&self, matches: &ArgMatches) -> Result<Opening> {
        let plan = plan::c(CArguments::from_arg_matches(matches)?)?;
        Ok(Opening::one(move |search, output| {
            let build = temporary::directory()?;
            Ok(Box::new(ready(&plan, search, output, build)?))
        }))
    }

    fn case(&self, text: &CaseText) -> Result<Box<dyn Case>> {
        Ok(Box::new(CCase::new(text.parse(VERSION)?, text)))
    }
}

/// Makes a C function ready, in a directory of its own.
pub fn ready(plan: &CPlan, search: &SearchPlan, output: &OutputPlan, build: TempDir) -> Result<Ready<CFront>> {
    let corpus = plan.corpus.as_deref().map(super::corpus::Corpus::read).transpose()?.unwrap_or_default();
    let lengths = Lengths { arrays: plan.arrays.iter().cloned().collect(), string: plan.string, max: plan.elements, ..Lengths::default() };
    let run = RunOptions { default_string: plan.string, ..plan.run.options(search) };
    let options = COptions {
        sources: plan.files.clone(),
        entry: plan.entry.clone(),
        calls: plan.calls.clone(),
        pre: plan.pre.clone(),
        flags: [&plan.flags[..], &plan.searched].concat(),
        undefined: plan.undefined,
        lengths,
        bytes: plan.bytes.unwrap_or(corpus.longest().max(BYTES)),
        run,
        dir: build.path().to_owned(),
    };
    let Prepared { subject, program, entry, sequence, units, harness, words, spoken, lengths, bounds, tools } =
        prepare(&options).with_context(|| format!("cannot test {}", files::list(&plan.files)))?;
    let files = Files::new(&plan.files, build.path())?;
    let parts = Parts {
        table: subject.types().clone(),
        program,
        entry,
        sequence,
        units,
        harness,
        words,
        spoken,
        flags: [&plan.flags[..], &plan.plain].concat(),
        directory: files.directory().to_owned(),
        hang: plan.run.hang,
        tools,
        dir: build.path().to_owned(),
    };
    let mut replayer = Replayer::from(parts);
    replayer.sandbox = plan.run.sandbox.clone();
    if (plan.corpus.is_some() || plan.export_corpus.is_some()) && replayer.entry.name != FUZZED {
        let option = if plan.corpus.is_some() { "--corpus" } else { "--export-corpus" };
        let entry = replayer.entry.shown();
        bail!("cannot use {option}: the entry is {entry}, and only {FUZZED} takes the bytes of a corpus");
    }
    let (seeds, cut) = corpus::seeds(&corpus, &replayer.table);
    if cut > 0 {
        talk::say(&format!("only the first {} bytes of {cut} of the corpus's files are used (say more with --bytes)", options.bytes));
    }
    let export = plan.export_corpus.clone();
    let suite = plan.testcomp.as_deref().map(|directory| TestSuite::create(directory, &replayer)).transpose()?;
    let name = replayer.sequence.as_ref().map_or_else(|| replayer.entry.shown().to_owned(), Sequence::title);
    let threads = subject.compiled().threads;
    let (orders, subjects) = Orders::with(threads, search.jobs, |count| subject.knowing(&plan.run.dictionary).times(count))?;
    let (variables, isolated) = (subjects[0].variables(), plan.run.isolated);
    let (pre, results, patience) = (plan.pre.clone(), output.dir.clone(), subjects[0].patience());
    let front = CFront {
        _build: build,
        name,
        replayer,
        variables,
        orders,
        files,
        lengths,
        bounds,
        pre,
        results,
        seeds,
        export,
        suite,
        isolated,
        threads,
        patience,
        last: Mutex::default(),
    };
    Ok(Ready { front, subjects })
}

impl Ordering for CSubject {
    type Order = CaseSchedule;

    fn order(&mut self, case: &TestCase, failure: Option<&Failure>, terms: &mut Terms) -> Option<CaseSchedule> {
        self.ordered(case, failure, terms)
    }
}

/// A C program made ready.
pub struct CFront {
    /// Where it was built.
    _build: TempDir,
    name: String,
    replayer: Replayer,
    variables: Variables,
    orders: Orders<CSubject>,
    files: Files,
    lengths: Lengths,
    /// The function that accepts inputs.
    pre: Option<String>,
    /// Where results go.
    results: PathBuf,
    bounds: Vec<Bound>,
    seeds: Vec<Seed>,
    /// A corpus to add to.
    export: Option<PathBuf>,
    suite: Option<TestSuite>,
    /// Whether each run has a process of its own.
    isolated: bool,
    /// Whether the program can create threads.
    threads: bool,
    /// With the code of the program.
    patience: Arc<Patience>,
    /// The graph that was asked for last.
    last: Mutex<Option<LastGraph>>,
}

/// A graph, and what it was made of: the number of variables and the inputs.
struct LastGraph {
    variables: usize,
    input: Model,
    graph: Arc<InputGraph>,
}

/// What to try where runs did not do what they were expected to do.
pub fn isolation_advice(isolated: bool, summary: &Summary) -> Option<String> {
    // What the sandbox had a hand in has another remedy, which is named there.
    let sandboxed = summary.limits.iter().any(|limit| limit.kind == "sandbox");
    // What nobody had time to repeat says nothing about libraries, nor does a loop that may end later.
    let tried = |one: &Unconfirmed| one.why != NO_TIME && one.failure.kind != FailureKind::Hang;
    let unlike = summary.arms.diverged > 0 || (summary.unconfirmed.iter().any(tried) && !sandboxed);
    let advice = "some runs diverged from their predictions; if libraries keep state between runs, --isolation fork helps";
    (unlike && !isolated).then(|| advice.to_owned())
}

/// What became of a failure, for the engine.
pub fn repeated<E: std::fmt::Display>(tried: Result<Repetition, E>, stop: &Interrupt) -> Confirmation {
    match tried {
        Err(_) if stop.raised() => Confirmation::NotTried(NO_TIME.to_owned()),
        Ok(Repetition::Same { values, .. }) if !values.is_empty() => Confirmation::ConfirmedWith(values),
        Ok(Repetition::Same { .. }) => Confirmation::Confirmed,
        Ok(Repetition::Other { failure, .. }) => Confirmation::Instead(failure),
        Ok(Repetition::Undecided { how }) => Confirmation::Undecided(how),
        Ok(Repetition::Not { how }) => Confirmation::NotReproduced(how),
        Ok(Repetition::Stopped) => Confirmation::NotTried(NO_TIME.to_owned()),
        Err(error) => Confirmation::NotReproduced(format!("the uninstrumented program cannot be run: {error}")),
    }
}

impl CFront {
    /// The uninstrumented program.
    pub fn replayer(&self) -> &Replayer {
        &self.replayer
    }

    /// A directory as it is seen from the case files.
    pub fn directory(&self) -> PathBuf {
        self.files.seen_from(&self.results.join("failures"))
    }

    /// The case as its file has it.
    pub fn case(&self, case: &TestCase, failure: Option<&Failure>) -> CaseFile {
        let graph = self.graph(case);
        CaseFile {
            xcute: VERSION,
            language: LANGUAGE.into(),
            directory: self.directory(),
            sources: self.files.given().to_vec(),
            entry: self.name.clone(),
            calls: self.replayer.sequence.as_ref().map(|s| s.calls.clone()),
            pre: self.pre.clone(),
            flags: self.replayer.flags.clone(),
            lengths: self.lengths.clone(),
            outcome: outcome(failure),
            failure: failure.cloned(),
            sequence: self.replayer.standalone(&graph, None, Path::new("")).statements(),
            inputs: CaseFile::inputs_of(&self.replayer.program, &self.replayer.table, &graph),
            schedule: self.orders.order(case, failure),
        }
    }

    /// The inputs of a case. A failure is confirmed, listed and written several times, so the last graph is kept: one run may have a million inputs.
    pub fn graph(&self, case: &TestCase) -> Arc<InputGraph> {
        let variables = self.variables.len();
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(last) = last.as_ref().filter(|last| last.variables == variables && last.input == case.input) {
            return Arc::clone(&last.graph);
        }
        let graph = Arc::new(InputGraph::of_known(&self.replayer.table, &self.variables, &case.input));
        *last = Some(LastGraph { variables, input: case.input.clone(), graph: Arc::clone(&graph) });
        graph
    }
}

impl FrontEnd for CFront {
    type Subject = CSubject;

    fn language(&self) -> &'static str {
        LANGUAGE
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
        self.bounds.clone()
    }

    fn random_inputs(&self) -> bool {
        true
    }

    fn no_input(&self) -> Option<Limit> {
        if self.threads {
            return None;
        }
        let ask = "ask for inputs with xcute_input";
        let entry = &self.replayer.entry;
        // Its arguments could be inputs, and other ones could take other paths.
        let fixed = entry.name == MAIN && !entry.params.is_empty();
        let what = match fixed {
            true => format!("main ran without arguments (test a function with --entry, {ask}, or use xcute cc and xcute run)"),
            false => format!("{} has no parameters (test another function with --entry, or {ask})", self.name),
        };
        Some(Limit { kind: Limit::NO_INPUT.to_owned(), what, incomplete: fixed })
    }

    fn seeds(&self) -> Vec<Seed> {
        self.seeds.clone()
    }

    fn export(&self, _terms: &Terms, case: &TestCase, failure: Option<&Failure>) -> Result<()> {
        if let Some(directory) = self.export.as_deref().filter(|_| failure.is_none())
            && let Some(input) = fuzzed::bytes(&self.replayer.table, &self.graph(case))
        {
            super::corpus::add(directory, &input)?;
        }
        if let Some(suite) = &self.suite {
            suite.add(&self.replayer, &self.graph(case), failure.is_some())?;
        }
        Ok(())
    }

    fn confirm(&self, _terms: &Terms, failure: &Failure, case: &TestCase, stop: &Interrupt) -> Confirmation {
        let order = self.orders.order(case, Some(failure));
        repeated(self.replayer.confirm(&self.graph(case), failure, order.as_ref(), stop), stop)
    }

    fn inputs(&self, _terms: &Terms, case: &TestCase) -> Vec<InputValue> {
        self.replayer.shown(&self.graph(case)).into_iter().map(|(name, value)| InputValue { name, value }).collect()
    }

    fn case_file(&self, _terms: &Terms, case: &TestCase, failure: Option<&Failure>) -> Text {
        case_file(&self.case(case, failure))
    }

    fn standalone(&self, _terms: &Terms, case: &TestCase, failure: &Failure, name: &str) -> Vec<Text> {
        let (graph, file) = (self.graph(case), self.results.join("failures").join(format!("{name}.c")));
        let (text, values) = self.replayer.standalone(&graph, Some(failure), &file).text();
        let values = values.map(|text| Text { extension: "inputs", text });
        [Text { extension: "c", text }].into_iter().chain(values).collect()
    }

    fn beside(&self) -> Vec<Beside> {
        let file = self.results.join("failures").join("f.c");
        let beside = self.replayer.standalone(&InputGraph::default(), None, &file).beside();
        beside.into_iter().map(|file| Beside { name: file.name, contents: file.contents }).collect()
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

    fn speeds_up(&self) -> bool {
        self.patience.ends()
    }

    fn is_slow(&self) -> bool {
        self.patience.is_over()
    }

    fn speed_up(&self, subjects: &mut [CSubject]) {
        CSubject::speed_up(subjects);
    }

    fn coverage(&self, subjects: &[CSubject]) -> SourceCoverage {
        coverage::of_all(subjects, |path| self.files.own(Path::new(path)))
    }
}
