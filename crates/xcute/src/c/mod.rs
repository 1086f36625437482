//! `xcute c`: the C front end as the binary needs it.

mod coverage;
mod files;

use std::path::Path;

use anyhow::{Context, Result};
use xcute_c::casefile::{CaseFile, VERSION};
use xcute_c::dwarf::{Function, Program};
use xcute_c::graph::InputGraph;
use xcute_c::inputs::{Lengths, TypeTable, Variables};
use xcute_c::prepare::{COptions, Prepared, prepare};
use xcute_c::readable;
use xcute_c::standalone::Standalone;
use xcute_c::subject::{CSubject, RunOptions};
use xcute_engine::Confirmation;
use xcute_report::{InputValue, SourceCoverage};
use xcute_strategy::StrategyName;
use xcute_term::Terms;
use xcute_trace::{Failure, TestCase};

use crate::campaign;
use crate::exit::Exit;
use crate::front::{FrontEnd, Text};
use crate::plan::CPlan;
use files::Files;

/// Tests a C function.
pub fn run(plan: &CPlan) -> Result<Exit> {
    let build = tempfile::tempdir().context("cannot make a build directory (is TMPDIR writable?)")?;
    let lengths = Lengths { arrays: plan.arrays.iter().cloned().collect(), string: plan.string, ..Lengths::default() };
    let random = (plan.search.strategy == StrategyName::Random).then_some(plan.search.seed);
    let run = RunOptions { fuel: plan.steps, exact_object: plan.exact, default_string: plan.string, random, ..RunOptions::default() };
    let options = COptions {
        sources: plan.files.clone(),
        entry: plan.entry.clone(),
        flags: plan.flags.clone(),
        lengths: lengths.clone(),
        run,
        dir: build.path().to_owned(),
    };
    let Prepared { mut subject, program, entry, source, .. } =
        prepare(&options).with_context(|| format!("cannot test {}", files::list(&plan.files)))?;
    let files = Files::new(&plan.files)?;
    let mut front = CFront {
        table: subject.types().clone(),
        variables: subject.variables(),
        program,
        others: files.sources().iter().filter(|file| **file != source).cloned().collect(),
        source,
        entry,
        files,
        flags: plan.flags.clone(),
        lengths,
    };
    campaign::run(&mut front, &mut subject, &plan.search, &plan.output)
}

/// The inputs of a case file; `None` if it cannot be read.
pub fn read_inputs(case: &Path) -> Option<Vec<InputValue>> {
    let case = CaseFile::read(case).ok()?;
    Some(case.inputs.into_iter().map(|input| InputValue { name: input.name, value: input.value }).collect())
}

/// A C program made ready.
struct CFront {
    program: Program,
    table: TypeTable,
    variables: Variables,
    entry: Function,
    source: std::path::PathBuf,
    others: Vec<std::path::PathBuf>,
    files: Files,
    flags: Vec<String>,
    lengths: Lengths,
}

impl CFront {
    fn graph(&self, case: &TestCase) -> InputGraph {
        InputGraph::of_model(&self.table, &self.variables.all(), &case.input)
    }
}

impl FrontEnd for CFront {
    type Subject = CSubject;

    fn language(&self) -> &'static str {
        "c"
    }

    fn name(&self) -> &str {
        if self.entry.name == xcute_c::harness::MAIN { "main" } else { &self.entry.name }
    }

    fn file(&self, path: &str) -> String {
        self.files.shown(Path::new(path))
    }

    fn confirm(&mut self, _terms: &Terms, _failure: &Failure, _case: &TestCase) -> Confirmation {
        Confirmation::Confirmed
    }

    fn inputs(&self, _terms: &Terms, case: &TestCase) -> Vec<InputValue> {
        let named = readable::inputs(&self.program, &self.table, &self.graph(case));
        named.into_iter().map(|(name, value)| InputValue { name, value }).collect()
    }

    fn case_file(&self, _terms: &Terms, case: &TestCase, failure: Option<&Failure>) -> Text {
        let file = CaseFile {
            xcute: VERSION,
            language: "c".into(),
            directory: self.files.directory().to_owned(),
            sources: self.files.given().to_vec(),
            entry: self.name().to_owned(),
            flags: self.flags.clone(),
            lengths: self.lengths.clone(),
            outcome: if failure.is_some() { "failed" } else { "passed" }.into(),
            failure: failure.cloned(),
            inputs: CaseFile::inputs_of(&self.program, &self.table, &self.graph(case)),
        };
        Text { extension: "json", text: file.text() }
    }

    fn standalone(&self, _terms: &Terms, case: &TestCase, failure: &Failure, name: &str) -> Option<Text> {
        let graph = self.graph(case);
        let test = Standalone {
            program: &self.program,
            table: &self.table,
            graph: &graph,
            entry: &self.entry,
            source: &self.source,
            others: &self.others,
            flags: &self.flags,
            directory: self.files.directory(),
            failure: Some(failure),
            file: &format!("{name}.c"),
        };
        Some(Text { extension: "c", text: test.text().ok()? })
    }

    fn coverage(&self, subject: &CSubject) -> SourceCoverage {
        coverage::of(subject.compiled(), subject.coverage(), |path| self.files.own(Path::new(path)))
    }
}
