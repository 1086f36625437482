//! The inputs of a case for people: `x = -1`, `p->next = p`, `s = "abc"`.
//!
//! **Invariant.** Nothing is said twice: the bytes of a string are in its literal only.

use crate::build::harness::c_string;
use crate::cases::graph::{InputGraph, Leaf, LeafValue, Object};
use crate::types::dwarf::Program;
use crate::types::inputs::{TypeTable, XC_TY_OPAQUE, XC_TY_POINTER};
use crate::types::value;

/// Names and values of the inputs, arguments first, then objects.
#[must_use]
pub fn inputs(program: &Program, table: &TypeTable, graph: &InputGraph) -> Vec<(String, String)> {
    let objects = graph.objects.iter().filter(|o| !table.is_string(o.of)).flat_map(|o| &o.leaves);
    let leaves = graph.roots.iter().flat_map(|r| &r.leaves).chain(objects);
    leaves.map(|leaf| (leaf.name.clone(), text(program, table, graph, leaf))).collect()
}

/// The value of one leaf.
#[must_use]
pub fn text(program: &Program, table: &TypeTable, graph: &InputGraph, leaf: &Leaf) -> String {
    match &leaf.value {
        LeafValue::Null => "NULL".to_owned(),
        LeafValue::Function(name) => name.clone(),
        LeafValue::Word(word) if table.get(leaf.of).kind == XC_TY_POINTER => format!("{word:#x}"),
        LeafValue::Word(word) => value::readable(program, table, leaf.of, leaf.bits, *word),
        LeafValue::Object(index) => match graph.objects.get(*index) {
            Some(object) if object.owner != leaf.name => object.owner.clone(),
            Some(object) if table.is_string(object.of) => c_string(trimmed(&string(object))),
            _ => format!("new {}", pointee(program, table, leaf.of)),
        },
    }
}

/// The bytes of a string object, the final NUL not included.
#[must_use]
pub fn string(object: &Object) -> Vec<u8> {
    let mut bytes = Vec::new();
    for leaf in &object.leaves {
        let at = usize::try_from(leaf.offset).unwrap_or(0).min(1 << 20);
        if bytes.len() <= at {
            bytes.resize(at + 1, 0);
        }
        if let LeafValue::Word(word) = leaf.value {
            bytes[at] = word as u8;
        }
    }
    bytes
}

/// Bytes without the NULs at their end.
#[must_use]
pub fn trimmed(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|&b| b != 0).map_or(0, |last| last + 1);
    &bytes[..end]
}

fn pointee(program: &Program, table: &TypeTable, of: u32) -> String {
    let description = table.get(of);
    let origin = table.origin.get(description.elem as usize).copied().unwrap_or(crate::types::dwarf::TypeId::VOID);
    let elem = table.get(description.elem);
    if elem.kind == XC_TY_OPAQUE {
        return format!("{} bytes", elem.size);
    }
    let name = program.type_name(program.unqualified(origin));
    if description.count > 1 { format!("{name}[{}]", description.count) } else { name }
}
