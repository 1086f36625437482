//! The history of a run: its symbolic store and path condition at each decision, over inputs.
//!
//! Nothing of it is kept with the tree: whoever finishes an arm has just run a path through its node, so the state is in that run.
//!
//! **Invariant.** The run's own input satisfies the path condition.

use rustc_hash::FxHashMap;
use xcute_term::{Op, TermId, Terms, VarId};

use crate::substitution::Substitution;
use crate::symbols::Symbols;
use xcute_trace::segments::{Choice, Run};

/// What cells held, and what was decided, as far as the run was followed.
#[derive(Debug, Default)]
pub(crate) struct History {
    /// Per cell that was written: since when it held which term. Segment `k` is moment `2 k + 1`, the arm that was taken below it the next.
    writes: FxHashMap<VarId, Vec<(usize, TermId)>>,
    /// Per symbol that is not an input: its value.
    foreign: FxHashMap<VarId, TermId>,
    /// The conditions of the arms that were taken, without those that are constant.
    path: Vec<TermId>,
    /// Per decision: how many of these come before it.
    prefix: Vec<usize>,
}

impl History {
    pub(crate) fn new(terms: &mut Terms, run: &Run) -> History {
        let foreign = run.foreign.iter().map(|(symbol, value)| (*symbol, terms.value(value.clone()))).collect();
        History { foreign, ..History::default() }
    }

    /// Follows the run to its next decision, and through the arm it took there.
    pub(crate) fn advance(&mut self, terms: &mut Terms, symbols: &Symbols, run: &Run) {
        let k = self.prefix.len();
        let decision = &run.decisions[k];
        let lookup = |var| self.held(symbols, var, 2 * k);
        let mut substitution = Substitution::new(lookup);
        let written: Vec<(VarId, TermId)> =
            decision.segment.writes.iter().map(|&(cell, term)| (cell, substitution.apply(terms, term))).collect();
        for (cell, term) in written {
            self.writes.entry(cell).or_default().push((2 * k + 1, term));
        }
        self.prefix.push(self.path.len());
        let condition = decision.condition(terms, decision.taken, &[]);
        if let Choice::Shape(_) = decision.choice
            && let (Op::Eq, &[cell, value]) = (terms.op(condition), terms.args(condition))
            && let Op::Var(cell) = terms.op(cell)
        {
            // What comes after it is about one shape.
            self.writes.entry(cell).or_default().push((2 * k + 2, value));
        }
        let condition = self.at(terms, symbols, k, condition);
        if !terms.is_const(condition) {
            self.path.push(condition);
        }
    }

    /// A term over cells at decision `k`, as a term over inputs.
    pub(crate) fn at(&self, terms: &mut Terms, symbols: &Symbols, k: usize, term: TermId) -> TermId {
        Substitution::new(|var| self.held(symbols, var, 2 * k + 1)).apply(terms, term)
    }

    /// Whether an input decided decision `k`.
    pub(crate) fn decided(&self, k: usize) -> bool {
        self.prefix.get(k + 1).copied().unwrap_or(self.path.len()) > self.prefix[k]
    }

    /// What the path before decision `k` demands.
    pub(crate) fn path(&self, k: usize) -> &[TermId] {
        &self.path[..self.prefix[k]]
    }

    /// What a cell held at a moment, or the value of a symbol that is not an input.
    fn held(&self, symbols: &Symbols, var: VarId, upto: usize) -> Option<TermId> {
        let writes = self.writes.get(&var).map_or(&[][..], Vec::as_slice);
        let later = writes.partition_point(|&(since, _)| since <= upto);
        let written = later.checked_sub(1).map(|last| writes[last].1);
        written.or_else(|| symbols.initial(var)).or_else(|| self.foreign.get(&var).copied())
    }
}
