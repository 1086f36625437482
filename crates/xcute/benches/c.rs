//! `./x bench c`: the programs in benches/c, measured, with what must hold checked.
//!
//! With `KLEE=/path/to/klee` KLEE runs the same programs one after the other with xcute (`KLEE_CLANG` names the clang of its LLVM
//! version, `clang` otherwise). Arguments choose programs by name.

#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs, reason = "a measuring program; its output is its purpose")]

mod c {
    pub mod concrete;
    pub mod klee;
    pub mod measure;
}

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use c::measure::Measured;

/// A program and what must come out.
pub struct Program {
    pub name: &'static str,
    pub arguments: &'static [&'static str],
    /// Whether there is a failure to find.
    pub fails: bool,
    /// The exact number of paths, where it is known.
    pub paths: Option<u64>,
}

const PROGRAMS: &[Program] = &[
    Program { name: "list_shapes", arguments: &[], fails: true, paths: None },
    Program { name: "list_pointers", arguments: &["--entry", "visit"], fails: true, paths: Some(5) },
    Program { name: "quicksort", arguments: &[], fails: false, paths: Some(5040) },
    Program { name: "thresholds", arguments: &[], fails: false, paths: Some(65_536) },
    Program { name: "calculator", arguments: &[], fails: true, paths: None },
    Program { name: "products", arguments: &[], fails: true, paths: None },
    Program { name: "slots", arguments: &[], fails: true, paths: None },
    Program { name: "slots_apart", arguments: &[], fails: true, paths: None },
    Program { name: "square", arguments: &[], fails: true, paths: Some(4) },
];

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn main() -> ExitCode {
    // cargo adds `--bench` to the arguments.
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let chosen = |name: &str| wanted.is_empty() || wanted.iter().any(|word| name.contains(word.as_str()));
    let klee = std::env::var_os("KLEE").map(PathBuf::from);
    let mut wrong = Vec::new();
    println!("{}", Measured::header());
    for program in PROGRAMS.iter().filter(|program| chosen(program.name)) {
        let measured = c::measure::run(program);
        println!("{}", measured.row(program.name));
        wrong.extend(measured.wrong(program));
        if let Some(klee) = &klee {
            println!("{}", c::klee::run(klee, program, measured.paths_per_second()));
        }
    }
    if chosen("bytes") {
        let concrete = c::concrete::run();
        let (factor, quick) = (concrete.fast / concrete.native, concrete.quick / concrete.native);
        println!(
            "\nconcrete code: native -O1 {:.2} s, instrumented {:.2} s, factor {factor:.1} (at most 4)",
            concrete.native, concrete.fast
        );
        println!("as it is compiled first {:.2} s, factor {quick:.1}: a search with long runs compiles again", concrete.quick);
        if factor > 4.0 {
            wrong.push(format!("bytes: instrumented code is {factor:.1} times slower than native"));
        }
    }
    println!("us/run*: time of a run outside of the solver. Times are of this machine under its present load; cpu s counts all processes.");
    for line in &wrong {
        println!("WRONG {line}");
    }
    if wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
