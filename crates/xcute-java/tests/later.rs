//! Programs on later versions of Java: what these added to threads (`subjects/java/virtual`), and programs with threads that run on all versions.
//!
//! A JDK, 21 or later, is looked for in `JAVA_HOME` and in `/usr/lib/jvm`. Where there is none, each test is skipped, and its name says why.

#![allow(clippy::unwrap_used, reason = "tests fail loudly")]

mod support;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, OnceLock};

use libtest_mimic::{Arguments, Trial};

use support::announced::check_all;
use support::gallery;

/// Programs with threads that show what is different there: pools start their threads in another way, locks and queues are other code.
const EVERYWHERE: [&str; 8] = ["Buffers", "Figure2", "Interrupts", "NestedMonitor", "Pool", "Published", "Queues", "RacyCounter"];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let subjects = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects/java");
    let mut files = gallery::sources(&subjects.join("virtual"));
    let threads = gallery::sources(&subjects.join("threads"));
    let named = |file: &PathBuf| file.file_stem().is_some_and(|stem| EVERYWHERE.iter().any(|name| stem == *name));
    files.extend(threads.into_iter().filter(named));
    assert!(files.len() > EVERYWHERE.len(), "only {} programs", files.len());
    let (files, classes, jdk) = (Arc::new(files), Arc::new(OnceLock::new()), support::later());
    let test = |file: &PathBuf| {
        let name = file.file_stem().unwrap().to_str().unwrap().to_owned();
        let Some(jdk) = jdk.clone() else {
            return Trial::test(format!("{name} (skipped: no JDK, 21 or later)"), || Ok(())).with_ignored_flag(true);
        };
        let (file, files, classes) = (file.clone(), Arc::clone(&files), Arc::clone(&classes));
        Trial::test(name, move || {
            let classes = classes.get_or_init(|| gallery::classes(&jdk, &files, Path::new(env!("CARGO_TARGET_TMPDIR"))));
            let wrong = check_all(&file, classes, &jdk);
            if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
        })
    };
    libtest_mimic::run(&arguments, files.iter().map(test).collect()).exit_code()
}
