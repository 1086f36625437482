//! What is known of the whole program while its functions are rewritten, and what is recorded about it in the end.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use xcute_trace::{Site, SiteId, SiteKind, Sites};

use super::llvm::{Block, Place, Value};
use super::ours::{is_generated, is_model};
use super::spin::Spins;
use super::steps::Flow;
use crate::instrument::compiled::{CoverageItem, Departure, FunctionInfo, InputKey};
use crate::tools::system::is_system;

/// The program's tables; each becomes a field of [`crate::instrument::compiled::Compiled`].
#[derive(Default)]
pub(super) struct Program {
    /// Functions that have a body here and are rewritten.
    pub(super) instrumented: FxHashSet<Value>,
    /// Those that may be called through a pointer.
    pub(super) address_taken: FxHashSet<Value>,
    /// Those that code may call that is not instrumented.
    pub(super) called_by_others: FxHashSet<Value>,
    /// Its global variables by name.
    pub(super) variables: Vec<(String, Value)>,
    /// Whether there is code besides the program and the libraries of its language.
    pub(super) linked: bool,
    /// Calls of hooks that are there before the walk, with what was computed for them.
    pub(super) hooks: FxHashSet<Value>,
    /// Whether the program is so large that hooks are inlined into loops only.
    pub(super) large: bool,
    /// The names of functions that are compiled quickly.
    pub(super) cold: Vec<String>,
    /// Whether it can create threads.
    pub(super) threads: bool,
    /// Whether it can have files of its own, which only models know.
    pub(super) own_files: bool,
    /// Whether all memory is followed.
    pub(super) follow: bool,
    /// Whether hooks are not inlined at all.
    pub(super) quick: bool,
    pub(super) spins: Spins,
    /// The metadata kind that marks selects which are not decisions of the source.
    pub(super) plain_select: u32,
    /// The metadata kind that marks what clang adds to check for undefined behaviour.
    pub(super) check: u32,
    /// The control flow of the functions, for the successors of sites.
    pub(super) flows: Vec<Flow>,
    pub(super) sites: Sites,
    pub(super) switches: BTreeMap<SiteId, Vec<Vec<u64>>>,
    pub(super) coverage: Vec<CoverageItem>,
    pub(super) input_keys: Vec<InputKey>,
    pub(super) functions: Vec<FunctionInfo>,
    pub(super) files: Vec<String>,
    pub(super) foreign: Vec<String>,
    pub(super) departures: Vec<Departure>,
    pub(super) unsupported: Vec<String>,
    /// Locals and globals: their names, and the functions of locals.
    pub(super) objects: Vec<(String, String)>,
    /// The files that were compiled: never the system's, wherever they are.
    pub(super) sources: Vec<String>,
    file_index: FxHashMap<String, u32>,
    /// The number of sites of each function so far.
    ordinals: FxHashMap<String, u32>,
}

impl Program {
    /// The instructions of a block that are the program's own.
    pub(super) fn own(&self, block: Block) -> Vec<Value> {
        block.instructions().into_iter().filter(|i| !self.hooks.contains(i)).collect()
    }

    /// A new site at an instruction.
    pub(super) fn site(&mut self, kind: SiteKind, place: Place, function: &str, arms: u32) -> SiteId {
        let id = SiteId(index(self.sites.sites.len()));
        let next = self.ordinals.entry(function.to_owned()).or_insert(0);
        let ordinal = *next;
        *next += 1;
        let Place { file, line, column } = place;
        // Headers of the C++ library hold code, and what has no place was not written by anybody.
        let library = is_model(function) || file.is_empty() || (is_system(&file) && !self.sources.contains(&file));
        let kind = match kind {
            SiteKind::Branch | SiteKind::Switch if library || is_generated(function) => SiteKind::Library,
            other => other,
        };
        self.sites.sites.push(Site { kind, file, line, column, function: function.to_owned(), ordinal, arms, next: Vec::new() });
        id
    }

    /// The one site of all choices of which thread runs next: the last.
    pub(super) fn schedule_site(&mut self) {
        let (file, function, next) = (String::new(), String::new(), Vec::new());
        self.sites.sites.push(Site { kind: SiteKind::Schedule, file, line: 0, column: 0, function, ordinal: 0, arms: 1, next });
    }

    /// The index of a file's name.
    pub(super) fn file(&mut self, name: &str) -> u32 {
        if let Some(&i) = self.file_index.get(name) {
            return i;
        }
        let i = index(self.files.len());
        self.files.push(name.to_owned());
        self.file_index.insert(name.to_owned(), i);
        i
    }

    /// A new byte of the coverage map.
    pub(super) fn byte(&mut self, item: CoverageItem) -> u32 {
        self.coverage.push(item);
        index(self.coverage.len() - 1)
    }

    /// The index of a construct that is not modelled.
    pub(super) fn unsupported(&mut self, what: &str) -> u32 {
        position(&mut self.unsupported, what)
    }

    /// The index of a function that is not instrumented.
    pub(super) fn foreign(&mut self, name: &str) -> u32 {
        position(&mut self.foreign, name)
    }

    /// The number of a call that leaves the program.
    pub(super) fn departure(&mut self, call: Value, function: &str) -> u32 {
        let Place { file, mut line, .. } = call.place();
        // Lines of models say nothing to anybody.
        if is_model(&call.block().function().name()) {
            line = 0;
        }
        self.departures.push(Departure { function: function.to_owned(), file, line });
        index(self.departures.len() - 1)
    }

    /// The row of a local's name.
    pub(super) fn local(&mut self, name: &str, function: &str) -> u32 {
        self.objects.push((name.to_owned(), function.to_owned()));
        index(self.objects.len() - 1)
    }

    /// The key of a call of `xcute_input`.
    pub(super) fn input_key(&mut self, call: Value, function: &str, number: u32, name: String) -> u32 {
        let Place { file, line, .. } = call.place();
        self.input_keys.push(InputKey { file, function: function.to_owned(), number, name, line });
        index(self.input_keys.len() - 1)
    }
}

fn position(list: &mut Vec<String>, what: &str) -> u32 {
    let at = list.iter().position(|w| w == what).unwrap_or_else(|| {
        list.push(what.to_owned());
        list.len() - 1
    });
    index(at)
}

fn index(i: usize) -> u32 {
    u32::try_from(i).expect("fewer than 2^32 rows")
}
