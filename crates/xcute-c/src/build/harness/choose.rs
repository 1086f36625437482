//! The entry of a program: the function that the user named, or the one that needs no naming.
//!
//! **Invariant.** A name that is not there is answered with the most similar one, or with all there are.

use std::path::{Path, PathBuf};

use super::overloads;
use super::{FUZZED, HarnessError, MAIN, shown};
use crate::tools::system::is_system;
use crate::types::dwarf::{Function, Program};

/// Finds the entry: the function that was asked for; else that of fuzzers; else `main`; else the only function that other files see.
///
/// # Errors
/// If there is no such function, or several and nobody said which.
pub fn choose<'a>(program: &'a Program, sources: &[PathBuf], wanted: Option<&str>) -> Result<&'a Function, HarnessError> {
    let ours = own(program, sources);
    let names = |functions: &[&Function]| -> Vec<String> { functions.iter().map(|f| shown(&f.name).to_owned()).collect() };
    if let Some(name) = wanted {
        let real = if name == "main" { MAIN } else { name };
        if program.cxx
            && let Some(found) =
                overloads::find(program, &ours, real).transpose().or_else(|| overloads::find(program, &included(program), real).transpose())
        {
            let found = found?;
            return Ok(found);
        }
        let found = ours.iter().find(|f| f.name == real && f.external).or_else(|| ours.iter().find(|f| f.name == real));
        return found.copied().or_else(|| program.function(real)).ok_or_else(|| {
            let candidates = names(&ours);
            let similar = xcute_suggest::nearest(name, candidates.iter().map(String::as_str)).map(str::to_owned);
            HarnessError::Unknown { name: name.to_owned(), similar, candidates }
        });
    }
    // A part of a source may say that its lines come from elsewhere: what is there is the program's, too.
    let named = |name: &str| ours.iter().copied().chain(included(program)).find(|f| f.name == name);
    if let Some(main) = named(FUZZED).or_else(|| named(MAIN)) {
        return Ok(main);
    }
    let visible: Vec<&Function> = ours.iter().copied().filter(|f| f.external).collect();
    match (&visible[..], &ours[..]) {
        ([only], _) | ([], [only]) => Ok(only),
        ([], []) => Err(HarnessError::Empty),
        ([], all) => Err(HarnessError::Ambiguous { candidates: names(all) }),
        (several, _) => Err(HarnessError::Ambiguous { candidates: names(several) }),
    }
}

/// The functions of the sources themselves, not of headers. A source that says where its lines come from (it was preprocessed, or generated) has
/// all that are not the system's.
fn own<'a>(program: &'a Program, sources: &[PathBuf]) -> Vec<&'a Function> {
    let here = |f: &&Function| sources.get(f.unit).is_some_and(|source| Path::new(&f.file) == source.as_path());
    let mut plain = vec![false; sources.len()];
    program.functions.iter().filter(here).for_each(|f| plain[f.unit] = true);
    let ours = |f: &&Function| here(f) || (plain.get(f.unit) == Some(&false) && !is_system(&f.file));
    program.functions.iter().filter(ours).collect()
}

/// The functions of headers that are not the system's.
fn included(program: &Program) -> Vec<&Function> {
    program.functions.iter().filter(|f| !is_system(&f.file)).collect()
}
