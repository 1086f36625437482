//! Domains: tells the real solvers which words a pointer variable may have.
//!
//! The layers above look at [`Terms::domain`] themselves; a backend knows formulas only, so right above
//! it every variable with a domain gets the constraint that it has one of its words.
//!
//! **Invariant.** Cores name constraints of the query only: the added ones are facts and left out.

use xcute_term::{Op, TermId, Terms, VarId, VarWalk};

use crate::marks::Slots;
use crate::solver::{Answer, Count, Layer, Query, Solver};

/// For every given variable that has a domain: that it has one of its words.
pub fn domain_constraints(terms: &mut Terms, vars: &[VarId]) -> Vec<TermId> {
    let mut out = Vec::new();
    for &v in vars {
        let Some(domain) = terms.domain(v).map(<[u64]>::to_vec) else { continue };
        let (x, width) = (terms.var_term(v), terms.width(terms.var_term(v)));
        let mut equal = Vec::with_capacity(domain.len());
        for &word in &domain {
            let word = terms.bv(width, word);
            equal.push(terms.mk(Op::Eq, &[x, word]));
        }
        out.push(match equal[..] {
            [] => terms.bool(false),
            [only] => only,
            _ => terms.mk(Op::Or, &equal),
        });
    }
    out
}

/// The layer that adds the domains.
pub struct Domains {
    inner: Box<dyn Solver>,
    count: Count,
    walk: VarWalk,
    met: Slots,
    /// The constraints of the query.
    asked: Slots,
    vars: Vec<VarId>,
    path: Vec<TermId>,
}

/// The layer's name.
pub(crate) const LAYER: &str = "domains";

impl Domains {
    /// The domains in front of `inner`.
    #[must_use]
    pub fn new(inner: Box<dyn Solver>) -> Domains {
        let count = Count { layer: LAYER, ..Count::default() };
        let (walk, met, asked) = (VarWalk::default(), Slots::default(), Slots::default());
        Domains { inner, count, walk, met, asked, vars: Vec::new(), path: Vec::new() }
    }
}

impl Layer for Domains {
    fn parts(&self) -> (&Count, &dyn Solver) {
        (&self.count, self.inner.as_ref())
    }

    fn parts_mut(&mut self) -> (&mut Count, &mut dyn Solver) {
        (&mut self.count, self.inner.as_mut())
    }

    fn hand_on(&mut self, terms: &mut Terms, query: &Query<'_>) -> Answer {
        self.count.constraints.0 += query.path.len() as u64;
        self.met.clear(terms.var_count());
        self.vars.clear();
        self.walk.clear();
        for &c in query.path.iter().chain([&query.goal]) {
            self.walk.visit(terms, c, |v| {
                if terms.info(v).is_restricted() && self.met.set(v.index(), 0) {
                    self.vars.push(v);
                }
            });
        }
        if self.vars.is_empty() {
            self.count.constraints.1 += query.path.len() as u64;
            return self.inner.solve(terms, query);
        }
        let facts = domain_constraints(terms, &self.vars);
        self.path.clear();
        self.path.extend_from_slice(query.path);
        self.asked.clear(terms.len());
        for c in query.path.iter().chain([&query.goal]) {
            self.asked.set(c.index(), 0);
        }
        self.path.extend(facts.iter().filter(|f| !self.asked.has(f.index())));
        self.count.constraints.1 += self.path.len() as u64;
        let mut answer = self.inner.solve(terms, &Query { path: &self.path, ..*query });
        if let Answer::Unsat(core) = &mut answer {
            core.retain(|t| self.asked.has(t.index()));
        }
        answer
    }
}
