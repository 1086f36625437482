//! What of a program's surroundings is symbolic: arguments, standard input, files, environment variables.
//!
//! The harness makes each of them inputs before it calls `main`. Arguments and variables are strings of a bounded length; standard input
//! and files have a bounded length, and how many bytes are missing is an input as well, so that the first run sees whole files.
//! The files are handed to the models of the C library (`runtimes/c/models/stdio.c`) in a table.
//!
//! **Invariant.** The inputs have the same numbers in the harness and where a case is read back: both go through `World::inputs`.

use std::fmt::Write as _;

use xcute_trace::Bound;

use super::launch::Launch;
use crate::build::bounds::{self, count};
use crate::build::harness::{HARNESS, MAIN, c_string};
use crate::cases::graph::{InputGraph, LeafValue};
use crate::types::inputs::TypeTable;

/// The function that makes the inputs. It is called like a model, so its decisions are not the program's.
pub const MAKER: &str = "xcm_program";

/// Arguments that are symbolic; they come after the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SymbolicArguments {
    /// At least this many.
    pub least: u32,
    /// At most this many.
    pub most: u32,
    /// Each has at most this many bytes.
    pub bytes: u32,
}

/// The surroundings of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct World {
    /// The arguments as they were given, the program's name first.
    pub arguments: Vec<Vec<u8>>,
    /// Those that are symbolic.
    pub symbolic: Vec<SymbolicArguments>,
    /// How many bytes standard input has at most; `None`: it is empty.
    pub stdin: Option<u32>,
    /// Files by name, and how many bytes they have at most.
    pub files: Vec<(String, u32)>,
    /// Environment variables, and how many bytes they have at most.
    pub environment: Vec<(String, u32)>,
}

/// What an input is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// How many arguments of a group are absent.
    Absent(usize),
    /// An argument: the group, and which one of it.
    Argument(usize, u32),
    /// How many bytes of a file are missing.
    Missing(usize),
    /// The bytes of a file.
    Bytes(usize),
    /// A variable's value.
    Variable(usize),
}

impl World {
    /// Standard input, which has no name, and the files.
    fn all_files(&self) -> Vec<(Option<&str>, u32)> {
        let stdin = self.stdin.map(|most| (None, most));
        stdin.into_iter().chain(self.files.iter().map(|(name, most)| (Some(name.as_str()), *most))).collect()
    }

    /// All inputs; the number of each is its place.
    fn inputs(&self) -> Vec<Role> {
        let mut out = Vec::new();
        for (group, of) in self.symbolic.iter().enumerate() {
            out.push(Role::Absent(group));
            out.extend((0..of.most).map(|k| Role::Argument(group, k)));
        }
        out.extend((0..self.all_files().len()).flat_map(|f| [Role::Missing(f), Role::Bytes(f)]));
        out.extend((0..self.environment.len()).map(Role::Variable));
        out
    }

    /// Up to which sizes its parts are made.
    #[must_use]
    pub fn bounds(&self) -> Vec<Bound> {
        let mut out = Vec::new();
        for SymbolicArguments { most, bytes, .. } in &self.symbolic {
            let text = format!("{} of up to {}", count(*most, "argument"), count(*bytes, "byte"));
            bounds::add(&mut out, Bound::new("arguments", (*most).into(), text));
        }
        for (name, most) in self.all_files() {
            let name = name.unwrap_or("standard input");
            bounds::add(&mut out, Bound::new(name, most.into(), format!("{name} of up to {}", count(most, "byte"))));
        }
        for (name, most) in &self.environment {
            bounds::add(&mut out, Bound::new(name, (*most).into(), format!("{name} of up to {}", count(*most, "byte"))));
        }
        out
    }

    /// The harness for a `main` with this many parameters.
    #[must_use]
    pub fn harness(&self, parameters: u32) -> String {
        let mut data = String::from("/* Made by xcute: makes the surroundings of a program and calls its main. */\n#include \"xcute.h\"\n");
        data += "#include <stdlib.h>\n\n";
        let _ = writeln!(data, "int {MAIN}({});", ["void", "int", "int, char **", "int, char **, char **"][parameters.min(3) as usize]);
        data += "extern char **environ;\nstruct xcute_file { const char *name; const unsigned char *data; unsigned most, missing; };\n";
        for (k, argument) in self.arguments.iter().enumerate() {
            let _ = writeln!(data, "static char given_{k}[] = {};", c_string(argument));
        }
        let mut body = String::new();
        for (number, role) in self.inputs().into_iter().enumerate() {
            self.input(number, role, &mut data, &mut body);
        }
        self.files_table(&mut data);
        let given = self.arguments.len();
        let room = given + self.symbolic.iter().map(|s| s.most as usize).sum::<usize>() + 1;
        let _ = writeln!(data, "static char *arguments[{room}];\n\nvoid {MAKER}(void);\nvoid {MAKER}(void) {{\n  int n = 0;");
        for k in 0..given {
            let _ = writeln!(data, "  arguments[n++] = given_{k};");
        }
        data += &body;
        let call = &"n, arguments, environ"[..[0, 1, 12, 21][parameters.min(3) as usize]];
        let _ = writeln!(data, "  {MAIN}({call});\n}}\n\nvoid {HARNESS}(void);\nvoid {HARNESS}(void) {{ {MAKER}(); }}");
        data
    }

    /// Declares one input, and makes it one.
    fn input(&self, number: usize, role: Role, data: &mut String, body: &mut String) {
        let mut ask = |at: &str, of: &str, size: &str, name: &[u8]| {
            let _ = writeln!(body, "  XCUTE_INPUT_({at}, {of}, {size}, {}, {number});", c_string(name));
        };
        match role {
            Role::Absent(group) => {
                let of = self.symbolic[group];
                let _ = writeln!(data, "static unsigned absent_{group};");
                if of.least < of.most {
                    ask(&format!("&absent_{group}"), "unsigned", "sizeof(unsigned)", b"absent");
                    let _ = writeln!(body, "  xcute_assume(absent_{group} <= {});", of.most - of.least);
                }
            }
            Role::Argument(group, k) => {
                let of = self.symbolic[group];
                let _ = writeln!(data, "static char argument_{group}_{k}[{}];", of.bytes + 1);
                ask(&format!("argument_{group}_{k}"), "char", &of.bytes.to_string(), b"argument[]");
                let there = if k < of.least { String::new() } else { format!("if (absent_{group} < {}) ", of.most - k) };
                let _ = writeln!(body, "  {there}arguments[n++] = argument_{group}_{k};");
            }
            Role::Missing(file) => {
                let _ = writeln!(data, "static unsigned missing_{file};");
                ask(&format!("&missing_{file}"), "unsigned", "sizeof(unsigned)", b"missing");
                let _ = writeln!(body, "  xcute_assume(missing_{file} <= {});", self.all_files()[file].1);
            }
            Role::Bytes(file) => {
                let most = self.all_files()[file].1;
                let _ = writeln!(data, "static unsigned char data_{file}[{}];", most.max(1));
                ask(&format!("data_{file}"), "unsigned char", &most.to_string(), b"data[]");
                let _ = writeln!(body, "  xcute_files[{file}].missing = missing_{file};");
            }
            Role::Variable(k) => {
                let (name, most) = &self.environment[k];
                let start = name.len() + 1;
                let _ = writeln!(
                    data,
                    "static char variable_{k}[{}] = {};",
                    start as u64 + u64::from(*most) + 1,
                    c_string(format!("{name}=").as_bytes())
                );
                // While it is still concrete: the library keeps the pointer only.
                let _ = writeln!(body, "  putenv(variable_{k});");
                let (at, name, most) = (format!("variable_{k} + {start}"), c_string(b"variable[]"), most);
                let _ = writeln!(body, "  XCUTE_INPUT_({at}, char, {most}, {name}, {number});");
            }
        }
    }

    fn files_table(&self, data: &mut String) {
        let files = self.all_files();
        let _ = writeln!(data, "struct xcute_file xcute_files[{}] = {{", files.len().max(1));
        for (k, (name, most)) in files.iter().enumerate() {
            let name = name.map_or("0".to_owned(), |n| c_string(n.as_bytes()));
            let _ = writeln!(data, "  {{{name}, data_{k}, {most}, 0}},");
        }
        let _ = writeln!(data, "}};\nconst unsigned xcute_n_files = {};", files.len());
    }

    /// The launch of a case.
    #[must_use]
    pub fn launch(&self, table: &TypeTable, graph: &InputGraph) -> Launch {
        let files = self.all_files();
        let mut launch = Launch { arguments: self.arguments.clone(), ..Launch::default() };
        let (mut absent, mut missing) = (0, 0);
        for (number, role) in self.inputs().into_iter().enumerate() {
            let bytes = |most: u32| bytes_of(table, graph, number as u32, most as usize);
            let number = || u32::from_le_bytes(bytes(4).try_into().unwrap_or_default());
            match role {
                Role::Absent(_) => absent = number(),
                Role::Missing(_) => missing = number(),
                Role::Argument(group, k) => {
                    let of = self.symbolic[group];
                    if k < of.least || absent < of.most - k {
                        launch.arguments.push(string(bytes(of.bytes)));
                    }
                }
                Role::Bytes(file) => {
                    let (name, most) = files[file];
                    let data = bytes(most)[..most.saturating_sub(missing) as usize].to_vec();
                    match name {
                        Some(name) => launch.files.push((name.to_owned(), data)),
                        None => launch.stdin = data,
                    }
                }
                Role::Variable(k) => {
                    let (name, most) = &self.environment[k];
                    launch.environment.push((name.clone(), string(bytes(*most))));
                }
            }
        }
        launch
    }
}

impl World {
    /// Launches to begin with, as inputs by name, width and value: what is really there, and a few texts. Programs that read texts give up
    /// at once where all bytes are zero, so a search that begins there sees little of them.
    #[must_use]
    pub fn samples(&self, table: &TypeTable, there: &[Vec<Option<Vec<u8>>>]) -> Vec<Vec<(String, u32, u64)>> {
        let mut out: Vec<_> = there.iter().map(|files| self.values(table, |file, _| files.get(file?).cloned().flatten())).collect();
        for text in [&b"a"[..], b"1", b" ", b"\n", b"a 1\n"] {
            out.push(self.values(table, |_, most| Some(text.iter().copied().cycle().take(most as usize).collect())));
            out.push(self.values(table, |_, _| Some(text.to_vec())));
        }
        out.push(self.values(table, |_, _| Some(Vec::new())));
        out
    }

    /// How many files there are, standard input among them.
    #[must_use]
    pub fn file_count(&self) -> usize {
        self.all_files().len()
    }

    /// The inputs of a launch. `pick` gives the bytes of a file, by number, or of another text; its argument is how many there may be.
    fn values(&self, table: &TypeTable, pick: impl Fn(Option<usize>, u32) -> Option<Vec<u8>>) -> Vec<(String, u32, u64)> {
        let mut out = Vec::new();
        for (number, role) in self.inputs().into_iter().enumerate() {
            let key = table.roots.iter().position(|r| r.function == MAKER && r.number as usize == number);
            let Some(key) = key.and_then(|k| u32::try_from(k).ok()) else { continue };
            let (file, most) = match role {
                Role::Absent(_) => continue,
                Role::Argument(group, _) => (None, self.symbolic[group].bytes),
                Role::Missing(file) | Role::Bytes(file) => (Some(file), self.all_files()[file].1),
                Role::Variable(k) => (None, self.environment[k].1),
            };
            let Some(mut bytes) = pick(file, most) else { continue };
            bytes.truncate(most as usize);
            if let Role::Missing(_) = role {
                out.push((table.name_of_root(key, 0, 0, 0), 32, u64::from(most) - bytes.len() as u64));
            } else {
                let named = (0..).zip(&bytes).map(|(at, byte)| (table.name_of_root(key, 0, at, 0), 8, u64::from(*byte)));
                out.extend(named);
            }
        }
        out
    }
}

/// The bytes of an input; those that have no value are zero.
fn bytes_of(table: &TypeTable, graph: &InputGraph, number: u32, most: usize) -> Vec<u8> {
    let mut out = vec![0; most];
    let is_it = |key: u32| table.roots.get(key as usize).is_some_and(|r| r.function == MAKER && r.number == number);
    for leaf in graph.roots.iter().filter(|r| is_it(r.key)).flat_map(|r| &r.leaves) {
        let LeafValue::Word(word) = leaf.value else { continue };
        for (k, byte) in word.to_le_bytes().into_iter().take(usize::from(leaf.bits / 8)).enumerate() {
            if let Some(to) = usize::try_from(leaf.offset).ok().and_then(|at| out.get_mut(at + k)) {
                *to = byte;
            }
        }
    }
    out
}

/// Bytes up to the first NUL.
fn string(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.truncate(bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len()));
    bytes
}
