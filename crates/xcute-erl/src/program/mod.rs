//! Programs: the modules under test and what they call, instrumented, compiled and flat.
//!
//! [`Modules`] are read once and serve every function that is tested; a [`Program`] is them with one function as the entry.
//!
//! **Invariant.** All subjects of a program share it, and nothing in it changes.

mod contract;
mod copies;
mod library;
mod made;
mod modules;
mod named;
mod option;
mod reach;

pub use contract::{BROKEN, CONTRACT, Contract, REJECTED};
pub use library::{LIBRARY, OWN_NUMBERS};
pub use made::MADE;
pub use modules::{Declared, Modules, Source};
pub use option::CompilerOption;

use std::sync::Arc;

use rustc_hash::FxHashSet;
use thiserror::Error;
use xcute_trace::{Site, SiteId, SiteKind, Sites};

use crate::core::read::CoreError;
use crate::etf::{Atom, Atoms, Term};
use crate::flat::{Code, Expr, FunId, Lowered, Lowering, Pat, PatId, Primop};
use crate::types::Inputs;
use crate::universe::{AtomLine, Tables, Universe};
use crate::vm::VmError;

/// Tuples of inputs are never wider, if their depth is bounded.
const WIDEST: u32 = 16;

/// Keys of maps that have fields of their own, at most.
const KEYS: usize = 32;

/// Atoms that are told apart by their characters.
const SPELLINGS: usize = 64;

/// Why a program cannot be tested.
#[derive(Debug, Error)]
pub enum ProgramError {
    /// Erlang is not there or does not answer.
    #[error(transparent)]
    Vm(#[from] VmError),
    /// A source does not compile, or an object file has no debug information.
    #[error("cannot read {of}: {reason}")]
    Unreadable {
        /// The file or module.
        of: String,
        /// What the compiler says.
        reason: String,
    },
    /// Core Erlang that we do not understand.
    #[error(transparent)]
    Core(#[from] CoreError),
    /// The instrumented module does not compile: a bug of ours.
    #[error("cannot instrument {of}: {reason}")]
    Instrument {
        /// The module.
        of: String,
        /// What the compiler says.
        reason: String,
    },
    /// There is no such function.
    #[error("cannot test {0}: the module does not export it")]
    Undefined(String),
    /// A function's specification cannot be used.
    #[error("cannot use the specification of {of}: {reason}")]
    Specification {
        /// The function.
        of: String,
        /// Why.
        reason: String,
    },
}

/// The modules with one function to be tested.
#[derive(Debug)]
pub struct Program {
    /// The modules.
    pub modules: Arc<Modules>,
    /// The flat program.
    pub code: Code,
    /// Its sites.
    pub sites: Sites,
    /// The functions that runs can come to, by name.
    pub functions: rustc_hash::FxHashMap<(Atom, Atom, u32), FunId>,
    /// The site of what is assumed about inputs.
    pub assumption: SiteId,
    /// The site of choices between processes; `None` if the program starts none.
    pub schedule: Option<SiteId>,
    /// Whether it calls servers, whose answers it waits for as long as they take.
    pub calls_servers: bool,
    /// Where runs begin: the function under test, or what asks whether something holds around it.
    pub entry: FunId,
    /// Its module and name.
    pub called: (Atom, Atom),
    /// The function under test.
    pub tested: FunId,
    /// Its module and name.
    pub call: (Atom, Atom),
    /// Whether some arguments are accepted and others are not: by a contract, or because nothing makes them.
    pub rejects: bool,
    /// What inputs are made of.
    pub universe: Universe,
    /// What the specification says about inputs.
    pub specified: Inputs,
    /// Elements of the largest tuple that the program's own modules mention.
    pub widest: u32,
    /// Atoms whose spelling the program knows: its own, and those that strings of it spell.
    pub spellings: Vec<Atom>,
    /// Atoms that the program's own modules write, as many as there may be decisions about one text.
    pub written: Vec<Atom>,
    /// Terms that they write where they use tables that hash their keys.
    pub hashed: Vec<Term>,
}

impl Program {
    /// The program whose entry is this function.
    ///
    /// # Errors
    /// Where the module does not export it.
    pub fn new(modules: &Arc<Modules>, module: &str, function: &str, arity: u32) -> Result<Program, ProgramError> {
        let undefined = || ProgramError::Undefined(format!("{module}:{function}/{arity}"));
        let name = |text| modules.atoms.get(text).ok_or_else(undefined);
        let (of, call) = (name(module)?, name(function)?);
        let own = modules.followed.iter().find(|followed| followed.normal.module.name == of && followed.own).ok_or_else(undefined)?;
        if !own.normal.module.exports.contains(&(call, arity)) {
            return Err(undefined());
        }
        // Where there is a contract, runs go through it.
        let contract =
            modules.atoms.get(CONTRACT).filter(|name| modules.followed.iter().any(|followed| followed.normal.module.name == *name));
        let called = contract.zip(modules.atoms.get("call")).unwrap_or((of, call));
        // Where inputs have to be made, they go through that first.
        let made = modules.made(module, function, arity, contract.is_some());
        let called = made.unwrap_or(called);
        let (Lowered { code, mut sites, functions }, spawns, calls_servers) = on_large_stack(|| {
            let reached = reach::reached(modules, (called.0, called.1, arity));
            let spawns =
                reached.functions.iter().any(|(module, name, _)| *module == Atom::ERLANG && modules.atoms.name(*name).starts_with("spawn"));
            let mut lowering = Lowering::new(&modules.linkage, &modules.atoms);
            for followed in &modules.followed {
                lowering.declare(&followed.normal.module);
            }
            for followed in &modules.followed {
                let module = &followed.normal.module;
                let counted = |name, arity| {
                    followed.own && !modules.is_around(module.name) && reached.functions.contains(&(module.name, name, arity))
                };
                lowering.module(
                    followed.number,
                    module,
                    &followed.file,
                    (&|name, arity| reached.holds(&(module.name, name, arity)), &counted),
                );
            }
            let calls_servers = reached.functions.iter().any(|(_, name, arity)| *arity == 4 && modules.atoms.name(*name) == "gen:call");
            let mut lowered = lowering.finish();
            // What has no body is not there.
            lowered.functions.retain(|mfa, _| reached.holds(mfa));
            (lowered, spawns, calls_servers)
        });
        let (entry, tested) = (functions[&(called.0, called.1, arity)], functions[&(of, call, arity)]);
        let site = sites.get(code.function(entry).pin);
        let assume = Site { kind: SiteKind::Assume, arms: 2, ordinal: u32::MAX, ..site.clone() };
        sites.sites.push(assume);
        let assumption = SiteId(u32::try_from(sites.sites.len() - 1).expect("few sites"));
        let schedule = spawns.then(|| {
            let site = sites.get(code.function(entry).pin);
            let site = Site { kind: SiteKind::Schedule, arms: 1, ordinal: u32::MAX - 1, ..site.clone() };
            sites.sites.push(site);
            SiteId(u32::try_from(sites.sites.len() - 1).expect("few sites"))
        });
        let tables = tables();
        let mut specified = modules.declarations.inputs((of, call, arity as usize), &mut modules.atoms.clone());
        let keys = keys(modules, &specified);
        specified.types.lay_out(&keys);
        let universe = Universe::new(AtomLine::new(names(modules, &code, &specified).into_iter()), keys, tables);
        let Named { spellings, written, hashed, .. } = modules.named.clone();
        let widest = widest(&code);
        let modules = Arc::clone(modules);
        Ok(Program {
            modules,
            code,
            sites,
            functions,
            assumption,
            schedule,
            calls_servers,
            entry,
            called,
            tested,
            call: (of, call),
            rejects: contract.is_some() || made.is_some(),
            universe,
            specified,
            widest,
            spellings,
            written,
            hashed,
        })
    }
}

impl Program {
    /// What inputs may be, up to a depth if that is bounded.
    ///
    /// # Errors
    /// Where no term is of the specified types and within the depth.
    pub fn inputs(&self, depth: Option<u32>) -> Result<Inputs, ProgramError> {
        self.specified.within(depth, self.widest).map_err(|reason| {
            let atoms = &self.modules.atoms;
            let arity = self.code.function(self.entry).arity;
            let of = format!("{}:{}/{arity}", atoms.name(self.call.0), atoms.name(self.call.1));
            ProgramError::Specification { of, reason }
        })
    }
}

/// Whether a module of this name is one that we put around the function under test.
fn is_around(name: &str) -> bool {
    matches!(name, CONTRACT | MADE)
}

/// Elements of the largest tuple of patterns and literals.
fn widest(code: &Code) -> u32 {
    let size = |pat: &Pat| if let Pat::Tuple(items) = pat { items.len() } else { 0 };
    u32::try_from(code.pats.iter().map(size).max().unwrap_or(0)).unwrap_or(u32::MAX).min(WIDEST)
}

/// What the program's own modules name, whichever of their functions is tested.
#[derive(Clone, Debug, Default)]
pub(crate) struct Named {
    /// Atoms that are told apart by their characters: as many as there may be decisions about one atom.
    spellings: Vec<Atom>,
    /// Atoms that they write: these exist, and a text may be that of one.
    written: Vec<Atom>,
    /// Keys of maps.
    keys: Vec<Term>,
    /// Terms that are written in calls of tables that hash their keys.
    hashed: Vec<Term>,
}

impl Named {
    fn new(followed: &[modules::Followed], atoms: &Atoms) -> Named {
        let mut named = Named::default();
        let own = |followed: &&modules::Followed| followed.own && !is_around(atoms.name(followed.normal.module.name));
        for module in followed.iter().filter(own).map(|followed| &followed.normal.module) {
            named::literals(module, &mut |term| named.spellings.extend(term.text().and_then(|text| atoms.get(&text))));
            named::keys(module, atoms, &mut |key| add_key(&mut named.keys, key));
            named::arguments(module, &["dict", "sets"].map(|name| atoms.get(name)), &mut |key| add_key(&mut named.hashed, key));
        }
        let mut written = FxHashSet::default();
        for module in followed.iter().filter(own).map(|followed| &followed.normal.module) {
            named::literals(module, &mut |term| collect(term, &mut written));
        }
        named.written = written.into_iter().collect();
        named.written.sort_unstable();
        named.written.truncate(SPELLINGS);
        named.spellings.sort_unstable();
        named.spellings.dedup();
        named.spellings.truncate(SPELLINGS);
        named
    }
}

/// All atoms that code and types of inputs mention, and those that short strings spell.
fn names<'a>(modules: &'a Modules, code: &Code, specified: &Inputs) -> Vec<&'a str> {
    let mut names = FxHashSet::default();
    for literal in &code.literals {
        collect(literal, &mut names);
    }
    names.extend(specified.types.atoms());
    names.extend(&modules.named.spellings);
    if code.exprs.iter().any(|expr| computes_call(code, expr)) {
        // An input may be what a function or its module is called.
        for module in modules.own().map(|followed| &followed.normal.module) {
            names.extend(module.exports.iter().map(|of| of.0).chain([module.name, Atom::MODULE_INFO]));
        }
    }
    if code.exprs.iter().any(|expr| computes_time(code, expr)) {
        names.insert(Atom::INFINITY);
    }
    let mut names: Vec<&str> = names.into_iter().chain([Atom::TRUE, Atom::FALSE]).map(|atom| modules.atoms.name(atom)).collect();
    names.sort_unstable();
    names
}

/// Whether the module or the name of a call is computed.
fn computes_call(code: &Code, expr: &Expr) -> bool {
    matches!(expr, Expr::Remote { module, name, .. } if !is_literal(code, *module) || !is_literal(code, *name))
}

/// Whether the time that a receive waits is computed.
fn computes_time(code: &Code, expr: &Expr) -> bool {
    matches!(expr, Expr::Primop(Primop::WaitTimeout, args, ..) if !is_literal(code, args[0]))
}

fn is_literal(code: &Code, pat: PatId) -> bool {
    matches!(code.pats[pat.0 as usize], Pat::Lit(_))
}

/// The keys of maps that the types of inputs and the program's own modules name, so that having one is a condition of its own.
fn keys(modules: &Modules, specified: &Inputs) -> Vec<Term> {
    let mut keys: Vec<Term> = Vec::new();
    specified.types.keys().for_each(|key| add_key(&mut keys, &key));
    modules.named.keys.iter().for_each(|key| add_key(&mut keys, key));
    keys
}

fn add_key(keys: &mut Vec<Term>, key: &Term) {
    if keys.len() < KEYS && plain(key) && !keys.contains(key) {
        keys.push(key.clone());
    }
}

/// Whether a term can be a named key: nothing in it has several values that are equal.
fn plain(key: &Term) -> bool {
    match key {
        Term::Int(_) | Term::Big(_) | Term::Atom(_) | Term::Bits(..) | Term::Nil => true,
        Term::Float(value) => *value != 0.0,
        Term::List(items, tail) => items.iter().all(plain) && plain(tail),
        Term::Tuple(items) => items.iter().all(plain),
        Term::Map(_) | Term::External(..) | Term::Other(_) => false,
    }
}

/// Some constants of each kind that nobody looks into.
fn tables() -> Tables {
    let identity = |tag: &[u8], rest: &[u8]| Term::Other([tag, &[119, 13], b"nonode@nohost", rest].concat().into());
    let number = |n: u8| [0, 0, 0, n];
    [
        (1..3).map(|n| identity(&[88], &[number(n), [0; 4], [0; 4]].concat())).collect(),
        (1..3).map(|n| identity(&[90, 0, 3], &[[0; 4], number(n), [0; 4], [0; 4]].concat())).collect(),
        (1..3).map(|n| identity(&[89], &[number(n), [0; 4]].concat())).collect(),
    ]
}

fn collect(term: &Term, atoms: &mut FxHashSet<Atom>) {
    match term {
        Term::Atom(atom) => {
            atoms.insert(*atom);
        }
        Term::List(items, tail) => {
            items.iter().for_each(|item| collect(item, atoms));
            collect(tail, atoms);
        }
        Term::Tuple(items) => items.iter().for_each(|item| collect(item, atoms)),
        Term::Map(pairs) => pairs.iter().for_each(|(key, value)| {
            collect(key, atoms);
            collect(value, atoms);
        }),
        _ => {}
    }
}

/// Runs something that recurses as deep as programs are nested.
pub(crate) fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    /// Address space only: what is not used costs nothing.
    const STACK: usize = 1 << 30;
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).expect("a thread can be started");
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}
