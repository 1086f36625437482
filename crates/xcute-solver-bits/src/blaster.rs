//! Queries: constraints become assumptions, assumptions that contradict each other become the core, a model becomes a patch.
//!
//! Eén & Sörensson, "Temporal induction by incremental SAT solving" (2003): one SAT solver for all queries, each solved under
//! assumptions.

use xcute_solver::{Answer, Count, Query, Solver, Why};
use xcute_term::{Bits, Model, TermId, Terms, Value, VarId, VarWalk, eval};

use crate::blast::Blast;
use crate::lit::Lit;
use crate::record::{Recorder, Sink};
use crate::sat::Verdict;

/// When to start afresh, and what not to start at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Literals and gates held before everything is dropped and translated again. Checked before a query, never within one.
    pub size: usize,
    /// The widest product or quotient of two unknowns that is translated (the circuit grows with the square of the width).
    pub widest_product: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { size: 1 << 20, widest_product: 128 }
    }
}

/// A solver for Booleans, bit-vectors of any width and floats of any format. Queries with any other sort, or with `FpRem`, `FpFmod`
/// or `FpFma`, are `Unknown(Unsupported)`.
///
/// A model is a patch of the hint: it holds the variables of the query whose value differs from the hint's. Effort is counted
/// in SAT conflicts; an effort of 0 counts as 1.
///
/// All queries must be over one arena, since terms are remembered by their number. An arena never shrinks, so one with fewer terms
/// than the last is seen to be another, and everything is dropped; one with more terms is not noticed.
pub struct BitBlaster {
    blast: Blast,
    limits: Limits,
    /// The number of terms at the last query.
    arena: usize,
    assumptions: Vec<Lit>,
    /// The variables of the current query.
    vars: Vec<VarId>,
    /// For each variable, the last query (see `Count::seen`) that had it.
    seen: Vec<u64>,
    walk: VarWalk,
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
            arena: 0,
            assumptions: Vec::new(),
            vars: Vec::new(),
            seen: Vec::new(),
            walk: VarWalk::default(),
            count: Count { layer: "bits", ..Count::default() },
            restarts: 0,
        }
    }

    /// The same, and what reaches its SAT solver is written down (see [`crate::record`]).
    #[must_use]
    pub fn recorded(mut self, sink: Sink) -> BitBlaster {
        self.blast.circuit.recorder = Some(Recorder::new(sink));
        self
    }

    /// How often everything was dropped because a limit was reached, or the arena was another.
    #[must_use]
    pub fn restarts(&self) -> u64 {
        self.restarts
    }

    fn answer(&mut self, terms: &Terms, query: &Query<'_>) -> Answer {
        if self.blast.size() > self.limits.size || terms.len() < self.arena {
            let recorder = self.blast.circuit.recorder.take();
            self.blast = Blast::new(self.limits.widest_product);
            self.blast.circuit.recorder = recorder.map(Recorder::restarted);
            self.seen.clear();
            self.restarts += 1;
        }
        self.arena = terms.len();
        self.blast.circuit.sat.begin();
        self.assumptions.clear();
        for t in constraints(query) {
            match self.blast.literal(terms, t, query.interrupt) {
                _ if query.interrupt.raised() => return Answer::Unknown(Why::Interrupted),
                None => return Answer::Unknown(Why::Unsupported),
                Some(Lit::FALSE) => return Answer::Unsat(vec![t]),
                Some(lit) => self.assumptions.push(lit),
            }
        }
        self.follow_hint(terms, query);
        match self.blast.circuit.solve(&self.assumptions, query.effort.0, query.interrupt) {
            Verdict::Sat => Answer::Sat(self.patch(terms, query.hint)),
            Verdict::Unsat => Answer::Unsat(self.core(query)),
            Verdict::OutOfBudget => Answer::Unknown(Why::Effort),
            Verdict::Interrupted => Answer::Unknown(Why::Interrupted),
        }
    }

    /// Collects the variables of the query and makes the hint's values those to be tried first.
    fn follow_hint(&mut self, terms: &Terms, query: &Query<'_>) {
        self.seen.resize(terms.var_count(), 0);
        self.vars.clear();
        self.walk.clear();
        let mut last = None;
        for t in constraints(query) {
            let vars = terms.vars(t);
            // Neighbours on a path often have the same variables.
            if last == Some(vars) {
                continue;
            }
            last = Some(vars);
            self.walk.visit(terms, t, |var| {
                if std::mem::replace(&mut self.seen[var.index()], self.count.seen) != self.count.seen {
                    self.vars.push(var);
                }
            });
        }
        self.vars.sort_unstable();
        for &var in &self.vars {
            if eval::is_word(terms.info(var).sort) {
                let word = query.hint.word(var).unwrap_or(0);
                self.blast.hint(terms, var, |i| word >> i & 1 == 1);
            } else if let Value::Bits(bits) | Value::Float(_, bits) = query.hint.value(terms, var) {
                self.blast.hint(terms, var, |i| bits.bit(i));
            }
        }
    }

    fn core(&self, query: &Query<'_>) -> Vec<TermId> {
        let in_core = |lit: Lit| lit != Lit::TRUE && self.blast.circuit.sat.in_core(lit);
        constraints(query).zip(&self.assumptions).filter(|&(_, &lit)| in_core(lit)).map(|(t, _)| t).collect()
    }

    fn patch(&self, terms: &Terms, hint: &Model) -> Model {
        let mut patch = Model::new();
        for &var in &self.vars {
            self.patch_variable(terms, hint, var, &mut patch);
        }
        patch
    }

    fn patch_variable(&self, terms: &Terms, hint: &Model, var: VarId, patch: &mut Model) {
        // A variable that rewriting or gates made irrelevant has no literals and keeps its value.
        let Some(lits) = self.blast.variable(terms, var) else { return };
        // A bit that the query does not depend on keeps its value too.
        let value = |lit: Lit| self.blast.circuit.sat.value(lit);
        if lits.len() <= 64 {
            let before = hint.word(var).unwrap_or(0);
            let bit = |i: usize| value(lits[i]).map_or(before >> i & 1, u64::from);
            let word = (0..lits.len()).rev().fold(0, |word, i| word << 1 | bit(i));
            if word != before {
                patch.set_word(var, word);
            }
        } else if let old @ (Value::Bits(_) | Value::Float(..)) = hint.value(terms, var) {
            let (Value::Bits(before) | Value::Float(_, before)) = &old else { return };
            let mut big = before.to_big();
            for (i, &lit) in lits.iter().enumerate() {
                if let Some(bit) = value(lit) {
                    big.set_bit(i as u64, bit);
                }
            }
            let after = Bits::from_big(before.width(), &big);
            if after != *before {
                patch.set(var, if let Value::Float(format, _) = old { Value::Float(format, after) } else { Value::Bits(after) });
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
        self.count.note(&answer);
        answer
    }

    fn count(&self, visit: &mut dyn FnMut(&Count)) {
        visit(&self.count);
    }
}
