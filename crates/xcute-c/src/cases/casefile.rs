//! Case files: a test case as JSON, with its inputs named, so that people read it and `xcute replay` repeats it.
//!
//! Inputs are identified by place (argument, `xcute_input` call or object, and offset), never by an address or a variable's number, so a file
//! outlives the campaign that wrote it. An object is named after the pointer variable that owns it.
//!
//! **Invariant.** [`CaseFile::graph`] gives back the graph that [`CaseFile::inputs_of`] was given.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;
use xcute_trace::Failure;

use crate::build::harness::{Calls, HARNESS};
use crate::cases::graph::{InputGraph, Leaf, LeafValue, Object, Root};
use crate::types::dwarf::Program;
use crate::types::inputs::{Lengths, TypeTable, XC_SIGNED, XC_TY_OPAQUE, XC_TY_POINTER};
use crate::types::value;

pub use xcute_threads::{CaseSchedule, TaskName};

/// The version of the format.
pub const VERSION: u32 = 1;

/// A test case and all that is needed to repeat it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseFile {
    /// The version of the format.
    pub xcute: u32,
    /// `c`.
    pub language: String,
    /// The directory that relative paths and flags are meant in. Where it is relative itself, that is meant in the directory of the file: results can be
    /// moved together with the sources.
    pub directory: PathBuf,
    /// The subject's files, as the user gave them.
    pub sources: Vec<PathBuf>,
    /// The entry function, or what stands for it.
    pub entry: String,
    /// Sequences of calls instead of an entry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calls: Option<Calls>,
    /// The function that accepts inputs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pre: Option<String>,
    /// The user's flags for the compiler.
    pub flags: Vec<String>,
    /// The sizes of objects.
    pub lengths: Lengths,
    /// `passed`, `failed`, `rejected` or the budget that was used up.
    pub outcome: String,
    /// What went wrong.
    pub failure: Option<Failure>,
    /// The calls, for people.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sequence: Vec<String>,
    /// The inputs.
    pub inputs: Vec<CaseInput>,
    /// Which thread ran when, if there were several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schedule: Option<CaseSchedule>,
}

/// One value of an input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseInput {
    /// Its name: `p->next->v`.
    pub name: String,
    /// Its C type.
    #[serde(rename = "type")]
    pub of: String,
    /// Numbers in decimal (letters, enumerators and exact bits beside them); pointers as `null`, `new`, `= p->next`, `function f`.
    pub value: String,
    /// Where it is.
    pub at: CasePlace,
}

/// Where an input is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CasePlace {
    /// What holds it.
    #[serde(flatten)]
    pub holder: Holder,
    /// Bytes from the start.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub offset: u64,
    /// Bit-fields: the first bit in that byte.
    #[serde(default, skip_serializing_if = "is_zero_bit")]
    pub bit: u16,
    /// Its width.
    pub bits: u16,
}

/// What holds an input.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Holder {
    /// The argument of the entry with this number, from 0.
    Argument {
        /// The number.
        argument: u32,
    },
    /// The object that the pointer with this name owns.
    Object {
        /// The pointer.
        object: String,
    },
    /// A call of `xcute_input`.
    Call {
        /// The function it stands in.
        function: String,
        /// Its number in the file.
        number: u32,
        /// The name it passes.
        passed: String,
        /// How often it was executed before.
        turn: u32,
    },
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_zero(offset: &u64) -> bool {
    *offset == 0
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_zero_bit(bit: &u16) -> bool {
    *bit == 0
}

/// Why a case file cannot be used.
#[derive(Debug, Error)]
pub enum CaseError {
    /// It cannot be read.
    #[error("cannot read {}: {why}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        why: std::io::Error,
    },
    /// It is not a case.
    #[error("{} is not a case of xcute: {why}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// The reader's reason.
        why: String,
    },
    /// A flag of it could do more than compile.
    #[error("the case asks for the compiler's flag {flag:?}, which could run or write something (if the case is your own, say --trust)")]
    Wild {
        /// The flag.
        flag: String,
    },
    /// It no longer fits the program.
    #[error("the case does not fit the program: {what} (has the source changed since?)")]
    Stale {
        /// What does not fit.
        what: String,
    },
}

/// A directory that a case file names, as it is seen from the file.
#[must_use]
pub fn base(directory: &Path, file: &Path) -> PathBuf {
    let here = file.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let base = here.join(directory);
    base.canonicalize().unwrap_or(base)
}

impl CaseFile {
    /// Reads a case file.
    ///
    /// # Errors
    /// If it cannot be read, or is not a case.
    pub fn read(path: &Path) -> Result<CaseFile, CaseError> {
        let text = std::fs::read_to_string(path).map_err(|why| CaseError::Io { path: path.to_owned(), why })?;
        let format = |why: String| CaseError::Format { path: path.to_owned(), why };
        let case: CaseFile = serde_json::from_str(&text).map_err(|e| format(e.to_string()))?;
        if case.xcute != VERSION {
            return Err(format(format!("it has version {} of the format, this xcute knows {VERSION}", case.xcute)));
        }
        Ok(case)
    }

    /// The directory that relative paths and flags are meant in, of a case that was read from this file.
    #[must_use]
    pub fn base(&self, path: &Path) -> PathBuf {
        base(&self.directory, path)
    }

    /// The file's text.
    #[must_use]
    pub fn text(&self) -> String {
        serde_json::to_string_pretty(self).expect("maps have string keys and nothing fails to serialise") + "\n"
    }

    /// The inputs of a graph.
    #[must_use]
    pub fn inputs_of(program: &Program, table: &TypeTable, graph: &InputGraph) -> Vec<CaseInput> {
        let mut out = Vec::new();
        let mut add = |holder: Holder, leaves: &[Leaf]| {
            for leaf in leaves {
                out.push(CaseInput {
                    name: leaf.name.clone(),
                    of: type_name(program, table, leaf.of),
                    value: value_text(program, table, graph, leaf),
                    at: CasePlace { holder: holder.clone(), offset: leaf.offset, bit: leaf.bit, bits: leaf.bits },
                });
            }
        };
        for root in &graph.roots {
            let described = &table.roots[root.key as usize];
            let holder = if described.function == HARNESS {
                Holder::Argument { argument: described.number }
            } else {
                let (function, passed) = (described.function.clone(), described.passed.clone());
                Holder::Call { function, number: described.number, passed, turn: root.nth }
            };
            add(holder, &root.leaves);
        }
        for object in &graph.objects {
            add(Holder::Object { object: object.owner.clone() }, &object.leaves);
        }
        out
    }

    /// The `xcute_input` calls of the case, each once: function, number and passed name.
    #[must_use]
    pub fn calls(&self) -> Vec<(&str, u32, &str)> {
        let mut out: Vec<(&str, u32, &str)> = Vec::new();
        for input in &self.inputs {
            if let Holder::Call { function, number, passed, .. } = &input.at.holder
                && !out.iter().any(|(f, n, p)| f == function && n == number && p == passed)
            {
                out.push((function, *number, passed));
            }
        }
        out
    }

    /// The input graph, with types from a table whose inputs are the entry's arguments and [`CaseFile::calls`].
    ///
    /// # Errors
    /// If the inputs do not fit the table.
    pub fn graph(&self, table: &TypeTable) -> Result<InputGraph, CaseError> {
        let mut graph = InputGraph::default();
        // All arguments are there, even those without a leaf.
        for (key, _) in table.roots.iter().enumerate().filter(|(_, r)| r.function == HARNESS) {
            graph.roots.push(Root { key: key as u32, nth: 0, leaves: Vec::new() });
        }
        let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
        let mut known: BTreeMap<(u32, u32), usize> = graph.roots.iter().enumerate().map(|(index, r)| ((r.key, r.nth), index)).collect();
        for input in &self.inputs {
            let CasePlace { holder, offset, bit, bits } = &input.at;
            let stale = || CaseError::Stale { what: format!("there is no input {}", input.name) };
            let place = place_of(table, (&mut graph, &mut known), &numbers, holder).ok_or_else(stale)?;
            let outer = match place {
                Place::Root(index) => table.inputs[graph.roots[index].key as usize],
                Place::Object(index) => table.get(graph.objects[index].of).elem,
            };
            let of = table.leaf_at(outer, *offset, *bit).ok_or_else(stale)?;
            let value = match pointed(input) {
                Some(owner) if table.get(of).kind == XC_TY_POINTER => {
                    let next = graph.objects.len();
                    let index = *numbers.entry(owner).or_insert(next);
                    if index == next {
                        graph.objects.push(Object { owner: owner.to_owned(), of, leaves: Vec::new() });
                    }
                    LeafValue::Object(index)
                }
                Some(_) => return Err(stale()),
                None => parse_value(&input.value, *bits).ok_or_else(stale)?,
            };
            let leaf = Leaf { name: input.name.clone(), of, offset: *offset, bit: *bit, bits: *bits, value };
            match place {
                Place::Root(index) => graph.roots[index].leaves.push(leaf),
                Place::Object(index) => graph.objects[index].leaves.push(leaf),
            }
        }
        Ok(graph)
    }
}

enum Place {
    Root(usize),
    Object(usize),
}

/// What holds an input; a call's turn that was not met before is added.
fn place_of(
    table: &TypeTable,
    (graph, known): (&mut InputGraph, &mut BTreeMap<(u32, u32), usize>),
    numbers: &BTreeMap<&str, usize>,
    holder: &Holder,
) -> Option<Place> {
    if let Holder::Object { object } = holder {
        return numbers.get(object.as_str()).map(|&index| Place::Object(index));
    }
    let (key, nth) = key_of(table, holder)?;
    Some(Place::Root(*known.entry((key, nth)).or_insert_with(|| {
        graph.roots.push(Root { key, nth, leaves: Vec::new() });
        graph.roots.len() - 1
    })))
}

fn key_of(table: &TypeTable, holder: &Holder) -> Option<(u32, u32)> {
    let find = |function: &str, number: u32, passed: Option<&str>| {
        let fits =
            |r: &crate::types::inputs::RootName| r.function == function && r.number == number && passed.is_none_or(|p| r.passed == p);
        table.roots.iter().position(fits).map(|key| key as u32)
    };
    match holder {
        Holder::Argument { argument } => find(HARNESS, *argument, None).map(|key| (key, 0)),
        Holder::Call { function, number, passed, turn } => find(function, *number, Some(passed)).map(|key| (key, *turn)),
        Holder::Object { .. } => None,
    }
}

/// The owner of the object that an input's text points to.
fn pointed(input: &CaseInput) -> Option<&str> {
    if input.value == "new" { Some(&input.name) } else { input.value.strip_prefix("= ") }
}

fn parse_value(text: &str, bits: u16) -> Option<LeafValue> {
    if text == "null" {
        return Some(LeafValue::Null);
    }
    if let Some(name) = text.strip_prefix("function ") {
        return Some(LeafValue::Function(name.to_owned()));
    }
    let mask = if bits >= 64 { u64::MAX } else { (1 << bits) - 1 };
    value::parse(text).map(|word| LeafValue::Word(word & mask))
}

fn type_name(program: &Program, table: &TypeTable, of: u32) -> String {
    match table.origin.get(of as usize) {
        Some(&origin) if origin != crate::types::dwarf::TypeId::VOID => program.type_name(program.unqualified(origin)),
        _ if table.get(of).kind == XC_TY_OPAQUE => "unsigned char".to_owned(),
        _ => crate::types::dwarf::integer(table.get(of).size, table.get(of).flags & XC_SIGNED != 0).to_owned(),
    }
}

fn value_text(program: &Program, table: &TypeTable, graph: &InputGraph, leaf: &Leaf) -> String {
    match &leaf.value {
        LeafValue::Null => "null".to_owned(),
        LeafValue::Function(name) => format!("function {name}"),
        LeafValue::Object(index) => match graph.objects.get(*index) {
            Some(object) if object.owner == leaf.name => "new".to_owned(),
            Some(object) => format!("= {}", object.owner),
            None => "null".to_owned(),
        },
        LeafValue::Word(word) if table.get(leaf.of).kind == XC_TY_POINTER => format!("{word:#x}"),
        LeafValue::Word(word) => value::show(program, table, leaf.of, leaf.bits, *word),
    }
}

#[cfg(test)]
mod tests;
