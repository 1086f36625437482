//! Up to which size inputs are made: what "complete" covers ([`xcute_trace::Bound`]).
//!
//! Sizes come from options, from the type table and from the wrapper of an entry of C++; here they become words.
//!
//! **Invariant.** Every size that inputs are not made beyond is listed, unless what goes beyond it is a failure: an access after the one element of
//! an `int *` is one.

use xcute_trace::Bound;

use crate::build::harness::{FUZZED, MAIN, Sequence};
use crate::types::dwarf::Function;
use crate::types::inputs::{ArrayLength, Lengths, TypeTable, XC_PTR_STRING, XC_TY_OPAQUE, XC_TY_POINTER, XcType};

/// The bounds of an entry or of call sequences; `built` are those of what a wrapper builds.
#[must_use]
pub(crate) fn of(
    given: &Lengths,
    bytes: u32,
    table: &TypeTable,
    entry: &Function,
    sequence: Option<&Sequence>,
    built: Vec<Bound>,
) -> Vec<Bound> {
    let mut bounds: Vec<Bound> = sequence.map(|plan| calls(plan.calls.length)).into_iter().collect();
    for (array, length) in &given.arrays {
        let bound = match length {
            ArrayLength::Fixed(n) => Bound::new(array, (*n).into(), elements(array, *n)),
            ArrayLength::Parameter(n) => up_to(n, given.max),
        };
        add(&mut bounds, bound);
    }
    if let (FUZZED, Some(size)) = (entry.name.as_str(), entry.params.get(1)) {
        add(&mut bounds, up_to(size.name.as_deref().unwrap_or("size"), bytes));
    }
    let pointers = || table.types.iter().filter(|of| of.kind == XC_TY_POINTER);
    if pointers().any(|of| of.flags & XC_PTR_STRING != 0) {
        add(&mut bounds, strings(given.string));
    }
    if pointers().any(|of| is_opaque(table, of)) {
        add(&mut bounds, Bound::new("void *", given.opaque.into(), format!("{} bytes at a void *", given.opaque)));
    }
    built.into_iter().for_each(|bound| add(&mut bounds, bound));
    if entry.name == MAIN && sequence.is_none() && !entry.params.is_empty() {
        add(&mut bounds, Bound::new("arguments", 0, "main without arguments"));
    }
    bounds
}

/// Adds a bound that is not there yet.
pub(crate) fn add(bounds: &mut Vec<Bound>, bound: Bound) {
    if !bounds.contains(&bound) {
        bounds.push(bound);
    }
}

/// Strings of at most this many characters.
pub(crate) fn strings(most: u32) -> Bound {
    Bound::new("strings", most.into(), format!("strings of up to {}", count(most, "character")))
}

/// A parameter that is a size.
pub(crate) fn up_to(name: &str, most: u32) -> Bound {
    Bound::new(name, most.into(), format!("{name} up to {most}"))
}

/// One or several of something.
pub(crate) fn count(n: u32, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

fn elements(array: &str, n: u32) -> String {
    format!("{array} of {}", count(n, "element"))
}

fn calls(length: u32) -> Bound {
    Bound::new("calls", length.into(), format!("sequences of {}", count(length, "call")))
}

fn is_opaque(table: &TypeTable, pointer: &XcType) -> bool {
    let to = table.get(pointer.elem);
    to.kind == XC_TY_OPAQUE && to.size > 0
}
