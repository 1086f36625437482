//! How a program is linked again, with instrumented modules in the place of its objects.
//!
//! **Invariant.** What carries bitcode is not linked natively beside its own modules; archives are, but the linker takes only those of their
//! members that are missing.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::{carried, words};

/// The words that are needed again, with whole paths, and the shared libraries among them that carry bitcode.
pub(super) fn again(given: &[String], directory: &Path) -> (Vec<String>, Vec<PathBuf>) {
    let (mut out, mut libraries, mut places) = (Vec::new(), Vec::new(), Vec::new());
    let mut rest = words::for_link(given).into_iter();
    while let Some(word) = rest.next() {
        let value = |short: &str| word.strip_prefix(short).map(str::to_owned).filter(|v| !v.is_empty());
        if word.starts_with("-L") {
            let Some(at) = value("-L").or_else(|| rest.next()) else { break };
            let at = directory.join(at);
            out.push(format!("-L{}", at.display()));
            places.push(at);
        } else if word.starts_with("-l") {
            let Some(name) = value("-l").or_else(|| rest.next()) else { break };
            let found = places.iter().map(|at| at.join(format!("lib{name}.so"))).find(|path| carries(path));
            match found.and_then(|path| path.canonicalize().ok()) {
                Some(library) => libraries.push(library),
                None => out.push(format!("-l{name}")),
            }
        } else if word.starts_with('-') {
            out.push(word);
        } else {
            let path = directory.join(&word);
            let archive = path.extension() == Some(OsStr::new("a"));
            let shared = word.contains(".so");
            match (path.canonicalize(), carries(&path)) {
                (Ok(whole), true) if shared => libraries.push(whole),
                (Ok(whole), false) => out.push(whole.display().to_string()),
                (Ok(whole), true) if archive => out.push(whole.display().to_string()),
                _ => {}
            }
        }
    }
    (out, libraries)
}

fn carries(path: &Path) -> bool {
    path.is_file() && carried::read(path).is_ok_and(|records| !records.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_whole_and_what_is_not_there_is_left_out() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("libz.a"), "!<arch>\n").unwrap();
        let words = ["-Llib", "-L", "other", "-lm", "-l", "z", "libz.a", "gone.o"].map(str::to_owned);
        let (again, libraries) = again(&words, dir.path());
        let at = |name: &str| dir.path().canonicalize().unwrap().join(name).display().to_string();
        let expected = [
            format!("-L{}", dir.path().join("lib").display()),
            format!("-L{}", dir.path().join("other").display()),
            "-lm".into(),
            "-lz".into(),
            at("libz.a"),
        ];
        assert_eq!(again, expected);
        assert!(libraries.is_empty());
    }
}
