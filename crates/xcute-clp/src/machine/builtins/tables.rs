//! Predicates about tables: what makes them is in [`super::super::tabling`].

use super::Builtin;
use crate::machine::cell::Cell;

/// The predicates of this file. `'$table_merge'(Table, Number, Answer)` puts an answer in the place of the one that it was aggregated with.
pub(super) const TABLE: &[(&str, u32, Builtin)] = &[
    ("abolish_all_tables", 0, Builtin::Plain(|m, _| m.abolish_tables())),
    (
        "$table_merge",
        3,
        Builtin::Plain(|m, c| {
            let (Cell::Int(table), Cell::Int(number)) = (m.arg(c, 0), m.arg(c, 1)) else { unreachable!("made for an answer") };
            m.replace_answer(table, number, m.arg(c, 2))
        }),
    ),
];
