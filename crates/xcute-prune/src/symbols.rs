//! Cells and symbols: which variables of the arena stand for memory, what it held at the start, and names for those that are quantified.
//!
//! An interpolant may be about cells that a run never came near, so what cells held at the start is kept for all runs.
//!
//! **Invariant.** A quantified variable is none of any front end, so nothing it meets in a query can capture it.

use rustc_hash::FxHashMap;
use xcute_term::{Op, Sort, TermId, Terms, VarId};

use xcute_trace::segments::Run;

/// What quantified symbols may stand for: a sort, and the words that they are restricted to.
pub(crate) type Kind = (Sort, Option<Box<[u64]>>);

/// The cells that any run had, with what they held at the start, and the variables that stand for quantified symbols.
#[derive(Debug, Default)]
pub(crate) struct Symbols {
    cells: FxHashMap<VarId, TermId>,
    quantified: FxHashMap<Kind, Vec<TermId>>,
    restricted: bool,
}

impl Symbols {
    /// Notes what a cell held at the start; whether no other run found something else there.
    pub(crate) fn add_cell(&mut self, cell: VarId, initial: TermId) -> bool {
        *self.cells.entry(cell).or_insert(initial) == initial
    }

    /// What a cell held at the start; `None` for variables that are not cells.
    pub(crate) fn initial(&self, var: VarId) -> Option<TermId> {
        self.cells.get(&var).copied()
    }

    pub(crate) fn is_cell(&self, var: VarId) -> bool {
        self.cells.contains_key(&var)
    }

    /// Takes in the cells of a run; whether no other run found something else in them.
    pub(crate) fn add_run(&mut self, run: &Run) -> bool {
        self.restricted |= !run.foreign.is_empty();
        run.initial.iter().all(|&(cell, initial)| self.add_cell(cell, initial))
    }

    /// Whether a run had symbols that cannot have any value: results of code that was not followed.
    pub(crate) fn restricted(&self) -> bool {
        self.restricted
    }

    /// Whether a term mentions a cell.
    pub(crate) fn has_cell(&self, terms: &Terms, t: TermId) -> bool {
        terms.vars(t).iter().any(|var| self.is_cell(var))
    }

    /// The `n`-th quantified variable of a kind.
    pub(crate) fn quantified(&mut self, terms: &mut Terms, kind: &Kind, n: usize) -> TermId {
        let pool = self.quantified.entry(kind.clone()).or_default();
        while pool.len() <= n {
            let (sort, among) = kind;
            let among = among.as_ref().map(|words| format!(" of {words:x?}")).unwrap_or_default();
            let symbol = terms.var(&format!("any {sort:?}{among} {}", pool.len()), *sort);
            if let (Some(words), Op::Var(var)) = (&kind.1, terms.op(symbol)) {
                terms.set_domain(var, words.to_vec());
            }
            pool.push(symbol);
        }
        pool[n]
    }
}
