//! Floats that are computed of integers.

use crate::support::search_text;

#[test]
fn averages_of_integers_are_found_and_done() {
    let text =
        "-spec f([integer()]) -> term().\nf(L) -> case lists:sum(L) / length(L) of 7.5 -> error(hit); A when A < -3 -> low; _ -> ok end.\n";
    let found = search_text(text, "f", 1, Some(2), 100);
    assert!(found.failing("hit").is_some(), "{:?}", found.cases);
    // Of one integer, 7.5 is never the average; and no average overflows.
    assert_eq!(found.failures().len(), 2, "{:?}", found.cases);
    let beyond = |why: &String| why.contains("beyond 64 bits");
    assert!(found.incomplete().iter().all(beyond), "{:?}", found.incomplete());
    assert_eq!((found.results.arms.open, found.results.arms.unknown), (0, 0), "{:?}", found.cases);
}
