//! Programs whose number of traces is known: counted by brute force over all ground inputs, and by other tools. The first solution is asked for.

mod support;

use support::search;

/// A program of `subjects/clp`.
fn source(name: &str) -> String {
    let path = format!("{}/../../subjects/clp/{name}.pl", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn as_many_traces_as_brute_force_counts() {
    let table: &[(&str, &str, &[u32], u32, u64)] = &[
        ("turn", "p/1", &[1], 2, 3),
        ("heads", "p/2", &[1], 2, 7),
        ("nat", "nat/1", &[1], 2, 6),
        ("nat", "nat/1", &[1], 3, 8),
        ("hanoi", "hanoi/1", &[1], 2, 6),
        ("flip", "twice/2", &[1], 2, 7),
        ("rev", "rev/2", &[1], 2, 6),
    ];
    for &(name, goal, ground, depth, traces) in table {
        let outcome = search(&source(name), goal, Some(ground), Some(depth));
        let (results, goals) = (&outcome.results, outcome.goals());
        assert_eq!((results.paths, results.complete), (traces, true), "{name} at depth {depth}: {goals:?}");
        let mut distinct = outcome.traces();
        distinct.dedup();
        assert_eq!(distinct.len() as u64, traces, "{name}: every path is another trace");
    }
}
