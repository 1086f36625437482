//! The compiled copies of modules.
//!
//! Those of the library are kept under what they are made from, so that they need not be made to be found. Those of the program are kept, too, under the
//! instrumented module: what a user compiles again is mostly the same.
//!
//! **Invariant.** Nothing is compiled twice, and nothing is found that this binary would make differently.

use crate::calls::{Linkage, copy_name};
use crate::core::ast::Module;
use crate::core::normalise::Normal;
use crate::core::write;
use crate::etf::{Atoms, Encoder, Term, read as read_term};
use crate::instrument::instrument;
use crate::vm::{Home, Key, Vm, VmError};

use super::{ProgramError, named};

/// The text of all that decides what a copy looks like.
const MAKERS: &[&str] = &[
    include_str!("copies.rs"),
    include_str!("../calls/mod.rs"),
    include_str!("../calls/bif.rs"),
    include_str!("../calls/process.rs"),
    include_str!("../calls/told.rs"),
    include_str!("../core/ast.rs"),
    include_str!("../core/location.rs"),
    include_str!("../core/mod.rs"),
    include_str!("../core/normalise.rs"),
    include_str!("../core/read.rs"),
    include_str!("../core/write.rs"),
    include_str!("../etf/atoms.rs"),
    include_str!("../etf/decode.rs"),
    include_str!("../etf/encode.rs"),
    include_str!("../etf/mod.rs"),
    include_str!("../etf/term.rs"),
    include_str!("../instrument/mod.rs"),
    include_str!("../instrument/opaque.rs"),
    include_str!("../instrument/receive.rs"),
];

/// What the copy of a module is kept under whose text was kept under `of`.
///
/// # Errors
/// Where `erl` has vanished.
pub(super) fn key(home: &Home, of: &Key, module: &Module, number: u32, linkage: &Linkage, atoms: &Atoms) -> Result<Key, VmError> {
    let mut key = home.key("library copy")?;
    MAKERS.iter().for_each(|text| key.add(text.as_bytes()));
    key.add(of.name().as_bytes());
    key.add(&number.to_le_bytes());
    // Where its calls go depends on what else is followed.
    let mut calls: Vec<String> = Vec::new();
    for function in &module.functions {
        named::calls(module.name, &function.fun, &mut |(of, name, arity)| {
            if of != module.name {
                calls.push(format!("{} {} {arity} {:?}", atoms.name(of), atoms.name(name), linkage.callee(of, name, arity)));
            }
        });
    }
    calls.sort_unstable();
    calls.dedup();
    calls.iter().for_each(|call| key.add(call.as_bytes()));
    Ok(key)
}

/// The compiled copy of a module; `kept` says where it is if it is of the library.
///
/// # Errors
/// Where the emulator does not compile it, which is a bug of ours.
pub(super) fn copy(
    home: &Home,
    vm: &mut Vm,
    kept: Option<Key>,
    (number, normal): (u32, &Normal),
    linkage: &Linkage,
    atoms: &mut Atoms,
) -> Result<Vec<u8>, ProgramError> {
    if let Some(beam) = kept.as_ref().and_then(|key| home.kept(key)) {
        return Ok(beam);
    }
    let copy = instrument(&normal.module, number, linkage, atoms);
    let mut out = Encoder::new();
    out.tuple(2);
    // What is kept for all programs is worth its time.
    out.atom(if kept.is_some() { "compile" } else { "compile_quickly" });
    write::write(&copy, atoms, &mut out);
    let request = out.finish();
    let key = match kept {
        Some(key) => key,
        None => {
            let mut key = home.key("copy")?;
            key.add(&request);
            key
        }
    };
    if let Some(beam) = home.kept(&key) {
        return Ok(beam);
    }
    let name = copy_name(atoms.name(normal.module.name));
    let answer = vm.request_bytes(&request)?.to_vec();
    let answer = read_term(&answer, atoms).map_err(|error| VmError::Protocol(error.to_string()))?;
    match answer.tuple() {
        Some([_, _, Term::Bits(beam, _)]) => {
            home.keep(&key, beam);
            Ok(beam.to_vec())
        }
        Some([_, reason]) => Err(ProgramError::Instrument { of: name, reason: reason.text().unwrap_or_default() }),
        _ => Err(VmError::Protocol("it compiles to something else".to_owned()).into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_makes_copies_is_part_of_their_keys() {
        let sources = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut files = vec![sources.join("program/copies.rs")];
        for room in ["calls", "core", "etf", "instrument"] {
            let entries = std::fs::read_dir(sources.join(room)).expect("a directory of this crate");
            files.extend(entries.map(|entry| entry.expect("it can be read").path()));
        }
        let text = |file: &std::path::PathBuf| std::fs::read_to_string(file).expect("a file of this crate");
        let missing: Vec<_> = files.iter().filter(|file| !MAKERS.contains(&text(file).as_str())).collect();
        assert!(missing.is_empty(), "not in MAKERS: {missing:?}");
        assert_eq!(files.len(), MAKERS.len());
    }
}
