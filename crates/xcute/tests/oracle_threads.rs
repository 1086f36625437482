//! Random programs with threads against brute force over all interleavings and inputs: 400 programs for each algorithm here, any number with
//! `./x fuzz threads`. Each file is a test of its own, named by its kind and seed: `cargo nextest run --test oracle_threads usual_3`.

use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use xcute_oracle::threads::Kind;
use xcute_oracle::{Tools, threads, wrong};

/// Files of twenty programs each.
const FILES: u64 = 15;
/// One more, with data races: each of them is confirmed, which costs time.
const RACING: u64 = 3;
/// Some with sections, assumptions, futexes and the environment.
const SPECIAL: u64 = 4;

fn agrees(seed: u64, kind: Kind) -> Result<(), Failed> {
    let tools = Tools { xcute: env!("CARGO_BIN_EXE_xcute").into(), cc: "clang-19".into(), arguments: vec![] };
    let checked = threads::check(&tools, seed, threads::PROGRAMS, kind, &threads::ALGORITHMS);
    wrong(&format!("seed {seed}, {kind:?}"), checked).map_or(Ok(()), |wrong| Err(wrong.into()))
}

fn main() -> ExitCode {
    let waiting = (0..SPECIAL).map(|seed| (seed, Kind::Waiting));
    let files = std::iter::once((RACING, Kind::Racing)).chain(waiting).chain((0..FILES).map(|seed| (seed, Kind::Usual)));
    let name = |seed: u64, kind: Kind| format!("{}_{seed}", format!("{kind:?}").to_lowercase());
    let tests = files.map(|(seed, kind)| Trial::test(name(seed, kind), move || agrees(seed, kind))).collect();
    libtest_mimic::run(&Arguments::from_args(), tests).exit_code()
}
