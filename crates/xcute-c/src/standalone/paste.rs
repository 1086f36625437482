//! The subject's source, pasted so that it compiles from anywhere.
//!
//! Quoted includes become absolute; includes of our headers go away, because the test holds them; a header that includes one is pasted too.
//!
//! **Invariant.** Every line keeps its file and number (`#line`), so messages and debuggers show the user's own files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::harness::c_string;
use crate::headers::HEADERS;

/// A file that cannot be pasted.
#[derive(Debug, Error)]
#[error("cannot read {}: {why}", path.display())]
pub struct PasteError {
    /// The file.
    pub path: PathBuf,
    /// The system's reason.
    pub why: std::io::Error,
}

/// How deep pasted headers may include each other.
const DEPTH: usize = 32;

/// The text of a file, ready to stand in another one.
pub(super) fn paste(file: &Path, directories: &[PathBuf]) -> Result<String, PasteError> {
    paste_at(file, directories, 0)
}

fn paste_at(file: &Path, directories: &[PathBuf], depth: usize) -> Result<String, PasteError> {
    let bytes = std::fs::read(file).map_err(|why| PasteError { path: file.to_owned(), why })?;
    let text = String::from_utf8_lossy(&bytes);
    let name = c_string(file.to_string_lossy().as_bytes());
    let mut out = format!("#line 1 {name}\n");
    for (number, line) in text.lines().enumerate() {
        match include(line) {
            Some(found) if ours(&found, file).is_some() => {}
            Some(found) => match resolve(&found, file, directories) {
                Some(path) if depth < DEPTH && (is_source(&path) || !headers_at(&path, directories, depth + 1).is_empty()) => {
                    out += &paste_at(&path, directories, depth + 1)?;
                    out += &format!("#line {} {name}\n", number + 2);
                    continue;
                }
                Some(path) if found.quoted => out += &format!("#include {}", c_string(path.to_string_lossy().as_bytes())),
                _ => out += line,
            },
            None => out += line,
        }
        out.push('\n');
    }
    Ok(out)
}

/// Whether a file is no header: the source that a wrapper includes.
fn is_source(path: &Path) -> bool {
    path.extension().and_then(|e| e.to_str()).is_some_and(|e| matches!(e, "c" | "cpp" | "cc" | "cxx" | "C"))
}

struct Include<'a> {
    target: &'a str,
    quoted: bool,
}

/// What a line includes, if it is an `#include` of a literal name.
fn include(line: &str) -> Option<Include<'_>> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?.trim_start();
    if let Some(rest) = rest.strip_prefix('"') {
        return Some(Include { target: rest.split('"').next()?, quoted: true });
    }
    Some(Include { target: rest.strip_prefix('<')?.split('>').next()?, quoted: false })
}

/// Which of [`HEADERS`] is included; a file of the same name beside the source is the user's own.
fn ours(found: &Include<'_>, file: &Path) -> Option<usize> {
    let beside = || found.quoted && file.parent().is_some_and(|dir| dir.join(found.target).is_file());
    let own = Path::new(found.target).file_name().is_some_and(|name| name == "xcute.h");
    if own { Some(0) } else { HEADERS.iter().position(|(name, _)| *name == found.target).filter(|_| !beside()) }
}

fn resolve(found: &Include<'_>, file: &Path, directories: &[PathBuf]) -> Option<PathBuf> {
    let beside = file.parent().filter(|_| found.quoted).map(Path::to_owned);
    beside.iter().chain(directories).map(|d| d.join(found.target)).find(|p| p.is_file())
}

/// Which of [`HEADERS`] a file includes, itself or through a header of the user.
pub(super) fn headers(file: &Path, directories: &[PathBuf]) -> BTreeSet<usize> {
    headers_at(file, directories, 0)
}

fn headers_at(file: &Path, directories: &[PathBuf], depth: usize) -> BTreeSet<usize> {
    let Ok(bytes) = std::fs::read(file) else { return BTreeSet::new() };
    let text = String::from_utf8_lossy(&bytes);
    let mut out = BTreeSet::new();
    for found in text.lines().filter_map(include) {
        if let Some(header) = ours(&found, file) {
            out.insert(header);
        } else if let Some(path) = resolve(&found, file, directories).filter(|_| depth < DEPTH) {
            out.extend(headers_at(&path, directories, depth + 1));
        }
    }
    out
}

/// The flags that take a directory or a file.
const PATH_FLAGS: [&str; 6] = ["-I", "-isystem", "-iquote", "-include", "-L", "-idirafter"];

/// The directories that the user's flags name for headers.
pub(super) fn include_directories(flags: &[String], directory: &Path) -> Vec<PathBuf> {
    let absolute = absolute_flags(flags, directory);
    let mut out = Vec::new();
    let mut words = absolute.iter();
    while let Some(word) = words.next() {
        let Some(flag) = ["-I", "-isystem", "-iquote", "-idirafter"].iter().find(|f| word.starts_with(**f)) else { continue };
        let attached = &word[flag.len()..];
        let path = if attached.is_empty() { words.next().cloned() } else { Some(attached.to_owned()) };
        out.extend(path.map(PathBuf::from));
    }
    out
}

/// The flags with their relative paths made absolute.
#[must_use]
pub fn absolute_flags(flags: &[String], directory: &Path) -> Vec<String> {
    let mut out = Vec::new();
    let mut path_next = false;
    for word in flags {
        let absolute = |path: &str| directory.join(path).to_string_lossy().into_owned();
        if std::mem::take(&mut path_next) {
            out.push(absolute(word));
        } else if PATH_FLAGS.contains(&word.as_str()) {
            path_next = true;
            out.push(word.clone());
        } else if let Some(flag) = PATH_FLAGS.iter().find(|f| word.starts_with(**f)) {
            out.push(format!("{flag}{}", absolute(&word[flag.len()..])));
        } else if !word.starts_with('-') && directory.join(word).exists() {
            out.push(absolute(word));
        } else {
            out.push(word.clone());
        }
    }
    out
}
