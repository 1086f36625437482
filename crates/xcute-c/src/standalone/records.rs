//! What `xcute_input` calls give in a test: recorded bytes, and the objects that pointers in them lead to.
//!
//! The types of these inputs may be visible only inside the functions that hold the calls, so bytes it is, with names and values beside.
//!
//! **Invariant.** The n-th execution of a call gets the n-th record with its name and number.

use std::fmt::Write as _;

use super::Standalone;
use super::objects::{self, Names};
use crate::graph::{InputGraph, Leaf, LeafValue, Root};
use crate::harness::c_string;

fn calls<'a>(test: &Standalone<'a>) -> impl Iterator<Item = (usize, &'a Root)> {
    let table = test.table;
    test.graph.roots.iter().filter(move |r| !InputGraph::is_argument(table, r.key)).enumerate()
}

/// The table of records and `__xcute_input`, which reads it.
pub(super) fn text(test: &Standalone<'_>) -> String {
    let mut out = String::new();
    for (n, root) in calls(test) {
        let bytes = bytes(test.table.get(test.table.inputs[root.key as usize]).size, &root.leaves);
        let _ = writeln!(out, "/* {} */", comment(test, &root.leaves));
        let _ = writeln!(out, "static unsigned char xcute_input_bytes_{n}[{}] = {};", bytes.len() + 1, c_string(&bytes));
    }
    out += "static struct { const char *name; int number; unsigned long size; unsigned char *bytes; int used; } xcute_records[] = {\n";
    for (n, root) in calls(test) {
        let described = &test.table.roots[root.key as usize];
        let (passed, number) = (c_string(described.passed.as_bytes()), described.number);
        let _ = writeln!(out, "  {{{passed}, {number}, sizeof xcute_input_bytes_{n} - 1, xcute_input_bytes_{n}, 0}},");
    }
    out += "  {0, 0, 0, 0, 0}};\n";
    out += READER;
    out
}

/// It calls no function that has accesses of its own: those of a thread are counted.
const READER: &str = r"static int __xcute_same(const char *a, const char *b) {
  while (*a && *a == *b) a++, b++;
  return *a == *b;
}
void __xcute_input(void *at, unsigned long size, const char *name, int number) XCUTE_NOTHROW {
  memset(at, 0, size);
  for (int i = 0; xcute_records[i].name; i++)
    if (!xcute_records[i].used && xcute_records[i].number == number && __xcute_same(xcute_records[i].name, name)) {
      memcpy(at, xcute_records[i].bytes, size < xcute_records[i].size ? size : xcute_records[i].size);
      xcute_records[i].used = 1;
      return;
    }
}
";

/// The objects that only recorded inputs lead to, and all pointers in records.
pub(super) fn pointers(test: &Standalone<'_>, names: &Names) -> String {
    let mut out = String::new();
    for (index, object) in test.graph.objects.iter().enumerate().filter(|(i, _)| !names.typed[*i]) {
        let description = test.table.get(object.of);
        let size = test.table.get(description.elem).size.saturating_mul(u64::from(description.count.max(1)));
        let bytes = bytes(size, &object.leaves);
        let (name, len) = (&names.objects[index], bytes.len());
        let _ = writeln!(
            out,
            "  unsigned char *{name} = {}; /* {} */",
            objects::any(test, &format!("memcpy(calloc(1, {}), {}, {len})", len.max(1), c_string(&bytes))),
            comment(test, &object.leaves)
        );
    }
    let mut fix = |holder: &str, leaves: &[Leaf]| {
        for leaf in leaves {
            let (target, cast) = match &leaf.value {
                LeafValue::Object(index) => (names.objects[*index].as_str(), ""),
                LeafValue::Function(function) => (function.as_str(), "(void *)"),
                _ => continue,
            };
            let _ =
                writeln!(out, "  {{ void *to = {cast}{target}; memcpy({holder} + {}, &to, sizeof to); }} /* {} */", leaf.offset, leaf.name);
        }
    };
    for (index, object) in test.graph.objects.iter().enumerate().filter(|(i, _)| !names.typed[*i]) {
        fix(&names.objects[index], &object.leaves);
    }
    for (n, root) in calls(test) {
        fix(&format!("xcute_input_bytes_{n}"), &root.leaves);
    }
    out
}

/// The bytes of an input or object; pointers to objects are zero.
fn bytes(size: u64, leaves: &[Leaf]) -> Vec<u8> {
    let end = leaves.iter().map(|l| l.offset + u64::from((l.bit + l.bits).div_ceil(8))).max().unwrap_or(0);
    let mut out = vec![0u8; usize::try_from(end.max(size)).unwrap_or(0)];
    for leaf in leaves {
        let LeafValue::Word(word) = leaf.value else { continue };
        let mask = if leaf.bits >= 64 { u64::MAX } else { (1 << leaf.bits) - 1 };
        let placed = (u128::from(word & mask) << leaf.bit).to_le_bytes();
        let at = leaf.offset as usize;
        for (slot, byte) in out[at..].iter_mut().zip(placed) {
            *slot |= byte;
        }
    }
    out
}

/// Names and values, for the reader.
fn comment(test: &Standalone<'_>, leaves: &[Leaf]) -> String {
    let graph = InputGraph { roots: vec![Root { key: 0, nth: 0, leaves: leaves.to_vec() }], objects: test.graph.objects.clone() };
    let leaves = leaves.len();
    let shown = crate::readable::inputs(test.program, test.table, &graph);
    let parts: Vec<String> = shown.into_iter().take(leaves.min(16)).map(|(name, value)| format!("{name} = {value}")).collect();
    parts.join(", ").replace("*/", "* /")
}
