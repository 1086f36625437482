//! The regular approximation of what a goal can look at: which symbols at which argument positions.
//!
//! A unification-based analysis over the clauses that the goal can come to: terms that a run may unify or compare are of one [class](graph), and a class knows the
//! symbols that were seen in it. Every built-in predicate says what it [can tell apart](tells). Inputs are made of the symbols of their classes, and of one fresh
//! symbol of each kind that something looks for: whatever else they could be behaves like one of those.
//!
//! **Invariant.** A symbol that a run compares an input with is a symbol of the input's class. Where that is not so, the machine says that the search is not complete.

mod blame;
mod graph;
mod inferred;
mod roles;
mod tells;
mod walk;

pub use inferred::inferred;
use rustc_hash::FxHashSet;

use crate::machine::cell::{Cell, FunctorId};
use crate::machine::symbols::Symbols;
use crate::machine::universe::{Kind, Symbolic, Universe};
use crate::syntax::{Atom, Indicator, Program};
use crate::typed;
use crate::types::Type;
use graph::{Class, Looks};
use walk::Walk;

/// The arguments of a goal that are inputs, and their types.
pub struct Inputs<'a> {
    /// The goal.
    pub goal: Indicator,
    /// Which of its arguments are inputs.
    pub ground: &'a [bool],
    /// Their types.
    pub types: &'a [Type],
    /// Whether texts are strings of the solver, where the program looks into them.
    pub texts: bool,
}

/// The universe of a goal, and the predicates that it can come to.
#[must_use]
pub fn universe(program: &Program, symbols: &mut Symbols, inputs: &Inputs<'_>) -> (Universe, FxHashSet<Indicator>) {
    let mut walk = Walk::new(program, symbols);
    walk.texts = inputs.texts;
    walk.directives();
    let args = walk.goal(inputs.goal);
    if let Some(typed) = typed::predicate(program, inputs.goal) {
        for (own, arg) in walk.goal(typed).into_iter().zip(&args) {
            walk.graph.merge(own, *arg);
        }
        walk.finish();
    }
    let roots: Vec<Class> = args.into_iter().zip(inputs.ground).filter(|(_, ground)| **ground).map(|(class, _)| class).collect();
    let reached = walk.reached();
    (symbols_of(&mut walk, &roots, inputs.types), reached)
}

/// The universe of all calls of all predicates of the program.
#[must_use]
pub fn whole(program: &Program, symbols: &mut Symbols, texts: bool) -> Universe {
    let mut walk = Walk::new(program, symbols);
    walk.texts = texts;
    walk.directives();
    let mut roots = Vec::new();
    for predicate in program.predicates.iter().filter(|predicate| !predicate.library) {
        roots.extend(walk.goal(predicate.indicator));
    }
    symbols_of(&mut walk, &roots, &[])
}

fn symbols_of(walk: &mut Walk<'_>, roots: &[Class], types: &[Type]) -> Universe {
    let mut found = Found::default();
    let mut looks = Looks { integer: types.iter().any(Type::needs_integers), ..Looks::NONE };
    let classes = walk.graph.parts(roots);
    // `[X]` is evaluated, and not a text: where both are looked for, it is neither a number nor any other term.
    let mut lists = types.iter().any(Type::needs_lists);
    for &class in &classes {
        let own = walk.graph.looks(class);
        lists |= own.evaluated && own.text;
        looks = looks.and(own);
        looks = looks.and(around(walk, class, &mut found));
        looks = looks.and(besides_atoms(walk, class, &mut found));
        walk.graph.constants(class).into_iter().for_each(|cell| found.constant(cell));
        walk.graph.functors(class).into_iter().for_each(|(functor, _)| found.functor(functor));
    }
    let fresh = fresh_functor(walk.symbols);
    for (name, arity) in walk.named(&classes) {
        let functor = match name {
            Some(name) => walk.symbols.functor(name, arity),
            None => walk.symbols.functor_named(&fresh, arity),
        };
        found.functor(functor);
    }
    let dot = walk.symbols.functor(Atom::DOT, 2);
    let nil = Cell::Atom(Atom::NIL);
    if lists || found.seen_functors.contains(&dot) || found.seen.contains(&nil) {
        found.constants.retain(|&cell| cell != nil);
        found.constants.insert(0, nil);
        found.functor(dot);
    }
    if looks.compound {
        let fresh = walk.symbols.functor_named(&fresh, 1);
        found.functor(fresh);
    }
    let kinds = [(looks.integer, Kind::Integer), (looks.float, Kind::Float), (looks.string, Kind::String)];
    let kinds = kinds.into_iter().filter(|(there, _)| *there).map(|(_, kind)| kind).collect();
    let constants = found.constants.into_iter().filter(|cell| !matches!(cell, Cell::Int(_)));
    let (strings, atoms) = constants.partition(|cell| matches!(cell, Cell::Str(_)));
    Universe::new(
        walk.symbols,
        Symbolic { atoms, strings, functors: found.functors, kinds, texts: walk.texts, spelled: looks.text, blamed: walk.blamed },
    )
}

/// What must be there in a class that is compared by the standard order: whatever comes before, between and after what is looked for in it. Atoms are there in any
/// case; as long as nothing else is looked for, all other terms behave like some of them.
fn around(walk: &mut Walk<'_>, class: Class, found: &mut Found) -> Looks {
    let looks = walk.graph.looks(class);
    if !looks.ordered {
        return Looks::NONE;
    }
    let mut known: Vec<(u32, String)> = Vec::new();
    for (functor, _) in walk.graph.functors(class) {
        known.push((walk.symbols.arity(functor), walk.symbols.atoms.name(walk.symbols.name(functor)).to_owned()));
    }
    known.sort_unstable();
    for (at, (arity, name)) in known.iter().enumerate() {
        let next = known.get(at + 1).filter(|(other, _)| other == arity);
        // After it, and, if it is the first of its arity, before it: of two arities the larger comes later.
        let after = format!("{name}_");
        if next.is_none_or(|(_, next)| after < *next) {
            found.functor(walk.symbols.functor_named(&after, *arity));
        }
        if *arity == 1 && at == 0 && !name.is_empty() {
            found.functor(walk.symbols.functor_named("", 1));
        }
    }
    let compounds = Looks { compound: known.first().is_some_and(|(arity, _)| *arity > 1), ..Looks::NONE };
    let others = Looks { string: true, ..Looks::NUMBER };
    // The empty list comes before all atoms, and after numbers and strings.
    let before = looks.integer || looks.float || looks.string || walk.graph.constants(class).contains(&Cell::Atom(Atom::NIL));
    let others = if before { others } else { Looks::NONE };
    compounds.and(others)
}

/// Where atoms are told apart from whatever else is not a compound, there must be such a term that nothing else looks for.
fn besides_atoms(walk: &mut Walk<'_>, class: Class, found: &mut Found) -> Looks {
    let looks = walk.graph.looks(class);
    match looks {
        Looks { atom: false, .. } => Looks::NONE,
        Looks { integer: false, .. } => Looks::INTEGER,
        Looks { any_string: false, .. } => Looks::STRING,
        Looks { float: false, .. } => Looks::FLOAT,
        _ => {
            found.constant(Cell::Atom(Atom::NIL));
            Looks::NONE
        }
    }
}

/// A name that the program does not know.
fn fresh_functor(symbols: &Symbols) -> String {
    let mut name = "t".to_owned();
    while symbols.atoms.get(&name).is_some() {
        name.push('t');
    }
    name
}

#[derive(Default)]
struct Found {
    constants: Vec<Cell>,
    functors: Vec<FunctorId>,
    seen: FxHashSet<Cell>,
    seen_functors: FxHashSet<FunctorId>,
}

impl Found {
    fn constant(&mut self, cell: Cell) {
        if self.seen.insert(cell) {
            self.constants.push(cell);
        }
    }

    fn functor(&mut self, functor: FunctorId) {
        if self.seen_functors.insert(functor) {
            self.functors.push(functor);
        }
    }
}
