//! Clauses made ready to run: relative cells that one pass puts on the heap, and the sites of their decisions.
//!
//! The constraint `c` of a rule `H ← c ∧ B` [mesnard-payet-vidal-2020] is what its body begins with, as far as that is constraints.
//!
//! **Invariant.** Sites are numbered in the order of the text, so they are equal for all subjects of a program.

use std::sync::Arc;

use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use xcute_trace::{Site, SiteId, SiteKind, Sites};

use super::cell::{Cell, FunctorId};
use super::symbols::Symbols;
use crate::syntax::{Arena, Atom, Clause, Indicator, Program, TableMode, Term, TermRef};

/// Names a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PredicateId(pub u32);

/// What an argument of a head demands at its outermost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    Any,
    Atomic(Cell),
    Functor(FunctorId),
}

/// Where the decisions of a clause are.
#[derive(Clone, Copy, Debug)]
pub struct ClauseSites {
    /// Whether it matches.
    pub matches: SiteId,
    /// Whether what a builtin predicate demands of its arguments holds.
    pub check: SiteId,
    /// Which constructor a term has.
    pub shape: SiteId,
    /// A term is fixed to its value.
    pub pin: SiteId,
}

/// A clause.
#[derive(Debug)]
pub struct ClauseCode {
    pub(crate) cells: Vec<Cell>,
    pub(crate) head: Option<u32>,
    /// The leading constraints, and how many cells they and the head need.
    pub(crate) constraints: Vec<Cell>,
    pub(crate) constraints_end: usize,
    pub(crate) body: Cell,
    pub(crate) keys: Vec<Key>,
    pub(crate) single_sided: bool,
    /// Whether it is chosen as soon as its head matches.
    pub(crate) commits: bool,
    /// Of which predicate, and its number there, from 0.
    pub predicate: PredicateId,
    /// See above.
    pub number: u32,
    /// Its line; 0 where unknown.
    pub line: u32,
    /// Its sites.
    pub sites: ClauseSites,
    /// Sites of the tests in its body, by where their goals are.
    pub(crate) tests: FxHashMap<u32, SiteId>,
    /// The names of its variables, which are its first cells.
    pub(crate) variables: Vec<Option<Arc<str>>>,
}

/// A predicate.
#[derive(Clone, Debug)]
pub struct PredicateCode {
    /// Which.
    pub indicator: Indicator,
    /// Its name and arity for people.
    pub name: String,
    /// Its clauses.
    pub clauses: Arc<Vec<Arc<ClauseCode>>>,
    /// Whether clauses may be added.
    pub dynamic: bool,
    /// How it is tabled: what becomes of each argument, nothing where all are a part of the variant; `None` if it is not tabled.
    pub tabled: Option<Vec<TableMode>>,
    /// Which arguments are passed on with their module.
    pub meta: Vec<bool>,
    /// Whether it throws where it fails or leaves choice points.
    pub det: bool,
    /// Whether it is of the library: followed, but no part of the coverage.
    pub library: bool,
    /// Choices among exclusive clauses.
    pub index: SiteId,
    /// The file of its first clause.
    pub file: String,
    /// Sites of clauses that are added while the program runs.
    pub added: ClauseSites,
}

impl PredicateCode {
    /// How large its clauses are, in cells.
    #[must_use]
    pub fn size(&self) -> usize {
        self.clauses.iter().map(|clause| clause.cells.len()).sum()
    }
}

/// A program made ready to run.
#[derive(Debug)]
pub struct Code {
    /// All predicates.
    pub predicates: Vec<PredicateCode>,
    /// The sites.
    pub sites: Sites,
    query: ClauseSites,
    assumption: SiteId,
    pub(crate) numbers: FxHashMap<Indicator, PredicateId>,
}

/// Goals whose outcome is a branch of the program.
const TESTS: &[(&str, u32)] = &[
    ("=", 2),
    ("\\=", 2),
    ("==", 2),
    ("\\==", 2),
    ("@<", 2),
    ("@>", 2),
    ("@=<", 2),
    ("@>=", 2),
    ("<", 2),
    (">", 2),
    ("=<", 2),
    (">=", 2),
    ("=:=", 2),
    ("=\\=", 2),
    ("#=", 2),
    ("#\\=", 2),
    ("#<", 2),
    ("#>", 2),
    ("#=<", 2),
    ("#>=", 2),
    ("dif", 2),
    ("var", 1),
    ("nonvar", 1),
    ("atom", 1),
    ("number", 1),
    ("integer", 1),
    ("float", 1),
    ("atomic", 1),
    ("compound", 1),
    ("callable", 1),
    ("is_list", 1),
    ("string", 1),
    ("ground", 1),
    ("memberchk", 2),
];

/// Predicates whose arguments are goals.
const GOALS: &[(&str, u32)] = &[
    (",", 2),
    (";", 2),
    ("->", 2),
    ("*->", 2),
    ("\\+", 1),
    ("call", 1),
    ("once", 1),
    ("ignore", 1),
    ("forall", 2),
    ("findall", 3),
    ("catch", 3),
    ("assertion", 1),
];

/// Goals that are constraints of their clause where its body begins with them.
const CONSTRAINTS: &[(&str, u32)] = &[("=", 2), ("#=", 2), ("#\\=", 2), ("#<", 2), ("#>", 2), ("#=<", 2), ("#>=", 2), ("dif", 2)];

impl Code {
    /// Makes a program ready. `library` says which predicates are of the library; `constructors` how many the universe has.
    #[must_use]
    pub fn new(program: &Program, symbols: &mut Symbols, library: impl Fn(Indicator) -> bool, constructors: u32) -> Code {
        let mut sites = Sites::default();
        let file = program.sources.first().map_or_else(String::new, |source| source.path.clone());
        let mut maker = SiteMaker { sites: &mut sites, name: "goal", file: &file, library: true, ordinal: 0 };
        let query = maker.clause(0, constructors, false);
        let assumption = maker.site(SiteKind::Assume, 0, 2);
        let mut code = Code { predicates: Vec::new(), sites, query, assumption, numbers: FxHashMap::default() };
        for predicate in &program.predicates {
            let indicator = predicate.indicator;
            let id = PredicateId(small(code.predicates.len()));
            let name = program.show(indicator);
            let place = |clause: Option<&Clause>| match clause {
                Some(clause) => {
                    let source = program.source(clause.span.source);
                    (source.path.clone(), source.position(clause.span.start).0)
                }
                None => (program.sources.first().map_or_else(String::new, |source| source.path.clone()), 0),
            };
            let (file, line) = place(predicate.clauses.first());
            let library = library(indicator);
            let mut maker = SiteMaker { sites: &mut code.sites, name: &name, file: &file, library, ordinal: 0 };
            let index = maker.site(SiteKind::Library, line, small(predicate.clauses.len()) + 1);
            let mut added = None;
            if predicate.dynamic {
                added = Some(maker.clause(line, constructors, false));
            }
            let mut clauses = Vec::with_capacity(predicate.clauses.len());
            for clause in &predicate.clauses {
                let line = place(Some(clause)).1;
                let facts = *clause.terms.get(clause.body) == Term::Atom(Atom::TRUE);
                let sites = maker.clause(line, constructors, facts);
                let number = small(clauses.len());
                clauses.push(Arc::new(compile(clause, symbols, &mut maker, Numbered { predicate: id, number, line, sites })));
            }
            let nowhere = ClauseSites { matches: index, check: index, shape: index, pin: index };
            let added = added.or(clauses.first().map(|clause| clause.sites)).unwrap_or(nowhere);
            let clauses = Arc::new(clauses);
            code.numbers.insert(indicator, id);
            code.predicates.push(PredicateCode {
                indicator,
                name,
                clauses,
                dynamic: predicate.dynamic,
                tabled: predicate.tabled.clone(),
                meta: predicate.meta.clone(),
                det: predicate.det,
                library,
                index,
                file,
                added,
            });
        }
        code
    }

    /// The sites of the query.
    pub(crate) fn query_sites(&self) -> ClauseSites {
        self.query
    }

    /// The site of what is assumed of inputs.
    pub(crate) fn assumption(&self) -> SiteId {
        self.assumption
    }

    /// The predicate with this name and arity.
    #[must_use]
    pub fn find(&self, indicator: Indicator) -> Option<PredicateId> {
        self.numbers.get(&indicator).copied()
    }

    /// A predicate.
    #[must_use]
    pub fn predicate(&self, id: PredicateId) -> &PredicateCode {
        &self.predicates[id.0 as usize]
    }
}

struct SiteMaker<'a> {
    sites: &'a mut Sites,
    name: &'a str,
    file: &'a str,
    library: bool,
    ordinal: u32,
}

impl SiteMaker<'_> {
    fn site(&mut self, kind: SiteKind, line: u32, arms: u32) -> SiteId {
        let id = SiteId(small(self.sites.sites.len()));
        let kind = if self.library && matches!(kind, SiteKind::Branch | SiteKind::Switch) { SiteKind::Library } else { kind };
        let (file, function, ordinal) = (self.file.to_owned(), self.name.to_owned(), self.ordinal);
        self.ordinal += 1;
        self.sites.sites.push(Site { kind, file, line, column: 0, function, ordinal, arms, next: Vec::new() });
        id
    }

    fn clause(&mut self, line: u32, constructors: u32, fact: bool) -> ClauseSites {
        let matches = self.site(SiteKind::Branch, line, 2);
        if fact {
            return ClauseSites { matches, check: matches, shape: matches, pin: matches };
        }
        let check = self.site(SiteKind::Check, line, 2);
        let shape = self.site(SiteKind::Library, line, constructors);
        let pin = self.site(SiteKind::Concretised, line, 2);
        ClauseSites { matches, check, shape, pin }
    }
}

struct Numbered {
    predicate: PredicateId,
    number: u32,
    line: u32,
    sites: ClauseSites,
}

fn compile(clause: &Clause, symbols: &mut Symbols, maker: &mut SiteMaker<'_>, numbered: Numbered) -> ClauseCode {
    let vars = small(clause.variables.len());
    let mut emitter = Emitter { cells: (0..vars).map(Cell::Var).collect(), arena: &clause.terms, symbols };
    let head = match emitter.emit(clause.head) {
        Cell::Struct(at) => Some(at),
        _ => None,
    };
    let mut goals = conjuncts(&clause.terms, clause.body);
    let mut guards = 0;
    if let Some(guard) = clause.guard {
        let mut all = conjuncts(&clause.terms, guard);
        guards = all.len();
        all.append(&mut goals);
        goals = all;
    }
    let leading = goals.iter().take_while(|&&goal| is_one_of(&clause.terms, emitter.symbols, goal, CONSTRAINTS)).count();
    let leading = if clause.single_sided { 0 } else { leading };
    let constraints: Vec<Cell> = goals[..leading].iter().map(|&goal| emitter.emit(goal)).collect();
    let constraints_end = emitter.cells.len();
    let comma = emitter.symbols.functor(Atom::COMMA, 2);
    let mut rest: Vec<Cell> = Vec::new();
    let mut tests = Vec::new();
    for &goal in &goals[leading..] {
        let start = emitter.cells.len();
        rest.push(emitter.emit_noting(goal, &mut tests));
        debug_assert!(start <= emitter.cells.len());
        if rest.len() == guards {
            // A rule with a guard is chosen once that holds.
            rest.push(Cell::Atom(Atom::CUT));
        }
    }
    let body = match rest.pop() {
        None => Cell::Atom(Atom::TRUE),
        Some(last) => rest.into_iter().rev().fold(last, |body, goal| {
            let at = small(emitter.cells.len());
            emitter.cells.extend([Cell::Functor(comma), goal, body]);
            Cell::Struct(at)
        }),
    };
    let cells = emitter.cells;
    let keys = head.map_or_else(Vec::new, |at| keys(&cells, at, symbols));
    let line = numbered.line;
    let tests = tests.into_iter().map(|at| (at, maker.site(SiteKind::Branch, line, 2))).collect();
    let Numbered { predicate, number, line, sites } = numbered;
    let (single_sided, commits) = (clause.single_sided, clause.single_sided && clause.guard.is_none());
    let variables = clause.variables.clone();
    ClauseCode {
        cells,
        head,
        constraints,
        constraints_end,
        body,
        keys,
        single_sided,
        commits,
        predicate,
        number,
        line,
        sites,
        tests,
        variables,
    }
}

pub(crate) fn keys(cells: &[Cell], head: u32, symbols: &Symbols) -> Vec<Key> {
    let Cell::Functor(functor) = cells[head as usize] else { unreachable!("a head begins with its functor") };
    let start = head as usize + 1;
    cells[start..start + symbols.arity(functor) as usize]
        .iter()
        .map(|&cell| match cell {
            // An added clause may have an input in it.
            Cell::Var(_) | Cell::Sym(_) => Key::Any,
            Cell::Struct(at) => match cells[at as usize] {
                Cell::Functor(functor) => Key::Functor(functor),
                _ => Key::Any,
            },
            atomic => Key::Atomic(atomic),
        })
        .collect()
}

struct Emitter<'a> {
    cells: Vec<Cell>,
    arena: &'a Arena,
    symbols: &'a mut Symbols,
}

impl Emitter<'_> {
    fn emit(&mut self, root: TermRef) -> Cell {
        self.emit_noting(root, &mut Vec::new())
    }

    /// Emits a goal and notes where tests are in it.
    fn emit_noting(&mut self, root: TermRef, tests: &mut Vec<u32>) -> Cell {
        // The root has no place of its own; every other term has the cell of the argument it is.
        let mut result = Cell::Int(0);
        let mut pending = vec![(root, None, true)];
        while let Some((term, place, goal)) = pending.pop() {
            let cell = match self.arena.get(term) {
                Term::Compound(compound) => {
                    let at = small(self.cells.len());
                    let functor = self.symbols.functor(compound.name, small(compound.arity()));
                    let inner = goal && is_one_of(self.arena, self.symbols, term, GOALS);
                    if goal && !inner && is_one_of(self.arena, self.symbols, term, TESTS) {
                        tests.push(at);
                    }
                    self.cells.push(Cell::Functor(functor));
                    for &arg in self.arena.args(*compound) {
                        pending.push((arg, Some(self.cells.len()), inner));
                        self.cells.push(Cell::Int(0));
                    }
                    Cell::Struct(at)
                }
                atomic => atomic_cell(self.symbols, atomic),
            };
            match place {
                Some(place) => self.cells[place] = cell,
                None => result = cell,
            }
        }
        tests.sort_unstable();
        result
    }
}

/// A term as relative cells: those of its variables come first.
pub(crate) fn relative(arena: &Arena, root: TermRef, variables: usize, symbols: &mut Symbols) -> (Vec<Cell>, Cell) {
    let mut emitter = Emitter { cells: (0..small(variables)).map(Cell::Var).collect(), arena, symbols };
    let root = emitter.emit(root);
    (emitter.cells, root)
}

/// A term that is not a compound as a cell; variables by their number.
pub(crate) fn atomic_cell(symbols: &mut Symbols, term: &Term) -> Cell {
    match term {
        Term::Var(number) => Cell::Var(*number),
        Term::Atom(atom) => Cell::Atom(*atom),
        Term::Integer(value) => symbols.integer(BigInt::clone(value)),
        Term::Float(value) => Cell::Float(value.to_bits()),
        Term::String(text) => symbols.string(text),
        Term::Compound(_) => unreachable!("no compound"),
    }
}

/// The goals of a conjunction.
pub(crate) fn conjuncts(arena: &Arena, body: TermRef) -> Vec<TermRef> {
    let (mut goals, mut pending) = (Vec::new(), vec![body]);
    while let Some(goal) = pending.pop() {
        match arena.matches(goal, Atom::COMMA) {
            Some([first, second]) => pending.extend([second, first]),
            None if *arena.get(goal) == Term::Atom(Atom::TRUE) => {}
            None => goals.push(goal),
        }
    }
    goals
}

pub(crate) fn is_one_of(arena: &Arena, symbols: &Symbols, goal: TermRef, list: &[(&str, u32)]) -> bool {
    match arena.get(goal) {
        Term::Compound(compound) => {
            let name = symbols.atoms.name(compound.name);
            list.iter().any(|&(known, arity)| arity as usize == compound.arity() && known == name)
        }
        _ => false,
    }
}

fn small(index: usize) -> u32 {
    u32::try_from(index).expect("programs have fewer than 2^32 parts")
}
