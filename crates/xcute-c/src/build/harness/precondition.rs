//! `--pre repOk`: only inputs that a checker of the program accepts.
//!
//! [sen-marinov-agha-2006 §4.2.2]: solving data structure invariants. The checker is called on the inputs before the entry, and what
//! it says is an assumption, so its own conditions guide the search to valid structures and rejected runs are counted apart.
//!
//! **Invariant.** No argument of the entry goes to two parameters of the checker.

use thiserror::Error;

use super::{Argument, shown};
use crate::types::dwarf::{Function, Program};

/// Why a checker cannot be called.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PreconditionError {
    /// It is not there.
    #[error("--pre {0}: the program defines no such function")]
    Unknown(String),
    /// A parameter of it is none of the entry's.
    #[error("--pre {name}: its parameter {parameter} has the type of no parameter of {entry} that is left")]
    Parameter {
        /// The checker.
        name: String,
        /// Its parameter.
        parameter: String,
        /// The entry.
        entry: String,
    },
    /// It says nothing.
    #[error("--pre {0}: it must return whether the input is valid, but returns nothing")]
    Void(String),
}

/// The checker, and the arguments of the entry, by number, that it is called with: for each of its parameters the one with the same name and type,
/// else the first with the same type that no other parameter has.
///
/// # Errors
/// If there is no such function, or it cannot be called with the entry's arguments.
pub(super) fn arguments<'a>(
    program: &'a Program,
    entry: &Function,
    inputs: &[Argument],
    name: &str,
) -> Result<(&'a Function, Vec<usize>), PreconditionError> {
    let checker = program.function(name).ok_or_else(|| PreconditionError::Unknown(name.to_owned()))?;
    if checker.result == crate::types::dwarf::TypeId::VOID {
        return Err(PreconditionError::Void(name.to_owned()));
    }
    // A checker promises with `const` what the entry does not.
    let text = |of| program.type_name(program.unqualified(of)).replace("const ", "");
    let mut chosen: Vec<usize> = Vec::new();
    for parameter in &checker.params {
        let fits = |k: &usize| !chosen.contains(k) && text(inputs[*k].of) == text(parameter.of);
        let named = |k: &usize| parameter.name.as_ref().is_some_and(|n| *n == inputs[*k].name);
        let all = 0..inputs.len();
        let found = all.clone().filter(fits).find(named).or_else(|| all.clone().find(fits));
        let missing = || PreconditionError::Parameter {
            name: name.to_owned(),
            parameter: parameter.name.clone().unwrap_or_else(|| "without a name".to_owned()),
            entry: shown(&entry.name).to_owned(),
        };
        chosen.push(found.ok_or_else(missing)?);
    }
    Ok((checker, chosen))
}
