//! From Core Erlang to flat programs: modules, functions and their scopes.
//!
//! **Invariant.** All functions of all modules have their numbers before the first body is lowered, so that calls find them.

use rustc_hash::FxHashMap;
use xcute_trace::{Site, SiteId, SiteKind, Sites};

use super::code::{Code, Expr, ExprId, FunId, Function, LitId, Pat, PatId, Place, PlaceId, Slot, Spot};
use crate::calls::Linkage;
use crate::core::ast::{self, Anno, EventId, Name, SILENT};
use crate::etf::{Atom, Atoms, Term};
use crate::instrument::EVENT_BITS;

/// Arms of a decision that no clause makes, at most.
pub const SPLITS: u32 = 8;

/// Some functions of a module, by name and arity.
pub type Which<'a> = dyn Fn(Atom, u32) -> bool + 'a;

/// A flat program and its sites.
#[derive(Debug, Default)]
pub struct Lowered {
    /// The program.
    pub code: Code,
    /// Its sites.
    pub sites: Sites,
    /// The functions by name.
    pub functions: FxHashMap<(Atom, Atom, u32), FunId>,
}

/// Lowers modules, one after the other.
pub struct Lowering<'a> {
    pub(super) linkage: &'a Linkage,
    pub(super) atoms: &'a Atoms,
    pub(super) out: Lowered,
    literals: FxHashMap<Literal, LitId>,
    /// The functions around the one that is lowered, innermost last.
    stack: Vec<Scope>,
    pub(super) current: Current,
}

/// Literals that are found again.
#[derive(PartialEq, Eq, Hash)]
enum Literal {
    Atom(Atom),
    Int(i64),
    Nil,
}

/// The module and function that is lowered.
#[derive(Clone, Debug, Default)]
pub(super) struct Current {
    module: u32,
    name: Option<Atom>,
    /// The event numbers of the module begin here.
    base: u32,
    file: u32,
    function: String,
    ordinal: u32,
    /// Whether its choices count in coverage.
    counted: bool,
    function_name: Option<Atom>,
    /// A site of the function.
    pin: Option<SiteId>,
}

#[derive(Default)]
struct Scope {
    bound: Vec<(Name, Slot)>,
    captured: Vec<(Name, Slot)>,
    names: Vec<Name>,
}

impl<'a> Lowering<'a> {
    /// A program without modules.
    #[must_use]
    pub fn new(linkage: &'a Linkage, atoms: &'a Atoms) -> Lowering<'a> {
        let out = Lowered::default();
        Lowering { linkage, atoms, out, literals: FxHashMap::default(), stack: Vec::new(), current: Current::default() }
    }

    /// What was lowered.
    #[must_use]
    pub fn finish(self) -> Lowered {
        self.out
    }

    /// Gives the functions of a module their numbers.
    pub fn declare(&mut self, module: &ast::Module) {
        for function in &module.functions {
            let id = self.new_function(function.name, function.arity, 0);
            self.out.functions.insert((module.name, function.name, function.arity), id);
        }
    }

    /// Lowers bodies of a module that was declared: of the functions that are wanted, and says which of them count in coverage.
    pub fn module(&mut self, number: u32, module: &ast::Module, file: &str, (wanted, counted): (&Which<'_>, &Which<'_>)) {
        self.out.code.files.push(file.to_owned());
        let file = u32::try_from(self.out.code.files.len() - 1).expect("few files");
        for function in module.functions.iter().filter(|function| wanted(function.name, function.arity)) {
            let id = self.out.functions[&(module.name, function.name, function.arity)];
            let counted = counted(function.name, function.arity);
            let label = format!("{}:{}/{}", self.atoms.name(module.name), self.atoms.name(function.name), function.arity);
            self.current = Current {
                module: number,
                name: Some(module.name),
                base: number << EVENT_BITS,
                file,
                function: label,
                ordinal: 0,
                counted,
                function_name: Some(function.name),
                pin: None,
            };
            self.fill(id, &function.fun, true);
        }
    }

    /// The module that is lowered.
    pub(super) fn module_name(&self) -> Atom {
        self.current.name.expect("a module is being lowered")
    }

    fn new_function(&mut self, name: Atom, arity: u32, module: u32) -> FunId {
        let id = FunId(u32::try_from(self.out.code.functions.len()).expect("few functions"));
        let (captured, names) = (Box::default(), Vec::new());
        let (split, pin, body) = (SiteId(0), SiteId(0), ExprId(0));
        self.out.code.functions.push(Function { module, name, arity, captured, slots: arity, names, body, split, pin, top: false });
        id
    }

    /// Lowers the body of a function; the variables of the function around it that it captures.
    fn fill(&mut self, id: FunId, fun: &ast::Expr, top: bool) -> Box<[Slot]> {
        let ast::Expr::Fun(anno, params, body) = fun else { unreachable!("a function is a fun") };
        self.stack.push(Scope::default());
        for param in params {
            self.bind(param.name().expect("a parameter is a variable"));
        }
        let split = self.site(SiteKind::Library, anno, SPLITS);
        let pin = self.site(SiteKind::Concretised, anno, 2);
        self.current.pin = Some(pin);
        let body = self.expr(body);
        let scope = self.stack.pop().expect("it was pushed");
        let captured: Vec<Slot> = scope.captured.iter().map(|entry| entry.1).collect();
        let slots = u32::try_from(scope.names.len()).expect("few variables");
        let arity = u32::try_from(params.len()).expect("few parameters");
        let module = self.current.module;
        let name = self.out.code.functions[id.0 as usize].name;
        self.out.code.functions[id.0 as usize] =
            Function { module, name, arity, captured: captured.into(), slots, names: scope.names, body, split, pin, top };
        let outer: Vec<Name> = scope.captured.iter().map(|entry| entry.0).collect();
        outer.into_iter().map(|name| self.lookup(name).expect("it was found from inside")).collect()
    }

    /// A closure: its body, and what it captures.
    pub(super) fn closure(&mut self, fun: &ast::Expr) -> (FunId, Box<[Slot]>) {
        let ast::Expr::Fun(_, params, _) = fun else { unreachable!("a closure is a fun") };
        let arity = u32::try_from(params.len()).expect("few parameters");
        let name = self.current.function_name.expect("a function is being lowered");
        let id = self.new_function(name, arity, self.current.module);
        let captured = self.fill(id, fun, false);
        (id, captured)
    }

    /// A new variable.
    pub(super) fn bind(&mut self, name: Name) -> Slot {
        let scope = self.stack.last_mut().expect("a function is being lowered");
        let slot = u32::try_from(scope.names.len()).expect("few variables");
        scope.names.push(name);
        scope.bound.push((name, slot));
        slot
    }

    /// A variable that nothing in the text names.
    pub(super) fn temporary(&mut self) -> Slot {
        let scope = self.stack.last_mut().expect("a function is being lowered");
        let slot = u32::try_from(scope.names.len()).expect("few variables");
        scope.names.push(Name::Number(-1));
        slot
    }

    /// How many variables are in scope, to leave it again.
    pub(super) fn mark(&self) -> usize {
        self.stack.last().map_or(0, |scope| scope.bound.len())
    }

    /// Leaves scopes.
    pub(super) fn leave(&mut self, mark: usize) {
        if let Some(scope) = self.stack.last_mut() {
            scope.bound.truncate(mark);
        }
    }

    /// The slot of a variable, which may be one of a function around this one; `None` for functions of the module.
    pub(super) fn lookup(&mut self, name: Name) -> Option<Slot> {
        let found = |scope: &Scope| {
            let own = scope.bound.iter().rev().find(|entry| entry.0 == name);
            own.or_else(|| scope.captured.iter().find(|entry| entry.0 == name)).map(|entry| entry.1)
        };
        let depth = self.stack.iter().rposition(|scope| found(scope).is_some())?;
        let mut slot = found(&self.stack[depth]).expect("just found");
        for scope in &mut self.stack[depth + 1..] {
            slot = u32::try_from(scope.names.len()).expect("few variables");
            scope.names.push(name);
            scope.captured.push((name, slot));
        }
        Some(slot)
    }

    /// The full number of an event.
    pub(super) fn event(&self, id: EventId) -> EventId {
        if id == SILENT { SILENT } else { self.current.base | id }
    }

    /// A site of the function that is lowered.
    pub(super) fn site(&mut self, kind: SiteKind, anno: &Anno, arms: u32) -> SiteId {
        let at = anno.location();
        // What the compiler added stands nowhere in the source.
        let added = at.line == 0 && self.current.pin.is_some_and(|pin| self.out.sites.get(pin).line > 0);
        let kind = if kind == SiteKind::Switch && (added || !self.current.counted) { SiteKind::Library } else { kind };
        let file = at.file.unwrap_or_else(|| self.out.code.files[self.current.file as usize].clone());
        let site = Site {
            kind,
            file,
            line: at.line,
            column: at.column,
            function: self.current.function.clone(),
            ordinal: self.current.ordinal,
            arms,
            next: Vec::new(),
        };
        self.current.ordinal += 1;
        self.out.sites.sites.push(site);
        SiteId(u32::try_from(self.out.sites.sites.len() - 1).expect("few sites"))
    }

    /// A place; with a check if something can fail there.
    pub(super) fn place(&mut self, anno: &Anno, fails: bool) -> PlaceId {
        let at = anno.location();
        let check = fails.then(|| self.site(SiteKind::Check, anno, 2));
        self.out.code.places.push(Place { file: self.current.file, line: at.line, check });
        PlaceId(u32::try_from(self.out.code.places.len() - 1).expect("few places"))
    }

    /// Lists an expression for coverage, if its function counts and it stands in the source.
    pub(super) fn spot(&mut self, expr: ExprId, anno: &Anno) {
        let at = anno.location();
        let Some(function) = self.current.pin else { return };
        if !self.current.counted || at.line == 0 || anno.has(Atom::COMPILER_GENERATED) {
            return;
        }
        // Headers are files of their own.
        let files = &mut self.out.code.files;
        let file = match at.file.filter(|file| *file != files[self.current.file as usize]) {
            None => self.current.file,
            Some(name) => {
                let known = files.iter().position(|file| *file == name);
                let at = known.unwrap_or_else(|| {
                    files.push(name);
                    files.len() - 1
                });
                u32::try_from(at).expect("few files")
            }
        };
        self.out.code.spots.push(Spot { expr, file, line: at.line, function });
    }

    /// Lists the lines of the clauses of a choice for coverage, if its function counts.
    pub(super) fn clause_lines(&mut self, site: SiteId, clauses: &[ast::Clause]) {
        if self.current.counted {
            let line = |clause: &ast::Clause| if clause.is_generated() { 0 } else { clause.anno.location().line };
            self.out.code.clause_lines.insert(site, clauses.iter().map(line).collect());
        }
    }

    pub(super) fn add(&mut self, expr: Expr) -> ExprId {
        self.out.code.exprs.push(expr);
        ExprId(u32::try_from(self.out.code.exprs.len() - 1).expect("few expressions"))
    }

    pub(super) fn add_pat(&mut self, pat: Pat) -> PatId {
        self.out.code.pats.push(pat);
        PatId(u32::try_from(self.out.code.pats.len() - 1).expect("few patterns"))
    }

    pub(super) fn literal(&mut self, term: &Term) -> LitId {
        let key = match term {
            Term::Atom(atom) => Some(Literal::Atom(*atom)),
            Term::Int(value) => Some(Literal::Int(*value)),
            Term::Nil => Some(Literal::Nil),
            _ => None,
        };
        let next = LitId(u32::try_from(self.out.code.literals.len()).expect("few literals"));
        let id = key.map_or(next, |key| *self.literals.entry(key).or_insert(next));
        if id == next {
            self.out.code.literals.push(term.clone());
        }
        id
    }
}
