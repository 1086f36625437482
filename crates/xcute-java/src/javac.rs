//! The JDK's compiler, made quick: a program that compiles a file or two is over before an optimizing JVM has warmed up.
//!
//! The classes of the compiler itself are kept between calls, read and verified, in an archive as HotSpot makes it (`-XX:ArchiveClassesAtExit`). The first call
//! writes it; another JDK has another one.
//!
//! **Invariant.** What is compiled does not depend on the archive: a JVM that cannot use it goes on without.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use xcute_cache::Key;

use crate::jdk::Jdk;

/// What suits a JVM that lives for half a second.
const QUICK: [&str; 6] = [
    "-J-XX:+IgnoreUnrecognizedVMOptions",
    "-J-XX:+UseSerialGC",
    "-J-XX:TieredStopAtLevel=1",
    "-J-XX:-UsePerfData",
    "-J-Xshare:auto",
    "-J-Xlog:disable",
];

/// Runs the compiler.
///
/// # Errors
/// Where it cannot be started.
pub fn javac<S: AsRef<std::ffi::OsStr>>(jdk: &Jdk, arguments: impl IntoIterator<Item = S>) -> io::Result<Output> {
    compile(jdk, arguments, xcute_cache::place().map(|place| place.join("java")).as_deref())
}

fn compile<S: AsRef<std::ffi::OsStr>>(jdk: &Jdk, arguments: impl IntoIterator<Item = S>, place: Option<&Path>) -> io::Result<Output> {
    let _phase = xcute_term::profile::phase("javac");
    let mut command = Command::new(jdk.javac());
    command.args(QUICK);
    let archive = place.and_then(|place| Archive::at(place, jdk));
    match &archive {
        Some(Archive::Made(file)) => {
            command.arg(format!("-J-XX:SharedArchiveFile={}", file.display()));
        }
        Some(Archive::New { file, .. }) => {
            command.arg(format!("-J-XX:ArchiveClassesAtExit={}", file.display()));
        }
        None => {}
    }
    let output = command.args(arguments).output()?;
    if let Some(Archive::New { file, made, _folder: folder }) = archive {
        // A compiler that found mistakes has not come to all of its classes.
        if output.status.success() {
            let _ = fs::rename(&file, made);
        }
        drop(folder);
    }
    Ok(output)
}

enum Archive {
    /// It is there.
    Made(PathBuf),
    /// It is to be made, and put in its place as a whole.
    New { file: PathBuf, made: PathBuf, _folder: tempfile::TempDir },
}

impl Archive {
    /// `None` where nothing can be kept.
    fn at(place: &Path, jdk: &Jdk) -> Option<Archive> {
        let mut key = Key::new("javac");
        key.add(jdk.release().as_bytes());
        key.add_file(&jdk.image());
        QUICK.iter().for_each(|option| key.add(option.as_bytes()));
        let made = place.join(key.name());
        if made.is_file() {
            return Some(Archive::Made(made));
        }
        fs::create_dir_all(place).ok()?;
        let folder = tempfile::Builder::new().prefix(".new").tempdir_in(place).ok()?;
        Some(Archive::New { file: folder.path().join("archive"), made, _folder: folder })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_is_compiled_with_an_archive_and_without() {
        let (jdk, folder) = (Jdk::find().unwrap(), tempfile::tempdir().unwrap());
        let (good, bad, place) = (folder.path().join("A.java"), folder.path().join("B.java"), folder.path().join("cache"));
        fs::write(&good, "class A { static int f(int x) { return x + 1; } }").unwrap();
        fs::write(&bad, "class B { int f( }").unwrap();
        let out = |name: &str| folder.path().join(name);
        let run = |file: &Path, name: &str, place: Option<&Path>| {
            let output = compile(&jdk, [Path::new("-d"), &out(name), file], place).unwrap();
            (output.status.success(), output.stdout, output.stderr)
        };
        let made = || fs::read_dir(&place).map_or(0, Iterator::count);
        let plain = (run(&good, "0", None), run(&bad, "0", None));
        assert_eq!((run(&bad, "1", Some(&place)), made()), (plain.1.clone(), 0), "mistakes make no archive");
        assert_eq!((run(&good, "1", Some(&place)), made()), (plain.0.clone(), 1));
        assert_eq!((run(&good, "2", Some(&place)), run(&bad, "2", Some(&place)), made()), (plain.0, plain.1, 1));
        let class = |name: &str| fs::read(out(name).join("A.class")).unwrap();
        assert!(class("0") == class("1") && class("0") == class("2"));
        // One that is broken is not used.
        let archive = fs::read_dir(&place).unwrap().next().unwrap().unwrap().path();
        fs::remove_file(&archive).unwrap();
        fs::write(&archive, "no archive").unwrap();
        assert!(run(&good, "3", Some(&place)).0 && class("0") == class("3"));
    }
}
