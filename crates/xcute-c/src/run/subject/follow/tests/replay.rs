//! Programs of the gallery: the segments of all their runs replay, and ordinary traces are as they are without.

use std::path::Path;

use tempfile::TempDir;
use xcute_trace::Subject as _;

use super::search::{Search, budgets};
use crate::run::subject::tests::prepared;

const SUBJECTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../subjects/c");

/// Searches a program of the gallery; why runs were lost.
#[track_caller]
fn replay(file: &str, entry: &str, exact: bool) -> Vec<String> {
    let source = Path::new(SUBJECTS).join(file);
    let counts = [false, true].map(|follow| {
        let dir = TempDir::new().unwrap();
        let mut search = Search::through(prepared(source.clone(), entry, budgets(), dir.path()), None);
        search.most = 40;
        search.exact = exact;
        if follow {
            search.subject.follow(true).unwrap();
        }
        let search = search.all();
        ((search.found.runs, search.found.failures), search.found.lost)
    });
    assert_eq!(counts[0].0, counts[1].0, "runs and failures");
    counts[1].1.clone()
}

macro_rules! gallery {
    ($($name:ident: $file:literal, $entry:literal, $lost:expr;)*) => {
        $(#[test]
        fn $name() {
            let lost: &[&str] = &$lost;
            assert_eq!(replay($file, $entry, true), lost);
        })*
    };
}

gallery! {
    asserts: "asserts.c", "f", [];
    bits: "bits.c", "f", [];
    division: "division.c", "f", [];
    enums: "enums.c", "f", [];
    exits: "exits.c", "f", [];
    floats: "floats.c", "f", [];
    heap: "heap.c", "f", [];
    input_array: "input_array.c", "f", [];
    logic: "logic.c", "f", [];
    loops: "loops.c", "f", [];
    nonlinear: "nonlinear.c", "f", [];
    odd_numbers: "odd_numbers.c", "f", [];
    out_of_bounds: "out_of_bounds.c", "f", [];
    quotient: "quotient.c", "f", [];
    recursion: "recursion.c", "f", [];
    select: "select.c", "f", [];
    structs: "structs.c", "f", [];
    switches: "switches.c", "f", [];
    unions: "unions.c", "f", [];
    varargs: "varargs.c", "f", ["variable arguments"];
    wide: "wide.c", "f", [];
    widths: "widths.c", "f", [];
    alias_indices: "alias_indices.c", "f", [];
    pointers: "pointers.c", "f", [];
    trees: "trees.c", "f", [];
    memory: "memory.c", "f", [];
    kept_address: "kept_address.c", "lookup", [];
    library_sort: "library_sort.c", "median", [];
    bit_fields: "bit_fields.c", "f", [];
}

/// Its `&&` becomes a select that is a decision here and none of the trace: arms behind it are judged by what is above it.
#[test]
fn search_tree() {
    assert_eq!(replay("search_tree.c", "insert_keeps_order", false), Vec::<String>::new());
}
