//! Random state machines against brute force over all sequences: 16 machines here, any number with `./x fuzz model`.

use xcute_oracle::{Tools, each, models, wrong};

/// Models of four machines each, after a fixed first seed, so that a failure can be repeated.
const MODELS: u64 = 4;

#[test]
fn every_sequence_is_accounted_for() {
    let tools = Tools { xcute: env!("CARGO_BIN_EXE_xcute").into(), cc: "clang-19".into(), arguments: vec![] };
    let results = each(0..MODELS, 0, |seed| {
        let checked = models::check(&tools, seed);
        let failures = checked.iter().flatten().map(|agreed| agreed.failures.len()).sum::<usize>();
        (failures, wrong(&format!("seed {seed}"), checked))
    });
    let failures: usize = results.iter().map(|(failures, _)| failures).sum();
    let wrong: Vec<String> = results.into_iter().filter_map(|(_, wrong)| wrong).collect();
    assert!(wrong.is_empty(), "{} of {MODELS} models:\n{}", wrong.len(), wrong.join("\n"));
    // Models that cannot fail would agree as well.
    assert!(failures > 2, "{failures} failures");
}
