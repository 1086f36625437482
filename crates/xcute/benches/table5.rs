//! `./x bench table5`: Table V of [sen-marinov-agha-2006], with data structures of our own.
//!
//! Arguments choose rows by name. Each row is one file in `subjects/c/structures`, tested with `--pre` and with `--calls`; the time is checked
//! to be seconds, and the bugs to be the planted ones.

#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs, reason = "a measuring program; its output is its purpose")]

mod structures {
    pub mod measure;
}

use std::process::ExitCode;

use structures::measure::{Measured, Row, run};

const ROWS: &[(Row, usize)] = &[
    (row("Array Quick Sort", "subjects/c/structures/quicksort.c", &["--entry sorts --array a=6 -- -DN=6"]), 0),
    (row("Array Heap Sort", "subjects/c/structures/heapsort.c", &["--entry sorts --array a=6 -- -DN=6"]), 0),
    (
        row(
            "Linked List",
            "subjects/c/structures/linked_list.c",
            &[
                "--calls add,add_last,remove_first,remove_value,reverse,contains --length 4 --no-null --post is_list",
                "--entry reverse --pre is_list",
                "--entry remove_value --pre is_list",
                "--entry keeps_length --pre is_list",
            ],
        ),
        0,
    ),
    (
        row(
            "Sorted List",
            "subjects/c/structures/sorted_list.c",
            &[
                "--calls add,remove_value,contains,merge --length 3 --no-null --post is_sorted",
                "--entry stays_sorted --pre is_small",
                "--entry merges --pre are_small",
            ],
        ),
        0,
    ),
    (
        row(
            "Doubly Linked List",
            "subjects/c/structures/doubly_linked_list.c",
            &[
                "--calls make,add_after,add_before,unlink_node,concat --length 5 --no-null --post is_sound",
                "--entry unlink_node --pre is_sound",
                "--entry concat --pre are_apart",
            ],
        ),
        0,
    ),
    (
        row(
            "Doubly Linked List, first bug",
            "subjects/c/structures/doubly_linked_list_concat.c",
            &["--calls push,concat,pop --length 4 --no-null", "--entry concat --pre are_lists"],
        ),
        1,
    ),
    (
        row(
            "Hash Table",
            "subjects/c/structures/hash_table.c",
            &["--calls make,add,add_if_not_member,remove_node,is_member --length 5 --no-null --steps 2000"],
        ),
        0,
    ),
    (
        row(
            "Hash Table, second bug",
            "subjects/c/structures/hash_table_cycle.c",
            &["--calls make,add,add_if_not_member,is_member --length 4 --no-null --steps 2000"],
        ),
        1,
    ),
    (
        row(
            "Red Black Tree",
            "subjects/c/structures/red_black_tree.c",
            &[
                "--calls insert,remove_key,contains --length 5 --no-null --post is_red_black",
                "--entry inserts --pre is_small",
                "--entry removes --pre is_small",
            ],
        ),
        0,
    ),
];

const fn row(name: &'static str, file: &'static str, campaigns: &'static [&'static str]) -> Row {
    Row { name, file, campaigns, only: "" }
}

/// No row may take longer, in seconds: minutes would be another order.
const LONGEST: f64 = 60.0;

fn main() -> ExitCode {
    // cargo adds `--bench` to the arguments.
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let mut wrong = Vec::new();
    println!("{}", Measured::header());
    for (row, bugs) in ROWS.iter().filter(|(row, _)| wanted.is_empty() || wanted.iter().any(|w| row.name.contains(w.as_str()))) {
        let measured = run(row, &[]);
        println!("{}", measured.line(row.name));
        if measured.kinds.len() != *bugs {
            wrong.push(format!("{}: {bugs} bugs are planted, found: {:?}", row.name, measured.bugs));
        }
        if measured.wall > LONGEST || measured.runs == 0 {
            wrong.push(format!("{}: {:.0} s, {:?}", row.name, measured.wall, measured.cut));
        }
    }
    for line in &wrong {
        println!("WRONG {line}");
    }
    if wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
