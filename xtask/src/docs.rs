//! `./x docs`: the documentation of the code. The book in `docs/` is plain Markdown and needs no building.

use anyhow::Result;

use crate::{setup, shell};

/// Builds the reference and says where everything is.
pub fn run() -> Result<()> {
    setup::run()?;
    shell::run(shell::cargo(&["doc", "--quiet", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "--deny warnings"))?;
    let target = std::env::var("CARGO_TARGET_DIR").unwrap_or_else(|_| "target".into());
    shell::say("the book:      docs/README.md");
    shell::say(&format!("the reference: {target}/doc/xcute_engine/index.html"));
    Ok(())
}
