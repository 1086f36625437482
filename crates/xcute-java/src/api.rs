//! The classes that programs call to take inputs: jCUTE's `cute.Cute`, SV-COMP's `Verifier`. And the one that repeats cases in a plain JVM.
//!
//! In a run under xcute every call of them is replaced. Where a program does not bring them along, these are taken.

use std::io;
use std::path::Path;

/// Names in internal form, and bytes.
const CLASSES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/api.rs"));

/// The bytes of a class.
pub(crate) fn class(name: &str) -> Option<&'static [u8]> {
    CLASSES.iter().find(|class| class.0 == name).map(|class| class.1)
}

/// Writes the classes to a folder, to compile and run programs against them.
///
/// # Errors
/// Where it cannot be written.
pub fn write_api(folder: &Path) -> io::Result<()> {
    for (name, bytes) in CLASSES {
        let file = folder.join(format!("{name}.class"));
        if let Some(parent) = file.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(file, bytes)?;
    }
    Ok(())
}
