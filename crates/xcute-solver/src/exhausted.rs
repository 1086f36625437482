//! Exhaustion: tries all assignments where there are few.
//!
//! A condition over one byte, a few digits, a flag or some pointers has at most some hundred assignments that satisfy the
//! constraints on single variables; evaluating them all costs less than translating the query for a solver, whatever operators
//! it has. Candidates come in the order of their distance from the hint, the last variable moving fastest, so answers change
//! little.
//!
//! **Invariant.** Every assignment violates a constraint of the core: the words left out violate one on a single variable, the
//! others were tried.

use xcute_term::{Sort, TermId, Terms, VarId};

use crate::marks::Slots;
use crate::shortcut::allowed::allowed;
use crate::solver::{Answer, Count, Layer, Query, Solver, Why};
use crate::trial::Trial;

/// The layer of exhaustion.
pub struct Exhausted {
    inner: Box<dyn Solver>,
    count: Count,
    trial: Trial,
    limit: u64,
    /// The words of every variable of the query, one after the other, and where those of each begin.
    words: Vec<u64>,
    starts: Vec<usize>,
    /// Which of its words every variable has now.
    digits: Vec<usize>,
    /// The constraints on single variables, by variable.
    singles: Vec<(VarId, TermId)>,
    core: Vec<TermId>,
    /// What is in `core`.
    members: Slots,
}

impl Exhausted {
    /// Exhaustion in front of `inner`, of queries with at most `limit` assignments.
    #[must_use]
    pub fn new(inner: Box<dyn Solver>, limit: u64) -> Exhausted {
        Exhausted {
            inner,
            count: Count { layer: "exhausted", ..Count::default() },
            trial: Trial::new(),
            limit,
            words: Vec::new(),
            starts: Vec::new(),
            digits: Vec::new(),
            singles: Vec::new(),
            core: Vec::new(),
            members: Slots::default(),
        }
    }

    /// Lists the words of every variable; false where there are more than `limit` assignments in all.
    fn list(&mut self, terms: &Terms, query: &Query<'_>) -> bool {
        self.trial.load(terms, query);
        self.words.clear();
        self.starts.clear();
        self.singles.clear();
        self.singles.extend(query.path.iter().filter_map(|&c| Some((terms.vars(c).only()?, c))));
        self.singles.sort_by_key(|single| single.0);
        let alone = self.trial.vars().len() == 1;
        // Hopeless cases cost one look.
        if !alone && self.trial.vars().iter().any(|&(var, _)| !self.narrow(terms, var)) {
            return false;
        }
        let mut product = 1u64;
        let mut own = Vec::new();
        for i in 0..self.trial.vars().len() {
            let (var, old) = self.trial.vars()[i];
            own.clear();
            own.extend(self.about(var).iter().map(|single| single.1));
            let Some(set) = allowed(terms, &mut self.trial.eval, &own, var, true) else { return false };
            let size = set.intervals().iter().fold(0u64, |sum, &(a, b)| sum.saturating_add((b - a).saturating_add(1)));
            product = product.saturating_mul(size);
            if product > self.limit {
                return false;
            }
            let start = self.words.len();
            self.starts.push(start);
            self.words.extend(set.intervals().iter().flat_map(|&(a, b)| a..=b));
            self.words[start..].sort_by_key(|w| w.abs_diff(old));
        }
        self.starts.push(self.words.len());
        true
    }

    /// The constraints on a variable alone.
    fn about(&self, var: VarId) -> &[(VarId, TermId)] {
        let start = self.singles.partition_point(|single| single.0 < var);
        let end = self.singles.partition_point(|single| single.0 <= var);
        &self.singles[start..end]
    }

    /// Whether there is hope that a variable has few words, at a glance.
    fn narrow(&self, terms: &Terms, var: VarId) -> bool {
        let info = terms.info(var);
        let small = matches!(info.sort, Sort::Bool | Sort::BitVec(0..=8));
        small || info.is_restricted() || !self.about(var).is_empty()
    }

    /// Tries all assignments; `None` where that was broken off.
    fn enumerate(&mut self, terms: &Terms, query: &Query<'_>) -> Option<Answer> {
        self.members.clear(terms.len());
        self.core.clear();
        self.core.extend(self.singles.iter().map(|single| single.1));
        for c in &self.core {
            self.members.set(c.index(), 0);
        }
        self.digits.clear();
        self.digits.resize(self.starts.len() - 1, 0);
        let empty = self.starts.windows(2).any(|s| s[0] == s[1]);
        let mut more = !empty && (0..self.digits.len()).all(|i| self.put(terms, i));
        while more {
            if query.interrupt.raised() {
                return None;
            }
            match self.trial.violated(terms, query) {
                None => return Some(Answer::Sat(self.trial.patch())),
                Some(c) if self.members.set(c.index(), 0) => self.core.push(c),
                Some(_) => {}
            }
            more = self.advance(terms);
        }
        if self.members.set(query.goal.index(), 0) {
            self.core.push(query.goal);
        }
        Some(Answer::Unsat(self.core.clone()))
    }

    fn put(&mut self, terms: &Terms, i: usize) -> bool {
        let word = self.words[self.starts[i] + self.digits[i]];
        self.trial.set(terms, self.trial.vars()[i].0, word)
    }

    /// Goes to the next assignment; false after the last.
    fn advance(&mut self, terms: &Terms) -> bool {
        for i in (0..self.digits.len()).rev() {
            self.digits[i] = (self.digits[i] + 1) % (self.starts[i + 1] - self.starts[i]);
            self.put(terms, i);
            if self.digits[i] != 0 {
                return true;
            }
        }
        false
    }
}

impl Layer for Exhausted {
    fn parts(&self) -> (&Count, &dyn Solver) {
        (&self.count, self.inner.as_ref())
    }

    fn parts_mut(&mut self) -> (&mut Count, &mut dyn Solver) {
        (&mut self.count, self.inner.as_mut())
    }

    fn attempt(&mut self, terms: &mut Terms, query: &Query<'_>) -> Option<Answer> {
        let few = self.list(terms, query);
        few.then(|| self.enumerate(terms, query).unwrap_or(Answer::Unknown(Why::Interrupted)))
    }
}
