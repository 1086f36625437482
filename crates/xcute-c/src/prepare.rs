//! From sources to a subject that runs: compile natively for the types, write the harness, compile it instrumented, start.
//!
//! **Invariant.** Every mistake of the user is found here, before the first run, and is one message that says what to do.

use std::path::PathBuf;
use std::sync::Arc;

use xcute_trace::Bound;

use crate::build::bounds;
use crate::build::compile::{self, CompileRequest};
use crate::build::enter::{Asked, Entered, enter};
use crate::build::harness::{self, Calls, Sequence};
use crate::build::spoken::Spoken;
use crate::build::unit::{self, Unit};
use crate::build::words::{self, Words};
use crate::instrument::compiled::{Compiled, InputKey};
use crate::run::subject::{CSubject, RunOptions};
use crate::tools::toolchain::Toolchain;
use crate::types::dwarf::{Function, Program, TypeId};
use crate::types::inputs::{Builder, InputCall, Lengths, TypeTable, addresses};

pub use crate::error::CError;

/// What to test, and how inputs are made.
#[derive(Clone, Debug)]
pub struct COptions {
    /// The C files.
    pub sources: Vec<PathBuf>,
    /// The function to call; `None`: `main`, or the only one.
    pub entry: Option<String>,
    /// Sequences of calls instead of an entry.
    pub calls: Option<Calls>,
    /// A function that says which inputs are valid.
    pub pre: Option<String>,
    /// The user's flags for clang.
    pub flags: Vec<String>,
    /// Whether undefined behaviour is a failure.
    pub undefined: bool,
    /// Sizes of arrays and strings.
    pub lengths: Lengths,
    /// How many bytes a fuzzer's entry gets, at most.
    pub bytes: u32,
    /// Budgets of a run.
    pub run: RunOptions,
    /// Where to build.
    pub dir: PathBuf,
}

/// A program made ready.
pub struct Prepared {
    /// What runs the cases.
    pub subject: CSubject,
    /// The program as its debugging information describes it.
    pub program: Program,
    /// The function that is called; of call sequences, one that stands for them.
    pub entry: Function,
    /// The plan of call sequences.
    pub sequence: Option<Sequence>,
    /// The sources, with what others need to call into them.
    pub units: Vec<Unit>,
    /// The harness, as it was compiled.
    pub harness: PathBuf,
    /// The words of other tools that it leaves undefined.
    pub words: Words,
    /// What it says to xcute.
    pub spoken: Spoken,
    /// The sizes as a case file needs them.
    pub lengths: Lengths,
    /// Up to which sizes its inputs are made.
    pub bounds: Vec<Bound>,
    /// The tools that built it.
    pub tools: Toolchain,
}

/// Makes a program ready.
///
/// # Errors
/// Where a file, the compiler, the entry or an option is not as it should be.
pub fn prepare(options: &COptions) -> Result<Prepared, CError> {
    let tools = Toolchain::find()?.working_in(&options.dir);
    let asked = Asked {
        sources: &options.sources,
        entry: options.entry.as_deref(),
        calls: options.calls.as_ref(),
        pre: options.pre.as_deref(),
        flags: &options.flags,
        lengths: &options.lengths,
        bytes: options.bytes,
    };
    let Entered { program, entry, sequence, units, harness, lengths, bounds: built, words, spoken } = enter(&tools, &asked, &options.dir)?;
    let mut sources = unit::files(&units, &options.dir)?;
    sources.extend((!words.is_empty()).then(|| options.dir.join(words::FILE)));
    let request = CompileRequest {
        harness: &harness,
        units: &units,
        files: &sources,
        flags: &options.flags,
        undefined: options.undefined,
        dir: &options.dir,
    };
    let compiled = compile::compile(&tools, &request)?;
    let types = type_table(&program, &compiled, &entry, &lengths)?;
    let bounds = bounds::of(&options.lengths, options.bytes, &types, &entry, sequence.as_ref(), built);
    let lengths = if sequence.is_some() { options.lengths.clone() } else { lengths };
    let subject = CSubject::start(Arc::new(compiled), types, options.run.clone())?.describing(&program);
    Ok(Prepared { subject, program, entry, sequence, units, harness, words, spoken, lengths, bounds, tools })
}

/// The types of the inputs. Arguments of the entry are asked for by the harness, which is ours: their types are those of the parameters.
fn type_table(program: &Program, compiled: &Compiled, entry: &Function, lengths: &Lengths) -> Result<TypeTable, CError> {
    let excluded = [entry.name.as_str(), harness::HARNESS];
    let mut builder = Builder::new(program, lengths, &excluded);
    let arguments = harness::arguments(program, entry)?;
    ask(&mut builder, compiled, |key| {
        if key.function == harness::HARNESS {
            arguments.get(key.number as usize).map(|a| a.of)
        } else {
            program.input(&key.function, u64::from(key.number)).map(|v| v.of)
        }
    })?;
    if let Some(name) = builder.unmet() {
        return Err(CError::Array(name.to_owned()));
    }
    let mut table = builder.finish();
    let known = addresses(&compiled.exe)?;
    table.bind(|name| known.get(name).copied());
    Ok(table)
}

/// Tells a builder of all inputs that a program asks for; `type_of` knows their types.
pub(crate) fn ask(builder: &mut Builder<'_>, compiled: &Compiled, type_of: impl Fn(&InputKey) -> Option<TypeId>) -> Result<(), CError> {
    for key in &compiled.input_keys {
        let of = type_of(key).ok_or_else(|| CError::Input { function: key.function.clone(), number: key.number })?;
        builder.input(InputCall { name: &key.name, function: &key.function, number: key.number, line: key.line }, of);
    }
    Ok(())
}
