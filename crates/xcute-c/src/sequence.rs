//! The inputs of a case in the order in which the program asks for them, for programs that take all of them from `__VERIFIER_nondet_…`.
//!
//! A case names inputs by call and turn; formats of other tools (Test-Comp's) list them in the order of a run. The uninstrumented program
//! is built once, with a driver that serves the inputs of a case from a file and writes down which it was asked for.
//!
//! **Invariant.** What is listed is what the uninstrumented program took, so a test suite made of it takes the same path there.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::compile;
use crate::graph::{InputGraph, LeafValue, Root};
use crate::harness::{self, c_string};
use crate::inputs::TypeTable;
use crate::native::{Limits, MEMORY, PATIENCE, run};
use crate::prepare::{self, CError};
use crate::replay::Replayer;
use crate::standalone::absolute_flags;
use crate::value;
use crate::words;

/// An input that the program took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// The C type that the word gives.
    pub of: &'static str,
    /// The value as a C literal without suffixes.
    pub value: String,
}

/// The program with its driver.
#[derive(Debug)]
pub struct Sequencer {
    exe: PathBuf,
    served: PathBuf,
    taken: PathBuf,
}

/// An input that is not one of a `__VERIFIER_nondet_…` word; `None` if there is none.
#[must_use]
pub fn other_input(table: &TypeTable) -> Option<&str> {
    table.roots.iter().find(|root| words::nondet(root.number).is_none()).map(|root| root.name.as_str())
}

impl Sequencer {
    /// Builds the driver.
    ///
    /// # Errors
    /// If the program does not compile natively.
    pub fn build(replayer: &Replayer) -> Result<Sequencer, CError> {
        let at = |name: &str| replayer.dir.join(name);
        let out = Sequencer { exe: at("sequence"), served: at("sequence.in"), taken: at("sequence.out") };
        let driver = at("sequence.c");
        prepare::write(&driver, driver_text(&out, &harness::call(&replayer.entry, "")))?;
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let mut args: Vec<String> = ["-O0", "-w", "-fwrapv", "-I"].map(str::to_owned).into();
        args.push(text(&at("include")));
        args.extend(compile::DEFINES.iter().map(|&define| define.to_owned()));
        args.extend(std::iter::once(&replayer.source).chain(&replayer.others).chain([&driver]).map(|path| text(path)));
        args.extend((!replayer.words.is_empty()).then(|| text(&at(words::FILE))));
        args.extend(absolute_flags(&replayer.flags, &replayer.directory));
        args.extend(["-lm".to_owned(), "-o".to_owned(), text(&out.exe)]);
        replayer.tools.run("the program", args)?;
        Ok(out)
    }

    /// The inputs that a run of the case takes.
    ///
    /// # Errors
    /// If the program cannot be run.
    pub fn inputs(&self, replayer: &Replayer, graph: &InputGraph) -> Result<Vec<Taken>, CError> {
        let values = values(replayer, graph);
        let mut served = String::new();
        for ((number, _), (bytes, _)) in &values {
            let _ = write!(served, "{number} ");
            served.extend(bytes.iter().map(|byte| format!("{byte:02x}")));
            served.push('\n');
        }
        prepare::write(&self.served, &served)?;
        prepare::write(&self.taken, "")?;
        let directory = |why| CError::Directory { path: self.exe.clone(), why };
        run(&self.exe, &Limits { time: PATIENCE, memory: Some(MEMORY), leaks: false, stuck: false }).map_err(directory)?;
        let log = std::fs::read_to_string(&self.taken).map_err(|why| CError::Source { path: self.taken.clone(), why })?;
        let mut turns: BTreeMap<u32, u32> = BTreeMap::new();
        let taken = log.lines().filter_map(|line| {
            let number: u32 = line.parse().ok()?;
            let turn = turns.entry(number).or_default();
            let value = values.get(&(number, *turn)).map_or_else(|| "0".to_owned(), |(_, value)| value.clone());
            *turn += 1;
            Some(Taken { of: words::nondet(number)?, value })
        });
        Ok(taken.collect())
    }
}

/// By the number of a call and its turn: the bytes that it gives, and their value as text.
fn values(replayer: &Replayer, graph: &InputGraph) -> BTreeMap<(u32, u32), (Vec<u8>, String)> {
    let (program, table) = (&replayer.program, &replayer.table);
    let unsigned = |root: &Root| words::nondet(table.roots[root.key as usize].number).is_some_and(|of| of.starts_with("unsigned"));
    let value = |root: &Root| {
        let words: Vec<u64> = root.leaves.iter().map(|leaf| if let LeafValue::Word(word) = leaf.value { word } else { 0 }).collect();
        let bytes = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let text = match (&root.leaves[..], &words[..]) {
            ([_, _], &[low, high]) if unsigned(root) => (u128::from(low) | u128::from(high) << 64).to_string(),
            ([_, _], &[low, high]) => (u128::from(low) | u128::from(high) << 64).cast_signed().to_string(),
            ([leaf], &[word]) if matches!(leaf.value, LeafValue::Word(_)) => value::plain(program, table, leaf.of, leaf.bits, word),
            _ => "0".to_owned(),
        };
        ((table.roots[root.key as usize].number, root.nth), (bytes, text))
    };
    graph.roots.iter().map(value).collect()
}

/// The driver: serves inputs in the order of their turns, and notes their numbers.
fn driver_text(files: &Sequencer, call: &str) -> String {
    let name = |path: &Path| c_string(path.to_string_lossy().as_bytes());
    let call = call.replace(&format!("{}(", harness::MAIN), &format!("((int (*)()){})(", harness::MAIN));
    DRIVER
        .replace("@served", &name(&files.served))
        .replace("@taken", &name(&files.taken))
        .replace("@call", &call)
        .replace("@main", harness::MAIN)
}

const DRIVER: &str = r#"#undef main
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct { int number, used; unsigned char bytes[16]; } *xcute_inputs;
static int xcute_count = -1;
static FILE *xcute_log;

static void xcute_read(void) {
  FILE *in = fopen(@served, "r");
  char digits[40];
  int number, room = 0;
  xcute_count = 0;
  xcute_log = fopen(@taken, "w");
  while (in && fscanf(in, "%d %39s", &number, digits) == 2) {
    if (xcute_count == room) xcute_inputs = realloc(xcute_inputs, (room = 2 * room + 16) * sizeof *xcute_inputs);
    memset(&xcute_inputs[xcute_count], 0, sizeof *xcute_inputs);
    xcute_inputs[xcute_count].number = number;
    for (int i = 0; i < 16 && digits[2 * i]; i++) {
      unsigned byte = 0;
      sscanf(digits + 2 * i, "%2x", &byte);
      xcute_inputs[xcute_count].bytes[i] = byte;
    }
    xcute_count++;
  }
  if (in) fclose(in);
}

void __xcute_input(void *at, unsigned long size, const char *name, int number) {
  if (xcute_count < 0) xcute_read();
  memset(at, 0, size);
  for (int i = 0; i < xcute_count; i++)
    if (!xcute_inputs[i].used && xcute_inputs[i].number == number) {
      memcpy(at, xcute_inputs[i].bytes, size < 16 ? size : 16);
      xcute_inputs[i].used = 1;
      break;
    }
  if (xcute_log) fprintf(xcute_log, "%d\n", number), fflush(xcute_log);
}
void __xcute_assume(int holds) { if (!holds) _exit(3); }
void __xcute_assert(int holds, const char *text, const char *file, int line) { if (!holds) abort(); }

int @main();
int main(void) {
@call
  return 0;
}
"#;
