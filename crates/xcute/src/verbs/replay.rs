//! `xcute replay`: repeats a case on the uninstrumented program.

use std::path::Path;

use anyhow::{Result, bail};

use crate::arguments::ReplayArguments;
use crate::exit::Exit;
use crate::front::{Case, CaseText};
use crate::language;

/// Replays the case; it fails if the program does.
pub fn run(low: &ReplayArguments) -> Result<Exit> {
    read(&low.case)?.replay(low.debugger)
}

/// Reads a case of any language.
pub fn read(path: &Path) -> Result<Box<dyn Case>> {
    let text = CaseText::read(path)?;
    match language::ALL.iter().find(|language| language.cases() == text.language()) {
        Some(language) => language.case(&text),
        None => bail!("{} is not a case of xcute: it is of no language that this xcute knows", path.display()),
    }
}
