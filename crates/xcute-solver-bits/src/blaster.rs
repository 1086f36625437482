//! Queries: constraints become assumptions, assumptions that contradict each other become the core, a model becomes a patch.
//!
//! Eén & Sörensson, "Temporal induction by incremental SAT solving" (2003): one SAT solver for all queries, each solved under
//! assumptions.

use xcute_solver::{Answer, Count, Query, Solver, Why};
use xcute_term::{Bits, Model, Sort, TermId, Terms, Value, VarId};

use crate::blast::Blast;
use crate::lit::Lit;
use crate::sat::Verdict;

/// When to start afresh, and what not to start at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Literals and gates held before everything is dropped and translated anew. Checked before a query, never within one.
    pub size: usize,
    /// The widest product or quotient of two unknowns that is translated (the circuit grows with the square of the width).
    pub widest_product: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { size: 1 << 20, widest_product: 128 }
    }
}

/// A solver for Booleans and bit-vectors of any width. Queries with any other sort or operator are `Unknown(Unsupported)`.
///
/// A model is a patch of the hint: it holds the variables of the query whose value differs from the hint's. Effort is counted
/// in SAT conflicts; an effort of 0 counts as 1.
///
/// All queries must be over one arena: terms are remembered by their number.
pub struct BitBlaster {
    blast: Blast,
    limits: Limits,
    assumptions: Vec<Lit>,
    /// For each variable, the last query (see `Count::seen`) whose model it was written to.
    written: Vec<u64>,
    count: Count,
    restarts: u64,
}

impl Default for BitBlaster {
    fn default() -> BitBlaster {
        BitBlaster::new()
    }
}

impl BitBlaster {
    /// A solver with the default limits.
    #[must_use]
    pub fn new() -> BitBlaster {
        BitBlaster::with_limits(Limits::default())
    }

    /// A solver with these limits.
    #[must_use]
    pub fn with_limits(limits: Limits) -> BitBlaster {
        BitBlaster {
            blast: Blast::new(limits.widest_product),
            limits,
            assumptions: Vec::new(),
            written: Vec::new(),
            count: Count { layer: "bits", ..Count::default() },
            restarts: 0,
        }
    }

    /// How often everything was dropped because a limit was reached.
    #[must_use]
    pub fn restarts(&self) -> u64 {
        self.restarts
    }

    fn answer(&mut self, terms: &Terms, query: &Query<'_>) -> Answer {
        if self.blast.size() > self.limits.size {
            self.blast = Blast::new(self.limits.widest_product);
            self.restarts += 1;
        }
        self.assumptions.clear();
        for t in constraints(query) {
            match self.blast.literal(terms, t) {
                None => return Answer::Unknown(Why::Unsupported),
                Some(Lit::FALSE) => return Answer::Unsat(vec![t]),
                Some(lit) => self.assumptions.push(lit),
            }
        }
        match self.blast.circuit.sat.solve(&self.assumptions, query.effort.0) {
            Verdict::Sat => Answer::Sat(self.patch(terms, query)),
            Verdict::Unsat => Answer::Unsat(self.core(query)),
            Verdict::OutOfBudget => Answer::Unknown(Why::Effort),
        }
    }

    fn core(&self, query: &Query<'_>) -> Vec<TermId> {
        let in_core = |lit: Lit| lit != Lit::TRUE && self.blast.circuit.sat.in_core(lit);
        constraints(query).zip(&self.assumptions).filter(|&(_, &lit)| in_core(lit)).map(|(t, _)| t).collect()
    }

    fn patch(&mut self, terms: &Terms, query: &Query<'_>) -> Model {
        self.written.resize(terms.var_count(), 0);
        let mut patch = Model::new();
        for t in constraints(query) {
            for &var in terms.vars(t) {
                if std::mem::replace(&mut self.written[var.index()], self.count.seen) != self.count.seen {
                    self.patch_variable(terms, query.hint, var, &mut patch);
                }
            }
        }
        patch
    }

    fn patch_variable(&self, terms: &Terms, hint: &Model, var: VarId, patch: &mut Model) {
        // A variable that rewriting or gates made irrelevant has no literals and keeps its value.
        let Some(lits) = self.blast.variable(terms, var) else { return };
        let value = |lit: Lit| self.blast.circuit.sat.value(lit);
        if lits.len() <= 64 {
            let word = lits.iter().rev().fold(0, |word, &lit| word << 1 | u64::from(value(lit)));
            if word != hint.word(var).unwrap_or(0) {
                patch.set_word(var, word);
            }
            return;
        }
        let mut bytes = vec![0u8; lits.len().div_ceil(8)];
        for (i, &lit) in lits.iter().enumerate() {
            bytes[i / 8] |= u8::from(value(lit)) << (i % 8);
        }
        if let Sort::BitVec(width) = terms.info(var).sort {
            let value = Value::Bits(Bits::from_big(width, &num_bigint::BigUint::from_bytes_le(&bytes)));
            if value != hint.value(terms, var) {
                patch.set(var, value);
            }
        }
    }
}

/// All constraints of a query, the goal last.
fn constraints<'a>(query: &Query<'a>) -> impl Iterator<Item = TermId> + 'a {
    query.path.iter().copied().chain([query.goal])
}

impl Solver for BitBlaster {
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>) -> Answer {
        self.count.seen += 1;
        let answer = self.answer(terms, query);
        match answer {
            Answer::Sat(_) => self.count.sat += 1,
            Answer::Unsat(_) => self.count.unsat += 1,
            Answer::Unknown(_) => self.count.unknown += 1,
        }
        answer
    }

    fn count(&self, visit: &mut dyn FnMut(&Count)) {
        visit(&self.count);
    }
}
