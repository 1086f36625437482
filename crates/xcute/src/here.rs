//! Paths as they are seen from the working directory.

use std::path::{Path, PathBuf};

/// A path for people: relative if it is below the working directory.
pub fn seen_from_here(path: &Path) -> PathBuf {
    let here = std::env::current_dir().ok();
    here.and_then(|here| path.strip_prefix(here).ok()).unwrap_or(path).to_owned()
}
