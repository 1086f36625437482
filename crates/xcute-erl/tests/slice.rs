//! The thin slice: a crash found by the engine on the real BEAM.

use crate::support::search_text;

#[test]
fn a_crash_is_found() {
    let found = search_text("f(X) when is_integer(X) -> 100 div (X - 42);\nf(_) -> ok.\n", "f", 1, None, 1000);
    assert_eq!(found.failing("arithmetic"), Some("42"));
    assert!(found.results.complete);
}
