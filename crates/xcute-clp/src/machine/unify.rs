//! Unification under a condition: what must hold of the input for two terms to be unifiable.
//!
//! Where a term that depends on the input meets a pattern, the condition is quantifier free: a variable of the clause gets its *determining
//! expression*, a path of selectors into the input, so that `∃V (s = t)` is a conjunction of tests and equations. Terms are finite trees: a variable is never bound
//! to a term that it occurs in. Without the flag `occurs_check` SWI-Prolog would make a cyclic term there: the run ends, which is counted.
//!
//! **Invariant.** The bindings are those of every input under which the conditions hold.

use rustc_hash::FxHashSet;
use smallvec::{SmallVec, smallvec};
use xcute_term::{Op, TermId, Value};

use super::Machine;
use super::cell::Cell;
use super::heap::Mark;
use super::shape::WALKED;

/// An input meets no larger terms: one that shares its parts may be as large as a tree as anybody likes.
const CONDITIONS: usize = 1_000_000;

/// Terms that are to be unified: those of a head are few.
pub(crate) type Pairs = SmallVec<[(Cell, Cell); 8]>;

/// Pairs of compounds that were met before: terms that share their parts are not walked through as trees. Small terms are not worth the trouble.
#[derive(Default)]
pub(crate) struct Shared {
    met: usize,
    pairs: FxHashSet<(u32, u32)>,
}

impl Shared {
    /// Compounds that are met before any are kept.
    const SMALL: usize = 256;

    /// Whether a pair was met before.
    pub(crate) fn seen(&mut self, x: u32, y: u32) -> bool {
        self.met += 1;
        self.met > Shared::SMALL && !self.pairs.insert((x, y))
    }
}

impl Machine<'_> {
    /// Unifies; `None` if no input makes it possible, else what the input must satisfy. Bindings are left even on failure: the caller undoes them.
    pub(crate) fn unify(&mut self, a: Cell, b: Cell) -> Option<Vec<TermId>> {
        let mut conditions = Vec::new();
        self.unify_all(smallvec![(a, b)], u32::MAX, &mut conditions).then_some(conditions)
    }

    /// Unifies pairs. Variables from `fresh` on are those of a new instance of a clause, which nothing else mentions yet.
    pub(crate) fn unify_all(&mut self, mut pending: Pairs, fresh: u32, conditions: &mut Vec<TermId>) -> bool {
        let (mut cyclic, mut shared) = (false, Shared::default());
        // Older variables that were bound. Only below one of them can a variable of a new instance come to be a part of itself, when it is bound later.
        let (mut older, mut late) = (SmallVec::<[u32; 8]>::new(), false);
        while let Some((a, b)) = pending.pop() {
            if conditions.len() > CONDITIONS || self.breathe().is_err() {
                self.too_large = true;
                return false;
            }
            let (a, b) = (self.heap.deref(a), self.heap.deref(b));
            if a == b {
                continue;
            }
            match (a, b) {
                (Cell::Var(x), Cell::Var(y)) => {
                    // The younger refers to the older.
                    let (young, old) = if x > y { (x, b) } else { (y, a) };
                    if young < fresh {
                        older.push(young);
                    }
                    self.bind(young, old);
                }
                (Cell::Var(x), other) | (other, Cell::Var(x)) => {
                    if let Cell::Struct(_) = other
                        && x < fresh
                        && self.occurs(x, other)
                    {
                        // What is left may clash all the same.
                        cyclic = true;
                        continue;
                    }
                    if x < fresh {
                        older.push(x);
                    } else {
                        late |= !older.is_empty() && matches!(other, Cell::Struct(_));
                    }
                    self.bind(x, other);
                }
                (Cell::Struct(x), Cell::Struct(y)) => {
                    let functor = self.heap.functor(x);
                    if functor != self.heap.functor(y) {
                        return false;
                    }
                    if shared.seen(x, y) {
                        continue;
                    }
                    let arity = self.symbols.arity(functor);
                    pending.extend((0..arity).rev().map(|i| (self.heap.at(x + 1 + i), self.heap.at(y + 1 + i))));
                }
                (Cell::Sym(e), other) | (other, Cell::Sym(e)) => {
                    if !self.unify_sym(e, other, &mut pending, conditions) {
                        return false;
                    }
                }
                _ => return false,
            }
        }
        cyclic = cyclic || late && older.into_iter().any(|variable| self.has_cycle(variable));
        if cyclic {
            self.not_finite(conditions);
        }
        !cyclic
    }

    /// A cyclic term would be made where these conditions hold.
    fn not_finite(&mut self, conditions: &[TermId]) {
        if !self.flags.occurs_check {
            self.rec.limit("unsupported", "a cyclic term (with the flag occurs_check, such a unification fails)", true);
            self.cyclic |= conditions.iter().all(|&condition| self.rec.value(condition) == Value::Bool(true));
        }
    }

    fn unify_sym(&mut self, e: TermId, other: Cell, pending: &mut Pairs, conditions: &mut Vec<TermId>) -> bool {
        let condition = match other {
            Cell::Sym(f) => self.rec.terms.mk(Op::Eq, &[e, f]),
            Cell::Struct(address) => {
                let functor = self.heap.functor(address);
                let Some(ctor) = self.universe.ctor(functor) else { return self.not_made(other) };
                for i in (0..self.symbols.arity(functor)).rev() {
                    let part = self.rec.terms.mk(Op::Select(ctor, i), &[e]);
                    pending.push((Cell::Sym(part), self.heap.at(address + 1 + i)));
                }
                self.rec.terms.mk(Op::IsCtor(ctor), &[e])
            }
            atomic => match self.universe.constant(self.rec.terms, self.symbols, atomic) {
                Some(constant) => self.rec.terms.mk(Op::Eq, &[e, constant]),
                None => return self.not_made(atomic),
            },
        };
        match self.rec.facts.holds(self.rec.terms, condition) {
            Some(known) => known,
            None => {
                conditions.push(condition);
                true
            }
        }
    }

    /// An input is compared with something that inputs are not made of: that was not foreseen, and paths may be missing.
    fn not_made(&mut self, other: Cell) -> bool {
        let what = match other {
            Cell::Struct(address) => {
                let functor = self.heap.functor(address);
                format!("inputs with {}/{}", self.symbols.atoms.name(self.symbols.name(functor)), self.symbols.arity(functor))
            }
            Cell::Float(_) => "inputs that are floats".to_owned(),
            Cell::Str(_) => "inputs that are strings".to_owned(),
            _ => "inputs that are integers".to_owned(),
        };
        self.rec.limit("universe", &what, true);
        false
    }

    /// Whether a variable is bound to a term with a part that is a part of itself.
    fn has_cycle(&mut self, variable: u32) -> bool {
        let Cell::Struct(root) = self.heap.deref(Cell::Var(variable)) else { return false };
        // Compounds that were begun; those that were gone through.
        let (mut begun, mut done) = (FxHashSet::from_iter([root]), FxHashSet::default());
        let mut path = vec![(root, 0)];
        while let Some((address, next)) = path.last_mut() {
            let (address, part) = (*address, *next);
            if part == self.symbols.arity(self.heap.functor(address)) {
                path.pop();
                done.insert(address);
                if (done.len() as u64).is_multiple_of(WALKED) {
                    self.steps += 1;
                }
                continue;
            }
            *next += 1;
            if let Cell::Struct(inner) = self.heap.arg(address, part)
                && !done.contains(&inner)
            {
                if !begun.insert(inner) {
                    return true;
                }
                path.push((inner, 0));
            }
        }
        false
    }

    /// Whether a variable occurs in a term. Like builtin predicates on long lists, this takes steps where the term is large: one that grows with each unification would
    /// be walked through again and again.
    fn occurs(&mut self, variable: u32, term: Cell) -> bool {
        let Cell::Struct(address) = self.heap.deref(term) else { return false };
        self.reaches(address, |cell| cell == Cell::Var(variable))
    }

    /// Whether a compound has a part like this.
    fn reaches(&mut self, root: u32, is_it: impl Fn(Cell) -> bool) -> bool {
        let (mut pending, mut shared, mut walked) = (vec![root], Shared::default(), 0);
        while let Some(address) = pending.pop() {
            if shared.seen(address, address) {
                continue;
            }
            walked += 1;
            if walked % WALKED == 0 {
                self.steps += 1;
            }
            for i in 0..self.symbols.arity(self.heap.functor(address)) {
                let part = self.heap.arg(address, i);
                if is_it(part) {
                    return true;
                }
                if let Cell::Struct(inner) = part {
                    pending.push(inner);
                }
            }
        }
        false
    }

    fn bind(&mut self, variable: u32, to: Cell) {
        self.heap.bind(variable, to);
    }

    /// The conditions under which two terms are identical, `==`; `None` if they never are.
    pub(crate) fn identical(&mut self, a: Cell, b: Cell) -> Option<Vec<TermId>> {
        let (mut conditions, mut shared) = (Vec::new(), Shared::default());
        let mut pending = smallvec![(a, b)];
        while let Some((a, b)) = pending.pop() {
            if conditions.len() > CONDITIONS || self.breathe().is_err() {
                self.too_large = true;
                return None;
            }
            let (a, b) = (self.heap.deref(a), self.heap.deref(b));
            if a == b {
                continue;
            }
            match (a, b) {
                (Cell::Struct(x), Cell::Struct(y)) if self.heap.functor(x) == self.heap.functor(y) => {
                    if shared.seen(x, y) {
                        continue;
                    }
                    let arity = self.symbols.arity(self.heap.functor(x));
                    pending.extend((0..arity).rev().map(|i| (self.heap.at(x + 1 + i), self.heap.at(y + 1 + i))));
                }
                (Cell::Sym(_), Cell::Var(_)) | (Cell::Var(_), Cell::Sym(_)) => return None,
                (Cell::Sym(e), other) | (other, Cell::Sym(e)) => {
                    if !self.unify_sym(e, other, &mut pending, &mut conditions) {
                        return None;
                    }
                }
                _ => return None,
            }
        }
        Some(conditions)
    }

    /// Whether something was bound since that is older than `fresh`.
    pub(crate) fn bound_older(&self, mark: Mark, fresh: u32) -> bool {
        self.heap.bound_since(mark).iter().any(|&address| address < fresh)
    }
}
