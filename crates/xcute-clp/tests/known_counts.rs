//! The programs of `subjects/clp` have the results that their first lines say; the counts are those of brute force over all ground inputs.

mod support;

use support::subjects::{Expected, expectations, run};

#[test]
fn subjects_have_their_expected_results() {
    for (name, text) in support::subjects::all() {
        for Expected { args, paths, complete, failures } in expectations(&text) {
            let outcome = run(&text, &args);
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
    }
}

/// Pure programs: every path is another trace.
#[test]
fn paths_of_pure_programs_are_traces() {
    for (name, text) in support::subjects::all() {
        if ["turn", "heads", "nat", "hanoi", "flip", "rev", "append", "ackermann", "kind_of_day"].contains(&name.as_str()) {
            for expected in expectations(&text) {
                let outcome = run(&text, &expected.args);
                let mut distinct = outcome.traces();
                distinct.dedup();
                assert_eq!(distinct.len() as u64, outcome.results.paths, "{name} {}", expected.args);
            }
        }
    }
}
