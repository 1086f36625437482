//! Lazy constraints: of very many, a backend is given only those that its models violate.
//!
//! How deep a term may be is a condition on each of its positions. There are thousands of them where a program has large functors, nearly all are about positions
//! that a model does not have, and a backend that gets them all at once gives up. So it starts with the goal alone; what its model violates is added, until a
//! model violates nothing. A contradiction of some constraints is one of all.
//!
//! **Invariant.** A model that leaves this layer was evaluated under every constraint of the query.

use xcute_term::eval::Evaluator;
use xcute_term::{Sort, TermId, Terms, VarWalk};

use crate::solver::{Answer, Count, Query, Solver, Why};

/// Fewer constraints than this are not many.
const MANY: usize = 256;
/// How often a model may violate something before all constraints are given.
const ROUNDS: usize = 24;
/// How many violated constraints are added at once: the first ones, which are about what others hang on.
const ADDED: usize = 64;

/// The layer of lazy constraints.
pub struct Lazy {
    inner: Box<dyn Solver>,
    count: Count,
    eval: Evaluator,
    walk: VarWalk,
}

impl Lazy {
    /// Lazy constraints in front of `inner`.
    #[must_use]
    pub fn new(inner: Box<dyn Solver>) -> Lazy {
        Lazy { inner, count: Count { layer: "lazy", ..Count::default() }, eval: Evaluator::new(), walk: VarWalk::default() }
    }

    /// Whether the query is about terms, and has many constraints.
    fn is_for(&mut self, terms: &Terms, query: &Query<'_>) -> bool {
        let mut data = false;
        if query.path.len() >= MANY {
            self.walk.clear();
            self.walk.visit(terms, query.goal, |v| data |= matches!(terms.info(v).sort, Sort::Data(_)));
        }
        data
    }

    /// Asks with more and more of the constraints; `None` where all of them are needed, or nearly so.
    fn ask(&mut self, terms: &mut Terms, query: &Query<'_>) -> Option<Answer> {
        let mut given: Vec<TermId> = Vec::new();
        let mut left: Vec<TermId> = query.path.to_vec();
        for _ in 0..ROUNDS {
            let patch = match self.inner.solve(terms, &Query { path: &given, ..*query }) {
                Answer::Sat(patch) => patch,
                unsat @ Answer::Unsat(_) => {
                    self.count.constraints.1 += given.len() as u64;
                    return Some(unsat);
                }
                Answer::Unknown(Why::Interrupted) => return Some(Answer::Unknown(Why::Interrupted)),
                Answer::Unknown(_) => return None,
            };
            self.eval.load(&query.hint.patched(&patch));
            let before = given.len();
            left.retain(|&c| {
                let violated = given.len() - before < ADDED && !self.eval.eval_bool(terms, c);
                if violated {
                    given.push(c);
                }
                !violated
            });
            if given.len() == before {
                self.count.constraints.1 += before as u64;
                return Some(Answer::Sat(patch));
            }
            if given.len() > query.path.len() / 2 {
                break;
            }
        }
        None
    }
}

impl Solver for Lazy {
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>) -> Answer {
        if !self.is_for(terms, query) {
            return self.inner.solve(terms, query);
        }
        self.count.seen += 1;
        self.count.constraints.0 += query.path.len() as u64;
        match self.ask(terms, query) {
            Some(answer) => {
                self.count.note(&answer);
                answer
            }
            None => self.inner.solve(terms, query),
        }
    }

    fn count(&self, visit: &mut dyn FnMut(&Count)) {
        visit(&self.count);
        self.inner.count(visit);
    }
}
