//! Cases repeated on the uninstrumented program, from a campaign or from a case file.
//!
//! **Invariant.** Nothing here is instrumented: what is seen is what the user's program does when it is compiled as always.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use xcute_trace::{Failure, FailureKind, Held};

use crate::build::enter::{Asked, Entered, enter};
use crate::build::harness::{self, HARNESS, MAIN, Sequence};
use crate::build::spoken::Spoken;
use crate::build::unit::Unit;
use crate::build::words::{self, Words};
use crate::cases::casefile::{CaseError, CaseFile, CaseSchedule};
use crate::cases::graph::InputGraph;
use crate::cases::native::data::{self, Placement, Symbols};
use crate::cases::native::{self, Again, Built, NativeProgram, Repetition, Run, held, ordered};
use crate::cases::readable;
use crate::cases::standalone::Standalone;
use crate::error::CError;
use crate::tools::flags;
use crate::tools::toolchain::Toolchain;
use crate::types::dwarf::{Function, Program};
use crate::types::inputs::{Builder, InputCall, Lengths, TypeTable};
use xcute_sandbox::Sandbox;
use xcute_term::Interrupt;

/// The time of the processor after which a run hangs, if nobody says.
pub const HANG: Duration = Duration::from_secs(2);

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
    /// The words of other tools that its sources leave undefined.
    pub words: Words,
    /// What they say to xcute.
    pub spoken: Spoken,
    /// The user's flags.
    pub flags: Vec<String>,
    /// The directory that relative paths in flags are meant in.
    pub directory: PathBuf,
    /// The time of the processor after which a run hangs.
    pub hang: Duration,
    /// What confines its runs.
    pub sandbox: Sandbox,
    /// The program without instrumentation.
    native: NativeProgram,
}

/// What a program is made of, for its replays.
#[derive(Debug)]
pub struct Parts {
    /// Its types and functions.
    pub program: Program,
    /// The types of its inputs.
    pub table: TypeTable,
    /// See [`Replayer`].
    pub entry: Function,
    /// See [`Replayer`].
    pub sequence: Option<Sequence>,
    /// The sources.
    pub units: Vec<Unit>,
    /// The harness.
    pub harness: PathBuf,
    /// See [`Replayer`].
    pub words: Words,
    /// See [`Replayer`].
    pub spoken: Spoken,
    /// See [`Replayer`].
    pub flags: Vec<String>,
    /// See [`Replayer`].
    pub directory: PathBuf,
    /// See [`Replayer`].
    pub hang: Duration,
    /// The compiler.
    pub tools: Toolchain,
    /// Where things are built; its `include` holds `xcute.h`.
    pub dir: PathBuf,
}

impl From<Parts> for Replayer {
    fn from(parts: Parts) -> Replayer {
        let Parts { program, table, entry, sequence, units, harness, words, spoken, flags, directory, hang, tools, dir } = parts;
        let native = NativeProgram {
            units,
            harness,
            words: (!words.is_empty()).then(|| dir.join(words::FILE)),
            flags: flags::absolute(&flags, &directory),
            calls_main: entry.name == MAIN,
            tools,
            dir,
            built: Built::default(),
        };
        Replayer { program, table, entry, sequence, words, spoken, flags, directory, hang, sandbox: Sandbox::default(), native }
    }
}

/// What a replay did.
#[derive(Debug)]
pub struct Replayed {
    /// The failure it ended with; `None` if it returned.
    pub failure: Option<FailureKind>,
    /// How it ended, in words.
    pub how: String,
    /// What variables held where it failed, as far as it is known.
    pub values: Vec<Held>,
    /// Its output.
    pub run: Run,
}

impl Replayer {
    /// The program of a case file, built in `dir`, and the inputs of the case. `directory` is where paths of the case are meant. A case that is not trusted is data: its
    /// flags let the compiler do nothing but compile.
    ///
    /// # Errors
    /// If the program no longer compiles, the case does not fit it, or cannot be trusted.
    pub fn of_case(case: &CaseFile, directory: &Path, dir: &Path, trusted: bool) -> Result<(Replayer, InputGraph), CError> {
        if let Some(flag) = flags::wild(&case.flags).filter(|_| !trusted) {
            return Err(CaseError::Wild { flag: flag.to_owned() }.into());
        }
        let tools = Toolchain::find()?.working_in(dir);
        let sources: Vec<PathBuf> = case.sources.iter().map(|s| directory.join(s)).collect();
        let flags = flags::absolute(&case.flags, directory);
        let asked = Asked {
            sources: &sources,
            entry: Some(&case.entry),
            calls: case.calls.as_ref(),
            pre: case.pre.as_deref(),
            flags: &flags,
            lengths: &case.lengths,
            bytes: case.lengths.max,
        };
        let Entered { program, entry, sequence, units, harness, lengths, words, spoken, .. } = enter(&tools, &asked, dir)?;
        let table = table_of(&program, &entry, case, &lengths)?;
        let graph = case.graph(&table)?;
        let (directory, dir) = (directory.to_owned(), dir.to_owned());
        let parts = Parts { program, table, entry, sequence, units, harness, words, spoken, flags, directory, hang: HANG, tools, dir };
        Ok((parts.into(), graph))
    }

    /// The sources.
    #[must_use]
    pub fn units(&self) -> &[Unit] {
        &self.native.units
    }

    /// The file that defines the entry.
    #[must_use]
    pub fn source(&self) -> &Path {
        let unit = self.native.units.get(self.entry.unit).or(self.native.units.first());
        unit.map_or(Path::new(""), |unit| &unit.source)
    }

    /// Where things are built.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.native.dir
    }

    /// The standalone test of a case, to be written to a directory.
    #[must_use]
    pub fn standalone<'a>(&'a self, graph: &'a InputGraph, failure: Option<&'a Failure>, file: &'a Path) -> Standalone<'a> {
        Standalone {
            program: &self.program,
            table: &self.table,
            graph,
            entry: &self.entry,
            sequence: self.sequence.as_ref(),
            units: &self.native.units,
            words: &self.words,
            spoken: &self.spoken,
            flags: &self.flags,
            inline: self.native.built.inline(),
            directory: &self.directory,
            failure,
            file,
        }
    }

    /// The inputs of a case for people: names and values. The calls of a sequence come first and have no names.
    #[must_use]
    pub fn shown(&self, graph: &InputGraph) -> Vec<(String, String)> {
        if self.sequence.is_none() {
            return readable::inputs(&self.program, &self.table, graph);
        }
        let calls = self.standalone(graph, None, Path::new("")).statements();
        // Numbers, strings and choices are shown by the calls.
        let roots = graph.roots.iter().filter(|r| r.leaves.len() > 1).cloned().collect();
        let rest = InputGraph { roots, objects: graph.objects.clone() };
        let calls = calls.into_iter().map(|call| (String::new(), call));
        calls.chain(readable::inputs(&self.program, &self.table, &rest)).collect()
    }

    /// Repeats a failure, in the order of its schedule if there were several threads.
    ///
    /// # Errors
    /// If the program cannot be compiled or started.
    pub fn confirm(
        &self,
        graph: &InputGraph,
        failure: &Failure,
        schedule: Option<&CaseSchedule>,
        stop: &Interrupt,
    ) -> Result<Repetition, CError> {
        self.with(graph, stop, |again| match schedule {
            Some(schedule) => again.confirm_ordered(failure, schedule),
            None => again.confirm(failure),
        })
    }

    /// Builds the program, ready to be run or debugged with a case, and what its environment must hold: with several threads, so that they can be held to
    /// their order.
    ///
    /// # Errors
    /// If it cannot be compiled, or the case cannot be written.
    pub fn build(&self, graph: &InputGraph, schedule: Option<&CaseSchedule>) -> Result<(PathBuf, Vec<(OsString, OsString)>), CError> {
        self.with(graph, Interrupt::never(), |again| {
            let exe = if schedule.is_some() { again.ordered(None)? } else { self.native.plain(Interrupt::never())? };
            let mut environment = again.environment(&exe)?;
            if let Some(schedule) = schedule {
                environment.extend(native::write_order(schedule, &self.native.dir)?);
            }
            Ok((exe, environment))
        })
    }

    /// Runs a case; a failure that only a sanitizer shows is looked for with one.
    ///
    /// # Errors
    /// If the program cannot be compiled or started.
    pub fn run(&self, graph: &InputGraph, failure: Option<&Failure>, schedule: Option<&CaseSchedule>) -> Result<Replayed, CError> {
        let expected = failure.map(|f| f.kind);
        let (run, mut how, mut values) = self.with(graph, Interrupt::never(), |again| match schedule {
            Some(schedule) => {
                let exe = again.ordered(None)?;
                let order = native::write_order(schedule, &self.native.dir)?;
                let run = again.start_ordered(&exe, &order, &held::limits(expected));
                let run = run.map_err(|error| crate::build::compile::CompileError::Io { path: exe, error })?;
                let how = native::told(&run);
                Ok((run, how, Vec::new()))
            }
            None => {
                let (_, seen) = again.plain(expected)?;
                let how = format!("the uninstrumented program {}", seen.run.end);
                Ok((seen.run, how, seen.values))
            }
        })?;
        let mut kind = native::kind_of(&run, expected);
        if let Some(failure) = failure.filter(|f| kind != Some(f.kind))
            && let Repetition::Same { how: seen, values: held } = self.confirm(graph, failure, schedule, Interrupt::never())?
        {
            (kind, how, values) = (Some(failure.kind), seen, held);
        }
        Ok(Replayed { failure: kind, how, values, run })
    }

    /// Which calls ask for inputs in a run of a case, by their numbers, in their order.
    ///
    /// # Errors
    /// If the program cannot be compiled or started.
    pub fn taken(&self, graph: &InputGraph) -> Result<Vec<u32>, CError> {
        let log = self.native.dir.join("case.taken");
        self.with(graph, Interrupt::never(), |again| {
            let exe = self.native.plain(Interrupt::never())?;
            let io = |error| crate::build::compile::CompileError::Io { path: log.clone(), error };
            std::fs::write(&log, "").map_err(io)?;
            let limits = native::Limits { time: self.hang * native::PATIENCE, memory: Some(native::MEMORY), leaks: false, stuck: false };
            again.start_ordered(&exe, &[(ordered::TAKEN.into(), log.clone().into())], &limits).map_err(io)?;
            let bytes = std::fs::read(&log).map_err(io)?;
            let numbers = bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap_or_default()));
            // The file is longer than what was noted: a number stands there with one added to it.
            Ok(numbers.map_while(|number| number.checked_sub(1)).collect())
        })
    }

    /// Builds the program, if that was not done.
    ///
    /// # Errors
    /// If it cannot be compiled.
    pub fn compiled(&self) -> Result<(), CError> {
        self.native.plain(Interrupt::never())?;
        Ok(())
    }

    fn with<T>(
        &self,
        graph: &InputGraph,
        stop: &Interrupt,
        then: impl FnOnce(&Again<'_>) -> Result<T, crate::build::compile::CompileError>,
    ) -> Result<T, CError> {
        let data = |symbols: &Symbols, placement: Placement| {
            data::file(&self.program, &self.table, graph, self.sequence.is_some(), symbols, placement)
        };
        let files: Vec<String> = self.native.units.iter().map(|unit| unit.source.display().to_string()).collect();
        Ok(then(&Again { program: &self.native, data: &data, files: &files, hang: self.hang, stop, sandbox: &self.sandbox })?)
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
