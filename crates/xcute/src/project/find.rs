//! Looks for `xcute.toml`: here, or in a directory above.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// The name of the file.
pub const FILE: &str = "xcute.toml";

/// The file that was named, or else the nearest one from the working directory upwards, with its whole path.
pub fn find(named: Option<&Path>) -> Result<PathBuf> {
    let whole = |path: &Path| path.canonicalize().with_context(|| format!("cannot read {}", path.display()));
    if let Some(named) = named {
        return whole(&if named.is_dir() { named.join(FILE) } else { named.to_owned() });
    }
    let here = std::env::current_dir().context("cannot find out the current directory")?;
    match here.ancestors().map(|directory| directory.join(FILE)).find(|file| file.is_file()) {
        Some(file) => whole(&file),
        None => bail!("there is no {FILE} here or in a directory above (xcute init writes one)"),
    }
}
