//! The words of a call of the compiler whose effect is known: what is read, and what is written.
//!
//! **Invariant.** A word that is not in these lists makes a call one whose result is not kept.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What a call makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// An object or bitcode, of one file.
    Compile,
    /// An executable or a library, of objects in the scratch directory.
    Link,
}

/// The words of a call.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Arguments {
    pub(super) kind: Kind,
    /// The files that are named; of a link, all that it reads besides the system's.
    pub(super) inputs: Vec<PathBuf>,
    pub(super) output: PathBuf,
    /// Where the caller wants a list of the files that were read.
    pub(super) list: Option<PathBuf>,
    /// The user's directories of headers.
    pub(super) places: Vec<PathBuf>,
}

/// Flags that mean themselves and no file.
const PLAIN: &[&str] = &[
    "-c",
    "-w",
    "-emit-llvm",
    "-pthread",
    "-pedantic",
    "-ansi",
    "-MD",
    "-no-pie",
    "-shared",
    "--driver-mode=g++",
    "-Wp,-undef",
    "-Wl,-z,now",
];
/// Beginnings of such flags.
const BEGIN: &[&str] = &["-D", "-U", "-O", "-g", "-std=", "-f", "-m", "-W", "-Wl,--wrap=", "-Wl,--defsym="];
/// Beginnings that look like these and do more.
const MORE: &[&str] = &[
    "-gsplit",
    "-gmodules",
    "-fplugin",
    "-fpass-plugin",
    "-fprofile",
    "-fcs-profile",
    "-fauto-profile",
    "-fmodule",
    "-fcoverage",
    "-fsave",
    "-ftime",
    "-fcrash",
    "-fbuild-session",
    "-fproc-stat",
    "-fuse-ld",
    "-fthinlto",
    "-fxray",
    "-fdump",
    "-Wl,",
    "-Wa,",
    "-Wp,",
    "-mllvm",
];
/// Libraries that come with the compiler and know nothing of a program.
const LIBRARIES: &[&str] = &["-lm", "-ldl", "-lstdc++", "-lpthread"];

impl Arguments {
    /// Reads the words of a call; `None` if they are not all known.
    pub(super) fn read(args: &[OsString], scratch: &Path) -> Option<Arguments> {
        let (mut inputs, mut output, mut list, mut places) = (Vec::new(), None, None, Vec::new());
        let mut compiles = false;
        let mut rest = args.iter();
        while let Some(arg) = rest.next() {
            let arg = arg.to_str()?;
            let mut next = || rest.next().map(PathBuf::from);
            match arg {
                "-o" => output = Some(next()?),
                "-MF" => list = Some(next()?),
                "-I" | "-isystem" | "-iquote" => places.push(next()?),
                "-x" => drop(next()?),
                "-Xclang" => (next()?.as_os_str() == "-disable-llvm-passes").then_some(())?,
                "-include" => next()?.starts_with(scratch).then_some(())?,
                _ if arg.starts_with("-I") => places.push(arg[2..].into()),
                _ if arg.starts_with('-') => is_known(arg).then(|| compiles |= arg == "-c")?,
                _ => inputs.push(PathBuf::from(arg)),
            }
        }
        let kind = if compiles { Kind::Compile } else { Kind::Link };
        let known = if compiles { inputs.len() == 1 } else { inputs.iter().all(|input| input.starts_with(scratch)) };
        places.retain(|place| !place.starts_with(scratch));
        known.then_some(Arguments { kind, inputs, output: output?, list, places })
    }
}

fn is_known(flag: &str) -> bool {
    let begins = |all: &[&str]| all.iter().any(|begin| flag.starts_with(begin));
    let exempt = flag.starts_with("-Wl,--wrap=") || flag.starts_with("-Wl,--defsym=");
    // A definition may hold anything; elsewhere a slash begins the name of a file.
    let names = flag.contains('/') && !flag.starts_with("-D");
    PLAIN.contains(&flag) || LIBRARIES.contains(&flag) || (begins(BEGIN) && !names && (exempt || !begins(MORE)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<Arguments> {
        Arguments::read(&text.split(' ').map(OsString::from).collect::<Vec<_>>(), Path::new("/scratch"))
    }

    #[test]
    fn known_words_are_read() {
        let compile = read("-g -O0 -DX=a/b -I include -Iother -I /scratch/include -std=c11 -fsanitize=address -c a.c -o a.o").unwrap();
        assert_eq!((compile.kind, compile.places), (Kind::Compile, vec!["include".into(), "other".into()]));
        assert_eq!((compile.inputs, compile.output), (vec!["a.c".into()], "a.o".into()));
        let link = read("-no-pie -Wl,-z,now -o /scratch/a /scratch/a.o -Wl,--wrap=main -lm").unwrap();
        assert_eq!((link.kind, link.inputs), (Kind::Link, vec!["/scratch/a.o".into()]));
    }

    #[test]
    fn what_is_not_known_is_not_kept() {
        for words in [
            "-c a.c",
            "-c a.c b.c -o a.o",
            "@file -c a.c -o a.o",
            "-c a.c -o a.o -fplugin=x.so",
            "-c a.c -o a.o -fprofile-use=x",
            "-c a.c -o a.o -Xclang -load",
            "-c a.c -o a.o -include mine.h",
            "-c a.c -o a.o -fsanitize-ignorelist=/x",
            "-c a.c -o a.o -gsplit-dwarf",
            "-c a.c -o a.o --config=x",
            "-c a.c -o a.o -B x",
            "-o a /elsewhere/a.o",
            "-o a /scratch/a.o -lz",
            "-o a /scratch/a.o -Lx",
            "-o a /scratch/a.o -Wl,-rpath,x",
        ] {
            assert_eq!(read(words), None, "{words}");
        }
    }
}
