//! The inputs of a case in the order in which the program asks for them, for programs that take all of them from `__VERIFIER_nondet_…`.
//!
//! A case names inputs by call and turn; formats of other tools (Test-Comp's) list them in the order of a run. The uninstrumented program
//! is run with the case, and notes which calls ask.
//!
//! **Invariant.** What is listed is what the uninstrumented program took, so a test suite made of it takes the same path there.

use std::collections::BTreeMap;

use crate::build::words;
use crate::cases::graph::{InputGraph, LeafValue, Root};
use crate::cases::replay::Replayer;
use crate::error::CError;
use crate::types::inputs::TypeTable;
use crate::types::value;

/// An input that the program took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// The C type that the word gives.
    pub of: &'static str,
    /// The value as a C literal without suffixes.
    pub value: String,
}

/// An input that is not one of a `__VERIFIER_nondet_…` word; `None` if there is none.
#[must_use]
pub fn other_input(table: &TypeTable) -> Option<&str> {
    table.roots.iter().find(|root| words::nondet(root.number).is_none()).map(|root| root.name.as_str())
}

/// The inputs that a run of the case takes.
///
/// # Errors
/// If the program does not compile natively, or cannot be run.
pub fn inputs(replayer: &Replayer, graph: &InputGraph) -> Result<Vec<Taken>, CError> {
    let values = values(replayer, graph);
    let mut turns: BTreeMap<u32, u32> = BTreeMap::new();
    let taken = replayer.taken(graph)?.into_iter().filter_map(|number| {
        let turn = turns.entry(number).or_default();
        let value = values.get(&(number, *turn)).map_or_else(|| "0".to_owned(), Clone::clone);
        *turn += 1;
        Some(Taken { of: words::nondet(number)?, value })
    });
    Ok(taken.collect())
}

/// By the number of a call and its turn: its value as text.
fn values(replayer: &Replayer, graph: &InputGraph) -> BTreeMap<(u32, u32), String> {
    let table = &replayer.table;
    let unsigned = |root: &Root| words::nondet(table.roots[root.key as usize].number).is_some_and(|of| of.starts_with("unsigned"));
    let value = |root: &Root| {
        let words: Vec<u64> = root.leaves.iter().map(|leaf| if let LeafValue::Word(word) = leaf.value { word } else { 0 }).collect();
        let text = match (&root.leaves[..], &words[..]) {
            ([_, _], &[low, high]) if unsigned(root) => (u128::from(low) | u128::from(high) << 64).to_string(),
            ([_, _], &[low, high]) => (u128::from(low) | u128::from(high) << 64).cast_signed().to_string(),
            ([leaf], &[word]) if matches!(leaf.value, LeafValue::Word(_)) => value::plain(table, leaf.of, leaf.bits, word),
            _ => "0".to_owned(),
        };
        ((table.roots[root.key as usize].number, root.nth), text)
    };
    graph.roots.iter().map(value).collect()
}
