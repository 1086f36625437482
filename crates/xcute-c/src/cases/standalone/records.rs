//! What `xcute_input` calls give in a test: recorded bytes, and the objects that pointers in them lead to.
//!
//! The types of these inputs may be visible only inside the functions that hold the calls, so bytes it is, with names and values beside. All turns of a call are one
//! table; a large one is a file of its own, in which each line is a turn.
//!
//! **Invariant.** The n-th execution of a call gets the n-th record with its name and number. The text grows with the calls, not with their turns, but for
//! pointers and for tables of at most [`ROOM`] bytes.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use super::Standalone;
use super::functions::Declared;
use super::objects::Names;
use crate::build::harness::c_string;
use crate::cases::graph::{InputGraph, Leaf, LeafValue, Root, bytes};
use crate::cases::readable;

/// More bytes than this are in a file of their own.
const ROOM: usize = 32 << 10;
/// At most this many values are named in comments.
const NAMED: usize = 16;

/// The roots of each call, by its key.
fn calls<'a>(test: &Standalone<'a>) -> BTreeMap<u32, Vec<&'a Root>> {
    let mut out: BTreeMap<u32, Vec<&Root>> = BTreeMap::new();
    for root in test.graph.roots.iter().filter(|r| !InputGraph::is_argument(test.table, r.key)) {
        out.entry(root.key).or_default().push(root);
    }
    out
}

/// The bytes of a call's turns, all of the same length.
fn table(test: &Standalone<'_>, key: u32, roots: &[&Root]) -> (usize, Vec<u8>) {
    let size = test.table.get(test.table.inputs[key as usize]).size;
    let turns: Vec<Vec<u8>> = roots.iter().map(|root| bytes(size, &root.leaves)).collect();
    let width = turns.iter().map(Vec::len).max().unwrap_or(0).max(1);
    let padded = turns.into_iter().flat_map(|mut turn| {
        turn.resize(width, 0);
        turn
    });
    (width, padded.collect())
}

/// The tables and `__xcute_input`, which reads them; and the text of the file with the values, if they are there.
pub(super) fn text(test: &Standalone<'_>) -> (String, Option<String>) {
    let calls = calls(test);
    let tables: Vec<(u32, usize, Vec<u8>)> = calls
        .iter()
        .map(|(key, roots)| {
            let (width, bytes) = table(test, *key, roots);
            (*key, width, bytes)
        })
        .collect();
    let apart = tables.iter().map(|(_, _, bytes)| bytes.len()).sum::<usize>() > ROOM;
    let (mut out, mut rows, mut values) = (String::new(), String::new(), String::new());
    for (n, (key, width, bytes)) in tables.iter().enumerate() {
        let (count, described) = (bytes.len() / width, &test.table.roots[*key as usize]);
        let _ = writeln!(out, "/* {} */", comment(test, &calls[key]));
        let _ = write!(out, "static unsigned char xcute_input_{n}[{count}][{width}]");
        if apart {
            let _ = writeln!(out, ";");
            for turn in bytes.chunks(*width) {
                turn.iter().for_each(|byte| _ = write!(values, "{byte:02x}"));
                values.push('\n');
            }
        } else {
            let turns: Vec<String> = bytes.chunks(*width).map(c_string).collect();
            let _ = writeln!(out, " = {{{}}};", turns.join(", "));
        }
        let (passed, number) = (c_string(described.passed.as_bytes()), described.number);
        let _ = writeln!(rows, "  {{{passed}, {number}, {width}, {count}, 0, xcute_input_{n}[0]}},");
    }
    let _ = write!(
        out,
        "static struct {{ const char *name; int number; unsigned long size, count, used; unsigned char *bytes; }} xcute_records[] = {{\n{rows}  \
         {{0, 0, 0, 0, 0, 0}}}};\n"
    );
    if apart {
        let name = Path::new(test.file).with_extension("inputs");
        out += &FILE.replace("@name", &c_string(name.file_name().unwrap_or_default().to_string_lossy().as_bytes()));
    }
    out += &READER.replace("@read", if apart { "  xcute_read();\n" } else { "" });
    (out, apart.then_some(values))
}

/// It calls no function that has accesses of its own: those of a thread are counted.
const READER: &str = r"static int __xcute_same(const char *a, const char *b) {
  while (*a && *a == *b) a++, b++;
  return *a == *b;
}
void __xcute_input(void *at, unsigned long size, const char *name, int number) {
@read  memset(at, 0, size);
  for (int i = 0; xcute_records[i].name; i++)
    if (xcute_records[i].used < xcute_records[i].count && xcute_records[i].number == number && __xcute_same(xcute_records[i].name, name)) {
      unsigned char *bytes = xcute_records[i].bytes + xcute_records[i].used++ * xcute_records[i].size;
      memcpy(at, bytes, size < xcute_records[i].size ? size : xcute_records[i].size);
      return;
    }
}
";

/// Reads the values, which are in a file next to the test.
const FILE: &str = r#"struct _IO_FILE *fopen(const char *, const char *);
int fscanf(struct _IO_FILE *, const char *, ...);
static void xcute_read(void) {
  static int done;
  if (done++) return;
  char path[] = __FILE__ "/" @name;
  char *from = __FILE__, *end = path;
  for (unsigned long i = 0; from[i]; i++)
    if (from[i] == '/') end = path + i + 1;
  strcpy(end, @name);
  struct _IO_FILE *file = fopen(path, "r");
  if (!file) {
    dprintf(2, "cannot read %s (run this where it was compiled)\n", path);
    exit(2);
  }
  unsigned byte;
  for (int i = 0; xcute_records[i].name; i++)
    for (unsigned long k = 0; k < xcute_records[i].count * xcute_records[i].size && fscanf(file, "%2x", &byte) == 1; k++)
      xcute_records[i].bytes[k] = (unsigned char)byte;
}
"#;

/// The objects that only recorded inputs lead to, and all pointers in records.
pub(super) fn pointers(test: &Standalone<'_>, names: &Names, declared: &mut Declared<'_>) -> String {
    let mut out = String::new();
    let untyped = || test.graph.objects.iter().enumerate().filter(|(i, _)| !names.typed[*i]);
    for (index, object) in untyped() {
        let description = test.table.get(object.of);
        let size = test.table.get(description.elem).size.saturating_mul(u64::from(description.count.max(1)));
        let bytes = bytes(size, &object.leaves);
        let (name, len) = (&names.objects[index], bytes.len());
        let _ = writeln!(
            out,
            "  unsigned char *{name} = memcpy(calloc(1, {}), {}, {len}); /* {} */",
            len.max(1),
            c_string(&bytes),
            values(test, object.leaves.iter())
        );
    }
    let mut fix = |holder: &str, leaves: &[Leaf]| {
        for leaf in leaves {
            let target = match &leaf.value {
                LeafValue::Object(index) => names.objects[*index].clone(),
                LeafValue::Function(function) => format!("(void *){}", declared.pointed(function)),
                _ => continue,
            };
            let _ = writeln!(out, "  {{ void *to = {target}; memcpy({holder} + {}, &to, sizeof to); }} /* {} */", leaf.offset, leaf.name);
        }
    };
    for (index, object) in untyped() {
        fix(&names.objects[index], &object.leaves);
    }
    for (n, roots) in calls(test).into_values().enumerate() {
        for (turn, root) in roots.into_iter().enumerate() {
            fix(&format!("xcute_input_{n}[{turn}]"), &root.leaves);
        }
    }
    out
}

/// Names and values of the first turns, for the reader.
fn comment(test: &Standalone<'_>, roots: &[&Root]) -> String {
    let more = if roots.iter().map(|root| root.leaves.len()).sum::<usize>() > NAMED { ", …" } else { "" };
    values(test, roots.iter().flat_map(|root| &root.leaves)) + more
}

fn values<'a>(test: &Standalone<'_>, leaves: impl Iterator<Item = &'a Leaf>) -> String {
    let value = |leaf: &Leaf| format!("{} = {}", leaf.name, readable::text(test.program, test.table, test.graph, leaf));
    let parts: Vec<String> = leaves.take(NAMED).map(value).collect();
    parts.join(", ").replace("*/", "* /")
}
