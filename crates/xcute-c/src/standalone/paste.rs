//! The subject's source, pasted so that it compiles from anywhere.
//!
//! Quoted includes become absolute; includes of `xcute.h` go away, because the test holds it; a header that includes it is pasted too.
//!
//! **Invariant.** Every line keeps its file and number (`#line`), so messages and debuggers show the user's own files.

use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::harness::c_string;

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
            Some(Include { target, .. }) if is_xcute(target) => {}
            Some(found) => match resolve(&found, file, directories) {
                Some(path) if depth < DEPTH && includes_at(&path, directories, depth + 1) => {
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

fn is_xcute(target: &str) -> bool {
    Path::new(target).file_name().is_some_and(|name| name == "xcute.h")
}

fn resolve(found: &Include<'_>, file: &Path, directories: &[PathBuf]) -> Option<PathBuf> {
    let beside = file.parent().filter(|_| found.quoted).map(Path::to_owned);
    beside.iter().chain(directories).map(|d| d.join(found.target)).find(|p| p.is_file())
}

/// Whether a file includes `xcute.h`, itself or through a header of the user.
#[must_use]
pub fn includes_xcute(file: &Path, directories: &[PathBuf]) -> bool {
    includes_at(file, directories, 0)
}

fn includes_at(file: &Path, directories: &[PathBuf], depth: usize) -> bool {
    let Ok(bytes) = std::fs::read(file) else { return false };
    let text = String::from_utf8_lossy(&bytes);
    let targets: Vec<Include<'_>> = text.lines().filter_map(include).collect();
    targets.iter().any(|i| is_xcute(i.target))
        || (depth < DEPTH && targets.iter().filter_map(|i| resolve(i, file, directories)).any(|p| includes_at(&p, directories, depth + 1)))
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
