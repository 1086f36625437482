//! From the entry that was chosen to the one that is called: the entry itself, or its wrapper.
//!
//! **Invariant.** A campaign and the replay of its cases come to the same wrapper.

use std::path::Path;

use xcute_trace::Bound;

use super::{is_needed, wrap};
use crate::build::described::{Native, read};
use crate::error::CError;
use crate::names::WRAPPER;
use crate::tools::toolchain::Toolchain;
use crate::types::dwarf::Function;
use crate::types::inputs::Lengths;

/// A program with the function that is called.
pub(crate) struct Entered {
    /// Types, functions and sources.
    pub native: Native,
    /// The function that is called.
    pub entry: Function,
    /// The sizes, with those that a wrapper needs.
    pub lengths: Lengths,
    /// Up to which sizes a wrapper builds its arguments.
    pub bounds: Vec<Bound>,
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
    if !is_needed(&native.program, &entry) {
        return Ok(Entered { native, entry, lengths: lengths.clone(), bounds: Vec::new() });
    }
    let wrapped = wrap(&native.program, &entry, lengths)?;
    let mut units = native.units;
    if let Some(unit) = units.get_mut(entry.unit) {
        unit.appended = wrapped.text;
    }
    let native = read(tools, units, flags, dir)?;
    let found = native.program.function(WRAPPER).ok_or_else(|| CError::Input { function: WRAPPER.to_owned(), number: 0 })?;
    let entry = Function { stands_for: Some(entry.shown().to_owned()), ..found.clone() };
    Ok(Entered { native, entry, lengths: wrapped.lengths, bounds: wrapped.bounds })
}
