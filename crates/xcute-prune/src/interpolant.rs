//! Interpolants: conjunctions of clauses over cells.
//!
//! Every variable of a clause that is not a cell is universally quantified, for each clause by itself. A question about an interpolant negates it, and
//! there such a variable is just another unknown: no quantifier reaches a solver.
//!
//! **Invariant.** What a full interpolant says about a program point: from no state there that satisfies it can a run fail (within the horizon).
//! So a stronger one is as sound. Disjunctions are the clauses themselves and are never distributed.

use std::sync::Arc;

use xcute_term::{Op, TermId, Terms, print};

use crate::bound::Bound;
use crate::substitution::dag_size;

/// A disjunction of literals: sorted, no duplicates, none of them constant. Without literals it is false.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Clause(Box<[TermId]>);

impl Clause {
    /// The clause of these literals; `None` where it is true.
    #[must_use]
    pub fn new(terms: &mut Terms, literals: impl IntoIterator<Item = TermId>) -> Option<Clause> {
        let mut all: Vec<TermId> = Vec::new();
        for literal in literals {
            match *terms.args(literal) {
                // A disjunction is written as the negation of a conjunction.
                [and] if terms.op(literal) == Op::Not && terms.op(and) == Op::And => {
                    let parts = terms.args(and).to_vec();
                    all.extend(parts.into_iter().map(|part| terms.not(part)));
                }
                _ => all.push(literal),
            }
        }
        let (yes, no) = (terms.bool(true), terms.bool(false));
        all.retain(|&literal| literal != no);
        all.sort_unstable();
        all.dedup();
        let contains = |literal| all.binary_search(&literal).is_ok();
        let valid = contains(yes) || all.iter().any(|&literal| contains(terms.not(literal)));
        (!valid).then(|| Clause(all.into_boxed_slice()))
    }

    /// The literals.
    #[must_use]
    pub fn literals(&self) -> &[TermId] {
        &self.0
    }

    /// The only literal.
    #[must_use]
    pub fn unit(&self) -> Option<TermId> {
        if let [literal] = *self.0 { Some(literal) } else { None }
    }

    /// Whether it is false.
    #[must_use]
    pub fn is_false(&self) -> bool {
        self.0.is_empty()
    }

    /// The term.
    pub fn term(&self, terms: &mut Terms) -> TermId {
        if self.is_false() { terms.bool(false) } else { terms.mk(Op::Or, &self.0) }
    }

    fn human(&self, terms: &Terms, among_others: bool) -> String {
        let mut literals: Vec<String> = self.0.iter().map(|&literal| human(terms, literal)).collect();
        literals.sort_unstable();
        let text = if literals.is_empty() { "false".to_owned() } else { literals.join(" || ") };
        if among_others && literals.len() > 1 { format!("({text})") } else { text }
    }

    /// Whether every literal of this clause is one of the other.
    pub(crate) fn within(&self, other: &Clause) -> bool {
        self.0.len() <= other.0.len() && self.0.iter().all(|literal| other.0.binary_search(literal).is_ok())
    }
}

/// A literal for people: bounds as in the paper, `s <= 3` and not `s < 4`.
fn human(terms: &Terms, literal: TermId) -> String {
    match Bound::of(terms, literal) {
        Some(bound) => {
            let (sign, limit) = if bound.is_upper() { ("<=", bound.high) } else { (">=", bound.low) };
            let unsigned = if bound.order.signed { "" } else { "u" };
            format!("{} {sign}{unsigned} {limit}", print::human(terms, bound.term))
        }
        None => print::human(terms, literal),
    }
}

/// A conjunction of clauses; without clauses it is true.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Interpolant {
    clauses: Vec<Clause>,
}

impl Interpolant {
    /// The clauses.
    #[must_use]
    pub fn clauses(&self) -> &[Clause] {
        &self.clauses
    }

    /// Adds a clause, unless another one implies it by its literals alone.
    pub(crate) fn add(&mut self, clause: Clause) {
        if self.clauses.iter().any(|known| known.within(&clause)) {
            return;
        }
        self.clauses.retain(|known| !clause.within(known));
        self.clauses.push(clause);
    }

    /// Adds a disjunction; one that is a conjunction alone becomes several clauses.
    pub(crate) fn add_literals(&mut self, terms: &mut Terms, literals: &[TermId]) {
        if let [only] = *literals
            && terms.op(only) == Op::And
        {
            for part in terms.args(only).to_vec() {
                self.add_literals(terms, &[part]);
            }
            return;
        }
        if let Some(clause) = Clause::new(terms, literals.iter().copied()) {
            self.add(clause);
        }
    }

    /// Whether one of the clauses is false.
    pub(crate) fn is_false(&self) -> bool {
        self.clauses.iter().any(Clause::is_false)
    }

    /// How many different terms it is built from.
    #[must_use]
    pub fn size(&self, terms: &Terms) -> usize {
        dag_size(terms, self.clauses.iter().flat_map(|clause| clause.literals().iter().copied()))
    }

    /// For people: the clauses, in a fixed order.
    #[must_use]
    pub fn human(&self, terms: &Terms) -> String {
        let several = self.clauses.len() > 1;
        let mut clauses: Vec<String> = self.clauses.iter().map(|clause| clause.human(terms, several)).collect();
        clauses.sort_unstable();
        if clauses.is_empty() { "true".to_owned() } else { clauses.join(" && ") }
    }
}

/// For how many further decisions an interpolant holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Horizon(u32);

impl Horizon {
    /// For all.
    pub const INFINITE: Horizon = Horizon(u32::MAX);

    /// For this many.
    #[must_use]
    pub fn decisions(n: usize) -> Horizon {
        Horizon(u32::try_from(n).unwrap_or(u32::MAX))
    }

    /// For how many.
    #[must_use]
    pub fn count(self) -> u32 {
        self.0
    }

    /// Seen from one decision before.
    #[must_use]
    pub fn before(self) -> Horizon {
        Horizon(self.0.saturating_add(1))
    }
}

/// An interpolant at a node, or at an arm of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotation {
    /// The interpolant; `None` where there is none of bearable size. Such a subtree is finished, but nothing is like it.
    pub interpolant: Option<Arc<Interpolant>>,
    /// How far it holds.
    pub horizon: Horizon,
    /// How many paths there are from here, those that are subsumed counted as the paths of who subsumes them. An estimate: another state may have fewer.
    pub paths: u64,
}

impl Annotation {
    pub(crate) fn new(interpolant: Option<Interpolant>, horizon: Horizon, paths: u64) -> Annotation {
        Annotation { interpolant: interpolant.filter(|interpolant| !interpolant.is_false()).map(Arc::new), horizon, paths }
    }
}
