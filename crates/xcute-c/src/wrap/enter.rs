//! From the entry that was chosen to the one that is called: the entry itself, or its wrapper.
//!
//! **Invariant.** A campaign and the replay of its cases come to the same wrapper.

use std::path::{Path, PathBuf};

use xcute_trace::Bound;

use super::{WRAPPER, is_needed, wrap};
use crate::dwarf::{Function, Program};
use crate::inputs::Lengths;
use crate::prepare::{self, CError, Native};
use crate::toolchain::Toolchain;
use crate::words::Words;

/// A program with the function that is called.
pub(crate) struct Entered {
    /// Types and functions.
    pub program: Program,
    /// The function that is called.
    pub entry: Function,
    /// The file that defines it.
    pub source: PathBuf,
    /// The other files.
    pub others: Vec<PathBuf>,
    /// The sizes, with those that a wrapper needs.
    pub lengths: Lengths,
    /// Up to which sizes a wrapper builds its arguments.
    pub bounds: Vec<Bound>,
    /// The words of other tools that the program leaves undefined.
    pub words: Words,
}

/// Writes a wrapper where one is needed, and reads its types.
pub(crate) fn enter(
    tools: &Toolchain,
    native: Native,
    entry: Function,
    lengths: &Lengths,
    flags: &[String],
    dir: &Path,
) -> Result<Entered, CError> {
    let Native { program, sources, words } = native;
    let (source, others) = prepare::split(&entry, &sources);
    if !is_needed(&program, &entry) {
        return Ok(Entered { program, entry, source, others, lengths: lengths.clone(), bounds: Vec::new(), words });
    }
    let wrapped = wrap(&program, &entry, &source, lengths)?;
    let path = dir.join("wrapper.cpp");
    prepare::write(&path, &wrapped.text)?;
    let mut files = vec![path.clone()];
    files.extend(others);
    let Native { program, sources, words } = prepare::read(tools, &files, flags, dir)?;
    let found = program.function(WRAPPER).ok_or_else(|| CError::Input { function: WRAPPER.to_owned(), number: 0 })?;
    let entry = Function { stands_for: Some(entry.shown().to_owned()), ..found.clone() };
    let (source, others) = prepare::split(&entry, &sources);
    Ok(Entered { program, entry, source, others, lengths: wrapped.lengths, bounds: wrapped.bounds, words })
}
