//! Temporary directories: where programs are built and files for other programs are written.

use anyhow::{Context as _, Result};
use tempfile::TempDir;

/// Why nothing can be built or written.
pub const NO_PLACE: &str = "cannot make a build directory (is TMPDIR writable?)";

/// A new directory; it is gone when this is dropped.
pub fn directory() -> Result<TempDir> {
    tempfile::tempdir().context(NO_PLACE)
}
