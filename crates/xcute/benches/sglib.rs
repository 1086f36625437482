//! `./x bench sglib --header PATH`: Table V of [sen-marinov-agha-2006] with a real sglib.h, which is not part of this repository.
//!
//! The programs in `benches/sglib` instantiate its macros. Coverage and functions are counted for what the macros make of it, not for
//! our own lines. What is found is told below the table; `-v` also tells what kept a search from being complete.

#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs, reason = "a measuring program; its output is its purpose")]

mod structures {
    pub mod measure;
}

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use structures::measure::{Measured, Row, root, run};

const ROWS: &[Row] = &[
    Row { only: "QUICK_SORT", ..row("Array Quick Sort", "benches/sglib/array.c", &["--entry quick_sort --array a=6"]) },
    Row { only: "HEAP_SORT", ..row("Array Heap Sort", "benches/sglib/array.c", &["--entry heap_sort --array a=6"]) },
    row(
        "Linked List",
        "benches/sglib/list.c",
        &[
            "--calls add,add_if_not_member,concat,delete,delete_if_member,is_member,find_member,sort,len,reverse,iterate --length 3 --no-null",
            "--calls add,sort,iterate_equal --length 4 --no-null",
        ],
    ),
    row(
        "Sorted List",
        "benches/sglib/sorted_list.c",
        &[
            "--calls add,add_if_not_member,delete,delete_if_member,is_member,find_member,len,iterate --length 3 --no-null --post is_sorted",
            "--calls add,sort,iterate_equal,delete_if_member --length 4 --no-null",
        ],
    ),
    row(
        "Doubly Linked List",
        "benches/sglib/dl_list.c",
        &[
            "--calls add_before,add_after,add_if_not_member,concat,delete,delete_if_member,is_member,find_member,sort,len,reverse,iterate --length 3 --no-null --post is_sound",
            "--calls add_before,concat --length 4 --no-null --post is_sound",
            "--calls add_first,add_before_if_not_member,add_after_if_not_member,to_first,to_last,sort,delete_if_member,iterate_equal --length 3 --no-null --post is_sound",
            "--calls add_before,to_last,sort,reverse,iterate_equal --length 4 --no-null --post is_sound",
        ],
    ),
    Row {
        only: "HASHED_CONTAINER",
        ..row(
            "Hash Table",
            "benches/sglib/hash.c",
            &[
                "--calls make,add,add_if_not_member,is_member --length 5 --no-null --steps 2000",
                "--calls init,make,add_if_not_member,delete,delete_if_member,find_member,iterate,iterate_equal --length 4 --no-null --steps 2000",
            ],
        )
    },
    row(
        "Red Black Tree",
        "benches/sglib/rbtree.c",
        &[
            "--calls add,add_if_not_member,delete,delete_if_member,find_member,iterate --length 4 --no-null --post is_red_black",
            "--calls add,delete,iterate_all_ways --length 4 --no-null --post is_red_black",
            "--calls add_if_not_member,delete_if_member --length 6 --no-null --post is_red_black",
            "--entry adds --pre is_small",
            "--entry deletes --pre is_small",
        ],
    ),
];

const fn row(name: &'static str, file: &'static str, campaigns: &'static [&'static str]) -> Row {
    Row { name, file, campaigns, only: "SGLIB_" }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let header = arguments.iter().position(|word| word == "--header").and_then(|at| arguments.get(at + 1)).map(PathBuf::from);
    let header = header.map(|path| root().join(path));
    let Some(header) = header.filter(|path| path.is_file()) else {
        println!("say where sglib.h is: ./x bench sglib --header PATH (it is at http://sglib.sourceforge.net)");
        return ExitCode::FAILURE;
    };
    let directory = header.canonicalize().unwrap().parent().unwrap_or(Path::new("/")).to_owned();
    let flags = [format!("-I{}", directory.display())];
    let wanted: Vec<&String> = arguments.iter().filter(|word| ROWS.iter().any(|row| row.name.contains(word.as_str()))).collect();
    let mut told = Vec::new();
    println!("{}", Measured::header());
    for row in ROWS.iter().filter(|row| wanted.is_empty() || wanted.iter().any(|word| row.name.contains(word.as_str()))) {
        let measured = run(row, &flags);
        println!("{}", measured.line(row.name));
        told.extend(measured.bugs.iter().map(|bug| format!("{}: {bug}", row.name)));
        if measured.runs == 0 || arguments.iter().any(|word| word == "-v") {
            told.extend(measured.cut.iter().map(|cut| format!("{}: not complete: {cut}", row.name)));
        }
    }
    for line in &told {
        println!("{line}");
    }
    ExitCode::SUCCESS
}
