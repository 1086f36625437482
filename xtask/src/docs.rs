//! `./x docs`: the book as a website, where mdBook is installed, the documentation of the code, and the gallery. The pages of the book in `docs/` are plain Markdown and can
//! be read as they are.

use anyhow::Result;

use crate::{book, gallery, setup, shell};

/// Builds the reference and says where everything is.
pub fn run() -> Result<()> {
    setup::run()?;
    gallery::write(&shell::root())?;
    build()?;
    let target = std::env::var("CARGO_TARGET_DIR").unwrap_or_else(|_| "target".into());
    let book = book::build()?.unwrap_or_else(|| "docs/README.md (as a website with mdBook: cargo install mdbook)".to_owned());
    shell::say(&format!("the book:      {book}"));
    shell::say(&format!("the reference: {target}/doc/xcute_engine/index.html"));
    Ok(())
}

/// Builds the reference with warnings as errors. It is for those who work on xcute, so it has the private items, too, and may link to them.
pub fn build() -> Result<()> {
    let mut doc = shell::cargo(&["doc", "--quiet", "--workspace", "--no-deps", "--document-private-items"]);
    shell::run(doc.env("RUSTDOCFLAGS", "--deny warnings --allow rustdoc::private_intra_doc_links"))
}
