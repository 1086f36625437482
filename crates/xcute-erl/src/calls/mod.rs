//! Where calls go: to functions that the replay knows, to copies of modules, to models, or elsewhere.
//!
//! The instrumenter, which writes the calls, and the replay, which follows them, ask the same table.
//!
//! **Invariant.** A call that goes elsewhere is opaque: its value comes with the events.

mod bif;
mod process;
mod told;

pub use bif::{Bif, Bifs};
pub use process::{Process, Processes};
pub use told::{Told, ToldTable};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::core::ast::{Expr, Function, Module};
use crate::etf::{Atom, Atoms};

/// Where a call of a known function goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Callee {
    /// The replay computes it.
    Bif(Bif),
    /// A function of a module with a copy.
    Followed,
    /// A model: the function of this name in the copy of the models' module.
    Model(Atom),
    /// `apply/2`.
    Apply2,
    /// `apply/3`.
    Apply3,
    /// Told by the run, and computed by the replay.
    Told(Told),
    /// Processes: in instrumented code a function of `xcute_tasks` in place of it, and the replay knows what it does.
    Process(Process),
    /// `put/2`, `get/1` or `erase/1`: the value may be one that the program put there.
    Dictionary,
    /// Not followed, and in instrumented code a function of the runtime in place of it.
    Runtime,
    /// Not followed.
    Opaque,
}

/// The module with models of functions that are not written in Erlang.
pub const MODELS: &str = "xcute_models";

/// What copies are called.
#[must_use]
pub fn copy_name(module: &str) -> String {
    format!("xcute@{module}")
}

/// A module that is followed.
#[derive(Clone, Debug)]
struct Followed {
    copy: Atom,
    exports: FxHashSet<(Atom, u32)>,
    stubs: FxHashSet<(Atom, u32)>,
}

/// All modules that are followed, and the functions that are not like others.
#[derive(Clone, Debug)]
pub struct Linkage {
    bifs: Bifs,
    told: ToldTable,
    processes: Processes,
    modules: FxHashMap<Atom, Followed>,
    models: FxHashMap<(Atom, Atom, u32), Atom>,
    runtime: FxHashSet<(Atom, u32)>,
    dictionary: FxHashSet<(Atom, u32)>,
    models_module: Atom,
    models_copy: Atom,
}

/// Functions of `erlang` that the runtime answers in place of it, because they would show what we added.
const RUNTIME: &[(&str, u32)] = &[
    ("get", 0),
    ("get_keys", 0),
    ("get_keys", 1),
    ("erase", 0),
    ("process_info", 1),
    ("process_info", 2),
    ("fun_info", 1),
    ("fun_info", 2),
    ("halt", 0),
    ("halt", 1),
    ("halt", 2),
];

/// Functions of `erlang` that start something that goes on by itself begin like this.
const STARTS: &[&str] =
    &["spawn", "send_", "start_timer", "open_port", "port_", "apply", "halt", "dist_", "disconnect", "trace", "system_flag", "set_cookie"];

/// Modules that start nothing.
const QUIET: &[&str] = &[
    "io",
    "io_lib",
    "ets",
    "math",
    "re",
    "unicode",
    "rand",
    "persistent_term",
    "erts_internal",
    "atomics",
    "counters",
    "zlib",
    "string",
    "unicode_util",
    "xcute_rt",
];

/// A module, its copy, and those of its functions that go elsewhere: to a model, or nowhere that we follow.
pub type Exceptions = (Atom, Atom, Vec<(Atom, u32, Option<Atom>)>);

impl Linkage {
    /// A table in which nothing is followed.
    #[must_use]
    pub fn new(atoms: &mut Atoms) -> Linkage {
        let mut names = |list: &[(&str, u32)]| list.iter().map(|&(name, arity)| (atoms.intern(name), arity)).collect();
        let (runtime, dictionary) = (names(RUNTIME), names(&[("put", 2), ("get", 1), ("erase", 1)]));
        Linkage {
            bifs: Bifs::new(atoms),
            told: ToldTable::new(atoms),
            processes: Processes::new(atoms),
            modules: FxHashMap::default(),
            models: FxHashMap::default(),
            runtime,
            dictionary,
            models_module: atoms.intern(MODELS),
            models_copy: atoms.intern(&copy_name(MODELS)),
        }
    }

    /// Follows a module.
    pub fn follow(&mut self, module: &Module, stubs: FxHashSet<(Atom, u32)>, atoms: &mut Atoms) {
        let copy = atoms.intern(&copy_name(atoms.name(module.name)));
        let exports: FxHashSet<(Atom, u32)> = module.exports.iter().copied().filter(|(name, _)| *name != Atom::MODULE_INFO).collect();
        if module.name == self.models_module {
            for &(name, arity) in &module.exports {
                if let Some((of, function)) = atoms.name(name).to_owned().split_once(':') {
                    self.models.insert((atoms.intern(of), atoms.intern(function), arity), name);
                }
            }
        }
        self.modules.insert(module.name, Followed { copy, exports, stubs });
    }

    /// Whether a module is followed.
    #[must_use]
    pub fn follows(&self, module: Atom) -> bool {
        self.modules.contains_key(&module)
    }

    /// The functions of this arity that a module exports, in the order of their names; `None` where others may be called, too: the module is not followed,
    /// or it says itself what happens to calls of functions that it does not have.
    #[must_use]
    pub fn exported(&self, module: Atom, arity: u32, atoms: &Atoms) -> Option<Vec<Atom>> {
        let exports = &self.modules.get(&module)?.exports;
        if exports.iter().any(|&(name, _)| atoms.name(name) == "$handle_undefined_function") {
            return None;
        }
        let mut names: Vec<Atom> = exports.iter().filter(|of| of.1 == arity).map(|of| of.0).collect();
        names.extend((arity < 2).then_some(Atom::MODULE_INFO));
        names.sort_unstable_by_key(|&name| atoms.name(name));
        Some(names)
    }

    /// The copy of a module that is followed.
    #[must_use]
    pub fn copy(&self, module: Atom) -> Option<Atom> {
        self.modules.get(&module).map(|followed| followed.copy)
    }

    /// The copy of the module with the models.
    #[must_use]
    pub fn models_copy(&self) -> Atom {
        self.models_copy
    }

    /// The module with the models.
    #[must_use]
    pub fn models_module(&self) -> Atom {
        self.models_module
    }

    /// Where a call of `module:name/arity` goes.
    #[must_use]
    pub fn callee(&self, module: Atom, name: Atom, arity: u32) -> Callee {
        if let Some(&model) = self.models.get(&(module, name, arity)) {
            return Callee::Model(model);
        }
        if let Some(told) = self.told.get(module, name, arity) {
            return Callee::Told(told);
        }
        if module == Atom::ERLANG {
            if let Some(process) = self.processes.get(name, arity) {
                return Callee::Process(process);
            }
            return match (name, arity) {
                (Atom::APPLY, 2) => Callee::Apply2,
                (Atom::APPLY, 3) => Callee::Apply3,
                of if self.runtime.contains(&of) => Callee::Runtime,
                of if self.dictionary.contains(&of) => Callee::Dictionary,
                _ => self.bifs.get(name, arity).map_or(Callee::Opaque, Callee::Bif),
            };
        }
        match self.modules.get(&module) {
            Some(followed) if followed.exports.contains(&(name, arity)) && !followed.stubs.contains(&(name, arity)) => Callee::Followed,
            _ => Callee::Opaque,
        }
    }

    /// Whether a call that is not followed may start something that goes on by itself: a timer, a process, the end of the emulator.
    #[must_use]
    pub fn may_start(&self, module: Atom, name: Atom, atoms: &Atoms) -> bool {
        let (module, name) = (atoms.name(module), atoms.name(name));
        if module == "erlang" { STARTS.iter().any(|start| name.starts_with(start)) } else { !QUIET.contains(&module) }
    }

    /// What the runtime must know: modules with their copies (`opaque` where there is none) and with the functions that go to a model or, `None`, nowhere
    /// that we follow. Sorted.
    #[must_use]
    pub fn exceptions(&self) -> Vec<Exceptions> {
        let mut all: Vec<_> = self.modules.iter().map(|(&module, followed)| (module, followed.copy, Vec::new())).collect();
        let modelled: std::collections::BTreeSet<Atom> = self.models.keys().map(|key| key.0).collect();
        let only_models = modelled.into_iter().filter(|module| !self.modules.contains_key(module));
        all.extend(only_models.map(|module| (module, Atom::OPAQUE, Vec::new())));
        all.sort_unstable_by_key(|entry| entry.0);
        for (module, _, list) in &mut all {
            let models =
                self.models.iter().filter(|((of, ..), _)| of == module).map(|(&(_, name, arity), &model)| (name, arity, Some(model)));
            list.extend(models);
            if let Some(followed) = self.modules.get(module) {
                let stubs = followed.stubs.iter().filter(|&&(name, arity)| !self.models.contains_key(&(*module, name, arity)));
                list.extend(stubs.map(|&(name, arity)| (name, arity, None)));
                list.extend(self.told.of(*module).map(|(name, arity)| (name, arity, None)));
            }
            list.sort_unstable();
            list.dedup();
        }
        all
    }
}

/// The functions of a module that are written in another language: their body in Erlang only says so.
#[must_use]
pub fn stubs(module: &Module) -> FxHashSet<(Atom, u32)> {
    let stub = |function: &&Function| only_nif_error(&function.fun) == Some(true);
    module.functions.iter().filter(stub).map(|function| (function.name, function.arity)).collect()
}

/// Whether nothing but that is said; `None` where an expression says nothing: that no clause matches.
fn only_nif_error(expr: &Expr) -> Option<bool> {
    match expr {
        Expr::Call { module, name, .. } => {
            Some(module.literal_atom() == Some(Atom::ERLANG) && name.literal_atom() == Some(Atom::NIF_ERROR))
        }
        Expr::Fun(_, _, body) | Expr::Let { body, .. } | Expr::Seq(_, _, body) => only_nif_error(body),
        Expr::Case { clauses, .. } => clauses.iter().filter_map(|clause| only_nif_error(&clause.body)).reduce(|one, other| one && other),
        Expr::Primop { .. } => None,
        _ => Some(false),
    }
}
