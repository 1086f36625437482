//! Programs whose values leave what is followed and come back, against brute force: 500 programs here, any number with `./x fuzz truth`.

use xcute_oracle::{Tools, each, truth, wrong};

/// Files of each test, after a fixed first seed, so that a failure can be repeated.
const FILES: u64 = 100 / truth::PROGRAMS as u64;

fn nothing_is_called_complete_that_brute_force_breaks(part: u64) {
    let tools = Tools { xcute: env!("CARGO_BIN_EXE_xcute").into(), cc: "clang-19".into(), arguments: vec![] };
    let results = each(part * FILES..(part + 1) * FILES, 0, |seed| {
        let checked = truth::check(&tools, seed);
        let complete = matches!(&checked, Ok(Ok(agreed)) if agreed.complete);
        (complete, wrong(&format!("seed {seed}"), checked))
    });
    let complete = results.iter().filter(|(complete, _)| *complete).count() as u64;
    let wrong: Vec<String> = results.into_iter().filter_map(|(_, wrong)| wrong).collect();
    assert!(wrong.is_empty(), "{} of {FILES} files:\n{}", wrong.len(), wrong.join("\n"));
    // A tool that never says complete would pass as well.
    assert!(complete > FILES / 3, "{complete} of {FILES} files were complete");
}

macro_rules! parts {
    ($($name:ident $part:literal)*) => {$(
        #[test]
        fn $name() {
            nothing_is_called_complete_that_brute_force_breaks($part);
        }
    )*};
}

parts! { programs_0_to_99 0 programs_100_to_199 1 programs_200_to_299 2 programs_300_to_399 3 programs_400_to_499 4 }
