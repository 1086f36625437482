//! Relaxation: where nobody knows an answer, most inputs keep the values that they have, and only a few are asked for.
//!
//! A checksum of a whole message is hard to invert, and easy if all but four of its bytes are numbers already: concolic execution has a concrete value for each of them at
//! hand. The few that are free are those of the smaller side of a comparison (the stored checksum), then the last and the first ones of all (what most of a hash is not
//! about any longer, or not yet). Each attempt may cost a part of the effort.
//!
//! Partial solutions of this kind are in Godefroid, Klarlund & Sen, "DART" (PLDI 2005), which falls back to concrete values where its solver cannot follow; we do it only after
//! the whole question was asked.
//!
//! **Invariant.** A model of fewer free inputs is one of the query. That there is none says nothing about the query: the answer is then the one from before.

use xcute_term::eval::is_word;
use xcute_term::{Op, Sort, TermId, Terms, VarId};

use crate::solver::{Answer, Count, Effort, Query, Solver, Why};

/// An attempt may cost this part of the effort.
const PART: u64 = 8;
/// How many inputs at an end are free.
const FREE: [usize; 2] = [4, 1];
/// Queries with more inputs than this are not tried: what fixes them would be longer than they are.
const MOST: usize = 4096;

/// The layer of relaxation.
pub struct Relaxed {
    inner: Box<dyn Solver>,
    count: Count,
}

impl Relaxed {
    /// Relaxation around `inner`.
    #[must_use]
    pub fn new(inner: Box<dyn Solver>) -> Relaxed {
        Relaxed { inner, count: Count { layer: "relaxed", ..Count::default() } }
    }

    /// Asks with fewer free inputs. `None` where that does not help; "interrupted" if it was broken off.
    fn relax(&mut self, terms: &mut Terms, query: &Query<'_>) -> Option<Answer> {
        let vars = variables(terms, query.path.iter().chain([&query.goal]));
        let words = vars.iter().all(|&var| is_word(terms.info(var).sort));
        if vars.len() > MOST || vars.len() < 2 || !words {
            return None;
        }
        let effort = Effort((query.effort.0 / PART).max(1));
        for free in candidates(terms, query.goal, vars.len()) {
            let mut path = query.path.to_vec();
            path.extend(vars.iter().filter(|var| free.binary_search(var).is_err()).filter_map(|&var| fixed(terms, query, var)));
            match self.inner.solve(terms, &Query { path: &path, effort, ..*query }) {
                sat @ Answer::Sat(_) => return Some(sat),
                broken @ Answer::Unknown(Why::Interrupted) => return Some(broken),
                _ => {}
            }
        }
        None
    }
}

/// That an input has the value of the hint.
fn fixed(terms: &mut Terms, query: &Query<'_>, var: VarId) -> Option<TermId> {
    let (term, word) = (terms.var_term(var), query.hint.word(var).unwrap_or(0));
    match terms.info(var).sort {
        Sort::Bool => Some(if word != 0 { term } else { terms.not(term) }),
        Sort::BitVec(width) => {
            let value = terms.bv(width, word);
            Some(terms.mk(Op::Eq, &[term, value]))
        }
        _ => None,
    }
}

fn variables<'t>(terms: &Terms, constraints: impl Iterator<Item = &'t TermId>) -> Vec<VarId> {
    let mut vars: Vec<VarId> = constraints.flat_map(|&c| terms.vars(c)).collect();
    vars.sort_unstable();
    vars.dedup();
    vars
}

/// Which inputs may be free, each list sorted: fewer than all, the most promising first.
fn candidates(terms: &Terms, goal: TermId, all: usize) -> Vec<Vec<VarId>> {
    let mut inner = goal;
    while terms.op(inner) == Op::Not {
        inner = terms.args(inner)[0];
    }
    let mut lists: Vec<Vec<VarId>> = Vec::new();
    if let &[a, b] = terms.args(inner) {
        let (a, b) = (variables(terms, [a].iter()), variables(terms, [b].iter()));
        let only = |these: &[VarId], those: &[VarId]| these.iter().copied().filter(|var| those.binary_search(var).is_err()).collect();
        lists.extend([only(&a, &b), only(&b, &a)]);
        lists.sort_by_key(Vec::len);
    }
    let vars = variables(terms, [goal].iter());
    for most in FREE.map(|most| most.min(vars.len())) {
        lists.extend([vars[vars.len() - most..].to_vec(), vars[..most].to_vec()]);
    }
    let mut seen: Vec<Vec<VarId>> = Vec::new();
    for list in lists {
        if !list.is_empty() && list.len() < all && !seen.contains(&list) {
            seen.push(list);
        }
    }
    seen
}

impl Solver for Relaxed {
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>) -> Answer {
        let answer = self.inner.solve(terms, query);
        if !matches!(answer, Answer::Unknown(Why::Effort | Why::WrongModel)) {
            return answer;
        }
        self.count.seen += 1;
        let relaxed = self.relax(terms, query);
        if let Some(answer) = &relaxed {
            self.count.note(answer);
        }
        relaxed.unwrap_or(answer)
    }

    fn count(&self, visit: &mut dyn FnMut(&Count)) {
        visit(&self.count);
        self.inner.count(visit);
    }
}
