//! The command that compiles a test with its program.
//!
//! The compiler of C does it, for C++ as well: it knows sources by their names. Where the user's flags would change the test itself (`-D`, `-include`, `-std`), the program
//! is compiled before it, by itself.
//!
//! **Invariant.** Paths are relative to where xcute was started, as far as the files are below: the results can be moved together with the sources.

use std::path::{Component, Path, PathBuf};

use super::{Standalone, is_undefined, sanitizers, threads, unit_name};
use crate::build::compile::is_link_flag;
use crate::tools::flags;
use crate::tools::language::Language;

impl Standalone<'_> {
    /// The command, to be given in [`Standalone::directory`].
    #[must_use]
    pub fn command(&self) -> String {
        let mut checks: Vec<String> = vec!["-g".to_owned()];
        if self.failure.is_some_and(threads::has_several) {
            checks.push("-pthread".to_owned());
        }
        match self.failure.map(|f| f.kind) {
            Some(kind) if is_undefined(kind) => {
                checks.extend(["-fsanitize=undefined,float-cast-overflow".to_owned(), "-fno-sanitize-recover=all".to_owned()]);
            }
            // Wrap-around is what the machine does: gcc must not conclude from it, not even without optimisation.
            kind => checks.extend(kind.map_or(&[][..], sanitizers).iter().chain(&["-fwrapv"]).map(|&flag| flag.to_owned())),
        }
        let (test, beside) = (shown(self.file), shown(self.file.parent().unwrap_or(Path::new("."))));
        let mut program: Vec<String> = self.inline.iter().map(|&flag| flag.to_owned()).collect();
        if self.spoken.asks || !self.spoken.headers.is_empty() || !self.words.is_empty() {
            program.push("-DXCUTE=1".to_owned());
        }
        if !self.spoken.headers.is_empty() {
            program.push(format!("-I{}", if beside.is_empty() { "." } else { &beside }));
        }
        for (n, unit) in self.units.iter().enumerate() {
            let file = if unit.appended.is_empty() { self.here(&unit.source) } else { Path::new(&beside).join(unit_name(n, unit)) };
            program.extend(unit.flags().iter().map(|&flag| flag.to_owned()));
            program.extend(self.named(&file));
        }
        // Parts of the C library are there.
        let mut end: Vec<String> = ["-lm".to_owned()].into_iter().filter(|math| !self.flags.contains(math)).collect();
        if Language::of_all(self.units.iter().map(|unit| &unit.source)) == Language::Cxx {
            end.push("-lstdc++".to_owned());
        }
        let wrapped = self.has_main().then(|| "-Wl,--wrap=main".to_owned());
        let link = self.flags.iter().filter(|flag| is_link_flag(flag)).cloned();
        let compile = self.flags.iter().filter(|flag| !is_link_flag(flag)).cloned();
        let gcc = |words: Vec<String>| ["gcc".to_owned()].into_iter().chain(words).map(|w| quoted(&w)).collect::<Vec<_>>().join(" ");
        let into = |name: &str| ["-o".to_owned(), name.to_owned()];
        if flags::are_harmless(self.flags) {
            let words = checks.iter().cloned().chain(into("t")).chain([test]).chain(program);
            return gcc(words.chain(wrapped).chain(compile).chain(link).chain(end).collect());
        }
        let object = "program.o";
        let first = checks.iter().cloned().chain(["-r".to_owned()]).chain(into(object)).chain(program).chain(compile);
        let second = checks.iter().cloned().chain(into("t")).chain([test, object.to_owned()]).chain(wrapped).chain(link).chain(end);
        format!("{} && {}", gcc(first.collect()), gcc(second.collect()))
    }

    /// A source as it is called in [`Standalone::directory`].
    fn here(&self, path: &Path) -> PathBuf {
        path.strip_prefix(self.directory).unwrap_or(path).to_owned()
    }

    /// A source with what says its language, if its name does not.
    fn named(&self, file: &Path) -> Vec<String> {
        const KNOWN: [&str; 10] = ["c", "i", "cc", "cpp", "cxx", "c++", "cp", "C", "CPP", "ii"];
        let known = file.extension().and_then(|e| e.to_str()).is_some_and(|e| KNOWN.contains(&e));
        let around = |words: &'static [&'static str]| words.iter().filter(move |_| !known).map(|&word| word.to_owned());
        let language = if Language::of(file) == Language::Cxx { &["-x", "c++"] } else { &["-x", "c"] };
        around(language).chain([shown(file)]).chain(around(Language::any())).collect()
    }
}

fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// A word of a shell command.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=+,:@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

/// A path as it is seen from a directory, if both have more than the root in common; both are absolute.
#[must_use]
pub fn relative(from: &Path, to: &Path) -> PathBuf {
    let (from, to): (Vec<_>, Vec<_>) = (from.components().collect(), to.components().collect());
    let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    if common < 2 || from.contains(&Component::ParentDir) {
        return to.iter().collect();
    }
    let up = from[common..].iter().map(|_| Component::ParentDir);
    let path: PathBuf = up.chain(to[common..].iter().copied()).collect();
    if path.as_os_str().is_empty() { PathBuf::from(".") } else { path }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_relative_where_that_says_something() {
        let seen = |from: &str, to: &str| relative(Path::new(from), Path::new(to)).display().to_string();
        assert_eq!(seen("/home/me/p/out/failures", "/home/me/p/src/a.c"), "../../src/a.c");
        assert_eq!(seen("/home/me/p", "/home/me/p/a.c"), "a.c");
        assert_eq!(seen("/tmp/out", "/home/me/a.c"), "/home/me/a.c");
        assert_eq!(seen("/a/b", "/a/b"), ".");
    }
}
