//! Reading modules: the program's own, what they call of the library, and our models; then their copies.
//!
//! **Invariant.** What does not depend on the program is read by the emulator once, and kept.

use std::path::PathBuf;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::contract::CONTRACT;
use super::library::{LIBRARY, MODELS_NUMBER, OWN_NUMBERS};
use super::made::MADE;
use super::option::{CompilerOption, path};
use super::{Named, ProgramError, copies, is_around, made, named, on_large_stack};
use crate::calls::{Linkage, MODELS, stubs};
use crate::core::normalise::{EventKind, Normal, RUNTIME_EVENTS, RUNTIME_NUMBER, normalise};
use crate::core::read;
use crate::etf::{Atom, Atoms, Encoder, Term, read as read_term};
use crate::instrument::EVENT_BITS;
use crate::types::parse::Declarations;
use crate::universe::made::modules as made_modules;
use crate::vm::{Home, Idle, Key, Vm, VmError};

/// Where a module of the program comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A source file, with options of the compiler.
    File(PathBuf, Vec<CompilerOption>),
    /// An object file with debug information.
    Beam(PathBuf),
    /// Core Erlang as text.
    Core(PathBuf),
    /// A module that the emulator finds by itself.
    Module(String),
}

/// A declaration of a module: an attribute `spec`, `type`, `opaque` or `record`, as an abstract form.
#[derive(Clone, Debug, PartialEq)]
pub struct Declared(pub Term);

/// A module that is followed.
#[derive(Debug)]
pub struct Followed {
    /// What it is.
    pub normal: Normal,
    /// Its number, in event numbers.
    pub number: u32,
    /// Its source file, or object file where that is not known.
    pub file: String,
    /// What it declares.
    pub declared: Vec<Declared>,
    /// Whether it is of the program under test.
    pub own: bool,
    /// The module as it is.
    pub original: Vec<u8>,
    /// Its instrumented copy.
    pub copy: Vec<u8>,
}

/// All modules that are followed.
#[derive(Debug)]
pub struct Modules {
    /// Where Erlang is.
    pub home: Arc<Home>,
    /// The atoms.
    pub atoms: Atoms,
    /// Where calls go.
    pub linkage: Linkage,
    /// The modules: the program's own first.
    pub followed: Vec<Followed>,
    /// Directories with object files that the program needs.
    pub paths: Vec<PathBuf>,
    /// What all modules declare that specifications mention.
    pub declarations: Declarations,
    /// What the program's own modules name.
    pub(crate) named: Named,
    /// Emulators with the copies that nobody uses at the moment.
    pub(crate) idle: Idle,
    /// Emulators without them, which replays no longer need.
    pub(crate) plain: Idle,
    /// The emulator that read the modules, as long as nobody uses it.
    spare: Idle,
    /// The position of the module with each number.
    numbers: Vec<Option<u32>>,
}

/// A module as the emulator gave it.
struct Raw {
    module: crate::core::ast::Module,
    declared: Vec<Declared>,
    original: Vec<u8>,
    file: String,
    /// What it was kept under, if it is of the library or ours.
    key: Option<Key>,
}

impl Modules {
    /// Reads and instruments modules, with what they need of the library, on an emulator that then serves the first runs.
    ///
    /// # Errors
    /// Where one of the program's own cannot be read or compiled.
    pub fn load(home: &Arc<Home>, mut vm: Vm, sources: &[Source], paths: &[PathBuf]) -> Result<Modules, ProgramError> {
        let modules = on_large_stack(|| Modules::load_all(home, &mut vm, sources, paths))?;
        modules.spare.keep(vm);
        Ok(modules)
    }

    fn load_all(home: &Arc<Home>, vm: &mut Vm, sources: &[Source], paths: &[PathBuf]) -> Result<Modules, ProgramError> {
        let mut atoms = Atoms::new();
        add_paths(vm, paths, &mut atoms)?;
        let mut raw: Vec<(u32, Raw)> = Vec::new();
        for (number, source) in (OWN_NUMBERS..).zip(sources) {
            raw.push((number, read_source(vm, source, &mut atoms)?));
        }
        let mut own = raw.len();
        let models = Source::File(home.ebin().join(format!("{MODELS}.erl")), Vec::new());
        let key = home.key("models")?;
        raw.push((MODELS_NUMBER, kept(home, key, vm, &models, &mut atoms)?));
        add_library(home, vm, &mut raw, &mut atoms)?;
        let declarations = declarations(vm, (&raw, own), &mut atoms)?;
        if let Some(text) = around(&raw[..own], &declarations, &mut atoms) {
            let directory = tempfile::tempdir().map_err(VmError::File)?;
            let file = directory.path().join(format!("{MADE}.erl"));
            std::fs::write(&file, text).map_err(VmError::File)?;
            let number = OWN_NUMBERS + u32::try_from(own).expect("few modules");
            raw.insert(own, (number, read_source(vm, &Source::File(file, Vec::new()), &mut atoms)?));
            own += 1;
            add_library(home, vm, &mut raw, &mut atoms)?;
        }
        raw[own..].sort_by_key(|(number, _)| *number);
        let mut linkage = Linkage::new(&mut atoms);
        let stubs: Vec<FxHashSet<(Atom, u32)>> = raw.iter().map(|(_, module)| stubs(&module.module)).collect();
        for ((_, module), stubs) in raw.iter().zip(&stubs) {
            linkage.follow(&module.module, stubs.clone(), &mut atoms);
        }
        let mut followed = Vec::new();
        for (i, ((number, module), stubs)) in raw.into_iter().zip(&stubs).enumerate() {
            let kept = module.key.as_ref().map(|key| copies::key(home, key, &module.module, number, &linkage, &atoms)).transpose()?;
            let normal = normalise(module.module, stubs, &mut atoms);
            let copy = copies::copy(home, vm, kept, (number, &normal), &linkage, &mut atoms)?;
            let Raw { declared, original, file, .. } = module;
            followed.push(Followed { normal, number, file, declared, own: i < own, original, copy });
        }
        spell(&followed, &mut atoms);
        let named = Named::new(&followed, &atoms);
        let mut numbers = vec![None; 1 + followed.iter().map(|followed| followed.number as usize).max().unwrap_or(0)];
        for (at, module) in (0..).zip(&followed) {
            numbers[module.number as usize] = Some(at);
        }
        Ok(Modules {
            home: Arc::clone(home),
            atoms,
            linkage,
            followed,
            paths: paths.to_vec(),
            declarations,
            named,
            idle: Idle::default(),
            plain: Idle::default(),
            spare: Idle::default(),
            numbers,
        })
    }

    /// The function that makes the inputs of another one, and calls it or its contract; `None` if none has to be made.
    pub(super) fn made(&self, module: &str, function: &str, arity: u32, contract: bool) -> Option<(Atom, Atom)> {
        let (of, name) = (self.atoms.get(MADE)?, self.atoms.get(&made::name(module, function, contract))?);
        let around = self.followed.iter().find(|followed| followed.normal.module.name == of && followed.own)?;
        around.normal.module.exports.contains(&(name, arity)).then_some((of, name))
    }

    /// The program's own modules, as it is written.
    pub(crate) fn own(&self) -> impl Iterator<Item = &Followed> {
        self.followed.iter().filter(|followed| followed.own && !self.is_around(followed.normal.module.name))
    }

    /// Whether a module is one that we put around the function under test.
    #[must_use]
    pub fn is_around(&self, module: Atom) -> bool {
        is_around(self.atoms.name(module))
    }

    /// What an event is; `None` if no module tells it.
    #[must_use]
    pub fn event(&self, event: u32) -> Option<EventKind> {
        let (module, id) = (event >> EVENT_BITS, event & ((1 << EVENT_BITS) - 1));
        if module == RUNTIME_NUMBER {
            return RUNTIME_EVENTS.get(id as usize).copied();
        }
        let at = (*self.numbers.get(module as usize)?)?;
        self.followed[at as usize].normal.events.get(id as usize).copied()
    }

    /// An emulator with the copies of all modules: one that another subject no longer needs, or a new one.
    ///
    /// # Errors
    /// Where none can be started.
    pub(crate) fn emulator(&self) -> Result<Vm, VmError> {
        if let Some(vm) = self.idle.take() {
            return Ok(vm);
        }
        self.fresh(true)
    }

    /// An emulator with the original modules only: one that another replay no longer needs, or a new one.
    ///
    /// # Errors
    /// Where none can be started.
    pub(crate) fn original(&self) -> Result<Vm, VmError> {
        self.plain.take().map_or_else(|| self.fresh(false), Ok)
    }

    /// An emulator that no program used, with all modules: with the copies, for runs; without, for replays.
    ///
    /// # Errors
    /// Where none can be started.
    pub(crate) fn fresh(&self, copies: bool) -> Result<Vm, VmError> {
        let mut vm = self.spare.take().map_or_else(|| Vm::start(&self.home), Ok)?;
        self.install(&mut vm, copies)?;
        Ok(vm)
    }

    /// Loads everything into an emulator: with the copies, for runs; without, for replays.
    ///
    /// # Errors
    /// Where the emulator does not take it.
    pub fn install(&self, vm: &mut Vm, copies: bool) -> Result<(), VmError> {
        let mut atoms = self.atoms.clone();
        add_paths(vm, &self.paths, &mut atoms)?;
        let mut modules = Vec::new();
        for followed in &self.followed {
            let (name, text) = (followed.normal.module.name, &followed.file);
            let binary = |bytes: &[u8]| Term::Bits(bytes.into(), bytes.len() * 8);
            let file = |text: &str| Term::list(text.chars().map(|c| Term::Int(i64::from(u32::from(c)))).collect());
            if followed.own {
                modules.push(Term::Tuple(vec![Term::Atom(name), file(text), binary(&followed.original)]));
            }
            if copies {
                let copy = self.linkage.copy(name).expect("it is followed");
                modules.push(Term::Tuple(vec![Term::Atom(copy), file(text), binary(&followed.copy)]));
            }
        }
        let load = Term::Tuple(vec![Term::Atom(atoms.intern("load")), Term::list(modules)]);
        let answers = vm.request(&load, &mut atoms)?;
        for (answer, followed) in answers.items().unwrap_or_default().iter().zip(&self.followed) {
            if let Some([_, reason]) = answer.tuple() {
                let name = self.atoms.name(followed.normal.module.name);
                return Err(VmError::Refused(format!("cannot load {name}: {}", reason.text().unwrap_or_default())));
            }
        }
        if copies { self.follow(vm, &mut atoms) } else { Ok(()) }
    }

    /// Replaces the program's own modules in an emulator by those in which processes pause after each message.
    ///
    /// # Errors
    /// Where they cannot be compiled in this way.
    pub(crate) fn pause(&self, vm: &mut Vm) -> Result<(), VmError> {
        let mut atoms = self.atoms.clone();
        let module = |followed: &Followed| {
            let file = followed.file.chars().map(|c| Term::Int(i64::from(u32::from(c)))).collect();
            let code = Term::Bits(followed.original.as_slice().into(), followed.original.len() * 8);
            Term::Tuple(vec![Term::Atom(followed.normal.module.name), code, Term::list(file)])
        };
        let modules = Term::list(self.followed.iter().filter(|followed| followed.own).map(module).collect());
        let request = Term::Tuple(vec![Term::Atom(atoms.intern("pauses")), modules]);
        match vm.request(&request, &mut atoms)? {
            Term::Atom(Atom::OK) => Ok(()),
            other => Err(VmError::Refused(crate::universe::shown(&other, &atoms))),
        }
    }

    /// Tells the runtime which modules have copies.
    fn follow(&self, vm: &mut Vm, atoms: &mut Atoms) -> Result<(), VmError> {
        let models = Term::Atom(self.linkage.models_copy());
        let mut targets = Vec::new();
        for (module, copy, exceptions) in self.linkage.exceptions() {
            let exceptions = exceptions.into_iter().map(|(name, arity, model)| {
                let to = match model {
                    Some(model) => Term::Tuple(vec![models.clone(), Term::Atom(model)]),
                    None => Term::Atom(Atom::OPAQUE),
                };
                (Term::Tuple(vec![Term::Atom(name), Term::Int(i64::from(arity))]), to)
            });
            targets.push((Term::Atom(module), Term::Tuple(vec![Term::Atom(copy), Term::Map(exceptions.collect())])));
        }
        let copies = self.followed.iter().map(|followed| {
            let name = followed.normal.module.name;
            (Term::Atom(self.linkage.copy(name).expect("it is followed")), Term::Atom(name))
        });
        let request = vec![Term::Atom(atoms.intern("follow")), Term::Map(targets), Term::Map(copies.collect())];
        vm.request(&Term::Tuple(request), atoms).map(|_| ())
    }
}

/// Makes atoms of short strings of the program: it may compare the characters of an atom with them.
fn spell(followed: &[Followed], atoms: &mut Atoms) {
    fn strings(term: &Term, found: &mut Vec<String>) {
        match term {
            Term::List(items, tail) => match term.text() {
                Some(text) if text.len() < 100 => found.push(text),
                _ => {
                    items.iter().for_each(|item| strings(item, found));
                    strings(tail, found);
                }
            },
            Term::Tuple(items) => items.iter().for_each(|item| strings(item, found)),
            Term::Bits(bytes, bits) if bits % 8 == 0 && !bytes.is_empty() && bytes.len() < 100 => {
                found.extend(std::str::from_utf8(bytes).ok().map(str::to_owned));
            }
            _ => {}
        }
    }
    let mut found = Vec::new();
    for module in followed.iter().filter(|module| module.own) {
        named::literals(&module.normal.module, &mut |term| strings(term, &mut found));
    }
    for text in found {
        atoms.intern(&text);
    }
}

/// Reads what modules call of the library, and what that calls.
fn add_library(home: &Home, vm: &mut Vm, raw: &mut Vec<(u32, Raw)>, atoms: &mut Atoms) -> Result<(), ProgramError> {
    let mut next = 0;
    let mut seen: FxHashSet<Atom> = raw.iter().map(|(_, module)| module.module.name).collect();
    while next < raw.len() {
        let mut calls = named::called_modules(&raw[next].1.module);
        calls.retain(|module| seen.insert(*module));
        for module in calls {
            let name = atoms.name(module).to_owned();
            let Some(number) = LIBRARY.iter().position(|library| *library == name) else { continue };
            // A library that was compiled without debug information is not followed.
            if let Ok(library) = read_library(home, vm, &name, atoms) {
                raw.push((u32::try_from(number).expect("few modules"), library));
            }
        }
        next += 1;
    }
    Ok(())
}

/// The text of the module around functions whose inputs have to be made; `None` if there are none.
fn around(own: &[(u32, Raw)], declarations: &Declarations, atoms: &mut Atoms) -> Option<String> {
    if !declarations.hides() && !made_modules().any(|module| atoms.get(module).is_some_and(|module| declarations.knows(module))) {
        return None;
    }
    let (mut functions, mut contracts) = (Vec::new(), Vec::new());
    for (_, Raw { module, .. }) in own {
        let of = atoms.name(module.name).to_owned();
        for &(name, arity) in &module.exports {
            if of == CONTRACT {
                contracts.push(arity);
                continue;
            }
            let inputs = declarations.inputs((module.name, name, arity as usize), atoms);
            functions.push(made::Function { module: of.clone(), name: atoms.name(name).to_owned(), arity, inputs });
        }
    }
    made::text(&functions, &contracts, atoms)
}

/// The declarations of all modules that are followed, and of those whose types they mention.
fn declarations(vm: &mut Vm, (raw, own): (&[(u32, Raw)], usize), atoms: &mut Atoms) -> Result<Declarations, ProgramError> {
    let mut all = Declarations::default();
    let mut known: FxHashSet<Atom> = FxHashSet::default();
    let mut pending = Vec::new();
    for (i, (_, module)) in raw.iter().enumerate() {
        let name = module.module.name;
        known.insert(name);
        if i < own {
            module.module.exports.iter().for_each(|function| all.export(name, *function));
        }
        for declared in &module.declared {
            all.add(name, &declared.0, atoms);
            // Types of the library's own functions do not matter.
            if i < own {
                pending.extend(Declarations::mentioned(&declared.0, atoms));
            }
        }
    }
    while let Some(module) = pending.pop() {
        if !known.insert(module) {
            continue;
        }
        let ask = Term::Tuple(vec![Term::Atom(atoms.intern("declared")), Term::Atom(module)]);
        let answer = vm.request(&ask, atoms)?;
        // A module that is not there, or has no debug information, declares nothing.
        let Some([Term::Atom(Atom::OK), forms]) = answer.tuple() else { continue };
        for form in forms.items().unwrap_or_default() {
            all.add(module, form, atoms);
            pending.extend(Declarations::mentioned(form, atoms));
        }
    }
    Ok(all)
}

fn add_paths(vm: &mut Vm, paths: &[PathBuf], atoms: &mut Atoms) -> Result<(), VmError> {
    if paths.is_empty() {
        return Ok(());
    }
    let text = |path: &PathBuf| Term::list(path.to_string_lossy().chars().map(|c| Term::Int(i64::from(u32::from(c)))).collect());
    let request = vec![Term::Atom(atoms.intern("paths")), Term::list(paths.iter().map(text).collect())];
    vm.request(&Term::Tuple(request), atoms).map(|_| ())
}

/// The request for a module.
fn request(source: &Source) -> Vec<u8> {
    let mut out = Encoder::new();
    match source {
        Source::File(file, options) => {
            out.tuple(3);
            out.atom("source");
            path(&mut out, file);
            if !options.is_empty() {
                out.list(options.len());
                options.iter().for_each(|option| option.write(&mut out));
            }
            out.nil();
        }
        Source::Beam(file) | Source::Core(file) => {
            out.tuple(2);
            out.atom(if matches!(source, Source::Beam(_)) { "beam" } else { "core_text" });
            path(&mut out, file);
        }
        Source::Module(name) => {
            out.tuple(2);
            out.atom("module");
            out.atom(name);
        }
    }
    out.finish()
}

fn name_of(source: &Source) -> String {
    match source {
        Source::File(file, _) | Source::Beam(file) | Source::Core(file) => file.display().to_string(),
        Source::Module(name) => name.clone(),
    }
}

fn read_source(vm: &mut Vm, source: &Source, atoms: &mut Atoms) -> Result<Raw, ProgramError> {
    let answer = vm.request_bytes(&request(source))?.to_vec();
    raw(&answer, source, atoms)
}

/// A module whose answer may be kept from an earlier time.
fn kept(home: &Home, key: Key, vm: &mut Vm, source: &Source, atoms: &mut Atoms) -> Result<Raw, ProgramError> {
    if let Some(answer) = home.kept(&key)
        && let Ok(module) = raw(&answer, source, atoms)
    {
        return Ok(Raw { key: Some(key), ..module });
    }
    let answer = vm.request_bytes(&request(source))?.to_vec();
    let module = raw(&answer, source, atoms)?;
    home.keep(&key, &answer);
    Ok(Raw { key: Some(key), ..module })
}

fn read_library(home: &Home, vm: &mut Vm, name: &str, atoms: &mut Atoms) -> Result<Raw, ProgramError> {
    let ask = Term::Tuple(vec![Term::Atom(atoms.intern("md5")), Term::Atom(atoms.intern(name))]);
    let answer = vm.request(&ask, atoms)?;
    let mut key = home.key("library")?;
    key.add(name.as_bytes());
    if let Some([_, Term::Bits(md5, _)]) = answer.tuple() {
        key.add(md5);
    }
    kept(home, key, vm, &Source::Module(name.to_owned()), atoms)
}

fn raw(answer: &[u8], source: &Source, atoms: &mut Atoms) -> Result<Raw, ProgramError> {
    let unreadable = |reason: String| ProgramError::Unreadable { of: name_of(source), reason };
    let answer = read_term(answer, atoms).map_err(|error| unreadable(error.to_string()))?;
    let Term::Tuple(items) = answer else { return Err(unreadable("the answer is not a tuple".to_owned())) };
    match <[Term; 6]>::try_from(items) {
        Ok([_, _, core, declared, Term::Bits(original, _), file]) => {
            let module = read::read(core, atoms)?;
            let declared = match declared {
                Term::List(items, _) => items.into_iter().map(Declared).collect(),
                _ => Vec::new(),
            };
            let file = source_file(&module).unwrap_or_else(|| file.text().unwrap_or_default());
            Ok(Raw { module, declared, original: original.to_vec(), file, key: None })
        }
        Ok(_) => Err(unreadable("the answer is not a module".to_owned())),
        Err(items) => Err(unreadable(items.get(1).and_then(Term::text).unwrap_or_default())),
    }
}

/// The file that a module's attributes name.
fn source_file(module: &crate::core::ast::Module) -> Option<String> {
    use crate::core::ast::Expr;
    let value = module.attributes.iter().find(|(name, _)| name.literal_atom() == Some(Atom::FILE)).map(|(_, value)| value)?;
    let Expr::Literal(_, term) = value else { return None };
    term.items()?.first()?.tuple()?.first()?.text()
}
