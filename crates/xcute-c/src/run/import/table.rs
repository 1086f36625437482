//! Reads through a symbolic address: a table becomes a tree of choices over the bits of the index.
//!
//! A chain of comparisons with every address would be as long as the table; the tree is as deep as the index has bits, and equal
//! neighbours fold.

use xcute_term::{Op, TermId, Terms};

use crate::run::import::{Recorded, as_bits};
use crate::wire::{XcAux, XcNode};

/// The elements of a table node; `None` where the record is damaged.
pub(super) fn elements<'a>(node: &XcNode, recorded: &Recorded<'a>) -> Option<&'a [XcAux]> {
    let first = node.b as usize + 1;
    recorded.aux.get(first..first.checked_add(node.c as usize)?).filter(|e| !e.is_empty())
}

/// The element at an address that a check has shown to be aligned and inside the table.
pub(super) fn build(
    terms: &mut Terms,
    recorded: &Recorded<'_>,
    node: &XcNode,
    address: TermId,
    built: impl Fn(u32) -> Option<TermId>,
) -> Option<TermId> {
    let (width, size) = (u32::from(node.width), u32::from(node.width) / 8);
    if width % 8 != 0 || !size.is_power_of_two() || terms.width(address) != 64 {
        return None;
    }
    let base = recorded.aux.get(node.b as usize)?.value;
    let elements = elements(node, recorded)?;
    let mut leaves = Vec::with_capacity(elements.len());
    for element in elements {
        let leaf = if element.handle == 0 {
            terms.bv(width, element.value)
        } else {
            let term = built(element.handle)?;
            as_bits(terms, term)
        };
        if terms.width(leaf) != width {
            return None;
        }
        leaves.push(leaf);
    }
    let base = terms.bv(64, base);
    let offset = terms.mk(Op::BvSub, &[address, base]);
    let mut bit = size.trailing_zeros();
    while leaves.len() > 1 {
        let picked = terms.mk(Op::Extract(bit, bit), &[offset]);
        let one = terms.bv(1, 1);
        let odd = terms.mk(Op::Eq, &[picked, one]);
        let pairs = leaves.chunks(2).map(|pair| match *pair {
            [low, high] => terms.mk(Op::Ite, &[odd, high, low]),
            _ => pair[0],
        });
        leaves = pairs.collect();
        bit += 1;
    }
    leaves.first().copied()
}
