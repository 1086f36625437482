//! Rows of elements: what tuples hold, and the arguments of functions.

use xcute_term::Value;

use super::{MORE, NO_MORE, data, parts};

/// A row of elements.
pub(super) fn row_of(items: Vec<Value>) -> Value {
    items.into_iter().rev().fold(data(NO_MORE, vec![]), |rest, item| data(MORE, vec![item, rest]))
}

/// The elements of a row.
pub(crate) fn elements(value: &Value) -> Vec<&Value> {
    let mut items = Vec::new();
    let mut at = parts(value);
    while at.ctor == MORE {
        items.push(&at.fields[0]);
        at = parts(&at.fields[1]);
    }
    items
}
