//! A path as a goal with constraints, `⟨c | p(X)⟩` in the paper: `A #> 3, dif(B, a), p(A, f(B))`.
//!
//! What the path says about the shape of its inputs is in the arguments of the goal, what it says about numbers are constraints of `clpfd`, and its negative
//! constraints are `dif/2`. A negative constraint with variables of its own (`∀Y. X ≠ f(Y)`) has no such form: it waits with `freeze/2` until the outermost symbol is
//! known, or with `when/2` until all is.
//!
//! **Invariant.** The constraints hold for exactly the ground inputs that take the path. A path of which that cannot be said has no goal.

mod arithmetic;
mod delayed;
mod file;
mod kinds;
mod multiples;
mod scope;

use std::sync::Arc;

use rustc_hash::FxHashMap;
use xcute_term::{Op, TermId, Terms};

use crate::machine::cell::Cell;
use crate::machine::export::to_arena;
use crate::machine::heap::Heap;
use crate::machine::symbols::Symbols;
use crate::machine::universe::Universe;
use crate::syntax::{Arena, Atom, Atoms, Operators, Style, Term, TermRef, Writer};
use arithmetic::Spelling;
pub use file::{GoalCase, file};
use scope::{Literal, Reading, Scope, Stop};

/// Conditions are not nested deeper than this.
const DEPTH: u32 = 100;

/// Nobody reads goals with more constraints, or larger ones.
pub const CONSTRAINTS: usize = 500;
const NODES: usize = 20_000;

/// A goal with constraints.
#[derive(Clone, Debug, PartialEq)]
pub struct ConstrainedGoal {
    /// Where the terms are.
    pub terms: Arena,
    /// The constraints, and the goal after them.
    pub root: TermRef,
    /// The constraints alone.
    pub constraints: Vec<TermRef>,
    /// The goal alone.
    pub goal: TermRef,
    /// Whether some are of `clpfd`.
    pub clpfd: bool,
    /// The names of its variables.
    pub names: Vec<Option<Arc<str>>>,
}

impl ConstrainedGoal {
    /// For people, and for a Prolog in which `clpfd` is loaded.
    #[must_use]
    pub fn text(&self, atoms: &Atoms) -> String {
        let mut atoms = atoms.clone();
        let operators = Operators::with_library(&mut atoms, "clpfd");
        Writer::new(&atoms, &operators, Style::Operators).bounded(&self.terms, self.root, &self.names, 1000)
    }
}

/// What is known of the inputs of a path.
pub(crate) struct Conditions<'a> {
    /// What was decided.
    pub decided: &'a [TermId],
    /// What all inputs satisfy.
    pub assumed: &'a [TermId],
    /// Parts of them that were evaluated and are not numbers.
    pub not_numbers: &'a [TermId],
}

/// Makes a goal with the conditions of a path, all of whose inputs satisfy what is assumed. `goal` builds it of the inputs; `None` where it cannot be written.
pub(crate) fn constrained(
    (terms, universe, symbols): (&Terms, &Universe, &mut Symbols),
    inputs: &[Option<TermId>],
    conditions: Conditions<'_>,
    goal: impl FnOnce(&mut Heap, &mut Symbols, &[Cell]) -> Cell,
) -> Option<ConstrainedGoal> {
    let mut reading =
        Reading { terms, universe, symbols, heap: Heap::default(), scopes: vec![Scope::default()], multiples: Vec::new(), left: NODES };
    let mut args = Vec::new();
    for &input in inputs {
        let cell = reading.heap.var();
        if let Some(input) = input {
            reading.input(input, cell);
        }
        args.push(cell);
    }
    let literals = |conditions: &[TermId]| conditions.iter().map(|&condition| (true, condition)).collect();
    let mut constraints = reading.constraints(literals(conditions.decided), literals(conditions.assumed)).ok()?;
    constraints.extend(reading.not_numbers(conditions.not_numbers));
    let clpfd = constraints.iter().any(|&constraint| reading.is_clpfd(constraint));
    let goal = goal(&mut reading.heap, reading.symbols, &args);
    let (mut arena, mut variables) = (Arena::default(), FxHashMap::default());
    let written = |cell| to_arena(&reading.heap, reading.symbols, cell, &mut arena, &mut variables);
    let mut all: Vec<TermRef> = [goal].into_iter().chain(constraints).map(written).collect();
    let goal = all.remove(0);
    let root = all.iter().rev().fold(goal, |rest, &constraint| arena.compound(Atom::COMMA, &[constraint, rest]));
    let names = names(&arena, goal, &all);
    Some(ConstrainedGoal { terms: arena, root, constraints: all, goal, clpfd, names })
}

/// Names in the order of the goal's arguments, for its variables that constraints mention or that occur twice.
fn names(terms: &Arena, goal: TermRef, constraints: &[TermRef]) -> Vec<Option<Arc<str>>> {
    let (mut order, mut counts) = (Vec::new(), FxHashMap::<u32, usize>::default());
    let mut work: Vec<TermRef> = constraints.iter().rev().copied().chain([goal]).collect();
    while let Some(term) = work.pop() {
        match *terms.get(term) {
            Term::Var(number) => {
                order.push(number);
                *counts.entry(number).or_insert(0) += 1;
            }
            Term::Compound(compound) => work.extend(terms.args(compound).iter().rev()),
            _ => {}
        }
    }
    let mut names = vec![None; counts.len()];
    let mut letters = ('A'..='Z').map(String::from).chain((1..).map(|n| format!("X{n}")));
    for number in order {
        let name = &mut names[number as usize];
        if counts[&number] > 1 && name.is_none() {
            *name = letters.next().map(Arc::from);
        }
    }
    names
}

impl Reading<'_> {
    /// The constraints of the goal, after what they say about shapes was taken in, and what is assumed about them.
    fn constraints(&mut self, conditions: Vec<Literal>, assumed: Vec<Literal>) -> Result<Vec<Cell>, Stop> {
        let mut rest = self.absorb(conditions)?;
        // Of what is assumed, negations say nothing about shapes.
        let mut assumed = self.flat(assumed);
        assumed.retain(|&(holds, term)| holds || self.terms.op(term) == Op::And);
        loop {
            let before = (rest.len(), assumed.len());
            assumed = self.absorb(assumed)?;
            rest = self.absorb(rest)?;
            if before == (rest.len(), assumed.len()) {
                break;
            }
        }
        // That a term is not an f(_) says more than that it is not an f(a), which then need not be said.
        rest.sort_by_key(|&(holds, term)| holds || !matches!(self.terms.op(term), Op::IsCtor(_)));
        if rest.len() > CONSTRAINTS {
            return Err(Stop::Inexpressible);
        }
        self.find_multiples(&rest);
        let mut found = Vec::new();
        for test in self.compounds(&mut rest) {
            let Cell::Struct(address) = test else { continue };
            found.push(self.compound("freeze", &[self.heap.arg(address, 0), test]));
        }
        for literal in rest {
            // What has no variables left holds, since there is an input that takes the path.
            let constraint = self.constraint(literal)?.filter(|&constraint| !self.variables(&[constraint], u32::MAX).is_empty());
            found.extend(constraint.filter(|new| !found.iter().any(|old| self.equal(*old, *new) == Some(true))));
        }
        let mut all = self.types(&found);
        all.append(&mut found);
        Ok(all)
    }

    fn is_clpfd(&self, constraint: Cell) -> bool {
        let Cell::Struct(address) = constraint else { return false };
        let name = self.symbols.atoms.name(self.symbols.name(self.heap.functor(address)));
        name.starts_with('#') || name == "in"
    }

    /// A constraint for a condition; `None` if it holds anyway.
    fn constraint(&mut self, literal: Literal) -> Result<Option<Cell>, Stop> {
        let (holds, term) = literal;
        match self.known(literal) {
            Some(true) => return Ok(None),
            Some(false) => return Err(Stop::Contradiction),
            None => {}
        }
        if let (false, Op::And) = (holds, self.terms.op(term)) {
            let parts: Vec<TermId> = self.terms.args(term).to_vec();
            let known: Vec<Option<bool>> = parts.iter().map(|&part| self.known((true, part))).collect();
            let open: Vec<TermId> = parts.into_iter().zip(&known).filter(|(_, known)| known.is_none()).map(|(part, _)| part).collect();
            match open[..] {
                _ if known.contains(&Some(false)) => return Ok(None),
                [one] => return self.constraint(self.plain((false, one))),
                _ => {}
            }
        }
        if let Some((cell, test)) = self.kinds(literal) {
            let test = self.compound(test, &[cell]);
            return Ok(Some(self.compound("freeze", &[cell, test])));
        }
        if let Some(said) = self.multiple(literal) {
            return Ok(said);
        }
        if let Some(reified) = self.reified(literal, 0) {
            return Ok(Some(reified));
        }
        match (holds, self.terms.op(term), self.terms.args(term)) {
            (false, Op::Eq, &[a, b]) if let Some((a, b)) = self.sides(a, b) => Ok(Some(self.compound("dif", &[a, b]))),
            (false, Op::IsCtor(ctor), &[of]) if let Some(cell) = self.place(of) => {
                let cell = self.resolve(cell);
                self.scope().excluded.push((cell, ctor));
                let test = match self.universe.functor(ctor) {
                    Some((functor, arity)) => {
                        let args: Vec<Cell> = (0..arity).map(|_| self.heap.var()).collect();
                        let pattern = self.heap.compound(functor, &args);
                        self.compound("\\=", &[cell, pattern])
                    }
                    None => {
                        let test = self.is_atomic(cell, ctor);
                        self.compound("\\+", &[test])
                    }
                };
                Ok(Some(self.compound("freeze", &[cell, test])))
            }
            _ => self.delayed(literal),
        }
    }

    /// A condition over numbers alone as one constraint.
    fn reified(&mut self, (holds, term): Literal, depth: u32) -> Option<Cell> {
        if depth > DEPTH {
            return None;
        }
        match (self.terms.op(term), self.terms.args(term)) {
            (Op::Not, &[inner]) => self.reified((!holds, inner), depth + 1),
            (Op::And, args) => {
                let mut parts = Vec::new();
                for &arg in args {
                    // What is known to hold need not be said.
                    if self.known((true, arg)) != Some(true) {
                        parts.push(self.reified((holds, arg), depth + 1)?);
                    }
                }
                let name = if holds { "#/\\" } else { "#\\/" };
                let (&first, rest) = parts.split_first()?;
                Some(rest.iter().fold(first, |all, &next| self.compound(name, &[all, next])))
            }
            _ => self.comparison((holds, term), Spelling::Clpfd, &mut Vec::new()),
        }
    }

    /// The variables of terms whose address is smaller than this, each once.
    fn variables(&self, cells: &[Cell], before: u32) -> Vec<u32> {
        let (mut found, mut work) = (Vec::new(), cells.to_vec());
        work.reverse();
        while let Some(cell) = work.pop() {
            match self.heap.deref(cell) {
                Cell::Var(address) if address < before && !found.contains(&address) => found.push(address),
                Cell::Struct(address) => {
                    let arity = self.symbols.arity(self.heap.functor(address));
                    work.extend((0..arity).rev().map(|i| self.heap.arg(address, i)));
                }
                _ => {}
            }
        }
        found
    }
}
