//! `xcute c`: the C front end as the binary needs it.

use std::path::Path;

use anyhow::{Result, bail};
use xcute_report::InputValue;

use crate::exit::Exit;
use crate::plan::CPlan;

/// Tests a C function.
pub fn run(plan: &CPlan) -> Result<Exit> {
    bail!("cannot test {}: the C front end is not connected yet", plan.files[0].display())
}

/// The inputs of a case file; `None` if it cannot be read.
pub fn read_inputs(_case: &Path) -> Option<Vec<InputValue>> {
    None
}
