//! A case as the file that the native runtime reads its inputs from.
//!
//! The layout is that of `runtimes/c/native/native.h`: a head, tables of numbers of 64 bits, names, bytes.
//!
//! **Invariant.** The file says the same as the graph: every record and object with its bytes, every pointer as a link. Its size is linear in that of the graph.

use std::collections::BTreeMap;
use std::path::Path;

use object::{Object as _, ObjectSegment as _, ObjectSymbol as _};

use crate::build::unit::symbol;
use crate::cases::graph::{InputGraph, Leaf, LeafValue, bytes};
use crate::names::MAIN;
use crate::types::dwarf::Program;
use crate::types::inputs::TypeTable;

/// Where objects are put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Placement {
    /// As on the heap.
    Heap,
    /// Before a page that must not be accessed.
    End,
    /// After one.
    Front,
}

const MAGIC: u64 = u64::from_le_bytes(*b"xcxcase1");
const HEAD: u64 = 13;
const OBJECT: u64 = 0;
const FUNCTION: u64 = 1;

/// The symbols of an executable: where they begin and end, relative to where the executable begins.
#[derive(Clone, Debug, Default)]
pub(crate) struct Symbols(BTreeMap<String, (u64, u64)>);

impl Symbols {
    /// The functions of an executable; none if it cannot be read.
    pub(crate) fn of(exe: &Path) -> Symbols {
        let Ok(data) = std::fs::read(exe) else { return Symbols::default() };
        let Ok(file) = object::File::parse(&*data) else { return Symbols::default() };
        let start = file.segments().map(|segment| segment.address()).min().unwrap_or(0);
        let range = |at: u64, size: u64| (at.wrapping_sub(start), at.wrapping_sub(start).wrapping_add(size.max(1)));
        let functions = file.symbols().filter(|s| s.is_definition() && s.kind() == object::SymbolKind::Text);
        Symbols(functions.filter_map(|s| Some((s.name().ok()?.to_owned(), range(s.address(), s.size())))).collect())
    }

    fn range(&self, name: &str) -> (u64, u64) {
        self.0.get(if name == MAIN { "main" } else { name }).copied().unwrap_or((0, 0))
    }
}

/// The file of a case. `sequence`: the objects of call sequences have no lengths of their own.
pub(crate) fn file(
    program: &Program,
    table: &TypeTable,
    graph: &InputGraph,
    sequence: bool,
    symbols: &Symbols,
    placement: Placement,
) -> Vec<u8> {
    let mut writer = Writer { program, symbols, links: Vec::new(), bytes: Vec::new() };
    let mut keyed: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (n, root) in graph.roots.iter().enumerate() {
        keyed.entry(root.key).or_default().push(n);
    }
    let alike = alike(table);
    alike.iter().for_each(|key| _ = keyed.entry(*key).or_default());
    let (mut keys, mut records, mut names) = (Vec::new(), Vec::new(), Vec::new());
    for (key, roots) in keyed {
        let described = &table.roots[key as usize];
        let (low, high) = if alike.contains(&key) { symbols.range(&described.function) } else { (0, 0) };
        keys.extend([u64::from(described.number), names.len() as u64, (records.len() / 4) as u64, roots.len() as u64, low, high]);
        names.extend(described.passed.bytes().filter(|byte| *byte != 0).chain([0]));
        for root in roots.into_iter().map(|n| &graph.roots[n]) {
            let size = table.get(table.inputs[root.key as usize]).size;
            records.extend(writer.value(bytes(size, &root.leaves), &root.leaves));
        }
    }
    let mut objects = Vec::new();
    for object in &graph.objects {
        let size = graph.bytes_of(table, object, sequence);
        let there: Vec<Leaf> = object.leaves.iter().filter(|leaf| leaf.offset < size).cloned().collect();
        let mut data = bytes(size, &there);
        data.truncate(usize::try_from(size).unwrap_or(usize::MAX));
        objects.extend(writer.value(data, &there));
    }
    let Writer { links, bytes, .. } = writer;
    assemble(placement, [&keys, &records, &objects, &links], &names, &bytes)
}

fn assemble(placement: Placement, tables: [&[u64]; 4], names: &[u8], bytes: &[u8]) -> Vec<u8> {
    const ROWS: [u64; 4] = [6, 4, 4, 3];
    let mut at = 8 * HEAD;
    let mut head = vec![MAGIC, placement as u64];
    for (table, row) in tables.iter().zip(ROWS) {
        head.extend([table.len() as u64 / row, at]);
        at += 8 * table.len() as u64;
    }
    head.extend([at, at + names.len() as u64, at + (names.len() + bytes.len()) as u64]);
    let words = head.iter().chain(tables.into_iter().flatten());
    let mut out: Vec<u8> = words.flat_map(|word| word.to_le_bytes()).collect();
    out.extend_from_slice(names);
    out.extend_from_slice(bytes);
    out
}

/// The calls that only the function they are in distinguishes: they pass the same number and name.
fn alike(table: &TypeTable) -> Vec<u32> {
    let mut groups: BTreeMap<(u32, &str), Vec<u32>> = BTreeMap::new();
    for (key, root) in (0..).zip(&table.roots) {
        groups.entry((root.number, &root.passed)).or_default().push(key);
    }
    let mut out: Vec<u32> = groups.into_values().filter(|group| group.len() > 1).flatten().collect();
    out.sort_unstable();
    out
}

struct Writer<'a> {
    program: &'a Program,
    symbols: &'a Symbols,
    links: Vec<u64>,
    bytes: Vec<u8>,
}

impl Writer<'_> {
    /// Adds bytes and the pointers in them; the row that says where they are.
    fn value(&mut self, data: Vec<u8>, leaves: &[Leaf]) -> [u64; 4] {
        let (at, size, first) = (self.bytes.len() as u64, data.len() as u64, (self.links.len() / 3) as u64);
        self.bytes.extend(data);
        for leaf in leaves {
            match &leaf.value {
                LeafValue::Object(index) => self.links.extend([leaf.offset, OBJECT, *index as u64]),
                LeafValue::Function(name) => {
                    let function = self.program.functions.iter().find(|f| f.linkage == *name);
                    let symbol = function.map_or_else(|| name.clone(), symbol);
                    self.links.extend([leaf.offset, FUNCTION, self.symbols.range(&symbol).0]);
                }
                LeafValue::Word(_) | LeafValue::Null => {}
            }
        }
        [at, size, first, (self.links.len() / 3) as u64 - first]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_has_the_length_that_tables_are_counted_from() {
        let file = assemble(Placement::End, [&[1; 12], &[2; 4], &[], &[3; 3]], b"a\0", b"xyz");
        let word = |n: usize| u64::from_le_bytes(file[8 * n..8 * n + 8].try_into().unwrap());
        assert_eq!((word(0), word(1)), (MAGIC, 1));
        assert_eq!((word(2), word(3), word(4), word(5)), (2, 8 * HEAD, 1, 8 * (HEAD + 12)));
        assert_eq!((word(8), word(9)), (1, 8 * (HEAD + 16)));
        assert_eq!((word(10), word(11), word(12)), (8 * (HEAD + 19), 8 * (HEAD + 19) + 2, file.len() as u64));
    }
}
