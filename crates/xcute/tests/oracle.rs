//! Random programs against brute force: 500 programs here, any number with `./x fuzz c`. Each file is a test of its own, named by its seed:
//! `cargo nextest run --test oracle seed_17`.

use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use xcute_oracle::{Tools, check, wrong};

/// Files of eight programs each, after a fixed first seed, so that a failure can be repeated.
const FILES: u64 = 63;

fn agrees(seed: u64) -> Result<(), Failed> {
    let tools = Tools { xcute: env!("CARGO_BIN_EXE_xcute").into(), cc: "clang-19".into(), arguments: vec![] };
    wrong(&format!("seed {seed}"), check(&tools, seed)).map_or(Ok(()), |wrong| Err(wrong.into()))
}

fn main() -> ExitCode {
    let tests = (0..FILES).map(|seed| Trial::test(format!("seed_{seed}"), move || agrees(seed))).collect();
    libtest_mimic::run(&Arguments::from_args(), tests).exit_code()
}
