//! The symbols of a program: what its inputs may be made of.
//!
//! Data are the arguments of heads and of goals; functors of arithmetic expressions, closures, goals and messages are none.

use rustc_hash::FxHashSet;

use crate::machine::cell::{Cell, FunctorId};
use crate::machine::code::atomic_cell;
use crate::machine::symbols::Symbols;
use crate::machine::universe::Universe;
use crate::syntax::{Arena, Atom, Program, Term, TermRef};
use crate::types::Type;

/// What a term stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Data,
    Goal,
    Closure,
    Expression,
}

#[derive(Default)]
struct Found {
    constants: Vec<Cell>,
    functors: Vec<FunctorId>,
    seen: FxHashSet<Cell>,
    seen_functors: FxHashSet<FunctorId>,
    integers: bool,
    lists: bool,
}

/// The universe of a program. `library` says which predicates are not its own: of those only lists count.
#[must_use]
pub fn universe(program: &Program, symbols: &mut Symbols, types: &[Type], library: impl Fn(crate::syntax::Indicator) -> bool) -> Universe {
    let mut found =
        Found { integers: types.iter().any(Type::needs_integers), lists: types.iter().any(Type::needs_lists), ..Found::default() };
    for predicate in &program.predicates {
        let mut inner = Found::default();
        for clause in &predicate.clauses {
            if let Some((_, args)) = clause.terms.callable(clause.head) {
                for &arg in args {
                    collect(&clause.terms, symbols, arg, Role::Data, &mut inner);
                }
            }
            collect(&clause.terms, symbols, clause.body, Role::Goal, &mut inner);
            if let Some(guard) = clause.guard {
                collect(&clause.terms, symbols, guard, Role::Goal, &mut inner);
            }
        }
        if library(predicate.indicator) {
            found.lists |= inner.lists;
            found.integers |= inner.integers;
        } else {
            found.integers |= inner.integers;
            found.lists |= inner.lists;
            for cell in inner.constants {
                found.constant(cell);
            }
            for functor in inner.functors {
                found.functor(functor);
            }
        }
    }
    if found.lists {
        let (nil, dot) = (Cell::Atom(Atom::NIL), symbols.functor(Atom::DOT, 2));
        found.constants.retain(|&cell| cell != nil);
        found.constants.insert(0, nil);
        found.functor(dot);
    }
    Universe::new(symbols, found.constants, found.functors, found.integers)
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

fn collect(arena: &Arena, symbols: &mut Symbols, root: TermRef, role: Role, found: &mut Found) {
    let mut pending = vec![(root, role)];
    while let Some((term, role)) = pending.pop() {
        match (arena.get(term), role) {
            (Term::Var(_), _) => {}
            (Term::Integer(_), _) => found.integers = true,
            // Of a lambda expression only the body.
            (Term::Compound(compound), Role::Closure | Role::Data)
                if compound.arity() == 2 && symbols.atoms.name(compound.name) == ">>" =>
            {
                pending.push((arena.args(*compound)[1], Role::Goal));
            }
            (Term::Compound(compound), Role::Data) => {
                found.lists |= compound.name == Atom::DOT && compound.arity() == 2;
                let functor = symbols.functor(compound.name, u32::try_from(compound.arity()).expect("few arguments"));
                found.functor(functor);
                pending.extend(arena.args(*compound).iter().rev().map(|&arg| (arg, Role::Data)));
            }
            (Term::Compound(compound), Role::Goal) => {
                let args = arena.args(*compound);
                let roles = roles(symbols.atoms.name(compound.name), args.len(), found);
                pending.extend(args.iter().zip(roles).rev().filter_map(|(&arg, role)| Some((arg, role?))));
            }
            (Term::Compound(compound), Role::Closure) => pending.extend(arena.args(*compound).iter().map(|&arg| (arg, Role::Data))),
            (Term::Compound(compound), Role::Expression) => {
                pending.extend(arena.args(*compound).iter().map(|&arg| (arg, Role::Expression)));
            }
            (atomic, Role::Data) => {
                let cell = atomic_cell(symbols, atomic);
                found.lists |= cell == Cell::Atom(Atom::NIL);
                found.constant(cell);
            }
            _ => {}
        }
    }
}

/// What the arguments of a goal stand for; `None` for those that are not data of the program.
fn roles(name: &str, arity: usize, found: &mut Found) -> Vec<Option<Role>> {
    use Role::{Closure, Data, Expression, Goal};
    match (name, arity) {
        ("," | ";" | "->" | "*->" | "|", 2) | ("\\+" | "once" | "ignore" | "assertion" | "call", 1) | ("forall", 2) => {
            vec![Some(Goal); arity]
        }
        ("findall", 3 | 4) | ("aggregate_all" | "bagof" | "setof", 3) => {
            let mut roles = vec![Some(Data); arity];
            roles[1] = Some(Goal);
            roles
        }
        ("catch", 3) => vec![Some(Goal), None, Some(Goal)],
        ("is", 2) => {
            found.integers = true;
            vec![Some(Data), Some(Expression)]
        }
        ("<" | ">" | "=<" | ">=" | "=:=" | "=\\=" | "#=" | "#\\=" | "#<" | "#>" | "#=<" | "#>=", 2) => {
            found.integers = true;
            vec![Some(Expression); 2]
        }
        ("#<==>" | "#==>" | "#<==" | "#\\/" | "#/\\" | "#\\", 1 | 2) | ("setup_call_cleanup", 3) | ("call_cleanup", 2) => {
            vec![Some(Goal); arity]
        }
        ("with_output_to", 2) => vec![None, Some(Goal)],
        ("freeze", 2) => vec![Some(Data), Some(Goal)],
        ("when", 2) => vec![None, Some(Goal)],
        ("labeling", 2) => vec![None, Some(Data)],
        ("sum", 3) => {
            found.integers = true;
            vec![Some(Data), None, Some(Expression)]
        }
        ("scalar_product", 4) => {
            found.integers = true;
            vec![Some(Data), Some(Data), None, Some(Expression)]
        }
        ("chain", 2) => {
            found.integers = true;
            vec![Some(Data), None]
        }
        ("all_different" | "all_distinct" | "lex_chain" | "circuit", 1) | ("tuples_in" | "global_cardinality", 2) | ("element", 3) => {
            found.integers = true;
            vec![Some(Data); arity]
        }
        ("in" | "ins", 2) => {
            found.integers = true;
            vec![Some(Data), None]
        }
        ("integer" | "number" | "between" | "succ" | "plus" | "length" | "nth0" | "nth1" | "numlist", _) => {
            found.integers = true;
            vec![Some(Data); arity]
        }
        ("call" | "maplist" | "foldl" | "include" | "exclude" | "partition" | "phrase", _) if arity > 1 => {
            let mut roles = vec![Some(Data); arity];
            roles[0] = Some(Closure);
            roles
        }
        ("assert" | "asserta" | "assertz" | "retract", 1) => vec![Some(Closure)],
        ("throw", 1) | ("write" | "print" | "writeln" | "write_canonical" | "writeq", 1) | ("format", 1..=3) | ("label", 1) => {
            vec![None; arity]
        }
        _ => vec![Some(Data); arity],
    }
}
