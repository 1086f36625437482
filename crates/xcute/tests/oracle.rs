//! Random programs against brute force: 500 programs here, any number with `./x fuzz c`.

use xcute_oracle::{Tools, check, each, wrong};

/// Files of eight programs each, after a fixed first seed, so that a failure can be repeated.
const FILES: u64 = 63;

#[test]
fn five_hundred_random_programs_agree_with_brute_force() {
    let tools = Tools { xcute: env!("CARGO_BIN_EXE_xcute").into(), cc: "clang-19".into(), arguments: vec![] };
    let results = each(0..FILES, 0, |seed| wrong(&format!("seed {seed}"), check(&tools, seed)));
    let wrong: Vec<String> = results.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{} of {FILES} files:\n{}", wrong.len(), wrong.join("\n"));
}
