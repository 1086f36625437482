//! `xcute replay`: repeats a case on the uninstrumented program.

use std::path::Path;

use anyhow::{Result, bail};

use crate::arguments::ReplayArguments;
use crate::exit::Exit;
use crate::front::{Care, Case, CaseText};
use crate::language;

/// Replays the case; it fails if the program does.
pub fn run(low: &ReplayArguments) -> Result<Exit> {
    let mut text = CaseText::read(&low.case)?;
    text.care = Care { confined: !low.no_sandbox, checked: !low.trust };
    case(&text)?.replay(low.debugger)
}

/// Reads a case of any language.
pub fn read(path: &Path) -> Result<Box<dyn Case>> {
    case(&CaseText::read(path)?)
}

/// The case that a file holds.
pub fn case(text: &CaseText) -> Result<Box<dyn Case>> {
    match language::ALL.iter().find(|language| language.cases() == text.language()) {
        Some(language) => language.case(text),
        None => bail!("{} is not a case of xcute: it is of no language that this xcute knows", text.path.display()),
    }
}
