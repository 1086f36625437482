//! The parameters of an entry as inputs: their names and types, and those that are lengths of others.
//!
//! **Invariant.** Arguments have the order of the parameters; their types have no qualifiers, so that variables of them can be assigned.

use super::{FUZZED, HarnessError, MAIN, shown};
use crate::types::dwarf::{Encoding, Function, Program, Type, TypeId};
use crate::types::inputs::{ArrayLength, Lengths};

/// A parameter of the entry as a local variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// Its name for people.
    pub name: String,
    /// Its type, without qualifiers.
    pub of: TypeId,
}

/// The arguments of an entry that become inputs; `main` has none.
///
/// # Errors
/// If the function is variadic.
pub fn arguments(program: &Program, entry: &Function) -> Result<Vec<Argument>, HarnessError> {
    if entry.name == MAIN {
        return Ok(Vec::new());
    }
    if entry.variadic && entry.params.iter().any(|p| p.name.is_some()) {
        return Err(HarnessError::Variadic { name: entry.name.clone() });
    }
    let argument = |(k, p): (usize, &crate::types::dwarf::Parameter)| Argument {
        name: p.name.clone().unwrap_or_else(|| format!("arg{}", k + 1)),
        of: program.unqualified(p.of),
    };
    Ok(entry.params.iter().enumerate().map(argument).collect())
}

/// The sizes for an entry of fuzzers: the first parameter is an array whose length is the second, at most `bytes`.
#[must_use]
pub fn fuzzed(entry: &Function, lengths: &Lengths, bytes: u32) -> Lengths {
    let names: Vec<&str> = entry.params.iter().filter_map(|p| p.name.as_deref()).collect();
    match names[..] {
        [data, size] if entry.name == FUZZED && !lengths.arrays.contains_key(data) => {
            let mut lengths = Lengths { max: bytes, ..lengths.clone() };
            lengths.arrays.insert(data.to_owned(), ArrayLength::Parameter(size.to_owned()));
            lengths
        }
        _ => lengths.clone(),
    }
}

/// The parameters that point to as many elements as another one says: their numbers, and the bytes of an element.
pub(super) fn bounds(program: &Program, arguments: &[Argument], lengths: &Lengths) -> Vec<(usize, usize, u64)> {
    let number = |name: &str| arguments.iter().position(|a| a.name == name);
    let bound = |(array, length): (&str, &str)| {
        let (array, length) = (number(array)?, number(length)?);
        let Type::Pointer { to } = program.get(program.strip(arguments[array].of)) else { return None };
        let size = program.size(*to);
        (size > 0).then_some((array, length, size))
    };
    lengths.parameters().filter_map(bound).collect()
}

/// The parameters that are lengths, by number, each once.
pub(super) fn lengths(program: &Program, entry: &Function, arguments: &[Argument], lengths: &Lengths) -> Result<Vec<usize>, HarnessError> {
    let mut out = Vec::new();
    for (array, length) in &lengths.arrays {
        let ArrayLength::Parameter(length) = length else { continue };
        let integer = |of| match program.get(program.strip(of)) {
            Type::Base { encoding: Encoding::Int { .. } | Encoding::Char { .. }, size, .. } => *size <= 8,
            Type::Enum { .. } => true,
            _ => false,
        };
        let Some(k) = arguments.iter().position(|a| a.name == *length && integer(a.of)) else {
            return Err(HarnessError::Length { name: shown(&entry.name).to_owned(), array: array.clone(), length: length.clone() });
        };
        if !out.contains(&k) {
            out.push(k);
        }
    }
    Ok(out)
}
