//! Exhaustion: tries all assignments where there are few.
//!
//! A condition over one byte, a flag or a few pointers has at most some hundred assignments; evaluating them all costs less than
//! translating it for a solver, whatever operators it has. Candidates come in the order of their distance from the hint, the
//! last variable moving fastest, so answers change little.
//!
//! **Invariant.** Every assignment was seen to violate a constraint of the core.

use xcute_term::{Sort, TermId, Terms, VarId};

use crate::bound::mask;
use crate::solver::{Answer, Count, Query, Solver};
use crate::trial::Trial;

/// The layer of exhaustion.
pub struct Exhausted {
    inner: Box<dyn Solver>,
    count: Count,
    trial: Trial,
    limit: u64,
    sizes: Vec<u64>,
    digits: Vec<u64>,
    core: Vec<TermId>,
}

impl Exhausted {
    /// Exhaustion in front of `inner`, of queries with at most `limit` assignments.
    #[must_use]
    pub fn new(inner: Box<dyn Solver>, limit: u64) -> Exhausted {
        let count = Count { layer: "exhausted", ..Count::default() };
        Exhausted { inner, count, trial: Trial::new(), limit, sizes: Vec::new(), digits: Vec::new(), core: Vec::new() }
    }

    /// Computes the number of words of every variable; false where there are more than `limit` assignments in all.
    fn few(&mut self, terms: &Terms, query: &Query<'_>) -> bool {
        // The goal's variables alone may be too many: then there is no need to look at the path.
        let too_many = |vars: &[VarId]| {
            let sizes = vars.iter().map(|&v| size(terms, v));
            sizes.fold(1u64, |product, s| product.saturating_mul(s)) > self.limit
        };
        if too_many(terms.vars(query.goal)) || query.path.iter().any(|&c| too_many(terms.vars(c))) {
            return false;
        }
        self.trial.load(terms, query);
        self.sizes.clear();
        self.sizes.extend(self.trial.vars().iter().map(|&(v, _)| size(terms, v)));
        self.sizes.iter().fold(1u64, |product, &s| product.saturating_mul(s)) <= self.limit
    }

    fn enumerate(&mut self, terms: &Terms, query: &Query<'_>) -> Answer {
        self.core.clear();
        self.digits.clear();
        self.digits.resize(self.sizes.len(), 0);
        loop {
            match self.trial.violated(terms, query) {
                None => return Answer::Sat(self.trial.patch()),
                Some(c) if !self.core.contains(&c) => self.core.push(c),
                Some(_) => {}
            }
            if !self.advance(terms) {
                return Answer::Unsat(self.core.clone());
            }
        }
    }

    /// Goes to the next assignment; false after the last.
    fn advance(&mut self, terms: &Terms) -> bool {
        for i in (0..self.digits.len()).rev() {
            self.digits[i] += 1;
            if self.digits[i] == self.sizes[i] {
                self.digits[i] = 0;
            }
            let (v, old) = self.trial.vars()[i];
            let word = nth(terms, v, old, self.digits[i]);
            self.trial.set(terms, v, word);
            if self.digits[i] != 0 {
                return true;
            }
        }
        false
    }
}

/// How many words a variable can have; `u64::MAX` where they are too many to count.
fn size(terms: &Terms, v: VarId) -> u64 {
    let info = terms.info(v);
    match (&info.domain, info.sort) {
        (Some(domain), _) => domain.len() as u64,
        (None, Sort::Bool) => 2,
        (None, Sort::BitVec(w)) if w < 32 => 1 << w,
        _ => u64::MAX,
    }
}

/// The word number `n` of a variable, counted from the old one: number 0 is the old one, then upwards and downwards in turn.
fn nth(terms: &Terms, v: VarId, old: u64, n: u64) -> u64 {
    let info = terms.info(v);
    match &info.domain {
        Some(domain) => {
            let start = domain.binary_search(&old).unwrap_or(0) as u64;
            domain[usize::try_from((start + n) % domain.len() as u64).unwrap_or(0)]
        }
        None => {
            let step = if n % 2 == 1 { n / 2 + 1 } else { (n / 2).wrapping_neg() };
            old.wrapping_add(step) & mask(info.sort.width().unwrap_or(1))
        }
    }
}

impl Solver for Exhausted {
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>) -> Answer {
        self.count.seen += 1;
        if !self.few(terms, query) {
            return self.inner.solve(terms, query);
        }
        let answer = self.enumerate(terms, query);
        match answer {
            Answer::Sat(_) => self.count.sat += 1,
            _ => self.count.unsat += 1,
        }
        answer
    }

    fn count(&self, visit: &mut dyn FnMut(&Count)) {
        visit(&self.count);
        self.inner.count(visit);
    }
}
