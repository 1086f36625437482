//! Random programs with threads against brute force over all interleavings and inputs: 400 programs for each algorithm here, any number with
//! `./x fuzz threads`.

use xcute_oracle::threads::Kind;
use xcute_oracle::{Tools, each, threads, wrong};

/// Files of twenty programs each.
const FILES: u64 = 15;
/// One more, with data races: each of them is confirmed, which costs time.
const RACING: u64 = 3;
/// Some with sections, assumptions, futexes and the environment.
const SPECIAL: u64 = 4;
/// Beyond the processors: to confirm a deadlock is to wait for nothing.
const WAITING: usize = 2;

#[test]
fn random_programs_with_threads_agree_with_brute_force() {
    let tools = Tools { xcute: env!("CARGO_BIN_EXE_xcute").into(), cc: "clang-19".into(), arguments: vec![] };
    let waiting = (0..SPECIAL).map(|seed| (seed, Kind::Waiting));
    let files: Vec<(u64, Kind)> =
        std::iter::once((RACING, Kind::Racing)).chain(waiting).chain((0..FILES).map(|seed| (seed, Kind::Usual))).collect();
    let count = files.len();
    let results = each(files, WAITING, |(seed, kind)| {
        let checked = threads::check(&tools, seed, threads::PROGRAMS, kind, &threads::ALGORITHMS);
        wrong(&format!("seed {seed}, {kind:?}"), checked)
    });
    let wrong: Vec<String> = results.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{} of {} files:\n{}", wrong.len(), count, wrong.join("\n"));
}
