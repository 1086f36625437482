//! Programs with threads, with the numbers of paths that there are and what must be found: `subjects/java/threads`. Each is a test of its own:
//! `cargo nextest run --test threads Barrier`; with `VERBOSE` set it prints what it found.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "tests fail loudly, and print what they are asked for")]

mod support;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, OnceLock};

use libtest_mimic::{Arguments, Trial};

use support::announced::check_all;
use support::gallery;
use xcute_java::Jdk;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let files: Arc<Vec<PathBuf>> = Arc::new(gallery::sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects/java/threads")));
    assert!(files.len() >= 50, "only {} programs", files.len());
    let classes = Arc::new(OnceLock::new());
    let test = |file: &PathBuf| {
        let (file, files, classes) = (file.clone(), Arc::clone(&files), Arc::clone(&classes));
        Trial::test(file.file_stem().unwrap().to_str().unwrap().to_owned(), move || {
            let jdk = Jdk::find().unwrap();
            let classes = classes.get_or_init(|| gallery::classes(&jdk, &files, Path::new(env!("CARGO_TARGET_TMPDIR"))));
            let wrong = check_all(&file, classes, &jdk);
            if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
        })
    };
    libtest_mimic::run(&arguments, files.iter().map(test).collect()).exit_code()
}
