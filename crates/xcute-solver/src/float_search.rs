//! Float search: looks for a model of a query with floats by walking downhill.
//!
//! Fu & Su, "XSat: a fast floating-point satisfiability solver" (CAV 2016): a query becomes a distance that is zero exactly at its
//! models, and is minimised. We deviate: the walk is Korel's alternating variable method ("Automated software test data
//! generation", 1990) in steps of powers of two of units in the last place, so it is deterministic and exact at the end; and it
//! starts at the hint and at values that the query itself suggests (its constants, their neighbours, roots and quotients). Floats inside of data are walked to one
//! at a time ([`placed`]).
//!
//! **Invariant.** Only "sat" is ever answered, with a model that was evaluated. Queries without floats cost one look-up per
//! constraint.

mod candidates;
mod distance;
mod placed;

use xcute_term::eval::{Evaluator, is_word};
use xcute_term::{Interrupt, Model, Sort, TermId, Terms, VarId, VarWalk};

use crate::solver::{Answer, Count, Query, Solver, Why};
use crate::with_floats::WithFloats;
use placed::Placed;

/// The most points a query may cost, however large its effort: what is not found by then is better asked elsewhere.
const POINTS: u64 = 3000;
/// Walks from random points after those from the hint and from the candidates.
const RANDOM_WALKS: u64 = 4;

/// A backend for queries with floats that answers "sat" or nothing. To be put before the real solvers.
pub struct FloatSearch {
    eval: Evaluator,
    floats: WithFloats,
    count: Count,
}

impl Default for FloatSearch {
    fn default() -> Self {
        FloatSearch::new()
    }
}

impl FloatSearch {
    /// A search that has seen nothing yet.
    #[must_use]
    pub fn new() -> FloatSearch {
        let count = Count { layer: "float search", ..Count::default() };
        FloatSearch { eval: Evaluator::new(), floats: WithFloats::default(), count }
    }

    fn answer(&mut self, terms: &Terms, query: &Query<'_>) -> Answer {
        let constraints: Vec<TermId> = query.path.iter().copied().chain([query.goal]).collect();
        if !constraints.iter().any(|&t| self.floats.has(terms, t)) {
            return Answer::Unknown(Why::Unsupported);
        }
        let points = query.effort.0.min(POINTS);
        let Some(mut walk) = Walk::new(&mut self.eval, terms, query, &constraints) else {
            let (eval, hint, interrupt) = (&mut self.eval, query.hint, query.interrupt);
            let placed = Placed { eval, terms, constraints: &constraints, hint, points, points_at_start: points, interrupt }.search();
            return placed.map_or(Answer::Unknown(Why::Unsupported), Answer::Sat);
        };
        match walk.search() {
            true => Answer::Sat(walk.patch(query.hint)),
            false if query.interrupt.raised() => Answer::Unknown(Why::Interrupted),
            false => Answer::Unknown(Why::Effort),
        }
    }
}

impl Solver for FloatSearch {
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

/// A point, its distance, and how many more may be tried.
struct Walk<'a> {
    eval: &'a mut Evaluator,
    terms: &'a Terms,
    constraints: &'a [TermId],
    vars: Vec<(VarId, Sort)>,
    point: Vec<u64>,
    distance: f64,
    points: u64,
    interrupt: &'a Interrupt,
}

impl<'a> Walk<'a> {
    /// At the hint; `None` if a variable is not a word.
    fn new(eval: &'a mut Evaluator, terms: &'a Terms, query: &Query<'a>, constraints: &'a [TermId]) -> Option<Walk<'a>> {
        let (mut vars, mut walk) = (Vec::new(), VarWalk::default());
        constraints.iter().for_each(|&t| walk.visit(terms, t, |v| vars.push(v)));
        vars.sort_unstable();
        vars.dedup();
        let vars: Vec<(VarId, Sort)> = vars.into_iter().map(|v| (v, terms.info(v).sort)).collect();
        if vars.iter().any(|&(_, sort)| !is_word(sort)) {
            return None;
        }
        let point = vars.iter().map(|&(v, _)| query.hint.word(v).unwrap_or(0)).collect();
        let points = query.effort.0.min(POINTS);
        let mut walk = Walk { eval, terms, constraints, vars, point, distance: f64::INFINITY, points, interrupt: query.interrupt };
        walk.jump();
        Some(walk)
    }

    fn search(&mut self) -> bool {
        let start = self.point.clone();
        if self.descend() {
            return true;
        }
        let candidates = candidates::of(self.terms, self.constraints, &self.vars);
        for (i, words) in candidates.iter().enumerate() {
            for &word in words {
                self.try_word(i, word);
            }
        }
        if self.descend() {
            return true;
        }
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..RANDOM_WALKS {
            // From the hint again, but with each variable at one of its candidates.
            self.point.clone_from(&start);
            for (word, choices) in self.point.iter_mut().zip(&candidates) {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                *word = choices.get((state >> 33) as usize % choices.len().max(1)).copied().unwrap_or(*word);
            }
            self.jump();
            if self.descend() {
                return true;
            }
        }
        false
    }

    /// Walks downhill, one variable at a time, until no step helps; says whether a model was reached.
    fn descend(&mut self) -> bool {
        let mut better = true;
        while better && self.distance > 0.0 && self.points > 0 {
            better = false;
            for i in 0..self.vars.len() {
                better |= self.descend_along(i);
            }
        }
        self.distance == 0.0
    }

    /// Large steps first, each as often as it helps.
    fn descend_along(&mut self, i: usize) -> bool {
        let mut better = false;
        let sort = self.vars[i].1;
        let width = sort.width().unwrap_or(1);
        for power in (0..width).rev() {
            for forward in [true, false] {
                while self.distance > 0.0 && self.points > 0 {
                    let Some(word) = step(sort, self.point[i], power, forward) else { break };
                    if !self.try_word(i, word) {
                        break;
                    }
                    better = true;
                }
            }
        }
        better
    }

    /// Moves a variable to a word if that is closer.
    fn try_word(&mut self, i: usize, word: u64) -> bool {
        if self.points == 0 || self.distance == 0.0 || self.point[i] == word {
            return false;
        }
        self.points = if self.interrupt.raised() { 0 } else { self.points - 1 };
        self.eval.set_word(self.vars[i].0, word);
        let distance = distance::total(self.eval, self.terms, self.constraints);
        if distance < self.distance {
            self.point[i] = word;
            self.distance = distance;
            return true;
        }
        self.eval.set_word(self.vars[i].0, self.point[i]);
        false
    }

    /// Takes the point as it is.
    fn jump(&mut self) {
        self.eval.load(&Model::new());
        for (&(var, _), &word) in self.vars.iter().zip(&self.point) {
            self.eval.set_word(var, word);
        }
        self.distance = distance::total(self.eval, self.terms, self.constraints);
    }

    fn patch(&self, hint: &Model) -> Model {
        let mut patch = Model::new();
        for (&(var, _), &word) in self.vars.iter().zip(&self.point) {
            if hint.word(var).unwrap_or(0) != word {
                patch.set_word(var, word);
            }
        }
        patch
    }
}

/// The word 2^power places away: in the order of the numbers for a float, else modulo its width. `None` beyond the infinities.
fn step(sort: Sort, word: u64, power: u32, forward: bool) -> Option<u64> {
    match sort {
        Sort::Float(format) => {
            let distance = 1i64.checked_shl(power).filter(|d| *d > 0)?;
            let key = format.place(word)?;
            let key = if forward { key.checked_add(distance)? } else { key.checked_sub(distance)? };
            format.at_place(key)
        }
        _ => {
            let width = sort.width().unwrap_or(1);
            let distance = 1u64 << power;
            let moved = if forward { word.wrapping_add(distance) } else { word.wrapping_sub(distance) };
            Some(moved & (u64::MAX >> (64 - width)))
        }
    }
}

#[cfg(test)]
mod tests;
