//! OPT 1, the fast unsatisfiability check: is the negation of the goal already in the path?
//!
//! [sen-marinov-agha-2006 §4.1.5]: 60 to 95 % of all semantic checks are saved by one syntactic one. Terms are
//! hash-consed and negation is rewritten, so "syntactically the negation" is equality of ids. We go one step further than the
//! paper: a conjunction contradicts the path where one of its conjuncts does.

use xcute_term::{Model, Op, TermId, Terms};

use crate::solver::{Answer, Count, Layer, Query, Solver};

/// How many conjuncts of a goal are looked up; goals with more are rare and left to the other layers.
const CONJUNCTS: usize = 8;

/// The layer of OPT 1.
pub struct FastUnsat {
    inner: Box<dyn Solver>,
    count: Count,
}

impl FastUnsat {
    /// The check in front of `inner`.
    #[must_use]
    pub fn new(inner: Box<dyn Solver>) -> FastUnsat {
        FastUnsat { inner, count: Count { layer: "opt1", ..Count::default() } }
    }
}

/// The constraint of `path` that is the negation of `goal`.
fn contradicted(terms: &mut Terms, path: &[TermId], goal: TermId) -> Option<TermId> {
    let negated = terms.not(goal);
    path.iter().rev().copied().find(|&c| c == negated)
}

impl Layer for FastUnsat {
    fn parts(&self) -> (&Count, &dyn Solver) {
        (&self.count, self.inner.as_ref())
    }

    fn parts_mut(&mut self) -> (&mut Count, &mut dyn Solver) {
        (&mut self.count, self.inner.as_mut())
    }

    fn attempt(&mut self, terms: &mut Terms, query: &Query<'_>) -> Option<Answer> {
        if let Some(truth) = terms.as_u64(query.goal) {
            return Some(if truth == 1 { Answer::Sat(Model::new()) } else { Answer::Unsat(vec![query.goal]) });
        }
        let mut clash = contradicted(terms, query.path, query.goal);
        if clash.is_none() && terms.op(query.goal) == Op::And {
            for i in 0..terms.args(query.goal).len().min(CONJUNCTS) {
                let conjunct = terms.args(query.goal)[i];
                clash = clash.or_else(|| contradicted(terms, query.path, conjunct));
            }
        }
        clash.map(|clash| Answer::Unsat(vec![clash, query.goal]))
    }
}
