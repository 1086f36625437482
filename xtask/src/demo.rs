//! `./x demo`: builds xcute and lets it find the bugs of a small gallery.

use anyhow::Result;

use crate::{setup, shell};

/// Builds the release binary and runs the gallery.
pub fn run(_arguments: &[String]) -> Result<()> {
    setup::run()?;
    shell::run(&mut shell::cargo(&["build", "--quiet", "--release", "--package", "xcute"]))
}
