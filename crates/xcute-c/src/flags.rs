//! The user's flags for the compiler: the paths in them, and what they are for.
//!
//! **Invariant.** A flag that is not known is for the compiler alone and stays as it is.

use std::path::Path;

/// The flags that take a directory or a file.
const PATHS: [&str; 7] = ["-I", "-isystem", "-iquote", "-include", "-imacros", "-L", "-idirafter"];

/// What flags begin with that mean nothing for a file which includes nothing.
const HARMLESS: [&str; 14] =
    ["-I", "-isystem", "-iquote", "-idirafter", "-L", "-l", "-W", "-w", "-O", "-g", "-m", "-pthread", "-fsanitize", "-fno-"];

/// The flags with their relative paths made absolute.
#[must_use]
pub fn absolute(flags: &[String], directory: &Path) -> Vec<String> {
    let mut out = Vec::new();
    let mut path_next = false;
    for word in flags {
        let absolute = |path: &str| directory.join(path).to_string_lossy().into_owned();
        if std::mem::take(&mut path_next) {
            out.push(absolute(word));
        } else if PATHS.contains(&word.as_str()) {
            path_next = true;
            out.push(word.clone());
        } else if let Some(flag) = PATHS.iter().find(|f| word.starts_with(**f)) {
            out.push(format!("{flag}{}", absolute(&word[flag.len()..])));
        } else if !word.starts_with('-') && directory.join(word).exists() {
            out.push(absolute(word));
        } else {
            out.push(word.clone());
        }
    }
    out
}

/// Whether a file that includes nothing can be compiled with the flags as if they were not there.
pub(crate) fn are_harmless(flags: &[String]) -> bool {
    let mut words = flags.iter();
    while let Some(word) = words.next() {
        if word.starts_with('-') && !HARMLESS.iter().any(|harmless| word.starts_with(harmless)) {
            return false;
        }
        if PATHS.contains(&word.as_str()) {
            words.next();
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_found_in_flags() {
        let flags = ["-Iinclude", "-I", "more", "-DX=a/b", "-include", "config.h", "-O2"].map(str::to_owned);
        assert_eq!(absolute(&flags, Path::new("/p")), ["-I/p/include", "-I", "/p/more", "-DX=a/b", "-include", "/p/config.h", "-O2"]);
        let harmless = |words: &[&str]| are_harmless(&words.iter().map(|&w| w.to_owned()).collect::<Vec<_>>());
        assert!(harmless(&["-Iinclude", "-I", "more", "-O2", "-lm", "lib.a", "-fno-exceptions"]));
        assert!(!harmless(&["-DX"]) && !harmless(&["-include", "a.h"]) && !harmless(&["-std=c89"]) && !harmless(&["-fpack-struct"]));
    }
}
