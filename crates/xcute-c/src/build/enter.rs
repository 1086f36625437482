//! How a program is entered: its entry is found, and the harness that calls it is written.
//!
//! **Invariant.** A campaign and the replay of its cases come to the same harness.

use std::path::{Path, PathBuf};

use xcute_trace::Bound;

use super::described::{Native, read};
use super::harness::{self, Calls, Sequence};
use super::spoken::Spoken;
use super::unit::{self, Unit};
use super::words::Words;
use super::wrap;
use crate::error::CError;
use crate::tools::files;
use crate::tools::toolchain::Toolchain;
use crate::types::dwarf::{Function, Program};
use crate::types::inputs::Lengths;

/// What is to be called, and how its inputs are made.
pub(crate) struct Asked<'a> {
    pub sources: &'a [PathBuf],
    pub entry: Option<&'a str>,
    pub calls: Option<&'a Calls>,
    pub pre: Option<&'a str>,
    pub flags: &'a [String],
    pub lengths: &'a Lengths,
    pub bytes: u32,
}

/// A program with all that is needed to call into it.
pub(crate) struct Entered {
    pub program: Program,
    /// The function that is called: the entry, its wrapper, or what stands for sequences.
    pub entry: Function,
    pub sequence: Option<Sequence>,
    pub units: Vec<Unit>,
    /// The harness, written.
    pub harness: PathBuf,
    /// The sizes, with those that a wrapper or a fuzzer's entry needs; of sequences, those of all steps.
    pub lengths: Lengths,
    /// Up to which sizes a wrapper builds its arguments.
    pub bounds: Vec<Bound>,
    pub words: Words,
    pub spoken: Spoken,
}

/// Reads the types of a program, finds its entry, and writes the harness.
pub(crate) fn enter(tools: &Toolchain, asked: &Asked<'_>, dir: &Path) -> Result<Entered, CError> {
    let sources = asked.sources.iter().map(|s| absolute(s)).collect::<Result<Vec<_>, _>>()?;
    let units = sources.iter().cloned().map(Unit::of).collect();
    let Native { mut program, units, words, spoken } = read(tools, units, asked.flags, dir)?;
    let planned = asked.calls.map(|calls| Sequence::new(&mut program, &sources, calls, asked.lengths));
    let sequence = planned.transpose()?;
    let entry = match &sequence {
        Some(sequence) => sequence.entry.clone(),
        None => harness::choose(&program, &sources, asked.entry)?.clone(),
    };
    let wrap::Entered { native, entry, lengths, bounds } =
        wrap::enter(tools, Native { program, units, words, spoken }, entry, asked.lengths, asked.flags, dir)?;
    let Native { program, mut units, words, spoken } = native;
    let (lengths, text) = match &sequence {
        Some(sequence) => {
            let lengths = sequence.lengths(asked.lengths);
            let text = harness::calls::text(&program, sequence, &lengths)?;
            (lengths, text)
        }
        None => {
            let lengths = harness::fuzzed(&entry, &lengths, asked.bytes);
            let text = harness::text_with(&program, &entry, &lengths, asked.pre)?;
            (lengths, text)
        }
    };
    unit::export(&mut units, harness::called(&program, &entry, sequence.as_ref(), asked.pre));
    let path = dir.join("harness.c");
    files::write(&path, &text)?;
    Ok(Entered { program, entry, sequence, units, harness: path, lengths, bounds, words, spoken })
}

fn absolute(path: &Path) -> Result<PathBuf, CError> {
    path.canonicalize().map_err(|why| CError::Source { path: path.to_owned(), why })
}
