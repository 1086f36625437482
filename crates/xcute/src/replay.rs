//! `xcute replay`: repeats a case on the uninstrumented program.

use anyhow::{Result, bail};

use crate::arguments::ReplayArguments;
use crate::exit::Exit;

/// Replays the case.
pub fn run(low: &ReplayArguments) -> Result<Exit> {
    bail!("cannot replay {}: the C front end is not connected yet", low.case.display())
}
