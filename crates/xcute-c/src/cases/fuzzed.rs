//! The input of a fuzzer's entry as the bytes that the fuzzer would hand over, and back.
//!
//! **Invariant.** [`bytes`] gives back what [`values`] was given, if the entry takes this many.

use crate::cases::graph::{InputGraph, LeafValue};
use crate::names::HARNESS;
use crate::types::inputs::{TypeTable, XC_TY_INT, XC_TY_POINTER};

/// The keys of `data` and `size`; `None` if the entry's parameters are others.
fn parameters(table: &TypeTable) -> Option<(u32, u32)> {
    let key = |number| table.roots.iter().position(|r| r.function == HARNESS && r.number == number).and_then(|k| u32::try_from(k).ok());
    let (data, size) = (key(0)?, key(1)?);
    let of = |key: u32| table.get(table.inputs[key as usize]);
    let fits = of(data).kind == XC_TY_POINTER && table.get(of(data).elem).size == 1 && of(size).kind == XC_TY_INT;
    (fits && key(2).is_none()).then_some((data, size))
}

/// How many bytes the entry takes at most; `None` if the entry is not a fuzz target.
#[must_use]
pub fn most(table: &TypeTable) -> Option<usize> {
    let (data, _) = parameters(table)?;
    usize::try_from(table.get(table.inputs[data as usize]).count).ok()
}

/// The inputs that hand over these bytes, by name: width and value. Empty if the entry is not a fuzz target.
#[must_use]
pub fn values(table: &TypeTable, bytes: &[u8]) -> Vec<(String, u32, u64)> {
    let Some((data, size)) = parameters(table) else { return Vec::new() };
    let (pointer, of) = (table.name_of_root(data, 0, 0, 0), table.inputs[data as usize]);
    let width = u32::try_from(8 * table.get(table.inputs[size as usize]).size).expect("an integer has at most 8 bytes");
    let length = (table.name_of_root(size, 0, 0, 0), width, bytes.len() as u64);
    let byte = |(at, byte): (u64, &u8)| (table.name_in_object(&pointer, of, at, 0), 8, u64::from(*byte));
    std::iter::once(length).chain((0..).zip(bytes).map(byte)).collect()
}

/// The bytes of a case; `None` if the entry is not a fuzz target.
#[must_use]
pub fn bytes(table: &TypeTable, graph: &InputGraph) -> Option<Vec<u8>> {
    let (data, size) = parameters(table)?;
    let value = |key: u32| graph.roots.iter().find(|r| r.key == key).and_then(|r| r.leaves.first()).map(|leaf| &leaf.value);
    let count = match value(size) {
        Some(LeafValue::Word(count)) => usize::try_from(*count).ok()?.min(most(table)?),
        _ => 0,
    };
    let mut out = vec![0; count];
    if let Some(LeafValue::Object(object)) = value(data) {
        for leaf in &graph.objects.get(*object)?.leaves {
            if let (Some(slot), LeafValue::Word(word)) = (out.get_mut(usize::try_from(leaf.offset).ok()?), &leaf.value) {
                *slot = word.to_le_bytes()[0];
            }
        }
    }
    Some(out)
}
