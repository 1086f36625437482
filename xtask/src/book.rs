//! The book as a website. mdBook makes the pages of `docs/`; what they link to outside of `docs/` stays where it is in the checkout.
//!
//! **Invariant.** No link to a file or to a place of a page is dead: the book is not built then.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use crate::shell;

/// Where `book.toml` puts the book.
const BOOK: &str = "target/book";
/// From a page of the book to the checkout; a page of `docs/` is one level down.
const OUT: &str = "../../";

/// Builds the book; its first page, or nothing where mdBook is not installed.
pub fn build() -> Result<Option<String>> {
    if !shell::succeeds("mdbook", &["--version"]) {
        return Ok(None);
    }
    shell::run(&mut shell::command("mdbook", &["build"]))?;
    let book = shell::root().join(BOOK);
    let mut pages = BTreeMap::new();
    for entry in fs::read_dir(&book).with_context(|| format!("cannot read {}", book.display()))?.flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|end| end == "html") {
            let text = led_out(&fs::read_to_string(&path)?);
            fs::write(&path, &text)?;
            pages.insert(path, text);
        }
    }
    let dead = dead(&pages);
    if !dead.is_empty() {
        bail!("the book has dead links:\n{}", dead.join("\n"));
    }
    Ok(Some(format!("{BOOK}/index.html")))
}

/// A page whose links out of `docs/` lead into the checkout.
fn led_out(page: &str) -> String {
    page.replace("href=\"../", &format!("href=\"{OUT}")).replace("src=\"../", &format!("src=\"{OUT}"))
}

/// Links that lead nowhere, with their pages.
fn dead(pages: &BTreeMap<PathBuf, String>) -> Vec<String> {
    let names: BTreeMap<&Path, BTreeSet<&str>> =
        pages.iter().map(|(path, text)| (path.as_path(), values(text, " id=\"").collect())).collect();
    let mut dead = Vec::new();
    for (path, text) in pages {
        for link in values(text, " href=\"").filter(|link| !link.contains(':') && !link.is_empty()) {
            let (file, place) = link.split_once('#').unwrap_or((link, ""));
            let to = if file.is_empty() { path.clone() } else { plain(&path.with_file_name("").join(file)) };
            let named = || names.get(to.as_path()).is_none_or(|names| names.contains(place));
            if !to.exists() || !place.is_empty() && !named() {
                dead.push(format!("  {link} in {}", path.display()));
            }
        }
    }
    dead
}

/// The values of an attribute.
fn values<'a>(text: &'a str, attribute: &'a str) -> impl Iterator<Item = &'a str> {
    text.split(attribute).skip(1).filter_map(|rest| rest.split('"').next())
}

/// A path without steps up.
fn plain(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(out.pop()),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dead_links_are_found() {
        let book = scratch();
        let page = |name: &str, text: &str| {
            let path = book.join(name);
            fs::write(&path, text).unwrap();
            (path, text.to_owned())
        };
        let good = "<a href=\"b.html#x\">b</a> <a href=\"#y\" id=\"y\">y</a> <a href=\"https://example.org/no\">far</a>";
        let bad = "<p id=\"x\"><a href=\"gone.html\">gone</a> <a href=\"a.html#gone\">gone</a>";
        let pages: BTreeMap<PathBuf, String> = [page("a.html", good), page("b.html", bad)].into();
        let found = dead(&pages);
        fs::remove_dir_all(&book).unwrap();
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].contains("gone.html in") && found[1].contains("a.html#gone in"), "{found:?}");
        assert_eq!(led_out("<a href=\"../subjects\">"), "<a href=\"../../subjects\">");
    }

    fn scratch() -> PathBuf {
        let path = std::env::temp_dir().join(format!("xtask-book-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        path
    }
}
