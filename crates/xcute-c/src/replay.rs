//! Cases repeated on the uninstrumented program, from a campaign or from a case file.
//!
//! **Invariant.** Nothing here is instrumented: what is seen is what the user's program does when it is compiled as always.

use std::path::{Path, PathBuf};

use xcute_trace::{Failure, FailureKind};

use crate::casefile::{CaseError, CaseFile, CaseSchedule};
use crate::dwarf::{Function, Program};
use crate::graph::InputGraph;
use crate::harness::{self, HARNESS, Sequence};
use crate::inputs::{Builder, InputCall, Lengths, TypeTable};
use crate::language::Language;
use crate::native::{self, Limits, Run, Test, Verdict};
use crate::prepare::{self, CError, Native};
use crate::readable;
use crate::standalone::{self, PasteError, Standalone, absolute_flags};
use crate::toolchain::Toolchain;
use crate::words::Words;
use crate::wrap::{self, Entered};

/// A program whose cases can be written as C and run.
#[derive(Debug)]
pub struct Replayer {
    /// Its types and functions.
    pub program: Program,
    /// The types of its inputs.
    pub table: TypeTable,
    /// The entry; of call sequences, one that stands for them.
    pub entry: Function,
    /// The plan of call sequences.
    pub sequence: Option<Sequence>,
    /// The file that defines it.
    pub source: PathBuf,
    /// The other files.
    pub others: Vec<PathBuf>,
    /// The words of other tools that they leave undefined.
    pub words: Words,
    /// The user's flags.
    pub flags: Vec<String>,
    /// The directory that relative paths in flags are meant in.
    pub directory: PathBuf,
    /// The compiler.
    pub tools: Toolchain,
    /// Where tests are built; its `include` holds `xcute.h`.
    pub dir: PathBuf,
}

/// What a replay did.
#[derive(Debug)]
pub struct Replayed {
    /// The kind of failure it ended with; `None` if it returned.
    pub kind: Option<FailureKind>,
    /// How it ended, in words.
    pub how: String,
    /// Its output.
    pub run: Run,
}

impl Replayer {
    /// The program of a case file, built in `dir`, and the inputs of the case.
    ///
    /// # Errors
    /// If the program does not compile any more, or the case does not fit it.
    pub fn of_case(case: &CaseFile, dir: &Path) -> Result<(Replayer, InputGraph), CError> {
        let tools = Toolchain::find()?;
        let given: Vec<PathBuf> = case.sources.iter().map(|s| case.directory.join(s)).collect();
        let flags = absolute_flags(&case.flags, &case.directory);
        let Native { mut program, sources, words } = prepare::read(&tools, &given, &flags, dir)?;
        let sequence = match &case.calls {
            Some(calls) => Some(Sequence::new(&mut program, &sources, calls, &case.lengths)?),
            None => None,
        };
        let entry = match &sequence {
            Some(sequence) => sequence.entry.clone(),
            None => harness::choose(&program, &sources, Some(&case.entry))?.clone(),
        };
        let native = Native { program, sources, words };
        let Entered { program, entry, source, others, lengths, words, .. } =
            wrap::enter(&tools, native, entry, &case.lengths, &flags, dir)?;
        let lengths = sequence.as_ref().map_or(lengths, |s| s.lengths(&case.lengths));
        let table = table_of(&program, &entry, case, &lengths)?;
        let graph = case.graph(&table)?;
        let (directory, dir) = (case.directory.clone(), dir.to_owned());
        Ok((Replayer { program, table, entry, sequence, source, others, words, flags, directory, tools, dir }, graph))
    }

    /// The standalone test of a case.
    #[must_use]
    pub fn standalone<'a>(&'a self, graph: &'a InputGraph, failure: Option<&'a Failure>, file: &'a str) -> Standalone<'a> {
        Standalone {
            program: &self.program,
            table: &self.table,
            graph,
            entry: &self.entry,
            sequence: self.sequence.as_ref(),
            source: &self.source,
            others: &self.others,
            words: &self.words,
            flags: &self.flags,
            directory: &self.directory,
            failure,
            file,
        }
    }

    /// The inputs of a case for people: names and values. The calls of a sequence come first and have no names.
    #[must_use]
    pub fn shown(&self, graph: &InputGraph) -> Vec<(String, String)> {
        let calls = self.standalone(graph, None, "").statements();
        if self.sequence.is_none() {
            return readable::inputs(&self.program, &self.table, graph);
        }
        // Numbers, strings and choices are told by the calls.
        let roots = graph.roots.iter().filter(|r| r.leaves.len() > 1).cloned().collect();
        let rest = InputGraph { roots, objects: graph.objects.clone() };
        let calls = calls.into_iter().map(|call| (String::new(), call));
        calls.chain(readable::inputs(&self.program, &self.table, &rest)).collect()
    }

    /// Repeats a failure, in the order of its schedule if there were several threads: the verdict, or why it could not be tried.
    ///
    /// # Errors
    /// If the test cannot be written or compiled.
    pub fn confirm(&self, graph: &InputGraph, failure: &Failure, schedule: Option<&CaseSchedule>) -> Result<Verdict, CError> {
        self.with_test(graph, Some(failure), schedule.is_some(), |test| match schedule {
            Some(schedule) => Ok(test.confirm_ordered(&self.tools, failure, schedule)?),
            None => Ok(test.confirm(&self.tools, failure)?),
        })
    }

    /// Builds the test of a case, ready to be run or debugged: with several threads, so that they can be held to their order.
    ///
    /// # Errors
    /// If the test cannot be written or compiled.
    pub fn build(&self, graph: &InputGraph, failure: Option<&Failure>, threads: bool) -> Result<PathBuf, CError> {
        self.with_test(graph, failure, threads, |test| {
            if threads {
                return Ok(test.build_ordered(&self.tools, None)?);
            }
            let exe = self.dir.join("replay");
            test.build(&self.tools, &exe, &[])?;
            Ok(exe)
        })
    }

    /// Runs a case as [`Replayer::build`] made it; a failure that only a sanitizer shows is looked for with one.
    ///
    /// # Errors
    /// If the test cannot be written, compiled or started.
    pub fn run(&self, graph: &InputGraph, failure: Option<&Failure>, schedule: Option<&CaseSchedule>) -> Result<Replayed, CError> {
        let exe = self.build(graph, failure, schedule.is_some())?;
        let expected = failure.map(|f| f.kind);
        let started = match schedule {
            Some(schedule) => native::run_ordered(&exe, expected, &native::write_order(schedule, &self.dir)?),
            None => {
                let time = if expected == Some(FailureKind::Hang) { native::HANG } else { native::PATIENCE };
                native::run(&exe, &Limits { time, memory: Some(native::MEMORY), leaks: false, stuck: false })
            }
        };
        let run = started.map_err(|why| CError::Source { path: exe.clone(), why })?;
        let mut kind = native::kind_of(&run, expected);
        let mut how = if schedule.is_some() { native::told(&run) } else { format!("the uninstrumented program {}", run.end) };
        if let Some(failure) = failure.filter(|f| kind != Some(f.kind)) {
            let verdict = self.confirm(graph, failure, schedule)?;
            if verdict.reproduced {
                (kind, how) = (Some(failure.kind), verdict.how);
            }
        }
        Ok(Replayed { kind, how, run })
    }

    fn with_test<T>(
        &self,
        graph: &InputGraph,
        failure: Option<&Failure>,
        threads: bool,
        then: impl FnOnce(&Test<'_>) -> Result<T, CError>,
    ) -> Result<T, CError> {
        let name = format!("replay.{}", Language::of(&self.source).extension());
        let file = self.dir.join(&name);
        // All failures of several threads with the same input share one program: what is told of them is left out.
        let bare = failure.filter(|f| standalone::depends_on(f.kind, self.sequence.is_some())).map(|f| Failure {
            kind: f.kind,
            message: String::new(),
            stack: Vec::new(),
            notes: Vec::new(),
            interleaving: Vec::new(),
        });
        let text = self
            .standalone(graph, if threads { bare.as_ref() } else { failure }, &name)
            .text()
            .map_err(|PasteError { path, why }| CError::Source { path, why })?;
        prepare::write(&file, &text)?;
        let flags = absolute_flags(&self.flags, &self.directory);
        let include = self.dir.join("include");
        then(&Test { file: &file, others: &self.others, flags: &flags, include: &include, dir: &self.dir })
    }
}

/// The type table of a case: its inputs are the arguments and the calls that the file names.
fn table_of(program: &Program, entry: &Function, case: &CaseFile, lengths: &Lengths) -> Result<TypeTable, CError> {
    let excluded = [entry.name.as_str()];
    let mut builder = Builder::new(program, lengths, &excluded);
    for (number, argument) in (0..).zip(harness::arguments(program, entry)?) {
        builder.input(InputCall { name: &argument.name, function: HARNESS, number, line: 0 }, argument.of);
    }
    for (function, number, name) in case.calls() {
        let gone = || CaseError::Stale { what: format!("there is no xcute_input of {name} in {}", harness::shown(function)) };
        let of = program.input(function, u64::from(number)).ok_or_else(gone)?.of;
        builder.input(InputCall { name, function, number, line: number }, of);
    }
    Ok(builder.finish())
}

#[cfg(test)]
mod tests;
