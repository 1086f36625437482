//! The programs of `subjects/clp` have the results that their first lines say; the counts are those of brute force over all ground inputs. Each is a test of its own, named
//! by its file: `cargo nextest run --test known_counts results_append`.

mod support;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use support::subjects::{Expected, expectations, run};

fn has_its_expected_results(name: &str, text: &str) -> Result<(), Failed> {
    for Expected { args, paths, complete, failures } in expectations(text) {
        let outcome = run(text, &args);
        let (results, what) = (&outcome.results, format!("{name} {args}: {:?} {:?}", outcome.goals(), outcome.results.limits));
        if let Some(paths) = paths {
            assert_eq!(results.paths, paths, "{what}");
        }
        assert_eq!(complete, results.complete, "{what}");
        let mut found: Vec<&str> = results.failures.iter().map(|found| found.failure.kind.name()).collect();
        found.dedup();
        assert_eq!(failures, found, "{what}");
        let mut distinct = outcome.traces();
        distinct.dedup();
        assert!(distinct.len() as u64 <= results.paths, "{what}");
    }
    Ok(())
}

/// Pure programs: every path is another trace.
const PURE: &[&str] = &["turn", "heads", "nat", "hanoi", "flip", "rev", "append", "ackermann", "kind_of_day"];

fn paths_are_traces(name: &str, text: &str) -> Result<(), Failed> {
    for expected in expectations(text) {
        let outcome = run(text, &expected.args);
        let mut distinct = outcome.traces();
        distinct.dedup();
        assert_eq!(distinct.len() as u64, outcome.results.paths, "{name} {}", expected.args);
    }
    Ok(())
}

fn main() -> ExitCode {
    let mut tests = Vec::new();
    for (name, text) in support::subjects::all() {
        if PURE.contains(&name.as_str()) {
            let (name, text) = (name.clone(), text.clone());
            tests.push(Trial::test(format!("traces_{name}"), move || paths_are_traces(&name, &text)));
        }
        tests.push(Trial::test(format!("results_{name}"), move || has_its_expected_results(&name, &text)));
    }
    libtest_mimic::run(&Arguments::from_args(), tests).exit_code()
}
