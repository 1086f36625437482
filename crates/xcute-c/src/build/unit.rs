//! The translation units of a program: every source is one, with nothing of ours in it.
//!
//! Harnesses and tests are units of their own, which call functions by their symbols. A function that its file keeps to itself gets another symbol, an alias; an
//! entry of C++ gets its wrapper. Such text comes after the source, which is included, and needs no header; words that the program may have
//! made macros are undone before it.
//!
//! **Invariant.** Whatever a source defines, declares or redefines meets nothing but itself. The same text is compiled for every purpose.

use std::fmt::Write as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use crate::names::STATIC;
use crate::tools::files::{self as written, Unwritable};
use crate::tools::language::Language;
use crate::types::dwarf::{Function, identifier};

/// A source file, and what comes after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// The file.
    pub source: PathBuf,
    /// Text after it, where it needs some.
    pub appended: String,
}

impl Unit {
    /// A source by itself.
    #[must_use]
    pub fn of(source: PathBuf) -> Unit {
        Unit { source, appended: String::new() }
    }

    /// Its language.
    #[must_use]
    pub fn language(&self) -> Language {
        Language::of(&self.source)
    }

    /// The text of a file that stands for the unit and names the source so; `None` if the source can stand for itself.
    #[must_use]
    pub fn text(&self, include: &Path) -> Option<Vec<u8>> {
        if self.appended.is_empty() {
            return None;
        }
        // A header's name has no escapes: bytes mean themselves.
        Some([b"#include \"", include.as_os_str().as_bytes(), b"\"\n", self.appended.as_bytes()].concat())
    }

    /// What the compiler needs to find headers where the file that stands for the unit is not beside the source.
    #[must_use]
    pub fn flags(&self) -> &'static [&'static str] {
        // Macros of the compiler were replaced already, or were not there. gcc would hand a plain `-undef` to the linker.
        if self.appended.is_empty() || !Language::is_preprocessed(&self.source) { &[] } else { &["-Wp,-undef"] }
    }

    /// Gives a function that only this file sees a symbol for others.
    fn export(&mut self, function: &Function) {
        let symbol = symbol(function);
        if self.appended.contains(&format!("#undef {symbol}\n")) {
            return;
        }
        let _ = writeln!(self.appended, "#undef {symbol}");
        let _ = match self.language() {
            Language::C => {
                for word in ["extern", "__typeof__", "__attribute__", "__alias__", function.name.as_str()] {
                    let _ = writeln!(self.appended, "#undef {word}");
                }
                let Function { name, linkage, .. } = function;
                writeln!(self.appended, "extern __typeof__({name}) {symbol} __attribute__((__alias__(\"{linkage}\")));")
            }
            Language::Cxx => {
                for word in ["extern", "void", "__attribute__", "__alias__"] {
                    let _ = writeln!(self.appended, "#undef {word}");
                }
                writeln!(self.appended, "extern \"C\" void {symbol}(void) __attribute__((__alias__(\"{}\")));", function.linkage)
            }
        };
    }
}

/// The symbol by which other units call a function.
#[must_use]
pub fn symbol(function: &Function) -> String {
    if function.external { function.linkage.clone() } else { format!("{STATIC}{}_{}", function.unit, identifier(&function.linkage)) }
}

/// Makes functions callable from other units.
pub fn export<'a>(units: &mut [Unit], functions: impl IntoIterator<Item = &'a Function>) {
    for function in functions.into_iter().filter(|function| !function.external) {
        if let Some(unit) = units.get_mut(function.unit) {
            unit.export(function);
        }
    }
}

/// The files to compile, in the order of the units; what stands for a source is written to a directory.
///
/// # Errors
/// If it cannot be written.
pub fn files(units: &[Unit], dir: &Path) -> Result<Vec<PathBuf>, Unwritable> {
    let mut out = Vec::new();
    for (n, unit) in units.iter().enumerate() {
        let odd = unit.source.as_os_str().as_bytes().iter().any(|byte| matches!(byte, b'"' | b'\n'));
        let link = dir.join(format!("source-{n}")).with_extension(unit.language().extension());
        // A name that no directive can hold.
        let include = if odd { &link } else { &unit.source };
        let Some(text) = unit.text(include) else {
            out.push(unit.source.clone());
            continue;
        };
        if odd && !link.exists() {
            std::os::unix::fs::symlink(&unit.source, &link).map_err(|why| Unwritable { path: link.clone(), why })?;
        }
        let file = dir.join(format!("unit-{n}")).with_extension(unit.language().extension());
        written::write(&file, text)?;
        out.push(file);
    }
    Ok(out)
}
