//! C or C++: which of them a file holds, and what differs for the compiler.
//!
//! **Invariant.** The language is decided by the name of the file alone, as compilers do.

use std::path::Path;

/// The language of a source file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Language {
    /// C; also what is not known.
    #[default]
    C,
    /// C++.
    Cxx,
}

/// Extensions of C++ files, headers included.
const CXX: &[&str] = &["cpp", "cc", "cxx", "c++", "cp", "C", "CPP", "hpp", "hh", "hxx", "h++", "H", "ii"];

/// Extensions of files that were preprocessed.
const PREPROCESSED: &[&str] = &["i", "ii"];

impl Language {
    /// The language of a file.
    #[must_use]
    pub fn of(path: &Path) -> Language {
        let cxx = path.extension().and_then(|e| e.to_str()).is_some_and(|e| CXX.contains(&e));
        if cxx { Language::Cxx } else { Language::C }
    }

    /// C++ if one of the files is.
    #[must_use]
    pub fn of_all<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Language {
        let cxx = paths.into_iter().any(|p| Language::of(p.as_ref()) == Language::Cxx);
        if cxx { Language::Cxx } else { Language::C }
    }

    /// The extension of files that we write.
    #[must_use]
    pub fn extension(self) -> &'static str {
        match self {
            Language::C => "c",
            Language::Cxx => "cpp",
        }
    }

    /// Whether a file was preprocessed, as its name says.
    #[must_use]
    pub fn is_preprocessed(path: &Path) -> bool {
        path.extension().and_then(|e| e.to_str()).is_some_and(|e| PREPROCESSED.contains(&e))
    }

    /// What GNU's compiler is called.
    #[must_use]
    pub fn gnu(self) -> &'static str {
        match self {
            Language::C => "gcc",
            Language::Cxx => "g++",
        }
    }

    /// Arguments in front of a source file: a header is a program too, and C stays C where the compiler is one of C++.
    #[must_use]
    pub fn source(path: &Path) -> &'static [&'static str] {
        match Language::of(path) {
            Language::Cxx if Language::is_preprocessed(path) => &["-x", "c++-cpp-output"],
            Language::C if Language::is_preprocessed(path) => &["-x", "cpp-output"],
            Language::Cxx => &["-x", "c++"],
            Language::C if path.extension().is_some_and(|e| e == "c" || e == "h") => &["-x", "c"],
            Language::C => Language::any(),
        }
    }

    /// Arguments in front of files whose names say what they are.
    #[must_use]
    pub fn any() -> &'static [&'static str] {
        &["-x", "none"]
    }

    /// Arguments of a link: which libraries come by themselves.
    #[must_use]
    pub fn link(self) -> &'static [&'static str] {
        match self {
            Language::C => &[],
            Language::Cxx => &["--driver-mode=g++"],
        }
    }

    /// Arguments of a native compilation whose debugging information is read: all types in full.
    #[must_use]
    pub fn described(self) -> &'static [&'static str] {
        match self {
            Language::C => &[],
            Language::Cxx => &["-fstandalone-debug"],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extension_decides() {
        for name in ["a.cpp", "b/a.cc", "a.C", "a.hpp", "a.ii"] {
            assert_eq!(Language::of(Path::new(name)), Language::Cxx, "{name}");
        }
        for name in ["a.c", "cpp", "a.h", "a", "a.i"] {
            assert_eq!(Language::of(Path::new(name)), Language::C, "{name}");
        }
        assert_eq!(Language::of_all(["a.c", "b.cc"]), Language::Cxx);
        assert_eq!(Language::of_all(["a.c"]), Language::C);
    }
}
